/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A kernel's siw driver for tests: it makes what is asked for and puts the
 * rings where its replies say, in a memory file that is the command fd.
 */
#ifndef SIW_KERNEL_H
#define SIW_KERNEL_H

#include "provider_kernel.h"
#include "siw.h"

extern const struct verbs_device_ops verbs_provider_siw;

#define RING_BYTES 8192 /* that each ring has in the file */
enum { SQ_AT = 0, RQ_AT = RING_BYTES, CQ_AT = 2 * RING_BYTES };

struct siw_kernel {
	/* What it replies; sound ones to begin with */
	struct siw_uresp_create_cq cq;
	struct siw_uresp_create_qp qp;
	struct siw_uresp_create_srq srq;
	struct core_reply core;

	unsigned int doorbells;
	/* What a doorbell does, and returns; NULL: nothing, 0 */
	int (*doorbell)(void);
	uint8_t stag_key;    /* that the last registration came with */
	size_t stag_request; /* bytes of the driver's part of it */
};

extern struct siw_kernel siw_kernel;

static inline struct siw_sqe *kernel_sqe(unsigned int i)
{
	return (struct siw_sqe *)(provider_kernel.memory + SQ_AT) + i;
}

static inline struct siw_rqe *kernel_rqe(unsigned int i)
{
	return (struct siw_rqe *)(provider_kernel.memory + RQ_AT) + i;
}

static inline struct siw_cqe *kernel_cqe(unsigned int i)
{
	return (struct siw_cqe *)(provider_kernel.memory + CQ_AT) + i;
}

int siw_kernel_setup(void **state);

/* *state is a context of siw. */
#define siw_test(_fn)                                          \
	cmocka_unit_test_setup_teardown(_fn, siw_kernel_setup, \
					provider_kernel_teardown)

#endif
