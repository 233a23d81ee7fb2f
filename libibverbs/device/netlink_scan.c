// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Finding devices by netlink. */
#include <errno.h>
#include <stdlib.h>

#include "device/discover.h"
#include "util/rdma_netlink.h"

/* Ends the evaluation of a dump without making it a failure */
#define LAST_REPLY (-1)

static int on_device(struct nlmsghdr *hdr, void *arg)
{
	struct list_node *records = arg;
	struct verbs_sysfs_dev *dev;
	int ret;

	dev = calloc(1, sizeof(*dev));
	if (!dev)
		return ENOMEM;
	ret = parse_device_reply(hdr, dev);
	if (ret) {
		free(dev);
		return ret == ENODATA ? LAST_REPLY : ret;
	}
	list_add_front(records, &dev->entry);
	return 0;
}

static int on_chardev(struct nlmsghdr *hdr, void *arg)
{
	return parse_chardev_reply(hdr, arg);
}

static int ask_chardev(struct rdma_nl *nl, struct verbs_sysfs_dev *dev)
{
	struct nl_msg *request = rdma_nl_request(RDMA_NLDEV_CMD_GET_CHARDEV, 0);

	if (request &&
	    (nla_put_u32(request, RDMA_NLDEV_ATTR_DEV_INDEX, dev->ibdev_idx) ||
	     nla_put_string(request, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs"))) {
		nlmsg_free(request);
		return EIO;
	}
	return rdma_nl_ask(nl, request, on_chardev, dev);
}

static bool find_chardev(struct rdma_nl *nl, struct verbs_sysfs_dev *dev)
{
	int ret = ask_chardev(nl, dev);

	/* A lost answer does not say that the device has gone: once more. */
	if (ret == EIO)
		ret = ask_chardev(nl, dev);
	return !ret;
}

int scan_netlink(struct list_node *records, int *abi, dev_t open_cdev)
{
	struct list_node *node, *next;
	struct rdma_nl nl;
	int ret;

	if (!rdma_nl_open(&nl))
		return EOPNOTSUPP;

	ret = rdma_nl_ask(&nl, rdma_nl_request(RDMA_NLDEV_CMD_GET, NLM_F_DUMP),
			  on_device, records);
	if (ret && ret != LAST_REPLY) {
		free_records(records);
		goto out;
	}
	ret = 0;

	list_for_each_safe (node, next, records) {
		struct verbs_sysfs_dev *dev =
			list_entry(node, struct verbs_sysfs_dev);
		bool usable;

		if (find_chardev(&nl, dev)) {
			*abi = UVERBS_MAX_ABI;
			usable = true;
		} else {
			usable = scan_sysfs_cdev(dev);
		}
		if (!usable || !is_reachable(dev, open_cdev)) {
			list_del(node);
			free(dev);
		}
	}
out:
	rdma_nl_close(&nl);
	return ret;
}
