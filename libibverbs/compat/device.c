// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* IBVERBS_1.0: devices, contexts and their attributes. */
#include <stdlib.h>

#include "compat/abi_1_0.h"

/*
 * The list that the program sees begins one element into the array, behind the
 * real list, which is needed again when it is freed.
 */
COMPAT_1_0(struct ibv_device_1_0 **, ibv_get_device_list, int *num)
{
	struct ibv_device_1_0 **array = NULL;
	struct ibv_device **real;
	int i, count;

	real = ibv_get_device_list(&count);
	if (!real)
		return NULL;
	array = calloc(count + 2, sizeof(*array));
	if (!array)
		goto free_real;
	array[0] = (struct ibv_device_1_0 *)real;
	for (i = 0; i < count; i++) {
		array[i + 1] = calloc(1, sizeof(*array[i + 1]));
		if (!array[i + 1])
			goto free_shells;
		array[i + 1]->real_device = real[i];
	}
	if (num)
		*num = count;
	return array + 1;

free_shells:
	while (i > 0)
		free(array[i--]);
	free(array);
free_real:
	ibv_free_device_list(real);
	return NULL;
}

COMPAT_1_0(void, ibv_free_device_list, struct ibv_device_1_0 **list)
{
	struct ibv_device_1_0 **array = list - 1;

	for (; *list; list++)
		free(*list);
	ibv_free_device_list((struct ibv_device **)array[0]);
	free(array);
}

COMPAT_1_0(const char *, ibv_get_device_name, struct ibv_device_1_0 *device)
{
	return ibv_get_device_name(device->real_device);
}

COMPAT_1_0(__be64, ibv_get_device_guid, struct ibv_device_1_0 *device)
{
	return ibv_get_device_guid(device->real_device);
}

COMPAT_1_0(struct ibv_context_1_0 *, ibv_open_device,
	   struct ibv_device_1_0 *device)
{
	struct ibv_context_1_0 *context;

	context = calloc(1, sizeof(*context));
	if (!context)
		return NULL;
	context->real_context = ibv_open_device(device->real_device);
	if (!context->real_context) {
		free(context);
		return NULL;
	}
	context->device = device;
	compat_set_ops(context);
	return context;
}

COMPAT_1_0(int, ibv_close_device, struct ibv_context_1_0 *context)
{
	int ret = ibv_close_device(context->real_context);

	if (!ret)
		free(context);
	return ret;
}

COMPAT_1_0(int, ibv_query_device, struct ibv_context_1_0 *context,
	   struct ibv_device_attr *attr)
{
	return ibv_query_device(context->real_context, attr);
}

COMPAT_1_0(int, ibv_query_port, struct ibv_context_1_0 *context,
	   uint8_t port_num, struct _compat_ibv_port_attr *attr)
{
	return (ibv_query_port)(context->real_context, port_num, attr);
}

COMPAT_1_0(int, ibv_query_gid, struct ibv_context_1_0 *context,
	   uint8_t port_num, int index, union ibv_gid *gid)
{
	return ibv_query_gid(context->real_context, port_num, index, gid);
}

COMPAT_1_0(int, ibv_query_pkey, struct ibv_context_1_0 *context,
	   uint8_t port_num, int index, __be16 *pkey)
{
	return ibv_query_pkey(context->real_context, port_num, index, pkey);
}
