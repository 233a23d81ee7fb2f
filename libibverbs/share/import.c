// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Taking an object of another context of the same device, which a file
 * descriptor stands for, into this one.
 */
#include <errno.h>

#include <infiniband/share.h>

#include "share/share.h"

static int check_source(struct ibv_context *context, uint32_t fd)
{
	return context ? share_check_fd(fd) : EINVAL;
}

/* 0 or an errno value; *pd is set on success */
static int import_pd(struct ibv_context *context, uint32_t fd, uint32_t handle,
		     struct ibv_pd **pd)
{
	struct verbs_ex_private *priv;
	struct uverbs_alias alias;
	int ret;

	ret = check_source(context, fd);
	if (!ret)
		ret = share_can_wrap_pd(context);
	if (ret)
		return ret;

	ret = uverbs_import_pd(context, fd, handle, &alias);
	if (ret)
		return ret;
	*pd = share_wrap_pd(context, &alias);
	if (!*pd)
		return errno;

	priv = get_priv(context);
	ret = handle_map_put(&priv->pds, (*pd)->handle, *pd);
	if (ret) {
		priv->ops.dealloc_pd(*pd);
		*pd = NULL;
	}
	return ret;
}

/**
 * ibv_import_pd - take a PD of another context into this one
 * @context: the importer's own context, which must outlive the PD
 * @fd: the command file of the context that has the PD; needed during the call
 *	only, and stays the caller's
 * @handle: the PD's handle in that file
 *
 * The PD can do in this context whatever one of ibv_alloc_pd() can.  The
 * caller gives it back with ibv_dealloc_pd(), which destroys this alias; the
 * kernel's PD lives until the last alias and the last MR on it are gone.
 *
 * In source the same name with two arguments means ibv_import_pd_by_handle().
 *
 * Returns the PD, or NULL with errno; nothing is left behind then:
 * EINVAL	context is NULL, fd is not of an RDMA device, or the handle is of
 *		another type
 * EOPNOTSUPP	the kernel, its driver or the provider cannot import PDs
 * EBADF	fd is not open
 * ENOENT	no such handle in that file
 * EXDEV	fd is of another device
 * EBUSY	the PD is being destroyed or another command has locked it
 * EIO		the device is gone or one of the files is being closed
 * ENOMEM, EAGAIN	out of memory, or of what the cgroup may have
 *
 * Thread-safe.  Since IBVERBS_SHARE_1.0; the two-argument form since
 * IBVERBS_1.10.
 */
struct ibv_pd *(ibv_import_pd)(struct ibv_context *context, uint32_t fd,
			       uint32_t handle)
{
	struct ibv_pd *pd = NULL;
	int ret = import_pd(context, fd, handle, &pd);

	if (ret)
		errno = ret;
	return pd;
}

/* 0 or an errno value; *mr is set on success */
static int import_mr(struct ibv_context *context, uint32_t fd, uint32_t handle,
		     struct ibv_mr **mr)
{
	struct ibv_pd *pd = NULL;
	struct uverbs_alias alias;
	int ret;

	ret = check_source(context, fd);
	if (!ret)
		ret = share_can_wrap_mr(context);
	if (!ret)
		ret = uverbs_import_mr(context, fd, handle, &alias);
	if (ret)
		return ret;

	if (alias.has_pd)
		pd = handle_map_get(&get_priv(context)->pds, alias.pd_handle);
	*mr = share_wrap_mr(context, &alias, pd);
	return *mr ? 0 : errno;
}

/**
 * ibv_import_mr - take an MR of another context into this one
 * @context: the importer's own context, which must outlive the MR
 * @fd: the command file of the context that has the MR; needed during the call
 *	only, and stays the caller's
 * @handle: the MR's handle in that file
 *
 * In the result lkey, rkey, length, handle and context are set.  addr is NULL:
 * the address belongs to the process that registered the memory, and work
 * requests name the memory by that process's address (or iova).  pd is the PD
 * object that this context has for the MR's PD, else NULL; the lkey can be used
 * on QPs of that PD only, so import the PD first.
 *
 * The caller gives the MR back with ibv_dereg_mr(), which destroys this alias;
 * memory and keys live until the last alias is gone.  ibv_rereg_mr() fails with
 * EBUSY while there is another, or if this one is in another context than the
 * registration's.  Deallocating the PD is possible before that;
 * the MR's pd member must not be used afterwards.
 *
 * In source the same name with two arguments means ibv_import_mr_by_handle().
 *
 * Returns the MR, or NULL with ibv_import_pd()'s errno.  Thread-safe, but while
 * an MR is imported no other thread may deallocate the PD object that the
 * result would name.  Since IBVERBS_SHARE_1.0; the two-argument form since
 * IBVERBS_1.10.
 */
struct ibv_mr *(ibv_import_mr)(struct ibv_context *context, uint32_t fd,
			       uint32_t handle)
{
	struct ibv_mr *mr = NULL;
	int ret = import_mr(context, fd, handle, &mr);

	if (ret)
		errno = ret;
	return mr;
}
