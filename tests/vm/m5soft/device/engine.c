// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The thread that does what the queues say.  Doorbells make no noise in plain
 * memory, so it looks; the less often, the longer nothing was to be done.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "m5soft.h"

/* How much of one QP before the next one has its turn */
#define MAX_REQUESTS 64
#define MAX_BYTES (1 << 20)

enum progress { IDLE, WAITING, DONE };

/* The request at the head of the send queue, round its end if need be */
static u32 take_request(struct m5_device *dev, struct m5_qp *qp)
{
	u32 place = qp->sent & (qp->send_count - 1);
	u8 *queue = qp->queues.start + qp->send_offset;
	u32 to_end = (qp->send_count - place) * M5_BLOCK;
	struct m5_control *control = (struct m5_control *)dev->request;
	u32 size;

	smp_rmb(); /* it is there when the record says so */
	memcpy(control, queue + place * M5_BLOCK, sizeof(*control));
	size = be32_to_cpu(control->qpn_segments) & M5_MAX_SEGMENTS;
	size *= M5_SEGMENT;
	if (size <= sizeof(*control))
		return 1;
	/* Not the control segment once more: it may be another by now. */
	if (size <= to_end) {
		memcpy(control + 1, queue + place * M5_BLOCK + sizeof(*control),
		       size - sizeof(*control));
	} else {
		memcpy(control + 1, queue + place * M5_BLOCK + sizeof(*control),
		       to_end - sizeof(*control));
		/* A queue that is shorter than one request is a wrong one. */
		memcpy(dev->request + to_end, queue,
		       min(size - to_end, qp->send_count * M5_BLOCK));
	}
	return DIV_ROUND_UP(size, M5_BLOCK);
}

static enum progress run_sends(struct m5_device *dev, struct m5_qp *qp)
{
	struct m5_control *control = (struct m5_control *)dev->request;
	enum progress progress = IDLE;
	u32 requests = 0;
	u64 bytes = 0;

	while (m5_qp_has_send(qp) && requests++ < MAX_REQUESTS &&
	       bytes < MAX_BYTES) {
		u32 blocks = take_request(dev, qp), length = 0;
		struct m5_cqe cqe;
		int ret;

		ret = qp->state == IB_QPS_ERR ? M5_FLUSHED
					      : m5_execute(dev, qp, &length);
		if (ret == M5_LATER)
			return progress == DONE ? DONE : WAITING;
		progress = DONE;
		qp->waiting = false;
		bytes += dev->local.length;
		if (ret) {
			m5_cqe_error(qp, qp->ib.send_cq, M5_CQE_SEND_ERROR, ret,
				     qp->sent);
			qp->state = IB_QPS_ERR;
		} else if (control->flags & M5_FLAG_COMPLETION) {
			m5_cqe_init(&cqe, qp, be32_to_cpu(control->opcode),
				    qp->sent);
			cqe.length = cpu_to_be32(length);
			m5_cq_add(m5_cq(qp->ib.send_cq), &cqe, M5_CQE_SENT,
				  control->flags & M5_FLAG_SOLICITED);
		}
		qp->sent += blocks;
	}
	return progress;
}

static enum progress flush_receives(struct m5_device *dev, struct m5_qp *qp)
{
	enum progress progress = IDLE;
	u16 index;

	while (!qp->ib.srq &&
	       m5_qp_take(qp, dev->receive, sizeof(dev->receive), &index)) {
		m5_cqe_error(qp, qp->ib.recv_cq, M5_CQE_RECV_ERROR, M5_FLUSHED,
			     index);
		progress = DONE;
	}
	return progress;
}

static enum progress run_qp(struct m5_device *dev, struct m5_qp *qp)
{
	enum progress receives = IDLE, sends = IDLE;

	if (qp->state == IB_QPS_ERR)
		receives = flush_receives(dev, qp);
	if (qp->state == IB_QPS_ERR || qp->state == IB_QPS_RTS)
		sends = run_sends(dev, qp);
	/* Armed after the last completion came */
	if (qp->ib.send_cq)
		m5_cq_event(m5_cq(qp->ib.send_cq));
	if (qp->ib.recv_cq && qp->ib.recv_cq != qp->ib.send_cq)
		m5_cq_event(m5_cq(qp->ib.recv_cq));
	return max(receives, sends);
}

/* The lock is free between QPs, for verbs that wait for it. */
static enum progress run_all(struct m5_device *dev)
{
	enum progress progress = IDLE;
	unsigned long qpn = 0;
	struct m5_qp *qp;

	do {
		mutex_lock(&dev->lock);
		qp = xa_find(&dev->qps, &qpn, ULONG_MAX, XA_PRESENT);
		if (qp)
			progress = max(progress, run_qp(dev, qp));
		mutex_unlock(&dev->lock);
		qpn++;
	} while (qp);
	return progress;
}

static int run(void *arg)
{
	struct m5_device *dev = arg;
	ktime_t last = ktime_get();

	/* Programs that poll, one on each processor, must not starve it. */
	sched_set_fifo_low(current);
	while (!kthread_should_stop()) {
		s64 idle;

		if (xa_empty(&dev->qps)) {
			wait_event_interruptible(dev->wake,
						 !xa_empty(&dev->qps) ||
							 kthread_should_stop());
			last = ktime_get();
		}
		switch (run_all(dev)) {
		case DONE:
			last = ktime_get();
			cond_resched();
			continue;
		case WAITING:
			last = ktime_get();
			break;
		case IDLE:
			break;
		}
		idle = ktime_us_delta(ktime_get(), last);
		idle = clamp_t(s64, idle / 8, 50, 1000);
		usleep_range(idle, idle + 50);
	}
	return 0;
}

int m5_engine_start(struct m5_device *dev)
{
	init_waitqueue_head(&dev->wake);
	dev->engine = kthread_run(run, dev, "m5soft");
	return PTR_ERR_OR_ZERO(dev->engine);
}

void m5_engine_stop(struct m5_device *dev)
{
	kthread_stop(dev->engine);
}
