// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the device says of itself, and what it does not make. */
#include "world.h"
#include "tests.h"

void test_attributes(void)
{
	struct ibv_context *context = test_open_named("siw0");
	struct ibv_device_attr device;
	struct ibv_port_attr port;
	union ibv_gid gid;

	RETURNS(ibv_query_device(context, &device), 0);
	CHECK(device.max_sge == 6 && device.max_qp_wr == 32768 &&
		      device.max_srq_sge == 6 && device.max_mw == 0,
	      "%d SGEs, %d requests, %d SGEs of SRQs, %d MWs", device.max_sge,
	      device.max_qp_wr, device.max_srq_sge, device.max_mw);
	CHECK(!strcmp(device.fw_ver, "0.0.0"), "firmware %s", device.fw_ver);
	CHECK(context->device->transport_type == IBV_TRANSPORT_IWARP &&
		      context->device->node_type == IBV_NODE_RNIC,
	      "transport %d, node %d", context->device->transport_type,
	      context->device->node_type);
	RETURNS(ibv_query_port(context, 1, &port), 0);
	CHECK(port.state == IBV_PORT_ACTIVE && port.gid_tbl_len == 1,
	      "state %d, %d GIDs", port.state, port.gid_tbl_len);
	RETURNS(ibv_query_gid(context, 1, 0, &gid), 0);
	RETURNS(ibv_close_device(context), 0);
}

static void refused_qps(struct ibv_pd *pd, struct ibv_cq *cq)
{
	const struct ibv_qp_init_attr good = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { 5, 5, 6, 6, 80 },
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_qp_init_attr attr = good;
	struct ibv_qp *qp;

	attr.qp_type = IBV_QPT_UD;
	FAILS(ibv_create_qp(pd, &attr), EOPNOTSUPP);
	attr.qp_type = IBV_QPT_UC;
	FAILS(ibv_create_qp(pd, &attr), EOPNOTSUPP);
	attr = good;
	attr.cap.max_send_sge = 7;
	FAILS(ibv_create_qp(pd, &attr), EINVAL);
	attr = good;
	attr.cap.max_recv_sge = 7;
	FAILS(ibv_create_qp(pd, &attr), EINVAL);
	attr = good;
	attr.cap.max_inline_data = 81;
	FAILS(ibv_create_qp(pd, &attr), EINVAL);
	attr = good;
	attr.cap.max_send_wr = 0;
	FAILS(ibv_create_qp(pd, &attr), EINVAL);
	attr = good;
	attr.cap.max_send_wr = 32769;
	FAILS(ibv_create_qp(pd, &attr), EINVAL);

	attr = good;
	NEED(qp = ibv_create_qp(pd, &attr));
	if (is_ours())
		CHECK(attr.cap.max_send_wr == 8 && attr.cap.max_recv_wr == 8 &&
			      attr.cap.max_send_sge == 6 &&
			      attr.cap.max_recv_sge == 6 &&
			      attr.cap.max_inline_data == 80,
		      "%u and %u requests, %u and %u SGEs, %u bytes",
		      attr.cap.max_send_wr, attr.cap.max_recv_wr,
		      attr.cap.max_send_sge, attr.cap.max_recv_sge,
		      attr.cap.max_inline_data);
	RETURNS(ibv_destroy_cq(cq), EBUSY);
	RETURNS(ibv_dealloc_pd(pd), EBUSY);
	RETURNS(ibv_destroy_qp(qp), 0);

	/* No receive queue at all */
	attr = good;
	attr.cap.max_recv_wr = 0;
	NEED(qp = ibv_create_qp(pd, &attr));
	RETURNS(ibv_destroy_qp(qp), 0);
}

static void refused_mrs(struct ibv_pd *pd, char *buf)
{
	struct ibv_mr *mr, *other;

	FAILS(ibv_reg_mr(pd, buf, 0, IBV_ACCESS_LOCAL_WRITE), EINVAL);
	FAILS(ibv_reg_mr(pd, NULL, 4096, IBV_ACCESS_LOCAL_WRITE), EFAULT);
	if (is_ours())
		FAILS(ibv_reg_mr_iova(pd, buf, 4096, 0x1000,
				      IBV_ACCESS_LOCAL_WRITE),
		      EOPNOTSUPP);
	NEED(mr = ibv_reg_mr(pd, buf, 4096, IBV_ACCESS_LOCAL_WRITE));
	NEED(other = ibv_reg_mr(pd, buf, 4096, 0));
	CHECK(mr->lkey == mr->rkey && mr->lkey != other->lkey && mr->lkey,
	      "keys %x %x %x", mr->lkey, mr->rkey, other->lkey);
	CHECK(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, 0),
	      "rereg_mr");
	RETURNS(ibv_dealloc_pd(pd), EBUSY);
	RETURNS(ibv_dereg_mr(other), 0);
	RETURNS(ibv_dereg_mr(mr), 0);
}

void test_refused_objects(void)
{
	struct ibv_context *context = test_open_named("siw0");
	struct ibv_ah_attr ah = { .port_num = 1, .dlid = 1 };
	struct ibv_srq_init_attr srq_attr = {};
	char *buf = test_memory(4096);
	struct ibv_cq *cq;
	struct ibv_pd *pd;

	NEED(pd = ibv_alloc_pd(context));
	FAILS(ibv_create_cq(context, 0, NULL, NULL, 0), EINVAL);
	FAILS(ibv_create_cq(context, 3276801, NULL, NULL, 0), EINVAL);
	FAILS(ibv_create_cq(context, 1, NULL, NULL, 999), EINVAL);
	NEED(cq = ibv_create_cq(context, 5, NULL, NULL, 0));
	CHECK(cq->cqe == 8, "%d entries", cq->cqe);
	RETURNS(ibv_resize_cq(cq, 16), EOPNOTSUPP);
	refused_qps(pd, cq);
	refused_mrs(pd, buf);
	FAILS(ibv_create_ah(pd, &ah), EOPNOTSUPP);
	FAILS(ibv_alloc_mw(pd, IBV_MW_TYPE_1), EOPNOTSUPP);
	FAILS(ibv_create_srq(pd, &srq_attr), EINVAL);
	srq_attr.attr.max_wr = 1;
	srq_attr.attr.max_sge = 7;
	FAILS(ibv_create_srq(pd, &srq_attr), EINVAL);
	RETURNS(ibv_destroy_cq(cq), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(context), 0);
}

/*
 * Without a connection a send request is refused, and is not sent when there is
 * one; a receive request waits for it.
 */
void test_unconnected(void)
{
	struct options o = { .qps_only = 1, .max_wr = 2 };
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	struct pair p;
	int i;

	if (!is_ours())
		return;
	pair_open(&p, &o);
	for (i = 0; i < 5; i++)
		RETURNS(post(&p.server, IBV_WR_SEND, 0, 8, NULL, 0, 100 + i),
			ENOTCONN);
	RETURNS(post_recv(&p.server, 0, 8, 1), 0);
	RETURNS(post_recv(&p.client, 0, 8, 2), 0);
	RETURNS(ibv_query_qp(p.server.qp, &attr, IBV_QP_CAP, &init), 0);
	CHECK(attr.cap.max_send_wr == 2 && attr.cap.max_inline_data == 80,
	      "%u requests, %u bytes", attr.cap.max_send_wr,
	      attr.cap.max_inline_data);
	pair_connect(&p);
	fill_bytes(p.client.buf + 64, 8, 7);
	RETURNS(post(&p.client, IBV_WR_SEND, 64, 8, NULL, 0, 3), 0);
	expect_wc(&p.client, 3, IBV_WC_SUCCESS, IBV_WC_SEND, ANY_LENGTH);
	expect_wc(&p.server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 8);
	CHECK(same_bytes(p.server.buf, 8, 7), "wrong bytes");
	RETURNS(post(&p.server, IBV_WR_SEND, 0, 8, NULL, 0, 4), 0);
	expect_wc(&p.server, 4, IBV_WC_SUCCESS, IBV_WC_SEND, ANY_LENGTH);
	expect_wc(&p.client, 2, IBV_WC_SUCCESS, IBV_WC_RECV, 8);
	expect_no_wc(&p.server, 100);
	pair_close(&p);
}
