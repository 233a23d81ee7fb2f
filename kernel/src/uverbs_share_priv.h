/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Sharing of PDs and MRs: what its own files share among each other */
#ifndef UVERBS_SHARE_PRIV_H
#define UVERBS_SHARE_PRIV_H

#include <linux/mutex.h>
#include "rdma_core.h"
#include "uverbs.h"
#include "uverbs_share.h"

/*
 * Protects every share_object and share_context, and who points to them.  Held
 * only for look-ups, list operations and small allocations: no driver and no
 * lock of a file is taken under it.
 */
extern struct mutex share_lock;

/* uverbs_share_object.c */
int share_add_alias(struct share_uobject *src, struct share_uobject *dst);
bool share_pd_handle(struct ib_uverbs_file *ufile, struct ib_pd *pd,
		     u32 *handle);
const struct share_reply *share_get_reply(struct share_uobject *su);

/* uverbs_share_context.c */
struct share_context;
struct share_context *share_context_pin(struct ib_uverbs_file *ufile);
void share_context_unpin(struct share_context *ctx);
struct ib_uverbs_file *share_context_file(struct share_context *ctx);
bool share_context_any(struct ib_uverbs_device *dev);

/* uverbs_share_users.c */
bool share_file_uses_pd(struct ib_uverbs_file *ufile, struct ib_pd *pd);

/* uverbs_share_reply.c */

/* Larger replies are not kept: no driver in the kernel has one */
#define SHARE_REPLY_MAX 64

/* What the driver told the maker of a PD, never changed once made */
struct share_reply {
	u32 len;
	u8 data[];
};

#endif
