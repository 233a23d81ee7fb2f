// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Is the device's node there, and may this process open it? */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "doctor/doctor.h"

const char *ibv_get_sysfs_path(void);

#define NODE_DIR "/dev/infiniband"

static void node_missing(struct doctor_report *report,
			 struct doctor_device *dev)
{
	doctor_add(report, dev->name, "node", DOCTOR_PROBLEM,
		   "there is no node " NODE_DIR "/%s", dev->uverbs);
	if (doctor_in_container())
		doctor_fix(report,
			   "start the container with --device=" NODE_DIR
			   "/%s and --device=" NODE_DIR "/rdma_cm",
			   dev->uverbs);
	else
		doctor_fix(report,
			   "mkdir -p " NODE_DIR " && mknod -m 666 " NODE_DIR
			   "/%s c %u %u",
			   dev->uverbs, major(dev->cdev), minor(dev->cdev));
}

static void cannot_open(struct doctor_report *report, struct doctor_device *dev,
			const struct stat *st, int err)
{
	if (err == EACCES) {
		doctor_add(report, dev->name, "node", DOCTOR_PROBLEM,
			   "no permission for " NODE_DIR "/%s: mode %04o, user "
			   "%u, group %u; this is user %u",
			   dev->uverbs, st->st_mode & 07777, st->st_uid,
			   st->st_gid, geteuid());
		doctor_fix(report,
			   "chmod 666 " NODE_DIR "/%s; to last, a udev rule: "
			   "KERNEL==\"uverbs*\", MODE=\"0666\"",
			   dev->uverbs);
	} else if (err == EPERM) {
		doctor_add(report, dev->name, "node", DOCTOR_PROBLEM,
			   "the device control group, or a security module, "
			   "forbids " NODE_DIR "/%s",
			   dev->uverbs);
		doctor_fix(report,
			   "container: --device=" NODE_DIR "/%s; systemd: "
			   "DeviceAllow=char-infiniband_verbs rw",
			   dev->uverbs);
	} else if (err == ENXIO || err == ENODEV || err == EIO) {
		doctor_add(report, dev->name, "node", DOCTOR_PROBLEM,
			   NODE_DIR "/%s: there is no device behind it (%s)",
			   dev->uverbs, strerror(err));
		doctor_fix(report, "see whether the driver is being reset or "
				   "removed: dmesg");
	} else {
		doctor_add(report, dev->name, "node", DOCTOR_PROBLEM,
			   "opening " NODE_DIR "/%s failed: %s", dev->uverbs,
			   strerror(err));
		doctor_fix(report, "see what the kernel says: dmesg");
	}
}

void doctor_check_node(struct doctor *doctor, struct doctor_device *dev)
{
	struct doctor_report *report = &doctor->report;
	char path[sizeof(NODE_DIR) + sizeof(dev->uverbs)];
	struct stat st;
	int err;

	if (!dev->uverbs[0]) {
		doctor_add(report, dev->name, "node", DOCTOR_PROBLEM,
			   "the kernel has no uverbs device for it%s",
			   doctor_exists("%s/class/infiniband_verbs",
					 ibv_get_sysfs_path())
				   ? ""
				   : ": ib_uverbs is not loaded");
		doctor_fix(report, "modprobe ib_uverbs");
		return;
	}
	if (doctor->netns_exclusive && !dev->in_netlink) {
		doctor_add(report, dev->name, "node", DOCTOR_PROBLEM,
			   "the device belongs to another network namespace");
		doctor_fix(report,
			   "where it belongs to: rdma dev set %s netns NAME",
			   dev->name);
		return;
	}
	snprintf(path, sizeof(path), NODE_DIR "/%s", dev->uverbs);
	if (stat(path, &st)) {
		err = errno;
		if (err == ENOENT) {
			node_missing(report, dev);
			return;
		}
		doctor_add(report, dev->name, "node", DOCTOR_PROBLEM, "%s: %s",
			   path, strerror(err));
		doctor_fix(
			report,
			"let users pass the directory: chmod a+rx " NODE_DIR);
		return;
	}
	if (!S_ISCHR(st.st_mode) || (dev->cdev && st.st_rdev != dev->cdev)) {
		doctor_add(report, dev->name, "node", DOCTOR_PROBLEM,
			   "%s is not this device's node, which is %u:%u", path,
			   major(dev->cdev), minor(dev->cdev));
		doctor_fix(report, "rm %s && mknod -m 666 %s c %u %u", path,
			   path, major(dev->cdev), minor(dev->cdev));
		return;
	}
	dev->fd = open(path, O_RDWR | O_CLOEXEC);
	err = errno;
	if (dev->fd < 0)
		cannot_open(report, dev, &st, err);
	else
		doctor_add(report, dev->name, "node", DOCTOR_OK,
			   "%s can be opened", path);
}
