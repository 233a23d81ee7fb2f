// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Protection domains. */
#include <errno.h>
#include <string.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

int ibv_cmd_alloc_pd(struct ibv_context *context, struct ibv_pd *pd,
		     struct ibv_alloc_pd *cmd, size_t cmd_size,
		     struct ib_uverbs_alloc_pd_resp *resp, size_t resp_size)
{
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	const struct uverbs_alias *lent =
		offered_loan(context, UVERBS_OBJECT_PD);
	struct ib_uverbs_alloc_pd core_in = { 0 };
	struct ib_uverbs_alloc_pd_resp core = { 0 };
	int ret;

	if (lent) {
		core.pd_handle = lent->handle;
		ret = take_loan(&driver);
	} else {
		/* The kernel shows importers all of it, written to or not. */
		if (driver.out_len)
			memset(driver.out, 0, driver.out_len);
		ret = invoke_write(context, IB_USER_VERBS_CMD_ALLOC_PD,
				   &core_in, sizeof(core_in), &core,
				   sizeof(core), &driver);
	}
	if (ret)
		return ret;
	give_core_reply(&driver, &core, sizeof(core));
	pd->handle = core.pd_handle;
	pd->context = context;
	return 0;
}

int ibv_cmd_dealloc_pd(struct ibv_pd *pd)
{
	static const struct destroy_method how = {
		.object = UVERBS_OBJECT_PD,
		.method = UVERBS_METHOD_PD_DESTROY,
		.handle_attr = UVERBS_ATTR_DESTROY_PD_HANDLE,
		.op = OP(dealloc_pd),
		.command = IB_USER_VERBS_CMD_DEALLOC_PD,
	};

	return destroy_handle(pd->context, &how, pd->handle);
}
