/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The objects of libibverbs 1.0.  Programs built for it get a shell in the old
 * layout for each object; the real one stands in the shell's last member, and
 * the shell in the real one's context pointer where an event has to find it.
 *
 * Nothing reads a shell's mutex, condition variable and event counters: they
 * keep the place of what the old headers showed.
 */
#ifndef COMPAT_ABI_1_0_H
#define COMPAT_ABI_1_0_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

/*
 * Begin the definition of the IBVERBS_1.0 version of a function, which is kept
 * for old programs and never linked to by new ones.
 */
#define COMPAT_1_0(_type, _name, ...)                              \
	_type _name##_1_0(__VA_ARGS__);                            \
	__asm__(".symver " #_name "_1_0, " #_name "@IBVERBS_1.0"); \
	_type _name##_1_0(__VA_ARGS__)

struct ibv_device_1_0 {
	void *obsolete_sysfs_dev;
	void *obsolete_sysfs_ibdev;
	struct ibv_device *real_device;
	struct _ibv_device_ops ops;
};

struct ibv_qp_1_0;
struct ibv_cq_1_0;
struct ibv_srq_1_0;
struct ibv_send_wr_1_0;
struct ibv_recv_wr_1_0;

/* Only what the old headers called inline is ever set. */
struct ibv_context_ops_1_0 {
	void *unused_1[7];
	int (*poll_cq)(struct ibv_cq_1_0 *cq, int num_entries,
		       struct ibv_wc *wc);
	int (*req_notify_cq)(struct ibv_cq_1_0 *cq, int solicited_only);
	void *unused_2[7];
	int (*post_srq_recv)(struct ibv_srq_1_0 *srq,
			     struct ibv_recv_wr_1_0 *wr,
			     struct ibv_recv_wr_1_0 **bad_wr);
	void *unused_3[4];
	int (*post_send)(struct ibv_qp_1_0 *qp, struct ibv_send_wr_1_0 *wr,
			 struct ibv_send_wr_1_0 **bad_wr);
	int (*post_recv)(struct ibv_qp_1_0 *qp, struct ibv_recv_wr_1_0 *wr,
			 struct ibv_recv_wr_1_0 **bad_wr);
	void *unused_4[4];
};

struct ibv_context_1_0 {
	struct ibv_device_1_0 *device;
	struct ibv_context_ops_1_0 ops;
	int cmd_fd;
	int async_fd;
	int num_comp_vectors;
	struct ibv_context *real_context;
};

struct ibv_pd_1_0 {
	struct ibv_context_1_0 *context;
	uint32_t handle;
	struct ibv_pd *real_pd;
};

struct ibv_mr_1_0 {
	struct ibv_context_1_0 *context;
	struct ibv_pd_1_0 *pd;
	uint32_t handle;
	uint32_t lkey;
	uint32_t rkey;
	struct ibv_mr *real_mr;
};

struct ibv_cq_1_0 {
	struct ibv_context_1_0 *context;
	void *cq_context;
	uint32_t handle;
	int cqe;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t comp_events_completed;
	uint32_t async_events_completed;
	struct ibv_cq *real_cq;
};

struct ibv_srq_1_0 {
	struct ibv_context_1_0 *context;
	void *srq_context;
	struct ibv_pd_1_0 *pd;
	uint32_t handle;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t events_completed;
	struct ibv_srq *real_srq;
};

struct ibv_qp_1_0 {
	struct ibv_context_1_0 *context;
	void *qp_context;
	struct ibv_pd_1_0 *pd;
	struct ibv_cq_1_0 *send_cq;
	struct ibv_cq_1_0 *recv_cq;
	struct ibv_srq_1_0 *srq;
	uint32_t handle;
	uint32_t qp_num;
	enum ibv_qp_state state;
	enum ibv_qp_type qp_type;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t events_completed;
	struct ibv_qp *real_qp;
};

struct ibv_ah_1_0 {
	struct ibv_context_1_0 *context;
	struct ibv_pd_1_0 *pd;
	uint32_t handle;
	struct ibv_ah *real_ah;
};

struct ibv_qp_init_attr_1_0 {
	void *qp_context;
	struct ibv_cq_1_0 *send_cq;
	struct ibv_cq_1_0 *recv_cq;
	struct ibv_srq_1_0 *srq;
	struct ibv_qp_cap cap;
	enum ibv_qp_type qp_type;
	int sq_sig_all;
};

struct ibv_send_wr_1_0 {
	struct ibv_send_wr_1_0 *next;
	uint64_t wr_id;
	struct ibv_sge *sg_list;
	int num_sge;
	enum ibv_wr_opcode opcode;
	int send_flags;
	__be32 imm_data;
	union {
		struct {
			uint64_t remote_addr;
			uint32_t rkey;
		} rdma;
		struct {
			uint64_t remote_addr;
			uint64_t compare_add;
			uint64_t swap;
			uint32_t rkey;
		} atomic;
		struct {
			struct ibv_ah_1_0 *ah;
			uint32_t remote_qpn;
			uint32_t remote_qkey;
		} ud;
	} wr;
};

struct ibv_recv_wr_1_0 {
	struct ibv_recv_wr_1_0 *next;
	uint64_t wr_id;
	struct ibv_sge *sg_list;
	int num_sge;
};

/* What the old headers made the offsets of a pointer's size apart. */
#if UINTPTR_MAX == UINT64_MAX
#define OLD_SIZE(_name, _size) \
	_Static_assert(sizeof(struct _name) == (_size), #_name)
#define OLD_OFFSET(_name, _member, _offset) \
	_Static_assert(offsetof(struct _name, _member) == (_offset), #_name)

OLD_SIZE(ibv_device_1_0, 40);
OLD_SIZE(ibv_context_ops_1_0, 216);
OLD_OFFSET(ibv_context_ops_1_0, poll_cq, 56);
OLD_OFFSET(ibv_context_ops_1_0, req_notify_cq, 64);
OLD_OFFSET(ibv_context_ops_1_0, post_srq_recv, 128);
OLD_OFFSET(ibv_context_ops_1_0, post_send, 168);
OLD_OFFSET(ibv_context_ops_1_0, post_recv, 176);
OLD_SIZE(ibv_context_1_0, 248);
OLD_OFFSET(ibv_context_1_0, cmd_fd, 224);
OLD_SIZE(ibv_pd_1_0, 24);
OLD_SIZE(ibv_mr_1_0, 40);
OLD_OFFSET(ibv_mr_1_0, lkey, 20);
OLD_SIZE(ibv_cq_1_0, 128);
OLD_OFFSET(ibv_cq_1_0, real_cq, 120);
OLD_SIZE(ibv_srq_1_0, 136);
OLD_OFFSET(ibv_srq_1_0, real_srq, 128);
OLD_SIZE(ibv_qp_1_0, 168);
OLD_OFFSET(ibv_qp_1_0, qp_num, 52);
OLD_OFFSET(ibv_qp_1_0, real_qp, 160);
OLD_SIZE(ibv_ah_1_0, 32);
OLD_SIZE(ibv_qp_init_attr_1_0, 64);
OLD_SIZE(ibv_send_wr_1_0, 72);
OLD_OFFSET(ibv_send_wr_1_0, wr, 40);
OLD_SIZE(ibv_recv_wr_1_0, 32);

#undef OLD_SIZE
#undef OLD_OFFSET
#endif

/* post.c: the calls that old headers make through the context's table */
void compat_set_ops(struct ibv_context_1_0 *context);

#endif
