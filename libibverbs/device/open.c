// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Opening and closing devices. */
#include <errno.h>
#include <sys/stat.h>

#include <infiniband/share.h>

#include "device/chardev.h"
#include "device/context_ops.h"
#include "device/device_list.h"
#include "device/shareable.h"
#include "priv.h"
#include "uverbs/uverbs.h"

/* The library's part of what the provider has opened; closes it on failure. */
static struct ibv_context *complete_context(struct verbs_context *vctx)
{
	struct ibv_context *context = &vctx->context;
	int ret;

	set_library_slots(vctx);
	if (!verbs_get_device(context->device)->sysfs ||
	    context->async_fd != -1)
		return context;

	ret = uverbs_alloc_async_fd(context, &context->async_fd);
	if (ret) {
		ibv_close_device(context);
		errno = ret;
		return NULL;
	}
	return context;
}

/**
 * verbs_open_device - Open a device with data for its provider
 * @private_data: handed to the provider's alloc_context as it is
 *
 * Returns NULL with errno on failure.  Thread-safe.
 */
struct ibv_context *verbs_open_device(struct ibv_device *device,
				      void *private_data)
{
	struct verbs_device *vdev = verbs_get_device(device);
	struct verbs_context *vctx;
	int cmd_fd = -1;

	if (vdev->sysfs) {
		cmd_fd = open_chardev(vdev->sysfs->sysfs_name,
				      vdev->sysfs->sysfs_cdev);
		if (cmd_fd < 0)
			return NULL;
	}
	vctx = vdev->ops->alloc_context(device, cmd_fd, private_data);
	return vctx ? complete_context(vctx) : NULL;
}

/**
 * ibv_open_device - Open a device
 *
 * With IBV_SHARE_NO_DEVX in the environment, and not "0", it is
 * ibv_open_device_shareable(); programs that are run with more privileges than
 * their caller has take no notice of that.
 *
 * Returns a context, to be closed by ibv_close_device(), or NULL with errno.
 * The device stays valid while the context is open.  Thread-safe.  Since
 * IBVERBS_1.1.
 */
struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	if (environment_wants_shareable())
		return ibv_open_device_shareable(device);
	return verbs_open_device(device, NULL);
}

static struct verbs_context *import_context(dev_t cdev, int cmd_fd)
{
	struct verbs_device *vdev = find_device(cdev);
	struct verbs_context *vctx = NULL;
	int err;

	if (!vdev)
		return NULL;
	if (vdev->ops->import_context)
		vctx = vdev->ops->import_context(&vdev->device, cmd_fd);
	else
		errno = EOPNOTSUPP;

	err = errno;
	put_device(vdev);
	errno = err;
	return vctx;
}

/**
 * ibv_import_device - A context on a device file that is open already
 * @cmd_fd: descriptor of the file, usually received from another process;
 *          belongs to the context on success.  On failure the provider
 *          may have closed it already: pass a duplicate to be sure
 *
 * The context shares all objects of the file.  The device's node need not be
 * there.  Returns NULL with errno on failure: EINVAL: no character device;
 * ENODEV: no RDMA device of this machine; EOPNOTSUPP: its provider cannot;
 * EMFILE, ENFILE: no descriptor to look with.  Thread-safe.
 * Since IBVERBS_1.10.
 */
struct ibv_context *ibv_import_device(int cmd_fd)
{
	struct verbs_context *vctx;
	struct stat st;

	if (fstat(cmd_fd, &st) || !S_ISCHR(st.st_mode)) {
		errno = EINVAL;
		return NULL;
	}
	vctx = import_context(st.st_rdev, cmd_fd);
	if (!vctx)
		return NULL;
	vctx->priv->imported = true;
	return complete_context(vctx);
}

/**
 * ibv_close_device - Close a context
 *
 * Objects of the context that still exist are destroyed by the kernel; their
 * structs are leaked.  Returns 0.  Since IBVERBS_1.1.
 */
int ibv_close_device(struct ibv_context *context)
{
	get_ops(context)->free_context(context);
	return 0;
}
