// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The library's part of a context: made and unmade by the provider. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/context_ops.h"
#include "device/device_list.h"
#include "priv.h"
#include "uverbs/uverbs.h"

/*
 * The library's part stands behind the provider's in one block, which is the
 * provider's to free.
 */
static size_t priv_offset(size_t alloc_size)
{
	const size_t align = _Alignof(struct verbs_ex_private);

	return (alloc_size + align - 1) / align * align;
}

/**
 * _verbs_init_and_alloc_context - Allocate a provider's context
 * @device: gets one more reference
 * @cmd_fd: the opened device, owned by the context from now on, also on
 *          failure; -1: there is no kernel device
 * @alloc_size: bytes of the provider's struct
 * @context_offset: offset of the verbs_context in it, as a number
 * @driver_id: RDMA_DRIVER_*, for the provider's own use in the log
 *
 * Returns the start of the zeroed allocation, with default operations in
 * place, or NULL with errno: ENOMEM.  After verbs_uninit_context() the provider
 * frees it.
 */
void *_verbs_init_and_alloc_context(struct ibv_device *device, int cmd_fd,
				    size_t alloc_size,
				    struct verbs_context *context_offset,
				    uint32_t driver_id)
{
	size_t offset = priv_offset(alloc_size);
	struct verbs_ex_private *priv;
	struct verbs_context *vctx;
	char *provider_context;

	provider_context = calloc(1, offset + sizeof(*priv));
	if (!provider_context) {
		if (cmd_fd != -1)
			close(cmd_fd);
		errno = ENOMEM;
		return NULL;
	}

	priv = (struct verbs_ex_private *)(provider_context + offset);
	priv->driver_id = driver_id;

	vctx = (struct verbs_context *)(provider_context +
					(uintptr_t)context_offset);
	vctx->priv = priv;
	vctx->sz = sizeof(*vctx);
	vctx->context.device = device;
	vctx->context.cmd_fd = cmd_fd;
	vctx->context.async_fd = -1;
	vctx->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	pthread_mutex_init(&vctx->context.mutex, NULL);
	get_device(verbs_get_device(device));
	set_default_ops(vctx);
	return provider_context;
}

/**
 * verbs_uninit_context - Undo _verbs_init_and_alloc_context()
 *
 * Closes the file descriptors and drops the device's reference; the provider
 * frees the memory.
 */
void verbs_uninit_context(struct verbs_context *context)
{
	struct verbs_device *vdev = verbs_get_device(context->context.device);

	handle_map_fini(&context->priv->pds);
	if (context->context.cmd_fd != -1)
		close(context->context.cmd_fd);
	if (context->context.async_fd != -1)
		close(context->context.async_fd);
	pthread_mutex_destroy(&context->context.mutex);
	put_device(vdev);
}
