// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Requests that fail, and connections that end. */
#include "world.h"
#include "tests.h"

static void bad_lkey(struct pair *p)
{
	struct ibv_sge sge = sge_of(&p->client, 0, 100);
	struct ibv_send_wr *bad, wr = {
		.wr_id = 1,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
	};

	sge.lkey ^= 0x100;
	RETURNS(ibv_post_send(p->client.qp, &wr, &bad), 0);
	/* Though it was not signalled */
	expect_wc(&p->client, 1, IBV_WC_LOC_QP_OP_ERR, IBV_WC_SEND, ANY_LENGTH);
}

static void bad_length(struct pair *p)
{
	RETURNS(post(&p->client, IBV_WR_SEND, SIDE_BYTES - 50, 100, NULL, 0, 1),
		0);
	expect_wc(&p->client, 1, IBV_WC_LOC_QP_OP_ERR, IBV_WC_SEND, ANY_LENGTH);
}

static void bad_rkey(struct pair *p)
{
	p->server.mr->rkey ^= 0x100;
	RETURNS(post(&p->client, IBV_WR_RDMA_READ, 0, 100, &p->server, 0, 1),
		0);
	p->server.mr->rkey ^= 0x100;
	expect_wc(&p->client, 1, IBV_WC_WR_FLUSH_ERR, IBV_WC_RDMA_READ,
		  ANY_LENGTH);
	expect_cm_event(&p->client, RDMA_CM_EVENT_DISCONNECTED);
}

static void beyond_the_region(struct pair *p)
{
	RETURNS(post(&p->client, IBV_WR_RDMA_READ, 0, 100, &p->server,
		     SIDE_BYTES - 99, 1),
		0);
	expect_wc(&p->client, 1, IBV_WC_WR_FLUSH_ERR, IBV_WC_RDMA_READ,
		  ANY_LENGTH);
	expect_cm_event(&p->client, RDMA_CM_EVENT_DISCONNECTED);
}

static void too_long(struct pair *p)
{
	RETURNS(post_recv(&p->server, 0, 99, 2), 0);
	RETURNS(post(&p->client, IBV_WR_SEND, 0, 100, NULL, 0, 1), 0);
	expect_wc(&p->server, 2, IBV_WC_LOC_LEN_ERR, IBV_WC_RECV, ANY_LENGTH);
	expect_cm_event(&p->client, RDMA_CM_EVENT_DISCONNECTED);
}

/* The program itself ends it: what is posted is flushed, more is refused. */
static void error_state(struct pair *p)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct ibv_qp_init_attr init;
	int i;

	for (i = 0; i < 3; i++)
		RETURNS(post_recv(&p->client, 0, 100, i), 0);
	RETURNS(ibv_modify_qp(p->client.qp, &attr, IBV_QP_STATE), 0);
	for (i = 0; i < 3; i++)
		expect_wc(&p->client, i, IBV_WC_WR_FLUSH_ERR, IBV_WC_RECV,
			  ANY_LENGTH);
	if (!is_ours())
		return;
	RETURNS(ibv_query_qp(p->client.qp, &attr, IBV_QP_STATE, &init), 0);
	CHECK(attr.qp_state == IBV_QPS_ERR, "state %d", attr.qp_state);
	RETURNS(post(&p->client, IBV_WR_SEND, 0, 10, NULL, 0, 4), EINVAL);
	RETURNS(post_recv(&p->client, 0, 10, 5), EINVAL);
	expect_no_wc(&p->client, 50);
}

void test_error_completions(void)
{
	static void (*const go_wrong[])(struct pair *) = {
		bad_lkey,	   bad_length, bad_rkey,
		beyond_the_region, too_long,   error_state,
	};
	struct pair p;
	size_t i;

	for (i = 0; i < sizeof(go_wrong) / sizeof(go_wrong[0]); i++) {
		pair_open(&p, NULL);
		go_wrong[i](&p);
		pair_close(&p);
	}
}

void test_disconnect(void)
{
	struct pair p;
	int i;

	pair_open(&p, NULL);
	for (i = 0; i < 3; i++)
		RETURNS(post_recv(&p.server, 0, 100, i), 0);
	RETURNS(post_recv(&p.client, 0, 100, 7), 0);
	NEED(!rdma_disconnect(p.client.id));
	expect_cm_event(&p.server, RDMA_CM_EVENT_DISCONNECTED);
	expect_cm_event(&p.client, RDMA_CM_EVENT_DISCONNECTED);
	for (i = 0; i < 3; i++)
		expect_wc(&p.server, i, IBV_WC_WR_FLUSH_ERR, ANY_OPCODE,
			  ANY_LENGTH);
	expect_wc(&p.client, 7, IBV_WC_WR_FLUSH_ERR, ANY_OPCODE, ANY_LENGTH);
	/* The connection is no more: nothing is sent. */
	if (is_ours())
		RETURNS(post(&p.client, IBV_WR_SEND, 0, 10, NULL, 0, 1),
			ENOTCONN);
	expect_no_wc(&p.client, 50);
	expect_no_wc(&p.server, 50);
	pair_close(&p);
}
