// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Completion queues: making, resizing, destroying.  Polling is in poll.c. */
#include <stdlib.h>

#include "rxe.h"

DRIVER_REPLY(create_cq, ib_uverbs_ex_create_cq_resp, rxe_create_cq_resp);
DRIVER_REPLY(resize_cq, ib_uverbs_resize_cq_resp, rxe_resize_cq_resp);

/* What read_*() of an extended CQ can tell: the kernel keeps no time stamps. */
#define SUPPORTED_WC_FLAGS ((uint64_t)IBV_WC_STANDARD_FLAGS)

static int map_queue(struct ibv_context *context, const struct mminfo *info,
		     int cqe, struct rxe_queue *queue)
{
	if (cqe < 0)
		return EPROTO;
	return rxe_queue_map(queue, context->cmd_fd, info,
			     sizeof(struct ib_uverbs_wc), cqe, RXE_CONSUMER);
}

static struct rxe_cq *create_cq(struct ibv_context *context,
				struct ibv_cq_init_attr_ex *attr,
				bool needs_lock)
{
	struct create_cq_reply resp = {};
	struct ibv_create_cq_ex cmd = {};
	struct rxe_cq *cq;
	int ret;

	cq = new_object(struct rxe_cq);
	if (!cq) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_create_cq_ex(context, attr, &cq->vcq, &cmd, sizeof(cmd),
				   &resp.core, sizeof(resp), 0);
	if (ret)
		goto free_cq;
	ret = map_queue(context, &resp.driver.mi, cq->vcq.cq.cqe, &cq->queue);
	if (ret)
		goto destroy_cq;
	queue_lock_init(&cq->lock, needs_lock);
	return cq;

destroy_cq:
	ibv_cmd_destroy_cq(&cq->vcq.cq);
free_cq:
	free(cq);
	errno = ret;
	return NULL;
}

struct ibv_cq *rxe_create_cq(struct ibv_context *context, int cqe,
			     struct ibv_comp_channel *channel, int comp_vector)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = cqe,
		.channel = channel,
		.comp_vector = comp_vector,
	};
	struct rxe_cq *cq = create_cq(context, &attr, true);

	return cq ? &cq->vcq.cq : NULL;
}

struct ibv_cq_ex *rxe_create_cq_ex(struct ibv_context *context,
				   struct ibv_cq_init_attr_ex *attr)
{
	bool needs_lock = true;
	struct rxe_cq *cq;

	if (attr->wc_flags & ~SUPPORTED_WC_FLAGS) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS &&
	    attr->flags & IBV_CREATE_CQ_ATTR_SINGLE_THREADED)
		needs_lock = false;
	if (attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD) {
		if (!attr->parent_domain ||
		    !to_parent_domain(attr->parent_domain)) {
			errno = EINVAL;
			return NULL;
		}
		if (!rxe_pd_needs_lock(attr->parent_domain))
			needs_lock = false;
	}

	cq = create_cq(context, attr, needs_lock);
	if (!cq)
		return NULL;
	rxe_set_poll_functions(&cq->vcq.cq_ex);
	return &cq->vcq.cq_ex;
}

int rxe_resize_cq(struct ibv_cq *ibcq, int cqe)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	struct resize_cq_reply resp = {};
	struct ibv_resize_cq cmd = {};
	struct rxe_queue queue;
	int ret;

	/*
	 * The kernel moves the entries that we have not consumed to a new ring
	 * and completes into that from then on, so nobody may poll meanwhile.
	 */
	queue_lock(&cq->lock);
	ret = ibv_cmd_resize_cq(ibcq, cqe, &cmd, sizeof(cmd), &resp.core,
				sizeof(resp));
	if (ret)
		goto unlock;
	/*
	 * There is no way back.  Without a mapping the CQ stays empty to us
	 * until a later resize succeeds: that one brings all entries along.
	 */
	ret = map_queue(ibcq->context, &resp.driver.mi, ibcq->cqe, &queue);
	if (ret)
		rxe_queue_init_void(&queue);
	rxe_queue_unmap(&cq->queue);
	cq->queue = queue;
unlock:
	queue_unlock(&cq->lock);
	return ret;
}

int rxe_destroy_cq(struct ibv_cq *ibcq)
{
	struct rxe_cq *cq = to_rxe_cq(ibcq);
	int ret;

	ret = ibv_cmd_destroy_cq(ibcq);
	if (ret)
		return ret;
	rxe_queue_unmap(&cq->queue);
	free(cq);
	return 0;
}
