// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Small files, numbers, names and GUIDs as sysfs has them, and as it has not.
 */
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
#include <unistd.h>

#include "driver.h"
#include "util/sysfs.h"

static char dir[] = "/tmp/test_sysfs.XXXXXX";
static int dirfd;

static void write_file(const char *text, size_t len)
{
	int fd = openat(dirfd, "f", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
}

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	dirfd = open(dir, O_RDONLY | O_DIRECTORY);
	return dirfd < 0 ? -1 : 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlinkat(dirfd, "f", 0);
	close(dirfd);
	return rmdir(dir);
}

static void files(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		int result;
		const char *buf;
	} cases[] = {
		{ "abc\n", 16, 3, "abc" },     { "abc", 16, 3, "abc" },
		{ "abc\n\n", 16, 4, "abc\n" }, { "abc\n", 4, 3, "abc" },
		{ "abc", 4, 3, "abc" },	       { "abc", 3, -1, NULL },
		{ "abcd\n", 4, -1, NULL },     { "\n", 1, 0, "" },
		{ "", 16, 0, "xxxx" },	       { "abc\n", 0, 0, "xxxx" },
	};
	char buf[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_file(cases[i].text, strlen(cases[i].text));
		memcpy(buf, "xxxx", 5);
		assert_int_equal(ibv_read_sysfs_file(dir, "f", buf,
						     cases[i].size),
				 cases[i].result);
		if (cases[i].buf)
			assert_string_equal(buf, cases[i].buf);
	}
	errno = 0;
	assert_int_equal(ibv_read_sysfs_file(dir, "none", buf, 16), -1);
	assert_int_equal(errno, ENOENT);
	errno = 0;
	assert_int_equal(ibv_read_sysfs_file("/", "tmp", buf, 16), -1);
	assert_int_equal(errno, EISDIR);
}

static void ibdev_files(void **state)
{
	struct verbs_sysfs_dev dev = {};
	char buf[8];

	(void)state;
	strcpy(dev.ibdev_path, "/tmp");
	write_file("hello\n", 6);
	assert_int_equal(ibv_read_ibdev_sysfs_file(buf, sizeof(buf), &dev,
						   "%s/%c", strrchr(dir, '/'),
						   'f'),
			 5);
	assert_string_equal(buf, "hello");
	errno = 0;
	assert_int_equal(ibv_read_ibdev_sysfs_file(buf, sizeof(buf), NULL, "f"),
			 -1);
	assert_int_equal(errno, EINVAL);
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t max;
		int64_t value; /* -1: not accepted */
	} cases[] = {
		{ "6\n", 10, 6 },
		{ "1: CA\n", 10, 1 },
		{ "11\n", 10, -1 },
		{ "-1\n", UINT64_MAX, -1 },
		{ " 1\n", 10, -1 },
		{ "x\n", 10, -1 },
		{ "\n", 10, -1 },
		{ "", 10, -1 },
		{ "4294967295", UINT32_MAX, UINT32_MAX },
		{ "4294967296", UINT32_MAX, -1 },
		{ "99999999999999999999999", UINT64_MAX, -1 },
	};
	uint64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_file(cases[i].text, strlen(cases[i].text));
		value = 77;
		assert_int_equal(sysfs_read_uint_at(dirfd, "f", cases[i].max,
						    &value),
				 cases[i].value >= 0);
		assert_int_equal(value,
				 cases[i].value >= 0 ? cases[i].value : 77);
	}
}

static void names(void **state)
{
	(void)state;
	assert_true(sysfs_name_ok("mlx5_0"));
	assert_true(sysfs_name_ok("..."));
	assert_false(sysfs_name_ok(""));
	assert_false(sysfs_name_ok("."));
	assert_false(sysfs_name_ok(".."));
	assert_false(sysfs_name_ok("a/b"));
	assert_false(sysfs_name_ok("/"));
}

static void guids(void **state)
{
	static const char *const bad[] = {
		"",
		"0011:2233:4455:66777",
		"0011:2233:4455-6677",
		"0011:2233:4455:",
		"0011::4455:6677",
		"0011:2233:4455",
		":0011:2233:4455",
		"0x11:2233:4455:6677",
	};
	uint64_t guid = 0;
	size_t i;

	(void)state;
	assert_true(sysfs_parse_guid("0011:2233:4455:AaFf", &guid));
	assert_int_equal(guid, 0x001122334455aaffull);
	assert_true(sysfs_parse_guid("0:1:2:03", &guid));
	assert_int_equal(guid, 0x0000000100020003ull);
	assert_true(sysfs_parse_guid("0011:2233:4455:AaFf", &guid));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(sysfs_parse_guid(bad[i], &guid));
	assert_int_equal(guid, 0x001122334455aaffull);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files),   cmocka_unit_test(ibdev_files),
		cmocka_unit_test(numbers), cmocka_unit_test(names),
		cmocka_unit_test(guids),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
