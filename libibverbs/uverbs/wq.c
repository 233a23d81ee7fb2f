// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Work queues and the tables that spread received packets over them. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "uverbs/request.h"

static int check_wq_attr(const struct ibv_wq_init_attr *attr)
{
	if (attr->comp_mask >= IBV_WQ_INIT_ATTR_RESERVED)
		return EINVAL;
	if (attr->comp_mask & IBV_WQ_INIT_ATTR_FLAGS &&
	    attr->create_flags >= IBV_WQ_FLAGS_RESERVED)
		return EOPNOTSUPP;
	return 0;
}

static int create_extended(struct ibv_wq *wq,
			   const struct ibv_wq_init_attr *attr, uint32_t flags,
			   const struct driver_data *driver,
			   struct ib_uverbs_ex_create_wq_resp *core)
{
	const struct ib_uverbs_ex_create_wq core_in = {
		.wq_type = attr->wq_type,
		.user_handle = (uintptr_t)wq,
		.pd_handle = attr->pd->handle,
		.cq_handle = attr->cq->handle,
		.max_wr = attr->max_wr,
		.max_sge = attr->max_sge,
		.create_flags = flags,
	};
	int ret = invoke_write(wq->context,
			       IB_USER_VERBS_EX_CMD_CREATE_WQ |
				       IB_USER_VERBS_CMD_FLAG_EXTENDED,
			       &core_in, sizeof(core_in), core, sizeof(*core),
			       driver);

	if (!ret)
		give_core_reply(driver, core, sizeof(*core));
	return ret;
}

int ibv_cmd_create_wq(struct ibv_context *context,
		      struct ibv_wq_init_attr *wq_init_attr, struct ibv_wq *wq,
		      struct ibv_create_wq *cmd, size_t cmd_size,
		      struct ib_uverbs_ex_create_wq_resp *resp,
		      size_t resp_size)
{
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	struct ib_uverbs_ex_create_wq_resp core = { 0 };
	struct ib_uverbs_attr *made;
	uint32_t flags = 0;
	struct request rq;
	int ret = check_wq_attr(wq_init_attr);

	if (ret) {
		errno = ret;
		return ret;
	}
	if (wq_init_attr->comp_mask & IBV_WQ_INIT_ATTR_FLAGS)
		flags = wq_init_attr->create_flags;

	wq->context = context;
	wq->cq = wq_init_attr->cq;
	wq->pd = wq_init_attr->pd;
	wq->wq_type = wq_init_attr->wq_type;

	request_init(&rq, context, UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_CREATE);
	made = request_new(&rq, UVERBS_ATTR_CREATE_WQ_HANDLE);
	request_u64(&rq, UVERBS_ATTR_CREATE_WQ_USER_HANDLE, (uintptr_t)wq);
	request_handle(&rq, UVERBS_ATTR_CREATE_WQ_PD_HANDLE, wq->pd->handle);
	request_handle(&rq, UVERBS_ATTR_CREATE_WQ_CQ_HANDLE, wq->cq->handle);
	request_u64(&rq, UVERBS_ATTR_CREATE_WQ_TYPE, wq->wq_type);
	request_u32(&rq, UVERBS_ATTR_CREATE_WQ_MAX_WR, wq_init_attr->max_wr);
	request_u32(&rq, UVERBS_ATTR_CREATE_WQ_MAX_SGE, wq_init_attr->max_sge);
	request_fd(&rq, UVERBS_ATTR_CREATE_WQ_EVENT_FD, context->async_fd);
	request_u32(&rq, UVERBS_ATTR_CREATE_WQ_FLAGS, flags);
	request_out(&rq, UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR, &core.max_wr,
		    sizeof(core.max_wr));
	request_out(&rq, UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE, &core.max_sge,
		    sizeof(core.max_sge));
	request_out(&rq, UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM, &core.wqn,
		    sizeof(core.wqn));
	request_driver(&rq, &driver);

	ret = request_run_native(&rq, OP(create_wq),
				 !get_priv(context)->imported);
	if (!ret)
		core.wq_handle = made->data;
	else if (ret == FALL_BACK)
		ret = create_extended(wq, wq_init_attr, flags, &driver, &core);
	if (ret)
		return ret;
	wq->handle = core.wq_handle;
	wq->wq_num = core.wqn;
	wq_init_attr->max_wr = core.max_wr;
	wq_init_attr->max_sge = core.max_sge;
	return 0;
}

int ibv_cmd_modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *attr,
		      struct ibv_modify_wq *cmd, size_t cmd_size)
{
	struct ib_uverbs_ex_modify_wq core_in = {
		.attr_mask = attr->attr_mask,
		.wq_handle = wq->handle,
	};
	struct driver_data driver = DRIVER_IN(cmd, cmd_size);
	int ret;

	if (attr->attr_mask >= IBV_WQ_ATTR_RESERVED)
		return EINVAL;
	if (attr->attr_mask & IBV_WQ_ATTR_STATE)
		core_in.wq_state = attr->wq_state;
	if (attr->attr_mask & IBV_WQ_ATTR_CURR_STATE)
		core_in.curr_wq_state = attr->curr_wq_state;
	if (attr->attr_mask & IBV_WQ_ATTR_FLAGS) {
		if (attr->flags_mask >= IBV_WQ_FLAGS_RESERVED)
			return EOPNOTSUPP;
		core_in.flags = attr->flags;
		core_in.flags_mask = attr->flags_mask;
	}

	ret = invoke_write(wq->context,
			   IB_USER_VERBS_EX_CMD_MODIFY_WQ |
				   IB_USER_VERBS_CMD_FLAG_EXTENDED,
			   &core_in, sizeof(core_in), NULL, 0, &driver);
	if (!ret && attr->attr_mask & IBV_WQ_ATTR_STATE)
		wq->state = attr->wq_state;
	return ret;
}

int ibv_cmd_destroy_wq(struct ibv_wq *wq)
{
	const struct ib_uverbs_ex_destroy_wq core_in = {
		.wq_handle = wq->handle,
	};
	struct ib_uverbs_ex_destroy_wq_resp resp = { 0 };
	struct request rq;
	int ret;

	request_init(&rq, wq->context, UVERBS_OBJECT_WQ,
		     UVERBS_METHOD_WQ_DESTROY);
	request_out(&rq, UVERBS_ATTR_DESTROY_WQ_RESP, &resp.events_reported,
		    sizeof(resp.events_reported));
	request_handle(&rq, UVERBS_ATTR_DESTROY_WQ_HANDLE, wq->handle);
	ret = request_run_native(&rq, OP(destroy_wq), true);
	if (ret == FALL_BACK)
		ret = invoke_write(wq->context,
				   IB_USER_VERBS_EX_CMD_DESTROY_WQ |
					   IB_USER_VERBS_CMD_FLAG_EXTENDED,
				   &core_in, sizeof(core_in), &resp,
				   sizeof(resp), NULL);
	if (ret)
		return destroy_result(ret);
	wait_acked(&wq->mutex, &wq->cond, &wq->events_completed,
		   resp.events_reported);
	return 0;
}

int ibv_cmd_create_rwq_ind_table(
	struct ibv_context *context,
	struct ibv_rwq_ind_table_init_attr *init_attr,
	struct ibv_rwq_ind_table *rwq_ind_table,
	struct ib_uverbs_ex_create_rwq_ind_table_resp *resp, size_t resp_size)
{
	struct driver_data driver = DRIVER_OUT(resp, resp_size);
	struct ib_uverbs_ex_create_rwq_ind_table_resp core = { 0 };
	struct ib_uverbs_ex_create_rwq_ind_table *core_in;
	size_t entries, size;
	int ret;

	/* The kernel takes no larger table, nor could the shift. */
	if (init_attr->comp_mask ||
	    init_attr->log_ind_tbl_size > IB_USER_VERBS_MAX_LOG_IND_TBL_SIZE)
		return EINVAL;

	entries = (size_t)1 << init_attr->log_ind_tbl_size;
	/* The extended command counts in units of eight bytes. */
	size = (sizeof(*core_in) + entries * sizeof(core_in->wq_handles[0]) +
		7) &
	       ~(size_t)7;
	core_in = calloc(1, size);
	if (!core_in)
		return ENOMEM;
	core_in->log_ind_tbl_size = init_attr->log_ind_tbl_size;
	for (size_t i = 0; i < entries; i++)
		core_in->wq_handles[i] = init_attr->ind_tbl[i]->handle;

	ret = invoke_write(context,
			   IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL |
				   IB_USER_VERBS_CMD_FLAG_EXTENDED,
			   core_in, size, &core, sizeof(core), &driver);
	free(core_in);
	if (ret)
		return ret;
	if (core.response_length < sizeof(core))
		return EINVAL;
	give_core_reply(&driver, &core, sizeof(core));
	rwq_ind_table->ind_tbl_handle = core.ind_tbl_handle;
	rwq_ind_table->ind_tbl_num = core.ind_tbl_num;
	rwq_ind_table->context = context;
	return 0;
}

int ibv_cmd_destroy_rwq_ind_table(struct ibv_rwq_ind_table *rwq_ind_table)
{
	static const struct destroy_method how = {
		.object = UVERBS_OBJECT_RWQ_IND_TBL,
		.method = UVERBS_METHOD_RWQ_IND_TBL_DESTROY,
		.handle_attr = UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE,
		.op = OP(destroy_ah), /* learnt together */
		.command = IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL |
			   IB_USER_VERBS_CMD_FLAG_EXTENDED,
	};

	return destroy_handle(rwq_ind_table->context, &how,
			      rwq_ind_table->ind_tbl_handle);
}
