/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The device's objects, and what its files offer each other.
 */
#ifndef M5SOFT_H
#define M5SOFT_H

#include <linux/idr.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include <linux/xarray.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

#include "format.h"

struct m5_device;
struct m5_mr;

/* ---- params.c: what a test can ask for, and see ---- */

extern bool m5_refuse_devx, m5_refuse_uid_clash;
extern uint m5_slow_ms, m5_reply_ms;

/* Objects that there are now, and things that have happened so far */
/* clang-format off */
#define M5_COUNTED(_one) \
	_one(contexts)          \
	_one(pds)               \
	_one(mrs)               \
	_one(mws)               \
	_one(ahs)               \
	_one(cqs)               \
	_one(srqs)              \
	_one(qps)               \
	_one(uars)              \
	_one(opened_devx)       \
	_one(opened_plain)      \
	_one(devx_refused)      \
	_one(uid_clashes)       \
	_one(deregs)            \
	_one(uars_rung)         \
	_one(uars_blueflame)
/* clang-format on */

#define M5_COUNTER(_name) atomic_t _name;
struct m5_counters {
	M5_COUNTED(M5_COUNTER)
};
extern struct m5_counters m5_counters;

#define M5_HAPPENED(_name) atomic_inc(&m5_counters._name)
#define M5_GONE(_name) atomic_dec(&m5_counters._name)

/* Complains of objects that are left. */
void m5_counters_check(void);

/* ---- nomem.c: allocations that fail ---- */

void m5_nomem_exit(void);

/* ---- pin.c: user memory ---- */

struct m5_pin {
	struct ib_umem *umem;
	struct page **pages;
	u32 count;
	u32 offset; /* of the first byte in the first page */
	void *map;
	void *start; /* the first byte, if mapped */
};

int m5_pin(struct m5_pin *pin, struct ib_device *ib, u64 addr, u64 length,
	   int access);
/* Also mapped in one piece */
int m5_pin_mapped(struct m5_pin *pin, struct ib_device *ib, u64 addr,
		  u64 length);
void m5_unpin(struct m5_pin *pin);

/* ---- copy.c: pieces of memory, to be copied from and to ---- */

/* As many data segments as fit into a work request, with two to spare */
#define M5_MAX_PIECES 66

struct m5_piece {
	struct m5_mr *mr; /* or NULL: it is at `kernel` */
	u64 addr;
	u8 *kernel;
	u32 length;
};

struct m5_pieces {
	struct m5_piece piece[M5_MAX_PIECES];
	u32 count;
	u64 length;
};

void m5_pieces_init(struct m5_pieces *pieces);
bool m5_add_memory(struct m5_pieces *to, struct m5_mr *mr, u64 addr,
		   u32 length);
bool m5_add_kernel(struct m5_pieces *to, void *kernel, u32 length);
/* The data and inline segments from `at` to `end`; false: protection error */
bool m5_add_segments(struct m5_device *dev, struct m5_pieces *to, u8 *at,
		     u8 *end, u32 pdn, int access);
/* `length` bytes to what is `skip` bytes into `to` */
void m5_copy(struct m5_pieces *to, u64 skip, struct m5_pieces *from,
	     u64 length);

/* ---- the device ---- */

struct m5_device {
	struct ib_device ib;
	struct net_device *netdev;

	/* For all that follows, and for the queues of all objects */
	struct mutex lock;
	struct xarray pds, mrs, qps;
	u32 next_pdn, next_mr, next_qpn;
	u32 next_cqn, next_srqn, next_uar;
	u8 next_key;
	struct ida uids;

	struct task_struct *engine;
	wait_queue_head_t wake;

	/* For the engine alone */
	struct m5_pieces local, remote, received;
	u8 request[M5_MAX_SEGMENTS * M5_SEGMENT] __aligned(M5_SEGMENT);
	u8 receive[512] __aligned(M5_SEGMENT);

	struct dentry *debugfs;
};

struct m5_context {
	struct ib_ucontext ib;
	atomic_t objects; /* PDs and MRs that were made in it */
	u16 uid;	  /* 0 without DEVX */
};

struct m5_pd {
	struct ib_pd ib;
	struct m5_context *context;
	u32 pdn;
	u16 uid;
};

struct m5_mr {
	struct ib_mr ib;
	struct m5_context *context;
	struct m5_pin pin;
	u64 iova, length;
	u32 pdn;
	int access;
};

struct m5_mw {
	struct ib_mw ib;
};

struct m5_ah {
	struct ib_ah ib;
};

struct m5_cq {
	struct ib_cq ib;
	struct m5_pin entries, doorbell;
	u32 cqn, count, stride;
	u32 produced, last_solicited;
	int fired; /* sequence number of the last event, or -1 */
	u16 uid;
	bool ignore_overrun, overrun;
};

struct m5_srq {
	struct ib_srq ib;
	struct m5_pin entries, doorbell;
	u32 srqn, count, shift, pdn;
	u32 head;
	u16 taken;
	u32 limit; /* 0: no event wanted */
	u16 uid;
};

struct m5_qp {
	struct ib_qp ib;
	struct m5_pin queues, doorbell;
	u32 user_index, pdn;
	u32 recv_count, recv_shift;
	u32 send_count, send_offset;
	u16 sent, received;
	u16 uid;
	enum ib_qp_state state;
	struct ib_qp_attr attr;
	struct ib_qp_cap cap;
	bool waiting; /* for the peer, till then: */
	unsigned long give_up;
};

#define M5_OF(_type)                                                       \
	static inline struct m5_##_type *m5_##_type(struct ib_##_type *ib) \
	{                                                                  \
		return container_of(ib, struct m5_##_type, ib);            \
	}
M5_OF(device)
M5_OF(pd)
M5_OF(mr)
M5_OF(cq)
M5_OF(srq)
M5_OF(qp)

static inline struct m5_context *m5_context_of(struct ib_udata *udata)
{
	return rdma_udata_to_drv_context(udata, struct m5_context, ib);
}

/* ---- context.c, uar.c, pd.c ---- */

extern const struct uapi_definition m5_context_defs[];
extern const struct uapi_definition m5_uar_defs[];
extern const struct uapi_definition m5_pd_defs[];

int m5_alloc_ucontext(struct ib_ucontext *ib, struct ib_udata *udata);
void m5_dealloc_ucontext(struct ib_ucontext *ib);
void m5_disassociate_ucontext(struct ib_ucontext *ib);
int m5_query_ucontext(struct ib_ucontext *ib, struct uverbs_attr_bundle *attrs);

int m5_mmap(struct ib_ucontext *ib, struct vm_area_struct *vma);
void m5_mmap_free(struct rdma_user_mmap_entry *entry);

int m5_alloc_pd(struct ib_pd *ib, struct ib_udata *udata);
int m5_dealloc_pd(struct ib_pd *ib, struct ib_udata *udata);

/* ---- ah.c ---- */

int m5_create_ah(struct ib_ah *ib, struct rdma_ah_init_attr *init,
		 struct ib_udata *udata);
int m5_destroy_ah(struct ib_ah *ib, u32 flags);

/* ---- mr.c ---- */

struct ib_mr *m5_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova,
			     int access, struct ib_udata *udata);
struct ib_mr *m5_rereg_user_mr(struct ib_mr *ib, int flags, u64 start,
			       u64 length, u64 iova, int access,
			       struct ib_pd *pd, struct ib_udata *udata);
int m5_dereg_mr(struct ib_mr *ib, struct ib_udata *udata);
int m5_alloc_mw(struct ib_mw *ib, struct ib_udata *udata);
int m5_dealloc_mw(struct ib_mw *ib);
/*
 * The MR of that key, if it belongs to that PD, gives that access, and has all
 * of those bytes; NULL if any of these is not so.
 */
struct m5_mr *m5_mr_find(struct m5_device *dev, u32 key, u32 pdn, u64 addr,
			 u64 length, int access);
/* Where that byte is; *length is cut to what is in one piece there. */
void *m5_mr_pointer(struct m5_mr *mr, u64 addr, u32 *length);

/* ---- cq.c, srq.c, qp.c ---- */

int m5_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr,
		 struct ib_udata *udata);
int m5_destroy_cq(struct ib_cq *ib, struct ib_udata *udata);
/* The rest of a completion is filled in, its owner bit last of all. */
void m5_cq_add(struct m5_cq *cq, struct m5_cqe *cqe, enum m5_cqe_opcode opcode,
	       bool solicited);
/* An event, if one was asked for and there is reason for it */
void m5_cq_event(struct m5_cq *cq);

int m5_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *attr,
		  struct ib_udata *udata);
int m5_modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr,
		  enum ib_srq_attr_mask mask, struct ib_udata *udata);
int m5_query_srq(struct ib_srq *ib, struct ib_srq_attr *attr);
int m5_destroy_srq(struct ib_srq *ib, struct ib_udata *udata);
/* The next receive, copied to `to`: its length, and its index; 0 if none is */
u32 m5_srq_take(struct m5_srq *srq, u8 *to, u32 room, u16 *index);
bool m5_srq_empty(struct m5_srq *srq);

int m5_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *init,
		 struct ib_udata *udata);
int m5_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
		 struct ib_udata *udata);
int m5_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
		struct ib_qp_init_attr *init);
int m5_destroy_qp(struct ib_qp *ib, struct ib_udata *udata);
/* Of the QP's own receive queue or of its SRQ, as above */
u32 m5_qp_take(struct m5_qp *qp, u8 *to, u32 room, u16 *index);
bool m5_qp_has_receive(struct m5_qp *qp);
bool m5_qp_has_send(struct m5_qp *qp);
/* The PD whose keys the QP's receives name */
u32 m5_qp_receive_pdn(struct m5_qp *qp);
void m5_qp_fail(struct m5_qp *qp, enum ib_event_type event);

/* ---- execute.c, engine.c ---- */

#define M5_LATER (-EAGAIN)

/*
 * One work request from dev->request.  0: done, with what *length says; or
 * M5_LATER; or a syndrome.
 */
int m5_execute(struct m5_device *dev, struct m5_qp *qp, u32 *length);
void m5_cqe_init(struct m5_cqe *cqe, struct m5_qp *qp, u8 opcode, u16 index);
void m5_cqe_error(struct m5_qp *qp, struct ib_cq *cq, enum m5_cqe_opcode opcode,
		  enum m5_syndrome syndrome, u16 index);

int m5_engine_start(struct m5_device *dev);
void m5_engine_stop(struct m5_device *dev);

/* ---- listing.c: the objects, in debugfs ---- */

void m5_listing_init(void);
void m5_listing_exit(void);
void m5_listing_add(struct m5_device *dev);
void m5_listing_remove(struct m5_device *dev);

#endif
