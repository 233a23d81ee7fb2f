// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * On a kernel without export and import those say EOPNOTSUPP, as often as they
 * are asked, leave nothing behind, and all other verbs work.
 */
#include <malloc.h>

#include "share_test.h"

#define SIZE 65536
#define TIMES 200

static struct ibv_context *a, *b;
static struct ibv_pd *pd;
static struct ibv_mr *mr;

static void ask_once(void)
{
	int fd = ibv_context_to_fd(b), from = ibv_context_to_fd(a);
	uint32_t handle = 4711;

	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_PD, pd->handle),
		EOPNOTSUPP);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_MR, mr->handle),
		EOPNOTSUPP);
	RETURNS(ibv_export_pd(pd, fd, &handle), EOPNOTSUPP);
	RETURNS(ibv_export_mr(mr, fd, &handle), EOPNOTSUPP);
	FAILS(ibv_import_pd(b, from, pd->handle), EOPNOTSUPP);
	FAILS(ibv_import_mr(b, from, mr->handle), EOPNOTSUPP);
	CHECK(handle == 4711, "new_handle was changed");
	/* Destruction needs no module of ours, and so is no proof of one. */
	RETURNS(ibv_withdraw(a, fd, UVERBS_OBJECT_PD, 4711), ENOENT);
	/* What needs no kernel works; what is wrong anyway is told as such. */
	CHECK(fd == b->cmd_fd && ibv_pd_to_handle(pd) == pd->handle &&
		      ibv_mr_to_handle(mr) == mr->handle,
	      "handles");
	RETURNS(ibv_export_pd(pd, fd, NULL), EINVAL);
	RETURNS(ibv_export_to_fd(fd, &handle, NULL, UVERBS_OBJECT_PD, 0),
		EINVAL);
	FAILS(ibv_import_pd(NULL, from, pd->handle), EINVAL);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_CQ, 0),
		EOPNOTSUPP);
}

static void all_else_works(char *memory)
{
	struct test_end end;

	NEED(test_end_open(&end, pd, a));
	test_end_join(&end, &end);
	memset(memory, 0x42, 4096);
	CHECK(test_run(&end, IBV_WR_RDMA_WRITE, (uintptr_t)memory, 4096,
		       mr->lkey, (uintptr_t)memory + 8192,
		       mr->rkey) == IBV_WC_SUCCESS &&
		      !memcmp(memory, memory + 8192, 4096),
	      "RDMA WRITE");
	test_end_close(&end);
}

int main(void)
{
	struct test_counts base = test_count(), with;
	char *memory = test_memory(SIZE);
	size_t in_use;
	int fds, i;

	a = test_open(0);
	b = test_open(0);
	NEED(pd = ibv_alloc_pd(a));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	/* What is allocated once, at first use, is no leak. */
	ask_once();
	with = test_count();
	fds = test_open_fds();
	in_use = mallinfo2().uordblks;
	for (i = 0; i < TIMES; i++)
		ask_once();
	CHECK(mallinfo2().uordblks == in_use, "%zd bytes leaked",
	      (ssize_t)(mallinfo2().uordblks - in_use));
	CHECK(test_open_fds() == fds, "descriptors left open");
	SAME_AS(&with);
	all_else_works(memory);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(a), 0);
	RETURNS(ibv_close_device(b), 0);
	SAME_AS(&base);
	return test_end();
}
