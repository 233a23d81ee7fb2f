// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Full queues: how many requests fit, what is said of the first one too many,
 * and that all that were taken are carried out.
 */
#include "world.h"

static void full_recv_queue(struct pair *p)
{
	struct ibv_sge sge = sge_of(&p->b, 0, 64);
	struct ibv_recv_wr *bad, wr[64] = {};
	int posted = 0, i;

	for (i = 0; i < 64; i++) {
		wr[i].wr_id = i;
		wr[i].sg_list = &sge;
		wr[i].num_sge = 1;
		wr[i].next = i < 63 ? &wr[i + 1] : NULL;
	}
	bad = NULL;
	EQUAL(ibv_post_recv(p->b.qp, wr, &bad), ENOMEM);
	CHECK(bad != NULL);
	if (bad)
		posted = bad - wr;
	CHECK(posted >= DEPTH);
	EQUAL(ibv_post_recv(p->b.qp, &wr[posted], &bad), ENOMEM);
	CHECK(bad == &wr[posted]);
	for (i = 0; i < posted; i++) {
		struct ibv_send_wr send = {
			.wr_id = i,
			.opcode = IBV_WR_SEND,
			.send_flags = IBV_SEND_SIGNALED,
		};

		EQUAL(post_send(&p->a, &send, NULL), 0);
		expect(p->a.scq, i, IBV_WC_SUCCESS, NULL);
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
	}
}

/* Nothing to receive into: the sender waits and its queue fills. */
static void full_send_queue(struct pair *p)
{
	struct ibv_send_wr *bad, wr[64] = {};
	int posted = 0, i, ret;

	for (i = 0; i < 64; i++) {
		wr[i].wr_id = i;
		wr[i].opcode = IBV_WR_SEND;
		wr[i].send_flags = IBV_SEND_SIGNALED;
		wr[i].next = i < 63 ? &wr[i + 1] : NULL;
	}
	if (mode->builder) {
		/* All or nothing */
		EQUAL(post_send(&p->a, wr, NULL), ENOMEM);
		expect_nothing(p->a.scq);
		for (posted = 0; posted < 64; posted++) {
			wr[posted].next = NULL;
			ret = post_send(&p->a, &wr[posted], NULL);
			if (ret)
				break;
		}
		EQUAL(ret, ENOMEM);
	} else {
		bad = NULL;
		EQUAL(post_send(&p->a, wr, &bad), ENOMEM);
		CHECK(bad != NULL);
		if (bad)
			posted = bad - wr;
	}
	CHECK(posted >= DEPTH);
	CHECK(posted < 64);
	for (i = 0; i < posted; i++) {
		EQUAL(post_recv(&p->b, i, 0, 0), 0);
		expect(p->a.scq, i, IBV_WC_SUCCESS, NULL);
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
	}
	/* And there is room again. */
	wr[0].next = NULL;
	EQUAL(post_recv(&p->b, 99, 0, 0), 0);
	EQUAL(post_send(&p->a, wr, NULL), 0);
	expect(p->a.scq, 0, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, 99, IBV_WC_SUCCESS, NULL);
}

/* What a builder started and gave up leaves no trace. */
static void abort_build(struct pair *p)
{
	struct ibv_sge sge = sge_of(&p->a, 0, 8);
	struct ibv_send_wr wr = {
		.wr_id = 5,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
	};
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(p->a.qp);

	qp->wr_id = 1;
	qp->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_start(qp);
	ibv_wr_send(qp);
	ibv_wr_set_sge(qp, p->a.mr->lkey, (uintptr_t)p->a.buf, 8);
	ibv_wr_rdma_write(qp, p->b.mr->rkey, remote_addr(&p->b, 0));
	ibv_wr_abort(qp);
	expect_nothing(p->a.scq);

	ibv_wr_start(qp);
	EQUAL(ibv_wr_complete(qp), 0);
	expect_nothing(p->a.scq);

	EQUAL(post_recv(&p->b, 6, 0, 64), 0);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, 5, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, 6, IBV_WC_SUCCESS, NULL);
	expect_nothing(p->a.scq);
}

void test_flow_control(void)
{
	struct pair p;

	pair_open(&p, IBV_QPT_RC, NULL);
	full_recv_queue(&p);
	full_send_queue(&p);
	full_send_queue(&p);
	if (mode->builder)
		abort_build(&p);
	pair_close(&p);
}
