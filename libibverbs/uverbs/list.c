// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which objects a file has. */
#include <errno.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

_Static_assert(UVERBS_LIST_MAX * sizeof(uint32_t) <= UINT16_MAX,
	       "an attribute has no more bytes");

int uverbs_list_handles(int fd, uint32_t driver_id, uint16_t object_type,
			uint32_t *handles, uint32_t *count)
{
	/* The file is not that of a context of ours: one for this command */
	struct verbs_ex_private priv = { .driver_id = driver_id };
	struct verbs_context vctx = { .priv = &priv,
				      .context = { .cmd_fd = fd } };
	struct ib_uverbs_attr *total_attr, *list_attr;
	uint32_t total = 0;
	struct request rq;
	int ret;

	request_init(&rq, &vctx.context, UVERBS_OBJECT_DEVICE,
		     UVERBS_METHOD_INFO_HANDLES);
	request_u64(&rq, UVERBS_ATTR_INFO_OBJECT_ID, object_type);
	total_attr = request_out(&rq, UVERBS_ATTR_INFO_TOTAL_HANDLES, &total,
				 sizeof(total));
	list_attr = request_out(&rq, UVERBS_ATTR_INFO_HANDLES_LIST, handles,
				UVERBS_LIST_MAX * sizeof(*handles));
	ret = request_run(&rq);
	/* ENOENT: no such type, as there is no handle to be wrong. */
	if (ret == EPROTONOSUPPORT || ret == ENOTTY || ret == ENOENT)
		ret = EOPNOTSUPP;
	else if (!ret &&
		 (!request_written(total_attr) || !request_written(list_attr) ||
		  total > UVERBS_LIST_MAX))
		ret = EPROTO;
	if (ret) {
		errno = ret;
		return ret;
	}
	*count = total;
	return 0;
}
