// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which libibverbs do programs get, and does it have the verbs of sharing? */
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#include "doctor/doctor.h"

void doctor_check_library(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;
	char path[PATH_MAX];
	Dl_info info;

	/* Older than them is a library that releases have under this name. */
	void *share = dlsym(RTLD_DEFAULT, "ibv_export_to_fd");

	if (!dladdr((void *)ibv_free_device_list, &info) ||
	    !realpath(info.dli_fname, path)) {
		doctor_add(report, NULL, "library", DOCTOR_NOTE,
			   "its file cannot be told");
		return;
	}
	if (share) {
		doctor_add(report, NULL, "library", DOCTOR_OK, "%s", path);
		return;
	}
	doctor_add(report, NULL, "library",
		   doctor->must_share ? DOCTOR_PROBLEM : DOCTOR_NOTE,
		   "%s, which cannot export and import", path);
	doctor_fix(report, "see which one the loader finds first: ldconfig -p "
			   "| grep libibverbs; echo $LD_LIBRARY_PATH");
}
