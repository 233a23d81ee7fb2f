// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Giving an object of this context to another context of the same device, which
 * a file descriptor stands for.
 */
#include <errno.h>

#include <infiniband/share.h>

#include "share/share.h"

static int export_object(uint32_t fd, uint32_t *new_handle,
			 struct ibv_context *context,
			 enum uverbs_default_objects type, uint32_t handle)
{
	int ret;

	if (!context || !new_handle)
		return EINVAL;
	ret = share_check_type(type);
	if (!ret)
		ret = share_check_fd(fd);
	return ret ? ret : uverbs_export(context, type, handle, fd, new_handle);
}

/**
 * ibv_export_to_fd - make an alias of an object in another context
 * @fd: the command file of the other context (ibv_context_to_fd()), of the same
 *	device; it may be this context's own.  Stays the caller's.
 * @new_handle: out: the alias's handle in that context; untouched on failure
 * @context: the context that has the object
 * @type: UVERBS_OBJECT_PD or UVERBS_OBJECT_MR
 * @handle: the object's handle in context (ibv_pd_to_handle(),
 *	ibv_mr_to_handle())
 *
 * The alias belongs to the other context's file: it goes when the file is
 * closed for the last time, in whichever process, or when an owner of that
 * context destroys it.  The object itself lives until its last alias is gone,
 * and no alias has privileges over the others.
 *
 * Returns 0 or an errno value, which is in errno too:
 * EINVAL	a pointer is NULL, type is no object type, fd is not of an RDMA
 *		device, or the handle is of another type
 * EOPNOTSUPP	the type cannot be shared, the MR is on-demand, or the kernel
 *		or its driver cannot share
 * EBADF	fd is not open
 * ENOENT	no such handle in context
 * EXDEV	fd is of another device
 * EBUSY	the object is being destroyed or another command has locked it
 * EIO		the device is gone or one of the files is being closed
 * ENOMEM	out of memory
 * EAGAIN	as much as the cgroup, or another process's file, may have
 *
 * Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
int ibv_export_to_fd(uint32_t fd, uint32_t *new_handle,
		     struct ibv_context *context,
		     enum uverbs_default_objects type, uint32_t handle)
{
	int ret = export_object(fd, new_handle, context, type, handle);

	if (ret)
		errno = ret;
	return ret;
}

/**
 * ibv_export_pd - ibv_export_to_fd() for a PD
 * @pd: also an imported one; of a parent domain the PD that it is built on
 * @fd: as there
 * @new_handle: as there
 *
 * Returns what ibv_export_to_fd() does.  Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
int ibv_export_pd(struct ibv_pd *pd, int fd, uint32_t *new_handle)
{
	return ibv_export_to_fd(fd, new_handle, pd ? pd->context : NULL,
				UVERBS_OBJECT_PD, pd ? pd->handle : 0);
}

/**
 * ibv_export_mr - ibv_export_to_fd() for an MR
 * @mr: also an imported one
 * @fd: as there
 * @new_handle: as there
 *
 * The MR's memory stays pinned, and its keys valid, as long as an alias is
 * left, even when the process that registered it has gone.  Its PD needs not be
 * exported for that.  Returns what ibv_export_to_fd() does.  Thread-safe.
 * Since IBVERBS_SHARE_1.0.
 */
int ibv_export_mr(struct ibv_mr *mr, int fd, uint32_t *new_handle)
{
	return ibv_export_to_fd(fd, new_handle, mr ? mr->context : NULL,
				UVERBS_OBJECT_MR, mr ? mr->handle : 0);
}

/**
 * ibv_context_to_fd - the command file of a context
 * @context: any context
 *
 * Returns the descriptor, which stays the context's: whoever is to have it
 * needs a duplicate.  Sharing the descriptor shares every object of the
 * context.  Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
uint32_t ibv_context_to_fd(struct ibv_context *context)
{
	return context->cmd_fd;
}

/**
 * ibv_pd_to_handle - the handle of a PD in its context's file
 * @pd: any PD
 *
 * Valid until ibv_dealloc_pd().  Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
uint32_t ibv_pd_to_handle(struct ibv_pd *pd)
{
	return pd->handle;
}

/**
 * ibv_mr_to_handle - the handle of an MR in its context's file
 * @mr: any MR
 *
 * Valid until ibv_dereg_mr().  Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
uint32_t ibv_mr_to_handle(struct ibv_mr *mr)
{
	return mr->handle;
}
