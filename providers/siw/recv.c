// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Posting receive requests, to a QP or to an SRQ.  The kernel looks for them
 * when a message comes; nobody needs to tell it.
 */
#include <string.h>

#include "siw.h"

static inline int fill(struct siw_rqe *rqe, uint32_t max_sge,
		       const struct ibv_recv_wr *wr)
{
	uint64_t length = 0;
	int i;

	if (unlikely((uint32_t)wr->num_sge > max_sge))
		return EINVAL;
	for (i = 0; i < wr->num_sge; i++) {
		memcpy(&rqe->sge[i], &wr->sg_list[i], sizeof(rqe->sge[i]));
		length += wr->sg_list[i].length;
	}
	if (unlikely(length > SIW_MAX_MESSAGE))
		return EINVAL;
	rqe->id = wr->wr_id;
	rqe->num_sge = wr->num_sge;
	rqe->opcode = 0;
	rqe->unused = 0;
	return 0;
}

/* The caller holds the queue's lock. */
static inline int post_list(struct siw_ring *ring, uint32_t max_sge,
			    struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	int ret;

	for (; wr; wr = wr->next) {
		struct siw_rqe *rqe = ring_rqe(ring, ring->next);

		ret = unlikely(!entry_is_free(&rqe->flags))
			      ? ENOMEM
			      : fill(rqe, max_sge, wr);
		if (unlikely(ret)) {
			*bad_wr = wr;
			return ret;
		}
		entry_pass(&rqe->flags, SIW_WQE_VALID);
		ring->next++;
	}
	return 0;
}

int siw_post_recv(struct ibv_qp *ibqp, struct ibv_recv_wr *wr,
		  struct ibv_recv_wr **bad_wr)
{
	struct siw_recv_queue *rq = &to_siw_qp(ibqp)->rq;
	int ret;

	/*
	 * Nothing to post to: there is an SRQ, or none were asked for.  And
	 * what is posted after the QP went to the error state the kernel
	 * never completes, not even as flushed.
	 */
	if (unlikely(!rq->ring.mapped ||
		     __atomic_load_n(&ibqp->state, __ATOMIC_RELAXED) ==
			     IBV_QPS_ERR)) {
		*bad_wr = wr;
		return EINVAL;
	}
	queue_lock(&rq->lock);
	ret = post_list(&rq->ring, rq->max_sge, wr, bad_wr);
	queue_unlock(&rq->lock);
	return ret;
}

int siw_post_srq_recv(struct ibv_srq *ibsrq, struct ibv_recv_wr *wr,
		      struct ibv_recv_wr **bad_wr)
{
	struct siw_srq *srq = to_siw_srq(ibsrq);
	int ret;

	queue_lock(&srq->lock);
	ret = post_list(&srq->ring, srq->max_sge, wr, bad_wr);
	queue_unlock(&srq->lock);
	return ret;
}
