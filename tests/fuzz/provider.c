// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What programs do with a provider's context, while the kernel writes into the
 * rings whatever it likes.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/share.h>

#include "fuzz.h"
#include "kernel.h"
#include "objects.h"
#include "provider/priv.h"
#include "rings.h"

static struct ibv_context *context;
static char memory[4096];

static void op_pd(void)
{
	object_keep(PD, ibv_alloc_pd(context), destroy_pd);
}

static void op_parent(void)
{
	struct ibv_parent_domain_init_attr attr = {
		.pd = object_get(PD),
		.td = fuzz_u8() & 1 ? object_get(TD) : NULL,
	};
	struct ibv_td_init_attr td_attr = { 0 };

	object_keep(TD, ibv_alloc_td(context, &td_attr), destroy_td);
	if (attr.pd)
		object_keep(PARENT, ibv_alloc_parent_domain(context, &attr),
			    destroy_pd);
}

static void op_mr(void)
{
	struct ibv_pd *pd = object_get(PD);

	if (pd)
		object_keep(MR,
			    ibv_reg_mr(pd, memory, fuzz_below(4096), fuzz_u8()),
			    destroy_mr);
}

static void op_mw(void)
{
	struct ibv_pd *pd = object_get(PD);

	if (pd)
		object_keep(MW, ibv_alloc_mw(pd, IBV_MW_TYPE_2), destroy_mw);
}

static void op_cq(void)
{
	object_keep(CQ,
		    ibv_create_cq(context, fuzz_number(), NULL, NULL,
				  fuzz_u8()),
		    destroy_cq);
}

static void op_cq_ex(void)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = fuzz_number(),
		.wc_flags = fuzz_u8(),
		.comp_mask = fuzz_u8() & 3,
		.flags = fuzz_u8() & 1,
		.parent_domain = object_get(PARENT),
	};
	struct ibv_cq_ex *cq = ibv_create_cq_ex(context, &attr);

	if (cq)
		object_keep(CQ, ibv_cq_ex_to_cq(cq), destroy_cq);
}

static void poll_lazily(struct ibv_cq_ex *cq)
{
	struct ibv_poll_cq_attr attr = { 0 };

	if (!cq->start_poll || ibv_start_poll(cq, &attr))
		return;
	for (int i = 0; i < 16; i++) {
		ibv_wc_read_opcode(cq);
		ibv_wc_read_vendor_err(cq);
		ibv_wc_read_byte_len(cq);
		ibv_wc_read_imm_data(cq);
		ibv_wc_read_qp_num(cq);
		ibv_wc_read_src_qp(cq);
		ibv_wc_read_wc_flags(cq);
		ibv_wc_read_slid(cq);
		ibv_wc_read_sl(cq);
		ibv_wc_read_dlid_path_bits(cq);
		if (ibv_next_poll(cq))
			break;
	}
	ibv_end_poll(cq);
}

static void op_poll(void)
{
	struct ibv_cq *cq = object_get(CQ);
	int room = fuzz_below(64), got;
	struct ibv_wc *wc;

	if (!cq)
		return;
	switch (fuzz_below(4)) {
	case 0:
		ibv_resize_cq(cq, fuzz_number());
		break;
	case 1:
		ibv_req_notify_cq(cq, fuzz_u8() & 1);
		break;
	case 2:
		poll_lazily((struct ibv_cq_ex *)cq);
		break;
	default:
		wc = malloc(room * sizeof(*wc));
		got = ibv_poll_cq(cq, room, wc);
		fuzz_check(got >= 0 && got <= room, "as many completions?");
		free(wc);
	}
}

static void op_srq(void)
{
	struct ibv_srq_init_attr attr = {
		.attr = { fuzz_number(), fuzz_number(), fuzz_number() },
	};
	struct ibv_pd *pd = object_get(PD);

	if (pd)
		object_keep(SRQ, ibv_create_srq(pd, &attr), destroy_srq);
}

/* Requests in a row; of how many SGEs the input says. */
static struct ibv_sge sges[64];

static struct ibv_recv_wr *receives(struct ibv_recv_wr wr[8])
{
	unsigned int count = 1 + fuzz_below(8);

	for (unsigned int i = 0; i < count; i++)
		wr[i] = (struct ibv_recv_wr){
			.next = i + 1 < count ? &wr[i + 1] : NULL,
			.sg_list = sges,
			.num_sge = (int)fuzz_below(65),
		};
	return wr;
}

static void op_use_srq(void)
{
	struct ibv_srq *srq = object_get(SRQ);
	struct ibv_srq_attr attr = { fuzz_number(), fuzz_number(), 0 };
	struct ibv_recv_wr wr[8], *bad;

	if (!srq)
		return;
	switch (fuzz_below(3)) {
	case 0:
		ibv_query_srq(srq, &attr);
		break;
	case 1:
		ibv_modify_srq(srq, &attr, fuzz_u8() & 3);
		break;
	default:
		ibv_post_srq_recv(srq, receives(wr), &bad);
	}
}

static void op_qp(void)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = object_get(CQ),
		.recv_cq = object_get(CQ),
		.cap = { fuzz_number(), fuzz_number(), fuzz_number(),
			 fuzz_number(), fuzz_number() },
		.qp_type = IBV_QPT_RC + fuzz_below(3),
		.srq = fuzz_u8() & 1 ? object_get(SRQ) : NULL,
		.sq_sig_all = fuzz_u8() & 1,
	};
	struct ibv_pd *pd = object_get(PD);

	if (pd && attr.send_cq)
		object_keep(QP, ibv_create_qp(pd, &attr), destroy_qp);
}

static void op_qp_ex(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = object_get(CQ),
		.recv_cq = object_get(CQ),
		.cap = { fuzz_number(), fuzz_number(), fuzz_number(),
			 fuzz_number(), fuzz_number() },
		.qp_type = IBV_QPT_RC + fuzz_below(3),
		.comp_mask =
			IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.send_ops_flags = fuzz_u16() & 0x7ff,
		.pd = object_get(PD),
	};

	if (attr.pd && attr.send_cq)
		object_keep(QP, ibv_create_qp_ex(context, &attr), destroy_qp);
}

static void post_send(struct ibv_qp *qp)
{
	struct ibv_send_wr wr[8], *bad;
	unsigned int count = 1 + fuzz_below(8);

	memset(wr, 0, sizeof(wr));
	for (unsigned int i = 0; i < count; i++) {
		wr[i].next = i + 1 < count ? &wr[i + 1] : NULL;
		wr[i].sg_list = sges;
		wr[i].num_sge = (int)fuzz_below(65);
		wr[i].opcode = fuzz_below(12);
		wr[i].send_flags = fuzz_u8();
		if (qp->qp_type == IBV_QPT_UD)
			wr[i].wr.ud.ah = object_get(AH);
	}
	ibv_post_send(qp, wr, &bad);
}

static void build(struct ibv_qp *qp)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);
	struct ibv_data_buf buffers[8];
	struct ibv_ah *ah;

	if (!ex || !ex->wr_start)
		return;
	ibv_wr_start(ex);
	for (unsigned int i = 1 + fuzz_below(6); i; i--) {
		ex->wr_flags = fuzz_u8();
		switch (fuzz_below(4)) {
		case 0:
			ibv_wr_send(ex);
			break;
		case 1:
			ibv_wr_rdma_write(ex, 0, 0);
			break;
		case 2:
			ibv_wr_atomic_fetch_add(ex, 0, fuzz_u8(), 0);
			break;
		default:
			ibv_wr_send_imm(ex, 0);
		}
		ah = object_get(AH);
		if (qp->qp_type == IBV_QPT_UD && ah)
			ibv_wr_set_ud_addr(ex, ah, 1, 1);
		switch (fuzz_below(4)) {
		case 0:
			ibv_wr_set_sge(ex, 0, 0, fuzz_number());
			break;
		case 1:
			ibv_wr_set_sge_list(ex, fuzz_below(65), sges);
			break;
		case 2:
			ibv_wr_set_inline_data(ex, memory, fuzz_below(4096));
			break;
		default:
			for (int n = 0; n < 8; n++)
				buffers[n] = (struct ibv_data_buf){
					memory, fuzz_below(256)
				};
			ibv_wr_set_inline_data_list(ex, 8, buffers);
		}
	}
	if (fuzz_u8() & 1)
		ibv_wr_abort(ex);
	else
		ibv_wr_complete(ex);
}

static void op_use_qp(void)
{
	struct ibv_qp *qp = object_get(QP);
	struct ibv_recv_wr wr[8], *bad;
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (!qp)
		return;
	memset(&attr, 0, sizeof(attr));
	/* Those that programs give, and among them some that are inline data */
	for (size_t i = 0; i < 64; i++)
		sges[i] = (struct ibv_sge){
			.addr = (uintptr_t)memory,
			.length = i & 7 ? fuzz_u8() : fuzz_below(4096),
		};
	switch (fuzz_below(5)) {
	case 0:
		attr.qp_state = fuzz_below(8);
		ibv_modify_qp(qp, &attr, IBV_QP_STATE | (fuzz_u32() & 0xff));
		break;
	case 1:
		ibv_query_qp(qp, &attr, 1, &init);
		break;
	case 2:
		post_send(qp);
		break;
	case 3:
		build(qp);
		break;
	default:
		ibv_post_recv(qp, receives(wr), &bad);
	}
}

static void op_ah(void)
{
	struct ibv_ah_attr attr = { .port_num = 1, .is_global = 1 };
	struct ibv_pd *pd = object_get(PD);

	if (pd)
		object_keep(AH, ibv_create_ah(pd, &attr), destroy_ah);
}

static void op_query(void)
{
	struct ibv_device_attr_ex attr;
	struct ibv_port_attr port;

	ibv_query_device_ex(context, NULL, &attr);
	ibv_query_port(context, 1, &port);
}

static void op_import(void)
{
	struct ibv_mr *mr;

	object_keep(PD, ibv_import_pd(context, context->cmd_fd, fuzz_number()),
		    destroy_pd);
	mr = ibv_import_mr(context, context->cmd_fd, fuzz_number());
	object_keep(MR, mr, destroy_mr);
}

/* The kernel writes into a ring, at any time. */
static void op_ring(void)
{
	size_t size, at, length;
	uint8_t *ring = rings_get(&size);

	if (!ring)
		return;
	at = fuzz_below(size);
	length = fuzz_below(129);
	if (length > size - at)
		length = size - at;
	fuzz_bytes(ring + at, length);
}

static void (*const ops[])(void) = {
	op_pd,	  op_parent, op_mr,	op_mw,	   op_cq,
	op_cq_ex, op_poll,   op_poll,	op_srq,	   op_use_srq,
	op_qp,	  op_qp_ex,  op_use_qp, op_use_qp, op_ah,
	op_query, op_import, op_ring,	op_ring,   object_destroy_any,
};

void provider_run(const struct verbs_device_ops *provider)
{
	static struct verbs_device device;
	struct verbs_context *vctx;

	kernel_begin();
	memset(&device, 0, sizeof(device));
	device.ops = provider;
	atomic_store(&device.refcount, 1000);
	vctx = provider->alloc_context(&device.device,
				       open("/dev/null", O_RDWR | O_CLOEXEC),
				       NULL);
	/* It has closed the descriptor. */
	if (!vctx)
		return;
	context = &vctx->context;
	for (int i = 0; i < 40 && fuzz_left(); i++)
		ops[fuzz_below(sizeof(ops) / sizeof(ops[0]))]();
	kernel.honest = true;
	object_destroy_all();
	ibv_close_device(context);
	rings_end();
	kernel_end();
}
