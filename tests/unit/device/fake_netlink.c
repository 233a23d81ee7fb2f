// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A kernel at the other end of the library's RDMA netlink sockets. */
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "alloc_fail.h"
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

int __wrap_socket(int domain, int type, int protocol);
ssize_t __wrap_send(int fd, const void *data, size_t len, int flags);
ssize_t __wrap_recvfrom(int fd, void *buf, size_t room, int flags,
			struct sockaddr *addr, socklen_t *addr_len);

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

ssize_t __wrap_send(int fd, const void *data, size_t len, int flags)
{
	(void)fd;
	(void)flags;
	if (num_requests == MAX_REQUESTS || len > MESSAGE_ROOM)
		abort();
	memcpy(&requests[num_requests++], data, len);
	/* What is left of the last answer stays in the socket. */
	return len;
}

ssize_t __wrap_recvfrom(int fd, void *buf, size_t room, int flags,
			struct sockaddr *addr, socklen_t *addr_len)
{
	struct sockaddr_nl *from = (struct sockaddr_nl *)addr;
	struct answer *answer;
	size_t copied;

	(void)fd;
	if (*addr_len < sizeof(*from) || flags != MSG_TRUNC)
		abort();
	if (next_answer == num_answers ||
	    answers[next_answer].request >= num_requests) {
		fake_answer_error(EINVAL);
		answers[num_answers - 1].request = num_requests - 1;
		next_answer = num_answers - 1;
	}
	answer = &answers[next_answer++];
	answer->msg.hdr.nlmsg_seq = requests[answer->request].hdr.nlmsg_seq;
	answer->msg.hdr.nlmsg_pid = requests[answer->request].hdr.nlmsg_pid;

	*addr_len = sizeof(*from);
	*from = (struct sockaddr_nl){
		.nl_family = AF_NETLINK,
		.nl_pid = answer->pid,
	};
	/* libnl frees it. */
	alloc_given_away(buf);
	copied = answer->len < sizeof(answer->msg) ? answer->len
						   : sizeof(answer->msg);
	memcpy(buf, &answer->msg, copied < room ? copied : room);
	return answer->len;
}

int __wrap_socket(int domain, int type, int protocol)
{
	if (domain != AF_NETLINK || type != (SOCK_RAW | SOCK_CLOEXEC) ||
	    protocol != NETLINK_RDMA)
		abort();
	if (no_netlink) {
		errno = EPROTONOSUPPORT;
		return -1;
	}
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}
