// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Prints all that a program learns of the machine's devices.  Arguments: what
 * to do with each or then: open; import (a file); list (again); state: of the
 * process; log: at every level; set:NAME=VALUE: a variable; !COMMAND.
 * An only argument log-first: log before there was any list.
 * $PLAY_UID and $PLAY_EUID: whom the library takes it to be run by;
 * $PLAY_NO_NETLINK: there is none.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "driver.h"
#include "util/sysfs.h"

/* In place of the C library's, for whatever is loaded */
static uid_t play(const char *variable, long call)
{
	const char *value = getenv(variable);

	return value ? atoi(value) : syscall(call);
}

uid_t getuid(void)
{
	return play("PLAY_UID", SYS_getuid);
}

uid_t geteuid(void)
{
	return play("PLAY_EUID", SYS_geteuid);
}

int socket(int domain, int type, int protocol)
{
	if (domain == AF_NETLINK && getenv("PLAY_NO_NETLINK")) {
		errno = EPROTONOSUPPORT;
		return -1;
	}
	return syscall(SYS_socket, domain, type, protocol);
}

static void state(void)
{
	printf("sysfs %s, destroy policy %d, fork status %d\n",
	       ibv_get_sysfs_path(), verbs_allow_disassociate_destroy,
	       ibv_is_fork_initialized());
}

static void log_all(void)
{
	uint32_t level;

	for (level = VERBS_LOG_ERR; level <= 6; level++)
		__verbs_log(NULL, level, "level %u\n", level);
}

static void open_device(struct ibv_device *device)
{
	struct ibv_context *context;

	errno = 0;
	context = ibv_open_device(device);
	printf("open: %d errno %d\n", !!context, context ? 0 : errno);
	if (context)
		ibv_close_device(context);
}

static void import(const char *path)
{
	struct ibv_context *context;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	errno = 0;
	context = ibv_import_device(fd);
	printf("import %s: %d errno %d\n", path, !!context,
	       context ? 0 : errno);
	if (context)
		ibv_close_device(context);
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
	if (argc > 1 && !strcmp(argv[1], "log-first"))
		log_all();
	devices = list(&num);
	for (arg = 1; arg < argc; arg++) {
		if (!strcmp(argv[arg], "log-first")) {
			continue;
		} else if (!strcmp(argv[arg], "list")) {
			again = list(&num);
			if (again)
				ibv_free_device_list(again);
		} else if (!strcmp(argv[arg], "state")) {
			state();
		} else if (!strcmp(argv[arg], "log")) {
			log_all();
		} else if (!strncmp(argv[arg], "set:", 4)) {
			putenv(argv[arg] + 4);
		} else if (argv[arg][0] == '!') {
			printf("command: %d\n", system(argv[arg] + 1));
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
