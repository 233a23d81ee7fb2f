// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared receive queues. */
#include "provider/priv.h"

/**
 * ibv_create_srq - make a shared receive queue
 * @pd: the PD, which must outlive the SRQ
 * @srq_init_attr: what is wanted; attr is updated with what was granted
 *
 * Returns the SRQ, which the caller gives back with ibv_destroy_srq(), or NULL
 * with errno.  Thread-safe.  Since IBVERBS_1.1.
 */
struct ibv_srq *ibv_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *srq_init_attr)
{
	struct ibv_srq *srq;

	srq = get_ops(pd->context)->create_srq(pd, srq_init_attr);
	if (!srq)
		return NULL;

	srq->context = pd->context;
	srq->srq_context = srq_init_attr->srq_context;
	srq->pd = pd;
	srq->events_completed = 0;
	pthread_mutex_init(&srq->mutex, NULL);
	pthread_cond_init(&srq->cond, NULL);
	return srq;
}

/**
 * ibv_modify_srq - change an SRQ's size or arm its limit
 * @srq: any SRQ
 * @srq_attr: the new values of what srq_attr_mask selects
 * @srq_attr_mask: IBV_SRQ_MAX_WR, IBV_SRQ_LIMIT
 *
 * Returns 0 or an errno value; nothing is changed on failure.  Thread-safe.
 * Since IBVERBS_1.1.
 */
int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr,
		   int srq_attr_mask)
{
	return get_ops(srq->context)->modify_srq(srq, srq_attr, srq_attr_mask);
}

/**
 * ibv_query_srq - read an SRQ's attributes
 * @srq: any SRQ
 * @srq_attr: out
 *
 * Returns 0 or an errno value.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr)
{
	return get_ops(srq->context)->query_srq(srq, srq_attr);
}

/**
 * ibv_destroy_srq - give back an SRQ
 * @srq: freed on success; unchanged on failure
 *
 * Blocks until every asynchronous event that was read for it has been
 * acknowledged.  Returns 0 or an errno value: EBUSY while a QP uses it.
 * Nothing else may be using the SRQ.  Since IBVERBS_1.1.
 */
int ibv_destroy_srq(struct ibv_srq *srq)
{
	return get_ops(srq->context)->destroy_srq(srq);
}
