// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: the kernel's replies to a program's verbs, with a provider that
 * adds nothing of its own.  Import and export are among them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/share.h>

#include "fuzz.h"
#include "kernel.h"
#include "objects.h"
#include "provider/priv.h"
#include "test_provider.h"

static struct ibv_context *context;
static char memory[4096];

static void op_pd(void)
{
	to_test_context(context)->pd_reply = fuzz_below(65);
	object_keep(PD, ibv_alloc_pd(context), destroy_pd);
}

static void op_mr(void)
{
	struct ibv_pd *pd = object_get(PD);

	to_test_context(context)->mr_reply = fuzz_below(65);
	if (pd)
		object_keep(MR,
			    ibv_reg_mr(pd, memory, fuzz_below(4096), fuzz_u8()),
			    destroy_mr);
}

static void op_rereg(void)
{
	struct ibv_mr *mr = object_get(MR);

	if (mr)
		ibv_rereg_mr(mr, fuzz_u8() & 7, object_get(PD), memory,
			     fuzz_below(4096), fuzz_u8());
}

static void op_mw(void)
{
	struct ibv_pd *pd = object_get(PD);

	if (pd)
		object_keep(MW, ibv_alloc_mw(pd, IBV_MW_TYPE_2), destroy_mw);
}

static void op_channel(void)
{
	object_keep(CHANNEL, ibv_create_comp_channel(context), destroy_channel);
}

static void op_cq(void)
{
	object_keep(CQ,
		    ibv_create_cq(context, fuzz_number(), NULL,
				  object_get(CHANNEL), fuzz_u8()),
		    destroy_cq);
}

static void op_cq_ex(void)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = fuzz_number(),
		.channel = object_get(CHANNEL),
		.comp_vector = fuzz_u8(),
		.wc_flags = fuzz_u8(),
		.comp_mask = fuzz_u8() & IBV_CQ_INIT_ATTR_MASK_FLAGS,
		.flags = fuzz_u8() & 3,
	};
	struct ibv_cq_ex *cq = ibv_create_cq_ex(context, &attr);

	if (cq)
		object_keep(CQ, ibv_cq_ex_to_cq(cq), destroy_cq);
}

static void op_use_cq(void)
{
	struct ibv_cq *cq = object_get(CQ);
	uint32_t room = fuzz_below(20);
	struct ibv_wc *wc;
	int got;

	if (!cq)
		return;
	switch (fuzz_below(3)) {
	case 0:
		ibv_resize_cq(cq, fuzz_number());
		break;
	case 1:
		ibv_req_notify_cq(cq, fuzz_u8() & 1);
		break;
	default:
		wc = malloc(room * sizeof(*wc));
		got = ibv_poll_cq(cq, room, wc);
		fuzz_check(got <= (int)room, "more completions than room");
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

static void op_use_srq(void)
{
	struct ibv_srq *srq = object_get(SRQ);
	struct ibv_srq_attr attr = { fuzz_number(), fuzz_number(), 0 };
	struct ibv_sge sge = { 0 };
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad = NULL;

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
		if (ibv_post_srq_recv(srq, &wr, &bad))
			fuzz_check(!bad || bad == &wr, "a request of nobody");
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
		.comp_mask = IBV_QP_INIT_ATTR_PD |
			     (fuzz_u8() & (IBV_QP_INIT_ATTR_CREATE_FLAGS |
					   IBV_QP_INIT_ATTR_MAX_TSO_HEADER)),
		.create_flags = fuzz_u8(),
		.max_tso_header = fuzz_u8(),
		.pd = object_get(PD),
	};

	if (attr.pd && attr.send_cq)
		object_keep(QP, ibv_create_qp_ex(context, &attr), destroy_qp);
}

static void op_use_qp(void)
{
	struct ibv_qp *qp = object_get(QP);
	struct ibv_sge sge = { 0 };
	struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad = NULL;
	struct ibv_recv_wr rwr = { .sg_list = &sge, .num_sge = 1 },
			   *bad_rwr = NULL;
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	union ibv_gid gid = { 0 };

	if (!qp)
		return;
	memset(&attr, 0, sizeof(attr));
	switch (fuzz_below(6)) {
	case 0:
		attr.qp_state = fuzz_below(8);
		ibv_modify_qp(qp, &attr, fuzz_u32() & 0x1ffffff);
		break;
	case 1:
		ibv_query_qp(qp, &attr, fuzz_u32() & 0x1ffffff, &init);
		break;
	case 2:
		wr.wr.ud.ah = object_get(AH);
		if (qp->qp_type == IBV_QPT_UD && !wr.wr.ud.ah)
			break;
		if (ibv_post_send(qp, &wr, &bad))
			fuzz_check(!bad || bad == &wr, "a request of nobody");
		break;
	case 3:
		if (ibv_post_recv(qp, &rwr, &bad_rwr))
			fuzz_check(!bad_rwr || bad_rwr == &rwr,
				   "a request of nobody");
		break;
	case 4:
		ibv_attach_mcast(qp, &gid, 0);
		break;
	default:
		ibv_detach_mcast(qp, &gid, 0);
	}
}

static void op_ah(void)
{
	struct ibv_ah_attr attr = { .port_num = fuzz_u8(),
				    .is_global = fuzz_u8() & 1 };
	struct ibv_pd *pd = object_get(PD);

	if (pd)
		object_keep(AH, ibv_create_ah(pd, &attr), destroy_ah);
}

static void op_query(void)
{
	struct ibv_device_attr_ex attr_ex;
	struct ibv_device_attr attr;
	struct ibv_port_attr port;

	switch (fuzz_below(3)) {
	case 0:
		ibv_query_device(context, &attr);
		break;
	case 1:
		ibv_query_device_ex(context, NULL, &attr_ex);
		break;
	default:
		ibv_query_port(context, fuzz_u8(), &port);
	}
}

static void op_gid(void)
{
	size_t room = fuzz_below(9);
	struct ibv_gid_entry *entries;
	union ibv_gid gid;
	ssize_t count;

	switch (fuzz_below(3)) {
	case 0:
		ibv_query_gid(context, fuzz_u8(), fuzz_u8(), &gid);
		break;
	case 1:
		entries = malloc(sizeof(*entries));
		ibv_query_gid_ex(context, fuzz_u8(), fuzz_u8(), entries, 0);
		free(entries);
		break;
	default:
		entries = malloc(room * sizeof(*entries));
		count = ibv_query_gid_table(context, entries, room, 0);
		fuzz_check(count <= (ssize_t)room, "more GIDs than room");
		free(entries);
	}
}

static void op_import_pd(void)
{
	struct ibv_pd *pd;

	to_test_context(context)->pd_reply = fuzz_below(65);
	pd = ibv_import_pd(context, context->cmd_fd, fuzz_number());
	object_keep(PD, pd, destroy_pd);
}

static void op_import_mr(void)
{
	struct ibv_mr *mr;

	to_test_context(context)->mr_reply = 0;
	mr = ibv_import_mr(context, context->cmd_fd, fuzz_number());
	fuzz_check(!mr || !mr->addr, "an address in an imported MR");
	object_keep(MR, mr, destroy_mr);
}

static void op_export(void)
{
	struct ibv_pd *pd = object_get(PD);
	struct ibv_mr *mr = object_get(MR);
	uint32_t handle;

	if (pd)
		ibv_export_pd(pd, context->cmd_fd, &handle);
	if (mr)
		ibv_export_mr(mr, context->cmd_fd, &handle);
	ibv_export_to_fd(context->cmd_fd, &handle, context, fuzz_below(20),
			 fuzz_number());
}

static void op_withdraw(void)
{
	/* No handle of an object that there is a struct of */
	ibv_withdraw(context, context->cmd_fd, fuzz_below(20), 0x1000000);
}

static void op_fail_after(void)
{
	to_test_context(context)->fail_after = fuzz_u8() & 1 ? ENOSPC : 0;
}

static void (*const ops[])(void) = {
	op_pd,	       op_mr,
	op_rereg,      op_mw,
	op_channel,    op_cq,
	op_cq_ex,      op_use_cq,
	op_srq,	       op_use_srq,
	op_qp,	       op_qp_ex,
	op_use_qp,     op_ah,
	op_query,      op_gid,
	op_import_pd,  op_import_mr,
	op_export,     op_withdraw,
	op_fail_after, object_destroy_any,
};

void fuzz_setup(void)
{
	context = NULL;
}

void fuzz_run(void)
{
	kernel_begin();
	context = test_context_open();
	fuzz_check(context, "no context");
	for (int i = 0; i < 40 && fuzz_left(); i++)
		ops[fuzz_below(sizeof(ops) / sizeof(ops[0]))]();
	kernel.honest = true;
	object_destroy_all();
	ibv_close_device(context);
	kernel_end();
}
