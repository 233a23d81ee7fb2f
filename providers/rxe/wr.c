// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The send request builder of extended QPs.  wr_start takes the queue's lock;
 * requests are written straight into their slots; wr_complete shows all of
 * them to the kernel and rings once.  The first error makes every later call
 * do nothing, and wr_complete tell it and post nothing.
 */
#include "send_wqe.h"

/* Setters that the request being built still needs */
enum rxe_build_lacks {
	LACKS_UD_ADDRESS = 1 << 0,
	LACKS_ATOMIC_DATA = 1 << 1,
};

static inline struct rxe_send_queue *to_sq(struct ibv_qp_ex *qp)
{
	return &qp_ex_to_rxe_qp(qp)->sq;
}

static void wr_start(struct ibv_qp_ex *qp)
{
	struct rxe_send_queue *sq = to_sq(qp);

	queue_lock(&sq->lock);
	sq->build_index = sq->queue.mine;
	sq->build_ssn = sq->ssn;
	sq->build_opcode = 0;
	sq->build_lacks = 0;
	sq->build_error = likely(qp_takes_sends(&qp->qp_base)) ? 0 : EINVAL;
}

static int wr_complete(struct ibv_qp_ex *qp)
{
	struct rxe_send_queue *sq = to_sq(qp);
	int ret = sq->build_error;
	bool posted = false;

	if (unlikely(!ret && sq->build_lacks))
		ret = EINVAL;
	if (likely(!ret)) {
		posted = sq->build_index != sq->queue.mine;
		sq->ssn = sq->build_ssn;
		queue_publish_filled(&sq->queue, sq->build_index);
	}
	queue_unlock(&sq->lock);
	if (likely(posted))
		ret = rxe_ring_doorbell(&qp->qp_base);
	return ret;
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	queue_unlock(&to_sq(qp)->lock);
}

/* The slot of a new request, or NULL after an error */
static inline struct rxe_send_wqe *
begin(struct ibv_qp_ex *qp, enum ibv_wr_opcode opcode, uint32_t lacks)
{
	struct rxe_send_queue *sq = to_sq(qp);
	struct rxe_send_wqe *wqe;
	uint32_t next;

	if (unlikely(sq->build_error))
		return NULL;
	if (unlikely(!(sq->opcodes & (1u << opcode)) || sq->build_lacks)) {
		sq->build_error = EINVAL;
		return NULL;
	}
	next = queue_next(&sq->queue, sq->build_index);
	if (unlikely(!queue_has_room(&sq->queue, next))) {
		sq->build_error = ENOMEM;
		return NULL;
	}
	wqe = queue_slot(&sq->queue, sq->build_index);
	wqe_start(wqe, qp->wr_id, opcode,
		  qp->wr_flags & ~(unsigned int)IBV_SEND_INLINE, sq->build_ssn);
	sq->build_opcode = 1u << opcode;
	sq->build_lacks = lacks;
	sq->build_index = next;
	sq->build_ssn++;
	return wqe;
}

static inline struct rxe_send_wqe *begin_send(struct ibv_qp_ex *qp,
					      enum ibv_wr_opcode opcode)
{
	return begin(qp, opcode,
		     qp->qp_base.qp_type == IBV_QPT_UD ? LACKS_UD_ADDRESS : 0);
}

static void wr_send(struct ibv_qp_ex *qp)
{
	begin_send(qp, IBV_WR_SEND);
}

static void wr_send_imm(struct ibv_qp_ex *qp, __be32 imm_data)
{
	struct rxe_send_wqe *wqe = begin_send(qp, IBV_WR_SEND_WITH_IMM);

	if (likely(wqe))
		wqe->wr.ex.imm_data = imm_data;
}

static void wr_send_inv(struct ibv_qp_ex *qp, uint32_t invalidate_rkey)
{
	struct rxe_send_wqe *wqe = begin(qp, IBV_WR_SEND_WITH_INV, 0);

	if (likely(wqe))
		wqe->wr.ex.invalidate_rkey = invalidate_rkey;
}

static void wr_rdma_write(struct ibv_qp_ex *qp, uint32_t rkey,
			  uint64_t remote_addr)
{
	struct rxe_send_wqe *wqe = begin(qp, IBV_WR_RDMA_WRITE, 0);

	if (likely(wqe))
		wqe_set_rdma(wqe, remote_addr, rkey);
}

static void wr_rdma_write_imm(struct ibv_qp_ex *qp, uint32_t rkey,
			      uint64_t remote_addr, __be32 imm_data)
{
	struct rxe_send_wqe *wqe = begin(qp, IBV_WR_RDMA_WRITE_WITH_IMM, 0);

	if (likely(wqe)) {
		wqe_set_rdma(wqe, remote_addr, rkey);
		wqe->wr.ex.imm_data = imm_data;
	}
}

static void wr_rdma_read(struct ibv_qp_ex *qp, uint32_t rkey,
			 uint64_t remote_addr)
{
	struct rxe_send_wqe *wqe = begin(qp, IBV_WR_RDMA_READ, 0);

	if (likely(wqe))
		wqe_set_rdma(wqe, remote_addr, rkey);
}

static inline void begin_atomic(struct ibv_qp_ex *qp, enum ibv_wr_opcode opcode,
				uint32_t rkey, uint64_t remote_addr,
				uint64_t compare_add, uint64_t swap)
{
	struct rxe_send_wqe *wqe = begin(qp, opcode, LACKS_ATOMIC_DATA);

	if (likely(wqe))
		wqe_set_atomic(wqe, remote_addr, compare_add, swap, rkey);
}

static void wr_atomic_cmp_swp(struct ibv_qp_ex *qp, uint32_t rkey,
			      uint64_t remote_addr, uint64_t compare,
			      uint64_t swap)
{
	begin_atomic(qp, IBV_WR_ATOMIC_CMP_AND_SWP, rkey, remote_addr, compare,
		     swap);
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *qp, uint32_t rkey,
				uint64_t remote_addr, uint64_t add)
{
	begin_atomic(qp, IBV_WR_ATOMIC_FETCH_AND_ADD, rkey, remote_addr, add,
		     0);
}

static void wr_local_inv(struct ibv_qp_ex *qp, uint32_t invalidate_rkey)
{
	struct rxe_send_wqe *wqe = begin(qp, IBV_WR_LOCAL_INV, 0);

	if (likely(wqe))
		wqe->wr.ex.invalidate_rkey = invalidate_rkey;
}

static void wr_bind_mw(struct ibv_qp_ex *qp, struct ibv_mw *mw, uint32_t rkey,
		       const struct ibv_mw_bind_info *bind_info)
{
	struct rxe_send_wqe *wqe = begin(qp, IBV_WR_BIND_MW, 0);

	if (likely(wqe))
		to_sq(qp)->build_error =
			wqe_set_bind_mw(wqe, mw, rkey, bind_info);
}

/* What the kernel's interface has no request for */
static void refuse(struct ibv_qp_ex *qp)
{
	struct rxe_send_queue *sq = to_sq(qp);

	if (!sq->build_error)
		sq->build_error = EOPNOTSUPP;
}

static void wr_send_tso(struct ibv_qp_ex *qp, void *hdr, uint16_t hdr_sz,
			uint16_t mss)
{
	(void)hdr;
	(void)hdr_sz;
	(void)mss;
	refuse(qp);
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *qp, uint32_t remote_srqn)
{
	(void)remote_srqn;
	refuse(qp);
}

static void wr_atomic_write(struct ibv_qp_ex *qp, uint32_t rkey,
			    uint64_t remote_addr, const void *atomic_wr)
{
	(void)rkey;
	(void)remote_addr;
	(void)atomic_wr;
	refuse(qp);
}

/*
 * The request being built, if it is one of the given kind; else NULL, with the
 * error noted.
 */
static inline struct rxe_send_wqe *building(struct rxe_send_queue *sq,
					    uint32_t opcodes)
{
	if (unlikely(sq->build_error))
		return NULL;
	if (unlikely(!(sq->build_opcode & opcodes))) {
		sq->build_error = EINVAL;
		return NULL;
	}
	return queue_slot(&sq->queue,
			  queue_previous(&sq->queue, sq->build_index));
}

static void wr_set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *ah,
			   uint32_t remote_qpn, uint32_t remote_qkey)
{
	struct rxe_send_queue *sq = to_sq(qp);
	struct rxe_send_wqe *wqe = building(sq, RXE_OPS_UD);

	if (unlikely(!wqe))
		return;
	if (unlikely(!ah || qp->qp_base.qp_type != IBV_QPT_UD)) {
		sq->build_error = EINVAL;
		return;
	}
	wqe_set_ud(wqe, to_rxe_ah(ah), remote_qpn, remote_qkey);
	sq->build_lacks &= ~LACKS_UD_ADDRESS;
}

static void wr_set_sge_list(struct ibv_qp_ex *qp, size_t num_sge,
			    const struct ibv_sge *sg_list)
{
	struct rxe_send_queue *sq = to_sq(qp);
	struct rxe_send_wqe *wqe = building(sq, RXE_OPS_DATA);

	if (unlikely(!wqe))
		return;
	if (unlikely(wqe_set_sges(wqe, sg_list, num_sge, sq->max_sge))) {
		sq->build_error = EINVAL;
		return;
	}
	/* A setter that is called again replaces what the last one did. */
	wqe->wr.send_flags &= ~(uint32_t)IBV_SEND_INLINE;
	if (sq->build_opcode & RXE_OPS_ATOMIC) {
		if (unlikely(!wqe_atomic_ok(wqe)))
			sq->build_error = EINVAL;
		sq->build_lacks &= ~LACKS_ATOMIC_DATA;
	}
}

static void wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr,
		       uint32_t length)
{
	const struct ibv_sge sge = {
		.addr = addr,
		.length = length,
		.lkey = lkey,
	};

	wr_set_sge_list(qp, 1, &sge);
}

static void wr_set_inline_data_list(struct ibv_qp_ex *qp, size_t num_buf,
				    const struct ibv_data_buf *buf_list)
{
	struct rxe_send_queue *sq = to_sq(qp);
	struct rxe_send_wqe *wqe = building(sq, RXE_OPS_INLINE);
	uint64_t length = 0;
	size_t i;

	if (unlikely(!wqe))
		return;
	for (i = 0; i < num_buf; i++) {
		length = wqe_add_inline(wqe, length, buf_list[i].addr,
					buf_list[i].length, sq->max_inline);
		if (unlikely(length > sq->max_inline)) {
			sq->build_error = EINVAL;
			return;
		}
	}
	wqe->wr.send_flags |= IBV_SEND_INLINE;
	wqe_set_length(wqe, length, 0);
}

static void wr_set_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
{
	const struct ibv_data_buf buf = { .addr = addr, .length = length };

	wr_set_inline_data_list(qp, 1, &buf);
}

void rxe_set_wr_functions(struct ibv_qp_ex *qp)
{
	qp->wr_start = wr_start;
	qp->wr_complete = wr_complete;
	qp->wr_abort = wr_abort;
	qp->wr_send = wr_send;
	qp->wr_send_imm = wr_send_imm;
	qp->wr_send_inv = wr_send_inv;
	qp->wr_send_tso = wr_send_tso;
	qp->wr_rdma_write = wr_rdma_write;
	qp->wr_rdma_write_imm = wr_rdma_write_imm;
	qp->wr_rdma_read = wr_rdma_read;
	qp->wr_atomic_cmp_swp = wr_atomic_cmp_swp;
	qp->wr_atomic_fetch_add = wr_atomic_fetch_add;
	qp->wr_atomic_write = wr_atomic_write;
	qp->wr_bind_mw = wr_bind_mw;
	qp->wr_local_inv = wr_local_inv;
	qp->wr_set_ud_addr = wr_set_ud_addr;
	qp->wr_set_xrc_srqn = wr_set_xrc_srqn;
	qp->wr_set_sge = wr_set_sge;
	qp->wr_set_sge_list = wr_set_sge_list;
	qp->wr_set_inline_data = wr_set_inline_data;
	qp->wr_set_inline_data_list = wr_set_inline_data_list;
}
