// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_open_device_shareable(): which requests of which provider reach the
 * kernel, and that nothing of it is left for the next open.  What the released
 * plug-ins ask for is tried in ../../plugins.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/share.h>
#include <rdma/mlx5-abi.h>

#include "alloc_fail.h"
#include "kernel_script.h"
#include "mlx5/devx.h"
#include "priv.h"
#include "uverbs/uverbs.h"

#define DEVX MLX5_IB_ALLOC_UCTX_DEVX

/* A request for a context: the driver's part after the core's */
struct request {
	struct ibv_get_context core;
	struct mlx5_ib_alloc_ucontext_req_v2 driver;
};

/* What the provider does, a bit each */
enum {
	ASKS = 1,	 /* for DEVX, */
	ASKS_AGAIN = 2,	 /* when that is refused without */
	HAS_SHORT = 4,	 /* in a request that ends before the flags */
	ASKS_NOTHING = 8 /* without a driver's part */
};
static unsigned int provider;
static int seen_errors[2];

static void free_context(struct ibv_context *context)
{
	struct verbs_context *vctx = to_vctx(context);

	verbs_uninit_context(vctx);
	free(vctx);
}

static int ask(struct verbs_context *vctx, uint32_t flags)
{
	struct request request = { .driver.flags = flags };
	struct ib_uverbs_get_context_resp resp;
	size_t size = sizeof(request);

	if (provider & HAS_SHORT)
		size = sizeof(request.core) +
		       offsetof(struct mlx5_ib_alloc_ucontext_req_v2, flags);
	if (provider & ASKS_NOTHING)
		size = sizeof(request.core);
	return ibv_cmd_get_context(vctx, &request.core, size, &resp,
				   sizeof(resp));
}

static struct verbs_context *alloc_context(struct ibv_device *device,
					   int cmd_fd, void *private_data)
{
	const struct verbs_context_ops ops = { .free_context = free_context };
	struct verbs_context *vctx;

	(void)private_data;
	vctx = _verbs_init_and_alloc_context(device, cmd_fd, sizeof(*vctx),
					     NULL, RDMA_DRIVER_UNKNOWN);
	assert_non_null(vctx);
	verbs_set_ops(vctx, &ops);
	seen_errors[1] = 0;
	seen_errors[0] = ask(vctx, provider & ASKS ? DEVX : 0);
	if (seen_errors[0]) {
		assert_int_equal(errno, seen_errors[0]);
		seen_errors[1] = seen_errors[0];
		if (provider & ASKS_AGAIN)
			seen_errors[1] = ask(vctx, 0);
	}
	if (seen_errors[1]) {
		verbs_uninit_context(vctx);
		free(vctx);
		errno = seen_errors[1];
		return NULL;
	}
	return vctx;
}

static struct verbs_device_ops device_ops = { .alloc_context = alloc_context };
static struct verbs_device vdev = { .ops = &device_ops };

static void begin(const char *name, unsigned int does)
{
	device_ops.name = name;
	provider = does;
	atomic_store(&vdev.refcount, 1);
	assert_int_equal(unsetenv("IBV_SHARE_NO_DEVX"), 0);
}

/* The only request that may come has these flags, in a request of this length */
static void expect_context(uint32_t flags, size_t len)
{
	const struct mlx5_ib_alloc_ucontext_req_v2 request = { .flags = flags };
	struct kernel_call *call =
		kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);

	kernel_out(call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, 4, "\1", 1);
	kernel_out(call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, 8, "", 0);
	if (len)
		kernel_in(call, UVERBS_ATTR_UHW_IN, &request, len);
}

static void opens(struct ibv_context *(*open)(struct ibv_device *device))
{
	unsigned int calls = kernel_calls();
	struct ibv_context *context = open(&vdev.device);

	assert_non_null(context);
	assert_int_equal(kernel_calls(), calls + 1);
	ibv_close_device(context);
	assert_int_equal(atomic_load(&vdev.refcount), 1);
}

static void what_asks_for_devx(void **state)
{
	struct mlx5_ib_alloc_ucontext_req_v2 request = { .flags = DEVX };
	unsigned char *bytes = (unsigned char *)&request;
	const size_t flags =
		offsetof(struct mlx5_ib_alloc_ucontext_req_v2, flags);
	char longer[256] = { 0 };
	size_t len;

	(void)state;
	for (len = 0; len <= sizeof(request); len++)
		assert_int_equal(mlx5_asks_for_devx(bytes, len), len > flags);
	memcpy(longer, &request, sizeof(request));
	assert_true(mlx5_asks_for_devx(longer, sizeof(longer)));

	memset(&request, 0xff, sizeof(request));
	request.flags = ~DEVX;
	assert_false(mlx5_asks_for_devx(&request, sizeof(request)));
}

/* The refused request does not reach the kernel. */
static void the_kernel_sees_no_devx(void **state)
{
	(void)state;
	begin("mlx5", ASKS | ASKS_AGAIN);
	expect_context(0, sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
	opens(ibv_open_device_shareable);
	assert_int_equal(seen_errors[0], EOPNOTSUPP);
	assert_int_equal(seen_errors[1], 0);
}

static void nothing_is_left_of_it(void **state)
{
	(void)state;
	begin("mlx5", ASKS | ASKS_AGAIN);
	expect_context(0, sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
	opens(ibv_open_device_shareable);
	expect_context(DEVX, sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
	opens(ibv_open_device);
	assert_int_equal(seen_errors[0], 0);
}

static void a_provider_that_insists(void **state)
{
	size_t blocks = alloc_live();

	(void)state;
	begin("mlx5", ASKS);
	errno = 0;
	assert_null(ibv_open_device_shareable(&vdev.device));
	assert_int_equal(errno, EOPNOTSUPP);
	assert_int_equal(kernel_calls(), 0);
	assert_int_equal(atomic_load(&vdev.refcount), 1);
	assert_int_equal(alloc_live(), blocks);
	/* Nor after a failure is anything left. */
	expect_context(DEVX, sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
	opens(ibv_open_device);
}

static void requests_without_flags(void **state)
{
	(void)state;
	begin("mlx5", ASKS | HAS_SHORT);
	expect_context(0,
		       offsetof(struct mlx5_ib_alloc_ucontext_req_v2, flags));
	opens(ibv_open_device_shareable);
	begin("mlx5", ASKS | ASKS_NOTHING);
	expect_context(0, 0);
	opens(ibv_open_device_shareable);
}

/* The same bytes mean something else to another's driver. */
static void other_providers(void **state)
{
	static const char *const names[] = { "mlx4", "rxe", "mlx5x", "" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		begin(names[i], ASKS);
		expect_context(DEVX,
			       sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
		opens(ibv_open_device_shareable);
		assert_int_equal(seen_errors[0], 0);
	}
}

static void by_environment(void **state)
{
	static const struct {
		const char *value;
		uint32_t flags;
	} settings[] = { { "1", 0 }, { "0", DEVX }, { "yes", 0 },
			 { "", 0 },  { "00", 0 },   { NULL, DEVX } };

	(void)state;
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		begin("mlx5", ASKS | ASKS_AGAIN);
		if (settings[i].value)
			setenv("IBV_SHARE_NO_DEVX", settings[i].value, 1);
		expect_context(settings[i].flags,
			       sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
		opens(ibv_open_device);
		/* A program that opens by its provider's verbs gets its way. */
		expect_context(DEVX,
			       sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
		ibv_close_device(verbs_open_device(&vdev.device, state));
	}
	unsetenv("IBV_SHARE_NO_DEVX");
}

/* The C library's, found first: it tells privileged programs nothing. */
static bool privileged;

char *secure_getenv(const char *name)
{
	return privileged ? NULL : getenv(name);
}

static void not_by_the_environment_of_a_privileged_program(void **state)
{
	(void)state;
	begin("mlx5", ASKS | ASKS_AGAIN);
	setenv("IBV_SHARE_NO_DEVX", "1", 1);
	privileged = true;
	expect_context(DEVX, sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
	opens(ibv_open_device);
	privileged = false;
	expect_context(0, sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
	opens(ibv_open_device);
	unsetenv("IBV_SHARE_NO_DEVX");
}

static void *refuses_in_thread(void *arg)
{
	(void)arg;
	uverbs_refuse_contexts(mlx5_asks_for_devx);
	return NULL;
}

static void another_thread_is_none_of_its_business(void **state)
{
	pthread_t thread;

	(void)state;
	begin("mlx5", ASKS);
	assert_int_equal(pthread_create(&thread, NULL, refuses_in_thread, NULL),
			 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	expect_context(DEVX, sizeof(struct mlx5_ib_alloc_ucontext_req_v2));
	opens(ibv_open_device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_asks_for_devx),
		kernel_test_bare(the_kernel_sees_no_devx),
		kernel_test_bare(nothing_is_left_of_it),
		kernel_test_bare(a_provider_that_insists),
		kernel_test_bare(requests_without_flags),
		kernel_test_bare(other_providers),
		kernel_test_bare(by_environment),
		kernel_test_bare(
			not_by_the_environment_of_a_privileged_program),
		kernel_test_bare(another_thread_is_none_of_its_business),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
