// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Devices and contexts: where the library meets the provider. */
#include <rdma/ib_user_ioctl_verbs.h>

#include "rxe.h"

static const struct verbs_context_ops context_ops = {
	.alloc_mw = rxe_alloc_mw,
	.alloc_parent_domain = rxe_alloc_parent_domain,
	.alloc_pd = rxe_alloc_pd,
	.alloc_td = rxe_alloc_td,
	.attach_mcast = ibv_cmd_attach_mcast,
	.bind_mw = rxe_bind_mw,
	.create_ah = rxe_create_ah,
	.create_cq = rxe_create_cq,
	.create_cq_ex = rxe_create_cq_ex,
	.create_qp = rxe_create_qp,
	.create_qp_ex = rxe_create_qp_ex,
	.create_srq = rxe_create_srq,
	.create_srq_ex = rxe_create_srq_ex,
	.dealloc_mw = rxe_dealloc_mw,
	.dealloc_pd = rxe_dealloc_pd,
	.dealloc_td = rxe_dealloc_td,
	.dereg_mr = common_dereg_mr,
	.destroy_ah = rxe_destroy_ah,
	.destroy_cq = rxe_destroy_cq,
	.destroy_qp = rxe_destroy_qp,
	.destroy_srq = rxe_destroy_srq,
	.detach_mcast = ibv_cmd_detach_mcast,
	.free_context = common_free_context,
	.import_mr = common_import_mr,
	.import_pd = rxe_import_pd,
	.modify_qp = rxe_modify_qp,
	.modify_srq = rxe_modify_srq,
	.poll_cq = rxe_poll_cq,
	.post_recv = rxe_post_recv,
	.post_send = rxe_post_send,
	.post_srq_recv = rxe_post_srq_recv,
	.query_device_ex = common_query_device_ex,
	.query_port = common_query_port,
	.query_qp = rxe_query_qp,
	.query_srq = common_query_srq,
	.reg_mr = rxe_reg_mr,
	.req_notify_cq = ibv_cmd_req_notify_cq,
	.rereg_mr = rxe_rereg_mr,
	.resize_cq = rxe_resize_cq,
	.unimport_mr = common_unimport_mr,
	.unimport_pd = rxe_unimport_pd,
};

/* A context whose kernel half is yet to be asked for; owns cmd_fd. */
static struct verbs_context *new_context(struct ibv_device *device, int cmd_fd)
{
	struct rxe_context *context;

	context = verbs_init_and_alloc_context(device, cmd_fd, context, vctx,
					       RDMA_DRIVER_RXE);
	if (!context)
		return NULL;
	verbs_set_ops(&context->vctx, &context_ops);
	return &context->vctx;
}

static struct verbs_context *alloc_context(struct ibv_device *device,
					   int cmd_fd, void *private_data)
{
	struct ib_uverbs_get_context_resp resp = {};
	struct ibv_get_context cmd = {};
	struct verbs_context *context;
	int ret;

	(void)private_data;
	context = new_context(device, cmd_fd);
	if (!context)
		return NULL;
	ret = ibv_cmd_get_context(context, &cmd, sizeof(cmd), &resp,
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
	return common_finish_context(context,
				     common_query_context(&context->context));
}

/* Kernels before netlink told driver ids can only be known by name. */
static const struct verbs_match_ent match_table[] = {
	VERBS_DRIVER_ID(RDMA_DRIVER_RXE),
	VERBS_NAME_MATCH("rxe", NULL),
	{},
};

static const struct verbs_device_ops rxe_device_ops = {
	.name = "rxe",
	.match_min_abi_version = 1,
	.match_max_abi_version = 2,
	.match_table = match_table,
	.alloc_context = alloc_context,
	.import_context = import_context,
	.alloc_device = common_alloc_device,
	.uninit_device = common_uninit_device,
};
PROVIDER_DRIVER(rxe, rxe_device_ops);
