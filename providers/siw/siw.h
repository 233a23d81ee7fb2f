/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The objects of the siw provider: each has the library's object inside, and
 * beside it what the data path needs.
 */
#ifndef SIW_H
#define SIW_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rdma/siw-abi.h>

#include "common.h"
#include "ring.h"

/* The kernel adds up the lengths of a request's SGEs in an int. */
#define SIW_MAX_MESSAGE ((uint64_t)INT_MAX)

_Static_assert(sizeof(struct siw_sge) == sizeof(struct ibv_sge) &&
		       offsetof(struct siw_sge, laddr) ==
			       offsetof(struct ibv_sge, addr) &&
		       offsetof(struct siw_sge, length) ==
			       offsetof(struct ibv_sge, length) &&
		       offsetof(struct siw_sge, lkey) ==
			       offsetof(struct ibv_sge, lkey),
	       "SGEs are copied as they are");

struct siw_context {
	struct verbs_context vctx;
	/* Can requests name memory that this process has elsewhere, or not? */
	bool foreign_memory;
};
_Static_assert(offsetof(struct siw_context, vctx) == 0,
	       "common_free_context() frees what begins with it");

struct siw_cq {
	struct verbs_cq vcq;
	struct queue_lock lock;
	struct siw_ring ring;
	struct siw_cq_ctrl *ctrl; /* behind the ring's entries */
};

struct siw_srq {
	struct verbs_srq vsrq;
	struct queue_lock lock;
	struct siw_ring ring;
	uint32_t max_sge;
};

struct siw_send_queue {
	struct queue_lock lock;
	struct siw_ring ring;
	uint32_t max_sge;
	uint16_t signal_all; /* SIW_WQE_SIGNALLED or 0 */
};

struct siw_recv_queue {
	struct queue_lock lock;
	struct siw_ring ring;
	uint32_t max_sge;
};

struct siw_qp {
	struct verbs_qp vqp;
	struct siw_send_queue sq;
	struct siw_recv_queue rq; /* not mapped if the QP has an SRQ */
};

static inline struct siw_context *to_siw_context(struct ibv_context *context)
{
	return provider_container(context, struct siw_context, vctx.context);
}

static inline struct siw_cq *to_siw_cq(struct ibv_cq *cq)
{
	return provider_container(cq, struct siw_cq, vcq.cq);
}

static inline struct siw_srq *to_siw_srq(struct ibv_srq *srq)
{
	return provider_container(srq, struct siw_srq, vsrq.srq);
}

static inline struct siw_qp *to_siw_qp(struct ibv_qp *qp)
{
	return provider_container(qp, struct siw_qp, vqp.qp);
}

/* pd.c */
struct ibv_pd *siw_alloc_pd(struct ibv_context *context);
int siw_dealloc_pd(struct ibv_pd *pd);
struct ibv_pd *siw_import_pd(struct ibv_context *context, uint32_t handle);
void siw_unimport_pd(struct ibv_pd *pd);

/* mr.c */
struct ibv_mr *siw_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			  uint64_t hca_va, int access);
struct ibv_mr *siw_import_mr(struct ibv_pd *pd, uint32_t handle);
/*
 * To be called before an object of another process comes into the context: its
 * keys are for memory at that process's addresses.
 */
void siw_expect_foreign_memory(struct ibv_context *context);

/* cq.c */
struct ibv_cq *siw_create_cq(struct ibv_context *context, int cqe,
			     struct ibv_comp_channel *channel, int comp_vector);
int siw_req_notify_cq(struct ibv_cq *cq, int solicited_only);
int siw_destroy_cq(struct ibv_cq *cq);

/* poll.c */
int siw_poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc);

/* srq.c */
struct ibv_srq *siw_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *attr);
int siw_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
int siw_destroy_srq(struct ibv_srq *srq);

/* qp.c */
struct ibv_qp *siw_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
int siw_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int siw_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init_attr);
int siw_destroy_qp(struct ibv_qp *qp);

/* recv.c */
int siw_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		  struct ibv_recv_wr **bad_wr);
int siw_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
		      struct ibv_recv_wr **bad_wr);

/* send.c */
int siw_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		  struct ibv_send_wr **bad_wr);

#endif
