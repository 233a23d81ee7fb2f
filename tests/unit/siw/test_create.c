// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Objects made by a kernel that may say anything: sound ones work, unsound ones
 * are refused and undone, and memory that runs out leaves nothing.
 */
#include <sys/mman.h>

#include "alloc_fail.h"
#include "siw_kernel.h"

static const struct ibv_qp_cap asked = { 7, 6, 4, 4, 64 };

static struct ibv_qp_init_attr qp_attr(struct ibv_cq *cq)
{
	return (struct ibv_qp_init_attr){
		.send_cq = cq,
		.recv_cq = cq,
		.cap = asked,
		.qp_type = IBV_QPT_RC,
	};
}

static void sound(void **state)
{
	struct ibv_context *context = *state;
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_cq *cq = ibv_create_cq(context, 7, NULL, NULL, 0);
	struct ibv_srq_init_attr srq_attr = { .attr = { 7, 3, 0 } };
	struct ibv_srq *srq = ibv_create_srq(pd, &srq_attr);
	struct ibv_qp_init_attr attr = qp_attr(cq);
	struct ibv_qp *qp = ibv_create_qp(pd, &attr);
	struct ibv_qp *other;

	assert_non_null(cq);
	assert_non_null(srq);
	assert_non_null(qp);
	assert_int_equal(cq->cqe, 8);
	assert_ptr_equal(to_siw_cq(cq)->ctrl,
			 (struct siw_cqe *)to_siw_cq(cq)->ring.entries + 8);
	assert_int_equal(srq_attr.attr.max_wr, 8);
	assert_int_equal(attr.cap.max_send_wr, 8);
	assert_int_equal(attr.cap.max_recv_wr, 8);
	assert_int_equal(attr.cap.max_send_sge, 4);
	assert_int_equal(attr.cap.max_inline_data, 80);

	/* With an SRQ, or with nothing asked for, there is no receive queue. */
	siw_kernel.qp.rq_key = 1;
	attr = qp_attr(cq);
	attr.srq = srq;
	other = ibv_create_qp(pd, &attr);
	assert_non_null(other);
	assert_null(to_siw_qp(other)->rq.ring.entries);
	assert_int_equal(ibv_destroy_qp(other), 0);
	siw_kernel.core.cap.max_recv_wr = 0;
	attr = qp_attr(cq);
	attr.cap.max_recv_wr = 0;
	other = ibv_create_qp(pd, &attr);
	assert_non_null(other);
	assert_null(to_siw_qp(other)->rq.ring.entries);
	assert_int_equal(ibv_destroy_qp(other), 0);

	assert_int_equal(ibv_destroy_qp(qp), 0);
	assert_int_equal(ibv_destroy_srq(srq), 0);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
}

/* Each makes one object and expects it to be refused. */
static void refused_cq(struct ibv_context *context, int err)
{
	errno = 0;
	assert_null(ibv_create_cq(context, 7, NULL, NULL, 0));
	assert_int_equal(errno, err);
}

static void refused_qp(struct ibv_pd *pd, struct ibv_cq *cq, int err)
{
	struct ibv_qp_init_attr attr = qp_attr(cq);

	errno = 0;
	assert_null(ibv_create_qp(pd, &attr));
	assert_int_equal(errno, err);
	assert_memory_equal(&attr.cap, &asked, sizeof(asked));
}

static void refused_srq(struct ibv_pd *pd, int err)
{
	struct ibv_srq_init_attr attr = { .attr = { 7, 3, 0 } };

	errno = 0;
	assert_null(ibv_create_srq(pd, &attr));
	assert_int_equal(errno, err);
	assert_int_equal(attr.attr.max_wr, 7);
}

static void unsound(void **state)
{
	/* None, no power of two, fewer than there must be, absurd */
	static const uint32_t numbers[] = { 0, 7, 9, 4, 0xffffffff };
	struct ibv_context *context = *state;
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_cq *cq = ibv_create_cq(context, 7, NULL, NULL, 0);
	struct siw_kernel *k = &siw_kernel;
	const struct siw_kernel good = *k;
	size_t i;
#define BAD(_what, _how)             \
	do {                         \
		_what;               \
		_how;                \
		k->cq = good.cq;     \
		k->qp = good.qp;     \
		k->srq = good.srq;   \
		k->core = good.core; \
	} while (0)

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		BAD(k->cq.num_cqe = numbers[i], refused_cq(context, EPROTO));
		BAD(k->srq.num_rqe = numbers[i], refused_srq(pd, EPROTO));
		BAD(k->qp.num_sqe = numbers[i], refused_qp(pd, cq, EPROTO));
		BAD(k->qp.num_rqe = numbers[i], refused_qp(pd, cq, EPROTO));
	}
	/* The core and the driver do not agree. */
	BAD(k->core.cqe = 9, refused_cq(context, EPROTO));
	BAD(k->core.cqe = 0x80000000, refused_cq(context, EPROTO));
	BAD(k->core.max_wr = 9, refused_srq(pd, EPROTO));
	BAD(k->core.cap.max_send_wr = 9, refused_qp(pd, cq, EPROTO));
	BAD(k->core.cap.max_recv_wr = 9, refused_qp(pd, cq, EPROTO));
	/* More SGEs than an entry has */
	BAD(k->core.max_sge = 7, refused_srq(pd, EPROTO));
	BAD(k->core.cap.max_send_sge = 7, refused_qp(pd, cq, EPROTO));
	BAD(k->core.cap.max_recv_sge = 0xffffffff, refused_qp(pd, cq, EPROTO));

	/* A place that cannot be mapped: the system's own error */
	BAD(k->cq.cq_key = 1, refused_cq(context, EINVAL));
	BAD(k->srq.srq_key = 1, refused_srq(pd, EINVAL));
	BAD(k->qp.sq_key = 1, refused_qp(pd, cq, EINVAL));
	BAD(k->qp.rq_key = 1, refused_qp(pd, cq, EINVAL));

	/* The kernel's own error, passed on */
	BAD(k->core.error = ENOSPC, refused_cq(context, ENOSPC));
	BAD(k->core.error = ENOSPC, refused_srq(pd, ENOSPC));
	BAD(k->core.error = ENOSPC, refused_qp(pd, cq, ENOSPC));
	assert_int_equal(provider_kernel.live, 2);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
}

static void other_types(void **state)
{
	struct ibv_pd *pd = ibv_alloc_pd(*state);
	struct ibv_cq *cq = ibv_create_cq(*state, 7, NULL, NULL, 0);
	struct ibv_qp_init_attr attr = qp_attr(cq);

	attr.qp_type = IBV_QPT_UD;
	errno = 0;
	assert_null(ibv_create_qp(pd, &attr));
	assert_int_equal(errno, EOPNOTSUPP);
	assert_int_equal(provider_kernel.live, 2);
	assert_int_equal(ibv_resize_cq(cq, 16), EOPNOTSUPP);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
}

static void regions(void **state)
{
	struct ibv_pd *pd = ibv_alloc_pd(*state);
	char memory[64];
	struct ibv_mr *mr =
		ibv_reg_mr(pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE);

	assert_non_null(mr);
	assert_int_equal(mr->lkey, 0x12345600);
	assert_int_equal(mr->rkey, 0x12345600);
	assert_int_equal(siw_kernel.stag_request, 8);
	assert_int_equal(siw_kernel.stag_key, 0);
	assert_int_equal(ibv_dereg_mr(mr), 0);
	errno = 0;
	assert_null(ibv_reg_mr_iova(pd, memory, sizeof(memory), 0, 0));
	assert_int_equal(errno, EOPNOTSUPP);
	siw_kernel.core.error = ENOSPC;
	errno = 0;
	assert_null(ibv_reg_mr(pd, memory, sizeof(memory), 0));
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(provider_kernel.live, 1);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
}

/* The two-argument verbs: wrapped and unwrapped without a command that counts */
static void imported(void **state)
{
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	assert_false(to_siw_context(*state)->foreign_memory);
	pd = ibv_import_pd(*state, 5);
	assert_non_null(pd);
	assert_true(to_siw_context(*state)->foreign_memory);
	assert_int_equal(pd->handle, 5);
	assert_ptr_equal(pd->context, *state);
	mr = ibv_import_mr(pd, 6);
	assert_non_null(mr);
	assert_int_equal(mr->lkey, 0x12345600);
	ibv_unimport_mr(mr);
	ibv_unimport_pd(pd);
}

static bool make_all(void *context)
{
	struct ibv_srq_init_attr srq_attr = { .attr = { 7, 3, 0 } };
	struct ibv_cq *cq = NULL;
	struct ibv_srq *srq = NULL;
	struct ibv_qp *qp = NULL;
	struct ibv_mr *mr = NULL;
	struct ibv_pd *pd;
	bool made = false;
	char memory[64];

	pd = ibv_alloc_pd(context);
	if (pd)
		mr = ibv_reg_mr(pd, memory, sizeof(memory), 0);
	if (mr)
		cq = ibv_create_cq(context, 7, NULL, NULL, 0);
	if (cq)
		srq = ibv_create_srq(pd, &srq_attr);
	if (srq) {
		struct ibv_qp_init_attr attr = qp_attr(cq);

		qp = ibv_create_qp(pd, &attr);
	}
	if (qp) {
		struct ibv_pd *pd2 = ibv_import_pd(context, 5);
		struct ibv_mr *mr2 = pd2 ? ibv_import_mr(pd2, 6) : NULL;

		made = mr2;
		if (mr2)
			ibv_unimport_mr(mr2);
		if (pd2)
			ibv_unimport_pd(pd2);
		ibv_destroy_qp(qp);
	}
	if (srq)
		ibv_destroy_srq(srq);
	if (cq)
		ibv_destroy_cq(cq);
	if (mr)
		ibv_dereg_mr(mr);
	if (pd)
		ibv_dealloc_pd(pd);
	return made;
}

static void out_of_memory(void **state)
{
	/* What the library keeps for the context's life is made now. */
	assert_true(make_all(*state));
	alloc_fail_each(make_all, *state, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		siw_test(sound),    siw_test(unsound),
		siw_test(regions),  siw_test(other_types),
		siw_test(imported), siw_test(out_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
