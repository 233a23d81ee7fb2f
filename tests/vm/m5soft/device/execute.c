// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * One work request: what it moves, what it answers to whoever asks without
 * right, what the peer's receive queue gets.
 */
#include <linux/atomic.h>
#include <linux/jiffies.h>

#include "m5soft.h"

/* deliver(): nothing is posted there */
#define NO_RECEIVE 1000

#define GRH_LENGTH 40

/* A work request, and where in it we are */
struct request {
	struct m5_device *dev;
	struct m5_qp *qp, *peer;
	struct m5_control *control;
	u8 *at, *end;
	u8 opcode;
	u64 addr; /* at the peer */
	u32 rkey;
};

void m5_cqe_init(struct m5_cqe *cqe, struct m5_qp *qp, u8 opcode, u16 index)
{
	memset(cqe, 0, sizeof(*cqe));
	cqe->user_index = cpu_to_be32(qp->user_index);
	cqe->opcode_qpn = cpu_to_be32((u32)opcode << 24 | qp->ib.qp_num);
	cqe->index = cpu_to_be16(index);
}

void m5_cqe_error(struct m5_qp *qp, struct ib_cq *cq, enum m5_cqe_opcode opcode,
		  enum m5_syndrome syndrome, u16 index)
{
	struct m5_cqe cqe;

	m5_cqe_init(&cqe, qp, 0, index);
	cqe.syndrome = syndrome;
	m5_cq_add(m5_cq(cq), &cqe, opcode, true);
}

static bool is_up(struct m5_qp *qp)
{
	return qp->state == IB_QPS_RTR || qp->state == IB_QPS_RTS ||
	       qp->state == IB_QPS_SQD || qp->state == IB_QPS_SQE;
}

/* Not now; when it has not come to be by then: that syndrome.  0 ms: never. */
static int wait_for_peer(struct m5_qp *qp, u32 ms, enum m5_syndrome syndrome)
{
	if (!qp->waiting) {
		qp->waiting = true;
		qp->give_up = jiffies + msecs_to_jiffies(ms);
	}
	if (!ms || time_before(jiffies, qp->give_up))
		return M5_LATER;
	return syndrome;
}

static u32 timeout_ms(struct m5_qp *qp)
{
	u64 each = (4096ULL << qp->attr.timeout) / NSEC_PER_MSEC;

	if (!qp->attr.timeout)
		return 0;
	return (qp->attr.retry_cnt + 1) * max_t(u32, 50, each);
}

static u32 rnr_ms(struct m5_qp *qp)
{
	/* 7 is "for ever" */
	return qp->attr.rnr_retry == 7 ? 0 : 100 * (qp->attr.rnr_retry + 1);
}

/* From the sender's memory, or its request itself, to be read */
static bool gather(struct request *req)
{
	return m5_add_segments(req->dev, &req->dev->local, req->at, req->end,
			       req->qp->pdn, 0);
}

/* To the sender's memory */
static bool scatter(struct request *req)
{
	return m5_add_segments(req->dev, &req->dev->local, req->at, req->end,
			       req->qp->pdn, IB_ACCESS_LOCAL_WRITE);
}

static bool take_remote(struct request *req)
{
	struct m5_remote *remote = (struct m5_remote *)req->at;

	if (req->end - req->at < sizeof(*remote))
		return false;
	req->addr = be64_to_cpu(remote->addr);
	req->rkey = be32_to_cpu(remote->rkey);
	req->at += sizeof(*remote);
	return true;
}

/* The peer's memory, if the peer's QP and MR both allow it */
static struct m5_mr *remote_mr(struct request *req, u64 length, int access)
{
	if (!(req->peer->attr.qp_access_flags & access))
		return NULL;
	return m5_mr_find(req->dev, req->rkey, req->peer->pdn, req->addr,
			  length, access);
}

static int no_access(struct request *req)
{
	m5_qp_fail(req->peer, IB_EVENT_QP_ACCESS_ERR);
	return M5_REMOTE_ACCESS;
}

static void fail_receive(struct m5_qp *qp, enum m5_syndrome syndrome, u16 index)
{
	m5_cqe_error(qp, qp->ib.recv_cq, M5_CQE_RECV_ERROR, syndrome, index);
	m5_qp_fail(qp, IB_EVENT_QP_FATAL);
}

/*
 * Take a receive of the peer; put there, after `skip` bytes, what is in
 * dev->local, unless the opcode says that it is elsewhere already.
 */
static int deliver(struct request *req, enum m5_cqe_opcode opcode, u32 skip)
{
	struct m5_device *dev = req->dev;
	struct m5_pieces *to = &dev->received;
	struct m5_qp *peer = req->peer;
	struct m5_cqe cqe;
	u16 index = 0;
	u32 size;

	size = m5_qp_take(peer, dev->receive, sizeof(dev->receive), &index);
	if (!size)
		return NO_RECEIVE;
	if (opcode != M5_CQE_GOT_WRITE_IMM) {
		m5_pieces_init(to);
		if (!m5_add_segments(dev, to, dev->receive, dev->receive + size,
				     m5_qp_receive_pdn(peer),
				     IB_ACCESS_LOCAL_WRITE)) {
			fail_receive(peer, M5_LOCAL_PROTECTION, index);
			return M5_REMOTE_OP;
		}
		if (to->length < skip + dev->local.length) {
			fail_receive(peer, M5_LOCAL_LENGTH, index);
			return M5_REMOTE_INVALID;
		}
		m5_copy(to, skip, &dev->local, dev->local.length);
	}
	m5_cqe_init(&cqe, peer, 0, index);
	if (peer->ib.qp_type == IB_QPT_UD)
		cqe.flags_qpn = cpu_to_be32(M5_CQE_GRH | req->qp->ib.qp_num);
	cqe.immediate = req->control->immediate;
	cqe.length = cpu_to_be32(skip + dev->local.length);
	m5_cq_add(m5_cq(peer->ib.recv_cq), &cqe, opcode,
		  req->control->flags & M5_FLAG_SOLICITED);
	return 0;
}

static int send(struct request *req)
{
	if (!gather(req))
		return M5_LOCAL_PROTECTION;
	switch (req->opcode) {
	case M5_OP_SEND_IMM:
		return deliver(req, M5_CQE_GOT_SEND_IMM, 0);
	case M5_OP_SEND_INV:
		return deliver(req, M5_CQE_GOT_SEND_INV, 0);
	default:
		return deliver(req, M5_CQE_GOT_SEND, 0);
	}
}

static int write(struct request *req)
{
	struct m5_device *dev = req->dev;
	struct m5_mr *mr;

	if (!take_remote(req))
		return M5_LOCAL_QP_OP;
	if (!gather(req))
		return M5_LOCAL_PROTECTION;
	if (dev->local.length) {
		mr = remote_mr(req, dev->local.length, IB_ACCESS_REMOTE_WRITE);
		if (!mr)
			return no_access(req);
		m5_add_memory(&dev->remote, mr, req->addr, dev->local.length);
	}
	if (req->opcode == M5_OP_WRITE_IMM && !m5_qp_has_receive(req->peer))
		return NO_RECEIVE;
	m5_copy(&dev->remote, 0, &dev->local, dev->local.length);
	if (req->opcode == M5_OP_WRITE_IMM)
		return deliver(req, M5_CQE_GOT_WRITE_IMM, 0);
	return 0;
}

static int read(struct request *req, u32 *length)
{
	struct m5_device *dev = req->dev;
	struct m5_mr *mr;

	if (!take_remote(req))
		return M5_LOCAL_QP_OP;
	if (!scatter(req))
		return M5_LOCAL_PROTECTION;
	*length = dev->local.length;
	if (!dev->local.length)
		return 0;
	mr = remote_mr(req, dev->local.length, IB_ACCESS_REMOTE_READ);
	if (!mr)
		return no_access(req);
	m5_add_memory(&dev->remote, mr, req->addr, dev->local.length);
	m5_copy(&dev->local, 0, &dev->remote, dev->local.length);
	return 0;
}

static int atomic(struct request *req, u32 *length)
{
	struct m5_device *dev = req->dev;
	u64 *word, before, swap_add, compare;
	u32 whole = sizeof(*word);
	struct m5_atomic *operands;
	struct m5_mr *mr;

	if (!take_remote(req) || req->end - req->at < sizeof(*operands))
		return M5_LOCAL_QP_OP;
	operands = (struct m5_atomic *)req->at;
	swap_add = be64_to_cpu(operands->swap_add);
	compare = be64_to_cpu(operands->compare);
	req->at += sizeof(*operands);
	if (!scatter(req))
		return M5_LOCAL_PROTECTION;
	if (dev->local.length != sizeof(*word))
		return M5_LOCAL_LENGTH;
	mr = remote_mr(req, sizeof(*word), IB_ACCESS_REMOTE_ATOMIC);
	if (!mr)
		return no_access(req);
	word = m5_mr_pointer(mr, req->addr, &whole);
	if (!IS_ALIGNED((unsigned long)word, sizeof(*word)))
		return M5_REMOTE_INVALID;
	if (req->opcode == M5_OP_FETCH_ADD)
		before = atomic64_fetch_add(swap_add, (atomic64_t *)word);
	else
		before = cmpxchg(word, compare, swap_add);
	m5_add_kernel(&dev->remote, &before, sizeof(before));
	m5_copy(&dev->local, 0, &dev->remote, sizeof(before));
	*length = sizeof(before);
	return 0;
}

/* A datagram that nobody takes is lost, as on a wire. */
static int datagram(struct request *req)
{
	struct m5_datagram *to = (struct m5_datagram *)req->at;
	u32 qkey;
	int ret;

	if ((req->opcode != M5_OP_SEND && req->opcode != M5_OP_SEND_IMM) ||
	    req->end - req->at < sizeof(*to))
		return M5_LOCAL_QP_OP;
	req->at += sizeof(*to);
	if (!gather(req))
		return M5_LOCAL_PROTECTION;
	qkey = be32_to_cpu(to->qkey);
	if (qkey & M5_QKEY_OF_QP)
		qkey = req->qp->attr.qkey;
	req->peer = xa_load(&req->dev->qps, be32_to_cpu(to->qpn) & 0xffffff);
	if (!req->peer || req->peer->ib.qp_type != IB_QPT_UD ||
	    !is_up(req->peer) || req->peer->attr.qkey != qkey)
		return 0;
	ret = deliver(req,
		      req->opcode == M5_OP_SEND_IMM ? M5_CQE_GOT_SEND_IMM
						    : M5_CQE_GOT_SEND,
		      GRH_LENGTH);
	WARN_ON_ONCE(ret == M5_LATER);
	return 0;
}

static int connected(struct request *req, u32 *length)
{
	switch (req->opcode) {
	case M5_OP_SEND:
	case M5_OP_SEND_IMM:
	case M5_OP_SEND_INV:
		return send(req);
	case M5_OP_WRITE:
	case M5_OP_WRITE_IMM:
		return write(req);
	case M5_OP_READ:
		if (req->qp->ib.qp_type != IB_QPT_RC)
			return M5_LOCAL_QP_OP;
		return read(req, length);
	case M5_OP_COMPARE_SWAP:
	case M5_OP_FETCH_ADD:
		if (req->qp->ib.qp_type != IB_QPT_RC)
			return M5_LOCAL_QP_OP;
		return atomic(req, length);
	default:
		return M5_LOCAL_QP_OP;
	}
}

static bool is_local(int syndrome)
{
	return syndrome > 0 && syndrome < M5_REMOTE_INVALID;
}

int m5_execute(struct m5_device *dev, struct m5_qp *qp, u32 *length)
{
	struct m5_control *control = (struct m5_control *)dev->request;
	u32 segments = be32_to_cpu(control->qpn_segments) & M5_MAX_SEGMENTS;
	struct request req = {
		.dev = dev,
		.qp = qp,
		.control = control,
		.at = dev->request + sizeof(*control),
		.end = dev->request + segments * M5_SEGMENT,
		.opcode = be32_to_cpu(control->opcode),
	};
	bool reliable = qp->ib.qp_type == IB_QPT_RC;
	int ret;

	if (!segments ||
	    be32_to_cpu(control->qpn_segments) >> 8 != qp->ib.qp_num)
		return M5_LOCAL_QP_OP;
	m5_pieces_init(&dev->local);
	m5_pieces_init(&dev->remote);
	if (req.opcode == M5_OP_NOP)
		return 0;
	if (qp->ib.qp_type == IB_QPT_UD)
		return datagram(&req);
	req.peer = xa_load(&dev->qps, qp->attr.dest_qp_num);
	if (!req.peer || req.peer->ib.qp_type != qp->ib.qp_type ||
	    req.peer->attr.dest_qp_num != qp->ib.qp_num || !is_up(req.peer)) {
		if (!reliable)
			return 0;
		return wait_for_peer(qp, timeout_ms(qp), M5_NO_ANSWER);
	}
	ret = connected(&req, length);
	if (!reliable)
		return is_local(ret) ? ret : 0;
	if (ret == NO_RECEIVE)
		return wait_for_peer(qp, rnr_ms(qp), M5_NOT_READY);
	return ret;
}
