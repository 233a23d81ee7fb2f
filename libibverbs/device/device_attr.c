// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What is known of a device without opening it. */
#include <endian.h>

#include "driver.h"
#include "util/sysfs.h"

/**
 * ibv_get_device_name - The kernel's name of a device, such as "mlx5_0"
 *
 * The string lives as long as the device.  Thread-safe.  Since IBVERBS_1.1.
 */
const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

/**
 * ibv_get_device_index - The kernel's number of a device
 *
 * It does not change when the device is renamed.  -1: not known.  Thread-safe.
 * Since IBVERBS_1.9.
 */
int ibv_get_device_index(struct ibv_device *device)
{
	struct verbs_sysfs_dev *dev = verbs_get_device(device)->sysfs;

	return dev ? dev->ibdev_idx : -1;
}

/**
 * ibv_get_device_guid - The node GUID of a device, big-endian
 *
 * Returns 0 if it cannot be read.  Thread-safe.  Since IBVERBS_1.1.
 */
__be64 ibv_get_device_guid(struct ibv_device *device)
{
	struct verbs_sysfs_dev *dev = verbs_get_device(device)->sysfs;
	unsigned int flags;
	uint64_t guid = 0;
	char text[24];

	if (!dev)
		return 0;
	/*
	 * Threads may read the GUID at the same time: all store the same
	 * number, and the flag after it.
	 */
	flags = __atomic_load_n(&dev->flags, __ATOMIC_ACQUIRE);
	if (flags & VSYSFS_READ_NODE_GUID)
		return htobe64(
			__atomic_load_n(&dev->node_guid, __ATOMIC_RELAXED));

	if (ibv_read_ibdev_sysfs_file(text, sizeof(text), dev, "node_guid") <=
		    0 ||
	    !sysfs_parse_guid(text, &guid))
		return 0;
	__atomic_store_n(&dev->node_guid, guid, __ATOMIC_RELAXED);
	__atomic_fetch_or(&dev->flags, VSYSFS_READ_NODE_GUID, __ATOMIC_RELEASE);
	return htobe64(guid);
}
