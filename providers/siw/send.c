// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Posting send requests, and the doorbell. */
#include <sched.h>
#include <string.h>

#include "siw.h"

static inline int fill_sges(struct siw_sqe *sqe, uint32_t max_sge,
			    bool foreign_memory, const struct ibv_send_wr *wr)
{
	uint64_t length = 0;
	int i, n = 0;

	if (unlikely((uint32_t)wr->num_sge > max_sge))
		return EINVAL;
	for (i = 0; i < wr->num_sge; i++) {
		/* The kernel falls over an empty SGE with data behind it. */
		if (unlikely(!wr->sg_list[i].length))
			continue;
		memcpy(&sqe->sge[n++], &wr->sg_list[i], sizeof(sqe->sge[0]));
		length += wr->sg_list[i].length;
	}
	if (unlikely(length > SIW_MAX_MESSAGE))
		return EINVAL;
	/*
	 * The kernel reads a few bytes in one SGE, and those only, not from the
	 * region's pages but from that address in the process that posts.  A
	 * second SGE keeps it from doing so; the last one may be empty.
	 */
	if (unlikely(foreign_memory && n == 1))
		sqe->sge[n++] = (struct siw_sge){};
	sqe->num_sge = n;
	return 0;
}

/* iWARP reads into one place, which may be empty. */
static inline int fill_sink(struct siw_sqe *sqe, const struct ibv_send_wr *wr)
{
	if (unlikely(wr->num_sge != 1 ||
		     wr->sg_list[0].length > SIW_MAX_MESSAGE))
		return EINVAL;
	memcpy(&sqe->sge[0], &wr->sg_list[0], sizeof(sqe->sge[0]));
	sqe->num_sge = 1;
	return 0;
}

/* The data takes the place of all SGEs but the first, which has its length. */
static inline int fill_inline(struct siw_sqe *sqe, const struct ibv_send_wr *wr,
			      uint16_t *flags)
{
	char *data = (char *)&sqe->sge[1];
	size_t length = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		const struct ibv_sge *sge = &wr->sg_list[i];

		if (unlikely(sge->length > SIW_MAX_INLINE - length))
			return EINVAL;
		if (sge->length)
			memcpy(data + length, (void *)(uintptr_t)sge->addr,
			       sge->length);
		length += sge->length;
	}
	/* The kernel wants no inline data that is none. */
	if (unlikely(!length)) {
		sqe->num_sge = 0;
		return 0;
	}
	sqe->sge[0].laddr = 0;
	sqe->sge[0].length = length;
	sqe->sge[0].lkey = 0;
	sqe->num_sge = 1;
	*flags |= SIW_WQE_INLINE;
	return 0;
}

/*
 * 0 or EINVAL.  The kernel checks a request only when its turn comes, and is
 * then stuck with one that it does not like; so all is checked here.
 */
static inline int fill(const struct siw_send_queue *sq, bool foreign_memory,
		       const struct ibv_send_wr *wr, struct siw_sqe *sqe,
		       uint16_t *flags)
{
	bool is_inline = wr->send_flags & IBV_SEND_INLINE;

	*flags = SIW_WQE_VALID | sq->signal_all;
	if (wr->send_flags & IBV_SEND_SIGNALED)
		*flags |= SIW_WQE_SIGNALLED;
	if (wr->send_flags & IBV_SEND_SOLICITED)
		*flags |= SIW_WQE_SOLICITED;
	if (wr->send_flags & IBV_SEND_FENCE)
		*flags |= SIW_WQE_READ_FENCE;
	sqe->id = wr->wr_id;

	switch (wr->opcode) {
	case IBV_WR_SEND:
		sqe->opcode = SIW_OP_SEND;
		sqe->rkey = 0;
		sqe->raddr = 0;
		break;
	case IBV_WR_SEND_WITH_INV:
		/* No inline data with this one */
		if (unlikely(is_inline))
			return EINVAL;
		sqe->opcode = SIW_OP_SEND_REMOTE_INV;
		sqe->rkey = wr->invalidate_rkey;
		sqe->raddr = 0;
		break;
	case IBV_WR_RDMA_WRITE:
		sqe->opcode = SIW_OP_WRITE;
		sqe->rkey = wr->wr.rdma.rkey;
		sqe->raddr = wr->wr.rdma.remote_addr;
		break;
	case IBV_WR_RDMA_READ:
		if (unlikely(is_inline))
			return EINVAL;
		sqe->opcode = SIW_OP_READ;
		sqe->rkey = wr->wr.rdma.rkey;
		sqe->raddr = wr->wr.rdma.remote_addr;
		/*
		 * Reads are answered in the order of their requests, so a fence
		 * between them is there always, and the kernel takes none.
		 */
		*flags &= ~SIW_WQE_READ_FENCE;
		return fill_sink(sqe, wr);
	default:
		return EINVAL;
	}
	return is_inline ? fill_inline(sqe, wr, flags)
			 : fill_sges(sqe, sq->max_sge, foreign_memory, wr);
}

static inline int ring_doorbell(struct ibv_qp *qp)
{
	struct ibv_send_wr *bad_wr;

	/* The requests are in the ring already, so the list is empty. */
	return ibv_cmd_post_send(qp, NULL, &bad_wr);
}

/* How often to ask again whether the kernel looks at what was posted */
#define RETRIES 3

/*
 * The kernel would not look at the requests from begin to end: there is no
 * connection, or another command has the QP for a moment; it does not tell
 * which.  If it stays so take out of the ring what is still there, so that
 * nothing is sent that was told to have failed.
 *
 * Returns how many requests stay posted; *error is 0 if that is all of them.
 */
static uint32_t take_back(struct siw_qp *qp, uint32_t begin, uint32_t end,
			  int *error)
{
	struct siw_send_queue *sq = &qp->sq;
	unsigned int tries;

	for (tries = 0;; tries++) {
		queue_lock(&sq->lock);
		/*
		 * Otherwise another thread's requests are behind ours.  It will
		 * hear the same of the kernel and take them back; or not, and
		 * then ours have been seen too.
		 */
		if (tries >= RETRIES && sq->ring.next == end)
			break;
		queue_unlock(&sq->lock);
		sched_yield();
		*error = ring_doorbell(&qp->vqp.qp);
		if (!*error)
			return end - begin;
	}
	while (end != begin) {
		struct siw_sqe *sqe = ring_sqe(&sq->ring, end - 1);

		if (entry_is_free(&sqe->flags))
			break;
		entry_pass(&sqe->flags, 0);
		end--;
	}
	if (sq->ring.next == end)
		*error = 0;
	sq->ring.next = end;
	queue_unlock(&sq->lock);
	return end - begin;
}

int siw_post_send(struct ibv_qp *ibqp, struct ibv_send_wr *wr,
		  struct ibv_send_wr **bad_wr)
{
	struct siw_qp *qp = to_siw_qp(ibqp);
	struct siw_send_queue *sq = &qp->sq;
	struct ibv_send_wr *first = wr;
	bool foreign_memory =
		__atomic_load_n(&to_siw_context(ibqp->context)->foreign_memory,
				__ATOMIC_RELAXED);
	uint32_t begin, next, taken;
	int ret = 0, error;

	/*
	 * The connection manager changes the state without the library's
	 * knowledge; but a program that ended it all by itself has the right to
	 * be told that no completion will come.
	 */
	if (unlikely(__atomic_load_n(&ibqp->state, __ATOMIC_RELAXED) ==
		     IBV_QPS_ERR)) {
		*bad_wr = wr;
		return EINVAL;
	}

	queue_lock(&sq->lock);
	begin = next = sq->ring.next;
	for (; wr; wr = wr->next) {
		struct siw_sqe *sqe = ring_sqe(&sq->ring, next);
		uint16_t flags;

		if (unlikely(!entry_is_free(&sqe->flags))) {
			ret = ENOMEM;
			break;
		}
		ret = fill(sq, foreign_memory, wr, sqe, &flags);
		if (unlikely(ret))
			break;
		entry_pass(&sqe->flags, flags);
		next++;
	}
	sq->ring.next = next;
	queue_unlock(&sq->lock);
	if (unlikely(ret))
		*bad_wr = wr;
	if (unlikely(next == begin))
		return ret;

	error = ring_doorbell(ibqp);
	if (likely(!error))
		return ret;
	taken = take_back(qp, begin, next, &error);
	if (!error)
		return ret;
	for (wr = first; taken; taken--)
		wr = wr->next;
	*bad_wr = wr;
	return error;
}
