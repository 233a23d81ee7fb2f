// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: what another process, or another host, sends to a role of
 * ibv_share_pingpong.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"
#include "share_pingpong.h"

#define WAIT_MS 1000

/* The program's own, in a file that has main() */
int pp_fail(int err, const char *fmt, ...)
{
	char text[256];
	va_list args;

	(void)err;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return -1;
}

uint64_t pp_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + ts.tv_nsec;
}

static void make_pair(int type, int pair[2])
{
	fuzz_check(!socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair),
		   "no sockets");
}

/* All that is left of the input, then the end */
static void send_rest(int sock)
{
	size_t size;
	const uint8_t *bytes = fuzz_rest(&size);

	(void)!send(sock, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(sock);
}

static bool same(const struct pp_hello *a, const struct pp_hello *b)
{
	return a->address.lid == b->address.lid &&
	       a->address.qpn == b->address.qpn &&
	       a->address.psn == b->address.psn &&
	       !memcmp(&a->address.gid, &b->address.gid, 16) &&
	       a->worker == b->worker && a->size == b->size &&
	       a->iters == b->iters && a->rkey == b->rkey && a->out == b->out &&
	       a->in == b->in && a->windows == b->windows &&
	       a->stride == b->stride;
}

/* What was accepted comes through once more, and the same. */
static void hello(void)
{
	struct pp_hello got, again;
	int pair[2];

	make_pair(SOCK_STREAM, pair);
	send_rest(pair[0]);
	if (!pp_recv_hello(pair[1], &got, WAIT_MS)) {
		int back[2];

		fuzz_check(got.size && got.iters && got.stride &&
				   got.stride <= got.windows,
			   "a hello out of range");
		make_pair(SOCK_STREAM, back);
		fuzz_check(!pp_send_hello(back[0], &got, WAIT_MS) &&
				   !pp_recv_hello(back[1], &again, WAIT_MS) &&
				   same(&got, &again),
			   "a hello that changes on its way");
		close(back[0]);
		close(back[1]);
	}
	close(pair[1]);
}

static void turns(void)
{
	struct pp_turn turn;
	int pair[2], ret;

	make_pair(SOCK_STREAM, pair);
	send_rest(pair[0]);
	while (!(ret = pp_recv_turn(pair[1], &turn, WAIT_MS)))
		fuzz_check(turn.kind >= PP_TURN_START &&
				   turn.kind <= PP_TURN_RESULT,
			   "a turn of no kind");
	fuzz_check(ret == 1 || ret == -1, "an odd result");
	close(pair[1]);
}

static void report(void)
{
	struct pp_report got;
	int pair[2];

	make_pair(SOCK_SEQPACKET, pair);
	send_rest(pair[0]);
	if (!pp_recv_report(pair[1], &got, WAIT_MS))
		fuzz_check(got.kind >= PP_REPORT_OWNER &&
				   got.kind <= PP_REPORT_LEAVE,
			   "a report of no kind");
	close(pair[1]);
}

/* Memory as the owner's is, or not quite */
static int some_file(void)
{
	uint8_t how = fuzz_u8();
	int fd;

	if (how & 1)
		return open("/dev/null", O_RDWR | O_CLOEXEC);
	fd = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	fuzz_check(fd >= 0 && !ftruncate(fd, fuzz_number() & 0xffff),
		   "no memory file");
	if (how & 2)
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
	return fd;
}

#define MAX_FDS 20

static void offer(void)
{
	union {
		char buf[CMSG_SPACE(MAX_FDS * sizeof(int))];
		struct cmsghdr align;
	} control = { .buf = { 0 } };
	struct pp_offer out = { 0 }, got;
	unsigned int count = fuzz_below(MAX_FDS + 1);
	int pair[2], fds[MAX_FDS], taken[PP_OFFER_FDS];
	struct iovec iov = { .iov_base = &out };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	make_pair(SOCK_SEQPACKET, pair);
	for (unsigned int i = 0; i < count; i++)
		fds[i] = some_file();
	if (count) {
		struct cmsghdr *cmsg;

		msg.msg_control = control.buf;
		msg.msg_controllen = CMSG_SPACE(count * sizeof(int));
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fds, count * sizeof(int));
	}
	iov.iov_len = fuzz_u8() & 1 ? sizeof(out) : fuzz_below(sizeof(out));
	fuzz_bytes(&out, sizeof(out));
	if (fuzz_u8() & 1) {
		out.magic = PP_OFFER_MAGIC;
		out.version = PP_VERSION;
	}
	(void)!sendmsg(pair[0], &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
	for (unsigned int i = 0; i < count; i++)
		close(fds[i]);
	close(pair[0]);
	if (!pp_recv_offer(pair[1], &got, taken, WAIT_MS)) {
		fuzz_check(got.region && got.slot < got.slots &&
				   got.iova + got.region >= got.iova,
			   "an offer out of range");
		close(taken[PP_OFFER_CONTEXT]);
		close(taken[PP_OFFER_MEMORY]);
	}
	close(pair[1]);
}

void fuzz_setup(void)
{
}

void fuzz_run(void)
{
	static void (*const kinds[])(void) = { hello, turns, report, offer };

	kinds[fuzz_u8() & 3]();
}
