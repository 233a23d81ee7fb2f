// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The list of devices from call to call.  The kernel is a table of this test;
 * drivers are taken for granted (test_match.c) but for when they are loaded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "device/discover.h"
#include "device/driver_list.h"
#include "warnings.h"

struct kernel_dev {
	const char *name;
	const char *uverbs;
	int index;
	long created;
};

static const struct kernel_dev *kernel; /* ends with a name of NULL */
static int netlink_result, sysfs_result, netlink_abi;
static unsigned int loads, alive;
static char sysfs[] = "/tmp/test_device_list.XXXXXX";

int __wrap_scan_netlink(struct list_node *records, int *abi, dev_t open_cdev);
int __wrap_scan_sysfs(struct list_node *records, dev_t open_cdev);
void __wrap_load_plugins(void);

static void add_records(struct list_node *records)
{
	const struct kernel_dev *k;

	for (k = kernel; k->name; k++) {
		struct verbs_sysfs_dev *dev = calloc(1, sizeof(*dev));

		assert_non_null(dev);
		assert_true(set_ibdev_name(dev, k->name));
		strcpy(dev->sysfs_name, k->uverbs);
		dev->ibdev_idx = k->index;
		dev->time_created.tv_nsec = k->created;
		list_add_front(records, &dev->entry);
	}
}

int __wrap_scan_netlink(struct list_node *records, int *abi, dev_t open_cdev)
{
	(void)open_cdev;
	if (!netlink_result)
		add_records(records);
	if (!netlink_result && netlink_abi)
		*abi = netlink_abi;
	return netlink_result;
}

int __wrap_scan_sysfs(struct list_node *records, dev_t open_cdev)
{
	(void)open_cdev;
	if (!sysfs_result)
		add_records(records);
	return sysfs_result;
}

static struct verbs_device *alloc_device(struct verbs_sysfs_dev *dev)
{
	(void)dev;
	alive++;
	return calloc(1, sizeof(struct verbs_device));
}

static void uninit_device(struct verbs_device *vdev)
{
	alive--;
	free(vdev);
}

static const struct verbs_match_ent linked_table[] = {
	VERBS_NAME_MATCH("linked", NULL), {}
};
static const struct verbs_match_ent plugin_table[] = {
	VERBS_NAME_MATCH("plugin", NULL), {}
};
static const struct verbs_device_ops linked = {
	.name = "linked",
	.match_table = linked_table,
	.alloc_device = alloc_device,
	.uninit_device = uninit_device,
};
static const struct verbs_device_ops plugin = {
	.name = "plugin",
	.match_table = plugin_table,
	.alloc_device = alloc_device,
	.uninit_device = uninit_device,
};

void __wrap_load_plugins(void)
{
	loads++;
	verbs_register_driver_34(&plugin);
}

static void set_abi(const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/class/infiniband_verbs/abi_version",
		 sysfs);
	unlink(path);
	if (!text)
		return;
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static struct ibv_device **get_list(const struct kernel_dev *devs,
				    const char *names)
{
	struct ibv_device **list;
	char joined[512] = "";
	int num = -1, i;

	kernel = devs;
	list = ibv_get_device_list(&num);
	assert_non_null(list);
	for (i = 0; list[i]; i++) {
		strcat(joined, list[i]->name);
		strcat(joined, " ");
	}
	assert_int_equal(num, i);
	assert_string_equal(joined, names);
	return list;
}

static void no_list(int err)
{
	int num = -1;

	errno = 0;
	assert_null(ibv_get_device_list(&num));
	assert_int_equal(errno, err);
	assert_int_equal(num, 0);
}

#define DEVS(...) \
	((const struct kernel_dev[]){ __VA_ARGS__, { NULL, NULL, 0, 0 } })
#define NO_DEVS ((const struct kernel_dev[]){ { NULL, NULL, 0, 0 } })

/* Runs first: nothing is known of the kernel's ABI yet. */
static void uverbs_abi(void **state)
{
	static const char *const bad[] = { "2\n", "7\n", "x\n", "-1\n", "\n" };
	size_t i;

	(void)state;
	netlink_result = EOPNOTSUPP;
	sysfs_result = ENOSYS;
	kernel = NO_DEVS;
	no_list(ENOSYS);
	sysfs_result = EMFILE;
	no_list(ENOSYS);
	sysfs_result = ENOMEM;
	no_list(ENOMEM);

	/* Without a device it does not matter. */
	sysfs_result = 0;
	set_abi(NULL);
	ibv_free_device_list(get_list(NO_DEVS, ""));

	kernel = DEVS({ "linked0", "uverbs0", -1, 1 });
	no_list(ENOSYS);
	assert_string_equal(take_warnings(), "");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set_abi(bad[i]);
		no_list(ENOSYS);
		assert_string_not_equal(take_warnings(), "");
	}
	assert_int_equal(alive, 0);
	set_abi("3\n");
	ibv_free_device_list(get_list(kernel, "linked0 "));
	/* It is not read again. */
	set_abi("99\n");
	ibv_free_device_list(get_list(kernel, "linked0 "));
	ibv_free_device_list(get_list(NO_DEVS, ""));
	assert_int_equal(alive, 0);
	netlink_result = 0;
}

static void plugins_are_loaded_once_and_late(void **state)
{
	(void)state;
	assert_int_equal(loads, 0);
	ibv_free_device_list(
		get_list(DEVS({ "linked0", "uverbs0", 0, 0 }), "linked0 "));
	assert_int_equal(loads, 0);

	/* What a loaded driver takes goes in front of what was taken before. */
	ibv_free_device_list(get_list(DEVS({ "linked0", "uverbs0", 0, 0 },
					   { "linked1", "uverbs1", 1, 0 },
					   { "plugin2", "uverbs2", 2, 0 },
					   { "linked3", "uverbs3", 3, 0 },
					   { "other4", "uverbs4", 4, 0 }),
				      "plugin2 linked1 linked3 linked0 "));
	assert_int_equal(loads, 1);
	assert_string_equal(take_warnings(), "");

	setenv("IBV_SHOW_WARNINGS", "", 1);
	ibv_free_device_list(get_list(DEVS({ "other4", "uverbs4", 4, 0 }), ""));
	unsetenv("IBV_SHOW_WARNINGS");
	assert_string_equal(take_warnings(),
			    "Warning: no userspace device-specific driver "
			    "found for other4\n");
	assert_int_equal(loads, 1);
	assert_int_equal(alive, 0);
}

static void order_and_identity(void **state)
{
	struct ibv_device **first, **second, **third;

	(void)state;
	first = get_list(DEVS({ "linked0", "uverbs0", 0, 0 },
			      { "linked1", "uverbs1", 1, 0 },
			      { "linked2", "uverbs2", 2, 0 }),
			 "linked0 linked1 linked2 ");
	/* Known ones keep their order, new ones come in front of them. */
	second = get_list(DEVS({ "linked5", "uverbs5", 5, 0 },
			       { "linked2", "uverbs2", 2, 0 },
			       { "linked4", "uverbs4", 4, 0 },
			       { "linked0", "uverbs0", 0, 0 }),
			  "linked5 linked4 linked0 linked2 ");
	assert_ptr_equal(second[2], first[0]);
	assert_ptr_equal(second[3], first[2]);
	/* linked1 is gone from the kernel, but not from the first list. */
	assert_int_equal(alive, 5);
	assert_string_equal(first[1]->name, "linked1");
	ibv_free_device_list(first);
	assert_int_equal(alive, 4);

	/* A renamed device is seen by its old name. */
	third = get_list(DEVS({ "renamed", "uverbs0", 0, 0 }), "linked0 ");
	assert_ptr_equal(third[0], second[2]);
	/* Another index, or another uverbs name: another device */
	ibv_free_device_list(third);
	third = get_list(DEVS({ "linked0", "uverbs0", 9, 0 }), "linked0 ");
	assert_ptr_not_equal(third[0], second[2]);
	assert_int_equal(ibv_get_device_index(third[0]), 9);
	ibv_free_device_list(third);
	third = get_list(DEVS({ "linked0", "uverbs9", 9, 0 }), "linked0 ");
	ibv_free_device_list(third);
	ibv_free_device_list(second);
	assert_int_equal(alive, 1);
	ibv_free_device_list(get_list(NO_DEVS, ""));
	assert_int_equal(alive, 0);
}

static void without_an_index_age_tells(void **state)
{
	struct ibv_device **first, **second;

	(void)state;
	first = get_list(DEVS({ "linked0", "uverbs0", -1, 5 }), "linked0 ");
	second = get_list(DEVS({ "linked0", "uverbs0", -1, 5 }), "linked0 ");
	assert_ptr_equal(first[0], second[0]);
	ibv_free_device_list(second);
	second = get_list(DEVS({ "linked0", "uverbs0", -1, 6 }), "linked0 ");
	assert_ptr_not_equal(first[0], second[0]);
	ibv_free_device_list(second);
	ibv_free_device_list(first);
	ibv_free_device_list(get_list(NO_DEVS, ""));
	assert_int_equal(alive, 0);
}

static void a_failed_scan_keeps_the_list(void **state)
{
	struct ibv_device **first, **second;

	(void)state;
	first = get_list(DEVS({ "linked0", "uverbs0", 0, 0 }), "linked0 ");
	netlink_result = EIO;
	sysfs_result = ENOSYS;
	no_list(ENOSYS);
	netlink_result = sysfs_result = 0;
	second = get_list(DEVS({ "linked0", "uverbs0", 0, 0 }), "linked0 ");
	assert_ptr_equal(first[0], second[0]);
	ibv_free_device_list(first);
	ibv_free_device_list(second);
	ibv_free_device_list(get_list(NO_DEVS, ""));
}

static void a_context_keeps_its_device(void **state)
{
	struct verbs_context *vctx;
	struct ibv_device **list;

	(void)state;
	list = get_list(DEVS({ "linked0", "uverbs0", 0, 0 }), "linked0 ");
	vctx = _verbs_init_and_alloc_context(list[0], -1, sizeof(*vctx), NULL,
					     RDMA_DRIVER_UNKNOWN);
	assert_non_null(vctx);
	ibv_free_device_list(list);
	ibv_free_device_list(get_list(NO_DEVS, ""));
	assert_int_equal(alive, 1);
	assert_string_equal(vctx->context.device->name, "linked0");
	verbs_uninit_context(vctx);
	assert_int_equal(alive, 0);
	free(vctx);
}

static void hand_made_devices(void **state)
{
	struct verbs_device *vdev = calloc(1, sizeof(*vdev));
	struct ibv_device **list = calloc(2, sizeof(*list));

	(void)state;
	alive++;
	vdev->ops = &linked;
	atomic_init(&vdev->refcount, 1);
	list[0] = &vdev->device;
	assert_int_equal(ibv_get_device_index(list[0]), -1);
	assert_int_equal(ibv_get_device_guid(list[0]), 0);
	ibv_free_device_list(list);
	assert_int_equal(alive, 0);
}

static void guid(void **state)
{
	struct ibv_device **list;
	char path[512];
	FILE *file;

	(void)state;
	list = get_list(DEVS({ "linked0", "uverbs0", 0, 0 }), "linked0 ");
	assert_int_equal(ibv_get_device_guid(list[0]), 0);
	snprintf(path, sizeof(path), "%s/node_guid", list[0]->ibdev_path);
	file = fopen(path, "w");
	fputs("0011:2233:44zz:6677\n", file);
	fclose(file);
	assert_int_equal(ibv_get_device_guid(list[0]), 0);
	file = fopen(path, "w");
	fputs("0011:2233:4455:6677\n", file);
	fclose(file);
	assert_int_equal(ibv_get_device_guid(list[0]), 0x7766554433221100);
	unlink(path);
	assert_int_equal(ibv_get_device_guid(list[0]), 0x7766554433221100);
	assert_string_equal(ibv_get_device_name(list[0]), "linked0");
	ibv_free_device_list(list);
	ibv_free_device_list(get_list(NO_DEVS, ""));
}

static void num_may_be_null(void **state)
{
	struct ibv_device **list;

	(void)state;
	kernel = NO_DEVS;
	list = ibv_get_device_list(NULL);
	assert_non_null(list);
	assert_null(list[0]);
	ibv_free_device_list(list);
}

static void no_memory_for_the_array(void **state)
{
	size_t blocks = alloc_live();

	(void)state;
	kernel = NO_DEVS;
	alloc_fail_at(1);
	no_list(ENOMEM);
	alloc_fail_at(0);
	assert_int_equal(alloc_live(), blocks);
}

static void *list_often(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < 500; i++) {
		int num;
		struct ibv_device **list = ibv_get_device_list(&num);

		if (!list || num != 2 || ibv_get_device_index(list[1]) < 0)
			abort();
		ibv_free_device_list(list);
	}
	return NULL;
}

static void threads(void **state)
{
	pthread_t thread[4];
	size_t i;

	(void)state;
	kernel = DEVS({ "linked0", "uverbs0", 0, 0 },
		      { "linked1", "uverbs1", 1, 0 });
	for (i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, list_often,
						NULL),
				 0);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	ibv_free_device_list(get_list(NO_DEVS, ""));
	assert_int_equal(alive, 0);
}

static int make_sysfs(void **state)
{
	char path[512];

	(void)state;
	if (!mkdtemp(sysfs) || setenv("SYSFS_PATH", sysfs, 1))
		return -1;
	snprintf(path, sizeof(path), "%s/class", sysfs);
	if (mkdir(path, 0700))
		return -1;
	snprintf(path, sizeof(path), "%s/class/infiniband_verbs", sysfs);
	if (mkdir(path, 0700))
		return -1;
	snprintf(path, sizeof(path), "%s/class/infiniband", sysfs);
	if (mkdir(path, 0700))
		return -1;
	snprintf(path, sizeof(path), "%s/class/infiniband/linked0", sysfs);
	if (mkdir(path, 0700))
		return -1;
	verbs_register_driver_34(&linked);
	return 0;
}

static int remove_sysfs(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", sysfs);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uverbs_abi),
		cmocka_unit_test(plugins_are_loaded_once_and_late),
		cmocka_unit_test(order_and_identity),
		cmocka_unit_test(without_an_index_age_tells),
		cmocka_unit_test(a_failed_scan_keeps_the_list),
		cmocka_unit_test(a_context_keeps_its_device),
		cmocka_unit_test(hand_made_devices),
		cmocka_unit_test(guid),
		cmocka_unit_test(num_may_be_null),
		cmocka_unit_test(no_memory_for_the_array),
		cmocka_unit_test(threads),
	};

	return cmocka_run_group_tests(tests, make_sysfs, remove_sysfs);
}
