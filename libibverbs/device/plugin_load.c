// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Loading of plug-ins, which stay loaded for the life of the process. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/driver_list.h"
#include "util/log.h"

#define STRING_(_x) #_x
#define STRING(_x) STRING_(_x)
#define PLUGIN_SUFFIX "-rdmav" STRING(IBVERBS_PABI_VERSION) ".so"

static bool try_load(const char *dir, const char *name, bool last_try)
{
	char *file;
	void *dl;

	if (asprintf(&file, "%s%s" PLUGIN_SUFFIX, dir, name) < 0) {
		warn_stderr("Warning: couldn't load driver '%s'.", name);
		return true;
	}
	dl = dlopen(file, RTLD_NOW);
	if (!dl && last_try)
		warn_stderr("Warning: couldn't load driver '%s': %s", file,
			    dlerror());
	free(file);
	return dl;
}

static void load_plugin(const char *name)
{
	if (name[0] == '/') {
		try_load("", name, true);
		return;
	}
	/* Our plug-ins beside a distribution's of the same names */
	if (IBV_OWN_PLUGIN_DIR[0] &&
	    try_load(IBV_OWN_PLUGIN_DIR "/lib", name, false))
		return;
	if (!try_load(IBV_PLUGIN_DIR "/lib", name, false))
		try_load("lib", name, true);
}

/* Names of the user's choice, separated by ':' or ';' */
static void load_from_environment(void)
{
	const char *env;
	char *list, *rest, *name;

	/*
	 * A program with more privileges than its caller, by setuid, setgid or
	 * file capabilities, must not load its caller's code.
	 */
	if (getuid() != geteuid())
		return;
	env = secure_getenv("RDMAV_DRIVERS");
	if (!env)
		env = secure_getenv("IBV_DRIVERS");
	if (!env)
		return;
	list = strdup(env);
	if (!list)
		return;
	rest = list;
	while ((name = strsep(&rest, ";:")))
		load_plugin(name);
	free(list);
}

void load_plugins(void)
{
	struct plugin_name *names = read_plugin_config(IBV_CONFIG_DIR), *n;

	load_from_environment();
	for (n = names; n; n = n->next)
		load_plugin(n->name);
	free_plugin_names(names);
}
