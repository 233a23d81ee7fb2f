// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared receive queues: two QPs on one, the limit event, resizing. */
#include <poll.h>

#include "world.h"

static struct ibv_srq *make_srq(uint32_t max_wr, bool extended)
{
	struct ibv_srq_init_attr attr = {
		.attr = { .max_wr = max_wr, .max_sge = 2 },
	};
	struct ibv_srq_init_attr_ex attr_ex = {
		.attr = { .max_wr = max_wr, .max_sge = 2 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_BASIC,
		.pd = pd,
	};
	struct ibv_srq *srq;

	srq = extended ? ibv_create_srq_ex(ctx, &attr_ex)
		       : ibv_create_srq(pd, &attr);
	CHECK(srq != NULL);
	if (!srq)
		exit(1);
	CHECK((extended ? attr_ex.attr.max_wr : attr.attr.max_wr) >= max_wr);
	CHECK((extended ? attr_ex.attr.max_sge : attr.attr.max_sge) >= 2);
	return srq;
}

static void send_byte(struct end *end, uint8_t byte)
{
	struct ibv_sge sge = sge_of(end, 0, 1);
	struct ibv_send_wr wr = {
		.wr_id = byte,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
	};

	end->buf[0] = byte;
	EQUAL(post_send(end, &wr, NULL), 0);
	expect(end->scq, byte, IBV_WC_SUCCESS, NULL);
}

static bool async_event(struct ibv_async_event *event, int timeout)
{
	struct pollfd fd = { .fd = ctx->async_fd, .events = POLLIN };

	if (poll(&fd, 1, timeout) != 1)
		return false;
	return !ibv_get_async_event(ctx, event);
}

static void shared(struct ibv_srq *srq, struct pair *p, struct pair *q)
{
	struct ibv_recv_wr *bad, wr = {};
	struct ibv_wc wc;
	int i;

	for (i = 0; i < 10; i++)
		EQUAL(post_recv(&p->b, i, 100 + i, 1), 0);
	for (i = 0; i < 10; i++) {
		struct pair *from = i % 3 ? p : q;

		send_byte(&from->a, i + 1);
		expect(from->b.rcq, i, IBV_WC_SUCCESS, &wc);
		EQUAL(wc.qp_num, from->b.qp->qp_num);
		EQUAL(p->b.buf[100 + i], i + 1);
	}
	if (control)
		return;
	/* Its QPs have no receive queues of their own. */
	bad = NULL;
	EQUAL(ibv_post_recv(p->b.qp, &wr, &bad), EINVAL);
	CHECK(bad == &wr);
	wr.num_sge = 40;
	EQUAL(ibv_post_srq_recv(srq, &wr, &bad), EINVAL);
}

static void limit(struct ibv_srq *srq, struct pair *p)
{
	struct ibv_srq_attr attr = { .srq_limit = 3 };
	struct ibv_async_event event;
	int i;

	for (i = 0; i < 5; i++)
		EQUAL(post_recv(&p->b, i, 100 + i, 1), 0);
	EQUAL(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), 0);
	memset(&attr, 0, sizeof(attr));
	EQUAL(ibv_query_srq(srq, &attr), 0);
	EQUAL(attr.srq_limit, 3);
	for (i = 0; i < 2; i++) {
		send_byte(&p->a, i + 1);
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
	}
	CHECK(!async_event(&event, 20));
	send_byte(&p->a, 3);
	expect(p->b.rcq, 2, IBV_WC_SUCCESS, NULL);
	if (async_event(&event, 5000)) {
		EQUAL(event.event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
		CHECK(event.element.srq == srq);
		ibv_ack_async_event(&event);
	} else {
		check(false, __FILE__, __LINE__, "no limit event");
	}
	for (i = 3; i < 5; i++) {
		send_byte(&p->a, i + 1);
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
	}
}

static int fill_up(struct pair *p)
{
	int n, ret = 0;

	for (n = 0; n < 1000 && !ret; n++)
		ret = post_recv(&p->b, n, 100 + n, 1);
	EQUAL(ret, ENOMEM);
	return n - 1;
}

static void drain(struct pair *p, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		send_byte(&p->a, i + 1);
		expect(p->b.rcq, i, IBV_WC_SUCCESS, NULL);
		EQUAL(p->b.buf[100 + i], (uint8_t)(i + 1));
	}
}

/* What is posted survives; the room changes. */
static void resize(struct ibv_srq *srq, struct pair *p)
{
	struct ibv_srq_attr attr = {};
	int room, more, i;

	EQUAL(ibv_query_srq(srq, &attr), 0);
	room = fill_up(p);
	EQUAL(room, attr.max_wr);

	/* Too small for what is in it */
	attr.max_wr = 1;
	EQUAL(ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR), EINVAL);

	attr.max_wr = 2 * room;
	EQUAL(ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR), 0);
	EQUAL(ibv_query_srq(srq, &attr), 0);
	CHECK((int)attr.max_wr >= 2 * room);
	for (more = room; !post_recv(&p->b, more, 100 + more, 1); more++)
		;
	EQUAL(more, attr.max_wr);
	drain(p, more);

	attr.max_wr = 4;
	EQUAL(ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR), 0);
	EQUAL(ibv_query_srq(srq, &attr), 0);
	CHECK(attr.max_wr >= 4 && (int)attr.max_wr < room);
	for (i = 0; i < 5; i++) {
		more = fill_up(p);
		EQUAL(more, attr.max_wr);
		drain(p, more);
	}
}

void test_srq(void)
{
	struct ibv_srq_init_attr_ex xrc = {
		.attr = { .max_wr = 1, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_TM,
		.pd = pd,
	};
	struct ibv_srq_init_attr zero = {};
	struct pair_options options = {};
	struct pair p, q;
	int extended;

	for (extended = 0; extended < 2; extended++) {
		options.srq = make_srq(20, extended);
		pair_open(&p, IBV_QPT_RC, &options);
		pair_open(&q, IBV_QPT_RC, &options);
		shared(options.srq, &p, &q);
		limit(options.srq, &p);
		resize(options.srq, &p);
		CHECK(ibv_destroy_srq(options.srq) != 0);
		pair_close(&p);
		pair_close(&q);
		EQUAL(ibv_destroy_srq(options.srq), 0);
	}
	errno = 0;
	CHECK(!ibv_create_srq(pd, &zero));
	EQUAL(errno, EINVAL);
	errno = 0;
	CHECK(!ibv_create_srq_ex(ctx, &xrc));
	CHECK(errno == EOPNOTSUPP || (control && errno));
}
