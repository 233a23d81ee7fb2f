// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Export, import, aliases and loans. */
#include <pthread.h>
#include <string.h>

#include <rdma/ib_user_share_cmds.h>

#include "kernel_script.h"
#include "priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))

static const uint16_t types[] = { UVERBS_OBJECT_PD, UVERBS_OBJECT_MR };

/* What an error of the kernel becomes */
static int mapped(int err)
{
	return err == EPROTONOSUPPORT || err == ENOTTY ? EOPNOTSUPP : err;
}

/* ---- export ---- */

static void export_gives_the_new_handle(void **state)
{
	for (size_t i = 0; i < COUNT(types); i++) {
		uint32_t handle = 0;
		const uint32_t made = 0xfedcba98;
		struct kernel_call *call =
			kernel_expect(types[i], UVERBS_METHOD_PD_EXPORT_TO_FD);

		kernel_handle(call, UVERBS_ATTR_EXPORT_TO_FD_HANDLE, 17);
		kernel_fd(call, UVERBS_ATTR_EXPORT_TO_FD_TARGET, 23);
		kernel_out(call, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, 4, &made,
			   4);
		assert_int_equal(uverbs_export(*state, types[i], 17, 23,
					       &handle),
				 0);
		assert_int_equal(handle, made);
	}
}

static void export_errors_leave_the_handle(void **state)
{
	for (int err = 1; err < 134; err++) {
		uint32_t handle = 1234;
		const uint32_t made = 99;
		struct kernel_call *call =
			kernel_expect(UVERBS_OBJECT_PD,
				      UVERBS_METHOD_PD_EXPORT_TO_FD);

		kernel_handle(call, UVERBS_ATTR_EXPORT_TO_FD_HANDLE, 17);
		/* An invalid descriptor is for the kernel to judge. */
		kernel_fd(call, UVERBS_ATTR_EXPORT_TO_FD_TARGET, -1);
		kernel_out(call, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, 4, &made,
			   4);
		kernel_fails_writing(call, err);
		assert_int_equal(uverbs_export(*state, UVERBS_OBJECT_PD, 17, -1,
					       &handle),
				 mapped(err));
		assert_int_equal(errno, mapped(err));
		assert_int_equal(handle, 1234);
		kernel_restart();
	}
}

/* ---- import ---- */

static struct kernel_call *expect_import(uint16_t type)
{
	struct kernel_call *call =
		kernel_expect(type, UVERBS_METHOD_PD_IMPORT_FROM_FD);

	kernel_new(call, UVERBS_ATTR_IMPORT_FROM_FD_HANDLE, 41);
	kernel_fd(call, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE, 23);
	kernel_u32(call, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE, 17);
	return call;
}

static const uint8_t driver_reply[UVERBS_DRIVER_REPLY_MAX] = { 1, 2, 3, 4,
							       5, 6, 7, 8 };

/* len: what the kernel says; -1: it says nothing */
static struct kernel_call *expect_import_pd(int64_t len, bool bytes)
{
	struct kernel_call *call = expect_import(UVERBS_OBJECT_PD);
	const uint32_t len32 = len;

	kernel_out(call, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER,
		   sizeof(driver_reply), driver_reply, sizeof(driver_reply));
	kernel_optional(call);
	if (!bytes)
		kernel_leaves_out(call);
	kernel_out(call, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN, 4, &len32,
		   4);
	kernel_optional(call);
	if (len < 0)
		kernel_leaves_out(call);
	return call;
}

static struct kernel_call *expect_import_mr(bool has_pd)
{
	struct kernel_call *call = expect_import(UVERBS_OBJECT_MR);
	const uint32_t lkey = 51, rkey = 52, pd = 53;
	const uint64_t length = 0x100000000ull + 54, iova = ~0ull - 55;

	kernel_out(call, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY, 4, &lkey, 4);
	kernel_out(call, UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY, 4, &rkey, 4);
	kernel_out(call, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH, 8, &length, 8);
	kernel_out(call, UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA, 8, &iova, 8);
	kernel_out(call, UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE, 4, &pd, 4);
	kernel_optional(call);
	if (!has_pd)
		kernel_leaves_out(call);
	return call;
}

/* What the driver does not write must not tell what was in memory. */
static void alloc_pd_shows_importers_nothing_else(void **state)
{
	static const uint8_t zeros[12];
	struct {
		struct ib_uverbs_alloc_pd_resp core;
		uint8_t driver[16];
	} reply;
	struct ibv_alloc_pd cmd;
	struct kernel_call *call;
	struct ibv_pd pd;

	memset(&reply, 0xa5, sizeof(reply));
	call = kernel_expect_write(IB_USER_VERBS_CMD_ALLOC_PD, NULL,
				   sizeof(struct ib_uverbs_alloc_pd), NULL,
				   sizeof(reply.core));
	kernel_out(call, UVERBS_ATTR_UHW_OUT, sizeof(reply.driver), "abc", 4);
	assert_int_equal(ibv_cmd_alloc_pd(*state, &pd, &cmd, sizeof(cmd),
					  &reply.core, sizeof(reply)),
			 0);
	assert_string_equal(reply.driver, "abc");
	assert_memory_equal(reply.driver + 4, zeros, sizeof(zeros));
}

static void import_pd_takes_the_drivers_bytes(void **state)
{
	static const struct {
		int64_t told;
		bool bytes;
		uint32_t taken;
	} answers[] = {
		{ 0, true, 0 },
		{ 4, true, 4 },
		{ UVERBS_DRIVER_REPLY_MAX, true, UVERBS_DRIVER_REPLY_MAX },
		/* More than it can have written here */
		{ UVERBS_DRIVER_REPLY_MAX + 1, true, UVERBS_DRIVER_REPLY_MAX },
		{ UINT32_MAX, true, UVERBS_DRIVER_REPLY_MAX },
		/* A length without bytes, bytes without a length, neither */
		{ 4, false, 0 },
		{ -1, true, 0 },
		{ -1, false, 0 },
	};

	for (size_t i = 0; i < COUNT(answers); i++) {
		struct uverbs_alias alias;

		memset(&alias, 0xee, sizeof(alias));
		expect_import_pd(answers[i].told, answers[i].bytes);
		assert_int_equal(uverbs_import_pd(*state, 23, 17, &alias), 0);
		assert_int_equal(alias.object_type, UVERBS_OBJECT_PD);
		assert_int_equal(alias.handle, 41);
		assert_int_equal(alias.driver_len, answers[i].taken);
		assert_memory_equal(alias.driver, driver_reply,
				    answers[i].taken);
		assert_false(alias.has_pd);
	}
}

static void import_mr_fills_the_alias(void **state)
{
	for (int has_pd = 0; has_pd < 2; has_pd++) {
		struct uverbs_alias alias;

		memset(&alias, 0xee, sizeof(alias));
		expect_import_mr(has_pd);
		assert_int_equal(uverbs_import_mr(*state, 23, 17, &alias), 0);
		assert_int_equal(alias.object_type, UVERBS_OBJECT_MR);
		assert_int_equal(alias.handle, 41);
		assert_int_equal(alias.lkey, 51);
		assert_int_equal(alias.rkey, 52);
		assert_true(alias.length == 0x100000000ull + 54);
		assert_true(alias.iova == ~0ull - 55);
		assert_int_equal(alias.has_pd, has_pd);
		assert_int_equal(alias.pd_handle, has_pd ? 53 : 0);
		assert_int_equal(alias.driver_len, 0);
	}
}

static void import_errors_leave_the_alias(void **state)
{
	struct uverbs_alias alias, before;

	memset(&alias, 0xee, sizeof(alias));
	before = alias;
	for (int err = 1; err < 134; err++) {
		kernel_fails_writing(expect_import_pd(4, true), err);
		assert_int_equal(uverbs_import_pd(*state, 23, 17, &alias),
				 mapped(err));
		assert_int_equal(errno, mapped(err));
		kernel_fails_writing(expect_import_mr(true), err);
		assert_int_equal(uverbs_import_mr(*state, 23, 17, &alias),
				 mapped(err));
		assert_int_equal(errno, mapped(err));
		assert_memory_equal(&alias, &before, sizeof(alias));
		kernel_restart();
	}
}

static void dropping_an_alias_destroys_its_handle(void **state)
{
	struct uverbs_alias pd = { .object_type = UVERBS_OBJECT_PD,
				   .handle = 41 };
	struct uverbs_alias mr = { .object_type = UVERBS_OBJECT_MR,
				   .handle = 42 };
	struct kernel_call *call;

	call = kernel_expect(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY);
	kernel_handle(call, UVERBS_ATTR_DESTROY_PD_HANDLE, 41);
	kernel_fails(call, EBUSY);
	call = kernel_expect(UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY);
	kernel_handle(call, UVERBS_ATTR_DESTROY_MR_HANDLE, 42);

	errno = ENOMEM;
	uverbs_drop_alias(*state, &pd);
	uverbs_drop_alias(*state, &mr);
	assert_int_equal(errno, ENOMEM);
}

/* ---- loans ---- */

static struct uverbs_alias a_pd_alias(void)
{
	struct uverbs_alias alias = {
		.object_type = UVERBS_OBJECT_PD,
		.handle = 41,
		.driver_len = 8,
	};

	memcpy(alias.driver, driver_reply, 8);
	return alias;
}

static struct uverbs_alias an_mr_alias(void)
{
	return (struct uverbs_alias){
		.object_type = UVERBS_OBJECT_MR,
		.handle = 42,
		.lkey = 51,
		.rkey = 52,
		.length = 4096,
		.iova = 8192,
	};
}

struct pd_reply {
	struct ib_uverbs_alloc_pd_resp core;
	char driver[64];
};

static int alloc_pd(struct ibv_context *context, struct ibv_pd *pd,
		    struct pd_reply *reply, size_t driver_len)
{
	struct ibv_alloc_pd cmd = { 0 };

	return ibv_cmd_alloc_pd(context, pd, &cmd, sizeof(cmd), &reply->core,
				sizeof(reply->core) + driver_len);
}

static void expect_alloc_pd(uint32_t handle)
{
	kernel_expect_write(IB_USER_VERBS_CMD_ALLOC_PD, NULL, 8, &handle, 4);
}

static void alloc_pd_takes_the_loan_once(void **state)
{
	struct uverbs_alias alias = a_pd_alias();
	struct pd_reply reply = { 0 };
	struct ibv_pd pd = { 0 };

	uverbs_lend_alias(*state, &alias);
	assert_int_equal(alloc_pd(*state, &pd, &reply, 8), 0);
	assert_int_equal(kernel_calls(), 0);
	assert_int_equal(pd.handle, 41);
	assert_ptr_equal(pd.context, *state);
	assert_int_equal(reply.core.pd_handle, 41);
	assert_memory_equal(reply.driver, driver_reply, 8);

	/* The provider allocates another. */
	expect_alloc_pd(43);
	assert_int_equal(alloc_pd(*state, &pd, &reply, 0), 0);
	assert_int_equal(pd.handle, 43);

	/* Other commands need not look for loans that are over. */
	assert_int_equal(get_priv(*state)->loans, 1);
	assert_true(uverbs_end_loan());
	assert_false(uverbs_end_loan());
	assert_int_equal(get_priv(*state)->loans, 0);
}

static void a_provider_may_want_fewer_bytes(void **state)
{
	struct uverbs_alias alias = a_pd_alias();
	struct pd_reply reply;
	struct ibv_pd pd = { 0 };

	memset(&reply, 0x77, sizeof(reply));
	uverbs_lend_alias(*state, &alias);
	assert_int_equal(alloc_pd(*state, &pd, &reply, 4), 0);
	assert_memory_equal(reply.driver, driver_reply, 4);
	assert_int_equal(reply.driver[4], 0x77);
	assert_true(uverbs_end_loan());

	/* Or have no buffer at all */
	uverbs_lend_alias(*state, &alias);
	assert_int_equal(ibv_cmd_alloc_pd(*state, &pd, NULL, 0, NULL, 0), 0);
	assert_int_equal(pd.handle, 41);
	assert_true(uverbs_end_loan());
}

static void a_provider_that_wants_more_gets_nothing(void **state)
{
	struct uverbs_alias alias = a_pd_alias();
	struct pd_reply reply, before;
	struct ibv_pd pd = { .handle = 5 };

	memset(&reply, 0x77, sizeof(reply));
	before = reply;
	uverbs_lend_alias(*state, &alias);
	errno = 0;
	assert_int_equal(alloc_pd(*state, &pd, &reply, 12), EOPNOTSUPP);
	assert_int_equal(errno, EOPNOTSUPP);
	assert_int_equal(pd.handle, 5);
	assert_null(pd.context);
	assert_memory_equal(&reply, &before, sizeof(reply));
	assert_int_equal(kernel_calls(), 0);
	/* The alias is still the lender's to drop. */
	assert_false(uverbs_end_loan());
}

static void reg_mr_takes_the_loan(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct uverbs_alias alias = an_mr_alias();
	struct ib_uverbs_reg_mr_resp resp = { 0 };
	struct verbs_mr vmr = { 0 };
	struct ibv_reg_mr cmd;

	uverbs_lend_alias(*state, &alias);
	assert_int_equal(ibv_cmd_reg_mr(&pd, NULL, 4096, 8192, 1, &vmr, &cmd,
					sizeof(cmd), &resp, sizeof(resp)),
			 0);
	assert_int_equal(kernel_calls(), 0);
	assert_int_equal(vmr.ibv_mr.handle, 42);
	assert_int_equal(vmr.ibv_mr.lkey, 51);
	assert_int_equal(vmr.ibv_mr.rkey, 52);
	assert_ptr_equal(vmr.ibv_mr.context, *state);
	assert_int_equal(vmr.mr_type, IBV_MR_TYPE_MR);
	assert_int_equal(vmr.access, 1);
	assert_int_equal(resp.mr_handle, 42);
	assert_int_equal(resp.lkey, 51);
	assert_int_equal(resp.rkey, 52);
	assert_true(uverbs_end_loan());
}

static void query_mr_takes_the_loan_of_its_handle(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct uverbs_alias alias = an_mr_alias();
	struct verbs_mr vmr = { 0 };
	struct kernel_call *call;

	uverbs_lend_alias(*state, &alias);
	/* Another handle is another MR. */
	call = kernel_expect(UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR);
	kernel_handle(call, UVERBS_ATTR_QUERY_MR_HANDLE, 7);
	kernel_out(call, UVERBS_ATTR_QUERY_MR_RESP_LKEY, 4, NULL, 4);
	kernel_out(call, UVERBS_ATTR_QUERY_MR_RESP_RKEY, 4, NULL, 4);
	kernel_out(call, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, 8, NULL, 8);
	assert_int_equal(ibv_cmd_query_mr(&pd, &vmr, 7), 0);
	assert_int_equal(vmr.ibv_mr.lkey, 0);

	assert_int_equal(ibv_cmd_query_mr(&pd, &vmr, 42), 0);
	assert_int_equal(kernel_calls(), 1);
	assert_int_equal(vmr.ibv_mr.handle, 42);
	assert_int_equal(vmr.ibv_mr.lkey, 51);
	assert_int_equal(vmr.ibv_mr.rkey, 52);
	assert_int_equal(vmr.ibv_mr.length, 4096);
	assert_int_equal(vmr.mr_type, IBV_MR_TYPE_IMPORTED_MR);
	assert_null(vmr.ibv_mr.addr);
	assert_true(uverbs_end_loan());
}

static void a_loan_is_for_one_type_and_context(void **state)
{
	struct ibv_context *other = test_context_open();
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct uverbs_alias pd_alias = a_pd_alias();
	struct uverbs_alias mr_alias = an_mr_alias();
	struct ib_uverbs_reg_mr_resp resp;
	struct pd_reply reply;
	struct verbs_mr vmr;
	struct ibv_reg_mr cmd;
	int other_fd = other->cmd_fd;

	/* The script knows one descriptor only. */
	other->cmd_fd = pd.context->cmd_fd;
	uverbs_lend_alias(*state, &mr_alias);
	expect_alloc_pd(3);
	assert_int_equal(alloc_pd(*state, &pd, &reply, 0), 0);
	assert_false(uverbs_end_loan());

	uverbs_lend_alias(*state, &pd_alias);
	kernel_expect_write(IB_USER_VERBS_CMD_REG_MR, NULL, 40, NULL, 12);
	assert_int_equal(ibv_cmd_reg_mr(&pd, NULL, 1, 0, 0, &vmr, &cmd,
					sizeof(cmd), &resp, sizeof(resp)),
			 0);
	assert_false(uverbs_end_loan());

	uverbs_lend_alias(*state, &pd_alias);
	expect_alloc_pd(4);
	assert_int_equal(alloc_pd(other, &pd, &reply, 0), 0);
	assert_int_equal(pd.handle, 4);
	assert_false(uverbs_end_loan());

	other->cmd_fd = other_fd;
	ibv_close_device(other);
}

static void an_ended_loan_is_over(void **state)
{
	struct uverbs_alias alias = a_pd_alias();
	struct pd_reply reply;
	struct ibv_pd pd;

	uverbs_lend_alias(*state, &alias);
	assert_false(uverbs_end_loan());
	expect_alloc_pd(4);
	assert_int_equal(alloc_pd(*state, &pd, &reply, 0), 0);
	assert_int_equal(pd.handle, 4);
}

static void *alloc_in_thread(void *arg)
{
	struct pd_reply reply;
	struct ibv_pd *pd = arg;
	bool used_before = uverbs_end_loan();
	int ret = alloc_pd(pd->context, pd, &reply, 0);

	return (void *)(intptr_t)(used_before || ret);
}

static void a_loan_is_for_one_thread(void **state)
{
	struct uverbs_alias alias = a_pd_alias();
	struct ibv_pd theirs = { .context = *state };
	struct pd_reply reply;
	struct ibv_pd ours;
	pthread_t thread;
	void *result;

	uverbs_lend_alias(*state, &alias);
	expect_alloc_pd(77);
	assert_int_equal(pthread_create(&thread, NULL, alloc_in_thread,
					&theirs),
			 0);
	pthread_join(thread, &result);
	assert_null(result);
	assert_int_equal(theirs.handle, 77);

	assert_int_equal(alloc_pd(*state, &ours, &reply, 8), 0);
	assert_int_equal(ours.handle, 41);
	assert_true(uverbs_end_loan());
}

/* ---- two threads that lend at the same time ---- */

struct lender {
	struct ibv_context *context;
	uint32_t handle;
	pthread_barrier_t *barrier;
	unsigned int wrong;
};

static int must_not_call(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	(void)fd;
	(void)hdr;
	(void)arg;
	return ENOSYS;
}

static void *lend(void *arg)
{
	struct lender *lender = arg;
	struct uverbs_alias alias = a_pd_alias();
	struct pd_reply reply;
	struct ibv_pd pd;

	alias.handle = lender->handle;
	for (int i = 0; i < 1000; i++) {
		pthread_barrier_wait(lender->barrier);
		uverbs_lend_alias(lender->context, &alias);
		pthread_barrier_wait(lender->barrier);
		if (alloc_pd(lender->context, &pd, &reply, 8) ||
		    pd.handle != lender->handle)
			lender->wrong++;
		if (!uverbs_end_loan())
			lender->wrong++;
	}
	return NULL;
}

static void two_threads_do_not_mix_their_loans(void **state)
{
	pthread_barrier_t barrier;
	struct lender lenders[2] = {
		{ .context = *state, .handle = 61, .barrier = &barrier },
		{ .context = *state, .handle = 62, .barrier = &barrier },
	};
	pthread_t threads[2];

	kernel_answer_with(must_not_call, NULL);
	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, lend,
						&lenders[i]),
				 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&barrier);
	assert_int_equal(lenders[0].wrong, 0);
	assert_int_equal(lenders[1].wrong, 0);
	assert_int_equal(kernel_calls(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(export_gives_the_new_handle),
		kernel_test(export_errors_leave_the_handle),
		kernel_test(alloc_pd_shows_importers_nothing_else),
		kernel_test(import_pd_takes_the_drivers_bytes),
		kernel_test(import_mr_fills_the_alias),
		kernel_test(import_errors_leave_the_alias),
		kernel_test(dropping_an_alias_destroys_its_handle),
		kernel_test(alloc_pd_takes_the_loan_once),
		kernel_test(a_provider_may_want_fewer_bytes),
		kernel_test(a_provider_that_wants_more_gets_nothing),
		kernel_test(reg_mr_takes_the_loan),
		kernel_test(query_mr_takes_the_loan_of_its_handle),
		kernel_test(a_loan_is_for_one_type_and_context),
		kernel_test(an_ended_loan_is_over),
		kernel_test(a_loan_is_for_one_thread),
		kernel_test(two_threads_do_not_mix_their_loans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
