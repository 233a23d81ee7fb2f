// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_import_pd() and ibv_import_mr() with three arguments, for a provider that
 * has the import ops and for one that has not.
 */
#include <fcntl.h>
#include <unistd.h>

#include "map_count.h"
#include "owner.h"
#include "priv.h"

static struct ibv_pd *import_pd(struct ibv_context *context, struct owner *o)
{
	return ibv_import_pd(context, o->fd, o->pd->handle);
}

static struct ibv_mr *import_mr(struct ibv_context *context, struct owner *o)
{
	return ibv_import_mr(context, o->fd, o->mr->handle);
}

/* Nothing came of the import of the owner's objects. */
static void check_nothing_made(struct ibv_context *context, struct owner *o)
{
	CHECK_INT(model_handles(context->cmd_fd), 0);
	CHECK_INT(map_count(&get_priv(context)->pds), 0);
	CHECK_INT(model_aliases(o->fd, o->pd->handle), 1);
	CHECK_INT(model_aliases(o->fd, o->mr->handle), 1);
	/* The owner's: mp_objects() counts both contexts'. */
	CHECK_INT(mp_objects(), 2);
	CHECK_INT(model_objects(), 2);
}

/* ---- what works, both ways ---- */

static void works(bool import_ops)
{
	const struct mp_options options = { .import_ops = import_ops,
					    .pd_reply = import_ops ? 0 : 4 };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&options);
	struct ibv_pd *pd;
	struct ibv_mr *mr, *own;

	model.pd_reply = 4;
	model_count_from_here();
	errno = ECHILD;
	pd = import_pd(context, &o);
	CHECK(pd);
	CHECK_INT(errno, ECHILD);
	CHECK_INT(model_calls(), 1);
	CHECK_INT(model_calls_of(MODEL_IMPORT_PD), 1);
	CHECK(pd->context == context);
	CHECK_INT(model_aliases(context->cmd_fd, pd->handle), 2);
	CHECK_INT(container_of(pd, struct mp_pd, pd)->seal, MP_SEAL);

	model_count_from_here();
	mr = import_mr(context, &o);
	CHECK(mr);
	CHECK_INT(errno, ECHILD);
	CHECK_INT(model_calls(), 1);
	CHECK_INT(model_calls_of(MODEL_IMPORT_MR), 1);
	CHECK(mr->context == context);
	CHECK(mr->pd == pd);
	CHECK(!mr->addr);
	CHECK_INT(mr->length, sizeof(owner_memory));
	CHECK_INT(mr->lkey, o.mr->lkey);
	CHECK_INT(mr->rkey, o.mr->rkey);
	CHECK_INT(model_aliases(context->cmd_fd, mr->handle), 2);
	CHECK_INT(container_of(mr, struct verbs_mr, ibv_mr)->mr_type,
		  MR_TYPE_ALIAS);
	CHECK_INT(container_of(mr, struct verbs_mr, ibv_mr)->access, 0);

	/* The PD is one like any; an imported MR does not hold its alias. */
	own = ibv_reg_mr(pd, owner_memory, 1, 0);
	CHECK(own);
	CHECK_INT(ibv_dealloc_pd(pd), EBUSY);
	CHECK_INT(ibv_dereg_mr(own), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	check_nothing_made(context, &o);
	mp_close(context);
	owner_close(o);
}

MODEL_TEST(works_by_op)
{
	works(true);
}

MODEL_TEST(works_by_adoption)
{
	works(false);
}

static void outlives_the_owner(bool import_ops)
{
	const struct mp_options options = { .import_ops = import_ops };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&options);
	struct ibv_pd *pd = import_pd(context, &o);
	struct ibv_mr *mr = import_mr(context, &o);
	char new_memory[64];

	CHECK(pd && mr);

	/* There is more than one alias. */
	CHECK_ERROR(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL,
				 new_memory, sizeof(new_memory),
				 0) == IBV_REREG_MR_ERR_CMD
			    ? errno
			    : 0,
		    EBUSY);
	CHECK(!mr->addr);
	CHECK_INT(mr->length, sizeof(owner_memory));
	CHECK_INT(ibv_rereg_mr(o.mr, IBV_REREG_MR_CHANGE_PD, o.pd, NULL, 0, 0),
		  IBV_REREG_MR_ERR_CMD);

	owner_close(o);
	CHECK_INT(model_objects(), 2);
	CHECK_INT(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL,
			       new_memory, sizeof(new_memory), 0),
		  0);
	CHECK(mr->addr == new_memory);
	CHECK_INT(mr->length, sizeof(new_memory));

	CHECK_INT(ibv_dealloc_pd(pd), 0);
	CHECK_INT(model_objects(), 2);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(model_objects(), 0);
	mp_close(context);
}

MODEL_TEST(imported_by_op_outlives_the_owner)
{
	outlives_the_owner(true);
}

MODEL_TEST(adopted_outlives_the_owner)
{
	outlives_the_owner(false);
}

static void mr_without_pd(bool import_ops)
{
	const struct mp_options options = { .import_ops = import_ops };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&options);
	struct mp_context *mp = mp_get(context);
	struct ibv_mr *mr = import_mr(context, &o);

	CHECK(mr);
	CHECK(!mr->pd);
	CHECK(mr->context == context);
	CHECK_INT(mr->lkey, o.mr->lkey);
	if (!import_ops) {
		CHECK_INT((uintptr_t)mp->reg_mr.addr, OWNER_IOVA);
		CHECK_INT(mp->reg_mr.iova, OWNER_IOVA);
		CHECK_INT(mp->reg_mr.length, sizeof(owner_memory));
		CHECK_INT(mp->reg_mr.access, 0);
	}
	CHECK_INT(ibv_dereg_mr(mr), 0);
	check_nothing_made(context, &o);
	mp_close(context);
	owner_close(o);
}

MODEL_TEST(mr_without_pd_by_op)
{
	mr_without_pd(true);
}

MODEL_TEST(mr_without_pd_by_adoption)
{
	mr_without_pd(false);
}

MODEL_TEST(adopting_gives_an_address_that_is_not_null)
{
	static const struct mp_options usual;
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&usual);
	struct ibv_mr *based = ibv_reg_mr_iova(o.pd, owner_memory, 64, 0, 0);
	struct ibv_mr *mr;

	CHECK(based);
	mr = ibv_import_mr(context, o.fd, based->handle);
	CHECK(mr);
	CHECK(mp_get(context)->reg_mr.addr);
	CHECK_INT(mp_get(context)->reg_mr.iova, 0);
	CHECK_INT(mp_get(context)->reg_mr.length, 64);
	CHECK(!mr->addr);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(ibv_dereg_mr(based), 0);
	mp_close(context);
	owner_close(o);
}

/* The op gets the real PD object, and the MR keeps none that is gone. */
MODEL_TEST(which_pd_object)
{
	static const struct mp_options usual;
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *first = import_pd(context, &o);
	struct ibv_pd *second = import_pd(context, &o);
	struct ibv_mr *mr;

	CHECK(first && second && first->handle != second->handle);
	mr = import_mr(context, &o);
	CHECK(mr && mr->pd == first);
	CHECK(mp_get(context)->reg_mr.pd == first);
	CHECK_INT(ibv_dereg_mr(mr), 0);

	CHECK_INT(ibv_dealloc_pd(first), 0);
	mr = import_mr(context, &o);
	CHECK(mr && mr->pd == second);
	CHECK_INT(ibv_dereg_mr(mr), 0);

	model.pd_unknown = true;
	mr = import_mr(context, &o);
	CHECK(mr && !mr->pd);
	CHECK_INT(ibv_dereg_mr(mr), 0);

	CHECK_INT(ibv_dealloc_pd(second), 0);
	/* Into the owner's own context: the PD that was allocated there */
	model.pd_unknown = false;
	mr = import_mr(o.context, &o);
	CHECK(mr && mr->pd == o.pd);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	mp_close(context);
	owner_close(o);
}

/* The owner exports straight into the importer's working context. */
MODEL_TEST(from_the_own_file)
{
	static const struct mp_options usual;
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *pd, pd_alias = { .context = context };
	struct verbs_mr mr_alias = { .ibv_mr.context = context };
	struct ibv_mr *mr;

	CHECK_INT(ibv_export_pd(o.pd, context->cmd_fd, &pd_alias.handle), 0);
	CHECK_INT(ibv_export_mr(o.mr, context->cmd_fd, &mr_alias.ibv_mr.handle),
		  0);
	pd = ibv_import_pd(context, context->cmd_fd, pd_alias.handle);
	CHECK(pd && pd->handle != pd_alias.handle);
	mr = ibv_import_mr(context, context->cmd_fd, mr_alias.ibv_mr.handle);
	CHECK(mr && mr->pd == pd);
	CHECK_INT(model_aliases(context->cmd_fd, mr->handle), 3);

	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	CHECK_INT(ibv_cmd_dereg_mr(&mr_alias), 0);
	CHECK_INT(ibv_cmd_dealloc_pd(&pd_alias), 0);
	mp_close(context);
	owner_close(o);
}

/* ---- the window while a PD is being deallocated ---- */

static struct owner *window_owner;
static struct ibv_mr *window_mr;

static void import_in_window(struct ibv_pd *pd)
{
	mp_get(pd->context)->options.in_dealloc_pd = NULL;
	window_mr = import_mr(pd->context, window_owner);
}

MODEL_TEST(pd_being_deallocated_is_not_found)
{
	static const struct mp_options usual;
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *pd = import_pd(context, &o);
	struct ibv_mr *mr;

	CHECK(pd);
	window_owner = &o;
	mp_get(context)->options.in_dealloc_pd = import_in_window;
	mp_get(context)->options.destroy_error = EBUSY;
	CHECK_INT(ibv_dealloc_pd(pd), EBUSY);
	CHECK(window_mr && !window_mr->pd);
	CHECK_INT(ibv_dereg_mr(window_mr), 0);

	/* After the failure it is back. */
	mr = import_mr(context, &o);
	CHECK(mr && mr->pd == pd);
	CHECK_INT(ibv_dereg_mr(mr), 0);

	mp_get(context)->options.in_dealloc_pd = import_in_window;
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	CHECK(window_mr && !window_mr->pd);
	CHECK_INT(ibv_dereg_mr(window_mr), 0);
	mp_close(context);
	owner_close(o);
}

/* ---- the errors of the table ---- */

static void wrong_uses(bool import_ops)
{
	const struct mp_options options = { .import_ops = import_ops };
	static const struct mp_options other_device = { .device = 1 };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&options);
	struct ibv_context *other = mp_open(&other_device);
	uint32_t pd = o.pd->handle, mr = o.mr->handle;
	int plain = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	model_count_from_here();
	CHECK_NULL(ibv_import_pd(NULL, o.fd, pd), EINVAL);
	CHECK_NULL(ibv_import_mr(NULL, o.fd, mr), EINVAL);
	CHECK_NULL(ibv_import_pd(context, UINT32_MAX, pd), EBADF);
	CHECK_NULL(ibv_import_mr(context, UINT32_MAX, mr), EBADF);
	CHECK_INT(model_calls(), 0);

	CHECK_NULL(ibv_import_pd(context, plain, pd), EINVAL);
	CHECK_NULL(ibv_import_mr(context, plain, mr), EINVAL);
	close(plain);
	CHECK_NULL(ibv_import_pd(context, plain, pd), EBADF);
	CHECK_NULL(ibv_import_mr(context, plain, mr), EBADF);
	CHECK_NULL(ibv_import_pd(context, o.fd, 200), ENOENT);
	CHECK_NULL(ibv_import_mr(context, o.fd, 200), ENOENT);
	CHECK_NULL(ibv_import_pd(context, o.fd, mr), EINVAL);
	CHECK_NULL(ibv_import_mr(context, o.fd, pd), EINVAL);
	CHECK_NULL(ibv_import_pd(other, o.fd, pd), EXDEV);
	CHECK_NULL(ibv_import_mr(other, o.fd, mr), EXDEV);

	model.no_share = true;
	CHECK_NULL(ibv_import_pd(context, o.fd, pd), EOPNOTSUPP);
	CHECK_NULL(ibv_import_mr(context, o.fd, mr), EOPNOTSUPP);

	check_nothing_made(context, &o);
	mp_close(other);
	mp_close(context);
	owner_close(o);
}

MODEL_TEST(wrong_uses_by_op)
{
	wrong_uses(true);
}

MODEL_TEST(wrong_uses_by_adoption)
{
	wrong_uses(false);
}

MODEL_TEST(what_the_kernel_says_reaches_the_caller)
{
	static const int errors[] = { EBUSY,  EIO,	  ENOMEM,
				      EAGAIN, EOPNOTSUPP, EINVAL };
	static const struct mp_options usual;
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&usual);

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		model_fail(MODEL_IMPORT_PD, errors[i]);
		CHECK_NULL(import_pd(context, &o), errors[i]);
		model_fail(MODEL_IMPORT_MR, errors[i]);
		CHECK_NULL(import_mr(context, &o), errors[i]);
	}
	check_nothing_made(context, &o);
	mp_close(context);
	owner_close(o);
}

/* ---- ops that fail, each in its way ---- */

/*
 * And what follows an import that failed: an ordinary allocation must go to the
 * kernel, not take the alias that was on offer.
 */
static void check_failure(const struct mp_options *options, int err)
{
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(options);
	struct mp_context *mp = mp_get(context);
	bool pd_fails = options->alloc_pd || options->import_pd;
	bool mr_fails = options->reg_mr || options->import_mr;
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	model_count_from_here();
	if (pd_fails) {
		CHECK_NULL(import_pd(context, &o), err);
		CHECK_INT(model_calls_of(MODEL_IMPORT_PD), 1);
		check_nothing_made(context, &o);
	}
	if (mr_fails) {
		CHECK_NULL(import_mr(context, &o), err);
		CHECK_INT(model_calls_of(MODEL_IMPORT_MR), 1);
		check_nothing_made(context, &o);
	}

	mp->options.alloc_pd = mp->options.reg_mr = MP_WORKS;
	model_count_from_here();
	pd = ibv_alloc_pd(context);
	CHECK(pd);
	CHECK_INT(model_calls_of(MODEL_OLDER(ALLOC_PD)), 1);
	mr = ibv_reg_mr(pd, owner_memory, 8, 0);
	CHECK(mr);
	CHECK_INT(model_calls_of(MODEL_OLDER(REG_MR)), 1);
	CHECK_INT(model_objects(), 4);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	check_nothing_made(context, &o);
	mp_close(context);
	owner_close(o);
}

static void adopting_op_fails(enum mp_way way, int err)
{
	const struct mp_options pd = { .alloc_pd = way };
	const struct mp_options mr = { .reg_mr = way };

	check_failure(&pd, err);
	check_failure(&mr, err);
}

static void import_op_fails(enum mp_way way, int err)
{
	const struct mp_options pd = { .import_ops = true, .import_pd = way };
	const struct mp_options mr = { .import_ops = true, .import_mr = way };

	check_failure(&pd, err);
	check_failure(&mr, err);
}

MODEL_TEST(op_fails_before_it_has_the_alias)
{
	adopting_op_fails(MP_FAILS_FIRST, ENOSPC);
}

MODEL_TEST(op_fails_after_it_took_the_alias)
{
	adopting_op_fails(MP_FAILS_LAST, ENOSPC);
}

MODEL_TEST(op_fails_without_errno)
{
	adopting_op_fails(MP_FAILS_MUTE, EOPNOTSUPP);
}

MODEL_TEST(op_makes_an_object_of_its_own)
{
	adopting_op_fails(MP_OWN_COMMAND, EOPNOTSUPP);
}

MODEL_TEST(import_op_fails_before_it_looks)
{
	import_op_fails(MP_FAILS_FIRST, ENOSPC);
}

MODEL_TEST(import_op_fails_after_it_looked)
{
	import_op_fails(MP_FAILS_LAST, ENOSPC);
}

MODEL_TEST(import_op_fails_without_errno)
{
	import_op_fails(MP_FAILS_MUTE, EOPNOTSUPP);
}

/* ---- what drivers reply ---- */

MODEL_TEST(driver_reply_reaches_the_provider)
{
	static const struct mp_options wants = { .pd_reply = 8 };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&wants);
	struct ibv_pd *allocated, *imported;
	uint8_t expected[8];

	model.pd_reply = 8;
	allocated = ibv_alloc_pd(context);
	CHECK(allocated);
	memcpy(expected, container_of(allocated, struct mp_pd, pd)->reply, 8);
	imported = ibv_import_pd(o.context, context->cmd_fd, allocated->handle);
	CHECK(imported);
	CHECK_INT(ibv_dealloc_pd(imported), 0);
	imported = ibv_import_pd(context, context->cmd_fd, allocated->handle);
	CHECK(imported);
	CHECK(!memcmp(expected, container_of(imported, struct mp_pd, pd)->reply,
		      8));
	CHECK_INT(ibv_dealloc_pd(imported), 0);
	CHECK_INT(ibv_dealloc_pd(allocated), 0);
	mp_close(context);
	owner_close(o);
}

static void reply_is_not_enough(void)
{
	static const struct mp_options wants = { .pd_reply = 8 };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&wants);

	CHECK_NULL(import_pd(context, &o), EOPNOTSUPP);
	check_nothing_made(context, &o);
	mp_close(context);
	owner_close(o);
}

MODEL_TEST(driver_reply_lost_or_short)
{
	model.pd_reply = 8;
	model.reply_lost = true;
	reply_is_not_enough();
	model.reply_lost = false;
	model.pd_reply = 4;
	reply_is_not_enough();
	model.pd_reply = 0;
	reply_is_not_enough();
}

MODEL_TEST(driver_reply_claims_more_than_there_is_room)
{
	static const struct mp_options wants = { .pd_reply = 64 };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&wants);
	struct ibv_pd *pd;

	model.pd_reply = 64;
	model.reply_absurd = true;
	pd = import_pd(context, &o);
	CHECK(pd);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(context);
	owner_close(o);
}

static void absurd_mr(bool import_ops)
{
	const struct mp_options options = { .import_ops = import_ops };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&options);
	struct ibv_pd *pd = import_pd(context, &o);
	struct ibv_mr *mr;

	CHECK(pd);
	model.mr_absurd = true;
	mr = import_mr(context, &o);
	CHECK(mr && !mr->pd && !mr->addr);
	CHECK(mr->length == SIZE_MAX);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(context);
	owner_close(o);
	model.mr_absurd = false;
}

MODEL_TEST(absurd_replies_about_an_mr)
{
	absurd_mr(true);
	absurd_mr(false);
}

MODEL_TEST(providers_that_cannot_adopt)
{
	static const uint32_t ids[] = { RDMA_DRIVER_BNXT_RE,
					RDMA_DRIVER_OCRDMA };
	struct owner o = owner_open();

	for (size_t i = 0; i < 2; i++) {
		const struct mp_options options = { .driver_id = ids[i] };
		struct ibv_context *context = mp_open(&options);

		model_count_from_here();
		CHECK_NULL(import_pd(context, &o), EOPNOTSUPP);
		CHECK_NULL(import_mr(context, &o), EOPNOTSUPP);
		CHECK_INT(model_calls(), 0);
		mp_close(context);
	}

	/* One day they may have the ops. */
	for (size_t i = 0; i < 2; i++) {
		const struct mp_options options = { .driver_id = ids[i],
						    .import_ops = true };
		struct ibv_context *context = mp_open(&options);
		struct ibv_pd *pd = import_pd(context, &o);
		struct ibv_mr *mr = import_mr(context, &o);

		CHECK(pd && mr);
		CHECK_INT(ibv_dereg_mr(mr), 0);
		CHECK_INT(ibv_dealloc_pd(pd), 0);
		mp_close(context);
	}
	owner_close(o);
}

MODEL_TEST(siw_gets_its_stag)
{
	static const struct mp_options siw = { .driver_id = RDMA_DRIVER_SIW,
					       .mr_reply = 8 };
	static const struct mp_options unknown = { .mr_reply = 8 };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&siw);
	struct ibv_context *other = mp_open(&unknown);
	struct ibv_mr *mr = import_mr(context, &o);
	uint32_t reply[2];

	CHECK(mr);
	memcpy(reply, mp_get(context)->reg_mr.mr_reply, 8);
	CHECK_INT(reply[0], o.mr->lkey);
	CHECK_INT(reply[1], 0);
	CHECK_INT(ibv_dereg_mr(mr), 0);

	/* Of other drivers the library cannot know what it would have been. */
	CHECK_NULL(import_mr(other, &o), EOPNOTSUPP);
	check_nothing_made(other, &o);
	mp_close(other);
	mp_close(context);
	owner_close(o);
}

/* ---- an undo that fails must not hide the error ---- */

MODEL_TEST(undo_fails)
{
	static const struct mp_options options = { .alloc_pd = MP_FAILS_FIRST };
	struct owner o = owner_open();
	struct ibv_context *context = mp_open(&options);
	struct ibv_pd left = { .context = context };

	model_fail(MODEL_NATIVE(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY),
		   EIO);
	CHECK_NULL(import_pd(context, &o), ENOSPC);
	/* The kernel would not: the alias stays until the file is closed. */
	CHECK_INT(model_handles(context->cmd_fd), 1);
	CHECK_INT(ibv_cmd_dealloc_pd(&left), 0);
	mp_close(context);
	owner_close(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		model_unit(works_by_op),
		model_unit(works_by_adoption),
		model_unit(imported_by_op_outlives_the_owner),
		model_unit(adopted_outlives_the_owner),
		model_unit(mr_without_pd_by_op),
		model_unit(mr_without_pd_by_adoption),
		model_unit(adopting_gives_an_address_that_is_not_null),
		model_unit(which_pd_object),
		model_unit(from_the_own_file),
		model_unit(pd_being_deallocated_is_not_found),
		model_unit(wrong_uses_by_op),
		model_unit(wrong_uses_by_adoption),
		model_unit(what_the_kernel_says_reaches_the_caller),
		model_unit(op_fails_before_it_has_the_alias),
		model_unit(op_fails_after_it_took_the_alias),
		model_unit(op_fails_without_errno),
		model_unit(op_makes_an_object_of_its_own),
		model_unit(import_op_fails_before_it_looks),
		model_unit(import_op_fails_after_it_looked),
		model_unit(import_op_fails_without_errno),
		model_unit(driver_reply_reaches_the_provider),
		model_unit(driver_reply_lost_or_short),
		model_unit(driver_reply_claims_more_than_there_is_room),
		model_unit(absurd_replies_about_an_mr),
		model_unit(providers_that_cannot_adopt),
		model_unit(siw_gets_its_stag),
		model_unit(undo_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
