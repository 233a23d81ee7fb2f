// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The providers of a program that is linked with the static library.  It loads
 * no plug-ins: those are linked with the shared library, and would bring it in
 * beside this one.
 */
#include <pthread.h>
#include <stdarg.h>

#include "device/driver_list.h"
#include "static/static.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool named;

static bool is_registered(const struct verbs_device_ops *ops)
{
	struct driver *driver;

	for (driver = first_driver(); driver; driver = next_driver(driver))
		if (driver->ops == ops)
			return true;
	return false;
}

/* With the lock held */
static void register_once(const struct verbs_device_ops *ops)
{
	const struct verbs_device_ops **member;

	for (member = ops->static_providers; member && *member; member++)
		register_once(*member);
	/* "all" and "none" are no providers themselves. */
	if (ops->alloc_device && !is_registered(ops))
		verbs_register_driver(ops);
}

/**
 * ibv_static_providers - Make the providers of a static program known
 * @unused: NULL
 *
 * Then come pointers to the providers' struct verbs_device_ops, and NULL.
 * <infiniband/verbs.h> calls it, before the first look for devices, when
 * RDMA_STATIC_PROVIDERS is defined; without such a call a program has all
 * providers of this tree.  Names add up over calls.  In the static library
 * only.  Thread-safe.
 */
void ibv_static_providers(void *unused __attribute__((unused)), ...)
{
	const struct verbs_device_ops *ops;
	va_list args;

	pthread_mutex_lock(&lock);
	named = true;
	va_start(args, unused);
	while ((ops = va_arg(args, const struct verbs_device_ops *)))
		register_once(ops);
	va_end(args);
	pthread_mutex_unlock(&lock);
}

/*
 * Whether verbs_provider_all has members is decided at link time, see static.h;
 * a linker that takes more from the archive than it must does not change what
 * the program named.
 */
void load_plugins(void)
{
	pthread_mutex_lock(&lock);
	if (!named)
		register_once(&verbs_provider_all);
	pthread_mutex_unlock(&lock);
}
