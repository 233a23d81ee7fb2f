/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Sharing protection domains and memory regions between processes.
 *
 * A process exports a PD or an MR from its context into another context, which
 * it knows by a file descriptor.  Whoever holds that descriptor, or a copy of
 * it in another process, imports the object into a context of its own and uses
 * it there like any other:
 *
 *	the owner				another process
 *
 *	ex = ibv_open_device(dev);
 *	fd = ibv_context_to_fd(ex);
 *	ibv_export_pd(pd, fd, &pd_handle);
 *	ibv_export_mr(mr, fd, &mr_handle);
 *	send fd and both handles	-->	ctx = ibv_open_device(dev);
 *	(SCM_RIGHTS, fork, ...)			pd = ibv_import_pd(ctx, fd, pd_handle);
 *						mr = ibv_import_mr(ctx, fd, mr_handle);
 *						close(fd);
 *						create QPs on pd, use mr->lkey
 *	ibv_dereg_mr(mr), _dealloc_pd(pd)	ibv_dereg_mr(mr), _dealloc_pd(pd)
 *
 * "File" below is an opened uverbs device: what the cmd_fd of a context refers
 * to.  An object is known in a file by a handle; export and import make further
 * handles for it, called aliases, in other files or in the same.
 *
 * - All aliases are equal, the maker's own handle included.  The object is
 *   destroyed with its last alias: by ibv_dealloc_pd() or ibv_dereg_mr(), or
 *   when the alias's file is closed, by exit or by kill too.
 * - An alias in the file through which objects travel keeps them alive until it
 *   is withdrawn or that file is closed: until no process has a descriptor of
 *   it any more.  Let the owner keep one such context open for as long as
 *   others may come to import, and receivers close theirs when they have
 *   imported.
 * - Mapped memory of a QP, CQ or SRQ counts as a descriptor of its file: destroy
 *   them before their context is closed.
 * - The descriptor is the permission.  Put into an export context only what its
 *   receivers may have, and hand out nothing of your own working context.
 * - An MR keeps its PD alive in the device, even when no alias of the PD is
 *   left.
 * - An MR's memory stays pinned and its keys valid as long as it has an alias,
 *   even when the process that registered it is gone.
 *
 * Export and import need a kernel that has them; without: EOPNOTSUPP.
 * All may be called from several threads at once.  Nothing is left behind by a
 * call that fails.  Since IBVERBS_SHARE_1.0.
 *
 * Errors of export (which returns them) and of import (NULL, and in errno):
 *
 *	EBADF		fd is not open
 *	EINVAL		fd is no uverbs file; the handle is of another type than
 *			asked for; context or new_handle is NULL; type is none
 *	EOPNOTSUPP	objects of that type, or this one, cannot be shared; the
 *			kernel or the driver cannot
 *	ENOENT		no such handle in that file
 *	EXDEV		the files are of two different devices
 *	EBUSY		another command has the object locked or destroys it
 *	EIO		the device is gone, or the file is being closed
 *	ENOMEM		no memory
 *	EAGAIN		limit of the RDMA cgroup; or export: the file was opened
 *			by another process, and has as many handles from others
 *			as ib_uverbs' export_limit admits
 */
#ifndef INFINIBAND_SHARE_H
#define INFINIBAND_SHARE_H

#include <infiniband/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== A context to work in ==== */

/*
 * Open a device, like ibv_open_device(), so that objects made in the context go
 * together with imported ones, and those exported from it with an importer's.
 *
 * It makes a difference on mlx5 only.  Its plug-in asks for a context with DEVX,
 * which gives it an id of its own in the adapter's firmware.  QPs and SRQs are
 * made under the id of the context in which their PD was allocated, CQs under
 * that of their own context; a QP on an imported PD with a CQ of the importer
 * may therefore be refused.  This function opens the context without DEVX: then
 * the id is 0, everywhere the same.  Let the process that allocates the PD and
 * all that import it use this function; the context that objects only travel
 * through may be of either kind.
 *
 * device	of ibv_get_device_list()
 *
 * The price: what is built on DEVX fails in such a context, mostly with
 * EOPNOTSUPP or EINVAL: mlx5dv_devx_*(), mlx5dv_dr_*() (flow steering by
 * software), and others that ibv_open_device_shareable(3) lists.  Verbs
 * do not need it.
 *
 * With IBV_SHARE_NO_DEVX set in the environment, to anything but "0", this is
 * what ibv_open_device() does.  It is not looked at in programs that run with
 * more privileges than their caller has (secure_getenv(3)), nor when a program
 * opens a device with mlx5dv_open_device().
 *
 * Returns the context, to be closed with ibv_close_device(), or NULL with errno
 * as from ibv_open_device().  Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
struct ibv_context *ibv_open_device_shareable(struct ibv_device *device);

/* ==== Export ==== */

/*
 * Make an alias of an object in another file.
 *
 * fd		descriptor of the file, on the same device; it stays open and
 *		the caller's.  It may be the file of context itself.
 * new_handle	where the alias's handle in that file goes; untouched on failure
 * context	where the object is
 * type		UVERBS_OBJECT_PD or UVERBS_OBJECT_MR
 * handle	of the object in context: ibv_pd_to_handle(), ibv_mr_to_handle()
 *
 * The alias has no struct in any process: it lives until it is taken back with
 * ibv_withdraw() or the file is closed.  On-demand-paging MRs cannot be
 * exported, since their pages belong to the process that made them: EOPNOTSUPP.
 *
 * Returns 0, or an errno value (in errno too), see above.
 */
int ibv_export_to_fd(uint32_t fd, uint32_t *new_handle,
		     struct ibv_context *context,
		     enum uverbs_default_objects type, uint32_t handle);

/*
 * The same, for a PD (a parent domain counts as the PD it stands for) and for
 * an MR.  The caller keeps its object and frees it as always.
 */
int ibv_export_pd(struct ibv_pd *pd, int fd, uint32_t *new_handle);
int ibv_export_mr(struct ibv_mr *mr, int fd, uint32_t *new_handle);

/*
 * Take back what was exported: destroy the alias that is known as handle in the
 * file of fd.  Nobody can import it from there any more.  Who has imported the
 * object keeps it; if this was its last alias, it is destroyed.
 *
 * context	any of the caller's, on the same device
 * fd, type	as given to the export
 * handle	the new_handle of the export
 *
 * Only for handles for which no process has a struct, that is, not for those of
 * objects that were allocated, registered or imported in that file: their
 * struct would later refer to whatever gets the same number.
 *
 * Returns 0, or an errno value (in errno too), see above.  EBUSY is also that of
 * ibv_dealloc_pd(): objects that were created in that file use the PD.
 */
int ibv_withdraw(struct ibv_context *context, uint32_t fd,
		 enum uverbs_default_objects type, uint32_t handle);

/* ==== Import ==== */

/*
 * Make an alias, in context, of the PD that is known as handle in the file of
 * fd, which is on the same device.  fd stays open and the caller's; it is not
 * needed afterwards.
 *
 * The PD can be used in every verb that takes one, with objects of context.
 * Free it with ibv_dealloc_pd() (never with ibv_unimport_pd()), which fails
 * with EBUSY while objects created in context use it; what is done with the PD
 * in other files does not matter.
 *
 * Returns NULL with errno on failure, see above.
 */
struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t fd,
			     uint32_t handle);

/*
 * The same for an MR.  Its keys and length are the original's, and so are the
 * addresses that go with them: the maker's, or its iova.  addr is NULL, as the
 * memory need not be mapped here.  Work requests may use lkey on QPs of the
 * MR's own PD only, so import that too, and first, if this process posts any.
 *
 * pd is the PD of context, allocated or imported, that is the MR's PD in the
 * device; NULL if there is none.  The MR holds no reference to that struct: no
 * other thread may deallocate it during the call, and pd must not be used once
 * it is deallocated.
 *
 * Free it with ibv_dereg_mr() (never with ibv_unimport_mr()).  As long as
 * there is more than one alias, ibv_rereg_mr() gives EBUSY on all of them, and
 * it does on the last one if that is not in the context that registered it.
 */
struct ibv_mr *ibv_import_mr(struct ibv_context *context, uint32_t fd,
			     uint32_t handle);

/*
 * The older way to share: the object that is known as pd_handle or mr_handle
 * in the context's own file, where context is one of ibv_import_device().  No
 * alias is made and nothing counted: the object goes when any process destroys
 * it.  Give back the struct with ibv_unimport_pd() or ibv_unimport_mr().
 *
 * Programs call these functions by their older names, which are the same as
 * those above, with two arguments.  EOPNOTSUPP: the provider cannot.
 */
struct ibv_pd *ibv_import_pd_by_handle(struct ibv_context *context,
				       uint32_t pd_handle);
struct ibv_mr *ibv_import_mr_by_handle(struct ibv_pd *pd, uint32_t mr_handle);

/*
 * ibv_import_pd(context, pd_handle)	ibv_import_pd_by_handle()
 * ibv_import_mr(pd, mr_handle)		ibv_import_mr_by_handle()
 * anything else			the functions with three arguments
 *
 * As with any macro a comma divides arguments unless it stands in parentheses;
 * braces and brackets do not protect it.  Names without arguments after them
 * are those of the functions with three.  A member of that name is renamed
 * alike where it is declared with parameters and where it is called; one that
 * is a pointer to a function with two parameters is called as (x.name)(a, b),
 * or after #undef of the name, which leaves the functions as they are.
 */
#define ibv_import_pd(...)                                                   \
	__IBV_IMPORT_FORM(__VA_ARGS__, ibv_import_pd, ibv_import_pd,         \
			  ibv_import_pd, ibv_import_pd, ibv_import_pd,       \
			  ibv_import_pd, ibv_import_pd_by_handle,            \
			  ibv_import_pd, )                                   \
	(__VA_ARGS__)
#define ibv_import_mr(...)                                                   \
	__IBV_IMPORT_FORM(__VA_ARGS__, ibv_import_mr, ibv_import_mr,         \
			  ibv_import_mr, ibv_import_mr, ibv_import_mr,       \
			  ibv_import_mr, ibv_import_mr_by_handle,            \
			  ibv_import_mr, )                                   \
	(__VA_ARGS__)

/* What stands at the ninth place: arguments shift the names to the right. */
#define __IBV_IMPORT_FORM(a1, a2, a3, a4, a5, a6, a7, a8, name, ...) name

/* ==== What to send to the other process ==== */

/*
 * The descriptor of the context's file, to be sent or given to export and
 * import.  It belongs to the context: dup() it to have it longer, never close
 * it.
 */
uint32_t ibv_context_to_fd(struct ibv_context *context);

/* The handles of a PD and an MR in the file of their context */
uint32_t ibv_pd_to_handle(struct ibv_pd *pd);
uint32_t ibv_mr_to_handle(struct ibv_mr *mr);

/* ==== What came ==== */

/*
 * Which objects a file has, for a receiver that was not told their handles: it
 * imports each.  Works on every kernel, and is no proof that import does.
 *
 * fd		descriptor of the file, as for import
 * type		UVERBS_OBJECT_PD, UVERBS_OBJECT_MR or any other type of objects
 *		that have handles (not COMP_CHANNEL, ASYNC_EVENT, DEVICE)
 * handles	where the handles go, in no particular order; NULL: only their
 *		number is asked
 * count	before: how many handles there is room for (of no matter if
 *		handles is NULL); after, with results 0 and ENOSPC: how many
 *		there are
 *
 * The list is whole or not there at all, and old when it arrives: other
 * processes may export and destroy meanwhile, so the next call may need more
 * room, and an import of what is listed may give ENOENT, or another object that
 * has got the handle since.
 *
 * Returns 0, or an errno value (in errno too).  Those of export and import that
 * can apply, EINVAL also for a device that this process has no plug-in for,
 * those of ibv_open_device() if only the plug-in knows the kernel's driver, and
 *
 *	ENOSPC		not enough room: *count tells how many there are, and
 *			handles is untouched
 *	EOVERFLOW	16383 or more, which the kernel cannot list
 *	EMFILE, ENFILE	no descriptor left to look for the device with
 *	EPROTO		the kernel's reply is absurd
 *
 * No failure but ENOSPC changes *count.
 */
int ibv_list_objects(uint32_t fd, enum uverbs_default_objects type,
		     uint32_t *handles, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
