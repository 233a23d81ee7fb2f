/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The kernel commands that the rest of the library issues beyond those that
 * plug-ins call too (ibv_cmd_*() of provider/driver.h).  All return 0 or a
 * positive errno value, and leave outputs untouched on failure.
 */
#ifndef UVERBS_UVERBS_H
#define UVERBS_UVERBS_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>

struct ib_uverbs_ioctl_hdr;

/*
 * The one function of the library that speaks to a uverbs file: 0, or -1 with
 * errno.  It stands alone in uverbs/syscall.c so that tests can replace it.
 */
int uverbs_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr);

/* Can the kernel do INVOKE_WRITE?  EPROTONOSUPPORT from one older than 5.4. */
int uverbs_probe(struct ibv_context *context);

/*
 * Until the next call of this in the same thread, requests for a context whose
 * driver's part the function says yes to get EOPNOTSUPP, and the kernel does not
 * see them.  NULL: no request is refused.
 */
void uverbs_refuse_contexts(bool (*refuse)(const void *request, size_t len));

int uverbs_alloc_async_fd(struct ibv_context *context, int *fd);
int uverbs_create_comp_channel(struct ibv_context *context, int *fd);

/*
 * The GID table.  ENODATA: the entry is empty.  EOPNOTSUPP: the kernel has no
 * such command (before 5.10).
 */
int uverbs_query_gid_entry(struct ibv_context *context, uint32_t port_num,
			   uint32_t gid_index, uint32_t flags,
			   struct ibv_gid_entry *entry, size_t entry_size);
/* *count: room in entries, then entries filled */
int uverbs_query_gid_table(struct ibv_context *context, uint32_t flags,
			   struct ibv_gid_entry *entries, size_t entry_size,
			   uint64_t *count);

/* ---- sharing: see kernel-headers/rdma/ib_user_share_cmds.h ---- */

#define UVERBS_DRIVER_REPLY_MAX 64

/* A new handle in the importing context's file, and what the kernel told. */
struct uverbs_alias {
	uint16_t object_type; /* UVERBS_OBJECT_PD or UVERBS_OBJECT_MR */
	uint32_t handle;
	/* MR */
	uint32_t lkey;
	uint32_t rkey;
	uint64_t length;
	uint64_t iova;
	bool has_pd; /* pd_handle is the MR's PD in this file */
	uint32_t pd_handle;
	/* PD: what the driver wrote beyond the core reply to alloc_pd */
	uint32_t driver_len;
	uint8_t driver[UVERBS_DRIVER_REPLY_MAX];
};

int uverbs_export(struct ibv_context *context, uint16_t object_type,
		  uint32_t handle, int target_fd, uint32_t *new_handle);
int uverbs_import_pd(struct ibv_context *context, int fd, uint32_t handle,
		     struct uverbs_alias *alias);
int uverbs_import_mr(struct ibv_context *context, int fd, uint32_t handle,
		     struct uverbs_alias *alias);
/* Destroy an alias for which no verbs object was made. */
void uverbs_drop_alias(struct ibv_context *context,
		       const struct uverbs_alias *alias);

/*
 * Destroy a handle in the file of fd, which is of context's device.  EINVAL: that
 * file knows no command of ours; EOPNOTSUPP: the kernel has not this one.
 */
int uverbs_withdraw(struct ibv_context *context, int fd, uint16_t object_type,
		    uint32_t handle);

/*
 * The handles that the file of fd, which any process may have opened, has of
 * objects of that type.  handles has room for UVERBS_LIST_MAX, and is written
 * on failure too.  With *count == UVERBS_LIST_MAX there may be more.
 * EOPNOTSUPP: the kernel has no such type or command; EPROTO: it replies what
 * cannot be.
 */
#define UVERBS_LIST_MAX 16383
int uverbs_list_handles(int fd, uint32_t driver_id, uint16_t object_type,
			uint32_t *handles, uint32_t *count);

/*
 * Lend an alias to the next ibv_cmd_alloc_pd(), ibv_cmd_reg_mr() or
 * ibv_cmd_query_mr() of this thread on the same context and of the matching
 * type: that call fills its outputs from the alias and issues no command.
 * One loan is used at most once.  uverbs_end_loan() ends the loan and tells
 * whether it was used; if it was, a provider's op that failed afterwards has
 * destroyed the handle itself, as it does for a handle that it allocated.
 */
void uverbs_lend_alias(struct ibv_context *context, struct uverbs_alias *alias);
bool uverbs_end_loan(void);

#endif
