// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_withdraw(). */
#include <fcntl.h>
#include <unistd.h>

#include "owner.h"

#define DESTROY_PD MODEL_NATIVE(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY)

static const struct mp_options usual;

struct fixture {
	struct owner owner;
	struct ibv_context *ex;
	uint32_t fd, pd_handle, mr_handle; /* of ex */
};

static struct fixture begin(void)
{
	struct fixture f;

	f.owner = owner_open();
	f.ex = mp_open(&usual);
	f.fd = ibv_context_to_fd(f.ex);
	CHECK_INT(ibv_export_pd(f.owner.pd, f.fd, &f.pd_handle), 0);
	CHECK_INT(ibv_export_mr(f.owner.mr, f.fd, &f.mr_handle), 0);
	model_count_from_here();
	return f;
}

static void end(struct fixture f)
{
	owner_close(f.owner);
	model_close(f.fd);
	CHECK_INT(model_objects(), 0);
	CHECK_INT(ibv_close_device(f.ex), 0);
}

MODEL_TEST(takes_back_one_alias_by_one_command)
{
	struct fixture f = begin();

	/* The context only says which driver it is: also the exporting one. */
	CHECK_INT(ibv_withdraw(f.owner.context, f.fd, UVERBS_OBJECT_PD,
			       f.pd_handle),
		  0);
	CHECK_INT(model_calls(), 1);
	CHECK_INT(model_handles(f.fd), 1);
	CHECK_INT(model_aliases(f.owner.context->cmd_fd, f.owner.pd->handle),
		  1);
	CHECK_INT(ibv_withdraw(f.ex, f.fd, UVERBS_OBJECT_MR, f.mr_handle), 0);
	CHECK_INT(model_calls(), 2);
	CHECK_INT(model_handles(f.fd), 0);
	CHECK_INT(model_aliases(f.owner.context->cmd_fd, f.owner.mr->handle),
		  1);
	CHECK_ERROR(ibv_withdraw(f.ex, f.fd, UVERBS_OBJECT_MR, f.mr_handle),
		    ENOENT);
	end(f);
}

MODEL_TEST(importers_keep_it)
{
	struct fixture f = begin();
	struct ibv_context *context = mp_open(&usual);
	struct ibv_pd *pd = ibv_import_pd(context, f.fd, f.pd_handle);

	CHECK(pd);
	CHECK_INT(ibv_withdraw(f.ex, f.fd, UVERBS_OBJECT_PD, f.pd_handle), 0);
	CHECK_INT(model_aliases(context->cmd_fd, pd->handle), 2);
	CHECK(!ibv_import_pd(context, f.fd, f.pd_handle));
	CHECK_INT(errno, ENOENT);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	mp_close(context);
	end(f);
}

MODEL_TEST(arguments_are_checked_before_any_command)
{
	struct fixture f = begin();
	int closed, pipes[2];

	CHECK_INT(pipe2(pipes, O_CLOEXEC), 0);
	closed = dup(f.fd);
	close(closed);
	CHECK_ERROR(ibv_withdraw(NULL, f.fd, UVERBS_OBJECT_PD, f.pd_handle),
		    EINVAL);
	CHECK_ERROR(ibv_withdraw(f.ex, closed, UVERBS_OBJECT_PD, f.pd_handle),
		    EBADF);
	CHECK_ERROR(ibv_withdraw(f.ex, UINT32_MAX, UVERBS_OBJECT_MR, 0), EBADF);
	CHECK_ERROR(ibv_withdraw(f.ex, pipes[0], UVERBS_OBJECT_PD, f.pd_handle),
		    EINVAL);
	for (uint32_t type = 0; type <= UVERBS_OBJECT_ASYNC_EVENT; type++)
		if (type != UVERBS_OBJECT_PD && type != UVERBS_OBJECT_MR)
			CHECK_ERROR(ibv_withdraw(f.ex, f.fd, type, f.pd_handle),
				    EOPNOTSUPP);
	CHECK_ERROR(ibv_withdraw(f.ex, f.fd, UVERBS_OBJECT_ASYNC_EVENT + 1,
				 f.pd_handle),
		    EINVAL);
	CHECK_INT(model_calls(), 0);
	CHECK_INT(model_handles(f.fd), 2);
	close(pipes[0]);
	close(pipes[1]);
	end(f);
}

MODEL_TEST(what_the_kernel_says_reaches_the_caller)
{
	static const int errors[] = { EBUSY, EIO, ENOENT, EINVAL };
	struct fixture f = begin();

	CHECK_ERROR(ibv_withdraw(f.ex, f.fd, UVERBS_OBJECT_PD, f.mr_handle),
		    EINVAL);
	CHECK_ERROR(ibv_withdraw(f.ex, f.fd, UVERBS_OBJECT_MR, 200), ENOENT);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		model_fail(DESTROY_PD, errors[i]);
		CHECK_ERROR(ibv_withdraw(f.ex, f.fd, UVERBS_OBJECT_PD,
					 f.pd_handle),
			    errors[i]);
	}
	model_fail(DESTROY_PD, EPROTONOSUPPORT);
	CHECK_ERROR(ibv_withdraw(f.ex, f.fd, UVERBS_OBJECT_PD, f.pd_handle),
		    EOPNOTSUPP);
	CHECK_INT(model_handles(f.fd), 2);
	end(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		model_unit(takes_back_one_alias_by_one_command),
		model_unit(importers_keep_it),
		model_unit(arguments_are_checked_before_any_command),
		model_unit(what_the_kernel_says_reaches_the_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
