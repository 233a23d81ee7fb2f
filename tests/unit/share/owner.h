/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Who has something to share: a context with a PD and an MR. */
#ifndef OWNER_H
#define OWNER_H

#include <infiniband/share.h>

#include "model_test.h"

#define OWNER_IOVA 0x123000

struct owner {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	uint32_t fd; /* the context's */
};

static char owner_memory[8192];

static inline struct owner owner_open(void)
{
	static const struct mp_options usual;
	struct owner o;

	o.context = mp_open(&usual);
	o.fd = ibv_context_to_fd(o.context);
	o.pd = ibv_alloc_pd(o.context);
	CHECK(o.pd);
	o.mr = ibv_reg_mr_iova(o.pd, owner_memory, sizeof(owner_memory),
			       OWNER_IOVA, 0);
	CHECK(o.mr);
	return o;
}

static inline void owner_close(struct owner o)
{
	CHECK_INT(ibv_dereg_mr(o.mr), 0);
	CHECK_INT(ibv_dealloc_pd(o.pd), 0);
	mp_close(o.context);
}

#endif
