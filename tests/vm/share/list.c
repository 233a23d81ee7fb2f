// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_list_objects(): another process lists an export context and imports all
 * of it, knowing no handle; and lists while the owner exports and destroys.
 * With the argument "stock": what a kernel without export and import lists.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "share_test.h"

#define PDS 7
#define MRS 600
#define ROUNDS 300
#define UNTOUCHED 0xdeadbeef

static char *memory;

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* CHECK that fd has just these handles, in any order; sorts them. */
static void has(int fd, enum uverbs_default_objects type, uint32_t *want,
		uint32_t n)
{
	uint32_t *got, count = UNTOUCHED, i;

	RETURNS(ibv_list_objects(fd, type, NULL, &count), 0);
	CHECK(count == n, "%u of type %d instead of %u", count, type, n);
	NEED(got = calloc(n + 2, sizeof(*got)));
	got[n] = UNTOUCHED;
	count = n + 1;
	RETURNS(ibv_list_objects(fd, type, got, &count), 0);
	CHECK(count == n, "%u of type %d instead of %u", count, type, n);
	CHECK(got[n] == UNTOUCHED, "written behind the list");
	if (n) {
		qsort(got, n, sizeof(*got), by_number);
		qsort(want, n, sizeof(*want), by_number);
	}
	for (i = 0; i < n && got[i] == want[i]; i++)
		;
	CHECK(i == n, "not the right handles from place %u", i);

	/* Just enough, and one too few */
	count = n;
	RETURNS(ibv_list_objects(fd, type, got, &count), 0);
	CHECK(count == n, "%u with just enough room", count);
	if (n) {
		memset(got, 0xee, n * sizeof(*got));
		count = n - 1;
		RETURNS(ibv_list_objects(fd, type, got, &count), ENOSPC);
		CHECK(count == n, "ENOSPC with %u instead of %u", count, n);
		for (i = 0; i < n && got[i] == 0xeeeeeeee; i++)
			;
		CHECK(i == n, "ENOSPC and handles");
	}
	free(got);
}

static void wrong_files(struct ibv_context *context)
{
	int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR);
	uint32_t count = 3, handle = UNTOUCHED;

	NEED(null >= 0 && zero >= 0);
	RETURNS(ibv_list_objects(null, UVERBS_OBJECT_PD, &handle, &count),
		EINVAL);
	RETURNS(ibv_list_objects(context->async_fd, UVERBS_OBJECT_PD, &handle,
				 &count),
		EINVAL);
	close(null);
	RETURNS(ibv_list_objects(null, UVERBS_OBJECT_PD, &handle, &count),
		EBADF);
	RETURNS(ibv_list_objects(ibv_context_to_fd(context), 4711, &handle,
				 &count),
		EINVAL);
	RETURNS(ibv_list_objects(ibv_context_to_fd(context),
				 UVERBS_OBJECT_COMP_CHANNEL, &handle, &count),
		EOPNOTSUPP);
	CHECK(count == 3 && handle == UNTOUCHED, "an error, and changes");
	close(zero);
}

/* A descriptor is enough, for a process that has no node of the device. */
static void without_node(struct ibv_context *context)
{
	int fd = ibv_context_to_fd(context), status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	NEED(pid >= 0);
	if (!pid) {
		uint32_t count = 3;

		if (unshare(CLONE_NEWNS) ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("tmpfs", "/dev/infiniband", "tmpfs", 0, NULL))
			_exit(2);
		RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_PD, NULL, &count),
			0);
		CHECK(count == 2, "%u PDs instead of 2", count);
		_exit(test_child_end());
	}
	NEED(waitpid(pid, &status, 0) == pid);
	CHECK(!status, "the process without a node: status %#x", status);
}

/* Our own objects, of several types, come and go; and a file without context */
static void own_objects(void)
{
	struct ibv_context *context = test_open(0);
	int fd = ibv_context_to_fd(context), bare;
	uint32_t pds[2], mr, cq;
	struct ibv_pd *pd[2];
	struct ibv_mr *region;
	struct ibv_cq *queue;
	char path[96];

	has(fd, UVERBS_OBJECT_PD, NULL, 0);
	has(fd, UVERBS_OBJECT_QP, NULL, 0);
	NEED(pd[0] = ibv_alloc_pd(context));
	NEED(pd[1] = ibv_alloc_pd(context));
	NEED(region = ibv_reg_mr(pd[0], memory, 4096, TEST_ACCESS));
	NEED(queue = ibv_create_cq(context, 4, NULL, NULL, 0));
	pds[0] = pd[0]->handle;
	pds[1] = pd[1]->handle;
	mr = region->handle;
	cq = queue->handle;
	has(fd, UVERBS_OBJECT_PD, pds, 2);
	has(fd, UVERBS_OBJECT_MR, &mr, 1);
	has(fd, UVERBS_OBJECT_CQ, &cq, 1);
	wrong_files(context);
	without_node(context);
	pds[0] = pd[0]->handle;
	RETURNS(ibv_dealloc_pd(pd[1]), 0);
	has(fd, UVERBS_OBJECT_PD, pds, 1);
	RETURNS(ibv_destroy_cq(queue), 0);
	RETURNS(ibv_dereg_mr(region), 0);
	RETURNS(ibv_dealloc_pd(pd[0]), 0);
	has(fd, UVERBS_OBJECT_MR, NULL, 0);

	snprintf(path, sizeof(path), "/dev/infiniband/%s",
		 context->device->dev_name);
	bare = open(path, O_RDWR | O_CLOEXEC);
	NEED(bare >= 0);
	has(bare, UVERBS_OBJECT_PD, NULL, 0);
	close(bare);
	RETURNS(ibv_close_device(context), 0);
}

/* ---- another process, which gets the descriptor and no handle ---- */

static uint32_t *list_all(int fd, enum uverbs_default_objects type,
			  uint32_t *count)
{
	uint32_t *handles;

	RETURNS(ibv_list_objects(fd, type, NULL, count), 0);
	NEED(handles = calloc(*count + 1, sizeof(*handles)));
	RETURNS(ibv_list_objects(fd, type, handles, count), 0);
	return handles;
}

static int importer(void)
{
	struct ibv_context *context = test_open(0);
	uint32_t *pds, *mrs, num_pds, num_mrs, i;
	struct ibv_pd *pd[PDS + 1];
	uint64_t lengths = 0;
	char word;
	int fd;

	NEED(test_recv(TEST_CHILD_SOCK, &word, 1, &fd, 1));
	pds = list_all(fd, UVERBS_OBJECT_PD, &num_pds);
	mrs = list_all(fd, UVERBS_OBJECT_MR, &num_mrs);
	if (num_pds != PDS || num_mrs != MRS)
		FATAL("%u PDs and %u MRs", num_pds, num_mrs);
	for (i = 0; i < num_pds; i++)
		NEED(pd[i] = ibv_import_pd(context, fd, pds[i]));
	for (i = 0; i < num_mrs; i++) {
		struct ibv_mr *mr = ibv_import_mr(context, fd, mrs[i]);

		NEED(mr);
		CHECK(mr->pd, "an MR without its PD");
		lengths += mr->length;
		if (i % 2)
			RETURNS(ibv_dereg_mr(mr), 0);
	}
	/* Each MR has another length, so each came once. */
	CHECK(lengths == (uint64_t)MRS * (MRS + 1) / 2, "lengths add to %llu",
	      (unsigned long long)lengths);
	test_send(TEST_CHILD_SOCK, &word, 1, NULL, 0);
	NEED(test_recv(TEST_CHILD_SOCK, &word, 1, NULL, 0));
	free(pds);
	free(mrs);
	close(fd);
	return test_child_end();
}

static void export_and_import_all(void)
{
	struct ibv_context *context = test_open(0), *export = test_open(0);
	uint32_t handle[PDS + MRS];
	struct test_process process;
	struct test_counts base = test_count();
	int fd = ibv_context_to_fd(export), i, status;
	struct ibv_pd *pd[PDS];
	struct ibv_mr *mr[MRS];
	char word = 0;

	for (i = 0; i < PDS; i++) {
		NEED(pd[i] = ibv_alloc_pd(context));
		RETURNS(ibv_export_pd(pd[i], fd, &handle[i]), 0);
	}
	for (i = 0; i < MRS; i++) {
		NEED(mr[i] = ibv_reg_mr(pd[i % PDS], memory, i + 1,
					TEST_ACCESS));
		RETURNS(ibv_export_mr(mr[i], fd, &handle[PDS + i]), 0);
	}
	has(fd, UVERBS_OBJECT_PD, handle, PDS);
	has(fd, UVERBS_OBJECT_MR, handle + PDS, MRS);

	process = test_start("importer");
	test_send(process.sock, &word, 1, &fd, 1);
	if (!test_recv(process.sock, &word, 1, NULL, 0))
		FATAL("the importer has failed");
	MORE_THAN(&base, PDS, MRS);
	test_send(process.sock, &word, 1, NULL, 0);
	status = test_reap(&process);
	CHECK(status == 0, "the importer: status %#x", status);

	for (i = 0; i < MRS; i++)
		RETURNS(ibv_dereg_mr(mr[i]), 0);
	for (i = 0; i < PDS; i++)
		RETURNS(ibv_dealloc_pd(pd[i]), 0);
	/* The owner's objects have gone from its file, not from this one. */
	has(ibv_context_to_fd(context), UVERBS_OBJECT_MR, NULL, 0);
	has(fd, UVERBS_OBJECT_MR, handle + PDS, MRS);
	RETURNS(ibv_close_device(export), 0);
	RETURNS(ibv_close_device(context), 0);
}

/* ---- list and import while another thread exports and destroys ---- */

struct race {
	struct ibv_context *shared;
	atomic_bool over;
	atomic_uint lists, imported;
};

static bool has_begun(struct race *race)
{
	return atomic_load(&race->lists) > 2 &&
	       atomic_load(&race->imported) > 2;
}

static void *come_and_go(void *arg)
{
	struct race *race = arg;
	int fd = ibv_context_to_fd(race->shared);
	struct ibv_context *context = test_open(0);
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	uint32_t handle;

	NEED(pd = ibv_alloc_pd(context));
	NEED(mr = ibv_reg_mr(pd, memory, 4096, TEST_ACCESS));
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_mr *alias;

		/* On one processor this thread could be through before it */
		while (i == ROUNDS / 2 && !has_begun(race))
			sched_yield();
		/* Comes by export, or by import; goes by dereg */
		if (i % 2) {
			int ret = ibv_export_mr(mr, fd, &handle);

			CHECK(!ret || ret == EBUSY, "export: %s",
			      strerror(ret));
		}
		alias = ibv_import_mr(race->shared, ibv_context_to_fd(context),
				      mr->handle);
		CHECK(alias || errno == EBUSY, "import: %s", strerror(errno));
		while (alias) {
			int ret = ibv_dereg_mr(alias);

			CHECK(!ret || ret == EBUSY, "dereg: %s", strerror(ret));
			if (!ret)
				break;
		}
	}
	atomic_store(&race->over, true);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	ibv_close_device(context);
	return NULL;
}

static void racing(void)
{
	struct race race = { .shared = test_open(0) };
	struct ibv_context *context = test_open(0);
	int fd = ibv_context_to_fd(race.shared);
	uint32_t handles[ROUNDS + 1], count, seen = 0, i;
	pthread_t thread;

	NEED(!pthread_create(&thread, NULL, come_and_go, &race));
	while (!atomic_load(&race.over)) {
		count = ROUNDS + 1;
		RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_MR, handles, &count),
			0);
		CHECK(count <= ROUNDS / 2 + 1 && count + 1 >= seen,
		      "%u objects after %u", count, seen);
		seen = count;
		atomic_fetch_add(&race.lists, 1);
		/* The kernel lists the newest first: the one that goes. */
		for (i = 0; i < count && i < 2; i++) {
			struct ibv_mr *mr =
				ibv_import_mr(context, fd, handles[i]);

			CHECK(mr || errno == ENOENT || errno == EBUSY,
			      "a listed handle: %s", strerror(errno));
			if (mr) {
				atomic_fetch_add(&race.imported, 1);
				RETURNS(ibv_dereg_mr(mr), 0);
			}
		}
	}
	pthread_join(thread, NULL);
	RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_MR, NULL, &count), 0);
	CHECK(count <= ROUNDS / 2 && count > ROUNDS / 8,
	      "%u objects in the end", count);
	RETURNS(ibv_close_device(context), 0);
	RETURNS(ibv_close_device(race.shared), 0);
}

/* ---- more than the kernel can list ---- */

#define MANY 16383

static void too_many(void)
{
	struct ibv_context *context = test_open(0);
	int fd = ibv_context_to_fd(context);
	uint32_t count = 0, *handles;
	struct ibv_ah_attr attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .hop_limit = 1, .sgid_index = 1 },
	};
	struct ibv_pd *pd;
	struct ibv_ah *ah = NULL;

	NEED(handles = calloc(MANY, sizeof(*handles)));
	NEED(pd = ibv_alloc_pd(context));
	NEED(!ibv_query_gid(context, 1, 1, &attr.grh.dgid));
	for (int i = 0; i < MANY - 1; i++)
		NEED(ah = ibv_create_ah(pd, &attr));
	count = MANY - 2;
	RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_AH, handles, &count),
		ENOSPC);
	CHECK(count == MANY - 1, "%u instead of %u", count, MANY - 1);
	RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_AH, handles, &count), 0);
	CHECK(count == MANY - 1 && handles[0] != handles[MANY - 2],
	      "not a whole list");
	NEED(ibv_create_ah(pd, &attr));
	count = 5;
	RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_AH, NULL, &count),
		EOVERFLOW);
	RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_AH, handles, &count),
		EOVERFLOW);
	CHECK(count == 5, "count was changed");
	RETURNS(ibv_destroy_ah(ah), 0);
	RETURNS(ibv_list_objects(fd, UVERBS_OBJECT_AH, NULL, &count), 0);
	CHECK(count == MANY - 1, "%u instead of %u", count, MANY - 1);
	free(handles);
	/* The rest goes with the file. */
	RETURNS(ibv_close_device(context), 0);
}

int main(int argc, char **argv)
{
	struct test_counts base;
	int fds;

	memory = test_memory(4096);
	if (argc > 1 && !strcmp(argv[1], "importer"))
		return importer();
	base = test_count();
	fds = test_open_fds();
	own_objects();
	if (argc > 1 && !strcmp(argv[1], "stock")) {
		too_many();
	} else {
		export_and_import_all();
		racing();
	}
	SAME_AS(&base);
	CHECK(test_open_fds() == fds, "descriptors left open");
	return test_end();
}
