// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What posting leaves in an entry; what is refused; queues that wrap and run
 * full; requests that the kernel will not look at; completions; arming.
 */
#include "siw_kernel.h"

#define ENTRIES 8

static struct {
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
} f;

static int open_qp(void **state)
{
	struct ibv_qp_init_attr attr = {
		.cap = { ENTRIES, ENTRIES, 4, 4, 64 },
		.qp_type = IBV_QPT_RC,
	};

	if (siw_kernel_setup(state))
		return -1;
	/* Old requests, done with: nothing may count on zeros. */
	memset(provider_kernel.memory, 0xa5, 3 * RING_BYTES);
	for (int i = 0; i < ENTRIES; i++) {
		kernel_sqe(i)->flags = 0;
		kernel_rqe(i)->flags = 0;
		kernel_cqe(i)->flags = 0;
	}
	f.pd = ibv_alloc_pd(*state);
	f.cq = ibv_create_cq(*state, ENTRIES, NULL, NULL, 0);
	attr.send_cq = attr.recv_cq = f.cq;
	f.qp = ibv_create_qp(f.pd, &attr);
	return f.qp ? 0 : -1;
}

static int close_qp(void **state)
{
	int bad = to_siw_qp(f.qp)->sq.lock.held ||
		  to_siw_qp(f.qp)->rq.lock.held || to_siw_cq(f.cq)->lock.held;

	ibv_destroy_qp(f.qp);
	ibv_destroy_cq(f.cq);
	ibv_dealloc_pd(f.pd);
	return provider_kernel_teardown(state) || bad;
}

static struct ibv_sge sges[] = {
	{ 0x1111222233334444, 100, 0xaaaa0001 },
	{ 0x5555666677778888, 1, 0xaaaa0002 },
	{ 0x9999aaaabbbbcccc, 7, 0xaaaa0003 },
	{ 0xddddeeeeffff0000, 900, 0xaaaa0004 },
	{ 0xddddeeeeffff0000, 900, 0xaaaa0005 },
};

static struct ibv_send_wr request(enum ibv_wr_opcode opcode)
{
	struct ibv_send_wr wr = {
		.wr_id = 0xfeedfacecafe0000 + opcode,
		.opcode = opcode,
		.sg_list = sges,
		.num_sge = 4,
	};

	if (opcode == IBV_WR_SEND_WITH_INV) {
		wr.invalidate_rkey = 0x777;
	} else {
		wr.wr.rdma.remote_addr = 0x123456789abcdef0;
		wr.wr.rdma.rkey = 0x999;
	}
	return wr;
}

static int post(struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad = NULL;
	int ret = ibv_post_send(f.qp, wr, &bad);

	if (ret)
		assert_ptr_equal(bad, wr);
	return ret;
}

static void check_sqe(unsigned int i, uint64_t id, uint16_t flags,
		      uint8_t opcode, uint32_t rkey, uint64_t raddr)
{
	const struct siw_sqe *sqe = kernel_sqe(i);

	assert_int_equal(sqe->id, id);
	assert_int_equal(sqe->flags, flags);
	assert_int_equal(sqe->opcode, opcode);
	assert_int_equal(sqe->rkey, rkey);
	assert_int_equal(sqe->raddr, raddr);
}

static void requests(void **state)
{
	struct ibv_send_wr wr = request(IBV_WR_SEND);

	(void)state;
	assert_int_equal(post(&wr), 0);
	check_sqe(0, wr.wr_id, SIW_WQE_VALID, SIW_OP_SEND, 0, 0);
	assert_int_equal(kernel_sqe(0)->num_sge, 4);
	assert_memory_equal(kernel_sqe(0)->sge, sges, 4 * sizeof(sges[0]));

	wr = request(IBV_WR_SEND_WITH_INV);
	wr.send_flags = IBV_SEND_SOLICITED | IBV_SEND_SIGNALED;
	assert_int_equal(post(&wr), 0);
	check_sqe(1, wr.wr_id,
		  SIW_WQE_VALID | SIW_WQE_SOLICITED | SIW_WQE_SIGNALLED,
		  SIW_OP_SEND_REMOTE_INV, 0x777, 0);

	wr = request(IBV_WR_RDMA_WRITE);
	wr.send_flags = IBV_SEND_FENCE;
	wr.num_sge = 1;
	assert_int_equal(post(&wr), 0);
	check_sqe(2, wr.wr_id, SIW_WQE_VALID | SIW_WQE_READ_FENCE, SIW_OP_WRITE,
		  0x999, 0x123456789abcdef0);
	assert_int_equal(kernel_sqe(2)->num_sge, 1);

	/* The kernel takes no fenced read. */
	wr = request(IBV_WR_RDMA_READ);
	wr.send_flags = IBV_SEND_FENCE | IBV_SEND_SIGNALED;
	wr.num_sge = 1;
	assert_int_equal(post(&wr), 0);
	check_sqe(3, wr.wr_id, SIW_WQE_VALID | SIW_WQE_SIGNALLED, SIW_OP_READ,
		  0x999, 0x123456789abcdef0);
	assert_int_equal(kernel_sqe(3)->num_sge, 1);
	assert_memory_equal(kernel_sqe(3)->sge, sges, sizeof(sges[0]));

	/* Nothing at all */
	wr = request(IBV_WR_SEND);
	wr.num_sge = 0;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(4)->num_sge, 0);
	assert_int_equal(siw_kernel.doorbells, 5);
}

/* An SGE without data is left out, but for a read's only one. */
static void empty_sges(void **state)
{
	struct ibv_sge some[] = {
		{ 1, 0, 11 }, { 2, 20, 12 }, { 3, 0, 13 }, { 4, 40, 14 }
	};
	struct ibv_send_wr wr = request(IBV_WR_SEND);

	(void)state;
	wr.sg_list = some;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(0)->num_sge, 2);
	assert_memory_equal(&kernel_sqe(0)->sge[0], &some[1], sizeof(some[0]));
	assert_memory_equal(&kernel_sqe(0)->sge[1], &some[3], sizeof(some[0]));
	wr.num_sge = 1;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(1)->num_sge, 0);
	wr.opcode = IBV_WR_RDMA_READ;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(2)->num_sge, 1);
	assert_memory_equal(&kernel_sqe(2)->sge[0], &some[0], sizeof(some[0]));
}

/* One SGE is made two when it may be of another process's memory. */
static void foreign_memory(void **state)
{
	static const struct siw_sge none;
	struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE);
	struct ibv_pd *pd = ibv_import_pd((struct ibv_context *)*state, 5);

	wr.num_sge = 1;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(0)->num_sge, 2);
	assert_memory_equal(&kernel_sqe(0)->sge[0], &sges[0], sizeof(sges[0]));
	assert_memory_equal(&kernel_sqe(0)->sge[1], &none, sizeof(none));
	wr.num_sge = 2;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(1)->num_sge, 2);
	assert_memory_equal(kernel_sqe(1)->sge, sges, 2 * sizeof(sges[0]));
	wr.opcode = IBV_WR_RDMA_READ;
	wr.num_sge = 1;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(2)->num_sge, 1);
	ibv_unimport_pd(pd);
}

static void inline_data(void **state)
{
	char data[81];
	struct ibv_sge sge[3] = {
		{ (uintptr_t)data, 30, 1 },
		{ 8, 0, 2 },
		{ (uintptr_t)data + 40, 20, 3 },
	};
	struct ibv_send_wr wr = request(IBV_WR_SEND);
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(data); i++)
		data[i] = i + 1;
	wr.sg_list = sge;
	wr.num_sge = 3;
	wr.send_flags = IBV_SEND_INLINE;
	assert_int_equal(post(&wr), 0);
	check_sqe(0, wr.wr_id, SIW_WQE_VALID | SIW_WQE_INLINE, SIW_OP_SEND, 0,
		  0);
	assert_int_equal(kernel_sqe(0)->num_sge, 1);
	assert_int_equal(kernel_sqe(0)->sge[0].length, 50);
	assert_int_equal(kernel_sqe(0)->sge[0].lkey, 0);
	assert_memory_equal(&kernel_sqe(0)->sge[1], data, 30);
	assert_memory_equal((char *)&kernel_sqe(0)->sge[1] + 30, data + 40, 20);

	/* All there is room for; the next entry is not touched. */
	sge[0].length = 80;
	wr.num_sge = 1;
	wr.opcode = IBV_WR_RDMA_WRITE;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(1)->sge[0].length, 80);
	assert_memory_equal(&kernel_sqe(1)->sge[1], data, 80);
	assert_int_equal(kernel_sqe(2)->id, 0xa5a5a5a5a5a5a5a5);

	sge[0].length = 81;
	assert_int_equal(post(&wr), EINVAL);
	sge[0].length = 0xffffffff;
	assert_int_equal(post(&wr), EINVAL);
	sge[0].length = 60;
	sge[2].length = 21;
	wr.num_sge = 3;
	assert_int_equal(post(&wr), EINVAL);

	/* None */
	wr.num_sge = 0;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(kernel_sqe(2)->flags, SIW_WQE_VALID);
	assert_int_equal(kernel_sqe(2)->num_sge, 0);
}

static void refused(void **state)
{
	static const int opcodes[] = {
		IBV_WR_RDMA_WRITE_WITH_IMM,
		IBV_WR_SEND_WITH_IMM,
		IBV_WR_ATOMIC_CMP_AND_SWP,
		IBV_WR_LOCAL_INV,
		IBV_WR_ATOMIC_FETCH_AND_ADD,
		IBV_WR_BIND_MW,
		IBV_WR_TSO,
		IBV_WR_DRIVER1,
		99,
		-1,
	};
	struct ibv_send_wr wr;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		wr = request(IBV_WR_SEND);
		*(int *)&wr.opcode = opcodes[i];
		assert_int_equal(post(&wr), EINVAL);
	}
	wr = request(IBV_WR_SEND);
	wr.num_sge = 5;
	assert_int_equal(post(&wr), EINVAL);
	wr.num_sge = -1;
	assert_int_equal(post(&wr), EINVAL);
	wr.num_sge = 0x7fffffff;
	assert_int_equal(post(&wr), EINVAL);
	wr = request(IBV_WR_RDMA_READ);
	assert_int_equal(post(&wr), EINVAL);
	wr.num_sge = 0;
	assert_int_equal(post(&wr), EINVAL);
	wr.num_sge = 1;
	wr.send_flags = IBV_SEND_INLINE;
	assert_int_equal(post(&wr), EINVAL);
	wr = request(IBV_WR_SEND_WITH_INV);
	wr.send_flags = IBV_SEND_INLINE;
	wr.num_sge = 0;
	assert_int_equal(post(&wr), EINVAL);

	sges[3].length = 0x7fffffff;
	wr = request(IBV_WR_SEND);
	assert_int_equal(post(&wr), EINVAL);
	sges[3].length = 0x7fffffff - 108;
	assert_int_equal(post(&wr), 0);
	sges[3].length = 900;
	assert_int_equal(siw_kernel.doorbells, 1);

	f.qp->state = IBV_QPS_ERR;
	assert_int_equal(post(&wr), EINVAL);
	f.qp->state = IBV_QPS_RESET;
	assert_int_equal(post(&wr), 0);
	/* Entry by entry, only what was accepted */
	assert_int_equal(kernel_sqe(1)->flags, SIW_WQE_VALID);
	assert_int_equal(kernel_sqe(2)->flags, 0);
}

static void wrap(void **state)
{
	struct ibv_send_wr wr = request(IBV_WR_SEND);
	unsigned int i;

	(void)state;
	/* As the kernel does, from before the counter's own wrap */
	to_siw_qp(f.qp)->sq.ring.next = 0xfffffff0;
	for (i = 0; i < 5 * ENTRIES; i++) {
		wr.wr_id = i;
		assert_int_equal(post(&wr), 0);
		assert_int_equal(kernel_sqe(i % ENTRIES)->id, i);
		if (i >= ENTRIES - 1) {
			wr.wr_id = 999;
			assert_int_equal(post(&wr), ENOMEM);
			kernel_sqe((i + 1) % ENTRIES)->flags = 0;
		}
	}
	assert_int_equal(siw_kernel.doorbells, 5 * ENTRIES);
}

/* What stands before the bad one is posted, and told with one doorbell. */
static void lists(void **state)
{
	struct ibv_send_wr wr[3], *bad = NULL;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		wr[i] = request(IBV_WR_SEND);
		wr[i].next = i < 2 ? &wr[i + 1] : NULL;
	}
	wr[2].num_sge = 5;
	assert_int_equal(ibv_post_send(f.qp, wr, &bad), EINVAL);
	assert_ptr_equal(bad, &wr[2]);
	assert_int_equal(siw_kernel.doorbells, 1);
	assert_int_equal(kernel_sqe(1)->flags, SIW_WQE_VALID);
	assert_int_equal(kernel_sqe(2)->flags, 0);
	assert_int_equal(ibv_post_send(f.qp, &wr[2], &bad), EINVAL);
	assert_int_equal(siw_kernel.doorbells, 1);
}

static int not_connected(void)
{
	return ENOTCONN;
}

/* Another command has the QP, for a while. */
static int busy(void)
{
	return siw_kernel.doorbells < 4 ? ENOTCONN : 0;
}

static int takes_one_only(void)
{
	kernel_sqe(0)->flags = 0;
	return ENOTCONN;
}

static int takes_all(void)
{
	for (int i = 0; i < ENTRIES; i++)
		kernel_sqe(i)->flags = 0;
	return ENOTCONN;
}

/* Another thread posts in the meantime; then it takes its own back. */
static int other_thread_posts(void)
{
	struct siw_send_queue *sq = &to_siw_qp(f.qp)->sq;

	if (siw_kernel.doorbells == 1) {
		kernel_sqe(sq->ring.next++)->flags = SIW_WQE_VALID;
		return ENOTCONN;
	}
	if (siw_kernel.doorbells == 6) {
		sq->ring.next--;
		kernel_sqe(sq->ring.next)->flags = 0;
	}
	return ENOTCONN;
}

static void taken_back(void **state)
{
	struct ibv_send_wr wr[3], *bad = NULL;
	struct siw_send_queue *sq = &to_siw_qp(f.qp)->sq;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		wr[i] = request(IBV_WR_SEND);
		wr[i].next = i < 2 ? &wr[i + 1] : NULL;
	}
	siw_kernel.doorbell = not_connected;
	assert_int_equal(ibv_post_send(f.qp, wr, &bad), ENOTCONN);
	assert_ptr_equal(bad, &wr[0]);
	assert_int_equal(sq->ring.next, 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(kernel_sqe(i)->flags, 0);

	siw_kernel.doorbell = takes_one_only;
	assert_int_equal(ibv_post_send(f.qp, wr, &bad), ENOTCONN);
	assert_ptr_equal(bad, &wr[1]);
	assert_int_equal(sq->ring.next, 1);
	for (i = 0; i < 4; i++)
		assert_int_equal(kernel_sqe(i)->flags, 0);

	/* It had them all: they are posted. */
	siw_kernel.doorbell = takes_all;
	assert_int_equal(ibv_post_send(f.qp, wr, &bad), 0);
	assert_int_equal(sq->ring.next, 4);

	/* A bad one in the list as well: the earlier failure is told. */
	siw_kernel.doorbell = not_connected;
	wr[2].num_sge = 5;
	assert_int_equal(ibv_post_send(f.qp, wr, &bad), ENOTCONN);
	assert_ptr_equal(bad, &wr[0]);
	siw_kernel.doorbell = takes_all;
	assert_int_equal(ibv_post_send(f.qp, wr, &bad), EINVAL);
	assert_ptr_equal(bad, &wr[2]);
	assert_int_equal(sq->ring.next, 6);
}

static void taken_back_behind_others(void **state)
{
	struct ibv_send_wr wr = request(IBV_WR_SEND);
	struct siw_send_queue *sq = &to_siw_qp(f.qp)->sq;

	(void)state;
	siw_kernel.doorbell = other_thread_posts;
	assert_int_equal(post(&wr), ENOTCONN);
	assert_int_equal(siw_kernel.doorbells, 6);
	assert_int_equal(sq->ring.next, 0);
	assert_int_equal(kernel_sqe(0)->flags, 0);
}

static void busy_for_a_while(void **state)
{
	struct ibv_send_wr wr = request(IBV_WR_SEND);

	(void)state;
	siw_kernel.doorbell = busy;
	assert_int_equal(post(&wr), 0);
	assert_int_equal(siw_kernel.doorbells, 4);
	assert_int_equal(to_siw_qp(f.qp)->sq.ring.next, 1);
	assert_int_equal(kernel_sqe(0)->flags, SIW_WQE_VALID);
}

static void receive(void **state)
{
	struct ibv_recv_wr wr = { .wr_id = 5, .sg_list = sges, .num_sge = 4 };
	struct ibv_recv_wr *bad;
	unsigned int i;

	(void)state;
	assert_int_equal(ibv_post_recv(f.qp, &wr, &bad), 0);
	assert_int_equal(kernel_rqe(0)->id, 5);
	/* This, and nothing else, is what the kernel takes. */
	assert_int_equal(kernel_rqe(0)->flags, SIW_WQE_VALID);
	assert_int_equal(kernel_rqe(0)->num_sge, 4);
	assert_memory_equal(kernel_rqe(0)->sge, sges, 4 * sizeof(sges[0]));

	wr.num_sge = 5;
	assert_int_equal(ibv_post_recv(f.qp, &wr, &bad), EINVAL);
	assert_ptr_equal(bad, &wr);
	wr.num_sge = -1;
	assert_int_equal(ibv_post_recv(f.qp, &wr, &bad), EINVAL);
	wr.num_sge = 0;
	for (i = 1; i < 3 * ENTRIES; i++) {
		wr.wr_id = i;
		assert_int_equal(ibv_post_recv(f.qp, &wr, &bad), 0);
		assert_int_equal(kernel_rqe(i % ENTRIES)->id, i);
		if (i >= ENTRIES - 1) {
			assert_int_equal(ibv_post_recv(f.qp, &wr, &bad),
					 ENOMEM);
			kernel_rqe((i + 1) % ENTRIES)->flags = 0;
		}
	}
	f.qp->state = IBV_QPS_ERR;
	assert_int_equal(ibv_post_recv(f.qp, &wr, &bad), EINVAL);
	/* No system call at all */
	assert_int_equal(siw_kernel.doorbells, 0);
}

static void shared_receive(void **state)
{
	struct ibv_srq_init_attr attr = { .attr = { 8, 3, 0 } };
	struct ibv_recv_wr wr = { .wr_id = 5, .sg_list = sges, .num_sge = 3 };
	struct ibv_srq *srq = ibv_create_srq(f.pd, &attr);
	struct ibv_recv_wr *bad;
	unsigned int i;

	(void)state;
	assert_non_null(srq);
	for (i = 0; i < ENTRIES; i++)
		assert_int_equal(ibv_post_srq_recv(srq, &wr, &bad), 0);
	assert_int_equal(ibv_post_srq_recv(srq, &wr, &bad), ENOMEM);
	assert_ptr_equal(bad, &wr);
	kernel_rqe(0)->flags = 0;
	wr.num_sge = 4;
	assert_int_equal(ibv_post_srq_recv(srq, &wr, &bad), EINVAL);
	assert_int_equal(ibv_destroy_srq(srq), 0);
}

static void complete(unsigned int i, uint8_t opcode, uint16_t status)
{
	*kernel_cqe(i % ENTRIES) = (struct siw_cqe){
		.id = 1000 + i,
		.flags = SIW_WQE_VALID,
		.opcode = opcode,
		.status = status,
		.bytes = 50 + i,
		.qp_id = 42,
	};
}

static void completions(void **state)
{
	struct ibv_wc wc[ENTRIES + 1];
	unsigned int i, round;

	(void)state;
	assert_int_equal(ibv_poll_cq(f.cq, 1, wc), 0);
	to_siw_cq(f.cq)->ring.next = 0xfffffff8;
	for (round = 0; round < 4; round++) {
		for (i = 0; i < ENTRIES; i++)
			complete(i, SIW_OP_RECEIVE, SIW_WC_SUCCESS);
		memset(wc, 0xff, sizeof(wc));
		assert_int_equal(ibv_poll_cq(f.cq, 3, wc), 3);
		assert_int_equal(ibv_poll_cq(f.cq, ENTRIES + 1, wc + 3),
				 ENTRIES - 3);
		for (i = 0; i < ENTRIES; i++) {
			assert_int_equal(kernel_cqe(i)->flags, 0);
			assert_int_equal(wc[i].wr_id, 1000 + i);
			assert_int_equal(wc[i].byte_len, 50 + i);
			assert_int_equal(wc[i].qp_num, 42);
			assert_int_equal(wc[i].wc_flags, 0);
			assert_int_equal(wc[i].opcode, IBV_WC_RECV);
			assert_int_equal(wc[i].status, IBV_WC_SUCCESS);
		}
	}
}

static void codes(void **state)
{
	static const enum ibv_wc_opcode opcodes[] = {
		[SIW_OP_WRITE] = IBV_WC_RDMA_WRITE,
		[SIW_OP_READ] = IBV_WC_RDMA_READ,
		[SIW_OP_READ_LOCAL_INV] = IBV_WC_RDMA_READ,
		[SIW_OP_SEND] = IBV_WC_SEND,
		[SIW_OP_SEND_WITH_IMM] = IBV_WC_SEND,
		[SIW_OP_SEND_REMOTE_INV] = IBV_WC_SEND,
	};
	static const enum ibv_wc_status statuses[] = {
		IBV_WC_SUCCESS,		IBV_WC_LOC_LEN_ERR,
		IBV_WC_LOC_PROT_ERR,	IBV_WC_LOC_QP_OP_ERR,
		IBV_WC_WR_FLUSH_ERR,	IBV_WC_BAD_RESP_ERR,
		IBV_WC_LOC_ACCESS_ERR,	IBV_WC_REM_ACCESS_ERR,
		IBV_WC_REM_INV_REQ_ERR, IBV_WC_GENERAL_ERR,
	};
	struct ibv_wc wc;
	unsigned int i, n = 0;

	(void)state;
	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		complete(n++, i, SIW_WC_SUCCESS);
		assert_int_equal(ibv_poll_cq(f.cq, 1, &wc), 1);
		assert_int_equal(wc.opcode, opcodes[i]);
	}
	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		complete(n++, SIW_OP_SEND, i);
		assert_int_equal(ibv_poll_cq(f.cq, 1, &wc), 1);
		assert_int_equal(wc.status, statuses[i]);
		assert_int_equal(wc.vendor_err, i);
	}
	/* What there is no name for */
	complete(n++, 255, 0xffff);
	assert_int_equal(ibv_poll_cq(f.cq, 1, &wc), 1);
	assert_int_equal(wc.status, IBV_WC_GENERAL_ERR);
	complete(n, SIW_OP_RECEIVE, 0);
	kernel_cqe(n % ENTRIES)->flags |= SIW_WQE_REM_INVAL;
	kernel_cqe(n % ENTRIES)->inval_stag = 0x888;
	assert_int_equal(ibv_poll_cq(f.cq, 1, &wc), 1);
	assert_int_equal(wc.wc_flags, IBV_WC_WITH_INV);
	assert_int_equal(wc.invalidated_rkey, 0x888);
}

static void arming(void **state)
{
	struct siw_cq_ctrl *ctrl = (void *)kernel_cqe(ENTRIES);

	(void)state;
	ctrl->flags = 0;
	assert_int_equal(ibv_req_notify_cq(f.cq, 0), 0);
	assert_int_equal(ctrl->flags,
			 SIW_NOTIFY_SOLICITED | SIW_NOTIFY_NEXT_COMPLETION);
	ctrl->flags = 0;
	assert_int_equal(ibv_req_notify_cq(f.cq, 1), 0);
	assert_int_equal(ctrl->flags,
			 SIW_NOTIFY_SOLICITED | SIW_NOTIFY_NEXT_COMPLETION);
}

#define post_test(_fn) cmocka_unit_test_setup_teardown(_fn, open_qp, close_qp)

int main(void)
{
	const struct CMUnitTest tests[] = {
		post_test(requests),
		post_test(empty_sges),
		post_test(foreign_memory),
		post_test(inline_data),
		post_test(refused),
		post_test(wrap),
		post_test(lists),
		post_test(taken_back),
		post_test(taken_back_behind_others),
		post_test(busy_for_a_while),
		post_test(receive),
		post_test(shared_receive),
		post_test(completions),
		post_test(codes),
		post_test(arming),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
