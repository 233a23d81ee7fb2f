// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: making, changing, destroying.  See send.c and recv.c. */
#include <stdlib.h>

#include "siw.h"

DRIVER_REPLY(create_qp, ib_uverbs_ex_create_qp_resp, siw_uresp_create_qp);

/* cap: as asked for; becomes what there is, which may be more */
static int map_queues(struct siw_qp *qp, int fd, bool has_srq,
		      struct ibv_qp_cap *cap,
		      const struct siw_uresp_create_qp *resp)
{
	int ret;

	if (cap->max_send_sge > SIW_MAX_SGE || cap->max_recv_sge > SIW_MAX_SGE)
		return EPROTO;
	ret = siw_ring_map(&qp->sq.ring, fd, resp->sq_key, resp->num_sqe,
			   cap->max_send_wr, sizeof(struct siw_sqe), 0);
	if (ret)
		return ret;
	qp->sq.max_sge = cap->max_send_sge;
	cap->max_send_wr = resp->num_sqe;
	/* The place of the SGEs is always there. */
	cap->max_inline_data = SIW_MAX_INLINE;

	/* Then the kernel makes no receive queue. */
	if (has_srq || !cap->max_recv_wr)
		return 0;
	ret = siw_ring_map(&qp->rq.ring, fd, resp->rq_key, resp->num_rqe,
			   cap->max_recv_wr, sizeof(struct siw_rqe), 0);
	if (ret) {
		siw_ring_unmap(&qp->sq.ring);
		return ret;
	}
	qp->rq.max_sge = cap->max_recv_sge;
	cap->max_recv_wr = resp->num_rqe;
	return 0;
}

struct ibv_qp *siw_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp_init_attr_ex attr_ex = common_qp_attr(pd, attr);
	struct create_qp_reply resp = {};
	struct ibv_create_qp_ex cmd = {};
	struct siw_qp *qp;
	int ret;

	if (attr->qp_type != IBV_QPT_RC) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	qp = new_object(struct siw_qp);
	if (!qp) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_create_qp_ex2(pd->context, &qp->vqp, &attr_ex, &cmd,
				    sizeof(cmd), &resp.core, sizeof(resp));
	if (ret)
		goto free_qp;
	ret = map_queues(qp, pd->context->cmd_fd, attr->srq, &attr_ex.cap,
			 &resp.driver);
	if (ret)
		goto destroy_qp;
	queue_lock_init(&qp->sq.lock, true);
	queue_lock_init(&qp->rq.lock, true);
	qp->sq.signal_all = attr->sq_sig_all ? SIW_WQE_SIGNALLED : 0;
	attr->cap = attr_ex.cap;
	return &qp->vqp.qp;

destroy_qp:
	ibv_cmd_destroy_qp(&qp->vqp.qp);
free_qp:
	free(qp);
	errno = ret;
	return NULL;
}

int siw_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct ibv_modify_qp cmd = {};

	return ibv_cmd_modify_qp(qp, attr, mask, &cmd, sizeof(cmd));
}

int siw_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init_attr)
{
	struct ibv_query_qp cmd = {};
	int ret;

	ret = ibv_cmd_query_qp(qp, attr, mask, init_attr, &cmd, sizeof(cmd));
	/* The kernel does not tell the state, but nothing leads out of error. */
	if (!ret && qp->state == IBV_QPS_ERR)
		attr->qp_state = attr->cur_qp_state = IBV_QPS_ERR;
	return ret;
}

int siw_destroy_qp(struct ibv_qp *ibqp)
{
	struct siw_qp *qp = to_siw_qp(ibqp);
	int ret;

	ret = ibv_cmd_destroy_qp(ibqp);
	if (ret)
		return ret;
	siw_ring_unmap(&qp->rq.ring);
	siw_ring_unmap(&qp->sq.ring);
	free(qp);
	return 0;
}
