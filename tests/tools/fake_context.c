// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The fake device's list, contexts and asynchronous events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

#define MAX_DEVICES 8

static struct ibv_device devices[MAX_DEVICES];

struct ibv_device **ibv_get_device_list(int *num_devices)
{
	int err = fake_call_plain("get_device_list");
	const char *pos = fake_env("FAKE_DEVICES", "fake0,fake1");
	unsigned long caps = strtoul(fake_env("FAKE_CAPS", "0"), NULL, 0);
	struct ibv_device **list;
	int n = 0;

	if (err) {
		errno = err;
		return NULL;
	}
	list = fake_alloc((MAX_DEVICES + 1) * sizeof(*list));
	while (*pos && n < MAX_DEVICES) {
		size_t len = strcspn(pos, ",");
		struct ibv_device *device = &devices[n];

		device->node_type = IBV_NODE_CA;
		device->transport_type = (int)(caps % 9) - 1 + !caps;
		snprintf(device->name, sizeof(device->name), "%.*s", (int)len,
			 pos);
		snprintf(device->dev_name, sizeof(device->dev_name), "uverbs%d",
			 n);
		snprintf(device->ibdev_path, sizeof(device->ibdev_path), "%s",
			 fake_env("FAKE_DIR", "."));
		list[n++] = device;
		pos += len;
		pos += *pos == ',';
	}
	if (num_devices)
		*num_devices = n;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	fake_call_plain("free_device_list");
	free(list);
}

const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

__be64 ibv_get_device_guid(struct ibv_device *device)
{
	return htobe64(0x0011223344556677 + (device - devices));
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	int err = fake_call("open_device", " %s", device->name);
	struct verbs_context *context;

	if (err) {
		errno = err;
		return NULL;
	}
	context = fake_alloc(sizeof(*context));
	context->sz = sizeof(*context);
	context->context.device = device;
	context->context.cmd_fd = -1;
	context->context.async_fd = 77;
	context->context.num_comp_vectors = 3;
	context->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	fake_fill_query_ops(context);
	fake_fill_object_ops(context);
	fake_fill_traffic_ops(&context->context);
	return &context->context;
}

int ibv_close_device(struct ibv_context *context)
{
	int err = fake_call_plain("close_device");

	if (err) {
		errno = err;
		return -1;
	}
	free(verbs_get_ctx(context));
	return 0;
}

int ibv_get_async_event(struct ibv_context *context,
			struct ibv_async_event *event)
{
	static const char *pos;
	int err = fake_call_plain("get_async_event");
	char *end;

	(void)context;
	if (!pos)
		pos = fake_env("FAKE_EVENTS", "");
	if (err || !*pos) {
		errno = err ? err : EIO;
		return -1;
	}
	memset(event, 0, sizeof(*event));
	event->event_type = strtol(pos, &end, 0);
	if (*end == ':')
		event->element.port_num = strtol(end + 1, &end, 0);
	pos = end + (*end == ',');
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	fake_call("ack_async_event", " %d", event->event_type);
}
