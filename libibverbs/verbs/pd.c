// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Protection domains.  Every PD object of a context stands in priv->pds, so
 * that an imported MR finds the one of its kernel PD.  Parent domains are made
 * by an inline function of verbs.h and are never in there.
 */
#include <errno.h>

#include "provider/priv.h"

/**
 * ibv_alloc_pd - make a protection domain
 * @context: the device; must outlive the PD
 *
 * Returns the PD, which the caller gives back with ibv_dealloc_pd(), or NULL
 * with errno: ENOMEM, or what the provider and the kernel say.  Thread-safe.
 * Since IBVERBS_1.1.
 */
struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct verbs_ex_private *priv = get_priv(context);
	struct ibv_pd *pd;

	pd = priv->ops.alloc_pd(context);
	if (!pd)
		return NULL;

	pd->context = context;
	if (handle_map_put(&priv->pds, pd->handle, pd)) {
		priv->ops.dealloc_pd(pd);
		errno = ENOMEM;
		return NULL;
	}
	return pd;
}

/**
 * ibv_dealloc_pd - destroy a PD, an alias of a shared one or a parent domain
 * @pd: freed on success; unchanged and usable on failure
 *
 * The kernel's PD lives on while another alias of it or an MR on it does.
 * Returns 0 or an errno value: EBUSY while objects that were created through
 * this context use it.  Nothing in the process may be using the PD.  Since
 * IBVERBS_1.1.
 */
int ibv_dealloc_pd(struct ibv_pd *pd)
{
	struct verbs_ex_private *priv = get_priv(pd->context);
	uint32_t handle = pd->handle;
	bool listed;
	int ret;

	/*
	 * Off the map first: once the kernel has destroyed the handle, another
	 * thread may be given the same one for a new PD.  An MR that is
	 * imported between here and a failure gets no PD object, as if it had
	 * been imported after a success.
	 */
	listed = handle_map_take(&priv->pds, handle, pd);

	ret = priv->ops.dealloc_pd(pd);
	if (ret && listed)
		handle_map_put(&priv->pds, handle, pd);
	return ret;
}
