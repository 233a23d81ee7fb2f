// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The device, pairs of QPs, and both ways of posting and polling. */
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "extended.h"
#include "world.h"

#define PATIENCE_MS 10000

const struct mode *mode;
bool control;
struct ibv_context *ctx;
struct ibv_pd *pd;
union ibv_gid gid;
static struct ibv_pd *plain_pd;
static struct ibv_td *td;

static void *must(void *object, const char *what)
{
	if (object)
		return object;
	printf("%s: %s: %s\n", test_name, what, strerror(errno));
	exit(1);
}

uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

void world_open(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	int i;

	must(list, "ibv_get_device_list");
	for (i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), "rxe0"))
			break;
	must(list[i], "rxe0");
	ctx = must(ibv_open_device(list[i]), "ibv_open_device");
	ibv_free_device_list(list);
	plain_pd = must(ibv_alloc_pd(ctx), "ibv_alloc_pd");
	pd = plain_pd;
	EQUAL(ibv_query_gid(ctx, 1, GID_INDEX, &gid), 0);
}

void world_set_mode(const struct mode *new_mode)
{
	if (mode && mode->domain) {
		EQUAL(ibv_dealloc_pd(pd), 0);
		EQUAL(ibv_dealloc_td(td), 0);
		pd = plain_pd;
	}
	mode = new_mode;
	if (!mode)
		return;
	mode_name = mode->name;
	if (mode->domain) {
		struct ibv_td_init_attr td_attr = {};
		struct ibv_parent_domain_init_attr attr = { .pd = plain_pd };

		td = must(ibv_alloc_td(ctx, &td_attr), "ibv_alloc_td");
		attr.td = td;
		pd = must(ibv_alloc_parent_domain(ctx, &attr),
			  "ibv_alloc_parent_domain");
	}
}

void world_close(void)
{
	world_set_mode(NULL);
	EQUAL(ibv_dealloc_pd(plain_pd), 0);
	EQUAL(ibv_close_device(ctx), 0);
}

struct ibv_cq *make_cq(int cqe, struct ibv_comp_channel *channel)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = cqe,
		.channel = channel,
		.wc_flags = IBV_WC_STANDARD_FLAGS,
	};

	if (mode->domain) {
		attr.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
		attr.flags = IBV_CREATE_CQ_ATTR_SINGLE_THREADED;
	}
	if (mode->lazy)
		return ibv_cq_ex_to_cq(
			must(ibv_create_cq_ex(ctx, &attr), "ibv_create_cq_ex"));
	return must(ibv_create_cq(ctx, cqe, NULL, channel, 0), "ibv_create_cq");
}

static uint64_t send_ops(enum ibv_qp_type type)
{
	uint64_t ops = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM;

	if (type == IBV_QPT_UD)
		return ops;
	ops |= IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
	       IBV_QP_EX_WITH_BIND_MW;
	if (type == IBV_QPT_UC)
		return ops;
	return ops | IBV_QP_EX_WITH_SEND_WITH_INV | IBV_QP_EX_WITH_RDMA_READ |
	       IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
	       IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD | IBV_QP_EX_WITH_LOCAL_INV;
}

struct ibv_qp *make_qp(enum ibv_qp_type type, struct ibv_cq *scq,
		       struct ibv_cq *rcq, struct ibv_srq *srq,
		       struct ibv_qp_cap *cap, bool sig_all)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = scq,
		.recv_cq = rcq,
		.srq = srq,
		.cap = *cap,
		.qp_type = type,
		.sq_sig_all = sig_all,
		.comp_mask =
			IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = pd,
		.send_ops_flags = send_ops(type),
	};
	struct ibv_qp_init_attr basic = {
		.send_cq = scq,
		.recv_cq = rcq,
		.srq = srq,
		.cap = *cap,
		.qp_type = type,
		.sq_sig_all = sig_all,
	};
	struct ibv_qp *qp;

	if (mode->builder) {
		qp = must(ibv_create_qp_ex(ctx, &attr), "ibv_create_qp_ex");
		*cap = attr.cap;
	} else {
		qp = must(ibv_create_qp(pd, &basic), "ibv_create_qp");
		*cap = basic.cap;
	}
	return qp;
}

int to_state(struct ibv_qp *qp, enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = { .qp_state = state };

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE);
}

static int to_init(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qkey = QKEY,
		.qp_access_flags =
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
			IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC,
	};
	int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;

	if (qp->qp_type == IBV_QPT_UD)
		mask |= IBV_QP_QKEY;
	else
		mask |= IBV_QP_ACCESS_FLAGS;
	if (qp->qp_type == IBV_QPT_UC)
		attr.qp_access_flags =
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
	return ibv_modify_qp(qp, &attr, mask);
}

void connect_qp(struct ibv_qp *qp, uint32_t peer_qpn, uint8_t rnr_retry)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = peer_qpn,
		.rq_psn = 0x123456,
		.max_dest_rd_atomic = 4,
		.min_rnr_timer = 1,
		.ah_attr = {
			.is_global = 1,
			.port_num = 1,
			.grh = {
				.dgid = gid,
				.sgid_index = GID_INDEX,
				.hop_limit = 1,
			},
		},
	};
	int mask = IBV_QP_STATE;

	EQUAL(to_init(qp), 0);
	if (qp->qp_type != IBV_QPT_UD)
		mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			IBV_QP_RQ_PSN;
	if (qp->qp_type == IBV_QPT_RC)
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	EQUAL(ibv_modify_qp(qp, &attr, mask), 0);

	attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTS,
		.sq_psn = 0x123456,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = rnr_retry,
		.max_rd_atomic = 4,
	};
	mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
	if (qp->qp_type == IBV_QPT_RC)
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	EQUAL(ibv_modify_qp(qp, &attr, mask), 0);
}

static void end_open(struct end *end, enum ibv_qp_type type,
		     const struct pair_options *options, struct ibv_srq *srq)
{
	struct ibv_qp_cap cap = {
		.max_send_wr = options->depth ? options->depth : DEPTH,
		.max_recv_wr = options->depth ? options->depth : DEPTH,
		.max_send_sge = options->sges ? options->sges : SGES,
		.max_recv_sge = options->sges ? options->sges : SGES,
		.max_inline_data = INLINE_SIZE,
	};

	end->channel =
		must(ibv_create_comp_channel(ctx), "ibv_create_comp_channel");
	end->scq = make_cq(options->cqe ? options->cqe : 256, NULL);
	end->rcq = make_cq(options->cqe ? options->cqe : 256, end->channel);
	end->qp =
		make_qp(type, end->scq, end->rcq, srq, &cap, options->sig_all);
	CHECK(cap.max_inline_data >= INLINE_SIZE);
	CHECK(cap.max_send_sge >= SGES);
	end->max_inline = cap.max_inline_data;
	end->buf = must(aligned_alloc(4096, BUF_SIZE), "aligned_alloc");
	memset(end->buf, 0, BUF_SIZE);
	end->mr = must(ibv_reg_mr(pd, end->buf, BUF_SIZE,
				  IBV_ACCESS_LOCAL_WRITE |
					  IBV_ACCESS_REMOTE_READ |
					  IBV_ACCESS_REMOTE_WRITE |
					  IBV_ACCESS_REMOTE_ATOMIC |
					  IBV_ACCESS_MW_BIND),
		       "ibv_reg_mr");
}

static void end_close(struct end *end)
{
	if (end->ah)
		EQUAL(ibv_destroy_ah(end->ah), 0);
	EQUAL(ibv_destroy_qp(end->qp), 0);
	EQUAL(ibv_destroy_cq(end->scq), 0);
	EQUAL(ibv_destroy_cq(end->rcq), 0);
	EQUAL(ibv_destroy_comp_channel(end->channel), 0);
	EQUAL(ibv_dereg_mr(end->mr), 0);
	free(end->buf);
}

void pair_open(struct pair *pair, enum ibv_qp_type type,
	       const struct pair_options *options)
{
	static const struct pair_options defaults;
	struct ibv_ah_attr ah_attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = {
			.dgid = gid,
			.sgid_index = GID_INDEX,
			.hop_limit = 1,
		},
	};
	uint8_t rnr_retry;

	if (!options)
		options = &defaults;
	memset(pair, 0, sizeof(*pair));
	pair->type = type;
	end_open(&pair->a, type, options, NULL);
	end_open(&pair->b, type, options, options->srq);
	pair->a.peer = &pair->b;
	pair->b.peer = &pair->a;
	if (type == IBV_QPT_UD) {
		pair->a.ah = must(ibv_create_ah(pd, &ah_attr), "ibv_create_ah");
		pair->b.ah = must(ibv_create_ah(pd, &ah_attr), "ibv_create_ah");
	}
	if (options->unconnected)
		return;
	rnr_retry = options->rnr_retry ? options->rnr_retry - 1 : 7;
	connect_qp(pair->a.qp, pair->b.qp->qp_num, rnr_retry);
	connect_qp(pair->b.qp, pair->a.qp->qp_num, rnr_retry);
}

void pair_close(struct pair *pair)
{
	end_close(&pair->a);
	end_close(&pair->b);
}

static void build(struct ibv_qp_ex *qp, struct ibv_send_wr *wr)
{
	struct ibv_data_buf bufs[16];
	int i;

	qp->wr_flags = wr->send_flags & ~IBV_SEND_INLINE;
	if (!extended_request(qp, wr))
		return;
	if (qp->qp_base.qp_type == IBV_QPT_UD)
		ibv_wr_set_ud_addr(qp, wr->wr.ud.ah, wr->wr.ud.remote_qpn,
				   wr->wr.ud.remote_qkey);
	if (wr->send_flags & IBV_SEND_INLINE) {
		for (i = 0; i < wr->num_sge; i++) {
			bufs[i].addr = (void *)(uintptr_t)wr->sg_list[i].addr;
			bufs[i].length = wr->sg_list[i].length;
		}
		if (wr->num_sge == 1)
			ibv_wr_set_inline_data(qp, bufs[0].addr,
					       bufs[0].length);
		else
			ibv_wr_set_inline_data_list(qp, wr->num_sge, bufs);
	} else if (wr->num_sge == 1) {
		ibv_wr_set_sge(qp, wr->sg_list->lkey, wr->sg_list->addr,
			       wr->sg_list->length);
	} else {
		ibv_wr_set_sge_list(qp, wr->num_sge, wr->sg_list);
	}
}

int post_send(struct end *end, struct ibv_send_wr *wr,
	      struct ibv_send_wr **bad_wr)
{
	struct ibv_send_wr *bad;
	struct ibv_qp_ex *qp;

	if (!mode->builder)
		return ibv_post_send(end->qp, wr, bad_wr ? bad_wr : &bad);
	qp = must(ibv_qp_to_qp_ex(end->qp), "ibv_qp_to_qp_ex");
	ibv_wr_start(qp);
	for (; wr; wr = wr->next)
		build(qp, wr);
	return ibv_wr_complete(qp);
}

int post_recv(struct end *end, uint64_t wr_id, uint32_t offset, uint32_t length)
{
	struct ibv_sge sge = sge_of(end, offset, length);
	struct ibv_recv_wr *bad, wr = {
		.wr_id = wr_id,
		.sg_list = &sge,
		.num_sge = 1,
	};

	if (end->qp->srq)
		return ibv_post_srq_recv(end->qp->srq, &wr, &bad);
	return ibv_post_recv(end->qp, &wr, &bad);
}

int poll_one(struct ibv_cq *cq, struct ibv_wc *wc)
{
	struct ibv_poll_cq_attr attr = {};
	struct ibv_cq_ex *ex = (struct ibv_cq_ex *)cq;
	int ret;

	if (!mode->lazy)
		return ibv_poll_cq(cq, 1, wc);
	ret = ibv_start_poll(ex, &attr);
	if (ret == ENOENT)
		return 0;
	if (ret) {
		EQUAL(ret, 0);
		return -1;
	}
	*wc = extended_wc(ex);
	ibv_end_poll(ex);
	return 1;
}

bool wait_wc(struct ibv_cq *cq, struct ibv_wc *wc)
{
	uint64_t end = now_ms() + PATIENCE_MS;
	int n;

	do {
		n = poll_one(cq, wc);
		if (n)
			break;
		sched_yield();
	} while (now_ms() < end);
	EQUAL(n, 1);
	return n == 1;
}

void expect(struct ibv_cq *cq, uint64_t wr_id, enum ibv_wc_status status,
	    struct ibv_wc *wc)
{
	struct ibv_wc own;

	if (!wc)
		wc = &own;
	memset(wc, 0, sizeof(*wc));
	if (!wait_wc(cq, wc))
		return;
	EQUAL(wc->wr_id, wr_id);
	check(wc->status == status, __FILE__, __LINE__,
	      "request %lld completed with \"%s\", not \"%s\"",
	      (long long)wr_id, ibv_wc_status_str(wc->status),
	      ibv_wc_status_str(status));
}

void expect_nothing(struct ibv_cq *cq)
{
	struct timespec ts = { .tv_nsec = 2000000 };
	struct ibv_wc wc;

	nanosleep(&ts, NULL);
	EQUAL(poll_one(cq, &wc), 0);
}

static uint8_t pattern(size_t i, unsigned int seed)
{
	return (uint8_t)(i * 7 + (i >> 8) * 13 + seed * 31 + 1);
}

void fill(void *buf, size_t length, unsigned int seed)
{
	size_t i;

	for (i = 0; i < length; i++)
		((uint8_t *)buf)[i] = pattern(i, seed);
}

bool filled(const void *buf, size_t length, unsigned int seed)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (((const uint8_t *)buf)[i] != pattern(i, seed))
			return false;
	return true;
}
