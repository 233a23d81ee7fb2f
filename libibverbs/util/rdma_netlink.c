// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Questions to the kernel's RDMA core by netlink. */
#include <errno.h>
#include <string.h>

#include "util/rdma_netlink.h"

struct ask {
	int (*reply)(struct nlmsghdr *hdr, void *arg);
	void *arg;
	int result;
	bool complete;
};

struct nl_sock *rdma_nl_open(void)
{
	struct nl_sock *sock = nl_socket_alloc();

	if (!sock)
		return NULL;
	nl_socket_disable_auto_ack(sock);
	/* Replies fit into the default buffer: spare a call for each. */
	nl_socket_disable_msg_peek(sock);
	if (nl_connect(sock, NETLINK_RDMA)) {
		nl_socket_free(sock);
		return NULL;
	}
	return sock;
}

struct nl_msg *rdma_nl_request(int command, int flags)
{
	return nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
				  NLM_F_REQUEST | flags);
}

static int on_reply(struct nl_msg *msg, void *arg)
{
	struct ask *ask = arg;

	/*
	 * After a non-zero result the rest is read but not looked at, so that
	 * the socket can be used for the next question.
	 */
	if (nlmsg_get_src(msg)->nl_pid != 0)
		return NL_SKIP;
	if (!ask->result)
		ask->result = ask->reply(nlmsg_hdr(msg), ask->arg);
	if (!(nlmsg_hdr(msg)->nlmsg_flags & NLM_F_MULTI))
		ask->complete = true;
	return NL_OK;
}

static int on_finish(struct nl_msg *msg __attribute__((unused)), void *arg)
{
	struct ask *ask = arg;

	ask->complete = true;
	return NL_OK;
}

int rdma_nl_ask(struct nl_sock *sock, struct nl_msg *request,
		int (*reply)(struct nlmsghdr *hdr, void *arg), void *arg)
{
	struct ask ask = { .reply = reply, .arg = arg };
	int ret;

	if (!request)
		return EIO;
	ret = nl_send_auto(sock, request);
	nlmsg_free(request);
	if (ret < 0 ||
	    nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, on_reply,
				&ask) ||
	    nl_socket_modify_cb(sock, NL_CB_FINISH, NL_CB_CUSTOM, on_finish,
				&ask))
		return EIO;
	/* Success also means that something was read that was no message. */
	if (nl_recvmsgs_default(sock) || !ask.complete)
		return EIO;
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
