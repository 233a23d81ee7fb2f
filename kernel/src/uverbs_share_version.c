// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What differs between the kernels that this is built for. */
#include <linux/sched/task.h>
#include "uverbs_share_priv.h"
#include "restrack.h"

/*
 * Wait for the dumps of an object that began before, and may have read its old
 * pointers.  The object can not be destroyed meanwhile.
 */
void share_fence_dumps(struct rdma_restrack_entry *res)
{
#ifdef SHARE_HAS_RESTRACK_SYNC
	rdma_restrack_sync(res);
#else
	struct task_struct *task = res->task;

	if (!res->valid || res->no_track)
		return;
	/* Off the list, which waits, and on it again, by another number */
	if (task)
		get_task_struct(task);
	rdma_restrack_del(res);
	rdma_restrack_new(res, res->type);
	res->task = task;
	rdma_restrack_add(res);
#endif
}
