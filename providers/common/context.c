// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Making devices and contexts, and undoing it. */
#include <errno.h>
#include <stdlib.h>

#include "common.h"

struct verbs_device *common_alloc_device(struct verbs_sysfs_dev *sysfs_dev)
{
	struct verbs_device *device;

	(void)sysfs_dev;
	device = calloc(1, sizeof(*device));
	if (!device)
		errno = ENOMEM;
	return device;
}

void common_uninit_device(struct verbs_device *device)
{
	free(device);
}

void common_free_context(struct ibv_context *context)
{
	struct verbs_context *vctx =
		provider_container(context, struct verbs_context, context);

	verbs_uninit_context(vctx);
	free(vctx);
}

struct verbs_context *common_finish_context(struct verbs_context *vctx,
					    int error)
{
	if (!error)
		return vctx;
	common_free_context(&vctx->context);
	errno = error;
	return NULL;
}
