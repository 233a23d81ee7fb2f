/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Finding the kernel's devices.  A scan puts one malloc'ed record for each
 * device on a list, the kernel's last device first.
 */
#ifndef DEVICE_DISCOVER_H
#define DEVICE_DISCOVER_H

#include <stdbool.h>
#include <sys/types.h>

#include <netlink/msg.h>

#include "device/list_node.h"

/* The uverbs ABIs that the library speaks: a netlink answer implies the last */
#define UVERBS_MIN_ABI 3
#define UVERBS_MAX_ABI 6

#define CDEV_DIR "/dev/infiniband"

/*
 * Devices without a node are left out, but for that of open_cdev (0: none), of
 * which the process has a descriptor already.
 *
 * By netlink: 0, or an errno value if the kernel cannot be asked that way; the
 * list is empty then.  *abi is set if a reply implies the uverbs ABI.
 */
int scan_netlink(struct list_node *records, int *abi, dev_t open_cdev);
/* By sysfs: 0, or ENOSYS: the kernel has no uverbs; ENOMEM, EMFILE, ENFILE. */
int scan_sysfs(struct list_node *records, dev_t open_cdev);
/* What netlink did not tell of a device, from <ibdev_path>/device. */
bool scan_sysfs_cdev(struct verbs_sysfs_dev *dev);

void free_records(struct list_node *records);

/* Set the name and the path that follows from it; false: not a sane name. */
bool set_ibdev_name(struct verbs_sysfs_dev *dev, const char *name);
/* Is there a device node?  Whether we may open it is no matter here. */
bool has_cdev(const struct verbs_sysfs_dev *dev);
/* Is there one, or is none needed? */
static inline bool is_reachable(const struct verbs_sysfs_dev *dev,
				dev_t open_cdev)
{
	return (open_cdev && dev->sysfs_cdev == open_cdev) || has_cdev(dev);
}
enum ibv_node_type decode_node_type(uint64_t kernel_type);

/*
 * Replies about a device and its character device, into the record: 0,
 * EBADMSG: not a message; ENODATA: a required attribute is absent or absurd.
 */
int parse_device_reply(struct nlmsghdr *hdr, struct verbs_sysfs_dev *dev);
int parse_chardev_reply(struct nlmsghdr *hdr, struct verbs_sysfs_dev *dev);

#endif
