// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Taking back what was exported and has no struct in any process. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <infiniband/share.h>

#include "share/share.h"
#include "util/sysfs.h"

static bool is_uverbs(dev_t cdev)
{
	char path[IBV_SYSFS_PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/dev/char/%u:%u/ibdev",
		 ibv_get_sysfs_path(), major(cdev), minor(cdev));
	return !access(path, F_OK);
}

/*
 * Export and import leave this to the kernel, which looks at both files.  Here
 * the command goes to fd itself: to another kind of file it may mean anything,
 * and with the number of another driver it may be refused.
 */
static int check_file(struct ibv_context *context, uint32_t fd)
{
	struct stat own;
	dev_t cdev = 0;
	int ret;

	ret = share_check_file(fd, &cdev);
	if (ret)
		return ret;
	if (fstat(context->cmd_fd, &own))
		return errno;
	if (cdev == own.st_rdev)
		return 0;
	return is_uverbs(cdev) ? EXDEV : EINVAL;
}

static int withdraw(struct ibv_context *context, uint32_t fd,
		    enum uverbs_default_objects type, uint32_t handle)
{
	int ret;

	if (!context)
		return EINVAL;
	ret = share_check_type(type);
	if (!ret)
		ret = check_file(context, fd);
	return ret ? ret : uverbs_withdraw(context, fd, type, handle);
}

/**
 * ibv_withdraw - destroy an alias that an export made in another context
 * @context: any context of the caller's on the same device
 * @fd: the command file that has the alias: the fd of the export.  Stays the
 *	caller's.
 * @type: UVERBS_OBJECT_PD or UVERBS_OBJECT_MR
 * @handle: the alias's handle in that file: the new_handle of the export
 *
 * From then on nobody can import the object from there.  Who has imported it
 * keeps it: all aliases are equal.  If this was the last one the object goes.
 *
 * The handle must be one for which no process has a struct: a struct whose
 * handle is withdrawn refers to nothing, and later to whatever object gets the
 * number next.  An imported or allocated object is destroyed by
 * ibv_dealloc_pd() and ibv_dereg_mr().
 *
 * Returns 0 or an errno value, which is in errno too; on failure the alias is
 * still there:
 * EINVAL	context is NULL, type is no object type, fd is not of an RDMA
 *		device, or the handle is of another type
 * EOPNOTSUPP	objects of that type cannot be exported, or the kernel has no
 *		such command
 * EBADF	fd is not open
 * ENOENT	no such handle in that file
 * EXDEV	fd is of another device
 * EBUSY	objects that were created in that file use the PD, or a memory
 *		window the MR, of which this is the last alias (EINVAL from some
 *		drivers); or another command has the object locked
 * EIO		the device is gone
 *
 * Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
int ibv_withdraw(struct ibv_context *context, uint32_t fd,
		 enum uverbs_default_objects type, uint32_t handle)
{
	int ret = withdraw(context, fd, type, handle);

	if (ret)
		errno = ret;
	return ret;
}
