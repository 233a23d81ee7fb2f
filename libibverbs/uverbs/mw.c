// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory windows. */
#include "uverbs/request.h"

int ibv_cmd_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type,
		     struct ibv_mw *mw, struct ibv_alloc_mw *cmd,
		     size_t cmd_size, struct ib_uverbs_alloc_mw_resp *resp,
		     size_t resp_size)
{
	const struct ib_uverbs_alloc_mw core_in = {
		.pd_handle = pd->handle,
		.mw_type = type,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	struct ib_uverbs_alloc_mw_resp core = { 0 };
	int ret =
		invoke_write(pd->context, IB_USER_VERBS_CMD_ALLOC_MW, &core_in,
			     sizeof(core_in), &core, sizeof(core), &driver);

	if (ret)
		return ret;
	give_core_reply(&driver, &core, sizeof(core));
	mw->context = pd->context;
	mw->pd = pd;
	mw->rkey = core.rkey;
	mw->handle = core.mw_handle;
	mw->type = type;
	return 0;
}

int ibv_cmd_dealloc_mw(struct ibv_mw *mw)
{
	static const struct destroy_method how = {
		.object = UVERBS_OBJECT_MW,
		.method = UVERBS_METHOD_MW_DESTROY,
		.handle_attr = UVERBS_ATTR_DESTROY_MW_HANDLE,
		.op = OP(dealloc_mw),
		.command = IB_USER_VERBS_CMD_DEALLOC_MW,
	};

	return destroy_handle(mw->context, &how, mw->handle);
}
