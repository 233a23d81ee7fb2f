// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Address handles: libmlx5 has all of an address in memory, but for the MAC
 * address, which it asks for.
 */
#include <rdma/mlx5-abi.h>

#include "m5soft.h"

int m5_create_ah(struct ib_ah *ib, struct rdma_ah_init_attr *init,
		 struct ib_udata *udata)
{
	struct mlx5_ib_create_ah_resp resp = {
		.response_length = sizeof(resp),
	};
	int ret;

	if (!udata || init->ah_attr->type != RDMA_AH_ATTR_TYPE_ROCE)
		return -EOPNOTSUPP;
	memcpy(resp.dmac, init->ah_attr->roce.dmac, sizeof(resp.dmac));
	ret = ib_copy_to_udata(udata, &resp, min(udata->outlen, sizeof(resp)));
	if (ret)
		return ret;
	M5_HAPPENED(ahs);
	return 0;
}

int m5_destroy_ah(struct ib_ah *ib, u32 flags)
{
	M5_GONE(ahs);
	return 0;
}
