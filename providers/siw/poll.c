// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Reaping completions. */
#include "siw.h"

#define LENGTH(_array) (sizeof(_array) / sizeof((_array)[0]))

/*
 * The opcode of a completion.  Those that only the kernel uses, and what is no
 * opcode at all, are not to be seen here; they count as sends.
 */
static enum ibv_wc_opcode wc_opcode(uint8_t opcode)
{
	static const uint8_t opcodes[SIW_NUM_OPCODES] = {
		[SIW_OP_WRITE] = IBV_WC_RDMA_WRITE,
		[SIW_OP_READ] = IBV_WC_RDMA_READ,
		[SIW_OP_READ_LOCAL_INV] = IBV_WC_RDMA_READ,
		[SIW_OP_SEND] = IBV_WC_SEND,
		[SIW_OP_SEND_WITH_IMM] = IBV_WC_SEND,
		[SIW_OP_SEND_REMOTE_INV] = IBV_WC_SEND,
		[SIW_OP_FETCH_AND_ADD] = IBV_WC_FETCH_ADD,
		[SIW_OP_COMP_AND_SWAP] = IBV_WC_COMP_SWAP,
		[SIW_OP_RECEIVE] = IBV_WC_RECV,
		[SIW_OP_READ_RESPONSE] = IBV_WC_SEND,
		[SIW_OP_INVAL_STAG] = IBV_WC_LOCAL_INV,
		[SIW_OP_REG_MR] = IBV_WC_SEND,
	};

	return likely(opcode < LENGTH(opcodes)) ? opcodes[opcode] : IBV_WC_SEND;
}

static enum ibv_wc_status wc_status(uint16_t status)
{
	static const uint8_t statuses[SIW_NUM_WC_STATUS] = {
		[SIW_WC_SUCCESS] = IBV_WC_SUCCESS,
		[SIW_WC_LOC_LEN_ERR] = IBV_WC_LOC_LEN_ERR,
		[SIW_WC_LOC_PROT_ERR] = IBV_WC_LOC_PROT_ERR,
		[SIW_WC_LOC_QP_OP_ERR] = IBV_WC_LOC_QP_OP_ERR,
		[SIW_WC_WR_FLUSH_ERR] = IBV_WC_WR_FLUSH_ERR,
		[SIW_WC_BAD_RESP_ERR] = IBV_WC_BAD_RESP_ERR,
		[SIW_WC_LOC_ACCESS_ERR] = IBV_WC_LOC_ACCESS_ERR,
		[SIW_WC_REM_ACCESS_ERR] = IBV_WC_REM_ACCESS_ERR,
		[SIW_WC_REM_INV_REQ_ERR] = IBV_WC_REM_INV_REQ_ERR,
		[SIW_WC_GENERAL_ERR] = IBV_WC_GENERAL_ERR,
	};

	return likely(status < LENGTH(statuses)) ? statuses[status]
						 : IBV_WC_GENERAL_ERR;
}

static inline void read_entry(const struct siw_cqe *cqe, uint8_t flags,
			      struct ibv_wc *wc)
{
	*wc = (struct ibv_wc){
		.wr_id = cqe->id,
		.status = wc_status(cqe->status),
		.opcode = wc_opcode(cqe->opcode),
		.vendor_err = cqe->status,
		.byte_len = cqe->bytes,
		.qp_num = cqe->qp_id,
	};
	if (unlikely(flags & SIW_WQE_REM_INVAL)) {
		wc->wc_flags = IBV_WC_WITH_INV;
		wc->invalidated_rkey = cqe->inval_stag;
	}
}

int siw_poll_cq(struct ibv_cq *ibcq, int num_entries, struct ibv_wc *wc)
{
	struct siw_cq *cq = to_siw_cq(ibcq);
	int n;

	queue_lock(&cq->lock);
	for (n = 0; n < num_entries; n++) {
		struct siw_cqe *cqe = ring_cqe(&cq->ring, cq->ring.next);
		uint8_t flags = __atomic_load_n(&cqe->flags, __ATOMIC_ACQUIRE);

		if (!(flags & SIW_WQE_VALID))
			break;
		read_entry(cqe, flags, &wc[n]);
		entry_pass(&cqe->flags, 0);
		cq->ring.next++;
	}
	queue_unlock(&cq->lock);
	return n;
}
