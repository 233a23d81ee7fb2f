// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The objects of ibv_xsrq_pingpong. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xsrq.h"

/* Processes that open the same file have the same XRC domain. */
#define DOMAIN_FILE "/tmp/xrc_domain"
#define MIN_RNR_TIMER 12
#define TIMEOUT 14
#define RETRIES 7
#define RNR_FOREVER 7
#define HOPS 5

static int open_device(struct xsrq *x)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_device *device;

	if (!list) {
		/* Known for the missing line end */
		fprintf(stderr, "Failed to get IB devices list");
		return -1;
	}
	device = tool_find_device(list, x->opt.ib_dev);
	if (!device) {
		fprintf(stderr, "IB device %s not found\n",
			x->opt.ib_dev ? x->opt.ib_dev : "");
	} else {
		x->context = ibv_open_device(device);
		if (!x->context)
			fprintf(stderr, "Couldn't get context for %s\n",
				ibv_get_device_name(device));
	}
	ibv_free_device_list(list);
	return x->context ? 0 : -1;
}

static int query_port(struct xsrq *x)
{
	struct ibv_port_attr port;

	if (ibv_query_port(x->context, x->opt.ib_port, &port)) {
		fprintf(stderr, "Failed to get port info\n");
		return -1;
	}
	x->lid = port.lid;
	if (!port.lid && port.link_layer != IBV_LINK_LAYER_ETHERNET) {
		fprintf(stderr, "Couldn't get local LID\n");
		return -1;
	}
	return 0;
}

static int alloc_buffer(struct xsrq *x)
{
	void *buf;

	if (x->opt.size > INT_MAX ||
	    posix_memalign(&buf, sysconf(_SC_PAGESIZE), x->opt.size)) {
		fprintf(stderr, "Couldn't allocate work buf.\n");
		return -1;
	}
	x->buf = buf;
	memset(x->buf, 0, x->opt.size);
	return 0;
}

static int check_odp(struct xsrq *x)
{
	static const uint32_t need =
		IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_SRQ_RECV;
	struct ibv_device_attr_ex attr;

	if (ibv_query_device_ex(x->context, NULL, &attr)) {
		fprintf(stderr, "Couldn't query device for its features\n");
		return -1;
	}
	if (!(attr.odp_caps.general_caps & IBV_ODP_SUPPORT) ||
	    (attr.xrc_odp_caps & need) != need) {
		fprintf(stderr, "The device isn't ODP capable or does not "
				"support XRC send, receive and srq with ODP\n");
		return -1;
	}
	return 0;
}

static int register_buffer(struct xsrq *x)
{
	int access = IBV_ACCESS_LOCAL_WRITE;

	if (x->opt.odp)
		access |= IBV_ACCESS_ON_DEMAND;
	x->mr = ibv_reg_mr(x->pd, x->buf, x->opt.size, access);
	if (!x->mr) {
		fprintf(stderr, "Couldn't register MR\n");
		return -1;
	}
	return 0;
}

static int open_domain(struct xsrq *x)
{
	struct ibv_xrcd_init_attr attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.oflags = O_CREAT,
	};

	x->xrcd_fd = open(DOMAIN_FILE, O_RDONLY | O_CREAT | O_CLOEXEC,
			  S_IRUSR | S_IRGRP);
	if (x->xrcd_fd < 0)
		fprintf(stderr,
			"Couldn't create the file for the XRC Domain but not "
			"stopping %d\n",
			errno);
	attr.fd = x->xrcd_fd;
	x->xrcd = ibv_open_xrcd(x->context, &attr);
	if (!x->xrcd) {
		fprintf(stderr, "Couldn't Open the XRC Domain %d\n", errno);
		return -1;
	}
	return 0;
}

static int create_cqs(struct xsrq *x)
{
	x->recv_cq = ibv_create_cq(x->context, x->num_peers, &x->recv_cq,
				   x->channel, 0);
	if (!x->recv_cq) {
		fprintf(stderr, "Couldn't create recv CQ\n");
		return -1;
	}
	if (x->opt.events && ibv_req_notify_cq(x->recv_cq, 0)) {
		fprintf(stderr, "Couldn't request CQ notification\n");
		return -1;
	}
	x->send_cq = ibv_create_cq(x->context, x->num_peers, NULL, NULL, 0);
	if (!x->send_cq) {
		fprintf(stderr, "Couldn't create send CQ\n");
		return -1;
	}
	return 0;
}

static int create_srq(struct xsrq *x)
{
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = x->num_peers, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_XRCD |
			     IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_XRC,
		.xrcd = x->xrcd,
		.cq = x->recv_cq,
		.pd = x->pd,
	};

	x->srq = ibv_create_srq_ex(x->context, &attr);
	if (!x->srq) {
		fprintf(stderr, "Couldn't create SRQ\n");
		return -1;
	}
	return 0;
}

static int to_init(struct xsrq *x, struct ibv_qp *qp, unsigned int access,
		   const char *name, int index)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = x->opt.ib_port,
		.qp_access_flags = access,
	};

	if (ibv_modify_qp(qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				  IBV_QP_ACCESS_FLAGS)) {
		fprintf(stderr, "Failed to modify %s QP[%d] to INIT\n", name,
			index);
		return -1;
	}
	return 0;
}

static int create_recv_qp(struct xsrq *x, int index)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_XRC_RECV,
		.comp_mask = IBV_QP_INIT_ATTR_XRCD,
		.xrcd = x->xrcd,
	};
	struct xsrq_peer *peer = &x->peers[index];

	peer->recv_qp = ibv_create_qp_ex(x->context, &attr);
	if (!peer->recv_qp) {
		fprintf(stderr, "Couldn't create recv QP[%d] errno %d\n", index,
			errno);
		return -1;
	}
	return to_init(x, peer->recv_qp,
		       IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ, "recv",
		       index);
}

static int create_send_qp(struct xsrq *x, int index)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = x->send_cq,
		.cap = { .max_send_wr = (uint32_t)x->num_peers * x->opt.iters,
			 .max_send_sge = 1 },
		.qp_type = IBV_QPT_XRC_SEND,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = x->pd,
	};
	struct xsrq_peer *peer = &x->peers[index];

	peer->send_qp = ibv_create_qp_ex(x->context, &attr);
	if (!peer->send_qp) {
		fprintf(stderr, "Couldn't create send QP[%d] errno %d\n", index,
			errno);
		return -1;
	}
	return to_init(x, peer->send_qp, 0, "send", index);
}

int xsrq_setup(struct xsrq *x)
{
	int i;

	if (open_device(x)) {
		fprintf(stderr, "Failed to open device\n");
		return -1;
	}
	if (query_port(x) || (x->opt.odp && check_odp(x)) || alloc_buffer(x))
		return -1;
	if (x->opt.events) {
		x->channel = ibv_create_comp_channel(x->context);
		if (!x->channel) {
			fprintf(stderr, "Couldn't create completion channel\n");
			return -1;
		}
	}
	x->pd = ibv_alloc_pd(x->context);
	if (!x->pd) {
		fprintf(stderr, "Couldn't allocate PD\n");
		return -1;
	}
	if (register_buffer(x) || open_domain(x) || create_cqs(x) ||
	    create_srq(x))
		return -1;
	for (i = 0; i < x->num_peers; i++)
		if (create_recv_qp(x, i) || create_send_qp(x, i))
			return -1;
	return 0;
}

static int to_rtr(struct xsrq *x, struct ibv_qp *qp, struct ibv_qp_attr *attr,
		  const struct xsrq_address *remote, int mask, const char *name,
		  int index)
{
	struct pingpong_address there = { .lid = remote->lid,
					  .gid = remote->gid };

	attr->qp_state = IBV_QPS_RTR;
	attr->path_mtu = x->opt.mtu;
	attr->rq_psn = remote->psn;
	pingpong_fill_av(&attr->ah_attr, &x->opt, &there, HOPS);
	mask |= IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
		IBV_QP_RQ_PSN;
	if (ibv_modify_qp(qp, attr, mask)) {
		fprintf(stderr, "Failed to modify %s QP[%d] to RTR\n", name,
			index);
		return -1;
	}
	return 0;
}

static int to_rts(struct ibv_qp *qp, struct ibv_qp_attr *attr, uint32_t psn,
		  int mask, const char *name, int index)
{
	attr->qp_state = IBV_QPS_RTS;
	attr->sq_psn = psn;
	mask |= IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT;
	if (ibv_modify_qp(qp, attr, mask)) {
		fprintf(stderr, "Failed to modify %s QP[%d] to RTS\n", name,
			index);
		return -1;
	}
	return 0;
}

int xsrq_connect(struct xsrq *x, int index)
{
	const struct xsrq_peer *peer = &x->peers[index];
	struct ibv_qp_attr recv = {
		.dest_qp_num = peer->remote.send_qpn,
		.min_rnr_timer = MIN_RNR_TIMER,
		.timeout = TIMEOUT,
	};
	struct ibv_qp_attr send = {
		.dest_qp_num = peer->remote.recv_qpn,
		.timeout = TIMEOUT,
		.retry_cnt = RETRIES,
		.rnr_retry = RNR_FOREVER,
	};

	/* A target QP answers only: it has no retries to count. */
	if (to_rtr(x, peer->recv_qp, &recv, &peer->remote,
		   IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER, "recv",
		   index) ||
	    to_rts(peer->recv_qp, &recv, peer->local.psn, 0, "recv", index))
		return -1;
	if (to_rtr(x, peer->send_qp, &send, &peer->remote, 0, "send", index))
		return -1;
	return to_rts(peer->send_qp, &send, peer->local.psn,
		      IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			      IBV_QP_MAX_QP_RD_ATOMIC,
		      "send", index);
}

static int failed(bool quiet, const char *what)
{
	if (!quiet)
		fprintf(stderr, "Couldn't %s\n", what);
	return -1;
}

static int destroy_peers(struct xsrq *x, bool quiet)
{
	int i;

	for (i = 0; x->peers && i < x->num_peers; i++) {
		struct xsrq_peer *peer = &x->peers[i];

		if (peer->send_qp && ibv_destroy_qp(peer->send_qp)) {
			if (!quiet)
				fprintf(stderr, "Couldn't destroy INI QP[%d]\n",
					i);
			return -1;
		}
		if (peer->recv_qp && ibv_destroy_qp(peer->recv_qp)) {
			if (!quiet)
				fprintf(stderr, "Couldn't destroy TGT QP[%d]\n",
					i);
			return -1;
		}
		if (peer->sock >= 0)
			close(peer->sock);
	}
	return 0;
}

int xsrq_teardown(struct xsrq *x, bool quiet)
{
	if (x->unacked)
		ibv_ack_cq_events(x->recv_cq, x->unacked);
	if (destroy_peers(x, quiet))
		return -1;
	if (x->srq && ibv_destroy_srq(x->srq))
		return failed(quiet, "destroy SRQ");
	if (x->xrcd && ibv_close_xrcd(x->xrcd))
		return failed(quiet, "close the XRC Domain");
	if (x->xrcd_fd >= 0 && close(x->xrcd_fd))
		return failed(quiet, "close the file for the XRC Domain");
	if (x->send_cq && ibv_destroy_cq(x->send_cq))
		return failed(quiet, "destroy send CQ");
	if (x->recv_cq && ibv_destroy_cq(x->recv_cq))
		return failed(quiet, "destroy recv CQ");
	if (x->mr && ibv_dereg_mr(x->mr))
		return failed(quiet, "deregister MR");
	if (x->pd && ibv_dealloc_pd(x->pd))
		return failed(quiet, "deallocate PD");
	if (x->channel && ibv_destroy_comp_channel(x->channel))
		return failed(quiet, "destroy completion channel");
	if (x->context && ibv_close_device(x->context))
		return failed(quiet, "release context");
	free(x->peers);
	free(x->buf);
	return 0;
}
