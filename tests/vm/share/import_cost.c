// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What an import costs.  With "calls": for syscalls.sh, which traces what
 * happens between marks.  Else: time, which must not grow with the region.
 */
#include <sys/mman.h>
#include <time.h>

#include "share_test.h"

#define SMALL ((size_t)1 << 20)
#define LARGE ((size_t)256 << 20)
#define TIMES 15

static struct ibv_context *a, *b;
static struct ibv_pd *pd;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* A system call that nothing else here makes */
static void mark(void)
{
	getppid();
}

static void import_between_marks(struct ibv_mr *mr)
{
	uint32_t fd = ibv_context_to_fd(a);
	struct ibv_pd *p;
	struct ibv_mr *m;

	mark();
	p = ibv_import_pd(b, fd, pd->handle);
	mark();
	m = ibv_import_mr(b, fd, mr->handle);
	mark();
	NEED(p && m);
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(ibv_dealloc_pd(p), 0);
}

static void calls(void)
{
	struct ibv_mr *mr;

	NEED(mr = ibv_reg_mr(pd, test_memory(SMALL), SMALL, TEST_ACCESS));
	/* The second time shows what every further one costs. */
	import_between_marks(mr);
	import_between_marks(mr);
	RETURNS(ibv_dereg_mr(mr), 0);
}

struct cost {
	uint64_t reg, import;
};

static struct cost measure(size_t length)
{
	void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	struct cost cost = { .import = UINT64_MAX };
	uint64_t start, took;
	struct ibv_mr *mr, *m;
	int i;

	NEED(memory != MAP_FAILED);
	start = now();
	NEED(mr = ibv_reg_mr(pd, memory, length, TEST_ACCESS));
	cost.reg = now() - start;
	for (i = 0; i < TIMES; i++) {
		start = now();
		m = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle);
		took = now() - start;
		NEED(m);
		RETURNS(ibv_dereg_mr(m), 0);
		if (took < cost.import)
			cost.import = took;
	}
	RETURNS(ibv_dereg_mr(mr), 0);
	munmap(memory, length);
	return cost;
}

static void times(void)
{
	struct cost small = measure(SMALL), large = measure(LARGE);

	CHECK(large.import < large.reg / 2,
	      "import of 256 MiB takes %.3f ms, registration %.3f ms",
	      large.import / 1e6, large.reg / 1e6);
	CHECK(large.import < 4 * small.import,
	      "import of 256 MiB takes %.3f ms, of 1 MiB %.3f ms",
	      large.import / 1e6, small.import / 1e6);
}

int main(int argc, char *argv[])
{
	struct test_counts base = test_count();

	a = test_open(0);
	b = test_open(0);
	NEED(pd = ibv_alloc_pd(a));
	if (argc > 1 && !strcmp(argv[1], "calls"))
		calls();
	else
		times();
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(a), 0);
	RETURNS(ibv_close_device(b), 0);
	SAME_AS(&base);
	return test_end();
}
