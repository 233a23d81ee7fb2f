/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Sharing of PDs and MRs: what its own files share among each other */
#ifndef UVERBS_SHARE_PRIV_H
#define UVERBS_SHARE_PRIV_H

#include <linux/list.h>
#include <linux/mutex.h>
#include "rdma_core.h"
#include "uverbs.h"
#include "uverbs_share.h"

/*
 * Protects every share_object and share_file, and who points to them.  Held only
 * for look-ups, list operations and small allocations: no driver and no lock of
 * a file is taken under it.
 */
extern struct mutex share_lock;

/* A PD or MR that has, or had, more than one handle */
struct share_object {
	/*
	 * Takes the place of the first uobject in ib_pd and ib_mr: resource
	 * dumps of ib_core read pd->uobject->context, and the first uobject may
	 * be gone.  Its so points back here.
	 */
	struct share_uobject shadow;
	struct list_head node;	  /* in share_objects */
	struct list_head aliases; /* of share_uobject */
	unsigned int n_aliases;
	/* Its destruction has begun: the object may be freed memory */
	bool going;
	/* Made in the ucontext of this file */
	struct share_file *home;
	struct share_reply *reply;

	/* An orphan, of this PD, maybe the object itself */
	struct ib_pd *orphan_of;
	struct hlist_node orphan;
	struct list_head refused;
	bool trying; /* A thread is just about to free it, */
	bool again;  /* and has to try once more if it fails */
};

/* A file with aliases, or in whose ucontext shared objects were made */
struct share_file {
	struct hlist_node node;
	struct ib_uverbs_file *ufile; /* holds one reference for all pins */
	u32 id;			      /* never 0 */
	unsigned int pins;	      /* one for each share_object */
	unsigned int aliases;
	unsigned int foreign; /* of the aliases */
	/* The file is done with its ucontext; the last unpin destroys it */
	bool waiting;
	enum rdma_remove_reason reason;
};

/* uverbs_share_object.c */
extern struct list_head share_objects;
int share_add_alias(struct share_uobject *src, struct share_uobject *dst);
bool share_pd_handle(struct ib_uverbs_file *ufile, struct ib_pd *pd,
		     u32 *handle);
const struct share_reply *share_get_reply(struct share_uobject *su);

static inline bool share_is_pd(const struct share_object *so)
{
	return so->shadow.uobj.uapi_object->id == UVERBS_OBJECT_PD;
}

/* uverbs_share_orphan.c */
bool share_make_orphan(struct share_object *so);
int share_destroy_object(struct share_object *so);
void share_free_object(struct share_object *so);
bool share_pd_in_use(const struct share_object *so);
void share_orphan_exit(void);

/* uverbs_share_file.c */
int share_file_add_alias(struct share_uobject *su);
void share_file_remove_alias(struct share_uobject *su);
struct share_file *share_file_pin(struct ib_uverbs_file *ufile);
void share_file_unpin(struct share_file *file);
bool share_file_any(struct ib_uverbs_device *dev);

/* uverbs_share_users.c */
bool share_file_uses_pd(struct ib_uverbs_file *ufile, struct ib_pd *pd);

/* uverbs_share_version.c */
void share_fence_dumps(struct ib_pd *pd);

/* uverbs_share_show.c */
void share_show_init(void);
void share_show_exit(void);

/* uverbs_share_reply.c */

/* Larger replies are not kept: no driver in the kernel has one */
#define SHARE_REPLY_MAX 64

/* What the driver told the maker of a PD, never changed once made */
struct share_reply {
	u32 len;
	u8 data[];
};

#endif
