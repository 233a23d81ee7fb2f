// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Opening and closing devices. */
#include <errno.h>
#include <sys/stat.h>

#include "device/chardev.h"
#include "device/context_ops.h"
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
 * Returns a context, to be closed by ibv_close_device(), or NULL with errno.
 * The device stays valid while the context is open.  Thread-safe.  Since
 * IBVERBS_1.1.
 */
struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	return verbs_open_device(device, NULL);
}

static struct verbs_context *import_context(dev_t cdev, int cmd_fd)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct verbs_context *vctx = NULL;
	struct verbs_device *vdev = NULL;
	size_t i;

	for (i = 0; list && list[i] && !vdev; i++) {
		vdev = verbs_get_device(list[i]);
		if (vdev->sysfs->sysfs_cdev != cdev)
			vdev = NULL;
	}
	if (!vdev)
		errno = ENODEV;
	else if (!vdev->ops->import_context)
		errno = EOPNOTSUPP;
	else
		vctx = vdev->ops->import_context(&vdev->device, cmd_fd);

	if (list) {
		int err = errno;

		ibv_free_device_list(list);
		errno = err;
	}
	return vctx;
}

/**
 * ibv_import_device - A context on a device file that is open already
 * @cmd_fd: descriptor of the file, usually received from another process;
 *          belongs to the context on success.  On failure the provider
 *          may have closed it already: pass a duplicate to be sure
 *
 * The context shares all objects of the file.  Returns NULL with errno on
 * failure: EINVAL: no character device; ENODEV: no RDMA device of this
 * machine; EOPNOTSUPP: its provider cannot.  Thread-safe.  Since IBVERBS_1.10.
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
