// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * IBVERBS_1.0: completion queues, shared receive queues and queue pairs.  The
 * real object's context pointer is its shell, so that events find it.
 */
#include <stdlib.h>

#include "compat/abi_1_0.h"

COMPAT_1_0(struct ibv_cq_1_0 *, ibv_create_cq, struct ibv_context_1_0 *context,
	   int cqe, void *cq_context, struct ibv_comp_channel *channel,
	   int comp_vector)
{
	struct ibv_cq_1_0 *cq = calloc(1, sizeof(*cq));

	if (!cq)
		return NULL;
	cq->context = context;
	cq->cq_context = cq_context;
	cq->cqe = cqe;
	cq->real_cq = ibv_create_cq(context->real_context, cqe, cq, channel,
				    comp_vector);
	if (!cq->real_cq) {
		free(cq);
		return NULL;
	}
	return cq;
}

COMPAT_1_0(int, ibv_resize_cq, struct ibv_cq_1_0 *cq, int cqe)
{
	return ibv_resize_cq(cq->real_cq, cqe);
}

COMPAT_1_0(int, ibv_destroy_cq, struct ibv_cq_1_0 *cq)
{
	int ret = ibv_destroy_cq(cq->real_cq);

	if (!ret)
		free(cq);
	return ret;
}

COMPAT_1_0(struct ibv_srq_1_0 *, ibv_create_srq, struct ibv_pd_1_0 *pd,
	   struct ibv_srq_init_attr *attr)
{
	struct ibv_srq_1_0 *srq = calloc(1, sizeof(*srq));

	if (!srq)
		return NULL;
	srq->real_srq = ibv_create_srq(pd->real_pd, attr);
	if (!srq->real_srq) {
		free(srq);
		return NULL;
	}
	srq->context = pd->context;
	srq->srq_context = attr->srq_context;
	srq->pd = pd;
	srq->real_srq->srq_context = srq;
	return srq;
}

COMPAT_1_0(int, ibv_modify_srq, struct ibv_srq_1_0 *srq,
	   struct ibv_srq_attr *attr, int mask)
{
	return ibv_modify_srq(srq->real_srq, attr, mask);
}

COMPAT_1_0(int, ibv_query_srq, struct ibv_srq_1_0 *srq,
	   struct ibv_srq_attr *attr)
{
	return ibv_query_srq(srq->real_srq, attr);
}

COMPAT_1_0(int, ibv_destroy_srq, struct ibv_srq_1_0 *srq)
{
	int ret = ibv_destroy_srq(srq->real_srq);

	if (!ret)
		free(srq);
	return ret;
}

COMPAT_1_0(struct ibv_qp_1_0 *, ibv_create_qp, struct ibv_pd_1_0 *pd,
	   struct ibv_qp_init_attr_1_0 *attr)
{
	struct ibv_qp_init_attr real = {
		.send_cq = attr->send_cq->real_cq,
		.recv_cq = attr->recv_cq->real_cq,
		.srq = attr->srq ? attr->srq->real_srq : NULL,
		.cap = attr->cap,
		.qp_type = attr->qp_type,
		.sq_sig_all = attr->sq_sig_all,
	};
	struct ibv_qp_1_0 *qp = calloc(1, sizeof(*qp));

	if (!qp)
		return NULL;
	real.qp_context = qp;
	qp->real_qp = ibv_create_qp(pd->real_pd, &real);
	if (!qp->real_qp) {
		free(qp);
		return NULL;
	}
	qp->context = pd->context;
	qp->qp_context = attr->qp_context;
	qp->pd = pd;
	qp->send_cq = attr->send_cq;
	qp->recv_cq = attr->recv_cq;
	qp->srq = attr->srq;
	qp->qp_type = attr->qp_type;
	qp->qp_num = qp->real_qp->qp_num;
	attr->cap = real.cap;
	return qp;
}

COMPAT_1_0(int, ibv_query_qp, struct ibv_qp_1_0 *qp, struct ibv_qp_attr *attr,
	   int mask, struct ibv_qp_init_attr_1_0 *init_attr)
{
	struct ibv_qp_init_attr real;
	int ret;

	ret = ibv_query_qp(qp->real_qp, attr, mask, &real);
	if (ret)
		return ret;
	*init_attr = (struct ibv_qp_init_attr_1_0){
		.qp_context = qp->qp_context,
		.send_cq = real.send_cq->cq_context,
		.recv_cq = real.recv_cq->cq_context,
		.srq = real.srq ? real.srq->srq_context : NULL,
		.cap = real.cap,
		.qp_type = real.qp_type,
		.sq_sig_all = real.sq_sig_all,
	};
	return 0;
}

COMPAT_1_0(int, ibv_modify_qp, struct ibv_qp_1_0 *qp, struct ibv_qp_attr *attr,
	   int mask)
{
	return ibv_modify_qp(qp->real_qp, attr, mask);
}

COMPAT_1_0(int, ibv_destroy_qp, struct ibv_qp_1_0 *qp)
{
	int ret = ibv_destroy_qp(qp->real_qp);

	if (!ret)
		free(qp);
	return ret;
}

COMPAT_1_0(int, ibv_attach_mcast, struct ibv_qp_1_0 *qp, union ibv_gid *gid,
	   uint16_t lid)
{
	return ibv_attach_mcast(qp->real_qp, gid, lid);
}

COMPAT_1_0(int, ibv_detach_mcast, struct ibv_qp_1_0 *qp, union ibv_gid *gid,
	   uint16_t lid)
{
	return ibv_detach_mcast(qp->real_qp, gid, lid);
}
