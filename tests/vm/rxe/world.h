/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What all tests stand on: one device, pairs of connected QPs with a buffer
 * each, and posting and polling in either of the two ways that verbs have.
 */
#ifndef WORLD_H
#define WORLD_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/verbs.h>

#include "check.h"

#define BUF_SIZE 65536
#define DEPTH 15
#define SGES 4
#define INLINE_SIZE 64
#define QKEY 0x11111111
#define GRH_SIZE 40

/* How tests talk to the provider: the same tests run in each mode. */
struct mode {
	const char *name;
	bool builder; /* QP_EX work requests instead of ibv_post_send */
	bool lazy;    /* CQ_EX instead of ibv_poll_cq */
	bool domain;  /* all in a thread domain, CQs single-threaded */
};
extern const struct mode *mode;
/* The provider is not the one under test: it may lack operations. */
extern bool control;

extern struct ibv_context *ctx;
extern struct ibv_pd *pd; /* of the mode: perhaps a parent domain */
extern union ibv_gid gid;
#define GID_INDEX 1

struct end {
	struct ibv_qp *qp;
	struct ibv_cq *scq, *rcq;
	struct ibv_comp_channel *channel; /* of rcq */
	uint8_t *buf;			  /* BUF_SIZE */
	struct ibv_mr *mr;
	struct ibv_ah *ah; /* UD: to the other end */
	struct end *peer;
	uint32_t max_inline;
};

struct pair {
	enum ibv_qp_type type;
	struct end a, b;
};

/* Zero stands for the default. */
struct pair_options {
	uint32_t depth;
	uint32_t sges;
	int cqe;
	struct ibv_srq *srq; /* of end b */
	bool sig_all;
	bool unconnected;  /* leave the QPs in RESET */
	uint8_t rnr_retry; /* plus one: 8 is for ever */
};

void world_open(void);
void world_close(void);
void world_set_mode(const struct mode *new_mode);

struct ibv_cq *make_cq(int cqe, struct ibv_comp_channel *channel);
struct ibv_qp *make_qp(enum ibv_qp_type type, struct ibv_cq *scq,
		       struct ibv_cq *rcq, struct ibv_srq *srq,
		       struct ibv_qp_cap *cap, bool sig_all);
/* Through the states up to RTS; peer_qpn is of no use to UD. */
void connect_qp(struct ibv_qp *qp, uint32_t peer_qpn, uint8_t rnr_retry);
int to_state(struct ibv_qp *qp, enum ibv_qp_state state);

void pair_open(struct pair *pair, enum ibv_qp_type type,
	       const struct pair_options *options);
void pair_close(struct pair *pair);

/* As ibv_post_send, by the mode's way; bad_wr may be NULL. */
int post_send(struct end *end, struct ibv_send_wr *wr,
	      struct ibv_send_wr **bad_wr);
/* One receive of one SGE: offset and length in the buffer */
int post_recv(struct end *end, uint64_t wr_id, uint32_t offset,
	      uint32_t length);

/* At most one completion, by the mode's way: how many */
int poll_one(struct ibv_cq *cq, struct ibv_wc *wc);
/* Wait some seconds for one: false, and a failure, if none comes. */
bool wait_wc(struct ibv_cq *cq, struct ibv_wc *wc);
/* Wait for one and check what it says. */
void expect(struct ibv_cq *cq, uint64_t wr_id, enum ibv_wc_status status,
	    struct ibv_wc *wc);
void expect_nothing(struct ibv_cq *cq);

void fill(void *buf, size_t length, unsigned int seed);
bool filled(const void *buf, size_t length, unsigned int seed);
uint64_t now_ms(void);

static inline struct ibv_sge sge_of(struct end *end, uint32_t offset,
				    uint32_t length)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)end->buf + offset,
		.length = length,
		.lkey = end->mr->lkey,
	};

	return sge;
}

static inline uint64_t remote_addr(struct end *end, uint32_t offset)
{
	return (uintptr_t)end->buf + offset;
}

/* The tests, each in its file */
void test_send(void);
void test_rdma(void);
void test_inline(void);
void test_ud(void);
void test_multicast(void);
void test_flow_control(void);
void test_bad_posts(void);
void test_completion_errors(void);
void test_srq(void);
void test_cq(void);
void test_mw(void);
void test_threads(void);
void test_many_qps(void);
void test_domains(void);
void test_import(void);
void test_queries(void);
void test_reset(void);

#endif
