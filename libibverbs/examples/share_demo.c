// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The coordinator of ibv_share_pingpong --demo: starts an owner, workers and
 * their peers as separate processes, kills the owner half-way, and compares
 * what the kernel says of pinned memory and RDMA objects with what sharing
 * promises.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "share_pingpong.h"

#define ROUNDS 2 /* with the owner, and without */

struct child {
	pid_t pid; /* 0: not running */
	int pidfd;
	int report;
};

enum object { PD, MR, QP, CQ, CTX, NUM_OBJECTS };

static const char *const object_names[NUM_OBJECTS] = { "pd", "mr", "qp", "cq",
						       "ctx" };

struct counts {
	long n[NUM_OBJECTS];
};

struct demo {
	const struct pp_options *opt;
	char *device;
	char dir[32];
	char socket[48];
	struct child owner;
	struct child workers[PP_MAX_WORKERS];
	struct child peers[PP_MAX_WORKERS];
	struct counts before, with_peers, with_workers, owner_killed, after;
	uint64_t register_ns;
	uint64_t owner_pinned;
	uint64_t import_ns[PP_MAX_WORKERS];
	uint64_t pinned[PP_MAX_WORKERS]; /* bytes */
	uint64_t verified[PP_MAX_WORKERS][ROUNDS];
};

/* ---- what the kernel says ---- */

static FILE *run_rdma(const char *device, pid_t *pid)
{
	char *argv[] = { "rdma", "resource", "show", (char *)device, NULL };
	posix_spawn_file_actions_t actions;
	int fds[2], err;
	FILE *file;

	if (pipe2(fds, O_CLOEXEC)) {
		pp_fail(errno, "pipe");
		return NULL;
	}
	err = posix_spawn_file_actions_init(&actions);
	if (!err) {
		err = posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
		if (!err)
			err = posix_spawnp(pid, "rdma", &actions, NULL, argv,
					   environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(fds[1]);
	if (err) {
		close(fds[0]);
		pp_fail(err, "cannot run rdma (of package iproute2)");
		return NULL;
	}
	file = fdopen(fds[0], "r");
	if (!file)
		close(fds[0]);
	return file;
}

/* "0: rxe0: pd 1 cq 1 qp 1 cm_id 0 mr 0 ctx 0 srq 0" */
static int count_objects(const char *device, struct counts *counts)
{
	char line[512] = "", *name, *number, *save;
	bool found[NUM_OBJECTS] = { false };
	int status, i;
	FILE *file;
	pid_t pid;

	file = run_rdma(device, &pid);
	if (!file)
		return -1;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	if (waitpid(pid, &status, 0) != pid || status)
		return pp_fail(0, "rdma resource show %s has failed", device);

	strtok_r(line, ":", &save);
	strtok_r(NULL, ":", &save);
	while ((name = strtok_r(NULL, " \n", &save)) &&
	       (number = strtok_r(NULL, " \n", &save)))
		for (i = 0; i < NUM_OBJECTS; i++)
			if (!strcmp(name, object_names[i])) {
				counts->n[i] = strtol(number, NULL, 10);
				found[i] = true;
			}
	for (i = 0; i < NUM_OBJECTS; i++)
		if (!found[i])
			return pp_fail(0, "rdma resource show names no %s",
				       object_names[i]);
	return 0;
}

/* VmPin: pages that the kernel pinned for this process and charged to it */
static int read_pinned(pid_t pid, uint64_t *bytes)
{
	char path[32], line[128];
	uint64_t kib;
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	if (!file)
		return pp_fail(errno, "%s", path);
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, "VmPin: %" SCNu64 " kB", &kib) == 1;
	fclose(file);
	if (!found)
		return pp_fail(0, "%s has no VmPin", path);
	*bytes = kib << 10;
	return 0;
}

/* ---- processes ---- */

struct arguments {
	char *v[32];
	unsigned int n;
	size_t used;
	char text[1024];
};

static void add(struct arguments *args, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct arguments *args, const char *fmt, ...)
{
	size_t room = sizeof(args->text) - args->used;
	va_list ap;
	int n;

	args->v[args->n++] = args->text + args->used;
	va_start(ap, fmt);
	n = vsnprintf(args->text + args->used, room, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= room ||
	    args->n == sizeof(args->v) / sizeof(args->v[0]))
		abort();
	args->used += n + 1;
}

static void add_common(struct arguments *args, const struct demo *d,
		       const char *role, int report)
{
	const struct pp_options *opt = d->opt;

	add(args, "ibv_share_pingpong");
	add(args, "%s", role);
	add(args, "--ib-dev=%s", d->device);
	add(args, "--ib-port=%u", opt->ib_port);
	if (opt->gid_idx >= 0)
		add(args, "--gid-idx=%d", opt->gid_idx);
	add(args, "--mtu=%u", 128u << opt->mtu);
	add(args, "--sl=%u", opt->sl);
	add(args, "--size=%u", opt->size);
	add(args, "--iters=%u", opt->iters);
	add(args, "--timeout=%d", opt->timeout_ms / 1000);
	add(args, "--report-fd=%d", report);
}

/* In the child: what fails here is seen by its exit status. */
static void exec_child(struct arguments *args, int report, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(127);
	/* Only complaints are to be seen beside the coordinator's table. */
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		_exit(127);
	if (fcntl(report, F_SETFD, 0))
		_exit(127);
	args->v[args->n] = NULL;
	execv("/proc/self/exe", args->v);
	_exit(127);
}

static int start(struct demo *d, struct child *child, const char *role,
		 uint16_t peer_port)
{
	struct arguments args = { .n = 0 };
	pid_t parent = getpid();
	int sv[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv))
		return pp_fail(errno, "socketpair");
	add_common(&args, d, role, sv[1]);
	if (!strcmp(role, "--owner")) {
		add(&args, "--region=%" PRIu64, d->opt->region);
		add(&args, "--workers=%u", d->opt->workers);
	}
	if (strcmp(role, "--peer"))
		add(&args, "--socket=%s", d->socket);
	add(&args, "--port=%u", peer_port);
	if (!strcmp(role, "--worker"))
		add(&args, "127.0.0.1");

	fflush(NULL);
	child->pid = fork();
	if (!child->pid)
		exec_child(&args, sv[1], parent);
	close(sv[1]);
	if (child->pid < 0) {
		child->pid = 0;
		close(sv[0]);
		return pp_fail(errno, "fork");
	}
	child->report = sv[0];
	child->pidfd = pidfd_open(child->pid, 0);
	return child->pidfd < 0 ? pp_fail(errno, "pidfd_open") : 0;
}

static int hear(struct demo *d, struct child *child, enum pp_report_kind kind,
		struct pp_report *report)
{
	if (pp_recv_report(child->report, report, d->opt->timeout_ms))
		return -1;
	if (report->kind != kind)
		return pp_fail(0, "report %u where %u should come",
			       report->kind, kind);
	return 0;
}

static int tell(struct child *child, enum pp_report_kind kind, uint64_t value)
{
	struct pp_report report = { .kind = kind, .value = { value } };

	return pp_send_report(child->report, &report);
}

/* Collects a child, which must end within the time and with that status. */
static int reap(struct demo *d, struct child *child, int expected)
{
	struct pollfd pfd = { .fd = child->pidfd, .events = POLLIN };
	int status, n;

	do {
		n = poll(&pfd, 1, d->opt->timeout_ms);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return pp_fail(ETIMEDOUT, "process %d does not end",
			       child->pid);
	if (waitpid(child->pid, &status, 0) < 0)
		return pp_fail(errno, "waitpid");
	child->pid = 0;
	close(child->pidfd);
	close(child->report);
	if (status != expected)
		return pp_fail(0, "a process has ended with status %#x",
			       status);
	return 0;
}

static void put_down(struct child *child)
{
	if (!child->pid)
		return;
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	if (child->pidfd >= 0)
		close(child->pidfd);
	close(child->report);
	child->pid = 0;
}

static void remove_socket(struct demo *d)
{
	if (!d->dir[0])
		return;
	unlink(d->socket);
	rmdir(d->dir);
	d->dir[0] = '\0';
}

/* ---- the acts ---- */

static int find_device(struct demo *d)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	int i;

	if (!list)
		return pp_fail(errno, "cannot list the RDMA devices");
	for (i = 0; list[i] && !d->device; i++)
		if (!d->opt->ib_dev ||
		    !strcmp(d->opt->ib_dev, ibv_get_device_name(list[i])))
			d->device = strdup(ibv_get_device_name(list[i]));
	ibv_free_device_list(list);
	if (!d->device)
		return pp_fail(0, "no RDMA device%s%s",
			       d->opt->ib_dev ? " named " : "",
			       d->opt->ib_dev ? d->opt->ib_dev : "");
	return 0;
}

static int start_peers(struct demo *d, uint16_t ports[])
{
	struct pp_report report;
	uint32_t i;

	for (i = 0; i < d->opt->workers; i++)
		if (start(d, &d->peers[i], "--peer", 0))
			return -1;
	for (i = 0; i < d->opt->workers; i++) {
		if (hear(d, &d->peers[i], PP_REPORT_PEER, &report))
			return -1;
		ports[i] = report.value[0];
	}
	return count_objects(d->device, &d->with_peers);
}

static int start_owner(struct demo *d)
{
	struct pp_report report;

	strcpy(d->dir, "/tmp/ibv_share.XXXXXX");
	if (!mkdtemp(d->dir)) {
		d->dir[0] = '\0';
		return pp_fail(errno, "cannot make a directory in /tmp");
	}
	snprintf(d->socket, sizeof(d->socket), "%s/owner", d->dir);
	if (start(d, &d->owner, "--owner", d->opt->tcp_port) ||
	    hear(d, &d->owner, PP_REPORT_OWNER, &report))
		return -1;
	d->register_ns = report.value[0];
	return 0;
}

static int start_workers(struct demo *d, const uint16_t ports[])
{
	struct pp_report report;
	uint32_t i;

	for (i = 0; i < d->opt->workers; i++) {
		/* One after another: what is timed is not the others' start. */
		if (start(d, &d->workers[i], "--worker", ports[i]) ||
		    hear(d, &d->workers[i], PP_REPORT_WORKER, &report))
			return -1;
		d->import_ns[i] = report.value[0] + report.value[1];
	}
	remove_socket(d);
	return 0;
}

static int run_round(struct demo *d, uint32_t round)
{
	struct pp_report report;
	uint32_t i;

	for (i = 0; i < d->opt->workers; i++)
		if (tell(&d->workers[i], PP_REPORT_GO, round))
			return -1;
	for (i = 0; i < d->opt->workers; i++) {
		if (hear(d, &d->workers[i], PP_REPORT_ROUND, &report))
			return -1;
		d->verified[i][round] = report.value[0];
	}
	return 0;
}

static int measure_pinned(struct demo *d)
{
	uint32_t i;

	if (read_pinned(d->owner.pid, &d->owner_pinned))
		return -1;
	for (i = 0; i < d->opt->workers; i++)
		if (read_pinned(d->workers[i].pid, &d->pinned[i]))
			return -1;
	return 0;
}

static int all_leave(struct demo *d)
{
	uint32_t i;

	for (i = 0; i < d->opt->workers; i++)
		if (tell(&d->workers[i], PP_REPORT_LEAVE, 0))
			return -1;
	for (i = 0; i < d->opt->workers; i++)
		if (reap(d, &d->workers[i], 0) || reap(d, &d->peers[i], 0))
			return -1;
	return 0;
}

static int play(struct demo *d)
{
	uint16_t ports[PP_MAX_WORKERS];

	if (find_device(d) || count_objects(d->device, &d->before) ||
	    start_peers(d, ports) || start_owner(d) ||
	    start_workers(d, ports) || run_round(d, 0) || measure_pinned(d) ||
	    count_objects(d->device, &d->with_workers))
		return -1;
	kill(d->owner.pid, SIGKILL);
	if (reap(d, &d->owner, SIGKILL) || run_round(d, 1) ||
	    count_objects(d->device, &d->owner_killed) || all_leave(d))
		return -1;
	return count_objects(d->device, &d->after);
}

/* ---- the outcome ---- */

static void print_bytes(const struct demo *d)
{
	uint32_t i;

	printf("\nRegion of %" PRIu64
	       " MiB on %s, %u transfers of %u bytes per worker and round\n\n",
	       d->opt->region >> 20, d->device, PP_MOVES * d->opt->iters,
	       d->opt->size);
	printf("                                            bytes moved and "
	       "verified\n"
	       "process      has it by      ms  pinned KiB  owner alive  owner "
	       "killed\n");
	printf("owner        register %8.2f  %10" PRIu64 "\n",
	       d->register_ns / 1e6, d->owner_pinned >> 10);
	for (i = 0; i < d->opt->workers; i++)
		printf("worker %-5u import   %8.2f  %10" PRIu64 "  %11" PRIu64
		       "  %12" PRIu64 "\n",
		       i, d->import_ns[i] / 1e6, d->pinned[i] >> 10,
		       d->verified[i][0], d->verified[i][1]);
}

static void print_row(const char *when, const struct counts *now,
		      const struct counts *base)
{
	int i;

	printf("%-30s", when);
	for (i = 0; i < NUM_OBJECTS; i++)
		printf(" %+6ld", now->n[i] - base->n[i]);
	printf("\n");
}

static void print_objects(const struct demo *d)
{
	printf("\n%-30s %6s %6s %6s %6s %6s\n", "RDMA objects more than before",
	       "PD", "MR", "QP", "CQ", "CTX");
	print_row("peers, each with its own", &d->with_peers, &d->before);
	print_row("and the owner and workers", &d->with_workers, &d->before);
	print_row("owner killed, workers go on", &d->owner_killed, &d->before);
	print_row("all have left", &d->after, &d->before);
}

static int check_change(const char *when, enum object object,
			const struct counts *now, const struct counts *base,
			long expected)
{
	long change = now->n[object] - base->n[object];

	if (change == expected)
		return 0;
	return pp_fail(0, "%s: %+ld objects of type %s instead of %+ld", when,
		       change, object_names[object], expected);
}

static int check(const struct demo *d)
{
	const struct counts *base = &d->with_peers;
	long workers = d->opt->workers;
	int ret = 0, object;
	uint32_t i;

	ret |= check_change("owner and workers", PD, &d->with_workers, base, 1);
	ret |= check_change("owner and workers", MR, &d->with_workers, base, 1);
	ret |= check_change("owner and workers", QP, &d->with_workers, base,
			    workers);
	ret |= check_change("owner killed", PD, &d->owner_killed, base, 1);
	ret |= check_change("owner killed", MR, &d->owner_killed, base, 1);
	ret |= check_change("owner killed", QP, &d->owner_killed, base,
			    workers);
	for (object = 0; object < NUM_OBJECTS; object++)
		ret |= check_change("all have left", object, &d->after,
				    &d->before, 0);
	if (d->owner_pinned < d->opt->region)
		ret = pp_fail(0, "the owner has not pinned the region");
	for (i = 0; i < d->opt->workers; i++)
		if (d->pinned[i] >= d->opt->region)
			ret = pp_fail(0, "worker %u has pinned the region", i);
	return ret;
}

static void print_summary(const struct demo *d)
{
	uint64_t verified = 0, import_ns = 0;
	long left = 0;
	uint32_t i;
	int object;

	for (i = 0; i < d->opt->workers; i++) {
		verified += d->verified[i][0] + d->verified[i][1];
		import_ns += d->import_ns[i];
	}
	for (object = 0; object < NUM_OBJECTS; object++)
		left += d->after.n[object] - d->before.n[object];
	printf("\nRegistered and pinned once, imported %u times; one import "
	       "takes 1/%.0f of\n"
	       "the registration's time.  %" PRIu64
	       " bytes moved and verified, objects left: %ld.\n",
	       d->opt->workers,
	       (double)d->register_ns * d->opt->workers / (import_ns + 1),
	       verified, left);
}

int pp_demo(const struct pp_options *opt)
{
	struct demo *d = calloc(1, sizeof(*d));
	uint32_t i;
	int ret;

	if (!d)
		return pp_fail(ENOMEM, "demo") ? 1 : 0;
	d->opt = opt;
	ret = play(d);
	put_down(&d->owner);
	for (i = 0; i < opt->workers; i++) {
		put_down(&d->workers[i]);
		put_down(&d->peers[i]);
	}
	remove_socket(d);
	if (!ret) {
		print_bytes(d);
		print_objects(d);
		ret = check(d);
		if (!ret)
			print_summary(d);
	}
	free(d->device);
	free(d);
	return ret ? 1 : 0;
}
