/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A device that is not there, for programs that must behave alike: preloaded,
 * it takes the place of the library, writes down each verb with its arguments,
 * carries messages between processes over unix sockets, has every capability
 * and fails where it is told to.  All that it is told comes by environment:
 *
 * FAKE_DIR      folder for the sockets and board_id (required)
 * FAKE_LOG      file that gets a line for each verb
 * FAKE_DEVICES  names of the devices, with commas between (fake0,fake1)
 * FAKE_QPN      number of the first QP (0x100)
 * FAKE_CAPS     full: fit for all that a ping-pong can ask for (default)
 *               none: no optional feature
 *               ones, zero: each bit of the attributes set, or none
 *               a number: any values at all, a function of that number
 * FAKE_PORT     ib (default), roce; with a number in FAKE_CAPS, that decides
 * FAKE_FAIL     verb[@n][=errno], ...: the nth call (1) of verb fails (EIO)
 * FAKE_WC       n=status: the nth completion has that status
 * FAKE_DAMAGE   n: the nth message arrives with its first bytes changed
 * FAKE_EVENTS   type:port, ...: asynchronous events
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

/* Adds a line to the log; returns the errno with which this call must fail. */
int fake_call(const char *verb, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#define fake_call_plain(verb) fake_call(verb, "%s", "")
const char *fake_env(const char *name, const char *otherwise);
void *fake_alloc(size_t size);

/* The slots of a context, one file each; fake_context.c calls them */
void fake_fill_object_ops(struct verbs_context *context);
void fake_fill_traffic_ops(struct ibv_context *context);
void fake_fill_query_ops(struct verbs_context *context);

/* ---- what messages go through ---- */

struct fake_recv {
	uint64_t wr_id;
	struct ibv_sge sge;
	int num_sge;
};

struct fake_recv_queue {
	struct fake_recv *entries;
	uint32_t size;
	uint32_t head; /* of the oldest; both only grow */
	uint32_t tail;
};

struct fake_completion {
	struct ibv_wc wc;
	uint64_t timestamp;
	struct fake_completion *next;
};

struct fake_cq {
	struct ibv_cq_ex ex; /* the same memory as a struct ibv_cq */
	struct fake_completion *first;
	struct fake_completion **last;
	struct fake_completion *current; /* of the polling in progress */
	uint32_t timestamps;
	bool armed;
	struct fake_cq *next;
};

struct fake_srq {
	struct ibv_srq srq;
	struct fake_recv_queue queue;
	uint32_t number;
	struct ibv_cq *cq; /* XRC only */
};

struct fake_qp {
	struct ibv_qp_ex ex;
	struct ibv_qp_cap cap;
	struct fake_recv_queue queue;
	uint32_t dest_qpn;
	int sock;
	struct ibv_sge sge; /* of the work request being made */
	struct fake_qp *next;
};

extern struct fake_cq *fake_cqs;
extern struct fake_qp *fake_qps;
extern struct fake_srq *fake_srqs;

/* The memory that a work request names; NULL: no such, or out of bounds */
void *fake_memory(const struct ibv_sge *sge);
int fake_queue_alloc(struct fake_recv_queue *queue, uint32_t size);
int fake_qp_bind(struct fake_qp *qp);
void fake_qp_unbind(struct fake_qp *qp);
/* Waits until a CQ of the channel that is armed has something to poll. */
struct fake_cq *fake_wait_event(struct ibv_comp_channel *channel);
void fake_fill_cq_ex(struct fake_cq *cq);
void fake_fill_qp_ex(struct fake_qp *qp);

#endif
