// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What docs/sharing.md says about fork, containers and limits: each role is a process
 * that lacks something, imports, moves data, and is refused what the guide says
 * it is refused.
 */
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "share_test.h"

#define SIZE ((size_t)1 << 20)
#define NODE "/dev/infiniband/uverbs0"

struct offer {
	uint32_t pd_handle;
	uint32_t mr_handle;
	uint64_t addr;
};

/* Exported objects, and a file for one who has no node: each is given a new one. */
enum { EXPORTS, SPARE, FDS };

static void move_data(struct ibv_context *context, struct ibv_pd *pd,
		      struct ibv_mr *mr, uint64_t addr)
{
	struct test_end a, b;

	NEED(test_end_open(&a, pd, context));
	NEED(test_end_open(&b, pd, context));
	test_end_join(&a, &b);
	CHECK(test_run(&a, IBV_WR_RDMA_WRITE, addr, SIZE / 2, mr->lkey,
		       addr + SIZE / 2, mr->rkey) == IBV_WC_SUCCESS,
	      "no data by the imported keys");
	test_end_close(&a);
	test_end_close(&b);
}

/* The context is closed: in its file nothing is left. */
static void use(struct ibv_context *context, int fd, const struct offer *offer)
{
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	NEED(context);
	pd = ibv_import_pd(context, fd, offer->pd_handle);
	NEED(pd);
	mr = ibv_import_mr(context, fd, offer->mr_handle);
	NEED(mr);
	close(fd);
	CHECK(mr->length == SIZE && mr->pd == pd, "another MR");
	move_data(context, pd, mr, offer->addr);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	ibv_close_device(context);
}

/* Of the exported objects, by the descriptor alone */
static void can_list(int fd, const struct offer *offer)
{
	uint32_t handles[2], count = 2;

	RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_MR, handles, &count), 0);
	CHECK(count == 1 && handles[0] == offer->mr_handle,
	      "%u MRs are listed, the first is %u", count, handles[0]);
}

/* ---- the roles ---- */

static void no_node(const struct offer *offer, const int *fds)
{
	struct ibv_device **list;

	NEED(!unshare(CLONE_NEWNS));
	NEED(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	NEED(!mount("tmpfs", "/dev/infiniband", "tmpfs", 0, NULL));
	NEED(access(NODE, F_OK) && errno == ENOENT);
	list = ibv_get_device_list(NULL);
	NEED(list);
	CHECK(!list[0], "a device without a node is listed");
	ibv_free_device_list(list);
	can_list(fds[EXPORTS], offer);
	use(ibv_import_device(fds[SPARE]), fds[EXPORTS], offer);
}

/* In a network namespace of its own, as containers are */
static void netns_shared(const struct offer *offer, const int *fds)
{
	NEED(!unshare(CLONE_NEWNET));
	close(fds[SPARE]);
	use(test_open(0), fds[EXPORTS], offer);
}

/* The same while each device belongs to one namespace */
static void netns_exclusive(const struct offer *offer, const int *fds)
{
	struct ibv_context *context = test_open(0);
	int fd;

	NEED(!unshare(CLONE_NEWNET));
	fd = open(NODE, O_RDWR | O_CLOEXEC);
	CHECK(fd < 0 && errno == EPERM, "open: %d, %s", fd, strerror(errno));
	if (fd >= 0)
		close(fd);
	FAILS(ibv_import_device(fds[SPARE]), ENODEV);
	close(fds[SPARE]);
	/* What was opened before goes on to work. */
	use(context, fds[EXPORTS], offer);
}

static void become_nobody(void)
{
	NEED(!setgroups(0, NULL) && !setgid(65534) && !setuid(65534));
}

/* Little memory may be locked: what is imported is locked already. */
static void memlock(const struct offer *offer, const int *fds)
{
	const struct rlimit little = { SIZE / 2, SIZE / 2 };
	struct ibv_context *context = test_open(0);
	struct ibv_pd *pd = ibv_alloc_pd(context);
	void *memory = test_memory(SIZE);

	NEED(pd);
	NEED(!setrlimit(RLIMIT_MEMLOCK, &little));
	become_nobody();
	FAILS(ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS), ENOMEM);
	RETURNS(ibv_dealloc_pd(pd), 0);
	close(fds[SPARE]);
	use(context, fds[EXPORTS], offer);
}

/* An alias is one hca_object; the context is none, but an hca_handle. */
static void cgroup(const struct offer *offer, const int *fds)
{
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	FILE *file = fopen("/tmp/cgroup/one/cgroup.procs", "we");

	NEED(file && fprintf(file, "%d\n", getpid()) > 0 && !fclose(file));
	close(fds[SPARE]);
	context = test_open(0);
	NEED(context);
	pd = ibv_import_pd(context, fds[EXPORTS], offer->pd_handle);
	NEED(pd);
	FAILS(ibv_import_mr(context, fds[EXPORTS], offer->mr_handle), EAGAIN);
	RETURNS(ibv_dealloc_pd(pd), 0);
	mr = ibv_import_mr(context, fds[EXPORTS], offer->mr_handle);
	NEED(mr);
	RETURNS(ibv_dereg_mr(mr), 0);
	ibv_close_device(context);
}

static const struct role {
	const char *name;
	void (*run)(const struct offer *offer, const int *fds);
} roles[] = {
	{ "no_node", no_node },
	{ "netns_shared", netns_shared },
	{ "netns_exclusive", netns_exclusive },
	{ "memlock", memlock },
	{ "cgroup", cgroup },
};

static int play(const char *name)
{
	struct offer offer;
	int fds[FDS];

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		if (strcmp(roles[i].name, name))
			continue;
		NEED(test_recv(TEST_CHILD_SOCK, &offer, sizeof(offer), fds,
			       FDS));
		roles[i].run(&offer, fds);
		return test_child_end();
	}
	FATAL("no role %s", name);
}

static void start(const char *role, const struct offer *offer, int exports)
{
	struct test_process process = test_start(role);
	struct ibv_context *spare = test_open(0);
	int fds[FDS] = { exports, ibv_context_to_fd(spare) };
	int status;

	test_send(process.sock, offer, sizeof(*offer), fds, FDS);
	ibv_close_device(spare);
	status = test_reap(&process);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "%s: status %#x", role,
	      status);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	NEED(file && fputs(text, file) >= 0 && !fclose(file));
}

static void netns_mode(const char *mode)
{
	char command[64];

	snprintf(command, sizeof(command), "rdma system set netns %s", mode);
	NEED(!system(command));
}

/*
 * A child that inherited the owner's descriptors holds the owner's files open:
 * what is in them outlives the owner.  Inherited memory of a queue does so when
 * the descriptor is closed.
 */
static void forked(bool queue)
{
	struct test_counts before = test_count(), now;
	int up[2], down[2];
	pid_t owner, child;
	char byte = 0;

	NEED(!pipe2(up, O_CLOEXEC) && !pipe2(down, O_CLOEXEC));
	owner = fork();
	NEED(owner >= 0);
	if (!owner) {
		struct ibv_context *context = test_open(0);
		struct ibv_pd *pd = ibv_alloc_pd(context);

		if (!pd || (queue && !ibv_create_cq(context, 1, NULL, NULL, 0)))
			_exit(1);
		child = fork();
		if (!child) {
			int fd = ibv_context_to_fd(context);

			/* The owner was killed; then close what is its. */
			close(down[1]);
			if (read(down[0], &byte, 1) != 1)
				_exit(1);
			close(fd);
			if (write(up[1], &byte, 1) != 1 ||
			    read(down[0], &byte, 1) != 1)
				_exit(1);
			_exit(0);
		}
		if (write(up[1], &child, sizeof(child)) != sizeof(child))
			_exit(1);
		pause();
		_exit(1);
	}
	NEED(read(up[0], &child, sizeof(child)) == sizeof(child) && child > 0);
	NEED(!kill(owner, SIGKILL) && waitpid(owner, NULL, 0) == owner);
	now = test_count();
	CHECK(now.pd == before.pd + 1 && now.ctx == before.ctx + 1,
	      "%ld PDs, %ld contexts more", now.pd - before.pd,
	      now.ctx - before.ctx);
	NEED(write(down[1], &byte, 1) == 1 && read(up[0], &byte, 1) == 1);
	now = test_count();
	CHECK(now.ctx == before.ctx + queue, "%ld contexts more",
	      now.ctx - before.ctx);
	NEED(write(down[1], &byte, 1) == 1);
	/* The child's end, and what it closes then */
	close(up[1]);
	NEED(!read(up[0], &byte, 1));
	for (int i = 0; i < 1000 && test_count().ctx != before.ctx; i++)
		usleep(10000);
	SAME_AS(&before);
	close(up[0]);
	close(down[0]);
	close(down[1]);
}

int main(int argc, char **argv)
{
	struct ibv_context *context, *exports;
	struct test_counts before;
	struct offer offer = { 0 };
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	void *memory;
	int fd;

	if (argc > 1)
		return play(argv[1]);
	forked(false);
	forked(true);
	context = test_open(0);
	exports = test_open(0);
	NEED(context && exports);
	fd = ibv_context_to_fd(exports);
	memory = test_memory(SIZE);
	pd = ibv_alloc_pd(context);
	NEED(pd);
	/* Addresses are offsets, for all. */
	mr = ibv_reg_mr_iova(pd, memory, SIZE, 0, TEST_ACCESS);
	NEED(mr);
	offer.addr = 0;
	RETURNS(ibv_export_pd(pd, fd, &offer.pd_handle), 0);
	RETURNS(ibv_export_mr(mr, fd, &offer.mr_handle), 0);
	before = test_count();

	start("no_node", &offer, fd);
	start("netns_shared", &offer, fd);
	start("memlock", &offer, fd);

	NEED(!mkdir("/tmp/cgroup", 0755));
	NEED(!mount("cgroup2", "/tmp/cgroup", "cgroup2", 0, NULL));
	write_file("/tmp/cgroup/cgroup.subtree_control", "+rdma");
	NEED(!mkdir("/tmp/cgroup/one", 0755));
	write_file("/tmp/cgroup/one/rdma.max", "rxe0 hca_object=1");
	start("cgroup", &offer, fd);

	netns_mode("exclusive");
	start("netns_exclusive", &offer, fd);
	netns_mode("shared");

	SAME_AS(&before);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	ibv_close_device(exports);
	ibv_close_device(context);
	munmap(memory, SIZE);
	return test_end();
}
