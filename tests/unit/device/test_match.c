// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which of several providers gets a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/device_list.h"
#include "device/driver_list.h"
#include "warnings.h"

static char dir[] = "/tmp/test_match.XXXXXX";

static const char *refuses; /* this driver's alloc_device fails */
static const struct verbs_match_ent *matched;
static bool own_function_says;

static struct verbs_device *alloc_device(const char *driver,
					 struct verbs_sysfs_dev *dev)
{
	matched = dev->match;
	if (refuses && !strcmp(refuses, driver))
		return NULL;
	return calloc(1, sizeof(struct verbs_device));
}

static void uninit_device(struct verbs_device *vdev)
{
	free(vdev);
}

static bool own_function(struct verbs_sysfs_dev *dev)
{
	(void)dev;
	return own_function_says;
}

#define DRIVER(_name, _function, ...)                                          \
	static const struct verbs_match_ent _name##_table[] = { __VA_ARGS__,   \
								{} };          \
	static struct verbs_device *_name##_alloc(struct verbs_sysfs_dev *dev) \
	{                                                                      \
		return alloc_device(#_name, dev);                              \
	}                                                                      \
	static const struct verbs_device_ops _name = {                         \
		.name = #_name,                                                \
		.match_min_abi_version = 2,                                    \
		.match_max_abi_version = 4,                                    \
		.match_table = _name##_table,                                  \
		.match_device = _function,                                     \
		.alloc_device = _name##_alloc,                                 \
		.uninit_device = uninit_device,                                \
	}

#define PCI(_vendor, _device)                                                 \
	{                                                                     \
		.kind = VERBS_MATCH_PCI, .vendor = _vendor, .device = _device \
	}

#define MODALIAS(_pattern)                                           \
	{                                                            \
		.kind = VERBS_MATCH_MODALIAS, .u.modalias = _pattern \
	}

/* In the order of registration */
DRIVER(by_pci, NULL, PCI(0x15b3, 0x1017), PCI(0x15b3, 0x1019));
DRIVER(by_name, NULL, VERBS_NAME_MATCH("rxe", NULL));
DRIVER(by_modalias, NULL, MODALIAS("platform:hns*"));
DRIVER(by_id, NULL, MODALIAS("rdma_device:Nstrange*"), VERBS_DRIVER_ID(5));
DRIVER(by_id_too, NULL, VERBS_DRIVER_ID(5), VERBS_NAME_MATCH("rxe", NULL));
DRIVER(by_function, own_function, MODALIAS("function*"));

static struct verbs_sysfs_dev *new_record(const char *name, uint32_t driver_id,
					  const char *modalias)
{
	struct verbs_sysfs_dev *dev = calloc(1, sizeof(*dev));
	char path[512];
	FILE *file;

	assert_non_null(dev);
	snprintf(dev->ibdev_name, sizeof(dev->ibdev_name), "%s", name);
	snprintf(dev->sysfs_name, sizeof(dev->sysfs_name), "uverbs0");
	snprintf(dev->ibdev_path, sizeof(dev->ibdev_path), "%s", dir);
	dev->node_type = IBV_NODE_RNIC;
	dev->driver_id = driver_id;
	dev->abi_ver = 3;

	snprintf(path, sizeof(path), "%s/device", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/device/modalias", dir);
	unlink(path);
	if (modalias) {
		file = fopen(path, "w");
		assert_non_null(file);
		fprintf(file, "%s\n", modalias);
		fclose(file);
	}
	return dev;
}

/* The name of the driver that takes the device, "" if none does */
static const char *driver_of(struct verbs_sysfs_dev *dev)
{
	struct verbs_device *vdev = make_device(dev);
	const char *name = "";

	if (vdev) {
		name = vdev->ops->name;
		assert_ptr_equal(vdev->sysfs, dev);
		assert_int_equal(atomic_load(&vdev->refcount), 1);
		put_device(vdev);
	} else {
		free(dev);
	}
	return name;
}

#define PCI_1017 "pci:v000015B3d00001017sv000015B3sd00000007bc02sc00i00"

static void order(void **state)
{
	(void)state;
	assert_string_equal(driver_of(new_record("mlx5_0", 0, PCI_1017)),
			    "by_pci");
	/* Capital digits only; the subvendor must follow. */
	assert_string_equal(
		driver_of(
			new_record("x", 0, "pci:v000015b3d00001017sv000015B3")),
		"");
	assert_string_equal(driver_of(new_record("x", 0,
						 "pci:v000015B3d00001018sv0")),
			    "");
	assert_string_equal(driver_of(new_record("rxe0", 0, NULL)), "by_name");
	assert_string_equal(driver_of(new_record("myrxe", 0, NULL)), "");
	assert_string_equal(driver_of(new_record("Nrxe", 0, NULL)), "by_name");
	assert_string_equal(driver_of(new_record("h", 0, "platform:hns,1")),
			    "by_modalias");
	assert_string_equal(driver_of(new_record("strange7", 0, NULL)),
			    "by_id");
	assert_string_equal(driver_of(new_record("x", 0, NULL)), "");

	/* The first driver of that id goes before patterns of any other. */
	assert_string_equal(driver_of(new_record("rxe0", 5, PCI_1017)),
			    "by_id");
	assert_string_equal(driver_of(new_record("rxe0", 6, NULL)), "by_name");
	/* The name goes before the modalias within one driver only. */
	assert_string_equal(driver_of(new_record("rxe0", 0, PCI_1017)),
			    "by_pci");
}

static void match_tells_the_entry(void **state)
{
	(void)state;
	driver_of(new_record("x", 0,
			     "pci:v000015B3d00001019sv000015B3sd00000007"));
	assert_ptr_equal(matched, &by_pci_table[1]);
	/* The id goes before an entry further up. */
	driver_of(new_record("strange0", 5, NULL));
	assert_ptr_equal(matched, &by_id_table[1]);
	driver_of(new_record("strange0", 0, NULL));
	assert_ptr_equal(matched, &by_id_table[0]);
}

static void a_driver_that_fails_is_passed_over(void **state)
{
	(void)state;
	refuses = "by_id";
	assert_string_equal(driver_of(new_record("x", 5, NULL)), "by_id_too");
	assert_string_equal(take_warnings(),
			    "Fatal: couldn't allocate device for by_id\n");
	refuses = "by_name";
	assert_string_equal(driver_of(new_record("rxe0", 0, NULL)),
			    "by_id_too");
	refuses = "by_pci";
	assert_string_equal(driver_of(new_record("mlx5_0", 0, PCI_1017)), "");
	refuses = NULL;
}

static void abi_range(void **state)
{
	char expected[512];
	struct verbs_sysfs_dev *dev;
	uint32_t abi;

	(void)state;
	for (abi = 0; abi < 7; abi++) {
		dev = new_record("rxe0", 0, NULL);
		dev->abi_ver = abi;
		assert_string_equal(driver_of(dev),
				    abi >= 2 && abi <= 4 ? "by_name" : "");
	}
	dev = new_record("rxe0", 0, NULL);
	take_warnings();
	dev->abi_ver = UINT32_MAX;
	assert_string_equal(driver_of(dev), "");
	/* One of each driver that would have taken it */
	snprintf(expected, sizeof(expected),
		 "Warning: Driver by_name does not support the kernel ABI of "
		 "4294967295 (supports 2 to 4) for device %s\n"
		 "Warning: Driver by_id_too does not support the kernel ABI of "
		 "4294967295 (supports 2 to 4) for device %s\n",
		 dir, dir);
	assert_string_equal(take_warnings(), expected);
}

static void a_function_decides_alone(void **state)
{
	(void)state;
	own_function_says = true;
	assert_string_equal(driver_of(new_record("x", 0, NULL)), "by_function");
	assert_null(matched);
	assert_string_equal(driver_of(new_record("x", 0, "function1")),
			    "by_function");
	assert_ptr_equal(matched, &by_function_table[0]);
	own_function_says = false;
	assert_string_equal(driver_of(new_record("x", 0, "function1")), "");
}

static void modalias_is_read_once(void **state)
{
	struct verbs_sysfs_dev *dev = new_record("x", 0, "first\n");
	char path[512];

	(void)state;
	assert_null(make_device(dev));
	assert_string_equal(dev->modalias, "first\n");
	assert_int_equal(dev->flags, VSYSFS_READ_MODALIAS);
	snprintf(path, sizeof(path), "%s/device/modalias", dir);
	unlink(path);
	assert_null(make_device(dev));
	assert_string_equal(dev->modalias, "first\n");
	free(dev);

	/* Too long for the record: as if there were none */
	dev = new_record("x", 0, NULL);
	char text[2000];

	memset(text, 'm', sizeof(text));
	FILE *file = fopen(path, "w");

	fwrite(text, sizeof(text), 1, file);
	fclose(file);
	assert_null(make_device(dev));
	assert_string_equal(dev->modalias, "");
	free(dev);
	unlink(path);
}

static void fields_of_a_device(void **state)
{
	static const struct {
		enum ibv_node_type node;
		enum ibv_transport_type transport;
	} types[] = {
		{ IBV_NODE_CA, IBV_TRANSPORT_IB },
		{ IBV_NODE_SWITCH, IBV_TRANSPORT_IB },
		{ IBV_NODE_ROUTER, IBV_TRANSPORT_IB },
		{ IBV_NODE_RNIC, IBV_TRANSPORT_IWARP },
		{ IBV_NODE_USNIC, IBV_TRANSPORT_USNIC },
		{ IBV_NODE_USNIC_UDP, IBV_TRANSPORT_USNIC_UDP },
		{ IBV_NODE_UNSPECIFIED, IBV_TRANSPORT_UNSPECIFIED },
		{ IBV_NODE_UNKNOWN, IBV_TRANSPORT_UNKNOWN },
	};
	struct verbs_device *vdev;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct verbs_sysfs_dev *dev = new_record("rxe0", 0, NULL);

		dev->node_type = types[i].node;
		vdev = make_device(dev);
		assert_int_equal(vdev->device.node_type, types[i].node);
		assert_int_equal(vdev->device.transport_type,
				 types[i].transport);
		assert_ptr_equal(vdev->ops, &by_name);
		assert_string_equal(vdev->device.name, "rxe0");
		assert_string_equal(vdev->device.dev_name, "uverbs0");
		assert_string_equal(vdev->device.dev_path,
				    "/sys/class/infiniband_verbs/uverbs0");
		assert_string_equal(vdev->device.ibdev_path, dir);
		assert_int_equal(vdev->core_support, 0);
		assert_null(vdev->device._ops._dummy1);
		assert_null(vdev->device._ops._dummy2);
		put_device(vdev);
	}
}

/* A program may load a plug-in itself while another thread lists devices. */
#define THREADS 4
#define EACH 200

static void *register_many(void *arg)
{
	unsigned int i;

	for (i = 0; i < EACH; i++)
		verbs_register_driver_34((struct verbs_device_ops *)arg + i);
	return NULL;
}

static void registration_by_threads(void **state)
{
	static struct verbs_device_ops ops[THREADS][EACH];
	unsigned int next[THREADS] = {}, before = 0, count = 0, t;
	pthread_t threads[THREADS];
	struct driver *driver;

	(void)state;
	for (driver = first_driver(); driver; driver = next_driver(driver))
		before++;
	for (t = 0; t < THREADS; t++)
		assert_int_equal(pthread_create(&threads[t], NULL,
						register_many, ops[t]),
				 0);
	for (driver = first_driver(); driver; driver = next_driver(driver))
		assert_non_null(driver->ops);
	for (t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);

	/* All are there, each thread's in its order. */
	for (driver = first_driver(); driver; driver = next_driver(driver)) {
		if (count++ < before)
			continue;
		for (t = 0; t < THREADS; t++)
			if (next[t] < EACH && driver->ops == &ops[t][next[t]]) {
				next[t]++;
				break;
			}
		assert_true(t < THREADS);
	}
	assert_int_equal(count, before + THREADS * EACH);
}

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	verbs_register_driver_34(&by_pci);
	verbs_register_driver_34(&by_name);
	verbs_register_driver_34(&by_modalias);
	verbs_register_driver_34(&by_id);
	verbs_register_driver_34(&by_id_too);
	verbs_register_driver_34(&by_function);
	return 0;
}

static int teardown(void **state)
{
	char path[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/device/modalias", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/device", dir);
	rmdir(path);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order),
		cmocka_unit_test(match_tells_the_entry),
		cmocka_unit_test(a_driver_that_fails_is_passed_over),
		cmocka_unit_test(abi_range),
		cmocka_unit_test(a_function_decides_alone),
		cmocka_unit_test(modalias_is_read_once),
		cmocka_unit_test(fields_of_a_device),
		cmocka_unit_test(registration_by_threads),
	};

	unsetenv("SYSFS_PATH");
	return cmocka_run_group_tests(tests, setup, teardown);
}
