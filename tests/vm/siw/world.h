/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Two QPs on siw0 that talk to each other, connected as iWARP wants it: by
 * librdmacm.  Both ends are in one process; every wait has an end.
 */
#ifndef WORLD_H
#define WORLD_H

#include <rdma/rdma_cma.h>

#include "share_test.h"

#define WAIT_MS 10000
#define SIDE_BYTES 0x40000

#define SIW_ACCESS                                         \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_WRITE)

struct side {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct ibv_context *context;
	struct ibv_pd *pd;
	bool own_pd;
	struct ibv_comp_channel *comp;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
	char *buf;
	struct ibv_mr *mr; /* of buf, SIDE_BYTES long */
};

/* 0 or NULL: the usual */
struct options {
	uint32_t max_wr;  /* of both queues (16) */
	uint32_t max_sge; /* (4) */
	uint32_t cqe;	  /* (64) */
	bool sq_sig_all;
	bool server_srq; /* the server's QP gets an SRQ of max_wr */
	int qps_only;	 /* make the QPs, do not connect */
	/* Gives the client its PD on that context, which stays the caller's. */
	struct ibv_pd *(*client_pd)(struct ibv_context *context, void *arg);
	void *arg;
};

struct pair {
	struct rdma_event_channel *listen_channel;
	struct rdma_cm_id *listener;
	struct side client, server;
};

void pair_open(struct pair *pair, const struct options *options);
/* What pair_open leaves out with qps_only */
void pair_connect(struct pair *pair);
void pair_close(struct pair *pair);

/* The next event of a connection must be this one. */
void expect_cm_event(struct side *side, enum rdma_cm_event_type type);

struct ibv_sge sge_of(const struct side *side, size_t offset, uint32_t length);
/* One SGE at offset; signalled */
int post(struct side *side, enum ibv_wr_opcode opcode, size_t offset,
	 uint32_t length, const struct side *target, size_t target_offset,
	 uint64_t wr_id);
int post_recv(struct side *side, size_t offset, uint32_t length,
	      uint64_t wr_id);
/* The next completion: false if there is none in time */
bool next_wc(struct side *side, struct ibv_wc *wc);
/* The next completion must be this one. */
void expect_wc_at(const char *file, int line, struct side *side, uint64_t wr_id,
		  enum ibv_wc_status status, int opcode, uint32_t byte_len);
#define expect_wc(_side, _wr_id, _status, _opcode, _byte_len)             \
	expect_wc_at(__FILE__, __LINE__, _side, _wr_id, _status, _opcode, \
		     _byte_len)
#define ANY_OPCODE (-1)
#define ANY_LENGTH 0xffffffff
/* No completion within some milliseconds */
void expect_no_wc_at(const char *file, int line, struct side *side, int ms);
#define expect_no_wc(_side, _ms) expect_no_wc_at(__FILE__, __LINE__, _side, _ms)

void fill_bytes(char *memory, size_t length, unsigned int seed);
bool same_bytes(const char *memory, size_t length, unsigned int seed);

/* Is it our plug-in, or Debian's? */
bool is_ours(void);

#endif
