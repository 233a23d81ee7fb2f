// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Finding devices by netlink, whatever the kernel answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <rdma/rdma_netlink.h>

#include "alloc_fail.h"
#include "device/discover.h"
#include "fake_netlink.h"

static const char *no_node_for;
static dev_t open_cdev;
static int abi;

bool __wrap_has_cdev(const struct verbs_sysfs_dev *dev);

bool __wrap_has_cdev(const struct verbs_sysfs_dev *dev)
{
	return !no_node_for || strcmp(dev->sysfs_name, no_node_for);
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	no_node_for = NULL;
	open_cdev = 0;
	abi = 0;
	return 0;
}

static void answer_device(uint32_t index, const char *name, uint16_t without)
{
	struct message msg;

	message_device(&msg, index, name, without);
	fake_answer(&msg);
}

static void answer_chardev(const char *name, uint16_t without)
{
	struct message msg;

	fake_next_request();
	message_chardev(&msg, name, 231 << 8, without);
	fake_answer(&msg);
}

/* Scan, and compare with names in kernel order ("" ends the list). */
static void assert_scan(int result, const char *const *names)
{
	struct list_node records = LIST_HEAD_INIT(records), *node;

	assert_int_equal(scan_netlink(&records, &abi, open_cdev), result);
	for (node = records.prev; node != &records; node = node->prev)
		assert_string_equal(
			list_entry(node, struct verbs_sysfs_dev)->ibdev_name,
			*names++);
	assert_string_equal(*names, "");
	free_records(&records);
	assert_true(list_empty(&records));
}

#define ASSERT_SCAN(_result, ...) \
	assert_scan(_result, (const char *const[]){ __VA_ARGS__ })

static void two_devices(void **state)
{
	struct list_node records = LIST_HEAD_INIT(records);
	struct verbs_sysfs_dev *dev;
	struct nlattr *attr;

	(void)state;
	answer_device(0, "mlx5_0", 0);
	answer_device(4, "rxe0", 0);
	fake_answer_done();
	/* The last device is asked for first. */
	answer_chardev("uverbs1", 0);
	answer_chardev("uverbs0", RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID);
	assert_int_equal(scan_netlink(&records, &abi, 0), 0);
	assert_int_equal(abi, 6);

	dev = list_entry(records.next, struct verbs_sysfs_dev);
	assert_string_equal(dev->ibdev_name, "rxe0");
	assert_string_equal(dev->sysfs_name, "uverbs1");
	assert_int_equal(dev->driver_id, 13);
	dev = list_entry(records.prev, struct verbs_sysfs_dev);
	assert_string_equal(dev->ibdev_name, "mlx5_0");
	assert_string_equal(dev->sysfs_name, "uverbs0");
	assert_int_equal(dev->driver_id, 0);
	free_records(&records);

	/* What was asked */
	assert_int_equal(fake_requests(), 3);
	assert_int_equal(fake_request(0)->nlmsg_type, 0x1401);
	assert_int_equal(fake_request(0)->nlmsg_flags,
			 NLM_F_REQUEST | NLM_F_DUMP);
	assert_int_equal(fake_request(0)->nlmsg_len, NLMSG_HDRLEN);
	assert_int_equal(fake_request(1)->nlmsg_type, 0x140f);
	assert_int_equal(fake_request(1)->nlmsg_flags, NLM_F_REQUEST);
	attr = nlmsg_find_attr((struct nlmsghdr *)fake_request(1), 0,
			       RDMA_NLDEV_ATTR_DEV_INDEX);
	assert_int_equal(nla_get_u32(attr), 4);
	attr = nlmsg_find_attr((struct nlmsghdr *)fake_request(2), 0,
			       RDMA_NLDEV_ATTR_DEV_INDEX);
	assert_int_equal(nla_get_u32(attr), 0);
	attr = nlmsg_find_attr((struct nlmsghdr *)fake_request(2), 0,
			       RDMA_NLDEV_ATTR_CHARDEV_TYPE);
	assert_string_equal(nla_get_string(attr), "uverbs");
}

static void no_netlink_at_all(void **state)
{
	(void)state;
	fake_no_netlink();
	ASSERT_SCAN(EOPNOTSUPP, "");
	assert_int_equal(fake_requests(), 0);
}

static void no_devices_is_an_answer(void **state)
{
	(void)state;
	fake_answer_done();
	ASSERT_SCAN(0, "");
	assert_int_equal(abi, 0);
}

static void a_refused_dump_fails(void **state)
{
	(void)state;
	fake_answer_error(EPERM);
	ASSERT_SCAN(EREMOTEIO, "");
}

static void an_error_in_mid_dump_fails(void **state)
{
	(void)state;
	answer_device(0, "mlx5_0", 0);
	fake_answer_error(EIO);
	ASSERT_SCAN(EREMOTEIO, "");
}

static void an_error_at_the_end_of_a_dump_fails(void **state)
{
	const int error = -EIO;
	struct message msg;

	(void)state;
	answer_device(0, "mlx5_0", 0);
	message_init(&msg, NLMSG_DONE, NLM_F_MULTI);
	memcpy(NLMSG_DATA(&msg.hdr), &error, sizeof(error));
	msg.hdr.nlmsg_len += sizeof(error);
	fake_answer(&msg);
	ASSERT_SCAN(EIO, "");
}

/* The first bytes of an answer */
static void lose_chardev(void)
{
	struct message msg;

	fake_next_request();
	message_chardev(&msg, "uverbs0", 231 << 8, 0);
	fake_answer_bytes(&msg, 8);
}

static void a_lost_answer_is_asked_for_again(void **state)
{
	(void)state;
	answer_device(0, "mlx5_0", 0);
	answer_device(1, "mlx5_1", 0);
	fake_answer_done();
	lose_chardev();
	answer_chardev("uverbs1", 0);
	answer_chardev("uverbs0", 0);
	ASSERT_SCAN(0, "mlx5_0", "mlx5_1", "");
	assert_int_equal(fake_requests(), 4);
}

static void no_kernel_memory_for_an_answer_is_a_lost_one(void **state)
{
	static const int errors[] = { ENOMEM, ENOBUFS };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		setup(NULL);
		answer_device(0, "mlx5_0", 0);
		fake_answer_done();
		fake_next_request();
		fake_answer_error(errors[i]);
		answer_chardev("uverbs0", 0);
		ASSERT_SCAN(0, "mlx5_0", "");
		assert_int_equal(fake_requests(), 3);
	}
}

static void an_answer_that_is_lost_twice_is_let_be(void **state)
{
	(void)state;
	answer_device(0, "mlx5_0", 0);
	answer_device(1, "mlx5_1", 0);
	fake_answer_done();
	lose_chardev();
	lose_chardev();
	answer_chardev("uverbs0", 0);
	ASSERT_SCAN(0, "mlx5_0", "");
	assert_int_equal(fake_requests(), 4);
}

static void what_is_refused_is_not_asked_for_again(void **state)
{
	(void)state;
	answer_device(0, "mlx5_0", 0);
	fake_answer_done();
	fake_next_request();
	fake_answer_error(EINVAL);
	answer_chardev("uverbs0", 0);
	ASSERT_SCAN(0, "");
	assert_int_equal(fake_requests(), 2);
}

static void a_malformed_device_ends_the_scan(void **state)
{
	(void)state;
	answer_device(0, "mlx5_0", 0);
	answer_device(1, "mlx5_1", RDMA_NLDEV_ATTR_NODE_GUID);
	answer_device(2, "mlx5_2", 0);
	fake_answer_done();
	/* The rest of the dump is not taken for the answer to this one. */
	answer_chardev("uverbs0", 0);
	ASSERT_SCAN(0, "mlx5_0", "");
	assert_int_equal(fake_requests(), 2);
}

static void a_hostile_name_is_not_listed(void **state)
{
	(void)state;
	answer_device(0, "mlx5_0", 0);
	answer_device(1, "../../tmp", 0);
	fake_answer_done();
	answer_chardev("uverbs0", 0);
	ASSERT_SCAN(0, "mlx5_0", "");
}

static void garbage_fails(void **state)
{
	struct message msg;
	size_t len;

	(void)state;
	message_device(&msg, 0, "mlx5_0", 0);
	for (len = 0; len < NLMSG_HDRLEN; len++) {
		setup(NULL);
		fake_answer_bytes(&msg, len);
		fake_answer_error(EINVAL);
		ASSERT_SCAN(EIO, "");
	}
	/* Cut off in the middle */
	for (; len < msg.hdr.nlmsg_len; len += 4) {
		setup(NULL);
		fake_answer_bytes(&msg, len);
		fake_answer_done();
		ASSERT_SCAN(EIO, "");
	}
}

/* More than there can be room for, of which the beginning looks fine */
static void a_datagram_that_is_cut_off_fails(void **state)
{
	struct message msg;

	(void)state;
	message_device(&msg, 0, "mlx5_0", 0);
	fake_answer_bytes(&msg, 16385);
	fake_answer_done();
	ASSERT_SCAN(EIO, "");
}

static void other_processes_are_not_believed(void **state)
{
	(void)state;
	answer_device(0, "mlx5_0", 0);
	answer_device(1, "evil0", 0);
	fake_from(4711);
	fake_answer_done();
	answer_chardev("uverbs0", 0);
	ASSERT_SCAN(0, "mlx5_0", "");
}

static void other_processes_neither_prolong_nor_end_it(void **state)
{
	struct message msg;

	(void)state;
	fake_answer_done();
	fake_from(4711);
	answer_device(0, "mlx5_0", 0);
	fake_answer_done();
	/* Then nothing comes any more: to wait for it would be for ever. */
	message_init(&msg, NLMSG_NOOP, NLM_F_MULTI);
	fake_next_request();
	fake_answer(&msg);
	fake_from(4711);
	message_chardev(&msg, "uverbs0", 231 << 8, 0);
	fake_answer(&msg);
	ASSERT_SCAN(0, "mlx5_0", "");
}

/* Which request was the last that asked for the node of this device */
static unsigned int last_question(uint32_t index)
{
	unsigned int n = fake_requests();

	while (--n) {
		struct nlattr *attr =
			nlmsg_find_attr((struct nlmsghdr *)fake_request(n), 0,
					RDMA_NLDEV_ATTR_DEV_INDEX);

		if (attr && nla_get_u32(attr) == index)
			break;
	}
	return n;
}

/*
 * Without memory for an answer it stays in the socket.  The device is there all
 * the same, as the question is asked again.
 */
static void an_answer_is_to_its_own_question(void **state)
{
	struct list_node records = LIST_HEAD_INIT(records), *node;
	unsigned int nth = 0, found;
	char expected[16];
	bool failed;
	int ret;

	(void)state;
	do {
		setup(NULL);
		answer_device(0, "mlx5_0", 0);
		answer_device(4, "mlx5_4", 0);
		fake_answer_done();
		answer_chardev("uverbs1", 0);
		answer_chardev("uverbs2", 0);
		answer_chardev("uverbs3", 0);
		alloc_fail_at(++nth);
		ret = scan_netlink(&records, &abi, 0);
		failed = alloc_has_failed();
		alloc_fail_at(0);
		found = 0;
		for (node = records.next; node != &records; node = node->next) {
			struct verbs_sysfs_dev *dev =
				list_entry(node, struct verbs_sysfs_dev);

			found++;
			snprintf(expected, sizeof(expected), "uverbs%u",
				 last_question(dev->ibdev_idx));
			assert_string_equal(dev->sysfs_name, expected);
		}
		assert_int_equal(found, ret ? 0 : 2);
		free_records(&records);
	} while (failed);
	assert_true(nth > 6);
}

static void without_a_chardev_reply_sysfs_is_asked(void **state)
{
	static const uint16_t missing[] = { RDMA_NLDEV_ATTR_CHARDEV,
					    RDMA_NLDEV_ATTR_CHARDEV_ABI,
					    RDMA_NLDEV_ATTR_CHARDEV_NAME };
	size_t i;

	(void)state;
	/* This machine's sysfs has no such device, so it is left out. */
	for (i = 0; i < 3; i++) {
		setup(NULL);
		answer_device(0, "no_such_device", 0);
		fake_answer_done();
		answer_chardev("uverbs0", missing[i]);
		ASSERT_SCAN(0, "");
		assert_int_equal(abi, 0);
	}
	setup(NULL);
	answer_device(0, "no_such_device", 0);
	fake_answer_done();
	fake_next_request();
	fake_answer_error(ENOENT);
	ASSERT_SCAN(0, "");
}

static void without_a_node_a_device_is_left_out(void **state)
{
	(void)state;
	answer_device(0, "mlx5_0", 0);
	answer_device(1, "mlx5_1", 0);
	fake_answer_done();
	answer_chardev("uverbs1", 0);
	answer_chardev("uverbs0", 0);
	no_node_for = "uverbs1";
	ASSERT_SCAN(0, "mlx5_0", "");
}

static void an_open_device_needs_no_node(void **state)
{
	(void)state;
	no_node_for = "uverbs0";
	for (int minor = 0; minor < 2; minor++) {
		fake_reset();
		answer_device(0, "mlx5_0", 0);
		fake_answer_done();
		answer_chardev("uverbs0", 0);
		open_cdev = makedev(231, minor);
		if (minor)
			ASSERT_SCAN(0, "");
		else
			ASSERT_SCAN(0, "mlx5_0", "");
	}
}

static void no_memory(void **state)
{
	/* For each datagram, and for each device */
	static const int results[] = { EIO, ENOMEM, EIO, ENOMEM };
	struct list_node records = LIST_HEAD_INIT(records);
	size_t blocks = alloc_live(), i;

	(void)state;
	for (i = 0; i < 4; i++) {
		setup(NULL);
		answer_device(0, "mlx5_0", 0);
		answer_device(1, "mlx5_1", 0);
		fake_answer_done();
		alloc_fail_at(i + 1);
		assert_int_equal(scan_netlink(&records, &abi, 0), results[i]);
		assert_true(alloc_has_failed());
		alloc_fail_at(0);
		assert_true(list_empty(&records));
		assert_int_equal(alloc_live(), blocks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(two_devices, setup),
		cmocka_unit_test_setup(no_netlink_at_all, setup),
		cmocka_unit_test_setup(no_devices_is_an_answer, setup),
		cmocka_unit_test_setup(a_refused_dump_fails, setup),
		cmocka_unit_test_setup(an_error_in_mid_dump_fails, setup),
		cmocka_unit_test_setup(an_error_at_the_end_of_a_dump_fails,
				       setup),
		cmocka_unit_test_setup(a_lost_answer_is_asked_for_again, setup),
		cmocka_unit_test_setup(
			no_kernel_memory_for_an_answer_is_a_lost_one, setup),
		cmocka_unit_test_setup(an_answer_that_is_lost_twice_is_let_be,
				       setup),
		cmocka_unit_test_setup(what_is_refused_is_not_asked_for_again,
				       setup),
		cmocka_unit_test_setup(a_malformed_device_ends_the_scan, setup),
		cmocka_unit_test_setup(a_hostile_name_is_not_listed, setup),
		cmocka_unit_test_setup(garbage_fails, setup),
		cmocka_unit_test_setup(a_datagram_that_is_cut_off_fails, setup),
		cmocka_unit_test_setup(other_processes_are_not_believed, setup),
		cmocka_unit_test_setup(
			other_processes_neither_prolong_nor_end_it, setup),
		cmocka_unit_test_setup(an_answer_is_to_its_own_question, setup),
		cmocka_unit_test_setup(without_a_chardev_reply_sysfs_is_asked,
				       setup),
		cmocka_unit_test_setup(without_a_node_a_device_is_left_out,
				       setup),
		cmocka_unit_test_setup(an_open_device_needs_no_node, setup),
		cmocka_unit_test_setup(no_memory, setup),
	};

	unsetenv("SYSFS_PATH");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
