// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What posting leaves in a slot, byte by byte, by both ways of posting; what
 * is refused; when the doorbell rings; and completions read back.
 */
#include "extended.h"
#include "kernel_script.h"
#include "ring.h"
#include "send_wqe.h"

#define SHIFT 9 /* slots of 512 bytes: a header and 16 SGEs */
#define SLOTS 8
#define MAX_SGE 4
#define MAX_INLINE 100

struct fixture {
	struct rxe_qp qp;
	struct ring send, recv;
	unsigned int doorbells, other_commands;
	int doorbell_error;
};

static struct fixture f;

/*
 * Any command must be a doorbell: an empty POST_SEND of this QP.  It is called
 * with the script's lock held, so it may not fail the test itself.
 */
static int doorbell(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	const struct ib_uverbs_attr *in =
		kernel_find_attr(hdr, UVERBS_ATTR_CORE_IN);
	const struct ib_uverbs_post_send *request = NULL;

	(void)fd;
	(void)arg;
	if (in && in->len == sizeof(*request))
		request = (void *)(uintptr_t)in->data;
	if (hdr->object_id != UVERBS_OBJECT_DEVICE ||
	    hdr->method_id != UVERBS_METHOD_INVOKE_WRITE || !request ||
	    request->qp_handle != 77 || request->wr_count || request->sge_count)
		f.other_commands++;
	f.doorbells++;
	return f.doorbell_error;
}

static void open_qp(struct ibv_context *context, enum ibv_qp_type type,
		    uint32_t opcodes)
{
	memset(&f, 0, sizeof(f));
	f.send = ring_make(SHIFT, SLOTS);
	f.recv = ring_make(SHIFT, SLOTS);
	assert_int_equal(rxe_queue_attach(&f.qp.sq.queue, f.send.buf,
					  f.send.size, 512, SLOTS - 1,
					  RXE_PRODUCER),
			 0);
	assert_int_equal(rxe_queue_attach(&f.qp.rq.queue, f.recv.buf,
					  f.recv.size, 512, SLOTS - 1,
					  RXE_PRODUCER),
			 0);
	f.qp.vqp.qp.context = context;
	f.qp.vqp.qp.handle = 77;
	f.qp.vqp.qp.qp_type = type;
	f.qp.vqp.qp.state = IBV_QPS_RTS;
	f.qp.sq.max_sge = MAX_SGE;
	f.qp.sq.max_inline = MAX_INLINE;
	f.qp.sq.opcodes = opcodes;
	f.qp.rq.max_sge = MAX_SGE;
	queue_lock_init(&f.qp.sq.lock, true);
	queue_lock_init(&f.qp.rq.lock, true);
	rxe_set_wr_functions(&f.qp.vqp.qp_ex);
	kernel_answer_with(doorbell, NULL);
}

static void close_qp(void)
{
	assert_int_equal(f.other_commands, 0);
	assert_int_equal(f.qp.sq.lock.held, 0);
	assert_int_equal(f.qp.rq.lock.held, 0);
	free(f.send.buf);
	free(f.recv.buf);
	kernel_answer_with(NULL, NULL);
}

static struct rxe_send_wqe *slot(uint32_t index)
{
	return (void *)(f.send.buf->data + ((size_t)index << SHIFT));
}

/* What every request must have, whatever was in the slot before */
static void check_common(const struct rxe_send_wqe *wqe, uint64_t wr_id,
			 uint32_t opcode, uint32_t flags, uint32_t ssn)
{
	assert_int_equal(wqe->wr.wr_id, wr_id);
	assert_int_equal(wqe->wr.reserved, 0);
	assert_int_equal(wqe->wr.opcode, opcode);
	assert_int_equal(wqe->wr.send_flags, flags);
	assert_int_equal(wqe->status, 0);
	assert_int_equal(wqe->state, 0); /* posted */
	assert_int_equal(wqe->mask, 0);
	assert_int_equal(wqe->first_psn, 0);
	assert_int_equal(wqe->last_psn, 0);
	assert_int_equal(wqe->ack_length, 0);
	assert_int_equal(wqe->ssn, ssn);
	assert_int_equal(wqe->has_rd_atomic, 0);
	assert_int_equal(wqe->dma.cur_sge, 0);
	assert_int_equal(wqe->dma.sge_offset, 0);
	assert_int_equal(wqe->dma.reserved, 0);
	assert_int_equal(wqe->dma.resid, wqe->dma.length);
}

static struct ibv_sge sges[MAX_SGE] = {
	{ 0x1111222233334444, 100, 0xaaaa0001 },
	{ 0x5555666677778888, 0, 0xaaaa0002 },
	{ 0x9999aaaabbbbcccc, 7, 0xaaaa0003 },
	{ 0xddddeeeeffff0000, 900, 0xaaaa0004 },
};
#define SGE_BYTES 1007

static struct rxe_ah numbered = { .ah_num = 5 };
static struct rxe_ah old_style;
static struct ibv_mw window = { .rkey = 0x12345601 };
static struct ibv_mr region = { .lkey = 0x777 };

static struct ibv_send_wr request(enum ibv_wr_opcode opcode)
{
	struct ibv_send_wr wr = {
		.wr_id = 0xfeedfacecafe0000 + opcode,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = sges,
		.num_sge = MAX_SGE,
		.imm_data = htobe32(0x01020304),
	};

	switch ((int)opcode) {
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_WRITE_WITH_IMM:
	case IBV_WR_RDMA_READ:
		wr.wr.rdma.remote_addr = 0xabcdef0123456789;
		wr.wr.rdma.rkey = 0x99;
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		wr.wr.atomic.remote_addr = 0xabcdef0123456788;
		wr.wr.atomic.compare_add = 0x1122334455667788;
		wr.wr.atomic.swap = 0x99aabbccddeeff00;
		wr.wr.atomic.rkey = 0x98;
		wr.num_sge = 1;
		break;
	case IBV_WR_BIND_MW:
		wr.bind_mw.mw = &window;
		wr.bind_mw.rkey = 0x12345602;
		wr.bind_mw.bind_info.mr = &region;
		wr.bind_mw.bind_info.addr = 0x10000;
		wr.bind_mw.bind_info.length = 0x100000000;
		wr.bind_mw.bind_info.mw_access_flags = IBV_ACCESS_REMOTE_READ;
		break;
	}
	return wr;
}

static void check_data(const struct rxe_send_wqe *wqe, int num_sge)
{
	uint32_t length = 0;
	int i;

	assert_int_equal(wqe->dma.num_sge, num_sge);
	for (i = 0; i < num_sge; i++) {
		length += sges[i].length;
		assert_int_equal(wqe->dma.sge[i].addr, sges[i].addr);
		assert_int_equal(wqe->dma.sge[i].length, sges[i].length);
		assert_int_equal(wqe->dma.sge[i].lkey, sges[i].lkey);
	}
	assert_int_equal(wqe->dma.length, length);
}

static void check_request(const struct rxe_send_wqe *wqe,
			  const struct ibv_send_wr *wr, uint32_t ssn)
{
	check_common(wqe, wr->wr_id, wr->opcode, IBV_SEND_SIGNALED, ssn);
	switch ((int)wr->opcode) {
	case IBV_WR_SEND:
		assert_int_equal(wqe->wr.ex.imm_data, 0);
		assert_int_equal(wqe->iova, 0);
		break;
	case IBV_WR_SEND_WITH_IMM:
	case IBV_WR_SEND_WITH_INV:
		assert_int_equal(wqe->wr.ex.imm_data, wr->imm_data);
		assert_int_equal(wqe->iova, 0);
		break;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		assert_int_equal(wqe->wr.ex.imm_data, wr->imm_data);
		/* fall through */
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_READ:
		assert_int_equal(wqe->wr.wr.rdma.remote_addr,
				 wr->wr.rdma.remote_addr);
		assert_int_equal(wqe->wr.wr.rdma.rkey, wr->wr.rdma.rkey);
		assert_int_equal(wqe->wr.wr.rdma.reserved, 0);
		assert_int_equal(wqe->iova, wr->wr.rdma.remote_addr);
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		assert_int_equal(wqe->wr.wr.atomic.swap, wr->wr.atomic.swap);
		/* fall through */
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		assert_int_equal(wqe->wr.wr.atomic.remote_addr,
				 wr->wr.atomic.remote_addr);
		assert_int_equal(wqe->wr.wr.atomic.compare_add,
				 wr->wr.atomic.compare_add);
		assert_int_equal(wqe->wr.wr.atomic.rkey, wr->wr.atomic.rkey);
		assert_int_equal(wqe->wr.wr.atomic.reserved, 0);
		assert_int_equal(wqe->iova, wr->wr.atomic.remote_addr);
		break;
	case IBV_WR_LOCAL_INV:
		assert_int_equal(wqe->wr.ex.invalidate_rkey,
				 wr->invalidate_rkey);
		assert_int_equal(wqe->dma.num_sge, 0);
		assert_int_equal(wqe->dma.length, 0);
		return;
	case IBV_WR_BIND_MW:
		assert_int_equal(wqe->wr.wr.mw.addr, 0x10000);
		assert_int_equal(wqe->wr.wr.mw.length, 0x100000000);
		assert_int_equal(wqe->wr.wr.mw.mr_lkey, 0x777);
		assert_int_equal(wqe->wr.wr.mw.mw_rkey, 0x12345601);
		assert_int_equal(wqe->wr.wr.mw.rkey, 0x12345602);
		assert_int_equal(wqe->wr.wr.mw.access, IBV_ACCESS_REMOTE_READ);
		assert_int_equal(wqe->dma.num_sge, 0);
		assert_int_equal(wqe->dma.length, 0);
		return;
	}
	check_data(wqe, wr->num_sge);
}

static const enum ibv_wr_opcode rc_opcodes[] = {
	IBV_WR_SEND,
	IBV_WR_SEND_WITH_IMM,
	IBV_WR_SEND_WITH_INV,
	IBV_WR_RDMA_WRITE,
	IBV_WR_RDMA_WRITE_WITH_IMM,
	IBV_WR_RDMA_READ,
	IBV_WR_ATOMIC_CMP_AND_SWP,
	IBV_WR_ATOMIC_FETCH_AND_ADD,
	IBV_WR_LOCAL_INV,
	IBV_WR_BIND_MW,
};
#define NUM_RC_OPCODES (sizeof(rc_opcodes) / sizeof(rc_opcodes[0]))

/* The kernel takes all that was posted. */
static void kernel_takes_all(void)
{
	f.send.buf->consumer_index = f.send.buf->producer_index;
}

static void list_of_each_opcode(void **state)
{
	struct ibv_send_wr wr, *bad;
	size_t i;

	open_qp(*state, IBV_QPT_RC, RXE_OPS_RC);
	for (i = 0; i < NUM_RC_OPCODES; i++) {
		wr = request(rc_opcodes[i]);
		/* Bits that mean nothing do not reach the kernel. */
		wr.send_flags |= IBV_SEND_IP_CSUM | 1u << 20;
		assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), 0);
		check_request(slot(i % SLOTS), &wr, i);
		assert_int_equal(f.send.buf->producer_index, (i + 1) % SLOTS);
		assert_int_equal(f.doorbells, i + 1);
		kernel_takes_all();
	}
	close_qp();
}

static void build(struct ibv_qp_ex *qp, const struct ibv_send_wr *wr)
{
	qp->wr_flags = wr->send_flags;
	if (!extended_request(qp, wr))
		return;
	if (wr->num_sge == 1)
		ibv_wr_set_sge(qp, sges[0].lkey, sges[0].addr, sges[0].length);
	else
		ibv_wr_set_sge_list(qp, wr->num_sge, wr->sg_list);
}

static void builder_of_each_opcode(void **state)
{
	struct ibv_qp_ex *qp = &f.qp.vqp.qp_ex;
	struct ibv_send_wr wr;
	size_t i;

	open_qp(*state, IBV_QPT_RC, RXE_OPS_RC);
	for (i = 0; i < NUM_RC_OPCODES; i++) {
		wr = request(rc_opcodes[i]);
		ibv_wr_start(qp);
		build(qp, &wr);
		assert_int_equal(f.send.buf->producer_index, i % SLOTS);
		assert_int_equal(ibv_wr_complete(qp), 0);
		check_request(slot(i % SLOTS), &wr, i);
		assert_int_equal(f.send.buf->producer_index, (i + 1) % SLOTS);
		assert_int_equal(f.doorbells, i + 1);
		kernel_takes_all();
	}
	close_qp();
}

/* One doorbell for many, all shown at once */
static void many_at_once(void **state)
{
	struct ibv_qp_ex *qp = &f.qp.vqp.qp_ex;
	struct ibv_send_wr wr[SLOTS], *bad = NULL;
	int i;

	open_qp(*state, IBV_QPT_RC, RXE_OPS_RC);
	for (i = 0; i < SLOTS; i++) {
		wr[i] = request(i % 2 ? IBV_WR_SEND : IBV_WR_RDMA_WRITE);
		wr[i].wr_id = i;
		wr[i].next = i + 1 < SLOTS ? &wr[i + 1] : NULL;
	}
	/* One more than there is room for */
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, wr, &bad), ENOMEM);
	assert_ptr_equal(bad, &wr[SLOTS - 1]);
	assert_int_equal(f.doorbells, 1);
	assert_int_equal(f.send.buf->producer_index, SLOTS - 1);
	for (i = 0; i < SLOTS - 1; i++)
		check_request(slot(i), &wr[i], i);
	/* Still none: no doorbell for nothing */
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, wr, &bad), ENOMEM);
	assert_ptr_equal(bad, wr);
	assert_int_equal(f.doorbells, 1);

	kernel_takes_all();
	ibv_wr_start(qp);
	for (i = 0; i < SLOTS; i++)
		build(qp, &wr[i]);
	assert_int_equal(ibv_wr_complete(qp), ENOMEM);
	assert_int_equal(f.doorbells, 1);
	assert_int_equal(f.send.buf->producer_index, SLOTS - 1);
	ibv_wr_start(qp);
	for (i = 0; i < SLOTS - 1; i++)
		build(qp, &wr[i]);
	assert_int_equal(ibv_wr_complete(qp), 0);
	assert_int_equal(f.doorbells, 2);
	for (i = 0; i < SLOTS - 1; i++)
		check_request(slot((SLOTS - 1 + i) % SLOTS), &wr[i],
			      SLOTS - 1 + i);

	/* The sequence number goes on as if the failed ones had never been. */
	kernel_takes_all();
	wr[0].next = NULL;
	ibv_wr_start(qp);
	build(qp, &wr[0]);
	ibv_wr_abort(qp);
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, wr, &bad), 0);
	check_request(slot((2 * SLOTS - 2) % SLOTS), &wr[0], 2 * SLOTS - 2);
	close_qp();
}

static void doorbell_fails(void **state)
{
	struct ibv_send_wr wr = request(IBV_WR_SEND), *bad = NULL;
	struct ibv_qp_ex *qp = &f.qp.vqp.qp_ex;

	open_qp(*state, IBV_QPT_RC, RXE_OPS_RC);
	f.doorbell_error = EIO;
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), EIO);
	assert_ptr_equal(bad, &wr);
	ibv_wr_start(qp);
	build(qp, &wr);
	assert_int_equal(ibv_wr_complete(qp), EIO);
	close_qp();
}

static void inline_data(void **state)
{
	struct ibv_qp_ex *qp = &f.qp.vqp.qp_ex;
	uint8_t data[MAX_INLINE + 1];
	struct ibv_sge pieces[3];
	struct ibv_data_buf bufs[3];
	struct ibv_send_wr wr = request(IBV_WR_SEND), *bad;
	const struct rxe_send_wqe *wqe;
	int i, way;

	open_qp(*state, IBV_QPT_RC, RXE_OPS_RC);
	for (i = 0; i < (int)sizeof(data); i++)
		data[i] = i + 1;
	pieces[0] = (struct ibv_sge){ (uintptr_t)data, 60, 0 };
	pieces[1] = (struct ibv_sge){ 0, 0, 0 };
	pieces[2] = (struct ibv_sge){ (uintptr_t)data + 60, 40, 0 };
	for (i = 0; i < 3; i++)
		bufs[i] = (struct ibv_data_buf){
			(void *)(uintptr_t)pieces[i].addr, pieces[i].length
		};
	wr.sg_list = pieces;
	wr.num_sge = 3;
	wr.send_flags |= IBV_SEND_INLINE;
	for (way = 0; way < 3; way++) {
		if (!way) {
			assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad),
					 0);
		} else {
			qp->wr_id = wr.wr_id;
			qp->wr_flags = IBV_SEND_SIGNALED;
			ibv_wr_start(qp);
			ibv_wr_send(qp);
			if (way == 1)
				ibv_wr_set_inline_data_list(qp, 3, bufs);
			else
				ibv_wr_set_inline_data(qp, data, MAX_INLINE);
			assert_int_equal(ibv_wr_complete(qp), 0);
		}
		wqe = slot(way);
		check_common(wqe, wr.wr_id, IBV_WR_SEND,
			     IBV_SEND_SIGNALED | IBV_SEND_INLINE, way);
		assert_int_equal(wqe->dma.length, MAX_INLINE);
		assert_int_equal(wqe->dma.num_sge, 0);
		assert_memory_equal(wqe->dma.inline_data, data, MAX_INLINE);
		/* Not a byte more */
		assert_int_equal(wqe->dma.inline_data[MAX_INLINE], 0xa5);
	}

	pieces[2].length = 41;
	bufs[2].length = 41;
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), EINVAL);
	ibv_wr_start(qp);
	ibv_wr_send(qp);
	ibv_wr_set_inline_data_list(qp, 3, bufs);
	assert_int_equal(ibv_wr_complete(qp), EINVAL);
	/* A length that would wrap around */
	bufs[2].length = SIZE_MAX - 30;
	ibv_wr_start(qp);
	ibv_wr_send(qp);
	ibv_wr_set_inline_data_list(qp, 3, bufs);
	assert_int_equal(ibv_wr_complete(qp), EINVAL);
	assert_int_equal(slot(3)->dma.inline_data[MAX_INLINE], 0xa5);
	close_qp();
}

static void ud_addresses(void **state)
{
	struct ibv_qp_ex *qp = &f.qp.vqp.qp_ex;
	struct ibv_send_wr wr = request(IBV_WR_SEND_WITH_IMM), *bad;
	struct rxe_ah *ahs[] = { &numbered, &old_style };
	int i, builder;

	memset(&old_style.av, 0x3c, sizeof(old_style.av));
	open_qp(*state, IBV_QPT_UD, RXE_OPS_UD);
	wr.wr.ud.remote_qpn = 0x123456;
	wr.wr.ud.remote_qkey = 0x87654321;
	for (i = 0; i < 4; i++) {
		const struct rxe_send_wqe *wqe = slot(i);
		static const uint32_t zero[4];

		builder = i / 2;
		wr.wr.ud.ah = &ahs[i % 2]->ibah;
		if (builder) {
			qp->wr_id = wr.wr_id;
			qp->wr_flags = IBV_SEND_SIGNALED;
			ibv_wr_start(qp);
			ibv_wr_send_imm(qp, wr.imm_data);
			ibv_wr_set_sge_list(qp, MAX_SGE, sges);
			ibv_wr_set_ud_addr(qp, wr.wr.ud.ah, 0x123456,
					   0x87654321);
			assert_int_equal(ibv_wr_complete(qp), 0);
		} else {
			assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad),
					 0);
		}
		check_request(wqe, &wr, i);
		assert_int_equal(wqe->wr.wr.ud.remote_qpn, 0x123456);
		assert_int_equal(wqe->wr.wr.ud.remote_qkey, 0x87654321);
		assert_int_equal(wqe->wr.wr.ud.pkey_index, 0);
		assert_int_equal(wqe->wr.wr.ud.reserved, 0);
		assert_int_equal(wqe->wr.wr.ud.ah_num, ahs[i % 2]->ah_num);
		if (i % 2) {
			assert_memory_equal(wqe->wr.wr.ud.pad, zero,
					    sizeof(zero));
			assert_memory_equal(&wqe->wr.wr.ud.av, &old_style.av,
					    sizeof(old_style.av));
		}
	}
	/* No address, whether at the end or before the next request */
	ibv_wr_start(qp);
	ibv_wr_send(qp);
	assert_int_equal(ibv_wr_complete(qp), EINVAL);
	ibv_wr_start(qp);
	ibv_wr_send(qp);
	ibv_wr_send(qp);
	ibv_wr_set_ud_addr(qp, &numbered.ibah, 1, 1);
	assert_int_equal(ibv_wr_complete(qp), EINVAL);
	assert_int_equal(f.send.buf->producer_index, 4);
	close_qp();
}

static void states(void **state)
{
	struct ibv_send_wr wr = request(IBV_WR_SEND), *bad;
	struct ibv_qp_ex *qp = &f.qp.vqp.qp_ex;
	int s;

	open_qp(*state, IBV_QPT_RC, RXE_OPS_RC);
	for (s = IBV_QPS_RESET; s <= IBV_QPS_UNKNOWN; s++) {
		int want = s < IBV_QPS_RTS ? EINVAL : 0;

		f.qp.vqp.qp.state = s;
		bad = NULL;
		assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), want);
		assert_ptr_equal(bad, want ? &wr : NULL);
		ibv_wr_start(qp);
		build(qp, &wr);
		assert_int_equal(ibv_wr_complete(qp), want);
		kernel_takes_all();
	}
	close_qp();
}

static void receives(void **state)
{
	struct ibv_recv_wr wr[SLOTS] = {}, *bad = NULL;
	int i;

	open_qp(*state, IBV_QPT_RC, RXE_OPS_RC);
	for (i = 0; i < SLOTS; i++) {
		wr[i].wr_id = 0xabcd000000000000 + i;
		wr[i].sg_list = sges;
		wr[i].num_sge = i % (MAX_SGE + 1);
		wr[i].next = i + 1 < SLOTS ? &wr[i + 1] : NULL;
	}
	assert_int_equal(rxe_post_recv(&f.qp.vqp.qp, wr, &bad), ENOMEM);
	assert_ptr_equal(bad, &wr[SLOTS - 1]);
	assert_int_equal(f.recv.buf->producer_index, SLOTS - 1);
	assert_int_equal(f.doorbells, 0);
	for (i = 0; i < SLOTS - 1; i++) {
		struct rxe_recv_wqe *wqe =
			(void *)(f.recv.buf->data + ((size_t)i << SHIFT));
		uint32_t length = 0;
		int n;

		assert_int_equal(wqe->wr_id, wr[i].wr_id);
		assert_int_equal(wqe->reserved, 0);
		assert_int_equal(wqe->padding, 0);
		assert_int_equal(wqe->dma.num_sge, wr[i].num_sge);
		assert_int_equal(wqe->dma.cur_sge, 0);
		assert_int_equal(wqe->dma.sge_offset, 0);
		assert_int_equal(wqe->dma.reserved, 0);
		for (n = 0; n < wr[i].num_sge; n++)
			length += sges[n].length;
		assert_int_equal(wqe->dma.length, length);
		assert_int_equal(wqe->dma.resid, length);
		assert_memory_equal(wqe->dma.sge, sges,
				    wr[i].num_sge * sizeof(sges[0]));
	}
	close_qp();
}

static void bad_requests(void **state)
{
	struct ibv_sge huge[2] = { { 0, 0x80000000, 0 }, { 0, 1, 0 } };
	struct ibv_recv_wr recv = { .num_sge = MAX_SGE + 1, .sg_list = sges },
			   *bad_recv = NULL;
	struct ibv_send_wr wr, *bad = NULL;
	int op;

	open_qp(*state, IBV_QPT_UC, RXE_OPS_UC);
	for (op = -1; op < 70; op++) {
		if (op >= 0 && op < 32 && RXE_OPS_UC & 1u << op)
			continue;
		wr = request(op);
		assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad),
				 EINVAL);
		assert_ptr_equal(bad, &wr);
	}
	wr = request(IBV_WR_SEND);
	wr.num_sge = MAX_SGE + 1;
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), EINVAL);
	wr.num_sge = -1;
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), EINVAL);
	wr.num_sge = 2;
	wr.sg_list = huge;
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), EINVAL);
	wr = request(IBV_WR_BIND_MW);
	wr.bind_mw.bind_info.mr = NULL;
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), EINVAL);
	wr = request(IBV_WR_BIND_MW);
	wr.bind_mw.mw = NULL;
	assert_int_equal(rxe_post_send(&f.qp.vqp.qp, &wr, &bad), EINVAL);
	assert_int_equal(f.send.buf->producer_index, 0);

	assert_int_equal(rxe_post_recv(&f.qp.vqp.qp, &recv, &bad_recv), EINVAL);
	assert_ptr_equal(bad_recv, &recv);
	recv.num_sge = -1;
	assert_int_equal(rxe_post_recv(&f.qp.vqp.qp, &recv, &bad_recv), EINVAL);
	recv.num_sge = 2;
	recv.sg_list = huge;
	assert_int_equal(rxe_post_recv(&f.qp.vqp.qp, &recv, &bad_recv), EINVAL);
	recv.num_sge = 0;
	f.qp.vqp.qp.state = IBV_QPS_RESET;
	assert_int_equal(rxe_post_recv(&f.qp.vqp.qp, &recv, &bad_recv), EINVAL);
	assert_int_equal(f.recv.buf->producer_index, 0);
	assert_int_equal(f.doorbells, 0);
	close_qp();
}

/* ---- completions ---- */

static void put_wc(struct ring *ring, uint64_t wr_id, uint32_t flags)
{
	uint32_t index = ring->buf->producer_index;
	struct ib_uverbs_wc *wc = (void *)(ring->buf->data + (index << 6));

	*wc = (struct ib_uverbs_wc){
		.wr_id = wr_id,
		.status = IBV_WC_REM_OP_ERR,
		.opcode = IBV_WC_RECV_RDMA_WITH_IMM,
		.vendor_err = 0x11111111,
		.byte_len = 0x22222222,
		.ex.imm_data = 0x33333333,
		.qp_num = 0x44444444,
		.src_qp = 0x55555555,
		.wc_flags = flags,
		.pkey_index = 0x6666,
		.slid = 0x7777,
		.sl = 0x88,
		.dlid_path_bits = 0x99,
		.port_num = 0xff,
		.reserved = 0xff,
	};
	ring->buf->producer_index = (index + 1) & ring->buf->index_mask;
}

static const struct {
	uint32_t kernel;
	unsigned int verbs;
} flags[] = {
	{ 0, 0 },
	{ 1, IBV_WC_GRH },
	{ 3, IBV_WC_GRH | IBV_WC_WITH_IMM },
	{ 5, IBV_WC_GRH | IBV_WC_WITH_INV }, /* the kernel's own bit */
	{ 9, IBV_WC_GRH | IBV_WC_WITH_INV },
	{ 0xfffffff0, 0 },
};
#define NUM_FLAGS (sizeof(flags) / sizeof(flags[0]))

static void check_wc(const struct ibv_wc *wc, uint64_t wr_id,
		     unsigned int wc_flags)
{
	assert_int_equal(wc->wr_id, wr_id);
	assert_int_equal(wc->status, IBV_WC_REM_OP_ERR);
	assert_int_equal(wc->opcode, IBV_WC_RECV_RDMA_WITH_IMM);
	assert_int_equal(wc->vendor_err, 0x11111111);
	assert_int_equal(wc->byte_len, 0x22222222);
	assert_int_equal(wc->imm_data, 0x33333333);
	assert_int_equal(wc->qp_num, 0x44444444);
	assert_int_equal(wc->src_qp, 0x55555555);
	assert_int_equal(wc->wc_flags, wc_flags);
	assert_int_equal(wc->slid, 0x7777);
	assert_int_equal(wc->sl, 0x88);
	assert_int_equal(wc->dlid_path_bits, 0x99);
}

static void completions(void **state)
{
	struct ring ring = ring_make(6, 8);
	struct ibv_poll_cq_attr attr = {};
	struct ibv_wc wc[16];
	struct rxe_cq cq = {};
	struct ibv_cq_ex *ex = &cq.vcq.cq_ex;
	size_t i;

	(void)state;
	assert_int_equal(rxe_queue_attach(&cq.queue, ring.buf, ring.size, 48, 7,
					  RXE_CONSUMER),
			 0);
	queue_lock_init(&cq.lock, true);
	rxe_set_poll_functions(ex);

	assert_int_equal(rxe_poll_cq(&cq.vcq.cq, 16, wc), 0);
	for (i = 0; i < NUM_FLAGS; i++)
		put_wc(&ring, i, flags[i].kernel);
	assert_int_equal(rxe_poll_cq(&cq.vcq.cq, 2, wc), 2);
	assert_int_equal(ring.buf->consumer_index, 2);
	assert_int_equal(rxe_poll_cq(&cq.vcq.cq, 16, wc + 2), NUM_FLAGS - 2);
	for (i = 0; i < NUM_FLAGS; i++)
		check_wc(&wc[i], i, flags[i].verbs);
	assert_int_equal(rxe_poll_cq(&cq.vcq.cq, 16, wc), 0);

	assert_int_equal(ibv_start_poll(ex, &attr), ENOENT);
	assert_int_equal(cq.lock.held, 0);
	for (i = 0; i < NUM_FLAGS; i++)
		put_wc(&ring, i, flags[i].kernel);
	attr.comp_mask = 1;
	assert_int_equal(ibv_start_poll(ex, &attr), EINVAL);
	assert_int_equal(cq.lock.held, 0);
	attr.comp_mask = 0;
	assert_int_equal(ibv_start_poll(ex, &attr), 0);
	assert_int_equal(cq.lock.held, 1);
	for (i = 0; i < NUM_FLAGS; i++) {
		struct ibv_wc got = extended_wc(ex);

		check_wc(&got, i, flags[i].verbs);
		assert_int_equal(ring.buf->consumer_index, (NUM_FLAGS + i) % 8);
		assert_int_equal(ibv_next_poll(ex),
				 i + 1 < NUM_FLAGS ? 0 : ENOENT);
	}
	/* Asking on while one is inside is harmless. */
	assert_int_equal(ibv_next_poll(ex), ENOENT);
	put_wc(&ring, 42, 0);
	assert_int_equal(ibv_next_poll(ex), 0);
	assert_int_equal(ex->wr_id, 42);
	ibv_end_poll(ex);
	assert_int_equal(cq.lock.held, 0);
	assert_int_equal(ring.buf->consumer_index, ring.buf->producer_index);
	free(ring.buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(list_of_each_opcode),
		kernel_test(builder_of_each_opcode),
		kernel_test(many_at_once),
		kernel_test(doorbell_fails),
		kernel_test(inline_data),
		kernel_test(ud_addresses),
		kernel_test(states),
		kernel_test(receives),
		kernel_test(bad_requests),
		kernel_test(completions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
