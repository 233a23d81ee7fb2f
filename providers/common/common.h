/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Operations that are the same in providers whose drivers add nothing to them,
 * with the signatures that struct verbs_context_ops wants.
 */
#ifndef PROVIDER_COMMON_H
#define PROVIDER_COMMON_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "driver.h"

#include "compiler.h"
#include "queue_lock.h"

/*
 * What the driver adds to a reply of the kernel stands right behind the core's
 * part: struct _name##_reply has both, as core and driver.
 */
#define DRIVER_REPLY(_name, _core, _driver)                        \
	struct _name##_reply {                                     \
		struct _core core;                                 \
		struct _driver driver;                             \
	};                                                         \
	_Static_assert(offsetof(struct _name##_reply, driver) ==   \
			       sizeof(struct _core),               \
		       #_name ": hole before the driver's part of" \
			      " the reply")

/*
 * A zeroed object, for the caller to free(); NULL: no memory.  calloc() of glibc
 * before 2.41 passes by what the thread has freed before.
 */
#define new_object(_type)                            \
	({                                           \
		_type *_new = malloc(sizeof(*_new)); \
		if (_new)                            \
			*_new = (_type){};           \
		_new;                                \
	})

/* context.c: devices that are a struct verbs_device and no more, ... */
struct verbs_device *common_alloc_device(struct verbs_sysfs_dev *sysfs_dev);
void common_uninit_device(struct verbs_device *device);
/* ... and contexts that were allocated with their struct verbs_context first */
void common_free_context(struct ibv_context *context);
/* The context; after an error, an errno value, it is freed: NULL and errno. */
struct verbs_context *common_finish_context(struct verbs_context *vctx,
					    int error);

/* device.c */
int common_query_device_ex(struct ibv_context *context,
			   const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t attr_size);
int common_query_port(struct ibv_context *context, uint8_t port,
		      struct ibv_port_attr *attr);
/*
 * Ask an open context, which an import_context op was given, what a new one
 * would have been told: 0 or an errno value.  For drivers that tell nothing of
 * their own.
 */
int common_query_context(struct ibv_context *context);

/* mr.c: MRs that are a struct verbs_mr and no more */
int common_dereg_mr(struct verbs_mr *vmr);
struct ibv_mr *common_import_mr(struct ibv_pd *pd, uint32_t handle);
void common_unimport_mr(struct ibv_mr *mr);

/* queue_attr.c */
/* A basic verb's attributes as the extended verb's */
struct ibv_qp_init_attr_ex common_qp_attr(struct ibv_pd *pd,
					  const struct ibv_qp_init_attr *attr);
struct ibv_srq_init_attr_ex
common_srq_attr(struct ibv_pd *pd, const struct ibv_srq_init_attr *attr);
int common_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr);

#endif
