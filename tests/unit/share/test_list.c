// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_list_objects() where it must not come to a command. */
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <infiniband/share.h>

#include "model_test.h"

#define UNTOUCHED 0xabcdef01

static void refused(uint32_t fd, uint32_t type, int err)
{
	uint32_t handle = UNTOUCHED, count = 1;

	model_count_from_here();
	CHECK_ERROR(ibv_list_objects(fd, type, &handle, &count), err);
	CHECK_INT(count, 1);
	CHECK_INT(handle, UNTOUCHED);
	CHECK_ERROR(ibv_list_objects(fd, type, NULL, &count), err);
	CHECK_INT(count, 1);
	CHECK_INT(model_calls(), 0);
}

MODEL_TEST(types)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	uint32_t type;

	CHECK(fd >= 0);
	for (type = 0; type <= UVERBS_OBJECT_ASYNC_EVENT; type++)
		refused(fd, type,
			type == UVERBS_OBJECT_DEVICE ||
					type == UVERBS_OBJECT_COMP_CHANNEL ||
					type == UVERBS_OBJECT_ASYNC_EVENT
				? EOPNOTSUPP
				: EINVAL);
	refused(fd, UVERBS_OBJECT_ASYNC_EVENT + 1, EINVAL);
	refused(fd, 1u << 12, EINVAL);
	refused(fd, 1u << 16, EINVAL);
	refused(fd, UINT32_MAX, EINVAL);
	close(fd);
}

MODEL_TEST(descriptors)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), ends[2];

	CHECK(null >= 0);
	CHECK(!pipe(ends));
	refused(null, UVERBS_OBJECT_PD, EINVAL);
	refused(ends[0], UVERBS_OBJECT_PD, EINVAL);
	close(null);
	close(ends[0]);
	close(ends[1]);
	refused(null, UVERBS_OBJECT_MR, EBADF);
	refused(1u << 31, UVERBS_OBJECT_MR, EBADF);
	refused(UINT32_MAX, UVERBS_OBJECT_MR, EBADF);
}

/* Whether it is an RDMA device cannot be found out then. */
MODEL_TEST(no_descriptor_left)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct rlimit limit, none;

	CHECK(null >= 0);
	CHECK(!getrlimit(RLIMIT_NOFILE, &limit));
	none = (struct rlimit){ .rlim_max = limit.rlim_max };
	CHECK(!setrlimit(RLIMIT_NOFILE, &none));
	refused(null, UVERBS_OBJECT_PD, EMFILE);
	CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
	close(null);
}

MODEL_TEST(no_count)
{
	uint32_t handle = UNTOUCHED;

	CHECK_ERROR(ibv_list_objects(0, UVERBS_OBJECT_PD, &handle, NULL),
		    EINVAL);
	CHECK_INT(handle, UNTOUCHED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		model_unit(types),
		model_unit(descriptors),
		model_unit(no_descriptor_left),
		model_unit(no_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
