// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs: which objects of one file use a PD
 *
 * The PD counts its users of all files together.  A process that deallocates
 * its handle must hear EBUSY for its own ones only, and there is no place for a
 * count of each file: so look at the file's uobjects.  That is needed only to
 * deallocate a shared PD, and not when a file is closed.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include "uverbs_share_priv.h"

/* Long enough for one destruction in hardware, short enough for a caller */
#define SCAN_MS 100
#define SCAN_PAUSE_US 500
/* uobjects that are looked at without a break, with interrupts off */
#define SCAN_CHUNK 256

static bool can_use_pd(struct ib_uobject *uobj)
{
	switch (uobj->uapi_object->id) {
	case UVERBS_OBJECT_MR:
		/* Its maker's file has to answer for it */
		return !to_share_uobject(uobj)->alias;
	case UVERBS_OBJECT_QP:
	case UVERBS_OBJECT_MW:
	case UVERBS_OBJECT_AH:
	case UVERBS_OBJECT_SRQ:
	case UVERBS_OBJECT_WQ:
		return true;
	}
	return false;
}

static struct ib_pd *pd_of(struct ib_uobject *uobj)
{
	switch (uobj->uapi_object->id) {
	case UVERBS_OBJECT_MR:
		return ((struct ib_mr *)uobj->object)->pd;
	case UVERBS_OBJECT_QP:
		return ((struct ib_qp *)uobj->object)->pd;
	case UVERBS_OBJECT_MW:
		return ((struct ib_mw *)uobj->object)->pd;
	case UVERBS_OBJECT_AH:
		return ((struct ib_ah *)uobj->object)->pd;
	case UVERBS_OBJECT_SRQ:
		return ((struct ib_srq *)uobj->object)->pd;
	case UVERBS_OBJECT_WQ:
		return ((struct ib_wq *)uobj->object)->pd;
	}
	return NULL;
}

/*
 * Called with uobj write locked, before its object is destroyed: a scan that saw
 * it unlocked has finished, a later one sees it locked.  Returns the PD that it
 * is on, for uverbs_share_reap().
 */
struct ib_pd *uverbs_share_begin_destroy(struct ib_uobject *uobj)
{
	struct ib_uverbs_file *ufile = uobj->ufile;
	struct ib_pd *pd = uobj->object ? pd_of(uobj) : NULL;

	if (!pd)
		return NULL;
	if (uobj->uapi_object->id == UVERBS_OBJECT_MR)
		WRITE_ONCE(to_share_uobject(uobj)->mr_pd, pd);
	spin_lock_irq(&ufile->uobjects_lock);
	spin_unlock_irq(&ufile->uobjects_lock);
	return pd;
}

/*
 * What is known of a locked uobject, whose object must not be touched.  MRs are
 * the ones that can be locked for long: unpinning takes seconds for large ones.
 */
static bool may_use_pd(struct ib_uobject *uobj, struct ib_pd *pd)
{
	struct ib_pd *mr_pd;

	if (uobj->uapi_object->id != UVERBS_OBJECT_MR)
		return true;
	mr_pd = READ_ONCE(to_share_uobject(uobj)->mr_pd);
	return !mr_pd || mr_pd == pd;
}

enum verdict { UNUSED, UNKNOWN, USED, MORE };

/*
 * Another thread may be inside the destruction of a uobject, whose object can be
 * freed memory by now: it is write locked then, which uverbs_share_begin_destroy()
 * makes visible here, and must not be touched.  Locking the others for reading
 * would make their own commands fail.  The uobjects themselves are freed by RCU.
 */
static enum verdict scan_chunk(struct ib_uverbs_file *ufile, struct ib_pd *pd,
			       unsigned long *id)
{
	XA_STATE(xas, &ufile->idr, *id);
	enum verdict verdict = UNUSED;
	struct ib_uobject *uobj;
	int n = 0;

	spin_lock_irq(&ufile->uobjects_lock);
	rcu_read_lock();
	xas_for_each(&xas, uobj, ULONG_MAX)
	{
		if (xas_retry(&xas, uobj))
			continue;
		if (n++ == SCAN_CHUNK) {
			*id = xas.xa_index;
			if (verdict == UNUSED)
				verdict = MORE;
			break;
		}
		if (!can_use_pd(uobj))
			continue;
		if (atomic_read(&uobj->usecnt) == -1) {
			if (may_use_pd(uobj, pd))
				verdict = UNKNOWN;
		} else if (uobj->object && pd_of(uobj) == pd) {
			verdict = USED;
			break;
		}
	}
	rcu_read_unlock();
	spin_unlock_irq(&ufile->uobjects_lock);
	return verdict;
}

/* Called with hw_destroy_rwsem held for read */
bool share_file_uses_pd(struct ib_uverbs_file *ufile, struct ib_pd *pd)
{
	unsigned long end = jiffies + msecs_to_jiffies(SCAN_MS);

	lockdep_assert_held(&ufile->hw_destroy_rwsem);
	for (;;) {
		unsigned long id = 0;
		enum verdict verdict;

		while ((verdict = scan_chunk(ufile, pd, &id)) == MORE)
			cond_resched();
		if (verdict != UNKNOWN)
			return verdict == USED;
		if (time_after(jiffies, end))
			return true;
		usleep_range(SCAN_PAUSE_US, 2 * SCAN_PAUSE_US);
	}
}
