// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Threads that list, open, allocate, import and destroy at once: each on
 * contexts of its own and all on one that they share.  Built with the thread
 * sanitizer; what it reports fails the test, as does a wrong result.
 */
#include <pthread.h>
#include <unistd.h>

#include <infiniband/share.h>

#include "device/discover.h"
#include "device/chardev.h"
#include "model_test.h"

enum { THREADS = 4, ROUNDS = 200 };

/* ---- discovery of the model's devices, in place of the kernel's ---- */

int __wrap_scan_netlink(struct list_node *records, int *abi, dev_t open_cdev);
int __wrap_open_chardev(const char *name, dev_t cdev);

int __wrap_scan_netlink(struct list_node *records, int *abi, dev_t open_cdev)
{
	(void)open_cdev;
	*abi = UVERBS_MAX_ABI;
	for (int i = 0; i < 2; i++) {
		struct verbs_sysfs_dev *dev = calloc(1, sizeof(*dev));

		CHECK(dev);
		snprintf(dev->ibdev_name, sizeof(dev->ibdev_name), "model%d",
			 i);
		snprintf(dev->sysfs_name, sizeof(dev->sysfs_name), "uverbs%d",
			 i);
		dev->ibdev_idx = i;
		dev->sysfs_cdev = i;
		dev->abi_ver = 1;
		list_add_front(records, &dev->entry);
	}
	return 0;
}

int __wrap_open_chardev(const char *name, dev_t cdev)
{
	(void)name;
	return model_open(cdev);
}

/* ---- what all threads have in common ---- */

static struct ibv_context *common;
static struct ibv_pd *common_pd;
static struct ibv_comp_channel *common_channel;
/* All threads register pages of the same range. */
static char memory[64 * 1024];

static struct ibv_context *open_first(void)
{
	int count;
	struct ibv_device **list = ibv_get_device_list(&count);
	struct ibv_context *context = NULL;

	CHECK(list);
	CHECK_INT(count, 2);
	for (int i = 0; i < count; i++)
		if (ibv_get_device_index(list[i]) == 0)
			context = ibv_open_device(list[i]);
	ibv_free_device_list(list);
	CHECK(context);
	return context;
}

static void close_context(struct ibv_context *context)
{
	model_close(context->cmd_fd);
	CHECK_INT(ibv_close_device(context), 0);
}

/* An alias must not be given to another thread's allocation, nor vice versa. */
static void share_through(struct ibv_context *to, unsigned int round)
{
	struct ibv_pd *own, *pd, *again;
	struct ibv_mr *own_mr, *mr;

	own = ibv_alloc_pd(to);
	pd = ibv_import_pd(to, common->cmd_fd, common_pd->handle);
	again = ibv_import_pd(to, to->cmd_fd, own->handle);
	CHECK(own && pd && again);
	CHECK_INT(model_aliases(to->cmd_fd, own->handle), 2);
	CHECK(model_aliases(to->cmd_fd, pd->handle) >= 2);

	own_mr = ibv_reg_mr(own, memory + round % 16 * 4096, 4096, 0);
	CHECK(own_mr);
	mr = ibv_import_mr(to, to->cmd_fd, own_mr->handle);
	CHECK(mr);
	CHECK_INT(mr->lkey, own_mr->lkey);
	CHECK(mr->pd == own || mr->pd == again);
	CHECK_INT(model_aliases(to->cmd_fd, mr->handle), 2);

	CHECK_INT(ibv_dealloc_pd(own), EBUSY);
	CHECK_INT(ibv_dereg_mr(own_mr), 0);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(ibv_dealloc_pd(own), 0);
	CHECK_INT(ibv_dealloc_pd(again), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
}

static void use_channel(struct ibv_context *context,
			struct ibv_comp_channel *channel)
{
	struct ibv_cq *cq = ibv_create_cq(context, 4, NULL, channel, 0);

	CHECK(cq);
	ibv_ack_cq_events(cq, 1);
	CHECK_INT(ibv_destroy_cq(cq), 0);
}

static void *run(void *arg)
{
	union ibv_gid gid;

	(void)arg;
	for (unsigned int round = 0; round < ROUNDS; round++) {
		struct ibv_context *own = open_first();

		share_through(own, round);
		share_through(common, round);
		use_channel(common, common_channel);
		/* Which methods the kernel lacks is learnt by all at once. */
		CHECK_INT(ibv_query_gid(common, 1, 0, &gid), -1);
		close_context(own);
	}
	return NULL;
}

static void all_at_once(const struct mp_options *options)
{
	pthread_t threads[THREADS];

	mp_register(options);
	CHECK_INT(ibv_fork_init(), 0);
	model.no_gid_queries = true;
	model.pd_reply = options->pd_reply;
	common = open_first();
	common_pd = ibv_alloc_pd(common);
	common_channel = ibv_create_comp_channel(common);
	CHECK(common_pd && common_channel);

	for (int i = 0; i < THREADS; i++)
		CHECK_INT(pthread_create(&threads[i], NULL, run, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		CHECK_INT(pthread_join(threads[i], NULL), 0);

	CHECK_INT(common_channel->refcnt, 0);
	CHECK_INT(ibv_destroy_comp_channel(common_channel), 0);
	CHECK_INT(model_aliases(common->cmd_fd, common_pd->handle), 1);
	CHECK_INT(ibv_dealloc_pd(common_pd), 0);
	CHECK_INT(model_handles(common->cmd_fd), 0);
	close_context(common);
}

MODEL_TEST(adopting)
{
	static const struct mp_options options = { .pd_reply = 8 };

	all_at_once(&options);
}

MODEL_TEST(importing_by_op)
{
	static const struct mp_options options = { .import_ops = true };

	all_at_once(&options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		model_unit(adopting),
		model_unit(importing_by_op),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
