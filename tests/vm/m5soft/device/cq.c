// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completion queues and their events.
 */
#include <linux/ktime.h>
#include <linux/log2.h>
#include <rdma/mlx5-abi.h>
#include <rdma/ib_user_ioctl_verbs.h>

#include "m5soft.h"

#define MAX_ENTRIES (1 << 20)

static u32 record(struct m5_cq *cq, unsigned int which)
{
	return be32_to_cpu(READ_ONCE(((__be32 *)cq->doorbell.start)[which]));
}

/* Indices have 24 bits. */
static s32 distance(u32 from, u32 to)
{
	return (s32)((to - from) << 8) >> 8;
}

void m5_cq_event(struct m5_cq *cq)
{
	u32 arm = record(cq, M5_DB_ARM), last = cq->produced;

	if (arm == M5_ARM_NEVER || cq->fired == M5_ARM_SEQUENCE(arm))
		return;
	if (arm & M5_ARM_SOLICITED)
		last = cq->last_solicited;
	if (distance(arm & M5_ARM_INDEX, last) <= 0)
		return;
	cq->fired = M5_ARM_SEQUENCE(arm);
	if (cq->ib.comp_handler)
		cq->ib.comp_handler(&cq->ib, cq->ib.cq_context);
}

static void overrun(struct m5_cq *cq)
{
	struct ib_event event = {
		.device = cq->ib.device,
		.event = IB_EVENT_CQ_ERR,
		.element.cq = &cq->ib,
	};

	cq->overrun = true;
	if (cq->ib.event_handler)
		cq->ib.event_handler(&event, cq->ib.cq_context);
}

void m5_cq_add(struct m5_cq *cq, struct m5_cqe *cqe, enum m5_cqe_opcode opcode,
	       bool solicited)
{
	u32 place = cq->produced & (cq->count - 1);
	struct m5_cqe *to;

	if (cq->overrun)
		return;
	if (!cq->ignore_overrun && distance(record(cq, M5_DB_CONSUMED),
					    cq->produced) >= (s32)cq->count) {
		overrun(cq);
		return;
	}
	/* A large entry has the completion in its second half. */
	to = cq->entries.start + (size_t)(place + 1) * cq->stride - sizeof(*to);
	if (opcode != M5_CQE_SEND_ERROR && opcode != M5_CQE_RECV_ERROR)
		cqe->timestamp = cpu_to_be64(ktime_get_ns());
	memcpy(to, cqe, offsetof(struct m5_cqe, opcode_owner));
	smp_wmb(); /* the owner bit says that the rest is there */
	WRITE_ONCE(to->opcode_owner,
		   opcode << 4 | (solicited ? M5_CQE_SOLICITED : 0) |
			   !!(cq->produced & cq->count));
	cq->produced++;
	/* An error is as good as solicited. */
	if (solicited || opcode == M5_CQE_SEND_ERROR ||
	    opcode == M5_CQE_RECV_ERROR)
		cq->last_solicited = cq->produced;
	smp_mb(); /* whoever arms, then polls, then sleeps is not missed */
	m5_cq_event(cq);
}

int m5_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr,
		 struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct mlx5_ib_create_cq_resp resp = {};
	struct mlx5_ib_create_cq req = {};
	struct m5_cq *cq = m5_cq(ib);
	int ret;

	if (!udata)
		return -EOPNOTSUPP;
	ret = ib_copy_from_udata(&req, udata, min(udata->inlen, sizeof(req)));
	if (ret)
		return ret;
	if (req.cqe_comp_en)
		return -EOPNOTSUPP;
	if ((req.cqe_size != 64 && req.cqe_size != 128) ||
	    req.db_addr % M5_DB_LENGTH || attr->cqe >= MAX_ENTRIES ||
	    attr->comp_vector >= ib->device->num_comp_vectors)
		return -EINVAL;
	cq->count = roundup_pow_of_two(attr->cqe + 1);
	cq->stride = req.cqe_size;
	cq->fired = -1;
	cq->uid = m5_context_of(udata)->uid;
	cq->ignore_overrun = attr->flags & IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN;
	ret = m5_pin_mapped(&cq->entries, ib->device, req.buf_addr,
			    (u64)cq->count * cq->stride);
	if (ret)
		return ret;
	ret = m5_pin_mapped(&cq->doorbell, ib->device, req.db_addr,
			    M5_DB_LENGTH);
	if (ret)
		goto unpin_entries;
	/* libmlx5 leaves it at 0, which is also what it arms with first. */
	((__be32 *)cq->doorbell.start)[M5_DB_ARM] = cpu_to_be32(M5_ARM_NEVER);
	mutex_lock(&dev->lock);
	cq->cqn = ++dev->next_cqn;
	mutex_unlock(&dev->lock);
	resp.cqn = cq->cqn;
	ib->cqe = cq->count - 1;
	ret = ib_copy_to_udata(udata, &resp, min(udata->outlen, sizeof(resp)));
	if (ret)
		goto unpin_doorbell;
	M5_HAPPENED(cqs);
	return 0;
unpin_doorbell:
	m5_unpin(&cq->doorbell);
unpin_entries:
	m5_unpin(&cq->entries);
	return ret;
}

/* No QP uses it any more, so neither does the engine. */
int m5_destroy_cq(struct ib_cq *ib, struct ib_udata *udata)
{
	struct m5_cq *cq = m5_cq(ib);

	m5_unpin(&cq->doorbell);
	m5_unpin(&cq->entries);
	M5_GONE(cqs);
	return 0;
}
