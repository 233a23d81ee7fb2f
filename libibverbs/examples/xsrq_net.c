// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * TCP between a server and clients of ibv_xsrq_pingpong: addresses, and at the
 * end the word that each side got all its messages, since a QP may not go
 * before that.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "xsrq.h"

#define ADDRESS_TEXT (4 + 1 + 4 * (6 + 1) + PINGPONG_GID_TEXT)
#define FAREWELL "END"

static void print_address(const char *whose, const struct xsrq_address *address)
{
	char gid[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, &address->gid, gid, sizeof(gid));
	printf("%8s: LID %04x, QPN RECV %06x SEND %06x, PSN %06x, SRQN %06x, "
	       "GID %s\n",
	       whose, address->lid, address->recv_qpn, address->send_qpn,
	       address->psn, address->srqn, gid);
}

static int find_local_address(struct xsrq *x, struct xsrq_peer *peer)
{
	struct xsrq_address *local = &peer->local;

	local->lid = x->lid;
	local->recv_qpn = peer->recv_qp->qp_num;
	local->send_qpn = peer->send_qp->qp_num;
	local->psn = pingpong_random_psn();
	if (x->opt.gid_idx >= 0 && ibv_query_gid(x->context, x->opt.ib_port,
						 x->opt.gid_idx, &local->gid)) {
		fprintf(stderr, "can't read sgid of index %d\n",
			x->opt.gid_idx);
		return -1;
	}
	if (ibv_get_srq_num(x->srq, &local->srqn)) {
		fprintf(stderr, "Couldn't get SRQ num\n");
		return -1;
	}
	return 0;
}

static int send_local_address(struct xsrq_peer *peer)
{
	const struct xsrq_address *local = &peer->local;
	char text[ADDRESS_TEXT];
	int len;

	len = sprintf(text, "%04x:%06x:%06x:%06x:%06x:", local->lid & 0xffff,
		      local->recv_qpn & 0xffffff, local->send_qpn & 0xffffff,
		      local->psn & 0xffffff, local->srqn & 0xffffff);
	pingpong_gid_to_text(&local->gid, text + len);
	if (pingpong_write(peer->sock, text, sizeof(text))) {
		fprintf(stderr, "Couldn't send local address\n");
		return -1;
	}
	return 0;
}

static bool parse_address(const char *text, struct xsrq_address *address)
{
	int gid_at = 0;

	return sscanf(text, "%x:%x:%x:%x:%x:%n", &address->lid,
		      &address->recv_qpn, &address->send_qpn, &address->psn,
		      &address->srqn, &gid_at) == 5 &&
	       gid_at && address->lid <= 0xffff &&
	       address->recv_qpn <= 0xffffff && address->send_qpn <= 0xffffff &&
	       address->psn <= 0xffffff && address->srqn <= 0xffffff &&
	       !pingpong_gid_from_text(text + gid_at, &address->gid);
}

static int receive_remote_address(struct xsrq *x, int index)
{
	struct xsrq_peer *peer = &x->peers[index];
	char text[ADDRESS_TEXT];

	if (pingpong_read(peer->sock, text, sizeof(text))) {
		if (x->opt.host)
			perror("client read");
		fprintf(stderr, "Couldn't read remote address [%d]\n", index);
		return -1;
	}
	text[sizeof(text) - 1] = 0;
	if (!parse_address(text, &peer->remote)) {
		fprintf(stderr, "Couldn't read remote address [%d]\n", index);
		return -1;
	}
	return 0;
}

static int meet_server(struct xsrq *x)
{
	struct xsrq_peer *server = &x->peers[0];

	server->sock = pingpong_dial(x->opt.host, x->opt.tcp_port);
	if (server->sock < 0 || find_local_address(x, server))
		return -1;
	print_address("local", &server->local);
	if (send_local_address(server) || receive_remote_address(x, 0))
		return -1;
	print_address("remote", &server->remote);
	return xsrq_connect(x, 0);
}

static int meet_client(struct xsrq *x, int index, int listener)
{
	struct xsrq_peer *client = &x->peers[index];

	client->sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (client->sock < 0) {
		fprintf(stderr, "accept() failed for client %d\n", index);
		return -1;
	}
	if (receive_remote_address(x, index))
		return -1;
	print_address("remote", &client->remote);
	if (find_local_address(x, client))
		return -1;
	print_address("local", &client->local);
	if (xsrq_connect(x, index))
		return -1;
	return send_local_address(client);
}

static int meet_clients(struct xsrq *x)
{
	int listener = pingpong_listen(x->opt.tcp_port);
	int err = 0;
	int i;

	if (listener < 0)
		return -1;
	for (i = 0; !err && i < x->num_peers; i++)
		err = meet_client(x, i, listener);
	close(listener);
	return err;
}

int xsrq_meet(struct xsrq *x)
{
	return x->opt.host ? meet_server(x) : meet_clients(x);
}

static int say_farewell(struct xsrq_peer *peer)
{
	if (pingpong_write(peer->sock, FAREWELL, sizeof(FAREWELL))) {
		fprintf(stderr, "Couldn't send termination ack\n");
		return -1;
	}
	return 0;
}

static int hear_farewell(struct xsrq_peer *peer)
{
	char text[sizeof(FAREWELL)];

	if (pingpong_read(peer->sock, text, sizeof(text))) {
		fprintf(stderr, "Couldn't read remote termination ack\n");
		return -1;
	}
	if (memcmp(text, FAREWELL, sizeof(text))) {
		fprintf(stderr, "Invalid termination ack was accepted\n");
		return -1;
	}
	return 0;
}

int xsrq_part(struct xsrq *x)
{
	int i;

	if (x->opt.host)
		return say_farewell(x->peers) || hear_farewell(x->peers) ? -1
									 : 0;
	for (i = 0; i < x->num_peers; i++)
		if (hear_farewell(&x->peers[i]))
			return -1;
	for (i = 0; i < x->num_peers; i++)
		if (say_farewell(&x->peers[i]))
			return -1;
	return 0;
}
