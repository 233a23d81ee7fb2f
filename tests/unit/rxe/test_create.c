// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queues made and resized by a kernel that may say anything: sound ones work,
 * unsound ones are refused and undone, and memory that runs out leaves nothing.
 * The command fd is a memory file, with the rings where the replies say.
 */
#include "kernel_script.h"
#include "alloc_fail.h"
#include "ring.h"
#include "rxe.h"

#include <sys/mman.h>
#include <unistd.h>

extern const struct verbs_device_ops verbs_provider_rxe;

#define RING 8192 /* bytes that each ring has in the file */
#define SEND_AT 0
#define RECV_AT RING
#define NEXT_AT (2 * RING) /* where resizing puts a ring */

static struct verbs_device device;
static uint8_t *memory;

/* What the kernel answers to the commands of a test */
static struct reply {
	struct mminfo first, second; /* the driver's part */
	uint32_t cqe, max_wr, max_sge;
	struct ib_uverbs_qp_cap cap;
	struct mminfo srq_resize;
	int error;
} reply;
static int live, strange;

static const struct ib_uverbs_attr *find(struct ib_uverbs_ioctl_hdr *hdr,
					 uint16_t id)
{
	const struct ib_uverbs_attr *attr = (void *)(hdr + 1);
	int i;

	for (i = 0; i < hdr->num_attrs; i++)
		if (attr[i].attr_id == id)
			return &attr[i];
	return NULL;
}

static void put(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id, const void *bytes,
		size_t len)
{
	const struct ib_uverbs_attr *attr = find(hdr, id);

	if (attr && attr->len >= len)
		memcpy((void *)(uintptr_t)attr->data, bytes, len);
	else
		strange++;
}

static void put_driver_part(struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct ib_uverbs_attr *attr = find(hdr, UVERBS_ATTR_UHW_OUT);
	struct mminfo info[2] = { reply.first, reply.second };

	if (attr)
		memcpy((void *)(uintptr_t)attr->data, info,
		       attr->len < sizeof(info) ? attr->len : sizeof(info));
	else
		strange++;
}

static void put_handle(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id)
{
	struct ib_uverbs_attr *attr = (void *)(uintptr_t)find(hdr, id);

	if (attr)
		attr->data = 9;
	live++;
}

static int old_command(struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct ib_uverbs_attr *cmd = find(hdr, UVERBS_ATTR_WRITE_CMD);
	const struct ib_uverbs_attr *in = find(hdr, UVERBS_ATTR_UHW_IN);
	struct ib_uverbs_resize_cq_resp resize = { .cqe = reply.cqe };
	const struct rxe_modify_srq_cmd *srq;

	switch (cmd ? cmd->data : 0) {
	case IB_USER_VERBS_CMD_ALLOC_PD:
		live++;
		return 0;
	case IB_USER_VERBS_CMD_RESIZE_CQ:
		put(hdr, UVERBS_ATTR_CORE_OUT, &resize, sizeof(resize));
		put_driver_part(hdr);
		return 0;
	case IB_USER_VERBS_CMD_MODIFY_SRQ:
		/* Eight bytes or fewer stand in the attribute itself. */
		if (!in || in->len != sizeof(*srq)) {
			strange++;
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

static int answer(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	(void)fd;
	(void)arg;
	if (hdr->object_id == UVERBS_OBJECT_DEVICE) {
		if (hdr->method_id != UVERBS_METHOD_INVOKE_WRITE)
			return 0;
		return reply.error ? reply.error : old_command(hdr);
	}
	if (hdr->object_id == UVERBS_OBJECT_CQ &&
	    hdr->method_id == UVERBS_METHOD_CQ_CREATE) {
		if (reply.error)
			return reply.error;
		put_handle(hdr, UVERBS_ATTR_CREATE_CQ_HANDLE);
		put(hdr, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &reply.cqe, 4);
		put_driver_part(hdr);
		return 0;
	}
	if (hdr->object_id == UVERBS_OBJECT_SRQ &&
	    hdr->method_id == UVERBS_METHOD_SRQ_CREATE) {
		if (reply.error)
			return reply.error;
		put_handle(hdr, UVERBS_ATTR_CREATE_SRQ_HANDLE);
		put(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &reply.max_wr, 4);
		put(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &reply.max_sge,
		    4);
		put_driver_part(hdr);
		return 0;
	}
	if (hdr->object_id == UVERBS_OBJECT_QP &&
	    hdr->method_id == UVERBS_METHOD_QP_CREATE) {
		if (reply.error)
			return reply.error;
		put_handle(hdr, UVERBS_ATTR_CREATE_QP_HANDLE);
		put(hdr, UVERBS_ATTR_CREATE_QP_RESP_CAP, &reply.cap,
		    sizeof(reply.cap));
		put_driver_part(hdr);
		return 0;
	}
	/* All others here destroy. */
	live--;
	return 0;
}

static struct rxe_queue_buf *ring_at(size_t offset)
{
	return (void *)(memory + offset);
}

static int open_context(void **state)
{
	struct verbs_context *vctx;
	int fd = memfd_create("rxe", 0);

	if (fd < 0 || ftruncate(fd, 3 * RING))
		return -1;
	memory =
		mmap(NULL, 3 * RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return -1;
	/* Slots of 512 bytes, 8 of them, and CQ entries of 64 */
	ring_format(ring_at(SEND_AT), 9, 8);
	ring_format(ring_at(RECV_AT), 9, 8);
	ring_format(ring_at(NEXT_AT), 9, 8);
	memset(&reply, 0, sizeof(reply));
	reply.first = (struct mminfo){ .offset = RECV_AT, .size = RING };
	reply.second = (struct mminfo){ .offset = SEND_AT, .size = RING };
	reply.srq_resize = (struct mminfo){ .offset = NEXT_AT, .size = RING };
	reply.cqe = 7;
	reply.max_wr = 7;
	reply.max_sge = 2;
	reply.cap = (struct ib_uverbs_qp_cap){ 7, 7, 4, 4, 64 };
	live = strange = 0;
	kernel_answer_with(answer, NULL);

	memset(&device, 0, sizeof(device));
	device.ops = &verbs_provider_rxe;
	atomic_store(&device.refcount, 1000);
	vctx = verbs_provider_rxe.alloc_context(&device.device, fd, NULL);
	if (!vctx)
		return -1;
	*state = &vctx->context;
	return 0;
}

static int close_context(void **state)
{
	int bad = live || strange;

	if (bad)
		print_error("%d objects left, %d strange commands\n", live,
			    strange);
	ibv_close_device(*state);
	munmap(memory, 3 * RING);
	kernel_answer_with(NULL, NULL);
	return bad;
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
	assert_ptr_equal(to_rxe_qp(qp)->sq.queue.buf->data,
			 to_rxe_qp(qp)->sq.queue.slots);
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
	reply.cqe = 8;
	refused_cq(context);
	reply.cqe = -1;
	refused_cq(context);
	reply.max_wr = 8;
	refused_srq(pd);
	reply = good;
	reply.max_sge = 0x10000000;
	refused_srq(pd);
	reply = good;
	reply.cap.max_inline_data = 100000;
	refused_qp(pd, cq);
	reply = good;
	reply.cap.max_recv_sge = 0xffffffff;
	refused_qp(pd, cq);
	reply = good;
	reply.cap.max_send_wr = 1000;
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
	reply.error = ENOSPC;
	errno = 0;
	assert_null(ibv_create_cq(context, 7, NULL, NULL, 0));
	assert_int_equal(errno, ENOSPC);
	reply = good;
	assert_int_equal(live, 2);
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
	reply.error = EINVAL;
	assert_int_equal(ibv_modify_srq(srq, &more, IBV_SRQ_MAX_WR), EINVAL);
	assert_int_equal(ibv_post_srq_recv(srq, &wr, &bad), 0);
	reply.error = 0;

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

#define context_test(_fn) \
	cmocka_unit_test_setup_teardown(_fn, open_context, close_context)

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
