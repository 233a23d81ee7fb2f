// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Destroying: errors, devices that are gone, events still to be acknowledged. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "kernel_script.h"
#include "priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))

/* ---- one call of each destroy function ---- */

static int dealloc_pd(struct ibv_context *context)
{
	struct ibv_pd pd = { .context = context, .handle = 4 };

	return ibv_cmd_dealloc_pd(&pd);
}

static int dereg_mr(struct ibv_context *context)
{
	struct verbs_mr mr = { .ibv_mr = { .context = context, .handle = 4 } };

	return ibv_cmd_dereg_mr(&mr);
}

static int dealloc_mw(struct ibv_context *context)
{
	struct ibv_mw mw = { .context = context, .handle = 4 };

	return ibv_cmd_dealloc_mw(&mw);
}

static int destroy_ah(struct ibv_context *context)
{
	struct ibv_ah ah = { .context = context, .handle = 4 };

	return ibv_cmd_destroy_ah(&ah);
}

static int detach_mcast(struct ibv_context *context)
{
	struct ibv_qp qp = { .context = context, .handle = 4 };
	const union ibv_gid gid = { .raw = { 0xff } };

	return ibv_cmd_detach_mcast(&qp, &gid, 1);
}

static int close_xrcd(struct ibv_context *context)
{
	struct verbs_xrcd xrcd = { .xrcd.context = context, .handle = 4 };

	return ibv_cmd_close_xrcd(&xrcd);
}

static int destroy_flow(struct ibv_context *context)
{
	struct ibv_flow flow = { .context = context, .handle = 4 };

	return ibv_cmd_destroy_flow(&flow);
}

static int destroy_flow_action(struct ibv_context *context)
{
	struct verbs_flow_action action = { .action.context = context,
					    .handle = 4 };

	return ibv_cmd_destroy_flow_action(&action);
}

static int destroy_counters(struct ibv_context *context)
{
	struct verbs_counters counters = { .counters.context = context,
					   .handle = 4 };

	return ibv_cmd_destroy_counters(&counters);
}

static int free_dm(struct ibv_context *context)
{
	struct verbs_dm dm = { .dm.context = context, .handle = 4 };

	return ibv_cmd_free_dm(&dm);
}

static int destroy_table(struct ibv_context *context)
{
	struct ibv_rwq_ind_table table = { .context = context,
					   .ind_tbl_handle = 4 };

	return ibv_cmd_destroy_rwq_ind_table(&table);
}

/*
 * Those with events have one left to be acknowledged: only a failure, or what
 * counts as success without one, returns at once.
 */
static int destroy_cq(struct ibv_context *context)
{
	struct ibv_cq cq = { .context = context,
			     .handle = 4,
			     .comp_events_completed = 1,
			     .async_events_completed = 1,
			     .mutex = PTHREAD_MUTEX_INITIALIZER };

	return ibv_cmd_destroy_cq(&cq);
}

static int destroy_srq(struct ibv_context *context)
{
	struct ibv_srq srq = { .context = context,
			       .handle = 4,
			       .events_completed = 1,
			       .mutex = PTHREAD_MUTEX_INITIALIZER };

	return ibv_cmd_destroy_srq(&srq);
}

static int destroy_qp(struct ibv_context *context)
{
	struct ibv_qp qp = { .context = context,
			     .handle = 4,
			     .events_completed = 1,
			     .mutex = PTHREAD_MUTEX_INITIALIZER };

	return ibv_cmd_destroy_qp(&qp);
}

static int destroy_wq(struct ibv_context *context)
{
	struct ibv_wq wq = { .context = context,
			     .handle = 4,
			     .events_completed = 1,
			     .mutex = PTHREAD_MUTEX_INITIALIZER };

	return ibv_cmd_destroy_wq(&wq);
}

static int (*const destroyers[])(struct ibv_context *context) = {
	dealloc_pd,	  dereg_mr,   dealloc_mw,    destroy_ah,
	detach_mcast,	  close_xrcd, destroy_flow,  destroy_flow_action,
	destroy_counters, free_dm,    destroy_table, destroy_cq,
	destroy_srq,	  destroy_qp, destroy_wq,
};

static int answer(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	(void)fd;
	(void)hdr;
	return *(int *)arg;
}

static void errors_of_destroying_are_reported(void **state)
{
	static const int errors[] = { EBUSY, EINVAL, EIO, ENOENT, EAGAIN };
	int err;

	kernel_answer_with(answer, &err);
	for (size_t i = 0; i < COUNT(errors); i++) {
		err = errors[i];
		for (size_t d = 0; d < COUNT(destroyers); d++) {
			errno = 0;
			assert_int_equal(destroyers[d](*state), err);
			assert_int_equal(errno, err);
		}
	}
}

static void objects_of_a_lost_device_count_as_destroyed(void **state)
{
	int err;

	kernel_answer_with(answer, &err);
	verbs_allow_disassociate_destroy = true;
	for (size_t d = 0; d < COUNT(destroyers); d++) {
		int ret;

		err = EIO;
		ret = destroyers[d](*state);
		err = EBUSY;
		if (ret || destroyers[d](*state) != EBUSY) {
			verbs_allow_disassociate_destroy = false;
			fail_msg("destroyer %zu", d);
		}
	}
	verbs_allow_disassociate_destroy = false;
}

/* The older form's EIO is as good. */
static int older_eio(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	(void)fd;
	(void)arg;
	return hdr->object_id == UVERBS_OBJECT_DEVICE &&
			       hdr->method_id == UVERBS_METHOD_INVOKE_WRITE
		       ? EIO
		       : EPROTONOSUPPORT;
}

static void a_lost_device_is_lost_to_older_commands_too(void **state)
{
	int (*const with_older[])(struct ibv_context * context) = {
		dealloc_pd,   dereg_mr,	   dealloc_mw,	 destroy_ah,
		detach_mcast, close_xrcd,  destroy_flow, destroy_table,
		destroy_cq,   destroy_srq, destroy_qp,	 destroy_wq,
	};

	kernel_answer_with(older_eio, NULL);
	for (size_t d = 0; d < COUNT(with_older); d++) {
		int before, after;

		before = with_older[d](*state);
		verbs_allow_disassociate_destroy = true;
		after = with_older[d](*state);
		verbs_allow_disassociate_destroy = false;
		assert_int_equal(before, EIO);
		assert_int_equal(after, 0);
	}
}

/* ---- waiting for acknowledgements ---- */

struct waiter {
	int (*destroy)(void *object);
	void *object;
	int ret;
	atomic_bool returned;
};

static void *wait_in_thread(void *arg)
{
	struct waiter *waiter = arg;

	waiter->ret = waiter->destroy(waiter->object);
	waiter->returned = true;
	return NULL;
}

static void ack(pthread_mutex_t *mutex, pthread_cond_t *cond, uint32_t *count)
{
	pthread_mutex_lock(mutex);
	++*count;
	pthread_cond_signal(cond);
	pthread_mutex_unlock(mutex);
}

/*
 * The destroyer must not return before the last of count events has been
 * acknowledged, and must then.  It cannot be seen to be waiting, so it is given
 * a moment to be wrong.
 */
static void check_waits(int (*destroy)(void *object), void *object,
			pthread_mutex_t *mutex, pthread_cond_t *cond,
			uint32_t *counts[], unsigned int num_counts)
{
	struct waiter waiter = { .destroy = destroy, .object = object };
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, wait_in_thread, &waiter),
			 0);
	for (unsigned int i = 0; i < num_counts; i++) {
		usleep(5000);
		assert_false(waiter.returned);
		ack(mutex, cond, counts[i]);
	}
	pthread_join(thread, NULL);
	assert_int_equal(waiter.ret, 0);
}

static int do_destroy_cq(void *cq)
{
	return ibv_cmd_destroy_cq(cq);
}

static int do_destroy_srq(void *srq)
{
	return ibv_cmd_destroy_srq(srq);
}

static int do_destroy_qp(void *qp)
{
	return ibv_cmd_destroy_qp(qp);
}

static int do_destroy_wq(void *wq)
{
	return ibv_cmd_destroy_wq(wq);
}

static void expect_destroy(uint16_t object, uint16_t method, uint16_t handle_id,
			   uint16_t resp_id, const void *resp, size_t len,
			   int err)
{
	struct kernel_call *call = kernel_expect(object, method);

	kernel_out(call, resp_id, len, resp, len);
	kernel_handle(call, handle_id, 4);
	kernel_fails(call, err);
}

static void expect_events(bool older, uint16_t object, uint16_t method,
			  uint16_t handle_id, uint16_t resp_id,
			  uint32_t command, uint32_t reported)
{
	/* A response address, the handle, four reserved bytes */
	const uint64_t request[] = { 0, 4 };

	expect_destroy(object, method, handle_id, resp_id, &reported,
		       sizeof(reported), older ? EPROTONOSUPPORT : 0);
	if (older)
		kernel_expect_write(command, request, sizeof(request),
				    &reported, sizeof(reported));
}

static void destroying_a_cq_waits_for_both_kinds(void **state)
{
	const struct ib_uverbs_destroy_cq_resp reported = {
		.comp_events_reported = 11,
		.async_events_reported = 21,
	};
	const struct ib_uverbs_destroy_cq request = { .cq_handle = 4 };

	for (int older = 0; older < 2; older++) {
		struct ibv_cq cq = {
			.context = *state,
			.handle = 4,
			.comp_events_completed = 10,
			.async_events_completed = 20,
			.mutex = PTHREAD_MUTEX_INITIALIZER,
			.cond = PTHREAD_COND_INITIALIZER,
		};
		uint32_t *counts[] = { &cq.comp_events_completed,
				       &cq.async_events_completed };
		uint32_t *reversed[] = { counts[1], counts[0] };

		expect_destroy(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY,
			       UVERBS_ATTR_DESTROY_CQ_HANDLE,
			       UVERBS_ATTR_DESTROY_CQ_RESP, &reported,
			       sizeof(reported), older ? EPROTONOSUPPORT : 0);
		if (older)
			kernel_expect_write(IB_USER_VERBS_CMD_DESTROY_CQ,
					    &request, sizeof(request),
					    &reported, sizeof(reported));
		check_waits(do_destroy_cq, &cq, &cq.mutex, &cq.cond,
			    older ? counts : reversed, 2);
	}
}

static void destroying_others_waits_for_their_events(void **state)
{
	for (int older = 0; older < 2; older++) {
		struct ibv_srq srq = { .context = *state,
				       .handle = 4,
				       .events_completed = UINT32_MAX,
				       .mutex = PTHREAD_MUTEX_INITIALIZER,
				       .cond = PTHREAD_COND_INITIALIZER };
		struct ibv_qp qp = { .context = *state,
				     .handle = 4,
				     .events_completed = 1,
				     .mutex = PTHREAD_MUTEX_INITIALIZER,
				     .cond = PTHREAD_COND_INITIALIZER };
		struct ibv_wq wq = { .context = *state,
				     .handle = 4,
				     .mutex = PTHREAD_MUTEX_INITIALIZER,
				     .cond = PTHREAD_COND_INITIALIZER };
		uint32_t *srq_counts[] = { &srq.events_completed };
		uint32_t *qp_counts[] = { &qp.events_completed,
					  &qp.events_completed };
		uint32_t *wq_counts[] = { &wq.events_completed };
		const struct ib_uverbs_ex_destroy_wq_resp wq_resp = {
			.response_length = sizeof(wq_resp),
			.events_reported = 1,
		};
		const struct ib_uverbs_ex_destroy_wq wq_request = {
			.wq_handle = 4,
		};
		const uint32_t one = 1;

		/* The counters wrap. */
		expect_events(older, UVERBS_OBJECT_SRQ,
			      UVERBS_METHOD_SRQ_DESTROY,
			      UVERBS_ATTR_DESTROY_SRQ_HANDLE,
			      UVERBS_ATTR_DESTROY_SRQ_RESP,
			      IB_USER_VERBS_CMD_DESTROY_SRQ, 0);
		check_waits(do_destroy_srq, &srq, &srq.mutex, &srq.cond,
			    srq_counts, 1);
		expect_events(older, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY,
			      UVERBS_ATTR_DESTROY_QP_HANDLE,
			      UVERBS_ATTR_DESTROY_QP_RESP,
			      IB_USER_VERBS_CMD_DESTROY_QP, 3);
		check_waits(do_destroy_qp, &qp, &qp.mutex, &qp.cond, qp_counts,
			    2);
		expect_destroy(UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_DESTROY,
			       UVERBS_ATTR_DESTROY_WQ_HANDLE,
			       UVERBS_ATTR_DESTROY_WQ_RESP, &one, sizeof(one),
			       older ? EPROTONOSUPPORT : 0);
		if (older)
			kernel_expect_write(
				IB_USER_VERBS_EX_CMD_DESTROY_WQ |
					IB_USER_VERBS_CMD_FLAG_EXTENDED,
				&wq_request, sizeof(wq_request), &wq_resp,
				sizeof(wq_resp));
		check_waits(do_destroy_wq, &wq, &wq.mutex, &wq.cond, wq_counts,
			    1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(errors_of_destroying_are_reported),
		kernel_test(objects_of_a_lost_device_count_as_destroyed),
		kernel_test(a_lost_device_is_lost_to_older_commands_too),
		kernel_test(destroying_a_cq_waits_for_both_kinds),
		kernel_test(destroying_others_waits_for_their_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
