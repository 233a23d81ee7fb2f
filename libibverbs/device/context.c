// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The library's part of a context: made and unmade by the provider. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/context_ops.h"
#include "device/device_list.h"
#include "priv.h"
#include "uverbs/uverbs.h"

static int probe_kernel(struct ibv_context *context)
{
	int ret = uverbs_probe(context);

	if (ret != EPROTONOSUPPORT && ret != ENOTTY)
		return 0;
	verbs_err(to_vctx(context),
		  "the kernel is too old: its uverbs has no INVOKE_WRITE "
		  "(Linux 5.4 and later have it)\n");
	return EOPNOTSUPP;
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
 * place, or NULL with errno: ENOMEM; EOPNOTSUPP: kernel older than 5.4.
 */
void *_verbs_init_and_alloc_context(struct ibv_device *device, int cmd_fd,
				    size_t alloc_size,
				    struct verbs_context *context_offset,
				    uint32_t driver_id)
{
	struct verbs_ex_private *priv;
	struct verbs_context *vctx;
	char *provider_context;
	int ret;

	provider_context = calloc(1, alloc_size);
	priv = calloc(1, sizeof(*priv));
	if (!provider_context || !priv) {
		free(provider_context);
		free(priv);
		if (cmd_fd != -1)
			close(cmd_fd);
		errno = ENOMEM;
		return NULL;
	}

	priv->driver_id = driver_id;
	handle_map_init(&priv->pds);

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

	ret = cmd_fd == -1 ? 0 : probe_kernel(&vctx->context);
	if (ret) {
		verbs_uninit_context(vctx);
		free(provider_context);
		errno = ret;
		return NULL;
	}
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
	free(context->priv);
	if (context->context.cmd_fd != -1)
		close(context->context.cmd_fd);
	if (context->context.async_fd != -1)
		close(context->context.async_fd);
	pthread_mutex_destroy(&context->context.mutex);
	put_device(vdev);
}
