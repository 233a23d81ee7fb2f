// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Completion queues and their events. */
#include <errno.h>
#include <unistd.h>

#include <rdma/ib_user_verbs.h>

#include "provider/priv.h"

/**
 * ibv_create_cq - make a completion queue
 * @context: the device
 * @cqe: how many completions it must hold at least
 * @cq_context: the caller's pointer, returned with events
 * @channel: where completion events go, or NULL; must outlive the CQ
 * @comp_vector: from 0 to num_comp_vectors - 1
 *
 * Returns the CQ (cqe holds its true size), which the caller gives back with
 * ibv_destroy_cq(), or NULL with errno.  Thread-safe.  Since IBVERBS_1.1.
 */
struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe,
			     void *cq_context, struct ibv_comp_channel *channel,
			     int comp_vector)
{
	struct ibv_cq *cq;

	cq = get_ops(context)->create_cq(context, cqe, channel, comp_vector);
	if (cq)
		verbs_init_cq(cq, context, channel, cq_context);
	return cq;
}

/**
 * ibv_resize_cq - change how many completions a CQ holds
 * @cq: may hold completions and be in use
 * @cqe: the new minimum; the true size is put into cq->cqe
 *
 * Returns 0 or an errno value: EINVAL if fewer than are in it now.
 * Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_resize_cq(struct ibv_cq *cq, int cqe)
{
	return get_ops(cq->context)->resize_cq(cq, cqe);
}

/**
 * ibv_destroy_cq - give back a CQ
 * @cq: freed on success; unchanged on failure
 *
 * Blocks until every event that was read for it has been acknowledged.  Returns
 * 0 or an errno value: EBUSY while a QP uses it.  Nothing else may be using the
 * CQ.  Since IBVERBS_1.1.
 */
int ibv_destroy_cq(struct ibv_cq *cq)
{
	struct ibv_comp_channel *channel = cq->channel;
	int ret;

	ret = get_ops(cq->context)->destroy_cq(cq);
	if (!ret && channel) {
		pthread_mutex_lock(&channel->context->mutex);
		channel->refcnt--;
		pthread_mutex_unlock(&channel->context->mutex);
	}
	return ret;
}

/**
 * ibv_get_cq_event - wait for a completion event
 * @channel: blocks unless its fd was made non-blocking
 * @cq: out: the CQ, to be acknowledged with ibv_ack_cq_events()
 * @cq_context: out: the pointer that ibv_create_cq() was given
 *
 * Returns 0, or -1 with errno: EAGAIN (no event), EINTR, EIO.  The outputs are
 * written on success only.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
		     void **cq_context)
{
	struct ib_uverbs_comp_event_desc event;
	struct ibv_cq *from;
	ssize_t len;

	len = read(channel->fd, &event, sizeof(event));
	if (len != sizeof(event)) {
		if (len >= 0)
			errno = EIO;
		return -1;
	}

	/* The kernel keeps the address that the create command was given. */
	from = (struct ibv_cq *)(uintptr_t)event.cq_handle;
	*cq = from;
	*cq_context = from->cq_context;
	get_ops(from->context)->cq_event(from);
	return 0;
}

/**
 * ibv_ack_cq_events - tell that events have been dealt with
 * @cq: the CQ that ibv_get_cq_event() returned
 * @nevents: how many of its events
 *
 * Takes a mutex: acknowledging several at once is cheaper.  Thread-safe.  Since
 * IBVERBS_1.1.
 */
void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents)
{
	pthread_mutex_lock(&cq->mutex);
	cq->comp_events_completed += nevents;
	pthread_cond_signal(&cq->cond);
	pthread_mutex_unlock(&cq->mutex);
}
