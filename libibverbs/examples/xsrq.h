/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The parts of ibv_xsrq_pingpong.  Functions return 0, or -1 after a message.
 */
#ifndef XSRQ_H
#define XSRQ_H

#include "pingpong.h"

struct xsrq_address {
	uint32_t lid;
	uint32_t recv_qpn;
	uint32_t send_qpn;
	uint32_t psn;
	uint32_t srqn;
	union ibv_gid gid;
};

/* One peer: a server has as many as clients, a client has one. */
struct xsrq_peer {
	struct ibv_qp *recv_qp; /* XRC target */
	struct ibv_qp *send_qp; /* XRC initiator */
	struct xsrq_address local;
	struct xsrq_address remote;
	int sock;
	int sent;
	int received;
};

struct xsrq {
	struct pingpong_options opt;
	int num_peers;
	unsigned char *buf;
	struct ibv_context *context;
	uint16_t lid;
	struct ibv_comp_channel *channel;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	int xrcd_fd;
	struct ibv_xrcd *xrcd;
	struct ibv_cq *recv_cq;
	struct ibv_cq *send_cq;
	unsigned int unacked;
	struct ibv_srq *srq;
	struct xsrq_peer *peers;
};

/* xsrq_objects.c */
int xsrq_setup(struct xsrq *x);
/* From INIT to RTS, both QPs */
int xsrq_connect(struct xsrq *x, int index);
/* quiet: there was a message already. */
int xsrq_teardown(struct xsrq *x, bool quiet);

/* xsrq_net.c: connections to all peers, with QPs connected; and the farewell */
int xsrq_meet(struct xsrq *x);
int xsrq_part(struct xsrq *x);

#endif
