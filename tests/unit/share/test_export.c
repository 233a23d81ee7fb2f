// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_export_to_fd() and its kin. */
#include <fcntl.h>
#include <unistd.h>

#include "owner.h"

#define UNTOUCHED 0xabcdef01

static const struct mp_options usual, other_device = { .device = 1 };

struct fixture {
	struct owner owner;
	struct ibv_context *target;
	uint32_t fd; /* the target's */
	uint32_t handle;
};

static struct fixture begin(const struct mp_options *target)
{
	struct fixture f = { .handle = UNTOUCHED };

	f.owner = owner_open();
	f.target = mp_open(target);
	f.fd = ibv_context_to_fd(f.target);
	model_count_from_here();
	return f;
}

/* The target's handles are closed with it: nobody has made structs of them. */
static void end(struct fixture f)
{
	owner_close(f.owner);
	model_close(f.fd);
	CHECK_INT(model_objects(), 0);
	CHECK_INT(ibv_close_device(f.target), 0);
}

static int export_pd(struct fixture *f)
{
	return ibv_export_to_fd(f->fd, &f->handle, f->owner.context,
				UVERBS_OBJECT_PD, f->owner.pd->handle);
}

MODEL_TEST(makes_an_alias_by_one_command)
{
	struct fixture f = begin(&usual);

	CHECK_INT(export_pd(&f), 0);
	CHECK_INT(model_calls(), 1);
	CHECK_INT(model_handles(f.fd), 1);
	CHECK_INT(model_aliases(f.fd, f.handle), 2);

	CHECK_INT(ibv_export_to_fd(f.fd, &f.handle, f.owner.context,
				   UVERBS_OBJECT_MR, f.owner.mr->handle),
		  0);
	CHECK_INT(model_calls(), 2);
	CHECK_INT(model_aliases(f.fd, f.handle), 2);
	CHECK_INT(model_aliases(f.owner.context->cmd_fd, f.owner.mr->handle),
		  2);
	end(f);
}

MODEL_TEST(typed_forms_do_the_same)
{
	struct fixture f = begin(&usual);

	CHECK_INT(ibv_export_pd(f.owner.pd, f.fd, &f.handle), 0);
	CHECK_INT(model_calls_of(MODEL_EXPORT_PD), 1);
	CHECK_INT(model_aliases(f.fd, f.handle), 2);
	CHECK_INT(ibv_export_mr(f.owner.mr, f.fd, &f.handle), 0);
	CHECK_INT(model_calls_of(MODEL_EXPORT_MR), 1);
	CHECK_INT(model_aliases(f.fd, f.handle), 2);
	CHECK_INT(model_calls(), 2);
	end(f);
}

MODEL_TEST(into_the_own_file)
{
	struct fixture f = begin(&usual);
	struct ibv_pd alias = { 0 };

	CHECK_INT(ibv_export_pd(f.owner.pd, f.owner.context->cmd_fd,
				&alias.handle),
		  0);
	CHECK(alias.handle != f.owner.pd->handle);
	CHECK_INT(model_aliases(f.owner.context->cmd_fd, f.owner.pd->handle),
		  2);
	alias.context = f.owner.context;
	CHECK_INT(ibv_cmd_dealloc_pd(&alias), 0);
	end(f);
}

MODEL_TEST(a_parent_domain_is_its_pd)
{
	struct fixture f = begin(&usual);
	struct ibv_parent_domain_init_attr attr = { .pd = f.owner.pd };
	struct ibv_pd *parent = ibv_alloc_parent_domain(f.owner.context, &attr);

	CHECK(parent);
	CHECK_INT(ibv_export_pd(parent, f.fd, &f.handle), 0);
	CHECK_INT(model_aliases(f.owner.context->cmd_fd, f.owner.pd->handle),
		  2);
	CHECK_INT(ibv_dealloc_pd(parent), 0);
	end(f);
}

MODEL_TEST(handles_and_descriptor)
{
	struct fixture f = begin(&usual);

	CHECK_INT(ibv_context_to_fd(f.owner.context), f.owner.context->cmd_fd);
	CHECK_INT(ibv_pd_to_handle(f.owner.pd), f.owner.pd->handle);
	CHECK_INT(ibv_mr_to_handle(f.owner.mr), f.owner.mr->handle);
	CHECK_INT(model_calls(), 0);
	end(f);
}

/* No such export, no command, nothing touched */
static void refused(struct fixture *f, uint32_t fd, uint32_t *new_handle,
		    struct ibv_context *context, uint32_t type, int err)
{
	model_count_from_here();
	CHECK_ERROR(ibv_export_to_fd(fd, new_handle, context, type,
				     f->owner.pd->handle),
		    err);
	CHECK_INT(model_calls(), 0);
	CHECK_INT(f->handle, UNTOUCHED);
}

MODEL_TEST(arguments_are_checked_before_any_command)
{
	struct fixture f = begin(&usual);
	uint32_t type;

	refused(&f, f.fd, NULL, f.owner.context, UVERBS_OBJECT_PD, EINVAL);
	refused(&f, f.fd, &f.handle, NULL, UVERBS_OBJECT_PD, EINVAL);
	refused(&f, UINT32_MAX, &f.handle, f.owner.context, UVERBS_OBJECT_PD,
		EBADF);
	refused(&f, 1u << 31, &f.handle, f.owner.context, UVERBS_OBJECT_MR,
		EBADF);

	for (type = 0; type <= UVERBS_OBJECT_ASYNC_EVENT; type++)
		if (type != UVERBS_OBJECT_PD && type != UVERBS_OBJECT_MR)
			refused(&f, f.fd, &f.handle, f.owner.context, type,
				EOPNOTSUPP);
	refused(&f, f.fd, &f.handle, f.owner.context,
		UVERBS_OBJECT_ASYNC_EVENT + 1, EINVAL);
	refused(&f, f.fd, &f.handle, f.owner.context, 1u << 12, EINVAL);
	refused(&f, f.fd, &f.handle, f.owner.context, UINT32_MAX, EINVAL);

	CHECK_ERROR(ibv_export_pd(NULL, f.fd, &f.handle), EINVAL);
	CHECK_ERROR(ibv_export_mr(NULL, f.fd, &f.handle), EINVAL);
	CHECK_ERROR(ibv_export_pd(f.owner.pd, f.fd, NULL), EINVAL);
	CHECK_ERROR(ibv_export_pd(f.owner.pd, -1, &f.handle), EBADF);
	CHECK_INT(model_calls(), 0);
	CHECK_INT(f.handle, UNTOUCHED);
	end(f);
}

MODEL_TEST(wrong_descriptors)
{
	struct fixture f = begin(&usual);
	struct ibv_context *other = mp_open(&other_device);
	int plain = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	CHECK(plain >= 0);
	CHECK_ERROR(ibv_export_pd(f.owner.pd, plain, &f.handle), EINVAL);
	close(plain);
	CHECK_ERROR(ibv_export_pd(f.owner.pd, plain, &f.handle), EBADF);
	CHECK_ERROR(ibv_export_pd(f.owner.pd, other->cmd_fd, &f.handle), EXDEV);
	CHECK_INT(f.handle, UNTOUCHED);
	mp_close(other);
	end(f);
}

MODEL_TEST(wrong_handles)
{
	struct fixture f = begin(&usual);

	CHECK_ERROR(ibv_export_to_fd(f.fd, &f.handle, f.owner.context,
				     UVERBS_OBJECT_PD, 200),
		    ENOENT);
	CHECK_ERROR(ibv_export_to_fd(f.fd, &f.handle, f.owner.context,
				     UVERBS_OBJECT_PD, f.owner.mr->handle),
		    EINVAL);
	CHECK_ERROR(ibv_export_to_fd(f.fd, &f.handle, f.owner.context,
				     UVERBS_OBJECT_MR, f.owner.pd->handle),
		    EINVAL);
	CHECK_INT(f.handle, UNTOUCHED);
	CHECK_INT(model_handles(f.fd), 0);
	end(f);
}

MODEL_TEST(what_the_kernel_says_reaches_the_caller)
{
	static const int errors[] = { EBUSY,  EIO,    ENOMEM,
				      EAGAIN, EINVAL, EOPNOTSUPP };
	struct fixture f = begin(&usual);

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		model_fail(MODEL_EXPORT_PD, errors[i]);
		CHECK_ERROR(export_pd(&f), errors[i]);
		model_fail(MODEL_EXPORT_MR, errors[i]);
		CHECK_ERROR(ibv_export_mr(f.owner.mr, f.fd, &f.handle),
			    errors[i]);
	}
	CHECK_INT(f.handle, UNTOUCHED);
	end(f);
}

MODEL_TEST(a_kernel_that_cannot)
{
	struct fixture f = begin(&usual);

	model.no_share = true;
	CHECK_ERROR(export_pd(&f), EOPNOTSUPP);
	CHECK_ERROR(ibv_export_mr(f.owner.mr, f.fd, &f.handle), EOPNOTSUPP);
	model.no_share = false;
	model_fail(MODEL_EXPORT_PD, ENOTTY);
	CHECK_ERROR(export_pd(&f), EOPNOTSUPP);
	CHECK_INT(f.handle, UNTOUCHED);

	/* It is not remembered: the module may be loaded meanwhile. */
	CHECK_INT(export_pd(&f), 0);
	end(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		model_unit(makes_an_alias_by_one_command),
		model_unit(typed_forms_do_the_same),
		model_unit(into_the_own_file),
		model_unit(a_parent_domain_is_its_pd),
		model_unit(handles_and_descriptor),
		model_unit(arguments_are_checked_before_any_command),
		model_unit(wrong_descriptors),
		model_unit(wrong_handles),
		model_unit(what_the_kernel_says_reaches_the_caller),
		model_unit(a_kernel_that_cannot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
