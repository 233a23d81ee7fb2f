// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Completion queues: making, arming, destroying.  Polling is in poll.c. */
#include <stdlib.h>

#include "siw.h"

DRIVER_REPLY(create_cq, ib_uverbs_ex_create_cq_resp, siw_uresp_create_cq);

struct ibv_cq *siw_create_cq(struct ibv_context *context, int cqe,
			     struct ibv_comp_channel *channel, int comp_vector)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = cqe,
		.channel = channel,
		.comp_vector = comp_vector,
	};
	struct create_cq_reply resp = {};
	struct ibv_create_cq_ex cmd = {};
	struct siw_cq *cq;
	int ret;

	cq = new_object(struct siw_cq);
	if (!cq) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_create_cq_ex(context, &attr, &cq->vcq, &cmd, sizeof(cmd),
				   &resp.core, sizeof(resp), 0);
	if (ret)
		goto free_cq;
	if (cq->vcq.cq.cqe < 0) {
		ret = EPROTO;
		goto destroy_cq;
	}
	ret = siw_ring_map(&cq->ring, context->cmd_fd, resp.driver.cq_key,
			   resp.driver.num_cqe, cq->vcq.cq.cqe,
			   sizeof(struct siw_cqe), sizeof(struct siw_cq_ctrl));
	if (ret)
		goto destroy_cq;
	cq->ctrl = (void *)((struct siw_cqe *)cq->ring.entries +
			    resp.driver.num_cqe);
	queue_lock_init(&cq->lock, true);
	return &cq->vcq.cq;

destroy_cq:
	ibv_cmd_destroy_cq(&cq->vcq.cq);
free_cq:
	free(cq);
	errno = ret;
	return NULL;
}

int siw_req_notify_cq(struct ibv_cq *ibcq, int solicited_only)
{
	/*
	 * When a request is received the kernel does not look whether its
	 * sender had it solicit an event, nor does an error count: a CQ that is
	 * armed for solicited completions alone tells of none.  So arm it for
	 * every one, and let the program have an event too many.
	 */
	(void)solicited_only;
	__atomic_store_n(&to_siw_cq(ibcq)->ctrl->flags,
			 SIW_NOTIFY_SOLICITED | SIW_NOTIFY_NEXT_COMPLETION,
			 __ATOMIC_RELAXED);
	/*
	 * The program will poll once more: either that finds the entry, or who
	 * wrote it finds the CQ armed.
	 */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return 0;
}

int siw_destroy_cq(struct ibv_cq *ibcq)
{
	struct siw_cq *cq = to_siw_cq(ibcq);
	int ret;

	ret = ibv_cmd_destroy_cq(ibcq);
	if (ret)
		return ret;
	siw_ring_unmap(&cq->ring);
	free(cq);
	return 0;
}
