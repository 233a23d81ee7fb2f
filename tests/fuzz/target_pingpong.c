// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: what the other side of a ping-pong sends over TCP: addresses of one
 * QP, of many, and of an XRC one.  Sockets are half of a pair, whose other half
 * has all that is left of the input to say.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"
#include "pingpong.h"
#include "test_provider.h"
#include "xsrq.h"

#define QPS 5

int __wrap_socket(int domain, int type, int protocol);
int __real_socket(int domain, int type, int protocol);
int __wrap_connect(int sock, const struct sockaddr *to, socklen_t length);
int __wrap_bind(int sock, const struct sockaddr *to, socklen_t length);
int __wrap_listen(int sock, int backlog);
int __wrap_accept4(int sock, struct sockaddr *from, socklen_t *length,
		   int flags);

static int other = -1; /* the half that speaks */

/* Says its bytes, once or until a server of many QPs has heard enough. */
static int peer(void)
{
	bool again = fuzz_u8() & 1;
	const uint8_t *bytes;
	size_t size, said;
	int pair[2];

	if (other >= 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -1;
	other = pair[1];
	bytes = fuzz_rest(&size);
	for (said = 0; size && said < (again ? 20000 : 1); said += size)
		if (send(other, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			break;
	shutdown(other, SHUT_WR);
	return pair[0];
}

int __wrap_socket(int domain, int type, int protocol)
{
	(void)domain;
	(void)protocol;
	return __real_socket(AF_UNIX, type, 0);
}

int __wrap_connect(int sock, const struct sockaddr *to, socklen_t length)
{
	int fd = peer();

	(void)to;
	(void)length;
	fuzz_check(fd >= 0 && dup3(fd, sock, O_CLOEXEC) == sock, "no sockets");
	close(fd);
	return 0;
}

int __wrap_bind(int sock, const struct sockaddr *to, socklen_t length)
{
	(void)sock;
	(void)to;
	(void)length;
	return 0;
}

int __wrap_listen(int sock, int backlog)
{
	(void)sock;
	(void)backlog;
	return 0;
}

int __wrap_accept4(int sock, struct sockaddr *from, socklen_t *length,
		   int flags)
{
	(void)sock;
	(void)from;
	(void)length;
	(void)flags;
	return peer();
}

/* ---- RC, UC, UD, SRQ ---- */

static bool address_ok(const struct pingpong_address *address)
{
	return address->lid <= 0xffff && address->qpn <= 0xffffff &&
	       address->psn <= 0xffffff;
}

static int connect_one(struct pingpong *pp, int index)
{
	fuzz_check(index < pp->opt.num_qp && address_ok(&pp->qps[index].remote),
		   "an address out of range");
	return 0;
}

static void plain(void)
{
	static struct pingpong_kind kind = { .connect = connect_one };
	struct pingpong pp = { .kind = &kind };
	uint8_t how = fuzz_u8();

	kind.srq = how & 1;
	pp.opt.host = how & 2 ? "127.0.0.1" : NULL;
	pp.opt.tcp_port = 18515;
	pp.opt.num_qp = kind.srq ? QPS : 1;
	pp.qps = calloc(pp.opt.num_qp, sizeof(*pp.qps));
	if (!pingpong_exchange(&pp))
		for (int i = 0; i < pp.opt.num_qp; i++)
			connect_one(&pp, i);
	free(pp.qps);
}

/* ---- XRC ---- */

int xsrq_connect(struct xsrq *x, int index)
{
	const struct xsrq_address *remote = &x->peers[index].remote;

	fuzz_check(index < x->num_peers && remote->lid <= 0xffff &&
			   remote->recv_qpn <= 0xffffff &&
			   remote->send_qpn <= 0xffffff &&
			   remote->psn <= 0xffffff && remote->srqn <= 0xffffff,
		   "an XRC address out of range");
	return 0;
}

static int srq_number(struct ibv_srq *srq, uint32_t *number)
{
	(void)srq;
	*number = 7;
	return 0;
}

static void xrc(void)
{
	struct ibv_context *context = test_context_open();
	struct ibv_srq srq = { .context = context };
	struct ibv_qp qp = { .qp_num = 17 };
	struct xsrq x = { .num_peers = 1, .srq = &srq };

	fuzz_check(context, "no context");
	verbs_get_ctx(context)->get_srq_num = srq_number;
	x.opt.host = fuzz_u8() & 1 ? "127.0.0.1" : NULL;
	x.opt.gid_idx = -1;
	x.opt.tcp_port = 18515;
	x.peers = calloc(1, sizeof(*x.peers));
	x.peers->recv_qp = x.peers->send_qp = &qp;
	x.peers->sock = -1;
	if (!xsrq_meet(&x))
		xsrq_part(&x);
	if (x.peers->sock >= 0)
		close(x.peers->sock);
	free(x.peers);
	ibv_close_device(context);
}

void fuzz_setup(void)
{
}

void fuzz_run(void)
{
	if (fuzz_u8() & 1)
		xrc();
	else
		plain();
	if (other >= 0)
		close(other);
	other = -1;
}
