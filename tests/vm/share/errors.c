// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Every wrong use gives the errno that is documented for it, by export and by
 * import alike, and leaves nothing behind.  EIO is in device.c, as rxe cannot go
 * away while it is open; ENOMEM in ../m5soft/enomem.c.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>

#include "share_test.h"

#define SIZE 4096
#define UNTOUCHED 0xdeadbeef

static char *memory;
static struct ibv_context *a, *b, *foreign;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct test_counts objects;

/* Export of both kinds fails, and new_handle is as it was. */
static void export_fails(int fd, int err)
{
	uint32_t handle = UNTOUCHED;

	RETURNS(ibv_export_pd(pd, fd, &handle), err);
	RETURNS(ibv_export_mr(mr, fd, &handle), err);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_PD, pd->handle),
		err);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_MR, mr->handle),
		err);
	CHECK(handle == UNTOUCHED, "new_handle was changed to %u", handle);
}

static void import_fails(int fd, uint32_t handle, int err)
{
	FAILS(ibv_import_pd(b, fd, handle), err);
	FAILS(ibv_import_mr(b, fd, handle), err);
}

static void bad_descriptors(void)
{
	int closed = dup(0), null = open("/dev/null", O_RDWR), pipes[2];

	NEED(closed >= 0 && null >= 0 && !pipe(pipes));
	close(closed);
	export_fails(closed, EBADF);
	import_fails(closed, pd->handle, EBADF);
	export_fails(-1, EBADF);
	import_fails(-1, pd->handle, EBADF);

	export_fails(null, EINVAL);
	import_fails(null, pd->handle, EINVAL);
	export_fails(pipes[0], EINVAL);
	import_fails(pipes[0], pd->handle, EINVAL);
	/* Of the same driver, but no file with objects */
	export_fails(b->async_fd, EINVAL);
	import_fails(a->async_fd, pd->handle, EINVAL);
	close(null);
	close(pipes[0]);
	close(pipes[1]);
}

static void null_arguments(void)
{
	int fd = ibv_context_to_fd(b);
	uint32_t handle = UNTOUCHED;

	RETURNS(ibv_export_to_fd(fd, NULL, a, UVERBS_OBJECT_PD, pd->handle),
		EINVAL);
	RETURNS(ibv_export_to_fd(fd, &handle, NULL, UVERBS_OBJECT_PD,
				 pd->handle),
		EINVAL);
	RETURNS(ibv_export_pd(pd, fd, NULL), EINVAL);
	RETURNS(ibv_export_mr(mr, fd, NULL), EINVAL);
	RETURNS(ibv_export_pd(NULL, fd, &handle), EINVAL);
	RETURNS(ibv_export_mr(NULL, fd, &handle), EINVAL);
	FAILS(ibv_import_pd(NULL, fd, pd->handle), EINVAL);
	FAILS(ibv_import_mr(NULL, fd, mr->handle), EINVAL);
	CHECK(handle == UNTOUCHED, "new_handle was changed");
}

static void types(void)
{
	static const int unshared[] = {
		UVERBS_OBJECT_DEVICE,	   UVERBS_OBJECT_COMP_CHANNEL,
		UVERBS_OBJECT_CQ,	   UVERBS_OBJECT_QP,
		UVERBS_OBJECT_SRQ,	   UVERBS_OBJECT_AH,
		UVERBS_OBJECT_MW,	   UVERBS_OBJECT_FLOW,
		UVERBS_OBJECT_XRCD,	   UVERBS_OBJECT_RWQ_IND_TBL,
		UVERBS_OBJECT_WQ,	   UVERBS_OBJECT_FLOW_ACTION,
		UVERBS_OBJECT_DM,	   UVERBS_OBJECT_COUNTERS,
		UVERBS_OBJECT_ASYNC_EVENT,
	};
	static const int none[] = { UVERBS_OBJECT_ASYNC_EVENT + 1,
				    0xfff,
				    0x1000,
				    0xffff,
				    0x10000,
				    -1 };
	int fd = ibv_context_to_fd(b);
	uint32_t handle = UNTOUCHED;
	size_t i;

	for (i = 0; i < sizeof(unshared) / sizeof(unshared[0]); i++) {
		int ret = ibv_export_to_fd(fd, &handle, a, unshared[i],
					   pd->handle);

		CHECK(ret == EOPNOTSUPP, "type %d: %s", unshared[i],
		      strerror(ret));
	}
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		int ret = ibv_export_to_fd(fd, &handle, a, none[i], pd->handle);

		CHECK(ret == EINVAL, "type %#x: %s", none[i], strerror(ret));
	}
	CHECK(handle == UNTOUCHED, "new_handle was changed");
}

static void handles(void)
{
	int fd = ibv_context_to_fd(b), from = ibv_context_to_fd(a);
	struct ibv_cq *cq = ibv_create_cq(a, 4, NULL, NULL, 0);
	struct ibv_pd *gone = ibv_alloc_pd(a);
	uint32_t handle = UNTOUCHED, stale;

	NEED(cq && gone);
	import_fails(from, 4711, ENOENT);
	import_fails(from, 0xffffffff, ENOENT);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_PD, 4711),
		ENOENT);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_MR, 0xffffffff),
		ENOENT);
	stale = gone->handle;
	RETURNS(ibv_dealloc_pd(gone), 0);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_PD, stale),
		ENOENT);
	FAILS(ibv_import_pd(b, from, stale), ENOENT);

	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_PD, mr->handle),
		EINVAL);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_MR, pd->handle),
		EINVAL);
	RETURNS(ibv_export_to_fd(fd, &handle, a, UVERBS_OBJECT_PD, cq->handle),
		EINVAL);
	FAILS(ibv_import_pd(b, from, mr->handle), EINVAL);
	FAILS(ibv_import_mr(b, from, pd->handle), EINVAL);
	FAILS(ibv_import_mr(b, from, cq->handle), EINVAL);
	CHECK(handle == UNTOUCHED, "new_handle was changed");
	RETURNS(ibv_destroy_cq(cq), 0);
}

static void other_device(void)
{
	export_fails(ibv_context_to_fd(foreign), EXDEV);
	FAILS(ibv_import_pd(foreign, ibv_context_to_fd(a), pd->handle), EXDEV);
	FAILS(ibv_import_mr(foreign, ibv_context_to_fd(a), mr->handle), EXDEV);
}

/* ---- EBUSY: the object is being destroyed by another thread ---- */

#define LARGE (64u << 20)

struct dereg {
	struct ibv_mr *mr;
	pthread_barrier_t barrier;
	int ret;
};

static void *dereg_thread(void *arg)
{
	struct dereg *d = arg;

	pthread_barrier_wait(&d->barrier);
	d->ret = ibv_dereg_mr(d->mr);
	return NULL;
}

/*
 * To take a large MR down takes a while, all of it with the MR locked: an
 * export that comes at that time is refused.  It may also come before (0) or
 * after (ENOENT): then once more, at another moment.
 */
static void being_destroyed(bool import)
{
	void *large = test_memory(LARGE);
	bool busy = false;
	int tries;

	for (tries = 0; tries < 400 && !busy; tries++) {
		const struct timespec pause = { .tv_nsec =
							tries % 16 * 250000 };
		uint32_t handle = UNTOUCHED, mr_handle;
		struct ibv_mr *alias = NULL;
		struct dereg d;
		pthread_t thread;
		int ret;

		NEED(d.mr = ibv_reg_mr(pd, large, LARGE, TEST_ACCESS));
		mr_handle = d.mr->handle;
		NEED(!pthread_barrier_init(&d.barrier, NULL, 2));
		NEED(!pthread_create(&thread, NULL, dereg_thread, &d));
		pthread_barrier_wait(&d.barrier);
		nanosleep(&pause, NULL);
		if (import) {
			errno = 0;
			alias = ibv_import_mr(b, ibv_context_to_fd(a),
					      mr_handle);
			ret = alias ? 0 : errno;
		} else {
			ret = ibv_export_to_fd(ibv_context_to_fd(a), &handle, a,
					       UVERBS_OBJECT_MR, mr_handle);
		}
		pthread_join(thread, NULL);
		pthread_barrier_destroy(&d.barrier);
		/* EBUSY there: the export had it locked, the MR still is. */
		if (d.ret == EBUSY)
			d.ret = ibv_dereg_mr(d.mr);
		RETURNS(d.ret, 0);
		if (ret == EBUSY) {
			busy = true;
			CHECK(handle == UNTOUCHED, "new_handle was changed");
		} else if (!ret) {
			if (!import)
				alias = ibv_import_mr(a, ibv_context_to_fd(a),
						      handle);
			NEED(alias);
			RETURNS(ibv_dereg_mr(alias), 0);
			if (!import) {
				/* The exported one goes by its file alone. */
				ibv_close_device(a);
				a = test_open(0);
				NEED(pd = ibv_alloc_pd(a));
				NEED(mr = ibv_reg_mr(pd, memory, SIZE,
						     TEST_ACCESS));
			}
		} else {
			CHECK(ret == ENOENT, "during the destruction: %s",
			      strerror(ret));
		}
	}
	CHECK(busy, "%s never met the destruction",
	      import ? "import" : "export");
}

/* ---- EAGAIN: the limit of the RDMA cgroup ---- */

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		FATAL("%s: %s", path, strerror(errno));
	close(fd);
}

static void cgroup_limit(void)
{
	const char *root = "/tmp/share-cgroup";
	const char *group = "/tmp/share-cgroup/share";
	uint32_t handle = UNTOUCHED;
	struct ibv_pd *p;
	struct ibv_mr *m;
	char text[32], limit[96];

	if (mkdir(root, 0700) || mount("none", root, "cgroup2", 0, NULL))
		FATAL("cannot mount cgroups: %s", strerror(errno));
	write_file(root, "cgroup.subtree_control", "+rdma");
	NEED(!mkdir(group, 0700));
	snprintf(text, sizeof(text), "%d", getpid());
	write_file(group, "cgroup.procs", text);
	snprintf(limit, sizeof(limit), "%s hca_object=1", test_device(0));
	write_file(group, "rdma.max", limit);

	/* One alias may be, a second one may not; the one that went counts no
	 * more. */
	p = ibv_import_pd(b, ibv_context_to_fd(a), pd->handle);
	CHECK(p, "import within the limit: %s", strerror(errno));
	FAILS(ibv_import_pd(b, ibv_context_to_fd(a), pd->handle), EAGAIN);
	FAILS(ibv_import_mr(b, ibv_context_to_fd(a), mr->handle), EAGAIN);
	export_fails(ibv_context_to_fd(b), EAGAIN);
	if (p)
		RETURNS(ibv_dealloc_pd(p), 0);
	m = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle);
	CHECK(m, "import within the limit: %s", strerror(errno));
	RETURNS(ibv_export_pd(pd, ibv_context_to_fd(b), &handle), EAGAIN);
	CHECK(handle == UNTOUCHED, "new_handle was changed");
	if (m)
		RETURNS(ibv_dereg_mr(m), 0);

	write_file(root, "cgroup.procs", text);
	/* The kernel forgets a limit that goes with its group: its own list of
	 * them is broken, which shows when the device goes.
	 */
	snprintf(limit, sizeof(limit), "%s hca_object=max", test_device(0));
	write_file(group, "rdma.max", limit);
	NEED(!rmdir(group));
	umount(root);
	rmdir(root);
}

static void all_gone(void)
{
	MORE_THAN(&objects, 0, 0);
}

int main(void)
{
	struct test_counts base = test_count();
	int fds;

	memory = test_memory(SIZE);
	a = test_open(0);
	b = test_open(0);
	foreign = test_open(1);
	NEED(pd = ibv_alloc_pd(a));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	objects = test_count();
	fds = test_open_fds();

	bad_descriptors();
	all_gone();
	null_arguments();
	all_gone();
	types();
	all_gone();
	handles();
	all_gone();
	other_device();
	all_gone();
	cgroup_limit();
	all_gone();
	/* valgrind runs one thread at a time: they would not meet. */
	if (!getenv("SHARE_ONE_THREAD")) {
		being_destroyed(false);
		being_destroyed(true);
		all_gone();
	}
	CHECK(test_open_fds() == fds, "descriptors left open");

	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(a), 0);
	RETURNS(ibv_close_device(b), 0);
	RETURNS(ibv_close_device(foreign), 0);
	SAME_AS(&base);
	return test_end();
}
