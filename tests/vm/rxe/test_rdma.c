// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* RDMA write and read, atomics, fences. */
#include "world.h"

static void rdma_write(struct pair *p)
{
	static const uint32_t sizes[] = { 0, 1, 8, 1024, 1025, 30000 };
	struct ibv_sge sge;
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
		.wr.rdma.rkey = p->b.mr->rkey,
		.wr.rdma.remote_addr = remote_addr(&p->b, 777),
	};
	struct ibv_wc wc;
	uint64_t end;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		sge = sge_of(&p->a, 1, sizes[i]);
		fill(p->a.buf + 1, sizes[i], 20 + i);
		memset(p->b.buf, 0xee, BUF_SIZE);
		EQUAL(post_send(&p->a, &wr, NULL), 0);
		expect(p->a.scq, 1, IBV_WC_SUCCESS, &wc);
		EQUAL(wc.opcode, IBV_WC_RDMA_WRITE);
		/* UC completes when it has sent. */
		for (end = now_ms() + 5000; now_ms() < end;)
			if (filled(p->b.buf + 777, sizes[i], 20 + i))
				break;
		CHECK(filled(p->b.buf + 777, sizes[i], 20 + i));
		EQUAL(p->b.buf[776], 0xee);
		EQUAL(p->b.buf[777 + sizes[i]], 0xee);
	}
}

static void rdma_write_imm(struct pair *p)
{
	struct ibv_sge sge = sge_of(&p->a, 0, 2000);
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = htobe32(42),
		.sg_list = &sge,
		.num_sge = 1,
		.wr.rdma.rkey = p->b.mr->rkey,
		.wr.rdma.remote_addr = remote_addr(&p->b, 100),
	};
	struct ibv_wc wc;

	fill(p->a.buf, 2000, 3);
	EQUAL(post_recv(&p->b, 2, 0, 0), 0);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, 1, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_RDMA_WRITE);
	expect(p->b.rcq, 2, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
	EQUAL(wc.imm_data, htobe32(42));
	EQUAL(wc.byte_len, 2000);
	CHECK(wc.wc_flags & IBV_WC_WITH_IMM);
	CHECK(filled(p->b.buf + 100, 2000, 3));
}

static void rdma_read(struct pair *p)
{
	struct ibv_sge sge[] = {
		sge_of(&p->a, 500, 10),
		sge_of(&p->a, 510, 9000),
	};
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = IBV_WR_RDMA_READ,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = sge,
		.num_sge = 2,
		.wr.rdma.rkey = p->b.mr->rkey,
		.wr.rdma.remote_addr = remote_addr(&p->b, 33),
	};
	struct ibv_wc wc;

	fill(p->b.buf + 33, 9010, 4);
	memset(p->a.buf, 0xee, BUF_SIZE);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, 1, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_RDMA_READ);
	CHECK(filled(p->a.buf + 500, 9010, 4));
	EQUAL(p->a.buf[499], 0xee);
	EQUAL(p->a.buf[9510], 0xee);
}

static uint64_t atomic(struct pair *p, enum ibv_wr_opcode opcode,
		       uint64_t compare_add, uint64_t swap)
{
	struct ibv_sge sge = sge_of(&p->a, 64, 8);
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
		.wr.atomic.rkey = p->b.mr->rkey,
		.wr.atomic.remote_addr = remote_addr(&p->b, 4096),
		.wr.atomic.compare_add = compare_add,
		.wr.atomic.swap = swap,
	};
	struct ibv_wc wc;
	uint64_t old;

	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, 1, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, opcode == IBV_WR_ATOMIC_CMP_AND_SWP
				 ? IBV_WC_COMP_SWAP
				 : IBV_WC_FETCH_ADD);
	memcpy(&old, p->a.buf + 64, sizeof(old));
	return old;
}

static void atomics(struct pair *p)
{
	const uint64_t start = 0x0123456789abcdef;
	uint64_t *value = (uint64_t *)(p->b.buf + 4096);

	*value = start;
	EQUAL(atomic(p, IBV_WR_ATOMIC_FETCH_AND_ADD, 5, 99), start);
	EQUAL(*value, start + 5);
	EQUAL(atomic(p, IBV_WR_ATOMIC_FETCH_AND_ADD, ~0ull, 0), start + 5);
	EQUAL(*value, start + 4);
	EQUAL(atomic(p, IBV_WR_ATOMIC_CMP_AND_SWP, start, 7), start + 4);
	EQUAL(*value, start + 4);
	EQUAL(atomic(p, IBV_WR_ATOMIC_CMP_AND_SWP, start + 4, 1ull << 63),
	      start + 4);
	EQUAL(*value, 1ull << 63);
}

/* A fenced send carries what the read before it brought. */
static void fence(struct pair *p)
{
	struct ibv_sge sge = sge_of(&p->a, 0, 20000);
	struct ibv_send_wr send = {
		.wr_id = 2,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE,
		.sg_list = &sge,
		.num_sge = 1,
	};
	struct ibv_send_wr read = {
		.wr_id = 1,
		.next = &send,
		.opcode = IBV_WR_RDMA_READ,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
		.wr.rdma.rkey = p->b.mr->rkey,
		.wr.rdma.remote_addr = remote_addr(&p->b, 0),
	};

	fill(p->b.buf, 20000, 5);
	memset(p->a.buf, 0, 20000);
	EQUAL(post_recv(&p->b, 3, 30000, 20000), 0);
	EQUAL(post_send(&p->a, &read, NULL), 0);
	expect(p->a.scq, 1, IBV_WC_SUCCESS, NULL);
	expect(p->a.scq, 2, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, 3, IBV_WC_SUCCESS, NULL);
	CHECK(filled(p->b.buf + 30000, 20000, 5));
}

void test_rdma(void)
{
	struct pair p;

	pair_open(&p, IBV_QPT_RC, NULL);
	rdma_write(&p);
	rdma_write_imm(&p);
	rdma_read(&p);
	atomics(&p);
	fence(&p);
	pair_close(&p);

	pair_open(&p, IBV_QPT_UC, NULL);
	rdma_write(&p);
	rdma_write_imm(&p);
	pair_close(&p);
}
