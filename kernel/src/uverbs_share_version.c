// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What differs between the kernels that this is built for. */
#include <linux/delay.h>
#include "uverbs_share_priv.h"
#include "restrack.h"

#ifdef SHARE_HAS_RESTRACK_SYNC
static void wait_for_dumps(struct ib_pd *pd)
{
	rdma_restrack_sync(&pd->res);
}
#else
/*
 * The PD keeps its own reference: with the last one these kernels drop res.task,
 * which ib_create_srq_user() reads without any lock.
 */
static void wait_for_dumps(struct ib_pd *pd)
{
	struct xarray *xa = &pd->device->res[RDMA_RESTRACK_PD].xa;
	struct rdma_restrack_entry *res = &pd->res;
	void *was;

	/* Its number stays taken, so coming back needs no memory. */
	was = xa_cmpxchg(xa, res->id, res, XA_ZERO_ENTRY, GFP_KERNEL);
	if (WARN_ON(was != res))
		return;
	while (kref_read(&res->kref) > 1)
		usleep_range(50, 200);
	/* What the dumps read they read before they dropped their reference. */
	smp_mb();
	WARN_ON(xa_cmpxchg(xa, res->id, XA_ZERO_ENTRY, res, GFP_KERNEL));
}
#endif

/*
 * Wait for the dumps of a PD that began before, and may have read its old
 * pointers.  It can not be destroyed meanwhile.
 */
void share_fence_dumps(struct ib_pd *pd)
{
	/* What is not listed is not dumped. */
	if (pd->res.valid && !pd->res.no_track)
		wait_for_dumps(pd);
}
