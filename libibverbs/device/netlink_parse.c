// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The kernel's netlink replies about devices, as records. */
#include <errno.h>
#include <limits.h>
#include <sys/sysmacros.h>

#include "device/discover.h"
#include "util/rdma_netlink.h"
#include "util/sysfs.h"

int parse_device_reply(struct nlmsghdr *hdr, struct verbs_sysfs_dev *dev)
{
	struct nlattr *attrs[RDMA_NL_LAST_ATTR + 1];
	char name[sizeof(dev->ibdev_name)];
	uint32_t index, num_ports;
	uint64_t node_guid;
	uint8_t node_type;

	if (rdma_nl_attrs(hdr, attrs))
		return EBADMSG;
	if (!rdma_nl_u32(attrs, RDMA_NLDEV_ATTR_DEV_INDEX, &index) ||
	    !rdma_nl_string(attrs, RDMA_NLDEV_ATTR_DEV_NAME, name,
			    sizeof(name)) ||
	    !rdma_nl_u32(attrs, RDMA_NLDEV_ATTR_PORT_INDEX, &num_ports) ||
	    !rdma_nl_u64(attrs, RDMA_NLDEV_ATTR_NODE_GUID, &node_guid) ||
	    !rdma_nl_u8(attrs, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, &node_type))
		return ENODATA;
	/* Negative numbers mean "no index". */
	if (index > INT_MAX || !set_ibdev_name(dev, name))
		return ENODATA;

	dev->ibdev_idx = index;
	dev->num_ports = num_ports;
	dev->node_guid = node_guid;
	dev->flags |= VSYSFS_READ_NODE_GUID;
	dev->node_type = decode_node_type(node_type);
	return 0;
}

/* The kernel's encoding of a device number: 8 + 12 minor bits around 12 major
 */
static dev_t decode_dev(uint64_t dev)
{
	return makedev((dev >> 8) & 0xfff,
		       (dev & 0xff) | ((dev >> 12) & 0xfff00));
}

int parse_chardev_reply(struct nlmsghdr *hdr, struct verbs_sysfs_dev *dev)
{
	struct nlattr *attrs[RDMA_NL_LAST_ATTR + 1];
	char name[sizeof(dev->sysfs_name)];
	uint64_t abi, cdev;

	if (rdma_nl_attrs(hdr, attrs))
		return EBADMSG;
	if (!rdma_nl_string(attrs, RDMA_NLDEV_ATTR_CHARDEV_NAME, name,
			    sizeof(name)) ||
	    !rdma_nl_u64(attrs, RDMA_NLDEV_ATTR_CHARDEV_ABI, &abi) ||
	    !rdma_nl_u64(attrs, RDMA_NLDEV_ATTR_CHARDEV, &cdev) ||
	    !sysfs_name_ok(name))
		return ENODATA;

	snprintf(dev->sysfs_name, sizeof(dev->sysfs_name), "%s", name);
	dev->abi_ver = abi;
	dev->sysfs_cdev = decode_dev(cdev);
	if (!rdma_nl_u32(attrs, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID,
			 &dev->driver_id))
		dev->driver_id = RDMA_DRIVER_UNKNOWN;
	return 0;
}
