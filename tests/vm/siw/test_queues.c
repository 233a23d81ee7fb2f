// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queues that wrap, run full, are shared, tell of events, have many users. */
#include <poll.h>
#include <pthread.h>

#include "world.h"
#include "tests.h"

void test_wrap(void)
{
	struct options o = { .max_wr = 4, .cqe = 8, .sq_sig_all = false };
	struct ibv_send_wr *bad, wr;
	struct ibv_sge sge;
	struct pair p;
	unsigned int i;

	pair_open(&p, &o);
	/* A receive queue of four takes four. */
	for (i = 0; i < 4; i++)
		RETURNS(post_recv(&p.server, i * 64, 64, i), 0);
	RETURNS(post_recv(&p.server, 0, 64, 99), ENOMEM);
	for (i = 0; i < 300; i++) {
		bool signal = i % 4 == 3;

		fill_bytes(p.client.buf, 64, i);
		sge = sge_of(&p.client, 0, 64);
		wr = (struct ibv_send_wr){
			.wr_id = i,
			.sg_list = &sge,
			.num_sge = 1,
			.opcode = IBV_WR_SEND,
			.send_flags = signal ? IBV_SEND_SIGNALED : 0,
		};
		RETURNS(ibv_post_send(p.client.qp, &wr, &bad), 0);
		if (signal)
			expect_wc(&p.client, i, IBV_WC_SUCCESS, IBV_WC_SEND,
				  64);
		expect_wc(&p.server, i, IBV_WC_SUCCESS, IBV_WC_RECV, 64);
		CHECK(same_bytes(p.server.buf + i % 4 * 64, 64, i),
		      "message %u: wrong bytes", i);
		RETURNS(post_recv(&p.server, i % 4 * 64, 64, i + 4), 0);
	}
	expect_no_wc(&p.client, 50);
	pair_close(&p);

	/* All are signalled without a word. */
	o.sq_sig_all = true;
	pair_open(&p, &o);
	sge = sge_of(&p.client, 0, 64);
	wr = (struct ibv_send_wr){
		.wr_id = 5,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.wr.rdma.remote_addr = (uintptr_t)p.server.buf,
		.wr.rdma.rkey = p.server.mr->rkey,
	};
	RETURNS(ibv_post_send(p.client.qp, &wr, &bad), 0);
	expect_wc(&p.client, 5, IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE, 64);
	pair_close(&p);
}

static void expect_srq_event(struct ibv_context *context, struct ibv_srq *srq)
{
	struct pollfd fd = { .fd = context->async_fd, .events = POLLIN };
	struct ibv_async_event event;

	CHECK(poll(&fd, 1, WAIT_MS) == 1, "no event of the SRQ");
	if (!fd.revents)
		return;
	RETURNS(ibv_get_async_event(context, &event), 0);
	CHECK(event.event_type == IBV_EVENT_SRQ_LIMIT_REACHED &&
		      event.element.srq == srq,
	      "event %d", event.event_type);
	ibv_ack_async_event(&event);
}

void test_srq(void)
{
	struct options o = { .max_wr = 8, .server_srq = true };
	struct ibv_srq_attr attr = {};
	struct ibv_recv_wr *bad, wr = {};
	struct pair p;
	unsigned int i;

	pair_open(&p, &o);
	RETURNS(ibv_query_srq(p.server.srq, &attr), 0);
	CHECK(attr.max_wr == 8 && attr.max_sge == 4 && attr.srq_limit == 0,
	      "%u requests, %u SGEs, limit %u", attr.max_wr, attr.max_sge,
	      attr.srq_limit);
	RETURNS(ibv_post_recv(p.server.qp, &wr, &bad), EINVAL);
	for (i = 0; i < 8; i++)
		RETURNS(post_recv(&p.server, i * 64, 64, i), 0);
	RETURNS(post_recv(&p.server, 0, 64, 99), ENOMEM);

	attr.max_wr = 16;
	RETURNS(ibv_modify_srq(p.server.srq, &attr, IBV_SRQ_MAX_WR),
		EOPNOTSUPP);
	attr.srq_limit = 9;
	RETURNS(ibv_modify_srq(p.server.srq, &attr, IBV_SRQ_LIMIT), EINVAL);
	attr.srq_limit = 6;
	RETURNS(ibv_modify_srq(p.server.srq, &attr, IBV_SRQ_LIMIT), 0);
	RETURNS(ibv_query_srq(p.server.srq, &attr), 0);
	CHECK(attr.srq_limit == 6, "limit %u", attr.srq_limit);

	for (i = 0; i < 20; i++) {
		fill_bytes(p.client.buf, 64, i);
		RETURNS(post(&p.client, IBV_WR_SEND, 0, 64, NULL, 0, i), 0);
		expect_wc(&p.client, i, IBV_WC_SUCCESS, IBV_WC_SEND, 64);
		expect_wc(&p.server, i, IBV_WC_SUCCESS, IBV_WC_RECV, 64);
		CHECK(same_bytes(p.server.buf + i % 8 * 64, 64, i),
		      "message %u: wrong bytes", i);
		if (i >= 4)
			RETURNS(post_recv(&p.server, i % 8 * 64, 64, i + 8), 0);
		else
			RETURNS(ibv_query_srq(p.server.srq, &attr), 0);
		if (i == 3) {
			expect_srq_event(p.server.context, p.server.srq);
			for (unsigned int j = 0; j < 4; j++)
				RETURNS(post_recv(&p.server, j * 64, 64, j + 8),
					0);
		}
	}
	pair_close(&p);
}

static bool event_comes(struct side *side, int ms)
{
	struct pollfd fd = { .fd = side->comp->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *cq_context;

	if (poll(&fd, 1, ms) != 1)
		return false;
	RETURNS(ibv_get_cq_event(side->comp, &cq, &cq_context), 0);
	CHECK(cq == side->cq && cq_context == side, "another CQ's event");
	ibv_ack_cq_events(cq, 1);
	return true;
}

static void message(struct pair *p, unsigned int flags)
{
	struct ibv_sge sge = sge_of(&p->client, 0, 16);
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = flags,
	};

	RETURNS(post_recv(&p->server, 0, 16, 1), 0);
	RETURNS(ibv_post_send(p->client.qp, &wr, &bad), 0);
}

void test_events(void)
{
	struct pair p;
	int i;

	pair_open(&p, NULL);
	/* Not armed: none */
	message(&p, 0);
	expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 16);
	CHECK(!event_comes(&p.server, 50), "an event, though not armed");
	/* Armed once: one */
	for (i = 0; i < 3; i++) {
		RETURNS(ibv_req_notify_cq(p.server.cq, 0), 0);
		CHECK(!event_comes(&p.server, 20), "an event of nothing");
		message(&p, 0);
		CHECK(event_comes(&p.server, WAIT_MS), "no event");
		message(&p, 0);
		expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 16);
		expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 16);
		CHECK(!event_comes(&p.server, 20), "a second event");
	}
	/* Of a send */
	RETURNS(ibv_req_notify_cq(p.client.cq, 0), 0);
	message(&p, IBV_SEND_SIGNALED);
	CHECK(event_comes(&p.client, WAIT_MS), "no event of the send");
	expect_wc(&p.client, 0, IBV_WC_SUCCESS, IBV_WC_SEND, 16);
	expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 16);
	/* A solicited message, when only such are of interest */
	RETURNS(ibv_req_notify_cq(p.server.cq, 1), 0);
	message(&p, IBV_SEND_SOLICITED);
	if (is_ours())
		CHECK(event_comes(&p.server, WAIT_MS), "no solicited event");
	expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 16);
	pair_close(&p);
}

#define THREADS 4
#define EACH 200

static void *poster(void *arg)
{
	struct pair *p = arg;
	int i, ret;

	for (i = 0; i < EACH; i++)
		while ((ret = post(&p->client, IBV_WR_RDMA_WRITE, 0, 32,
				   &p->server, 0, i)))
			if (ret != ENOMEM)
				return (void *)(intptr_t)ret;
	return NULL;
}

/* Each request of every thread completes, once. */
void test_threads(void)
{
	struct options o = { .max_wr = 8, .cqe = THREADS * EACH };
	unsigned int seen[EACH] = {}, i;
	pthread_t threads[THREADS];
	struct ibv_wc wc;
	struct pair p;

	pair_open(&p, &o);
	for (i = 0; i < THREADS; i++)
		NEED(!pthread_create(&threads[i], NULL, poster, &p));
	for (i = 0; i < THREADS * EACH && next_wc(&p.client, &wc); i++) {
		CHECK(wc.status == IBV_WC_SUCCESS && wc.wr_id < EACH,
		      "completion %llu: %s", (unsigned long long)wc.wr_id,
		      ibv_wc_status_str(wc.status));
		if (wc.wr_id < EACH)
			seen[wc.wr_id]++;
	}
	CHECK(i == THREADS * EACH, "%u completions", i);
	for (i = 0; i < EACH; i++)
		CHECK(seen[i] == THREADS, "request %u completed %u times", i,
		      seen[i]);
	for (i = 0; i < THREADS; i++) {
		void *ret;

		NEED(!pthread_join(threads[i], &ret));
		CHECK(!ret, "a thread's post: %s",
		      strerror((int)(intptr_t)ret));
	}
	pair_close(&p);
}
