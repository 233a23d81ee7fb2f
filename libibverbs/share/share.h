/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Inside of share/: checks of what callers give; and from an alias, which is a
 * bare kernel handle, to the object that the provider's other functions know.
 */
#ifndef SHARE_SHARE_H
#define SHARE_SHARE_H

#include <sys/types.h>

#include "provider/priv.h"
#include "uverbs/uverbs.h"

struct share_driver {
	uint32_t id;
	/* Why its provider's ops cannot run on an alias; NULL: they can */
	const char *cannot_adopt;
	/*
	 * The kernel keeps no driver's reply to the registration of an MR.
	 * This long is one that begins with the lkey, the rest being zero.
	 */
	uint32_t mr_reply_len;
};

/* NULL: nothing special */
const struct share_driver *share_find_driver(uint32_t id);

/* check.c */
/* 0 if such objects can be shared, EOPNOTSUPP, or EINVAL: no type of objects */
int share_check_type(enum uverbs_default_objects type);
/* 0, or EBADF if fd is no descriptor's number */
int share_check_fd(uint32_t fd);
/*
 * 0 or an errno value; *cdev is the file's device.  For commands that go to fd
 * itself: to a file that is no character device their number means something
 * else.
 */
int share_check_file(uint32_t fd, dev_t *cdev);

/* 0, or EOPNOTSUPP if no alias on this context could ever be wrapped. */
int share_can_wrap_pd(struct ibv_context *context);
int share_can_wrap_mr(struct ibv_context *context);

/*
 * Make the provider's object for an alias and hand the alias over to it.  On
 * failure the alias is destroyed, the result NULL and errno set.
 */
struct ibv_pd *share_wrap_pd(struct ibv_context *context,
			     struct uverbs_alias *alias);
/* pd: the context's object for the MR's PD, or NULL */
struct ibv_mr *share_wrap_mr(struct ibv_context *context,
			     struct uverbs_alias *alias, struct ibv_pd *pd);

#endif
