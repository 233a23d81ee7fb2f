/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Constants and structs that verbs hands to the kernel unchanged.  They are the
 * kernel's own, so they are taken from its header: there is one definition of
 * each, and either header may be included first, or both, of whatever version.
 */
#ifndef INFINIBAND_IB_USER_IOCTL_VERBS_H
#define INFINIBAND_IB_USER_IOCTL_VERBS_H

#include <rdma/ib_user_ioctl_verbs.h>

/*
 * Member of enum rdma_driver_id in Linux 6.2 and later.  As a macro, defined
 * after the enum, it is the same number next to an enumerator or without.
 */
#ifdef __cplusplus
#define RDMA_DRIVER_MANA ((enum rdma_driver_id)20)
#else
#define RDMA_DRIVER_MANA 20
#endif

#endif
