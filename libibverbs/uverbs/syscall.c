// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The one system call of the library on a uverbs file. */
#include <sys/ioctl.h>

#include <rdma/rdma_user_ioctl_cmds.h>

#include "uverbs/uverbs.h"

int uverbs_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	return ioctl(fd, RDMA_VERBS_IOCTL, hdr);
}
