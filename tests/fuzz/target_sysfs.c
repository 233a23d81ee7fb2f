// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: the files of sysfs in which devices are found, and GIDs, P_Keys
 * and GUIDs are looked up.
 */
#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_verbs.h>

#include "device/discover.h"
#include "fuzz.h"
#include "kernel.h"
#include "provider/priv.h"
#include "test_provider.h"
#include "tree.h"
#include "util/sysfs.h"

static void look_up(struct ibv_context *context, struct verbs_sysfs_dev *record)
{
	struct verbs_device *device = verbs_get_device(test_device());
	struct ibv_gid_entry entry, table[4];
	enum ibv_gid_type_sysfs type;
	union ibv_gid gid;
	__be16 pkey;

	device->sysfs = record;
	for (int i = 0; i < 2; i++) {
		ibv_query_gid(context, 1, i, &gid);
		ibv_query_gid_type(context, 1, i, &type);
		ibv_query_gid_ex(context, 1, i, &entry, 0);
		ibv_query_pkey(context, 1, i, &pkey);
	}
	fuzz_check(ibv_query_gid_table(context, table, 4, 0) <= 4,
		   "more GIDs than room");
	ibv_get_pkey_index(context, 1, 0xffff);
	ibv_get_device_guid(test_device());
	device->sysfs = NULL;
}

/* Kernels before 5.10, whose tables are in sysfs alone; a port of four GIDs */
static int old_kernel(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_query_port_resp port = { .gid_tbl_len = 4,
						  .link_layer = 2 };
	struct ib_uverbs_query_device_resp attr = { .phys_port_cnt = 1 };

	(void)fd;
	switch (kernel_write_command(hdr)) {
	case IB_USER_VERBS_CMD_QUERY_PORT:
		kernel_reply(hdr, UVERBS_ATTR_CORE_OUT, &port, sizeof(port));
		return 0;
	case IB_USER_VERBS_CMD_QUERY_DEVICE:
		kernel_reply(hdr, UVERBS_ATTR_CORE_OUT, &attr, sizeof(attr));
		return 0;
	default:
		return EPROTONOSUPPORT;
	}
}

static void check(struct verbs_sysfs_dev *dev)
{
	fuzz_check(memchr(dev->ibdev_name, '\0', sizeof(dev->ibdev_name)) &&
			   memchr(dev->sysfs_name, '\0',
				  sizeof(dev->sysfs_name)) &&
			   memchr(dev->ibdev_path, '\0',
				  sizeof(dev->ibdev_path)),
		   "a name without end");
	fuzz_check(sysfs_name_ok(dev->ibdev_name) &&
			   sysfs_name_ok(dev->sysfs_name),
		   "a name that leads elsewhere");
}

void fuzz_setup(void)
{
	tree_setup();
	kernel.instead = old_kernel;
}

void fuzz_run(void)
{
	struct list_node records = LIST_HEAD_INIT(records), *node, *next;
	struct verbs_sysfs_dev dev = { .ibdev_idx = -1 };
	struct ibv_context *context = test_context_open();

	fuzz_check(context, "no context");
	tree_plant();
	if (scan_sysfs(&records, makedev(231, 192)))
		fuzz_check(list_empty(&records), "devices of a failed scan");
	list_for_each_safe (node, next, &records) {
		check(list_entry(node, struct verbs_sysfs_dev));
		look_up(context, list_entry(node, struct verbs_sysfs_dev));
	}
	free_records(&records);

	/* What is looked up of a device that netlink has told of */
	fuzz_check(set_ibdev_name(&dev, "rxe0"), "no name");
	if (scan_sysfs_cdev(&dev))
		check(&dev);
	look_up(context, &dev);
	tree_fell();
	ibv_close_device(context);
}
