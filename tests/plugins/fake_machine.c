// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The machine: see fake_machine.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <infiniband/verbs.h>
#include <netlink/handlers.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#include "check.h"
#include "fake_kernel.h"
#include "fake_machine.h"
#include "netlink_message.h"

/* What stands for the device's node: the library checks its number. */
#define NODE "/dev/null"
#define NODE_DEV "1:3"
#define NODE_NUMBER ((1 << 8) | 3)
#define CDEV "/dev/infiniband/"

/* Where a library has its configuration is its own business: it is empty. */
#define CONFIG "/libibverbs.d"
#define EMPTY "empty"

#define MAX_MAPPINGS 1024

static struct machine machine;
static char top[64];
static unsigned int number; /* of the device; it has a name of its own */
static char uverbs[32];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *mappings[MAX_MAPPINGS];

/* ---- sysfs ---- */

static void make_directory(const char *path)
{
	CHECK(!mkdir(path, 0755) || errno == EEXIST);
}

static void write_file(const char *directory, const char *name,
		       const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	CHECK(file);
	CHECK(fprintf(file, "%s\n", text) > 0);
	CHECK(!fclose(file));
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

static void make_sysfs(void)
{
	char path[160], text[16];

	make_directory("sys");
	make_directory("sys/class");
	make_directory("sys/class/infiniband");
	make_directory("sys/class/infiniband_verbs");
	write_file("sys/class/infiniband_verbs", "abi_version", "6");

	snprintf(path, sizeof(path), "sys/class/infiniband/%s", machine.ibdev);
	make_directory(path);
	write_file(path, "node_type", "1: CA");
	write_file(path, "node_guid", "0011:2233:4455:6677");
	write_file(path, "fw_ver", "1.2.3");
	write_file(path, "hca_type", "test");
	snprintf(path, sizeof(path), "sys/class/infiniband/%s/device",
		 machine.ibdev);
	make_directory(path);
	if (machine.modalias)
		write_file(path, "modalias", machine.modalias);

	snprintf(path, sizeof(path), "sys/class/infiniband_verbs/%s", uverbs);
	make_directory(path);
	write_file(path, "ibdev", machine.ibdev);
	write_file(path, "dev", NODE_DEV);
	snprintf(text, sizeof(text), "%u", machine.abi);
	write_file(path, "abi_version", text);
}

/* At exit, of a failed test too */
static void remove_machine(void)
{
	if (!chdir("/"))
		nftw(top, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void machine_is(const struct machine *new)
{
	const char *tmp = getenv("TMPDIR");

	if (top[0]) {
		CHECK(!nftw("sys", remove_entry, 16, FTW_DEPTH | FTW_PHYS));
	} else {
		snprintf(top, sizeof(top), "%.40s/plugins.XXXXXX",
			 tmp && *tmp ? tmp : "/tmp");
		CHECK(mkdtemp(top));
		CHECK(!atexit(remove_machine));
		/* A path that is the same each time, as it may be printed */
		CHECK(!chdir(top));
		make_directory(EMPTY);
		CHECK(!setenv("SYSFS_PATH", "sys", 1));
	}
	machine = *new;
	snprintf(uverbs, sizeof(uverbs), "uverbs%u", number++);
	make_sysfs();
}

/* ---- the device node ---- */

static const char *real_path(const char *path)
{
	if (!strncmp(path, CDEV, strlen(CDEV)) &&
	    !strcmp(path + strlen(CDEV), uverbs))
		return NODE;
	if (strstr(path, CONFIG))
		return EMPTY;
	return path;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;

	if (flags & (O_CREAT | __O_TMPFILE)) {
		va_list args;

		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	if (!strcmp(real_path(path), NODE) && strcmp(path, NODE))
		return fake_kernel_open();
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int stat(const char *path, struct stat *st)
{
	return fstatat(AT_FDCWD, real_path(path), st, 0);
}

DIR *opendir(const char *path)
{
	int fd = syscall(SYS_openat, AT_FDCWD, real_path(path),
			 O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir;

	if (fd < 0)
		return NULL;
	dir = fdopendir(fd);
	if (!dir)
		syscall(SYS_close, fd);
	return dir;
}

int close(int fd)
{
	if (fake_kernel_has(fd))
		fake_kernel_close(fd);
	return syscall(SYS_close, fd);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (request == RDMA_VERBS_IOCTL)
		return fake_kernel_ioctl(fd, arg);
	return syscall(SYS_ioctl, fd, request, arg);
}

/* Doorbells of rxe and siw: there is nobody to hear them. */
ssize_t write(int fd, const void *bytes, size_t len)
{
	if (fake_kernel_has(fd)) {
		fake_kernel_written();
		return len;
	}
	return syscall(SYS_write, fd, bytes, len);
}

/* Device memory that nobody but the kernel reads or has written */
static void *map_device(size_t len, int prot)
{
	void *memory =
		(void *)syscall(SYS_mmap, NULL, len, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (memory == MAP_FAILED)
		return memory;
	fake_kernel_fill(memory, len, prot & PROT_WRITE);
	CHECK(!mprotect(memory, len, prot));
	pthread_mutex_lock(&lock);
	for (i = 0; i < MAX_MAPPINGS && mappings[i]; i++)
		;
	CHECK(i < MAX_MAPPINGS);
	mappings[i] = memory;
	pthread_mutex_unlock(&lock);
	return memory;
}

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (!(flags & MAP_ANONYMOUS) && fake_kernel_has(fd))
		return map_device(len, prot);
	return (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, offset);
}

int munmap(void *memory, size_t len)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < MAX_MAPPINGS; i++)
		if (mappings[i] == memory)
			mappings[i] = NULL;
	pthread_mutex_unlock(&lock);
	return syscall(SYS_munmap, memory, len);
}

unsigned int machine_mappings(void)
{
	unsigned int count = 0;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < MAX_MAPPINGS; i++)
		count += mappings[i] != NULL;
	pthread_mutex_unlock(&lock);
	return count;
}

/* ---- netlink ---- */

static struct message answers[2];
static unsigned int num_answers, next_answer;

static struct message *add_answer(uint16_t type, uint16_t flags)
{
	struct message *msg = &answers[num_answers++];

	message_init(msg, type, flags);
	return msg;
}

static void answer_error(int err)
{
	struct message *msg = add_answer(NLMSG_ERROR, 0);
	struct nlmsgerr *body = NLMSG_DATA(&msg->hdr);

	body->error = -err;
	msg->hdr.nlmsg_len += sizeof(*body);
}

static void answer_devices(void)
{
	struct message *msg;

	msg = add_answer(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
			 NLM_F_MULTI);
	message_add_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, number);
	message_add_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, machine.ibdev);
	message_add_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
	message_add_u64(msg, RDMA_NLDEV_ATTR_NODE_GUID, 0x0011223344556677);
	message_add_u8(msg, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, 1);
	msg = add_answer(NLMSG_DONE, NLM_F_MULTI);
	msg->hdr.nlmsg_len += sizeof(int);
}

static void answer_chardev(struct nlmsghdr *request)
{
	struct nlattr *type =
		nlmsg_find_attr(request, 0, RDMA_NLDEV_ATTR_CHARDEV_TYPE);
	struct message *msg;

	CHECK(type);
	if (strcmp(nla_get_string(type), "uverbs")) {
		answer_error(ENODEV);
		return;
	}

	msg = add_answer(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV,
					  RDMA_NLDEV_CMD_GET_CHARDEV),
			 0);
	message_add_string(msg, RDMA_NLDEV_ATTR_CHARDEV_NAME, uverbs);
	message_add_u64(msg, RDMA_NLDEV_ATTR_CHARDEV_ABI, machine.abi);
	message_add_u64(msg, RDMA_NLDEV_ATTR_CHARDEV, NODE_NUMBER);
	if (machine.driver_id)
		message_add_u32(msg, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID,
				machine.driver_id);
}

static void on_question(const struct nlmsghdr *hdr)
{
	num_answers = next_answer = 0;
	switch (hdr->nlmsg_type) {
	case RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET):
		answer_devices();
		break;
	case RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET_CHARDEV):
		answer_chardev((struct nlmsghdr *)hdr);
		break;
	default:
		answer_error(EINVAL);
	}
	for (unsigned int i = 0; i < num_answers; i++) {
		answers[i].hdr.nlmsg_seq = hdr->nlmsg_seq;
		answers[i].hdr.nlmsg_pid = hdr->nlmsg_pid;
	}
}

/* The next datagram's bytes; 0: none */
static size_t take_answer(void *buf, size_t room, struct sockaddr_nl *from)
{
	struct message *msg;

	*from = (struct sockaddr_nl){ .nl_family = AF_NETLINK };
	if (next_answer == num_answers)
		return 0;
	msg = &answers[next_answer++];
	CHECK(msg->hdr.nlmsg_len <= room);
	memcpy(buf, msg, msg->hdr.nlmsg_len);
	return msg->hdr.nlmsg_len;
}

/* A library may have libnl's socket ... */

static int on_send(struct nl_sock *sock, struct nl_msg *nl_msg)
{
	(void)sock;
	on_question(nlmsg_hdr(nl_msg));
	return nlmsg_hdr(nl_msg)->nlmsg_len;
}

static int on_receive(struct nl_sock *sock, struct sockaddr_nl *from,
		      unsigned char **buf, struct ucred **creds)
{
	struct message *room = malloc(sizeof(*room));
	size_t len;

	(void)sock;
	(void)creds;
	CHECK(room);
	len = take_answer(room, sizeof(*room), from);
	if (len)
		*buf = (unsigned char *)room;
	else
		free(room);
	return len;
}

/* The machine has no other netlink. */
static bool has_netlink(int protocol)
{
	return protocol == NETLINK_RDMA && !machine.no_netlink;
}

int nl_connect(struct nl_sock *sock, int protocol)
{
	struct nl_cb *cb;

	if (!has_netlink(protocol))
		return -NLE_PROTO_MISMATCH;
	cb = nl_socket_get_cb(sock);
	nl_cb_overwrite_recv(cb, on_receive);
	nl_cb_overwrite_send(cb, on_send);
	nl_cb_put(cb);
	return 0;
}

/* ... or its own. */

static int netlink_fd = -1;

int socket(int domain, int type, int protocol)
{
	if (domain != AF_NETLINK)
		return syscall(SYS_socket, domain, type, protocol);
	if (!has_netlink(protocol)) {
		errno = EPROTONOSUPPORT;
		return -1;
	}
	/* Some descriptor that nobody else has */
	netlink_fd = syscall(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return netlink_fd;
}

ssize_t send(int fd, const void *data, size_t len, int flags)
{
	if (fd != netlink_fd)
		return syscall(SYS_sendto, fd, data, len, flags, NULL, 0);
	on_question(data);
	return len;
}

ssize_t recvfrom(int fd, void *buf, size_t room, int flags,
		 struct sockaddr *addr, socklen_t *addr_len)
{
	struct sockaddr_nl from;
	size_t len;

	if (fd != netlink_fd)
		return syscall(SYS_recvfrom, fd, buf, room, flags, addr,
			       addr_len);
	len = take_answer(buf, room, &from);
	CHECK(addr && *addr_len >= sizeof(from));
	memcpy(addr, &from, sizeof(from));
	*addr_len = sizeof(from);
	return len;
}

/* A plug-in asks for its neighbour's address: there is a neighbour. */
int ibv_resolve_eth_l2_from_gid(struct ibv_context *context,
				struct ibv_ah_attr *attr, uint8_t mac[6],
				uint16_t *vid)
{
	static const uint8_t neighbour[6] = { 2, 0, 0, 0, 0, 1 };

	(void)context;
	(void)attr;
	memcpy(mac, neighbour, sizeof(neighbour));
	if (vid)
		*vid = 0;
	return 0;
}
