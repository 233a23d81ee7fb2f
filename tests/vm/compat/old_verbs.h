/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What a program that was built for libibverbs 1.0 knew: its objects, and
 * functions that bind to the version IBVERBS_1.0.  Written down here a second
 * time, apart from the library's own copy; that it is right is shown by the run
 * on Debian's library.
 */
#ifndef OLD_VERBS_H
#define OLD_VERBS_H

#include <pthread.h>
#include <stdint.h>

#include <infiniband/verbs.h>

struct old_cq;
struct old_srq;
struct old_qp;
struct old_send_wr;
struct old_recv_wr;

struct old_device {
	void *sysfs[2];
	struct ibv_device *real;
	void *ops[2];
};

struct old_context {
	struct old_device *device;
	void *ops_1[7];
	int (*poll_cq)(struct old_cq *cq, int num, struct ibv_wc *wc);
	int (*req_notify_cq)(struct old_cq *cq, int solicited_only);
	void *ops_2[7];
	int (*post_srq_recv)(struct old_srq *srq, struct old_recv_wr *wr,
			     struct old_recv_wr **bad);
	void *ops_3[4];
	int (*post_send)(struct old_qp *qp, struct old_send_wr *wr,
			 struct old_send_wr **bad);
	int (*post_recv)(struct old_qp *qp, struct old_recv_wr *wr,
			 struct old_recv_wr **bad);
	void *ops_4[4];
	int fds[2];
	int num_comp_vectors;
	struct ibv_context *real;
};

struct old_pd {
	struct old_context *context;
	uint32_t handle;
	struct ibv_pd *real;
};

struct old_mr {
	struct old_context *context;
	struct old_pd *pd;
	uint32_t handle;
	uint32_t lkey;
	uint32_t rkey;
	struct ibv_mr *real;
};

struct old_cq {
	struct old_context *context;
	void *cq_context;
	uint32_t handle;
	int cqe;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t events[2];
	struct ibv_cq *real;
};

struct old_srq {
	struct old_context *context;
	void *srq_context;
	struct old_pd *pd;
	uint32_t handle;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t events;
	struct ibv_srq *real;
};

struct old_qp {
	struct old_context *context;
	void *qp_context;
	struct old_pd *pd;
	struct old_cq *send_cq;
	struct old_cq *recv_cq;
	struct old_srq *srq;
	uint32_t handle;
	uint32_t qp_num;
	enum ibv_qp_state state;
	enum ibv_qp_type qp_type;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t events;
	struct ibv_qp *real;
};

struct old_ah {
	struct old_context *context;
	struct old_pd *pd;
	uint32_t handle;
	struct ibv_ah *real;
};

struct old_qp_init_attr {
	void *qp_context;
	struct old_cq *send_cq;
	struct old_cq *recv_cq;
	struct old_srq *srq;
	struct ibv_qp_cap cap;
	enum ibv_qp_type qp_type;
	int sq_sig_all;
};

struct old_send_wr {
	struct old_send_wr *next;
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
			struct old_ah *ah;
			uint32_t remote_qpn;
			uint32_t remote_qkey;
		} ud;
	} wr;
};

struct old_recv_wr {
	struct old_recv_wr *next;
	uint64_t wr_id;
	struct ibv_sge *sg_list;
	int num_sge;
};

/* old_NAME is ibv_NAME@IBVERBS_1.0. */
#define OLD(_type, _name, ...)          \
	_type old_##_name(__VA_ARGS__); \
	__asm__(".symver old_" #_name ", ibv_" #_name "@IBVERBS_1.0")

OLD(struct old_device **, get_device_list, int *num);
OLD(void, free_device_list, struct old_device **list);
OLD(const char *, get_device_name, struct old_device *device);
OLD(__be64, get_device_guid, struct old_device *device);
OLD(struct old_context *, open_device, struct old_device *device);
OLD(int, close_device, struct old_context *context);
OLD(int, get_async_event, struct old_context *context,
    struct ibv_async_event *event);
OLD(void, ack_async_event, struct ibv_async_event *event);
OLD(int, query_device, struct old_context *context,
    struct ibv_device_attr *attr);
OLD(int, query_port, struct old_context *context, uint8_t port, void *attr);
OLD(int, query_gid, struct old_context *context, uint8_t port, int index,
    union ibv_gid *gid);
OLD(int, query_pkey, struct old_context *context, uint8_t port, int index,
    __be16 *pkey);
OLD(struct old_pd *, alloc_pd, struct old_context *context);
OLD(int, dealloc_pd, struct old_pd *pd);
OLD(struct old_mr *, reg_mr, struct old_pd *pd, void *addr, size_t length,
    int access);
OLD(int, dereg_mr, struct old_mr *mr);
OLD(struct old_cq *, create_cq, struct old_context *context, int cqe,
    void *cq_context, struct ibv_comp_channel *channel, int comp_vector);
OLD(int, resize_cq, struct old_cq *cq, int cqe);
OLD(int, destroy_cq, struct old_cq *cq);
OLD(int, get_cq_event, struct ibv_comp_channel *channel, struct old_cq **cq,
    void **cq_context);
OLD(void, ack_cq_events, struct old_cq *cq, unsigned int num);
OLD(struct old_srq *, create_srq, struct old_pd *pd,
    struct ibv_srq_init_attr *attr);
OLD(int, modify_srq, struct old_srq *srq, struct ibv_srq_attr *attr, int mask);
OLD(int, query_srq, struct old_srq *srq, struct ibv_srq_attr *attr);
OLD(int, destroy_srq, struct old_srq *srq);
OLD(struct old_qp *, create_qp, struct old_pd *pd,
    struct old_qp_init_attr *attr);
OLD(int, query_qp, struct old_qp *qp, struct ibv_qp_attr *attr, int mask,
    struct old_qp_init_attr *init);
OLD(int, modify_qp, struct old_qp *qp, struct ibv_qp_attr *attr, int mask);
OLD(int, destroy_qp, struct old_qp *qp);
OLD(struct old_ah *, create_ah, struct old_pd *pd, struct ibv_ah_attr *attr);
OLD(int, destroy_ah, struct old_ah *ah);
OLD(int, attach_mcast, struct old_qp *qp, union ibv_gid *gid, uint16_t lid);
OLD(int, detach_mcast, struct old_qp *qp, union ibv_gid *gid, uint16_t lid);

#undef OLD

#endif
