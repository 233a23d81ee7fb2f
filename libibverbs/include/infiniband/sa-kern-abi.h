/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Old names of the kernel's path record.
 */
#ifndef INFINIBAND_SA_KERN_ABI_H
#define INFINIBAND_SA_KERN_ABI_H

#warning "infiniband/sa-kern-abi.h is obsolete: use rdma/ib_user_sa.h"

#include <rdma/ib_user_sa.h>

#define ib_kern_path_rec ib_user_path_rec
#define ibv_kern_path_rec ib_user_path_rec

#endif
