// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Many QPs; resets; domains; imports; what the query verbs say. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world.h"

static void exchange(struct pair *p, unsigned int seed)
{
	struct ibv_sge sge = sge_of(&p->a, 0, 300);
	struct ibv_send_wr wr = {
		.wr_id = seed,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
		.sg_list = &sge,
		.num_sge = 1,
	};

	fill(p->a.buf, 300, seed);
	EQUAL(post_recv(&p->b, seed, 1000, 300), 0);
	EQUAL(post_send(&p->a, &wr, NULL), 0);
	expect(p->a.scq, seed, IBV_WC_SUCCESS, NULL);
	expect(p->b.rcq, seed, IBV_WC_SUCCESS, NULL);
	CHECK(filled(p->b.buf + 1000, 300, seed));
}

void test_many_qps(void)
{
	static struct pair p[60];
	struct pair_options odd = { .depth = 1, .sges = 4 };
	int i, n = sizeof(p) / sizeof(p[0]);

	for (i = 0; i < n; i++) {
		odd.depth = 1 + i * 7;
		pair_open(&p[i], i % 2 ? IBV_QPT_RC : IBV_QPT_UC, &odd);
	}
	for (i = 0; i < 2 * n; i++)
		exchange(&p[i * 7 % n], i);
	for (i = 0; i < n; i++)
		pair_close(&p[i]);
}

/* A reset QP starts anew, wherever its rings' indices stand. */
void test_reset(void)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct pair p;
	int i, j;

	pair_open(&p, IBV_QPT_RC, NULL);
	for (i = 0; i < 4; i++) {
		for (j = 0; j < 5 + i; j++)
			exchange(&p, j);
		/* Left in the queues, and gone with the reset */
		for (j = 0; j < 3; j++)
			EQUAL(post_recv(&p.a, 100 + j, 0, 10), 0);
		EQUAL(to_state(p.a.qp, IBV_QPS_RESET), 0);
		EQUAL(to_state(p.b.qp, IBV_QPS_RESET), 0);
		EQUAL(p.a.qp->state, IBV_QPS_RESET);
		if (!control)
			EQUAL(post_send(&p.a, &wr, NULL), EINVAL);
		connect_qp(p.a.qp, p.b.qp->qp_num, 7);
		connect_qp(p.b.qp, p.a.qp->qp_num, 7);
	}
	exchange(&p, 1);
	expect_nothing(p.a.rcq);
	pair_close(&p);
}

void test_domains(void)
{
	struct ibv_td_init_attr td_attr = {};
	struct ibv_parent_domain_init_attr attr = {};
	struct ibv_cq_init_attr_ex cq_attr = {
		.cqe = 10,
		.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD,
	};
	struct ibv_pd *own, *domain;
	struct ibv_cq_ex *cq;
	struct ibv_td *td;

	errno = 0;
	td = ibv_alloc_td(ctx, &td_attr);
	if (!td && errno == EOPNOTSUPP) {
		LACKS("thread domains");
		return;
	}
	CHECK(td != NULL);
	own = ibv_alloc_pd(ctx);
	CHECK(own != NULL);
	attr.td = td;
	errno = 0;
	CHECK(!ibv_alloc_parent_domain(ctx, &attr));
	EQUAL(errno, EINVAL);
	attr.pd = own;
	attr.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS;
	errno = 0;
	CHECK(!ibv_alloc_parent_domain(ctx, &attr));
	EQUAL(errno, EOPNOTSUPP);
	attr.comp_mask = 0;
	domain = ibv_alloc_parent_domain(ctx, &attr);
	CHECK(domain != NULL);
	if (!domain)
		return;
	EQUAL(domain->handle, own->handle);
	CHECK(domain->context == ctx);
	/* Domains do not nest. */
	attr.pd = domain;
	errno = 0;
	CHECK(!ibv_alloc_parent_domain(ctx, &attr));
	EQUAL(errno, EINVAL);

	cq_attr.parent_domain = own;
	errno = 0;
	CHECK(!ibv_create_cq_ex(ctx, &cq_attr));
	EQUAL(errno, EINVAL);
	cq_attr.parent_domain = domain;
	cq = ibv_create_cq_ex(ctx, &cq_attr);
	CHECK(cq != NULL);
	if (cq)
		EQUAL(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), 0);

	EQUAL(ibv_dealloc_td(td), EBUSY);
	EQUAL(ibv_dealloc_pd(own), EBUSY);
	EQUAL(ibv_dealloc_pd(domain), 0);
	EQUAL(ibv_dealloc_td(td), 0);
	EQUAL(ibv_dealloc_pd(own), 0);
}

/* A process that got the descriptor but may not open the node: no wait. */
static void import_without_right(void)
{
	struct ibv_context *other;
	char node[80];
	uint64_t start;
	int fd = dup(ctx->cmd_fd);

	snprintf(node, sizeof(node), "/dev/infiniband/%s",
		 ctx->device->dev_name);
	EQUAL(chmod(node, 0600), 0);
	EQUAL(seteuid(65534), 0);
	start = now_ms();
	other = ibv_import_device(fd);
	CHECK(now_ms() - start < 2000);
	CHECK(other != NULL);
	if (other) {
		EQUAL(other->num_comp_vectors, 1);
		EQUAL(ibv_close_device(other), 0);
	}
	EQUAL(seteuid(0), 0);
	EQUAL(chmod(node, 0666), 0);
}

/* A second context on the same file, with the first one's objects in it */
void test_import(void)
{
	struct ibv_context *own_ctx = ctx, *other;
	struct ibv_pd *own_pd = pd, *imported;
	struct ibv_mr *mr;
	struct pair p;
	int fd;

	fd = dup(ctx->cmd_fd);
	CHECK(fd >= 0);
	errno = 0;
	other = ibv_import_device(fd);
	if (!other) {
		EQUAL(errno, EOPNOTSUPP);
		close(fd);
		LACKS("import of a context");
		return;
	}
	EQUAL(other->num_comp_vectors, ctx->num_comp_vectors);
	imported = ibv_import_pd(other, pd->handle);
	CHECK(imported != NULL);
	if (!imported)
		return;
	EQUAL(imported->handle, pd->handle);
	CHECK(imported->context == other);

	/* Everything else as if the context were any other */
	ctx = other;
	pd = imported;
	pair_open(&p, IBV_QPT_RC, NULL);
	exchange(&p, 1);
	mr = ibv_import_mr(imported, p.a.mr->handle);
	CHECK(mr != NULL);
	if (mr) {
		EQUAL(mr->lkey, p.a.mr->lkey);
		EQUAL(mr->rkey, p.a.mr->rkey);
		EQUAL(mr->length, p.a.mr->length);
		EQUAL(mr->handle, p.a.mr->handle);
		CHECK(mr->pd == imported);
		CHECK(mr->context == other);
		CHECK(mr->addr == NULL);
		ibv_unimport_mr(mr);
	}
	exchange(&p, 2);
	errno = 0;
	CHECK(!ibv_import_mr(imported, 0x7fffffff));
	EQUAL(errno, ENOENT);
	pair_close(&p);
	ibv_unimport_pd(imported);
	EQUAL(ibv_close_device(other), 0);
	ctx = own_ctx;
	pd = own_pd;
	import_without_right();
	/* The maker's PD is as it was. */
	pair_open(&p, IBV_QPT_RC, NULL);
	exchange(&p, 3);
	pair_close(&p);
}

void test_queries(void)
{
	struct ibv_query_device_ex_input input = {};
	struct ibv_device_attr_ex ex;
	struct ibv_device_attr attr;
	struct ibv_port_attr port;
	struct ibv_qp_attr qp_attr;
	struct ibv_qp_init_attr init;
	struct ibv_mr *mr;
	struct pair p;
	unsigned int major, minor, sub;

	memset(&attr, 0xff, sizeof(attr));
	EQUAL(ibv_query_device(ctx, &attr), 0);
	EQUAL(attr.phys_port_cnt, 1);
	CHECK(attr.max_qp > 0 && attr.max_sge >= SGES);
	EQUAL(sscanf(attr.fw_ver, "%u.%u.%u", &major, &minor, &sub), 3);
	memset(&ex, 0xff, sizeof(ex));
	EQUAL(ibv_query_device_ex(ctx, &input, &ex), 0);
	CHECK(!memcmp(&ex.orig_attr, &attr, sizeof(attr)));
	EQUAL(ex.comp_mask, 0);
	EQUAL(ibv_query_port(ctx, 1, &port), 0);
	EQUAL(port.state, IBV_PORT_ACTIVE);
	EQUAL(port.link_layer, IBV_LINK_LAYER_ETHERNET);
	CHECK(ibv_query_port(ctx, 2, &port) != 0);

	pair_open(&p, IBV_QPT_RC, NULL);
	EQUAL(ibv_query_qp(p.a.qp, &qp_attr, IBV_QP_STATE | IBV_QP_CAP, &init),
	      0);
	EQUAL(qp_attr.qp_state, IBV_QPS_RTS);
	EQUAL(qp_attr.dest_qp_num, p.b.qp->qp_num);
	CHECK(init.cap.max_send_wr >= DEPTH);
	EQUAL(init.cap.max_inline_data, p.a.max_inline);
	CHECK(init.send_cq == p.a.scq);
	pair_close(&p);

	errno = 0;
	mr = ibv_reg_mr(pd, (void *)4096, 4096, IBV_ACCESS_LOCAL_WRITE);
	CHECK(!mr);
	EQUAL(errno, EFAULT);
}
