/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The objects of the rxe provider: each has the library's object inside, and
 * beside it what the data path needs.
 */
#ifndef RXE_H
#define RXE_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rdma/rdma_user_rxe.h>

#include "common.h"
#include "queue.h"

/* The longest message InfiniBand knows, in bytes */
#define RXE_MAX_MESSAGE (1ull << 31)

_Static_assert(sizeof(struct rxe_sge) == sizeof(struct ibv_sge) &&
		       offsetof(struct rxe_sge, addr) ==
			       offsetof(struct ibv_sge, addr) &&
		       offsetof(struct rxe_sge, length) ==
			       offsetof(struct ibv_sge, length) &&
		       offsetof(struct rxe_sge, lkey) ==
			       offsetof(struct ibv_sge, lkey),
	       "SGEs are copied as they are");

struct rxe_context {
	struct verbs_context vctx;
};
_Static_assert(offsetof(struct rxe_context, vctx) == 0,
	       "common_free_context() frees what begins with it");

/* A promise that one thread at a time uses all that is made in it */
struct rxe_td {
	struct ibv_td td;
	struct ibv_context *context;
	atomic_int parent_domains;
};

struct rxe_pd {
	struct ibv_pd ibpd;
	atomic_int parent_domains; /* on a PD */
	bool is_parent_domain;
};

struct rxe_parent_domain {
	struct rxe_pd domain;
	struct rxe_pd *pd; /* the one that it stands for */
	struct rxe_td *td; /* or NULL */
};

struct rxe_cq {
	struct verbs_cq vcq;
	struct queue_lock lock;
	struct rxe_queue queue;
	/* Between start_poll and end_poll: the entry that read_*() look at */
	const struct ib_uverbs_wc *current;
};

struct rxe_srq {
	struct verbs_srq vsrq;
	struct queue_lock lock;
	struct rxe_queue queue;
	uint32_t max_sge;
};

struct rxe_send_queue {
	struct rxe_queue queue;
	uint32_t ssn; /* send sequence number of the next request */
	uint32_t max_sge;
	uint32_t max_inline; /* bytes */
	uint32_t opcodes; /* bit per enum ibv_wr_opcode: what the type can do */
	struct queue_lock lock;

	/* Between wr_start and wr_complete or wr_abort */
	uint8_t build_error;   /* first error, for wr_complete to tell */
	uint8_t build_lacks;   /* enum rxe_build_lacks */
	uint32_t build_opcode; /* of the request being built, as a bit, or 0 */
	uint32_t build_index;  /* slot after that request */
	uint32_t build_ssn;
};

struct rxe_recv_queue {
	struct rxe_queue queue;
	uint32_t max_sge;
	struct queue_lock lock;
};

struct rxe_qp {
	struct verbs_qp vqp;
	struct rxe_send_queue sq;
	struct rxe_recv_queue rq; /* not mapped if the QP has an SRQ */
};

struct rxe_ah {
	struct ibv_ah ibah;
	uint32_t ah_num; /* 0: the kernel wants the address in each request */
	struct rxe_av av;
};

static inline struct rxe_pd *to_rxe_pd(struct ibv_pd *pd)
{
	return provider_container(pd, struct rxe_pd, ibpd);
}

static inline struct rxe_cq *to_rxe_cq(struct ibv_cq *cq)
{
	return provider_container(cq, struct rxe_cq, vcq.cq);
}

static inline struct rxe_cq *cq_ex_to_rxe_cq(struct ibv_cq_ex *cq)
{
	return provider_container(cq, struct rxe_cq, vcq.cq_ex);
}

static inline struct rxe_srq *to_rxe_srq(struct ibv_srq *srq)
{
	return provider_container(srq, struct rxe_srq, vsrq.srq);
}

static inline struct rxe_qp *to_rxe_qp(struct ibv_qp *qp)
{
	return provider_container(qp, struct rxe_qp, vqp.qp);
}

static inline struct rxe_qp *qp_ex_to_rxe_qp(struct ibv_qp_ex *qp)
{
	return provider_container(qp, struct rxe_qp, vqp.qp_ex);
}

static inline struct rxe_ah *to_rxe_ah(struct ibv_ah *ah)
{
	return provider_container(ah, struct rxe_ah, ibah);
}

/* NULL: it is a PD. */
static inline struct rxe_parent_domain *to_parent_domain(struct ibv_pd *ibpd)
{
	struct rxe_pd *pd = to_rxe_pd(ibpd);

	return pd->is_parent_domain
		       ? provider_container(pd, struct rxe_parent_domain,
					    domain)
		       : NULL;
}

/* Do queues made in this domain need a lock? */
static inline bool rxe_pd_needs_lock(struct ibv_pd *pd)
{
	const struct rxe_parent_domain *parent = to_parent_domain(pd);

	return !parent || !parent->td;
}

/* pd.c */
struct ibv_pd *rxe_alloc_pd(struct ibv_context *context);
int rxe_dealloc_pd(struct ibv_pd *pd);
struct ibv_pd *rxe_import_pd(struct ibv_context *context, uint32_t handle);
void rxe_unimport_pd(struct ibv_pd *pd);

/* thread_domain.c */
struct ibv_td *rxe_alloc_td(struct ibv_context *context,
			    struct ibv_td_init_attr *attr);
int rxe_dealloc_td(struct ibv_td *td);
struct ibv_pd *
rxe_alloc_parent_domain(struct ibv_context *context,
			struct ibv_parent_domain_init_attr *attr);
int rxe_dealloc_parent_domain(struct rxe_parent_domain *parent);

/* mr.c */
struct ibv_mr *rxe_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			  uint64_t hca_va, int access);
int rxe_rereg_mr(struct verbs_mr *vmr, int flags, struct ibv_pd *pd, void *addr,
		 size_t length, int access);

/* mw.c */
struct ibv_mw *rxe_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type);
int rxe_dealloc_mw(struct ibv_mw *mw);
int rxe_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);

/* ah.c */
struct ibv_ah *rxe_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr);
int rxe_destroy_ah(struct ibv_ah *ah);

/* cq.c */
struct ibv_cq *rxe_create_cq(struct ibv_context *context, int cqe,
			     struct ibv_comp_channel *channel, int comp_vector);
struct ibv_cq_ex *rxe_create_cq_ex(struct ibv_context *context,
				   struct ibv_cq_init_attr_ex *attr);
int rxe_resize_cq(struct ibv_cq *cq, int cqe);
int rxe_destroy_cq(struct ibv_cq *cq);

/* poll.c */
int rxe_poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc);
/* Fill in the functions by which programs poll an extended CQ. */
void rxe_set_poll_functions(struct ibv_cq_ex *cq);

/* srq.c */
struct ibv_srq *rxe_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *attr);
struct ibv_srq *rxe_create_srq_ex(struct ibv_context *context,
				  struct ibv_srq_init_attr_ex *attr);
int rxe_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
int rxe_destroy_srq(struct ibv_srq *srq);

/* qp.c */
struct ibv_qp *rxe_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
struct ibv_qp *rxe_create_qp_ex(struct ibv_context *context,
				struct ibv_qp_init_attr_ex *attr);
int rxe_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int rxe_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init_attr);
int rxe_destroy_qp(struct ibv_qp *qp);

/* recv.c */
int rxe_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		  struct ibv_recv_wr **bad_wr);
int rxe_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
		      struct ibv_recv_wr **bad_wr);

/* send.c */
int rxe_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		  struct ibv_send_wr **bad_wr);

/* wr.c */
/* Fill in the functions by which programs build send requests. */
void rxe_set_wr_functions(struct ibv_qp_ex *qp);

#endif
