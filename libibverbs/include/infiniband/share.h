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
 * - An alias in the file through which objects travel keeps them alive until
 *   that file is closed: until no process has a descriptor of it any more.  Let
 *   the owner keep one such context open for as long as others may come to
 *   import, and receivers close theirs when they have imported.
 * - The descriptor is the permission.  Put into an export context only what its
 *   receivers may have, and hand out nothing of your own working context.
 * - An MR keeps its PD alive in the device, even when no alias of the PD is
 *   left.
 * - An MR's memory stays pinned and its keys valid as long as it has an alias,
 *   even when the process that registered it is gone.
 *
 * All functions need a kernel with export and import; without: EOPNOTSUPP.
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
 *	ENOMEM, EAGAIN	no memory; limit of the RDMA cgroup
 */
#ifndef INFINIBAND_SHARE_H
#define INFINIBAND_SHARE_H

#include <infiniband/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

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
 * The alias has no struct in this process: if it is not imported it lives
 * until the file is closed.  On-demand-paging MRs cannot be exported, since
 * their pages belong to the process that made them: EOPNOTSUPP.
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

#ifdef __cplusplus
}
#endif

#endif
