// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* How much memory may this process lock, and what does fork() do to it? */
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "doctor/doctor.h"

/* The kernel's own default since 5.16; below it programs fail soon. */
#define ENOUGH (8ull << 20)

static bool may_lock_all(void)
{
	unsigned long long effective = 0;
	char line[256];
	FILE *file = fopen("/proc/self/status", "re");

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "CapEff:", 7))
			effective = strtoull(line + 7, NULL, 16);
	if (file)
		fclose(file);
	return effective >> CAP_IPC_LOCK & 1;
}

void doctor_check_memlock(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;
	enum doctor_state state = DOCTOR_NOTE;
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return;
	if (limit.rlim_cur == RLIM_INFINITY) {
		doctor_add(report, NULL, "memory lock", DOCTOR_OK,
			   "no limit of locked memory");
		return;
	}
	if (may_lock_all()) {
		doctor_add(report, NULL, "memory lock", DOCTOR_OK,
			   "a limit of %llu KiB, which does not bind this "
			   "process (CAP_IPC_LOCK)",
			   (unsigned long long)limit.rlim_cur >> 10);
		return;
	}
	if (limit.rlim_cur < ENOUGH)
		state = DOCTOR_PROBLEM;
	doctor_add(report, NULL, "memory lock", state,
		   "this process may lock %llu KiB: larger registrations fail "
		   "with ENOMEM",
		   (unsigned long long)limit.rlim_cur >> 10);
	doctor_fix(report, "ulimit -l unlimited; to last: '* - memlock "
			   "unlimited' in /etc/security/limits.d/rdma.conf, "
			   "LimitMEMLOCK=infinity in a systemd unit, --ulimit "
			   "memlock=-1 for a container");
}

void doctor_check_fork(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;

	switch (ibv_is_fork_initialized()) {
	case IBV_FORK_UNNEEDED:
		doctor_add(report, NULL, "fork", DOCTOR_OK,
			   "safe: the kernel copies locked memory for a child");
		break;
	case IBV_FORK_ENABLED:
		doctor_add(report, NULL, "fork", DOCTOR_OK,
			   "safe: RDMAV_FORK_SAFE is set (children do not get "
			   "registered memory)");
		break;
	default:
		doctor_add(report, NULL, "fork", DOCTOR_NOTE,
			   "a program that registers memory and forks must "
			   "call ibv_fork_init(): the kernel does not say that "
			   "it copies locked memory");
		doctor_fix(report, "export RDMAV_FORK_SAFE=1");
		break;
	}
}
