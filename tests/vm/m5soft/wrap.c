// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The provider's own struct is about the kernel's object that the handle stands
 * for: what libmlx5 keeps of an imported PD is what the device has, and what is
 * made on that PD is on that PD in the device.  Rereg of a shared MR, on a
 * device that has rereg.
 */
#include "m5_test.h"

#define SIZE 65536

static char *memory;
static struct ibv_context *a, *b;
static struct ibv_pd *pd;
static struct ibv_mr *mr;

static void is_on(const char *what, const char *list, const char *key,
		  uint32_t value)
{
	long pdn = m5_listed(list, key, value, "pdn");

	CHECK(pdn == m5_pdn(pd), "%s is on PD %ld instead of %u", what, pdn,
	      m5_pdn(pd));
}

/* Every kind of object that the device has on this PD */
static void objects_on(struct ibv_pd *imported)
{
	struct ibv_parent_domain_init_attr attr = { .pd = imported };
	struct ibv_td_init_attr td_attr = { 0 };
	struct ibv_pd *parent;
	struct test_end end;
	struct ibv_mr *own;
	struct ibv_td *td;

	CHECK(m5_pdn(imported) == m5_pdn(pd), "pdn %u instead of %u",
	      m5_pdn(imported), m5_pdn(pd));

	NEED(test_end_open(&end, imported, imported->context));
	is_on("a QP", "qps", "qpn", end.qp->qp_num);
	test_end_close(&end);

	NEED(own = ibv_reg_mr(imported, memory, SIZE, TEST_ACCESS));
	is_on("an MR", "mrs", "lkey", own->lkey);
	RETURNS(ibv_dereg_mr(own), 0);

	/* libmlx5 looks into the struct of the PD for these. */
	NEED(td = ibv_alloc_td(imported->context, &td_attr));
	attr.td = td;
	NEED(parent = ibv_alloc_parent_domain(imported->context, &attr));
	CHECK(m5_pdn(parent) == m5_pdn(pd), "pdn of a parent domain");
	RETURNS(ibv_dealloc_pd(imported), EBUSY);
	NEED(test_end_open(&end, parent, imported->context));
	is_on("a QP on a parent domain", "qps", "qpn", end.qp->qp_num);
	test_end_close(&end);
	RETURNS(ibv_dealloc_pd(parent), 0);
	RETURNS(ibv_dealloc_td(td), 0);
}

static void imported_pd(void)
{
	struct ibv_pd *first, *second, *other;
	int pds = m5_lines("pds");
	uint32_t handle;

	NEED(first = ibv_import_pd(b, ibv_context_to_fd(a), pd->handle));
	objects_on(first);
	/* An alias of an alias, by way of an export */
	RETURNS(ibv_export_pd(first, ibv_context_to_fd(a), &handle), 0);
	NEED(second = ibv_import_pd(b, ibv_context_to_fd(a), handle));
	objects_on(second);
	CHECK(m5_lines("pds") == pds, "the device has %d PDs instead of %d",
	      m5_lines("pds"), pds);
	/* The number tells PDs apart. */
	NEED(other = ibv_alloc_pd(b));
	CHECK(m5_pdn(other) != m5_pdn(first), "two PDs of one number");
	RETURNS(ibv_dealloc_pd(other), 0);
	RETURNS(ibv_dealloc_pd(first), 0);
	objects_on(second);
	RETURNS(ibv_dealloc_pd(second), 0);
}

static void imported_mr(void)
{
	int mrs = m5_lines("mrs");
	struct ibv_mr *m;

	NEED(m = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle));
	CHECK(m->lkey == mr->lkey && m->rkey == mr->rkey && m->length == SIZE &&
		      !m->addr && m->context == b,
	      "members of the imported MR");
	is_on("an imported MR", "mrs", "lkey", m->lkey);
	CHECK(m5_lines("mrs") == mrs, "the device has %d MRs instead of %d",
	      m5_lines("mrs"), mrs);
	RETURNS(ibv_dereg_mr(m), 0);
	CHECK(m5_lines("mrs") == mrs, "the MR has gone with its alias");
}

static int rereg(struct ibv_mr *which, int flags, struct ibv_pd *to)
{
	int access = flags & IBV_REREG_MR_CHANGE_ACCESS ? TEST_ACCESS : 0;

	errno = 0;
	return ibv_rereg_mr(which, flags, to, NULL, 0, access) ? errno : 0;
}

static void rereg_shared(void)
{
	const int access = IBV_REREG_MR_CHANGE_ACCESS;
	uint32_t before = mr->lkey;
	struct ibv_pd *other;
	struct ibv_mr *m;

	NEED(other = ibv_alloc_pd(a));
	RETURNS(rereg(mr, access, NULL), 0);
	CHECK(mr->lkey != before, "rereg did nothing");
	NEED(m = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle));
	before = mr->lkey;
	RETURNS(rereg(mr, access, NULL), EBUSY);
	RETURNS(rereg(mr, IBV_REREG_MR_CHANGE_PD, other), EBUSY);
	RETURNS(rereg(m, access, NULL), EBUSY);
	CHECK(mr->lkey == before && m->lkey == before && mr->pd == pd,
	      "a rereg that was refused has changed something");
	is_on("the MR", "mrs", "lkey", mr->lkey);
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(rereg(mr, access, NULL), 0);
	is_on("the MR", "mrs", "lkey", mr->lkey);
	/* To another PD and back, now that it is nobody else's any more */
	RETURNS(rereg(mr, IBV_REREG_MR_CHANGE_PD, other), 0);
	CHECK(m5_listed("mrs", "lkey", mr->lkey, "pdn") == m5_pdn(other),
	      "rereg has not changed the PD");
	RETURNS(rereg(mr, IBV_REREG_MR_CHANGE_PD, pd), 0);
	is_on("the MR", "mrs", "lkey", mr->lkey);
	RETURNS(ibv_dealloc_pd(other), 0);
}

int main(void)
{
	struct test_counts base = test_count();

	memory = test_memory(SIZE);
	a = test_open(0);
	b = test_open(0);
	NEED(pd = ibv_alloc_pd(a));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	is_on("the owner's MR", "mrs", "lkey", mr->lkey);
	imported_pd();
	imported_mr();
	rereg_shared();
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(a), 0);
	RETURNS(ibv_close_device(b), 0);
	SAME_AS(&base);
	return test_end();
}
