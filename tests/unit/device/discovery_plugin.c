// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A plug-in for devices named alpha... that tells what is asked of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "driver.h"

static struct verbs_device *alloc_device(struct verbs_sysfs_dev *dev)
{
	fprintf(stderr, "plug-in: device %s, %s, match kind %d, abi %u\n",
		dev->ibdev_name, dev->sysfs_name,
		dev->match ? dev->match->kind : -1, dev->abi_ver);
	return calloc(1, sizeof(struct verbs_device));
}

static void uninit_device(struct verbs_device *vdev)
{
	fprintf(stderr, "plug-in: %s gone\n", vdev->device.name);
	free(vdev);
}

static struct verbs_context *tell_fd(struct ibv_device *device, int cmd_fd)
{
	struct stat st;

	if (fstat(cmd_fd, &st))
		st.st_rdev = 0;
	fprintf(stderr, "plug-in: opens %s on %u:%u\n", device->name,
		major(st.st_rdev), minor(st.st_rdev));
	errno = EBADE;
	return NULL;
}

static struct verbs_context *alloc_context(struct ibv_device *device,
					   int cmd_fd, void *private_data)
{
	(void)private_data;
	return tell_fd(device, cmd_fd);
}

static struct verbs_context *import_context(struct ibv_device *device,
					    int cmd_fd)
{
	return tell_fd(device, cmd_fd);
}

static const struct verbs_match_ent match_table[] = {
	VERBS_NAME_MATCH("alpha", NULL), {}
};

static const struct verbs_device_ops alpha = {
	.name = "alpha",
	.match_min_abi_version = 1,
	.match_max_abi_version = 2,
	.match_table = match_table,
	.alloc_device = alloc_device,
	.uninit_device = uninit_device,
	.alloc_context = alloc_context,
	.import_context = import_context,
};
PROVIDER_DRIVER(alpha, alpha);
