// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The other end of a worker of ibv_share_pingpong: an ordinary RDMA program
 * with a PD and an MR of its own, on this host or another, that knows nothing
 * of sharing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share_pingpong.h"

enum { WR_WRITE, WR_READ, WR_SEND, WR_RECV_DATA, WR_RECV_NOTICE };

struct peer {
	const struct pp_options *opt;
	int listener;
	int sock;
	struct ibv_context *context;
	struct ibv_pd *pd;
	char *memory; /* size bytes that go out, then size bytes that come in */
	struct ibv_mr *mr;
	struct pp_link link;
	struct pp_hello remote;
};

static struct pp_buffer local(const struct peer *p, bool in)
{
	uint64_t addr = (uintptr_t)p->memory + (in ? p->opt->size : 0);

	return (struct pp_buffer){ .addr = addr,
				   .length = p->opt->size,
				   .key = p->mr->lkey };
}

/* The worker's window of this iteration: see share_worker.c */
static struct pp_buffer remote(const struct peer *p, uint64_t start,
			       uint64_t iter)
{
	const struct pp_hello *r = &p->remote;

	return (struct pp_buffer){
		.addr = start + iter * r->stride % r->windows * r->size,
		.key = r->rkey,
	};
}

static int open_device(struct peer *p)
{
	const int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
			   IBV_ACCESS_REMOTE_WRITE;
	size_t length = 2 * (size_t)p->opt->size;

	p->context = pp_open_device(p->opt);
	if (!p->context)
		return -1;
	p->pd = ibv_alloc_pd(p->context);
	if (!p->pd)
		return pp_fail(errno, "cannot allocate a PD");
	if (posix_memalign((void **)&p->memory, PP_PAGE, length)) {
		p->memory = NULL;
		return pp_fail(ENOMEM, "buffer");
	}
	memset(p->memory, 0, length);
	p->mr = ibv_reg_mr(p->pd, p->memory, length, access);
	if (!p->mr)
		return pp_fail(errno, "cannot register the buffer");
	return pp_link_create(&p->link, p->pd, p->context, p->opt);
}

static int meet_worker(struct peer *p)
{
	struct pp_hello self = { 0 };
	int ms = p->opt->timeout_ms;

	p->sock = pp_tcp_accept(p->listener, ms);
	if (p->sock < 0 || pp_recv_hello(p->sock, &p->remote, ms))
		return -1;
	self.address = p->link.local;
	self.size = p->opt->size;
	self.iters = p->opt->iters;
	self.rkey = p->mr->rkey;
	self.out = local(p, false).addr;
	self.in = local(p, true).addr;
	self.windows = 1;
	self.stride = 1;
	p->link.other = p->sock;
	if (pp_link_connect(&p->link, p->opt, &p->remote.address) ||
	    pp_send_hello(p->sock, &self, ms))
		return -1;
	if (p->remote.size != p->opt->size || p->remote.iters != p->opt->iters)
		return pp_fail(0, "the worker was started with other -s or -n");
	return 0;
}

static int verify(struct peer *p, uint64_t iter, enum pp_step step,
		  uint64_t *verified)
{
	char *in = p->memory + p->opt->size;
	size_t good = pp_pattern_check(in, p->opt->size, p->remote.worker, iter,
				       step);

	if (good < p->opt->size)
		return pp_fail(0,
			       "peer of worker %u, iteration %llu, step %d: "
			       "byte %zu is wrong",
			       p->remote.worker, (unsigned long long)iter, step,
			       good);
	*verified += good;
	memset(in, 0, p->opt->size);
	return 0;
}

static int post_receives(struct peer *p)
{
	struct pp_buffer in = local(p, true);

	if (pp_post_recv(&p->link, WR_RECV_NOTICE, NULL))
		return -1;
	return pp_post_recv(&p->link, WR_RECV_DATA, &in);
}

static int iterate(struct peer *p, uint64_t iter, bool last, uint64_t *verified)
{
	struct pp_buffer remote_in = remote(p, p->remote.in, iter);
	struct pp_buffer remote_out = remote(p, p->remote.out, iter);
	struct pp_buffer out = local(p, false);
	struct pp_buffer in = local(p, true);
	struct pp_link *link = &p->link;

	if (pp_wait_recv(link, WR_RECV_NOTICE, "the worker's RDMA WRITE", true,
			 iter) ||
	    verify(p, iter, PP_WORKER_WRITES, verified))
		return -1;

	pp_pattern_fill(p->memory, out.length, p->remote.worker, iter,
			PP_PEER_SENDS);
	if (pp_post(link, WR_SEND, IBV_WR_SEND, &out, NULL, 0) ||
	    pp_wait(link, WR_SEND, "SEND to the region"))
		return -1;

	/* Between these two the worker reads what was sent once more. */
	if (pp_wait_recv(link, WR_RECV_DATA, "receive from the region", false,
			 in.length) ||
	    verify(p, iter, PP_WORKER_SENDS, verified))
		return -1;

	if (pp_post(link, WR_READ, IBV_WR_RDMA_READ, &in, &remote_out, 0) ||
	    pp_wait(link, WR_READ, "RDMA READ from the region") ||
	    verify(p, iter, PP_WORKER_SENDS, verified))
		return -1;

	/* The worker's next step may come as soon as it has this one. */
	if (!last && post_receives(p))
		return -1;
	pp_pattern_fill(p->memory, out.length, p->remote.worker, iter,
			PP_PEER_WRITES);
	if (pp_post(link, WR_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM, &out,
		    &remote_in, iter) ||
	    pp_wait(link, WR_WRITE, "RDMA WRITE into the region"))
		return -1;
	return 0;
}

/* 0, 1: the worker has left, -1 after a message */
static int run_round(struct peer *p)
{
	uint64_t first, verified = 0, i;
	struct pp_turn turn;
	int ms = p->opt->timeout_ms;
	int ret = pp_recv_turn(p->sock, &turn, ms);

	if (ret)
		return ret;
	if (turn.kind != PP_TURN_START ||
	    turn.round > UINT32_MAX / PP_MAX_ITERS)
		return pp_fail(0,
			       "the worker sends another message than START");
	first = (uint64_t)turn.round * p->opt->iters;
	turn.kind = PP_TURN_READY;
	if (post_receives(p) || pp_send_turn(p->sock, &turn, ms))
		return -1;
	for (i = 0; i < p->opt->iters; i++)
		if (iterate(p, first + i, i + 1 == p->opt->iters, &verified))
			return -1;
	printf("%llu bytes received or read, all verified\n",
	       (unsigned long long)verified);
	turn.kind = PP_TURN_RESULT;
	turn.verified = verified;
	return pp_send_turn(p->sock, &turn, ms);
}

static int leave(struct peer *p)
{
	int ret = pp_link_destroy(&p->link), err;

	if (p->mr) {
		err = ibv_dereg_mr(p->mr);
		if (err)
			ret = pp_fail(err, "cannot deregister the buffer");
	}
	if (p->pd) {
		err = ibv_dealloc_pd(p->pd);
		if (err)
			ret = pp_fail(err, "cannot deallocate the PD");
	}
	if (p->context)
		ibv_close_device(p->context);
	free(p->memory);
	if (p->sock >= 0)
		close(p->sock);
	if (p->listener >= 0)
		close(p->listener);
	return ret;
}

int pp_peer(const struct pp_options *opt)
{
	struct peer p = { .opt = opt, .listener = -1, .sock = -1 };
	struct pp_report report = { .kind = PP_REPORT_PEER };
	uint16_t port = opt->tcp_port;
	int ret;

	ret = open_device(&p);
	if (!ret) {
		p.listener = pp_tcp_listen(&port);
		ret = p.listener < 0 ? -1 : 0;
	}
	if (!ret) {
		printf("waiting for a worker on TCP port %u\n", port);
		report.value[0] = port;
		ret = pp_send_report(opt->report_fd, &report);
	}
	if (!ret)
		ret = meet_worker(&p);
	while (!ret)
		ret = run_round(&p);
	if (leave(&p))
		ret = -1;
	return ret < 0 ? 1 : 0;
}
