/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Sharing of PDs and MRs between uverbs files: what the rest of ib_uverbs
 * calls.  See README.md for the rules; the calls are put in place by hooks/.
 */
#ifndef UVERBS_SHARE_H
#define UVERBS_SHARE_H

#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

struct ib_uverbs_device;
struct ib_uverbs_file;
struct share_file;
struct share_object;
struct share_reply;
struct uverbs_api;

/*
 * The uobject of every PD and MR.  The core allocates it, zeroed, as the types
 * of both say (hooks/objects.cocci), and frees it: uobj has to be first.
 */
struct share_uobject {
	struct ib_uobject uobj;
	/* NULL: private, this is the only uobject of its PD or MR */
	struct share_object *so;
	struct list_head node;	 /* in so->aliases */
	struct share_file *file; /* of uobj, if an alias */
	/* PD: the aliases in one file; one of them is hashed by PD and file */
	struct list_head ring;
	struct hlist_node pd_node;
	/* Only while private, then the share_object has it */
	struct share_reply *reply;
	/* MR: ib_mr itself has no sign of on-demand paging */
	u32 access_flags;
	/*
	 * MR: NULL or its PD, for others to read while the uobject is locked
	 * by a command that may take long, or has freed the MR.
	 */
	struct ib_pd *mr_pd;
	/* Got by export or import, not made in this file */
	bool alias;
	/* Put here by export: its file's owner has no object for it */
	bool exported;
	/* and whoever did is another process: counts for the file's limit */
	bool foreign;
};

/* uverbs_share_object.c */
int uverbs_share_destroy_pd(struct ib_uobject *uobj,
			    enum rdma_remove_reason why,
			    struct uverbs_attr_bundle *attrs);
int uverbs_share_destroy_mr(struct ib_uobject *uobj,
			    enum rdma_remove_reason why,
			    struct uverbs_attr_bundle *attrs);
bool uverbs_share_mr_busy(struct ib_uobject *uobj, u32 rereg_flags);
void uverbs_share_init(void);
void uverbs_share_exit(void);

/* uverbs_share_orphan.c */
void uverbs_share_reap(struct ib_pd *pd, u16 object_id);
void uverbs_share_remove_device(struct ib_uverbs_device *dev);

/* uverbs_share_users.c */
struct ib_pd *uverbs_share_begin_destroy(struct ib_uobject *uobj);

/* uverbs_share_file.c */
bool uverbs_share_keep_context(struct ib_uverbs_file *ufile,
			       enum rdma_remove_reason reason);

/* uverbs_share_reply.c */
void uverbs_share_note_reply(struct ib_uobject *uobj,
			     struct uverbs_attr_bundle *attrs);

/* uverbs_share_methods.c */
extern const struct uapi_definition uverbs_def_share[];
bool uverbs_share_methods_unused(struct uverbs_api *uapi,
				 struct ib_device *ibdev);

static inline struct share_uobject *to_share_uobject(struct ib_uobject *uobj)
{
	return container_of(uobj, struct share_uobject, uobj);
}

static inline void uverbs_share_reg_mr(struct ib_uobject *uobj, u32 access)
{
	to_share_uobject(uobj)->access_flags = access;
}

/* from and to may be the same: some drivers change the MR in place. */
static inline void uverbs_share_rereg_mr(struct ib_uobject *from,
					 struct ib_uobject *to, u32 flags,
					 u32 access)
{
	u32 old = to_share_uobject(from)->access_flags;

	to_share_uobject(to)->access_flags =
		flags & IB_MR_REREG_ACCESS ? access : old;
}

/* Existing functions that the hooks make visible to our files */
int uverbs_free_pd(struct ib_uobject *uobject, enum rdma_remove_reason why,
		   struct uverbs_attr_bundle *attrs);
int uverbs_free_mr(struct ib_uobject *uobject, enum rdma_remove_reason why,
		   struct uverbs_attr_bundle *attrs);
void ufile_destroy_ucontext(struct ib_uverbs_file *ufile,
			    enum rdma_remove_reason reason);

#endif
