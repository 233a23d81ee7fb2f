// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Opening devices so that their objects go together with imported ones. */
#include <stdlib.h>
#include <string.h>

#include <infiniband/share.h>

#include "device/shareable.h"
#include "driver.h"
#include "mlx5/devx.h"
#include "uverbs/uverbs.h"

/*
 * Plug-ins that by themselves ask for a context whose objects do not go together
 * with another's, but are content with less
 */
static const struct {
	const char *plugin;
	bool (*unshareable)(const void *request, size_t len);
} plugins[] = {
	{ "mlx5", mlx5_asks_for_devx },
};

/**
 * ibv_open_device_shareable - Open a device for work with imported objects
 * @device: as for ibv_open_device()
 *
 * On mlx5 the context is opened without DEVX, and has none of what needs it; on
 * every other device this is ibv_open_device().  A device whose plug-in insists
 * on DEVX, which the released one does not, is not opened: EOPNOTSUPP.
 *
 * Returns what ibv_open_device() does.  Thread-safe.  Since IBVERBS_SHARE_1.0.
 */
struct ibv_context *ibv_open_device_shareable(struct ibv_device *device)
{
	const char *name = verbs_get_device(device)->ops->name;
	struct ibv_context *context;
	size_t i;

	for (i = 0; i < sizeof(plugins) / sizeof(plugins[0]); i++)
		if (!strcmp(plugins[i].plugin, name))
			uverbs_refuse_contexts(plugins[i].unshareable);
	context = verbs_open_device(device, NULL);
	uverbs_refuse_contexts(NULL);
	return context;
}

/*
 * Which id the objects of a privileged program have in the firmware is not for
 * its caller to say.
 */
bool environment_wants_shareable(void)
{
	const char *value = secure_getenv("IBV_SHARE_NO_DEVX");

	return value && strcmp(value, "0");
}
