// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * How two ping-pongs find each other: TCP, and addresses as text.  Whatever
 * arrives is checked here.
 */
#include <endian.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pingpong.h"

/* "0007:000011:abcdef:" and a GID; the zero byte travels, too */
#define ADDRESS_TEXT (4 + 1 + 6 + 1 + 6 + 1 + PINGPONG_GID_TEXT)
#define DONE "done"
/*
 * An SRQ ping-pong always tells of so many QPs; those that are not there have
 * zeros.
 */
#define SRQ_ADDRESSES 256

void pingpong_gid_to_text(const union ibv_gid *gid,
			  char text[PINGPONG_GID_TEXT])
{
	size_t i;

	for (i = 0; i < sizeof(gid->raw); i++)
		sprintf(text + 2 * i, "%02x", gid->raw[i]);
}

int pingpong_gid_from_text(const char *text, union ibv_gid *gid)
{
	size_t i;

	if (strspn(text, "0123456789abcdefABCDEF") < 2 * sizeof(gid->raw))
		return -1;
	for (i = 0; i < sizeof(gid->raw); i++)
		if (sscanf(text + 2 * i, "%2hhx", &gid->raw[i]) != 1)
			return -1;
	return 0;
}

uint32_t pingpong_random_psn(void)
{
	uint32_t psn;

	if (getrandom(&psn, sizeof(psn), GRND_NONBLOCK) != sizeof(psn))
		psn = (uint32_t)getpid() * 2654435761u;
	return psn & 0xffffff;
}

static void to_text(const struct pingpong_address *address,
		    char text[ADDRESS_TEXT])
{
	int len = sprintf(text, "%04x:%06x:%06x:", address->lid & 0xffff,
			  address->qpn & 0xffffff, address->psn & 0xffffff);

	pingpong_gid_to_text(&address->gid, text + len);
}

static int from_text(const char text[ADDRESS_TEXT],
		     struct pingpong_address *address)
{
	char copy[ADDRESS_TEXT];
	int gid_at = 0;

	memcpy(copy, text, sizeof(copy));
	copy[sizeof(copy) - 1] = 0;
	if (sscanf(copy, "%x:%x:%x:%n", &address->lid, &address->qpn,
		   &address->psn, &gid_at) != 3 ||
	    !gid_at || address->lid > 0xffff || address->qpn > 0xffffff ||
	    address->psn > 0xffffff)
		return -1;
	return pingpong_gid_from_text(copy + gid_at, &address->gid);
}

int pingpong_write(int sock, const void *buf, size_t len)
{
	const char *pos = buf;

	while (len) {
		ssize_t n = send(sock, pos, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		pos += n;
		len -= n;
	}
	return 0;
}

int pingpong_read(int sock, void *buf, size_t len)
{
	char *pos = buf;

	while (len) {
		ssize_t n = recv(sock, pos, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (!n)
			errno = ECONNRESET;
		if (n <= 0)
			return -1;
		pos += n;
		len -= n;
	}
	return 0;
}

/* NULL, after a message that names host if there is one */
static struct addrinfo *resolve(const char *host, unsigned int port)
{
	struct addrinfo hints = {
		.ai_flags = host ? 0 : AI_PASSIVE,
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *list;
	char service[12];
	int err;

	snprintf(service, sizeof(service), "%u", port);
	err = getaddrinfo(host, service, &hints, &list);
	if (!err)
		return list;
	if (host)
		fprintf(stderr, "%s for %s:%u\n", gai_strerror(err), host,
			port);
	else
		fprintf(stderr, "%s for port %u\n", gai_strerror(err), port);
	return NULL;
}

int pingpong_dial(const char *host, unsigned int port)
{
	struct addrinfo *list = resolve(host, port);
	struct addrinfo *one;
	int sock = -1;

	if (!list)
		return -1;
	for (one = list; one; one = one->ai_next) {
		sock = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC,
			      one->ai_protocol);
		if (sock < 0)
			continue;
		if (!connect(sock, one->ai_addr, one->ai_addrlen))
			break;
		close(sock);
		sock = -1;
	}
	freeaddrinfo(list);
	if (sock < 0)
		fprintf(stderr, "Couldn't connect to %s:%u\n", host, port);
	return sock;
}

int pingpong_listen(unsigned int port)
{
	struct addrinfo *list = resolve(NULL, port);
	struct addrinfo *one;
	int yes = 1;
	int sock = -1;

	if (!list)
		return -1;
	for (one = list; one; one = one->ai_next) {
		sock = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC,
			      one->ai_protocol);
		if (sock < 0)
			continue;
		setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		if (!bind(sock, one->ai_addr, one->ai_addrlen) &&
		    !listen(sock, 1))
			break;
		close(sock);
		sock = -1;
	}
	freeaddrinfo(list);
	if (sock < 0)
		fprintf(stderr, "Couldn't listen to port %u\n", port);
	return sock;
}

static int addresses(const struct pingpong *pp)
{
	return pp->kind->srq ? SRQ_ADDRESSES : 1;
}

static int send_addresses(const struct pingpong *pp, int sock)
{
	static const struct pingpong_address none;
	char text[ADDRESS_TEXT];
	int i;

	for (i = 0; i < addresses(pp); i++) {
		to_text(i < pp->opt.num_qp ? &pp->qps[i].local : &none, text);
		if (pingpong_write(sock, text, sizeof(text)))
			return -1;
	}
	return 0;
}

/* *failed: which one; without a message, but errno */
static int receive_addresses(struct pingpong *pp, int sock, int *failed)
{
	struct pingpong_address unused;
	char text[ADDRESS_TEXT];
	int i;

	for (i = 0; i < addresses(pp); i++) {
		*failed = i;
		if (pingpong_read(sock, text, sizeof(text)))
			return -1;
		if (from_text(text, i < pp->opt.num_qp ? &pp->qps[i].remote
						       : &unused)) {
			errno = EPROTO;
			return -1;
		}
	}
	return 0;
}

static int exchange_as_client(struct pingpong *pp)
{
	int sock = pingpong_dial(pp->opt.host, pp->opt.tcp_port);
	int err = -1;
	int failed;

	if (sock < 0)
		return -1;
	if (send_addresses(pp, sock)) {
		fprintf(stderr, "Couldn't send local address\n");
	} else if (receive_addresses(pp, sock, &failed)) {
		perror(pp->kind->srq ? "client read" : "client read/write");
		if (pp->kind->srq)
			fprintf(stderr, "Couldn't read remote address [%d]\n",
				failed);
		else
			fprintf(stderr, "Couldn't read/write remote address\n");
	} else if (pingpong_write(sock, DONE, sizeof(DONE))) {
		perror(pp->kind->srq ? "client write" : "client read/write");
		if (!pp->kind->srq)
			fprintf(stderr, "Couldn't read/write remote address\n");
	} else {
		err = 0;
	}
	close(sock);
	return err;
}

static int accept_one(unsigned int port)
{
	int listener = pingpong_listen(port);
	int sock;

	if (listener < 0)
		return -1;
	sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	close(listener);
	if (sock < 0)
		fprintf(stderr, "accept() failed\n");
	return sock;
}

static int connect_all(struct pingpong *pp)
{
	int i;

	for (i = 0; i < pp->opt.num_qp; i++)
		if (pp->kind->connect(pp, i))
			return -1;
	return 0;
}

static int exchange_as_server(struct pingpong *pp)
{
	int sock = accept_one(pp->opt.tcp_port);
	char done[sizeof(DONE)];
	int err = -1;
	int failed;

	if (sock < 0)
		return -1;
	if (receive_addresses(pp, sock, &failed)) {
		perror("server read");
		if (pp->kind->srq)
			fprintf(stderr, "Couldn't read remote address [%d]\n",
				failed);
		else
			fprintf(stderr, "Couldn't read remote address\n");
	} else if (connect_all(pp)) {
		fprintf(stderr, "Couldn't connect to remote QP\n");
	} else if (send_addresses(pp, sock) ||
		   pingpong_read(sock, done, sizeof(done))) {
		/* With "done" the client says that it has our address. */
		fprintf(stderr, "Couldn't send/recv local address\n");
	} else {
		err = 0;
	}
	close(sock);
	return err;
}

int pingpong_exchange(struct pingpong *pp)
{
	return pp->opt.host ? exchange_as_client(pp) : exchange_as_server(pp);
}
