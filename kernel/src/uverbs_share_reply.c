// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs: the driver's part of the reply to alloc_pd
 *
 * A provider's library may need it to build its own PD, for example mlx5's
 * number of the PD.  Importers get a copy.
 *
 * The driver writes straight into the maker's memory, so that is where the copy
 * has to come from; another thread of the maker can change it in between.
 * Importers must therefore take it as something that the exporter says, and the
 * kernel never uses it.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "uverbs_share_priv.h"

/* Without memory for it the PD is made all the same, only with no reply known. */
void uverbs_share_note_reply(struct ib_uobject *uobj,
			     struct uverbs_attr_bundle *attrs)
{
	struct ib_udata *udata = &attrs->driver_udata;
	struct share_reply *reply;

	if (!udata->outlen || udata->outlen > SHARE_REPLY_MAX)
		return;
	reply = kmalloc(struct_size(reply, data, udata->outlen), GFP_KERNEL);
	if (!reply)
		return;
	reply->len = udata->outlen;
	if (copy_from_user(reply->data, udata->outbuf, reply->len)) {
		kfree(reply);
		return;
	}
	to_share_uobject(uobj)->reply = reply;
}
