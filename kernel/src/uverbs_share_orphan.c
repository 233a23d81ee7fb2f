// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs and MRs: objects without an alias that can not go yet
 *
 * A PD that is in use when its last alias goes, or an MR that the driver does
 * not give up, such as one with a memory window of another file, is an orphan.
 * What can free it is the destruction of an object on the same PD, so that is
 * where orphans are looked for: by PD, and at no cost for the users of others.
 *
 * A driver may also refuse for reasons of its own, and then nothing may ever
 * happen on that PD: those that were refused are tried again from time to time.
 */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "uverbs_share_priv.h"

#define RETRY_FIRST HZ
#define RETRY_MAX (64 * HZ)
#define TRIES_AT_ONCE 3

static void retry_refused(struct work_struct *work);

/* By PD: the pointer is a key and nothing else */
static DEFINE_HASHTABLE(orphans, 12);

static LIST_HEAD(refused);
static DECLARE_DELAYED_WORK(retry_work, retry_refused);
static unsigned long retry_delay;

static struct hlist_head *orphans_of(const struct ib_pd *pd)
{
	return &orphans[hash_min((unsigned long)pd, HASH_BITS(orphans))];
}

bool share_pd_in_use(const struct share_object *so)
{
	return share_is_pd(so) &&
	       atomic_read(&((struct ib_pd *)so->shadow.uobj.object)->usecnt);
}

/* Called without share_lock */
int share_destroy_object(struct share_object *so)
{
	struct uverbs_attr_bundle attrs = {
		.ufile = so->home->ufile,
		.context = so->shadow.uobj.context,
	};

	if (share_is_pd(so))
		return ib_dealloc_pd_user(so->shadow.uobj.object,
					  &attrs.driver_udata);
	return ib_dereg_mr_user(so->shadow.uobj.object, &attrs.driver_udata);
}

/* Called without share_lock, when nothing refers to so any more */
void share_free_object(struct share_object *so)
{
	struct share_file *home = so->home;

	kfree(so->reply);
	kfree(so);
	share_file_unpin(home);
}

static void free_objects(struct list_head *list)
{
	struct share_object *so, *next;

	list_for_each_entry_safe(so, next, list, node)
		share_free_object(so);
}

static void stop_being_orphan(struct share_object *so)
{
	hlist_del_init(&so->orphan);
	list_del_init(&so->refused);
	list_del(&so->node);
}

/* To free a large MR may take seconds */
static void schedule_retry(void)
{
	mod_delayed_work(system_long_wq, &retry_work, retry_delay);
}

static void note_refused(struct share_object *so)
{
	if (!list_empty(&so->refused))
		return;
	list_add_tail(&so->refused, &refused);
	/* Soon, but not again and again later while more are refused */
	if (retry_delay == RETRY_FIRST && delayed_work_pending(&retry_work))
		return;
	retry_delay = RETRY_FIRST;
	schedule_retry();
}

/*
 * True when it was freed: so is the caller's, but still in all lists.  Called with
 * share_lock, which is dropped in between; nobody else takes so from a list.
 *
 * Only one thread tries.  What another one destroys meanwhile may have come too
 * late for that, which then has to try again; but not for as long as others care
 * to go on, as it may be a process that wants to end.
 */
static bool try_orphan(struct share_object *so)
{
	int tries = 0;
	int ret;

	if (so->trying) {
		so->again = true;
		return false;
	}
	if (share_pd_in_use(so))
		return false;
	so->trying = so->going = true;
	do {
		so->again = false;
		mutex_unlock(&share_lock);
		ret = share_destroy_object(so);
		mutex_lock(&share_lock);
	} while (ret && so->again && ++tries < TRIES_AT_ONCE);
	so->trying = so->going = false;
	if (ret) {
		/* Soon, then, even if it was refused long ago */
		if (so->again)
			list_del_init(&so->refused);
		note_refused(so);
	}
	return !ret;
}

/*
 * Called with share_lock, which is dropped in between.  True when so could go at
 * once, after all, and is the caller's to free.
 */
bool share_make_orphan(struct share_object *so)
{
	struct ib_mr *mr = so->shadow.uobj.object;

	so->orphan_of = share_is_pd(so) ? so->shadow.uobj.object : mr->pd;
	hlist_add_head(&so->orphan, orphans_of(so->orphan_of));
	/*
	 * Pairs with uverbs_share_reap(), which has destroyed something and then
	 * looks for orphans: this has made an orphan and now looks whether it is
	 * destroyed.  At least one of the two sees what the other did.
	 */
	smp_mb();
	if (!try_orphan(so))
		return false;
	stop_being_orphan(so);
	return true;
}

/* Called with share_lock, which is dropped in between */
static void retry_orphans_of(const struct ib_pd *pd, u16 object_id,
			     struct list_head *gone)
{
	struct hlist_node *node, *next;
	struct share_object *so;

	for (node = orphans_of(pd)->first; node; node = next) {
		bool freed;

		so = hlist_entry(node, struct share_object, orphan);
		freed = so->orphan_of == pd &&
			so->shadow.uobj.uapi_object->id == object_id &&
			try_orphan(so);
		next = node->next;
		if (freed) {
			stop_being_orphan(so);
			list_add(&so->node, gone);
		}
	}
}

/*
 * Called after the destruction of an object of this type that was on pd, which
 * is no more than a key here: it may be freed memory.
 */
void uverbs_share_reap(struct ib_pd *pd, u16 object_id)
{
	LIST_HEAD(gone);

	if (!pd)
		return;
	/* The drop of a use count is no barrier, see share_make_orphan() */
	smp_mb();
	if (hlist_empty(orphans_of(pd)))
		return;

	mutex_lock(&share_lock);
	/* A window, or the QP that it was bound by, may have held MRs */
	if (object_id == UVERBS_OBJECT_MW || object_id == UVERBS_OBJECT_QP)
		retry_orphans_of(pd, UVERBS_OBJECT_MR, &gone);
	retry_orphans_of(pd, UVERBS_OBJECT_PD, &gone);
	mutex_unlock(&share_lock);
	free_objects(&gone);
}

static void retry_refused(struct work_struct *work)
{
	struct share_object *so;
	LIST_HEAD(gone);
	LIST_HEAD(todo);

	mutex_lock(&share_lock);
	list_splice_init(&refused, &todo);
	while ((so = list_first_entry_or_null(&todo, struct share_object,
					      refused))) {
		struct ib_pd *pd = so->orphan_of;

		list_move_tail(&so->refused, &refused);
		if (!try_orphan(so))
			continue;
		stop_being_orphan(so);
		list_add(&so->node, &gone);
		retry_orphans_of(pd, UVERBS_OBJECT_PD, &gone);
	}
	if (!list_empty(&refused)) {
		retry_delay = min_t(unsigned long, 2 * retry_delay, RETRY_MAX);
		schedule_retry();
	}
	mutex_unlock(&share_lock);
	free_objects(&gone);
}

/*
 * Takes what there is of dev from all lists, MRs before PDs.  False if just now
 * retry_refused() is at it.
 */
static bool take_objects(struct ib_uverbs_device *dev, struct list_head *list)
{
	struct share_object *so, *next;

	lockdep_assert_held(&share_lock);
	list_for_each_entry(so, &share_objects, node)
		if (so->home->ufile->device == dev && so->trying)
			return false;
	list_for_each_entry_safe(so, next, &share_objects, node) {
		if (so->home->ufile->device != dev)
			continue;
		stop_being_orphan(so);
		if (share_is_pd(so))
			list_add_tail(&so->node, list);
		else
			list_add(&so->node, list);
	}
	return true;
}

/*
 * The device goes away and its driver will not wait: after all its files were
 * cut off nothing of it may be left.  What there is are orphans.
 */
void uverbs_share_remove_device(struct ib_uverbs_device *dev)
{
	struct share_object *so, *next;
	LIST_HEAD(list);
	bool taken;

	do {
		cancel_delayed_work_sync(&retry_work);
		mutex_lock(&share_lock);
		taken = take_objects(dev, &list);
		mutex_unlock(&share_lock);
	} while (!taken);
	/* It may have begun anew in between, and have one in hand to free */
	cancel_delayed_work_sync(&retry_work);
	mutex_lock(&share_lock);
	if (!list_empty(&refused))
		schedule_retry();
	mutex_unlock(&share_lock);

	list_for_each_entry_safe(so, next, &list, node) {
		if (!share_pd_in_use(so) && !share_destroy_object(so)) {
			share_free_object(so);
			continue;
		}
		/* Never freed, as the object that is lost points to it */
		WARN(1, "the driver left a shared object behind\n");
		share_file_unpin(so->home);
	}
	WARN_ON(share_file_any(dev));
}

void share_orphan_exit(void)
{
	cancel_delayed_work_sync(&retry_work);
}
