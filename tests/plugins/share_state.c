// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Plug-ins' own state: see share_state.h. */
#include <dlfcn.h>
#include <endian.h>
#include <string.h>

#include <infiniband/mlx5dv.h>
#include <rdma/hns-abi.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/vmw_pvrdma-abi.h>

#include "check.h"
#include "share_state.h"

/* The rest of the word is the port, which is 1. */
#define PORT_PD(_pdn) ((_pdn) | 1 << 24)

void check_direct_pd(const struct plugin *plugin, struct ibv_pd *pd,
		     uint32_t pdn)
{
	int (*init_obj)(struct mlx5dv_obj * obj, uint64_t type);
	struct mlx5dv_pd out = { 0 };
	struct mlx5dv_obj obj = { .pd = { .in = pd, .out = &out } };
	void *library;

	if (plugin->driver_id != RDMA_DRIVER_MLX5)
		return;
	library = dlopen(PLUGIN_DIR "/libmlx5-rdmav34.so",
			 RTLD_NOW | RTLD_NOLOAD);
	CHECK(library);
	init_obj = dlsym(library, "mlx5dv_init_obj");
	CHECK(init_obj);
	CHECK_INT(init_obj(&obj, MLX5DV_OBJ_PD), 0);
	CHECK_INT(out.pdn, pdn);
	dlclose(library);
}

void check_address_vector(const struct plugin *plugin, struct ibv_ah *ah,
			  uint32_t pdn)
{
	const void *own = ah + 1; /* the plug-in's part of the struct */
	uint32_t port_pd;

	switch (plugin->driver_id) {
	case RDMA_DRIVER_MLX4:
		memcpy(&port_pd, own, sizeof(port_pd));
		port_pd = be32toh(port_pd);
		break;
	case RDMA_DRIVER_MTHCA:
		port_pd = be32toh(**(const uint32_t *const *)own);
		break;
	case RDMA_DRIVER_VMW_PVRDMA:
		port_pd = ((const struct pvrdma_av *)own)->port_pd;
		break;
	default:
		return;
	}
	CHECK_INT(port_pd, PORT_PD(pdn));
}

void check_send_queue(const void *request, uint32_t pdn, bool is)
{
	const struct hns_roce_ib_create_qp *create = request;
	const uint32_t *words = (const uint32_t *)(uintptr_t)create->buf_addr;
	/* It is the low part of a word; more than one page has no QP here. */
	const uint32_t mask = 0xffffff;
	bool found = false;

	for (size_t i = 0; i < 4096 / sizeof(*words); i++)
		found |= (words[i] & mask) == (pdn & mask);
	CHECK(found == is);
}
