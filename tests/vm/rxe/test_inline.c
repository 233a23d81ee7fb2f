// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Inline data: taken at once, from memory that no MR covers. */
#include "world.h"

static void inline_send(struct pair *p, enum ibv_wr_opcode opcode,
			uint32_t length, int pieces)
{
	bool is_write = opcode == IBV_WR_RDMA_WRITE ||
			opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
	uint32_t skip = p->type == IBV_QPT_UD ? GRH_SIZE : 0;
	uint8_t data[1024];
	struct ibv_sge sge[3] = {
		{ .addr = (uintptr_t)data, .length = length },
	};
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE,
		.imm_data = htobe32(length),
		.sg_list = sge,
		.num_sge = pieces,
	};
	struct ibv_wc wc;
	uint64_t end;

	if (is_write) {
		wr.wr.rdma.rkey = p->b.mr->rkey;
		wr.wr.rdma.remote_addr = remote_addr(&p->b, 10);
	}
	if (p->type == IBV_QPT_UD) {
		wr.wr.ud.ah = p->a.ah;
		wr.wr.ud.remote_qpn = p->b.qp->qp_num;
		wr.wr.ud.remote_qkey = QKEY;
	}
	if (pieces == 3) {
		sge[0].length = length / 3;
		sge[1].addr = (uintptr_t)data + length / 3;
		sge[1].length = 0;
		sge[2].addr = sge[1].addr;
		sge[2].length = length - length / 3;
	}
	fill(data, length, length);
	memset(p->b.buf, 0xee, 2048);
	if (opcode != IBV_WR_RDMA_WRITE)
		EQUAL(post_recv(&p->b, 2, is_write ? 3000 : 10, 2000), 0);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	memset(data, 0xbb, sizeof(data));
	expect(p->a.scq, 1, IBV_WC_SUCCESS, NULL);
	if (opcode != IBV_WR_RDMA_WRITE) {
		expect(p->b.rcq, 2, IBV_WC_SUCCESS, &wc);
		EQUAL(wc.byte_len, length + skip);
		if (opcode == IBV_WR_SEND_WITH_IMM)
			EQUAL(wc.imm_data, htobe32(length));
	}
	for (end = now_ms() + 5000; now_ms() < end;)
		if (filled(p->b.buf + 10 + skip, length, length))
			break;
	CHECK(filled(p->b.buf + 10 + skip, length, length));
	EQUAL(p->b.buf[10 + skip + length], 0xee);
}

static void too_long(struct pair *p)
{
	uint8_t data[8192] = {};
	struct ibv_sge sge = {
		.addr = (uintptr_t)data,
		.length = p->a.max_inline + 1,
	};
	struct ibv_send_wr *bad = NULL, wr = {
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE,
		.sg_list = &sge,
		.num_sge = 1,
		.wr.ud = { .ah = p->a.ah },
	};

	EQUAL(post_send(&p->a, &wr, &bad), EINVAL);
	if (!mode->builder)
		CHECK(bad == &wr);
	expect_nothing(p->a.scq);
}

void test_inline(void)
{
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC,
						  IBV_QPT_UD };
	struct pair p;
	size_t t;
	uint32_t length;

	for (t = 0; t < 3; t++) {
		pair_open(&p, types[t], NULL);
		for (length = 0; length <= p.a.max_inline;
		     length += length < 10 ? 1 : 9) {
			inline_send(&p, IBV_WR_SEND, length, 1);
			inline_send(&p, IBV_WR_SEND, length, 3);
		}
		inline_send(&p, IBV_WR_SEND, p.a.max_inline, 1);
		inline_send(&p, IBV_WR_SEND_WITH_IMM, p.a.max_inline, 3);
		if (types[t] != IBV_QPT_UD) {
			inline_send(&p, IBV_WR_RDMA_WRITE, 33, 1);
			inline_send(&p, IBV_WR_RDMA_WRITE_WITH_IMM, 34, 3);
		}
		too_long(&p);
		pair_close(&p);
	}
}
