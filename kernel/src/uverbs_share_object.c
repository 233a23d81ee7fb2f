// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs and MRs: the shared objects and their aliases
 *
 * An alias is a uobject, in any file, of a PD or MR that has others.  All
 * aliases are equal; the object goes with the last of them, in the context in
 * which it was made, or becomes an orphan if it can not go yet.
 */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include "uverbs_share_priv.h"

DEFINE_MUTEX(share_lock);

LIST_HEAD(share_objects);

/*
 * The aliases of PDs by PD and file: a PD may have thousands, in thousands of
 * files.  Of those of one PD in one file one is hashed.
 */
static DEFINE_HASHTABLE(pd_aliases, 12);

static unsigned long pd_key(const struct share_object *so,
			    const struct ib_uverbs_file *ufile)
{
	return (unsigned long)so + (unsigned long)ufile;
}

static struct share_uobject *pd_uobject(struct ib_pd *pd)
{
	return to_share_uobject(pd->uobject);
}

static struct share_uobject *find_pd_alias(const struct share_object *so,
					   const struct ib_uverbs_file *ufile)
{
	struct share_uobject *su;

	hash_for_each_possible(pd_aliases, su, pd_node, pd_key(so, ufile))
		if (su->so == so && su->uobj.ufile == ufile)
			return su;
	return NULL;
}

/*
 * The hashed alias is the one to be found, see share_pd_handle().  In the ring
 * from there first come all that were not exported, then all that were.
 */
static void hash_pd_alias(struct share_object *so, struct share_uobject *su)
{
	struct share_uobject *first = find_pd_alias(so, su->uobj.ufile);

	INIT_LIST_HEAD(&su->ring);
	if (first) {
		list_add_tail(&su->ring, &first->ring);
		if (su->exported)
			return;
		hash_del(&first->pd_node);
	}
	hash_add(pd_aliases, &su->pd_node, pd_key(so, su->uobj.ufile));
}

static void unhash_pd_alias(struct share_object *so, struct share_uobject *su)
{
	struct share_uobject *next = list_next_entry(su, ring);

	if (hash_hashed(&su->pd_node)) {
		hash_del(&su->pd_node);
		if (next != su)
			hash_add(pd_aliases, &next->pd_node,
				 pd_key(so, su->uobj.ufile));
	}
	list_del(&su->ring);
}

static int link_alias(struct share_object *so, struct share_uobject *su)
{
	int ret = share_file_add_alias(su);

	if (ret)
		return ret;
	su->so = so;
	so->n_aliases++;
	list_add_tail(&su->node, &so->aliases);
	if (share_is_pd(so))
		hash_pd_alias(so, su);
	return 0;
}

static void unlink_alias(struct share_object *so, struct share_uobject *su)
{
	if (share_is_pd(so))
		unhash_pd_alias(so, su);
	list_del(&su->node);
	so->n_aliases--;
	su->so = NULL;
	share_file_remove_alias(su);
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
	INIT_LIST_HEAD(&so->aliases);
	INIT_LIST_HEAD(&so->refused);
	so->shadow.so = so;
	so->shadow.uobj.ufile = su->uobj.ufile;
	so->shadow.uobj.context = su->uobj.context;
	so->shadow.uobj.object = su->uobj.object;
	so->shadow.uobj.uapi_object = su->uobj.uapi_object;
	so->shadow.uobj.id = su->uobj.id;
	if (link_alias(so, su))
		goto free;
	/* The alias has the file's record already: this can not fail */
	so->home = share_file_pin(su->uobj.ufile);
	so->reply = su->reply;
	su->reply = NULL;
	list_add_tail(&so->node, &share_objects);
	if (share_is_pd(so)) {
		struct ib_pd *pd = su->uobj.object;

		WRITE_ONCE(pd->uobject, &so->shadow.uobj);
		/* Dumps that read the old pointer are done after this */
		share_fence_dumps(pd);
	} else {
		struct ib_mr *mr = su->uobj.object;

		WRITE_ONCE(mr->uobject, &so->shadow.uobj);
	}
	return so;
free:
	kfree(so);
	return NULL;
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
	ret = link_alias(src->so, dst);
out:
	mutex_unlock(&share_lock);
	/*
	 * Who locks src for writing reads src->so without share_lock.  What
	 * unlocks it here is an atomic_dec(), which could be seen before src->so
	 * is: it is no barrier, and the mutex does not hold back what follows.
	 */
	smp_mb();
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
	if (so)
		found = find_pd_alias(so, ufile);
	else if (su->uobj.ufile == ufile)
		found = su;
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

/* su is write locked: no alias of it can be made meanwhile. */
static int drop_alias(struct share_uobject *su, enum rdma_remove_reason why)
{
	struct share_object *so = su->so;
	bool gone = false;
	int ret;

	mutex_lock(&share_lock);
	if (so->n_aliases > 1) {
		unlink_alias(so, su);
		goto out;
	}
	/* By objects of other files, or by MRs that are aliased there */
	if (share_pd_in_use(so)) {
		unlink_alias(so, su);
		gone = share_make_orphan(so);
		goto out;
	}
	so->going = true;
	mutex_unlock(&share_lock);

	ret = share_destroy_object(so);

	mutex_lock(&share_lock);
	so->going = false;
	if (ret && why == RDMA_REMOVE_DESTROY) {
		mutex_unlock(&share_lock);
		return ret;
	}
	unlink_alias(so, su);
	if (ret) {
		/* Such as an MR with a memory window of another file */
		gone = share_make_orphan(so);
	} else {
		list_del(&so->node);
		gone = true;
	}
out:
	mutex_unlock(&share_lock);
	if (gone)
		share_free_object(so);
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
	if (why == RDMA_REMOVE_DESTROY && atomic_read(&pd->usecnt) &&
	    share_file_uses_pd(attrs->ufile, pd))
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
	bool gone = false;
	int ret;

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
		gone = share_make_orphan(so);
		ret = 0;
	}
	mutex_unlock(&share_lock);
	if (gone)
		share_free_object(so);
	return ret;
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
	busy = su->so->n_aliases > 1 || su->so->home->ufile != uobj->ufile;
	mutex_unlock(&share_lock);
	return busy;
}

void uverbs_share_init(void)
{
	share_show_init();
}

/* The module is unloaded: whatever is still recorded was leaked. */
void uverbs_share_exit(void)
{
	share_show_exit();
	share_orphan_exit();
	WARN_ON(!list_empty(&share_objects));
	WARN_ON(share_file_any(NULL));
}
