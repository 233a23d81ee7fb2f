/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A kernel for the tests of a provider: it makes what is asked for, and replies
 * as the test wants. The command fd is a memory file, for the driver's part of
 * the replies to put rings into.
 */
#ifndef PROVIDER_KERNEL_H
#define PROVIDER_KERNEL_H

#include "driver.h"
#include "kernel_script.h"

/* The core's part of the replies */
struct core_reply {
	uint32_t cqe;
	uint32_t max_wr, max_sge; /* of an SRQ */
	struct ib_uverbs_qp_cap cap;
	uint32_t lkey;
	int error; /* to all that makes objects */
};

struct provider_driver {
	const struct verbs_device_ops *ops;
	size_t memory; /* bytes of the file */
	const struct core_reply *reply;
	/* Of a CQ, SRQ or QP that was made */
	void (*put_driver_part)(struct ib_uverbs_ioctl_hdr *hdr);
	/* 0 or an errno value */
	int (*old_command)(struct ib_uverbs_ioctl_hdr *hdr, uint32_t command);
};

struct provider_kernel {
	const struct provider_driver *driver;
	char *memory; /* the file */
	int live;     /* objects made and not destroyed */
	int strange;  /* commands that it did not understand */
};

extern struct provider_kernel provider_kernel;

/* The handle of every object */
#define PROVIDER_KERNEL_HANDLE 77

/* Replies with bytes, for which there must be room. */
void provider_kernel_put(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id,
			 const void *bytes, size_t len);

/* *state is a context of the driver's. Teardown fails if anything is left. */
int provider_kernel_setup(const struct provider_driver *driver, void **state);
int provider_kernel_teardown(void **state);

#endif
