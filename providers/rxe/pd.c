// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Protection domains. */
#include <stdlib.h>

#include "rxe.h"

struct ibv_pd *rxe_alloc_pd(struct ibv_context *context)
{
	struct ib_uverbs_alloc_pd_resp resp = {};
	struct ibv_alloc_pd cmd = {};
	struct rxe_pd *pd;
	int ret;

	pd = new_object(struct rxe_pd);
	if (!pd) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_alloc_pd(context, &pd->ibpd, &cmd, sizeof(cmd), &resp,
			       sizeof(resp));
	if (ret) {
		free(pd);
		errno = ret;
		return NULL;
	}
	return &pd->ibpd;
}

int rxe_dealloc_pd(struct ibv_pd *ibpd)
{
	struct rxe_parent_domain *parent = to_parent_domain(ibpd);
	struct rxe_pd *pd = to_rxe_pd(ibpd);
	int ret;

	if (parent)
		return rxe_dealloc_parent_domain(parent);
	if (atomic_load(&pd->parent_domains))
		return EBUSY;
	ret = ibv_cmd_dealloc_pd(ibpd);
	if (ret)
		return ret;
	free(pd);
	return 0;
}

struct ibv_pd *rxe_import_pd(struct ibv_context *context, uint32_t handle)
{
	struct rxe_pd *pd;

	pd = new_object(struct rxe_pd);
	if (!pd) {
		errno = ENOMEM;
		return NULL;
	}
	pd->ibpd.context = context;
	pd->ibpd.handle = handle;
	return &pd->ibpd;
}

void rxe_unimport_pd(struct ibv_pd *pd)
{
	free(to_rxe_pd(pd));
}
