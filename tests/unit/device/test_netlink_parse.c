// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Replies about devices, as the kernel sends them and as nobody should.  Each
 * message is parsed in an allocation of exactly its size, so that a sanitizer
 * sees every byte that is read beyond.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <rdma/rdma_netlink.h>

#include "device/discover.h"
#include "netlink_message.h"

typedef int (*parse_fn)(struct nlmsghdr *hdr, struct verbs_sysfs_dev *dev);

static int parse_len(parse_fn parse, const struct message *msg, size_t len,
		     struct verbs_sysfs_dev *dev)
{
	struct nlmsghdr *hdr = malloc(len);
	int ret;

	assert_non_null(hdr);
	memcpy(hdr, msg, len);
	memset(dev, 0, sizeof(*dev));
	ret = parse(hdr, dev);
	free(hdr);
	return ret;
}

static int parse(parse_fn fn, const struct message *msg,
		 struct verbs_sysfs_dev *dev)
{
	return parse_len(fn, msg, msg->hdr.nlmsg_len, dev);
}

static void good_device(void **state)
{
	struct verbs_sysfs_dev dev;
	struct message msg;

	(void)state;
	message_device(&msg, 7, "mlx5_0", 0);
	assert_int_equal(parse(parse_device_reply, &msg, &dev), 0);
	assert_int_equal(dev.ibdev_idx, 7);
	assert_string_equal(dev.ibdev_name, "mlx5_0");
	assert_string_equal(dev.ibdev_path, "/sys/class/infiniband/mlx5_0");
	assert_int_equal(dev.num_ports, 2);
	assert_int_equal(dev.node_guid, 0x0011223344556677);
	assert_int_equal(dev.flags, VSYSFS_READ_NODE_GUID);
	assert_int_equal(dev.node_type, IBV_NODE_CA);
}

static void good_chardev(void **state)
{
	struct verbs_sysfs_dev dev;
	struct message msg;

	(void)state;
	/* Major 0xabc; minor 0xdef12: its low byte stands below the major. */
	message_chardev(&msg, "uverbs3", 0xdefabc12, 0);
	assert_int_equal(parse(parse_chardev_reply, &msg, &dev), 0);
	assert_string_equal(dev.sysfs_name, "uverbs3");
	assert_int_equal(major(dev.sysfs_cdev), 0xabc);
	assert_int_equal(minor(dev.sysfs_cdev), 0xdef12);
	assert_int_equal(dev.abi_ver, 2);
	assert_int_equal(dev.driver_id, 13);

	message_chardev(&msg, "uverbs3", 0xe700,
			RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID);
	assert_int_equal(parse(parse_chardev_reply, &msg, &dev), 0);
	assert_int_equal(dev.driver_id, RDMA_DRIVER_UNKNOWN);
	assert_int_equal(major(dev.sysfs_cdev), 231);
	assert_int_equal(minor(dev.sysfs_cdev), 0);
}

static void missing_attributes(void **state)
{
	static const uint16_t of_device[] = { RDMA_NLDEV_ATTR_DEV_INDEX,
					      RDMA_NLDEV_ATTR_DEV_NAME,
					      RDMA_NLDEV_ATTR_PORT_INDEX,
					      RDMA_NLDEV_ATTR_NODE_GUID,
					      RDMA_NLDEV_ATTR_DEV_NODE_TYPE };
	static const uint16_t of_chardev[] = { RDMA_NLDEV_ATTR_CHARDEV,
					       RDMA_NLDEV_ATTR_CHARDEV_ABI,
					       RDMA_NLDEV_ATTR_CHARDEV_NAME };
	struct verbs_sysfs_dev dev;
	struct message msg;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(of_device) / sizeof(of_device[0]); i++) {
		message_device(&msg, 7, "mlx5_0", of_device[i]);
		assert_int_equal(parse(parse_device_reply, &msg, &dev),
				 ENODATA);
	}
	for (i = 0; i < sizeof(of_chardev) / sizeof(of_chardev[0]); i++) {
		message_chardev(&msg, "uverbs0", 1, of_chardev[i]);
		assert_int_equal(parse(parse_chardev_reply, &msg, &dev),
				 ENODATA);
	}
}

static void short_attributes(void **state)
{
	static const struct {
		uint16_t type;
		size_t size;
	} numbers[] = {
		{ RDMA_NLDEV_ATTR_DEV_INDEX, 4 },
		{ RDMA_NLDEV_ATTR_PORT_INDEX, 4 },
		{ RDMA_NLDEV_ATTR_NODE_GUID, 8 },
		{ RDMA_NLDEV_ATTR_DEV_NODE_TYPE, 1 },
	};
	struct verbs_sysfs_dev dev;
	struct message msg;
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		for (len = 0; len <= numbers[i].size; len++) {
			message_device(&msg, 7, "mlx5_0", numbers[i].type);
			message_add(&msg, numbers[i].type, "\1\0\0\0\0\0\0\0",
				    len);
			assert_int_equal(parse(parse_device_reply, &msg, &dev),
					 len < numbers[i].size ? ENODATA : 0);
		}
	}
}

/* The parsed name, or NULL if the device was refused */
static const char *device_named(const void *name, size_t len)
{
	static struct verbs_sysfs_dev dev;
	struct message msg;

	message_device(&msg, 7, "", RDMA_NLDEV_ATTR_DEV_NAME);
	message_add(&msg, RDMA_NLDEV_ATTR_DEV_NAME, name, len);
	return parse(parse_device_reply, &msg, &dev) ? NULL : dev.ibdev_name;
}

static const char *chardev_named(const void *name, size_t len)
{
	static struct verbs_sysfs_dev dev;
	struct message msg;

	message_chardev(&msg, "", 1, RDMA_NLDEV_ATTR_CHARDEV_NAME);
	message_add(&msg, RDMA_NLDEV_ATTR_CHARDEV_NAME, name, len);
	return parse(parse_chardev_reply, &msg, &dev) ? NULL : dev.sysfs_name;
}

static void names(void **state)
{
	const char *(*const named[])(const void *, size_t) = { device_named,
							       chardev_named };
	char longest[IBV_SYSFS_NAME_MAX + 1];
	size_t i;

	(void)state;
	memset(longest, 'n', sizeof(longest));
	for (i = 0; i < 2; i++) {
		assert_string_equal(named[i]("rxe0", 5), "rxe0");
		/* What follows the terminator is no part of the name. */
		assert_string_equal(named[i]("rxe0\0/../x", 11), "rxe0");
		assert_string_equal(named[i]("..a", 4), "..a");
		assert_null(named[i]("", 0));
		assert_null(named[i]("", 1));
		assert_null(named[i]("rxe0", 4));
		assert_null(named[i]("r", 1));
		assert_null(named[i](".", 2));
		assert_null(named[i]("..", 3));
		assert_null(named[i]("a/b", 4));
		assert_null(named[i]("../../etc/passwd", 17));
		assert_null(named[i]("/", 2));

		longest[IBV_SYSFS_NAME_MAX] = '\0';
		assert_null(named[i](longest, IBV_SYSFS_NAME_MAX + 1));
		assert_null(named[i](longest, IBV_SYSFS_NAME_MAX));
		assert_non_null(named[i](longest + 1, IBV_SYSFS_NAME_MAX));
		longest[IBV_SYSFS_NAME_MAX] = 'n';
		assert_null(named[i](longest, IBV_SYSFS_NAME_MAX + 1));
	}
}

static void absurd_numbers(void **state)
{
	static const uint8_t types[] = { 0, 8, 255 };
	struct verbs_sysfs_dev dev;
	struct message msg;
	size_t i;

	(void)state;
	message_device(&msg, INT32_MAX, "rxe0", 0);
	assert_int_equal(parse(parse_device_reply, &msg, &dev), 0);
	message_device(&msg, 0x80000000, "rxe0", 0);
	assert_int_equal(parse(parse_device_reply, &msg, &dev), ENODATA);
	message_device(&msg, UINT32_MAX, "rxe0", 0);
	assert_int_equal(parse(parse_device_reply, &msg, &dev), ENODATA);

	for (i = 0; i < sizeof(types); i++) {
		message_device(&msg, 1, "rxe0", RDMA_NLDEV_ATTR_DEV_NODE_TYPE);
		message_add_u8(&msg, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, types[i]);
		assert_int_equal(parse(parse_device_reply, &msg, &dev), 0);
		assert_int_equal(dev.node_type, IBV_NODE_UNKNOWN);
	}
	message_chardev(&msg, "uverbs0", UINT64_MAX, 0);
	assert_int_equal(parse(parse_chardev_reply, &msg, &dev), 0);
	assert_int_equal(major(dev.sysfs_cdev), 0xfff);
	assert_int_equal(minor(dev.sysfs_cdev), 0xfffff);
}

static void lengths_that_lie(void **state)
{
	struct verbs_sysfs_dev dev;
	struct message msg;
	struct nlattr *attr;
	size_t len;

	(void)state;
	/* A message shorter than its header says it is */
	message_device(&msg, 7, "rxe0", 0);
	msg.hdr.nlmsg_len = NLMSG_HDRLEN - 1;
	assert_int_equal(parse_len(parse_device_reply, &msg, NLMSG_HDRLEN,
				   &dev),
			 EBADMSG);

	/* Cut off at every byte: whole attributes count, the rest does not. */
	message_device(&msg, 7, "rxe0", 0);
	for (len = NLMSG_HDRLEN; len < msg.hdr.nlmsg_len; len++) {
		struct message cut = msg;

		cut.hdr.nlmsg_len = len;
		(void)parse(parse_device_reply, &cut, &dev);
		(void)parse(parse_chardev_reply, &cut, &dev);
	}
	/* Attributes that claim to reach beyond the message, or to be nothing */
	for (len = 0; len <= 0xffff; len += len < 300 ? 1 : 4111) {
		message_device(&msg, 7, "rxe0", 0);
		attr = (struct nlattr *)(msg.bytes + NLMSG_HDRLEN);
		attr->nla_len = len;
		if (len != 8)
			assert_int_not_equal(parse(parse_device_reply, &msg,
						   &dev),
					     0);
	}
}

static void random_bytes(void **state)
{
	struct verbs_sysfs_dev dev;
	unsigned int seed = 3, round, flips;
	struct message msg;

	(void)state;
	for (round = 0; round < 20000; round++) {
		if (round % 2)
			message_device(&msg, 7, "rxe0", 0);
		else
			message_chardev(&msg, "uverbs0", 231 << 8, 0);
		for (flips = 1 + rand_r(&seed) % 8; flips; flips--)
			msg.bytes[NLMSG_HDRLEN +
				  rand_r(&seed) %
					  (msg.hdr.nlmsg_len - NLMSG_HDRLEN)] =
				rand_r(&seed);
		if (!parse(parse_device_reply, &msg, &dev)) {
			assert_true(dev.ibdev_idx >= 0);
			assert_null(strchr(dev.ibdev_name, '/'));
		}
		if (!parse(parse_chardev_reply, &msg, &dev))
			assert_null(strchr(dev.sysfs_name, '/'));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_device),
		cmocka_unit_test(good_chardev),
		cmocka_unit_test(missing_attributes),
		cmocka_unit_test(short_attributes),
		cmocka_unit_test(names),
		cmocka_unit_test(absurd_numbers),
		cmocka_unit_test(lengths_that_lie),
		cmocka_unit_test(random_bytes),
	};

	unsetenv("SYSFS_PATH");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
