// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Posting receive requests, to a QP or to an SRQ. */
#include <string.h>

#include "rxe.h"

/*
 * Fill slots from the list, then show them to the kernel at once.  The caller
 * holds the queue's lock.
 */
static inline int post_list(struct rxe_queue *queue, uint32_t max_sge,
			    struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	uint32_t index, next;
	int ret = 0;

	for (index = queue->mine; wr; wr = wr->next, index = next) {
		struct rxe_recv_wqe *wqe = queue_slot(queue, index);
		uint64_t length = 0;
		int i;

		if (unlikely((uint32_t)wr->num_sge > max_sge)) {
			ret = EINVAL;
			break;
		}
		next = queue_next(queue, index);
		if (unlikely(!queue_has_room(queue, next))) {
			ret = ENOMEM;
			break;
		}
		for (i = 0; i < wr->num_sge; i++)
			length += wr->sg_list[i].length;
		if (unlikely(length > RXE_MAX_MESSAGE)) {
			ret = EINVAL;
			break;
		}
		wqe->wr_id = wr->wr_id;
		wqe->reserved = 0;
		wqe->padding = 0;
		wqe->dma.length = length;
		wqe->dma.resid = length;
		wqe->dma.cur_sge = 0;
		wqe->dma.num_sge = wr->num_sge;
		wqe->dma.sge_offset = 0;
		wqe->dma.reserved = 0;
		for (i = 0; i < wr->num_sge; i++)
			memcpy(&wqe->dma.sge[i], &wr->sg_list[i],
			       sizeof(wqe->dma.sge[i]));
	}
	if (index != queue->mine)
		queue_publish_filled(queue, index);
	if (unlikely(ret))
		*bad_wr = wr;
	return ret;
}

/*
 * The kernel does not look at the receive queue of a QP in the error state
 * by itself; entering that state again makes it flush what was posted.
 */
static void flush_again(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct ibv_modify_qp cmd = {};

	ibv_cmd_modify_qp(qp, &attr, IBV_QP_STATE, &cmd, sizeof(cmd));
}

int rxe_post_recv(struct ibv_qp *ibqp, struct ibv_recv_wr *wr,
		  struct ibv_recv_wr **bad_wr)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	struct rxe_recv_queue *rq = &qp->rq;
	enum ibv_qp_state state =
		__atomic_load_n(&ibqp->state, __ATOMIC_RELAXED);
	int ret;

	if (unlikely(ibqp->srq || state == IBV_QPS_RESET)) {
		*bad_wr = wr;
		return EINVAL;
	}
	queue_lock(&rq->lock);
	ret = post_list(&rq->queue, rq->max_sge, wr, bad_wr);
	queue_unlock(&rq->lock);
	if (unlikely(state == IBV_QPS_ERR))
		flush_again(ibqp);
	return ret;
}

int rxe_post_srq_recv(struct ibv_srq *ibsrq, struct ibv_recv_wr *wr,
		      struct ibv_recv_wr **bad_wr)
{
	struct rxe_srq *srq = to_rxe_srq(ibsrq);
	int ret;

	queue_lock(&srq->lock);
	ret = post_list(&srq->queue, srq->max_sge, wr, bad_wr);
	queue_unlock(&srq->lock);
	return ret;
}
