// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Making and opening queue pairs. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "uverbs/request.h"

enum {
	CREATE_EX_MASK = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD |
			 IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
	CREATE_EX2_MASK = CREATE_EX_MASK | IBV_QP_INIT_ATTR_CREATE_FLAGS |
			  IBV_QP_INIT_ATTR_MAX_TSO_HEADER |
			  IBV_QP_INIT_ATTR_IND_TABLE | IBV_QP_INIT_ATTR_RX_HASH,
	CREATE_FLAGS =
		IBV_QP_CREATE_BLOCK_SELF_MCAST_LB | IBV_QP_CREATE_SCATTER_FCS |
		IBV_QP_CREATE_CVLAN_STRIPPING | IBV_QP_CREATE_SOURCE_QPN |
		IBV_QP_CREATE_PCI_WRITE_END_PADDING,
};

/* The public flags are the kernel's, in both forms of the command. */
_Static_assert(
	(int)IBV_QP_CREATE_BLOCK_SELF_MCAST_LB ==
			(int)IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK &&
		(int)IBV_QP_CREATE_SCATTER_FCS ==
			(int)IB_UVERBS_QP_CREATE_SCATTER_FCS &&
		(int)IBV_QP_CREATE_CVLAN_STRIPPING ==
			(int)IB_UVERBS_QP_CREATE_CVLAN_STRIPPING &&
		(int)IBV_QP_CREATE_PCI_WRITE_END_PADDING ==
			(int)IB_UVERBS_QP_CREATE_PCI_WRITE_END_PADDING,
	"create flags");

/* The same struct by another name; cap goes to the kernel as it is. */
_Static_assert(sizeof(struct ibv_qp_cap) == sizeof(struct ib_uverbs_qp_cap),
	       "QP capacities");

/* The attributes, less what does not count for this QP */
struct qp_params {
	struct ibv_qp_init_attr_ex *attr;
	struct ibv_pd *pd;
	struct verbs_xrcd *xrcd;
	struct ibv_cq *send_cq;
	struct ibv_cq *recv_cq;
	struct ibv_srq *srq;
	struct ibv_rwq_ind_table *ind_table;
	uint32_t create_flags;
	uint32_t source_qpn;
	bool need_extended;
};

static int check_qp_attr(struct qp_params *params, uint32_t known_mask)
{
	struct ibv_qp_init_attr_ex *attr = params->attr;
	uint32_t mask = attr->comp_mask;

	if (mask & ~known_mask)
		return EINVAL;

	params->need_extended = mask & (IBV_QP_INIT_ATTR_CREATE_FLAGS |
					IBV_QP_INIT_ATTR_IND_TABLE);
	if (mask & IBV_QP_INIT_ATTR_CREATE_FLAGS) {
		if (attr->create_flags & ~CREATE_FLAGS)
			return EINVAL;
		params->create_flags = attr->create_flags;
		if (attr->create_flags & IBV_QP_CREATE_SOURCE_QPN)
			params->source_qpn = attr->source_qpn;
	}

	switch (attr->qp_type) {
	case IBV_QPT_XRC_RECV:
		if (!(mask & IBV_QP_INIT_ATTR_XRCD) || !attr->xrcd)
			return EINVAL;
		params->xrcd = (struct verbs_xrcd *)attr->xrcd;
		return 0;
	case IBV_QPT_RC:
	case IBV_QPT_UC:
	case IBV_QPT_UD:
	case IBV_QPT_RAW_PACKET:
	case IBV_QPT_XRC_SEND:
	case IBV_QPT_DRIVER:
		break;
	default:
		return EINVAL;
	}
	if (!(mask & IBV_QP_INIT_ATTR_PD) || !attr->pd)
		return EINVAL;
	params->pd = attr->pd;

	if (mask & IBV_QP_INIT_ATTR_IND_TABLE) {
		/* What is received goes to the table's work queues. */
		if (attr->recv_cq || attr->srq || attr->cap.max_recv_wr ||
		    attr->cap.max_recv_sge)
			return EINVAL;
		params->ind_table = attr->rwq_ind_tbl;
		if (attr->cap.max_send_wr)
			params->send_cq = attr->send_cq;
		return 0;
	}

	params->send_cq = attr->send_cq;
	if (attr->qp_type == IBV_QPT_XRC_SEND) {
		attr->cap.max_recv_wr = 0;
		attr->cap.max_recv_sge = 0;
		return 0;
	}
	params->recv_cq = attr->recv_cq;
	params->srq = attr->srq;
	return 0;
}

static int create_native(struct ibv_qp *qp, const struct qp_params *params,
			 const struct driver_data *driver,
			 struct ib_uverbs_create_qp_resp *core)
{
	struct ibv_context *context = qp->context;
	const struct ibv_qp_cap *cap = &params->attr->cap;
	uint32_t flags = params->create_flags & ~IBV_QP_CREATE_SOURCE_QPN;
	struct ib_uverbs_qp_cap granted = { 0 };
	struct ib_uverbs_attr *made;
	uint32_t qp_num = 0;
	struct request rq;
	int ret;

	if (params->attr->sq_sig_all)
		flags |= IB_UVERBS_QP_CREATE_SQ_SIG_ALL;

	request_init(&rq, context, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE);
	if (params->xrcd)
		request_handle(&rq, UVERBS_ATTR_CREATE_QP_XRCD_HANDLE,
			       params->xrcd->handle);
	else
		request_handle(&rq, UVERBS_ATTR_CREATE_QP_PD_HANDLE,
			       params->pd->handle);
	if (params->send_cq)
		request_handle(&rq, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE,
			       params->send_cq->handle);
	if (params->recv_cq)
		request_handle(&rq, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE,
			       params->recv_cq->handle);
	if (params->ind_table)
		request_handle(&rq, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE,
			       params->ind_table->ind_tbl_handle);
	made = request_new(&rq, UVERBS_ATTR_CREATE_QP_HANDLE);
	request_u64(&rq, UVERBS_ATTR_CREATE_QP_TYPE, params->attr->qp_type);
	request_u64(&rq, UVERBS_ATTR_CREATE_QP_USER_HANDLE, (uintptr_t)qp);
	request_in(&rq, UVERBS_ATTR_CREATE_QP_CAP, cap, sizeof(*cap));
	request_fd(&rq, UVERBS_ATTR_CREATE_QP_EVENT_FD, context->async_fd);
	if (params->create_flags & IBV_QP_CREATE_SOURCE_QPN)
		request_u32(&rq, UVERBS_ATTR_CREATE_QP_SOURCE_QPN,
			    params->source_qpn);
	if (flags)
		request_u32(&rq, UVERBS_ATTR_CREATE_QP_FLAGS, flags);
	if (params->srq)
		request_handle(&rq, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE,
			       params->srq->handle);
	request_out(&rq, UVERBS_ATTR_CREATE_QP_RESP_CAP, &granted,
		    sizeof(granted));
	request_out(&rq, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &qp_num,
		    sizeof(qp_num));
	request_driver(&rq, driver);

	ret = request_run_native(&rq, OP(create_qp),
				 !get_priv(context)->imported);
	if (ret)
		return ret;
	core->qp_handle = made->data;
	core->qpn = qp_num;
	core->max_send_wr = granted.max_send_wr;
	core->max_recv_wr = granted.max_recv_wr;
	core->max_send_sge = granted.max_send_sge;
	core->max_recv_sge = granted.max_recv_sge;
	core->max_inline_data = granted.max_inline_data;
	return 0;
}

/*
 * The members that the older forms of the command have in common stand in
 * both requests, under the same names.
 */
#define COMMON_REQUEST(_qp, _params)                                           \
	.user_handle = (uintptr_t)(_qp),                                       \
	.pd_handle = (_params)->xrcd ? (_params)->xrcd->handle                 \
				     : (_params)->pd->handle,                  \
	.send_cq_handle = (_params)->send_cq ? (_params)->send_cq->handle : 0, \
	.recv_cq_handle = (_params)->recv_cq ? (_params)->recv_cq->handle : 0, \
	.srq_handle = (_params)->srq ? (_params)->srq->handle : 0,             \
	.max_send_wr = (_params)->attr->cap.max_send_wr,                       \
	.max_recv_wr = (_params)->attr->cap.max_recv_wr,                       \
	.max_send_sge = (_params)->attr->cap.max_send_sge,                     \
	.max_recv_sge = (_params)->attr->cap.max_recv_sge,                     \
	.max_inline_data = (_params)->attr->cap.max_inline_data,               \
	.sq_sig_all = !!(_params)->attr->sq_sig_all,                           \
	.qp_type = (_params)->attr->qp_type, .is_srq = !!(_params)->srq

static int create_plain(struct ibv_qp *qp, const struct qp_params *params,
			const struct driver_data *driver,
			struct ib_uverbs_create_qp_resp *core)
{
	const struct ib_uverbs_create_qp core_in = {
		COMMON_REQUEST(qp, params),
	};
	int ret =
		invoke_write(qp->context, IB_USER_VERBS_CMD_CREATE_QP, &core_in,
			     sizeof(core_in), core, sizeof(*core), driver);

	if (!ret)
		give_core_reply(driver, core, sizeof(*core));
	return ret;
}

static int create_extended(struct ibv_qp *qp, const struct qp_params *params,
			   const struct driver_data *driver,
			   struct ib_uverbs_create_qp_resp *core)
{
	const struct ib_uverbs_ex_create_qp core_in = {
		COMMON_REQUEST(qp, params),
		.comp_mask = params->ind_table
				     ? IB_UVERBS_CREATE_QP_MASK_IND_TABLE
				     : 0,
		.create_flags = params->create_flags,
		.rwq_ind_tbl_handle =
			params->ind_table ? params->ind_table->ind_tbl_handle
					  : 0,
		.source_qpn = params->source_qpn,
	};
	struct ib_uverbs_ex_create_qp_resp core_ex = { 0 };
	int ret = invoke_write(qp->context,
			       IB_USER_VERBS_EX_CMD_CREATE_QP |
				       IB_USER_VERBS_CMD_FLAG_EXTENDED,
			       &core_in, sizeof(core_in), &core_ex,
			       sizeof(core_ex), driver);

	if (ret)
		return ret;
	give_core_reply(driver, &core_ex, sizeof(core_ex));
	*core = core_ex.base;
	return 0;
}

static int create_qp(struct ibv_context *context, struct ibv_qp *qp,
		     struct ibv_qp_init_attr_ex *attr, uint32_t known_mask,
		     const struct driver_data *driver)
{
	struct qp_params params = { .attr = attr };
	struct ib_uverbs_create_qp_resp core = { 0 };
	int ret = check_qp_attr(&params, known_mask);

	if (ret) {
		errno = ret;
		return ret;
	}

	qp->context = context;
	ret = create_native(qp, &params, driver, &core);
	if (ret == FALL_BACK) {
		if (params.need_extended)
			ret = create_extended(qp, &params, driver, &core);
		else
			ret = create_plain(qp, &params, driver, &core);
	}
	if (ret)
		return ret;

	attr->cap.max_send_wr = core.max_send_wr;
	attr->cap.max_recv_wr = core.max_recv_wr;
	attr->cap.max_send_sge = core.max_send_sge;
	attr->cap.max_recv_sge = core.max_recv_sge;
	attr->cap.max_inline_data = core.max_inline_data;

	qp->handle = core.qp_handle;
	qp->qp_num = core.qpn;
	qp->qp_context = attr->qp_context;
	qp->pd = params.pd;
	qp->send_cq = params.send_cq;
	qp->recv_cq = params.recv_cq;
	qp->srq = params.srq;
	qp->qp_type = attr->qp_type;
	qp->state = IBV_QPS_RESET;
	qp->events_completed = 0;
	pthread_mutex_init(&qp->mutex, NULL);
	pthread_cond_init(&qp->cond, NULL);
	return 0;
}

static void fill_verbs_qp(struct verbs_qp *qp,
			  const struct ibv_qp_init_attr_ex *attr)
{
	qp->comp_mask = 0;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_XRCD) {
		qp->comp_mask = VERBS_QP_XRCD;
		qp->xrcd = (struct verbs_xrcd *)attr->xrcd;
	}
}

int ibv_cmd_create_qp(struct ibv_pd *pd, struct ibv_qp *qp,
		      struct ibv_qp_init_attr *attr, struct ibv_create_qp *cmd,
		      size_t cmd_size, struct ib_uverbs_create_qp_resp *resp,
		      size_t resp_size)
{
	struct ibv_qp_init_attr_ex attr_ex = {
		.qp_context = attr->qp_context,
		.send_cq = attr->send_cq,
		.recv_cq = attr->recv_cq,
		.srq = attr->srq,
		.cap = attr->cap,
		.qp_type = attr->qp_type,
		.sq_sig_all = attr->sq_sig_all,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	int ret = create_qp(pd->context, qp, &attr_ex, IBV_QP_INIT_ATTR_PD,
			    &driver);

	if (!ret)
		attr->cap = attr_ex.cap;
	return ret;
}

int ibv_cmd_create_qp_ex(struct ibv_context *context, struct verbs_qp *qp,
			 struct ibv_qp_init_attr_ex *attr_ex,
			 struct ibv_create_qp *cmd, size_t cmd_size,
			 struct ib_uverbs_create_qp_resp *resp,
			 size_t resp_size)
{
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	int ret = create_qp(context, &qp->qp, attr_ex, CREATE_EX_MASK, &driver);

	if (!ret)
		fill_verbs_qp(qp, attr_ex);
	return ret;
}

int ibv_cmd_create_qp_ex2(struct ibv_context *context, struct verbs_qp *qp,
			  struct ibv_qp_init_attr_ex *qp_attr,
			  struct ibv_create_qp_ex *cmd, size_t cmd_size,
			  struct ib_uverbs_ex_create_qp_resp *resp,
			  size_t resp_size)
{
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	int ret =
		create_qp(context, &qp->qp, qp_attr, CREATE_EX2_MASK, &driver);

	if (!ret)
		fill_verbs_qp(qp, qp_attr);
	return ret;
}

int ibv_cmd_open_qp(struct ibv_context *context, struct verbs_qp *qp,
		    int vqp_sz, struct ibv_qp_open_attr *attr,
		    struct ibv_open_qp *cmd, size_t cmd_size,
		    struct ib_uverbs_create_qp_resp *resp, size_t resp_size)
{
	const uint32_t need = IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_NUM |
			      IBV_QP_OPEN_ATTR_TYPE;
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	struct ib_uverbs_open_qp core_in = { .user_handle = (uintptr_t)qp };
	struct ib_uverbs_create_qp_resp core = { 0 };
	struct verbs_xrcd *xrcd;
	int ret;

	if (attr->comp_mask >= IBV_QP_OPEN_ATTR_RESERVED)
		return EOPNOTSUPP;
	if ((attr->comp_mask & need) != need)
		return EINVAL;

	xrcd = (struct verbs_xrcd *)attr->xrcd;
	core_in.pd_handle = xrcd->handle;
	core_in.qpn = attr->qp_num;
	core_in.qp_type = attr->qp_type;
	ret = invoke_write(context, IB_USER_VERBS_CMD_OPEN_QP, &core_in,
			   sizeof(core_in), &core, sizeof(core), &driver);
	if (ret)
		return ret;
	give_core_reply(&driver, &core, sizeof(core));

	qp->qp.context = context;
	qp->qp.qp_context = attr->comp_mask & IBV_QP_OPEN_ATTR_CONTEXT
				    ? attr->qp_context
				    : NULL;
	qp->qp.pd = NULL;
	qp->qp.send_cq = NULL;
	qp->qp.recv_cq = NULL;
	qp->qp.srq = NULL;
	qp->qp.handle = core.qp_handle;
	qp->qp.qp_num = attr->qp_num;
	qp->qp.state = IBV_QPS_UNKNOWN;
	qp->qp.qp_type = attr->qp_type;
	qp->qp.events_completed = 0;
	pthread_mutex_init(&qp->qp.mutex, NULL);
	pthread_cond_init(&qp->qp.cond, NULL);
	qp->comp_mask = 0;
	/* Smaller is a provider from before the struct had an XRCD. */
	if (vqp_sz > (int)offsetof(struct verbs_qp, xrcd)) {
		qp->xrcd = xrcd;
		qp->comp_mask = VERBS_QP_XRCD;
	}
	return 0;
}
