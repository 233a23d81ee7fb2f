// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The list of a file's handles, and kernels that reply what cannot be. */
#include <stdlib.h>
#include <string.h>

#include "kernel_script.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

#define ROOM (UVERBS_LIST_MAX * sizeof(uint32_t))
#define UNTOUCHED 0xabcdef01

static uint32_t handles[UVERBS_LIST_MAX];

/* written: bytes that the kernel writes of the list */
static struct kernel_call *expect(uint32_t total, size_t written)
{
	static uint32_t ids[UVERBS_LIST_MAX];
	struct kernel_call *call =
		kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INFO_HANDLES);

	for (uint32_t i = 0; i < UVERBS_LIST_MAX; i++)
		ids[i] = UINT32_MAX - 3 * i;
	kernel_u64(call, UVERBS_ATTR_INFO_OBJECT_ID, UVERBS_OBJECT_MR);
	kernel_out(call, UVERBS_ATTR_INFO_TOTAL_HANDLES, sizeof(total), &total,
		   sizeof(total));
	kernel_out(call, UVERBS_ATTR_INFO_HANDLES_LIST, ROOM, ids, written);
	return call;
}

static int list(struct ibv_context *context, uint32_t *count)
{
	memset(handles, 0xee, sizeof(handles));
	return uverbs_list_handles(context->cmd_fd, TEST_DRIVER_ID,
				   UVERBS_OBJECT_MR, handles, count);
}

static void handles_come_as_the_kernel_has_them(void **state)
{
	static const uint32_t totals[] = {
		0, 1, 2, 500, UVERBS_LIST_MAX - 1, UVERBS_LIST_MAX
	};

	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		uint32_t count = UNTOUCHED, n = totals[i];

		expect(n, n * sizeof(uint32_t));
		assert_int_equal(list(*state, &count), 0);
		assert_int_equal(count, n);
		for (uint32_t h = 0; h < n; h++)
			assert_int_equal(handles[h], UINT32_MAX - 3 * h);
		if (n < UVERBS_LIST_MAX)
			assert_int_equal(handles[n], 0xeeeeeeee);
		kernel_restart();
	}
}

static void totals_beyond_the_room_are_not_believed(void **state)
{
	static const uint32_t totals[] = { UVERBS_LIST_MAX + 1, 1u << 16,
					   1u << 31, UINT32_MAX };

	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		uint32_t count = UNTOUCHED;

		expect(totals[i], ROOM);
		errno = 0;
		assert_int_equal(list(*state, &count), EPROTO);
		assert_int_equal(errno, EPROTO);
		assert_int_equal(count, UNTOUCHED);
	}
}

/* It says five and writes one and three quarters: no byte but its own. */
static void fewer_bytes_than_told(void **state)
{
	uint32_t count = UNTOUCHED;

	expect(5, 7);
	assert_int_equal(list(*state, &count), 0);
	assert_int_equal(count, 5);
	assert_int_equal(handles[0], UINT32_MAX);
	assert_int_equal(handles[1] >> 24, 0xee);
	assert_int_equal(handles[2], 0xeeeeeeee);
}

static void outputs_that_are_left_out(void **state)
{
	uint32_t count = UNTOUCHED, total = 3;
	struct kernel_call *call;

	call = expect(3, 12);
	kernel_leaves_out(call);
	assert_int_equal(list(*state, &count), EPROTO);

	call = kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INFO_HANDLES);
	kernel_u64(call, UVERBS_ATTR_INFO_OBJECT_ID, UVERBS_OBJECT_MR);
	kernel_out(call, UVERBS_ATTR_INFO_TOTAL_HANDLES, sizeof(total), &total,
		   sizeof(total));
	kernel_leaves_out(call);
	kernel_out(call, UVERBS_ATTR_INFO_HANDLES_LIST, ROOM, handles, 12);
	assert_int_equal(list(*state, &count), EPROTO);
	assert_int_equal(count, UNTOUCHED);
}

static void errors_leave_the_count(void **state)
{
	for (int err = 1; err < 134; err++) {
		uint32_t count = UNTOUCHED;
		int want =
			err == EPROTONOSUPPORT || err == ENOTTY || err == ENOENT
				? EOPNOTSUPP
				: err;

		kernel_fails_writing(expect(2, 8), err);
		assert_int_equal(list(*state, &count), want);
		assert_int_equal(errno, want);
		assert_int_equal(count, UNTOUCHED);
		kernel_restart();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(handles_come_as_the_kernel_has_them),
		kernel_test(totals_beyond_the_room_are_not_believed),
		kernel_test(fewer_bytes_than_told),
		kernel_test(outputs_that_are_left_out),
		kernel_test(errors_leave_the_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
