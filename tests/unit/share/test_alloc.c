// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Importing while memory runs out, at each allocation in turn. */
#include <infiniband/share.h>

#include "alloc_fail.h"
#include "model_test.h"

static struct ibv_context *owner, *importer;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static char memory[64];

static void begin(bool import_ops)
{
	static const struct mp_options usual;
	const struct mp_options options = { .import_ops = import_ops };

	owner = mp_open(&usual);
	importer = mp_open(&options);
	pd = ibv_alloc_pd(owner);
	CHECK(pd);
	mr = ibv_reg_mr(pd, memory, sizeof(memory), 0);
	CHECK(mr);
}

static void end(void)
{
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(importer);
	mp_close(owner);
}

static bool undo_pd(struct ibv_pd *made)
{
	if (!made) {
		CHECK_INT(errno, ENOMEM);
		CHECK_INT(model_handles(importer->cmd_fd), 0);
		return false;
	}
	CHECK_INT(ibv_dealloc_pd(made), 0);
	return true;
}

static bool try_import_pd(void *arg)
{
	(void)arg;
	return undo_pd(ibv_import_pd(importer, owner->cmd_fd, pd->handle));
}

static bool try_alloc_pd(void *arg)
{
	(void)arg;
	return undo_pd(ibv_alloc_pd(importer));
}

static bool try_import_pd_by_handle(void *arg)
{
	struct ibv_pd *made = ibv_import_pd_by_handle(importer, 5);

	(void)arg;
	if (!made) {
		CHECK_INT(errno, ENOMEM);
		return false;
	}
	ibv_unimport_pd(made);
	return true;
}

static bool try_import_mr(void *arg)
{
	struct ibv_mr *made =
		ibv_import_mr(importer, owner->cmd_fd, mr->handle);

	(void)arg;
	if (!made) {
		CHECK_INT(errno, ENOMEM);
		CHECK_INT(model_handles(importer->cmd_fd), 0);
		return false;
	}
	CHECK_INT(ibv_dereg_mr(made), 0);
	return true;
}

static bool try_comp_channel(void *arg)
{
	struct ibv_comp_channel *channel = ibv_create_comp_channel(importer);

	(void)arg;
	if (!channel) {
		CHECK_INT(errno, ENOMEM);
		return false;
	}
	CHECK_INT(ibv_destroy_comp_channel(channel), 0);
	return true;
}

/* The map of PDs grows at the first PD and keeps its room: a context each. */
static void each(bool import_ops, bool (*attempt)(void *arg))
{
	begin(import_ops);
	/* Room once and for all, so that every attempt leaves as much as it
	 * found; that the first growth may fail is tried by first_pd below. */
	CHECK_INT(ibv_dealloc_pd(ibv_alloc_pd(importer)), 0);
	alloc_fail_each(attempt, NULL, false);
	end();
}

MODEL_TEST(pd_by_op)
{
	each(true, try_import_pd);
}

MODEL_TEST(pd_by_adoption)
{
	each(false, try_import_pd);
}

MODEL_TEST(mr_by_op)
{
	each(true, try_import_mr);
}

MODEL_TEST(mr_by_adoption)
{
	each(false, try_import_mr);
}

MODEL_TEST(pd_by_handle)
{
	each(true, try_import_pd_by_handle);
}

MODEL_TEST(allocating_a_pd)
{
	each(false, try_alloc_pd);
}

MODEL_TEST(completion_channel)
{
	each(false, try_comp_channel);
}

/*
 * The first PD needs room in the map, of which the place becomes known only
 * when the PD is there: it is given back.
 */
static void first_pd(bool import_ops, bool (*attempt)(void *arg))
{
	unsigned int n;

	/* The provider's object, the map; the model has no other. */
	for (n = 1; n <= 2; n++) {
		begin(import_ops);
		alloc_fail_at(n);
		CHECK(!attempt(NULL));
		CHECK(alloc_has_failed());
		alloc_fail_at(0);
		CHECK(attempt(NULL));
		end();
	}
}

MODEL_TEST(first_pd_of_a_context)
{
	first_pd(false, try_import_pd);
	first_pd(true, try_import_pd);
	first_pd(false, try_alloc_pd);
	first_pd(true, try_import_pd_by_handle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		model_unit(pd_by_op),
		model_unit(pd_by_adoption),
		model_unit(mr_by_op),
		model_unit(mr_by_adoption),
		model_unit(pd_by_handle),
		model_unit(allocating_a_pd),
		model_unit(completion_channel),
		model_unit(first_pd_of_a_context),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
