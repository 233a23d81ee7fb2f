// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Boundary: the files that name plug-ins. */
#include <string.h>

#include "device/driver_list.h"
#include "fuzz.h"
#include "tree.h"

void fuzz_setup(void)
{
	tree_setup();
}

void fuzz_run(void)
{
	struct plugin_name *names, *name;

	tree_plant();
	names = read_plugin_config("/fuzz.d");
	for (name = names; name; name = name->next)
		fuzz_check(!strpbrk(name->name, " \t\n"), "a name of two");
	free_plugin_names(names);
	tree_fell();
}
