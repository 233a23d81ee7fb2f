// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Registering memory, here or in another process; the rest is common. */
#include <stdlib.h>

#include "siw.h"

DRIVER_REPLY(reg_mr, ib_uverbs_reg_mr_resp, siw_uresp_reg_mr);

struct reg_mr_request {
	struct ibv_reg_mr core;
	struct siw_ureq_reg_mr driver;
};
_Static_assert(offsetof(struct reg_mr_request, driver) ==
		       sizeof(struct ibv_reg_mr),
	       "hole before the driver's part of the request");

struct ibv_mr *siw_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			  uint64_t hca_va, int access)
{
	struct reg_mr_reply resp = {};
	struct reg_mr_request cmd = {};
	struct verbs_mr *vmr;
	int ret;

	/*
	 * The kernel knows a region by its address in the process that made it
	 * and takes no notice of another: better to say so.
	 */
	if (hca_va != (uintptr_t)addr) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	vmr = new_object(struct verbs_mr);
	if (!vmr) {
		errno = ENOMEM;
		return NULL;
	}
	/*
	 * The key, the low byte of lkey and rkey, stays 0: the kernel draws
	 * the rest at random.  What it replies is in lkey and rkey already.
	 */
	ret = ibv_cmd_reg_mr(pd, addr, length, hca_va, access, vmr, &cmd.core,
			     sizeof(cmd), &resp.core, sizeof(resp));
	if (ret) {
		free(vmr);
		errno = ret;
		return NULL;
	}
	return &vmr->ibv_mr;
}

void siw_expect_foreign_memory(struct ibv_context *context)
{
	__atomic_store_n(&to_siw_context(context)->foreign_memory, true,
			 __ATOMIC_RELAXED);
}

struct ibv_mr *siw_import_mr(struct ibv_pd *pd, uint32_t handle)
{
	siw_expect_foreign_memory(pd->context);
	return common_import_mr(pd, handle);
}
