// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Address handles. */
#include <string.h>

#include "uverbs/request.h"

int ibv_cmd_create_ah(struct ibv_pd *pd, struct ibv_ah *ah,
		      struct ibv_ah_attr *attr,
		      struct ib_uverbs_create_ah_resp *resp, size_t resp_size)
{
	struct ib_uverbs_create_ah core_in = {
		.user_handle = (uintptr_t)ah,
		.pd_handle = pd->handle,
		.attr = {
			.grh = {
				.flow_label = attr->grh.flow_label,
				.sgid_index = attr->grh.sgid_index,
				.hop_limit = attr->grh.hop_limit,
				.traffic_class = attr->grh.traffic_class,
			},
			.dlid = attr->dlid,
			.sl = attr->sl,
			.src_path_bits = attr->src_path_bits,
			.static_rate = attr->static_rate,
			.is_global = attr->is_global,
			.port_num = attr->port_num,
		},
	};
	struct driver_data driver = DRIVER_OUT(resp, resp_size);
	struct ib_uverbs_create_ah_resp core = { 0 };
	int ret;

	memcpy(core_in.attr.grh.dgid, attr->grh.dgid.raw,
	       sizeof(core_in.attr.grh.dgid));
	ret = invoke_write(pd->context, IB_USER_VERBS_CMD_CREATE_AH, &core_in,
			   sizeof(core_in), &core, sizeof(core), &driver);
	if (ret)
		return ret;
	give_core_reply(&driver, &core, sizeof(core));
	ah->handle = core.ah_handle;
	ah->context = pd->context;
	return 0;
}

int ibv_cmd_destroy_ah(struct ibv_ah *ah)
{
	static const struct destroy_method how = {
		.object = UVERBS_OBJECT_AH,
		.method = UVERBS_METHOD_AH_DESTROY,
		.handle_attr = UVERBS_ATTR_DESTROY_AH_HANDLE,
		.op = OP(destroy_ah),
		.command = IB_USER_VERBS_CMD_DESTROY_AH,
	};

	return destroy_handle(ah->context, &how, ah->handle);
}
