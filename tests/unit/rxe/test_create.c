// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queues made and resized by a kernel that may say anything: sound ones work,
 * unsound ones are refused and undone, and memory that runs out leaves nothing.
 * The command fd is a memory file, with the rings where the replies say.
 */
#include "alloc_fail.h"
#include "provider_kernel.h"
#include "ring.h"
#include "rxe.h"

extern const struct verbs_device_ops verbs_provider_rxe;

#define RING 8192 /* bytes that each ring has in the file */
#define SEND_AT 0
#define RECV_AT RING
#define NEXT_AT (2 * RING) /* where resizing puts a ring */

/* What the kernel answers to the commands of a test */
static struct reply {
	struct core_reply core;
	struct mminfo first, second; /* the driver's part */
	struct mminfo srq_resize;
} reply;

static void put_driver_part(struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct ib_uverbs_attr *attr =
		kernel_find_attr(hdr, UVERBS_ATTR_UHW_OUT);
	struct mminfo info[2] = { reply.first, reply.second };

	if (attr)
		memcpy((void *)(uintptr_t)attr->data, info,
		       attr->len < sizeof(info) ? attr->len : sizeof(info));
	else
		provider_kernel.strange++;
}

static int old_command(struct ib_uverbs_ioctl_hdr *hdr, uint32_t command)
{
	const struct ib_uverbs_attr *in =
		kernel_find_attr(hdr, UVERBS_ATTR_UHW_IN);
	struct ib_uverbs_resize_cq_resp resize = { .cqe = reply.core.cqe };
	const struct rxe_modify_srq_cmd *srq;

	if (reply.core.error)
		return reply.core.error;
	switch (command) {
	case IB_USER_VERBS_CMD_ALLOC_PD:
		provider_kernel.live++;
		return 0;
	case IB_USER_VERBS_CMD_RESIZE_CQ:
		provider_kernel_put(hdr, UVERBS_ATTR_CORE_OUT, &resize,
				    sizeof(resize));
		put_driver_part(hdr);
		return 0;
	case IB_USER_VERBS_CMD_MODIFY_SRQ:
		/* Eight bytes or fewer stand in the attribute itself. */
		if (!in || in->len != sizeof(*srq)) {
			provider_kernel.strange++;
			return EINVAL;
		}
		srq = (const void *)&in->data;
		if (srq->mmap_info_addr)
			*(struct mminfo *)(uintptr_t)srq->mmap_info_addr =
				reply.srq_resize;
		return 0;
	default:
		return 0;
	}
}

static struct rxe_queue_buf *ring_at(size_t offset)
{
	return (void *)(provider_kernel.memory + offset);
}

static int open_context(void **state)
{
	static const struct provider_driver driver = {
		.ops = &verbs_provider_rxe,
		.memory = 3 * RING,
		.reply = &reply.core,
		.put_driver_part = put_driver_part,
		.old_command = old_command,
	};

	reply = (struct reply){
		.core = {
			.cqe = 7,
			.max_wr = 7,
			.max_sge = 2,
			.cap = { 7, 7, 4, 4, 64 },
		},
		.first = { .offset = RECV_AT, .size = RING },
		.second = { .offset = SEND_AT, .size = RING },
		.srq_resize = { .offset = NEXT_AT, .size = RING },
	};
	if (provider_kernel_setup(&driver, state))
		return -1;
	/* Slots of 512 bytes, 8 of them, and CQ entries of 64 */
	ring_format(ring_at(SEND_AT), 9, 8);
	ring_format(ring_at(RECV_AT), 9, 8);
	ring_format(ring_at(NEXT_AT), 9, 8);
	return 0;
}

static void sound(void **state)
{
	struct ibv_context *context = *state;
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_cq *cq = ibv_create_cq(context, 7, NULL, NULL, 0);
	struct ibv_srq_init_attr srq_attr = { .attr = { 7, 2, 0 } };
	struct ibv_srq *srq = ibv_create_srq(pd, &srq_attr);
	struct ibv_qp_init_attr attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { 7, 7, 4, 4, 64 },
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_qp *qp = ibv_create_qp(pd, &attr);
	struct ibv_qp *with_srq;

	assert_non_null(qp);
	assert_non_null(srq);
	assert_ptr_not_equal(to_rxe_qp(qp)->sq.queue.buf,
			     to_rxe_qp(qp)->rq.queue.buf);
	assert_int_equal(to_rxe_qp(qp)->sq.max_inline, 64);

	/* With an SRQ there is nothing to map for receiving. */
	attr.srq = srq;
	reply.first.size = 1;
	with_srq = ibv_create_qp(pd, &attr);
	assert_non_null(with_srq);
	assert_null(to_rxe_qp(with_srq)->rq.queue.buf);
	reply.first.size = RING;

	assert_int_equal(ibv_destroy_qp(with_srq), 0);
	assert_int_equal(ibv_destroy_qp(qp), 0);
	assert_int_equal(ibv_destroy_srq(srq), 0);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
}

/* Each makes one object and expects it to be refused with EPROTO. */
static void refused_cq(struct ibv_context *context)
{
	errno = 0;
	assert_null(ibv_create_cq(context, 7, NULL, NULL, 0));
	assert_int_equal(errno, EPROTO);
}

static void refused_qp(struct ibv_pd *pd, struct ibv_cq *cq)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { 7, 7, 4, 4, 64 },
		.qp_type = IBV_QPT_UD,
	};

	errno = 0;
	assert_null(ibv_create_qp(pd, &attr));
	assert_int_equal(errno, EPROTO);
	assert_int_equal(attr.cap.max_send_wr, 7);
}

static void refused_srq(struct ibv_pd *pd)
{
	struct ibv_srq_init_attr attr = { .attr = { 7, 2, 0 } };

	errno = 0;
	assert_null(ibv_create_srq(pd, &attr));
	assert_int_equal(errno, EPROTO);
}

static void unsound(void **state)
{
	struct ibv_context *context = *state;
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_cq *cq = ibv_create_cq(context, 7, NULL, NULL, 0);
	const struct reply good = reply;

	assert_non_null(cq);
	reply.first.size = 100;
	refused_cq(context);
	refused_srq(pd);
	refused_qp(pd, cq);
	reply = good;
	reply.second.size = 0;
	refused_qp(pd, cq);
	reply = good;

	/* More entries than the ring has */
	reply.core.cqe = 8;
	refused_cq(context);
	reply.core.cqe = -1;
	refused_cq(context);
	reply.core.max_wr = 8;
	refused_srq(pd);
	reply = good;
	reply.core.max_sge = 0x10000000;
	refused_srq(pd);
	reply = good;
	reply.core.cap.max_inline_data = 100000;
	refused_qp(pd, cq);
	reply = good;
	reply.core.cap.max_recv_sge = 0xffffffff;
	refused_qp(pd, cq);
	reply = good;
	reply.core.cap.max_send_wr = 1000;
	refused_qp(pd, cq);
	reply = good;

	/* Rings that lie about themselves */
	ring_at(RECV_AT)->index_mask = 0xffffff;
	refused_cq(context);
	refused_srq(pd);
	refused_qp(pd, cq);
	ring_at(RECV_AT)->index_mask = 7;
	ring_at(SEND_AT)->log2_elem_size = 3;
	refused_qp(pd, cq);
	ring_at(SEND_AT)->log2_elem_size = 9;

	/* A place that cannot be mapped: the system's own error */
	reply.first.offset = 1;
	errno = 0;
	assert_null(ibv_create_cq(context, 7, NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
	reply = good;

	/* The kernel's own error, passed on */
	reply.core.error = ENOSPC;
	errno = 0;
	assert_null(ibv_create_cq(context, 7, NULL, NULL, 0));
	assert_int_equal(errno, ENOSPC);
	reply = good;
	assert_int_equal(provider_kernel.live, 2);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
}

/* After the kernel has moved to a ring that we cannot use, nothing happens. */
static void lost_on_resize(void **state)
{
	struct ibv_context *context = *state;
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_cq *cq = ibv_create_cq(context, 7, NULL, NULL, 0);
	struct ibv_srq_init_attr attr = { .attr = { 7, 2, 0 } };
	struct ibv_srq *srq = ibv_create_srq(pd, &attr);
	struct ibv_srq_attr more = { .max_wr = 7 };
	struct ibv_recv_wr wr = {}, *bad;
	struct ibv_wc wc;

	assert_non_null(cq);
	assert_non_null(srq);
	reply.first.offset = NEXT_AT;
	ring_at(NEXT_AT)->log2_elem_size = 1;
	ring_at(RECV_AT)->producer_index = 3;
	assert_int_equal(ibv_poll_cq(cq, 1, &wc), 1);
	assert_int_equal(ibv_resize_cq(cq, 7), EPROTO);
	assert_int_equal(ibv_poll_cq(cq, 1, &wc), 0);
	assert_int_equal(ibv_modify_srq(srq, &more, IBV_SRQ_MAX_WR), EPROTO);
	assert_int_equal(ibv_post_srq_recv(srq, &wr, &bad), ENOMEM);
	assert_ptr_equal(bad, &wr);

	/* And the next good one brings everything back. */
	ring_at(NEXT_AT)->log2_elem_size = 9;
	ring_at(NEXT_AT)->producer_index = 2;
	assert_int_equal(ibv_resize_cq(cq, 7), 0);
	assert_int_equal(ibv_poll_cq(cq, 1, &wc), 1);
	ring_at(NEXT_AT)->producer_index = 0;
	ring_at(NEXT_AT)->consumer_index = 0;
	assert_int_equal(ibv_modify_srq(srq, &more, IBV_SRQ_MAX_WR), 0);
	assert_int_equal(ibv_post_srq_recv(srq, &wr, &bad), 0);
	assert_int_equal(ring_at(NEXT_AT)->producer_index, 1);

	/* Refused by the kernel: the queue stays. */
	reply.core.error = EINVAL;
	assert_int_equal(ibv_modify_srq(srq, &more, IBV_SRQ_MAX_WR), EINVAL);
	assert_int_equal(ibv_post_srq_recv(srq, &wr, &bad), 0);
	reply.core.error = 0;

	assert_int_equal(ibv_destroy_srq(srq), 0);
	assert_int_equal(ibv_destroy_cq(cq), 0);
	assert_int_equal(ibv_dealloc_pd(pd), 0);
}

static bool make_all(void *context)
{
	struct ibv_srq_init_attr srq_attr = { .attr = { 7, 2, 0 } };
	struct ibv_td_init_attr td_attr = {};
	struct ibv_parent_domain_init_attr domain_attr = {};
	struct ibv_cq *cq = NULL;
	struct ibv_srq *srq = NULL;
	struct ibv_qp *qp = NULL;
	struct ibv_td *td = NULL;
	struct ibv_pd *pd, *domain = NULL;

	pd = ibv_alloc_pd(context);
	if (pd)
		td = ibv_alloc_td(context, &td_attr);
	domain_attr.pd = pd;
	domain_attr.td = td;
	if (td)
		domain = ibv_alloc_parent_domain(context, &domain_attr);
	if (domain)
		cq = ibv_create_cq(context, 7, NULL, NULL, 0);
	if (cq)
		srq = ibv_create_srq(domain, &srq_attr);
	if (srq) {
		struct ibv_qp_init_attr attr = {
			.send_cq = cq,
			.recv_cq = cq,
			.srq = srq,
			.cap = { 7, 7, 4, 4, 64 },
			.qp_type = IBV_QPT_RC,
		};

		qp = ibv_create_qp(domain, &attr);
	}
	bool made = qp != NULL;

	if (qp)
		ibv_destroy_qp(qp);
	if (srq)
		ibv_destroy_srq(srq);
	if (cq)
		ibv_destroy_cq(cq);
	if (domain)
		ibv_dealloc_pd(domain);
	if (td)
		ibv_dealloc_td(td);
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

#define context_test(_fn)                                  \
	cmocka_unit_test_setup_teardown(_fn, open_context, \
					provider_kernel_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		context_test(sound),
		context_test(unsound),
		context_test(lost_on_resize),
		context_test(out_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
