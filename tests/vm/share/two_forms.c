// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_import_pd() and ibv_import_mr() in both forms, in C and, by
 * two_forms_cxx.cpp, in C++: by the number of arguments in source, by the
 * symbol's version in binaries.
 */
#include <dlfcn.h>

#include "share_test.h"

#define SIZE 4096

typedef struct ibv_pd *(*import_pd_3)(struct ibv_context *, uint32_t, uint32_t);
typedef struct ibv_mr *(*import_mr_3)(struct ibv_context *, uint32_t, uint32_t);
typedef struct ibv_pd *(*import_pd_2)(struct ibv_context *, uint32_t);
typedef struct ibv_mr *(*import_mr_2)(struct ibv_pd *, uint32_t);

static struct ibv_context *a, *b;
static struct ibv_pd *pd;
static struct ibv_mr *mr;

/* Three arguments: an alias, with a handle of its own, that is destroyed. */
static void three(import_pd_3 by_pointer_pd, import_mr_3 by_pointer_mr)
{
	uint32_t fd = ibv_context_to_fd(a);
	struct ibv_pd *p;
	struct ibv_mr *m;

	NEED(p = by_pointer_pd ? by_pointer_pd(b, fd, pd->handle)
			       : ibv_import_pd(b, fd, pd->handle));
	NEED(m = by_pointer_mr ? by_pointer_mr(b, fd, mr->handle)
			       : ibv_import_mr(b, fd, mr->handle));
	CHECK(p->context == b && m->context == b, "context");
	CHECK(m->lkey == mr->lkey && m->pd == p, "members");
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(ibv_dealloc_pd(p), 0);
}

/* Two: the very handle, once more; given back and nothing destroyed. */
static void two(import_pd_2 by_pointer_pd, import_mr_2 by_pointer_mr)
{
	struct test_counts before = test_count();
	struct ibv_pd *p;
	struct ibv_mr *m;

	if (!test_has_import_ops()) {
		FAILS(by_pointer_pd ? by_pointer_pd(a, pd->handle)
				    : ibv_import_pd(a, pd->handle),
		      EOPNOTSUPP);
		FAILS(by_pointer_mr ? by_pointer_mr(pd, mr->handle)
				    : ibv_import_mr(pd, mr->handle),
		      EOPNOTSUPP);
		SAME_AS(&before);
		return;
	}
	NEED(p = by_pointer_pd ? by_pointer_pd(a, pd->handle)
			       : ibv_import_pd(a, pd->handle));
	CHECK(p != pd && p->handle == pd->handle && p->context == a,
	      "members of the PD");
	NEED(m = by_pointer_mr ? by_pointer_mr(p, mr->handle)
			       : ibv_import_mr(p, mr->handle));
	CHECK(m != mr && m->handle == mr->handle && m->lkey == mr->lkey &&
		      m->rkey == mr->rkey && m->length == mr->length &&
		      m->pd == p,
	      "members of the MR");
	ibv_unimport_mr(m);
	ibv_unimport_pd(p);
	SAME_AS(&before);
}

static void *symbol(const char *name, const char *version)
{
	void *found = dlvsym(RTLD_DEFAULT, name, version);

	if (!found)
		FATAL("no %s@%s", name, version);
	return found;
}

/* What binaries bind to */
static void by_version(void)
{
	void *pd_new = symbol("ibv_import_pd", "IBVERBS_SHARE_1.0");
	void *pd_old = symbol("ibv_import_pd", "IBVERBS_1.10");
	void *mr_new = symbol("ibv_import_mr", "IBVERBS_SHARE_1.0");
	void *mr_old = symbol("ibv_import_mr", "IBVERBS_1.10");

	CHECK(pd_new != pd_old && mr_new != mr_old, "one function, two forms");
	CHECK(dlsym(RTLD_DEFAULT, "ibv_import_pd") == pd_new &&
		      dlsym(RTLD_DEFAULT, "ibv_import_mr") == mr_new,
	      "the default is not the form with three arguments");
	three((import_pd_3)pd_new, (import_mr_3)mr_new);
	two((import_pd_2)pd_old, (import_mr_2)mr_old);
}

/* In a function's argument, with a conditional, with a call inside */
static uint32_t same(uint32_t x)
{
	return x;
}

static void odd_uses(void)
{
	/* The name alone is the function with three arguments. */
	import_pd_3 name_pd = ibv_import_pd;
	import_mr_3 name_mr = &ibv_import_mr;
	struct ibv_pd *p;

	three(name_pd, name_mr);
	three((ibv_import_pd), (ibv_import_mr));
	NEED(p = ibv_import_pd((same(1), b), same(ibv_context_to_fd(a)),
			       same(ibv_pd_to_handle(pd))));
	RETURNS(ibv_dealloc_pd(p), 0);
}

int main(void)
{
	struct test_counts base = test_count();

	a = test_open(0);
	b = test_open(0);
	NEED(pd = ibv_alloc_pd(a));
	NEED(mr = ibv_reg_mr(pd, test_memory(SIZE), SIZE, TEST_ACCESS));
	three(NULL, NULL);
	two(NULL, NULL);
	two(ibv_import_pd_by_handle, ibv_import_mr_by_handle);
	by_version();
	odd_uses();
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(a), 0);
	RETURNS(ibv_close_device(b), 0);
	SAME_AS(&base);
	return test_end();
}
