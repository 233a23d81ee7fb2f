// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Asynchronous events: which object each is of, and how it is acknowledged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "priv.h"

enum object { PORT, CQ, QP, SRQ, WQ };

static const enum object object_of[] = {
	[IBV_EVENT_CQ_ERR] = CQ,
	[IBV_EVENT_QP_FATAL] = QP,
	[IBV_EVENT_QP_REQ_ERR] = QP,
	[IBV_EVENT_QP_ACCESS_ERR] = QP,
	[IBV_EVENT_COMM_EST] = QP,
	[IBV_EVENT_SQ_DRAINED] = QP,
	[IBV_EVENT_PATH_MIG] = QP,
	[IBV_EVENT_PATH_MIG_ERR] = QP,
	[IBV_EVENT_DEVICE_FATAL] = PORT,
	[IBV_EVENT_PORT_ACTIVE] = PORT,
	[IBV_EVENT_PORT_ERR] = PORT,
	[IBV_EVENT_LID_CHANGE] = PORT,
	[IBV_EVENT_PKEY_CHANGE] = PORT,
	[IBV_EVENT_SM_CHANGE] = PORT,
	[IBV_EVENT_SRQ_ERR] = SRQ,
	[IBV_EVENT_SRQ_LIMIT_REACHED] = SRQ,
	[IBV_EVENT_QP_LAST_WQE_REACHED] = QP,
	[IBV_EVENT_CLIENT_REREGISTER] = PORT,
	[IBV_EVENT_GID_CHANGE] = PORT,
	[IBV_EVENT_WQ_FATAL] = WQ,
	[IBV_EVENT_WQ_FATAL + 1] = PORT,
};

static struct verbs_context *vctx;
static int kernel_end;
static struct ibv_async_event op_saw;
static unsigned int op_calls;

static void async_event(struct ibv_context *context,
			struct ibv_async_event *event)
{
	assert_ptr_equal(context, &vctx->context);
	op_saw = *event;
	op_calls++;
}

static int setup(void **state)
{
	static const struct verbs_device_ops device_ops;
	static struct verbs_device vdev = { .ops = &device_ops, .refcount = 1 };
	const struct verbs_context_ops ops = { .async_event = async_event };
	int fds[2];

	(void)state;
	vctx = _verbs_init_and_alloc_context(&vdev.device, -1, sizeof(*vctx),
					     NULL, RDMA_DRIVER_UNKNOWN);
	if (!vctx || pipe(fds))
		return -1;
	verbs_set_ops(vctx, &ops);
	vctx->context.async_fd = fds[0];
	kernel_end = fds[1];
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close(kernel_end);
	verbs_uninit_context(vctx);
	free(vctx);
	return 0;
}

static void send_record(uint64_t element, uint32_t type, size_t len)
{
	struct ib_uverbs_async_event_desc record = {
		.element = element,
		.event_type = type,
		.reserved = 0xdeadbeef,
	};

	assert_int_equal(write(kernel_end, &record, len), len);
}

static void every_type(void **state)
{
	struct ibv_cq cq = { .mutex = PTHREAD_MUTEX_INITIALIZER };
	struct ibv_qp qp = { .mutex = PTHREAD_MUTEX_INITIALIZER };
	struct ibv_srq srq = { .mutex = PTHREAD_MUTEX_INITIALIZER };
	struct ibv_wq wq = { .mutex = PTHREAD_MUTEX_INITIALIZER };
	void *const objects[] = { NULL, &cq, &qp, &srq, &wq };
	uint32_t counts[5] = {};
	struct ibv_async_event event;
	uint32_t type;

	(void)state;
	for (type = 0; type < sizeof(object_of) / sizeof(object_of[0]);
	     type++) {
		enum object object = object_of[type];

		send_record(object == PORT ? 0x100000003
					   : (uintptr_t)objects[object],
			    type, sizeof(struct ib_uverbs_async_event_desc));
		memset(&event, 0xee, sizeof(event));
		op_calls = 0;
		assert_int_equal(ibv_get_async_event(&vctx->context, &event),
				 0);
		assert_int_equal(event.event_type, type);
		if (object == PORT)
			assert_int_equal(event.element.port_num, 3);
		else
			assert_ptr_equal(event.element.cq, objects[object]);
		assert_int_equal(op_calls, 1);
		assert_memory_equal(&op_saw, &event, sizeof(event));

		ibv_ack_async_event(&event);
		counts[object]++;
		counts[PORT] = 0;
		assert_int_equal(cq.async_events_completed, counts[CQ]);
		assert_int_equal(cq.comp_events_completed, 0);
		assert_int_equal(qp.events_completed, counts[QP]);
		assert_int_equal(srq.events_completed, counts[SRQ]);
		assert_int_equal(wq.events_completed, counts[WQ]);
	}
}

static void an_unknown_type_has_a_number(void **state)
{
	struct ibv_async_event event;

	(void)state;
	send_record(0xffffffff00000001, 0x80000000,
		    sizeof(struct ib_uverbs_async_event_desc));
	assert_int_equal(ibv_get_async_event(&vctx->context, &event), 0);
	assert_int_equal(event.event_type, 0x80000000);
	assert_int_equal(event.element.port_num, 1);
	ibv_ack_async_event(&event);
}

static void no_whole_record(void **state)
{
	struct ibv_async_event event, untouched;
	size_t len;

	(void)state;
	memset(&untouched, 0xee, sizeof(untouched));
	event = untouched;
	op_calls = 0;

	fcntl(vctx->context.async_fd, F_SETFL, O_NONBLOCK);
	errno = 0;
	assert_int_equal(ibv_get_async_event(&vctx->context, &event), -1);
	assert_int_equal(errno, EAGAIN);
	for (len = 1; len < sizeof(struct ib_uverbs_async_event_desc); len++) {
		send_record(1, IBV_EVENT_CQ_ERR, len);
		errno = 0;
		assert_int_equal(ibv_get_async_event(&vctx->context, &event),
				 -1);
		assert_int_equal(errno, EIO);
	}
	/* The device is gone. */
	close(kernel_end);
	errno = 0;
	assert_int_equal(ibv_get_async_event(&vctx->context, &event), -1);
	assert_int_equal(errno, EIO);
	kernel_end = open("/dev/null", O_WRONLY);

	assert_int_equal(op_calls, 0);
	assert_memory_equal(&event, &untouched, sizeof(event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_type, setup, teardown),
		cmocka_unit_test_setup_teardown(an_unknown_type_has_a_number,
						setup, teardown),
		cmocka_unit_test_setup_teardown(no_whole_record, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
