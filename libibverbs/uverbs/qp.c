// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Querying, changing and destroying queue pairs. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "uverbs/request.h"

/* No command but the extended MODIFY_QP knows these attributes. */
#define EXTENDED_ATTRS (~(uint32_t)(IBV_QP_RATE_LIMIT - 1))

static void fill_ah_attr(struct ibv_ah_attr *attr,
			 const struct ib_uverbs_qp_dest *dest)
{
	memcpy(attr->grh.dgid.raw, dest->dgid, sizeof(attr->grh.dgid.raw));
	attr->grh.flow_label = dest->flow_label;
	attr->grh.sgid_index = dest->sgid_index;
	attr->grh.hop_limit = dest->hop_limit;
	attr->grh.traffic_class = dest->traffic_class;
	attr->dlid = dest->dlid;
	attr->sl = dest->sl;
	attr->src_path_bits = dest->src_path_bits;
	attr->static_rate = dest->static_rate;
	attr->is_global = dest->is_global;
	attr->port_num = dest->port_num;
}

int ibv_cmd_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *qp_attr,
		     int attr_mask, struct ibv_qp_init_attr *qp_init_attr,
		     struct ibv_query_qp *cmd, size_t cmd_size)
{
	const struct ib_uverbs_query_qp core_in = {
		.qp_handle = qp->handle,
		.attr_mask = attr_mask,
	};
	struct driver_data driver = DRIVER_IN(cmd, cmd_size);
	struct ib_uverbs_query_qp_resp resp = { 0 };
	int ret;

	if (attr_mask & EXTENDED_ATTRS)
		return EOPNOTSUPP;

	ret = invoke_write(qp->context, IB_USER_VERBS_CMD_QUERY_QP, &core_in,
			   sizeof(core_in), &resp, sizeof(resp), &driver);
	if (ret)
		return ret;

	qp_attr->qkey = resp.qkey;
	qp_attr->rq_psn = resp.rq_psn;
	qp_attr->sq_psn = resp.sq_psn;
	qp_attr->dest_qp_num = resp.dest_qp_num;
	qp_attr->qp_access_flags = resp.qp_access_flags;
	qp_attr->pkey_index = resp.pkey_index;
	qp_attr->alt_pkey_index = resp.alt_pkey_index;
	qp_attr->qp_state = resp.qp_state;
	qp_attr->cur_qp_state = resp.cur_qp_state;
	qp_attr->path_mtu = resp.path_mtu;
	qp_attr->path_mig_state = resp.path_mig_state;
	qp_attr->sq_draining = resp.sq_draining;
	qp_attr->max_rd_atomic = resp.max_rd_atomic;
	qp_attr->max_dest_rd_atomic = resp.max_dest_rd_atomic;
	qp_attr->min_rnr_timer = resp.min_rnr_timer;
	qp_attr->port_num = resp.port_num;
	qp_attr->timeout = resp.timeout;
	qp_attr->retry_cnt = resp.retry_cnt;
	qp_attr->rnr_retry = resp.rnr_retry;
	qp_attr->alt_port_num = resp.alt_port_num;
	qp_attr->alt_timeout = resp.alt_timeout;
	qp_attr->cap.max_send_wr = resp.max_send_wr;
	qp_attr->cap.max_recv_wr = resp.max_recv_wr;
	qp_attr->cap.max_send_sge = resp.max_send_sge;
	qp_attr->cap.max_recv_sge = resp.max_recv_sge;
	qp_attr->cap.max_inline_data = resp.max_inline_data;
	fill_ah_attr(&qp_attr->ah_attr, &resp.dest);
	fill_ah_attr(&qp_attr->alt_ah_attr, &resp.alt_dest);

	qp_init_attr->qp_context = qp->qp_context;
	qp_init_attr->send_cq = qp->send_cq;
	qp_init_attr->recv_cq = qp->recv_cq;
	qp_init_attr->srq = qp->srq;
	qp_init_attr->qp_type = qp->qp_type;
	qp_init_attr->cap = qp_attr->cap;
	qp_init_attr->sq_sig_all = resp.sq_sig_all;
	return 0;
}

static void fill_dest(struct ib_uverbs_qp_dest *dest,
		      const struct ibv_ah_attr *attr)
{
	memcpy(dest->dgid, attr->grh.dgid.raw, sizeof(dest->dgid));
	dest->flow_label = attr->grh.flow_label;
	dest->dlid = attr->dlid;
	dest->reserved = 0;
	dest->sgid_index = attr->grh.sgid_index;
	dest->hop_limit = attr->grh.hop_limit;
	dest->traffic_class = attr->grh.traffic_class;
	dest->sl = attr->sl;
	dest->src_path_bits = attr->src_path_bits;
	dest->static_rate = attr->static_rate;
	dest->is_global = attr->is_global;
	dest->port_num = attr->port_num;
}

/*
 * Only what the mask selects is written: the rest of the request goes out as
 * the provider's buffer has it.
 */
static void fill_modify(struct ib_uverbs_modify_qp *rq, const struct ibv_qp *qp,
			const struct ibv_qp_attr *attr, uint32_t mask)
{
	rq->qp_handle = qp->handle;
	rq->attr_mask = mask;

	if (mask & IBV_QP_STATE)
		rq->qp_state = attr->qp_state;
	if (mask & IBV_QP_CUR_STATE)
		rq->cur_qp_state = attr->cur_qp_state;
	if (mask & IBV_QP_EN_SQD_ASYNC_NOTIFY)
		rq->en_sqd_async_notify = attr->en_sqd_async_notify;
	if (mask & IBV_QP_ACCESS_FLAGS)
		rq->qp_access_flags = attr->qp_access_flags;
	if (mask & IBV_QP_PKEY_INDEX)
		rq->pkey_index = attr->pkey_index;
	if (mask & IBV_QP_PORT)
		rq->port_num = attr->port_num;
	if (mask & IBV_QP_QKEY)
		rq->qkey = attr->qkey;
	if (mask & IBV_QP_AV)
		fill_dest(&rq->dest, &attr->ah_attr);
	if (mask & IBV_QP_PATH_MTU)
		rq->path_mtu = attr->path_mtu;
	if (mask & IBV_QP_TIMEOUT)
		rq->timeout = attr->timeout;
	if (mask & IBV_QP_RETRY_CNT)
		rq->retry_cnt = attr->retry_cnt;
	if (mask & IBV_QP_RNR_RETRY)
		rq->rnr_retry = attr->rnr_retry;
	if (mask & IBV_QP_RQ_PSN)
		rq->rq_psn = attr->rq_psn;
	if (mask & IBV_QP_MAX_QP_RD_ATOMIC)
		rq->max_rd_atomic = attr->max_rd_atomic;
	if (mask & IBV_QP_ALT_PATH) {
		rq->alt_pkey_index = attr->alt_pkey_index;
		rq->alt_port_num = attr->alt_port_num;
		rq->alt_timeout = attr->alt_timeout;
		fill_dest(&rq->alt_dest, &attr->alt_ah_attr);
	}
	if (mask & IBV_QP_MIN_RNR_TIMER)
		rq->min_rnr_timer = attr->min_rnr_timer;
	if (mask & IBV_QP_SQ_PSN)
		rq->sq_psn = attr->sq_psn;
	if (mask & IBV_QP_MAX_DEST_RD_ATOMIC)
		rq->max_dest_rd_atomic = attr->max_dest_rd_atomic;
	if (mask & IBV_QP_PATH_MIG_STATE)
		rq->path_mig_state = attr->path_mig_state;
	if (mask & IBV_QP_DEST_QPN)
		rq->dest_qp_num = attr->dest_qp_num;

	rq->reserved[0] = 0;
	rq->reserved[1] = 0;
}

int ibv_cmd_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr,
		      int attr_mask, struct ibv_modify_qp *cmd, size_t cmd_size)
{
	struct driver_data driver = DRIVER_IN(cmd, cmd_size);

	if (attr_mask & EXTENDED_ATTRS)
		return EOPNOTSUPP;

	fill_modify(&cmd->core_payload, qp, attr, attr_mask);
	return invoke_write(qp->context, IB_USER_VERBS_CMD_MODIFY_QP,
			    &cmd->core_payload, sizeof(cmd->core_payload), NULL,
			    0, &driver);
}

int ibv_cmd_modify_qp_ex(struct ibv_qp *qp, struct ibv_qp_attr *attr,
			 int attr_mask, struct ibv_modify_qp_ex *cmd,
			 size_t cmd_size,
			 struct ib_uverbs_ex_modify_qp_resp *resp,
			 size_t resp_size)
{
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	struct ib_uverbs_ex_modify_qp_resp core = { 0 };
	size_t core_len = sizeof(cmd->core_payload);
	int ret;

	/* A provider may end its buffer before what came last. */
	if (cmd_size <
	    offset_after(struct ibv_modify_qp_ex, core_payload.rate_limit)) {
		if (attr_mask & IBV_QP_RATE_LIMIT)
			return EINVAL;
		core_len = sizeof(cmd->core_payload.base);
	} else {
		if (attr_mask & IBV_QP_RATE_LIMIT)
			cmd->core_payload.rate_limit = attr->rate_limit;
		if (cmd_size >= sizeof(*cmd))
			cmd->core_payload.reserved = 0;
		else
			core_len = offset_after(struct ib_uverbs_ex_modify_qp,
						rate_limit);
	}
	if (attr_mask & (EXTENDED_ATTRS & ~IBV_QP_RATE_LIMIT))
		return EOPNOTSUPP;

	fill_modify(&cmd->core_payload.base, qp, attr, attr_mask);
	ret = invoke_write(qp->context,
			   IB_USER_VERBS_EX_CMD_MODIFY_QP |
				   IB_USER_VERBS_CMD_FLAG_EXTENDED,
			   &cmd->core_payload, core_len, &core, sizeof(core),
			   &driver);
	if (!ret)
		give_core_reply(&driver, &core, sizeof(core));
	return ret;
}

int ibv_cmd_destroy_qp(struct ibv_qp *qp)
{
	const struct ib_uverbs_destroy_qp core_in = { .qp_handle = qp->handle };
	struct ib_uverbs_destroy_qp_resp resp = { 0 };
	struct request rq;
	int ret;

	request_init(&rq, qp->context, UVERBS_OBJECT_QP,
		     UVERBS_METHOD_QP_DESTROY);
	request_out(&rq, UVERBS_ATTR_DESTROY_QP_RESP, &resp, sizeof(resp));
	request_handle(&rq, UVERBS_ATTR_DESTROY_QP_HANDLE, qp->handle);
	ret = request_run_native(&rq, OP(destroy_qp), true);
	if (ret == FALL_BACK)
		ret = invoke_write(qp->context, IB_USER_VERBS_CMD_DESTROY_QP,
				   &core_in, sizeof(core_in), &resp,
				   sizeof(resp), NULL);
	if (ret)
		return destroy_result(ret);
	wait_acked(&qp->mutex, &qp->cond, &qp->events_completed,
		   resp.events_reported);
	return 0;
}
