// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Registering memory, and which pages are marked for fork() meanwhile. */
#include <sys/mman.h>
#include <unistd.h>

#include "model_test.h"
#include "priv.h"
#include "util/fork.h"

#undef ibv_reg_mr
#undef ibv_reg_mr_iova

static struct ibv_context *context;
static struct mp_context *mp;
static struct ibv_pd *pd;
static char *pages;
static size_t page;

/* Two pages with a gap after each, so that each is a mapping of its own */
static int begin(void **state)
{
	static const struct mp_options usual;

	(void)state;
	page = sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	CHECK(pages != MAP_FAILED);
	CHECK(!mprotect(pages, page, PROT_READ | PROT_WRITE));
	CHECK(!mprotect(pages + 2 * page, page, PROT_READ | PROT_WRITE));
	CHECK_INT(ibv_fork_init(), 0);

	context = mp_open(&usual);
	mp = mp_get(context);
	pd = ibv_alloc_pd(context);
	CHECK(pd);
	return 0;
}

static int end(void **state)
{
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(context);
	munmap(pages, 4 * page);
	return model_teardown(state);
}

/* Do the kernel's flags of the mapping say "don't copy"? */
static bool is_marked(const void *address)
{
	FILE *smaps = fopen("/proc/self/smaps", "r");
	unsigned long start, stop, at = (uintptr_t)address;
	bool here = false, marked = false, known = false;
	char line[512];

	CHECK(smaps);
	while (fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%lx-%lx ", &start, &stop) == 2)
			here = start <= at && at < stop;
		if (here && !strncmp(line, "VmFlags:", 8)) {
			known = true;
			marked = strstr(line, " dc");
		}
	}
	fclose(smaps);
	CHECK(known);
	return marked;
}

static struct verbs_mr *verbs_mr(struct ibv_mr *mr)
{
	return container_of(mr, struct verbs_mr, ibv_mr);
}

static void check_seen(void *addr, size_t length, uint64_t iova, int access)
{
	CHECK(mp->reg_mr.pd == pd);
	CHECK(mp->reg_mr.addr == addr);
	CHECK_INT(mp->reg_mr.length, length);
	CHECK_INT(mp->reg_mr.iova, iova);
	CHECK_INT(mp->reg_mr.access, access);
}

static void check_and_dereg(struct ibv_mr *mr, void *addr, size_t length)
{
	CHECK(mr);
	CHECK(mr->context == context);
	CHECK(mr->pd == pd);
	CHECK(mr->addr == addr);
	CHECK_INT(mr->length, length);
	CHECK(is_marked(addr));
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK(!is_marked(addr));
}

MODEL_TEST(all_forms)
{
	const int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ;
	struct ibv_mr *mr;

	mr = ibv_reg_mr(pd, pages + 8, 24, access);
	check_seen(pages + 8, 24, (uintptr_t)pages + 8, access);
	check_and_dereg(mr, pages + 8, 24);
	mr = ibv_reg_mr_iova(pd, pages, page, 0x77, access);
	check_seen(pages, page, 0x77, access);
	check_and_dereg(mr, pages, page);
	mr = ibv_reg_mr_iova2(pd, pages, page, 0x78, access);
	check_seen(pages, page, 0x78, access);
	check_and_dereg(mr, pages, page);
}

MODEL_TEST(optional_access_where_the_kernel_knows_it)
{
	const unsigned int optional = IBV_ACCESS_RELAXED_ORDERING | 1u << 29;
	struct verbs_device *device = verbs_get_device(context->device);

	CHECK_INT(device->core_support, 0);
	CHECK_INT(ibv_dereg_mr(ibv_reg_mr_iova2(pd, pages, 8, 0,
						optional | IBV_ACCESS_MW_BIND)),
		  0);
	CHECK_INT(mp->reg_mr.access, IBV_ACCESS_MW_BIND);

	device->core_support = IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS;
	CHECK_INT(ibv_dereg_mr(ibv_reg_mr_iova2(pd, pages, 8, 0,
						optional | IBV_ACCESS_MW_BIND)),
		  0);
	CHECK_INT(mp->reg_mr.access, optional | IBV_ACCESS_MW_BIND);
}

MODEL_TEST(on_demand_is_not_marked)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, pages, page, IBV_ACCESS_ON_DEMAND);

	CHECK(mr);
	CHECK(!is_marked(pages));
	/* Not unmarked either: somebody else's mark on the page stays. */
	CHECK_INT(ibv_dontfork_range(pages, page), 0);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK(is_marked(pages));
	CHECK_INT(ibv_dofork_range(pages, page), 0);
}

MODEL_TEST(failed_registration_leaves_no_mark)
{
	model_fail(MODEL_OLDER(REG_MR), EFAULT);
	CHECK_NULL(ibv_reg_mr(pd, pages, page, 0), EFAULT);
	CHECK(!is_marked(pages));

	/* Pages that cannot be marked are not registered. */
	munmap(pages + 3 * page, page);
	mp->reg_mr.calls = 0;
	CHECK_NULL(ibv_reg_mr(pd, pages + 3 * page, page, 0), ENOMEM);
	CHECK_INT(mp->reg_mr.calls, 0);
}

MODEL_TEST(failed_deregistration_keeps_the_mark)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, pages, page, 0);

	CHECK(mr);
	mp->options.destroy_error = EBUSY;
	CHECK_INT(ibv_dereg_mr(mr), EBUSY);
	CHECK(is_marked(pages));
	check_and_dereg(mr, pages, page);
}

MODEL_TEST(dma_buf)
{
	struct ibv_mr *mr = ibv_reg_dmabuf_mr(pd, 0x2000, 64, 0x9000, 17, 1);

	CHECK(mr && mr->context == context && mr->pd == pd);
	CHECK_INT((uintptr_t)mr->addr, 0x2000);
	CHECK_INT(mr->length, 64);
	check_seen((void *)0x2000, 64, 0x9000, 1);
	CHECK_INT(mp->reg_mr.flags, 17);
	errno = 0;
	CHECK_INT(ibv_rereg_mr(mr, 0, NULL, NULL, 0, 0),
		  IBV_REREG_MR_ERR_INPUT);
	CHECK_INT(errno, EINVAL);
	CHECK_INT(ibv_dereg_mr(mr), 0);

	/* The offset is no address, even if it looks like one. */
	CHECK_INT(ibv_dontfork_range(pages, page), 0);
	mr = ibv_reg_dmabuf_mr(pd, (uintptr_t)pages, page, 0, 17, 0);
	CHECK(mr);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK(is_marked(pages));
	CHECK_INT(ibv_dofork_range(pages, page), 0);
}

/* ---- ibv_rereg_mr() ---- */

MODEL_TEST(rereg_refuses)
{
	static const struct {
		int flags, access;
		bool addr;
		size_t length;
	} wrong[] = {
		{ .flags = IBV_REREG_MR_CHANGE_TRANSLATION, .length = 8 },
		{ .flags = IBV_REREG_MR_CHANGE_TRANSLATION, .addr = true },
		{ .flags = IBV_REREG_MR_FLAGS_SUPPORTED + 1 },
		{ .flags = IBV_REREG_MR_CHANGE_PD, .access = 1 },
	};
	struct ibv_mr *mr = ibv_reg_mr(pd, pages, page, 0);

	CHECK(mr);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		errno = 0;
		CHECK_INT(ibv_rereg_mr(mr, wrong[i].flags, pd,
				       wrong[i].addr ? pages : NULL,
				       wrong[i].length, wrong[i].access),
			  IBV_REREG_MR_ERR_INPUT);
		CHECK_INT(errno, EINVAL);
	}
	CHECK_INT(mp->rereg_mr.calls, 0);
	check_and_dereg(mr, pages, page);
}

MODEL_TEST(rereg_moves_the_mark)
{
	char *other = pages + 2 * page;
	struct ibv_mr *mr = ibv_reg_mr(pd, pages, page, 0);
	struct ibv_pd *new_pd = ibv_alloc_pd(context);

	CHECK(mr && new_pd);
	CHECK_INT(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, other,
			       100, 0),
		  0);
	CHECK_INT(mp->rereg_mr.flags, IBV_REREG_MR_CHANGE_TRANSLATION);
	CHECK(mp->rereg_mr.addr == other);
	CHECK(mr->addr == other && mr->pd == pd);
	CHECK_INT(mr->length, 100);
	CHECK(!is_marked(pages));
	CHECK(is_marked(other));

	CHECK_INT(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD, new_pd, NULL, 0, 0),
		  0);
	CHECK(mr->pd == new_pd);
	CHECK(is_marked(other));
	mr->pd = pd;
	CHECK_INT(ibv_dealloc_pd(new_pd), 0);
	check_and_dereg(mr, other, 100);
}

MODEL_TEST(rereg_of_access_and_on_demand)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, pages, page, 0);

	CHECK(mr);
	CHECK_INT(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			       IBV_ACCESS_REMOTE_READ),
		  0);
	CHECK_INT(verbs_mr(mr)->access, IBV_ACCESS_REMOTE_READ);
	CHECK(is_marked(pages));
	CHECK_INT(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			       IBV_ACCESS_ON_DEMAND),
		  0);
	CHECK(!is_marked(pages));
	CHECK_INT(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL,
			       pages + 2 * page, page, 0),
		  0);
	CHECK(!is_marked(pages + 2 * page));
	CHECK_INT(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			       0),
		  0);
	check_and_dereg(mr, pages + 2 * page, page);
}

MODEL_TEST(rereg_that_fails_changes_nothing)
{
	char *other = pages + 2 * page;
	struct ibv_mr *mr = ibv_reg_mr(pd, pages, page, 0);

	CHECK(mr);
	model_fail(MODEL_OLDER(REREG_MR), EBUSY);
	errno = 0;
	CHECK_INT(ibv_rereg_mr(mr,
			       IBV_REREG_MR_CHANGE_TRANSLATION |
				       IBV_REREG_MR_CHANGE_ACCESS |
				       IBV_REREG_MR_CHANGE_PD,
			       pd, other, page, 1),
		  IBV_REREG_MR_ERR_CMD);
	CHECK_INT(errno, EBUSY);
	CHECK_INT(verbs_mr(mr)->access, 0);
	CHECK(is_marked(pages));
	CHECK(!is_marked(other));

	/* The new pages cannot be marked. */
	munmap(pages + 3 * page, page);
	mp->rereg_mr.calls = 0;
	CHECK_INT(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL,
			       pages + 3 * page, page, 0),
		  IBV_REREG_MR_ERR_DONT_FORK_NEW);
	CHECK_INT(mp->rereg_mr.calls, 0);
	check_and_dereg(mr, pages, page);
}

#define mr_unit(_name) cmocka_unit_test_setup_teardown(_name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		mr_unit(all_forms),
		mr_unit(optional_access_where_the_kernel_knows_it),
		mr_unit(on_demand_is_not_marked),
		mr_unit(failed_registration_leaves_no_mark),
		mr_unit(failed_deregistration_keeps_the_mark),
		mr_unit(dma_buf),
		mr_unit(rereg_refuses),
		mr_unit(rereg_moves_the_mark),
		mr_unit(rereg_of_access_and_on_demand),
		mr_unit(rereg_that_fails_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
