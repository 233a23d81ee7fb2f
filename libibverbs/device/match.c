// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which provider takes which device. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/driver_list.h"
#include "priv.h"
#include "util/log.h"
#include "util/sysfs.h"

static const struct verbs_match_ent *
match_driver_id(const struct verbs_device_ops *ops,
		const struct verbs_sysfs_dev *dev)
{
	const struct verbs_match_ent *ent = ops->match_table;

	if (!ent || dev->driver_id == RDMA_DRIVER_UNKNOWN)
		return NULL;
	for (; ent->kind != VERBS_MATCH_SENTINEL; ent++)
		if (ent->kind == VERBS_MATCH_DRIVER_ID &&
		    ent->u.driver_id == dev->driver_id)
			return ent;
	return NULL;
}

static bool pattern_matches(const struct verbs_match_ent *ent,
			    const char *modalias)
{
	char pci[sizeof("pci:v00000000d00000000sv*")];

	switch (ent->kind) {
	case VERBS_MATCH_MODALIAS:
		return fnmatch(ent->u.modalias, modalias, 0) == 0;
	case VERBS_MATCH_PCI:
		snprintf(pci, sizeof(pci), "pci:v%08Xd%08Xsv*", ent->vendor,
			 ent->device);
		return fnmatch(pci, modalias, 0) == 0;
	default:
		return false;
	}
}

static const struct verbs_match_ent *
match_modalias(const struct verbs_device_ops *ops, const char *modalias)
{
	const struct verbs_match_ent *ent = ops->match_table;

	for (; ent && ent->kind != VERBS_MATCH_SENTINEL; ent++)
		if (pattern_matches(ent, modalias))
			return ent;
	return NULL;
}

static const char *device_modalias(struct verbs_sysfs_dev *dev)
{
	if (!(dev->flags & VSYSFS_READ_MODALIAS)) {
		if (ibv_read_ibdev_sysfs_file(dev->modalias,
					      sizeof(dev->modalias), dev,
					      "device/modalias") <= 0)
			dev->modalias[0] = '\0';
		dev->flags |= VSYSFS_READ_MODALIAS;
	}
	return dev->modalias;
}

static const struct verbs_match_ent *
match_table(const struct verbs_device_ops *ops, struct verbs_sysfs_dev *dev)
{
	char by_name[sizeof("rdma_device:N") + sizeof(dev->ibdev_name)];
	const struct verbs_match_ent *ent;

	ent = match_driver_id(ops, dev);
	if (!ent) {
		snprintf(by_name, sizeof(by_name), "rdma_device:N%s",
			 dev->ibdev_name);
		ent = match_modalias(ops, by_name);
	}
	if (!ent)
		ent = match_modalias(ops, device_modalias(dev));
	return ent;
}

static bool accepts(const struct verbs_device_ops *ops,
		    struct verbs_sysfs_dev *dev)
{
	dev->match = ops->match_table ? match_table(ops, dev) : NULL;

	/* A provider with a function of its own decides alone. */
	if (ops->match_device ? !ops->match_device(dev) : !dev->match)
		return false;

	if (dev->abi_ver < ops->match_min_abi_version ||
	    dev->abi_ver > ops->match_max_abi_version) {
		warn_stderr("Warning: Driver %s does not support the kernel "
			    "ABI of %u (supports %u to %u) for device %s",
			    ops->name, dev->abi_ver, ops->match_min_abi_version,
			    ops->match_max_abi_version, dev->ibdev_path);
		return false;
	}
	return true;
}

static enum ibv_transport_type transport_of(enum ibv_node_type node_type)
{
	switch (node_type) {
	case IBV_NODE_CA:
	case IBV_NODE_SWITCH:
	case IBV_NODE_ROUTER:
		return IBV_TRANSPORT_IB;
	case IBV_NODE_RNIC:
		return IBV_TRANSPORT_IWARP;
	case IBV_NODE_USNIC:
		return IBV_TRANSPORT_USNIC;
	case IBV_NODE_USNIC_UDP:
		return IBV_TRANSPORT_USNIC_UDP;
	case IBV_NODE_UNSPECIFIED:
		return IBV_TRANSPORT_UNSPECIFIED;
	default:
		return IBV_TRANSPORT_UNKNOWN;
	}
}

static struct verbs_device *try_driver(const struct verbs_device_ops *ops,
				       struct verbs_sysfs_dev *dev)
{
	struct verbs_device *vdev;
	struct ibv_device *device;

	if (!accepts(ops, dev))
		return NULL;
	vdev = ops->alloc_device(dev);
	if (!vdev) {
		warn_stderr("Fatal: couldn't allocate device for %s",
			    ops->name);
		return NULL;
	}

	vdev->ops = ops;
	vdev->sysfs = dev;
	atomic_init(&vdev->refcount, 1);

	device = &vdev->device;
	device->node_type = dev->node_type;
	device->transport_type = transport_of(dev->node_type);
	memcpy(device->name, dev->ibdev_name, sizeof(device->name));
	memcpy(device->dev_name, dev->sysfs_name, sizeof(device->dev_name));
	memcpy(device->ibdev_path, dev->ibdev_path, sizeof(device->ibdev_path));
	/* The root is at least as short here as in ibdev_path, which fits. */
	snprintf(device->dev_path, sizeof(device->dev_path),
		 "%s/class/infiniband_verbs/%s", ibv_get_sysfs_path(),
		 dev->sysfs_name);
	return vdev;
}

struct verbs_device *make_device(struct verbs_sysfs_dev *dev)
{
	struct verbs_device *vdev;
	struct driver *driver;

	/* The kernel's own word goes before any pattern of another driver. */
	for (driver = first_driver(); driver; driver = next_driver(driver)) {
		if (!match_driver_id(driver->ops, dev))
			continue;
		vdev = try_driver(driver->ops, dev);
		if (vdev)
			return vdev;
	}
	for (driver = first_driver(); driver; driver = next_driver(driver)) {
		vdev = try_driver(driver->ops, dev);
		if (vdev)
			return vdev;
	}
	return NULL;
}
