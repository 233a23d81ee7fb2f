// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What a process's environment and limits mean for the library. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "device/environment.h"
#include "driver.h"
#include "util/log.h"

#define TOO_LITTLE_MEMLOCK 32768

bool verbs_allow_disassociate_destroy;

bool env_is_on(const char *name)
{
	const char *value = getenv(name);

	return value && strcmp(value, "0");
}

static void check_memlock_limit(void)
{
	struct rlimit limit;

	if (geteuid() == 0)
		return;
	if (getrlimit(RLIMIT_MEMLOCK, &limit)) {
		warn_stderr("Warning: getrlimit(RLIMIT_MEMLOCK) failed.");
		return;
	}
	if (limit.rlim_cur <= TOO_LITTLE_MEMLOCK)
		warn_stderr("Warning: RLIMIT_MEMLOCK is %llu bytes.\n"
			    "    This will severely limit memory "
			    "registrations.",
			    (unsigned long long)limit.rlim_cur);
}

void read_environment(void)
{
	if ((env_is_on("RDMAV_FORK_SAFE") || env_is_on("IBV_FORK_SAFE")) &&
	    ibv_fork_init())
		warn_stderr("Warning: fork()-safety requested but init "
			    "failed");

	if (env_is_on("RDMAV_ALLOW_DISASSOC_DESTROY") ||
	    env_is_on("MLX4_DEVICE_FATAL_CLEANUP"))
		verbs_allow_disassociate_destroy = true;

	check_memlock_limit();
	log_init();
}
