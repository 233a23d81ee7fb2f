// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Posting a list of send requests, and the doorbell. */
#include "send_wqe.h"

/* Bits of states in which a QP takes send requests: error ones flush them. */
#define STATE(_name) (1u << IBV_QPS_##_name)
#define SENDING_STATES \
	(STATE(RTS) | STATE(SQD) | STATE(SQE) | STATE(ERR) | STATE(UNKNOWN))

int rxe_ring_doorbell(struct ibv_qp *qp)
{
	struct ibv_send_wr *bad_wr;

	/* The requests are in the ring already, so the list is empty. */
	return ibv_cmd_post_send(qp, NULL, &bad_wr);
}

static inline int fill_inline(const struct rxe_send_queue *sq,
			      const struct ibv_send_wr *wr,
			      struct rxe_send_wqe *wqe)
{
	uint64_t length = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		length = wqe_add_inline(wqe, length,
					(void *)(uintptr_t)wr->sg_list[i].addr,
					wr->sg_list[i].length, sq->max_inline);
		if (unlikely(length > sq->max_inline))
			return EINVAL;
	}
	/* The kernel counts SGEs only where it has to look at them. */
	wqe_set_length(wqe, length, 0);
	return 0;
}

/* 0 or EINVAL; only this slot is touched */
static inline int fill(const struct rxe_send_queue *sq, enum ibv_qp_type type,
		       const struct ibv_send_wr *wr, struct rxe_send_wqe *wqe,
		       uint32_t ssn)
{
	uint32_t op = opcode_bit(wr->opcode);
	int ret;

	if (unlikely(!(op & sq->opcodes)))
		return EINVAL;
	if (unlikely(wr->send_flags & IBV_SEND_INLINE &&
		     !(op & RXE_OPS_INLINE)))
		return EINVAL;

	wqe_start(wqe, wr->wr_id, wr->opcode, wr->send_flags, ssn);
	if (type == IBV_QPT_UD) {
		if (unlikely(!wr->wr.ud.ah))
			return EINVAL;
		wqe_set_ud(wqe, to_rxe_ah(wr->wr.ud.ah), wr->wr.ud.remote_qpn,
			   wr->wr.ud.remote_qkey);
	}
	switch (wr->opcode) {
	case IBV_WR_SEND:
		break;
	case IBV_WR_SEND_WITH_IMM:
		wqe->wr.ex.imm_data = wr->imm_data;
		break;
	case IBV_WR_SEND_WITH_INV:
		wqe->wr.ex.invalidate_rkey = wr->invalidate_rkey;
		break;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		wqe->wr.ex.imm_data = wr->imm_data;
		/* fall through */
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_READ:
		wqe_set_rdma(wqe, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		wqe_set_atomic(wqe, wr->wr.atomic.remote_addr,
			       wr->wr.atomic.compare_add, wr->wr.atomic.swap,
			       wr->wr.atomic.rkey);
		break;
	case IBV_WR_LOCAL_INV:
		wqe->wr.ex.invalidate_rkey = wr->invalidate_rkey;
		return 0;
	case IBV_WR_BIND_MW:
		return wqe_set_bind_mw(wqe, wr->bind_mw.mw, wr->bind_mw.rkey,
				       &wr->bind_mw.bind_info);
	default:
		return EINVAL;
	}

	if (wr->send_flags & IBV_SEND_INLINE)
		return fill_inline(sq, wr, wqe);
	if (unlikely(wr->num_sge < 0))
		return EINVAL;
	ret = wqe_set_sges(wqe, wr->sg_list, wr->num_sge, sq->max_sge);
	if (unlikely(ret))
		return ret;
	if (unlikely(op & RXE_OPS_ATOMIC && !wqe_atomic_ok(wqe)))
		return EINVAL;
	return 0;
}

int rxe_post_send(struct ibv_qp *ibqp, struct ibv_send_wr *wr,
		  struct ibv_send_wr **bad_wr)
{
	struct rxe_qp *qp = to_rxe_qp(ibqp);
	struct rxe_send_queue *sq = &qp->sq;
	struct rxe_queue *queue = &sq->queue;
	struct ibv_send_wr *first = wr;
	uint32_t state = __atomic_load_n(&ibqp->state, __ATOMIC_RELAXED);
	uint32_t index;
	bool posted;
	int ret = 0;

	if (unlikely(!(opcode_bit(state) & SENDING_STATES))) {
		*bad_wr = wr;
		return EINVAL;
	}

	queue_lock(&sq->lock);
	index = queue->mine;
	for (; wr; wr = wr->next) {
		if (unlikely(!queue_has_room(queue, index))) {
			ret = ENOMEM;
			break;
		}
		ret = fill(sq, ibqp->qp_type, wr, queue_slot(queue, index),
			   sq->ssn);
		if (unlikely(ret))
			break;
		sq->ssn++;
		index = queue_next(queue, index);
	}
	posted = index != queue->mine;
	if (likely(posted))
		queue_publish_filled(queue, index);
	queue_unlock(&sq->lock);

	if (unlikely(ret))
		*bad_wr = wr;
	if (likely(posted)) {
		int kick = rxe_ring_doorbell(ibqp);

		if (unlikely(kick && !ret)) {
			*bad_wr = first;
			ret = kick;
		}
	}
	return ret;
}
