// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory regions that are a struct verbs_mr and no more. */
#include <errno.h>
#include <stdlib.h>

#include "common.h"

int common_dereg_mr(struct verbs_mr *vmr)
{
	int ret;

	ret = ibv_cmd_dereg_mr(vmr);
	if (ret)
		return ret;
	free(vmr);
	return 0;
}

struct ibv_mr *common_import_mr(struct ibv_pd *pd, uint32_t handle)
{
	struct verbs_mr *vmr;
	int ret;

	vmr = new_object(struct verbs_mr);
	if (!vmr) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_query_mr(pd, vmr, handle);
	if (ret) {
		free(vmr);
		errno = ret;
		return NULL;
	}
	return &vmr->ibv_mr;
}

void common_unimport_mr(struct ibv_mr *mr)
{
	free(provider_container(mr, struct verbs_mr, ibv_mr));
}
