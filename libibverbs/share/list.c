// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What a file has, for somebody who was given no more than its descriptor. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <infiniband/share.h>
#include <rdma/ib_user_ioctl_verbs.h>

#include "device/device_list.h"
#include "share/share.h"
#include "util/sysfs.h"

/*
 * Where the kernel puts the nodes of its first 32 uverbs devices: a file there
 * of which sysfs does not know is of one that has gone.
 */
#define UVERBS_MAJOR 231
#define UVERBS_FIRST_MINOR 192
#define UVERBS_MINORS 32

static int check_type(enum uverbs_default_objects type)
{
	switch (type) {
	/* The kernel's numbers of these are another process's descriptors. */
	case UVERBS_OBJECT_COMP_CHANNEL:
	case UVERBS_OBJECT_ASYNC_EVENT:
	/* ... and this one is none: the methods that need no object. */
	case UVERBS_OBJECT_DEVICE:
		return EOPNOTSUPP;
	default:
		return (unsigned int)type <= UVERBS_OBJECT_ASYNC_EVENT ? 0
								       : EINVAL;
	}
}

static bool has_gone(dev_t cdev)
{
	char path[IBV_SYSFS_PATH_MAX + 64];

	if (major(cdev) != UVERBS_MAJOR ||
	    minor(cdev) - UVERBS_FIRST_MINOR >= UVERBS_MINORS)
		return false;
	snprintf(path, sizeof(path), "%s/dev/char/%u:%u", ibv_get_sysfs_path(),
		 major(cdev), minor(cdev));
	return access(path, F_OK) && errno == ENOENT;
}

/* Some drivers' number is told by nobody but their provider, to a context. */
static int ask_provider(struct verbs_device *vdev, uint32_t *driver_id)
{
	struct ibv_context *context;

	errno = 0;
	context = ibv_open_device(&vdev->device);
	if (!context)
		return errno ? errno : EIO;
	*driver_id = get_priv(context)->driver_id;
	ibv_close_device(context);
	return 0;
}

/* The kernel wants to hear with each command which driver it is meant for. */
static int find_driver_id(dev_t cdev, uint32_t *driver_id)
{
	struct verbs_device *vdev = find_device(cdev);
	int ret = 0;

	if (!vdev && errno != ENODEV)
		return errno;
	if (!vdev)
		return has_gone(cdev) ? EIO : EINVAL;
	*driver_id = vdev->sysfs->driver_id;
	if (*driver_id == RDMA_DRIVER_UNKNOWN)
		ret = ask_provider(vdev, driver_id);
	put_device(vdev);
	return ret;
}

static int list_objects(uint32_t fd, enum uverbs_default_objects type,
			uint32_t *handles, uint32_t *count)
{
	uint32_t driver_id = 0, total = 0, *all;
	dev_t cdev = 0;
	int ret;

	if (!count)
		return EINVAL;
	ret = check_type(type);
	if (!ret)
		ret = share_check_file(fd, &cdev);
	if (!ret)
		ret = find_driver_id(cdev, &driver_id);
	if (ret)
		return ret;

	/* The kernel counts no further than to the end of the list's room. */
	all = malloc(UVERBS_LIST_MAX * sizeof(*all));
	if (!all)
		return ENOMEM;
	ret = uverbs_list_handles(fd, driver_id, type, all, &total);
	if (!ret && total == UVERBS_LIST_MAX)
		ret = EOVERFLOW;
	if (!ret) {
		if (handles && total > *count)
			ret = ENOSPC;
		else if (handles)
			memcpy(handles, all, total * sizeof(*all));
		*count = total;
	}
	free(all);
	return ret;
}

/**
 * ibv_list_objects - the handles of a file's objects
 * @fd: the command file of any context (ibv_context_to_fd()), in most cases an
 *	export context's that another process has sent.  Stays the caller's.
 * @type: UVERBS_OBJECT_PD, UVERBS_OBJECT_MR or another type of objects with
 *	handles
 * @handles: where the handles go, in no particular order; NULL: only how many
 *	there are is asked
 * @count: in: for how many handles there is room (ignored if handles is NULL);
 *	out, with result 0 or ENOSPC: how many there are
 *
 * For what other processes do at the same time the result is a snapshot: a
 * handle in it may be gone, and even be another object's, when it is used.  The
 * list is whole or not at all.  A file in which no context was made has no
 * objects.  Kernels without export and import list, too.
 *
 * Returns 0 or an errno value, which is in errno too:
 * ENOSPC	more handles than room: *count says how many, handles is
 *		untouched; make room and ask again
 * EOVERFLOW	16383 or more, which is more than the kernel can list
 * EINVAL	count is NULL, type is no object type, or fd is not of an RDMA
 *		device that this process has a plug-in for
 * EBADF	fd is not open
 * EOPNOTSUPP	objects of that type have no handles, or the kernel has no such
 *		objects
 * EIO		the device is gone
 * EPROTO	the kernel's reply is absurd
 * ENOMEM	out of memory
 * EMFILE, ENFILE	no descriptor left to look for the device with
 * and those of ibv_open_device(), if the kernel does not tell the driver.
 * But for ENOSPC a failure leaves *count and handles as they were.
 *
 * Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
int ibv_list_objects(uint32_t fd, enum uverbs_default_objects type,
		     uint32_t *handles, uint32_t *count)
{
	int ret = list_objects(fd, type, handles, count);

	if (ret)
		errno = ret;
	return ret;
}
