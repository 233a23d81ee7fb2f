// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_devinfo: what the devices are and can do. */
#include <endian.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devinfo.h"
#include "tool.h"

/* More than any driver has, and its end */
#define BOARD_ID_SIZE 256

/* Exit statuses; those of several devices are or-ed. */
enum {
	CANNOT_OPEN = 1,
	CANNOT_QUERY = 2,
	CANNOT_CLOSE = 3,
	NO_SUCH_PORT = 4,
	NOTHING_DONE = 255,
};

struct devinfo_options {
	const char *ib_dev; /* NULL: all */
	int ib_port;	    /* 0: all */
	int list;
	int verbose;
};

static void usage(const char *program)
{
	printf("Usage: %s             print the ca attributes\n", program);
	printf("\nOptions:\n");
	printf("  -d, --ib-dev=<dev>     use IB device <dev> (default first "
	       "device found)\n");
	printf("  -i, --ib-port=<port>   use port <port> of IB device (default "
	       "all ports)\n");
	printf("  -l, --list             print only the IB devices names\n");
	printf("  -v, --verbose          print all the attributes of the IB "
	       "device(s)\n");
}

static void print_guid(const char *label, __be64 guid)
{
	uint64_t value = be64toh(guid);

	printf("\t%s\t\t\t%04x:%04x:%04x:%04x\n", label,
	       (unsigned int)(value >> 48),
	       (unsigned int)(value >> 32) & 0xffff,
	       (unsigned int)(value >> 16) & 0xffff,
	       (unsigned int)value & 0xffff);
}

/* The vendor's name for the board, where its driver tells it */
static void print_board_id(const struct ibv_device *device)
{
	char path[sizeof(device->ibdev_path) + sizeof("/board_id")];
	char text[BOARD_ID_SIZE];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/board_id", device->ibdev_path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	len = read(fd, text, sizeof(text));
	close(fd);
	if (len <= 0 || len == sizeof(text))
		return;
	if (text[len - 1] == '\n')
		len--;
	text[len] = 0;
	if (len)
		printf("\tboard_id:\t\t\t%s\n", text);
}

static void print_device(struct ibv_context *context,
			 const struct ibv_device_attr_ex *attr)
{
	const struct ibv_device_attr *orig = &attr->orig_attr;
	struct ibv_device *device = context->device;

	printf("hca_id:\t%s\n", ibv_get_device_name(device));
	printf("\ttransport:\t\t\t%s (%d)\n",
	       devinfo_transport(device->transport_type),
	       device->transport_type);
	if (*orig->fw_ver)
		printf("\tfw_ver:\t\t\t\t%.*s\n", (int)sizeof(orig->fw_ver),
		       orig->fw_ver);
	print_guid("node_guid:", orig->node_guid);
	print_guid("sys_image_guid:", orig->sys_image_guid);
	printf("\tvendor_id:\t\t\t0x%04x\n", orig->vendor_id);
	printf("\tvendor_part_id:\t\t\t%d\n", orig->vendor_part_id);
	printf("\thw_ver:\t\t\t\t0x%X\n", orig->hw_ver);
	print_board_id(device);
	printf("\tphys_port_cnt:\t\t\t%d\n", orig->phys_port_cnt);
}

static int show_ports(struct ibv_context *context, int ports,
		      const struct devinfo_options *opt)
{
	int first = opt->ib_port ? opt->ib_port : 1;
	int last = opt->ib_port ? opt->ib_port : ports;
	int port;
	int status;

	for (port = first; port <= last; port++) {
		status = devinfo_print_port(context, port, opt->verbose);
		if (status)
			return status;
	}
	return 0;
}

static int show_context(struct ibv_context *context,
			const struct devinfo_options *opt)
{
	struct ibv_device_attr_ex attr = { .comp_mask = 0 };

	if (ibv_query_device_ex(context, NULL, &attr)) {
		fprintf(stderr, "Failed to query device props\n");
		return CANNOT_QUERY;
	}
	if (opt->ib_port > attr.orig_attr.phys_port_cnt) {
		fprintf(stderr, "Invalid port requested for device\n");
		return NO_SUCH_PORT;
	}
	print_device(context, &attr);
	if (opt->verbose)
		devinfo_print_caps(context, &attr);
	return show_ports(context, attr.orig_attr.phys_port_cnt, opt);
}

static int show_device(struct ibv_device *device,
		       const struct devinfo_options *opt)
{
	struct ibv_context *context = ibv_open_device(device);
	int status;

	if (!context) {
		fprintf(stderr, "Failed to open device\n");
		return CANNOT_OPEN;
	}
	status = show_context(context, opt);
	if (ibv_close_device(context)) {
		/* No line end: that is how it is known. */
		fprintf(stderr, "Failed to close device");
		return CANNOT_CLOSE;
	}
	return status;
}

static int show_all(struct ibv_device **list, const struct devinfo_options *opt)
{
	int status = 0;

	if (!*list) {
		fprintf(stderr, "No IB devices found\n");
		return NOTHING_DONE;
	}
	for (; *list; list++)
		status |= show_device(*list, opt);
	return status;
}

static int show_one(struct ibv_device **list, const struct devinfo_options *opt)
{
	struct ibv_device *device = tool_find_device(list, opt->ib_dev);

	if (!device) {
		fprintf(stderr, "IB device '%s' wasn't found\n", opt->ib_dev);
		return NOTHING_DONE;
	}
	return show_device(device, opt);
}

static int show_names(struct ibv_device **list, int count)
{
	printf("%d HCA%s found:\n", count, count == 1 ? "" : "s");
	for (; *list; list++)
		printf("\t%s\n", ibv_get_device_name(*list));
	printf("\n");
	return 0;
}

/* 0, or the exit status after the usage text */
static int parse(int argc, char *argv[], struct devinfo_options *opt)
{
	static const struct option options[] = {
		{ "ib-dev", required_argument, NULL, 'd' },
		{ "ib-port", required_argument, NULL, 'i' },
		{ "list", no_argument, NULL, 'l' },
		{ "verbose", no_argument, NULL, 'v' },
		{ 0 },
	};
	int letter;

	while ((letter = getopt_long(argc, argv, "d:i:lv", options, NULL)) !=
	       -1) {
		switch (letter) {
		case 'd':
			opt->ib_dev = optarg;
			break;
		case 'i':
			opt->ib_port = strtol(optarg, NULL, 0);
			if (opt->ib_port < 1) {
				usage(argv[0]);
				return 1;
			}
			break;
		case 'l':
			/* Whatever comes after it does not count. */
			opt->list = 1;
			return 0;
		case 'v':
			opt->verbose = 1;
			break;
		default:
			usage(argv[0]);
			return NOTHING_DONE;
		}
	}
	return 0;
}

int main(int argc, char *argv[])
{
	struct devinfo_options opt = { .ib_dev = NULL };
	struct ibv_device **list;
	int status;
	int count;

	status = parse(argc, argv, &opt);
	if (status)
		return status;
	list = ibv_get_device_list(&count);
	if (!list) {
		perror("Failed to get IB devices list");
		return NOTHING_DONE;
	}
	if (opt.list)
		status = show_names(list, count);
	else if (opt.ib_dev)
		status = show_one(list, &opt);
	else
		status = show_all(list, &opt);
	ibv_free_device_list(list);
	return status;
}
