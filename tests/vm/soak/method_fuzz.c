// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The four methods, EXPORT_TO_FD and IMPORT_FROM_FD of PDs and of MRs, with
 * everything about a command wrong in every way thought of, and raced.
 *
 *	usage: method_fuzz [-c COMMANDS] [-s SECONDS] [-t THREADS] [-r SEED] [-v]
 *
 * Each command starts as a good one, by files and handles that there are (one in
 * five with any descriptor), and then gets up to four changes: an attribute's number, length, flags, data; its
 * pointer; its descriptor; its handle; attributes missing, twice or in another
 * order; the header's fields. Descriptors are of every kind that a process can
 * have. Beside the threads that send commands one closes and opens their files,
 * one frees their objects, one takes away the memory that the kernel writes to,
 * and one changes the commands while the kernel reads them.
 *
 * Unchanged commands must succeed now and then, and changed ones fail in every way
 * that there is, by no errno that is not theirs; and when all files are closed the
 * device must have freed all it ever made.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "../kernel/command.h"
#include "../kernel/device.h"
#include "../kernel/shares.h"

#define FILES 6
#define MAX_THREADS 16
#define MAX_KINDS 32

/* Where the kernel may write: more than any attribute can be long, twice */
#define SCRATCH (256 << 10)

static int files[FILES];
static int kinds[MAX_KINDS], n_kinds;
static char region[4096] __attribute__((aligned(4096)));
static char *scratch, *read_only, *edge, *flicker;
static bool stop;

static unsigned long sent, changed, good, by_errno[256];

/* A command of each thread, in memory of its own: all of it may be scribbled */
static struct slot {
	struct command cmd;
} * slots;
static int n_threads = 4;

static bool stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static int file_at(int i)
{
	return __atomic_load_n(&files[i], __ATOMIC_RELAXED);
}

/* ---- what values there are ---- */

static unsigned int below(unsigned int *seed, unsigned int n)
{
	return rand_r(seed) % n;
}

static uint64_t any64(unsigned int *seed)
{
	return (uint64_t)rand_r(seed) << 33 ^ (uint64_t)rand_r(seed) << 11 ^
	       rand_r(seed);
}

static uint32_t a_handle(unsigned int *seed, int object)
{
	uint32_t list[64];
	int n = list_handles(file_at(below(seed, FILES)), object, list, 64);

	return n > 0 ? list[below(seed, n < 64 ? n : 64)] : below(seed, 40);
}

static uint64_t odd_handle(unsigned int *seed)
{
	switch (below(seed, 8)) {
	case 0:
		return a_handle(seed, UVERBS_OBJECT_PD);
	case 1:
		return a_handle(seed, UVERBS_OBJECT_MR);
	case 2:
		return a_handle(seed, UVERBS_OBJECT_SRQ);
	case 3:
		return (uint32_t)-1;
	case 4:
		return 1ull << 32 | below(seed, 10);
	case 5:
		return 0x7fffffff;
	case 6:
		return below(seed, 100);
	default:
		return any64(seed);
	}
}

static uint64_t odd_fd(unsigned int *seed)
{
	switch (below(seed, 6)) {
	case 0:
		return (int64_t)-1;
	case 1:
		return (int64_t)(int32_t)rand_r(seed);
	case 2:
		/* A good number with something above it */
		return 1ull << (32 + below(seed, 32)) |
		       file_at(below(seed, FILES));
	case 3:
		return below(seed, 64);
	default:
		return kinds[below(seed, n_kinds)];
	}
}

static uint64_t odd_pointer(unsigned int *seed)
{
	switch (below(seed, 10)) {
	case 0:
		return 0;
	case 1:
		return (uintptr_t)read_only;
	case 2:
		/* The last bytes of the last page */
		return (uintptr_t)edge + 4096 - below(seed, 9);
	case 3:
		return (uintptr_t)edge + 4096;
	case 4:
		return 0xffffffff81000000ull;
	case 5:
		return 0xffff888000000000ull + below(seed, 1 << 20);
	case 6:
		return 0x8000000000000000ull >> below(seed, 20);
	case 7:
		return (uint64_t)-1 - below(seed, 16);
	case 8:
		return (uintptr_t)flicker + below(seed, 4096);
	default:
		return (uintptr_t)scratch + below(seed, 4096);
	}
}

static uint16_t odd_length(unsigned int *seed)
{
	static const uint16_t lengths[] = { 0,	  1,	 2,    3,  4,	5,
					    7,	  8,	 9,    12, 16,	63,
					    64,	  65,	 72,   99, 255, 4096,
					    8192, 32768, 65535 };

	return lengths[below(seed, sizeof(lengths) / sizeof(*lengths))];
}

static uint16_t odd_id(unsigned int *seed)
{
	switch (below(seed, 4)) {
	case 0:
		return below(seed, 16);
	case 1:
		return 1 << 12 | below(seed, 16); /* the driver's */
	case 2:
		return 0x1000 + below(seed, 0x20);
	default:
		return rand_r(seed);
	}
}

/* ---- a good command ---- */

static void prepare(struct command *cmd, unsigned int *seed, char *out)
{
	int object = below(seed, 2) ? UVERBS_OBJECT_PD : UVERBS_OBJECT_MR;
	int peer = below(seed, 5) ? file_at(below(seed, FILES))
				  : kinds[below(seed, n_kinds)];
	uint32_t handle = a_handle(seed, object);

	if (below(seed, 2)) {
		command_start(cmd, object, UVERBS_METHOD_PD_EXPORT_TO_FD);
		command_handle(cmd, UVERBS_ATTR_EXPORT_TO_FD_HANDLE, handle);
		command_fd(cmd, UVERBS_ATTR_EXPORT_TO_FD_TARGET, peer);
		command_buffer(cmd, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, out,
			       4);
		return;
	}
	command_start(cmd, object, UVERBS_METHOD_PD_IMPORT_FROM_FD);
	command_handle(cmd, UVERBS_ATTR_IMPORT_FROM_FD_HANDLE, 0);
	command_fd(cmd, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE, peer);
	command_u32(cmd, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE, handle);
	if (object == UVERBS_OBJECT_PD) {
		command_buffer(cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER, out,
			       16)
			->flags = 0;
		command_buffer(cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN,
			       out + 64, 4)
			->flags = 0;
		return;
	}
	command_buffer(cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY, out, 4);
	command_buffer(cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY, out + 8, 4);
	command_buffer(cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH, out + 16,
		       8);
	command_buffer(cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA, out + 24, 8);
	command_buffer(cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE, out + 32,
		       4)
		->flags = 0;
}

/* ---- what is changed in it ---- */

static void change_attr(struct ib_uverbs_attr *a, unsigned int *seed)
{
	switch (below(seed, 9)) {
	case 0:
		a->attr_id = odd_id(seed);
		break;
	case 1:
		a->len = odd_length(seed);
		break;
	case 2:
		a->flags = below(seed, 2) ? below(seed, 4)
					  : (uint16_t)rand_r(seed);
		break;
	case 3:
		a->attr_data.reserved = rand_r(seed);
		break;
	case 4:
		a->data = odd_pointer(seed);
		break;
	case 5:
		a->data = odd_fd(seed);
		break;
	case 6:
		a->data = odd_handle(seed);
		break;
	case 7:
		/* Longer than what stands in the attribute itself */
		a->len = odd_length(seed);
		a->data = odd_pointer(seed);
		break;
	default:
		/* Of a pointer neither bit leads to other memory of ours */
		a->data ^= 1ull << (below(seed, 2) ? below(seed, 12)
						   : 40 + below(seed, 24));
		break;
	}
}

static void change_list(struct command *cmd, unsigned int *seed)
{
	int n = cmd->hdr.num_attrs, i, j;
	struct ib_uverbs_attr a;

	if (!n || n > COMMAND_ATTRS)
		return;
	i = below(seed, n);
	j = below(seed, n);
	switch (below(seed, 3)) {
	case 0: /* one less */
		cmd->attrs[i] = cmd->attrs[n - 1];
		cmd->hdr.num_attrs--;
		break;
	case 1: /* one twice */
		if (n < COMMAND_ATTRS)
			cmd->attrs[cmd->hdr.num_attrs++] = cmd->attrs[i];
		break;
	default:
		a = cmd->attrs[i];
		cmd->attrs[i] = cmd->attrs[j];
		cmd->attrs[j] = a;
	}
}

static void change_header(struct ib_uverbs_ioctl_hdr *hdr, unsigned int *seed)
{
	switch (below(seed, 7)) {
	case 0:
		hdr->object_id = below(seed, 24);
		break;
	case 1:
		hdr->method_id = (1 << 12) + below(seed, 12);
		break;
	case 2:
		hdr->driver_id = below(seed, 24);
		break;
	case 3:
		hdr->reserved1 = any64(seed);
		break;
	case 4:
		hdr->reserved2 = rand_r(seed);
		break;
	case 5:
		hdr->length = odd_length(seed);
		break;
	default:
		/* All that the kernel could read is ours: see slots */
		hdr->num_attrs = below(seed, 300);
	}
}

/* ---- the threads that send ---- */

/* What a command may come to, whatever is wrong with it */
static bool errno_known(int ret)
{
	switch (ret) {
	case 0:
	case EINVAL:
	case ENOENT:
	case EBUSY:
	case EBADF:
	case EXDEV:
	case EFAULT:
	case EOPNOTSUPP:
	case EPROTONOSUPPORT:
	case EIO:
	case ENOMEM:
	case ENOTTY: /* not sent to a uverbs file */
		return true;
	default:
		return false;
	}
}

static void send_one(struct slot *slot, unsigned int *seed, char *out)
{
	struct command local, *cmd = &local;
	int changes = below(seed, 5), ret, fd = file_at(below(seed, FILES));
	bool ours = true;

	prepare(cmd, seed, out);
	cmd->hdr.length =
		sizeof(cmd->hdr) + cmd->hdr.num_attrs * sizeof(cmd->attrs[0]);
	for (int i = 0; i < changes; i++) {
		int n = cmd->hdr.num_attrs;

		switch (below(seed, 10)) {
		case 0:
			change_list(cmd, seed);
			cmd->hdr.length =
				sizeof(cmd->hdr) +
				cmd->hdr.num_attrs * sizeof(cmd->attrs[0]);
			break;
		case 1:
			change_header(&cmd->hdr, seed);
			ours = false;
			break;
		case 2:
			fd = (int)odd_fd(seed);
			ours = false;
			break;
		default:
			if (n && n <= COMMAND_ATTRS)
				change_attr(&cmd->attrs[below(seed, n)], seed);
		}
	}
	/* Never one that is the fuzzer's own way out */
	if (fd >= 0 && fd <= 2)
		return;
	/* From here on the scribbler is at it. */
	slot->cmd = local;
	ret = ioctl(fd, RDMA_VERBS_IOCTL, &slot->cmd.hdr) ? errno : 0;
	__atomic_fetch_add(&sent, 1, __ATOMIC_RELAXED);
	if (changes)
		__atomic_fetch_add(&changed, 1, __ATOMIC_RELAXED);
	else if (!ret)
		__atomic_fetch_add(&good, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&by_errno[ret & 255], 1, __ATOMIC_RELAXED);
	if (ours)
		CHECK(errno_known(ret), "%d changes: %s", changes,
		      strerror(ret));
}

static void *sender(void *arg)
{
	int i = (intptr_t)arg & 255;
	unsigned int seed = (intptr_t)arg;
	char *out = scratch + 4096 * (1 + i);

	while (!stopped())
		send_one(&slots[i], &seed, out);
	return NULL;
}

/* ---- those that get in their way ---- */

static void refill(unsigned int *seed)
{
	int fd = file_at(below(seed, FILES));
	uint32_t pd, srq;
	struct region mr;
	char driver[16];

	/* Any may fail: the file can be gone or be another one meanwhile */
	if (alloc_pd_driver(fd, &pd, driver, below(seed, 17)))
		return;
	if (below(seed, 2))
		reg_mr(fd, pd, region, sizeof(region), ACCESS_RW, &mr);
	if (!below(seed, 4))
		create_srq(fd, pd, &srq);
}

static void *closer(void *arg)
{
	unsigned int seed = (intptr_t)arg;

	while (!stopped()) {
		int i = below(&seed, FILES);
		int new, old = file_at(i);

		/* Sometimes found without a context */
		new = open_file();
		if (new < 0)
			continue;
		__atomic_store_n(&files[i], new, __ATOMIC_RELAXED);
		close(old);
		if (below(&seed, 8))
			make_context(new);
		for (int n = 0; n < 6; n++)
			refill(&seed);
		usleep(below(&seed, 20000));
	}
	return NULL;
}

static void *freer(void *arg)
{
	unsigned int seed = (intptr_t)arg;

	while (!stopped()) {
		int fd = file_at(below(&seed, FILES));

		refill(&seed);
		for (int n = 0; n < 3; n++) {
			destroy(fd, UVERBS_OBJECT_MR,
				a_handle(&seed, UVERBS_OBJECT_MR));
			destroy(fd, UVERBS_OBJECT_PD,
				a_handle(&seed, UVERBS_OBJECT_PD));
		}
		destroy_srq(fd, a_handle(&seed, UVERBS_OBJECT_SRQ));
		usleep(below(&seed, 2000));
	}
	return NULL;
}

static void *flickerer(void *unused)
{
	(void)unused;
	while (!stopped()) {
		mprotect(flicker, 8192, PROT_NONE);
		usleep(50);
		mprotect(flicker, 8192, PROT_READ | PROT_WRITE);
		/* Unmapped and mapped anew: not even the same page */
		NEED(mmap(flicker, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			  0) == flicker);
		usleep(200);
	}
	return NULL;
}

/*
 * Whatever it makes of a pointer must be a place of ours or none at all: only a
 * pointer's low bits are changed, and the scratch area is aligned.
 */
static void *scribbler(void *arg)
{
	unsigned int seed = (intptr_t)arg;

	while (!stopped()) {
		struct command *cmd = &slots[below(&seed, n_threads)].cmd;
		struct ib_uverbs_attr *a = &cmd->attrs[below(&seed, 10)];

		switch (below(&seed, 6)) {
		case 0:
			a->attr_id = odd_id(&seed);
			break;
		case 1:
			a->len = odd_length(&seed);
			break;
		case 2:
			a->flags = below(&seed, 4);
			break;
		case 3:
			a->data ^= 1 << below(&seed, 12);
			break;
		case 4:
			cmd->hdr.num_attrs = below(&seed, 12);
			break;
		default:
			cmd->hdr.length = below(&seed, 16) * 16 + 24;
		}
		usleep(below(&seed, 300));
	}
	return NULL;
}

/* ---- descriptors of every kind ---- */

static void add_kind(int fd)
{
	NEED(fd >= 0 && n_kinds < MAX_KINDS);
	kinds[n_kinds++] = fd;
}

/* One of the same driver's number space, but of another device */
static int other_device(void)
{
	int fd;

	select_device("rxe0", RDMA_DRIVER_RXE);
	fd = open_file();
	if (fd >= 0)
		make_context(fd);
	select_device("sharetest0", RDMA_DRIVER_UNKNOWN);
	return fd;
}

/* The descriptor of events that comes with a context */
static int event_file(int fd)
{
	struct command cmd;

	command_start(&cmd, UVERBS_OBJECT_ASYNC_EVENT,
		      UVERBS_METHOD_ASYNC_EVENT_ALLOC);
	command_fd(&cmd, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, 0);
	return command_run(&cmd, fd) ? -1 : (int)cmd.attrs[0].data;
}

static void make_kinds(void)
{
	int pair[2], fd = open_context();
	sigset_t none;

	add_kind(fd);
	add_kind(open_file()); /* without a context */
	add_kind(event_file(fd));
	fd = other_device();
	if (fd >= 0)
		add_kind(fd);
	NEED(!pipe(pair));
	add_kind(pair[0]);
	add_kind(pair[1]);
	NEED(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	add_kind(pair[0]);
	add_kind(socket(AF_INET, SOCK_DGRAM, 0));
	add_kind(eventfd(0, 0));
	add_kind(epoll_create1(0));
	sigemptyset(&none);
	add_kind(signalfd(-1, &none, 0));
	add_kind(timerfd_create(CLOCK_MONOTONIC, 0));
	add_kind(memfd_create("fuzz", 0));
	add_kind(syscall(SYS_pidfd_open, getpid(), 0));
	add_kind(open("/dev/null", O_RDWR));
	add_kind(open("/", O_RDONLY | O_DIRECTORY));
	/* A path alone: fget() must not give it */
	add_kind(open("/dev/null", O_PATH));
	add_kind(open("/proc/self/maps", O_RDONLY));
	add_kind(open(SHARES, O_RDONLY));
}

static char *map(size_t size, int protection)
{
	char *mem = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);

	NEED(mem != MAP_FAILED);
	return mem;
}

static void make_memory(void)
{
	/* Behind the last command, what the kernel reads with a long header */
	slots = (void *)map(sizeof(*slots) * MAX_THREADS + 16384,
			    PROT_READ | PROT_WRITE);
	scratch = map(SCRATCH, PROT_READ | PROT_WRITE);
	read_only = map(4096, PROT_READ);
	edge = map(8192, PROT_READ | PROT_WRITE);
	NEED(!mprotect(edge + 4096, 4096, PROT_NONE));
	flicker = map(4096 + 65536 + 8192, PROT_READ | PROT_WRITE);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	static void *(*const others[])(void *) = { closer, freer, flickerer,
						   scribbler };
	pthread_t threads[MAX_THREADS + 4];
	unsigned long commands = 0;
	unsigned int seed = 1;
	double seconds = 10, end;
	bool verbose = false;
	int opt, n = 0;

	while ((opt = getopt(argc, argv, "c:s:t:r:v")) != -1) {
		switch (opt) {
		case 'c':
			commands = strtoul(optarg, NULL, 0);
			break;
		case 's':
			seconds = atof(optarg);
			break;
		case 't':
			n_threads = atoi(optarg);
			break;
		case 'r':
			seed = strtoul(optarg, NULL, 0);
			break;
		case 'v':
			verbose = true;
			break;
		default:
			return 2;
		}
	}
	NEED(optind == argc && n_threads > 0 && n_threads <= MAX_THREADS);
	setvbuf(stdout, NULL, _IOLBF, 0);
	mount_shares();
	make_memory();
	make_kinds();
	for (int i = 0; i < FILES; i++)
		files[i] = open_context();
	for (int i = 0; i < n_threads; i++)
		NEED(!pthread_create(&threads[n++], NULL, sender,
				     (void *)(intptr_t)(seed << 16 | i)));
	for (int i = 0; i < 4; i++)
		NEED(!pthread_create(&threads[n++], NULL, others[i],
				     (void *)(intptr_t)(seed + i)));
	for (end = now() + seconds; now() < end && !failures;) {
		usleep(100000);
		if (commands &&
		    __atomic_load_n(&sent, __ATOMIC_RELAXED) >= commands)
			break;
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	/* Whatever other methods opened in this process is closed, too. */
	NEED(!syscall(SYS_close_range, 3, ~0u, 0));
	DEVICE_HAS(0, 0, 0, 0);
	IS(read_shares(NULL, 0), 0);
	CHECK(good && by_errno[EINVAL] && by_errno[EFAULT] && by_errno[EBADF] &&
		      by_errno[EXDEV] && by_errno[ENOENT],
	      "it did not get far");
	if (verbose) {
		printf("done: %lu commands, %lu changed, %lu good unchanged;",
		       sent, changed, good);
		for (int i = 0; i < 256; i++)
			if (by_errno[i])
				printf(" %s %lu", i ? strerrorname_np(i) : "0",
				       by_errno[i]);
		printf("\n");
	}
	return end_checks();
}
