// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * User contexts.  One that is opened with DEVX has a user id of its own, as with
 * the firmware; one without has 0.
 */
#include <linux/module.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/uverbs_std_types.h>
#define UVERBS_MODULE_NAME m5soft
#include <rdma/uverbs_named_ioctl.h>

#include "m5soft.h"

static void fill_response(struct mlx5_ib_alloc_ucontext_resp *resp)
{
	*resp = (struct mlx5_ib_alloc_ucontext_resp){
		.qp_tab_size = 1 << 17,
		.bf_reg_size = M5_UAR_REGISTER_SIZE,
		/* None from the start, all by UAR objects: import_context
		 * needs it to be so.
		 */
		.tot_bfregs = 0,
		.cache_line_size = 64,
		.max_sq_desc_sz = 1024,
		.max_rq_desc_sz = 512,
		.max_send_wqebb = 1 << 15,
		.max_recv_wr = 1 << 15,
		.max_srq_recv_wr = 1 << 15,
		.num_ports = 1,
		.cqe_version = 1,
		.cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_CREATE_AH,
		.log_uar_size = PAGE_SHIFT,
		.num_uars_per_page = 1,
		.response_length = sizeof(*resp),
	};
}

int m5_alloc_ucontext(struct ib_ucontext *ib, struct ib_udata *udata)
{
	struct m5_context *context = container_of(ib, struct m5_context, ib);
	struct m5_device *dev = m5_device(ib->device);
	struct mlx5_ib_alloc_ucontext_resp resp;
	struct mlx5_ib_alloc_ucontext_req_v2 req = {};
	int ret;

	ret = ib_copy_from_udata(&req, udata, min(udata->inlen, sizeof(req)));
	if (ret)
		return ret;
	if (req.flags & ~MLX5_IB_ALLOC_UCTX_DEVX)
		return -EINVAL;
	if (!(req.lib_caps & MLX5_LIB_CAP_DYN_UAR) || !req.max_cqe_version)
		return -EOPNOTSUPP;
	if (req.flags & MLX5_IB_ALLOC_UCTX_DEVX) {
		if (m5_refuse_devx) {
			M5_HAPPENED(devx_refused);
			return -EOPNOTSUPP;
		}
		ret = ida_alloc_range(&dev->uids, 1, U16_MAX, GFP_KERNEL);
		if (ret < 0)
			return ret;
		context->uid = ret;
	}
	fill_response(&resp);
	ret = ib_copy_to_udata(udata, &resp, min(udata->outlen, sizeof(resp)));
	if (ret) {
		if (context->uid)
			ida_free(&dev->uids, context->uid);
		return ret;
	}
	if (context->uid)
		M5_HAPPENED(opened_devx);
	else
		M5_HAPPENED(opened_plain);
	M5_HAPPENED(contexts);
	return 0;
}

void m5_dealloc_ucontext(struct ib_ucontext *ib)
{
	struct m5_context *context = container_of(ib, struct m5_context, ib);

	WARN(atomic_read(&context->objects),
	     "a context goes before its objects");
	if (context->uid)
		ida_free(&m5_device(ib->device)->uids, context->uid);
	M5_GONE(contexts);
}

/* Its UAR pages have references of their own: nothing to take away. */
void m5_disassociate_ucontext(struct ib_ucontext *ib)
{
}

/* For a process that imports the context */
int m5_query_ucontext(struct ib_ucontext *ib, struct uverbs_attr_bundle *attrs)
{
	struct mlx5_ib_alloc_ucontext_resp resp;

	fill_response(&resp);
	return uverbs_copy_to_struct_or_zero(
		attrs, MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX, &resp,
		sizeof(resp));
}

ADD_UVERBS_ATTRIBUTES_SIMPLE(
	m5_query_context, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT,
	UVERBS_ATTR_PTR_OUT(
		MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX,
		UVERBS_ATTR_STRUCT(struct mlx5_ib_alloc_ucontext_resp,
				   dump_fill_mkey),
		UA_MANDATORY));

const struct uapi_definition m5_context_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_DEVICE, &m5_query_context),
	{},
};
