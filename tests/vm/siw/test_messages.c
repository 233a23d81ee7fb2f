// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Messages: sent and received, inline, with invalidation. */
#include "world.h"
#include "tests.h"

static void send_one(struct side *from, struct side *to, uint32_t length,
		     unsigned int seed)
{
	fill_bytes(from->buf, length, seed);
	memset(to->buf, 0, length + 1);
	RETURNS(post_recv(to, 0, length + 1, seed), 0);
	RETURNS(post(from, IBV_WR_SEND, 0, length, NULL, 0, 1000 + seed), 0);
	expect_wc(from, 1000 + seed, IBV_WC_SUCCESS, IBV_WC_SEND, length);
	expect_wc(to, seed, IBV_WC_SUCCESS, IBV_WC_RECV, length);
	CHECK(same_bytes(to->buf, length, seed) && !to->buf[length],
	      "SEND of %u: wrong bytes", length);
}

static void many_sges(struct pair *p)
{
	static const uint32_t lengths[] = { 1, 0, 4095, 77, 5000, 3 };
	struct ibv_sge from[6], to[6];
	struct ibv_send_wr *bad_send, send = {
		.wr_id = 1,
		.sg_list = from,
		.num_sge = 6,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_recv_wr *bad_recv, recv = {
		.wr_id = 2,
		.sg_list = to,
		.num_sge = 6,
	};
	uint32_t total = 0;
	int i;

	/* A request for the kernel as it is here panics it. */
	if (!is_ours())
		return;
	for (i = 0; i < 6; i++) {
		from[i] = sge_of(&p->client, 0x10000 + i * 0x2001, lengths[i]);
		fill_bytes(p->client.buf + 0x10000 + i * 0x2001, lengths[i], i);
		to[i] = sge_of(&p->server, total, lengths[i]);
		total += lengths[i];
	}
	RETURNS(ibv_post_recv(p->server.qp, &recv, &bad_recv), 0);
	RETURNS(ibv_post_send(p->client.qp, &send, &bad_send), 0);
	expect_wc(&p->client, 1, IBV_WC_SUCCESS, IBV_WC_SEND, total);
	expect_wc(&p->server, 2, IBV_WC_SUCCESS, IBV_WC_RECV, total);
	for (i = 0, total = 0; i < 6; i++) {
		CHECK(same_bytes(p->server.buf + total, lengths[i], i),
		      "SGE %d: wrong bytes", i);
		total += lengths[i];
	}
}

void test_send_recv(void)
{
	static const uint32_t lengths[] = { 0,	  1,	 7,	24,
					    25,	  80,	 1400,	4096,
					    4097, 65536, 65537, 200000 };
	struct options o = { .max_sge = 6 };
	struct pair p;
	size_t i;

	pair_open(&p, &o);
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		send_one(&p.client, &p.server, lengths[i], i);
		send_one(&p.server, &p.client, lengths[i], 50 + i);
	}
	many_sges(&p);
	pair_close(&p);
}

static void inline_one(struct pair *p, enum ibv_wr_opcode opcode,
		       const uint32_t *lengths, int count, unsigned int seed)
{
	char data[3][81];
	struct ibv_sge sge[3];
	struct ibv_send_wr *bad, wr = {
		.wr_id = seed,
		.sg_list = sge,
		.num_sge = count,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE,
		.wr.rdma.remote_addr = (uintptr_t)p->server.buf,
		.wr.rdma.rkey = p->server.mr->rkey,
	};
	uint32_t total = 0;
	int i;

	memset(p->server.buf, 0, 256);
	for (i = 0; i < count; i++) {
		fill_bytes(data[i], lengths[i], seed + i);
		/* The lkey is of no account. */
		sge[i] = (struct ibv_sge){ (uintptr_t)data[i], lengths[i], 0 };
		total += lengths[i];
	}
	if (opcode == IBV_WR_SEND)
		RETURNS(post_recv(&p->server, 0, 128, 1), 0);
	RETURNS(ibv_post_send(p->client.qp, &wr, &bad), 0);
	/* They were copied. */
	memset(data, 0xee, sizeof(data));
	expect_wc(&p->client, seed, IBV_WC_SUCCESS,
		  opcode == IBV_WR_SEND ? IBV_WC_SEND : IBV_WC_RDMA_WRITE,
		  total);
	if (opcode == IBV_WR_SEND) {
		expect_wc(&p->server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, total);
	} else {
		/* Messages do not overtake writes. */
		RETURNS(post_recv(&p->server, 512, 8, 2), 0);
		RETURNS(post(&p->client, IBV_WR_SEND, 0, 8, NULL, 0, 3), 0);
		expect_wc(&p->client, 3, IBV_WC_SUCCESS, IBV_WC_SEND, 8);
		expect_wc(&p->server, 2, IBV_WC_SUCCESS, IBV_WC_RECV, 8);
	}
	for (i = 0, total = 0; i < count; i++) {
		CHECK(same_bytes(p->server.buf + total, lengths[i], seed + i),
		      "inline, opcode %d, part %d: wrong bytes", opcode, i);
		total += lengths[i];
	}
	CHECK(!p->server.buf[total], "inline: too many bytes");
}

void test_inline(void)
{
	static const uint32_t parts[][3] = {
		{ 1 }, { 24 }, { 79 }, { 80 }, { 30, 0, 50 }, { 1, 2, 3 },
	};
	struct pair p;
	size_t i;

	pair_open(&p, NULL);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		int count = parts[i][2] ? 3 : 1;

		inline_one(&p, IBV_WR_SEND, parts[i], count, 10 * i);
		inline_one(&p, IBV_WR_RDMA_WRITE, parts[i], count, 10 * i + 5);
	}
	if (is_ours()) {
		inline_one(&p, IBV_WR_SEND, parts[0], 0, 200);
		inline_one(&p, IBV_WR_RDMA_WRITE, parts[0], 0, 201);
	}
	pair_close(&p);
}

/* The message takes the receiver's region away from the sender. */
void test_invalidate(void)
{
	struct pair p;

	pair_open(&p, NULL);
	fill_bytes(p.client.buf, 4000, 3);
	RETURNS(post_recv(&p.server, 8192, 5000, 1), 0);
	RETURNS(post(&p.client, IBV_WR_RDMA_WRITE, 0, 100, &p.server, 0, 2), 0);
	expect_wc(&p.client, 2, IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE, 100);
	RETURNS(post(&p.client, IBV_WR_SEND_WITH_INV, 0, 4000, &p.server, 0, 3),
		0);
	expect_wc(&p.client, 3, IBV_WC_SUCCESS, IBV_WC_SEND, 4000);
	/* The kernel does not tell programs what was invalidated. */
	expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 4000);
	CHECK(same_bytes(p.server.buf, 100, 3) &&
		      same_bytes(p.server.buf + 8192, 4000, 3),
	      "wrong bytes");

	fill_bytes(p.client.buf, 100, 4);
	RETURNS(post(&p.client, IBV_WR_RDMA_WRITE, 0, 100, &p.server, 0, 4), 0);
	expect_wc(&p.client, 4, IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE, 100);
	/* The peer says so by ending the connection. */
	expect_cm_event(&p.client, RDMA_CM_EVENT_DISCONNECTED);
	CHECK(same_bytes(p.server.buf, 100, 3), "written in spite of it");
	pair_close(&p);
}

/* Requests that must fail at once, and leave the queue as it was */
void test_refused_requests(void)
{
	struct ibv_sge sge[7];
	struct ibv_send_wr *bad, good, bad_one, last;
	struct ibv_recv_wr *bad_recv, recv = { .sg_list = sge, .num_sge = 7 };
	struct options o = { .max_sge = 6 };
	struct pair p;
	int i;
#define REFUSED(_member, _value, ...)                                        \
	do {                                                                 \
		bad_one = good;                                              \
		bad_one._member = (_value);                                  \
		__VA_ARGS__;                                                 \
		bad = NULL;                                                  \
		RETURNS(ibv_post_send(p.client.qp, &bad_one, &bad), EINVAL); \
		CHECK(bad == &bad_one, #_member ": bad_wr is another");      \
	} while (0)

	if (!is_ours())
		return;
	pair_open(&p, &o);
	for (i = 0; i < 7; i++)
		sge[i] = sge_of(&p.client, 0, 10);
	good = (struct ibv_send_wr){
		.sg_list = sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	REFUSED(num_sge, 7);
	REFUSED(num_sge, -1);
	REFUSED(opcode, IBV_WR_SEND_WITH_IMM);
	REFUSED(opcode, IBV_WR_RDMA_WRITE_WITH_IMM);
	REFUSED(opcode, IBV_WR_ATOMIC_FETCH_AND_ADD);
	REFUSED(opcode, IBV_WR_ATOMIC_CMP_AND_SWP);
	REFUSED(opcode, IBV_WR_LOCAL_INV);
	REFUSED(opcode, IBV_WR_BIND_MW);
	REFUSED(opcode, 200);
	REFUSED(opcode, IBV_WR_RDMA_READ, bad_one.num_sge = 2);
	REFUSED(opcode, IBV_WR_RDMA_READ, bad_one.num_sge = 0);
	REFUSED(opcode, IBV_WR_RDMA_READ,
		bad_one.send_flags |= IBV_SEND_INLINE);
	REFUSED(opcode, IBV_WR_SEND_WITH_INV,
		bad_one.send_flags |= IBV_SEND_INLINE);
	sge[0].length = 81;
	REFUSED(send_flags, IBV_SEND_INLINE);
	sge[0].length = 0x80000000;
	REFUSED(num_sge, 1);
	sge[0].length = 10;

	RETURNS(ibv_post_recv(p.server.qp, &recv, &bad_recv), EINVAL);
	CHECK(bad_recv == &recv, "bad_wr is another");

	/* What stands before the refused one in a list is posted. */
	good.wr_id = 1;
	good.next = &bad_one;
	bad_one = good;
	bad_one.num_sge = 7;
	bad_one.next = &last;
	last = good;
	last.wr_id = 3;
	last.next = NULL;
	RETURNS(post_recv(&p.server, 0, 100, 9), 0);
	RETURNS(ibv_post_send(p.client.qp, &good, &bad), EINVAL);
	CHECK(bad == &bad_one, "bad_wr is another");
	expect_wc(&p.client, 1, IBV_WC_SUCCESS, IBV_WC_SEND, 10);
	expect_wc(&p.server, 9, IBV_WC_SUCCESS, IBV_WC_RECV, 10);
	expect_no_wc(&p.client, 50);
	pair_close(&p);
}
