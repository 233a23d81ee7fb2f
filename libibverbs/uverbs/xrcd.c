// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* XRC domains. */
#include <errno.h>

#include "uverbs/request.h"

int ibv_cmd_open_xrcd(struct ibv_context *context, struct verbs_xrcd *xrcd,
		      int vxrcd_size, struct ibv_xrcd_init_attr *attr,
		      struct ibv_open_xrcd *cmd, size_t cmd_size,
		      struct ib_uverbs_open_xrcd_resp *resp, size_t resp_size)
{
	const uint32_t need = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
	const struct ib_uverbs_open_xrcd core_in = {
		.fd = attr->fd,
		.oflags = attr->oflags,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	struct ib_uverbs_open_xrcd_resp core = { 0 };
	int ret;

	if (attr->comp_mask >= IBV_XRCD_INIT_ATTR_RESERVED)
		return EOPNOTSUPP;
	if ((attr->comp_mask & need) != need)
		return EINVAL;

	ret = invoke_write(context, IB_USER_VERBS_CMD_OPEN_XRCD, &core_in,
			   sizeof(core_in), &core, sizeof(core), &driver);
	if (ret)
		return ret;
	give_core_reply(&driver, &core, sizeof(core));
	xrcd->xrcd.context = context;
	xrcd->comp_mask = 0;
	/* Smaller is a provider from before the struct had a handle. */
	if (vxrcd_size > (int)offsetof(struct verbs_xrcd, handle)) {
		xrcd->handle = core.xrcd_handle;
		xrcd->comp_mask = VERBS_XRCD_HANDLE;
	}
	return 0;
}

int ibv_cmd_close_xrcd(struct verbs_xrcd *xrcd)
{
	static const struct destroy_method how = {
		.object = UVERBS_OBJECT_XRCD,
		.method = UVERBS_METHOD_XRCD_DESTROY,
		.handle_attr = UVERBS_ATTR_DESTROY_XRCD_HANDLE,
		.op = OP(close_xrcd),
		.command = IB_USER_VERBS_CMD_CLOSE_XRCD,
	};

	return destroy_handle(xrcd->xrcd.context, &how, xrcd->handle);
}
