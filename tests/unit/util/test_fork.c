// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Fork ranges: the pages' counts against an array of counters, and what is
 * left when the kernel or the allocator refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "alloc_fail.h"
#include "util/fork.h"

#define PAGES 64

static char *area;
static size_t page;

/* What the kernel would have, by the advice given so far */
static bool dontfork[PAGES];
static unsigned int calls, redundant;
static int fail_call; /* 0: none */

int __wrap_madvise(void *addr, size_t len, int advice);

int __wrap_madvise(void *addr, size_t len, int advice)
{
	uintptr_t first = ((uintptr_t)addr - (uintptr_t)area) / page, i;

	if (fail_call && !--fail_call) {
		errno = EAGAIN;
		return -1;
	}
	calls++;
	/* ibv_fork_init() tries it out on a page of its own. */
	if ((char *)addr < area || (char *)addr >= area + PAGES * page)
		return 0;
	assert_int_equal((uintptr_t)addr % page, 0);
	assert_int_equal(len % page, 0);
	for (i = first; i < first + len / page; i++) {
		if (dontfork[i] == (advice == MADV_DONTFORK))
			redundant++;
		dontfork[i] = advice == MADV_DONTFORK;
	}
	return 0;
}

static int change(unsigned int first, unsigned int count, int by)
{
	/* Not aligned, so that the widening to pages is seen */
	char *start = area + first * page + 5;
	size_t size = count * page - 10;

	return by > 0 ? ibv_dontfork_range(start, size)
		      : ibv_dofork_range(start, size);
}

static void assert_pages(const int *users)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		if (dontfork[i] != (users[i] > 0))
			fail_msg("page %u has %d users but is %s", i, users[i],
				 dontfork[i] ? "kept" : "given away");
}

static void before_init(void **state)
{
	(void)state;
	assert_int_equal(ibv_is_fork_initialized(), IBV_FORK_DISABLED);
	fail_call = 1;
	assert_int_equal(ibv_fork_init(), ENOSYS);
	fail_call = 2;
	assert_int_equal(ibv_fork_init(), ENOSYS);
	alloc_fail_at(1);
	assert_int_equal(ibv_fork_init(), ENOMEM);
	alloc_fail_at(0);
	assert_int_equal(ibv_fork_init(), 0);
	assert_int_equal(ibv_fork_init(), 0);
	assert_int_equal(ibv_is_fork_initialized(), IBV_FORK_ENABLED);
}

static void bad_ranges(void **state)
{
	unsigned int before = calls;

	(void)state;
	assert_int_equal(ibv_dontfork_range(NULL, 10), 0);
	assert_int_equal(ibv_dontfork_range(area, 0), 0);
	errno = 0;
	assert_int_equal(ibv_dontfork_range(area, SIZE_MAX), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(calls, before);
}

static void random_ranges(void **state)
{
	int users[PAGES] = {};
	struct {
		unsigned int first, count;
	} live[200];
	unsigned int used = 0, seed = 7, step, i, first, count;

	(void)state;
	redundant = 0;
	for (step = 0; step < 20000; step++) {
		if (used < 200 && rand_r(&seed) % 2) {
			first = rand_r(&seed) % PAGES;
			count = 1 + rand_r(&seed) % (PAGES - first);
			live[used].first = first;
			live[used++].count = count;
			assert_int_equal(change(first, count, 1), 0);
			for (i = first; i < first + count; i++)
				users[i]++;
		} else if (used) {
			unsigned int n = rand_r(&seed) % used;

			first = live[n].first;
			count = live[n].count;
			live[n] = live[--used];
			assert_int_equal(change(first, count, -1), 0);
			for (i = first; i < first + count; i++)
				users[i]--;
		}
		assert_pages(users);
	}
	while (used--)
		assert_int_equal(change(live[used].first, live[used].count, -1),
				 0);
	memset(users, 0, sizeof(users));
	assert_pages(users);
	/* No page was told twice. */
	assert_int_equal(redundant, 0);
}

/* Pages 10 to 19 and 30 to 39 in use: 5 to 44 has three pieces to change. */
static void refused(void **state)
{
	int users[PAGES] = {};
	unsigned int i, n;
	size_t blocks;

	(void)state;
	for (i = 0; i < 10; i++)
		users[10 + i] = users[30 + i] = 1;
	assert_int_equal(change(10, 10, 1), 0);
	assert_int_equal(change(30, 10, 1), 0);
	blocks = alloc_live();

	for (n = 1; n <= 3; n++) {
		fail_call = n;
		errno = 0;
		assert_int_equal(change(5, 40, 1), -1);
		assert_int_equal(errno, EAGAIN);
		assert_pages(users);
		assert_int_equal(alloc_live(), blocks);
	}
	fail_call = 0;
	for (n = 1;; n++) {
		alloc_fail_at(n);
		if (!change(5, 40, 1))
			break;
		assert_int_equal(errno, ENOMEM);
		assert_pages(users);
		assert_int_equal(alloc_live(), blocks);
	}
	alloc_fail_at(0);
	assert_true(n > 1);
	for (i = 5; i < 45; i++)
		users[i]++;
	assert_pages(users);

	for (n = 1; n <= 3; n++) {
		fail_call = n;
		assert_int_equal(change(5, 40, -1), -1);
		assert_int_equal(errno, EAGAIN);
		assert_pages(users);
	}
	fail_call = 0;
	assert_int_equal(change(5, 40, -1), 0);
	assert_int_equal(alloc_live(), blocks);
	assert_int_equal(change(10, 10, -1), 0);
	assert_int_equal(change(30, 10, -1), 0);
	memset(users, 0, sizeof(users));
	assert_pages(users);
}

static int map_area(void **state)
{
	(void)state;
	page = sysconf(_SC_PAGESIZE);
	area = mmap(NULL, PAGES * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	return area == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_init),
		cmocka_unit_test(bad_ranges),
		cmocka_unit_test(random_ranges),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, map_area, NULL);
}
