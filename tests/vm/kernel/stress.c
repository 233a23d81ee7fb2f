// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Many threads on few files: everything that can be done to PDs and MRs, with
 * handles taken at random from what the kernel says there is. Two more threads look
 * on: at what rdma(8) shows of them and at the list of shares. Afterwards nothing
 * may be left.
 *
 *	usage: stress [seconds [threads]]
 */
#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include "command.h"
#include "device.h"
#include "shares.h"

#define FILES 4
#define MAX_THREADS 32

static char buf[4096] __attribute__((aligned(4096)));
static struct {
	pthread_rwlock_t lock; /* for writing to close it */
	int fd;
} files[FILES];
static bool stop;

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
	ACTIONS
};

static const struct {
	enum action action;
	unsigned int weight;
} mix[] = {
	{ ALLOC_PD, 2 },  { REG_MR, 3 },    { EXPORT_PD, 4 },  { EXPORT_MR, 4 },
	{ IMPORT_PD, 3 }, { IMPORT_MR, 3 }, { DEALLOC_PD, 5 }, { DEREG_MR, 4 },
	{ REREG_MR, 2 },  { USE_PD, 3 },    { REOPEN, 1 },
};

static unsigned long done[ACTIONS], failed[ACTIONS];

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
	uint32_t pd = any(a, UVERBS_OBJECT_PD, seed);
	uint32_t mr = any(a, UVERBS_OBJECT_MR, seed);
	struct region region;
	uint32_t new;
	int ret;

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

static void *worker(void *arg)
{
	unsigned int seed = (uintptr_t)arg;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		unsigned int i = rand_r(&seed) % FILES;
		unsigned int j = rand_r(&seed) % FILES;
		enum action action = pick(&seed);
		int ret;

		if (action == REOPEN) {
			pthread_rwlock_wrlock(&files[i].lock);
			close(files[i].fd);
			files[i].fd = open_context();
			pthread_rwlock_unlock(&files[i].lock);
			ret = 0;
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
		__atomic_fetch_add(&done[action], 1, __ATOMIC_RELAXED);
		if (ret)
			__atomic_fetch_add(&failed[action], 1,
					   __ATOMIC_RELAXED);
		/*
		 * Locked, in use; gone; gone and its number given to an object of
		 * another type
		 */
		CHECK(!ret || ret == EBUSY || ret == ENOENT || ret == EINVAL,
		      "action %d: %s", action, strerror(ret));
	}
	return NULL;
}

/* ---- what rdma(8) asks for, without starting it again and again ---- */

static int netlink;
static unsigned long dumped, listed;

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
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		for (int device = 0; device < 8; device++) {
			int n = dump(RDMA_NLDEV_CMD_RES_PD_GET, device);

			if (n < 0)
				continue;
			dumped += n;
			n = dump(RDMA_NLDEV_CMD_RES_MR_GET, device);
			dumped += n > 0 ? n : 0;
			n = dump(RDMA_NLDEV_CMD_RES_CTX_GET, device);
			dumped += n > 0 ? n : 0;
		}
		usleep(500);
	}
	close(netlink);
	return NULL;
}

static void *lister(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		int n = read_shares(NULL, 0);

		CHECK(n >= 0, "the list of shares is not as it should be");
		listed += n > 0 ? n : 0;
		usleep(500);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 10;
	int n = argc > 2 ? atoi(argv[2]) : 6;
	pthread_t threads[MAX_THREADS], lookers[2];

	NEED(seconds > 0 && n > 0 && n <= MAX_THREADS);
	for (int i = 0; i < FILES; i++) {
		pthread_rwlock_init(&files[i].lock, NULL);
		files[i].fd = open_context();
	}
	for (int i = 0; i < n; i++)
		NEED(!pthread_create(&threads[i], NULL, worker,
				     (void *)(uintptr_t)(7919 * i + 1)));
	mount_shares();
	NEED(!pthread_create(&lookers[0], NULL, dumper, NULL));
	NEED(!pthread_create(&lookers[1], NULL, lister, NULL));
	for (int i = 0; i < 2 * seconds; i++) {
		usleep(500000);
		device_set("rereg_new", i % 2);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	pthread_join(lookers[0], NULL);
	pthread_join(lookers[1], NULL);
	CHECK(dumped && listed, "%lu entries and %lu lines seen", dumped,
	      listed);
	device_set("rereg_new", 0);
	for (int i = 0; i < FILES; i++)
		close(files[i].fd);
	DEVICE_HAS(0, 0, 0, 0);
	IS(read_shares(NULL, 0), 0);
	/* Else it has tested nothing */
	for (int i = 0; i < ACTIONS; i++)
		CHECK(done[i] > failed[i], "action %d: %lu, %lu failed", i,
		      done[i], failed[i]);
	return end_checks();
}
