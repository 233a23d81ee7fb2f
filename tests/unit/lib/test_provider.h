/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A provider for tests: a device that discovery never saw (its verbs_device has
 * no sysfs record) and a context on it.  Its operations do no more than
 * allocate the object and call the library's command function; a test overlays
 * others with verbs_set_ops().
 */
#ifndef TEST_PROVIDER_H
#define TEST_PROVIDER_H

#include <stddef.h>

#include <infiniband/verbs.h>

#include "driver.h"

#define TEST_DRIVER_ID 0x7e57

struct test_context {
	struct verbs_context vctx;
	/* Bytes that alloc_pd and reg_mr want of the kernel driver, up to 64 */
	size_t pd_reply;
	size_t mr_reply;
	/* alloc_pd and reg_mr fail with this errno after their command. */
	int fail_after;
};

struct test_pd {
	struct ibv_pd pd;
	char reply[64]; /* what the kernel driver told */
};

/*
 * Open the device as verbs_open_device() does.  cmd_fd and async_fd are real
 * descriptors (of /dev/null), so that the library can close them.
 * NULL with errno.
 */
struct ibv_context *test_context_open(void);
static inline struct test_context *to_test_context(struct ibv_context *context)
{
	return (struct test_context *)((char *)context -
				       offsetof(struct test_context,
						vctx.context));
}

/* The device; there is only one. */
struct ibv_device *test_device(void);
extern const struct verbs_device_ops test_provider_ops;

#endif
