// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Reading and writing the peer's memory. */
#include "world.h"
#include "tests.h"

static const uint32_t lengths[] = { 0,	  1,	7,    24,    25,    80,
				    1400, 4096, 4097, 65536, 65537, 200000 };
#define LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

void test_write(void)
{
	struct options o = { .max_sge = 6 };
	struct ibv_sge sge[6];
	struct ibv_send_wr *bad, wr = {
		.sg_list = sge,
		.num_sge = 6,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct pair p;
	size_t i;

	pair_open(&p, &o);
	for (i = 0; i < LENGTHS; i++) {
		uint32_t length = lengths[i];

		fill_bytes(p.client.buf, length, i);
		memset(p.server.buf, 0, length + 6);
		RETURNS(post_recv(&p.server, SIDE_BYTES - 8, 8, 1), 0);
		RETURNS(post(&p.client, IBV_WR_RDMA_WRITE, 0, length, &p.server,
			     5, 2),
			0);
		RETURNS(post(&p.client, IBV_WR_SEND, SIDE_BYTES - 8, 8, NULL, 0,
			     3),
			0);
		expect_wc(&p.client, 2, IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE,
			  length);
		expect_wc(&p.client, 3, IBV_WC_SUCCESS, IBV_WC_SEND, 8);
		expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 8);
		CHECK(!p.server.buf[4] &&
			      same_bytes(p.server.buf + 5, length, i) &&
			      !p.server.buf[length + 5],
		      "WRITE of %u: wrong bytes", length);
	}

	/* Gathered from six places, last first */
	fill_bytes(p.client.buf, 6000, 99);
	for (i = 0; i < 6; i++)
		sge[i] = sge_of(&p.client, (5 - i) * 1000, 1000);
	wr.wr.rdma.remote_addr = (uintptr_t)p.server.buf;
	wr.wr.rdma.rkey = p.server.mr->rkey;
	RETURNS(post_recv(&p.server, SIDE_BYTES - 8, 8, 1), 0);
	RETURNS(ibv_post_send(p.client.qp, &wr, &bad), 0);
	RETURNS(post(&p.client, IBV_WR_SEND, SIDE_BYTES - 8, 8, NULL, 0, 3), 0);
	expect_wc(&p.client, 0, IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE, 6000);
	expect_wc(&p.client, 3, IBV_WC_SUCCESS, IBV_WC_SEND, 8);
	expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 8);
	for (i = 0; i < 6; i++)
		CHECK(!memcmp(p.server.buf + i * 1000,
			      p.client.buf + (5 - i) * 1000, 1000),
		      "SGE %zu: wrong bytes", i);
	pair_close(&p);
}

void test_read(void)
{
	struct ibv_send_wr *bad, wr[3];
	struct ibv_sge sge[3];
	struct pair p;
	size_t i;

	pair_open(&p, NULL);
	for (i = 0; i < LENGTHS; i++) {
		uint32_t length = lengths[i];

		fill_bytes(p.server.buf + 3, length, i);
		memset(p.client.buf, 0, length + 1);
		RETURNS(post(&p.client, IBV_WR_RDMA_READ, 0, length, &p.server,
			     3, i),
			0);
		expect_wc(&p.client, i, IBV_WC_SUCCESS, IBV_WC_RDMA_READ,
			  length);
		CHECK(same_bytes(p.client.buf, length, i) &&
			      !p.client.buf[length],
		      "READ of %u: wrong bytes", length);
	}

	/*
	 * More than may be under way at once; then what was read goes back, for
	 * which a fence is needed; the reads have one, too.
	 */
	for (i = 0; i < 3; i++) {
		sge[i] = sge_of(&p.client, i * 0x10000, 60000);
		wr[i] = (struct ibv_send_wr){
			.wr_id = i,
			.next = i < 2 ? &wr[i + 1] : NULL,
			.sg_list = &sge[i],
			.num_sge = 1,
			.opcode = i < 2 ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
			.send_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE,
			.wr.rdma.remote_addr =
				(uintptr_t)p.server.buf + i * 0x10000,
			.wr.rdma.rkey = p.server.mr->rkey,
		};
	}
	sge[2] = sge[1];
	if (is_ours()) {
		fill_bytes(p.server.buf, 60000, 30);
		fill_bytes(p.server.buf + 0x10000, 60000, 31);
		memset(p.server.buf + 0x20000, 0, 60000);
		RETURNS(ibv_post_send(p.client.qp, wr, &bad), 0);
		for (i = 0; i < 2; i++)
			expect_wc(&p.client, i, IBV_WC_SUCCESS,
				  IBV_WC_RDMA_READ, 60000);
		expect_wc(&p.client, 2, IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE,
			  60000);
		/* Read back: what is asked for behind a write comes after it. */
		memset(p.client.buf + 0x20000, 0, 60000);
		RETURNS(post(&p.client, IBV_WR_RDMA_READ, 0x20000, 60000,
			     &p.server, 0x20000, 5),
			0);
		expect_wc(&p.client, 5, IBV_WC_SUCCESS, IBV_WC_RDMA_READ,
			  60000);
		CHECK(same_bytes(p.client.buf, 60000, 30) &&
			      same_bytes(p.client.buf + 0x20000, 60000, 31),
		      "READ, WRITE, READ: wrong bytes");
	}
	for (i = 0; i < 10; i++)
		RETURNS(post(&p.client, IBV_WR_RDMA_READ, 0, 20000, &p.server,
			     0, i),
			0);
	for (i = 0; i < 10; i++)
		expect_wc(&p.client, i, IBV_WC_SUCCESS, IBV_WC_RDMA_READ,
			  20000);
	pair_close(&p);
}
