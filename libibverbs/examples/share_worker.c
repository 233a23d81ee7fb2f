// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A worker of ibv_share_pingpong: imports the owner's PD and MR into its own
 * context, makes its own CQ and QP on the PD and moves data straight from and
 * into its slice of the region.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "share_pingpong.h"

enum { WR_WRITE, WR_READ, WR_SEND, WR_RECV_DATA, WR_RECV_NOTICE };

struct worker {
	const struct pp_options *opt;
	int owner;
	int peer;
	struct pp_offer offer;
	int fds[PP_OFFER_FDS];
	char *memory;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct pp_link link;
	struct pp_hello self; /* out and in: addresses in the MR */
	struct pp_hello remote;
};

static int import(struct worker *w)
{
	struct pp_report report = { .kind = PP_REPORT_WORKER,
				    .value = { [2] = w->offer.slot } };
	int fd = w->fds[PP_OFFER_CONTEXT];
	uint64_t start;

	start = pp_now_ns();
	w->pd = ibv_import_pd(w->context, fd, w->offer.pd_handle);
	if (!w->pd)
		return pp_fail(errno, "cannot import the PD");
	report.value[0] = pp_now_ns() - start;
	start = pp_now_ns();
	w->mr = ibv_import_mr(w->context, fd, w->offer.mr_handle);
	if (!w->mr)
		return pp_fail(errno, "cannot import the MR");
	report.value[1] = pp_now_ns() - start;
	/* The imported objects need neither the descriptor nor the owner. */
	close(fd);
	w->fds[PP_OFFER_CONTEXT] = -1;
	if (w->mr->length != w->offer.region)
		return pp_fail(0, "the MR has %zu bytes instead of %llu",
			       w->mr->length,
			       (unsigned long long)w->offer.region);
	if (w->mr->pd != w->pd)
		return pp_fail(0, "the MR is of another PD");
	printf("worker %u: PD imported in %.3f ms, MR in %.3f ms\n",
	       w->offer.slot, report.value[0] / 1e6, report.value[1] / 1e6);
	return pp_send_report(w->opt->report_fd, &report);
}

/*
 * The slice of this worker: windows that go out in its first half, windows
 * that come in in its second, and a stride that spreads the iterations over it.
 */
static int choose_windows(struct worker *w)
{
	uint64_t slice =
		w->offer.region / w->offer.slots / 2 / PP_PAGE * PP_PAGE * 2;
	uint64_t base = w->offer.iova + slice * w->offer.slot;
	struct pp_hello *self = &w->self;

	self->worker = w->offer.slot;
	self->size = w->opt->size;
	self->iters = w->opt->iters;
	self->rkey = w->mr->rkey;
	self->out = base;
	self->in = base + slice / 2;
	self->windows = slice / 2 / self->size;
	if (!self->windows)
		return pp_fail(0, "a share of the region is too small for -s");
	self->stride = self->windows / self->iters;
	if (!self->stride)
		self->stride = 1;
	return 0;
}

static int meet_peer(struct worker *w)
{
	int ms = w->opt->timeout_ms;

	if (pp_link_create(&w->link, w->pd, w->context, w->opt))
		return -1;
	w->self.address = w->link.local;
	w->peer = pp_tcp_connect(w->opt->host, w->opt->tcp_port, ms);
	if (w->peer < 0 || pp_send_hello(w->peer, &w->self, ms) ||
	    pp_recv_hello(w->peer, &w->remote, ms))
		return -1;
	w->link.other = w->peer;
	if (w->remote.size != w->self.size || w->remote.iters != w->self.iters)
		return pp_fail(0, "the peer was started with other -s or -n");
	return pp_link_connect(&w->link, w->opt, &w->remote.address);
}

static struct pp_buffer window(const struct worker *w, uint64_t start,
			       uint64_t iter)
{
	uint64_t n = iter * w->self.stride % w->self.windows;

	return (struct pp_buffer){ .addr = start + n * w->self.size,
				   .length = w->self.size,
				   .key = w->mr->lkey };
}

static void *bytes_of(const struct worker *w, const struct pp_buffer *buffer)
{
	return w->memory + (buffer->addr - w->offer.iova);
}

static int verify(struct worker *w, const struct pp_buffer *in, uint64_t iter,
		  enum pp_step step, uint64_t *verified)
{
	size_t good = pp_pattern_check(bytes_of(w, in), in->length,
				       w->offer.slot, iter, step);

	if (good < in->length)
		return pp_fail(
			0,
			"worker %u, iteration %llu, step %d: byte %zu is wrong",
			w->offer.slot, (unsigned long long)iter, step, good);
	*verified += good;
	/* What is there now must not pass for what comes next. */
	memset(bytes_of(w, in), 0, in->length);
	return 0;
}

static int post_receives(struct worker *w, uint64_t iter)
{
	struct pp_buffer in = window(w, w->self.in, iter);

	if (pp_post_recv(&w->link, WR_RECV_DATA, &in))
		return -1;
	return pp_post_recv(&w->link, WR_RECV_NOTICE, NULL);
}

/*
 * Each side waits for the other before it goes on to the next step, so that
 * no window is written while it is still looked at.  share_peer.c has the
 * same steps seen from the other end.
 */
static int iterate(struct worker *w, uint64_t iter, bool last,
		   uint64_t *verified)
{
	struct pp_buffer out = window(w, w->self.out, iter);
	struct pp_buffer in = window(w, w->self.in, iter);
	struct pp_buffer remote_in = { .addr = w->remote.in,
				       .key = w->remote.rkey };
	struct pp_buffer remote_out = { .addr = w->remote.out,
					.key = w->remote.rkey };
	uint32_t worker = w->offer.slot;
	struct pp_link *link = &w->link;

	pp_pattern_fill(bytes_of(w, &out), out.length, worker, iter,
			PP_WORKER_WRITES);
	if (pp_post(link, WR_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM, &out,
		    &remote_in, iter) ||
	    pp_wait(link, WR_WRITE, "RDMA WRITE from the region"))
		return -1;

	if (pp_wait_recv(link, WR_RECV_DATA, "receive into the region", false,
			 in.length) ||
	    verify(w, &in, iter, PP_PEER_SENDS, verified))
		return -1;

	if (pp_post(link, WR_READ, IBV_WR_RDMA_READ, &in, &remote_out, 0) ||
	    pp_wait(link, WR_READ, "RDMA READ into the region") ||
	    verify(w, &in, iter, PP_PEER_SENDS, verified))
		return -1;

	pp_pattern_fill(bytes_of(w, &out), out.length, worker, iter,
			PP_WORKER_SENDS);
	if (pp_post(link, WR_SEND, IBV_WR_SEND, &out, NULL, 0) ||
	    pp_wait(link, WR_SEND, "SEND from the region"))
		return -1;

	if (pp_wait_recv(link, WR_RECV_NOTICE, "the peer's RDMA WRITE", true,
			 iter) ||
	    verify(w, &in, iter, PP_PEER_WRITES, verified))
		return -1;
	return last ? 0 : post_receives(w, iter + 1);
}

static int run_round(struct worker *w, uint32_t round)
{
	struct pp_report report = { .kind = PP_REPORT_ROUND };
	struct pp_turn turn = { .kind = PP_TURN_START, .round = round };
	uint64_t first = (uint64_t)round * w->opt->iters, i;
	uint64_t start, verified = 0, expected;
	int ms = w->opt->timeout_ms;
	double seconds;

	if (post_receives(w, first) || pp_send_turn(w->peer, &turn, ms))
		return -1;
	if (pp_recv_turn(w->peer, &turn, ms) || turn.kind != PP_TURN_READY ||
	    turn.round != round)
		return pp_fail(0, "the peer is not ready");
	start = pp_now_ns();
	for (i = 0; i < w->opt->iters; i++)
		if (iterate(w, first + i, i + 1 == w->opt->iters, &verified))
			return -1;
	seconds = (pp_now_ns() - start) / 1e9;
	if (pp_recv_turn(w->peer, &turn, ms) || turn.kind != PP_TURN_RESULT ||
	    turn.round != round)
		return pp_fail(0, "the peer has no result");
	verified += turn.verified;
	expected = (uint64_t)PP_MOVES * w->opt->size * w->opt->iters;
	if (verified != expected)
		return pp_fail(0, "%llu bytes verified instead of %llu",
			       (unsigned long long)verified,
			       (unsigned long long)expected);
	printf("%llu bytes in %.2f seconds = %.2f Mbit/sec, all verified\n",
	       (unsigned long long)verified, seconds,
	       verified * 8 / seconds / 1e6);
	printf("%u iters in %.2f seconds = %.2f usec/iter\n", w->opt->iters,
	       seconds, seconds * 1e6 / w->opt->iters);
	report.value[0] = verified;
	return pp_send_report(w->opt->report_fd, &report);
}

static int run_rounds(struct worker *w)
{
	struct pp_report report;

	if (w->opt->report_fd < 0)
		return run_round(w, 0);
	for (;;) {
		if (pp_recv_report(w->opt->report_fd, &report,
				   w->opt->timeout_ms))
			return -1;
		if (report.kind == PP_REPORT_LEAVE)
			return 0;
		if (report.kind != PP_REPORT_GO ||
		    report.value[0] > UINT32_MAX / PP_MAX_ITERS)
			return pp_fail(0, "an order that makes no sense");
		if (run_round(w, report.value[0]))
			return -1;
	}
}

static int leave(struct worker *w)
{
	int ret = pp_link_destroy(&w->link), err, i;

	if (w->mr) {
		err = ibv_dereg_mr(w->mr);
		if (err)
			ret = pp_fail(err, "cannot deregister the MR");
	}
	if (w->pd) {
		err = ibv_dealloc_pd(w->pd);
		if (err)
			ret = pp_fail(err, "cannot deallocate the PD");
	}
	if (w->context)
		ibv_close_device(w->context);
	if (w->memory != MAP_FAILED)
		munmap(w->memory, w->offer.region);
	for (i = 0; i < PP_OFFER_FDS; i++)
		if (w->fds[i] >= 0)
			close(w->fds[i]);
	if (w->peer >= 0)
		close(w->peer);
	if (w->owner >= 0)
		close(w->owner);
	return ret;
}

int pp_worker(const struct pp_options *opt)
{
	struct worker w = { .opt = opt,
			    .owner = -1,
			    .peer = -1,
			    .fds = { -1, -1 },
			    .memory = MAP_FAILED };
	int ret;

	w.owner = pp_unix_connect(opt->socket, opt->timeout_ms);
	ret = w.owner < 0 ? -1
			  : pp_recv_offer(w.owner, &w.offer, w.fds,
					  opt->timeout_ms);
	if (!ret) {
		w.memory = mmap(NULL, w.offer.region, PROT_READ | PROT_WRITE,
				MAP_SHARED, w.fds[PP_OFFER_MEMORY], 0);
		if (w.memory == MAP_FAILED)
			ret = pp_fail(errno, "cannot map the region");
	}
	if (!ret) {
		w.context = pp_open_device(opt);
		ret = w.context ? import(&w) : -1;
	}
	if (!ret)
		ret = choose_windows(&w);
	if (!ret)
		ret = meet_peer(&w);
	if (!ret)
		ret = run_rounds(&w);
	if (leave(&w))
		ret = -1;
	return ret ? 1 : 0;
}
