// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Devices and contexts: where the library meets the provider. */
#include <rdma/ib_user_ioctl_verbs.h>

#include "siw.h"

DRIVER_REPLY(get_context, ib_uverbs_get_context_resp, siw_uresp_alloc_ctx);

static const struct verbs_context_ops context_ops = {
	.alloc_pd = siw_alloc_pd,
	.create_cq = siw_create_cq,
	.create_qp = siw_create_qp,
	.create_srq = siw_create_srq,
	.dealloc_pd = siw_dealloc_pd,
	.dereg_mr = common_dereg_mr,
	.destroy_cq = siw_destroy_cq,
	.destroy_qp = siw_destroy_qp,
	.destroy_srq = siw_destroy_srq,
	.free_context = common_free_context,
	.import_mr = siw_import_mr,
	.import_pd = siw_import_pd,
	.modify_qp = siw_modify_qp,
	.modify_srq = siw_modify_srq,
	.poll_cq = siw_poll_cq,
	.post_recv = siw_post_recv,
	.post_send = siw_post_send,
	.post_srq_recv = siw_post_srq_recv,
	.query_device_ex = common_query_device_ex,
	.query_port = common_query_port,
	.query_qp = siw_query_qp,
	.query_srq = common_query_srq,
	.reg_mr = siw_reg_mr,
	.req_notify_cq = siw_req_notify_cq,
	.unimport_mr = common_unimport_mr,
	.unimport_pd = siw_unimport_pd,
};

/* A context whose kernel half is yet to be asked for; owns cmd_fd. */
static struct verbs_context *new_context(struct ibv_device *device, int cmd_fd)
{
	struct siw_context *context;

	context = verbs_init_and_alloc_context(device, cmd_fd, context, vctx,
					       RDMA_DRIVER_SIW);
	if (!context)
		return NULL;
	verbs_set_ops(&context->vctx, &context_ops);
	return &context->vctx;
}

static struct verbs_context *alloc_context(struct ibv_device *device,
					   int cmd_fd, void *private_data)
{
	/* The driver tells a device number that nobody needs, but must. */
	struct get_context_reply resp = {};
	struct ibv_get_context cmd = {};
	struct verbs_context *context;
	int ret;

	(void)private_data;
	context = new_context(device, cmd_fd);
	if (!context)
		return NULL;
	ret = ibv_cmd_get_context(context, &cmd, sizeof(cmd), &resp.core,
				  sizeof(resp));
	return common_finish_context(context, ret);
}

static struct verbs_context *import_context(struct ibv_device *device,
					    int cmd_fd)
{
	struct verbs_context *context;

	context = new_context(device, cmd_fd);
	if (!context)
		return NULL;
	siw_expect_foreign_memory(&context->context);
	return common_finish_context(context,
				     common_query_context(&context->context));
}

static const struct verbs_match_ent match_table[] = {
	VERBS_DRIVER_ID(RDMA_DRIVER_SIW),
	{},
};

static const struct verbs_device_ops siw_device_ops = {
	.name = "siw",
	.match_min_abi_version = SIW_ABI_VERSION,
	.match_max_abi_version = SIW_ABI_VERSION,
	.match_table = match_table,
	.alloc_context = alloc_context,
	.import_context = import_context,
	.alloc_device = common_alloc_device,
	.uninit_device = common_uninit_device,
};
PROVIDER_DRIVER(siw, siw_device_ops);
