// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Sends and receives of RC and UC: sizes, SGE lists, immediates, signalling. */
#include "world.h"

static void send_sizes(struct pair *p)
{
	static const uint32_t sizes[] = { 0,	1,    7,    8,	  63,	1000,
					  1023, 1024, 1025, 4096, 20001 };
	struct ibv_wc wc;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct ibv_sge sge = sge_of(&p->a, 5, sizes[i]);
		struct ibv_send_wr wr = {
			.wr_id = 0x1234567800000000 + i,
			.opcode = IBV_WR_SEND,
			.send_flags = IBV_SEND_SIGNALED,
			.sg_list = &sge,
			.num_sge = 1,
		};

		fill(p->a.buf + 5, sizes[i], i);
		memset(p->b.buf, 0xee, BUF_SIZE);
		EQUAL(post_recv(&p->b, 77 + i, 3, BUF_SIZE - 3), 0);
		EQUAL(post_send(&p->a, &wr, NULL), 0);
		expect(p->a.scq, wr.wr_id, IBV_WC_SUCCESS, &wc);
		EQUAL(wc.opcode, IBV_WC_SEND);
		EQUAL(wc.qp_num, p->a.qp->qp_num);
		expect(p->b.rcq, 77 + i, IBV_WC_SUCCESS, &wc);
		EQUAL(wc.opcode, IBV_WC_RECV);
		EQUAL(wc.qp_num, p->b.qp->qp_num);
		EQUAL(wc.byte_len, sizes[i]);
		EQUAL(wc.wc_flags & (IBV_WC_WITH_IMM | IBV_WC_WITH_INV), 0);
		CHECK(filled(p->b.buf + 3, sizes[i], i));
		EQUAL(p->b.buf[2], 0xee);
		EQUAL(p->b.buf[3 + sizes[i]], 0xee);
	}
}

/* Pieces on both sides whose borders never meet */
static void scatter_gather(struct pair *p)
{
	struct ibv_sge from[] = {
		sge_of(&p->a, 0, 100),
		sge_of(&p->a, 100, 1),
		sge_of(&p->a, 101, 0),
		sge_of(&p->a, 101, 2899),
	};
	struct ibv_sge to[] = {
		sge_of(&p->b, 8000, 1500),
		sge_of(&p->b, 100, 7),
		sge_of(&p->b, 20000, 3000),
	};
	struct ibv_recv_wr *bad_recv, recv = {
		.wr_id = 2,
		.sg_list = to,
		.num_sge = 3,
	};
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = from,
		.num_sge = 4,
	};
	uint8_t got[3000];
	struct ibv_wc wc;

	fill(p->a.buf, 3000, 9);
	memset(p->b.buf, 0, BUF_SIZE);
	EQUAL(ibv_post_recv(p->b.qp, &recv, &bad_recv), 0);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, 1, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, 2, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.byte_len, 3000);
	memcpy(got, p->b.buf + 8000, 1500);
	memcpy(got + 1500, p->b.buf + 100, 7);
	memcpy(got + 1507, p->b.buf + 20000, 1493);
	CHECK(filled(got, 3000, 9));
}

static void immediate(struct pair *p)
{
	struct ibv_sge sge = sge_of(&p->a, 0, 11);
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = IBV_WR_SEND_WITH_IMM,
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = htobe32(0xcafe0123),
		.sg_list = &sge,
		.num_sge = 1,
	};
	struct ibv_wc wc;

	EQUAL(post_recv(&p->b, 2, 0, 100), 0);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, 1, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, 2, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_RECV);
	EQUAL(wc.wc_flags & (IBV_WC_WITH_IMM | IBV_WC_WITH_INV),
	      IBV_WC_WITH_IMM);
	EQUAL(wc.imm_data, htobe32(0xcafe0123));
}

/* Only what is signalled completes, and a list is posted in order. */
static void list_and_signals(struct pair *p)
{
	struct ibv_sge sge[DEPTH];
	struct ibv_send_wr wr[DEPTH] = {};
	struct ibv_wc wc;
	int i;

	for (i = 0; i < DEPTH; i++) {
		p->a.buf[i] = 100 + i;
		sge[i] = sge_of(&p->a, i, 1);
		wr[i].wr_id = i;
		wr[i].opcode = IBV_WR_SEND;
		wr[i].send_flags = i % 5 == 4 ? IBV_SEND_SIGNALED : 0;
		wr[i].sg_list = &sge[i];
		wr[i].num_sge = 1;
		wr[i].next = i + 1 < DEPTH ? &wr[i + 1] : NULL;
		EQUAL(post_recv(&p->b, i, 1000 + i, 1), 0);
	}
	EQUAL(post_send(&p->a, wr, NULL), 0);
	for (i = 0; i < DEPTH; i++) {
		expect(p->b.rcq, i, IBV_WC_SUCCESS, &wc);
		EQUAL(p->b.buf[1000 + i], 100 + i);
	}
	for (i = 4; i < DEPTH; i += 5)
		expect(p->a.scq, i, IBV_WC_SUCCESS, NULL);
	expect_nothing(p->a.scq);
	expect_nothing(p->b.rcq);
}

/* All rings run around several times. */
static void wrap_around(struct pair *p)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
	};
	int i;

	for (i = 0; i < 600; i++) {
		fill(p->a.buf, 16, i);
		sge = sge_of(&p->a, 0, 16);
		wr.wr_id = i;
		EQUAL(post_recv(&p->b, i, 64 * (i % 500), 16), 0);
		EQUAL(post_send(&p->a, &wr, NULL), 0);
		expect(p->a.scq, i, IBV_WC_SUCCESS, NULL);
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
		CHECK(filled(p->b.buf + 64 * (i % 500), 16, i));
	}
}

void test_send(void)
{
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC };
	struct pair_options all = { .sig_all = true };
	struct ibv_send_wr wr = { .wr_id = 3, .opcode = IBV_WR_SEND };
	struct pair p;
	int i;

	for (i = 0; i < 2; i++) {
		pair_open(&p, types[i], NULL);
		send_sizes(&p);
		scatter_gather(&p);
		immediate(&p);
		list_and_signals(&p);
		wrap_around(&p);
		pair_close(&p);
	}

	pair_open(&p, IBV_QPT_RC, &all);
	EQUAL(post_recv(&p.b, 4, 0, 1), 0);
	EQUAL(post_send(&p.a, &wr, NULL), 0);
	expect(p.a.scq, 3, IBV_WC_SUCCESS, NULL);
	expect(p.b.rcq, 4, IBV_WC_SUCCESS, NULL);
	pair_close(&p);
}
