// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The messages of ibv_share_pingpong.  Whatever arrives is checked here, so
 * that the roles see nothing but complete messages with values in range; every
 * wait ends.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "share_pingpong.h"

/* Waits for events on fd up to the deadline: 0, or -1 after a message. */
static int wait_until(int fd, short events, uint64_t deadline)
{
	struct pollfd pfd = { .fd = fd, .events = events };
	uint64_t now;
	int n;

	for (;;) {
		now = pp_now_ns();
		if (now >= deadline)
			return pp_fail(ETIMEDOUT, "the other process");
		n = poll(&pfd, 1, (deadline - now) / 1000000 + 1);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return pp_fail(errno, "poll");
	}
}

static uint64_t deadline_in(int timeout_ms)
{
	return pp_now_ns() + (uint64_t)timeout_ms * 1000000;
}

static int send_all(int sock, const void *buf, size_t len, int timeout_ms)
{
	uint64_t deadline = deadline_in(timeout_ms);
	const char *pos = buf;

	while (len) {
		ssize_t n = send(sock, pos, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n >= 0) {
			pos += n;
			len -= n;
		} else if (errno == EAGAIN) {
			if (wait_until(sock, POLLOUT, deadline))
				return -1;
		} else if (errno != EINTR) {
			return pp_fail(errno, "cannot send a message");
		}
	}
	return 0;
}

/* 0; 1: closed before the first byte; -1 after a message */
static int recv_all(int sock, void *buf, size_t len, int timeout_ms)
{
	uint64_t deadline = deadline_in(timeout_ms);
	size_t have = 0;

	while (have < len) {
		ssize_t n = recv(sock, (char *)buf + have, len - have,
				 MSG_DONTWAIT);

		if (n > 0) {
			have += n;
		} else if (!n) {
			if (!have)
				return 1;
			return pp_fail(0, "a message ends in the middle");
		} else if (errno == EAGAIN) {
			if (wait_until(sock, POLLIN, deadline))
				return -1;
		} else if (errno != EINTR) {
			return pp_fail(errno, "cannot receive a message");
		}
	}
	return 0;
}

/* ---- owner and worker ---- */

static int unix_address(const char *path, struct sockaddr_un *addr)
{
	memset(addr, 0, sizeof(*addr));
	addr->sun_family = AF_UNIX;
	if (strlen(path) >= sizeof(addr->sun_path))
		return pp_fail(ENAMETOOLONG, "%s", path);
	strcpy(addr->sun_path, path);
	return 0;
}

int pp_unix_listen(const char *path)
{
	struct sockaddr_un addr;
	mode_t mask;
	int sock, ret;

	if (unix_address(path, &addr))
		return -1;
	sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		      0);
	if (sock < 0)
		return pp_fail(errno, "socket");
	/* Who may connect gets the descriptor, and with it the objects. */
	mask = umask(0177);
	ret = bind(sock, (struct sockaddr *)&addr, sizeof(addr));
	umask(mask);
	if (ret) {
		pp_fail(errno, "cannot make socket %s", path);
	} else if (listen(sock, PP_MAX_WORKERS)) {
		pp_fail(errno, "cannot listen on %s", path);
		unlink(path);
	} else {
		return sock;
	}
	close(sock);
	return -1;
}

int pp_unix_connect(const char *path, int timeout_ms)
{
	uint64_t deadline = deadline_in(timeout_ms);
	struct sockaddr_un addr;
	int sock, err;

	if (unix_address(path, &addr))
		return -1;
	sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		      0);
	if (sock < 0)
		return pp_fail(errno, "socket");
	while (connect(sock, (struct sockaddr *)&addr, sizeof(addr))) {
		err = errno;
		/* EAGAIN: the listener's queue is full, of which no event tells
		 */
		if (err == EINTR)
			continue;
		if (err != EAGAIN || pp_now_ns() >= deadline) {
			close(sock);
			return pp_fail(err, "cannot connect to owner at %s",
				       path);
		}
		usleep(10000);
	}
	return sock;
}

int pp_send_offer(int sock, const struct pp_offer *offer,
		  const int fds[PP_OFFER_FDS], int timeout_ms)
{
	union {
		char buf[CMSG_SPACE(PP_OFFER_FDS * sizeof(int))];
		struct cmsghdr align;
	} control = { .buf = { 0 } };
	struct iovec iov = { .iov_base = (void *)offer,
			     .iov_len = sizeof(*offer) };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	uint64_t deadline = deadline_in(timeout_ms);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(PP_OFFER_FDS * sizeof(int));
	memcpy(CMSG_DATA(cmsg), fds, PP_OFFER_FDS * sizeof(int));
	while (sendmsg(sock, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		if (errno == EAGAIN) {
			if (wait_until(sock, POLLOUT, deadline))
				return -1;
		} else if (errno != EINTR) {
			return pp_fail(errno, "cannot send the offer");
		}
	}
	return 0;
}

/* However many descriptors came, none may stay open unseen. */
static int take_fds(struct msghdr *msg, int fds[PP_OFFER_FDS])
{
	struct cmsghdr *cmsg;
	size_t i, n, have = 0;

	for (cmsg = CMSG_FIRSTHDR(msg); cmsg; cmsg = CMSG_NXTHDR(msg, cmsg)) {
		if (cmsg->cmsg_level != SOL_SOCKET ||
		    cmsg->cmsg_type != SCM_RIGHTS)
			continue;
		n = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(int),
			       sizeof(fd));
			if (have < PP_OFFER_FDS)
				fds[have] = fd;
			else
				close(fd);
			have++;
		}
	}
	return have == PP_OFFER_FDS ? 0 : -1;
}

static void close_fds(int fds[PP_OFFER_FDS])
{
	int i;

	for (i = 0; i < PP_OFFER_FDS; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

static bool offer_ok(const struct pp_offer *offer)
{
	return offer->magic == PP_OFFER_MAGIC && offer->version == PP_VERSION &&
	       offer->slots && offer->slots <= PP_MAX_WORKERS &&
	       offer->slot < offer->slots && offer->region &&
	       offer->region <= SIZE_MAX / 2 &&
	       offer->iova <= UINT64_MAX - offer->region;
}

/* The memory must be as large as told and stay so: SIGBUS otherwise. */
static int check_memory(int fd, uint64_t region)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;

	if (seals < 0 || !(seals & F_SEAL_SHRINK))
		return pp_fail(0, "the owner's memory is no sealed memfd");
	if (fstat(fd, &st))
		return pp_fail(errno, "the owner's memory");
	if (st.st_size < 0 || (uint64_t)st.st_size < region)
		return pp_fail(0, "the owner's memory is shorter than told");
	return 0;
}

int pp_recv_offer(int sock, struct pp_offer *offer, int fds[PP_OFFER_FDS],
		  int timeout_ms)
{
	union {
		/* Room for more than there should be, to see that and close it
		 */
		char buf[CMSG_SPACE(16 * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = offer, .iov_len = sizeof(*offer) };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };
	uint64_t deadline = deadline_in(timeout_ms);
	ssize_t n;
	int ret;

	fds[PP_OFFER_CONTEXT] = fds[PP_OFFER_MEMORY] = -1;
	do {
		if (wait_until(sock, POLLIN, deadline))
			return -1;
		n = recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n < 0)
		return pp_fail(errno, "cannot receive the offer");
	ret = take_fds(&msg, fds);
	if (!n) {
		/* An empty message is no end, and may bring some too. */
		close_fds(fds);
		return pp_fail(0, "the owner has no room for one more worker");
	}
	if (ret || n != sizeof(*offer) ||
	    (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) || !offer_ok(offer))
		ret = pp_fail(0, "the owner's offer makes no sense");
	if (!ret)
		ret = check_memory(fds[PP_OFFER_MEMORY], offer->region);
	if (ret)
		close_fds(fds);
	return ret;
}

/* ---- worker and peer ---- */

int pp_tcp_listen(uint16_t *port)
{
	struct sockaddr_in6 addr = { .sin6_family = AF_INET6,
				     .sin6_port = htons(*port),
				     .sin6_addr = IN6ADDR_ANY_INIT };
	struct sockaddr_in addr4 = { .sin_family = AF_INET,
				     .sin_port = htons(*port) };
	socklen_t len;
	int sock, on = 1, off = 0, ret;

	sock = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (sock >= 0) {
		setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		setsockopt(sock, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
		len = sizeof(addr);
		ret = bind(sock, (struct sockaddr *)&addr, len) ||
		      listen(sock, 1) ||
		      getsockname(sock, (struct sockaddr *)&addr, &len);
		if (!ret)
			*port = ntohs(addr.sin6_port);
	} else {
		/* a kernel without IPv6 */
		sock = socket(AF_INET,
			      SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (sock < 0)
			return pp_fail(errno, "socket");
		setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		len = sizeof(addr4);
		ret = bind(sock, (struct sockaddr *)&addr4, len) ||
		      listen(sock, 1) ||
		      getsockname(sock, (struct sockaddr *)&addr4, &len);
		if (!ret)
			*port = ntohs(addr4.sin_port);
	}
	if (!ret)
		return sock;
	pp_fail(errno, "cannot listen on TCP port %u", *port);
	close(sock);
	return -1;
}

int pp_tcp_accept(int listener, int timeout_ms)
{
	uint64_t deadline = deadline_in(timeout_ms);
	int sock, on = 1;

	do {
		if (wait_until(listener, POLLIN, deadline))
			return -1;
		sock = accept4(listener, NULL, NULL,
			       SOCK_CLOEXEC | SOCK_NONBLOCK);
	} while (sock < 0 &&
		 (errno == EINTR || errno == EAGAIN || errno == ECONNABORTED));
	if (sock < 0)
		return pp_fail(errno, "accept");
	setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return sock;
}

/* 0, or the errno value of the attempt */
static int finish_connect(int sock, uint64_t deadline)
{
	socklen_t len = sizeof(int);
	int err = 0;

	if (wait_until(sock, POLLOUT, deadline))
		return ETIMEDOUT;
	if (getsockopt(sock, SOL_SOCKET, SO_ERROR, &err, &len))
		return errno;
	return err;
}

int pp_tcp_connect(const char *host, uint16_t port, int timeout_ms)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	uint64_t deadline = deadline_in(timeout_ms);
	struct addrinfo *list, *ai;
	char service[8];
	int sock = -1, err = 0, on = 1, n;

	snprintf(service, sizeof(service), "%u", port);
	n = getaddrinfo(host, service, &hints, &list);
	if (n)
		return pp_fail(0, "%s: %s", host, gai_strerror(n));
	for (ai = list; ai; ai = ai->ai_next) {
		sock = socket(ai->ai_family,
			      ai->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
			      ai->ai_protocol);
		if (sock < 0) {
			err = errno;
			continue;
		}
		err = connect(sock, ai->ai_addr, ai->ai_addrlen) ? errno : 0;
		if (err == EINPROGRESS)
			err = finish_connect(sock, deadline);
		if (!err)
			break;
		close(sock);
		sock = -1;
	}
	freeaddrinfo(list);
	if (sock < 0)
		return pp_fail(err, "cannot connect to peer at %s port %u",
			       host, port);
	setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return sock;
}

/* The hosts may differ in byte order. */
struct wire_hello {
	uint32_t magic;
	uint32_t version;
	uint32_t lid, qpn, psn;
	uint32_t worker, size, iters;
	uint32_t rkey;
	uint32_t reserved;
	uint64_t out, in, windows, stride;
	uint8_t gid[16];
};

#define HELLO_MAGIC 0x53504845u

int pp_send_hello(int sock, const struct pp_hello *hello, int timeout_ms)
{
	struct wire_hello wire = {
		.magic = htobe32(HELLO_MAGIC),
		.version = htobe32(PP_VERSION),
		.lid = htobe32(hello->address.lid),
		.qpn = htobe32(hello->address.qpn),
		.psn = htobe32(hello->address.psn),
		.worker = htobe32(hello->worker),
		.size = htobe32(hello->size),
		.iters = htobe32(hello->iters),
		.rkey = htobe32(hello->rkey),
		.out = htobe64(hello->out),
		.in = htobe64(hello->in),
		.windows = htobe64(hello->windows),
		.stride = htobe64(hello->stride),
	};

	memcpy(wire.gid, hello->address.gid.raw, sizeof(wire.gid));
	return send_all(sock, &wire, sizeof(wire), timeout_ms);
}

static bool windows_ok(uint64_t start, const struct pp_hello *hello)
{
	return hello->windows <= (UINT64_MAX - start) / hello->size;
}

static bool hello_ok(const struct pp_hello *hello)
{
	return hello->address.lid <= 0xffff && hello->address.qpn <= 0xffffff &&
	       hello->address.psn <= 0xffffff && hello->size &&
	       hello->size <= PP_MAX_SIZE && hello->iters &&
	       hello->iters <= PP_MAX_ITERS && hello->worker < PP_MAX_WORKERS &&
	       hello->windows && hello->stride &&
	       hello->stride <= hello->windows &&
	       windows_ok(hello->out, hello) && windows_ok(hello->in, hello);
}

int pp_recv_hello(int sock, struct pp_hello *hello, int timeout_ms)
{
	struct wire_hello wire;
	int ret = recv_all(sock, &wire, sizeof(wire), timeout_ms);

	if (ret > 0)
		return pp_fail(0, "the other end has hung up");
	if (ret)
		return -1;
	if (be32toh(wire.magic) != HELLO_MAGIC ||
	    be32toh(wire.version) != PP_VERSION)
		return pp_fail(0, "the other end is another program");
	*hello = (struct pp_hello){
		.address = { .lid = be32toh(wire.lid),
			     .qpn = be32toh(wire.qpn),
			     .psn = be32toh(wire.psn) },
		.worker = be32toh(wire.worker),
		.size = be32toh(wire.size),
		.iters = be32toh(wire.iters),
		.rkey = be32toh(wire.rkey),
		.out = be64toh(wire.out),
		.in = be64toh(wire.in),
		.windows = be64toh(wire.windows),
		.stride = be64toh(wire.stride),
	};
	memcpy(hello->address.gid.raw, wire.gid, sizeof(wire.gid));
	return hello_ok(hello) ? 0 : pp_fail(0, "address out of range");
}

struct wire_turn {
	uint32_t kind;
	uint32_t round;
	uint64_t verified;
};

int pp_send_turn(int sock, const struct pp_turn *turn, int timeout_ms)
{
	struct wire_turn wire = { .kind = htobe32(turn->kind),
				  .round = htobe32(turn->round),
				  .verified = htobe64(turn->verified) };

	return send_all(sock, &wire, sizeof(wire), timeout_ms);
}

int pp_recv_turn(int sock, struct pp_turn *turn, int timeout_ms)
{
	struct wire_turn wire;
	int ret = recv_all(sock, &wire, sizeof(wire), timeout_ms);

	if (ret)
		return ret;
	turn->kind = be32toh(wire.kind);
	turn->round = be32toh(wire.round);
	turn->verified = be64toh(wire.verified);
	if (turn->kind < PP_TURN_START || turn->kind > PP_TURN_RESULT)
		return pp_fail(0, "message of unknown kind %u", turn->kind);
	return 0;
}

/* ---- coordinator and children ---- */

int pp_send_report(int fd, const struct pp_report *report)
{
	if (fd < 0)
		return 0;
	if (send(fd, report, sizeof(*report), MSG_NOSIGNAL) != sizeof(*report))
		return pp_fail(errno, "cannot report");
	return 0;
}

int pp_recv_report(int fd, struct pp_report *report, int timeout_ms)
{
	uint64_t deadline = deadline_in(timeout_ms);
	ssize_t n;

	do {
		if (wait_until(fd, POLLIN, deadline))
			return -1;
		/* MSG_TRUNC: the length of the message, not of what fitted */
		n = recv(fd, report, sizeof(*report), MSG_DONTWAIT | MSG_TRUNC);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n < 0)
		return pp_fail(errno, "cannot receive a report");
	if (!n)
		return pp_fail(0, "a process of the demo has ended early");
	if (n != sizeof(*report) || report->kind < PP_REPORT_OWNER ||
	    report->kind > PP_REPORT_LEAVE)
		return pp_fail(0, "a report that makes no sense");
	return 0;
}
