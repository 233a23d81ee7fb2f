/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A model of the kernel's uverbs in place of the library's one system call: it
 * keeps files, handles and objects with their references, so that a test can
 * ask afterwards what is left.  Thread-safe; a test sets options and faults
 * while no other thread calls.
 */
#ifndef MODEL_KERNEL_H
#define MODEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_share_cmds.h>
#include <rdma/ib_user_verbs.h>

struct model_options {
	/* A kernel without the commands of share/, or without GID queries */
	bool no_share;
	bool no_gid_queries;
	/* How many bytes the driver replies to alloc_pd, up to 64 */
	uint32_t pd_reply;
	/* ... but the import reply does not have them, or claims absurdly many
	 */
	bool reply_lost;
	bool reply_absurd;
	/* ... or has others, since the PD's maker has changed them */
	bool reply_forged;
	/* Of the kernel, as GET_CONTEXT tells */
	uint64_t core_support;
	/* The import reply does not say which PD the MR is on */
	bool pd_unknown;
	/* ... or says one that is none, and sizes that no memory has */
	bool mr_absurd;
};
extern struct model_options model;

/* A command, for faults and counts.  Older forms go by their number. */
struct model_command {
	uint16_t object, method;
	uint32_t number;
};
#define MODEL_NATIVE(_object, _method) \
	((struct model_command){ .object = _object, .method = _method })
#define MODEL_OLDER(_number)                                           \
	((struct model_command){ .object = UVERBS_OBJECT_DEVICE,       \
				 .method = UVERBS_METHOD_INVOKE_WRITE, \
				 .number = IB_USER_VERBS_CMD_##_number })
#define MODEL_IMPORT_PD \
	MODEL_NATIVE(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_IMPORT_FROM_FD)
#define MODEL_IMPORT_MR \
	MODEL_NATIVE(UVERBS_OBJECT_MR, UVERBS_METHOD_MR_IMPORT_FROM_FD)
#define MODEL_EXPORT_PD \
	MODEL_NATIVE(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_EXPORT_TO_FD)
#define MODEL_EXPORT_MR \
	MODEL_NATIVE(UVERBS_OBJECT_MR, UVERBS_METHOD_MR_EXPORT_TO_FD)

/* Back to the defaults; every file must be closed and every object gone. */
void model_reset(void);

/* A file of the device: the caller closes the descriptor. */
int model_open(int device);
/* What the kernel does when the last descriptor of the file is closed. */
void model_close(int fd);

/* The next such command fails; 0: it succeeds again. */
void model_fail(struct model_command command, int err);
/* All commands, or those of one kind, since the last model_count_from_here() */
void model_count_from_here(void);
unsigned int model_calls(void);
unsigned int model_calls_of(struct model_command command);

/* What is there: handles of a file, objects of the whole kernel */
size_t model_handles(int fd);
size_t model_objects(void);
/* How many handles refer to the object behind this one; 0: no such handle */
unsigned int model_aliases(int fd, uint32_t handle);

/* The GID table of port 1 */
#define MODEL_GIDS 8
extern struct ibv_gid_entry model_gids[MODEL_GIDS];
extern unsigned int model_num_gids;

/* Let the completion channel with this descriptor report len bytes. */
void model_report(int channel_fd, const void *record, size_t len);

#endif
