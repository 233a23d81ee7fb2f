// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * bench_processes: N processes get an MR over one shared region.
 *
 *	bench_processes registered|imported N LENGTH
 *
 * "registered": each process registers the region.  "imported": this process
 * does, and the N import its PD and its MR.  Each has opened the device before
 * the clock starts.  Prints the nanoseconds till the last one has its MR, and
 * the KiB that the kernel has counted as pinned for all of them; then keeps all
 * as it is until standard input ends.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "bench.h"

#define ACCESS                                             \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_WRITE)

static void *memory;
static size_t length;
/* In memory shared by all: what there is to import */
static struct {
	uint32_t pd, mr;
} * handles;

static struct ibv_context *open_first(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context;

	NEED(list && list[0]);
	NEED(context = ibv_open_device(list[0]));
	ibv_free_device_list(list);
	return context;
}

static void *shared(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	NEED(p != MAP_FAILED);
	return p;
}

static void wait_for_end(int fd)
{
	char byte;

	while (read(fd, &byte, 1) > 0)
		;
}

static void say(int fd)
{
	NEED(write(fd, "", 1) == 1);
}

static void hear(int fd, unsigned int n)
{
	char byte;

	while (n--)
		NEED(read(fd, &byte, 1) == 1);
}

/* No process may end before all do: nobody would wait for it. */
static void on_child(int signo)
{
	static const char text[] = "bench_processes: a process is gone\n";

	(void)signo;
	_exit(write(STDERR_FILENO, text, sizeof(text) - 1) > 0 ? 1 : 2);
}

static void get_mr(struct ibv_context *context, struct ibv_context *owner)
{
	struct ibv_pd *pd;

	if (owner) {
		uint32_t fd = ibv_context_to_fd(owner);

		NEED(pd = ibv_import_pd(context, fd, handles->pd));
		NEED(ibv_import_mr(context, fd, handles->mr));
	} else {
		NEED(pd = ibv_alloc_pd(context));
		NEED(ibv_reg_mr(pd, memory, length, ACCESS));
	}
}

static void child(struct ibv_context *owner, int go, int done, int hold)
{
	struct ibv_context *context = open_first();

	/* Who registers has used the region before; who imports need not. */
	if (!owner)
		NEED(!madvise(memory, length, MADV_POPULATE_WRITE));
	say(done);
	wait_for_end(go);
	get_mr(context, owner);
	say(done);
	wait_for_end(hold);
	_exit(0);
}

static unsigned long pinned_kib(pid_t pid)
{
	char path[64], line[256];
	unsigned long kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	NEED(file = fopen(path, "re"));
	while (fgets(line, sizeof(line), file))
		sscanf(line, "VmPin: %lu", &kib);
	fclose(file);
	return kib;
}

int main(int argc, char *argv[])
{
	int go[2], done[2], hold[2], status;
	struct ibv_context *owner = NULL;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	unsigned long pinned;
	unsigned int i, n;
	uint64_t start;
	pid_t *pids;

	if (argc != 4 ||
	    (strcmp(argv[1], "imported") && strcmp(argv[1], "registered"))) {
		fprintf(stderr, "usage: bench_processes registered|imported "
				"N LENGTH\n");
		return 2;
	}
	n = strtoul(argv[2], NULL, 10);
	length = strtoull(argv[3], NULL, 10);
	NEED(n && length);
	memory = shared(length);
	handles = shared(sizeof(*handles));
	NEED(pids = calloc(n, sizeof(*pids)));
	NEED(!pipe(go) && !pipe(done) && !pipe(hold));
	if (!strcmp(argv[1], "imported"))
		owner = open_first();

	signal(SIGCHLD, on_child);
	for (i = 0; i < n; i++) {
		NEED((pids[i] = fork()) >= 0);
		if (pids[i])
			continue;
		signal(SIGCHLD, SIG_DFL);
		close(go[1]);
		close(hold[1]);
		child(owner, go[0], done[1], hold[0]);
	}
	hear(done[0], n);

	start = bench_now();
	if (owner) {
		NEED(pd = ibv_alloc_pd(owner));
		NEED(mr = ibv_reg_mr(pd, memory, length, ACCESS));
		handles->pd = ibv_pd_to_handle(pd);
		handles->mr = ibv_mr_to_handle(mr);
	}
	close(go[1]);
	hear(done[0], n);
	start = bench_now() - start;

	pinned = pinned_kib(getpid());
	for (i = 0; i < n; i++)
		pinned += pinned_kib(pids[i]);
	printf("%llu %lu\n", (unsigned long long)start, pinned);
	fflush(stdout);

	wait_for_end(STDIN_FILENO);
	signal(SIGCHLD, SIG_DFL);
	close(hold[1]);
	for (i = 0; i < n; i++) {
		NEED(waitpid(pids[i], &status, 0) == pids[i]);
		NEED(status == 0);
	}
	return 0;
}
