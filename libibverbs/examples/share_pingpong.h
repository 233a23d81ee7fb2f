/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the parts of ibv_share_pingpong know of each other: the options, the
 * RDMA connection, the three kinds of messages and the four roles.
 */
#ifndef SHARE_PINGPONG_H
#define SHARE_PINGPONG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

enum pp_role { PP_PEER, PP_OWNER, PP_WORKER, PP_DEMO };

struct pp_options {
	enum pp_role role;
	const char *ib_dev; /* NULL: the first one */
	const char *host;   /* worker: where the peer listens */
	const char *socket; /* where the owner serves */
	uint16_t tcp_port;
	uint8_t ib_port;
	uint8_t sl;
	int gid_idx; /* -1: none given */
	enum ibv_mtu mtu;
	uint32_t size;
	uint32_t iters;
	uint64_t region;
	uint32_t workers;
	int timeout_ms; /* longest wait for anything that another one does */
	int report_fd;	/* socket to the demo's coordinator, or -1 */
};

#define PP_MAX_WORKERS 64
#define PP_MAX_SIZE (64u << 20)
#define PP_MAX_ITERS 10000000u
#define PP_PAGE 4096u

/* "message: strerror(err)" on stderr; err 0: the message alone.  Returns -1 */
int pp_fail(int err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
uint64_t pp_now_ns(void);

/* Opens opt->ib_dev; NULL after a message. */
struct ibv_context *pp_open_device(const struct pp_options *opt);

/* ---- the bytes: a function of who, when and where (share_pattern.c) ---- */

enum pp_step {
	PP_WORKER_WRITES,
	PP_PEER_SENDS,
	PP_WORKER_SENDS,
	PP_PEER_WRITES,
};

void pp_pattern_fill(void *buf, size_t len, uint32_t worker, uint64_t iter,
		     enum pp_step step);
/* The offset of the first wrong byte; len: all of them are right. */
size_t pp_pattern_check(const void *buf, size_t len, uint32_t worker,
			uint64_t iter, enum pp_step step);

/* ---- one RC connection (share_link.c) ---- */

struct pp_address {
	uint32_t lid;
	uint32_t qpn;
	uint32_t psn;
	union ibv_gid gid;
};

/* A completed work request is remembered by its wr_id, below this number. */
#define PP_MAX_WR 8

struct pp_link {
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct pp_address local;
	int timeout_ms;
	int other; /* socket to the other end, whose end is noticed; or -1 */
	bool done[PP_MAX_WR];
	struct ibv_wc wc[PP_MAX_WR];
};

/* All return 0, or -1 after a message; a failed create leaves nothing. */
int pp_link_create(struct pp_link *link, struct ibv_pd *pd,
		   struct ibv_context *context, const struct pp_options *opt);
int pp_link_connect(struct pp_link *link, const struct pp_options *opt,
		    const struct pp_address *remote);
int pp_link_destroy(struct pp_link *link);

struct pp_buffer {
	uint64_t addr;
	uint32_t length;
	uint32_t key;
};

int pp_post_recv(struct pp_link *link, unsigned int wr_id,
		 const struct pp_buffer *into);
/* remote: for RDMA READ and WRITE, else NULL */
int pp_post(struct pp_link *link, unsigned int wr_id, enum ibv_wr_opcode opcode,
	    const struct pp_buffer *local, const struct pp_buffer *remote,
	    uint32_t imm);
/* Sleeps until the work request is complete, however many others are first. */
int pp_wait(struct pp_link *link, unsigned int wr_id, const char *what);
/* And, of a receive: that many bytes, or that immediate value with none. */
int pp_wait_recv(struct pp_link *link, unsigned int wr_id, const char *what,
		 bool by_imm, uint32_t expected);

/* ---- messages (share_wire.c) ---- */

/* Owner to worker, one SEQPACKET message with two descriptors */
struct pp_offer {
	uint32_t magic;
	uint32_t version;
	uint32_t slot;
	uint32_t slots;
	uint32_t pd_handle;
	uint32_t mr_handle;
	uint64_t region;
	uint64_t iova;
};

enum { PP_OFFER_CONTEXT, PP_OFFER_MEMORY, PP_OFFER_FDS };

#define PP_OFFER_MAGIC 0x53504f46u
#define PP_VERSION 1u

/* Worker to peer and back, over TCP: what the other needs for its QP */
struct pp_hello {
	struct pp_address address;
	uint32_t worker;
	uint32_t size;
	uint32_t iters;
	uint32_t rkey;
	uint64_t out;	  /* address of the window that the other reads */
	uint64_t in;	  /* and of the one that it writes */
	uint64_t windows; /* of size bytes, behind each of these addresses */
	uint64_t stride;  /* from one iteration to the next, in windows */
};

/* Transfers of an iteration that end in a verified buffer */
#define PP_MOVES 6u

enum pp_turn_kind { PP_TURN_START = 1, PP_TURN_READY, PP_TURN_RESULT };

/* Worker to peer: START; peer to worker: READY, RESULT */
struct pp_turn {
	uint32_t kind;
	uint32_t round;
	uint64_t verified; /* RESULT: bytes */
};

enum pp_report_kind {
	/* to the coordinator */
	PP_REPORT_OWNER = 1, /* ns to register, ns to export */
	PP_REPORT_PEER,	     /* TCP port */
	PP_REPORT_WORKER,    /* ns to import the PD, the MR; slot */
	PP_REPORT_ROUND,     /* bytes verified */
	/* from the coordinator */
	PP_REPORT_GO, /* number of the round */
	PP_REPORT_LEAVE,
};

/* Between the coordinator and its children, one SEQPACKET message */
struct pp_report {
	uint32_t kind;
	uint32_t reserved;
	uint64_t value[3];
};

int pp_unix_listen(const char *path);
int pp_unix_connect(const char *path, int timeout_ms);
int pp_send_offer(int sock, const struct pp_offer *offer,
		  const int fds[PP_OFFER_FDS], int timeout_ms);
/* The caller owns the descriptors; they are close-on-exec. */
int pp_recv_offer(int sock, struct pp_offer *offer, int fds[PP_OFFER_FDS],
		  int timeout_ms);

/* *port 0: any; set to the one in use */
int pp_tcp_listen(uint16_t *port);
int pp_tcp_accept(int listener, int timeout_ms);
int pp_tcp_connect(const char *host, uint16_t port, int timeout_ms);
int pp_send_hello(int sock, const struct pp_hello *hello, int timeout_ms);
int pp_recv_hello(int sock, struct pp_hello *hello, int timeout_ms);
int pp_send_turn(int sock, const struct pp_turn *turn, int timeout_ms);
/* 1: the other end has closed the connection between two messages */
int pp_recv_turn(int sock, struct pp_turn *turn, int timeout_ms);

/* Without a coordinator (fd -1) sending does nothing. */
int pp_send_report(int fd, const struct pp_report *report);
int pp_recv_report(int fd, struct pp_report *report, int timeout_ms);

/* ---- the roles; each returns the program's exit status ---- */

int pp_owner(const struct pp_options *opt);
int pp_worker(const struct pp_options *opt);
int pp_peer(const struct pp_options *opt);
int pp_demo(const struct pp_options *opt);

#endif
