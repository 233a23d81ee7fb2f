// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Where plug-ins are looked for, and in which order.  Built with a folder of
 * our own plug-ins and without, as OWN says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "device/driver_list.h"
#include "warnings.h"

#define DIST "/dist/lib"
#define SUFFIX "-rdmav34.so"

static const char *present; /* the one file that can be loaded */
static char tried[1024];
static const char *configured;

void *__wrap_dlopen(const char *file, int flags);
char *__wrap_dlerror(void);

void *__wrap_dlopen(const char *file, int flags)
{
	assert_int_equal(flags, RTLD_NOW);
	strcat(tried, file);
	strcat(tried, "\n");
	return !strcmp(file, present) ? tried : NULL;
}

char *__wrap_dlerror(void)
{
	return "no such thing";
}

struct plugin_name *read_plugin_config(const char *dir_path)
{
	struct plugin_name *name;

	assert_string_equal(dir_path, "/config");
	if (!configured)
		return NULL;
	name = malloc(sizeof(*name) + strlen(configured) + 1);
	assert_non_null(name);
	strcpy(name->name, configured);
	name->next = NULL;
	return name;
}

void free_plugin_names(struct plugin_name *names)
{
	free(names);
}

/* Where a name is looked for when only this file is there, and the warning */
static void assert_tried(const char *name, const char *file,
			 const char *expected, const char *warning)
{
	present = file;
	for (int from_file = 0; from_file < 2; from_file++) {
		configured = from_file ? name : NULL;
		if (from_file)
			unsetenv("RDMAV_DRIVERS");
		else
			setenv("RDMAV_DRIVERS", name, 1);
		tried[0] = '\0';
		load_plugins();
		assert_string_equal(tried, expected);
		assert_string_equal(take_warnings(), warning);
	}
}

static const char last_warning[] =
	"Warning: couldn't load driver 'libx" SUFFIX "': no such thing\n";

static void our_folder_is_first(void **state)
{
	(void)state;
	if (!OWN[0])
		return;
	assert_tried("x", OWN "/libx" SUFFIX, OWN "/libx" SUFFIX "\n", "");
}

static void each_place_in_turn(void **state)
{
	const char *own = OWN[0] ? OWN "/libx" SUFFIX "\n" : "";
	char expected[256];

	(void)state;
	strcpy(expected, own);
	strcat(expected, DIST "x" SUFFIX "\n");
	assert_tried("x", DIST "x" SUFFIX, expected, "");
	strcat(expected, "libx" SUFFIX "\n");
	assert_tried("x", "libx" SUFFIX, expected, "");
	assert_tried("x", "", expected, last_warning);
}

static void a_path_is_one_file(void **state)
{
	(void)state;
	assert_tried("/p/x", "/p/x" SUFFIX, "/p/x" SUFFIX "\n", "");
	assert_tried("/p/x", "", "/p/x" SUFFIX "\n",
		     "Warning: couldn't load driver '/p/x" SUFFIX
		     "': no such thing\n");
}

static void variables_before_files(void **state)
{
	(void)state;
	present = "";
	configured = "/file";
	tried[0] = '\0';
	setenv("RDMAV_DRIVERS", "/a:/b;/c", 1);
	load_plugins();
	assert_string_equal(tried, "/a" SUFFIX "\n/b" SUFFIX "\n/c" SUFFIX
				   "\n/file" SUFFIX "\n");
	take_warnings();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_folder_is_first),
		cmocka_unit_test(each_place_in_turn),
		cmocka_unit_test(a_path_is_one_file),
		cmocka_unit_test(variables_before_files),
	};

	unsetenv("IBV_DRIVERS");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
