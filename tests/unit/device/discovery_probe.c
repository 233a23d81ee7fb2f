// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Prints all that a program learns of the machine's devices.  Arguments: what
 * to do with each: open; import (a file); list (again).
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/verbs.h>

static void open_device(struct ibv_device *device)
{
	struct ibv_context *context;

	errno = 0;
	context = ibv_open_device(device);
	printf("open: %d errno %d\n", !!context, context ? 0 : errno);
}

static void import(const char *path)
{
	struct ibv_context *context;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	errno = 0;
	context = ibv_import_device(fd);
	printf("import %s: %d errno %d\n", path, !!context,
	       context ? 0 : errno);
	close(fd);
}

static struct ibv_device **list(int *num)
{
	struct ibv_device **devices;
	int i;

	*num = -1;
	errno = 0;
	devices = ibv_get_device_list(num);
	printf("list: %d, %d devices, errno %d\n", !!devices, *num,
	       devices ? 0 : errno);
	for (i = 0; devices && devices[i]; i++)
		printf("%d: %s %s %s %s node %d transport %d index %d "
		       "guid %016llx\n",
		       i, ibv_get_device_name(devices[i]), devices[i]->dev_name,
		       devices[i]->dev_path, devices[i]->ibdev_path,
		       devices[i]->node_type, devices[i]->transport_type,
		       ibv_get_device_index(devices[i]),
		       (unsigned long long)be64toh(
			       ibv_get_device_guid(devices[i])));
	return devices;
}

int main(int argc, char **argv)
{
	struct ibv_device **devices, **again;
	int num, arg, i;

	/* In the order in which things happen, whatever is printed where */
	setvbuf(stdout, NULL, _IOLBF, 0);
	devices = list(&num);
	for (arg = 1; arg < argc; arg++) {
		if (!strcmp(argv[arg], "list")) {
			again = list(&num);
			if (again)
				ibv_free_device_list(again);
		} else if (strcmp(argv[arg], "open")) {
			import(argv[arg]);
		} else {
			for (i = 0; devices && devices[i]; i++)
				open_device(devices[i]);
		}
	}
	if (devices)
		ibv_free_device_list(devices);
	return 0;
}
