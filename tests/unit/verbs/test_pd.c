// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* PDs and the map of them; objects by handle of a shared context. */
#include "map_count.h"
#include "model_test.h"
#include "priv.h"

static const struct mp_options usual, with_import = { .import_ops = true };

static void *find(struct ibv_context *context, uint32_t handle)
{
	return handle_map_get(&get_priv(context)->pds, handle);
}

static void check_map(struct ibv_context *context, unsigned int count)
{
	CHECK_INT(map_count(&get_priv(context)->pds), count);
}

MODEL_TEST(allocated_and_deallocated)
{
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *first, *second;

	model_count_from_here();
	first = ibv_alloc_pd(context);
	CHECK(first && first->context == context);
	CHECK_INT(model_calls(), 1);
	second = ibv_alloc_pd(context);
	CHECK(second && second->handle != first->handle);
	CHECK(find(context, first->handle) == first);
	CHECK(find(context, second->handle) == second);
	check_map(context, 2);

	model_count_from_here();
	CHECK_INT(ibv_dealloc_pd(first), 0);
	CHECK_INT(model_calls(), 1);
	CHECK(!find(context, 0));
	check_map(context, 1);
	CHECK_INT(ibv_dealloc_pd(second), 0);
	check_map(context, 0);
	mp_close(context);
}

MODEL_TEST(failures)
{
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *pd;

	model_fail(MODEL_OLDER(ALLOC_PD), EAGAIN);
	CHECK_NULL(ibv_alloc_pd(context), EAGAIN);
	check_map(context, 0);

	pd = ibv_alloc_pd(context);
	CHECK(pd);
	mp_get(context)->options.destroy_error = EBUSY;
	CHECK_INT(ibv_dealloc_pd(pd), EBUSY);
	CHECK(find(context, pd->handle) == pd);
	check_map(context, 1);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(context);
}

/* It shares the handle, and must not take the PD off the map. */
MODEL_TEST(parent_domain)
{
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_parent_domain_init_attr attr = { .pd = pd };
	struct ibv_pd *parent;

	CHECK(pd);
	parent = ibv_alloc_parent_domain(context, &attr);
	CHECK(parent);
	CHECK(find(context, pd->handle) == pd);

	mp_get(context)->options.destroy_error = EBUSY;
	CHECK_INT(ibv_dealloc_pd(parent), EBUSY);
	check_map(context, 1);
	CHECK_INT(ibv_dealloc_pd(parent), 0);
	CHECK(find(context, pd->handle) == pd);
	check_map(context, 1);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(context);
}

static struct ibv_context *window_context;
static struct ibv_pd *window_pd;

static void look_in_window(struct ibv_pd *pd)
{
	CHECK(!find(window_context, pd->handle));
	window_pd = pd;
}

/* While the kernel destroys it nobody else may be led to the PD. */
MODEL_TEST(off_the_map_before_the_kernel_is_asked)
{
	const struct mp_options options = { .in_dealloc_pd = look_in_window };
	struct ibv_pd *pd;

	window_context = mp_open(&options);
	pd = ibv_alloc_pd(window_context);
	CHECK(pd);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	CHECK(window_pd == pd);
	mp_close(window_context);
}

MODEL_TEST(many)
{
	enum { MANY = 100 };
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *pds[MANY];

	for (int i = 0; i < MANY; i++)
		CHECK(pds[i] = ibv_alloc_pd(context));
	for (int i = 0; i < MANY; i += 2)
		CHECK_INT(ibv_dealloc_pd(pds[i]), 0);
	for (int i = 1; i < MANY; i += 2)
		CHECK(find(context, pds[i]->handle) == pds[i]);
	for (int i = 1; i < MANY; i += 2)
		CHECK_INT(ibv_dealloc_pd(pds[i]), 0);
	check_map(context, 0);
	mp_close(context);
}

/* ---- by handle ---- */

MODEL_TEST(by_handle)
{
	struct ibv_context *context = mp_open(&with_import);
	struct ibv_pd *pd, *again;
	struct ibv_mr *own, *mr;
	struct ibv_dm *dm;
	char memory[16];

	pd = ibv_import_pd_by_handle(context, 77);
	again = ibv_import_pd_by_handle(context, 77);
	CHECK(pd && again);
	check_map(context, 2);
	ibv_unimport_pd(pd);
	CHECK(find(context, 77) == again);
	pd = ibv_import_pd_by_handle(context, 77);
	ibv_unimport_pd(again);
	CHECK_INT(pd->handle, 77);
	CHECK(find(context, 77) == pd);
	ibv_unimport_pd(pd);
	check_map(context, 0);

	/* In source, two arguments; MRs: what the provider's op says. */
	pd = ibv_alloc_pd(context);
	CHECK(pd);
	own = ibv_reg_mr(pd, memory, sizeof(memory), 0);
	CHECK(own);
	mr = ibv_import_mr(pd, own->handle);
	CHECK(mr && mr->pd == pd && !mr->addr);
	CHECK_INT(mr->handle, own->handle);
	CHECK_INT(mr->lkey, own->lkey);
	CHECK_INT(container_of(mr, struct verbs_mr, ibv_mr)->mr_type,
		  IBV_MR_TYPE_IMPORTED_MR);
	errno = 0;
	CHECK_INT(ibv_rereg_mr(mr, 0, NULL, NULL, 0, 0),
		  IBV_REREG_MR_ERR_INPUT);
	CHECK_INT(errno, EINVAL);
	ibv_unimport_mr(mr);
	CHECK_NULL(ibv_import_mr_by_handle(pd, 200), ENOENT);
	CHECK_INT(ibv_dereg_mr(own), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);

	dm = ibv_import_dm(context, 9);
	CHECK(dm && dm->context == context);
	ibv_unimport_dm(dm);
	mp_close(context);
}

MODEL_TEST(by_handle_where_the_provider_cannot)
{
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *pd = ibv_alloc_pd(context);

	CHECK(pd);
	model_count_from_here();
	CHECK_NULL(ibv_import_pd_by_handle(context, 1), EOPNOTSUPP);
	CHECK_NULL(ibv_import_mr_by_handle(pd, 1), EOPNOTSUPP);
	CHECK_NULL(ibv_import_dm(context, 1), EOPNOTSUPP);
	CHECK_INT(model_calls(), 0);
	check_map(context, 1);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(context);
}

MODEL_TEST(by_handle_fails)
{
	const struct mp_options options = { .import_ops = true,
					    .import_pd = MP_FAILS_FIRST };
	struct ibv_context *context = mp_open(&options);

	CHECK_NULL(ibv_import_pd_by_handle(context, 1), ENOSPC);
	check_map(context, 0);
	mp_close(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		model_unit(allocated_and_deallocated),
		model_unit(failures),
		model_unit(parent_domain),
		model_unit(off_the_map_before_the_kernel_is_asked),
		model_unit(many),
		model_unit(by_handle),
		model_unit(by_handle_where_the_provider_cannot),
		model_unit(by_handle_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
