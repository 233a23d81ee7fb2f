// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Memory windows of both types: bound they open their range and no more,
 * invalidated they are shut.  Windows are freed before the QPs that they were
 * bound on.
 */
#include "world.h"

/* A write through a key: 64 bytes at an offset of end b's buffer */
static void write_through(struct pair *p, uint32_t rkey, uint32_t offset,
			  enum ibv_wc_status status)
{
	struct ibv_sge sge = sge_of(&p->a, 0, 64);
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
		.wr.rdma.rkey = rkey,
		.wr.rdma.remote_addr = remote_addr(&p->b, offset),
	};
	static unsigned int seed;

	fill(p->a.buf, 64, ++seed);
	memset(p->b.buf + offset, 0, 64);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, 1, status, NULL);
	EQUAL(filled(p->b.buf + offset, 64, seed), status == IBV_WC_SUCCESS);
}

static void type_1(void)
{
	struct ibv_mw_bind bind = { .wr_id = 5,
				    .send_flags = IBV_SEND_SIGNALED };
	struct ibv_wc wc;
	struct ibv_mw *mw;
	struct pair p;
	uint32_t first;

	mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
	CHECK(mw != NULL);
	if (!mw)
		return;
	pair_open(&p, IBV_QPT_RC, NULL);
	bind.bind_info = (struct ibv_mw_bind_info){
		.mr = p.b.mr,
		.addr = remote_addr(&p.b, 4096),
		.length = 4096,
		.mw_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};
	first = mw->rkey;
	EQUAL(ibv_bind_mw(p.b.qp, mw, &bind), 0);
	expect(p.b.scq, 5, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_BIND_MW);
	CHECK(mw->rkey != first);
	EQUAL(mw->rkey & ~0xffu, first & ~0xffu);
	write_through(&p, mw->rkey, 4096, IBV_WC_SUCCESS);
	write_through(&p, mw->rkey, 8192 - 64, IBV_WC_SUCCESS);

	/* Bound anew: the old key is dead. */
	first = mw->rkey;
	EQUAL(ibv_bind_mw(p.b.qp, mw, &bind), 0);
	expect(p.b.scq, 5, IBV_WC_SUCCESS, NULL);
	write_through(&p, mw->rkey, 5000, IBV_WC_SUCCESS);
	write_through(&p, first, 5000, IBV_WC_REM_ACCESS_ERR);

	EQUAL(ibv_dereg_mr(p.b.mr), EINVAL);
	EQUAL(ibv_dealloc_mw(mw), 0);
	pair_close(&p);

	/* Closed by a bind of nothing */
	mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
	pair_open(&p, IBV_QPT_RC, NULL);
	bind.bind_info.mr = p.b.mr;
	bind.bind_info.addr = remote_addr(&p.b, 4096);
	EQUAL(ibv_bind_mw(p.b.qp, mw, &bind), 0);
	expect(p.b.scq, 5, IBV_WC_SUCCESS, NULL);
	memset(&bind.bind_info, 0, sizeof(bind.bind_info));
	EQUAL(ibv_bind_mw(p.b.qp, mw, &bind), 0);
	expect(p.b.scq, 5, IBV_WC_SUCCESS, NULL);
	write_through(&p, mw->rkey, 5000, IBV_WC_REM_ACCESS_ERR);
	EQUAL(ibv_dealloc_mw(mw), 0);
	pair_close(&p);
}

static struct ibv_mw *bind_2(struct pair *p)
{
	struct ibv_mw *mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
	struct ibv_send_wr wr = {
		.wr_id = 6,
		.opcode = IBV_WR_BIND_MW,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_wc wc;

	CHECK(mw != NULL);
	if (!mw)
		exit(1);
	wr.bind_mw.mw = mw;
	wr.bind_mw.rkey = ibv_inc_rkey(mw->rkey);
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info){
		.mr = p->b.mr,
		.addr = remote_addr(&p->b, 12288),
		.length = 128,
		.mw_access_flags =
			IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ,
	};
	EQUAL(post_send(&p->b, &wr, NULL), 0);
	expect(p->b.scq, 6, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_BIND_MW);
	mw->rkey = wr.bind_mw.rkey;
	return mw;
}

static void type_2(void)
{
	struct ibv_send_wr inv = {
		.wr_id = 7,
		.opcode = IBV_WR_LOCAL_INV,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_sge sge;
	struct ibv_send_wr send_inv = {
		.wr_id = 8,
		.opcode = IBV_WR_SEND_WITH_INV,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
	};
	struct ibv_mw *mw;
	struct ibv_wc wc;
	struct pair p;

	/* Shut by its owner */
	pair_open(&p, IBV_QPT_RC, NULL);
	mw = bind_2(&p);
	write_through(&p, mw->rkey, 12288, IBV_WC_SUCCESS);
	inv.invalidate_rkey = mw->rkey;
	EQUAL(post_send(&p.b, &inv, NULL), 0);
	expect(p.b.scq, 7, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_LOCAL_INV);
	write_through(&p, mw->rkey, 12288, IBV_WC_REM_ACCESS_ERR);
	EQUAL(ibv_dealloc_mw(mw), 0);
	pair_close(&p);

	/* Shut by the peer, and the owner is told */
	pair_open(&p, IBV_QPT_RC, NULL);
	mw = bind_2(&p);
	write_through(&p, mw->rkey, 12288 + 64, IBV_WC_SUCCESS);
	EQUAL(post_recv(&p.b, 9, 0, 64), 0);
	sge = sge_of(&p.a, 100, 20);
	fill(p.a.buf + 100, 20, 3);
	send_inv.invalidate_rkey = mw->rkey;
	EQUAL(post_send(&p.a, &send_inv, NULL), 0);
	expect(p.a.scq, 8, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_SEND);
	expect(p.b.rcq, 9, IBV_WC_SUCCESS, &wc);
	CHECK(filled(p.b.buf, 20, 3));
	EQUAL(wc.invalidated_rkey, mw->rkey);
	if (control && !(wc.wc_flags & IBV_WC_WITH_INV))
		LACKS("IBV_WC_WITH_INV");
	else
		EQUAL(wc.wc_flags & ~IBV_WC_GRH, IBV_WC_WITH_INV);
	write_through(&p, mw->rkey, 12288, IBV_WC_REM_ACCESS_ERR);
	EQUAL(ibv_dealloc_mw(mw), 0);
	pair_close(&p);

	/* Outside its range, though inside the MR's */
	pair_open(&p, IBV_QPT_RC, NULL);
	mw = bind_2(&p);
	write_through(&p, mw->rkey ^ 1, 12288, IBV_WC_REM_ACCESS_ERR);
	EQUAL(ibv_dealloc_mw(mw), 0);
	pair_close(&p);
}

static void refused(void)
{
	struct ibv_mw_bind bind = {};
	struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW };
	struct ibv_mw *mw = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
	struct pair p;

	if (control || !mw)
		return;
	pair_open(&p, IBV_QPT_RC, NULL);
	bind.bind_info.mr = p.a.mr;
	bind.bind_info.length = 8;
	bind.bind_info.mw_access_flags = IBV_ACCESS_ZERO_BASED;
	EQUAL(ibv_bind_mw(p.a.qp, mw, &bind), EINVAL);
	wr.bind_mw.mw = mw;
	wr.bind_mw.bind_info.length = 8;
	EQUAL(post_send(&p.a, &wr, NULL), EINVAL);
	EQUAL(ibv_dealloc_mw(mw), 0);
	pair_close(&p);
}

void test_mw(void)
{
	type_1();
	type_2();
	refused();
}
