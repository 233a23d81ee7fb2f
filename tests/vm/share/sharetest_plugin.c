// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A provider for the device of ../kernel/device, as small as a provider can be:
 * it knows nothing of sharing, and has a PD number in the driver's part of the
 * reply to alloc_pd, as mlx4 and others have.
 */
#include <errno.h>
#include <stdlib.h>

#include <driver.h>

#include "sharetest_plugin.h"

struct context {
	struct verbs_context vctx;
};

static struct ibv_pd *alloc_pd(struct ibv_context *context)
{
	struct sharetest_pd *pd = calloc(1, sizeof(*pd));
	struct ibv_alloc_pd cmd = { 0 };
	struct {
		struct ib_uverbs_alloc_pd_resp core;
		uint32_t number;
	} resp = { .number = 0 };
	int ret;

	if (!pd) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_alloc_pd(context, &pd->ibv_pd, &cmd, sizeof(cmd),
			       &resp.core, sizeof(resp));
	if (ret) {
		free(pd);
		errno = ret;
		return NULL;
	}
	pd->number = resp.number;
	return &pd->ibv_pd;
}

static int dealloc_pd(struct ibv_pd *pd)
{
	int ret = ibv_cmd_dealloc_pd(pd);

	if (!ret)
		free(pd);
	return ret;
}

static struct ibv_mr *reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			     uint64_t iova, int access)
{
	struct verbs_mr *mr = calloc(1, sizeof(*mr));
	struct ib_uverbs_reg_mr_resp resp;
	struct ibv_reg_mr cmd = { 0 };
	int ret;

	if (!mr) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_reg_mr(pd, addr, length, iova, access, mr, &cmd,
			     sizeof(cmd), &resp, sizeof(resp));
	if (ret) {
		free(mr);
		errno = ret;
		return NULL;
	}
	return &mr->ibv_mr;
}

static int rereg_mr(struct verbs_mr *mr, int flags, struct ibv_pd *pd,
		    void *addr, size_t length, int access)
{
	struct ib_uverbs_rereg_mr_resp resp;
	struct ibv_rereg_mr cmd = { 0 };

	return ibv_cmd_rereg_mr(mr, flags, addr, length, (uintptr_t)addr,
				access, pd, &cmd, sizeof(cmd), &resp,
				sizeof(resp));
}

static int dereg_mr(struct verbs_mr *mr)
{
	int ret = ibv_cmd_dereg_mr(mr);

	if (!ret)
		free(mr);
	return ret;
}

/* Never called; the tests look whose it is. */
static int poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	(void)cq;
	(void)n;
	(void)wc;
	return -1;
}

static void free_context(struct ibv_context *ibv)
{
	struct verbs_context *vctx =
		(void *)((char *)ibv - offsetof(struct verbs_context, context));

	verbs_uninit_context(vctx);
	free(vctx);
}

static const struct verbs_context_ops ops = {
	.alloc_pd = alloc_pd,
	.dealloc_pd = dealloc_pd,
	.reg_mr = reg_mr,
	.rereg_mr = rereg_mr,
	.dereg_mr = dereg_mr,
	.poll_cq = poll_cq,
	.free_context = free_context,
};

static struct verbs_context *alloc_context(struct ibv_device *device,
					   int cmd_fd, void *private_data)
{
	struct ib_uverbs_get_context_resp resp;
	struct ibv_get_context cmd = { 0 };
	struct context *context = NULL;

	(void)private_data;
	context = verbs_init_and_alloc_context(device, cmd_fd, context, vctx,
					       RDMA_DRIVER_UNKNOWN);
	if (!context)
		return NULL;
	if (ibv_cmd_get_context(&context->vctx, &cmd, sizeof(cmd), &resp,
				sizeof(resp))) {
		verbs_uninit_context(&context->vctx);
		free(context);
		return NULL;
	}
	verbs_set_ops(&context->vctx, &ops);
	return &context->vctx;
}

static struct verbs_device *alloc_device(struct verbs_sysfs_dev *sysfs_dev)
{
	(void)sysfs_dev;
	return calloc(1, sizeof(struct verbs_device));
}

static void uninit_device(struct verbs_device *device)
{
	free(device);
}

static const struct verbs_match_ent match_table[] = {
	VERBS_NAME_MATCH("sharetest", NULL),
	{ .kind = VERBS_MATCH_SENTINEL },
};

static const struct verbs_device_ops device_ops = {
	.name = "sharetest",
	.match_min_abi_version = 0,
	.match_max_abi_version = 1,
	.match_table = match_table,
	.alloc_context = alloc_context,
	.alloc_device = alloc_device,
	.uninit_device = uninit_device,
};
PROVIDER_DRIVER(sharetest, device_ops);
