// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The objects that the operations work on. */
#include "verbs_worker.h"

struct ibv_qp *world_create_qp(struct world *w)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = w->cq,
		.recv_cq = w->cq,
		.qp_type = IBV_QPT_RC,
		.cap = {
			.max_send_wr = QUEUE_DEPTH,
			.max_recv_wr = QUEUE_DEPTH,
			.max_send_sge = 1,
			.max_recv_sge = 1,
			.max_inline_data = 64,
		},
	};

	return ibv_create_qp(w->pd, &attr);
}

void world_to_init(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_LOCAL_WRITE |
				   IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_WRITE,
	};

	NEED(!ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				    IBV_QP_ACCESS_FLAGS));
}

void world_to_rtr(struct world *w, struct ibv_qp *qp, uint32_t dest)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = dest,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = {
			.is_global = 1,
			.port_num = 1,
			.grh = {
				.dgid = w->gid,
				.sgid_index = GID_INDEX,
				.hop_limit = 1,
			},
		},
	};

	NEED(!ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				    IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				    IBV_QP_MAX_DEST_RD_ATOMIC |
				    IBV_QP_MIN_RNR_TIMER));
}

void world_to_rts(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = 1,
	};

	NEED(!ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				    IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				    IBV_QP_MAX_QP_RD_ATOMIC));
}

static void connect_to(struct world *w, struct ibv_qp *qp, uint32_t dest)
{
	world_to_init(qp);
	world_to_rtr(w, qp, dest);
	world_to_rts(qp);
}

void world_reap(struct world *w, unsigned int n)
{
	struct ibv_wc wc;
	int got;

	while (n) {
		got = ibv_poll_cq(w->cq, 1, &wc);
		NEED(got >= 0);
		if (!got)
			continue;
		if (wc.status != IBV_WC_SUCCESS)
			fprintf(stderr, "completion: %s\n",
				ibv_wc_status_str(wc.status));
		NEED(wc.status == IBV_WC_SUCCESS);
		n--;
	}
}

void world_open(struct world *w)
{
	NEED(w->list = ibv_get_device_list(NULL));
	NEED(w->list[0]);
	NEED(w->context = ibv_open_device(w->list[0]));
	NEED(!ibv_query_gid(w->context, 1, GID_INDEX, &w->gid));
	NEED(w->pd = ibv_alloc_pd(w->context));
	NEED(w->cq = ibv_create_cq(w->context, 4 * QUEUE_DEPTH, NULL, NULL, 0));
	NEED(!posix_memalign(&w->memory, 4096, REGION));
	memset(w->memory, 0, REGION);
	NEED(w->mr = ibv_reg_mr(w->pd, w->memory, REGION,
				IBV_ACCESS_LOCAL_WRITE |
					IBV_ACCESS_REMOTE_READ |
					IBV_ACCESS_REMOTE_WRITE));
	NEED(w->qp = world_create_qp(w));
	NEED(w->peer = world_create_qp(w));
	NEED(w->spare = world_create_qp(w));
	connect_to(w, w->qp, w->peer->qp_num);
	connect_to(w, w->peer, w->qp->qp_num);
}
