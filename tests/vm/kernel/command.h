/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Kernel commands as they are: one ioctl each, no library between.  Functions
 * that return int return 0 or an errno value.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_share_cmds.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

/* ---- the command itself ---- */

#define COMMAND_ATTRS 16

struct command {
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attrs[COMMAND_ATTRS];
};

void command_start(struct command *cmd, int object, int method);
struct ib_uverbs_attr *command_handle(struct command *cmd, int attr,
				      uint32_t handle);
struct ib_uverbs_attr *command_fd(struct command *cmd, int attr, int fd);
struct ib_uverbs_attr *command_u32(struct command *cmd, int attr,
				   uint32_t value);
struct ib_uverbs_attr *command_u64(struct command *cmd, int attr,
				   uint64_t value);
struct ib_uverbs_attr *command_buffer(struct command *cmd, int attr,
				      const void *buf, size_t len);
int command_run(struct command *cmd, int fd);

/* The commands that have no attributes of their own: by DEVICE/INVOKE_WRITE */
int command_write(int fd, uint32_t number, const void *in, size_t in_len,
		  void *out, size_t out_len, void *driver, size_t driver_len);

/* ---- files ---- */

/*
 * All files of one program are of one kind of device, as the kernel wants the
 * driver's number in every command: "sharetest0" unless select_device() named
 * another.
 */
void select_device(const char *name, uint32_t driver_id);
/* The selected device, without a context; -1 and errno */
int open_file(void);
/* With one; does not return without */
int open_context(void);
int make_context(int fd);

/* ---- objects ---- */

int alloc_pd(int fd, uint32_t *handle);
int alloc_pd_driver(int fd, uint32_t *handle, void *driver, size_t len);
struct region {
	uint32_t handle, lkey, rkey;
	uint64_t length, iova;
	bool has_pd;
	uint32_t pd;
};
#define ACCESS_RW                                                       \
	(IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | \
	 IB_UVERBS_ACCESS_REMOTE_READ)
int reg_mr(int fd, uint32_t pd, void *addr, uint64_t length, uint32_t access,
	   struct region *mr);
/* The kernel's numbers, in none of its headers for users */
enum { REREG_TRANS = 1, REREG_PD = 2, REREG_ACCESS = 4 };
int rereg_mr(int fd, uint32_t handle, uint32_t flags, void *addr,
	     uint64_t length, uint32_t access, uint32_t pd);
int alloc_mw(int fd, uint32_t pd, uint32_t *handle);
int create_ah(int fd, uint32_t pd, uint32_t *handle);
int create_srq(int fd, uint32_t pd, uint32_t *handle);
int create_cq(int fd, uint32_t *handle);
int create_qp(int fd, uint32_t pd, uint32_t cq, uint32_t *handle);
int create_wq(int fd, uint32_t pd, uint32_t cq, uint32_t *handle);
int alloc_dm(int fd, uint32_t *handle);
int reg_dm_mr(int fd, uint32_t pd, uint32_t dm, uint32_t *handle);
/* buffer is the descriptor of a dma-buf, or of any file with the test device */
int reg_dmabuf_mr(int fd, uint32_t pd, int buffer, uint64_t length,
		  uint32_t *handle);
int open_xrcd(int fd, uint32_t *handle);
int create_counters(int fd, uint32_t *handle);
int create_rwq_table(int fd, uint32_t wq, uint32_t *handle);
int create_flow(int fd, uint32_t ud_qp, uint32_t *handle);
int create_ud_qp(int fd, uint32_t pd, uint32_t cq, uint32_t *handle);
/* Any object but a CQ, QP, SRQ, WQ, whose destruction has a reply */
int destroy(int fd, int object, uint32_t handle);
int destroy_qp(int fd, uint32_t handle);
int destroy_cq(int fd, uint32_t handle);
int destroy_srq(int fd, uint32_t handle);
int destroy_wq(int fd, uint32_t handle);

#define dealloc_pd(_fd, _handle) destroy(_fd, UVERBS_OBJECT_PD, _handle)
#define dereg_mr(_fd, _handle) destroy(_fd, UVERBS_OBJECT_MR, _handle)

/*
 * The handles of one type in a file; at most max go to list.  Negative errno
 * values are errors.
 */
int list_handles(int fd, int object, uint32_t *list, int max);
int count_handles(int fd, int object);

/* ---- export and import ---- */

int export_to_fd(int fd, int object, uint32_t handle, int target,
		 uint32_t *new_handle);
#define export_pd(...) export_to_fd2(UVERBS_OBJECT_PD, __VA_ARGS__)
#define export_mr(...) export_to_fd2(UVERBS_OBJECT_MR, __VA_ARGS__)
#define export_to_fd2(_object, _fd, _handle, _target, _new) \
	export_to_fd(_fd, _object, _handle, _target, _new)

int import_pd(int fd, int source, uint32_t handle, uint32_t *new_handle);
/* driver_len: in, the size of driver; out, RESP_DRIVER_LEN */
int import_pd_driver(int fd, int source, uint32_t handle, uint32_t *new_handle,
		     void *driver, uint32_t *driver_len);
int import_mr(int fd, int source, uint32_t handle, struct region *mr);

#endif
