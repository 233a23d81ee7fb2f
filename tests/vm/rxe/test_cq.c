// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Completion queues: batches, lazy polling, events, resizing under load. */
#include <poll.h>
#include <pthread.h>
#include <sched.h>

#include "world.h"

static void burst(struct pair *p, int n)
{
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	int i;

	for (i = 0; i < n; i++) {
		wr.wr_id = i;
		EQUAL(post_recv(&p->b, i, 0, 0), 0);
		EQUAL(post_send(&p->a, &wr, NULL), 0);
	}
}

static void batches(struct pair *p)
{
	struct ibv_wc wc[10];
	uint64_t end = now_ms() + 5000;
	int got = 0, n, i;

	burst(p, 10);
	for (i = 0; i < 10; i++)
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
	/* The array form works on an extended CQ, too. */
	EQUAL(ibv_poll_cq(p->a.scq, 0, wc), 0);
	while (got < 10 && now_ms() < end) {
		n = ibv_poll_cq(p->a.scq, got ? 10 - got : 4, wc);
		if (n < 0 || n > 10) {
			EQUAL(n, 0);
			break;
		}
		for (i = 0; i < n; i++)
			EQUAL(wc[i].wr_id, got + i);
		got += n;
	}
	EQUAL(got, 10);
	EQUAL(ibv_poll_cq(p->a.scq, 10, wc), 0);
}

static void lazy(struct pair *p)
{
	struct ibv_cq_ex *cq = (struct ibv_cq_ex *)p->b.rcq;
	struct ibv_poll_cq_attr attr = {};
	struct ibv_wc wc;
	int i;

	EQUAL(ibv_start_poll(cq, &attr), ENOENT);
	attr.comp_mask = 1;
	EQUAL(ibv_start_poll(cq, &attr), EINVAL);
	attr.comp_mask = 0;

	burst(p, 8);
	for (i = 0; i < 8; i++)
		expect(p->a.scq, i, IBV_WC_SUCCESS, NULL);
	EQUAL(ibv_start_poll(cq, &attr), 0);
	for (i = 0; i < 5; i++) {
		EQUAL(cq->wr_id, i);
		EQUAL(cq->status, IBV_WC_SUCCESS);
		EQUAL(ibv_wc_read_opcode(cq), IBV_WC_RECV);
		EQUAL(ibv_wc_read_qp_num(cq), p->b.qp->qp_num);
		if (i < 4)
			EQUAL(ibv_next_poll(cq), 0);
	}
	/* The current one goes with end_poll, the rest stays. */
	ibv_end_poll(cq);
	EQUAL(ibv_start_poll(cq, &attr), 0);
	EQUAL(cq->wr_id, 5);
	EQUAL(ibv_next_poll(cq), 0);
	EQUAL(cq->wr_id, 6);
	EQUAL(ibv_next_poll(cq), 0);
	EQUAL(cq->wr_id, 7);
	EQUAL(ibv_next_poll(cq), ENOENT);
	if (!control)
		EQUAL(ibv_next_poll(cq), ENOENT);
	ibv_end_poll(cq);
	EQUAL(poll_one(p->b.rcq, &wc), 0);
	EQUAL(ibv_start_poll(cq, &attr), ENOENT);
}

static bool cq_event(struct end *end, int timeout)
{
	struct pollfd fd = { .fd = end->channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *cq_context;

	if (poll(&fd, 1, timeout) != 1)
		return false;
	EQUAL(ibv_get_cq_event(end->channel, &cq, &cq_context), 0);
	CHECK(cq == end->rcq);
	ibv_ack_cq_events(cq, 1);
	return true;
}

static void send_flagged(struct pair *p, unsigned int flags)
{
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED | flags,
	};

	EQUAL(post_recv(&p->b, 2, 0, 0), 0);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, 1, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, 2, IBV_WC_SUCCESS, NULL);
}

static void events(struct pair *p)
{
	EQUAL(ibv_req_notify_cq(p->b.rcq, 0), 0);
	send_flagged(p, 0);
	CHECK(cq_event(&p->b, 5000));
	/* One request, one event */
	send_flagged(p, 0);
	CHECK(!cq_event(&p->b, 20));

	EQUAL(ibv_req_notify_cq(p->b.rcq, 1), 0);
	send_flagged(p, 0);
	CHECK(!cq_event(&p->b, 20));
	send_flagged(p, IBV_SEND_SOLICITED);
	CHECK(cq_event(&p->b, 5000));
}

struct load {
	struct pair *p;
	int count;
};

static void *load(void *arg)
{
	struct load *l = arg;
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
	int i;

	for (i = 0; i < l->count; i++) {
		wr.wr_id = i;
		while (post_send(&l->p->a, &wr, NULL) == ENOMEM)
			sched_yield();
	}
	return NULL;
}

/*
 * Completions arrive while the CQ grows and shrinks; none is lost, doubled or
 * out of order.
 */
static void resize(struct pair *p)
{
	static const int sizes[] = { 300, 1000, 260, 5000 };
	struct load l = { p, 400 };
	struct ibv_wc wc;
	pthread_t thread;
	int i;

	EQUAL(pthread_create(&thread, NULL, load, &l), 0);
	for (i = 0; i < l.count; i++) {
		EQUAL(post_recv(&p->b, i, 0, 0), 0);
		if (i % 20 == 19) {
			int cqe = sizes[i / 20 % 4];

			EQUAL(ibv_resize_cq(p->b.rcq, cqe), 0);
			CHECK(p->b.rcq->cqe >= cqe);
			EQUAL(ibv_resize_cq(p->a.scq, cqe + 1), 0);
			CHECK(p->a.scq->cqe >= cqe + 1);
		}
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
		expect(p->a.scq, i, IBV_WC_SUCCESS, NULL);
	}
	pthread_join(thread, NULL);
	EQUAL(poll_one(p->a.scq, &wc), 0);
	EQUAL(poll_one(p->b.rcq, &wc), 0);

	/* Smaller than what is in it */
	burst(p, 8);
	for (i = 0; i < 8; i++)
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
	EQUAL(ibv_resize_cq(p->a.scq, 3), EINVAL);
	EQUAL(ibv_resize_cq(p->a.scq, 0), EINVAL);
	EQUAL(ibv_resize_cq(p->a.scq, 8), 0);
	for (i = 0; i < 8; i++)
		expect(p->a.scq, i, IBV_WC_SUCCESS, NULL);
	EQUAL(ibv_resize_cq(p->a.scq, 256), 0);
}

static void refused(void)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = 10,
		.wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP,
	};

	errno = 0;
	CHECK(!ibv_create_cq_ex(ctx, &attr));
	EQUAL(errno, EOPNOTSUPP);
	attr.wc_flags = 0;
	attr.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
	attr.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	errno = 0;
	CHECK(!ibv_create_cq_ex(ctx, &attr));
	EQUAL(errno, EOPNOTSUPP);
	errno = 0;
	CHECK(!ibv_create_cq(ctx, 0, NULL, NULL, 0));
	EQUAL(errno, EINVAL);
	errno = 0;
	CHECK(!ibv_create_cq(ctx, 1 << 30, NULL, NULL, 0));
	EQUAL(errno, EINVAL);
}

void test_cq(void)
{
	struct pair p;

	pair_open(&p, IBV_QPT_RC, NULL);
	batches(&p);
	if (mode->lazy)
		lazy(&p);
	events(&p);
	resize(&p);
	CHECK(ibv_destroy_cq(p.a.scq) != 0);
	pair_close(&p);
	refused();
}
