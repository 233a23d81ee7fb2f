// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Registration of providers. */
#include <stdlib.h>

#include "device/driver_list.h"
#include "util/log.h"

static struct driver *_Atomic drivers;

struct driver *first_driver(void)
{
	return atomic_load(&drivers);
}

struct driver *next_driver(struct driver *driver)
{
	return atomic_load(&driver->next);
}

/**
 * verbs_register_driver_34 - Make a provider known to the library
 * @ops: stays valid and unchanged for the life of the process
 *
 * A provider's ELF constructor calls it, so it may run under the loader's lock
 * at any time and takes no lock itself.  Thread-safe.
 */
void verbs_register_driver_34(const struct verbs_device_ops *ops)
{
	struct driver *_Atomic *end = &drivers;
	struct driver *driver, *last;

	driver = malloc(sizeof(*driver));
	if (!driver) {
		warn_stderr("Warning: couldn't allocate driver for %s",
			    ops->name);
		return;
	}
	driver->ops = ops;
	atomic_init(&driver->next, NULL);

	last = NULL;
	while (!atomic_compare_exchange_weak(end, &last, driver)) {
		if (last)
			end = &last->next;
		last = NULL;
	}
}

#ifndef _STATIC_LIBRARY_BUILD_
/* What plug-ins of 2005 called: binaries want the symbol, nothing else. */
void register_driver_1_1(const char *name, void (*init)(void));

void register_driver_1_1(const char *name __attribute__((unused)),
			 void (*init)(void) __attribute__((unused)))
{
}
__asm__(".symver register_driver_1_1, ibv_register_driver@IBVERBS_1.1");
#endif
