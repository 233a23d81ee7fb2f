// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Finding devices in a sysfs that this test writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "device/discover.h"

static char root[] = "/tmp/test_sysfs_scan.XXXXXX";
static const char *no_node_for;

bool __wrap_has_cdev(const struct verbs_sysfs_dev *dev);

bool __wrap_has_cdev(const struct verbs_sysfs_dev *dev)
{
	return !no_node_for || strcmp(dev->sysfs_name, no_node_for);
}

static void shell(const char *command)
{
	assert_int_equal(system(command), 0);
}

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[1024];
	FILE *file;

	snprintf(path, sizeof(path), "%s/class/%s/%s", root, dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void make_dir(const char *dir)
{
	char command[1024];

	snprintf(command, sizeof(command), "mkdir -p '%s/class/%s'", root, dir);
	shell(command);
}

static void remove_entry(const char *dir)
{
	char command[1024];

	snprintf(command, sizeof(command), "rm -r '%s/class/%s'", root, dir);
	shell(command);
}

/* A uverbs device and its RDMA device, complete */
static void make_device(const char *uverbs, const char *ibdev)
{
	char dir[128];

	snprintf(dir, sizeof(dir), "infiniband/%s", ibdev);
	make_dir(dir);
	write_file(dir, "node_type", "4: RNIC\n");
	snprintf(dir, sizeof(dir), "infiniband_verbs/%s", uverbs);
	make_dir(dir);
	write_file(dir, "ibdev", ibdev);
	write_file(dir, "dev", "231:192\n");
	write_file(dir, "abi_version", "5\n");
}

static int setup(void **state)
{
	(void)state;
	no_node_for = NULL;
	make_dir("infiniband_verbs");
	make_device("uverbs0", "rxe0");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	remove_entry("infiniband_verbs");
	remove_entry("infiniband");
	return 0;
}

/* The one device that is found, or NULL; free() it. */
static struct verbs_sysfs_dev *scan_one(void)
{
	struct list_node records = LIST_HEAD_INIT(records);

	assert_int_equal(scan_sysfs(&records, 0), 0);
	if (list_empty(&records))
		return NULL;
	assert_ptr_equal(records.next, records.prev);
	return list_entry(records.next, struct verbs_sysfs_dev);
}

static void a_complete_device(void **state)
{
	struct verbs_sysfs_dev *dev = scan_one();
	char path[512];
	struct stat st;

	(void)state;
	assert_non_null(dev);
	assert_string_equal(dev->sysfs_name, "uverbs0");
	assert_string_equal(dev->ibdev_name, "rxe0");
	snprintf(path, sizeof(path), "%s/class/infiniband/rxe0", root);
	assert_string_equal(dev->ibdev_path, path);
	assert_int_equal(dev->sysfs_cdev, makedev(231, 192));
	assert_int_equal(dev->abi_ver, 5);
	assert_int_equal(dev->node_type, IBV_NODE_RNIC);
	assert_int_equal(dev->ibdev_idx, -1);
	assert_int_equal(dev->driver_id, 0);
	assert_int_equal(dev->num_ports, 0);
	assert_int_equal(dev->flags, 0);
	stat(path, &st);
	assert_memory_equal(&dev->time_created, &st.st_mtim,
			    sizeof(st.st_mtim));
	free(dev);
}

static void assert_left_out(void)
{
	assert_null(scan_one());
}

static void incomplete_devices(void **state)
{
	static const char *const names[] = {
		"", ".", "..", "a/b", "../infiniband", "none"
	};
	static const char *const devs[] = { "", "231\n", "x:y\n", ":\n" };
	char longest[80];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		write_file("infiniband_verbs/uverbs0", "ibdev", names[i]);
		assert_left_out();
	}
	memset(longest, 'n', sizeof(longest));
	longest[IBV_SYSFS_NAME_MAX] = '\0';
	make_dir("infiniband/x");
	write_file("infiniband_verbs/uverbs0", "ibdev", longest);
	assert_left_out();
	remove_entry("infiniband_verbs/uverbs0/ibdev");
	assert_left_out();

	write_file("infiniband_verbs/uverbs0", "ibdev", "rxe0\n");
	for (i = 0; i < sizeof(devs) / sizeof(devs[0]); i++) {
		write_file("infiniband_verbs/uverbs0", "dev", devs[i]);
		assert_left_out();
	}
	remove_entry("infiniband_verbs/uverbs0/dev");
	assert_left_out();
	write_file("infiniband_verbs/uverbs0", "dev", "231:192\n");
	free(scan_one());
	no_node_for = "uverbs0";
	assert_left_out();
}

static void an_open_device_needs_no_node(void **state)
{
	struct list_node records = LIST_HEAD_INIT(records);

	(void)state;
	no_node_for = "uverbs0";
	assert_int_equal(scan_sysfs(&records, makedev(231, 193)), 0);
	assert_true(list_empty(&records));
	assert_int_equal(scan_sysfs(&records, makedev(231, 192)), 0);
	assert_false(list_empty(&records));
	free_records(&records);
}

static void what_may_be_missing(void **state)
{
	static const char *const types[] = {
		"", "x\n", "0: ?\n", "8: ?\n", "-1\n", "99999999999999999999\n"
	};
	struct verbs_sysfs_dev *dev;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		write_file("infiniband/rxe0", "node_type", types[i]);
		dev = scan_one();
		assert_non_null(dev);
		assert_int_equal(dev->node_type, IBV_NODE_UNKNOWN);
		free(dev);
	}
	remove_entry("infiniband/rxe0/node_type");
	remove_entry("infiniband_verbs/uverbs0/abi_version");
	dev = scan_one();
	assert_non_null(dev);
	assert_int_equal(dev->node_type, IBV_NODE_UNKNOWN);
	assert_int_equal(dev->abi_ver, 0);
	free(dev);
}

static void entries_that_are_no_devices(void **state)
{
	char name[80];

	(void)state;
	write_file("infiniband_verbs", "abi_version", "6\n");
	make_dir("infiniband_verbs/.hidden");
	write_file("infiniband_verbs/.hidden", "ibdev", "rxe0");
	write_file("infiniband_verbs/.hidden", "dev", "1:1");
	memset(name, 'u', sizeof(name));
	name[IBV_SYSFS_NAME_MAX] = '\0';
	make_device(name, "rxe1");
	free(scan_one());
}

static void the_rest_of_a_netlink_device(void **state)
{
	struct verbs_sysfs_dev dev = {};

	(void)state;
	assert_true(set_ibdev_name(&dev, "rxe0"));
	assert_false(scan_sysfs_cdev(&dev));
	make_dir("infiniband/rxe0/device/infiniband_verbs");
	assert_false(scan_sysfs_cdev(&dev));
	make_dir("infiniband/rxe0/device/infiniband_verbs/.x");
	assert_false(scan_sysfs_cdev(&dev));
	make_dir("infiniband/rxe0/device/infiniband_verbs/uverbs7");
	assert_false(scan_sysfs_cdev(&dev));
	write_file("infiniband/rxe0/device/infiniband_verbs/uverbs7", "dev",
		   "1:2\n");
	assert_true(scan_sysfs_cdev(&dev));
	assert_string_equal(dev.sysfs_name, "uverbs7");
	assert_int_equal(dev.sysfs_cdev, makedev(1, 2));
	assert_int_equal(dev.abi_ver, 0);
	assert_int_not_equal(dev.time_created.tv_sec, 0);
}

static void no_uverbs(void **state)
{
	struct list_node records = LIST_HEAD_INIT(records);

	(void)state;
	remove_entry("infiniband_verbs");
	assert_int_equal(scan_sysfs(&records, 0), ENOSYS);
	assert_true(list_empty(&records));
	make_dir("infiniband_verbs");
}

static void no_descriptors(void **state)
{
	struct list_node records = LIST_HEAD_INIT(records);
	struct rlimit limit, few;
	int next, results[3], i;

	(void)state;
	make_device("uverbs0", "a");
	next = dup(0);
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	few = limit;
	/* For the list of devices, for a device's directory, for its files */
	for (i = 0; i < 3; i++) {
		few.rlim_cur = next + i;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		results[i] = scan_sysfs(&records, 0);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	}
	for (i = 0; i < 3; i++)
		assert_int_equal(results[i], EMFILE);
	assert_true(list_empty(&records));
}

static void no_memory(void **state)
{
	struct list_node records = LIST_HEAD_INIT(records);
	size_t blocks = alloc_live();
	unsigned int n;
	int ret;

	(void)state;
	make_device("uverbs1", "rxe1");
	for (n = 1;; n++) {
		alloc_fail_at(n);
		ret = scan_sysfs(&records, 0);
		if (!alloc_has_failed())
			break;
		assert_int_equal(ret, ENOMEM);
		assert_true(list_empty(&records));
		assert_int_equal(alloc_live(), blocks);
	}
	alloc_fail_at(0);
	assert_int_equal(ret, 0);
	free_records(&records);
}

static int make_root(void **state)
{
	(void)state;
	return mkdtemp(root) && !setenv("SYSFS_PATH", root, 1) ? 0 : -1;
}

static int remove_root(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

#define SCAN_TEST(_fn) cmocka_unit_test_setup_teardown(_fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCAN_TEST(a_complete_device),
		SCAN_TEST(incomplete_devices),
		SCAN_TEST(an_open_device_needs_no_node),
		SCAN_TEST(what_may_be_missing),
		SCAN_TEST(entries_that_are_no_devices),
		SCAN_TEST(the_rest_of_a_netlink_device),
		SCAN_TEST(no_uverbs),
		SCAN_TEST(no_descriptors),
		SCAN_TEST(no_memory),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
