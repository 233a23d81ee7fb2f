// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Posting a list of send requests, and the doorbell. */
#include "send_wqe.h"

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
	const enum ibv_wr_opcode opcode = wr->opcode;
	const unsigned int flags = wr->send_flags;
	uint32_t op = opcode_bit(opcode);

	if (unlikely(!(op & sq->opcodes)))
		return EINVAL;
	if (unlikely(flags & IBV_SEND_INLINE && !(op & RXE_OPS_INLINE)))
		return EINVAL;

	wqe_start(wqe, wr->wr_id, opcode, flags, ssn);
	if (type == IBV_QPT_UD) {
		if (unlikely(!wr->wr.ud.ah))
			return EINVAL;
		wqe_set_ud(wqe, to_rxe_ah(wr->wr.ud.ah), wr->wr.ud.remote_qpn,
			   wr->wr.ud.remote_qkey);
	}
	if (op & RXE_OPS_RDMA)
		wqe_set_rdma(wqe, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
	else if (op & RXE_OPS_ATOMIC)
		wqe_set_atomic(wqe, wr->wr.atomic.remote_addr,
			       wr->wr.atomic.compare_add, wr->wr.atomic.swap,
			       wr->wr.atomic.rkey);
	else if (op & OP(BIND_MW))
		return wqe_set_bind_mw(wqe, wr->bind_mw.mw, wr->bind_mw.rkey,
				       &wr->bind_mw.bind_info);
	/* Or the key to be invalidated: both have one place, there and here. */
	if (op & (RXE_OPS_IMM | RXE_OPS_INV)) {
		wqe->wr.ex.imm_data = wr->imm_data;
		if (op == OP(LOCAL_INV))
			return 0;
	}

	if (flags & IBV_SEND_INLINE)
		return fill_inline(sq, wr, wqe);
	/* A negative number becomes one that is too large. */
	if (unlikely(wqe_set_sges(wqe, wr->sg_list, (uint32_t)wr->num_sge,
				  sq->max_sge)))
		return EINVAL;
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
	uint32_t index, next;
	int ret = 0, kick;

	if (unlikely(!qp_takes_sends(ibqp))) {
		*bad_wr = wr;
		return EINVAL;
	}

	queue_lock(&sq->lock);
	for (index = queue->mine; wr; wr = wr->next, index = next) {
		next = queue_next(queue, index);
		if (unlikely(!queue_has_room(queue, next))) {
			ret = ENOMEM;
			break;
		}
		ret = fill(sq, ibqp->qp_type, wr, queue_slot(queue, index),
			   sq->ssn);
		if (unlikely(ret))
			break;
		sq->ssn++;
	}
	if (unlikely(ret))
		*bad_wr = wr;
	if (unlikely(index == queue->mine)) {
		queue_unlock(&sq->lock);
		return ret;
	}
	queue_publish_filled(queue, index);
	queue_unlock(&sq->lock);

	kick = rxe_ring_doorbell(ibqp);
	if (unlikely(kick && !ret)) {
		*bad_wr = first;
		return kick;
	}
	return ret;
}
