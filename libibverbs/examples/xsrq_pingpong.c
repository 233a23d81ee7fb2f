// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_xsrq_pingpong: over XRC, where a message names the SRQ that it is for.  A
 * server plays with many clients, whose messages all come to one SRQ.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "xsrq.h"

static bool set_ib_port(struct pingpong_options *opt, const char *value)
{
	opt->ib_port = strtol(value, NULL, 0);
	return opt->ib_port >= 0;
}

static bool set_clients(struct pingpong_options *opt, const char *value)
{
	opt->clients = strtol(value, NULL, 0);
	return true;
}

static bool set_num_tests(struct pingpong_options *opt, const char *value)
{
	opt->iters = strtol(value, NULL, 0);
	return true;
}

/* clang-format off */
static const struct pingpong_option options[] = {
	PINGPONG_OPTION_PORT,
	PINGPONG_OPTION_IB_DEV,
	PINGPONG_OPTION_IB_PORT(set_ib_port),
	PINGPONG_OPTION_SIZE("4096", pingpong_set_size),
	PINGPONG_OPTION_MTU("2048"),
	{ "clients", 'c', true,
	  "  -c, --clients=<n>      number of clients (on server only, default 1)",
	  set_clients },
	{ "num_tests", 'n', true,
	  "  -n, --num_tests=<n>    number of tests per client (default 5)",
	  set_num_tests },
	PINGPONG_OPTION_SL,
	PINGPONG_OPTION_EVENTS,
	PINGPONG_OPTION_ODP,
	PINGPONG_OPTION_GID_IDX,
};
/* clang-format on */

static int post_receives(struct xsrq *x, int count)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)x->buf,
		.length = x->opt.size,
		.lkey = x->mr->lkey,
	};
	struct ibv_recv_wr wr = {
		.wr_id = (uintptr_t)x->buf,
		.sg_list = &sge,
		.num_sge = 1,
	};
	struct ibv_recv_wr *bad;

	while (count-- > 0) {
		if (ibv_post_srq_recv(x->srq, &wr, &bad)) {
			fprintf(stderr, "Failed to post receive to SRQ\n");
			return -1;
		}
	}
	return 0;
}

static int send_to(struct xsrq *x, struct xsrq_peer *peer)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)x->buf,
		.length = x->opt.size,
		.lkey = x->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.wr_id = peer - x->peers,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.qp_type.xrc.remote_srqn = peer->remote.srqn,
	};
	struct ibv_send_wr *bad;

	/* When the last one is complete all of them are. */
	if (++peer->sent >= x->opt.iters)
		wr.send_flags = IBV_SEND_SIGNALED;
	if (ibv_post_send(peer->send_qp, &wr, &bad)) {
		fprintf(stderr, "Couldn't post send\n");
		return -1;
	}
	return 0;
}

static struct xsrq_peer *find_peer(struct xsrq *x, uint32_t qpn)
{
	int i;

	for (i = 0; i < x->num_peers; i++)
		if (x->peers[i].local.recv_qpn == qpn)
			return &x->peers[i];
	fprintf(stderr, "Unable to find qp %x\n", qpn);
	return NULL;
}

/* One completion, if there is any: 1, else 0 */
static int poll_one(struct ibv_cq *cq, struct ibv_wc *wc)
{
	int n = ibv_poll_cq(cq, 1, wc);

	if (n < 0) {
		fprintf(stderr, "Error polling cq %d\n", n);
		return -1;
	}
	if (n && wc->status != IBV_WC_SUCCESS) {
		fprintf(stderr, "Work completion error %d\n", wc->status);
		return -1;
	}
	return n;
}

static int wait_event(struct xsrq *x)
{
	struct ibv_cq *cq;
	void *unused;

	if (ibv_get_cq_event(x->channel, &cq, &unused)) {
		fprintf(stderr, "Failed to get cq_event\n");
		return -1;
	}
	if (cq != x->recv_cq) {
		fprintf(stderr, "CQ event for unknown CQ %p\n", (void *)cq);
		return -1;
	}
	x->unacked++;
	if (ibv_req_notify_cq(cq, 0)) {
		fprintf(stderr, "Couldn't request CQ notification\n");
		return -1;
	}
	return 0;
}

/* Answers all messages that are there; returns how many that were, or -1. */
static int answer(struct xsrq *x, int64_t missing)
{
	struct xsrq_peer *peer;
	struct ibv_wc wc;
	int count = 0;
	int n;

	while (count < missing && (n = poll_one(x->recv_cq, &wc)) != 0) {
		if (n < 0)
			return -1;
		count++;
		if (post_receives(x, 1))
			return -1;
		peer = find_peer(x, wc.qp_num);
		if (!peer)
			return -1;
		peer->received++;
		if (peer->sent < x->opt.iters && send_to(x, peer))
			return -1;
	}
	return count;
}

static int play(struct xsrq *x)
{
	int64_t missing = (int64_t)x->num_peers * x->opt.iters;
	struct ibv_wc wc;
	int i;
	int n;

	if (missing <= 0)
		return 0;
	for (i = 0; !x->opt.host && i < x->num_peers; i++)
		if (send_to(x, &x->peers[i]))
			return -1;
	while (missing > 0) {
		if (x->opt.events && wait_event(x))
			return -1;
		n = answer(x, missing);
		if (n < 0)
			return -1;
		missing -= n;
	}
	for (i = 0; i < x->num_peers; i += n) {
		n = poll_one(x->send_cq, &wc);
		if (n < 0)
			return -1;
	}
	return 0;
}

int main(int argc, char *argv[])
{
	struct xsrq x = {
		.opt = {
			.tcp_port = 18515,
			.ib_port = 1,
			.size = 4096,
			/* The usage text has always named another number. */
			.mtu = IBV_MTU_1024,
			.iters = 5,
			.gid_idx = -1,
			.clients = 1,
		},
		.xrcd_fd = -1,
	};
	bool good;
	int i;

	if (pingpong_parse(argc, argv, options,
			   sizeof(options) / sizeof(options[0]), &x.opt))
		return 1;
	x.num_peers = x.opt.host ? 1 : x.opt.clients;
	if (x.num_peers < 0)
		return 1;
	x.peers = calloc((size_t)x.num_peers + 1, sizeof(*x.peers));
	if (!x.peers) {
		perror("xsrq_pingpong");
		return 1;
	}
	for (i = 0; i < x.num_peers; i++)
		x.peers[i].sock = -1;
	good = !xsrq_setup(&x);
	if (good && post_receives(&x, x.num_peers)) {
		fprintf(stderr, "Couldn't post receives\n");
		good = false;
	}
	good = good && !xsrq_meet(&x) && !play(&x) && !xsrq_part(&x);
	if (xsrq_teardown(&x, !good))
		good = false;
	if (good)
		printf("success\n");
	return good ? 0 : 1;
}
