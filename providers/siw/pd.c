// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Protection domains: to siw, a handle and nothing else. */
#include <stdlib.h>

#include "siw.h"

struct ibv_pd *siw_alloc_pd(struct ibv_context *context)
{
	struct ib_uverbs_alloc_pd_resp resp = {};
	struct ibv_alloc_pd cmd = {};
	struct ibv_pd *pd;
	int ret;

	pd = new_object(struct ibv_pd);
	if (!pd) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_alloc_pd(context, pd, &cmd, sizeof(cmd), &resp,
			       sizeof(resp));
	if (ret) {
		free(pd);
		errno = ret;
		return NULL;
	}
	return pd;
}

int siw_dealloc_pd(struct ibv_pd *pd)
{
	int ret;

	ret = ibv_cmd_dealloc_pd(pd);
	if (ret)
		return ret;
	free(pd);
	return 0;
}

struct ibv_pd *siw_import_pd(struct ibv_context *context, uint32_t handle)
{
	struct ibv_pd *pd;

	pd = new_object(struct ibv_pd);
	if (!pd) {
		errno = ENOMEM;
		return NULL;
	}
	siw_expect_foreign_memory(context);
	pd->context = context;
	pd->handle = handle;
	return pd;
}

void siw_unimport_pd(struct ibv_pd *pd)
{
	free(pd);
}
