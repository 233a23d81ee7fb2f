/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Traffic over rxe0, by the libibverbs that is installed: two QPs of one context */
#ifndef RDMA_H
#define RDMA_H

#include <infiniband/verbs.h>
#include <sched.h>
#include <stdbool.h>

#include "check.h"

struct pair {
	struct ibv_cq *cq;
	struct ibv_qp *qp[2];
};

static inline struct ibv_context *open_rxe(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;

	NEED(list);
	for (int i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), "rxe0"))
			context = ibv_open_device(list[i]);
	ibv_free_device_list(list);
	NEED(context);
	return context;
}

/* pd may be one that only has a context and a handle: rxe needs no more. */
static inline void make_pair(struct ibv_context *context, struct ibv_pd *pd,
			     struct pair *pair)
{
	struct ibv_qp_init_attr init = { .qp_type = IBV_QPT_RC,
					 .cap = { 16, 16, 1, 1, 0 } };
	struct ibv_qp_attr attr;
	union ibv_gid gid;

	/* The IPv4 one of dummy0 */
	NEED(!ibv_query_gid(context, 1, 1, &gid));
	NEED((pair->cq = ibv_create_cq(context, 64, NULL, NULL, 0)));
	init.send_cq = init.recv_cq = pair->cq;
	for (int i = 0; i < 2; i++)
		NEED((pair->qp[i] = ibv_create_qp(pd, &init)));
	for (int i = 0; i < 2; i++) {
		memset(&attr, 0, sizeof(attr));
		attr.qp_state = IBV_QPS_INIT;
		attr.port_num = 1;
		attr.qp_access_flags =
			IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
		NEED(!ibv_modify_qp(pair->qp[i], &attr,
				    IBV_QP_STATE | IBV_QP_PKEY_INDEX |
					    IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
		memset(&attr, 0, sizeof(attr));
		attr.qp_state = IBV_QPS_RTR;
		attr.path_mtu = IBV_MTU_1024;
		attr.dest_qp_num = pair->qp[!i]->qp_num;
		attr.max_dest_rd_atomic = 1;
		attr.min_rnr_timer = 12;
		attr.ah_attr.is_global = 1;
		attr.ah_attr.grh.dgid = gid;
		attr.ah_attr.grh.sgid_index = 1;
		attr.ah_attr.grh.hop_limit = 1;
		attr.ah_attr.port_num = 1;
		NEED(!ibv_modify_qp(pair->qp[i], &attr,
				    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
					    IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
					    IBV_QP_MAX_DEST_RD_ATOMIC |
					    IBV_QP_MIN_RNR_TIMER));
		memset(&attr, 0, sizeof(attr));
		attr.qp_state = IBV_QPS_RTS;
		attr.timeout = 12;
		attr.retry_cnt = 7;
		attr.rnr_retry = 7;
		attr.max_rd_atomic = 1;
		NEED(!ibv_modify_qp(pair->qp[i], &attr,
				    IBV_QP_STATE | IBV_QP_TIMEOUT |
					    IBV_QP_RETRY_CNT |
					    IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
					    IBV_QP_MAX_QP_RD_ATOMIC));
	}
}

static inline void destroy_pair(struct pair *pair)
{
	for (int i = 0; i < 2; i++)
		IS(ibv_destroy_qp(pair->qp[i]), 0);
	IS(ibv_destroy_cq(pair->cq), 0);
}

/* Posts on the first QP and waits; the completion's status */
static inline int post_and_wait(struct pair *pair, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;
	struct ibv_wc wc;

	wr->send_flags = IBV_SEND_SIGNALED;
	IS(ibv_post_send(pair->qp[0], wr, &bad), 0);
	for (;;) {
		int n = ibv_poll_cq(pair->cq, 1, &wc);

		NEED(n >= 0);
		if (n)
			return wc.status;
		/* rxe's work is done by a thread that may want this processor */
		sched_yield();
	}
}

static inline int rdma(struct pair *pair, enum ibv_wr_opcode opcode,
		       uint64_t local, uint32_t lkey, uint64_t remote,
		       uint32_t rkey, uint32_t length)
{
	struct ibv_sge sge = { local, length, lkey };
	struct ibv_send_wr wr = { .sg_list = &sge,
				  .num_sge = 1,
				  .opcode = opcode,
				  .wr.rdma = { remote, rkey } };

	return post_and_wait(pair, &wr);
}

#endif
