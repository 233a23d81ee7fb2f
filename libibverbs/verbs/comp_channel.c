// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Completion channels: a file descriptor that delivers CQ events. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "provider/priv.h"
#include "uverbs/uverbs.h"

/**
 * ibv_create_comp_channel - make a completion channel
 * @context: the device
 *
 * Returns the channel, which the caller gives back with
 * ibv_destroy_comp_channel(), or NULL with errno.  Its fd is for poll() and
 * ibv_get_cq_event().  Thread-safe.  Since IBVERBS_1.0.
 */
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct ibv_comp_channel *channel;
	int err;

	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return NULL;

	err = uverbs_create_comp_channel(context, &channel->fd);
	if (err) {
		free(channel);
		errno = err;
		return NULL;
	}

	channel->context = context;
	return channel;
}

/**
 * ibv_destroy_comp_channel - give back a completion channel
 * @channel: freed, and its fd closed, on success
 *
 * Returns 0, or EBUSY while a CQ uses it.  Since IBVERBS_1.0.
 */
int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	struct ibv_context *context = channel->context;
	bool busy;

	pthread_mutex_lock(&context->mutex);
	busy = channel->refcnt;
	pthread_mutex_unlock(&context->mutex);
	if (busy)
		return EBUSY;

	close(channel->fd);
	free(channel);
	return 0;
}
