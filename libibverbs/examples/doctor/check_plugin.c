// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Plug-ins: which are configured, do they load, which one took a device.  The
 * library loads them in the same places, in the same order.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/ib_user_ioctl_verbs.h>

#include "doctor/doctor.h"
#include "driver.h"

#define STRING_(_x) #_x
#define STRING(_x) STRING_(_x)
#define SUFFIX "-rdmav" STRING(IBVERBS_PABI_VERSION) ".so"

struct search {
	struct doctor *doctor;
	unsigned int named, failed;
	/* If a certain plug-in is looked for: */
	const char *wanted;
	bool configured;
	char path[PATH_MAX];  /* where it was loaded from, or "" */
	char error[PATH_MAX]; /* else why it was not */
};

/* ---- loading ---- */

static void *load_from(struct search *search, const char *dir, const char *name)
{
	char file[PATH_MAX];
	struct link_map *map;
	void *dl;

	if (snprintf(file, sizeof(file), "%s%s" SUFFIX, dir, name) >=
	    (int)sizeof(file))
		return NULL;
	dl = dlopen(file, RTLD_NOW);
	if (!dl) {
		const char *error = dlerror();

		/* A file that is there says more than one that is not. */
		if (!search->error[0] || doctor_exists("%s", file))
			snprintf(search->error, sizeof(search->error), "%s",
				 error ? error : "?");
		return NULL;
	}
	/* It stays loaded: its constructor has registered it. */
	if (!dlinfo(dl, RTLD_DI_LINKMAP, &map))
		snprintf(search->path, sizeof(search->path), "%s", map->l_name);
	return dl;
}

static bool load(struct search *search, const char *name)
{
	search->path[0] = search->error[0] = '\0';
	if (name[0] == '/')
		return load_from(search, "", name);
#ifdef IBV_OWN_PLUGIN_DIR
	if (IBV_OWN_PLUGIN_DIR[0] &&
	    load_from(search, IBV_OWN_PLUGIN_DIR "/lib", name))
		return true;
#endif
	return load_from(search, IBV_PLUGIN_DIR "/lib", name) ||
	       load_from(search, "lib", name);
}

/* "rxe" of "rxe" and of "/some/where/librxe" */
static bool is_name(const char *configured, const char *wanted)
{
	const char *base = strrchr(configured, '/');

	if (!base)
		return !strcmp(configured, wanted);
	base++;
	return !strcmp(!strncmp(base, "lib", 3) ? base + 3 : base, wanted);
}

/* ---- what is configured ---- */

/* from: a file, or a variable of the environment */
static void on_name(struct search *search, const char *name, const char *from)
{
	if (search->wanted) {
		if (is_name(name, search->wanted) && !search->path[0]) {
			search->configured = true;
			load(search, name);
		}
		return;
	}
	search->named++;
	if (load(search, name))
		return;
	search->failed++;
	doctor_add(&search->doctor->report, NULL, "plug-ins", DOCTOR_PROBLEM,
		   "%s (of %s) cannot be loaded: %s", name, from,
		   search->error);
	doctor_fix(&search->doctor->report,
		   "install it (Debian: apt install ibverbs-providers), or "
		   "take its name out of %s",
		   from);
}

static bool on_config_file(const char *name, void *arg)
{
	struct search *search = arg;
	char path[PATH_MAX], line[512];
	FILE *file;

	snprintf(path, sizeof(path), IBV_CONFIG_DIR "/%s", name);
	file = fopen(path, "re");
	if (!file && !search->wanted) {
		doctor_add(&search->doctor->report, NULL, "plug-ins",
			   DOCTOR_PROBLEM, "%s cannot be read: %s", path,
			   strerror(errno));
		doctor_fix(&search->doctor->report, "chmod a+r %s", path);
		search->failed++;
	}
	if (!file)
		return true;
	while (fgets(line, sizeof(line), file)) {
		char *rest = NULL, *word = strtok_r(line, " \t\n", &rest);

		if (!word || strcmp(word, "driver"))
			continue;
		word = strtok_r(NULL, " \t\n", &rest);
		if (word)
			on_name(search, word, path);
	}
	fclose(file);
	return true;
}

/* The variable that the library heeds, or NULL */
static const char *variable(void)
{
	if (getuid() != geteuid())
		return NULL;
	return secure_getenv("RDMAV_DRIVERS") ? "RDMAV_DRIVERS"
	       : secure_getenv("IBV_DRIVERS") ? "IBV_DRIVERS"
					      : NULL;
}

static void for_each_name(struct search *search)
{
	const char *name = variable();
	char *list, *rest, *word;

	list = name ? strdup(getenv(name)) : NULL;
	rest = list;
	while ((word = strsep(&rest, ";:")))
		if (*word)
			on_name(search, word, name);
	free(list);
	doctor_each_entry(IBV_CONFIG_DIR, on_config_file, search);
}

/* ---- the checks ---- */

void doctor_check_plugins(struct doctor *doctor)
{
	struct search search = { .doctor = doctor };
	bool has_dir = doctor_exists(IBV_CONFIG_DIR);
	const char *env = variable();

	if (!has_dir) {
		doctor_add(&doctor->report, NULL, "plug-ins",
			   env ? DOCTOR_NOTE : DOCTOR_PROBLEM,
			   "there is no directory " IBV_CONFIG_DIR
			   ", where files name the plug-ins to load");
		doctor_fix(&doctor->report,
			   "mkdir -p " IBV_CONFIG_DIR " && echo 'driver rxe' "
			   ">" IBV_CONFIG_DIR "/rxe.driver (or another name)");
	}
	for_each_name(&search);
	if (search.named && !search.failed)
		doctor_add(&doctor->report, NULL, "plug-ins", DOCTOR_OK,
			   "%u configured in %s%s%s; all can be loaded",
			   search.named, has_dir ? IBV_CONFIG_DIR : "",
			   has_dir && env ? " and " : "", env ? env : "");
	else if (!search.named && has_dir)
		doctor_add(&doctor->report, NULL, "plug-ins", DOCTOR_NOTE,
			   "none is configured in " IBV_CONFIG_DIR);
}

static void plugin_missing(struct doctor *doctor, struct doctor_device *dev,
			   const char *wanted)
{
	struct doctor_report *report = &doctor->report;

	doctor_add(report, dev->name, "plug-in", DOCTOR_PROBLEM,
		   "the library has no plug-in for this device: none named %s "
		   "is configured",
		   wanted);
	if (doctor_exists(IBV_PLUGIN_DIR "/lib%s" SUFFIX, wanted))
		doctor_fix(report,
			   "mkdir -p " IBV_CONFIG_DIR " && echo 'driver %s' "
			   ">" IBV_CONFIG_DIR "/%s.driver",
			   wanted, wanted);
	else
		doctor_fix(report,
			   "install lib%s" SUFFIX
			   " (Debian: apt install ibverbs-providers), or "
			   "export RDMAV_DRIVERS=/where/it/is/lib%s",
			   wanted, wanted);
}

/* Warnings of the library that speak of the device, if there are any */
static const char *why_not(struct doctor *doctor, struct doctor_device *dev)
{
	return doctor->warnings && strstr(doctor->warnings, dev->name)
		       ? doctor->warnings
		       : "";
}

void doctor_check_plugin(struct doctor *doctor, struct doctor_device *dev)
{
	struct doctor_report *report = &doctor->report;
	struct search search = { .doctor = doctor };
	Dl_info info;

	if (dev->device) {
		const struct verbs_device_ops *ops =
			verbs_get_device(dev->device)->ops;

		doctor_add(report, dev->name, "plug-in", DOCTOR_OK, "%s, %s",
			   ops->name,
			   dladdr(ops, &info) && info.dli_fname
				   ? info.dli_fname
				   : "which has no file");
		return;
	}

	search.wanted = doctor_driver_name(dev->driver_id);
	if (!search.wanted) {
		doctor_add(report, dev->name, "plug-in",
			   dev->fd < 0 ? DOCTOR_NOTE : DOCTOR_PROBLEM,
			   "the library has not taken this device, and the "
			   "kernel does not say which driver it has%s%s",
			   *why_not(doctor, dev) ? ": " : "",
			   why_not(doctor, dev));
		doctor_fix(report, "install all plug-ins (Debian: apt install "
				   "ibverbs-providers) and look again");
		return;
	}
	for_each_name(&search);
	if (!search.configured) {
		plugin_missing(doctor, dev, search.wanted);
	} else if (!search.path[0]) {
		doctor_add(report, dev->name, "plug-in", DOCTOR_PROBLEM,
			   "%s cannot be loaded: %s", search.wanted,
			   search.error);
		doctor_fix(report, "install it (Debian: apt install "
				   "ibverbs-providers)");
	} else if (!dev->uverbs[0] ||
		   !doctor_exists("/dev/infiniband/%s", dev->uverbs)) {
		doctor_add(report, dev->name, "plug-in", DOCTOR_OK,
			   "%s, %s (not in use: no node)", search.wanted,
			   search.path);
	} else {
		doctor_add(report, dev->name, "plug-in", DOCTOR_PROBLEM,
			   "%s is loaded from %s, but does not take the "
			   "device%s%s",
			   search.wanted, search.path,
			   *why_not(doctor, dev) ? ": " : "",
			   why_not(doctor, dev));
		doctor_fix(report, "use a plug-in and a kernel that go "
				   "together");
	}
}
