// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs and MRs: the shared objects and their aliases
 *
 * An alias is a uobject, in any file, of a PD or MR that has others.  All
 * aliases are equal; the object goes with the last of them, in the context in
 * which it was made.  A PD that is still used when its last alias goes, or an MR
 * that the driver does not give up yet, is an orphan: it is tried again after
 * each destruction on the same device.
 */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include "uverbs_share_priv.h"
#include "restrack.h"

struct share_object {
	/*
	 * Takes the place of the first uobject in ib_pd and ib_mr: resource
	 * dumps of ib_core read pd->uobject->context, and the first uobject may
	 * be gone.  Its so points back here.
	 */
	struct share_uobject shadow;
	struct list_head orphan;
	unsigned int aliases;
	unsigned int tried; /* by which pass of uverbs_share_reap() */
	struct share_context *home;
	struct share_reply *reply;
};

DEFINE_MUTEX(share_lock);

/* One reaper at a time, so that each sees the failures of the one before. */
static DEFINE_MUTEX(reap_lock);
static unsigned int reap_pass;

/* Added to under share_lock, taken from under share_lock and reap_lock */
static LIST_HEAD(orphans);

/* The aliases of PDs by PD and file: a PD may have thousands */
static DEFINE_HASHTABLE(pd_aliases, 10);

static bool is_pd(const struct share_object *so)
{
	return so->shadow.uobj.uapi_object->id == UVERBS_OBJECT_PD;
}

static unsigned long pd_key(const struct share_object *so,
			    const struct ib_uverbs_file *ufile)
{
	return (unsigned long)so + (unsigned long)ufile;
}

static struct share_uobject *pd_uobject(struct ib_pd *pd)
{
	return to_share_uobject(pd->uobject);
}

static void link_alias(struct share_object *so, struct share_uobject *su)
{
	su->so = so;
	so->aliases++;
	if (is_pd(so))
		hash_add(pd_aliases, &su->pd_node, pd_key(so, su->uobj.ufile));
}

static void unlink_alias(struct share_object *so, struct share_uobject *su)
{
	if (is_pd(so))
		hash_del(&su->pd_node);
	so->aliases--;
	su->so = NULL;
}

/*
 * Turn a private object into a shared one, whose only alias is its uobject.
 * Either that is locked, or the object is the PD of an MR whose uobject is: it
 * can not be destroyed meanwhile.
 */
static struct share_object *make_shared(struct share_uobject *su)
{
	struct share_object *so;

	lockdep_assert_held(&share_lock);
	so = kzalloc(sizeof(*so), GFP_KERNEL);
	if (!so)
		return NULL;
	so->home = share_context_pin(su->uobj.ufile);
	if (!so->home) {
		kfree(so);
		return NULL;
	}
	INIT_LIST_HEAD(&so->orphan);
	so->reply = su->reply;
	su->reply = NULL;
	so->shadow.so = so;
	so->shadow.uobj.ufile = su->uobj.ufile;
	so->shadow.uobj.context = su->uobj.context;
	so->shadow.uobj.object = su->uobj.object;
	so->shadow.uobj.uapi_object = su->uobj.uapi_object;
	so->shadow.uobj.id = su->uobj.id;
	if (is_pd(so)) {
		struct ib_pd *pd = su->uobj.object;

		WRITE_ONCE(pd->uobject, &so->shadow.uobj);
		/* Dumps that read the old pointer are done after this */
		rdma_restrack_sync(&pd->res);
	} else {
		struct ib_mr *mr = su->uobj.object;

		WRITE_ONCE(mr->uobject, &so->shadow.uobj);
	}
	link_alias(so, su);
	return so;
}

/*
 * Make dst, which is not committed yet, an alias of what src, which is read
 * locked, refers to.  Nothing may fail after this.
 */
int share_add_alias(struct share_uobject *src, struct share_uobject *dst)
{
	int ret = -ENOMEM;

	mutex_lock(&share_lock);
	if (src->uobj.uapi_object->id == UVERBS_OBJECT_MR) {
		struct ib_mr *mr = src->uobj.object;
		struct share_uobject *pd = pd_uobject(mr->pd);

		/*
		 * The MR may outlive every handle of its PD: as a shared one
		 * the PD can wait for that, as a private one its file could
		 * never be closed.
		 */
		if (!pd->so && !make_shared(pd))
			goto out;
	}
	if (!src->so && !make_shared(src))
		goto out;
	dst->uobj.object = src->uobj.object;
	dst->access_flags = src->access_flags;
	dst->alias = true;
	link_alias(src->so, dst);
	ret = 0;
out:
	mutex_unlock(&share_lock);
	return ret;
}

/*
 * A handle of the PD in this file, if it has one; rather one that was allocated
 * or imported than one that another file put here, of which the importer may
 * know nothing.
 */
bool share_pd_handle(struct ib_uverbs_file *ufile, struct ib_pd *pd,
		     u32 *handle)
{
	struct share_uobject *su, *found = NULL;
	struct share_object *so;

	mutex_lock(&share_lock);
	su = pd_uobject(pd);
	so = su->so;
	if (so) {
		hash_for_each_possible(pd_aliases, su, pd_node,
				       pd_key(so, ufile))
			if (su->so == so && su->uobj.ufile == ufile) {
				found = su;
				if (!su->exported)
					break;
			}
	} else if (su->uobj.ufile == ufile) {
		found = su;
	}
	if (found)
		*handle = found->uobj.id;
	mutex_unlock(&share_lock);
	return found;
}

/* The reply stays as long as su, which the caller has locked, refers to it. */
const struct share_reply *share_get_reply(struct share_uobject *su)
{
	const struct share_reply *reply;

	mutex_lock(&share_lock);
	reply = su->so ? su->so->reply : su->reply;
	mutex_unlock(&share_lock);
	return reply;
}

static bool pd_in_use(const struct share_object *so)
{
	return is_pd(so) &&
	       atomic_read(&((struct ib_pd *)so->shadow.uobj.object)->usecnt);
}

static int destroy_object(struct share_object *so)
{
	struct uverbs_attr_bundle attrs = {
		.ufile = share_context_file(so->home),
		.context = so->shadow.uobj.context,
	};

	if (is_pd(so))
		return ib_dealloc_pd_user(so->shadow.uobj.object,
					  &attrs.driver_udata);
	return ib_dereg_mr_user(so->shadow.uobj.object, &attrs.driver_udata);
}

static void free_share_object(struct share_object *so)
{
	struct share_context *home = so->home;

	kfree(so->reply);
	kfree(so);
	share_context_unpin(home);
}

/* su is write locked: no alias of it can be made meanwhile. */
static int drop_alias(struct share_uobject *su, enum rdma_remove_reason why)
{
	struct share_object *so = su->so;
	int ret;

	mutex_lock(&share_lock);
	if (so->aliases > 1) {
		unlink_alias(so, su);
		mutex_unlock(&share_lock);
		return 0;
	}
	if (pd_in_use(so)) {
		/* By objects of other files, or by MRs that are aliased there */
		unlink_alias(so, su);
		list_add_tail(&so->orphan, &orphans);
		mutex_unlock(&share_lock);
		return 0;
	}
	mutex_unlock(&share_lock);

	ret = destroy_object(so);
	if (ret && why == RDMA_REMOVE_DESTROY)
		return ret;

	mutex_lock(&share_lock);
	unlink_alias(so, su);
	if (ret)
		/* Such as an MR with a memory window of another file */
		list_add_tail(&so->orphan, &orphans);
	mutex_unlock(&share_lock);
	if (!ret)
		free_share_object(so);
	return 0;
}

/* In the place of uverbs_free_pd() */
int uverbs_share_destroy_pd(struct ib_uobject *uobj,
			    enum rdma_remove_reason why,
			    struct uverbs_attr_bundle *attrs)
{
	struct share_uobject *su = to_share_uobject(uobj);
	struct ib_pd *pd = uobj->object;
	bool private, busy;
	int ret;

	/*
	 * Sharing an MR of this PD makes the PD shared without locking uobj.
	 * While there is none that can not happen, and none can come, as making
	 * it would take uobj's read lock.
	 */
	mutex_lock(&share_lock);
	private = !su->so;
	busy = private && atomic_read(&pd->usecnt);
	mutex_unlock(&share_lock);

	if (busy)
		return -EBUSY;
	if (private) {
		ret = uverbs_free_pd(uobj, why, attrs);
		if (!ret)
			kfree(su->reply);
		return ret;
	}
	if (why == RDMA_REMOVE_DESTROY && share_file_uses_pd(attrs->ufile, pd))
		return -EBUSY;
	return drop_alias(su, why);
}

/* In the place of uverbs_free_mr() */
int uverbs_share_destroy_mr(struct ib_uobject *uobj,
			    enum rdma_remove_reason why,
			    struct uverbs_attr_bundle *attrs)
{
	struct share_uobject *su = to_share_uobject(uobj);
	struct ib_mr *mr = uobj->object;
	struct share_object *so = NULL;
	int ret;

	WRITE_ONCE(su->mr_pd, mr->pd);

	/* Becoming shared takes the read lock of uobj, which is write locked */
	if (su->so)
		return drop_alias(su, why);

	ret = uverbs_free_mr(uobj, why, attrs);
	if (!ret || why == RDMA_REMOVE_DESTROY || why == RDMA_REMOVE_ABORT)
		return ret;

	/*
	 * On a shared PD somebody else's memory window may hold the MR, and this
	 * file can do nothing about it.
	 */
	mutex_lock(&share_lock);
	if (pd_uobject(mr->pd)->so)
		so = make_shared(su);
	if (so) {
		unlink_alias(so, su);
		list_add_tail(&so->orphan, &orphans);
		ret = 0;
	}
	mutex_unlock(&share_lock);
	return ret;
}

/*
 * The next orphan of dev that this pass has not tried and that may go.  A PD
 * counts as tried only when its last user has gone, maybe in this very pass.
 */
static struct share_object *next_orphan(struct ib_uverbs_device *dev)
{
	struct share_object *so, *found = NULL;

	mutex_lock(&share_lock);
	list_for_each_entry(so, &orphans, orphan) {
		if (so->tried == reap_pass || pd_in_use(so) ||
		    share_context_file(so->home)->device != dev)
			continue;
		so->tried = reap_pass;
		found = so;
		break;
	}
	mutex_unlock(&share_lock);
	return found;
}

static void remove_orphan(struct share_object *so)
{
	mutex_lock(&share_lock);
	list_del(&so->orphan);
	mutex_unlock(&share_lock);
}

/*
 * Called after each destruction of an object, under hw_destroy_rwsem of its file,
 * which a removal of the device waits for.  Hence only orphans of that device.
 */
void uverbs_share_reap(struct ib_uverbs_device *dev)
{
	struct share_object *so;

	/*
	 * Either this sees the orphan, or the one who made it, who comes here
	 * next, sees what the destruction before this did: orders the drop of a
	 * use count, which is no barrier, against the look at the list.
	 */
	smp_mb();
	if (list_empty(&orphans))
		return;

	mutex_lock(&reap_lock);
	reap_pass++;
	while ((so = next_orphan(dev))) {
		if (destroy_object(so))
			continue;
		remove_orphan(so);
		free_share_object(so);
	}
	mutex_unlock(&reap_lock);
}

/*
 * The device goes away and its driver will not wait: after all its files were
 * cut off nothing of it may be left.
 */
void uverbs_share_remove_device(struct ib_uverbs_device *dev)
{
	struct share_object *so, *next;
	LIST_HEAD(lost);

	uverbs_share_reap(dev);

	mutex_lock(&reap_lock);
	mutex_lock(&share_lock);
	list_for_each_entry_safe(so, next, &orphans, orphan)
		if (share_context_file(so->home)->device == dev)
			list_move(&so->orphan, &lost);
	mutex_unlock(&share_lock);
	mutex_unlock(&reap_lock);

	list_for_each_entry(so, &lost, orphan) {
		/* Never freed, as the object that is lost points to it */
		WARN(1, "the driver left a shared object behind\n");
		share_context_unpin(so->home);
	}
	WARN_ON(share_context_any(dev));
}

/*
 * May the MR not be changed, as others rely on it?  Its uobject is write locked:
 * that it is the only alias stays true until it is unlocked.
 */
bool uverbs_share_mr_busy(struct ib_uobject *uobj, u32 rereg_flags)
{
	struct share_uobject *su = to_share_uobject(uobj);
	struct ib_mr *mr = uobj->object;
	bool busy;

	WRITE_ONCE(su->mr_pd, rereg_flags & IB_MR_REREG_PD ? NULL : mr->pd);
	if (!su->so)
		return false;
	mutex_lock(&share_lock);
	/* In another file than its own the driver would mix two contexts */
	busy = su->so->aliases > 1 ||
	       share_context_file(su->so->home) != uobj->ufile;
	mutex_unlock(&share_lock);
	return busy;
}

/* The module is unloaded: whatever is still recorded was leaked. */
void uverbs_share_exit(void)
{
	WARN_ON(!list_empty(&orphans));
	WARN_ON(!hash_empty(pd_aliases));
	WARN_ON(share_context_any(NULL));
}
