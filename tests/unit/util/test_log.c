// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The log file and the level.  Both are read once, so each case has a child. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"
#include "util/log.h"

static char path[] = "/tmp/test_log.XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/* What a process with these variables logs at the levels 0 to 4 */
static void assert_logged(const char *level, const char *file,
			  const char *expected)
{
	char text[256] = "";
	int fd, status;
	uint32_t l;
	pid_t pid;

	assert_int_equal(truncate(path, 0), 0);
	pid = fork();
	if (!pid) {
		unsetenv("VERBS_LOG_LEVEL");
		unsetenv("VERBS_LOG_FILE");
		if (level)
			setenv("VERBS_LOG_LEVEL", level, 1);
		if (file)
			setenv("VERBS_LOG_FILE", file, 1);
		log_init();
		for (l = VERBS_LOG_ERR; l <= VERBS_LOG_DEBUG; l++) {
			errno = 1000 + l;
			__verbs_log(NULL, l, "%s%u\n", "l", l);
			if (errno != (int)(1000 + l))
				_exit(1);
		}
		/* Not exit(): lines must be in the file already. */
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);

	fd = open(path, O_RDONLY);
	assert_true(read(fd, text, sizeof(text) - 1) >= 0);
	close(fd);
	assert_string_equal(text, expected);
}

static void levels(void **state)
{
	(void)state;
	assert_logged(NULL, path, "");
	assert_logged("0", path, "");
	assert_logged("nonsense", path, "");
	assert_logged("1", path, "l1\n");
	assert_logged("2", path, "l1\nl2\n");
	assert_logged("0x3", path, "l1\nl2\nl3\n");
	assert_logged("4", path, "l1\nl2\nl3\nl4\n");
	assert_logged("99", path, "l1\nl2\nl3\nl4\n");
}

static void without_a_file_nothing_is_logged(void **state)
{
	(void)state;
	assert_logged("4", NULL, "");
	assert_logged("4", "/nonexistent/dir/log", "");
	assert_logged("4", "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),
		cmocka_unit_test(without_a_file_nothing_is_logged),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
