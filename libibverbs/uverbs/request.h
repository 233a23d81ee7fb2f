/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A command to the kernel while it is built: the ioctl header and its array of
 * attributes on the caller's stack, filled by small helpers, then run.
 *
 * A helper that is given too much (more than 65535 bytes, more attributes than
 * there is room for) spoils the request, and running it then gives EINVAL;
 * callers need not check each step.
 */
#ifndef UVERBS_REQUEST_H
#define UVERBS_REQUEST_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#include "driver.h"
#include "priv.h"

#define array_size(_array) (sizeof(_array) / sizeof((_array)[0]))
#define offset_after(_type, _member) \
	(offsetof(_type, _member) + sizeof(((_type *)0)->_member))

/* The largest library command has 17; the rest is for a plug-in's own. */
#define REQUEST_ATTRS 32

struct request {
	struct ibv_context *context;
	struct ibv_command_buffer *link;
	int error;
	/* What the kernel reads; the last attribute is for one too many. */
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attrs[REQUEST_ATTRS + 1];
};

/*
 * The bytes that only the provider and its kernel driver understand.  The
 * core's reply stands directly before the driver's in the provider's buffer.
 */
struct driver_data {
	const void *in;
	size_t in_len;
	void *out; /* NULL: the provider gave no buffer */
	size_t out_len;
};

/* From the (cmd, cmd_size, resp, resp_size) that providers pass. */
static inline struct driver_data driver_data(const void *cmd, size_t cmd_size,
					     size_t wrapper_size, void *resp,
					     size_t resp_size, size_t core_size)
{
	struct driver_data data = { 0 };

	if (cmd && cmd_size > wrapper_size) {
		data.in = (const char *)cmd + wrapper_size;
		data.in_len = cmd_size - wrapper_size;
	}
	if (resp && resp_size >= core_size) {
		data.out = (char *)resp + core_size;
		data.out_len = resp_size - core_size;
	}
	return data;
}

#define DRIVER_DATA(_cmd, _cmd_size, _resp, _resp_size)                  \
	driver_data(_cmd, _cmd_size, sizeof(*(_cmd)), _resp, _resp_size, \
		    sizeof(*(_resp)))
#define DRIVER_IN(_cmd, _cmd_size) \
	driver_data(_cmd, _cmd_size, sizeof(*(_cmd)), NULL, 0, 0)
#define DRIVER_OUT(_resp, _resp_size) \
	driver_data(NULL, 0, 0, _resp, _resp_size, sizeof(*(_resp)))

/*
 * The helpers are here for the compiler to see through: a command becomes a row
 * of stores.
 */
static inline void request_init(struct request *rq, struct ibv_context *context,
				uint16_t object, uint16_t method)
{
	rq->context = context;
	rq->link = NULL;
	rq->error = 0;
	rq->hdr = (struct ib_uverbs_ioctl_hdr){
		.object_id = object,
		.method_id = method,
	};
}

static inline struct ib_uverbs_attr *
request_add(struct request *rq, uint16_t id, size_t len, uint64_t data)
{
	struct ib_uverbs_attr *attr = &rq->attrs[rq->hdr.num_attrs];

	if (rq->hdr.num_attrs < REQUEST_ATTRS)
		rq->hdr.num_attrs++;
	else
		rq->error = EINVAL;
	if (len > UINT16_MAX)
		rq->error = EINVAL;
	*attr = (struct ib_uverbs_attr){
		.attr_id = id,
		.len = len,
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = data,
	};
	return attr;
}

/* A handle of this file, or an open uverbs file descriptor */
static inline void request_handle(struct request *rq, uint16_t id,
				  uint32_t handle)
{
	request_add(rq, id, 0, handle);
}

static inline struct ib_uverbs_attr *request_fd(struct request *rq, uint16_t id,
						int fd)
{
	return request_add(rq, id, 0, (int64_t)fd);
}

/* A handle or descriptor that the kernel makes: after success in ->data */
static inline struct ib_uverbs_attr *request_new(struct request *rq,
						 uint16_t id)
{
	return request_add(rq, id, 0, 0);
}

/* Bytes to the kernel; those of more than eight must stay where they are. */
static inline struct ib_uverbs_attr *request_in(struct request *rq, uint16_t id,
						const void *from, size_t len)
{
	uint64_t data = 0;

	/* The kernel takes up to eight bytes from the attribute itself. */
	if (len > sizeof(data))
		data = (uintptr_t)from;
	else if (len == sizeof(data)) /* as good as always: no call */
		memcpy(&data, from, sizeof(data));
	else if (len)
		memcpy(&data, from, len);
	return request_add(rq, id, len, data);
}

static inline void request_u32(struct request *rq, uint16_t id, uint32_t value)
{
	request_in(rq, id, &value, sizeof(value));
}

static inline void request_u64(struct request *rq, uint16_t id, uint64_t value)
{
	request_in(rq, id, &value, sizeof(value));
}

/* Bytes of which elem says the kind */
static inline void request_enum(struct request *rq, uint16_t id, uint8_t elem,
				const void *from, size_t len)
{
	request_in(rq, id, from, len)->attr_data.enum_data.elem_id = elem;
}

/* Bytes from the kernel */
static inline struct ib_uverbs_attr *
request_out(struct request *rq, uint16_t id, void *to, size_t len)
{
	return request_add(rq, id, len, (uintptr_t)to);
}

void request_driver(struct request *rq, const struct driver_data *driver);
/*
 * Attributes that a plug-in adds to the command.  They are appended when the
 * request runs, and on success copied back to where they came from, so that
 * the plug-in finds the handles that the kernel stored.  (No command that has
 * an older form takes any: an older command could not carry them.)
 */
static inline void request_link(struct request *rq,
				struct ibv_command_buffer *link)
{
	rq->link = link;
}

/* A kernel that does not know the attribute may then ignore it. */
static inline void request_optional(struct ib_uverbs_attr *attr)
{
	attr->flags &= ~UVERBS_ATTR_F_MANDATORY;
}

/* Did the kernel write this optional output? */
static inline bool request_written(const struct ib_uverbs_attr *attr)
{
	return attr->flags & UVERBS_ATTR_F_VALID_OUTPUT;
}

/* 0, or the errno value that the system call left in errno */
int request_run(struct request *rq);

/*
 * A command that the kernel has only in its older form: core request, core
 * reply and driver data by INVOKE_WRITE.  Extended commands have
 * IB_USER_VERBS_CMD_FLAG_EXTENDED in the number.  EOPNOTSUPP where the kernel
 * has no INVOKE_WRITE.  driver may be NULL.
 */
int invoke_write(struct ibv_context *context, uint32_t command,
		 const void *core_in, size_t in_len, void *core_out,
		 size_t out_len, const struct driver_data *driver);

/*
 * Give the provider the core's reply too, as it finds it after an older
 * command (and never after a native one).
 */
void give_core_reply(const struct driver_data *driver, const void *core,
		     size_t len);

/* ---- native.c ---- */

/* Where the "kernel has no native method" bit of an operation stands */
#define OP(_member) \
	(offsetof(struct verbs_context_ops, _member) / sizeof(void *))

enum { FALL_BACK = -1 };

/*
 * Run a request that has an older form too.  0, an errno value, or FALL_BACK:
 * the kernel does not have the native method, so send the older command.
 * Where the older command cannot do (may_fall_back false): EOPNOTSUPP.
 */
int request_run_native(struct request *rq, size_t op, bool may_fall_back);

/* ---- destroy.c ---- */

/* What a destroy command's result means to the program: see the definition */
int destroy_result(int err);

struct destroy_method {
	uint16_t object;
	uint16_t method;
	uint16_t handle_attr;
	/* Its older form, with a request of the handle alone */
	size_t op;
	uint32_t command;
};

/* Destroy an object that has no events; obeys destroy_result(). */
int destroy_handle(struct ibv_context *context,
		   const struct destroy_method *how, uint32_t handle);

/* Block until the program has acknowledged all events of the object. */
void wait_acked(pthread_mutex_t *mutex, pthread_cond_t *cond,
		const uint32_t *acked, uint32_t reported);

/* ---- share.c ---- */

struct uverbs_alias;

const struct uverbs_alias *find_loan(struct ibv_context *context,
				     uint16_t object_type);
/* The alias lent for this thread's next command, if it is of that kind */
static inline const struct uverbs_alias *
offered_loan(struct ibv_context *context, uint16_t object_type)
{
	/* As good as always there is none: one look instead of three. */
	if (!__atomic_load_n(&get_priv(context)->loans, __ATOMIC_RELAXED))
		return NULL;
	return find_loan(context, object_type);
}
/*
 * Use up the offered loan and give the provider the driver's reply that came
 * with it.  EOPNOTSUPP, and the loan stays unused, if the provider expects more
 * bytes than the kernel has given.
 */
int take_loan(const struct driver_data *driver);

#endif
