// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* IBVERBS_1.0: events.  The program knows shells, the library real objects. */
#include "compat/abi_1_0.h"

/* What kind of object, if any, an asynchronous event is about */
enum subject { NOTHING, CQ, QP, SRQ };

static enum subject subject_of(enum ibv_event_type type)
{
	switch (type) {
	case IBV_EVENT_CQ_ERR:
		return CQ;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_PATH_MIG:
	case IBV_EVENT_PATH_MIG_ERR:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
		return QP;
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		return SRQ;
	default:
		return NOTHING;
	}
}

COMPAT_1_0(int, ibv_get_async_event, struct ibv_context_1_0 *context,
	   struct ibv_async_event *event)
{
	int ret = ibv_get_async_event(context->real_context, event);

	if (ret)
		return ret;
	switch (subject_of(event->event_type)) {
	case CQ:
		event->element.cq = event->element.cq->cq_context;
		break;
	case QP:
		event->element.qp = event->element.qp->qp_context;
		break;
	case SRQ:
		event->element.srq = event->element.srq->srq_context;
		break;
	case NOTHING:
		break;
	}
	return 0;
}

COMPAT_1_0(void, ibv_ack_async_event, struct ibv_async_event *event)
{
	struct ibv_async_event real = *event;

	switch (subject_of(event->event_type)) {
	case CQ:
		real.element.cq =
			((struct ibv_cq_1_0 *)event->element.cq)->real_cq;
		break;
	case QP:
		real.element.qp =
			((struct ibv_qp_1_0 *)event->element.qp)->real_qp;
		break;
	case SRQ:
		real.element.srq =
			((struct ibv_srq_1_0 *)event->element.srq)->real_srq;
		break;
	case NOTHING:
		break;
	}
	ibv_ack_async_event(&real);
}

COMPAT_1_0(int, ibv_get_cq_event, struct ibv_comp_channel *channel,
	   struct ibv_cq_1_0 **cq, void **cq_context)
{
	struct ibv_cq *real;
	void *shell;
	int ret;

	ret = ibv_get_cq_event(channel, &real, &shell);
	if (ret)
		return ret;
	*cq = shell;
	*cq_context = (*cq)->cq_context;
	return 0;
}

COMPAT_1_0(void, ibv_ack_cq_events, struct ibv_cq_1_0 *cq, unsigned int nevents)
{
	ibv_ack_cq_events(cq->real_cq, nevents);
}
