// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Shared receive queues: a list through an array, and a record of how many
 * receives have been posted.
 */
#include <linux/log2.h>
#include <rdma/mlx5-abi.h>

#include "m5soft.h"

#define MAX_WR 32767
#define MAX_SGE 31

static u16 left(struct m5_srq *srq)
{
	__be32 *record = srq->doorbell.start;

	return (u16)be32_to_cpu(READ_ONCE(record[M5_DB_RECV])) - srq->taken;
}

bool m5_srq_empty(struct m5_srq *srq)
{
	return !left(srq);
}

static void check_limit(struct m5_srq *srq)
{
	struct ib_event event = {
		.device = srq->ib.device,
		.event = IB_EVENT_SRQ_LIMIT_REACHED,
		.element.srq = &srq->ib,
	};

	if (!srq->limit || left(srq) >= srq->limit)
		return;
	srq->limit = 0;
	if (srq->ib.event_handler)
		srq->ib.event_handler(&event, srq->ib.srq_context);
}

u32 m5_srq_take(struct m5_srq *srq, u8 *to, u32 room, u16 *index)
{
	u32 size = (1U << srq->shift) - sizeof(struct m5_next);
	struct m5_next *wqe;

	if (m5_srq_empty(srq))
		return 0;
	smp_rmb(); /* it is there when the record says so */
	wqe = srq->entries.start + (srq->head << srq->shift);
	*index = srq->head;
	size = min(size, room);
	memcpy(to, wqe + 1, size);
	srq->head = be16_to_cpu(READ_ONCE(wqe->index)) & (srq->count - 1);
	srq->taken++;
	check_limit(srq);
	return size;
}

int m5_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init,
		  struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct mlx5_ib_create_srq_resp resp = {};
	struct mlx5_ib_create_srq req = {};
	struct m5_srq *srq = m5_srq(ib);
	int ret;

	if (!udata || init->srq_type != IB_SRQT_BASIC)
		return -EOPNOTSUPP;
	ret = ib_copy_from_udata(&req, udata, min(udata->inlen, sizeof(req)));
	if (ret)
		return ret;
	if (req.flags & MLX5_SRQ_FLAG_SIGNATURE)
		return -EOPNOTSUPP;
	if (req.db_addr % M5_DB_LENGTH || init->attr.max_wr > MAX_WR ||
	    init->attr.max_sge > MAX_SGE)
		return -EINVAL;
	/* How libmlx5 lays them out is not in the request, only in what it
	 * asks for.
	 */
	srq->count = roundup_pow_of_two(init->attr.max_wr + 1);
	srq->shift = order_base_2(sizeof(struct m5_next) +
				  max_t(u32, 1, init->attr.max_sge) *
					  sizeof(struct m5_data));
	srq->pdn = m5_pd(ib->pd)->pdn;
	srq->uid = m5_pd(ib->pd)->uid;
	ret = m5_pin_mapped(&srq->entries, ib->device, req.buf_addr,
			    (u64)srq->count << srq->shift);
	if (ret)
		return ret;
	ret = m5_pin_mapped(&srq->doorbell, ib->device, req.db_addr,
			    M5_DB_LENGTH);
	if (ret)
		goto unpin_entries;
	mutex_lock(&dev->lock);
	srq->srqn = ++dev->next_srqn;
	mutex_unlock(&dev->lock);
	resp.srqn = srq->srqn;
	init->attr.max_wr = srq->count - 1;
	ret = ib_copy_to_udata(udata, &resp, min(udata->outlen, sizeof(resp)));
	if (ret)
		goto unpin_doorbell;
	M5_HAPPENED(srqs);
	return 0;
unpin_doorbell:
	m5_unpin(&srq->doorbell);
unpin_entries:
	m5_unpin(&srq->entries);
	return ret;
}

int m5_modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr,
		  enum ib_srq_attr_mask mask, struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct m5_srq *srq = m5_srq(ib);

	if (mask & IB_SRQ_MAX_WR ||
	    (mask & IB_SRQ_LIMIT && attr->srq_limit >= srq->count))
		return -EINVAL;
	if (mask & IB_SRQ_LIMIT) {
		mutex_lock(&dev->lock);
		srq->limit = attr->srq_limit;
		check_limit(srq);
		mutex_unlock(&dev->lock);
	}
	return 0;
}

int m5_query_srq(struct ib_srq *ib, struct ib_srq_attr *attr)
{
	struct m5_srq *srq = m5_srq(ib);

	attr->max_wr = srq->count - 1;
	attr->max_sge =
		((1U << srq->shift) - sizeof(struct m5_next)) / M5_SEGMENT;
	attr->srq_limit = srq->limit;
	return 0;
}

/* No QP uses it any more, so neither does the engine. */
int m5_destroy_srq(struct ib_srq *ib, struct ib_udata *udata)
{
	struct m5_srq *srq = m5_srq(ib);

	m5_unpin(&srq->doorbell);
	m5_unpin(&srq->entries);
	M5_GONE(srqs);
	return 0;
}
