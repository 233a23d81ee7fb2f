// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Questions to the kernel's RDMA core by netlink.
 *
 * libnl takes messages apart, but the socket is ours: nl_connect() makes five
 * more system calls, for buffers no larger than the kernel gives by itself and
 * for an address that nobody sends to.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/rdma_netlink.h"

/* As much as libnl has; the kernel makes no longer datagrams for that reader. */
#define DATAGRAM_MAX 16384
/* Attributes of the longest request */
#define REQUEST_ROOM 64

struct ask {
	int (*reply)(struct nlmsghdr *hdr, void *arg);
	void *arg;
	int result;
	bool complete;
	bool refused;
};

/* What rdma_nl_ask() of this thread asks: libnl hands its own socket on only. */
static _Thread_local struct {
	int fd;
	uint32_t seq;
} asked;

static int send_request(struct nl_sock *sock, struct nl_msg *msg)
{
	struct nlmsghdr *hdr = nlmsg_hdr(msg);

	asked.seq = nl_socket_use_seq(sock);
	hdr->nlmsg_seq = asked.seq;
	if (send(asked.fd, hdr, hdr->nlmsg_len, 0) != (ssize_t)hdr->nlmsg_len)
		return -NLE_FAILURE;
	return hdr->nlmsg_len;
}

/*
 * Other processes can send to this socket as well; and when there was no memory
 * for the answer to the last question, it is still there.
 */
static bool is_answer(const struct sockaddr_nl *from,
		      const struct nlmsghdr *hdr, size_t len)
{
	return !from->nl_pid &&
	       (len < sizeof(*hdr) || hdr->nlmsg_seq == asked.seq);
}

/* One datagram, for libnl to free */
static int receive(struct nl_sock *sock __attribute__((unused)),
		   struct sockaddr_nl *from, unsigned char **buf,
		   struct ucred **creds __attribute__((unused)))
{
	struct nlmsghdr *room = malloc(DATAGRAM_MAX);
	socklen_t from_len;
	ssize_t len;

	if (!room)
		return -NLE_NOMEM;
	do {
		from_len = sizeof(*from);
		/* The whole datagram's length, though there is less room */
		len = recvfrom(asked.fd, room, DATAGRAM_MAX, MSG_TRUNC,
			       (struct sockaddr *)from, &from_len);
	} while (len < 0 ? errno == EINTR
			 : from_len == sizeof(*from) &&
				   !is_answer(from, room, len));
	if (len <= 0 || len > DATAGRAM_MAX || from_len != sizeof(*from)) {
		free(room);
		return len ? -NLE_FAILURE : 0;
	}
	*buf = (unsigned char *)room;
	return len;
}

bool rdma_nl_open(struct rdma_nl *nl)
{
	struct nl_cb *cb;

	nl->sock = nl_socket_alloc();
	if (!nl->sock)
		return false;
	nl->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	if (nl->fd < 0) {
		nl_socket_free(nl->sock);
		return false;
	}
	nl_socket_disable_auto_ack(nl->sock);
	cb = nl_socket_get_cb(nl->sock);
	nl_cb_overwrite_send(cb, send_request);
	nl_cb_overwrite_recv(cb, receive);
	nl_cb_put(cb);
	return true;
}

void rdma_nl_close(struct rdma_nl *nl)
{
	close(nl->fd);
	nl_socket_free(nl->sock);
}

struct nl_msg *rdma_nl_request(int command, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(NLMSG_HDRLEN + REQUEST_ROOM);

	if (msg &&
	    !nlmsg_put(msg, 0, 0, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command), 0,
		       NLM_F_REQUEST | flags)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static int on_reply(struct nl_msg *msg, void *arg)
{
	struct ask *ask = arg;

	/*
	 * After a non-zero result the rest is read but not looked at, so that
	 * the socket can be used for the next question.
	 */
	if (!ask->result)
		ask->result = ask->reply(nlmsg_hdr(msg), ask->arg);
	if (!(nlmsg_hdr(msg)->nlmsg_flags & NLM_F_MULTI))
		ask->complete = true;
	return NL_OK;
}

static int on_finish(struct nl_msg *msg, void *arg)
{
	const struct nlmsghdr *hdr = nlmsg_hdr(msg);
	struct ask *ask = arg;
	int error = 0;

	/* A dump that the kernel could not end has the reason here. */
	if (nlmsg_datalen(hdr) >= (int)sizeof(error))
		memcpy(&error, nlmsg_data(hdr), sizeof(error));
	ask->complete = error >= 0;
	return NL_OK;
}

static int on_error(struct sockaddr_nl *from __attribute__((unused)),
		    struct nlmsgerr *error, void *arg)
{
	struct ask *ask = arg;

	/* Without memory the kernel may well know, but cannot tell. */
	ask->refused = error->error != -ENOMEM && error->error != -ENOBUFS;
	return NL_STOP;
}

int rdma_nl_ask(struct rdma_nl *nl, struct nl_msg *request,
		int (*reply)(struct nlmsghdr *hdr, void *arg), void *arg)
{
	struct ask ask = { .reply = reply, .arg = arg };
	int ret;

	if (!request)
		return EIO;
	asked.fd = nl->fd;
	ret = nl_send(nl->sock, request);
	nlmsg_free(request);
	if (ret < 0 ||
	    nl_socket_modify_cb(nl->sock, NL_CB_VALID, NL_CB_CUSTOM, on_reply,
				&ask) ||
	    nl_socket_modify_cb(nl->sock, NL_CB_FINISH, NL_CB_CUSTOM, on_finish,
				&ask) ||
	    nl_socket_modify_err_cb(nl->sock, NL_CB_CUSTOM, on_error, &ask))
		return EIO;
	/* Success also means that something was read that was no message. */
	if (nl_recvmsgs_default(nl->sock) || !ask.complete)
		return ask.refused ? EREMOTEIO : EIO;
	return ask.result;
}

int rdma_nl_attrs(struct nlmsghdr *hdr, struct nlattr **attrs)
{
	if (nlmsg_parse(hdr, 0, attrs, RDMA_NL_LAST_ATTR, NULL))
		return EBADMSG;
	return 0;
}

static bool get(struct nlattr **attrs, int type, void *value, size_t size)
{
	if (!attrs[type] || nla_len(attrs[type]) < (int)size)
		return false;
	/* Attributes are aligned to 4 bytes only. */
	memcpy(value, nla_data(attrs[type]), size);
	return true;
}

bool rdma_nl_u8(struct nlattr **attrs, int type, uint8_t *value)
{
	return get(attrs, type, value, sizeof(*value));
}

bool rdma_nl_u32(struct nlattr **attrs, int type, uint32_t *value)
{
	return get(attrs, type, value, sizeof(*value));
}

bool rdma_nl_u64(struct nlattr **attrs, int type, uint64_t *value)
{
	return get(attrs, type, value, sizeof(*value));
}

bool rdma_nl_string(struct nlattr **attrs, int type, char *buf, size_t size)
{
	const char *text, *end;

	if (!attrs[type])
		return false;
	text = nla_data(attrs[type]);
	end = memchr(text, '\0', nla_len(attrs[type]));
	if (!end || (size_t)(end - text) >= size)
		return false;
	memcpy(buf, text, end - text + 1);
	return true;
}
