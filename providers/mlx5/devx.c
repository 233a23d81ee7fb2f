// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* DEVX in requests of libmlx5: see devx.h. */
#include <string.h>

#include <linux/types.h>
#include <rdma/mlx5-abi.h>

#include "mlx5/devx.h"

bool mlx5_asks_for_devx(const void *request, size_t len)
{
	/* Requests of older forms are shorter; the first form has no flags. */
	struct mlx5_ib_alloc_ucontext_req_v2 known = { 0 };

	memcpy(&known, request, len < sizeof(known) ? len : sizeof(known));
	return known.flags & MLX5_IB_ALLOC_UCTX_DEVX;
}
