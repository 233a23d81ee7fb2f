// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a static program registers: each provider that it names, once, however
 * often it looks for devices; all of them if it names none.
 */
#include <stdio.h>
#include <string.h>

#include "device/driver_list.h"
#include "static/static.h"

static struct verbs_device *no_device(struct verbs_sysfs_dev *dev
				      __attribute__((unused)))
{
	return NULL;
}

static const struct verbs_device_ops a = { .name = "a",
					   .alloc_device = no_device };
static const struct verbs_device_ops b = { .name = "b",
					   .alloc_device = no_device };
static const struct verbs_device_ops c = { .name = "c",
					   .alloc_device = no_device };
static const struct verbs_device_ops *two[] = { &b, &c, NULL };
static const struct verbs_device_ops both = { .name = "both",
					      .static_providers = two };

/* In place of the archive's */
const struct verbs_device_ops verbs_provider_all = { .name = "all",
						     .static_providers = two };
const struct verbs_device_ops verbs_provider_none = { .name = "none" };

static int failures;

static void registered(const char *when, const char *expected)
{
	char names[64] = "";
	struct driver *driver;

	for (driver = first_driver(); driver; driver = next_driver(driver))
		strncat(names, driver->ops->name,
			sizeof(names) - strlen(names) - 1);
	if (!strcmp(names, expected))
		return;
	fprintf(stderr, "%s: '%s' registered, not '%s'\n", when, names,
		expected);
	failures = 1;
}

int main(int argc, char *argv[] __attribute__((unused)))
{
	if (argc > 1) {
		load_plugins();
		registered("nothing named", "bc");
		load_plugins();
		registered("nothing named, again", "bc");
		return failures;
	}

	ibv_static_providers(NULL, &verbs_provider_none, &verbs_provider_none,
			     NULL);
	registered("none", "");
	load_plugins();
	registered("none, then a look for devices", "");
	ibv_static_providers(NULL, &a, &verbs_provider_none, NULL);
	registered("a", "a");
	ibv_static_providers(NULL, &c, &a, NULL);
	registered("c and a", "ac");
	ibv_static_providers(NULL, &both, &a, NULL);
	registered("both", "acb");
	load_plugins();
	registered("both, then a look for devices", "acb");
	return failures;
}
