// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs and MRs: contexts that outlive their file
 *
 * Drivers free an object in the ucontext in which they made it.  So when a file
 * is closed (or cut off from a device that goes away) while objects that were
 * made there have aliases in other files, its ucontext and the ib_uverbs_file
 * around it stay, without uobjects, until the last such object is gone.
 */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include "uverbs_share_priv.h"

/* A file in whose ucontext shared objects were made */
struct share_context {
	struct hlist_node node;
	struct ib_uverbs_file *ufile; /* holds a reference */
	unsigned int pins;	      /* one for each share_object */
	/* The file is done with its ucontext; the last unpin destroys it */
	bool waiting;
	enum rdma_remove_reason reason;
};

/* By file; a pointer in ib_uverbs_file would change exported symbols' CRCs */
static DEFINE_HASHTABLE(contexts, 8);

static struct share_context *find_context(struct ib_uverbs_file *ufile)
{
	struct share_context *ctx;

	lockdep_assert_held(&share_lock);
	hash_for_each_possible(contexts, ctx, node, (unsigned long)ufile)
		if (ctx->ufile == ufile)
			return ctx;
	return NULL;
}

/* The caller knows that ufile has a ucontext: an object was made in it. */
struct share_context *share_context_pin(struct ib_uverbs_file *ufile)
{
	struct share_context *ctx = find_context(ufile);

	if (!ctx) {
		ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);
		if (!ctx)
			return NULL;
		kref_get(&ufile->ref);
		ctx->ufile = ufile;
		hash_add(contexts, &ctx->node, (unsigned long)ufile);
	}
	ctx->pins++;
	return ctx;
}

/*
 * May destroy the ucontext and free the file.  Called without share_lock, but
 * usually with the hw_destroy_rwsem of the file in which the last alias went.
 * Taking a second one inside of it is safe because a waiting file has no
 * uobjects: nothing that is done under its semaphore can wait for another file.
 */
void share_context_unpin(struct share_context *ctx)
{
	struct ib_uverbs_file *ufile = ctx->ufile;

	mutex_lock(&share_lock);
	if (--ctx->pins) {
		mutex_unlock(&share_lock);
		return;
	}
	hash_del(&ctx->node);
	mutex_unlock(&share_lock);

	if (ctx->waiting) {
		down_write_nested(&ufile->hw_destroy_rwsem,
				  SINGLE_DEPTH_NESTING);
		/*
		 * After a removal of the device the file may still be open;
		 * closing it now finds no pins and can have been quicker.
		 */
		if (ufile->ucontext)
			ufile_destroy_ucontext(ufile, ctx->reason);
		up_write(&ufile->hw_destroy_rwsem);
	}
	kref_put(&ufile->ref, ib_uverbs_release_file);
	kfree(ctx);
}

struct ib_uverbs_file *share_context_file(struct share_context *ctx)
{
	return ctx->ufile;
}

/*
 * Called with hw_destroy_rwsem held for write, when all uobjects of the file are
 * gone.  True if the ucontext has to stay.
 */
bool uverbs_share_keep_context(struct ib_uverbs_file *ufile,
			       enum rdma_remove_reason reason)
{
	struct share_context *ctx;

	mutex_lock(&share_lock);
	ctx = find_context(ufile);
	/* Closing a file that was cut off comes here twice: the first counts */
	if (ctx && !ctx->waiting) {
		ctx->waiting = true;
		ctx->reason = reason;
	}
	mutex_unlock(&share_lock);

	/* The mappings of a process that goes on must not wait */
	if (ctx && reason == RDMA_REMOVE_DRIVER_REMOVE)
		uverbs_user_mmap_disassociate(ufile);
	return ctx;
}

/* Is there a context of dev, or of any device when dev is NULL? */
bool share_context_any(struct ib_uverbs_device *dev)
{
	struct share_context *ctx;
	bool any = false;
	int bucket;

	mutex_lock(&share_lock);
	hash_for_each(contexts, bucket, ctx, node)
		any |= !dev || ctx->ufile->device == dev;
	mutex_unlock(&share_lock);
	return any;
}
