// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Counters.  No kernel has an older form of these commands. */
#include <errno.h>

#include "uverbs/request.h"

int ibv_cmd_create_counters(struct ibv_context *context,
			    struct ibv_counters_init_attr *init_attr,
			    struct verbs_counters *vcounters,
			    struct ibv_command_buffer *link)
{
	struct ib_uverbs_attr *made;
	struct request rq;
	int ret;

	if (init_attr->comp_mask)
		return EOPNOTSUPP;

	request_init(&rq, context, UVERBS_OBJECT_COUNTERS,
		     UVERBS_METHOD_COUNTERS_CREATE);
	made = request_new(&rq, UVERBS_ATTR_CREATE_COUNTERS_HANDLE);
	request_link(&rq, link);
	ret = request_run(&rq);
	if (ret)
		return ret;
	vcounters->counters.context = context;
	vcounters->handle = made->data;
	return 0;
}

int ibv_cmd_read_counters(struct verbs_counters *vcounters,
			  uint64_t *counters_value, uint32_t ncounters,
			  uint32_t flags, struct ibv_command_buffer *link)
{
	struct request rq;

	request_init(&rq, vcounters->counters.context, UVERBS_OBJECT_COUNTERS,
		     UVERBS_METHOD_COUNTERS_READ);
	request_handle(&rq, UVERBS_ATTR_READ_COUNTERS_HANDLE,
		       vcounters->handle);
	request_out(&rq, UVERBS_ATTR_READ_COUNTERS_BUFF, counters_value,
		    (size_t)ncounters * sizeof(*counters_value));
	request_u32(&rq, UVERBS_ATTR_READ_COUNTERS_FLAGS, flags);
	request_link(&rq, link);
	return request_run(&rq);
}

int ibv_cmd_destroy_counters(struct verbs_counters *vcounters)
{
	struct request rq;

	request_init(&rq, vcounters->counters.context, UVERBS_OBJECT_COUNTERS,
		     UVERBS_METHOD_COUNTERS_DESTROY);
	request_handle(&rq, UVERBS_ATTR_DESTROY_COUNTERS_HANDLE,
		       vcounters->handle);
	return destroy_result(request_run(&rq));
}
