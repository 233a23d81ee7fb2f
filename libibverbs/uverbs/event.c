// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The descriptors on which the kernel reports events. */
#include <errno.h>
#include <limits.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

static int give_fd(uint64_t value, int *fd)
{
	if (value > INT_MAX) {
		errno = EPROTO;
		return EPROTO;
	}
	*fd = value;
	return 0;
}

int uverbs_alloc_async_fd(struct ibv_context *context, int *fd)
{
	struct ib_uverbs_attr *new_fd;
	struct request rq;
	int ret;

	request_init(&rq, context, UVERBS_OBJECT_ASYNC_EVENT,
		     UVERBS_METHOD_ASYNC_EVENT_ALLOC);
	new_fd = request_new(&rq, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);
	ret = request_run(&rq);
	if (ret)
		return ret;
	return give_fd(new_fd->data, fd);
}

int uverbs_create_comp_channel(struct ibv_context *context, int *fd)
{
	struct ib_uverbs_create_comp_channel core_in = { 0 };
	struct ib_uverbs_create_comp_channel_resp core = { 0 };
	int ret = invoke_write(context, IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL,
			       &core_in, sizeof(core_in), &core, sizeof(core),
			       NULL);

	if (ret)
		return ret;
	return give_fd(core.fd, fd);
}
