/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* The operations of a context that come from the library. */
#ifndef DEVICE_CONTEXT_OPS_H
#define DEVICE_CONTEXT_OPS_H

#include "driver.h"

/* What stands in the table until the provider calls verbs_set_ops() */
void set_default_ops(struct verbs_context *vctx);

/* Public slots that lead into the library, not to the provider */
void set_library_slots(struct verbs_context *vctx);

#endif
