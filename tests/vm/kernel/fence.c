// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A PD becomes shared while dumps of it run and other threads make SRQs on it:
 * these ask the kernel who made the PD, and the PD keeps its number.
 *
 *	usage: fence [rounds]
 */
#include <linux/netlink.h>
#include <pthread.h>
#include <rdma/rdma_netlink.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "shares.h"

#define WORKERS 2

static int a, b;
static uint32_t pd;
static bool stop;
static unsigned long srqs, dumps;

static bool stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

/* On whatever is the PD at the moment, which may just go */
static void *use(void *arg)
{
	while (!stopped()) {
		uint32_t srq;
		int ret = create_srq(a, __atomic_load_n(&pd, __ATOMIC_RELAXED),
				     &srq);

		CHECK(!ret || ret == ENOENT || ret == EBUSY || ret == EINVAL,
		      "%s", strerror(ret));
		if (!ret) {
			IS(destroy_srq(a, srq), 0);
			__atomic_fetch_add(&srqs, 1, __ATOMIC_RELAXED);
		}
	}
	return arg;
}

static void *dump(void *arg)
{
	int netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_RDMA);
	struct {
		struct nlmsghdr hdr;
		struct nlattr attr;
		uint32_t device;
	} request = {
		.hdr = { .nlmsg_len = sizeof(request),
			 .nlmsg_type =
				 RDMA_NL_GET_TYPE(RDMA_NL_NLDEV,
						  RDMA_NLDEV_CMD_RES_PD_GET),
			 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.attr = { sizeof(struct nlattr) + sizeof(uint32_t),
			  RDMA_NLDEV_ATTR_DEV_INDEX },
	};
	char answer[16384] __attribute__((aligned(4)));

	NEED(netlink >= 0);
	/* Which number the device has depends on what else is there: all. */
	for (request.device = 0; !stopped(); request.device++) {
		bool done = false;

		request.device %= 8;
		NEED(send(netlink, &request, sizeof(request), 0) ==
		     sizeof(request));
		while (!done) {
			struct nlmsghdr *hdr = (void *)answer;
			ssize_t len = recv(netlink, answer, sizeof(answer), 0);

			NEED(len > 0);
			for (; NLMSG_OK(hdr, len); hdr = NLMSG_NEXT(hdr, len))
				if (hdr->nlmsg_type == NLMSG_ERROR ||
				    hdr->nlmsg_type == NLMSG_DONE)
					done = true;
				else
					dumps++;
		}
	}
	close(netlink);
	return arg;
}

static unsigned int number(void)
{
	struct share s[8] = {};
	int n = read_shares(s, 8), aliases = 0;
	unsigned int id = 0;

	CHECK(n >= 2 && n <= 8, "%d lines", n);
	for (int i = 0; i < n && i < 8; i++) {
		/* PDs of rounds before, whose last SRQ is just being made */
		if (!strcmp(s[i].handle, "-"))
			continue;
		CHECK(!aliases || s[i].id == id, "PDs %u and %u", id, s[i].id);
		id = s[i].id;
		aliases++;
	}
	IS(aliases, 2);
	return id;
}

static void free_pd(int fd, uint32_t handle)
{
	int ret;

	/* The users' SRQs come and go */
	while ((ret = dealloc_pd(fd, handle)) == EBUSY)
		usleep(100);
	IS(ret, 0);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 150;
	pthread_t threads[WORKERS + 1];
	unsigned int last = 0;

	mount_shares();
	a = open_context();
	b = open_context();
	for (int i = 0; i < WORKERS; i++)
		NEED(!pthread_create(&threads[i], NULL, use, NULL));
	NEED(!pthread_create(&threads[WORKERS], NULL, dump, NULL));
	for (int i = 0; i < rounds; i++) {
		uint32_t mine, others;
		unsigned int is;

		IS(alloc_pd(a, &mine), 0);
		__atomic_store_n(&pd, mine, __ATOMIC_RELAXED);
		usleep(1000);
		IS(export_pd(a, mine, b, &others), 0);
		is = number();
		/* The kernel counts up, and nobody else has PDs here. */
		CHECK(!i || is == last + 1, "PD %u after %u", is, last);
		last = is;
		free_pd(b, others);
		__atomic_store_n(&pd, ~0U, __ATOMIC_RELAXED);
		free_pd(a, mine);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i <= WORKERS; i++)
		pthread_join(threads[i], NULL);
	CHECK(srqs && dumps, "%lu SRQs, %lu dumped", srqs, dumps);
	DEVICE_HAS(2, 0, 0, 0);
	close(b);
	close(a);
	return end_checks();
}
