// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Asynchronous events. */
#include <errno.h>
#include <unistd.h>

#include "priv.h"

enum affected {
	AFFECTS_PORT,
	AFFECTS_CQ,
	AFFECTS_QP,
	AFFECTS_SRQ,
	AFFECTS_WQ,
};

/* What an event tells of; unknown events of newer kernels carry a number. */
static enum affected affected_by(uint32_t event_type)
{
	switch (event_type) {
	case IBV_EVENT_CQ_ERR:
		return AFFECTS_CQ;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_PATH_MIG:
	case IBV_EVENT_PATH_MIG_ERR:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
		return AFFECTS_QP;
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		return AFFECTS_SRQ;
	case IBV_EVENT_WQ_FATAL:
		return AFFECTS_WQ;
	default:
		return AFFECTS_PORT;
	}
}

/**
 * ibv_get_async_event - Wait for the next asynchronous event of a context
 * @event: receives it; to be given to ibv_ack_async_event()
 *
 * Returns 0, or -1 with errno; EAGAIN: the descriptor is non-blocking and there
 * is no event.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_get_async_event(struct ibv_context *context,
			struct ibv_async_event *event)
{
	struct ib_uverbs_async_event_desc record;
	void *object;
	ssize_t len;

	len = read(context->async_fd, &record, sizeof(record));
	if (len != sizeof(record)) {
		/* The kernel gives whole records or none. */
		if (len >= 0)
			errno = EIO;
		return -1;
	}

	event->event_type = record.event_type;
	object = (void *)(uintptr_t)record.element;
	switch (affected_by(record.event_type)) {
	case AFFECTS_CQ:
		event->element.cq = object;
		break;
	case AFFECTS_QP:
		event->element.qp = object;
		break;
	case AFFECTS_SRQ:
		event->element.srq = object;
		break;
	case AFFECTS_WQ:
		event->element.wq = object;
		break;
	case AFFECTS_PORT:
		event->element.port_num = record.element;
		break;
	}
	get_ops(context)->async_event(context, event);
	return 0;
}

static void count_event(pthread_mutex_t *mutex, pthread_cond_t *cond,
			uint32_t *completed)
{
	pthread_mutex_lock(mutex);
	++*completed;
	pthread_cond_signal(cond);
	pthread_mutex_unlock(mutex);
}

/**
 * ibv_ack_async_event - Say that an event has been dealt with
 *
 * Destroying an object waits for this for each event of the object that
 * ibv_get_async_event() returned.  Thread-safe.  Since IBVERBS_1.1.
 */
void ibv_ack_async_event(struct ibv_async_event *event)
{
	struct ibv_cq *cq = event->element.cq;
	struct ibv_qp *qp = event->element.qp;
	struct ibv_srq *srq = event->element.srq;
	struct ibv_wq *wq = event->element.wq;

	switch (affected_by(event->event_type)) {
	case AFFECTS_CQ:
		count_event(&cq->mutex, &cq->cond, &cq->async_events_completed);
		break;
	case AFFECTS_QP:
		count_event(&qp->mutex, &qp->cond, &qp->events_completed);
		break;
	case AFFECTS_SRQ:
		count_event(&srq->mutex, &srq->cond, &srq->events_completed);
		break;
	case AFFECTS_WQ:
		count_event(&wq->mutex, &wq->cond, &wq->events_completed);
		break;
	case AFFECTS_PORT:
		break;
	}
}
