/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * How a send request looks in its slot.  Both ways of posting, the list and
 * the builder, write slots with these and nothing else.
 */
#ifndef RXE_SEND_WQE_H
#define RXE_SEND_WQE_H

#include <string.h>

#include "rxe.h"

/* What the kernel knows; a program's other bits have no meaning for rxe. */
#define RXE_SEND_FLAGS                                                        \
	((uint32_t)(IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED | \
		    IBV_SEND_INLINE))

#define OP(_name) (1u << IBV_WR_##_name)

#define RXE_OPS_UD (OP(SEND) | OP(SEND_WITH_IMM))
#define RXE_OPS_UC \
	(RXE_OPS_UD | OP(RDMA_WRITE) | OP(RDMA_WRITE_WITH_IMM) | OP(BIND_MW))
#define RXE_OPS_RC                                        \
	(RXE_OPS_UC | OP(SEND_WITH_INV) | OP(RDMA_READ) | \
	 OP(ATOMIC_CMP_AND_SWP) | OP(ATOMIC_FETCH_AND_ADD) | OP(LOCAL_INV))

#define RXE_OPS_RDMA (OP(RDMA_WRITE) | OP(RDMA_WRITE_WITH_IMM) | OP(RDMA_READ))
#define RXE_OPS_IMM (OP(SEND_WITH_IMM) | OP(RDMA_WRITE_WITH_IMM))
#define RXE_OPS_INV (OP(SEND_WITH_INV) | OP(LOCAL_INV))
#define RXE_OPS_ATOMIC (OP(ATOMIC_CMP_AND_SWP) | OP(ATOMIC_FETCH_AND_ADD))
#define RXE_OPS_INLINE                                                       \
	(OP(SEND) | OP(SEND_WITH_IMM) | OP(SEND_WITH_INV) | OP(RDMA_WRITE) | \
	 OP(RDMA_WRITE_WITH_IMM))
#define RXE_OPS_DATA (RXE_OPS_INLINE | RXE_OPS_ATOMIC | OP(RDMA_READ))

/* The set of opcodes with this one in it, or an empty set if there is none. */
static inline uint32_t opcode_bit(uint32_t opcode)
{
	return likely(opcode < 32) ? 1u << opcode : 0;
}

/*
 * None before ready-to-send; in the error states they are flushed, as they are
 * in one that only the kernel knows.
 */
static inline bool qp_takes_sends(const struct ibv_qp *qp)
{
	return __atomic_load_n(&qp->state, __ATOMIC_RELAXED) >= IBV_QPS_RTS;
}

/* Tell the kernel that the send queue has work: 0 or an errno value. */
static inline int rxe_ring_doorbell(struct ibv_qp *qp)
{
	struct ibv_send_wr *bad_wr;

	/* The requests are in the ring already, so the list is empty. */
	return ibv_cmd_post_send(qp, NULL, &bad_wr);
}

/*
 * Everything but data and the members of the operation.  A slot has what an
 * earlier request left there, in part put there by the kernel, which goes by
 * most of these: they must all be written.
 */
static inline void wqe_start(struct rxe_send_wqe *wqe, uint64_t wr_id,
			     uint32_t opcode, uint32_t flags, uint32_t ssn)
{
	wqe->wr.wr_id = wr_id;
	wqe->wr.reserved = 0;
	wqe->wr.opcode = opcode;
	wqe->wr.send_flags = flags & RXE_SEND_FLAGS;
	wqe->wr.ex.imm_data = 0;
	memset(&wqe->status, 0,
	       offsetof(struct rxe_send_wqe, dma.sge) -
		       offsetof(struct rxe_send_wqe, status));
	wqe->ssn = ssn;
}

static inline void wqe_set_rdma(struct rxe_send_wqe *wqe, uint64_t remote_addr,
				uint32_t rkey)
{
	wqe->wr.wr.rdma.remote_addr = remote_addr;
	wqe->wr.wr.rdma.rkey = rkey;
	wqe->wr.wr.rdma.reserved = 0;
	wqe->iova = remote_addr;
}

/* swap has no meaning for fetch-and-add. */
static inline void wqe_set_atomic(struct rxe_send_wqe *wqe,
				  uint64_t remote_addr, uint64_t compare_add,
				  uint64_t swap, uint32_t rkey)
{
	wqe->wr.wr.atomic.remote_addr = remote_addr;
	wqe->wr.wr.atomic.compare_add = compare_add;
	wqe->wr.wr.atomic.swap = swap;
	wqe->wr.wr.atomic.rkey = rkey;
	wqe->wr.wr.atomic.reserved = 0;
	wqe->iova = remote_addr;
}

static inline void wqe_set_ud(struct rxe_send_wqe *wqe, const struct rxe_ah *ah,
			      uint32_t remote_qpn, uint32_t remote_qkey)
{
	wqe->wr.wr.ud.remote_qpn = remote_qpn;
	wqe->wr.wr.ud.remote_qkey = remote_qkey;
	wqe->wr.wr.ud.pkey_index = 0;
	wqe->wr.wr.ud.reserved = 0;
	wqe->wr.wr.ud.ah_num = ah->ah_num;
	if (unlikely(!ah->ah_num)) {
		memset(wqe->wr.wr.ud.pad, 0, sizeof(wqe->wr.wr.ud.pad));
		wqe->wr.wr.ud.av = ah->av;
	}
}

/* 0, or EINVAL if the kernel could not even be told of such a binding */
static inline int wqe_set_bind_mw(struct rxe_send_wqe *wqe,
				  const struct ibv_mw *mw, uint32_t new_rkey,
				  const struct ibv_mw_bind_info *info)
{
	if (unlikely(!mw || (!info->mr && (info->addr || info->length))))
		return EINVAL;
	wqe->wr.wr.mw.addr = info->addr;
	wqe->wr.wr.mw.length = info->length;
	wqe->wr.wr.mw.mr_lkey = info->mr ? info->mr->lkey : 0;
	wqe->wr.wr.mw.mw_rkey = mw->rkey;
	wqe->wr.wr.mw.rkey = new_rkey;
	wqe->wr.wr.mw.access = info->mw_access_flags;
	return 0;
}

static inline void wqe_set_length(struct rxe_send_wqe *wqe, uint32_t length,
				  uint32_t num_sge)
{
	wqe->dma.length = length;
	wqe->dma.resid = length;
	wqe->dma.num_sge = num_sge;
}

static inline int wqe_set_sges(struct rxe_send_wqe *wqe,
			       const struct ibv_sge *list, size_t num_sge,
			       uint32_t max_sge)
{
	uint64_t length = 0;
	size_t i;

	if (unlikely(num_sge > max_sge))
		return EINVAL;
	for (i = 0; i < num_sge; i++) {
		memcpy(&wqe->dma.sge[i], &list[i], sizeof(wqe->dma.sge[i]));
		length += list[i].length;
	}
	if (unlikely(length > RXE_MAX_MESSAGE))
		return EINVAL;
	wqe_set_length(wqe, length, num_sge);
	return 0;
}

/*
 * Append inline data to what is there (offset bytes): the offset behind it, or
 * above max_inline if it does not fit.
 */
static inline uint64_t wqe_add_inline(struct rxe_send_wqe *wqe, uint64_t offset,
				      const void *data, uint64_t length,
				      uint32_t max_inline)
{
	if (unlikely(length > max_inline - offset))
		return (uint64_t)max_inline + 1;
	if (length)
		memcpy(&wqe->dma.inline_data[offset], data, length);
	return offset + length;
}

/* Does the data of an atomic operation have its eight bytes, aligned? */
static inline bool wqe_atomic_ok(const struct rxe_send_wqe *wqe)
{
	return wqe->dma.length >= 8 && !(wqe->wr.wr.atomic.remote_addr & 7);
}

#endif
