// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Boundary: what the kernel's RDMA core says of its devices by netlink. */
#include <stdlib.h>
#include <string.h>

#include <rdma/rdma_netlink.h>

#include "device/discover.h"
#include "fuzz.h"
#include "netlink.h"
#include "util/rdma_netlink.h"
#include "util/sysfs.h"

/* Attributes that the library asks for, in the lengths that they have */
static void put(uint8_t *message, size_t *used, int type, size_t length)
{
	struct nlattr attr = { NLA_HDRLEN + length, type };

	memcpy(message + *used, &attr, sizeof(attr));
	fuzz_bytes(message + *used + NLA_HDRLEN, length);
	*used += NLA_HDRLEN + NLA_ALIGN(length);
}

static void put_string(uint8_t *message, size_t *used, int type)
{
	size_t length = fuzz_below(80), start = *used + NLA_HDRLEN;

	put(message, used, type, length);
	if (length && fuzz_u8() & 1)
		message[start + length - 1] = '\0';
}

static size_t reply(struct nlmsghdr *hdr, size_t room, int question)
{
	uint8_t *message = (uint8_t *)hdr;
	size_t used = NLMSG_HDRLEN;

	if (fuzz_u8() & 1)
		return netlink_message(hdr, room, question, 0,
				       RDMA_NL_LAST_ATTR + 4);
	memset(message, 0, room);
	hdr->nlmsg_type = question;
	put(message, &used, RDMA_NLDEV_ATTR_DEV_INDEX, 4);
	put_string(message, &used, RDMA_NLDEV_ATTR_DEV_NAME);
	put(message, &used, RDMA_NLDEV_ATTR_PORT_INDEX, 4);
	put(message, &used, RDMA_NLDEV_ATTR_NODE_GUID, 8);
	put(message, &used, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, 1);
	put_string(message, &used, RDMA_NLDEV_ATTR_CHARDEV_NAME);
	put(message, &used, RDMA_NLDEV_ATTR_CHARDEV_ABI, 8);
	put(message, &used, RDMA_NLDEV_ATTR_CHARDEV, 8);
	put(message, &used, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, 4);
	hdr->nlmsg_len = used;
	return used;
}

static void check_name(const char *name, size_t room)
{
	fuzz_check(memchr(name, '\0', room), "a name without end");
	fuzz_check(sysfs_name_ok(name), "a name that leads elsewhere");
}

void fuzz_setup(void)
{
	netlink_reply = reply;
	/* Nothing is there: what netlink does not tell is nowhere. */
	setenv("SYSFS_PATH", "/fuzz", 1);
}

void fuzz_run(void)
{
	struct list_node records = LIST_HEAD_INIT(records), *node, *next;
	int abi = 0;

	if (scan_netlink(&records, &abi, fuzz_u16()))
		fuzz_check(list_empty(&records), "devices of a failed scan");
	list_for_each_safe (node, next, &records) {
		struct verbs_sysfs_dev *dev =
			list_entry(node, struct verbs_sysfs_dev);

		check_name(dev->ibdev_name, sizeof(dev->ibdev_name));
		check_name(dev->sysfs_name, sizeof(dev->sysfs_name));
		fuzz_check(dev->ibdev_idx >= 0, "a negative index");
	}
	free_records(&records);
}
