// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Threads on all of the control path at once, each by its own way through it,
 * while devices come and go: what threads share is the library's alone.  Built
 * with the thread sanitizer; what it reports fails the test, as does a wrong
 * result.  test_threads.c has many threads on one context, in step.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <infiniband/share.h>

#include "device/chardev.h"
#include "device/discover.h"
#include "model_test.h"

enum { ROUNDS = 500, DEVICES = 4, PAGE = 4096, PAGES = 64 };

/* ---- discovery: device 0 is always there, the others now and then ---- */

static atomic_uint scans;

int __wrap_scan_netlink(struct list_node *records, int *abi, dev_t open_cdev);
int __wrap_open_chardev(const char *name, dev_t cdev);
int __real_close(int fd);
int __wrap_close(int fd);

/* Files of the model, which must be told of their end: the library opens and
 * closes some for itself.
 */
static atomic_bool files[1024];

static int open_file(int device)
{
	int fd = model_open(device);

	CHECK(fd < 1024);
	files[fd] = true;
	return fd;
}

int __wrap_close(int fd)
{
	if (fd >= 0 && fd < 1024 && atomic_exchange(&files[fd], false))
		model_close(fd);
	return __real_close(fd);
}

static dev_t cdev_of(unsigned int device)
{
	/* What model_open() gives is /dev/null. */
	return makedev(1, device ? 100 + device : 3);
}

int __wrap_scan_netlink(struct list_node *records, int *abi, dev_t open_cdev)
{
	unsigned int scan = atomic_fetch_add(&scans, 1);

	(void)open_cdev;
	*abi = UVERBS_MAX_ABI;
	for (unsigned int i = 0; i < DEVICES; i++) {
		struct verbs_sysfs_dev *dev;

		if (i && scan >> i & 1)
			continue;
		dev = calloc(1, sizeof(*dev));
		CHECK(dev);
		snprintf(dev->ibdev_name, sizeof(dev->ibdev_name), "model%u",
			 i);
		snprintf(dev->sysfs_name, sizeof(dev->sysfs_name), "uverbs%u",
			 i);
		/* One that comes back is another one. */
		dev->ibdev_idx = i ? i + (scan >> (i + 1)) * DEVICES : 0;
		dev->sysfs_cdev = cdev_of(i);
		dev->abi_ver = 1;
		list_add_front(records, &dev->entry);
	}
	return 0;
}

int __wrap_open_chardev(const char *name, dev_t cdev)
{
	(void)name;
	return open_file(cdev == cdev_of(0) ? 0 : minor(cdev) - 100);
}

/* ---- what threads have in common ---- */

static struct ibv_context *common;
static struct ibv_comp_channel *common_channel;
/* The other end of the common context's asynchronous events */
static int events;
static char *memory;

/* A context that others export to and import from while it is closed */
static struct {
	atomic_int fd;
	atomic_uint pd, mr;
} mailbox;

static struct ibv_context *open_one(unsigned int index)
{
	int count;
	struct ibv_device **list = ibv_get_device_list(&count);
	struct ibv_context *context = NULL;

	CHECK(list && count >= 1 && count <= DEVICES);
	for (int i = 0; i < count; i++) {
		CHECK(!strncmp(ibv_get_device_name(list[i]), "model", 5));
		ibv_get_device_guid(list[i]);
		if (ibv_get_device_index(list[i]) % DEVICES == (int)index)
			context = ibv_open_device(list[i]);
	}
	/* The context keeps its device, whether it is gone or not. */
	ibv_free_device_list(list);
	return context;
}

static struct ibv_context *open_first(void)
{
	struct ibv_context *context = open_one(0);

	CHECK(context);
	return context;
}

static void close_context(struct ibv_context *context)
{
	CHECK_INT(ibv_close_device(context), 0);
}

/* ---- ways through the library ---- */

static void list_devices(unsigned int round)
{
	struct ibv_device **first = ibv_get_device_list(NULL);
	struct ibv_device **second = ibv_get_device_list(NULL);
	struct ibv_context *context = open_one(round % DEVICES);

	CHECK(first && second);
	CHECK_INT(ibv_get_device_index(first[0]) < 0, 0);
	ibv_free_device_list(first);
	if (context) {
		CHECK(!strncmp(context->device->name, "model", 5));
		close_context(context);
	}
	ibv_free_device_list(second);
}

/* The provider has no such op; up to there it is like any other. */
static void import_device(unsigned int round)
{
	int fd = open_file(0);

	(void)round;
	errno = 0;
	CHECK(!ibv_import_device(fd));
	CHECK_INT(errno, EOPNOTSUPP);
	close(fd);
}

static void make_and_destroy(struct ibv_context *context)
{
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_parent_domain_init_attr parent_attr = { .pd = pd };
	struct ibv_cq_init_attr_ex cq_ex_attr = { .cqe = 4 };
	struct ibv_srq_init_attr srq_attr = { .attr = { .max_wr = 1 } };
	struct ibv_qp_init_attr qp_attr = { .qp_type = IBV_QPT_RC };
	struct ibv_ah_attr ah_attr = { .dlid = 1, .port_num = 1 };
	struct ibv_port_attr port;
	struct ibv_pd *parent;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
	struct ibv_ah *ah;
	struct ibv_dm *dm;

	CHECK(pd);
	parent = ibv_alloc_parent_domain(context, &parent_attr);
	cq = ibv_create_cq(context, 4, NULL, NULL, 0);
	srq = ibv_create_srq(pd, &srq_attr);
	CHECK(parent && cq && srq);
	qp_attr.send_cq = qp_attr.recv_cq = cq;
	qp = ibv_create_qp(pd, &qp_attr);
	ah = ibv_create_ah(pd, &ah_attr);
	CHECK(qp && ah);
	CHECK_INT(ibv_query_port(context, 1, &port), 0);
	CHECK_INT(ibv_resize_cq(cq, 8), 0);
	dm = ibv_import_dm(context, 7);
	if (dm)
		ibv_unimport_dm(dm);
	/* What the provider has not: the library's own answers */
	CHECK(!ibv_create_cq_ex(context, &cq_ex_attr));
	CHECK(!ibv_alloc_mw(pd, IBV_MW_TYPE_1));
	CHECK(!ibv_alloc_td(context, &(struct ibv_td_init_attr){ 0 }));
	CHECK(!ibv_open_xrcd(context, &(struct ibv_xrcd_init_attr){ 0 }));
	CHECK(!ibv_create_wq(context, &(struct ibv_wq_init_attr){ 0 }));
	CHECK(!ibv_create_counters(context,
				   &(struct ibv_counters_init_attr){ 0 }));

	CHECK_INT(ibv_destroy_ah(ah), 0);
	CHECK_INT(ibv_destroy_qp(qp), 0);
	CHECK_INT(ibv_destroy_srq(srq), 0);
	CHECK_INT(ibv_destroy_cq(cq), 0);
	CHECK_INT(ibv_dealloc_pd(parent), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
}

static void all_objects(unsigned int round)
{
	struct ibv_context *own = open_first();

	make_and_destroy(round % 2 ? own : common);
	close_context(own);
}

/* Ranges overlap with those of other threads. */
static void register_memory(unsigned int round)
{
	struct ibv_pd *pd = ibv_alloc_pd(common);
	char *start = memory + round % (PAGES / 2) * PAGE;
	struct ibv_mr *mrs[3];

	CHECK(pd);
	CHECK_INT(ibv_fork_init(), 0);
	for (unsigned int i = 0; i < 3; i++) {
		mrs[i] = ibv_reg_mr(pd, start + i * 100, (i + 1) * 5 * PAGE, 0);
		CHECK(mrs[i]);
	}
	CHECK_INT(ibv_rereg_mr(mrs[1], IBV_REREG_MR_CHANGE_TRANSLATION, NULL,
			       start + PAGE, 2 * PAGE, 0),
		  0);
	CHECK(ibv_is_fork_initialized() != IBV_FORK_DISABLED);
	for (unsigned int i = 0; i < 3; i++)
		CHECK_INT(ibv_dereg_mr(mrs[i]), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
}

static void query_gids(unsigned int round)
{
	struct ibv_gid_entry entries[MODEL_GIDS], entry;
	struct ibv_context *own = open_first();
	struct ibv_context *context = round % 2 ? own : common;
	union ibv_gid gid;
	bool native = !model.no_gid_queries;

	/* Without the commands it is sysfs, which this device has not. */
	CHECK_INT(ibv_query_gid(context, 1, 0, &gid), native ? 0 : -1);
	CHECK_INT(!ibv_query_gid_ex(context, 1, 1, &entry, 0), native);
	CHECK_INT(ibv_query_gid_table(context, entries, MODEL_GIDS, 0) == 2,
		  native);
	close_context(own);
	__verbs_log(verbs_get_ctx(common), VERBS_LOG_INFO, "round %u\n", round);
}

/* ---- events: one thread waits for all, those who made the CQ destroy it ---- */

static void await_acks(struct ibv_cq *cq, uint32_t *acked)
{
	pthread_mutex_lock(&cq->mutex);
	while (!*acked)
		pthread_cond_wait(&cq->cond, &cq->mutex);
	pthread_mutex_unlock(&cq->mutex);
}

static void report_async(struct ibv_cq *cq)
{
	struct ib_uverbs_async_event_desc record = { .element = (uintptr_t)cq,
						     .event_type =
							     IBV_EVENT_CQ_ERR };

	CHECK_INT(write(events, &record, sizeof(record)), sizeof(record));
}

static void report_completion(struct ibv_cq *cq)
{
	struct ib_uverbs_comp_event_desc record = { .cq_handle =
							    (uintptr_t)cq };

	model_report(common_channel->fd, &record, sizeof(record));
}

static void have_events(unsigned int round)
{
	struct ibv_cq *cq = ibv_create_cq(common, 4, NULL, common_channel, 0);

	(void)round;
	CHECK(cq);
	report_completion(cq);
	report_async(cq);
	/* As the kernel's count of events makes destroying a CQ wait */
	await_acks(cq, &cq->comp_events_completed);
	await_acks(cq, &cq->async_events_completed);
	CHECK_INT(ibv_destroy_cq(cq), 0);
}

static void *take_completions(void *arg)
{
	struct ibv_cq *cq;
	void *cq_context;

	(void)arg;
	while (!ibv_get_cq_event(common_channel, &cq, &cq_context))
		ibv_ack_cq_events(cq, 1);
	return NULL;
}

static void *take_async(void *arg)
{
	struct ibv_async_event event;

	(void)arg;
	while (!ibv_get_async_event(common, &event))
		ibv_ack_async_event(&event);
	return NULL;
}

/* ---- export, import, list, withdraw, close ---- */

/*
 * The descriptor may be closed at any moment, and be another context's then:
 * what is refused may be refused for any of these reasons.
 */
static void check_refusal(int err)
{
	CHECK(err == EBADF || err == EINVAL || err == ENOENT || err == EXDEV ||
	      err == EBUSY || err == ENOTTY);
}

static void import_objects(unsigned int round)
{
	/*
	 * Its own: with two threads' imports of one PD in one context the PD
	 * object of one could go while the other's MR import looks at it, which
	 * is the program's to prevent.
	 */
	struct ibv_context *own = open_first();
	int fd = mailbox.fd;
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	(void)round;
	errno = 0;
	pd = ibv_import_pd(own, fd, mailbox.pd);
	if (!pd)
		check_refusal(errno);
	errno = 0;
	mr = ibv_import_mr(own, fd, mailbox.mr);
	if (!mr)
		check_refusal(errno);
	if (mr)
		CHECK_INT(ibv_dereg_mr(mr), 0);
	if (pd)
		CHECK_INT(ibv_dealloc_pd(pd), 0);
	close_context(own);
}

/* The common context's file stays, so its handles are its makers'. */
static void export_objects(unsigned int round)
{
	struct ibv_context *own = open_first();
	struct ibv_pd *pd = ibv_alloc_pd(own);
	struct ibv_mr *mr, *imported;
	uint32_t to_pd, to_mr, lost, count = 0;
	int ret;

	CHECK(pd);
	mr = ibv_reg_mr(pd, memory + round % PAGES * PAGE, PAGE, 0);
	CHECK(mr);
	CHECK_INT(ibv_export_pd(pd, common->cmd_fd, &to_pd), 0);
	CHECK_INT(ibv_export_mr(mr, common->cmd_fd, &to_mr), 0);
	imported = ibv_import_mr(own, common->cmd_fd, to_mr);
	CHECK(imported);
	ret = ibv_list_objects(common->cmd_fd, UVERBS_OBJECT_PD, NULL, &count);
	CHECK(!ret || ret == EOPNOTSUPP);
	/* Not often: whoever has the file then has the handles, too. */
	ret = round % 8 ? 0 : ibv_export_pd(pd, mailbox.fd, &lost);
	if (ret)
		check_refusal(ret);
	/* Withdraw, or let the objects outlive their makers for a while. */
	CHECK_INT(ibv_withdraw(own, common->cmd_fd, UVERBS_OBJECT_MR, to_mr),
		  0);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(ibv_dereg_mr(imported), 0);
	if (round % 2)
		CHECK_INT(ibv_dealloc_pd(pd), 0);
	CHECK_INT(ibv_withdraw(common, common->cmd_fd, UVERBS_OBJECT_PD, to_pd),
		  0);
	if (!(round % 2))
		CHECK_INT(ibv_dealloc_pd(pd), 0);
	close_context(own);
}

static void offer_and_close(unsigned int round)
{
	struct ibv_context *own = open_first();
	struct ibv_pd *pd = ibv_alloc_pd(own), *imported_pd;
	struct ibv_mr *mr, *imported_mr;

	(void)round;
	CHECK(pd);
	mr = ibv_reg_mr(pd, memory, PAGE, 0);
	CHECK(mr);
	mailbox.pd = pd->handle;
	mailbox.mr = mr->handle;
	mailbox.fd = own->cmd_fd;
	imported_pd = ibv_import_pd(common, own->cmd_fd, pd->handle);
	imported_mr = ibv_import_mr(common, own->cmd_fd, mr->handle);
	CHECK(imported_pd && imported_mr && imported_mr->pd == imported_pd);
	CHECK_INT(imported_mr->lkey, mr->lkey);
	CHECK_INT(ibv_dereg_mr(mr), 0);
	CHECK_INT(ibv_dealloc_pd(pd), 0);
	close_context(own);
	/* The objects are still there. */
	CHECK_INT(model_aliases(common->cmd_fd, imported_mr->handle) >= 1, 1);
	CHECK_INT(ibv_dereg_mr(imported_mr), 0);
	CHECK_INT(ibv_dealloc_pd(imported_pd), 0);
}

/* ---- all of it ---- */

typedef void (*way)(unsigned int round);

static void *go(void *arg)
{
	way go_once = *(const way *)arg;

	for (unsigned int round = 0; round < ROUNDS; round++)
		go_once(round);
	return NULL;
}

static void set_up(const struct mp_options *options)
{
	int ends[2];

	mp_register(options);
	model.pd_reply = options->pd_reply;
	for (unsigned int i = 0; i < 2; i++)
		model_gids[i].gid.raw[15] = i + 1;
	model_num_gids = 2;

	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(memory != MAP_FAILED);
	mailbox.fd = -1;
	common = open_first();
	common_channel = ibv_create_comp_channel(common);
	CHECK(common_channel);
	CHECK(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
	CHECK(dup2(ends[0], common->async_fd) >= 0);
	close(ends[0]);
	events = ends[1];
}

static void tear_down(void)
{
	CHECK_INT(ibv_destroy_comp_channel(common_channel), 0);
	CHECK_INT(model_handles(common->cmd_fd), 0);
	close_context(common);
	CHECK_INT(model_objects(), 0);
	CHECK_INT(munmap(memory, PAGES * PAGE), 0);
}

static void all_at_once(const struct mp_options *options)
{
	/* Two threads go each way. */
	static const way ways[] = { list_devices,   import_device,
				    all_objects,    register_memory,
				    query_gids,	    have_events,
				    import_objects, export_objects,
				    offer_and_close };
	enum { WAYS = sizeof(ways) / sizeof(ways[0]) };
	pthread_t threads[2 * WAYS], completions, async;

	set_up(options);
	CHECK_INT(pthread_create(&completions, NULL, take_completions, NULL),
		  0);
	CHECK_INT(pthread_create(&async, NULL, take_async, NULL), 0);
	for (size_t i = 0; i < 2 * WAYS; i++)
		CHECK_INT(pthread_create(&threads[i], NULL, go,
					 (void *)&ways[i % WAYS]),
			  0);
	for (size_t i = 0; i < 2 * WAYS; i++)
		CHECK_INT(pthread_join(threads[i], NULL), 0);

	/* The end of the files ends those who wait. */
	close(events);
	model_report(common_channel->fd, NULL, 0);
	CHECK_INT(pthread_join(async, NULL), 0);
	CHECK_INT(pthread_join(completions, NULL), 0);
	tear_down();
}

static void *init_fork(void *arg)
{
	(void)arg;
	CHECK_INT(ibv_fork_init(), 0);
	CHECK(ibv_is_fork_initialized() != IBV_FORK_DISABLED);
	return NULL;
}

/* The first in the process, since after a registration it is too late */
MODEL_TEST(fork_init)
{
	pthread_t threads[4];

	for (size_t i = 0; i < 4; i++)
		CHECK_INT(pthread_create(&threads[i], NULL, init_fork, NULL),
			  0);
	for (size_t i = 0; i < 4; i++)
		CHECK_INT(pthread_join(threads[i], NULL), 0);
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

/* That the commands are missing is learnt by all threads at once. */
MODEL_TEST(old_kernel)
{
	static const struct mp_options options = { .pd_reply = 8 };

	model.no_gid_queries = true;
	all_at_once(&options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		model_unit(fork_init),
		model_unit(adopting),
		model_unit(importing_by_op),
		model_unit(old_kernel),
	};

	setenv("VERBS_LOG_LEVEL", "4", 1);
	setenv("VERBS_LOG_FILE", "/dev/null", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
