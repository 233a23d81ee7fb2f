// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which plug-in serves which kernel driver. */
#include <infiniband/ib_user_ioctl_verbs.h>

#include "doctor/doctor.h"

static const struct {
	uint32_t id;
	const char *name;
} drivers[] = {
	{ RDMA_DRIVER_MLX5, "mlx5" },
	{ RDMA_DRIVER_MLX4, "mlx4" },
	{ RDMA_DRIVER_CXGB4, "cxgb4" },
	{ RDMA_DRIVER_MTHCA, "mthca" },
	{ RDMA_DRIVER_BNXT_RE, "bnxt_re" },
	{ RDMA_DRIVER_OCRDMA, "ocrdma" },
	{ RDMA_DRIVER_I40IW, "irdma" },
	{ RDMA_DRIVER_IRDMA, "irdma" },
	{ RDMA_DRIVER_VMW_PVRDMA, "vmw_pvrdma" },
	{ RDMA_DRIVER_QEDR, "qedr" },
	{ RDMA_DRIVER_HNS, "hns" },
	{ RDMA_DRIVER_RXE, "rxe" },
	{ RDMA_DRIVER_HFI1, "hfi1verbs" },
	{ RDMA_DRIVER_QIB, "ipathverbs" },
	{ RDMA_DRIVER_EFA, "efa" },
	{ RDMA_DRIVER_SIW, "siw" },
	{ RDMA_DRIVER_ERDMA, "erdma" },
	{ RDMA_DRIVER_MANA, "mana" },
};

const char *doctor_driver_name(uint32_t driver_id)
{
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (drivers[i].id == driver_id)
			return drivers[i].name;
	return NULL;
}
