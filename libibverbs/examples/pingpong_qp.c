// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From RESET to RTS, for each kind of QP.  Timeouts and retries are such that
 * a lost peer is noticed within seconds and a slow one does no harm.
 */
#include <stdio.h>

#include "pingpong.h"

#define MIN_RNR_TIMER 12 /* 0.64 ms */
#define TIMEOUT 14	 /* 67 ms */
#define RETRIES 7
#define RNR_FOREVER 7

static int to_init(struct pingpong *pp, int index, struct ibv_qp_attr *attr,
		   int mask)
{
	attr->qp_state = IBV_QPS_INIT;
	attr->port_num = pp->opt.ib_port;
	mask |= IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
	if (ibv_modify_qp(pp->qps[index].qp, attr, mask)) {
		fprintf(stderr, "Failed to modify QP%s to INIT\n",
			pingpong_which(pp, index));
		return -1;
	}
	return 0;
}

int pingpong_init_connected(struct pingpong *pp, int index)
{
	struct ibv_qp_attr attr = { .qp_access_flags = 0 };

	return to_init(pp, index, &attr, IBV_QP_ACCESS_FLAGS);
}

int pingpong_init_ud(struct pingpong *pp, int index)
{
	struct ibv_qp_attr attr = { .qkey = PINGPONG_QKEY };

	return to_init(pp, index, &attr, IBV_QP_QKEY);
}

void pingpong_fill_av(struct ibv_ah_attr *av,
		      const struct pingpong_options *opt,
		      const struct pingpong_address *remote, uint8_t hops)
{
	av->dlid = remote->lid;
	av->sl = opt->sl;
	av->port_num = opt->ib_port;
	/* On InfiniBand a peer without a GID is in this subnet. */
	if (!remote->gid.global.interface_id)
		return;
	av->is_global = 1;
	av->grh.dgid = remote->gid;
	av->grh.sgid_index = opt->gid_idx;
	av->grh.hop_limit = hops;
}

static int to_rtr(struct pingpong *pp, int index, struct ibv_qp_attr *attr,
		  int mask)
{
	attr->qp_state = IBV_QPS_RTR;
	if (ibv_modify_qp(pp->qps[index].qp, attr, IBV_QP_STATE | mask)) {
		fprintf(stderr, "Failed to modify QP%s to RTR\n",
			pingpong_which(pp, index));
		return -1;
	}
	return 0;
}

static int to_rts(struct pingpong *pp, int index, struct ibv_qp_attr *attr,
		  int mask)
{
	attr->qp_state = IBV_QPS_RTS;
	attr->sq_psn = pp->qps[index].local.psn;
	mask |= IBV_QP_STATE | IBV_QP_SQ_PSN;
	if (ibv_modify_qp(pp->qps[index].qp, attr, mask)) {
		fprintf(stderr, "Failed to modify QP%s to RTS\n",
			pingpong_which(pp, index));
		return -1;
	}
	return 0;
}

/* What RC and UC need of the peer for RTR */
static int fill_path(struct pingpong *pp, int index, struct ibv_qp_attr *attr)
{
	const struct pingpong_address *remote = &pp->qps[index].remote;

	attr->path_mtu = pp->opt.mtu;
	attr->dest_qp_num = remote->qpn;
	attr->rq_psn = remote->psn;
	pingpong_fill_av(&attr->ah_attr, &pp->opt, remote, 1);
	return IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
}

int pingpong_connect_rc(struct pingpong *pp, int index)
{
	struct ibv_qp_attr attr = {
		.max_dest_rd_atomic = 1,
		.max_rd_atomic = 1,
		.min_rnr_timer = MIN_RNR_TIMER,
		.timeout = TIMEOUT,
		.retry_cnt = RETRIES,
		.rnr_retry = RNR_FOREVER,
	};

	if (to_rtr(pp, index, &attr,
		   fill_path(pp, index, &attr) | IBV_QP_MAX_DEST_RD_ATOMIC |
			   IBV_QP_MIN_RNR_TIMER))
		return -1;
	return to_rts(pp, index, &attr,
		      IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			      IBV_QP_MAX_QP_RD_ATOMIC);
}

int pingpong_connect_uc(struct pingpong *pp, int index)
{
	struct ibv_qp_attr attr = { .qp_state = 0 };

	if (to_rtr(pp, index, &attr, fill_path(pp, index, &attr)))
		return -1;
	return to_rts(pp, index, &attr, 0);
}

int pingpong_connect_ud(struct pingpong *pp, int index)
{
	struct ibv_qp_attr attr = { .qp_state = 0 };
	struct ibv_ah_attr av = { .dlid = 0 };

	if (to_rtr(pp, index, &attr, 0) || to_rts(pp, index, &attr, 0))
		return -1;
	pingpong_fill_av(&av, &pp->opt, &pp->qps[index].remote, 1);
	pp->ah = ibv_create_ah(pp->pd, &av);
	if (!pp->ah) {
		fprintf(stderr, "Failed to create AH\n");
		return -1;
	}
	return 0;
}
