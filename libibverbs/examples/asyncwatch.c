// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_asyncwatch: tells of a device's asynchronous events as they come. */
#include <getopt.h>
#include <stdio.h>

#include "tool.h"

static const char *event_name(enum ibv_event_type type)
{
	/* Events of single objects reach only the contexts that have those. */
	switch (type) {
	case IBV_EVENT_DEVICE_FATAL:
		return "IBV_EVENT_DEVICE_FATAL";
	case IBV_EVENT_PORT_ACTIVE:
		return "IBV_EVENT_PORT_ACTIVE";
	case IBV_EVENT_PORT_ERR:
		return "IBV_EVENT_PORT_ERR";
	case IBV_EVENT_LID_CHANGE:
		return "IBV_EVENT_LID_CHANGE";
	case IBV_EVENT_PKEY_CHANGE:
		return "IBV_EVENT_PKEY_CHANGE";
	case IBV_EVENT_SM_CHANGE:
		return "IBV_EVENT_SM_CHANGE";
	case IBV_EVENT_CLIENT_REREGISTER:
		return "IBV_EVENT_CLIENT_REREGISTER";
	case IBV_EVENT_GID_CHANGE:
		return "IBV_EVENT_GID_CHANGE";
	default:
		return "unexpected";
	}
}

static void usage(const char *program)
{
	printf("Usage:\n");
	printf("  %s            start an asyncwatch process\n", program);
	printf("\nOptions:\n");
	printf("  -d, --ib-dev=<dev>     use IB device <dev> (default first "
	       "device found)\n");
	printf("  -h, --help             print a help text and exit\n");
}

/* NULL after a message */
static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	struct ibv_device *device;

	if (!list) {
		perror("Failed to get IB devices list");
		return NULL;
	}
	device = tool_find_device(list, name);
	if (!device) {
		fprintf(stderr, "IB device %s not found\n", name ? name : "");
	} else {
		context = ibv_open_device(device);
		if (!context)
			fprintf(stderr, "Couldn't get context for %s\n",
				ibv_get_device_name(device));
	}
	ibv_free_device_list(list);
	return context;
}

int main(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "ib-dev", required_argument, NULL, 'd' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct ibv_async_event event;
	struct ibv_context *context;
	const char *name = NULL;
	int letter;

	/* For those who read the events through a pipe */
	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((letter = getopt_long(argc, argv, "d:h", options, NULL)) != -1) {
		if (letter == 'd') {
			name = optarg;
		} else {
			usage(argv[0]);
			return letter == 'h' ? 0 : 1;
		}
	}
	context = open_device(name);
	if (!context)
		return 1;
	printf("%s: async event FD %d\n", ibv_get_device_name(context->device),
	       context->async_fd);
	while (!ibv_get_async_event(context, &event)) {
		printf("  event_type %s (%d), port %d\n",
		       event_name(event.event_type), event.event_type,
		       event.element.port_num);
		ibv_ack_async_event(&event);
	}
	/* Watching ends when the device does. */
	ibv_close_device(context);
	return 1;
}
