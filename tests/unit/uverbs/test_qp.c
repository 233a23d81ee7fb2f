// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: values of requests and replies, and posting by the kernel. */
#include <string.h>

#include "kernel_script.h"
#include "priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))
#define EXTENDED(_command) \
	(IB_USER_VERBS_EX_CMD_##_command | IB_USER_VERBS_CMD_FLAG_EXTENDED)
#define PLAIN(_command) IB_USER_VERBS_CMD_##_command
#define SAME(_a, _b) assert_true((uint64_t)(_a) == (uint64_t)(_b))

/* ---- creating ---- */

static const struct ibv_qp_cap wanted = { 100, 200, 3, 4, 50 };
static const struct ib_uverbs_qp_cap granted = { 127, 255, 7, 8, 64 };

struct qp_case {
	enum ibv_qp_type type;
	uint32_t comp_mask, create_flags, kernel_flags;
	bool send_cq, recv_cq, srq, table, xrcd, sig_all;
	bool no_recv_caps; /* asked for by the caller */
	bool extended;
};

enum {
	PD = IBV_QP_INIT_ATTR_PD,
	XRCD = IBV_QP_INIT_ATTR_XRCD,
	FLAGS = IBV_QP_INIT_ATTR_CREATE_FLAGS,
	TABLE = IBV_QP_INIT_ATTR_IND_TABLE,
	ALL_FLAGS = IBV_QP_CREATE_BLOCK_SELF_MCAST_LB |
		    IBV_QP_CREATE_SCATTER_FCS | IBV_QP_CREATE_CVLAN_STRIPPING |
		    IBV_QP_CREATE_SOURCE_QPN |
		    IBV_QP_CREATE_PCI_WRITE_END_PADDING,
};

static const struct qp_case qp_cases[] = {
	{ .type = IBV_QPT_RC, .comp_mask = PD, .send_cq = 1, .recv_cq = 1 },
	{ .type = IBV_QPT_UC,
	  .comp_mask = PD,
	  .send_cq = 1,
	  .recv_cq = 1,
	  .srq = 1 },
	{ .type = IBV_QPT_UD,
	  .comp_mask = PD,
	  .send_cq = 1,
	  .recv_cq = 1,
	  .sig_all = 1,
	  .kernel_flags = IB_UVERBS_QP_CREATE_SQ_SIG_ALL },
	{ .type = IBV_QPT_RAW_PACKET,
	  .comp_mask = PD | FLAGS,
	  .send_cq = 1,
	  .recv_cq = 1,
	  .sig_all = 1,
	  .create_flags = ALL_FLAGS,
	  .kernel_flags = (ALL_FLAGS & ~IBV_QP_CREATE_SOURCE_QPN) |
			  IB_UVERBS_QP_CREATE_SQ_SIG_ALL,
	  .extended = 1 },
	{ .type = IBV_QPT_RC,
	  .comp_mask = PD | FLAGS,
	  .send_cq = 1,
	  .recv_cq = 1,
	  .extended = 1 },
	{ .type = IBV_QPT_RAW_PACKET,
	  .comp_mask = PD | TABLE | IBV_QP_INIT_ATTR_RX_HASH,
	  .send_cq = 1,
	  .table = 1,
	  .no_recv_caps = 1,
	  .extended = 1 },
	{ .type = IBV_QPT_XRC_SEND, .comp_mask = PD, .send_cq = 1 },
	{ .type = IBV_QPT_XRC_RECV, .comp_mask = XRCD, .xrcd = 1 },
	{ .type = IBV_QPT_DRIVER, .comp_mask = PD },
};

struct qp_world {
	struct ibv_pd pd;
	struct ibv_cq send_cq, recv_cq;
	struct ibv_srq srq;
	struct ibv_rwq_ind_table table;
	struct verbs_xrcd xrcd;
	struct verbs_qp qp;
	struct ibv_qp_init_attr_ex attr;
};

static void init_world(struct qp_world *w, const struct qp_case *c,
		       struct ibv_context *context)
{
	memset(w, 0, sizeof(*w));
	w->pd = (struct ibv_pd){ .context = context, .handle = 3 };
	w->send_cq.handle = 4;
	w->recv_cq.handle = 5;
	w->srq.handle = 6;
	w->table.ind_tbl_handle = 7;
	w->xrcd.handle = 8;
	w->attr = (struct ibv_qp_init_attr_ex){
		.qp_context = &w->srq,
		.send_cq = c->send_cq ? &w->send_cq : NULL,
		.recv_cq = c->recv_cq ? &w->recv_cq : NULL,
		.srq = c->srq ? &w->srq : NULL,
		.cap = wanted,
		.qp_type = c->type,
		.sq_sig_all = c->sig_all ? 0x100 : 0,
		.comp_mask = c->comp_mask,
		.pd = &w->pd,
		.xrcd = &w->xrcd.xrcd,
		.create_flags = c->create_flags,
		.rwq_ind_tbl = &w->table,
		.source_qpn = 9,
	};
	if (c->no_recv_caps) {
		w->attr.cap.max_recv_wr = 0;
		w->attr.cap.max_recv_sge = 0;
	}
}

/* XRC senders receive nothing, whatever was asked for. */
static struct ibv_qp_cap sent_cap(const struct qp_case *c)
{
	struct ibv_qp_cap cap = wanted;

	if (c->no_recv_caps || c->type == IBV_QPT_XRC_SEND) {
		cap.max_recv_wr = 0;
		cap.max_recv_sge = 0;
	}
	return cap;
}

static bool has_source_qpn(const struct qp_case *c)
{
	return c->create_flags & IBV_QP_CREATE_SOURCE_QPN;
}

static struct kernel_call *expect_native(const struct qp_world *w,
					 const struct qp_case *c)
{
	const struct ibv_qp_cap cap = sent_cap(c);
	const uint32_t qp_num = 0x123456;
	struct kernel_call *call =
		kernel_expect(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE);

	if (c->xrcd)
		kernel_handle(call, UVERBS_ATTR_CREATE_QP_XRCD_HANDLE, 8);
	else
		kernel_handle(call, UVERBS_ATTR_CREATE_QP_PD_HANDLE, 3);
	if (c->send_cq)
		kernel_handle(call, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, 4);
	if (c->recv_cq)
		kernel_handle(call, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, 5);
	if (c->table)
		kernel_handle(call, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE, 7);
	kernel_new(call, UVERBS_ATTR_CREATE_QP_HANDLE, 41);
	kernel_u64(call, UVERBS_ATTR_CREATE_QP_TYPE, c->type);
	kernel_u64(call, UVERBS_ATTR_CREATE_QP_USER_HANDLE, (uintptr_t)&w->qp);
	kernel_in(call, UVERBS_ATTR_CREATE_QP_CAP, &cap, sizeof(cap));
	kernel_fd(call, UVERBS_ATTR_CREATE_QP_EVENT_FD,
		  w->pd.context->async_fd);
	if (has_source_qpn(c))
		kernel_u32(call, UVERBS_ATTR_CREATE_QP_SOURCE_QPN, 9);
	if (c->kernel_flags)
		kernel_u32(call, UVERBS_ATTR_CREATE_QP_FLAGS, c->kernel_flags);
	if (c->srq)
		kernel_handle(call, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE, 6);
	kernel_out(call, UVERBS_ATTR_CREATE_QP_RESP_CAP, sizeof(granted),
		   &granted, sizeof(granted));
	kernel_out(call, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, 4, &qp_num, 4);
	return call;
}

static void expect_older(const struct qp_world *w, const struct qp_case *c)
{
	const struct ibv_qp_cap cap = sent_cap(c);
	const struct ib_uverbs_ex_create_qp_resp reply = {
		.base = { .qp_handle = 42,
			  .qpn = 0x123457,
			  .max_send_wr = granted.max_send_wr,
			  .max_recv_wr = granted.max_recv_wr,
			  .max_send_sge = granted.max_send_sge,
			  .max_recv_sge = granted.max_recv_sge,
			  .max_inline_data = granted.max_inline_data },
		.response_length = sizeof(reply),
	};
	const struct ib_uverbs_ex_create_qp extended = {
		.user_handle = (uintptr_t)&w->qp,
		.pd_handle = c->xrcd ? 8 : 3,
		.send_cq_handle = c->send_cq ? 4 : 0,
		.recv_cq_handle = c->recv_cq ? 5 : 0,
		.srq_handle = c->srq ? 6 : 0,
		.max_send_wr = cap.max_send_wr,
		.max_recv_wr = cap.max_recv_wr,
		.max_send_sge = cap.max_send_sge,
		.max_recv_sge = cap.max_recv_sge,
		.max_inline_data = cap.max_inline_data,
		.sq_sig_all = c->sig_all,
		.qp_type = c->type,
		.is_srq = c->srq,
		.comp_mask = c->table ? IB_UVERBS_CREATE_QP_MASK_IND_TABLE : 0,
		.create_flags = c->create_flags,
		.rwq_ind_tbl_handle = c->table ? 7 : 0,
		.source_qpn = has_source_qpn(c) ? 9 : 0,
	};
	/* The plain request: the same members after a response address */
	struct ib_uverbs_create_qp plain = { .user_handle =
						     extended.user_handle };

	memcpy(&plain.pd_handle, &extended.pd_handle,
	       sizeof(plain) - offsetof(typeof(plain), pd_handle));
	if (c->extended)
		kernel_expect_write(EXTENDED(CREATE_QP), &extended,
				    sizeof(extended), &reply, sizeof(reply));
	else
		kernel_expect_write(PLAIN(CREATE_QP), &plain, sizeof(plain),
				    &reply.base, sizeof(reply.base));
}

static void check_qp(const struct qp_world *w, const struct qp_case *c,
		     bool older)
{
	const struct ibv_qp *qp = &w->qp.qp;

	assert_memory_equal(&w->attr.cap, &granted, sizeof(granted));
	SAME(qp->handle, older ? 42 : 41);
	SAME(qp->qp_num, older ? 0x123457 : 0x123456);
	SAME(qp->qp_type, c->type);
	SAME(qp->state, IBV_QPS_RESET);
	assert_ptr_equal(qp->context, w->pd.context);
	assert_ptr_equal(qp->qp_context, &w->srq);
	assert_ptr_equal(qp->pd, c->xrcd ? NULL : &w->pd);
	assert_ptr_equal(qp->send_cq, c->send_cq ? &w->send_cq : NULL);
	assert_ptr_equal(qp->recv_cq, c->recv_cq ? &w->recv_cq : NULL);
	assert_ptr_equal(qp->srq, c->srq ? &w->srq : NULL);
	SAME(w->qp.comp_mask, c->xrcd ? VERBS_QP_XRCD : 0);
	assert_ptr_equal(w->qp.xrcd, c->xrcd ? &w->xrcd : NULL);
}

static void create_qp_says_all(void **state)
{
	static struct qp_world w;

	for (int older = 0; older < 2; older++) {
		for (size_t i = 0; i < COUNT(qp_cases); i++) {
			const struct qp_case *c = &qp_cases[i];

			init_world(&w, c, *state);
			w.qp.comp_mask = VERBS_QP_EX;
			if (!older)
				expect_native(&w, c);
			else if (!i)
				kernel_fails(expect_native(&w, c),
					     EPROTONOSUPPORT);
			if (older)
				expect_older(&w, c);
			assert_int_equal(ibv_cmd_create_qp_ex2(*state, &w.qp,
							       &w.attr, NULL, 0,
							       NULL, 0),
					 0);
			check_qp(&w, c, older);
		}
	}
}

/* Members that comp_mask does not select may hold anything. */
static void unselected_members_do_not_count(void **state)
{
	static const struct qp_case c = {
		.type = IBV_QPT_RC, .comp_mask = PD, .send_cq = 1, .recv_cq = 1
	};
	static struct qp_world w;

	init_world(&w, &c, *state);
	w.attr.create_flags = 0xffffffff;
	w.attr.source_qpn = 0xffffffff;
	w.attr.rwq_ind_tbl = (void *)1;
	w.attr.xrcd = (void *)1;
	expect_native(&w, &c);
	assert_int_equal(ibv_cmd_create_qp_ex(*state, &w.qp, &w.attr, NULL, 0,
					      NULL, 0),
			 0);
	check_qp(&w, &c, false);
}

static void the_basic_form_gives_capacities_back(void **state)
{
	static struct qp_world w;
	struct ibv_qp_init_attr attr;

	init_world(&w, &qp_cases[1], *state);
	memcpy(&attr, &w.attr, sizeof(attr));
	w.qp.comp_mask = 99;
	expect_native(&w, &qp_cases[1]);
	assert_int_equal(ibv_cmd_create_qp(&w.pd, &w.qp.qp, &attr, NULL, 0,
					   NULL, 0),
			 0);
	assert_memory_equal(&attr.cap, &granted, sizeof(granted));
	SAME(w.qp.qp.handle, 41);
	assert_ptr_equal(w.qp.qp.srq, &w.srq);
	/* It is not said to be in a verbs_qp. */
	SAME(w.qp.comp_mask, 99);

	/* Failure leaves the caller's numbers. */
	attr.cap = wanted;
	kernel_fails_writing(expect_native(&w, &qp_cases[1]), ENOMEM);
	assert_int_equal(ibv_cmd_create_qp(&w.pd, &w.qp.qp, &attr, NULL, 0,
					   NULL, 0),
			 ENOMEM);
	assert_memory_equal(&attr.cap, &wanted, sizeof(wanted));
}

static void a_table_takes_no_receive_queue(void **state)
{
	static const struct qp_case *c = &qp_cases[5];
	static struct qp_world w;

	for (int what = 0; what < 4; what++) {
		init_world(&w, c, *state);
		if (what == 0)
			w.attr.recv_cq = &w.recv_cq;
		if (what == 1)
			w.attr.srq = &w.srq;
		if (what == 2)
			w.attr.cap.max_recv_wr = 1;
		if (what == 3)
			w.attr.cap.max_recv_sge = 1;
		errno = 0;
		assert_int_equal(ibv_cmd_create_qp_ex2(*state, &w.qp, &w.attr,
						       NULL, 0, NULL, 0),
				 EINVAL);
		assert_int_equal(errno, EINVAL);
		assert_null(w.qp.qp.context);
	}
}

static void selected_objects_must_be_there(void **state)
{
	static struct qp_world w;

	init_world(&w, &qp_cases[0], *state);
	w.attr.pd = NULL;
	assert_int_equal(ibv_cmd_create_qp_ex2(*state, &w.qp, &w.attr, NULL, 0,
					       NULL, 0),
			 EINVAL);
	init_world(&w, &qp_cases[7], *state);
	w.attr.xrcd = NULL;
	assert_int_equal(ibv_cmd_create_qp_ex2(*state, &w.qp, &w.attr, NULL, 0,
					       NULL, 0),
			 EINVAL);
}

static void open_qp_says_all(void **state)
{
	struct verbs_xrcd xrcd = { .handle = 8 };
	struct ibv_qp_open_attr attr = {
		.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD |
			     IBV_QP_OPEN_ATTR_CONTEXT | IBV_QP_OPEN_ATTR_TYPE,
		.qp_num = 0x54321,
		.xrcd = &xrcd.xrcd,
		.qp_context = &attr,
		.qp_type = IBV_QPT_XRC_RECV,
	};
	struct verbs_qp qp;
	const struct ib_uverbs_open_qp request = {
		.user_handle = (uintptr_t)&qp,
		.pd_handle = 8,
		.qpn = 0x54321,
		.qp_type = IBV_QPT_XRC_RECV,
	};
	const struct ib_uverbs_create_qp_resp reply = { .qp_handle = 43,
							.qpn = 0x54321 };

	for (int small = 0; small < 2; small++) {
		memset(&qp, 0xee, sizeof(qp));
		kernel_expect_write(PLAIN(OPEN_QP), &request, sizeof(request),
				    &reply, sizeof(reply));
		assert_int_equal(
			ibv_cmd_open_qp(*state, &qp,
					small ? offsetof(struct verbs_qp, xrcd)
					      : sizeof(qp),
					&attr, NULL, 0, NULL, 0),
			0);
		assert_ptr_equal(qp.qp.context, *state);
		assert_ptr_equal(qp.qp.qp_context, &attr);
		assert_null(qp.qp.pd);
		assert_null(qp.qp.send_cq);
		assert_null(qp.qp.recv_cq);
		assert_null(qp.qp.srq);
		SAME(qp.qp.handle, 43);
		SAME(qp.qp.qp_num, 0x54321);
		SAME(qp.qp.state, IBV_QPS_UNKNOWN);
		SAME(qp.qp.events_completed, 0);
		SAME(qp.comp_mask, small ? 0 : VERBS_QP_XRCD);
		if (!small)
			assert_ptr_equal(qp.xrcd, &xrcd);
	}
}

/* ---- querying ---- */

static void check_dest(const struct ibv_ah_attr *a,
		       const struct ib_uverbs_qp_dest *d)
{
	assert_memory_equal(a->grh.dgid.raw, d->dgid, 16);
	SAME(a->grh.flow_label, d->flow_label);
	SAME(a->grh.sgid_index, d->sgid_index);
	SAME(a->grh.hop_limit, d->hop_limit);
	SAME(a->grh.traffic_class, d->traffic_class);
	SAME(a->dlid, d->dlid);
	SAME(a->sl, d->sl);
	SAME(a->src_path_bits, d->src_path_bits);
	SAME(a->static_rate, d->static_rate);
	SAME(a->is_global, d->is_global);
	SAME(a->port_num, d->port_num);
}

static void query_qp_gives_all(void **state)
{
	struct ibv_qp qp = { .context = *state,
			     .handle = 7,
			     .qp_context = &qp,
			     .send_cq = (void *)0x10,
			     .recv_cq = (void *)0x20,
			     .srq = (void *)0x30,
			     .qp_type = IBV_QPT_UC };
	const struct ib_uverbs_query_qp request = {
		.qp_handle = 7, .attr_mask = IBV_QP_STATE | IBV_QP_DEST_QPN
	};
	struct ib_uverbs_query_qp_resp r;
	struct ibv_qp_attr a = { 0 };
	struct ibv_qp_init_attr init = { 0 };

	for (size_t i = 0; i < sizeof(r); i++)
		((unsigned char *)&r)[i] = 128 + i % 127;
	kernel_expect_write(PLAIN(QUERY_QP), &request, sizeof(request), &r,
			    sizeof(r));
	assert_int_equal(ibv_cmd_query_qp(&qp, &a,
					  IBV_QP_STATE | IBV_QP_DEST_QPN, &init,
					  NULL, 0),
			 0);
#define QP(_member) SAME(a._member, r._member)
	SAME((uint8_t)a.qp_state, r.qp_state);
	SAME((uint8_t)a.cur_qp_state, r.cur_qp_state);
	SAME((uint8_t)a.path_mtu, r.path_mtu);
	SAME((uint8_t)a.path_mig_state, r.path_mig_state);
	QP(qkey);
	QP(rq_psn);
	QP(sq_psn);
	QP(dest_qp_num);
	QP(qp_access_flags);
	QP(pkey_index);
	QP(alt_pkey_index);
	QP(sq_draining);
	QP(max_rd_atomic);
	QP(max_dest_rd_atomic);
	QP(min_rnr_timer);
	QP(port_num);
	QP(timeout);
	QP(retry_cnt);
	QP(rnr_retry);
	QP(alt_port_num);
	QP(alt_timeout);
#undef QP
	SAME(a.cap.max_send_wr, r.max_send_wr);
	SAME(a.cap.max_recv_wr, r.max_recv_wr);
	SAME(a.cap.max_send_sge, r.max_send_sge);
	SAME(a.cap.max_recv_sge, r.max_recv_sge);
	SAME(a.cap.max_inline_data, r.max_inline_data);
	check_dest(&a.ah_attr, &r.dest);
	check_dest(&a.alt_ah_attr, &r.alt_dest);
	assert_memory_equal(&init.cap, &a.cap, sizeof(a.cap));
	SAME(init.sq_sig_all, r.sq_sig_all);
	assert_ptr_equal(init.qp_context, qp.qp_context);
	assert_ptr_equal(init.send_cq, qp.send_cq);
	assert_ptr_equal(init.recv_cq, qp.recv_cq);
	assert_ptr_equal(init.srq, qp.srq);
	SAME(init.qp_type, IBV_QPT_UC);
}

/* ---- modifying ---- */

static void fill_dest(struct ib_uverbs_qp_dest *d, const struct ibv_ah_attr *a)
{
	memcpy(d->dgid, a->grh.dgid.raw, 16);
	d->flow_label = a->grh.flow_label;
	d->dlid = a->dlid;
	d->reserved = 0;
	d->sgid_index = a->grh.sgid_index;
	d->hop_limit = a->grh.hop_limit;
	d->traffic_class = a->grh.traffic_class;
	d->sl = a->sl;
	d->src_path_bits = a->src_path_bits;
	d->static_rate = a->static_rate;
	d->is_global = a->is_global;
	d->port_num = a->port_num;
}

/* The request for a mask of one bit, in a buffer that was full of 0xaa */
static void expect_modify(struct ib_uverbs_modify_qp *rq,
			  const struct ibv_qp_attr *a, uint32_t bit)
{
	memset(rq, 0xaa, sizeof(*rq));
	rq->qp_handle = 7;
	rq->attr_mask = bit;
	rq->reserved[0] = rq->reserved[1] = 0;
	switch (bit) {
#define BIT(_bit, _member)                \
	case IBV_QP_##_bit:               \
		rq->_member = a->_member; \
		break
		BIT(STATE, qp_state);
		BIT(CUR_STATE, cur_qp_state);
		BIT(EN_SQD_ASYNC_NOTIFY, en_sqd_async_notify);
		BIT(ACCESS_FLAGS, qp_access_flags);
		BIT(PKEY_INDEX, pkey_index);
		BIT(PORT, port_num);
		BIT(QKEY, qkey);
		BIT(PATH_MTU, path_mtu);
		BIT(TIMEOUT, timeout);
		BIT(RETRY_CNT, retry_cnt);
		BIT(RNR_RETRY, rnr_retry);
		BIT(RQ_PSN, rq_psn);
		BIT(MAX_QP_RD_ATOMIC, max_rd_atomic);
		BIT(MIN_RNR_TIMER, min_rnr_timer);
		BIT(SQ_PSN, sq_psn);
		BIT(MAX_DEST_RD_ATOMIC, max_dest_rd_atomic);
		BIT(PATH_MIG_STATE, path_mig_state);
		BIT(DEST_QPN, dest_qp_num);
#undef BIT
	case IBV_QP_AV:
		fill_dest(&rq->dest, &a->ah_attr);
		break;
	case IBV_QP_ALT_PATH:
		fill_dest(&rq->alt_dest, &a->alt_ah_attr);
		rq->alt_pkey_index = a->alt_pkey_index;
		rq->alt_port_num = a->alt_port_num;
		rq->alt_timeout = a->alt_timeout;
		break;
	}
}

static void modify_qp_writes_what_the_mask_selects(void **state)
{
	struct ibv_qp qp = { .context = *state, .handle = 7 };
	struct ib_uverbs_modify_qp request;
	struct {
		struct ibv_modify_qp cmd;
		uint32_t driver[2];
	} rq;
	struct ibv_qp_attr a;

	for (size_t i = 0; i < sizeof(a); i++)
		((unsigned char *)&a)[i] = 1 + i % 126;
	for (unsigned int bit = 0; bit < 25; bit++) {
		uint32_t mask = 1u << bit;

		memset(&rq, 0xaa, sizeof(rq));
		expect_modify(&request, &a, mask);
		kernel_in(kernel_expect_write(PLAIN(MODIFY_QP), &request,
					      sizeof(request), NULL, 0),
			  UVERBS_ATTR_UHW_IN, rq.driver, sizeof(rq.driver));
		assert_int_equal(ibv_cmd_modify_qp(&qp, &a, mask, &rq.cmd,
						   sizeof(rq)),
				 0);
	}
	/* From this bit on, nobody but the extended command */
	for (unsigned int bit = 25; bit < 32; bit++)
		assert_int_equal(ibv_cmd_modify_qp(&qp, &a, 1u << bit, &rq.cmd,
						   sizeof(rq)),
				 EOPNOTSUPP);
}

static void modify_qp_ex_adds_the_rate(void **state)
{
	struct ibv_qp qp = { .context = *state, .handle = 7 };
	struct ibv_qp_attr a = { .qp_state = IBV_QPS_RTS, .rate_limit = 12345 };
	struct ib_uverbs_ex_modify_qp request = { 0 };
	struct ibv_modify_qp_ex cmd = { 0 };

	request.base.qp_handle = 7;
	request.base.attr_mask = IBV_QP_STATE | IBV_QP_RATE_LIMIT;
	request.base.qp_state = IBV_QPS_RTS;
	request.rate_limit = 12345;
	kernel_expect_write(EXTENDED(MODIFY_QP), &request, sizeof(request),
			    NULL, 8);
	assert_int_equal(ibv_cmd_modify_qp_ex(&qp, &a,
					      IBV_QP_STATE | IBV_QP_RATE_LIMIT,
					      &cmd, sizeof(cmd), NULL, 0),
			 0);
	/* Bits that even it does not know */
	assert_int_equal(ibv_cmd_modify_qp_ex(&qp, &a, 1 << 26, &cmd,
					      sizeof(cmd), NULL, 0),
			 EOPNOTSUPP);

	/* A buffer that ends before the rate, without one */
	memset(&cmd, 0, sizeof(cmd));
	request.base.attr_mask = IBV_QP_STATE;
	kernel_expect_write(EXTENDED(MODIFY_QP), &request.base,
			    sizeof(request.base), NULL, 8);
	assert_int_equal(ibv_cmd_modify_qp_ex(&qp, &a, IBV_QP_STATE, &cmd,
					      offsetof(struct ibv_modify_qp_ex,
						       core_payload.rate_limit),
					      NULL, 0),
			 0);
}

/* ---- posting ---- */

enum { WRS = 4 };

static void post_send_flattens_the_list(void **state)
{
	struct ibv_qp qp = { .context = *state, .handle = 7 };
	struct ibv_ah ah = { .handle = 33 };
	struct ibv_sge sges[3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
	struct ibv_send_wr wr[WRS] = {
		{ .wr_id = 1,
		  .next = &wr[1],
		  .sg_list = sges,
		  .num_sge = 2,
		  .opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
		  .send_flags = 3,
		  .imm_data = 0x11223344,
		  .wr.rdma = { .remote_addr = 0x5000, .rkey = 6 } },
		{ .wr_id = 2,
		  .next = &wr[2],
		  .opcode = IBV_WR_ATOMIC_CMP_AND_SWP,
		  .wr.atomic = { .remote_addr = 1,
				 .compare_add = 2,
				 .swap = 3,
				 .rkey = 4 } },
		{ .wr_id = 3,
		  .next = &wr[3],
		  .sg_list = &sges[2],
		  .num_sge = 1,
		  .opcode = IBV_WR_SEND,
		  /* of no meaning for a send */
		  .wr.rdma = { .remote_addr = 0x9999, .rkey = 9 } },
		{ .wr_id = 4,
		  .opcode = IBV_WR_SEND_WITH_INV,
		  .invalidate_rkey = 77 },
	};
	struct {
		struct ib_uverbs_post_send head;
		struct ib_uverbs_send_wr wr[WRS];
		struct ib_uverbs_sge sge[3];
	} rq = {
		.head = { .qp_handle = 7,
			  .wr_count = WRS,
			  .sge_count = 3,
			  .wqe_size = sizeof(struct ib_uverbs_send_wr) },
		.wr = { { .wr_id = 1,
			  .num_sge = 2,
			  .opcode = IB_UVERBS_WR_RDMA_WRITE_WITH_IMM,
			  .send_flags = 3,
			  .ex.imm_data = 0x11223344,
			  .wr.rdma = { .remote_addr = 0x5000, .rkey = 6 } },
			{ .wr_id = 2,
			  .opcode = IB_UVERBS_WR_ATOMIC_CMP_AND_SWP,
			  .wr.atomic = { .remote_addr = 1,
					 .compare_add = 2,
					 .swap = 3,
					 .rkey = 4 } },
			{ .wr_id = 3,
			  .num_sge = 1,
			  .opcode = IB_UVERBS_WR_SEND },
			{ .wr_id = 4,
			  .opcode = IB_UVERBS_WR_SEND_WITH_INV,
			  .ex.invalidate_rkey = 77 } },
		.sge = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } },
	};
	struct ibv_send_wr *bad = NULL;

	qp.qp_type = IBV_QPT_RC;
	kernel_expect_write(PLAIN(POST_SEND), &rq, sizeof(rq), NULL, 4);
	assert_int_equal(ibv_cmd_post_send(&qp, wr, &bad), 0);
	assert_null(bad);

	/* Datagrams have an address instead. */
	qp.qp_type = IBV_QPT_UD;
	memset(&rq.wr[2].wr, 0, sizeof(rq.wr[2].wr));
	wr[2].wr.ud.ah = &ah;
	wr[2].wr.ud.remote_qpn = 44;
	wr[2].wr.ud.remote_qkey = 55;
	rq.wr[2].wr.ud.ah = 33;
	rq.wr[2].wr.ud.remote_qpn = 44;
	rq.wr[2].wr.ud.remote_qkey = 55;
	rq.head.wr_count = 1;
	rq.head.sge_count = 1;
	rq.wr[0] = rq.wr[2];
	memmove(&rq.wr[1], &rq.sge[2], sizeof(rq.sge[2]));
	wr[2].next = NULL;
	kernel_expect_write(PLAIN(POST_SEND), &rq,
			    sizeof(rq.head) + sizeof(rq.wr[0]) +
				    sizeof(rq.sge[0]),
			    NULL, 4);
	assert_int_equal(ibv_cmd_post_send(&qp, &wr[2], &bad), 0);
}

static void bad_wr_is_the_one_the_kernel_names(void **state)
{
	struct ibv_qp qp = { .context = *state, .handle = 7 };
	struct ibv_srq srq = { .context = *state, .handle = 8 };
	struct ibv_send_wr send[3] = { { .next = &send[1] },
				       { .next = &send[2] } };
	struct ibv_recv_wr recv[3] = { { .next = &recv[1] },
				       { .next = &recv[2] } };
	static const struct {
		uint32_t told;
		int named;
	} cases[] = {
		{ 0, 0 },
		{ 1, 0 },
		{ 2, 1 },
		{ 3, 2 },
		/* There are no so many. */
		{ 4, 0 },
		{ UINT32_MAX, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ibv_send_wr *bad_send = NULL;
		struct ibv_recv_wr *bad_recv = NULL;

		kernel_fails_writing(kernel_expect_write(PLAIN(POST_SEND), NULL,
							 24 + 3 * 56,
							 &cases[i].told, 4),
				     ENOMEM);
		assert_int_equal(ibv_cmd_post_send(&qp, send, &bad_send),
				 ENOMEM);
		assert_ptr_equal(bad_send, &send[cases[i].named]);

		kernel_fails_writing(kernel_expect_write(PLAIN(POST_RECV), NULL,
							 24 + 3 * 16,
							 &cases[i].told, 4),
				     ENOMEM);
		assert_int_equal(ibv_cmd_post_recv(&qp, recv, &bad_recv),
				 ENOMEM);
		assert_ptr_equal(bad_recv, &recv[cases[i].named]);

		kernel_fails_writing(kernel_expect_write(PLAIN(POST_SRQ_RECV),
							 NULL, 24 + 3 * 16,
							 &cases[i].told, 4),
				     ENOMEM);
		bad_recv = NULL;
		assert_int_equal(ibv_cmd_post_srq_recv(&srq, recv, &bad_recv),
				 ENOMEM);
		assert_ptr_equal(bad_recv, &recv[cases[i].named]);
	}
}

static void post_recv_flattens_the_list(void **state)
{
	struct ibv_qp qp = { .context = *state, .handle = 7 };
	struct ibv_srq srq = { .context = *state, .handle = 8 };
	/* Enough to need memory of its own */
	enum { MANY = 200 };
	static struct ibv_recv_wr wr[MANY];
	static struct ibv_sge sge[MANY];
	static struct {
		struct ib_uverbs_post_recv head;
		struct ib_uverbs_recv_wr wr[MANY];
		struct ib_uverbs_sge sge[MANY];
	} rq;
	struct ibv_recv_wr *bad = NULL;

	rq.head = (struct ib_uverbs_post_recv){
		.qp_handle = 7,
		.wr_count = MANY,
		.sge_count = MANY,
		.wqe_size = sizeof(struct ib_uverbs_recv_wr),
	};
	for (int i = 0; i < MANY; i++) {
		sge[i] = (struct ibv_sge){ i, i + 1, i + 2 };
		rq.sge[i] = (struct ib_uverbs_sge){ i, i + 1, i + 2 };
		wr[i] = (struct ibv_recv_wr){ .wr_id = 1000 + i,
					      .next = i + 1 < MANY ? &wr[i + 1]
								   : NULL,
					      .sg_list = &sge[i],
					      .num_sge = 1 };
		rq.wr[i] = (struct ib_uverbs_recv_wr){ .wr_id = 1000 + i,
						       .num_sge = 1 };
	}
	kernel_expect_write(PLAIN(POST_RECV), &rq, sizeof(rq), NULL, 4);
	assert_int_equal(ibv_cmd_post_recv(&qp, wr, &bad), 0);
	rq.head.qp_handle = 8;
	kernel_expect_write(PLAIN(POST_SRQ_RECV), &rq, sizeof(rq), NULL, 4);
	assert_int_equal(ibv_cmd_post_srq_recv(&srq, wr, &bad), 0);
	assert_null(bad);
}

static void absurd_lists_are_refused(void **state)
{
	struct ibv_qp qp = { .context = *state, .handle = 7 };
	struct ibv_sge sge = { 0 };
	struct ibv_send_wr loop = { .next = &loop }, *bad_send = NULL;
	struct ibv_send_wr negative = { .num_sge = -1, .sg_list = &sge };
	struct ibv_send_wr first = { .next = &negative };
	struct ibv_recv_wr many = { .num_sge = 5000 }, *bad_recv = NULL;

	errno = 0;
	assert_int_equal(ibv_cmd_post_send(&qp, &loop, &bad_send), EINVAL);
	assert_int_equal(errno, EINVAL);
	assert_ptr_equal(bad_send, &loop);
	assert_int_equal(ibv_cmd_post_send(&qp, &first, &bad_send), EINVAL);
	assert_ptr_equal(bad_send, &negative);
	assert_int_equal(ibv_cmd_post_recv(&qp, &many, &bad_recv), EINVAL);
	assert_ptr_equal(bad_recv, &many);
	many.num_sge = INT32_MAX;
	assert_int_equal(ibv_cmd_post_recv(&qp, &many, &bad_recv), EINVAL);
	assert_int_equal(kernel_calls(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(create_qp_says_all),
		kernel_test(unselected_members_do_not_count),
		kernel_test(the_basic_form_gives_capacities_back),
		kernel_test(a_table_takes_no_receive_queue),
		kernel_test(selected_objects_must_be_there),
		kernel_test(open_qp_says_all),
		kernel_test(query_qp_gives_all),
		kernel_test(modify_qp_writes_what_the_mask_selects),
		kernel_test(modify_qp_ex_adds_the_rate),
		kernel_test(post_send_flattens_the_list),
		kernel_test(bad_wr_is_the_one_the_kernel_names),
		kernel_test(post_recv_flattens_the_list),
		kernel_test(absurd_lists_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
