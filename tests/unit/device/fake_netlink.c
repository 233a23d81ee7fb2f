// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A kernel at the other end of libnl's sockets. */
#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/handlers.h>
#include <netlink/netlink.h>

#include "fake_netlink.h"

#define MAX_ANSWERS 64
#define MAX_REQUESTS 16

static struct answer {
	unsigned int request;
	uint32_t pid;
	size_t len;
	struct message msg;
} answers[MAX_ANSWERS];
static unsigned int num_answers, scripted, next_answer;

static struct message requests[MAX_REQUESTS];
static unsigned int num_requests;
static bool no_netlink;

void *__real_malloc(size_t size);
int __wrap_nl_connect(struct nl_sock *sock, int protocol);

void fake_reset(void)
{
	num_answers = scripted = next_answer = num_requests = 0;
	no_netlink = false;
}

void fake_no_netlink(void)
{
	no_netlink = true;
}

void fake_answer_bytes(const struct message *msg, size_t len)
{
	if (num_answers == MAX_ANSWERS)
		abort();
	answers[num_answers++] = (struct answer){
		.request = scripted,
		.len = len,
		.msg = *msg,
	};
}

void fake_answer(const struct message *msg)
{
	fake_answer_bytes(msg, msg->hdr.nlmsg_len);
}

void fake_answer_done(void)
{
	struct message msg;

	message_init(&msg, NLMSG_DONE, NLM_F_MULTI);
	msg.hdr.nlmsg_len += sizeof(int);
	fake_answer(&msg);
}

void fake_answer_error(int err)
{
	struct message msg;
	struct nlmsgerr *body;

	message_init(&msg, NLMSG_ERROR, 0);
	body = NLMSG_DATA(&msg.hdr);
	body->error = -err;
	msg.hdr.nlmsg_len += sizeof(*body);
	fake_answer(&msg);
}

void fake_from(uint32_t pid)
{
	answers[num_answers - 1].pid = pid;
}

void fake_next_request(void)
{
	scripted++;
}

unsigned int fake_requests(void)
{
	return num_requests;
}

const struct nlmsghdr *fake_request(unsigned int n)
{
	return &requests[n].hdr;
}

static int on_send(struct nl_sock *sock, struct nl_msg *nl_msg)
{
	struct nlmsghdr *hdr = nlmsg_hdr(nl_msg);

	(void)sock;
	if (num_requests == MAX_REQUESTS || hdr->nlmsg_len > MESSAGE_ROOM)
		abort();
	memcpy(&requests[num_requests++], hdr, hdr->nlmsg_len);
	/* What is left of the last answer stays in the socket. */
	return hdr->nlmsg_len;
}

static int on_receive(struct nl_sock *sock, struct sockaddr_nl *from,
		      unsigned char **buf, struct ucred **creds)
{
	struct answer *answer;

	(void)sock;
	(void)creds;
	if (next_answer == num_answers ||
	    answers[next_answer].request >= num_requests) {
		fake_answer_error(EINVAL);
		answers[num_answers - 1].request = num_requests - 1;
		next_answer = num_answers - 1;
	}
	answer = &answers[next_answer++];
	answer->msg.hdr.nlmsg_seq = requests[answer->request].hdr.nlmsg_seq;
	answer->msg.hdr.nlmsg_pid = requests[answer->request].hdr.nlmsg_pid;

	memset(from, 0, sizeof(*from));
	from->nl_family = AF_NETLINK;
	from->nl_pid = answer->pid;
	if (!answer->len)
		return 0;
	/* libnl frees it, out of sight of alloc_fail.h. */
	*buf = __real_malloc(answer->len);
	memcpy(*buf, &answer->msg, answer->len);
	return answer->len;
}

int __wrap_nl_connect(struct nl_sock *sock, int protocol)
{
	struct nl_cb *cb = nl_socket_get_cb(sock);

	if (protocol != NETLINK_RDMA)
		abort();
	if (no_netlink) {
		nl_cb_put(cb);
		return -NLE_PROTO_MISMATCH;
	}
	nl_cb_overwrite_recv(cb, on_receive);
	nl_cb_overwrite_send(cb, on_send);
	nl_cb_put(cb);
	return 0;
}
