// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Device memory.  No kernel has an older form of these commands. */
#include "uverbs/request.h"

int ibv_cmd_alloc_dm(struct ibv_context *context,
		     const struct ibv_alloc_dm_attr *dm_attr,
		     struct verbs_dm *dm, struct ibv_command_buffer *link)
{
	struct ib_uverbs_attr *made;
	struct request rq;
	int ret;

	request_init(&rq, context, UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC);
	made = request_new(&rq, UVERBS_ATTR_ALLOC_DM_HANDLE);
	request_u64(&rq, UVERBS_ATTR_ALLOC_DM_LENGTH, dm_attr->length);
	request_u32(&rq, UVERBS_ATTR_ALLOC_DM_ALIGNMENT,
		    dm_attr->log_align_req);
	request_link(&rq, link);
	ret = request_run(&rq);
	if (ret)
		return ret;
	dm->handle = made->data;
	dm->dm.handle = made->data;
	dm->dm.comp_mask = IBV_DM_MASK_HANDLE;
	dm->dm.context = context;
	return 0;
}

int ibv_cmd_free_dm(struct verbs_dm *dm)
{
	struct request rq;

	request_init(&rq, dm->dm.context, UVERBS_OBJECT_DM,
		     UVERBS_METHOD_DM_FREE);
	request_handle(&rq, UVERBS_ATTR_FREE_DM_HANDLE, dm->handle);
	return destroy_result(request_run(&rq));
}
