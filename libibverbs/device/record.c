// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The record of a kernel device, whichever way it was found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "device/discover.h"
#include "util/sysfs.h"

bool set_ibdev_name(struct verbs_sysfs_dev *dev, const char *name)
{
	size_t len = strlen(name);
	int path_len;

	if (!sysfs_name_ok(name) || len >= sizeof(dev->ibdev_name))
		return false;
	path_len =
		snprintf(dev->ibdev_path, sizeof(dev->ibdev_path),
			 "%s/class/infiniband/%s", ibv_get_sysfs_path(), name);
	if (path_len < 0 || (size_t)path_len >= sizeof(dev->ibdev_path))
		return false;
	memcpy(dev->ibdev_name, name, len + 1);
	return true;
}

bool has_cdev(const struct verbs_sysfs_dev *dev)
{
	char path[sizeof(CDEV_DIR) + sizeof(dev->sysfs_name)];
	struct stat st;

	snprintf(path, sizeof(path), CDEV_DIR "/%s", dev->sysfs_name);
	return stat(path, &st) == 0;
}

enum ibv_node_type decode_node_type(uint64_t kernel_type)
{
	if (kernel_type < IBV_NODE_CA || kernel_type > IBV_NODE_UNSPECIFIED)
		return IBV_NODE_UNKNOWN;
	return kernel_type;
}

void free_records(struct list_node *records)
{
	struct list_node *node, *next;

	list_for_each_safe (node, next, records) {
		list_del(node);
		free(list_entry(node, struct verbs_sysfs_dev));
	}
}
