/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The providers that have registered themselves.  The list only grows, and
 * may be walked while another thread's dlopen() adds to it.
 */
#ifndef DEVICE_DRIVER_LIST_H
#define DEVICE_DRIVER_LIST_H

#include "driver.h"

struct driver {
	struct driver *_Atomic next;
	const struct verbs_device_ops *ops;
};

/* In the order of registration, ends with NULL */
struct driver *first_driver(void);
struct driver *next_driver(struct driver *driver);

/*
 * The device that the first willing driver makes of a record, or NULL.  The
 * device owns the record then and has one reference, the caller's.
 */
struct verbs_device *make_device(struct verbs_sysfs_dev *dev);

/* Load all configured plug-ins, which register themselves. */
void load_plugins(void);

/* ---- the parts of load_plugins(), for tests ---- */

struct plugin_name {
	struct plugin_name *next;
	char name[];
};

/* Names from all files of a directory, the last one first */
struct plugin_name *read_plugin_config(const char *dir);
void free_plugin_names(struct plugin_name *names);

#endif
