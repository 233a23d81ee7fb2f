/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Operations that are the same in providers whose drivers add nothing to them,
 * with the signatures that struct verbs_context_ops wants.
 */
#ifndef PROVIDER_COMMON_H
#define PROVIDER_COMMON_H

#include <stddef.h>
#include <stdint.h>

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

#endif
