// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A kernel behind netlink sockets: see the header. */
#include "netlink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sanitizer/asan_interface.h>

#include <netlink/handlers.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "fuzz.h"

#define ROOM 2048

size_t (*netlink_reply)(struct nlmsghdr *message, size_t room, int question);

/* The last question */
static uint32_t sequence;
static uint32_t port;
static int question;
static unsigned int replies;

int __wrap_nl_connect(struct nl_sock *sock, int protocol);
int __wrap_nl_socket_add_membership(struct nl_sock *sock, int group);
int __wrap_nl_socket_set_nonblocking(const struct nl_sock *sock);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_socket(int domain, int type, int protocol);
ssize_t __wrap_send(int fd, const void *data, size_t size, int flags);
ssize_t __wrap_recvfrom(int fd, void *to, size_t room, int flags,
			struct sockaddr *from, socklen_t *length);
ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags,
		      const struct sockaddr *to, socklen_t length);

size_t netlink_message(struct nlmsghdr *message, size_t room, int type,
		       size_t header, unsigned int types)
{
	size_t used = NLMSG_HDRLEN + NLMSG_ALIGN(header);
	uint8_t *bytes = (uint8_t *)message;

	memset(message, 0, room);
	message->nlmsg_type = type;
	fuzz_bytes(bytes + NLMSG_HDRLEN, header);
	for (unsigned int left = fuzz_below(12); left; left--) {
		struct nlattr attr = { .nla_type = fuzz_u8() % types };
		/* Most have a length that some attribute has. */
		uint8_t choice = fuzz_u8();
		size_t length =
			choice < 0xc0 ? (choice & 0x1f) : fuzz_below(256);

		if (used + NLA_HDRLEN + NLA_ALIGN(length) > room)
			break;
		attr.nla_len = NLA_HDRLEN + length;
		/* ... and some lie about it. */
		if (choice >= 0xf0)
			attr.nla_len = fuzz_u16();
		memcpy(bytes + used, &attr, sizeof(attr));
		fuzz_bytes(bytes + used + NLA_HDRLEN, length);
		used += NLA_HDRLEN + NLA_ALIGN(length);
	}
	message->nlmsg_len = used;
	return used;
}

/* ---- a kernel that is asked, and answers ---- */

static void on_question(const struct nlmsghdr *hdr)
{
	static unsigned int sum;

	for (size_t i = 0; i < hdr->nlmsg_len; i++)
		sum += ((const uint8_t *)hdr)[i];
	__asm__ volatile("" : : "r"(sum));
	sequence = hdr->nlmsg_seq;
	port = hdr->nlmsg_pid;
	question = hdr->nlmsg_type;
	replies = 0;
}

/* One datagram of up to ROOM bytes; 0: none */
static size_t answer(struct nlmsghdr *message, struct sockaddr_nl *from)
{
	uint8_t how = fuzz_u8();
	size_t size;

	memset(from, 0, sizeof(*from));
	from->nl_family = AF_NETLINK;
	if (replies++ == 8 || !fuzz_left())
		return 0;
	switch (how & 7) {
	case 0:
		size = netlink_message(message, ROOM, NLMSG_DONE, 4, 1);
		break;
	case 1:
		size = netlink_message(message, ROOM, NLMSG_ERROR, 20, 1);
		break;
	case 2:
		/* Somebody else, or no message at all */
		from->nl_pid = fuzz_u8();
		size = 1 + fuzz_below(ROOM - 1);
		memset(message, 0, ROOM);
		fuzz_bytes(message, size < 64 ? size : 64);
		return size;
	default:
		size = netlink_reply(message, ROOM, question);
	}
	message->nlmsg_seq = sequence;
	message->nlmsg_pid = port;
	if (how & 8)
		message->nlmsg_flags |= NLM_F_MULTI;
	if (how & 16)
		message->nlmsg_flags |= fuzz_u16();
	if ((how & 0xe0) == 0xe0)
		message->nlmsg_len = fuzz_number();
	return size;
}

/* ---- in the place of libnl's socket ---- */

static int on_send(struct nl_sock *sock, struct nl_msg *msg)
{
	struct nlmsghdr *hdr = nlmsg_hdr(msg);

	on_question(hdr);
	port = nl_socket_get_local_port(sock);
	return hdr->nlmsg_len;
}

static int on_receive(struct nl_sock *sock, struct sockaddr_nl *from,
		      unsigned char **to, struct ucred **creds)
{
	struct nlmsghdr *message = malloc(ROOM);
	size_t size;

	(void)sock;
	(void)creds;
	fuzz_check(message, "no memory");
	size = answer(message, from);
	if (!size) {
		free(message);
		return 0;
	}
	/* In memory of just that size */
	*to = realloc(message, size);
	fuzz_check(*to, "no memory");
	return size;
}

/* ---- in the place of the library's own ---- */

int __wrap_socket(int domain, int type, int protocol)
{
	(void)domain;
	(void)type;
	(void)protocol;
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

ssize_t __wrap_send(int fd, const void *data, size_t size, int flags)
{
	(void)fd;
	(void)flags;
	on_question(data);
	return size;
}

/* Sometimes longer than there is room for */
ssize_t __wrap_recvfrom(int fd, void *to, size_t room, int flags,
			struct sockaddr *from, socklen_t *length)
{
	uint64_t message[ROOM / sizeof(uint64_t)];
	size_t size =
		answer((struct nlmsghdr *)message, (struct sockaddr_nl *)from);

	(void)fd;
	(void)flags;
	*length = sizeof(struct sockaddr_nl);
	/* It may be the second datagram into the same memory. */
	ASAN_UNPOISON_MEMORY_REGION(to, room);
	memcpy(to, message, size);
	if (size && fuzz_u8() == 0xff) {
		memset((char *)to + size, 0, room - size);
		return room + 1;
	}
	/* What is behind it is not to be looked at. */
	ASAN_POISON_MEMORY_REGION((char *)to + size, room - size);
	return size;
}

int __wrap_nl_connect(struct nl_sock *sock, int protocol)
{
	struct nl_cb *cb = nl_socket_get_cb(sock);

	(void)protocol;
	nl_cb_overwrite_send(cb, on_send);
	nl_cb_overwrite_recv(cb, on_receive);
	nl_cb_put(cb);
	return 0;
}

int __wrap_nl_socket_add_membership(struct nl_sock *sock, int group)
{
	(void)sock;
	(void)group;
	return 0;
}

int __wrap_nl_socket_set_nonblocking(const struct nl_sock *sock)
{
	(void)sock;
	return 0;
}

/* Events come at once, or never. */
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	(void)timeout;
	for (nfds_t i = 0; i < count; i++)
		fds[i].revents = POLLIN;
	return fuzz_left() ? (int)count : 0;
}

ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags,
		      const struct sockaddr *to, socklen_t length)
{
	(void)fd;
	(void)data;
	(void)flags;
	(void)to;
	(void)length;
	return size;
}
