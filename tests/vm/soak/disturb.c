// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Run a program while everything around it is in motion, and see what it leaves.
 *
 *	usage: disturb PROGRAM ARGUMENT...
 *
 * Meanwhile, each in a thread: what rdma(8) shows is dumped, of all types and all
 * devices; the list of shares is read; the program's processes are moved from one
 * cgroup to another; an rxe device that nobody has open comes and goes. When the
 * program has ended nothing of any process may be left: no context, PD or MR in
 * those dumps, no line in the list.
 *
 * Exit status: the program's; 1 when something was left. The last line on standard
 * output tells how often each was done.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include "../kernel/shares.h"

#define ROOT "/tmp/disturb"
#define GROUPS 2
/* Numbers of devices are given out anew, from the lowest */
#define DEVICES 8

#define LINK_NAME "rxe9"
#define LINK_NETDEV "dummy9"

static bool stop;
static unsigned long dumps, lists, moves, links;

static bool stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static void count(unsigned long *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* ---- netlink: one socket for each thread that asks ---- */

struct request {
	struct nlmsghdr hdr;
	char attrs[256];
};

static int open_netlink(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);

	NEED(fd >= 0);
	return fd;
}

static void start_request(struct request *r, int command, int flags)
{
	memset(r, 0, sizeof(*r));
	r->hdr.nlmsg_len = sizeof(r->hdr);
	r->hdr.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
	r->hdr.nlmsg_flags = NLM_F_REQUEST | flags;
}

static void add_attr(struct request *r, int type, const void *data, size_t len)
{
	struct nlattr *attr = (void *)((char *)r + r->hdr.nlmsg_len);

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	memcpy((char *)attr + NLA_HDRLEN, data, len);
	r->hdr.nlmsg_len += NLA_ALIGN(attr->nla_len);
}

/* The attribute of that type among those in data, or NULL */
static const struct nlattr *find_attr(const void *data, size_t len, int type)
{
	while (len >= NLA_HDRLEN) {
		const struct nlattr *attr = data;
		size_t size = NLA_ALIGN(attr->nla_len);

		if (attr->nla_len < NLA_HDRLEN || attr->nla_len > len)
			return NULL;
		if ((attr->nla_type & NLA_TYPE_MASK) == type)
			return attr;
		if (size >= len)
			return NULL;
		data = (const char *)data + size;
		len -= size;
	}
	return NULL;
}

static const void *attr_data(const struct nlattr *attr, size_t *len)
{
	*len = attr->nla_len - NLA_HDRLEN;
	return (const char *)attr + NLA_HDRLEN;
}

typedef void entry_fn(const void *attrs, size_t len, void *arg);

/* 0, or the errno value that the kernel answers; fn is for each message */
static int ask(int fd, struct request *r, entry_fn *fn, void *arg)
{
	bool dump = r->hdr.nlmsg_flags & NLM_F_DUMP;
	char answer[32768];

	NEED(send(fd, r, r->hdr.nlmsg_len, 0) == (ssize_t)r->hdr.nlmsg_len);
	for (;;) {
		struct nlmsghdr *hdr = (void *)answer;
		ssize_t len = recv(fd, answer, sizeof(answer), 0);

		NEED(len > 0);
		for (; NLMSG_OK(hdr, len); hdr = NLMSG_NEXT(hdr, len)) {
			if (hdr->nlmsg_type == NLMSG_DONE)
				return 0;
			if (hdr->nlmsg_type == NLMSG_ERROR)
				return -*(int *)NLMSG_DATA(hdr);
			if (fn)
				fn(NLMSG_DATA(hdr),
				   hdr->nlmsg_len - NLMSG_HDRLEN, arg);
			if (!dump)
				return 0;
		}
	}
}

static int dump(int fd, int command, uint32_t device, entry_fn *fn, void *arg)
{
	struct request r;

	start_request(&r, command, NLM_F_DUMP);
	add_attr(&r, RDMA_NLDEV_ATTR_DEV_INDEX, &device, sizeof(device));
	return ask(fd, &r, fn, arg);
}

static const int types[] = {
	RDMA_NLDEV_CMD_RES_GET,	   RDMA_NLDEV_CMD_RES_CTX_GET,
	RDMA_NLDEV_CMD_RES_PD_GET, RDMA_NLDEV_CMD_RES_MR_GET,
	RDMA_NLDEV_CMD_RES_CQ_GET, RDMA_NLDEV_CMD_RES_QP_GET,
	RDMA_NLDEV_CMD_GET,	   RDMA_NLDEV_CMD_RES_SRQ_GET,
};

static void *dumper(void *unused)
{
	int fd = open_netlink();

	(void)unused;
	while (!stopped()) {
		for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++)
			for (uint32_t device = 0; device < DEVICES; device++)
				if (!dump(fd, types[t], device, NULL, NULL))
					count(&dumps);
		usleep(10000);
	}
	close(fd);
	return NULL;
}

/* ---- what is left ---- */

struct left {
	int entry, table;
	unsigned int n;
};

/* Entries of processes have no kernel user's name */
static void count_entries(const void *attrs, size_t len, void *arg)
{
	struct left *left = arg;
	const struct nlattr *table = find_attr(attrs, len, left->table), *entry;
	const char *data;
	size_t size, inner;

	if (!table)
		return;
	data = attr_data(table, &size);
	while ((entry = find_attr(data, size, left->entry))) {
		const void *fields = attr_data(entry, &inner);
		size_t used =
			(const char *)entry - data + NLA_ALIGN(entry->nla_len);

		if (!find_attr(fields, inner, RDMA_NLDEV_ATTR_RES_KERN_NAME))
			left->n++;
		if (used >= size)
			return;
		data += used;
		size -= used;
	}
}

static void check_left(void)
{
	static const struct {
		const char *name;
		int command, table, entry;
	} kinds[] = {
		{ "contexts", RDMA_NLDEV_CMD_RES_CTX_GET,
		  RDMA_NLDEV_ATTR_RES_CTX, RDMA_NLDEV_ATTR_RES_CTX_ENTRY },
		{ "PDs", RDMA_NLDEV_CMD_RES_PD_GET, RDMA_NLDEV_ATTR_RES_PD,
		  RDMA_NLDEV_ATTR_RES_PD_ENTRY },
		{ "MRs", RDMA_NLDEV_CMD_RES_MR_GET, RDMA_NLDEV_ATTR_RES_MR,
		  RDMA_NLDEV_ATTR_RES_MR_ENTRY },
	};
	int fd = open_netlink(), asked = 0;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (uint32_t device = 0; device < DEVICES; device++) {
			struct left left = { kinds[k].entry, kinds[k].table,
					     0 };

			if (!dump(fd, kinds[k].command, device, count_entries,
				  &left))
				asked++;
			CHECK(!left.n, "%u %s are left", left.n, kinds[k].name);
		}
	CHECK(asked, "no device can be asked for what is left");
	close(fd);
	IS(read_shares(NULL, 0), 0);
}

/* Objects in use that kmalloc() gave: every checker's and the system's own, too */
static long slab_objects(void)
{
	FILE *file = fopen("/proc/slabinfo", "r");
	char line[512], name[64];
	long sum = 0, active;

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%63s %ld", name, &active) == 2 &&
		    !strncmp(name, "kmalloc-", 8))
			sum += active;
	fclose(file);
	return sum;
}

/* ---- the other disturbances ---- */

static void *lister(void *unused)
{
	(void)unused;
	while (!stopped()) {
		CHECK(read_shares(NULL, 0) >= 0,
		      "the list of shares is not as it should be");
		count(&lists);
		usleep(10000);
	}
	return NULL;
}

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text);
}

static void *mover(void *unused)
{
	(void)unused;
	for (int to = 0; !stopped(); to = (to + 1) % GROUPS) {
		char path[64], line[32];
		FILE *from;

		for (int g = 0; g < GROUPS; g++) {
			if (g == to)
				continue;
			snprintf(path, sizeof(path), ROOT "/%d/cgroup.procs",
				 g);
			from = fopen(path, "r");
			NEED(from);
			snprintf(path, sizeof(path), ROOT "/%d/cgroup.procs",
				 to);
			/* It may be dead by now */
			while (fgets(line, sizeof(line), from))
				if (put(path, line))
					count(&moves);
			fclose(from);
		}
		usleep(20000);
	}
	return NULL;
}

struct link {
	uint32_t index;
	bool found;
};

static void match_link(const void *attrs, size_t len, void *arg)
{
	const struct nlattr *name =
		find_attr(attrs, len, RDMA_NLDEV_ATTR_DEV_NAME);
	const struct nlattr *index =
		find_attr(attrs, len, RDMA_NLDEV_ATTR_DEV_INDEX);
	struct link *link = arg;
	size_t size;

	if (!name || !index || strcmp(attr_data(name, &size), LINK_NAME))
		return;
	memcpy(&link->index, attr_data(index, &size), sizeof(link->index));
	link->found = true;
}

static void *linker(void *unused)
{
	int fd = open_netlink();
	struct request r;

	(void)unused;
	while (!stopped()) {
		struct link link = {};

		start_request(&r, RDMA_NLDEV_CMD_NEWLINK, NLM_F_ACK);
		add_attr(&r, RDMA_NLDEV_ATTR_DEV_NAME, LINK_NAME,
			 sizeof(LINK_NAME));
		add_attr(&r, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe", sizeof("rxe"));
		add_attr(&r, RDMA_NLDEV_ATTR_NDEV_NAME, LINK_NETDEV,
			 sizeof(LINK_NETDEV));
		IS(ask(fd, &r, NULL, NULL), 0);
		start_request(&r, RDMA_NLDEV_CMD_GET, NLM_F_DUMP);
		IS(ask(fd, &r, match_link, &link), 0);
		CHECK(link.found, "no " LINK_NAME);
		usleep(20000);
		start_request(&r, RDMA_NLDEV_CMD_DELLINK, NLM_F_ACK);
		add_attr(&r, RDMA_NLDEV_ATTR_DEV_INDEX, &link.index,
			 sizeof(link.index));
		IS(ask(fd, &r, NULL, NULL), 0);
		count(&links);
		if (failures)
			break;
		usleep(20000);
	}
	close(fd);
	return NULL;
}

static void make_groups(void)
{
	char path[64];

	mkdir(ROOT, 0700);
	NEED(!mount("none", ROOT, "cgroup2", 0, NULL) || errno == EBUSY);
	NEED(put(ROOT "/cgroup.subtree_control", "+rdma"));
	for (int g = 0; g < GROUPS; g++) {
		snprintf(path, sizeof(path), ROOT "/%d", g);
		NEED(!mkdir(path, 0700) || errno == EEXIST);
	}
}

static pid_t start(char **argv)
{
	pid_t pid = fork();

	NEED(pid >= 0);
	if (pid)
		return pid;
	if (!put(ROOT "/0/cgroup.procs", "0"))
		_exit(126);
	execv(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

int main(int argc, char **argv)
{
	static void *(*const jobs[])(void *) = { dumper, lister, mover,
						 linker };
	pthread_t threads[sizeof(jobs) / sizeof(*jobs)];
	long before;
	pid_t pid;
	int status;

	NEED(argc > 1);
	setvbuf(stdout, NULL, _IOLBF, 0);
	mount_shares();
	make_groups();
	NEED(!system("ip link add " LINK_NETDEV " type dummy && "
		     "ip link set " LINK_NETDEV " up"));
	before = slab_objects();
	pid = start(argv + 1);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
		NEED(!pthread_create(&threads[i], NULL, jobs[i], NULL));
	NEED(waitpid(pid, &status, 0) == pid);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
		pthread_join(threads[i], NULL);
	NEED(!system("ip link del " LINK_NETDEV));
	check_left();
	CHECK(dumps && lists && moves && links, "a disturbance did nothing");
	printf("disturbed: %lu dumps, %lu lists, %lu moves, %lu links; "
	       "%+ld slab objects\n",
	       dumps, lists, moves, links, slab_objects() - before);
	if (!WIFEXITED(status)) {
		printf("%s ended with %x\n", argv[1], status);
		return 1;
	}
	return WEXITSTATUS(status) ? WEXITSTATUS(status) : failures != 0;
}
