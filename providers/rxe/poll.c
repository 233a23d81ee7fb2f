// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Reaping completions: the array form, and the lazy form of extended CQs,
 * which reads entries where the kernel wrote them.
 */
#include <string.h>

#include "rxe.h"

/* An entry has the layout of ibv_wc, but for the meaning of wc_flags. */
#define SAME_PLACE(_member, _theirs)                                   \
	_Static_assert(offsetof(struct ibv_wc, _member) ==             \
			       offsetof(struct ib_uverbs_wc, _theirs), \
		       #_member " is elsewhere in the CQ's entry")
SAME_PLACE(wr_id, wr_id);
SAME_PLACE(status, status);
SAME_PLACE(opcode, opcode);
SAME_PLACE(vendor_err, vendor_err);
SAME_PLACE(byte_len, byte_len);
SAME_PLACE(imm_data, ex.imm_data);
SAME_PLACE(invalidated_rkey, ex.invalidate_rkey);
SAME_PLACE(qp_num, qp_num);
SAME_PLACE(src_qp, src_qp);
SAME_PLACE(wc_flags, wc_flags);
SAME_PLACE(pkey_index, pkey_index);
SAME_PLACE(slid, slid);
SAME_PLACE(sl, sl);
SAME_PLACE(dlid_path_bits, dlid_path_bits);
_Static_assert(sizeof(struct ibv_wc) == sizeof(struct ib_uverbs_wc),
	       "the CQ's entry is no ibv_wc");

/*
 * The kernel leaves its own flag bits in the entry.  "With invalidate" is bit
 * 2 there and bit 3 here, where 2 says that a checksum was good; rxe checks
 * none, so both can only mean the invalidation.
 */
#define KERNEL_WC_WITH_INVALIDATE (1u << 2)

static inline unsigned int wc_flags(uint32_t flags)
{
	unsigned int ret = flags & (IBV_WC_GRH | IBV_WC_WITH_IMM);

	if (unlikely(flags & (KERNEL_WC_WITH_INVALIDATE | IBV_WC_WITH_INV)))
		ret |= IBV_WC_WITH_INV;
	return ret;
}

int rxe_poll_cq(struct ibv_cq *ibcq, int num_entries, struct ibv_wc *wc)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	struct rxe_queue *queue = &cq->queue;
	uint32_t index;
	int n;

	queue_lock(&cq->lock);
	index = queue->mine;
	for (n = 0; n < num_entries && queue_has_entry(queue, index); n++) {
		memcpy(&wc[n], queue_slot(queue, index), sizeof(wc[n]));
		wc[n].wc_flags = wc_flags(wc[n].wc_flags);
		index = queue_next(queue, index);
	}
	if (n)
		queue_publish_emptied(queue, index);
	queue_unlock(&cq->lock);
	return n;
}

/* Make the entry at our index the current one: 0 or ENOENT. */
static inline int look_at_head(struct rxe_cq *cq)
{
	const struct ib_uverbs_wc *entry;

	if (!queue_has_entry(&cq->queue, cq->queue.mine)) {
		cq->current = NULL;
		return ENOENT;
	}
	entry = queue_slot(&cq->queue, cq->queue.mine);
	cq->current = entry;
	cq->vcq.cq_ex.status = entry->status;
	cq->vcq.cq_ex.wr_id = entry->wr_id;
	return 0;
}

static inline void drop_current(struct rxe_cq *cq)
{
	if (cq->current)
		queue_publish_emptied(&cq->queue,
				      queue_next(&cq->queue, cq->queue.mine));
}

static int start_poll(struct ibv_cq_ex *cq_ex, struct ibv_poll_cq_attr *attr)
{
	struct rxe_cq *cq = cq_ex_to_rxe_cq(cq_ex);
	int ret;

	if (unlikely(attr->comp_mask))
		return EINVAL;
	queue_lock(&cq->lock);
	ret = look_at_head(cq);
	if (ret)
		queue_unlock(&cq->lock);
	return ret;
}

static int next_poll(struct ibv_cq_ex *cq_ex)
{
	struct rxe_cq *cq = cq_ex_to_rxe_cq(cq_ex);

	drop_current(cq);
	return look_at_head(cq);
}

static void end_poll(struct ibv_cq_ex *cq_ex)
{
	struct rxe_cq *cq = cq_ex_to_rxe_cq(cq_ex);

	drop_current(cq);
	cq->current = NULL;
	queue_unlock(&cq->lock);
}

static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->opcode;
}

static uint32_t read_vendor_err(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->vendor_err;
}

static uint32_t read_byte_len(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->byte_len;
}

/* Also the key that was invalidated: the entry has them in one place. */
static __be32 read_imm_data(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->ex.imm_data;
}

static uint32_t read_qp_num(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->qp_num;
}

static uint32_t read_src_qp(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->src_qp;
}

static unsigned int read_wc_flags(struct ibv_cq_ex *cq)
{
	return wc_flags(cq_ex_to_rxe_cq(cq)->current->wc_flags);
}

static uint32_t read_slid(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->slid;
}

static uint8_t read_sl(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->sl;
}

static uint8_t read_dlid_path_bits(struct ibv_cq_ex *cq)
{
	return cq_ex_to_rxe_cq(cq)->current->dlid_path_bits;
}

void rxe_set_poll_functions(struct ibv_cq_ex *cq)
{
	cq->start_poll = start_poll;
	cq->next_poll = next_poll;
	cq->end_poll = end_poll;
	cq->read_opcode = read_opcode;
	cq->read_vendor_err = read_vendor_err;
	cq->read_byte_len = read_byte_len;
	cq->read_imm_data = read_imm_data;
	cq->read_qp_num = read_qp_num;
	cq->read_src_qp = read_src_qp;
	cq->read_wc_flags = read_wc_flags;
	cq->read_slid = read_slid;
	cq->read_sl = read_sl;
	cq->read_dlid_path_bits = read_dlid_path_bits;
}
