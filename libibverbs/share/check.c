// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What callers give to export, import, withdraw and list, before it is used. */
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "share/share.h"

int share_check_type(enum uverbs_default_objects type)
{
	if (type == UVERBS_OBJECT_PD || type == UVERBS_OBJECT_MR)
		return 0;
	return (unsigned int)type <= UVERBS_OBJECT_ASYNC_EVENT ? EOPNOTSUPP
							       : EINVAL;
}

int share_check_fd(uint32_t fd)
{
	return fd > INT_MAX ? EBADF : 0;
}

int share_check_file(uint32_t fd, dev_t *cdev)
{
	struct stat st;
	int ret;

	ret = share_check_fd(fd);
	if (ret)
		return ret;
	if (fstat((int)fd, &st))
		return errno;
	if (!S_ISCHR(st.st_mode))
		return EINVAL;
	*cdev = st.st_rdev;
	return 0;
}
