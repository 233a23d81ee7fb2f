// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The game itself: the client sends, and each side answers a message with a
 * message, until there were enough in both directions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pingpong.h"

/* Completions fetched at a time if there is one QP: a send and a receive */
#define FEW_COMPLETIONS 2

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000ull + now.tv_nsec / 1000;
}

void pingpong_post_receives(struct pingpong *pp)
{
	struct ibv_sge sge = {
		.addr = pingpong_buffer_addr(pp),
		.length = pp->kind->headroom + pp->opt.size,
		.lkey = pp->mr->lkey,
	};
	struct ibv_recv_wr wr = {
		.wr_id = PINGPONG_RECV,
		.sg_list = &sge,
		.num_sge = 1,
	};
	struct ibv_recv_wr *bad;

	while (pp->posted < pp->opt.rx_depth) {
		if (pp->srq ? ibv_post_srq_recv(pp->srq, &wr, &bad)
			    : ibv_post_recv(pp->qps[0].qp, &wr, &bad))
			return;
		pp->posted++;
	}
}

static int post_new_send(struct pingpong_qp *one, const struct ibv_sge *sge)
{
	ibv_wr_start(one->ex);
	one->ex->wr_id = PINGPONG_SEND;
	one->ex->wr_flags = one->send_flags;
	ibv_wr_send(one->ex);
	ibv_wr_set_sge(one->ex, sge->lkey, sge->addr, sge->length);
	return ibv_wr_complete(one->ex);
}

static int post_send(struct pingpong *pp, struct pingpong_qp *one)
{
	struct ibv_sge sge = {
		.addr = pingpong_buffer_addr(pp) + pp->kind->headroom,
		.length = pp->opt.size,
		.lkey = pp->mr->lkey,
	};
	struct ibv_send_wr wr = {
		.wr_id = PINGPONG_SEND,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = one->send_flags,
	};
	struct ibv_send_wr *bad;

	if (pp->ah) {
		wr.wr.ud.ah = pp->ah;
		wr.wr.ud.remote_qpn = one->remote.qpn;
		wr.wr.ud.remote_qkey = PINGPONG_QKEY;
	}
	if (one->ex ? post_new_send(one, &sge)
		    : ibv_post_send(one->qp, &wr, &bad)) {
		fprintf(stderr, "Couldn't post send\n");
		return -1;
	}
	one->pending = PINGPONG_RECV | PINGPONG_SEND;
	return 0;
}

/* The times between one receive and the next, in cycles of the device */
static void note_stamp(struct pingpong *pp, uint64_t stamp)
{
	uint64_t delta = (stamp - pp->last_stamp) & pp->timestamp_mask;

	pp->last_stamp = stamp;
	if (pp->received < 2)
		return;
	if (pp->received == 2 || delta < pp->min_delta)
		pp->min_delta = delta;
	if (delta > pp->max_delta)
		pp->max_delta = delta;
	pp->sum_delta += delta;
}

static struct pingpong_qp *find_qp(struct pingpong *pp, uint32_t qpn)
{
	int i;

	if (!pp->kind->srq)
		return &pp->qps[0];
	for (i = 0; i < pp->opt.num_qp; i++)
		if (pp->qps[i].qp->qp_num == qpn)
			return &pp->qps[i];
	fprintf(stderr, "Couldn't find QPN %06x\n", qpn);
	return NULL;
}

static int note_receive(struct pingpong *pp)
{
	/* With one receive for each QP left it is time for new ones. */
	if (--pp->posted <= pp->opt.num_qp) {
		pingpong_post_receives(pp);
		if (pp->posted < pp->opt.rx_depth) {
			fprintf(stderr, "Couldn't post receive (%d)\n",
				pp->posted);
			return -1;
		}
	}
	pp->received++;
	return 0;
}

static int handle(struct pingpong *pp, struct pingpong_qp *one, uint64_t wr_id,
		  enum ibv_wc_status status)
{
	if (status != IBV_WC_SUCCESS) {
		fprintf(stderr, "Failed status %s (%d) for wr_id %d\n",
			ibv_wc_status_str(status), status, (int)wr_id);
		return -1;
	}
	switch (wr_id) {
	case PINGPONG_SEND:
		pp->sent++;
		break;
	case PINGPONG_RECV:
		if (note_receive(pp))
			return -1;
		break;
	default:
		fprintf(stderr, "Completion for unknown wr_id %d\n",
			(int)wr_id);
		return -1;
	}
	one->pending &= ~(unsigned int)wr_id;
	if (!one->pending && pp->sent < pp->opt.iters)
		return post_send(pp, one);
	return 0;
}

static int handle_wc(struct pingpong *pp, const struct ibv_wc *wc)
{
	struct pingpong_qp *one = &pp->qps[0];

	/* A failed completion has no more than its ID that is worth a look. */
	if (wc->status == IBV_WC_SUCCESS)
		one = find_qp(pp, wc->qp_num);
	return one ? handle(pp, one, wc->wr_id, wc->status) : -1;
}

/* Handles what is there: how many that were, or -1 */
static int poll_plain(struct pingpong *pp, struct ibv_wc *wc, int room)
{
	int n = ibv_poll_cq(pp->cq, room, wc);
	int i;

	if (n < 0) {
		fprintf(stderr, "poll CQ failed %d\n", n);
		return -1;
	}
	for (i = 0; i < n; i++) {
		if (handle_wc(pp, &wc[i])) {
			if (pp->kind->tells_parsing)
				fprintf(stderr, "parse WC failed %d\n", 1);
			return -1;
		}
	}
	return n;
}

static int handle_stamped(struct pingpong *pp)
{
	struct ibv_cq_ex *cq = pp->cq_ex;
	uint64_t stamp = ibv_wc_read_completion_ts(cq);
	bool is_recv = cq->wr_id == PINGPONG_RECV;

	if (handle(pp, &pp->qps[0], cq->wr_id, cq->status))
		return -1;
	if (is_recv)
		note_stamp(pp, stamp);
	return 0;
}

static int poll_failed(struct pingpong *pp, int err)
{
	fprintf(stderr, "poll CQ failed %d\n", err);
	pp->status = err;
	return -1;
}

static int poll_stamped(struct pingpong *pp)
{
	struct ibv_poll_cq_attr attr = { .comp_mask = 0 };
	int n = 1;
	int err;

	err = ibv_start_poll(pp->cq_ex, &attr);
	if (err == ENOENT)
		return 0;
	if (err)
		return poll_failed(pp, err);
	err = handle_stamped(pp);
	while (!err && n < FEW_COMPLETIONS) {
		err = ibv_next_poll(pp->cq_ex);
		if (err == ENOENT) {
			err = 0;
			break;
		}
		if (!err && handle_stamped(pp))
			err = 1;
		if (err)
			poll_failed(pp, err);
		n++;
	}
	ibv_end_poll(pp->cq_ex);
	return err ? -1 : n;
}

static int request_event(struct pingpong *pp)
{
	if (ibv_req_notify_cq(pp->cq, 0)) {
		fprintf(stderr, "Couldn't request CQ notification\n");
		return -1;
	}
	return 0;
}

static int wait_event(struct pingpong *pp)
{
	struct ibv_cq *cq;
	void *unused;

	if (ibv_get_cq_event(pp->channel, &cq, &unused)) {
		fprintf(stderr, "Failed to get cq_event\n");
		return -1;
	}
	if (cq != pp->cq) {
		fprintf(stderr, "CQ event for unknown CQ %p\n", (void *)cq);
		return -1;
	}
	pp->unacked++;
	/* Before polling, or what completes in between has no event. */
	return request_event(pp);
}

static int first_sends(struct pingpong *pp)
{
	int i;

	if (!pp->opt.host)
		return 0;
	if (pingpong_fill(pp))
		return -1;
	for (i = 0; i < pp->opt.num_qp; i++)
		if (post_send(pp, &pp->qps[i]))
			return -1;
	return 0;
}

static int play(struct pingpong *pp, struct ibv_wc *wc, int room)
{
	int n;

	while (pp->sent < pp->opt.iters || pp->received < pp->opt.iters) {
		if (pp->opt.events && wait_event(pp))
			return -1;
		n = pp->cq_ex ? poll_stamped(pp) : poll_plain(pp, wc, room);
		if (n < 0)
			return -1;
	}
	return 0;
}

static void report(const struct pingpong *pp, uint64_t us)
{
	long long bytes = (long long)pp->opt.size * pp->opt.iters * 2;
	double seconds = us / 1e6;

	printf("%lld bytes in %.2f seconds = %.2f Mbit/sec\n", bytes, seconds,
	       bytes * 8. / us);
	printf("%d iters in %.2f seconds = %.2f usec/iter\n", pp->opt.iters,
	       seconds, (double)us / pp->opt.iters);
	if (!pp->opt.timestamps || pp->opt.iters < 2)
		return;
	printf("Max receive completion clock cycles = %lu\n",
	       (unsigned long)pp->max_delta);
	printf("Min receive completion clock cycles = %lu\n",
	       (unsigned long)pp->min_delta);
	printf("Average receive completion clock cycles = %f\n",
	       (double)pp->sum_delta / (pp->opt.iters - 1));
}

int pingpong_run(struct pingpong *pp)
{
	int room =
		pp->kind->srq
			? (int)((unsigned int)pp->opt.rx_depth + pp->opt.num_qp)
			: FEW_COMPLETIONS;
	struct ibv_wc *wc = calloc(room, sizeof(*wc));
	uint64_t start;
	int i;

	if (!wc) {
		fprintf(stderr, "Couldn't allocate work buf.\n");
		return -1;
	}
	for (i = 0; i < pp->opt.num_qp; i++)
		pp->qps[i].pending = PINGPONG_RECV;
	if (first_sends(pp)) {
		free(wc);
		return -1;
	}
	start = now_us();
	i = play(pp, wc, room);
	free(wc);
	if (i)
		return -1;
	report(pp, now_us() - start);
	if (pp->opt.check && !pp->opt.host)
		return pingpong_validate(pp);
	return 0;
}
