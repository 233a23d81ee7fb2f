// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The owner of ibv_share_pingpong: registers one region of shared memory once,
 * exports the PD and the MR into a context that exists only to be given away,
 * and gives it to every worker that connects.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "share_pingpong.h"

struct owner {
	const struct pp_options *opt;
	int memfd;
	void *memory;
	struct ibv_context *context;
	struct ibv_context *export;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	uint32_t pd_handle;
	uint32_t mr_handle;
	int listener;
	int signals;
	/* [slot]: the connection of the worker that has it, or -1 */
	int workers[PP_MAX_WORKERS];
};

static int make_memory(struct owner *o)
{
	uint64_t region = o->opt->region;

	o->memfd = memfd_create("ibv_share_pingpong",
				MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (o->memfd < 0)
		return pp_fail(errno, "memfd_create");
	if (ftruncate(o->memfd, region) ||
	    fcntl(o->memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
		return pp_fail(errno, "cannot make a region of that size");
	/* Populated, so that only the registration is timed further down. */
	o->memory = mmap(NULL, region, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_POPULATE, o->memfd, 0);
	if (o->memory == MAP_FAILED)
		return pp_fail(errno, "cannot map the region");
	return 0;
}

static int share_region(struct owner *o)
{
	const int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
			   IBV_ACCESS_REMOTE_WRITE;
	struct pp_report report = { .kind = PP_REPORT_OWNER };
	uint64_t start;
	int fd, err;

	o->pd = ibv_alloc_pd(o->context);
	if (!o->pd)
		return pp_fail(errno, "cannot allocate a PD");
	start = pp_now_ns();
	/*
	 * Address 0 of the MR is the region's first byte: this process's own
	 * addresses mean nothing to the workers.
	 */
	o->mr = ibv_reg_mr_iova(o->pd, o->memory, o->opt->region, 0, access);
	if (!o->mr)
		return pp_fail(errno, "cannot register the region");
	report.value[0] = pp_now_ns() - start;

	start = pp_now_ns();
	fd = ibv_context_to_fd(o->export);
	err = ibv_export_pd(o->pd, fd, &o->pd_handle);
	if (err)
		return pp_fail(err, "cannot export the PD");
	err = ibv_export_mr(o->mr, fd, &o->mr_handle);
	if (err)
		return pp_fail(err, "cannot export the MR");
	report.value[1] = pp_now_ns() - start;
	printf("%llu bytes registered in %.3f ms, PD and MR exported in %.3f "
	       "ms\n",
	       (unsigned long long)o->opt->region, report.value[0] / 1e6,
	       report.value[1] / 1e6);
	return pp_send_report(o->opt->report_fd, &report);
}

static int start_serving(struct owner *o)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return pp_fail(errno, "sigprocmask");
	o->signals = signalfd(-1, &set, SFD_CLOEXEC);
	if (o->signals < 0)
		return pp_fail(errno, "signalfd");
	o->listener = pp_unix_listen(o->opt->socket);
	if (o->listener < 0)
		return -1;
	printf("serving up to %u workers on %s until SIGINT or SIGTERM\n",
	       o->opt->workers, o->opt->socket);
	return 0;
}

/* A worker that cannot be served is turned away; the others do not notice. */
static void serve(struct owner *o)
{
	const int fds[PP_OFFER_FDS] = {
		[PP_OFFER_CONTEXT] = ibv_context_to_fd(o->export),
		[PP_OFFER_MEMORY] = o->memfd,
	};
	struct pp_offer offer = {
		.magic = PP_OFFER_MAGIC,
		.version = PP_VERSION,
		.slots = o->opt->workers,
		.pd_handle = o->pd_handle,
		.mr_handle = o->mr_handle,
		.region = o->opt->region,
		.iova = 0,
	};
	int sock;

	sock = accept4(o->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (sock < 0) {
		if (errno != EINTR && errno != EAGAIN && errno != ECONNABORTED)
			pp_fail(errno, "accept");
		return;
	}
	while (offer.slot < offer.slots && o->workers[offer.slot] >= 0)
		offer.slot++;
	if (offer.slot == offer.slots ||
	    pp_send_offer(sock, &offer, fds, o->opt->timeout_ms)) {
		close(sock);
		return;
	}
	o->workers[offer.slot] = sock;
	printf("worker %u has come\n", offer.slot);
}

static int serve_until_signal(struct owner *o)
{
	struct pollfd pfds[2 + PP_MAX_WORKERS] = {
		{ .fd = o->listener, .events = POLLIN },
		{ .fd = o->signals, .events = POLLIN },
	};
	uint32_t i;

	for (;;) {
		for (i = 0; i < o->opt->workers; i++) {
			pfds[2 + i].fd = o->workers[i];
			pfds[2 + i].events = POLLIN;
		}
		if (poll(pfds, 2 + o->opt->workers, -1) < 0) {
			if (errno == EINTR)
				continue;
			return pp_fail(errno, "poll");
		}
		if (pfds[1].revents)
			return 0;
		/* Workers say nothing: whatever happens there is the end. */
		for (i = 0; i < o->opt->workers; i++) {
			if (o->workers[i] < 0 || !pfds[2 + i].revents)
				continue;
			printf("worker %u has left\n", i);
			close(o->workers[i]);
			o->workers[i] = -1;
		}
		if (pfds[0].revents)
			serve(o);
	}
}

/*
 * The objects live on for the workers that imported them: this process gives
 * up its own handles, and with the export context those that it gave away.
 */
static int leave(struct owner *o)
{
	int ret = 0, err, i;

	if (o->listener >= 0) {
		close(o->listener);
		unlink(o->opt->socket);
	}
	for (i = 0; i < PP_MAX_WORKERS; i++)
		if (o->workers[i] >= 0)
			close(o->workers[i]);
	if (o->signals >= 0)
		close(o->signals);
	if (o->mr) {
		err = ibv_dereg_mr(o->mr);
		if (err)
			ret = pp_fail(err, "cannot deregister the region");
	}
	if (o->pd) {
		err = ibv_dealloc_pd(o->pd);
		if (err)
			ret = pp_fail(err, "cannot deallocate the PD");
	}
	if (o->export)
		ibv_close_device(o->export);
	if (o->context)
		ibv_close_device(o->context);
	if (o->memory != MAP_FAILED)
		munmap(o->memory, o->opt->region);
	if (o->memfd >= 0)
		close(o->memfd);
	return ret;
}

int pp_owner(const struct pp_options *opt)
{
	struct owner o = { .opt = opt,
			   .memfd = -1,
			   .memory = MAP_FAILED,
			   .listener = -1,
			   .signals = -1 };
	int ret, i;

	for (i = 0; i < PP_MAX_WORKERS; i++)
		o.workers[i] = -1;
	ret = make_memory(&o);
	if (!ret) {
		o.context = pp_open_device(opt);
		o.export = o.context ? pp_open_device(opt) : NULL;
		ret = o.export ? 0 : -1;
	}
	/* Who is told that the region is there can connect at once. */
	if (!ret)
		ret = start_serving(&o);
	if (!ret)
		ret = share_region(&o);
	if (!ret)
		ret = serve_until_signal(&o);
	if (leave(&o))
		ret = -1;
	return ret ? 1 : 0;
}
