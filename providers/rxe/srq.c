// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared receive queues.  Posting to them is in recv.c. */
#include <stdlib.h>

#include "rxe.h"

DRIVER_REPLY(create_srq, ib_uverbs_create_srq_resp, rxe_create_srq_resp);

struct modify_srq_request {
	struct ibv_modify_srq core;
	struct rxe_modify_srq_cmd rxe;
};
_Static_assert(offsetof(struct modify_srq_request, rxe) ==
		       sizeof(struct ibv_modify_srq),
	       "hole before the driver's part of the request");

static int map_queue(struct rxe_srq *srq, const struct mminfo *info,
		     uint32_t max_wr, struct rxe_queue *queue)
{
	return rxe_queue_map(queue, srq->vsrq.srq.context->cmd_fd, info,
			     sizeof(struct rxe_recv_wqe) +
				     (size_t)srq->max_sge *
					     sizeof(struct rxe_sge),
			     max_wr, RXE_PRODUCER);
}

static struct ibv_srq *create_srq(struct ibv_context *context,
				  struct ibv_srq_init_attr_ex *attr)
{
	struct create_srq_reply resp = {};
	struct ibv_create_xsrq cmd = {};
	struct rxe_srq *srq;
	int ret;

	srq = new_object(struct rxe_srq);
	if (!srq) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_create_srq_ex(context, &srq->vsrq, attr, &cmd,
				    sizeof(cmd), &resp.core, sizeof(resp));
	if (ret)
		goto free_srq;
	srq->max_sge = attr->attr.max_sge;
	ret = map_queue(srq, &resp.driver.mi, attr->attr.max_wr, &srq->queue);
	if (ret)
		goto destroy_srq;
	srq->vsrq.srq_num = resp.driver.srq_num;
	queue_lock_init(&srq->lock, rxe_pd_needs_lock(attr->pd));
	return &srq->vsrq.srq;

destroy_srq:
	ibv_cmd_destroy_srq(&srq->vsrq.srq);
free_srq:
	free(srq);
	errno = ret;
	return NULL;
}

struct ibv_srq *rxe_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *attr)
{
	struct ibv_srq_init_attr_ex attr_ex = common_srq_attr(pd, attr);
	struct ibv_srq *srq = create_srq(pd->context, &attr_ex);

	if (srq)
		attr->attr = attr_ex.attr;
	return srq;
}

struct ibv_srq *rxe_create_srq_ex(struct ibv_context *context,
				  struct ibv_srq_init_attr_ex *attr)
{
	if (!(attr->comp_mask & IBV_SRQ_INIT_ATTR_PD) || !attr->pd) {
		errno = EINVAL;
		return NULL;
	}
	if (attr->comp_mask & IBV_SRQ_INIT_ATTR_TYPE &&
	    attr->srq_type != IBV_SRQT_BASIC) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	return create_srq(context, attr);
}

int rxe_modify_srq(struct ibv_srq *ibsrq, struct ibv_srq_attr *attr, int mask)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);
	struct modify_srq_request cmd = {};
	struct mminfo info = {};
	struct rxe_queue queue;
	int ret;

	if (!(mask & IBV_SRQ_MAX_WR))
		return ibv_cmd_modify_srq(ibsrq, attr, mask, &cmd.core,
					  sizeof(cmd));

	/* As for a CQ: the kernel moves the entries, so nobody may post. */
	cmd.rxe.mmap_info_addr = (uintptr_t)&info;
	queue_lock(&srq->lock);
	ret = ibv_cmd_modify_srq(ibsrq, attr, mask, &cmd.core, sizeof(cmd));
	if (ret)
		goto unlock;
	ret = map_queue(srq, &info, attr->max_wr, &queue);
	if (ret)
		rxe_queue_init_void(&queue);
	rxe_queue_unmap(&srq->queue);
	srq->queue = queue;
unlock:
	queue_unlock(&srq->lock);
	return ret;
}

int rxe_destroy_srq(struct ibv_srq *ibsrq)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);
	int ret;

	ret = ibv_cmd_destroy_srq(ibsrq);
	if (ret)
		return ret;
	rxe_queue_unmap(&srq->queue);
	free(srq);
	return 0;
}
