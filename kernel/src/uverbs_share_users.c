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
#include "uverbs_share_priv.h"

/* Long enough for one destruction in hardware, short enough for a caller */
#define SCAN_TRIES 100
#define SCAN_PAUSE_US 500

/*
 * Called with a uobject of ufile write locked, before its object is destroyed:
 * a scan that saw the uobject unlocked has finished, a later one sees it
 * locked.
 */
void uverbs_share_fence(struct ib_uverbs_file *ufile)
{
	spin_lock_irq(&ufile->uobjects_lock);
	spin_unlock_irq(&ufile->uobjects_lock);
}

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

/*
 * Called with hw_destroy_rwsem held for read.  Another thread may be inside the
 * destruction of a listed uobject, whose object can be freed memory by now: it
 * is write locked then (see uverbs_share_fence()) and must not be touched.
 * Locking the others for reading would make their own commands fail.
 */
bool share_file_uses_pd(struct ib_uverbs_file *ufile, struct ib_pd *pd)
{
	struct ib_uobject *uobj;
	int tries = SCAN_TRIES;
	bool uses, unknown;

	lockdep_assert_held(&ufile->hw_destroy_rwsem);
	for (;;) {
		uses = unknown = false;
		spin_lock_irq(&ufile->uobjects_lock);
		list_for_each_entry(uobj, &ufile->uobjects, list) {
			if (!can_use_pd(uobj))
				continue;
			if (atomic_read(&uobj->usecnt) == -1)
				unknown |= may_use_pd(uobj, pd);
			else if (uobj->object && pd_of(uobj) == pd)
				uses = true;
			if (uses)
				break;
		}
		spin_unlock_irq(&ufile->uobjects_lock);
		if (uses || !unknown)
			return uses;
		if (!tries--)
			return true;
		usleep_range(SCAN_PAUSE_US, 2 * SCAN_PAUSE_US);
	}
}
