// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Meetings of threads: see meet.h. */
#include <dlfcn.h>
#include <sched.h>

#include "check.h"
#include "driver.h"
#include "meet.h"

/* As long as one waits for another: then it was the last. */
#define PATIENCE 1000

static int inside;
static bool meeting;

void meet_inside_commands(bool on)
{
	meeting = on;
}

static void enter(void)
{
	__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
	for (int i = 0; meeting && i < PATIENCE; i++) {
		if (__atomic_load_n(&inside, __ATOMIC_SEQ_CST) > 1)
			break;
		sched_yield();
	}
}

static void leave(void)
{
	__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}

static void *real(const char *name)
{
	void *function = dlvsym(RTLD_NEXT, name, "IBVERBS_PRIVATE_34");

	CHECK(function);
	return function;
}

/* Plug-ins find these before the library's. */

int ibv_cmd_get_context(struct verbs_context *context,
			struct ibv_get_context *cmd, size_t cmd_size,
			struct ib_uverbs_get_context_resp *resp,
			size_t resp_size)
{
	typeof(ibv_cmd_get_context) *function = real("ibv_cmd_get_context");
	int ret;

	enter();
	ret = function(context, cmd, cmd_size, resp, resp_size);
	leave();
	return ret;
}

int ibv_cmd_alloc_pd(struct ibv_context *context, struct ibv_pd *pd,
		     struct ibv_alloc_pd *cmd, size_t cmd_size,
		     struct ib_uverbs_alloc_pd_resp *resp, size_t resp_size)
{
	typeof(ibv_cmd_alloc_pd) *function = real("ibv_cmd_alloc_pd");
	int ret;

	enter();
	ret = function(context, pd, cmd, cmd_size, resp, resp_size);
	leave();
	return ret;
}

int ibv_cmd_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
		   uint64_t hca_va, int access, struct verbs_mr *vmr,
		   struct ibv_reg_mr *cmd, size_t cmd_size,
		   struct ib_uverbs_reg_mr_resp *resp, size_t resp_size)
{
	typeof(ibv_cmd_reg_mr) *function = real("ibv_cmd_reg_mr");
	int ret;

	enter();
	ret = function(pd, addr, length, hca_va, access, vmr, cmd, cmd_size,
		       resp, resp_size);
	leave();
	return ret;
}
