// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * bench_import: regions, registered in one context and imported in another.
 * Answers each line of standard input with the nanoseconds it took:
 *
 *	region LENGTH	make one more region, and register it
 *	register I	register region I anew
 *	import I COUNT	import its MR that many times; the imported ones are
 *			dropped afterwards, off the clock
 *	query COUNT	so many QUERY_DEVICE ioctls, made by hand
 */
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>

#include <infiniband/verbs.h>

#include "bench.h"

#define MAX_REGIONS 16
#define MAX_IMPORTS 256
#define ACCESS                                             \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_WRITE)

struct region {
	void *memory;
	size_t length;
	struct ibv_mr *mr;
};

static struct region regions[MAX_REGIONS];
static unsigned int region_count;
static struct ibv_context *owner, *user;
static struct ibv_pd *pd;

static struct ibv_context *open_first(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context;

	NEED(list && list[0]);
	NEED(context = ibv_open_device(list[0]));
	ibv_free_device_list(list);
	return context;
}

static uint64_t register_it(struct region *region)
{
	uint64_t start = bench_now();

	NEED(region->mr =
		     ibv_reg_mr(pd, region->memory, region->length, ACCESS));
	return bench_now() - start;
}

static uint64_t make_region(size_t length)
{
	struct region *region = &regions[region_count];

	NEED(region_count < MAX_REGIONS && length);
	region_count++;
	region->length = length;
	region->memory = mmap(NULL, length, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	NEED(region->memory != MAP_FAILED);
	return register_it(region);
}

static uint64_t register_anew(struct region *region)
{
	NEED(!ibv_dereg_mr(region->mr));
	return register_it(region);
}

static uint64_t import(const struct region *region, unsigned int n)
{
	static struct ibv_mr *mrs[MAX_IMPORTS];
	uint32_t fd = ibv_context_to_fd(owner);
	uint32_t handle = ibv_mr_to_handle(region->mr);
	uint64_t start, took;
	unsigned int i;

	NEED(n <= MAX_IMPORTS);
	start = bench_now();
	for (i = 0; i < n; i++)
		NEED(mrs[i] = ibv_import_mr(user, fd, handle));
	took = bench_now() - start;
	for (i = 0; i < n; i++)
		NEED(!ibv_dereg_mr(mrs[i]));
	return took;
}

/* QUERY_DEVICE: the driver hands out what it has in a table. */
static uint64_t query(unsigned int n)
{
	struct {
		struct ib_uverbs_ioctl_hdr hdr;
		struct ib_uverbs_attr attrs[3];
	} cmd;
	struct ib_uverbs_query_device core_in = { 0 };
	struct ib_uverbs_query_device_resp core_out;
	uint64_t start;
	unsigned int i;

	start = bench_now();
	for (i = 0; i < n; i++) {
		memset(&cmd, 0, sizeof(cmd));
		cmd.hdr.length = sizeof(cmd);
		cmd.hdr.object_id = UVERBS_OBJECT_DEVICE;
		cmd.hdr.method_id = UVERBS_METHOD_INVOKE_WRITE;
		cmd.hdr.driver_id = RDMA_DRIVER_RXE;
		cmd.hdr.num_attrs = 3;
		cmd.attrs[0].attr_id = UVERBS_ATTR_WRITE_CMD;
		cmd.attrs[0].len = sizeof(uint64_t);
		cmd.attrs[0].data = IB_USER_VERBS_CMD_QUERY_DEVICE;
		cmd.attrs[1].attr_id = UVERBS_ATTR_CORE_IN;
		cmd.attrs[1].len = sizeof(core_in);
		memcpy(&cmd.attrs[1].data, &core_in, sizeof(core_in));
		cmd.attrs[2].attr_id = UVERBS_ATTR_CORE_OUT;
		cmd.attrs[2].len = sizeof(core_out);
		cmd.attrs[2].data = (uintptr_t)&core_out;
		NEED(!ioctl(user->cmd_fd, RDMA_VERBS_IOCTL, &cmd.hdr));
	}
	return bench_now() - start;
}

_Static_assert(sizeof(struct ib_uverbs_query_device) == sizeof(uint64_t),
	       "it goes into the attribute itself");

static struct region *the_region(unsigned long number)
{
	NEED(number < region_count);
	return &regions[number];
}

int main(void)
{
	unsigned long a, b;
	char line[64], word[16];
	uint64_t ns;
	int words;

	owner = open_first();
	user = open_first();
	NEED(pd = ibv_alloc_pd(owner));
	while (fgets(line, sizeof(line), stdin)) {
		words = sscanf(line, "%15s %lu %lu", word, &a, &b);
		if (words == 2 && !strcmp(word, "region"))
			ns = make_region(a);
		else if (words == 2 && !strcmp(word, "register"))
			ns = register_anew(the_region(a));
		else if (words == 3 && !strcmp(word, "import"))
			ns = import(the_region(a), b);
		else if (words == 2 && !strcmp(word, "query"))
			ns = query(a);
		else {
			fprintf(stderr, "bench_import: what is %s", line);
			return 2;
		}
		printf("%llu\n", (unsigned long long)ns);
		fflush(stdout);
	}
	return 0;
}
