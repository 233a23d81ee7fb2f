// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* IBVERBS_1.0: protection domains, memory regions, address handles. */
#include <stdlib.h>

#include "compat/abi_1_0.h"

COMPAT_1_0(struct ibv_pd_1_0 *, ibv_alloc_pd, struct ibv_context_1_0 *context)
{
	struct ibv_pd_1_0 *pd = calloc(1, sizeof(*pd));

	if (!pd)
		return NULL;
	pd->real_pd = ibv_alloc_pd(context->real_context);
	if (!pd->real_pd) {
		free(pd);
		return NULL;
	}
	pd->context = context;
	return pd;
}

COMPAT_1_0(int, ibv_dealloc_pd, struct ibv_pd_1_0 *pd)
{
	int ret = ibv_dealloc_pd(pd->real_pd);

	if (!ret)
		free(pd);
	return ret;
}

COMPAT_1_0(struct ibv_mr_1_0 *, ibv_reg_mr, struct ibv_pd_1_0 *pd, void *addr,
	   size_t length, int access)
{
	struct ibv_mr_1_0 *mr = calloc(1, sizeof(*mr));

	if (!mr)
		return NULL;
	mr->real_mr = (ibv_reg_mr)(pd->real_pd, addr, length, access);
	if (!mr->real_mr) {
		free(mr);
		return NULL;
	}
	mr->context = pd->context;
	mr->pd = pd;
	mr->lkey = mr->real_mr->lkey;
	mr->rkey = mr->real_mr->rkey;
	return mr;
}

COMPAT_1_0(int, ibv_dereg_mr, struct ibv_mr_1_0 *mr)
{
	int ret = ibv_dereg_mr(mr->real_mr);

	if (!ret)
		free(mr);
	return ret;
}

COMPAT_1_0(struct ibv_ah_1_0 *, ibv_create_ah, struct ibv_pd_1_0 *pd,
	   struct ibv_ah_attr *attr)
{
	struct ibv_ah_1_0 *ah = calloc(1, sizeof(*ah));

	if (!ah)
		return NULL;
	ah->real_ah = ibv_create_ah(pd->real_pd, attr);
	if (!ah->real_ah) {
		free(ah);
		return NULL;
	}
	ah->context = pd->context;
	ah->pd = pd;
	return ah;
}

COMPAT_1_0(int, ibv_destroy_ah, struct ibv_ah_1_0 *ah)
{
	int ret = ibv_destroy_ah(ah->real_ah);

	if (!ret)
		free(ah);
	return ret;
}
