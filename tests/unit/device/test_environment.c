// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What variables and limits do at the first list of devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "device/environment.h"
#include "driver.h"
#include "warnings.h"

static unsigned int fork_inits;
static int fork_init_result;
static uid_t euid;
static rlim_t memlock;
static bool no_limit;

int __wrap_ibv_fork_init(void);
uid_t __wrap_geteuid(void);
int __wrap_getrlimit(int resource, struct rlimit *limit);

int __wrap_ibv_fork_init(void)
{
	fork_inits++;
	return fork_init_result;
}

uid_t __wrap_geteuid(void)
{
	return euid;
}

int __wrap_getrlimit(int resource, struct rlimit *limit)
{
	assert_int_equal(resource, RLIMIT_MEMLOCK);
	limit->rlim_cur = memlock;
	limit->rlim_max = RLIM_INFINITY;
	return no_limit ? -1 : 0;
}

static int setup(void **state)
{
	(void)state;
	unsetenv("RDMAV_FORK_SAFE");
	unsetenv("IBV_FORK_SAFE");
	unsetenv("RDMAV_ALLOW_DISASSOC_DESTROY");
	unsetenv("MLX4_DEVICE_FATAL_CLEANUP");
	unsetenv("VERBS_LOG_LEVEL");
	verbs_allow_disassociate_destroy = false;
	fork_inits = 0;
	fork_init_result = 0;
	euid = 0;
	no_limit = false;
	take_warnings();
	return 0;
}

static void on_and_off(void **state)
{
	(void)state;
	unsetenv("X");
	assert_false(env_is_on("X"));
	setenv("X", "0", 1);
	assert_false(env_is_on("X"));
	setenv("X", "", 1);
	assert_true(env_is_on("X"));
	setenv("X", "00", 1);
	assert_true(env_is_on("X"));
	setenv("X", "no", 1);
	assert_true(env_is_on("X"));
}

static void fork_safety(void **state)
{
	(void)state;
	read_environment();
	assert_int_equal(fork_inits, 0);
	setenv("RDMAV_FORK_SAFE", "0", 1);
	read_environment();
	assert_int_equal(fork_inits, 0);
	setenv("IBV_FORK_SAFE", "1", 1);
	read_environment();
	assert_int_equal(fork_inits, 1);
	setenv("RDMAV_FORK_SAFE", "1", 1);
	read_environment();
	assert_int_equal(fork_inits, 2);
	assert_string_equal(take_warnings(), "");

	fork_init_result = EINVAL;
	read_environment();
	assert_string_equal(take_warnings(),
			    "Warning: fork()-safety requested but init "
			    "failed\n");
}

static void destroy_policy(void **state)
{
	static const char *const names[] = { "RDMAV_ALLOW_DISASSOC_DESTROY",
					     "MLX4_DEVICE_FATAL_CLEANUP" };
	size_t i;

	(void)state;
	read_environment();
	assert_false(verbs_allow_disassociate_destroy);
	for (i = 0; i < 2; i++) {
		setup(NULL);
		setenv(names[i], "0", 1);
		read_environment();
		assert_false(verbs_allow_disassociate_destroy);
		setenv(names[i], "1", 1);
		read_environment();
		assert_true(verbs_allow_disassociate_destroy);
	}
}

static void memlock_limit(void **state)
{
	(void)state;
	memlock = 1;
	read_environment();
	assert_string_equal(take_warnings(), "");
	euid = 1000;
	memlock = 32769;
	read_environment();
	assert_string_equal(take_warnings(), "");
	memlock = 32768;
	read_environment();
	assert_string_equal(take_warnings(),
			    "Warning: RLIMIT_MEMLOCK is 32768 bytes.\n"
			    "    This will severely limit memory "
			    "registrations.\n");
	no_limit = true;
	read_environment();
	assert_string_equal(take_warnings(),
			    "Warning: getrlimit(RLIMIT_MEMLOCK) failed.\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(on_and_off, setup),
		cmocka_unit_test_setup(fork_safety, setup),
		cmocka_unit_test_setup(destroy_policy, setup),
		cmocka_unit_test_setup(memlock_limit, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
