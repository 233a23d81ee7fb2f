// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A program of the days of libibverbs 1.0: every function of that version, and
 * each call that its headers made inline, against the answers of the current
 * functions on the real objects.
 *
 *	compat debian|mixed|ours
 *
 * where the argument says on what it runs, see ../peers/peer.sh.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "old_verbs.h"

#define PORT 1
#define GID_INDEX 1
#define QKEY 0x1234
/* A UD receive begins with the place for a GRH. */
#define GRH 40
#define OLD_PORT_ATTR_SIZE 48

static int failures;

static void __attribute__((format(printf, 3, 4)))
check(bool good, int line, const char *fmt, ...)
{
	va_list args;

	if (good)
		return;
	failures++;
	fprintf(stderr, "compat.c:%d: ", line);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

#define CHECK(_cond) check(_cond, __LINE__, "not true: %s", #_cond)
#define EQUAL(_got, _want)                                                  \
	do {                                                                \
		long long got_ = (long long)(_got),                         \
			  want_ = (long long)(_want);                       \
		check(got_ == want_, __LINE__, "%s is %lld, not %s (%lld)", \
		      #_got, got_, #_want, want_);                          \
	} while (0)

/* What nothing further can be done without */
static void *need(void *p, const char *what)
{
	if (!p) {
		fprintf(stderr, "%s: %s\n", what, strerror(errno));
		exit(1);
	}
	return p;
}
#define NEED(_call) need(_call, #_call)

static struct old_device **list;
static struct old_context *ctx;
static struct old_pd *pd;
static struct old_mr *mr;
static struct ibv_comp_channel *channel;
static struct old_cq *cq;
static struct ibv_port_attr port;
static union ibv_gid gid;
/* Two halves: what is sent, and what is received */
static char buf[8192] __attribute__((aligned(4096)));
static char *const out = buf, *const in = buf + 4096;

static struct ibv_sge sge_of(void *addr, uint32_t length)
{
	return (struct ibv_sge){ .addr = (uintptr_t)addr,
				 .length = length,
				 .lkey = mr->lkey };
}

/* The next completion, which must be there within ten seconds */
static struct ibv_wc completion(struct old_cq *of)
{
	struct ibv_wc wc = { .status = IBV_WC_GENERAL_ERR };
	int i, num = 0;

	for (i = 0; i < 1000 && !num; i++) {
		num = of->context->poll_cq(of, 1, &wc);
		if (!num)
			poll(NULL, 0, 10);
	}
	EQUAL(num, 1);
	return wc;
}

/* The completions of a whole exchange, which may come in any order */
static void completions(int count, uint64_t ids)
{
	struct ibv_wc wc;

	while (count--) {
		wc = completion(cq);
		EQUAL(wc.status, IBV_WC_SUCCESS);
		check(wc.wr_id < 64 && ids >> wc.wr_id & 1, __LINE__,
		      "unexpected or second completion %llu",
		      (unsigned long long)wc.wr_id);
		ids &= ~(1ULL << (wc.wr_id & 63));
	}
	EQUAL(ids, 0);
}

static bool async_event_waits(void)
{
	struct pollfd wait = { .fd = ctx->real->async_fd, .events = POLLIN };

	return poll(&wait, 1, 5000) == 1;
}

static void devices(void)
{
	struct old_device **again;
	int num = -1;

	list = NEED(old_get_device_list(&num));
	CHECK(num > 0);
	if (num <= 0)
		exit(1);
	CHECK(!list[num]);
	CHECK(!strcmp(old_get_device_name(list[0]),
		      ibv_get_device_name(list[0]->real)));
	CHECK(old_get_device_guid(list[0]) ==
	      ibv_get_device_guid(list[0]->real));

	again = NEED(old_get_device_list(NULL));
	CHECK(again[0] && again[0] != list[0]);
	EQUAL(again[0]->real == list[0]->real, 1);
	old_free_device_list(again);

	ctx = NEED(old_open_device(list[0]));
	CHECK(ctx->device == list[0]);
	CHECK(ctx->real->device == list[0]->real);
	CHECK(ctx->poll_cq && ctx->req_notify_cq && ctx->post_srq_recv &&
	      ctx->post_send && ctx->post_recv);
}

static void queries(const char *on)
{
	struct ibv_device_attr old_attr, attr;
	union ibv_gid old_gid;
	__be16 old_pkey, pkey;
	struct {
		char attr[OLD_PORT_ATTR_SIZE];
		char guard[64];
	} old_port;
	size_t i;

	memset(&old_attr, 0, sizeof(old_attr));
	memset(&attr, 0, sizeof(attr));
	EQUAL(old_query_device(ctx, &old_attr), 0);
	EQUAL(ibv_query_device(ctx->real, &attr), 0);
	CHECK(!memcmp(&old_attr, &attr, sizeof(attr)));

	memset(&old_port, 0x5a, sizeof(old_port));
	EQUAL(old_query_port(ctx, PORT, &old_port), 0);
	EQUAL(ibv_query_port(ctx->real, PORT, &port), 0);
	/* In both forms all but the last byte of it mean the same. */
	CHECK(!memcmp(&old_port, &port, OLD_PORT_ATTR_SIZE - 1));
	/* Debian's library writes the current struct, which is longer. */
	for (i = 0; strcmp(on, "debian") && i < sizeof(old_port.guard); i++)
		EQUAL(old_port.guard[i], 0x5a);
	CHECK(old_query_port(ctx, 77, &old_port) != 0);

	EQUAL(old_query_gid(ctx, PORT, GID_INDEX, &old_gid), 0);
	EQUAL(ibv_query_gid(ctx->real, PORT, GID_INDEX, &gid), 0);
	CHECK(!memcmp(&old_gid, &gid, sizeof(gid)));
	EQUAL(old_query_gid(ctx, PORT, 100000, &old_gid), -1);

	EQUAL(old_query_pkey(ctx, PORT, 0, &old_pkey), 0);
	EQUAL(ibv_query_pkey(ctx->real, PORT, 0, &pkey), 0);
	EQUAL(old_pkey, pkey);
	EQUAL(old_query_pkey(ctx, PORT, 100000, &old_pkey), -1);
}

static void memory(void)
{
	pd = NEED(old_alloc_pd(ctx));
	CHECK(pd->context == ctx);
	CHECK(pd->real->context == ctx->real);

	mr = NEED(old_reg_mr(pd, buf, sizeof(buf),
			     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				     IBV_ACCESS_REMOTE_READ |
				     IBV_ACCESS_REMOTE_ATOMIC));
	CHECK(mr->context == ctx);
	CHECK(mr->pd == pd);
	EQUAL(mr->lkey, mr->real->lkey);
	EQUAL(mr->rkey, mr->real->rkey);
	CHECK(mr->real->addr == buf);
	EQUAL(mr->real->length, sizeof(buf));

	/* Remote write without local write makes no sense. */
	errno = 0;
	CHECK(!old_reg_mr(pd, buf, sizeof(buf), IBV_ACCESS_REMOTE_WRITE));
	EQUAL(errno, EINVAL);
	/* In use: refused, and good as before */
	EQUAL(old_dealloc_pd(pd), EBUSY);
}

static void completion_queue(void)
{
	char mark;

	channel = NEED(ibv_create_comp_channel(ctx->real));
	cq = NEED(old_create_cq(ctx, 64, &mark, channel, 0));
	CHECK(cq->context == ctx);
	CHECK(cq->cq_context == &mark);
	EQUAL(cq->cqe, 64);
	CHECK(cq->real->cq_context == cq);
	CHECK(cq->real->channel == channel);
	cq->cq_context = &channel;

	EQUAL(old_resize_cq(cq, 200), 0);
	CHECK(cq->real->cqe >= 200);
	EQUAL(cq->cqe, 64);

	CHECK(!old_create_cq(ctx, 0x7fffffff, NULL, NULL, 0));
	CHECK(!old_create_cq(ctx, 4, NULL, NULL, 1000000));
}

static struct old_qp *create_qp(enum ibv_qp_type type, struct old_srq *srq)
{
	struct old_qp_init_attr init = {
		.qp_context = &init,
		.send_cq = cq,
		.recv_cq = cq,
		.srq = srq,
		.cap = { .max_send_wr = 8,
			 .max_recv_wr = srq ? 0 : 8,
			 .max_send_sge = 1,
			 .max_recv_sge = srq ? 0 : 1,
			 .max_inline_data = 1 },
		.qp_type = type,
	};
	struct old_qp *qp = NEED(old_create_qp(pd, &init));
	struct ibv_qp_init_attr granted;
	struct ibv_qp_attr attr;

	CHECK(qp->context == ctx);
	CHECK(qp->qp_context == &init);
	CHECK(qp->pd == pd);
	CHECK(qp->send_cq == cq);
	CHECK(qp->recv_cq == cq);
	CHECK(qp->srq == srq);
	EQUAL(qp->qp_num, qp->real->qp_num);
	EQUAL(qp->qp_type, type);
	CHECK(qp->real->qp_context == qp);
	/* rxe grants as much as an SGE takes, more than was asked for. */
	EQUAL(ibv_query_qp(qp->real, &attr, IBV_QP_CAP, &granted), 0);
	CHECK(granted.cap.max_inline_data > 1);
	EQUAL(init.cap.max_inline_data, granted.cap.max_inline_data);
	CHECK(init.cap.max_send_wr >= 8);
	qp->qp_context = qp->pd;
	return qp;
}

static void to_init(struct old_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = PORT,
		.qkey = QKEY,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
				   IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_ATOMIC,
	};

	EQUAL(old_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				    (qp->qp_type == IBV_QPT_UD
					     ? IBV_QP_QKEY
					     : IBV_QP_ACCESS_FLAGS)),
	      0);
}

static struct ibv_ah_attr to_ourselves(void)
{
	return (struct ibv_ah_attr){
		.is_global = 1,
		.port_num = PORT,
		.grh = { .dgid = gid, .sgid_index = GID_INDEX, .hop_limit = 1 },
	};
}

/* RC, to itself */
static void connect_rc(struct old_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = qp->qp_num,
		.ah_attr = to_ourselves(),
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 1,
	};

	to_init(qp);
	EQUAL(old_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				    IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				    IBV_QP_MAX_DEST_RD_ATOMIC |
				    IBV_QP_MIN_RNR_TIMER),
	      0);
	attr.qp_state = IBV_QPS_RTS;
	attr.timeout = 14;
	attr.retry_cnt = 7;
	attr.rnr_retry = 7;
	attr.max_rd_atomic = 1;
	EQUAL(old_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				    IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				    IBV_QP_MAX_QP_RD_ATOMIC),
	      0);
}

static void ready_ud(struct old_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR };

	to_init(qp);
	EQUAL(old_modify_qp(qp, &attr, IBV_QP_STATE), 0);
	attr.qp_state = IBV_QPS_RTS;
	EQUAL(old_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
}

static void events_of_cq(void)
{
	struct old_cq *event_cq = NULL;
	void *context = NULL;

	EQUAL(old_get_cq_event(channel, &event_cq, &context), 0);
	CHECK(event_cq == cq);
	CHECK(context == &channel);
	old_ack_cq_events(cq, 1);
}

/* Lists of requests, each kind of operation, completions with and without events */
static void traffic_rc(struct old_qp *qp)
{
	struct ibv_sge from = sge_of(out, 64), to = sge_of(in, 64);
	struct ibv_sge word = sge_of(in + 1024, 8), large = sge_of(out, 4096);
	struct old_recv_wr recv[2] = {
		{ .next = &recv[1], .wr_id = 1, .sg_list = &to, .num_sge = 1 },
		{ .wr_id = 2 },
	};
	struct old_send_wr send[3] = {
		{ .next = &send[1],
		  .wr_id = 3,
		  .sg_list = &from,
		  .num_sge = 1,
		  .opcode = IBV_WR_SEND,
		  .send_flags = IBV_SEND_SIGNALED },
		{ .next = &send[2],
		  .wr_id = 4,
		  .sg_list = &from,
		  .num_sge = 1,
		  .opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
		  .send_flags = IBV_SEND_SIGNALED,
		  .imm_data = 0x01020304,
		  .wr.rdma = { (uintptr_t)in + 512, mr->rkey } },
		{ .wr_id = 5,
		  .sg_list = &word,
		  .num_sge = 1,
		  .opcode = IBV_WR_ATOMIC_CMP_AND_SWP,
		  .send_flags = IBV_SEND_SIGNALED,
		  .wr.atomic = { (uintptr_t)in + 2048, 7, 9, mr->rkey } },
	};
	struct old_recv_wr *bad_recv = NULL;
	struct old_send_wr *bad_send = NULL;
	uint64_t seven = 7, nine = 9;
	int num;

	memset(in, 0, 4096);
	memset(out, 'a', 64);
	memcpy(in + 2048, &seven, 8);

	EQUAL(ctx->req_notify_cq(cq, 0), 0);
	EQUAL(ctx->post_recv(qp, recv, &bad_recv), 0);
	EQUAL(ctx->post_send(qp, send, &bad_send), 0);
	events_of_cq();
	completions(5, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5);
	CHECK(!memcmp(in, out, 64));
	CHECK(!memcmp(in + 512, out, 64));
	CHECK(!memcmp(in + 1024, &seven, 8));
	CHECK(!memcmp(in + 2048, &nine, 8));
	CHECK(!bad_recv && !bad_send);

	/* The second has more inline data than fits: told, and the first goes. */
	send[0].opcode = IBV_WR_RDMA_WRITE;
	send[0].wr.rdma.remote_addr = (uintptr_t)in + 3000;
	send[0].wr.rdma.rkey = mr->rkey;
	send[1].sg_list = &large;
	send[1].send_flags |= IBV_SEND_INLINE;
	CHECK(ctx->post_send(qp, send, &bad_send) != 0);
	CHECK(bad_send == &send[1]);
	completions(1, 1 << 3);
	CHECK(!memcmp(in + 3000, out, 64));

	/* Full at the end: the element that found no place is told. */
	recv[0].next = NULL;
	bad_recv = NULL;
	for (num = 0; num < 10000; num++)
		if (ctx->post_recv(qp, recv, &bad_recv))
			break;
	CHECK(num > 0 && num < 10000);
	CHECK(bad_recv == &recv[0]);

	/* Inline, of memory that is no MR's */
	from = (struct ibv_sge){ (uintptr_t) "inline", 7, 0 };
	send[0].send_flags |= IBV_SEND_INLINE;
	send[0].next = NULL;
	EQUAL(ctx->post_send(qp, send, &bad_send), 0);
	completions(1, 1 << 3);
	CHECK(!strcmp(in + 3000, "inline"));
}

static void query_rc(struct old_qp *qp, const char *on)
{
	struct ibv_qp_attr attr;
	struct old_qp_init_attr init;

	/* Debian's library looks into an SRQ that is not there. */
	if (!qp->srq && !strcmp(on, "debian"))
		return;
	memset(&init, 0xff, sizeof(init));
	EQUAL(old_query_qp(qp, &attr, IBV_QP_STATE | IBV_QP_CAP, &init), 0);
	EQUAL(attr.qp_state, IBV_QPS_RTS);
	CHECK(init.qp_context == qp->qp_context);
	CHECK(init.send_cq == cq);
	CHECK(init.recv_cq == cq);
	CHECK(init.srq == qp->srq);
	EQUAL(init.qp_type, IBV_QPT_RC);
	EQUAL(init.sq_sig_all, 0);
	CHECK(init.cap.max_send_wr >= 8);
}

static void rc(const char *on)
{
	struct old_qp *qp = create_qp(IBV_QPT_RC, NULL);

	connect_rc(qp);
	query_rc(qp, on);
	traffic_rc(qp);
	EQUAL(old_destroy_cq(cq), EBUSY);
	EQUAL(old_destroy_qp(qp), 0);
}

/* Through an SRQ, whose limit gives an asynchronous event */
static void srq(const char *on)
{
	struct ibv_srq_init_attr init = {
		.srq_context = &init,
		.attr = { .max_wr = 8, .max_sge = 1 },
	};
	struct ibv_sge from = sge_of(out, 32), to = sge_of(in, 32);
	struct old_recv_wr recv[2] = {
		{ .next = &recv[1], .wr_id = 1, .sg_list = &to, .num_sge = 1 },
		{ .wr_id = 2, .sg_list = &to, .num_sge = 1 },
	};
	struct old_send_wr send = { .wr_id = 3,
				    .sg_list = &from,
				    .num_sge = 1,
				    .opcode = IBV_WR_SEND,
				    .send_flags = IBV_SEND_SIGNALED };
	struct ibv_srq_attr attr = { .srq_limit = 2 };
	struct ibv_async_event event, copy;
	struct old_recv_wr *bad_recv = NULL;
	struct old_send_wr *bad_send = NULL;
	struct old_srq *s;
	struct old_qp *qp;
	int num;

	s = NEED(old_create_srq(pd, &init));
	CHECK(s->context == ctx);
	CHECK(s->srq_context == &init);
	CHECK(s->pd == pd);
	CHECK(s->real->srq_context == s);
	CHECK(init.attr.max_wr >= 8);

	EQUAL(ctx->post_srq_recv(s, recv, &bad_recv), 0);
	EQUAL(old_modify_srq(s, &attr, IBV_SRQ_LIMIT), 0);
	memset(&attr, 0, sizeof(attr));
	EQUAL(old_query_srq(s, &attr), 0);
	EQUAL(attr.srq_limit, 2);

	qp = create_qp(IBV_QPT_RC, s);
	connect_rc(qp);
	query_rc(qp, on);
	EQUAL(ctx->post_send(qp, &send, &bad_send), 0);
	completions(2, 1 << 1 | 1 << 3);

	CHECK(async_event_waits());
	EQUAL(old_get_async_event(ctx, &event), 0);
	EQUAL(event.event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
	CHECK((void *)event.element.srq == (void *)s);
	copy = event;
	old_ack_async_event(&event);
	EQUAL(event.event_type, copy.event_type);
	CHECK(event.element.srq == copy.element.srq);

	recv[0].next = NULL;
	for (num = 0; num < 10000; num++)
		if (ctx->post_srq_recv(s, recv, &bad_recv))
			break;
	CHECK(num > 0 && num < 10000);
	CHECK(bad_recv == &recv[0]);

	EQUAL(old_destroy_srq(s), EBUSY);
	EQUAL(old_destroy_qp(qp), 0);
	/* Would wait for ever, if the event was not acknowledged */
	EQUAL(old_destroy_srq(s), 0);
}

/* An address that works for the QP itself, and a multicast group */
static void ud(void)
{
	struct old_qp *qp = create_qp(IBV_QPT_UD, NULL);
	struct ibv_ah_attr ah_attr = to_ourselves();
	struct ibv_sge from = sge_of(out, 32), to = sge_of(in, GRH + 32);
	struct old_recv_wr recv = { .wr_id = 1, .sg_list = &to, .num_sge = 1 };
	struct old_send_wr send = { .wr_id = 2,
				    .sg_list = &from,
				    .num_sge = 1,
				    .opcode = IBV_WR_SEND,
				    .send_flags = IBV_SEND_SIGNALED };
	union ibv_gid group = { .raw = { 0xff, 0x0e, [10] = 0xff, 0xff, 239, 1,
					 2, 3 } };
	struct old_recv_wr *bad_recv;
	struct old_send_wr *bad_send;
	struct old_ah *ah;

	ready_ud(qp);
	ah = NEED(old_create_ah(pd, &ah_attr));
	CHECK(ah->context == ctx);
	CHECK(ah->pd == pd);
	CHECK(ah->real->pd == pd->real);

	send.wr.ud.ah = ah;
	send.wr.ud.remote_qpn = qp->qp_num;
	send.wr.ud.remote_qkey = QKEY;
	memset(in, 0, 4096);
	memset(out, 'u', 32);
	EQUAL(ctx->post_recv(qp, &recv, &bad_recv), 0);
	EQUAL(ctx->post_send(qp, &send, &bad_send), 0);
	completions(2, 1 << 1 | 1 << 2);
	CHECK(!memcmp(in + GRH, out, 32));

	EQUAL(old_attach_mcast(qp, &group, 0), 0);
	EQUAL(old_detach_mcast(qp, &group, 0), 0);
	CHECK(old_detach_mcast(qp, &group, 0) != 0);

	EQUAL(old_destroy_ah(ah), 0);
	EQUAL(old_destroy_qp(qp), 0);

	ah_attr.grh.sgid_index = 200;
	ah_attr.port_num = 9;
	CHECK(!old_create_ah(pd, &ah_attr));
}

/* Events of a QP and of a CQ: two more completions than the CQ takes */
static void errors(void)
{
	struct old_cq *whole = cq, *small;
	struct ibv_sge from = sge_of(out, 8);
	struct old_send_wr send = { .sg_list = &from,
				    .num_sge = 1,
				    .opcode = IBV_WR_RDMA_WRITE,
				    .send_flags = IBV_SEND_SIGNALED,
				    .wr.rdma = { (uintptr_t)in, mr->rkey } };
	struct old_send_wr *bad;
	struct ibv_async_event event;
	struct old_qp *qp;
	bool seen = false;
	int i;

	small = NEED(old_create_cq(ctx, 1, NULL, NULL, 0));
	cq = small;
	qp = create_qp(IBV_QPT_RC, NULL);
	connect_rc(qp);
	for (i = 0; i < 6; i++)
		EQUAL(ctx->post_send(qp, &send, &bad), 0);
	while (!seen && async_event_waits()) {
		EQUAL(old_get_async_event(ctx, &event), 0);
		switch (event.event_type) {
		case IBV_EVENT_CQ_ERR:
			CHECK((void *)event.element.cq == (void *)small);
			seen = true;
			break;
		case IBV_EVENT_QP_FATAL:
		case IBV_EVENT_QP_ACCESS_ERR:
		case IBV_EVENT_QP_REQ_ERR:
			CHECK((void *)event.element.qp == (void *)qp);
			break;
		default:
			check(false, __LINE__, "event %d", event.event_type);
		}
		old_ack_async_event(&event);
	}
	CHECK(seen);
	EQUAL(old_destroy_qp(qp), 0);
	EQUAL(old_destroy_cq(small), 0);
	cq = whole;
}

static void creations_that_fail(void)
{
	struct old_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_send_wr = 1 << 30 },
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_srq_init_attr srq_init = { .attr = { .max_wr = 1 << 30 } };

	CHECK(!old_create_qp(pd, &init));
	EQUAL(init.cap.max_send_wr, 1 << 30);
	CHECK(!old_create_srq(pd, &srq_init));
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	devices();
	queries(argv[1]);
	memory();
	completion_queue();
	rc(argv[1]);
	srq(argv[1]);
	ud();
	errors();
	creations_that_fail();

	EQUAL(old_destroy_cq(cq), 0);
	EQUAL(ibv_destroy_comp_channel(channel), 0);
	EQUAL(old_dereg_mr(mr), 0);
	EQUAL(old_dealloc_pd(pd), 0);
	EQUAL(old_close_device(ctx), 0);
	old_free_device_list(list);
	return failures != 0;
}
