// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Opening and closing: what the library adds around the provider's part, and
 * that no failure leaves anything behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "device/chardev.h"
#include "kernel_script.h"
#include "priv.h"

static char logged[256];
static void *seen_private_data;
static int seen_cmd_fd;
static unsigned int frees;
static bool provider_fails, provider_asks;

static void free_context(struct ibv_context *context)
{
	struct verbs_context *vctx = to_vctx(context);

	frees++;
	verbs_uninit_context(vctx);
	free(vctx);
}

static struct verbs_context *alloc_context(struct ibv_device *device,
					   int cmd_fd, void *private_data)
{
	const struct verbs_context_ops ops = { .free_context = free_context };
	struct verbs_context *vctx;

	seen_private_data = private_data;
	seen_cmd_fd = cmd_fd;
	vctx = _verbs_init_and_alloc_context(device, cmd_fd, sizeof(*vctx),
					     NULL, RDMA_DRIVER_UNKNOWN);
	if (!vctx)
		return NULL;
	verbs_set_ops(vctx, &ops);
	if (provider_asks && ibv_cmd_get_context(vctx, NULL, 0, NULL, 0)) {
		verbs_uninit_context(vctx);
		free(vctx);
		return NULL;
	}
	if (provider_fails) {
		verbs_uninit_context(vctx);
		free(vctx);
		errno = ENXIO;
		return NULL;
	}
	return vctx;
}

static const struct verbs_device_ops device_ops = {
	.name = "open",
	.alloc_context = alloc_context,
};
static struct verbs_device vdev = {
	.ops = &device_ops,
	.device.name = "open0",
};

static unsigned int open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* Nodes are opened in earnest elsewhere: discovery_scenarios.sh. */
int __wrap_open_chardev(const char *name, dev_t cdev);

int __wrap_open_chardev(const char *name, dev_t cdev)
{
	assert_string_equal(name, "uverbs7");
	assert_int_equal(cdev, makedev(231, 199));
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

void __wrap___verbs_log(struct verbs_context *ctx, uint32_t level,
			const char *fmt, ...);

void __wrap___verbs_log(struct verbs_context *ctx, uint32_t level,
			const char *fmt, ...)
{
	va_list args;

	(void)ctx;
	assert_int_equal(level, VERBS_LOG_ERR);
	va_start(args, fmt);
	vsnprintf(logged, sizeof(logged), fmt, args);
	va_end(args);
}

static struct verbs_sysfs_dev *new_record(void)
{
	struct verbs_sysfs_dev *dev = calloc(1, sizeof(*dev));

	assert_non_null(dev);
	strcpy(dev->sysfs_name, "uverbs7");
	dev->sysfs_cdev = makedev(231, 199);
	return dev;
}

static int setup(void **state)
{
	if (kernel_setup_bare(state))
		return -1;
	atomic_init(&vdev.refcount, 1);
	provider_fails = provider_asks = false;
	logged[0] = '\0';
	frees = 0;
	return 0;
}

static int teardown(void **state)
{
	free(vdev.sysfs);
	vdev.sysfs = NULL;
	return kernel_teardown_bare(state);
}

static void a_device_without_a_node(void **state)
{
	struct ibv_context *context;

	context = verbs_open_device(&vdev.device, state);
	assert_non_null(context);
	assert_ptr_equal(seen_private_data, state);
	assert_int_equal(seen_cmd_fd, -1);
	assert_int_equal(context->async_fd, -1);
	assert_non_null(context->ops._compat_query_port);
	assert_int_equal(atomic_load(&vdev.refcount), 2);
	assert_int_equal(ibv_close_device(context), 0);
	assert_int_equal(frees, 1);
	assert_int_equal(atomic_load(&vdev.refcount), 1);

	context = ibv_open_device(&vdev.device);
	assert_null(seen_private_data);
	ibv_close_device(context);
}

static void a_device_with_a_node(void **state)
{
	unsigned int files = open_files();
	struct ibv_context *context;
	struct kernel_call *call;
	int async_fd = open("/dev/null", O_RDONLY);

	(void)state;
	vdev.sysfs = new_record();
	call = kernel_expect(UVERBS_OBJECT_ASYNC_EVENT,
			     UVERBS_METHOD_ASYNC_EVENT_ALLOC);
	kernel_new(call, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, async_fd);
	context = ibv_open_device(&vdev.device);
	assert_non_null(context);
	assert_int_equal(context->async_fd, async_fd);
	assert_int_equal(fcntl(context->cmd_fd, F_GETFD), FD_CLOEXEC);
	ibv_close_device(context);
	assert_int_equal(open_files(), files);
}

/* The native method, its older form, and whether there are older forms */
static void expect_context(int native, int older, int any)
{
	struct kernel_call *call;

	call = kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);
	kernel_out(call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, 4, NULL, 0);
	kernel_out(call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, 8, NULL, 0);
	kernel_fails(call, native);
	call = kernel_expect_write(IB_USER_VERBS_CMD_GET_CONTEXT, NULL, 8, NULL,
				   8);
	kernel_fails(call, older);
	call = kernel_expect_write(IB_USER_VERBS_CMD_QUERY_DEVICE, NULL, 0,
				   NULL, 0);
	kernel_fails(call, any);
}

/* Nothing came of it, and what was logged */
static void assert_no_context(const char *log)
{
	errno = 0;
	assert_null(ibv_open_device(&vdev.device));
	assert_int_equal(errno, EOPNOTSUPP);
	if (log)
		assert_non_null(strstr(logged, log));
	else
		assert_string_equal(logged, "");
	assert_int_equal(atomic_load(&vdev.refcount), 1);
}

static void an_old_kernel(void **state)
{
	static const int errs[] = { ENOTTY, EPROTONOSUPPORT };
	unsigned int files = open_files();
	size_t i, blocks;

	(void)state;
	vdev.sysfs = new_record();
	provider_asks = true;
	blocks = alloc_live();
	for (i = 0; i < 2; i++) {
		logged[0] = '\0';
		expect_context(errs[i], errs[i], errs[i]);
		assert_no_context("open0: the kernel is too old");
		assert_int_equal(open_files(), files);
		assert_int_equal(alloc_live(), blocks);
		kernel_restart();
	}
}

static void a_driver_that_cannot(void **state)
{
	unsigned int files = open_files();

	(void)state;
	vdev.sysfs = new_record();
	provider_asks = true;
	expect_context(EPROTONOSUPPORT, EOPNOTSUPP, ENOSPC);
	assert_no_context(NULL);
	assert_int_equal(open_files(), files);
}

static void no_async_fd(void **state)
{
	unsigned int files = open_files();
	struct kernel_call *call;
	size_t blocks;

	(void)state;
	vdev.sysfs = new_record();
	blocks = alloc_live();
	call = kernel_expect(UVERBS_OBJECT_ASYNC_EVENT,
			     UVERBS_METHOD_ASYNC_EVENT_ALLOC);
	kernel_new(call, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, 0);
	kernel_fails(call, EMFILE);
	errno = 0;
	assert_null(ibv_open_device(&vdev.device));
	assert_int_equal(errno, EMFILE);
	assert_int_equal(frees, 1);
	assert_int_equal(atomic_load(&vdev.refcount), 1);
	assert_int_equal(open_files(), files);
	assert_int_equal(alloc_live(), blocks);
}

static void a_provider_that_fails(void **state)
{
	unsigned int files = open_files();

	(void)state;
	vdev.sysfs = new_record();
	provider_fails = true;
	errno = 0;
	assert_null(ibv_open_device(&vdev.device));
	assert_int_equal(errno, ENXIO);
	assert_int_equal(frees, 0);
	assert_int_equal(atomic_load(&vdev.refcount), 1);
	assert_int_equal(open_files(), files);
}

static void no_memory(void **state)
{
	unsigned int files = open_files();
	size_t blocks;

	(void)state;
	vdev.sysfs = new_record();
	blocks = alloc_live();
	alloc_fail_at(1);
	errno = 0;
	assert_null(ibv_open_device(&vdev.device));
	assert_true(alloc_has_failed());
	alloc_fail_at(0);
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(atomic_load(&vdev.refcount), 1);
	assert_int_equal(open_files(), files);
	assert_int_equal(alloc_live(), blocks);
}

static void importing_what_is_no_device(void **state)
{
	int fd;

	(void)state;
	errno = 0;
	assert_null(ibv_import_device(-1));
	assert_int_equal(errno, EINVAL);
	fd = open("/proc/self/exe", O_RDONLY);
	errno = 0;
	assert_null(ibv_import_device(fd));
	assert_int_equal(errno, EINVAL);
	close(fd);
	fd = open("/dev/null", O_RDWR);
	errno = 0;
	assert_null(ibv_import_device(fd));
	assert_int_equal(errno, ENODEV);
	/* It still belongs to the caller. */
	assert_int_equal(close(fd), 0);
}

#define OPEN_TEST(_fn) cmocka_unit_test_setup_teardown(_fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OPEN_TEST(a_device_without_a_node),
		OPEN_TEST(a_device_with_a_node),
		OPEN_TEST(an_old_kernel),
		OPEN_TEST(a_driver_that_cannot),
		OPEN_TEST(no_async_fd),
		OPEN_TEST(a_provider_that_fails),
		OPEN_TEST(no_memory),
		OPEN_TEST(importing_what_is_no_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
