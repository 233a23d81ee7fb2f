// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Many threads of some processes on few files, which the processes take from each
 * other: everything that can be done to PDs and MRs, with handles taken at random
 * from what the kernel says there is. One more process looks on: at what rdma(8)
 * shows of them and at the list of shares. Afterwards nothing may be left.
 *
 *	usage: stress [options]
 *	-s N	seconds: at most, with -o or -k (10)
 *	-t N	threads of each process (6)
 *	-p N	processes (1)
 *	-o N	end when so many operations are done, and the kills
 *	-k N	kill so many processes by SIGKILL, each anywhere, and start another
 *		one in its place
 *	-r N	the random numbers' seed (1)
 *	-m	rereg_mr never makes a new MR, as it does in some drivers: the stock
 *		rereg_mr uses the old one after it is freed, and KASAN tells of it
 *	-v	tell how much was done
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include "command.h"
#include "device.h"
#include "shares.h"

#define FILES 4
#define MAX_THREADS 32
#define MAX_PROCESSES 16

static char buf[4096] __attribute__((aligned(4096)));
/* Each process has files of its own */
static struct {
	pthread_rwlock_t lock; /* for writing to close it */
	int fd;
} files[FILES];
static int number; /* of this process */

enum action {
	ALLOC_PD,
	REG_MR,
	EXPORT_PD,
	EXPORT_MR,
	IMPORT_PD,
	IMPORT_MR,
	DEALLOC_PD,
	DEREG_MR,
	REREG_MR,
	USE_PD,
	REOPEN,
	TAKE,
	ACTIONS
};

static const struct {
	enum action action;
	unsigned int weight;
} mix[] = {
	{ ALLOC_PD, 2 },  { REG_MR, 3 },    { EXPORT_PD, 4 },  { EXPORT_MR, 4 },
	{ IMPORT_PD, 3 }, { IMPORT_MR, 3 }, { DEALLOC_PD, 5 }, { DEREG_MR, 4 },
	{ REREG_MR, 2 },  { USE_PD, 3 },    { REOPEN, 1 },     { TAKE, 1 },
};

/* What all processes see, those to come as well */
static struct {
	bool stop;
	unsigned int failures;
	unsigned long done[ACTIONS], failed[ACTIONS];
	unsigned long dumped, listed;
	int processes;
	struct {
		pid_t pid;
		int fds[FILES];
	} process[MAX_PROCESSES];
} * shared;

#define ADD(_counter, _n) \
	__atomic_fetch_add(&shared->_counter, _n, __ATOMIC_RELAXED)

static bool stopped(void)
{
	return __atomic_load_n(&shared->stop, __ATOMIC_RELAXED);
}

static enum action pick(unsigned int *seed)
{
	unsigned int total = 0, n;

	for (unsigned int i = 0; i < ACTIONS; i++)
		total += mix[i].weight;
	n = rand_r(seed) % total;
	for (unsigned int i = 0; i < ACTIONS; i++) {
		if (n < mix[i].weight)
			return mix[i].action;
		n -= mix[i].weight;
	}
	abort();
}

/* Any handle of that type; without one, one that does not exist */
static uint32_t any(int fd, int object, unsigned int *seed)
{
	uint32_t list[256];
	int n = list_handles(fd, object, list, 256);

	CHECK(n >= 0, "%s", strerror(-n));
	if (n <= 0)
		return 0x7fffffff;
	return list[rand_r(seed) % (n > 256 ? 256 : n)];
}

static int act(enum action action, int a, int b, unsigned int *seed)
{
	struct region region;
	uint32_t pd, mr, new;
	int ret;

	pd = action == ALLOC_PD ? 0 : any(a, UVERBS_OBJECT_PD, seed);
	mr = action == ALLOC_PD || action == DEALLOC_PD || action == USE_PD
		     ? 0
		     : any(a, UVERBS_OBJECT_MR, seed);
	switch (action) {
	case ALLOC_PD:
		return alloc_pd_driver(a, &new, buf, 4);
	case REG_MR:
		return reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &region);
	case EXPORT_PD:
		return export_pd(a, pd, b, &new);
	case EXPORT_MR:
		return export_mr(a, mr, b, &new);
	case IMPORT_PD:
		return import_pd(b, a, pd, &new);
	case IMPORT_MR:
		ret = import_mr(b, a, mr, &region);
		if (!ret)
			CHECK(region.lkey && region.lkey == region.rkey &&
				      region.length == sizeof(buf),
			      "%x %x %lu", region.lkey, region.rkey,
			      region.length);
		return ret;
	case DEALLOC_PD:
		return dealloc_pd(a, pd);
	case DEREG_MR:
		return dereg_mr(a, mr);
	case REREG_MR:
		return rereg_mr(a, mr, REREG_PD, buf, sizeof(buf), 0, pd);
	case USE_PD:
		ret = create_srq(a, pd, &new);
		if (!ret) {
			ret = destroy_srq(a, new);
			CHECK(!ret, "%s", strerror(ret));
		}
		return ret;
	default:
		abort();
	}
}

static void keep_file(int i, int fd)
{
	close(files[i].fd);
	files[i].fd = fd;
	__atomic_store_n(&shared->process[number].fds[i], fd, __ATOMIC_RELAXED);
}

/*
 * A file of another process. That may have closed it meanwhile, be dead, or have
 * something else behind the number.
 */
static int take_file(int i, unsigned int *seed)
{
	int other = rand_r(seed) % shared->processes;
	int fd = shared->process[other].fds[rand_r(seed) % FILES];
	int process = syscall(SYS_pidfd_open, shared->process[other].pid, 0);
	uint32_t list[1];

	if (process < 0)
		return EBUSY;
	fd = syscall(SYS_pidfd_getfd, process, fd, 0);
	close(process);
	if (fd < 0)
		return EBUSY;
	if (list_handles(fd, UVERBS_OBJECT_PD, list, 1) < 0) {
		close(fd);
		return EBUSY;
	}
	keep_file(i, fd);
	return 0;
}

static int act_on_file(enum action action, int i, unsigned int *seed)
{
	int ret = 0;

	pthread_rwlock_wrlock(&files[i].lock);
	if (action == REOPEN)
		keep_file(i, open_context());
	else
		ret = take_file(i, seed);
	pthread_rwlock_unlock(&files[i].lock);
	return ret;
}

static void *worker(void *arg)
{
	unsigned int seed = (uintptr_t)arg;

	while (!stopped()) {
		unsigned int i = rand_r(&seed) % FILES;
		unsigned int j = rand_r(&seed) % FILES;
		enum action action = pick(&seed);
		int ret;

		if (action == REOPEN || action == TAKE) {
			ret = act_on_file(action, i, &seed);
		} else {
			unsigned int low = i < j ? i : j;
			unsigned int high = i < j ? j : i;

			pthread_rwlock_rdlock(&files[low].lock);
			if (high != low)
				pthread_rwlock_rdlock(&files[high].lock);
			ret = act(action, files[i].fd, files[j].fd, &seed);
			if (high != low)
				pthread_rwlock_unlock(&files[high].lock);
			pthread_rwlock_unlock(&files[low].lock);
		}
		ADD(done[action], 1);
		if (ret)
			ADD(failed[action], 1);
		/*
		 * Locked, in use; gone; gone and its number given to an object of
		 * another type
		 */
		CHECK(!ret || ret == EBUSY || ret == ENOENT || ret == EINVAL,
		      "action %d: %s", action, strerror(ret));
		/* At once: this process may be killed. */
		if (failures)
			__atomic_store_n(&shared->failures, failures,
					 __ATOMIC_RELAXED);
	}
	return NULL;
}

static int process(int n_threads, unsigned int seed)
{
	pthread_t threads[MAX_THREADS];

	for (int i = 0; i < FILES; i++) {
		pthread_rwlock_init(&files[i].lock, NULL);
		files[i].fd = -1;
		keep_file(i, open_context());
	}
	for (int i = 0; i < n_threads; i++)
		NEED(!pthread_create(&threads[i], NULL, worker,
				     (void *)(uintptr_t)(7919 * i + seed)));
	for (int i = 0; i < n_threads; i++)
		pthread_join(threads[i], NULL);
	return failures != 0;
}

/* ---- what rdma(8) asks for, without starting it again and again ---- */

static int netlink;

/* One dump; the number of entries, or -1: no such device */
static int dump(int command, uint32_t device)
{
	struct {
		struct nlmsghdr hdr;
		struct nlattr attr;
		uint32_t device;
	} request = {
		.hdr = { .nlmsg_len = sizeof(request),
			 .nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
			 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.attr = { sizeof(struct nlattr) + sizeof(uint32_t),
			  RDMA_NLDEV_ATTR_DEV_INDEX },
		.device = device,
	};
	static char answer[65536];
	int entries = 0;

	NEED(send(netlink, &request, sizeof(request), 0) == sizeof(request));
	for (;;) {
		struct nlmsghdr *hdr = (void *)answer;
		ssize_t len = recv(netlink, answer, sizeof(answer), 0);

		NEED(len > 0);
		for (; NLMSG_OK(hdr, len); hdr = NLMSG_NEXT(hdr, len)) {
			if (hdr->nlmsg_type == NLMSG_ERROR)
				return -1;
			if (hdr->nlmsg_type == NLMSG_DONE)
				return entries;
			entries++;
		}
	}
}

/* Each entry tells the PD's and MR's context and process. */
static void *dumper(void *arg)
{
	(void)arg;
	netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_RDMA);
	NEED(netlink >= 0);
	while (!stopped()) {
		for (int device = 0; device < 8; device++) {
			int n = dump(RDMA_NLDEV_CMD_RES_PD_GET, device);

			if (n < 0)
				continue;
			ADD(dumped, n);
			n = dump(RDMA_NLDEV_CMD_RES_MR_GET, device);
			ADD(dumped, n > 0 ? n : 0);
			n = dump(RDMA_NLDEV_CMD_RES_CTX_GET, device);
			ADD(dumped, n > 0 ? n : 0);
		}
		usleep(500);
	}
	close(netlink);
	return NULL;
}

static void *lister(void *arg)
{
	(void)arg;
	while (!stopped()) {
		int n = read_shares(NULL, 0);

		CHECK(n >= 0, "the list of shares is not as it should be");
		ADD(listed, n > 0 ? n : 0);
		usleep(500);
	}
	return NULL;
}

static int looker(void)
{
	pthread_t threads[2];

	NEED(!pthread_create(&threads[0], NULL, dumper, NULL));
	NEED(!pthread_create(&threads[1], NULL, lister, NULL));
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return failures != 0;
}

/* ---- the first process, which touches no file ---- */

static struct {
	int seconds, threads, processes, kills;
	unsigned long operations;
	unsigned int seed;
	bool old_mr, verbose;
} want = { 0, 6, 1, 0, 0, 1, false, false };

static pid_t start(int i, unsigned int seed)
{
	int ret;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	NEED(pid >= 0);
	if (pid)
		return pid;
	/* As the first thread of the parent goes */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	number = i;
	ret = i < 0 ? looker() : process(want.threads, seed);
	fflush(stdout);
	_exit(ret);
}

static void reap(pid_t pid)
{
	int status;

	NEED(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status),
	      "a process ended with %x", status);
}

/*
 * Killed ones: each waits long for its files to be closed, so several may at a
 * time.
 */
#define MAX_DYING 8

static int dying;

static bool reap_killed(int flags)
{
	int status;
	pid_t pid = waitpid(-1, &status, flags);

	if (pid <= 0)
		return false;
	for (int i = 0; i < want.processes; i++)
		if (shared->process[i].pid == pid) {
			CHECK(false, "a process ended early with %x", status);
			exit(1);
		}
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
	      "a process that was killed ended with %x", status);
	dying--;
	return true;
}

static unsigned long operations(void)
{
	unsigned long sum = 0;

	for (int i = 0; i < ACTIONS; i++)
		sum += __atomic_load_n(&shared->done[i], __ATOMIC_RELAXED);
	return sum;
}

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* The number of kills */
static int run(void)
{
	bool targets = want.operations || want.kills;
	long end = now() + want.seconds;
	int kills = 0, turn = 0;

	while (now() < end && !shared->failures &&
	       (!targets || kills < want.kills ||
		operations() < want.operations)) {
		if (!want.old_mr)
			device_set("rereg_new", turn++ / 2 % 2);
		if (kills < want.kills) {
			int i = rand_r(&want.seed) % want.processes;
			pid_t pid = shared->process[i].pid;

			/* Of young ones as well: sometimes at once */
			usleep(rand_r(&want.seed) % 3
				       ? rand_r(&want.seed) % 20000
				       : 0);
			kill(pid, SIGKILL);
			kills++;
			dying++;
			shared->process[i].pid = start(i, rand_r(&want.seed));
			while (dying &&
			       reap_killed(dying < MAX_DYING ? WNOHANG : 0))
				;
		} else {
			usleep(250000);
		}
	}
	while (dying)
		reap_killed(0);
	return kills;
}

int main(int argc, char **argv)
{
	pid_t looking;
	int opt, kills;

	while ((opt = getopt(argc, argv, "s:t:p:o:k:r:mv")) != -1) {
		switch (opt) {
		case 's':
			want.seconds = atoi(optarg);
			break;
		case 't':
			want.threads = atoi(optarg);
			break;
		case 'p':
			want.processes = atoi(optarg);
			break;
		case 'o':
			want.operations = strtoul(optarg, NULL, 0);
			break;
		case 'k':
			want.kills = atoi(optarg);
			break;
		case 'r':
			want.seed = atoi(optarg);
			break;
		case 'm':
			want.old_mr = true;
			break;
		case 'v':
			want.verbose = true;
			break;
		default:
			return 2;
		}
	}
	if (!want.seconds)
		want.seconds = 10;
	NEED(optind == argc && want.threads > 0 &&
	     want.threads <= MAX_THREADS && want.processes > 0 &&
	     want.processes <= MAX_PROCESSES);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	NEED(shared != MAP_FAILED);
	shared->processes = want.processes;
	mount_shares();
	looking = start(-1, 0);
	for (int i = 0; i < want.processes; i++)
		shared->process[i].pid = start(i, want.seed + i);
	kills = run();
	__atomic_store_n(&shared->stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < want.processes; i++)
		reap(shared->process[i].pid);
	reap(looking);
	IS(shared->failures, 0);
	CHECK(shared->dumped && shared->listed,
	      "%lu entries and %lu lines seen", shared->dumped, shared->listed);
	device_set("rereg_new", 0);
	DEVICE_HAS(0, 0, 0, 0);
	IS(read_shares(NULL, 0), 0);
	/* Else it has tested nothing */
	for (int i = 0; i < ACTIONS; i++)
		CHECK(shared->done[i] > shared->failed[i],
		      "action %d: %lu, %lu failed", i, shared->done[i],
		      shared->failed[i]);
	if (want.verbose)
		printf("done: %lu operations, %d kills\n", operations(), kills);
	return end_checks();
}
