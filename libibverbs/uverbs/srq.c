// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared receive queues. */
#include <errno.h>
#include <pthread.h>

#include "uverbs/request.h"

struct srq_params {
	enum ibv_srq_type type;
	struct ibv_pd *pd;
	struct verbs_xrcd *xrcd;
	struct ibv_cq *cq;
	uint32_t max_num_tags;
	struct ibv_srq_attr *attr;
};

static int create_plain(struct ibv_srq *srq, const struct srq_params *params,
			const struct driver_data *driver,
			struct ib_uverbs_create_srq_resp *core)
{
	const struct ib_uverbs_create_srq core_in = {
		.user_handle = (uintptr_t)srq,
		.pd_handle = params->pd->handle,
		.max_wr = params->attr->max_wr,
		.max_sge = params->attr->max_sge,
		.srq_limit = params->attr->srq_limit,
	};

	return invoke_write(srq->context, IB_USER_VERBS_CMD_CREATE_SRQ,
			    &core_in, sizeof(core_in), core, sizeof(*core),
			    driver);
}

static int create_typed(struct ibv_srq *srq, const struct srq_params *params,
			const struct driver_data *driver,
			struct ib_uverbs_create_srq_resp *core)
{
	const struct ib_uverbs_create_xsrq core_in = {
		.user_handle = (uintptr_t)srq,
		.srq_type = params->type,
		.pd_handle = params->pd->handle,
		.max_wr = params->attr->max_wr,
		.max_sge = params->attr->max_sge,
		.srq_limit = params->attr->srq_limit,
		.max_num_tags = params->max_num_tags,
		.xrcd_handle = params->xrcd ? params->xrcd->handle : 0,
		.cq_handle = params->cq ? params->cq->handle : 0,
	};

	return invoke_write(srq->context, IB_USER_VERBS_CMD_CREATE_XSRQ,
			    &core_in, sizeof(core_in), core, sizeof(*core),
			    driver);
}

static int create_srq(struct ibv_context *context, struct ibv_srq *srq,
		      const struct srq_params *params,
		      const struct driver_data *driver, uint32_t *srq_num)
{
	struct ib_uverbs_create_srq_resp core = { 0 };
	struct ib_uverbs_attr *made;
	struct request rq;
	int ret;

	srq->context = context;
	pthread_mutex_init(&srq->mutex, NULL);
	pthread_cond_init(&srq->cond, NULL);

	request_init(&rq, context, UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE);
	if (params->type == IBV_SRQT_XRC) {
		request_handle(&rq, UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE,
			       params->xrcd->handle);
		request_handle(&rq, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE,
			       params->cq->handle);
		request_out(&rq, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM,
			    &core.srqn, sizeof(core.srqn));
	} else if (params->type == IBV_SRQT_TM) {
		request_handle(&rq, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE,
			       params->cq->handle);
		request_u32(&rq, UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS,
			    params->max_num_tags);
	}
	made = request_new(&rq, UVERBS_ATTR_CREATE_SRQ_HANDLE);
	request_u64(&rq, UVERBS_ATTR_CREATE_SRQ_TYPE, params->type);
	request_u64(&rq, UVERBS_ATTR_CREATE_SRQ_USER_HANDLE, (uintptr_t)srq);
	request_handle(&rq, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE,
		       params->pd->handle);
	request_u32(&rq, UVERBS_ATTR_CREATE_SRQ_MAX_WR, params->attr->max_wr);
	request_u32(&rq, UVERBS_ATTR_CREATE_SRQ_MAX_SGE, params->attr->max_sge);
	request_u32(&rq, UVERBS_ATTR_CREATE_SRQ_LIMIT, params->attr->srq_limit);
	request_fd(&rq, UVERBS_ATTR_CREATE_SRQ_EVENT_FD, context->async_fd);
	request_out(&rq, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &core.max_wr,
		    sizeof(core.max_wr));
	request_out(&rq, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &core.max_sge,
		    sizeof(core.max_sge));
	request_driver(&rq, driver);

	ret = request_run_native(&rq, OP(create_srq),
				 !get_priv(context)->imported);
	if (!ret) {
		core.srq_handle = made->data;
	} else if (ret == FALL_BACK) {
		if (params->type == IBV_SRQT_BASIC)
			ret = create_plain(srq, params, driver, &core);
		else
			ret = create_typed(srq, params, driver, &core);
		if (!ret)
			give_core_reply(driver, &core, sizeof(core));
	}
	if (ret)
		return ret;
	srq->handle = core.srq_handle;
	params->attr->max_wr = core.max_wr;
	params->attr->max_sge = core.max_sge;
	*srq_num = core.srqn;
	return 0;
}

int ibv_cmd_create_srq(struct ibv_pd *pd, struct ibv_srq *srq,
		       struct ibv_srq_init_attr *attr,
		       struct ibv_create_srq *cmd, size_t cmd_size,
		       struct ib_uverbs_create_srq_resp *resp, size_t resp_size)
{
	const struct srq_params params = {
		.type = IBV_SRQT_BASIC,
		.pd = pd,
		.attr = &attr->attr,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	uint32_t srq_num;

	return create_srq(pd->context, srq, &params, &driver, &srq_num);
}

static int check_srq_attr(const struct ibv_srq_init_attr_ex *attr,
			  enum ibv_srq_type type)
{
	uint32_t need = IBV_SRQ_INIT_ATTR_PD;

	if (attr->comp_mask >= IBV_SRQ_INIT_ATTR_RESERVED)
		return EOPNOTSUPP;

	switch (type) {
	case IBV_SRQT_BASIC:
		break;
	case IBV_SRQT_XRC:
		need |= IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
		break;
	case IBV_SRQT_TM:
		need |= IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_TM;
		break;
	default:
		return EINVAL;
	}
	if ((attr->comp_mask & need) != need)
		return EINVAL;
	if (type == IBV_SRQT_TM && !attr->tm_cap.max_num_tags)
		return EINVAL;
	return 0;
}

int ibv_cmd_create_srq_ex(struct ibv_context *context, struct verbs_srq *srq,
			  struct ibv_srq_init_attr_ex *attr_ex,
			  struct ibv_create_xsrq *cmd, size_t cmd_size,
			  struct ib_uverbs_create_srq_resp *resp,
			  size_t resp_size)
{
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	struct srq_params params = {
		.type = attr_ex->comp_mask & IBV_SRQ_INIT_ATTR_TYPE
				? attr_ex->srq_type
				: IBV_SRQT_BASIC,
		.attr = &attr_ex->attr,
	};
	uint32_t srq_num;
	int ret;

	ret = check_srq_attr(attr_ex, params.type);
	if (ret) {
		errno = ret;
		return ret;
	}
	params.pd = attr_ex->pd;
	if (attr_ex->comp_mask & IBV_SRQ_INIT_ATTR_CQ)
		params.cq = attr_ex->cq;
	if (params.type == IBV_SRQT_XRC)
		params.xrcd = (struct verbs_xrcd *)attr_ex->xrcd;
	if (params.type == IBV_SRQT_TM)
		params.max_num_tags = attr_ex->tm_cap.max_num_tags;

	ret = create_srq(context, &srq->srq, &params, &driver, &srq_num);
	if (ret)
		return ret;
	srq->srq_type = params.type;
	if (params.cq)
		srq->cq = params.cq;
	if (params.type == IBV_SRQT_XRC) {
		srq->srq_num = srq_num;
		srq->xrcd = params.xrcd;
	}
	return 0;
}

int ibv_cmd_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr,
		       int srq_attr_mask, struct ibv_modify_srq *cmd,
		       size_t cmd_size)
{
	const struct ib_uverbs_modify_srq core_in = {
		.srq_handle = srq->handle,
		.attr_mask = srq_attr_mask,
		.max_wr = srq_attr->max_wr,
		.srq_limit = srq_attr->srq_limit,
	};
	struct driver_data driver = DRIVER_IN(cmd, cmd_size);

	return invoke_write(srq->context, IB_USER_VERBS_CMD_MODIFY_SRQ,
			    &core_in, sizeof(core_in), NULL, 0, &driver);
}

int ibv_cmd_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr,
		      struct ibv_query_srq *cmd, size_t cmd_size)
{
	const struct ib_uverbs_query_srq core_in = {
		.srq_handle = srq->handle,
	};
	struct driver_data driver = DRIVER_IN(cmd, cmd_size);
	struct ib_uverbs_query_srq_resp resp = { 0 };
	int ret = invoke_write(srq->context, IB_USER_VERBS_CMD_QUERY_SRQ,
			       &core_in, sizeof(core_in), &resp, sizeof(resp),
			       &driver);

	if (ret)
		return ret;
	srq_attr->max_wr = resp.max_wr;
	srq_attr->max_sge = resp.max_sge;
	srq_attr->srq_limit = resp.srq_limit;
	return 0;
}

int ibv_cmd_destroy_srq(struct ibv_srq *srq)
{
	const struct ib_uverbs_destroy_srq core_in = {
		.srq_handle = srq->handle,
	};
	struct ib_uverbs_destroy_srq_resp resp = { 0 };
	struct request rq;
	int ret;

	request_init(&rq, srq->context, UVERBS_OBJECT_SRQ,
		     UVERBS_METHOD_SRQ_DESTROY);
	request_out(&rq, UVERBS_ATTR_DESTROY_SRQ_RESP, &resp, sizeof(resp));
	request_handle(&rq, UVERBS_ATTR_DESTROY_SRQ_HANDLE, srq->handle);
	ret = request_run_native(&rq, OP(destroy_srq), true);
	if (ret == FALL_BACK)
		ret = invoke_write(srq->context, IB_USER_VERBS_CMD_DESTROY_SRQ,
				   &core_in, sizeof(core_in), &resp,
				   sizeof(resp), NULL);
	if (ret)
		return destroy_result(ret);
	wait_acked(&srq->mutex, &srq->cond, &srq->events_completed,
		   resp.events_reported);
	return 0;
}
