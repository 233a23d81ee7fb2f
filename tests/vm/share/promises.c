// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What sharing promises, one function per promise, numbered as they are:
 *
 *  1 export and import make aliases; any file of the device may be the target
 *  2 all aliases are equal; the last one takes the object with it
 *  3 dealloc of a PD: EBUSY while objects made in this file use it, no matter
 *    what other files do with it
 *  4 an MR keeps its PD alive
 *  5 the context in which an object was made lives as long as the object
 *  6 no rereg of a shared MR
 *  7 an imported PD works in every verb that takes one; an imported MR's
 * members 8 the descriptor is the permission
 */
#include <fcntl.h>
#include <sys/wait.h>

#include "share_test.h"

#define SIZE 65536

static char *memory;

struct owner {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
};

static struct owner make_owner(void)
{
	struct owner o;

	o.context = test_open(0);
	NEED(o.pd = ibv_alloc_pd(o.context));
	NEED(o.mr = ibv_reg_mr(o.pd, memory, SIZE, TEST_ACCESS));
	return o;
}

static void end_owner(struct owner *o)
{
	RETURNS(ibv_dereg_mr(o->mr), 0);
	RETURNS(ibv_dealloc_pd(o->pd), 0);
	RETURNS(ibv_close_device(o->context), 0);
}

static uint32_t export_pd(struct ibv_pd *pd, struct ibv_context *to)
{
	uint32_t handle = ~0u;

	RETURNS(ibv_export_pd(pd, ibv_context_to_fd(to), &handle), 0);
	return handle;
}

static uint32_t export_mr(struct ibv_mr *mr, struct ibv_context *to)
{
	uint32_t handle = ~0u;

	RETURNS(ibv_export_mr(mr, ibv_context_to_fd(to), &handle), 0);
	return handle;
}

static struct ibv_pd *import_pd(struct ibv_context *in,
				struct ibv_context *from, uint32_t handle)
{
	struct ibv_pd *pd = ibv_import_pd(in, ibv_context_to_fd(from), handle);

	NEED(pd);
	return pd;
}

static struct ibv_mr *import_mr(struct ibv_context *in,
				struct ibv_context *from, uint32_t handle)
{
	struct ibv_mr *mr = ibv_import_mr(in, ibv_context_to_fd(from), handle);

	NEED(mr);
	return mr;
}

static void promise_1(void)
{
	struct test_counts base = test_count();
	struct ibv_context *ex = test_open(0), *b = test_open(0);
	struct owner o = make_owner();
	uint32_t pd, pd_again, pd_here, mr, generic;
	struct ibv_pd *p, *q, *r;
	struct ibv_mr *m, *n;

	CHECK(ibv_context_to_fd(o.context) == (uint32_t)o.context->cmd_fd,
	      "ibv_context_to_fd");
	CHECK(ibv_pd_to_handle(o.pd) == o.pd->handle, "ibv_pd_to_handle");
	CHECK(ibv_mr_to_handle(o.mr) == o.mr->handle, "ibv_mr_to_handle");

	pd = export_pd(o.pd, ex);
	pd_again = export_pd(o.pd, ex);
	CHECK(pd != pd_again, "two exports, one handle");
	pd_here = export_pd(o.pd, o.context);
	CHECK(pd_here != o.pd->handle, "an alias with its source's handle");
	mr = export_mr(o.mr, ex);
	RETURNS(ibv_export_to_fd(ibv_context_to_fd(ex), &generic, o.context,
				 UVERBS_OBJECT_PD, ibv_pd_to_handle(o.pd)),
		0);
	RETURNS(ibv_export_to_fd(ibv_context_to_fd(ex), &generic, o.context,
				 UVERBS_OBJECT_MR, ibv_mr_to_handle(o.mr)),
		0);
	MORE_THAN(&base, 1, 1);
	test_same_as_tool();

	p = import_pd(b, ex, pd);
	q = import_pd(b, ex, pd);
	r = import_pd(b, o.context, o.pd->handle);
	CHECK(p != q && p->handle != q->handle, "two imports, one alias");
	CHECK(p->context == b && q->context == b, "context of the import");
	m = import_mr(b, ex, mr);
	n = import_mr(b, b, m->handle);
	CHECK(m->handle != n->handle, "import from one's own file");
	MORE_THAN(&base, 1, 1);
	RETURNS(ibv_dereg_mr(n), 0);
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(ibv_dealloc_pd(r), 0);
	RETURNS(ibv_dealloc_pd(q), 0);
	RETURNS(ibv_dealloc_pd(p), 0);

	/* What was exported stays there until somebody destroys it there. */
	p = import_pd(ex, ex, pd);
	RETURNS(ibv_dealloc_pd(p), 0);
	p = import_pd(b, ex, pd);
	RETURNS(ibv_dealloc_pd(p), 0);
	end_owner(&o);
	MORE_THAN(&base, 1, 1);
	RETURNS(ibv_close_device(ex), 0);
	MORE_THAN(&base, 0, 0);
	RETURNS(ibv_close_device(b), 0);
	SAME_AS(&base);
}

/* Who goes last, and whether by destroying or by closing: the object goes. */
static void promise_2(void)
{
	struct test_counts base = test_count();
	int last, how;

	for (last = 0; last < 3; last++) {
		for (how = 0; how < 2; how++) {
			struct ibv_context *ex = test_open(0);
			struct ibv_context *b = test_open(0);
			struct owner o = make_owner();
			uint32_t pd = export_pd(o.pd, ex);
			uint32_t mr = export_mr(o.mr, ex);
			struct ibv_pd *p = import_pd(b, ex, pd);
			struct ibv_mr *m = import_mr(b, ex, mr);
			int turn;

			for (turn = 1; turn <= 3; turn++) {
				MORE_THAN(&base, 1, 1);
				switch ((last + turn) % 3) {
				case 0:
					if (!how)
						end_owner(&o);
					else
						ibv_close_device(o.context);
					break;
				case 1:
					ibv_close_device(ex);
					break;
				case 2:
					if (!how) {
						RETURNS(ibv_dereg_mr(m), 0);
						RETURNS(ibv_dealloc_pd(p), 0);
					}
					ibv_close_device(b);
					break;
				}
			}
			SAME_AS(&base);
		}
	}
}

/* With objects of this kind on pd: EBUSY.  Without them: 0 (the last check). */
static void promise_3(void)
{
	struct test_counts base = test_count();
	struct ibv_context *b = test_open(0), *c = test_open(0);
	struct owner o = make_owner();
	struct ibv_srq_init_attr srq_init = {
		.attr = { .max_wr = 16, .max_sge = 1 },
	};
	struct ibv_ah_attr ah_attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .sgid_index = 1, .hop_limit = 1 },
	};
	struct test_end busy;
	struct ibv_pd *p, *other;
	struct ibv_srq *srq;
	struct ibv_mr *mr;
	struct ibv_mw *mw;
	struct ibv_ah *ah;

	p = import_pd(b, o.context, o.pd->handle);
	other = import_pd(c, o.context, o.pd->handle);

	NEED(test_end_open(&busy, p, b));
	RETURNS(ibv_dealloc_pd(p), EBUSY);
	RETURNS(ibv_dealloc_pd(other), 0);
	other = import_pd(c, b, p->handle);
	test_end_close(&busy);

	NEED(srq = ibv_create_srq(p, &srq_init));
	RETURNS(ibv_dealloc_pd(p), EBUSY);
	RETURNS(ibv_destroy_srq(srq), 0);

	RETURNS(ibv_query_gid(b, 1, 1, &ah_attr.grh.dgid), 0);
	NEED(ah = ibv_create_ah(p, &ah_attr));
	RETURNS(ibv_dealloc_pd(p), EBUSY);
	RETURNS(ibv_destroy_ah(ah), 0);

	NEED(mw = ibv_alloc_mw(p, IBV_MW_TYPE_2));
	RETURNS(ibv_dealloc_pd(p), EBUSY);
	RETURNS(ibv_dealloc_mw(mw), 0);

	NEED(mr = ibv_reg_mr(p, memory, SIZE, TEST_ACCESS));
	RETURNS(ibv_dealloc_pd(p), EBUSY);
	RETURNS(ibv_dereg_mr(mr), 0);

	/* The owner's file has an MR on it: made there, so it counts there. */
	RETURNS(ibv_dealloc_pd(o.pd), EBUSY);
	/* An imported MR does not count. */
	mr = import_mr(b, o.context, o.mr->handle);
	RETURNS(ibv_dealloc_pd(p), 0);
	RETURNS(ibv_dereg_mr(mr), 0);

	/* What others do with it is no obstacle to the owner. */
	NEED(test_end_open(&busy, other, c));
	end_owner(&o);
	RETURNS(ibv_dealloc_pd(other), EBUSY);
	test_end_close(&busy);
	RETURNS(ibv_dealloc_pd(other), 0);
	RETURNS(ibv_close_device(b), 0);
	RETURNS(ibv_close_device(c), 0);
	SAME_AS(&base);
}

static void promise_4(void)
{
	struct test_counts base = test_count();
	struct ibv_context *b = test_open(0), *c = test_open(0);
	struct owner o = make_owner();
	struct ibv_mr *m = import_mr(b, o.context, o.mr->handle), *n;

	end_owner(&o);
	MORE_THAN(&base, 1, 1);
	/* It can still be passed on, and its PD is alive for it. */
	n = import_mr(c, b, m->handle);
	CHECK(!n->pd, "an MR whose PD has no alias has a PD");
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(ibv_close_device(b), 0);
	MORE_THAN(&base, 1, 1);
	RETURNS(ibv_dereg_mr(n), 0);
	MORE_THAN(&base, 0, 0);
	RETURNS(ibv_close_device(c), 0);
	SAME_AS(&base);
}

static void promise_5(void)
{
	struct test_counts base = test_count(), now;
	struct ibv_context *b = test_open(0);
	struct owner o = make_owner();
	struct ibv_pd *p = import_pd(b, o.context, o.pd->handle);
	struct ibv_mr *m = import_mr(b, o.context, o.mr->handle);
	struct test_end end;

	/* Closed with its handles, as by exit */
	RETURNS(ibv_close_device(o.context), 0);
	MORE_THAN(&base, 1, 1);
	NEED(test_end_open(&end, p, b));
	test_end_join(&end, &end);
	memset(memory, 0x5a, 4096);
	memset(memory + 8192, 0, 4096);
	CHECK(test_run(&end, IBV_WR_RDMA_WRITE, (uintptr_t)memory, 4096,
		       m->lkey, (uintptr_t)memory + 8192,
		       m->rkey) == IBV_WC_SUCCESS,
	      "RDMA after the owner's context was closed");
	CHECK(!memcmp(memory, memory + 8192, 4096), "wrong bytes");
	test_end_close(&end);
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(ibv_dealloc_pd(p), 0);
	/* With the last alias, not only with the importer's file */
	now = test_count();
	CHECK(now.ctx == base.ctx + 1, "%ld contexts instead of the importer's",
	      now.ctx - base.ctx);
	RETURNS(ibv_close_device(b), 0);
	SAME_AS(&base);
}

static int rereg(struct ibv_mr *mr)
{
	errno = 0;
	if (!ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			  TEST_ACCESS))
		return 0;
	return errno;
}

static void promise_6(void)
{
	struct test_counts base = test_count();
	struct ibv_context *b = test_open(0);
	struct owner o = make_owner();
	struct ibv_mr *m, *odp;
	/* rxe has no rereg at all: then that is what is to be seen. */
	int alone = rereg(o.mr), shared = alone ? alone : EBUSY;
	uint32_t handle = 77;

	CHECK(!alone || alone == EOPNOTSUPP, "rereg of a private MR: %s",
	      strerror(alone));
	m = import_mr(b, o.context, o.mr->handle);
	CHECK(rereg(o.mr) == shared, "rereg of a shared MR");
	CHECK(rereg(m) == shared, "rereg of an imported MR");
	RETURNS(ibv_dereg_mr(m), 0);
	CHECK(rereg(o.mr) == alone, "rereg of an MR that is private again");

	errno = 0;
	odp = ibv_reg_mr(o.pd, memory, SIZE,
			 TEST_ACCESS | IBV_ACCESS_ON_DEMAND);
	if (odp) {
		RETURNS(ibv_export_mr(odp, ibv_context_to_fd(b), &handle),
			EOPNOTSUPP);
		CHECK(handle == 77, "new_handle was changed");
		FAILS(ibv_import_mr(b, ibv_context_to_fd(o.context),
				    odp->handle),
		      EOPNOTSUPP);
		RETURNS(ibv_dereg_mr(odp), 0);
	} else {
		CHECK(errno == EOPNOTSUPP || errno == EINVAL,
		      "registration on demand: %s", strerror(errno));
	}
	end_owner(&o);
	RETURNS(ibv_close_device(b), 0);
	SAME_AS(&base);
}

/*
 * The same verb on a PD of one's own and on an imported one: same outcome.
 * What the device cannot do it must refuse alike.
 */
static void same_outcome(const char *verb, bool own, int own_errno,
			 bool imported, int imported_errno)
{
	CHECK(own == imported && (own || own_errno == imported_errno),
	      "%s: own PD %s, imported PD %s", verb,
	      own ? "works" : strerror(own_errno),
	      imported ? "works" : strerror(imported_errno));
}

struct outcome {
	const char *verb;
	bool done;
	int err;
};

#define MAX_OUTCOMES 24

static unsigned int try_verbs(struct ibv_pd *pd, struct ibv_context *context,
			      struct outcome *out)
{
	struct ibv_parent_domain_init_attr parent = { .pd = pd };
	struct ibv_srq_init_attr srq_init = {
		.attr = { .max_wr = 16, .max_sge = 1 },
	};
	struct ibv_srq_init_attr_ex srq_ex = {
		.attr = { .max_wr = 16, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_BASIC,
		.pd = pd,
	};
	struct ibv_ah_attr ah_attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .sgid_index = 1, .hop_limit = 1 },
	};
	struct ibv_cq *cq = ibv_create_cq(context, 16, NULL, NULL, 0);
	struct ibv_qp_init_attr qp_init = {
		.cap = { .max_send_wr = 1,
			 .max_recv_wr = 1,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.send_cq = cq,
		.recv_cq = cq,
	};
	struct ibv_qp_init_attr_ex qp_ex = {
		.cap = qp_init.cap,
		.send_cq = cq,
		.recv_cq = cq,
		.qp_type = IBV_QPT_RC,
		.comp_mask =
			IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = pd,
		.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE,
	};
	struct ibv_wq_init_attr wq_init = {
		.wq_type = IBV_WQT_RQ,
		.max_wr = 1,
		.max_sge = 1,
		.pd = pd,
		.cq = cq,
	};
	static const struct {
		const char *name;
		enum ibv_qp_type type;
	} qps[] = {
		{ "RC QP", IBV_QPT_RC },
		{ "UC QP", IBV_QPT_UC },
		{ "UD QP", IBV_QPT_UD },
		{ "raw packet QP", IBV_QPT_RAW_PACKET },
	};
	unsigned int n = 0, i;
	struct ibv_pd *child;
	struct ibv_srq *srq;
	struct ibv_mr *mr;
	struct ibv_mw *mw;
	struct ibv_ah *ah;
	struct ibv_qp *qp;
	struct ibv_wq *wq;

	NEED(cq);
#define TRY(_name, _var, _create, _destroy)         \
	do {                                        \
		errno = 0;                          \
		(_var) = (_create);                 \
		out[n].verb = (_name);              \
		out[n].done = (_var);               \
		out[n++].err = errno;               \
		if (_var)                           \
			RETURNS(_destroy(_var), 0); \
	} while (0)
	for (i = 0; i < sizeof(qps) / sizeof(qps[0]); i++) {
		qp_init.qp_type = qps[i].type;
		TRY(qps[i].name, qp, ibv_create_qp(pd, &qp_init),
		    ibv_destroy_qp);
	}
	TRY("ibv_create_qp_ex", qp, ibv_create_qp_ex(context, &qp_ex),
	    ibv_destroy_qp);
	TRY("ibv_create_srq", srq, ibv_create_srq(pd, &srq_init),
	    ibv_destroy_srq);
	TRY("ibv_create_srq_ex", srq, ibv_create_srq_ex(context, &srq_ex),
	    ibv_destroy_srq);
	TRY("ibv_reg_mr", mr, ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS),
	    ibv_dereg_mr);
	TRY("ibv_reg_mr_iova", mr,
	    ibv_reg_mr_iova(pd, memory, SIZE, 4096, TEST_ACCESS), ibv_dereg_mr);
	TRY("ibv_reg_dmabuf_mr", mr,
	    ibv_reg_dmabuf_mr(pd, 0, SIZE, 0, -1, TEST_ACCESS), ibv_dereg_mr);
	TRY("ibv_alloc_null_mr", mr, ibv_alloc_null_mr(pd), ibv_dereg_mr);
	TRY("ibv_alloc_mw 1", mw, ibv_alloc_mw(pd, IBV_MW_TYPE_1),
	    ibv_dealloc_mw);
	TRY("ibv_alloc_mw 2", mw, ibv_alloc_mw(pd, IBV_MW_TYPE_2),
	    ibv_dealloc_mw);
	RETURNS(ibv_query_gid(context, 1, 1, &ah_attr.grh.dgid), 0);
	TRY("ibv_create_ah", ah, ibv_create_ah(pd, &ah_attr), ibv_destroy_ah);
	TRY("ibv_alloc_parent_domain", child,
	    ibv_alloc_parent_domain(context, &parent), ibv_dealloc_pd);
	TRY("ibv_create_wq", wq, ibv_create_wq(context, &wq_init),
	    ibv_destroy_wq);
#undef TRY
	RETURNS(ibv_destroy_cq(cq), 0);
	CHECK(n <= MAX_OUTCOMES, "too many outcomes");
	return n;
}

static void every_verb(struct ibv_pd *imported)
{
	struct outcome own[MAX_OUTCOMES], other[MAX_OUTCOMES];
	struct ibv_pd *pd = ibv_alloc_pd(imported->context);
	unsigned int n, i;

	NEED(pd);
	n = try_verbs(pd, imported->context, own);
	CHECK(try_verbs(imported, imported->context, other) == n, "outcomes");
	for (i = 0; i < n; i++)
		same_outcome(own[i].verb, own[i].done, own[i].err,
			     other[i].done, other[i].err);
	/* rxe has these: a comparison of two refusals would prove little. */
	for (i = 0; i < n; i++)
		if (!strcmp(own[i].verb, "RC QP") ||
		    !strcmp(own[i].verb, "UD QP") ||
		    !strcmp(own[i].verb, "ibv_create_srq") ||
		    !strcmp(own[i].verb, "ibv_reg_mr") ||
		    !strcmp(own[i].verb, "ibv_alloc_mw 2") ||
		    !strcmp(own[i].verb, "ibv_create_ah"))
			CHECK(other[i].done, "%s on an imported PD: %s",
			      own[i].verb, strerror(other[i].err));
	RETURNS(ibv_dealloc_pd(pd), 0);
}

static void promise_7(void)
{
	struct test_counts base = test_count();
	struct ibv_context *b = test_open(0);
	struct owner o = make_owner();
	struct ibv_pd *p, *q, *stranger;
	struct ibv_mr *m;

	/* No PD of it here yet */
	NEED(stranger = ibv_alloc_pd(b));
	m = import_mr(b, o.context, o.mr->handle);
	CHECK(!m->pd, "a PD for an MR whose PD is not here");
	CHECK(!m->addr, "an imported MR with addr");
	CHECK(m->context == b, "context");
	CHECK(m->length == SIZE, "length %zu", m->length);
	CHECK(m->lkey == o.mr->lkey && m->rkey == o.mr->rkey, "keys");
	RETURNS(ibv_dereg_mr(m), 0);

	p = import_pd(b, o.context, o.pd->handle);
	every_verb(p);
	m = import_mr(b, o.context, o.mr->handle);
	CHECK(m->pd == p, "MR's pd %p instead of the imported %p",
	      (void *)m->pd, (void *)p);
	RETURNS(ibv_dereg_mr(m), 0);

	/* An alias that was exported to here has no object: the other one has.
	 */
	RETURNS(ibv_dealloc_pd(p), 0);
	export_pd(o.pd, b);
	m = import_mr(b, o.context, o.mr->handle);
	CHECK(!m->pd, "MR's pd though no PD object is here");
	RETURNS(ibv_dereg_mr(m), 0);
	p = import_pd(b, o.context, o.pd->handle);
	m = import_mr(b, o.context, o.mr->handle);
	CHECK(m->pd == p, "MR's pd %p: an exported alias hides the imported %p",
	      (void *)m->pd, (void *)p);
	RETURNS(ibv_dereg_mr(m), 0);

	/* A second alias: one of the two.  When that goes, the other. */
	q = import_pd(b, o.context, o.pd->handle);
	m = import_mr(b, o.context, o.mr->handle);
	CHECK(m->pd == p || m->pd == q, "MR's pd is neither alias");
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(ibv_dealloc_pd(p), 0);
	m = import_mr(b, o.context, o.mr->handle);
	CHECK(m->pd == q, "MR's pd is not the alias that is left");
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(ibv_dealloc_pd(q), 0);
	m = import_mr(b, o.context, o.mr->handle);
	CHECK(!m->pd, "MR's pd is an alias that is gone");
	RETURNS(ibv_dereg_mr(m), 0);

	/* In the owner's own context it is the PD that was allocated there. */
	m = import_mr(o.context, o.context, o.mr->handle);
	CHECK(m->pd == o.pd, "MR's pd is not the owner's");
	CHECK(!m->addr, "an imported MR with addr");
	RETURNS(ibv_dereg_mr(m), 0);

	/* An MR made on an imported PD is like any other. */
	p = import_pd(b, o.context, o.pd->handle);
	NEED(m = ibv_reg_mr(p, memory, SIZE, TEST_ACCESS));
	CHECK(m->pd == p && m->addr == memory && m->length == SIZE,
	      "members of an MR on an imported PD");
	RETURNS(ibv_dereg_mr(m), 0);
	RETURNS(ibv_dealloc_pd(p), 0);
	RETURNS(ibv_dealloc_pd(stranger), 0);
	end_owner(&o);
	RETURNS(ibv_close_device(b), 0);
	SAME_AS(&base);
}

struct offer {
	uint32_t pd, mr, lkey;
};

/* The other process: no user of importance, but it was given the descriptor. */
static int stranger(void)
{
	struct ibv_context *context;
	struct offer offer;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	int fd;

	/* What devices there are is read before, sysfs and plug-ins too. */
	NEED(test_recv(TEST_CHILD_SOCK, &offer, sizeof(offer), &fd, 1));
	NEED(!setgid(65534) && !setuid(65534));
	context = test_open(0);
	FAILS(ibv_import_pd(context, TEST_CHILD_SOCK, offer.pd), EINVAL);
	FAILS(ibv_import_pd(context, 1000, offer.pd), EBADF);
	FAILS(ibv_import_pd(context, ibv_context_to_fd(context), offer.pd),
	      ENOENT);
	pd = ibv_import_pd(context, fd, offer.pd);
	CHECK(pd, "import_pd without privileges: %s", strerror(errno));
	mr = ibv_import_mr(context, fd, offer.mr);
	CHECK(mr && mr->lkey == offer.lkey, "import_mr without privileges: %s",
	      strerror(errno));
	return test_child_end();
}

/*
 * Two descriptors are enough: one of a context to be in, one to import from.
 * It needs a provider that can import contexts.
 */
static void two_descriptors(struct ibv_context *ex, const struct offer *offer)
{
	struct ibv_context *work = test_open(0), *imported;
	int fd = dup(ibv_context_to_fd(work));
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	NEED(fd >= 0);
	if (!test_has_import_ops()) {
		FAILS(ibv_import_device(fd), EOPNOTSUPP);
		close(fd);
		ibv_close_device(work);
		return;
	}
	imported = ibv_import_device(fd);
	NEED(imported);
	NEED(pd = ibv_import_pd(imported, ibv_context_to_fd(ex), offer->pd));
	NEED(mr = ibv_import_mr(imported, ibv_context_to_fd(ex), offer->mr));
	CHECK(mr->pd == pd && mr->lkey == offer->lkey, "members");
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(imported), 0);
	RETURNS(ibv_close_device(work), 0);
}

static void promise_8(void)
{
	struct test_counts base = test_count();
	struct ibv_context *ex = test_open(0);
	struct owner o = make_owner();
	struct test_process process = test_start("stranger");
	int fd = ibv_context_to_fd(ex), status;
	struct offer offer = {
		.pd = export_pd(o.pd, ex),
		.mr = export_mr(o.mr, ex),
		.lkey = o.mr->lkey,
	};

	test_send(process.sock, &offer, sizeof(offer), &fd, 1);
	status = test_reap(&process);
	CHECK(!status, "the other process: status %#x", status);
	/* It ended with its aliases: they are gone, the owner's are not. */
	MORE_THAN(&base, 1, 1);
	two_descriptors(ex, &offer);
	MORE_THAN(&base, 1, 1);
	end_owner(&o);
	RETURNS(ibv_close_device(ex), 0);
	SAME_AS(&base);
}

int main(int argc, char *argv[])
{
	int fds;

	if (argc > 1 && !strcmp(argv[1], "stranger"))
		return stranger();
	memory = test_memory(SIZE);
	ibv_close_device(test_open(0));
	fds = test_open_fds();
	promise_1();
	promise_2();
	promise_3();
	promise_4();
	promise_5();
	promise_6();
	promise_7();
	promise_8();
	CHECK(test_open_fds() == fds, "descriptors left open");
	return test_end();
}
