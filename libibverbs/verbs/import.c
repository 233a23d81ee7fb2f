// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Objects of a shared context, by their handle: the verbs that go with
 * ibv_import_device().  Nothing is counted; the process that made the object
 * destroys it.  The counted kind, for objects of other contexts, is in share/.
 */
#include <errno.h>

#include "provider/priv.h"

#ifndef _STATIC_LIBRARY_BUILD_
/* Programs that were built for the two-argument form bind to these versions. */
__asm__(".symver ibv_import_pd_by_handle, ibv_import_pd@IBVERBS_1.10");
__asm__(".symver ibv_import_mr_by_handle, ibv_import_mr@IBVERBS_1.10");
#endif

/**
 * ibv_import_pd_by_handle - a PD object for a PD of this very context
 * @context: from ibv_import_device()
 * @pd_handle: the PD's handle in the shared context
 *
 * In source also ibv_import_pd() with two arguments.  Returns the PD object,
 * which the caller gives back with ibv_unimport_pd(), or NULL with errno:
 * EOPNOTSUPP if the provider cannot, ENOMEM.  Thread-safe.  As ibv_import_pd
 * since IBVERBS_1.10, by this name since IBVERBS_SHARE_1.0.
 */
struct ibv_pd *ibv_import_pd_by_handle(struct ibv_context *context,
				       uint32_t pd_handle)
{
	struct verbs_ex_private *priv = get_priv(context);
	struct ibv_pd *pd;

	pd = priv->ops.import_pd(context, pd_handle);
	if (pd && handle_map_put(&priv->pds, pd->handle, pd)) {
		priv->ops.unimport_pd(pd);
		errno = ENOMEM;
		return NULL;
	}
	return pd;
}

/**
 * ibv_unimport_pd - free what ibv_import_pd_by_handle() returned
 * @pd: the kernel's PD stays
 *
 * A PD from the three-argument ibv_import_pd() is an alias with a handle of its
 * own: give it back with ibv_dealloc_pd().  Since IBVERBS_1.10.
 */
void ibv_unimport_pd(struct ibv_pd *pd)
{
	struct verbs_ex_private *priv = get_priv(pd->context);

	handle_map_take(&priv->pds, pd->handle, pd);
	priv->ops.unimport_pd(pd);
}

/**
 * ibv_import_mr_by_handle - an MR object for an MR of this very context
 * @pd: the MR's PD
 * @mr_handle: the MR's handle in the shared context
 *
 * In source also ibv_import_mr() with two arguments.  Returns the MR object
 * (addr is NULL), which the caller gives back with ibv_unimport_mr(), or NULL
 * with errno.  Thread-safe.  As ibv_import_mr since IBVERBS_1.10, by this name
 * since IBVERBS_SHARE_1.0.
 */
struct ibv_mr *ibv_import_mr_by_handle(struct ibv_pd *pd, uint32_t mr_handle)
{
	return get_ops(pd->context)->import_mr(pd, mr_handle);
}

/**
 * ibv_unimport_mr - free what ibv_import_mr_by_handle() returned
 * @mr: the kernel's MR stays
 *
 * An MR from the three-argument ibv_import_mr() is given back with
 * ibv_dereg_mr().  Since IBVERBS_1.10.
 */
void ibv_unimport_mr(struct ibv_mr *mr)
{
	get_ops(mr->context)->unimport_mr(mr);
}

/**
 * ibv_import_dm - a device memory object of this very context
 * @context: from ibv_import_device()
 * @dm_handle: its handle in the shared context
 *
 * Returns the object, which the caller gives back with ibv_unimport_dm(), or
 * NULL with errno.  Thread-safe.  Since IBVERBS_1.13.
 */
struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t dm_handle)
{
	return get_ops(context)->import_dm(context, dm_handle);
}

/**
 * ibv_unimport_dm - free what ibv_import_dm() returned
 * @dm: the device memory stays
 *
 * Since IBVERBS_1.13.
 */
void ibv_unimport_dm(struct ibv_dm *dm)
{
	get_ops(dm->context)->unimport_dm(dm);
}
