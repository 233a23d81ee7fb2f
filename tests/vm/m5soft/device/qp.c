// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs: RC, UC and UD.  The receive queue is at the start of their
 * memory, the send queue after it.
 */
#include <linux/log2.h>
#include <rdma/mlx5-abi.h>

#include "m5soft.h"

#define MAX_WQES 32768
#define MAX_RECV_SHIFT 9

static u16 record(struct m5_qp *qp, unsigned int which)
{
	return be32_to_cpu(READ_ONCE(((__be32 *)qp->doorbell.start)[which]));
}

bool m5_qp_has_send(struct m5_qp *qp)
{
	return qp->send_count && qp->sent != record(qp, M5_DB_SEND);
}

bool m5_qp_has_receive(struct m5_qp *qp)
{
	if (qp->ib.srq)
		return !m5_srq_empty(m5_srq(qp->ib.srq));
	return qp->recv_count && qp->received != record(qp, M5_DB_RECV);
}

u32 m5_qp_receive_pdn(struct m5_qp *qp)
{
	return qp->ib.srq ? m5_srq(qp->ib.srq)->pdn : qp->pdn;
}

u32 m5_qp_take(struct m5_qp *qp, u8 *to, u32 room, u16 *index)
{
	u32 size = 1U << qp->recv_shift, place;

	if (qp->ib.srq)
		return m5_srq_take(m5_srq(qp->ib.srq), to, room, index);
	if (!m5_qp_has_receive(qp))
		return 0;
	smp_rmb(); /* it is there when the record says so */
	place = qp->received & (qp->recv_count - 1);
	*index = qp->received++;
	size = min(size, room);
	memcpy(to, qp->queues.start + (place << qp->recv_shift), size);
	return size;
}

void m5_qp_fail(struct m5_qp *qp, enum ib_event_type type)
{
	struct ib_event event = {
		.device = qp->ib.device,
		.event = type,
		.element.qp = &qp->ib,
	};

	qp->state = IB_QPS_ERR;
	if (qp->ib.event_handler)
		qp->ib.event_handler(&event, qp->ib.qp_context);
}

/* What the firmware may say to objects of two user ids in one QP */
static bool uids_clash(struct m5_qp *qp, struct ib_qp_init_attr *init)
{
	return (init->send_cq && m5_cq(init->send_cq)->uid != qp->uid) ||
	       (init->recv_cq && m5_cq(init->recv_cq)->uid != qp->uid) ||
	       (init->srq && m5_srq(init->srq)->uid != qp->uid);
}

static int set_sizes(struct m5_qp *qp, struct mlx5_ib_create_qp *req,
		     struct ib_qp_init_attr *init)
{
	if (req->rq_wqe_count > MAX_WQES || req->sq_wqe_count > MAX_WQES ||
	    req->rq_wqe_shift > MAX_RECV_SHIFT || req->db_addr % M5_DB_LENGTH)
		return -EINVAL;
	if ((req->rq_wqe_count && !is_power_of_2(req->rq_wqe_count)) ||
	    (req->sq_wqe_count && !is_power_of_2(req->sq_wqe_count)))
		return -EINVAL;
	qp->recv_count = init->srq ? 0 : req->rq_wqe_count;
	qp->recv_shift = req->rq_wqe_shift;
	qp->send_count = req->sq_wqe_count;
	qp->send_offset = req->rq_wqe_count << req->rq_wqe_shift;
	return 0;
}

int m5_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *init,
		 struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct mlx5_ib_create_qp_resp resp = {};
	struct mlx5_ib_create_qp req = {};
	struct m5_qp *qp = m5_qp(ib);
	int ret;

	if (!udata)
		return -EOPNOTSUPP;
	if (init->qp_type != IB_QPT_RC && init->qp_type != IB_QPT_UC &&
	    init->qp_type != IB_QPT_UD)
		return -EOPNOTSUPP;
	ret = ib_copy_from_udata(&req, udata, min(udata->inlen, sizeof(req)));
	if (ret)
		return ret;
	if (req.flags & MLX5_QP_FLAG_SIGNATURE)
		return -EOPNOTSUPP;
	ret = set_sizes(qp, &req, init);
	if (ret)
		return ret;
	qp->user_index = req.uidx;
	qp->pdn = m5_pd(ib->pd)->pdn;
	qp->uid = m5_pd(ib->pd)->uid;
	if (uids_clash(qp, init)) {
		M5_HAPPENED(uid_clashes);
		if (m5_refuse_uid_clash)
			return -EINVAL;
	}
	ret = m5_pin_mapped(&qp->queues, ib->device, req.buf_addr,
			    max_t(u64, M5_BLOCK,
				  qp->send_offset + qp->send_count * M5_BLOCK));
	if (ret)
		return ret;
	ret = m5_pin_mapped(&qp->doorbell, ib->device, req.db_addr,
			    M5_DB_LENGTH);
	if (ret)
		goto unpin_queues;
	qp->state = IB_QPS_RESET;
	qp->cap = init->cap;
	qp->cap.max_recv_wr = qp->recv_count;
	qp->cap.max_send_wr = qp->send_count;
	resp.bfreg_index = req.bfreg_index;
	ret = ib_copy_to_udata(udata, &resp, min(udata->outlen, sizeof(resp)));
	if (ret)
		goto unpin_doorbell;
	/* From here on the engine sees it. */
	mutex_lock(&dev->lock);
	ret = xa_alloc_cyclic(&dev->qps, &ib->qp_num, qp,
			      XA_LIMIT(0x40, 0xfffff), &dev->next_qpn,
			      GFP_KERNEL);
	mutex_unlock(&dev->lock);
	if (ret < 0)
		goto unpin_doorbell;
	M5_HAPPENED(qps);
	return 0;
unpin_doorbell:
	m5_unpin(&qp->doorbell);
unpin_queues:
	m5_unpin(&qp->queues);
	return ret;
}

int m5_destroy_qp(struct ib_qp *ib, struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct m5_qp *qp = m5_qp(ib);

	mutex_lock(&dev->lock);
	xa_erase(&dev->qps, ib->qp_num);
	mutex_unlock(&dev->lock);
	m5_unpin(&qp->doorbell);
	m5_unpin(&qp->queues);
	M5_GONE(qps);
	return 0;
}

static void keep_attr(struct ib_qp_attr *to, struct ib_qp_attr *from, int mask)
{
#define KEEP(_bit, _field)                         \
	do {                                       \
		if (mask & IB_QP_##_bit)           \
			to->_field = from->_field; \
	} while (0)
	KEEP(ACCESS_FLAGS, qp_access_flags);
	KEEP(PKEY_INDEX, pkey_index);
	KEEP(PORT, port_num);
	KEEP(QKEY, qkey);
	KEEP(PATH_MTU, path_mtu);
	KEEP(TIMEOUT, timeout);
	KEEP(RETRY_CNT, retry_cnt);
	KEEP(RNR_RETRY, rnr_retry);
	KEEP(RQ_PSN, rq_psn);
	KEEP(SQ_PSN, sq_psn);
	KEEP(DEST_QPN, dest_qp_num);
	KEEP(MAX_QP_RD_ATOMIC, max_rd_atomic);
	KEEP(MAX_DEST_RD_ATOMIC, max_dest_rd_atomic);
	KEEP(MIN_RNR_TIMER, min_rnr_timer);
	if (mask & IB_QP_AV) {
		to->ah_attr = from->ah_attr;
		/* The core's reference, not the QP's */
		to->ah_attr.grh.sgid_attr = NULL;
	}
#undef KEEP
}

int m5_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
		 struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct m5_qp *qp = m5_qp(ib);
	enum ib_qp_state from, to;
	int ret = -EINVAL;

	if (mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;
	mutex_lock(&dev->lock);
	from = mask & IB_QP_CUR_STATE ? attr->cur_qp_state : qp->state;
	to = mask & IB_QP_STATE ? attr->qp_state : from;
	if (from == qp->state &&
	    ib_modify_qp_is_ok(from, to, ib->qp_type, mask)) {
		keep_attr(&qp->attr, attr, mask);
		if (to == IB_QPS_RESET)
			qp->sent = qp->received = 0;
		qp->waiting = false;
		qp->state = to;
		ret = 0;
	}
	mutex_unlock(&dev->lock);
	wake_up(&dev->wake);
	return ret;
}

int m5_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
		struct ib_qp_init_attr *init)
{
	struct m5_device *dev = m5_device(ib->device);
	struct m5_qp *qp = m5_qp(ib);

	mutex_lock(&dev->lock);
	*attr = qp->attr;
	attr->qp_state = attr->cur_qp_state = qp->state;
	mutex_unlock(&dev->lock);
	attr->cap = init->cap = qp->cap;
	init->qp_type = ib->qp_type;
	return 0;
}
