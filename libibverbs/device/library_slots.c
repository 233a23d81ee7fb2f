// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Public slots of a context that lead into the library: what programs call
 * inline needs more than the provider's operation.
 */
#include <errno.h>
#include <string.h>

#include "device/context_ops.h"
#include "priv.h"

/* The slot wants the function behind the macro. */
#undef ibv_query_port

/**
 * verbs_init_cq - The library's part of a new CQ
 * @channel: may be NULL; holds one more CQ otherwise
 *
 * For providers that make CQs in functions of their own.  Thread-safe.
 */
void verbs_init_cq(struct ibv_cq *cq, struct ibv_context *context,
		   struct ibv_comp_channel *channel, void *cq_context)
{
	cq->context = context;
	cq->channel = channel;
	cq->cq_context = cq_context;
	cq->comp_events_completed = 0;
	cq->async_events_completed = 0;
	pthread_mutex_init(&cq->mutex, NULL);
	pthread_cond_init(&cq->cond, NULL);

	if (channel) {
		pthread_mutex_lock(&context->mutex);
		channel->refcnt++;
		pthread_mutex_unlock(&context->mutex);
	}
}

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context,
				      struct ibv_cq_init_attr_ex *attr)
{
	struct ibv_cq_ex *cq;

	if (attr->wc_flags & ~(uint64_t)IBV_CREATE_CQ_SUP_WC_FLAGS) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	cq = get_ops(context)->create_cq_ex(context, attr);
	if (cq)
		verbs_init_cq(ibv_cq_ex_to_cq(cq), context, attr->channel,
			      attr->cq_context);
	return cq;
}

/* Programs built against older headers have a shorter struct. */
static int query_port(struct ibv_context *context, uint8_t port_num,
		      struct ibv_port_attr *attr, size_t size)
{
	struct ibv_port_attr whole = {};
	int ret;

	if (size >= sizeof(whole)) {
		memset(attr, 0, size);
		return get_ops(context)->query_port(context, port_num, attr);
	}
	ret = get_ops(context)->query_port(context, port_num, &whole);
	if (!ret)
		memcpy(attr, &whole, size);
	return ret;
}

void set_library_slots(struct verbs_context *vctx)
{
	struct ibv_context_ops *ops = &vctx->context.ops;

	vctx->create_cq_ex = create_cq_ex;
	vctx->query_port = query_port;
	ops->_compat_query_port = ibv_query_port;
	ops->_compat_query_device = ibv_query_device;

	/* Programs built against 1.1.8 find the flow verbs here. */
	vctx->ABI_placeholder1 = (void (*)(void))vctx->ibv_create_flow;
	vctx->ABI_placeholder2 = (void (*)(void))vctx->ibv_destroy_flow;
}
