// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The GID table, for which only newer kernels have commands. */
#include <errno.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

int uverbs_query_gid_entry(struct ibv_context *context, uint32_t port_num,
			   uint32_t gid_index, uint32_t flags,
			   struct ibv_gid_entry *entry, size_t entry_size)
{
	struct request rq;

	request_init(&rq, context, UVERBS_OBJECT_DEVICE,
		     UVERBS_METHOD_QUERY_GID_ENTRY);
	request_u64(&rq, UVERBS_ATTR_QUERY_GID_ENTRY_PORT, port_num);
	request_u64(&rq, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, gid_index);
	request_u32(&rq, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, flags);
	request_out(&rq, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, entry,
		    entry_size);
	return request_run_native(&rq, OP(async_event), false);
}

int uverbs_query_gid_table(struct ibv_context *context, uint32_t flags,
			   struct ibv_gid_entry *entries, size_t entry_size,
			   uint64_t *count)
{
	uint64_t room = *count;
	uint64_t filled = 0;
	struct request rq;
	int ret;

	if (!entry_size) {
		errno = EINVAL;
		return EINVAL;
	}
	/* One attribute can carry no more. */
	if (room > UINT16_MAX / entry_size)
		room = UINT16_MAX / entry_size;

	request_init(&rq, context, UVERBS_OBJECT_DEVICE,
		     UVERBS_METHOD_QUERY_GID_TABLE);
	request_u64(&rq, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, entry_size);
	request_u32(&rq, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, flags);
	request_out(&rq, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, entries,
		    room * entry_size);
	request_out(&rq, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &filled,
		    sizeof(filled));
	ret = request_run_native(&rq, OP(async_event), false);
	if (ret)
		return ret;
	if (filled > room) {
		errno = EPROTO;
		return EPROTO;
	}
	*count = filled;
	return 0;
}
