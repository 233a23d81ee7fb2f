// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The messages of ibv_share_pingpong against a hostile other end: each field
 * out of range, short and long messages, too few and too many descriptors,
 * memory that could shrink, silence.  Needs no RDMA and no guest.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "share_pingpong.h"
#include "share_test.h"

#define REGION 65536
#define TIMEOUT_MS 2000

/* What ibv_share_pingpong.c has, but for the message on stderr */
int pp_fail(int err, const char *fmt, ...)
{
	(void)err;
	(void)fmt;
	return -1;
}

uint64_t pp_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* ---- the owner's offer ---- */

static struct pp_offer good_offer(void)
{
	return (struct pp_offer){ .magic = PP_OFFER_MAGIC,
				  .version = PP_VERSION,
				  .slot = 1,
				  .slots = 4,
				  .region = REGION,
				  .iova = 4096 };
}

static int memory_fd(off_t size, int seals)
{
	int fd = memfd_create("wire", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	NEED(fd >= 0 && !ftruncate(fd, size));
	NEED(!seals || !fcntl(fd, F_ADD_SEALS, seals));
	return fd;
}

static void send_raw(int sock, const void *data, size_t length, const int *fds,
		     int count)
{
	union {
		char buf[CMSG_SPACE(32 * sizeof(int))];
		struct cmsghdr align;
	} control = { .buf = { 0 } };
	struct iovec iov = { (void *)data, length };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;

	if (count) {
		msg.msg_control = control.buf;
		msg.msg_controllen = CMSG_SPACE(count * sizeof(int));
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fds, count * sizeof(int));
	}
	NEED(sendmsg(sock, &msg, 0) == (ssize_t)length);
}

/* Receives it; whatever came of it, no descriptor may stay open. */
static int receive_offer(const void *data, size_t length, const int *fds,
			 int count)
{
	int sv[2], got[PP_OFFER_FDS], ret, before;
	struct pp_offer offer;

	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv));
	before = test_open_fds();
	send_raw(sv[0], data, length, fds, count);
	ret = pp_recv_offer(sv[1], &offer, got, TIMEOUT_MS);
	if (!ret) {
		CHECK(fcntl(got[0], F_GETFD) == FD_CLOEXEC &&
			      fcntl(got[1], F_GETFD) == FD_CLOEXEC,
		      "descriptors are not close-on-exec");
		close(got[0]);
		close(got[1]);
	}
	CHECK(test_open_fds() == before, "descriptors left open");
	close(sv[0]);
	close(sv[1]);
	return ret;
}

static void offers(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int fds[20], i;
	struct pp_offer offer = good_offer();
	char longer[sizeof(offer) + 1] = { 0 };

	for (i = 0; i < 20; i++)
		fds[i] = null;
	fds[PP_OFFER_MEMORY] = memory_fd(REGION, F_SEAL_SHRINK);
	NEED(null >= 0);

	RETURNS(receive_offer(&offer, sizeof(offer), fds, 2), 0);
	RETURNS(receive_offer(&offer, sizeof(offer) - 1, fds, 2), -1);
	memcpy(longer, &offer, sizeof(offer));
	RETURNS(receive_offer(longer, sizeof(longer), fds, 2), -1);
	RETURNS(receive_offer(&offer, sizeof(offer), fds, 0), -1);
	RETURNS(receive_offer(&offer, sizeof(offer), fds, 1), -1);
	RETURNS(receive_offer(&offer, sizeof(offer), fds, 3), -1);
	RETURNS(receive_offer(&offer, sizeof(offer), fds, 16), -1);
	RETURNS(receive_offer(&offer, sizeof(offer), fds, 20), -1);

#define WITH(_member, _value, _result)                                \
	do {                                                          \
		offer = good_offer();                                 \
		offer._member = (_value);                             \
		RETURNS(receive_offer(&offer, sizeof(offer), fds, 2), \
			(_result));                                   \
	} while (0)
	WITH(magic, 0, -1);
	WITH(version, PP_VERSION + 1, -1);
	WITH(slot, 3, 0);
	WITH(slot, 4, -1);
	WITH(slot, UINT32_MAX, -1);
	WITH(slots, 0, -1);
	WITH(slots, PP_MAX_WORKERS, 0);
	WITH(slots, PP_MAX_WORKERS + 1, -1);
	WITH(region, 0, -1);
	WITH(region, REGION + 1, -1);
	WITH(region, UINT64_MAX, -1);
	WITH(iova, UINT64_MAX - REGION, 0);
	WITH(iova, UINT64_MAX - REGION + 1, -1);
#undef WITH
	offer = good_offer();
	close(fds[PP_OFFER_MEMORY]);
	fds[PP_OFFER_MEMORY] = memory_fd(REGION, 0);
	RETURNS(receive_offer(&offer, sizeof(offer), fds, 2), -1);
	close(fds[PP_OFFER_MEMORY]);
	fds[PP_OFFER_MEMORY] = memory_fd(REGION - 1, F_SEAL_SHRINK);
	RETURNS(receive_offer(&offer, sizeof(offer), fds, 2), -1);
	close(fds[PP_OFFER_MEMORY]);
	fds[PP_OFFER_MEMORY] = null;
	RETURNS(receive_offer(&offer, sizeof(offer), fds, 2), -1);
	close(null);
}

/* What the owner sends is what the worker gets. */
static void offer_sent(void)
{
	struct pp_offer offer = good_offer(), got;
	int fds[PP_OFFER_FDS], got_fds[PP_OFFER_FDS], sv[2];

	fds[0] = open("/dev/null", O_RDWR | O_CLOEXEC);
	fds[1] = memory_fd(REGION, F_SEAL_SHRINK);
	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv));
	RETURNS(pp_send_offer(sv[0], &offer, fds, TIMEOUT_MS), 0);
	RETURNS(pp_recv_offer(sv[1], &got, got_fds, TIMEOUT_MS), 0);
	CHECK(!memcmp(&offer, &got, sizeof(offer)), "another offer");
	close(got_fds[0]);
	close(got_fds[1]);
	/* Turned away */
	close(sv[0]);
	RETURNS(pp_recv_offer(sv[1], &got, got_fds, TIMEOUT_MS), -1);
	close(sv[1]);
	close(fds[0]);
	close(fds[1]);
}

/* ---- hello ---- */

static struct pp_hello good_hello(void)
{
	return (struct pp_hello){
		.address = { .lid = 1, .qpn = 0x11, .psn = 0xfffffe },
		.worker = 3,
		.size = 4096,
		.iters = 10,
		.rkey = 0xffffffff,
		.out = 0x10000,
		.in = 0x20000,
		.windows = 16,
		.stride = 2,
	};
}

static int pass_hello(const struct pp_hello *hello, struct pp_hello *got)
{
	int sv[2], ret;

	NEED(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv));
	NEED(!pp_send_hello(sv[0], hello, TIMEOUT_MS));
	ret = pp_recv_hello(sv[1], got, TIMEOUT_MS);
	close(sv[0]);
	close(sv[1]);
	return ret;
}

static void hellos(void)
{
	struct pp_hello hello = good_hello(), got;

	inet_pton(AF_INET6, "::ffff:10.9.0.1", &hello.address.gid);
	memset(&got, 0, sizeof(got));
	RETURNS(pass_hello(&hello, &got), 0);
	CHECK(!memcmp(&hello.address, &got.address, sizeof(got.address)) &&
		      hello.worker == got.worker && hello.size == got.size &&
		      hello.iters == got.iters && hello.rkey == got.rkey &&
		      hello.out == got.out && hello.in == got.in &&
		      hello.windows == got.windows &&
		      hello.stride == got.stride,
	      "another hello");

#define WITH(_member, _value, _result)                        \
	do {                                                  \
		hello = good_hello();                         \
		hello._member = (_value);                     \
		RETURNS(pass_hello(&hello, &got), (_result)); \
	} while (0)
	WITH(address.lid, 0xffff, 0);
	WITH(address.lid, 0x10000, -1);
	WITH(address.qpn, 0xffffff, 0);
	WITH(address.qpn, 0x1000000, -1);
	WITH(address.psn, 0x1000000, -1);
	WITH(worker, PP_MAX_WORKERS - 1, 0);
	WITH(worker, PP_MAX_WORKERS, -1);
	WITH(size, 0, -1);
	WITH(size, PP_MAX_SIZE, 0);
	WITH(size, PP_MAX_SIZE + 1, -1);
	WITH(iters, 0, -1);
	WITH(iters, PP_MAX_ITERS + 1, -1);
	WITH(windows, 0, -1);
	WITH(windows, UINT64_MAX, -1);
	WITH(stride, 0, -1);
	WITH(stride, 17, -1);
	WITH(out, UINT64_MAX - 16 * 4096, 0);
	WITH(out, UINT64_MAX - 16 * 4096 + 1, -1);
	WITH(in, UINT64_MAX, -1);
#undef WITH
}

/* Another program, half a message, an early end */
static void strangers(void)
{
	static const char http[128] = "GET / HTTP/1.0\r\n\r\n";
	struct pp_hello got;
	struct pp_turn turn;
	int sv[2];

	NEED(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv));
	NEED(write(sv[0], http, sizeof(http)) == sizeof(http));
	RETURNS(pp_recv_hello(sv[1], &got, TIMEOUT_MS), -1);
	close(sv[0]);
	close(sv[1]);

	NEED(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv));
	NEED(write(sv[0], http, 7) == 7);
	close(sv[0]);
	RETURNS(pp_recv_turn(sv[1], &turn, TIMEOUT_MS), -1);
	RETURNS(pp_recv_turn(sv[1], &turn, TIMEOUT_MS), 1);
	RETURNS(pp_recv_hello(sv[1], &got, TIMEOUT_MS), -1);
	close(sv[1]);
}

static void turns(void)
{
	struct pp_turn turn = { PP_TURN_RESULT, 7, 1ull << 40 }, got;
	int sv[2];

	NEED(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv));
	RETURNS(pp_send_turn(sv[0], &turn, TIMEOUT_MS), 0);
	RETURNS(pp_recv_turn(sv[1], &got, TIMEOUT_MS), 0);
	CHECK(got.kind == turn.kind && got.round == turn.round &&
		      got.verified == turn.verified,
	      "another turn");
	turn.kind = PP_TURN_RESULT + 1;
	RETURNS(pp_send_turn(sv[0], &turn, TIMEOUT_MS), 0);
	RETURNS(pp_recv_turn(sv[1], &got, TIMEOUT_MS), -1);
	turn.kind = 0;
	RETURNS(pp_send_turn(sv[0], &turn, TIMEOUT_MS), 0);
	RETURNS(pp_recv_turn(sv[1], &got, TIMEOUT_MS), -1);
	close(sv[0]);
	close(sv[1]);
}

static void reports(void)
{
	struct pp_report report = { .kind = PP_REPORT_GO }, got;
	char longer[sizeof(report) + 8] = { 0 };
	int sv[2];

	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv));
	RETURNS(pp_send_report(-1, &report), 0);
	RETURNS(pp_send_report(sv[0], &report), 0);
	RETURNS(pp_recv_report(sv[1], &got, TIMEOUT_MS), 0);
	memcpy(longer, &report, sizeof(report));
	NEED(send(sv[0], longer, sizeof(longer), 0) == sizeof(longer));
	RETURNS(pp_recv_report(sv[1], &got, TIMEOUT_MS), -1);
	NEED(send(sv[0], longer, 4, 0) == 4);
	RETURNS(pp_recv_report(sv[1], &got, TIMEOUT_MS), -1);
	report.kind = PP_REPORT_LEAVE + 1;
	RETURNS(pp_send_report(sv[0], &report), 0);
	RETURNS(pp_recv_report(sv[1], &got, TIMEOUT_MS), -1);
	close(sv[0]);
	RETURNS(pp_recv_report(sv[1], &got, TIMEOUT_MS), -1);
	close(sv[1]);
}

/* Nobody waits for ever, however long the other end is silent or slow. */
static void silence(void)
{
	int fds[PP_OFFER_FDS], sv[2], seq[2];
	struct pp_report report;
	struct pp_offer offer;
	struct pp_hello hello;
	struct pp_turn turn;
	uint64_t start = pp_now_ns();

	NEED(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv));
	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, seq));
	NEED(write(sv[0], "x", 1) == 1);
	RETURNS(pp_recv_turn(sv[1], &turn, 30), -1);
	RETURNS(pp_recv_hello(sv[1], &hello, 30), -1);
	RETURNS(pp_recv_offer(seq[1], &offer, fds, 30), -1);
	RETURNS(pp_recv_report(seq[1], &report, 30), -1);
	CHECK(pp_now_ns() - start < 20000000000ull, "waits far too long");
	close(sv[0]);
	close(sv[1]);
	close(seq[0]);
	close(seq[1]);
}

/* ---- the pattern ---- */

static void patterns(void)
{
	char buf[1027], other[1027];
	size_t i, len;

	for (len = 0; len < 40; len++) {
		memset(buf, 0, sizeof(buf));
		pp_pattern_fill(buf, len, 1, 2, PP_PEER_SENDS);
		CHECK(pp_pattern_check(buf, len, 1, 2, PP_PEER_SENDS) == len,
		      "length %zu", len);
		CHECK(!buf[len], "filled beyond %zu bytes", len);
	}
	pp_pattern_fill(buf, sizeof(buf), 1, 2, PP_PEER_SENDS);
	for (i = 0; i < sizeof(buf); i++) {
		buf[i] ^= 4;
		CHECK(pp_pattern_check(buf, sizeof(buf), 1, 2, PP_PEER_SENDS) ==
			      i,
		      "a wrong byte at %zu", i);
		buf[i] ^= 4;
	}
	/* Another worker's, iteration's, step's or place's bytes are wrong. */
	CHECK(pp_pattern_check(buf, sizeof(buf), 2, 2, PP_PEER_SENDS) < 8,
	      "worker");
	CHECK(pp_pattern_check(buf, sizeof(buf), 1, 3, PP_PEER_SENDS) < 8,
	      "iteration");
	CHECK(pp_pattern_check(buf, sizeof(buf), 1, 2, PP_PEER_WRITES) < 8,
	      "step");
	memcpy(other, buf + 8, sizeof(buf) - 8);
	CHECK(pp_pattern_check(other, sizeof(buf) - 8, 1, 2, PP_PEER_SENDS) < 8,
	      "offset");
	memset(other, 0, sizeof(other));
	CHECK(pp_pattern_check(other, sizeof(other), 0, 0, 0) < 8, "zeros");
}

int main(void)
{
	int fds = test_open_fds();

	offers();
	offer_sent();
	hellos();
	strangers();
	turns();
	reports();
	silence();
	patterns();
	CHECK(test_open_fds() == fds, "descriptors left open");
	return test_end();
}
