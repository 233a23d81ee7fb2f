// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * One RC connection of ibv_share_pingpong: create, connect, post, and sleep
 * until a given work request is complete.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <fcntl.h>

#include "share_pingpong.h"

static int query_address(struct pp_link *link, struct ibv_context *context,
			 const struct pp_options *opt)
{
	struct pp_address *local = &link->local;
	struct ibv_port_attr port;
	char gid[INET6_ADDRSTRLEN];
	uint32_t psn;
	int err;

	err = ibv_query_port(context, opt->ib_port, &port);
	if (err)
		return pp_fail(err, "cannot query port %u", opt->ib_port);
	if (port.state != IBV_PORT_ACTIVE)
		return pp_fail(0, "port %u is not active", opt->ib_port);
	if (port.link_layer == IBV_LINK_LAYER_ETHERNET && opt->gid_idx < 0)
		return pp_fail(0, "an Ethernet port needs -g, a GID index");
	if (port.active_mtu < opt->mtu)
		return pp_fail(0, "the port's MTU is smaller than -m");
	local->lid = port.lid;
	memset(&local->gid, 0, sizeof(local->gid));
	if (opt->gid_idx >= 0) {
		if (ibv_query_gid(context, opt->ib_port, opt->gid_idx,
				  &local->gid))
			return pp_fail(errno, "cannot read GID %d of port %u",
				       opt->gid_idx, opt->ib_port);
		/* An unused entry of the table */
		if (!memcmp(&local->gid, &(union ibv_gid){ .raw = { 0 } },
			    sizeof(local->gid)))
			return pp_fail(0, "port %u has no GID %d", opt->ib_port,
				       opt->gid_idx);
	}
	if (getrandom(&psn, sizeof(psn), 0) != sizeof(psn))
		return pp_fail(errno, "getrandom");
	local->psn = psn & 0xffffff;
	local->qpn = link->qp->qp_num;
	inet_ntop(AF_INET6, &local->gid, gid, sizeof(gid));
	printf("  local address:  LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s\n",
	       local->lid, local->qpn, local->psn, gid);
	return 0;
}

int pp_link_create(struct pp_link *link, struct ibv_pd *pd,
		   struct ibv_context *context, const struct pp_options *opt)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = PP_MAX_WR,
			 .max_recv_wr = PP_MAX_WR,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = opt->ib_port,
		.qp_access_flags =
			IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE,
	};
	int err;

	memset(link, 0, sizeof(*link));
	link->timeout_ms = opt->timeout_ms;
	link->other = -1;
	link->channel = ibv_create_comp_channel(context);
	if (!link->channel)
		return pp_fail(errno, "cannot create a completion channel");
	if (fcntl(link->channel->fd, F_SETFL, O_NONBLOCK)) {
		pp_fail(errno, "completion channel");
		goto err;
	}
	link->cq =
		ibv_create_cq(context, 2 * PP_MAX_WR, NULL, link->channel, 0);
	if (!link->cq) {
		pp_fail(errno, "cannot create a CQ");
		goto err;
	}
	init.send_cq = link->cq;
	init.recv_cq = link->cq;
	link->qp = ibv_create_qp(pd, &init);
	if (!link->qp) {
		pp_fail(errno, "cannot create a QP");
		goto err;
	}
	err = ibv_modify_qp(link->qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				    IBV_QP_ACCESS_FLAGS);
	if (err) {
		pp_fail(err, "cannot move the QP to INIT on port %u",
			opt->ib_port);
		goto err;
	}
	if (!query_address(link, context, opt))
		return 0;
err:
	pp_link_destroy(link);
	return -1;
}

int pp_link_connect(struct pp_link *link, const struct pp_options *opt,
		    const struct pp_address *remote)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = opt->mtu,
		.dest_qp_num = remote->qpn,
		.rq_psn = remote->psn,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = { .dlid = remote->lid,
			     .sl = opt->sl,
			     .port_num = opt->ib_port },
	};
	char gid[INET6_ADDRSTRLEN];
	int err;

	inet_ntop(AF_INET6, &remote->gid, gid, sizeof(gid));
	printf("  remote address: LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s\n",
	       remote->lid, remote->qpn, remote->psn, gid);
	if (opt->gid_idx >= 0) {
		attr.ah_attr.is_global = 1;
		attr.ah_attr.grh.hop_limit = 64;
		attr.ah_attr.grh.dgid = remote->gid;
		attr.ah_attr.grh.sgid_index = opt->gid_idx;
	}
	err = ibv_modify_qp(link->qp, &attr,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				    IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				    IBV_QP_MAX_DEST_RD_ATOMIC |
				    IBV_QP_MIN_RNR_TIMER);
	if (err)
		return pp_fail(err, "cannot move the QP to RTR");
	attr.qp_state = IBV_QPS_RTS;
	attr.timeout = 17; /* 0.5 s */
	attr.retry_cnt = 7;
	attr.rnr_retry = 6;
	attr.sq_psn = link->local.psn;
	attr.max_rd_atomic = 1;
	err = ibv_modify_qp(link->qp, &attr,
			    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				    IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				    IBV_QP_MAX_QP_RD_ATOMIC);
	if (err)
		return pp_fail(err, "cannot move the QP to RTS");
	return 0;
}

int pp_link_destroy(struct pp_link *link)
{
	int ret = 0, err;

	if (link->qp) {
		err = ibv_destroy_qp(link->qp);
		if (err)
			ret = pp_fail(err, "cannot destroy the QP");
	}
	if (link->cq) {
		err = ibv_destroy_cq(link->cq);
		if (err)
			ret = pp_fail(err, "cannot destroy the CQ");
	}
	if (link->channel) {
		err = ibv_destroy_comp_channel(link->channel);
		if (err)
			ret = pp_fail(err, "cannot destroy the channel");
	}
	memset(link, 0, sizeof(*link));
	return ret;
}

int pp_post_recv(struct pp_link *link, unsigned int wr_id,
		 const struct pp_buffer *into)
{
	struct ibv_sge sge = { 0 };
	struct ibv_recv_wr wr = { .wr_id = wr_id }, *bad;
	int err;

	if (into) {
		sge.addr = into->addr;
		sge.length = into->length;
		sge.lkey = into->key;
		wr.sg_list = &sge;
		wr.num_sge = 1;
	}
	err = ibv_post_recv(link->qp, &wr, &bad);
	return err ? pp_fail(err, "cannot post a receive") : 0;
}

int pp_post(struct pp_link *link, unsigned int wr_id, enum ibv_wr_opcode opcode,
	    const struct pp_buffer *local, const struct pp_buffer *remote,
	    uint32_t imm)
{
	struct ibv_sge sge = { .addr = local->addr,
			       .length = local->length,
			       .lkey = local->key };
	struct ibv_send_wr wr = {
		.wr_id = wr_id,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.imm_data = htonl(imm),
	};
	struct ibv_send_wr *bad;
	int err;

	if (remote) {
		wr.wr.rdma.remote_addr = remote->addr;
		wr.wr.rdma.rkey = remote->key;
	}
	err = ibv_post_send(link->qp, &wr, &bad);
	return err ? pp_fail(err, "cannot post a work request") : 0;
}

/* 1: something came, 0: the CQ is empty, -1 after a message */
static int drain(struct pp_link *link)
{
	struct ibv_wc wc;
	int n, some = 0;

	while ((n = ibv_poll_cq(link->cq, 1, &wc)) > 0) {
		if (wc.wr_id >= PP_MAX_WR)
			return pp_fail(0, "completion of an unknown request");
		link->done[wc.wr_id] = true;
		link->wc[wc.wr_id] = wc;
		some = 1;
	}
	return n < 0 ? pp_fail(0, "cannot poll the CQ") : some;
}

/*
 * An event is not lost: the CQ is armed, then looked at, and only then slept.
 * An RC QP that waits to receive hears nothing of the death of the other end:
 * the socket does.
 */
static int sleep_for_completion(struct pp_link *link, uint64_t deadline)
{
	struct pollfd pfds[] = {
		{ .fd = link->channel->fd, .events = POLLIN },
		{ .fd = link->other, .events = POLLRDHUP },
	};
	struct ibv_cq *cq;
	void *unused;
	uint64_t now;
	int n, err;

	err = ibv_req_notify_cq(link->cq, 0);
	if (err)
		return pp_fail(err, "cannot arm the CQ");
	n = drain(link);
	if (n)
		return n;
	now = pp_now_ns();
	if (now >= deadline)
		return 0;
	n = poll(pfds, 2, (deadline - now) / 1000000 + 1);
	if (n < 0 && errno != EINTR)
		return pp_fail(errno, "poll");
	while (!ibv_get_cq_event(link->channel, &cq, &unused))
		ibv_ack_cq_events(cq, 1);
	if (!pfds[1].revents)
		return 1;
	n = drain(link);
	return n ? n : pp_fail(0, "the other end has gone");
}

int pp_wait(struct pp_link *link, unsigned int wr_id, const char *what)
{
	uint64_t deadline = pp_now_ns() + (uint64_t)link->timeout_ms * 1000000;
	int ret;

	for (;;) {
		if (drain(link) < 0)
			return -1;
		if (link->done[wr_id])
			break;
		ret = sleep_for_completion(link, deadline);
		if (ret < 0)
			return -1;
		if (!ret)
			return pp_fail(0, "%s: no completion in %d s", what,
				       link->timeout_ms / 1000);
	}
	link->done[wr_id] = false;
	if (link->wc[wr_id].status != IBV_WC_SUCCESS)
		return pp_fail(0, "%s: %s", what,
			       ibv_wc_status_str(link->wc[wr_id].status));
	return 0;
}

int pp_wait_recv(struct pp_link *link, unsigned int wr_id, const char *what,
		 bool by_imm, uint32_t expected)
{
	const struct ibv_wc *wc = &link->wc[wr_id];

	if (pp_wait(link, wr_id, what))
		return -1;
	if (by_imm != !!(wc->wc_flags & IBV_WC_WITH_IMM))
		return pp_fail(0, "%s: a message of another kind came", what);
	if (by_imm && ntohl(wc->imm_data) != expected)
		return pp_fail(0, "%s: number %u instead of %u", what,
			       ntohl(wc->imm_data), expected);
	if (!by_imm && wc->byte_len != expected)
		return pp_fail(0, "%s: %u bytes instead of %u", what,
			       wc->byte_len, expected);
	return 0;
}
