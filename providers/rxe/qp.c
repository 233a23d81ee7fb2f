// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: making, changing, destroying.  See send.c, wr.c, recv.c. */
#include <stdlib.h>

#include "send_wqe.h"

DRIVER_REPLY(create_qp, ib_uverbs_ex_create_qp_resp, rxe_create_qp_resp);

#define SEND_OPS_UD \
	((uint64_t)(IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM))
#define SEND_OPS_UC                                                    \
	(SEND_OPS_UD | (uint64_t)(IBV_QP_EX_WITH_RDMA_WRITE |          \
				  IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | \
				  IBV_QP_EX_WITH_BIND_MW))
#define SEND_OPS_RC                                                           \
	(SEND_OPS_UC |                                                        \
	 (uint64_t)(IBV_QP_EX_WITH_SEND_WITH_INV | IBV_QP_EX_WITH_RDMA_READ | \
		    IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |                       \
		    IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD |                     \
		    IBV_QP_EX_WITH_LOCAL_INV))

/* False: rxe has no QPs of this type. */
static bool type_ops(enum ibv_qp_type type, uint32_t *opcodes,
		     uint64_t *send_ops)
{
	switch (type) {
	case IBV_QPT_RC:
		*opcodes = RXE_OPS_RC;
		*send_ops = SEND_OPS_RC;
		return true;
	case IBV_QPT_UC:
		*opcodes = RXE_OPS_UC;
		*send_ops = SEND_OPS_UC;
		return true;
	case IBV_QPT_UD:
		*opcodes = RXE_OPS_UD;
		*send_ops = SEND_OPS_UD;
		return true;
	default:
		return false;
	}
}

static int map_queues(struct rxe_qp *qp, int fd,
		      const struct ibv_qp_init_attr_ex *attr,
		      const struct rxe_create_qp_resp *resp)
{
	const struct ibv_qp_cap *cap = &attr->cap;
	size_t data = (size_t)cap->max_send_sge * sizeof(struct rxe_sge);
	int ret;

	if (data < cap->max_inline_data)
		data = cap->max_inline_data;
	ret = rxe_queue_map(&qp->sq.queue, fd, &resp->sq_mi,
			    sizeof(struct rxe_send_wqe) + data,
			    cap->max_send_wr, RXE_PRODUCER);
	if (ret)
		return ret;
	qp->sq.max_sge = cap->max_send_sge;
	qp->sq.max_inline = cap->max_inline_data;

	/* With an SRQ the kernel makes no receive queue and tells of none. */
	if (attr->srq)
		return 0;
	ret = rxe_queue_map(&qp->rq.queue, fd, &resp->rq_mi,
			    sizeof(struct rxe_recv_wqe) +
				    (size_t)cap->max_recv_sge *
					    sizeof(struct rxe_sge),
			    cap->max_recv_wr, RXE_PRODUCER);
	if (ret) {
		rxe_queue_unmap(&qp->sq.queue);
		return ret;
	}
	qp->rq.max_sge = cap->max_recv_sge;
	return 0;
}

/* attr->pd is set; attr->cap is updated on success. */
static struct rxe_qp *create_qp(struct ibv_context *context,
				struct ibv_qp_init_attr_ex *attr,
				uint32_t opcodes)
{
	struct create_qp_reply resp = {};
	struct ibv_create_qp_ex cmd = {};
	struct rxe_qp *qp;
	int ret;

	qp = new_object(struct rxe_qp);
	if (!qp) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_create_qp_ex2(context, &qp->vqp, attr, &cmd, sizeof(cmd),
				    &resp.core, sizeof(resp));
	if (ret)
		goto free_qp;
	ret = map_queues(qp, context->cmd_fd, attr, &resp.driver);
	if (ret)
		goto destroy_qp;
	queue_lock_init(&qp->sq.lock, rxe_pd_needs_lock(attr->pd));
	queue_lock_init(&qp->rq.lock, rxe_pd_needs_lock(attr->pd));
	qp->sq.opcodes = opcodes;
	return qp;

destroy_qp:
	ibv_cmd_destroy_qp(&qp->vqp.qp);
free_qp:
	free(qp);
	errno = ret;
	return NULL;
}

struct ibv_qp *rxe_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp_init_attr_ex attr_ex = common_qp_attr(pd, attr);
	uint64_t send_ops;
	uint32_t opcodes;
	struct rxe_qp *qp;

	if (!type_ops(attr->qp_type, &opcodes, &send_ops)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	qp = create_qp(pd->context, &attr_ex, opcodes);
	if (!qp)
		return NULL;
	attr->cap = attr_ex.cap;
	return &qp->vqp.qp;
}

struct ibv_qp *rxe_create_qp_ex(struct ibv_context *context,
				struct ibv_qp_init_attr_ex *attr)
{
	const uint32_t known = IBV_QP_INIT_ATTR_PD |
			       IBV_QP_INIT_ATTR_CREATE_FLAGS |
			       IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	uint64_t send_ops;
	uint32_t opcodes;
	struct rxe_qp *qp;

	if (attr->comp_mask & ~known) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (!(attr->comp_mask & IBV_QP_INIT_ATTR_PD) || !attr->pd) {
		errno = EINVAL;
		return NULL;
	}
	if (!type_ops(attr->qp_type, &opcodes, &send_ops)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS &&
	    attr->send_ops_flags & ~send_ops) {
		errno = EOPNOTSUPP;
		return NULL;
	}

	qp = create_qp(context, attr, opcodes);
	if (!qp)
		return NULL;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) {
		qp->vqp.comp_mask |= VERBS_QP_EX;
		rxe_set_wr_functions(&qp->vqp.qp_ex);
	}
	return &qp->vqp.qp;
}

int rxe_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct ibv_modify_qp cmd = {};

	/*
	 * A reset needs nothing of us: the kernel empties the queues and lets
	 * both sides' indices stand where they are.
	 */
	return ibv_cmd_modify_qp(qp, attr, mask, &cmd, sizeof(cmd));
}

int rxe_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init_attr)
{
	struct ibv_query_qp cmd = {};

	return ibv_cmd_query_qp(qp, attr, mask, init_attr, &cmd, sizeof(cmd));
}

int rxe_destroy_qp(struct ibv_qp *ibqp)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	int ret;

	ret = ibv_cmd_destroy_qp(ibqp);
	if (ret)
		return ret;
	rxe_queue_unmap(&qp->rq.queue);
	rxe_queue_unmap(&qp->sq.queue);
	free(qp);
	return 0;
}
