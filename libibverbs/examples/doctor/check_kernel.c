// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Is the kernel new enough, and is its uverbs there? */
#include <sys/utsname.h>

#include "doctor/doctor.h"

const char *ibv_get_sysfs_path(void);

#define OLDEST_MAJOR 5
#define OLDEST_MINOR 4

static void check_version(struct doctor_report *report)
{
	unsigned int major, minor;
	struct utsname uts;

	if (uname(&uts) || sscanf(uts.release, "%u.%u", &major, &minor) != 2) {
		doctor_add(report, NULL, "kernel", DOCTOR_NOTE,
			   "its version cannot be told");
		return;
	}
	if (major > OLDEST_MAJOR ||
	    (major == OLDEST_MAJOR && minor >= OLDEST_MINOR)) {
		doctor_add(report, NULL, "kernel", DOCTOR_OK, "Linux %s",
			   uts.release);
		return;
	}
	doctor_add(report, NULL, "kernel", DOCTOR_PROBLEM,
		   "Linux %s is too old for this library", uts.release);
	doctor_fix(report, "boot Linux %d.%d or later", OLDEST_MAJOR,
		   OLDEST_MINOR);
}

static void check_uverbs(struct doctor_report *report)
{
	struct utsname uts;
	char abi[32];

	if (doctor_read(abi, sizeof(abi),
			"%s/class/infiniband_verbs/abi_version",
			ibv_get_sysfs_path())) {
		doctor_add(report, NULL, "ib_uverbs", DOCTOR_OK,
			   "loaded, ABI %s", abi);
		return;
	}
	doctor_add(report, NULL, "ib_uverbs", DOCTOR_PROBLEM,
		   "the kernel module ib_uverbs is not loaded: no program can "
		   "use an RDMA device");
	if (!uname(&uts) && doctor_exists("/lib/modules/%s", uts.release) &&
	    !doctor_exists("/lib/modules/%s/kernel/drivers/infiniband",
			   uts.release) &&
	    !doctor_exists("/lib/modules/%s/updates", uts.release))
		doctor_fix(report,
			   "install the kernel's RDMA modules (there are none "
			   "in /lib/modules/%s), then: modprobe ib_uverbs",
			   uts.release);
	else
		doctor_fix(report, "modprobe ib_uverbs%s",
			   doctor_in_container() ? " (on the host)" : "");
}

void doctor_check_kernel(struct doctor *doctor)
{
	check_version(&doctor->report);
	check_uverbs(&doctor->report);
}
