// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Requests that are refused, and requests that fail later. */
#include "world.h"

/* Refused at once: the errno value is returned and nothing happens. */
static void refused(struct pair *p, struct ibv_send_wr *wr, int want,
		    const char *what)
{
	struct ibv_send_wr *bad = NULL;
	int ret = post_send(&p->a, wr, &bad);

	check(ret == want, __FILE__, __LINE__, "%s: %d, not %d", what, ret,
	      want);
	if (!mode->builder && ret)
		CHECK(bad == wr);
}

/* Only the way of posting with ibv_send_wr can name any opcode. */
static void bad_opcodes(struct pair *p)
{
	struct ibv_send_wr wr = { .wr.ud.ah = p->a.ah };

	if (mode->builder)
		return;
	wr.opcode = IBV_WR_TSO;
	refused(p, &wr, EINVAL, "TSO");
	wr.opcode = IBV_WR_DRIVER1;
	refused(p, &wr, EINVAL, "driver opcode");
	wr.opcode = IBV_WR_ATOMIC_WRITE;
	refused(p, &wr, EINVAL, "atomic write");
	wr.opcode = 31;
	refused(p, &wr, EINVAL, "opcode 31");
	wr.opcode = 32;
	refused(p, &wr, EINVAL, "opcode 32");
	wr.opcode = -1;
	refused(p, &wr, EINVAL, "opcode -1");
}

static void bad_for_type(struct pair *p)
{
	struct ibv_sge sge = sge_of(&p->a, 0, 8);
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.wr.rdma.rkey = p->b.mr->rkey,
		.wr.rdma.remote_addr = remote_addr(&p->b, 0),
	};

	if (p->type == IBV_QPT_RC)
		return;
	wr.opcode = IBV_WR_RDMA_READ;
	refused(p, &wr, EINVAL, "read");
	wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
	refused(p, &wr, EINVAL, "atomic");
	wr.opcode = IBV_WR_SEND_WITH_INV;
	refused(p, &wr, EINVAL, "send with invalidate");
	wr.opcode = IBV_WR_LOCAL_INV;
	refused(p, &wr, EINVAL, "local invalidate");
	if (p->type == IBV_QPT_UC)
		return;
	wr.opcode = IBV_WR_RDMA_WRITE;
	refused(p, &wr, EINVAL, "write");
	wr.opcode = IBV_WR_SEND;
	wr.wr.ud.ah = NULL;
	refused(p, &wr, EINVAL, "send without address");
}

static void bad_arguments(struct pair *p)
{
	struct ibv_sge sge[64];
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND,
		.sg_list = sge,
		.num_sge = 64,
		.wr.ud.ah = p->a.ah,
	};
	struct ibv_recv_wr *bad, recv = {
		.sg_list = sge,
		.num_sge = 64,
	};
	int i;

	for (i = 0; i < 64; i++)
		sge[i] = sge_of(&p->a, 0, 1);
	refused(p, &wr, EINVAL, "too many SGEs");
	wr.num_sge = -1;
	refused(p, &wr, EINVAL, "negative number of SGEs");
	wr.num_sge = 2;
	sge[0].length = sge[1].length = 0x80000000;
	refused(p, &wr, EINVAL, "4 GiB");

	bad = NULL;
	EQUAL(ibv_post_recv(p->b.qp, &recv, &bad), EINVAL);
	CHECK(bad == &recv);
	recv.num_sge = -1;
	bad = NULL;
	EQUAL(ibv_post_recv(p->b.qp, &recv, &bad), EINVAL);
	CHECK(bad == &recv);

	if (p->type != IBV_QPT_RC)
		return;
	sge[0].length = 8;
	wr.num_sge = 1;
	wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
	wr.wr.atomic.rkey = p->b.mr->rkey;
	wr.wr.atomic.remote_addr = remote_addr(&p->b, 4);
	refused(p, &wr, EINVAL, "misaligned atomic");
	wr.wr.atomic.remote_addr = remote_addr(&p->b, 8);
	sge[0].length = 4;
	refused(p, &wr, EINVAL, "atomic into four bytes");
	if (!mode->builder) {
		sge[0].length = 8;
		wr.send_flags = IBV_SEND_INLINE;
		refused(p, &wr, EINVAL, "inline atomic");
	}
}

/* A good request behind a bad one: those before it are carried out. */
static void half_bad_list(struct pair *p)
{
	struct ibv_sge sge[64];
	struct ibv_send_wr *bad = NULL, wr[3] = {
		{
			.wr_id = 1,
			.next = &wr[1],
			.opcode = IBV_WR_SEND,
			.send_flags = IBV_SEND_SIGNALED,
		},
		{
			.wr_id = 2,
			.next = &wr[2],
			.opcode = IBV_WR_SEND,
			.sg_list = sge,
			.num_sge = 64,
		},
		{
			.wr_id = 3,
			.opcode = IBV_WR_SEND,
			.send_flags = IBV_SEND_SIGNALED,
		},
	};
	int i;

	for (i = 0; i < 64; i++)
		sge[i] = sge_of(&p->a, 0, 1);
	EQUAL(post_recv(&p->b, 9, 0, 64), 0);
	EQUAL(post_send(&p->a, wr, &bad), EINVAL);
	if (mode->builder) {
		/* A builder that failed posts nothing at all. */
		expect_nothing(p->a.scq);
		wr[0].next = NULL;
		EQUAL(post_send(&p->a, wr, NULL), 0);
	} else {
		CHECK(bad == &wr[1]);
	}
	expect(p->a.scq, 1, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, 9, IBV_WC_SUCCESS, NULL);
	expect_nothing(p->a.scq);
}

/* Builder calls that make no sense, each found out by wr_complete */
static void bad_builds(struct pair *p)
{
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(p->a.qp);
	uint64_t there = remote_addr(&p->b, 0);

	qp->wr_id = 1;
	qp->wr_flags = IBV_SEND_SIGNALED;
	/* Data without a request */
	ibv_wr_start(qp);
	ibv_wr_set_sge(qp, p->a.mr->lkey, (uintptr_t)p->a.buf, 8);
	EQUAL(ibv_wr_complete(qp), EINVAL);
	/* An atomic without a place for its result */
	ibv_wr_start(qp);
	ibv_wr_atomic_fetch_add(qp, p->b.mr->rkey, there, 1);
	EQUAL(ibv_wr_complete(qp), EINVAL);
	ibv_wr_start(qp);
	ibv_wr_atomic_fetch_add(qp, p->b.mr->rkey, there, 1);
	ibv_wr_send(qp);
	EQUAL(ibv_wr_complete(qp), EINVAL);
	/* Inline data for a read */
	ibv_wr_start(qp);
	ibv_wr_rdma_read(qp, p->b.mr->rkey, there);
	ibv_wr_set_inline_data(qp, p->a.buf, 8);
	EQUAL(ibv_wr_complete(qp), EINVAL);
	/* An address for a connected QP */
	ibv_wr_start(qp);
	ibv_wr_send(qp);
	ibv_wr_set_ud_addr(qp, NULL, 1, 1);
	EQUAL(ibv_wr_complete(qp), EINVAL);
	/* What rxe has no request for */
	ibv_wr_start(qp);
	ibv_wr_send_tso(qp, p->a.buf, 8, 8);
	EQUAL(ibv_wr_complete(qp), EOPNOTSUPP);
	/* A second setter has the last word. */
	EQUAL(post_recv(&p->b, 2, 0, 64), 0);
	fill(p->a.buf, 16, 2);
	ibv_wr_start(qp);
	ibv_wr_send(qp);
	ibv_wr_set_inline_data(qp, p->a.buf + 64, 32);
	ibv_wr_set_sge(qp, p->a.mr->lkey, (uintptr_t)p->a.buf, 16);
	EQUAL(ibv_wr_complete(qp), 0);
	expect(p->a.scq, 1, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, 2, IBV_WC_SUCCESS, NULL);
	CHECK(filled(p->b.buf, 16, 2));
	expect_nothing(p->a.scq);
}

static void wrong_state(void)
{
	struct pair_options options = { .unconnected = true };
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct ibv_recv_wr *bad, recv = {};
	struct pair p;

	pair_open(&p, IBV_QPT_RC, &options);
	EQUAL(post_send(&p.a, &wr, NULL), EINVAL);
	bad = NULL;
	EQUAL(ibv_post_recv(p.a.qp, &recv, &bad), EINVAL);
	CHECK(bad == &recv);
	pair_close(&p);
}

void test_bad_posts(void)
{
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC,
						  IBV_QPT_UD };
	struct pair p;
	int i;

	/* Another provider may find out later, and then the QP is lost. */
	if (control)
		return;
	for (i = 0; i < 3; i++) {
		pair_open(&p, types[i], NULL);
		bad_opcodes(&p);
		bad_for_type(&p);
		bad_arguments(&p);
		expect_nothing(p.a.scq);
		pair_close(&p);
	}
	pair_open(&p, IBV_QPT_RC, NULL);
	half_bad_list(&p);
	if (mode->builder)
		bad_builds(&p);
	pair_close(&p);
	wrong_state();
}

static void fails(enum ibv_wr_opcode opcode, uint32_t flip_lkey,
		  uint32_t flip_rkey, uint64_t offset,
		  enum ibv_wc_status status, enum ibv_wc_status other)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = opcode,
		.sg_list = &sge,
		.num_sge = 1,
	}, next = { .wr_id = 2, .opcode = IBV_WR_SEND };
	struct ibv_wc wc = {};
	struct pair p;

	pair_open(&p, IBV_QPT_RC, NULL);
	sge = sge_of(&p.a, 0, 64);
	sge.lkey ^= flip_lkey;
	wr.wr.rdma.rkey = p.b.mr->rkey ^ flip_rkey;
	wr.wr.rdma.remote_addr = remote_addr(&p.b, 0) + offset;
	wr.next = &next;
	/* Not signalled: failures complete all the same, and flush the rest. */
	EQUAL(post_send(&p.a, &wr, NULL), 0);
	if (wait_wc(p.a.scq, &wc)) {
		EQUAL(wc.wr_id, 1);
		check(wc.status == status || wc.status == other, __FILE__,
		      __LINE__, "opcode %d: \"%s\"", opcode,
		      ibv_wc_status_str(wc.status));
		EQUAL(wc.qp_num, p.a.qp->qp_num);
	}
	expect(p.a.scq, 2, IBV_WC_WR_FLUSH_ERR, NULL);
	pair_close(&p);
}

static void flush(void)
{
	struct ibv_send_wr wr = { .wr_id = 30, .opcode = IBV_WR_SEND };
	struct pair p;
	int i;

	pair_open(&p, IBV_QPT_RC, NULL);
	for (i = 0; i < 3; i++)
		EQUAL(post_recv(&p.a, i, 0, 8), 0);
	EQUAL(to_state(p.a.qp, IBV_QPS_ERR), 0);
	for (i = 0; i < 3; i++)
		expect(p.a.rcq, i, IBV_WC_WR_FLUSH_ERR, NULL);
	/* What comes later is flushed, too: that is how programs drain. */
	EQUAL(post_send(&p.a, &wr, NULL), 0);
	expect(p.a.scq, 30, IBV_WC_WR_FLUSH_ERR, NULL);
	EQUAL(post_recv(&p.a, 31, 0, 8), 0);
	if (!control)
		expect(p.a.rcq, 31, IBV_WC_WR_FLUSH_ERR, NULL);
	pair_close(&p);
}

void test_completion_errors(void)
{
	struct pair_options impatient = { .rnr_retry = 1 };
	struct ibv_sge sge;
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = IBV_WR_SEND,
		.sg_list = &sge,
		.num_sge = 1,
	};
	struct pair p;
	int i;

	fails(IBV_WR_RDMA_WRITE, 0, 0xff00, 0, IBV_WC_REM_ACCESS_ERR,
	      IBV_WC_REM_ACCESS_ERR);
	fails(IBV_WR_RDMA_WRITE, 0, 0, BUF_SIZE - 63, IBV_WC_REM_ACCESS_ERR,
	      IBV_WC_REM_ACCESS_ERR);
	fails(IBV_WR_RDMA_READ, 0, 1, 0, IBV_WC_REM_ACCESS_ERR,
	      IBV_WC_REM_ACCESS_ERR);
	fails(IBV_WR_RDMA_WRITE, 0xff00, 0, 0, IBV_WC_LOC_PROT_ERR,
	      IBV_WC_LOC_QP_OP_ERR);
	fails(IBV_WR_RDMA_READ, 0xff00, 0, 0, IBV_WC_LOC_PROT_ERR,
	      IBV_WC_LOC_QP_OP_ERR);
	flush();

	pair_open(&p, IBV_QPT_RC, &impatient);
	sge = sge_of(&p.a, 0, 8);
	EQUAL(post_send(&p.a, &wr, NULL), 0);
	expect(p.a.scq, 1, IBV_WC_RNR_RETRY_EXC_ERR, NULL);
	pair_close(&p);

	/* More than the receiver has room for */
	pair_open(&p, IBV_QPT_RC, NULL);
	sge = sge_of(&p.a, 0, 64);
	EQUAL(post_recv(&p.b, 2, 0, 63), 0);
	EQUAL(post_send(&p.a, &wr, NULL), 0);
	for (i = 0; i < 2; i++) {
		struct ibv_wc wc = {};

		/* Which of the remote errors is the kernel's affair. */
		if (!wait_wc(i ? p.b.rcq : p.a.scq, &wc))
			continue;
		EQUAL(wc.wr_id, i + 1);
		CHECK(wc.status != IBV_WC_SUCCESS &&
		      wc.status != IBV_WC_WR_FLUSH_ERR);
	}
	pair_close(&p);
}
