// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs and MRs: what is known of a uverbs file
 *
 * Drivers free an object in the ucontext in which they made it.  So when a file
 * is closed (or cut off from a device that goes away) while objects that were
 * made there have aliases in other files, its ucontext and the ib_uverbs_file
 * around it stay, without uobjects, until the last such object is gone.
 *
 * And a file counts its aliases: those that strangers put there have a limit.
 */
#include <linux/hashtable.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include "uverbs_share_priv.h"

static unsigned int export_limit = 65536;
module_param(export_limit, uint, 0644);
MODULE_PARM_DESC(
	export_limit,
	"How many PDs and MRs other processes may have exported into one file");

/* By file; a pointer in ib_uverbs_file would change exported symbols' CRCs */
static DEFINE_HASHTABLE(files, 10);
static u32 last_id;

static struct share_file *find_file(struct ib_uverbs_file *ufile)
{
	struct share_file *file;

	lockdep_assert_held(&share_lock);
	hash_for_each_possible(files, file, node, (unsigned long)ufile)
		if (file->ufile == ufile)
			return file;
	return NULL;
}

/* Whoever gets it adds a pin or an alias, or drops it. */
static struct share_file *file_of(struct ib_uverbs_file *ufile)
{
	struct share_file *file = find_file(ufile);

	if (file)
		return file;
	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return NULL;
	file->ufile = ufile;
	file->id = ++last_id ?: ++last_id;
	hash_add(files, &file->node, (unsigned long)ufile);
	return file;
}

static void drop_if_unused(struct share_file *file)
{
	if (file->pins || file->aliases)
		return;
	hash_del(&file->node);
	kfree(file);
}

/* The file has a uobject for it, and so needs no reference. */
int share_file_add_alias(struct share_uobject *su)
{
	struct share_file *file = file_of(su->uobj.ufile);

	if (!file)
		return -ENOMEM;
	if (su->foreign && file->foreign >= READ_ONCE(export_limit)) {
		drop_if_unused(file);
		return -EAGAIN;
	}
	file->aliases++;
	file->foreign += su->foreign;
	su->file = file;
	return 0;
}

void share_file_remove_alias(struct share_uobject *su)
{
	struct share_file *file = su->file;

	lockdep_assert_held(&share_lock);
	su->file = NULL;
	file->aliases--;
	file->foreign -= su->foreign;
	drop_if_unused(file);
}

/* The caller knows that ufile has a ucontext: an object was made in it. */
struct share_file *share_file_pin(struct ib_uverbs_file *ufile)
{
	struct share_file *file = file_of(ufile);

	if (file && !file->pins++)
		kref_get(&ufile->ref);
	return file;
}

/*
 * May destroy the ucontext and free the file.  Called without share_lock, but
 * usually with the hw_destroy_rwsem of the file in which the last alias went.
 * Taking a second one inside of it is safe because a waiting file has no
 * uobjects: nothing that is done under its semaphore can wait for another file.
 */
void share_file_unpin(struct share_file *file)
{
	struct ib_uverbs_file *ufile = file->ufile;
	enum rdma_remove_reason reason;
	bool waiting;

	mutex_lock(&share_lock);
	if (--file->pins) {
		mutex_unlock(&share_lock);
		return;
	}
	waiting = file->waiting;
	reason = file->reason;
	drop_if_unused(file);
	mutex_unlock(&share_lock);

	if (waiting) {
		down_write_nested(&ufile->hw_destroy_rwsem,
				  SINGLE_DEPTH_NESTING);
		/*
		 * After a removal of the device the file may still be open;
		 * closing it now finds no pins and can have been quicker.
		 */
		if (ufile->ucontext)
			ufile_destroy_ucontext(ufile, reason);
		up_write(&ufile->hw_destroy_rwsem);
	}
	kref_put(&ufile->ref, ib_uverbs_release_file);
}

/*
 * Called with hw_destroy_rwsem held for write, when all uobjects of the file are
 * gone.  True if the ucontext has to stay.
 */
bool uverbs_share_keep_context(struct ib_uverbs_file *ufile,
			       enum rdma_remove_reason reason)
{
	struct share_file *file;
	bool keep;

	mutex_lock(&share_lock);
	file = find_file(ufile);
	keep = file && file->pins;
	/* Closing a file that was cut off comes here twice: the first counts */
	if (keep && !file->waiting) {
		file->waiting = true;
		file->reason = reason;
	}
	mutex_unlock(&share_lock);
	if (!keep)
		return false;

	/* The mappings of a process that goes on must not wait */
	if (reason == RDMA_REMOVE_DRIVER_REMOVE)
		uverbs_user_mmap_disassociate(ufile);
	/*
	 * Nor must what is left of each uobject behind its handle: nobody is
	 * charged for it any more, and nobody can look for a handle.
	 */
	if (reason == RDMA_REMOVE_CLOSE)
		release_ufile_idr_uobject(ufile);
	return true;
}

/* Is anything known of a file of dev, or of any device when dev is NULL? */
bool share_file_any(struct ib_uverbs_device *dev)
{
	struct share_file *file;
	bool any = false;
	int bucket;

	mutex_lock(&share_lock);
	hash_for_each(files, bucket, file, node)
		any |= !dev || file->ufile->device == dev;
	mutex_unlock(&share_lock);
	return any;
}
