// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The files that name plug-ins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "device/driver_list.h"
#include "warnings.h"

static char dir[] = "/tmp/test_plugin_config.XXXXXX";

static void write_file(const char *name, const char *text, size_t len)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	fclose(file);
}

static void remove_entry(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(remove(path), 0);
}

/* The names that are read, joined by commas */
static const char *names_in(const char *path)
{
	struct plugin_name *names = read_plugin_config(path), *n;
	static char joined[1024];

	joined[0] = '\0';
	for (n = names; n; n = n->next) {
		strcat(joined, n->name);
		strcat(joined, ",");
	}
	free_plugin_names(names);
	return joined;
}

static const char *names_of(const char *text, size_t len)
{
	const char *names;

	write_file("f", text, len);
	names = names_in(dir);
	remove_entry("f");
	return names;
}

static void lines(void **state)
{
	static const struct {
		const char *text, *names, *bad;
	} cases[] = {
		{ "driver a\ndriver b\n", "b,a,", NULL },
		{ "driver a", "a,", NULL },
		{ "\t driver\t a \n", "a,", NULL },
		{ "driver  a b c\n", "a,", NULL },
		{ "# driver a\n#\n\n  \t\n  # x\n", "", NULL },
		{ "driver a # comment\n", "a,", NULL },
		{ "driver /opt/x/y\n", "/opt/x/y,", NULL },
		{ "driver a\r\n", "a\r,", NULL },
		{ "driver\n", ",", NULL },
		{ "driver", "", "driver" },
		{ "driver \n", ",", NULL },
		{ "driver ", ",", NULL },
		{ " ", "", "" },
		{ "drivers a\n", "", "drivers" },
		{ "Driver a\n", "", "Driver" },
		{ "driver:a\n", "", "driver:a" },
		{ "x\ndriver a\n", "a,", "x" },
		{ "", "", NULL },
	};
	char expected[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(names_of(cases[i].text,
					     strlen(cases[i].text)),
				    cases[i].names);
		expected[0] = '\0';
		if (cases[i].bad)
			snprintf(expected, sizeof(expected),
				 "Warning: ignoring bad config directive '%s' "
				 "in file '%s/f'.\n",
				 cases[i].bad, dir);
		assert_string_equal(take_warnings(), expected);
	}
}

static void binary_files(void **state)
{
	unsigned int seed = 5, round;
	char bytes[512];
	size_t i;

	(void)state;
	assert_string_equal(names_of("driver a\0b\n", 11), "a,");
	assert_string_equal(names_of("\0driver a\n", 10), "");
	take_warnings();
	for (round = 0; round < 200; round++) {
		for (i = 0; i < sizeof(bytes); i++)
			bytes[i] = rand_r(&seed) % 4
					   ? rand_r(&seed)
					   : " \n#d"[rand_r(&seed) % 4];
		names_of(bytes, sizeof(bytes));
		take_warnings();
	}
}

static void entries_that_are_no_files(void **state)
{
	char path[256], expected[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/sub", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(path, sizeof(path), "%s/link", dir);
	assert_int_equal(symlink("real", path), 0);
	snprintf(path, sizeof(path), "%s/dangling", dir);
	assert_int_equal(symlink("nothing", path), 0);
	write_file("real", "driver r\n", 9);

	assert_string_equal(names_in(dir), "r,r,");
	snprintf(expected, sizeof(expected),
		 "Warning: couldn't stat config file '%s/dangling'.\n", dir);
	assert_string_equal(take_warnings(), expected);
	remove_entry("sub");
	remove_entry("fifo");
	remove_entry("link");
	remove_entry("dangling");
	remove_entry("real");
}

static void no_directory(void **state)
{
	(void)state;
	assert_string_equal(names_in("/nonexistent"), "");
	assert_string_equal(take_warnings(),
			    "Warning: couldn't open config directory "
			    "'/nonexistent'.\n");
}

static void no_memory(void **state)
{
	size_t blocks = alloc_live();
	unsigned int n;

	(void)state;
	write_file("f", "driver a\ndriver b\n", 18);
	for (n = 1; n < 10; n++) {
		alloc_fail_at(n);
		names_in(dir);
		alloc_fail_at(0);
		assert_int_equal(alloc_live(), blocks);
	}
	remove_entry("f");
	take_warnings();
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(binary_files),
		cmocka_unit_test(entries_that_are_no_files),
		cmocka_unit_test(no_directory),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
