// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Every kind of queue on an imported PD, every operation under an imported key,
 * by ibv_post_send() and by ibv_wr_*(), inline or not, to and from the process
 * that owns PD and MR.  With MLX5_SHUT_UP_BF=1 in the environment libmlx5 rings
 * doorbells only, without it it also writes requests to the device.
 */
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "m5_test.h"

#define SIZE 65536
#define PART 16384
#define SOURCE 0
#define TARGET PART
#define OWNER_GETS (2 * PART)
#define WORKER_GETS (3 * PART)
#define SMALL 150 /* goes inline */
#define IMMEDIATE 0x12345678
#define QKEY 0x1111
#define GRH 40
#define LIMIT_MS 20000

struct offer {
	uint32_t pd, mr;
	uint64_t addr;
	union ibv_gid gid;
};

struct order {
	enum { CONNECT, GET, SEND, DISCONNECT } what;
	uint32_t qpn, length;
};

struct answer {
	int status;
	uint32_t qpn;
};

/* ---- the owner: another process ---- */

static int owner(void)
{
	struct ibv_context *context = test_open(0), *ex = test_open(0);
	int fds[2] = { ibv_context_to_fd(ex),
		       memfd_create("queues", MFD_CLOEXEC) };
	struct test_end end = { 0 };
	struct order order;
	struct offer offer;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	char *memory;

	NEED(fds[1] >= 0 && !ftruncate(fds[1], SIZE));
	memory =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
	NEED(memory != MAP_FAILED);
	NEED(pd = ibv_alloc_pd(context));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	RETURNS(ibv_export_pd(pd, fds[0], &offer.pd), 0);
	RETURNS(ibv_export_mr(mr, fds[0], &offer.mr), 0);
	RETURNS(ibv_query_gid(context, 1, 1, &offer.gid), 0);
	offer.addr = (uintptr_t)memory;
	test_send(TEST_CHILD_SOCK, &offer, sizeof(offer), fds, 2);

	while (test_recv(TEST_CHILD_SOCK, &order, sizeof(order), NULL, 0)) {
		struct answer answer = { 0 };

		switch (order.what) {
		case CONNECT:
			NEED(test_end_open(&end, pd, context));
			test_end_connect(&end, order.qpn, &offer.gid);
			RETURNS(test_post_recv(&end, offer.addr + OWNER_GETS,
					       PART, mr->lkey),
				0);
			answer.qpn = end.qp->qp_num;
			break;
		case GET:
			answer.status = test_wait(&end);
			RETURNS(test_post_recv(&end, offer.addr + OWNER_GETS,
					       PART, mr->lkey),
				0);
			break;
		case SEND:
			answer.status =
				test_run(&end, IBV_WR_SEND, offer.addr + SOURCE,
					 order.length, mr->lkey, 0, 0);
			break;
		case DISCONNECT:
			test_end_close(&end);
			break;
		}
		test_send(TEST_CHILD_SOCK, &answer, sizeof(answer), NULL, 0);
	}
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(context), 0);
	RETURNS(ibv_close_device(ex), 0);
	return test_child_end();
}

/* ---- the worker ---- */

static struct test_process process;
static struct offer offer;
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static char *memory;

static struct answer tell(struct order order)
{
	struct answer answer;

	test_send(process.sock, &order, sizeof(order), NULL, 0);
	NEED(test_recv(process.sock, &answer, sizeof(answer), NULL, 0));
	return answer;
}

/* What is tried, each alone and with the others */
struct kind {
	const char *name;
	enum ibv_qp_type type;
	bool wr;     /* ibv_wr_*() */
	bool events; /* a CQ with a channel, of the extended sort */
	bool srq;
};

static const struct kind kinds[] = {
	{ .name = "RC", .type = IBV_QPT_RC },
	{ .name = "RC, ibv_wr", .type = IBV_QPT_RC, .wr = true },
	{ .name = "RC, SRQ", .type = IBV_QPT_RC, .srq = true },
	{ .name = "RC, all",
	  .type = IBV_QPT_RC,
	  .wr = true,
	  .events = true,
	  .srq = true },
};

struct conn {
	const struct kind *kind;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq_ex *cq_ex;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
};

static void open_cq(struct conn *c)
{
	struct ibv_cq_init_attr_ex init = {
		.cqe = 64,
		.wc_flags = IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM,
	};

	if (!c->kind->events) {
		NEED(c->cq = ibv_create_cq(context, 64, NULL, NULL, 0));
		return;
	}
	NEED(c->channel = ibv_create_comp_channel(context));
	init.channel = c->channel;
	NEED(c->cq_ex = ibv_create_cq_ex(context, &init));
	c->cq = ibv_cq_ex_to_cq(c->cq_ex);
	RETURNS(ibv_req_notify_cq(c->cq, 0), 0);
}

static void open_qp(struct conn *c)
{
	struct ibv_qp_init_attr_ex init = {
		.send_cq = c->cq,
		.recv_cq = c->cq,
		.srq = c->srq,
		.cap = { .max_send_wr = 16,
			 .max_recv_wr = 16,
			 .max_send_sge = 2,
			 .max_recv_sge = 1,
			 .max_inline_data = SMALL },
		.qp_type = c->kind->type,
		.sq_sig_all = 1,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = c->pd,
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = TEST_ACCESS,
		.qkey = QKEY,
	};

	if (c->kind->wr) {
		init.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		init.send_ops_flags =
			IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM;
		if (init.qp_type == IBV_QPT_RC)
			init.send_ops_flags |=
				IBV_QP_EX_WITH_RDMA_WRITE |
				IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
				IBV_QP_EX_WITH_RDMA_READ |
				IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
				IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD;
	}
	NEED(c->qp = ibv_create_qp_ex(context, &init));
	RETURNS(ibv_modify_qp(c->qp, &attr,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				      (init.qp_type == IBV_QPT_UD
					       ? IBV_QP_QKEY
					       : IBV_QP_ACCESS_FLAGS)),
		0);
}

static struct conn conn_open(const struct kind *kind, struct ibv_pd *on)
{
	struct ibv_srq_init_attr srq_init = {
		.attr = { .max_wr = 16, .max_sge = 1 },
	};
	struct conn c = { .kind = kind, .pd = on };

	open_cq(&c);
	if (kind->srq)
		NEED(c.srq = ibv_create_srq(on, &srq_init));
	open_qp(&c);
	return c;
}

static void conn_close(struct conn *c)
{
	RETURNS(ibv_destroy_qp(c->qp), 0);
	if (c->srq)
		RETURNS(ibv_destroy_srq(c->srq), 0);
	RETURNS(ibv_destroy_cq(c->cq), 0);
	if (c->channel)
		RETURNS(ibv_destroy_comp_channel(c->channel), 0);
}

/* Connected to that QP, of this process or the other */
static void join(struct conn *c, uint32_t qpn)
{
	struct test_end end = { .cq = c->cq, .qp = c->qp };

	test_end_connect(&end, qpn, &offer.gid);
}

/* ---- posting ---- */

struct work {
	enum ibv_wr_opcode opcode;
	bool in_line;
	uint64_t local, remote;
	uint32_t length, lkey, rkey;
	uint64_t add, compare; /* or swap */
	struct ibv_ah *ah;     /* of a datagram to the QP itself */
};

static int post_list(struct conn *c, const struct work *w)
{
	/* Inline from memory that is not registered at all */
	struct ibv_sge sge = {
		.addr = w->in_line ? (uintptr_t)memory + SOURCE : w->local,
		.length = w->length,
		.lkey = w->in_line ? 0xbad : w->lkey,
	};
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = w->opcode,
		.send_flags = w->in_line ? IBV_SEND_INLINE : 0,
		.imm_data = htobe32(IMMEDIATE),
	};
	struct ibv_send_wr *bad;

	if (w->ah) {
		wr.wr.ud.ah = w->ah;
		wr.wr.ud.remote_qpn = c->qp->qp_num;
		wr.wr.ud.remote_qkey = QKEY;
	} else if (w->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
		   w->opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
		bool add = w->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;

		wr.wr.atomic.remote_addr = w->remote;
		wr.wr.atomic.rkey = w->rkey;
		wr.wr.atomic.compare_add = add ? w->add : w->compare;
		wr.wr.atomic.swap = w->add;
	} else {
		wr.wr.rdma.remote_addr = w->remote;
		wr.wr.rdma.rkey = w->rkey;
	}
	return ibv_post_send(c->qp, &wr, &bad);
}

static int post_wr(struct conn *c, const struct work *w)
{
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(c->qp);

	NEED(qp);
	ibv_wr_start(qp);
	qp->wr_flags = IBV_SEND_SIGNALED;
	switch (w->opcode) {
	case IBV_WR_RDMA_WRITE:
		ibv_wr_rdma_write(qp, w->rkey, w->remote);
		break;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		ibv_wr_rdma_write_imm(qp, w->rkey, w->remote,
				      htobe32(IMMEDIATE));
		break;
	case IBV_WR_RDMA_READ:
		ibv_wr_rdma_read(qp, w->rkey, w->remote);
		break;
	case IBV_WR_SEND:
		ibv_wr_send(qp);
		break;
	case IBV_WR_SEND_WITH_IMM:
		ibv_wr_send_imm(qp, htobe32(IMMEDIATE));
		break;
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		ibv_wr_atomic_fetch_add(qp, w->rkey, w->remote, w->add);
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		ibv_wr_atomic_cmp_swp(qp, w->rkey, w->remote, w->compare,
				      w->add);
		break;
	default:
		FATAL("opcode %d", w->opcode);
	}
	if (w->ah)
		ibv_wr_set_ud_addr(qp, w->ah, c->qp->qp_num, QKEY);
	if (w->in_line) {
		ibv_wr_set_inline_data(qp, memory + SOURCE, w->length);
	} else if (w->length > 1) {
		/* In two pieces */
		uint32_t half = w->length > SMALL ? w->length / 2 : w->length;
		struct ibv_sge sge[2] = {
			{ w->local, half, w->lkey },
			{ w->local + half, w->length - half, w->lkey },
		};

		ibv_wr_set_sge_list(qp, half == w->length ? 1 : 2, sge);
	} else {
		ibv_wr_set_sge(qp, w->lkey, w->local, w->length);
	}
	return ibv_wr_complete(qp);
}

static void post(struct conn *c, struct work w)
{
	RETURNS(c->kind->wr ? post_wr(c, &w) : post_list(c, &w), 0);
}

static void post_recv(struct conn *c, uint32_t length)
{
	struct ibv_sge sge = { offer.addr + WORKER_GETS, length, mr->lkey };
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	if (c->srq)
		RETURNS(ibv_post_srq_recv(c->srq, &wr, &bad), 0);
	else
		RETURNS(ibv_post_recv(c->qp, &wr, &bad), 0);
}

/* ---- completions ---- */

struct done {
	int status;
	enum ibv_wc_opcode opcode;
	uint32_t length, immediate;
};

static bool poll_one(struct conn *c, struct done *done)
{
	struct ibv_poll_cq_attr attr = { 0 };
	struct ibv_wc wc;
	int ret;

	if (!c->cq_ex) {
		ret = ibv_poll_cq(c->cq, 1, &wc);
		NEED(ret >= 0);
		if (!ret)
			return false;
		done->status = wc.status;
		done->opcode = wc.opcode;
		done->length = wc.byte_len;
		done->immediate = be32toh(wc.imm_data);
		return true;
	}
	ret = ibv_start_poll(c->cq_ex, &attr);
	if (ret == ENOENT)
		return false;
	NEED(!ret);
	done->status = c->cq_ex->status;
	done->opcode = ibv_wc_read_opcode(c->cq_ex);
	if (!done->status && done->opcode & IBV_WC_RECV) {
		done->length = ibv_wc_read_byte_len(c->cq_ex);
		if (ibv_wc_read_wc_flags(c->cq_ex) & IBV_WC_WITH_IMM)
			done->immediate =
				be32toh(ibv_wc_read_imm_data(c->cq_ex));
	}
	ibv_end_poll(c->cq_ex);
	return true;
}

/* An event must have come: the CQ is armed whenever it is empty. */
static void next_event(struct conn *c)
{
	struct pollfd pfd = { .fd = c->channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *cookie;

	if (poll(&pfd, 1, LIMIT_MS) != 1)
		FATAL("%s: no event", c->kind->name);
	NEED(!ibv_get_cq_event(c->channel, &cq, &cookie));
	CHECK(cq == c->cq, "an event of another CQ");
	ibv_ack_cq_events(cq, 1);
	RETURNS(ibv_req_notify_cq(cq, 0), 0);
}

static struct done wait_for(struct conn *c)
{
	struct done done = { .status = -1 };
	int tries;

	for (tries = 0; tries < LIMIT_MS * 5; tries++) {
		if (poll_one(c, &done))
			return done;
		if (c->channel)
			next_event(c);
		else
			usleep(200);
	}
	return done;
}

static void is_done(struct conn *c, const char *what, struct done done,
		    enum ibv_wc_status status, enum ibv_wc_opcode opcode)
{
	CHECK(done.status == (int)status, "%s, %s: %s", c->kind->name, what,
	      done.status < 0 ? "no completion"
			      : ibv_wc_status_str(done.status));
	if (!status)
		CHECK(done.opcode == opcode, "%s, %s: opcode %d", c->kind->name,
		      what, done.opcode);
}

static unsigned int seed;

static void fresh(void)
{
	size_t i;

	seed++;
	for (i = 0; i < PART; i++)
		memory[SOURCE + i] = (i * 2654435761u ^ seed * 40503u) >> 5;
	memset(memory + TARGET, 0, SIZE - TARGET);
}

static void same(struct conn *c, const char *what, size_t at, size_t length)
{
	CHECK(!memcmp(memory + SOURCE, memory + at, length) &&
		      (length == PART || !memory[at + length]),
	      "%s, %s: wrong bytes", c->kind->name, what);
}

/* ---- the checks ---- */

static struct work rdma(enum ibv_wr_opcode opcode, uint32_t from, uint32_t to,
			uint32_t length)
{
	return (struct work){
		.opcode = opcode,
		.local = offer.addr + from,
		.remote = offer.addr + to,
		.length = length,
		.lkey = mr->lkey,
		.rkey = mr->rkey,
	};
}

static void one_sided(struct conn *c)
{
	uint64_t *result = (uint64_t *)(memory + WORKER_GETS);
	uint64_t *word = (uint64_t *)(memory + TARGET);
	struct work w;

	fresh();
	post(c, rdma(IBV_WR_RDMA_WRITE, SOURCE, TARGET, PART));
	is_done(c, "WRITE", wait_for(c), IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE);
	same(c, "WRITE", TARGET, PART);

	fresh();
	w = rdma(IBV_WR_RDMA_WRITE, SOURCE, TARGET, SMALL);
	w.in_line = true;
	post(c, w);
	is_done(c, "inline WRITE", wait_for(c), IBV_WC_SUCCESS,
		IBV_WC_RDMA_WRITE);
	same(c, "inline WRITE", TARGET, SMALL);

	fresh();
	post(c, rdma(IBV_WR_RDMA_READ, TARGET, SOURCE, PART));
	is_done(c, "READ", wait_for(c), IBV_WC_SUCCESS, IBV_WC_RDMA_READ);
	same(c, "READ", TARGET, PART);

	*word = 1000;
	w = rdma(IBV_WR_ATOMIC_FETCH_AND_ADD, WORKER_GETS, TARGET, 8);
	w.add = 7;
	post(c, w);
	is_done(c, "FETCH_ADD", wait_for(c), IBV_WC_SUCCESS, IBV_WC_FETCH_ADD);
	CHECK(*result == 1000 && *word == 1007, "%s: FETCH_ADD", c->kind->name);
	w.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
	w.compare = 1007;
	w.add = 99;
	post(c, w);
	is_done(c, "CMP_SWAP", wait_for(c), IBV_WC_SUCCESS, IBV_WC_COMP_SWAP);
	CHECK(*result == 1007 && *word == 99, "%s: CMP_SWAP", c->kind->name);
	post(c, w);
	is_done(c, "CMP_SWAP", wait_for(c), IBV_WC_SUCCESS, IBV_WC_COMP_SWAP);
	CHECK(*result == 99 && *word == 99, "%s: CMP_SWAP of another value",
	      c->kind->name);
}

static void messages(struct conn *c)
{
	const struct order get = { .what = GET };
	const struct order send = { .what = SEND, .length = 5000 };
	struct done done;
	struct work w;

	fresh();
	post(c, rdma(IBV_WR_SEND, SOURCE, 0, 5000));
	is_done(c, "SEND", wait_for(c), IBV_WC_SUCCESS, IBV_WC_SEND);
	RETURNS(tell(get).status, IBV_WC_SUCCESS);
	same(c, "SEND", OWNER_GETS, 5000);

	fresh();
	w = rdma(IBV_WR_SEND_WITH_IMM, SOURCE, 0, SMALL);
	w.in_line = true;
	post(c, w);
	is_done(c, "inline SEND", wait_for(c), IBV_WC_SUCCESS, IBV_WC_SEND);
	RETURNS(tell(get).status, IBV_WC_SUCCESS);
	same(c, "inline SEND", OWNER_GETS, SMALL);

	fresh();
	post_recv(c, PART);
	RETURNS(tell(send).status, IBV_WC_SUCCESS);
	done = wait_for(c);
	is_done(c, "receive", done, IBV_WC_SUCCESS, IBV_WC_RECV);
	CHECK(done.length == send.length, "%s: received %u bytes",
	      c->kind->name, done.length);
	same(c, "receive", WORKER_GETS, send.length);
}

/* More than the queues have room for at once, so that they go round */
static void many(struct conn *c)
{
	int i;

	fresh();
	for (i = 0; i < 100; i++) {
		struct work w = rdma(IBV_WR_RDMA_WRITE, SOURCE + i * 16,
				     TARGET + i * 16, 16);

		post(c, w);
		is_done(c, "many WRITEs", wait_for(c), IBV_WC_SUCCESS,
			IBV_WC_RDMA_WRITE);
	}
	same(c, "many WRITEs", TARGET, 1600);
}

static void immediate(const struct kind *kind)
{
	static const enum ibv_wr_opcode opcodes[] = {
		IBV_WR_SEND_WITH_IMM,
		IBV_WR_RDMA_WRITE_WITH_IMM,
	};
	struct conn c = conn_open(kind, pd);
	size_t i;

	join(&c, c.qp->qp_num);
	for (i = 0; i < 2; i++) {
		int left = 2;

		fresh();
		post_recv(&c, PART);
		post(&c, rdma(opcodes[i], SOURCE, TARGET, 3000));
		while (left--) {
			struct done done = wait_for(&c);

			CHECK(!done.status, "%s: status %d", kind->name,
			      done.status);
			if (done.opcode & IBV_WC_RECV)
				CHECK(done.immediate == IMMEDIATE &&
					      done.length == 3000,
				      "%s: immediate %#x, length %u",
				      kind->name, done.immediate, done.length);
		}
		same(&c, "immediate", i ? TARGET : WORKER_GETS, 3000);
	}
	conn_close(&c);
}

/* The keys are worth nothing on a PD that is not the MR's. */
static void wrong_pd(const struct kind *kind)
{
	struct ibv_pd *stranger = ibv_alloc_pd(context);
	struct ibv_mr *own;
	struct conn c;
	struct work w;

	NEED(stranger);
	NEED(own = ibv_reg_mr(stranger, memory, SIZE, TEST_ACCESS));
	fresh();
	c = conn_open(kind, stranger);
	join(&c, c.qp->qp_num);
	w = rdma(IBV_WR_RDMA_WRITE, SOURCE, TARGET, PART);
	w.remote = (uintptr_t)memory + TARGET;
	w.rkey = own->rkey;
	post(&c, w);
	is_done(&c, "lkey of another PD", wait_for(&c), IBV_WC_LOC_PROT_ERR, 0);
	conn_close(&c);

	c = conn_open(kind, stranger);
	join(&c, c.qp->qp_num);
	w = rdma(IBV_WR_RDMA_WRITE, SOURCE, TARGET, PART);
	w.local = (uintptr_t)memory + SOURCE;
	w.lkey = own->lkey;
	post(&c, w);
	is_done(&c, "rkey of another PD", wait_for(&c), IBV_WC_REM_ACCESS_ERR,
		0);
	conn_close(&c);
	CHECK(!memory[TARGET] && !memory[TARGET + 1], "%s: bytes were written",
	      kind->name);
	RETURNS(ibv_dereg_mr(own), 0);
	RETURNS(ibv_dealloc_pd(stranger), 0);
}

static void connected(const struct kind *kind)
{
	struct conn c = conn_open(kind, pd);
	struct answer answer;

	CHECK(m5_listed("qps", "qpn", c.qp->qp_num, "pdn") == m5_pdn(pd),
	      "%s: the QP is on another PD", kind->name);
	answer = tell((struct order){ .what = CONNECT, .qpn = c.qp->qp_num });
	join(&c, answer.qpn);
	one_sided(&c);
	messages(&c);
	many(&c);
	tell((struct order){ .what = DISCONNECT });
	conn_close(&c);
	immediate(kind);
	wrong_pd(kind);
}

/* With an address handle on the imported PD, to itself */
static void datagrams(bool wr)
{
	const struct kind kind = { .name = wr ? "UD, ibv_wr" : "UD",
				   .type = IBV_QPT_UD,
				   .wr = wr };
	struct ibv_ah_attr ah_attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .dgid = offer.gid, .sgid_index = 1, .hop_limit = 1 },
	};
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR };
	struct conn c = conn_open(&kind, pd);
	struct work w = {
		.opcode = IBV_WR_SEND_WITH_IMM,
		.local = offer.addr + SOURCE,
		.lkey = mr->lkey,
		.length = 1000,
	};
	int left = 2;

	NEED(w.ah = ibv_create_ah(pd, &ah_attr));
	RETURNS(ibv_modify_qp(c.qp, &attr, IBV_QP_STATE), 0);
	attr.qp_state = IBV_QPS_RTS;
	RETURNS(ibv_modify_qp(c.qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
	fresh();
	post_recv(&c, PART);
	post(&c, w);
	while (left--) {
		struct done done = wait_for(&c);

		CHECK(!done.status, "%s: status %d", kind.name, done.status);
		if (done.opcode & IBV_WC_RECV)
			CHECK(done.immediate == IMMEDIATE &&
				      done.length == GRH + 1000,
			      "%s: immediate %#x, length %u", kind.name,
			      done.immediate, done.length);
	}
	same(&c, "datagram", WORKER_GETS + GRH, 1000);
	RETURNS(ibv_destroy_ah(w.ah), 0);
	conn_close(&c);
}

int main(int argc, char *argv[])
{
	const char *quiet = getenv("MLX5_SHUT_UP_BF");
	int rung, blueflame, fds[2];
	struct test_counts base;
	size_t i;

	if (argc > 1 && !strcmp(argv[1], "owner"))
		return owner();
	base = test_count();
	rung = m5_parameter("uars_rung");
	blueflame = m5_parameter("uars_blueflame");
	process = test_start("owner");
	NEED(test_recv(process.sock, &offer, sizeof(offer), fds, 2));
	memory =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
	NEED(memory != MAP_FAILED);
	context = test_open(0);
	NEED(pd = ibv_import_pd(context, fds[0], offer.pd));
	NEED(mr = ibv_import_mr(context, fds[0], offer.mr));
	close(fds[0]);
	close(fds[1]);
	/* Its addresses are of no use here but as numbers in requests. */
	CHECK(!mr->addr, "an imported MR with addr");

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		connected(&kinds[i]);
	datagrams(false);
	datagrams(true);

	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(context), 0);
	shutdown(process.sock, SHUT_WR);
	CHECK(!test_reap(&process), "the owner has failed");
	SAME_AS(&base);
	rung = m5_parameter("uars_rung") - rung;
	blueflame = m5_parameter("uars_blueflame") - blueflame;
	CHECK(rung > 0, "no doorbell was rung");
	CHECK(quiet ? !blueflame : blueflame > 0, "BlueFlame on %d pages",
	      blueflame);
	return test_end();
}
