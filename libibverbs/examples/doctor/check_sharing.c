// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Can the kernel export and import?  Asked by commands that lack everything
 * that they must have: the kernel refuses them before it does anything, and
 * says in how it refuses whether it knows them.
 */
#include <errno.h>
#include <sys/ioctl.h>

#include <infiniband/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_share_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#include "doctor/doctor.h"

/* A method that no kernel has */
#define NO_METHOD 0x1fff
#define MAX_DRIVER_ID 255

/* The errno of a command without attributes; 0 never happens. */
static int probe(int fd, uint32_t driver_id, uint16_t object, uint16_t method)
{
	struct ib_uverbs_ioctl_hdr hdr = {
		.length = sizeof(hdr),
		.object_id = object,
		.method_id = method,
		.driver_id = driver_id,
	};

	return ioctl(fd, RDMA_VERBS_IOCTL, &hdr) ? errno : 0;
}

/* A wrong driver id is EINVAL, whatever the command. */
static bool is_driver(int fd, uint32_t driver_id)
{
	return probe(fd, driver_id, UVERBS_OBJECT_PD, NO_METHOD) ==
	       EPROTONOSUPPORT;
}

/* Some drivers' id is not told by netlink: then it is one of few. */
static bool find_driver(struct doctor_device *dev, uint32_t *driver_id)
{
	*driver_id = dev->driver_id;
	if (is_driver(dev->fd, *driver_id))
		return true;
	for (*driver_id = 0; *driver_id <= MAX_DRIVER_ID; ++*driver_id)
		if (is_driver(dev->fd, *driver_id))
			return true;
	return false;
}

static bool knows(int fd, uint32_t driver_id, uint16_t object)
{
	return probe(fd, driver_id, object, UVERBS_METHOD_PD_EXPORT_TO_FD) ==
		       EINVAL &&
	       probe(fd, driver_id, object, UVERBS_METHOD_PD_IMPORT_FROM_FD) ==
		       EINVAL;
}

void doctor_check_sharing(struct doctor *doctor, struct doctor_device *dev)
{
	struct doctor_report *report = &doctor->report;
	uint32_t driver_id;

	if (dev->fd < 0)
		return;
	if (!find_driver(dev, &driver_id)) {
		doctor_add(report, dev->name, "sharing", DOCTOR_NOTE,
			   "the kernel does not say whether it can export and "
			   "import");
		return;
	}
	if (knows(dev->fd, driver_id, UVERBS_OBJECT_PD) &&
	    knows(dev->fd, driver_id, UVERBS_OBJECT_MR)) {
		doctor_add(report, dev->name, "sharing", DOCTOR_OK,
			   "the kernel can export and import PDs and MRs");
		return;
	}
	doctor_add(report, dev->name, "sharing",
		   doctor->must_share ? DOCTOR_PROBLEM : DOCTOR_NOTE,
		   "this kernel's ib_uverbs cannot export and import: "
		   "ibv_export_pd() and its kin fail with EOPNOTSUPP, all else "
		   "works");
	doctor_fix(report, "install an ib_uverbs that can: the package "
			   "ib-uverbs-export-dkms (./build.sh packages in the "
			   "source makes it), then reboot");
}
