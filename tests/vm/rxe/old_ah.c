// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Preloaded, it makes the kernel take the provider for one that knows nothing
 * of numbered address handles: the reply gets no room for a number.  So the
 * provider has to do what older kernels want of it, and the kernel, which
 * still honours that, shows whether it does it well.
 */
#include <dlfcn.h>
#include <errno.h>

#include "driver.h"

/* How often it was called, so that a test can tell that it was at work */
extern unsigned int rxe_old_ahs;
unsigned int rxe_old_ahs;

int ibv_cmd_create_ah(struct ibv_pd *pd, struct ibv_ah *ah,
		      struct ibv_ah_attr *attr,
		      struct ib_uverbs_create_ah_resp *resp, size_t resp_size)
{
	int (*next)(struct ibv_pd *, struct ibv_ah *, struct ibv_ah_attr *,
		    struct ib_uverbs_create_ah_resp *, size_t) =
		dlvsym(RTLD_NEXT, "ibv_cmd_create_ah", "IBVERBS_PRIVATE_34");

	if (!next || resp_size <= sizeof(*resp))
		return ENOSYS;
	rxe_old_ahs++;
	return next(pd, ah, attr, resp, sizeof(*resp));
}
