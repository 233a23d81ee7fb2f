// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Completion queues. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "uverbs/request.h"

struct cq_params {
	uint32_t cqe;
	uint32_t comp_vector;
	struct ibv_comp_channel *channel;
	uint32_t flags;	    /* IB_UVERBS_CQ_FLAGS_... */
	bool need_extended; /* the plain command cannot say the flags */
};

static int create_plain(struct ibv_cq *cq, const struct cq_params *params,
			const struct driver_data *driver,
			struct ib_uverbs_create_cq_resp *core)
{
	const struct ib_uverbs_create_cq core_in = {
		.user_handle = (uintptr_t)cq,
		.cqe = params->cqe,
		.comp_vector = params->comp_vector,
		.comp_channel = params->channel ? params->channel->fd : -1,
	};
	int ret =
		invoke_write(cq->context, IB_USER_VERBS_CMD_CREATE_CQ, &core_in,
			     sizeof(core_in), core, sizeof(*core), driver);

	if (!ret)
		give_core_reply(driver, core, sizeof(*core));
	return ret;
}

static int create_extended(struct ibv_cq *cq, const struct cq_params *params,
			   const struct driver_data *driver,
			   struct ib_uverbs_create_cq_resp *core)
{
	const struct ib_uverbs_ex_create_cq core_in = {
		.user_handle = (uintptr_t)cq,
		.cqe = params->cqe,
		.comp_vector = params->comp_vector,
		.comp_channel = params->channel ? params->channel->fd : -1,
		.flags = params->flags,
	};
	struct ib_uverbs_ex_create_cq_resp core_ex = { 0 };
	int ret = invoke_write(cq->context,
			       IB_USER_VERBS_EX_CMD_CREATE_CQ |
				       IB_USER_VERBS_CMD_FLAG_EXTENDED,
			       &core_in, sizeof(core_in), &core_ex,
			       sizeof(core_ex), driver);

	if (ret)
		return ret;
	give_core_reply(driver, &core_ex, sizeof(core_ex));
	*core = core_ex.base;
	return 0;
}

static int create_cq(struct ibv_context *context, struct ibv_cq *cq,
		     const struct cq_params *params,
		     const struct driver_data *driver)
{
	bool imported = get_priv(context)->imported;
	struct ib_uverbs_create_cq_resp core = { 0 };
	struct ib_uverbs_attr *made, *event_fd;
	uint32_t cqe = 0;
	struct request rq;
	int ret;

	cq->context = context;

	request_init(&rq, context, UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE);
	made = request_new(&rq, UVERBS_ATTR_CREATE_CQ_HANDLE);
	request_out(&rq, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &cqe, sizeof(cqe));
	request_u32(&rq, UVERBS_ATTR_CREATE_CQ_CQE, params->cqe);
	request_u64(&rq, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, (uintptr_t)cq);
	if (params->channel)
		request_fd(&rq, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL,
			   params->channel->fd);
	request_u32(&rq, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR,
		    params->comp_vector);
	/*
	 * Without the attribute events go to the file's first async fd, which
	 * is not this context's if the file was imported.
	 */
	event_fd = request_fd(&rq, UVERBS_ATTR_CREATE_CQ_EVENT_FD,
			      context->async_fd);
	if (!imported)
		request_optional(event_fd);
	if (params->flags)
		request_u32(&rq, UVERBS_ATTR_CREATE_CQ_FLAGS, params->flags);
	request_driver(&rq, driver);

	ret = request_run_native(&rq, OP(create_cq), !imported);
	if (!ret) {
		core.cq_handle = made->data;
		core.cqe = cqe;
	} else if (ret == FALL_BACK) {
		if (params->need_extended)
			ret = create_extended(cq, params, driver, &core);
		else
			ret = create_plain(cq, params, driver, &core);
	}
	if (ret)
		return ret;
	cq->handle = core.cq_handle;
	cq->cqe = core.cqe;
	return 0;
}

int ibv_cmd_create_cq(struct ibv_context *context, int cqe,
		      struct ibv_comp_channel *channel, int comp_vector,
		      struct ibv_cq *cq, struct ibv_create_cq *cmd,
		      size_t cmd_size, struct ib_uverbs_create_cq_resp *resp,
		      size_t resp_size)
{
	const struct cq_params params = {
		.cqe = cqe,
		.comp_vector = comp_vector,
		.channel = channel,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);

	return create_cq(context, cq, &params, &driver);
}

int ibv_cmd_create_cq_ex(struct ibv_context *context,
			 const struct ibv_cq_init_attr_ex *cq_attr,
			 struct verbs_cq *cq, struct ibv_create_cq_ex *cmd,
			 size_t cmd_size,
			 struct ib_uverbs_ex_create_cq_resp *resp,
			 size_t resp_size, uint32_t cmd_flags)
{
	struct cq_params params = {
		.cqe = cq_attr->cqe,
		.comp_vector = cq_attr->comp_vector,
		.channel = cq_attr->channel,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	uint32_t matter;

	if (cq_attr->comp_mask &
	    ~(IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD))
		return EOPNOTSUPP;

	if (cq_attr->wc_flags & (IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |
				 IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK))
		params.flags |= IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION;
	if (cq_attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS &&
	    cq_attr->flags & IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN)
		params.flags |= IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN;

	matter = params.flags;
	if (cmd_flags & CREATE_CQ_CMD_FLAGS_TS_IGNORED_EX)
		matter &= ~IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION;
	params.need_extended = matter;

	return create_cq(context, &cq->cq, &params, &driver);
}

int ibv_cmd_resize_cq(struct ibv_cq *cq, int cqe, struct ibv_resize_cq *cmd,
		      size_t cmd_size, struct ib_uverbs_resize_cq_resp *resp,
		      size_t resp_size)
{
	const struct ib_uverbs_resize_cq core_in = {
		.cq_handle = cq->handle,
		.cqe = cqe,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	struct ib_uverbs_resize_cq_resp core = { 0 };
	int ret =
		invoke_write(cq->context, IB_USER_VERBS_CMD_RESIZE_CQ, &core_in,
			     sizeof(core_in), &core, sizeof(core), &driver);

	if (ret)
		return ret;
	give_core_reply(&driver, &core, sizeof(core));
	cq->cqe = core.cqe;
	return 0;
}

int ibv_cmd_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr,
		      struct ibv_modify_cq *cmd, size_t cmd_size)
{
	struct ib_uverbs_ex_modify_cq core_in = {
		.cq_handle = cq->handle,
		.attr_mask = attr->attr_mask,
	};
	struct driver_data driver = DRIVER_IN(cmd, cmd_size);

	if (attr->attr_mask >= IBV_CQ_ATTR_RESERVED)
		return EINVAL;
	if (attr->attr_mask & IBV_CQ_ATTR_MODERATE) {
		core_in.attr.cq_count = attr->moderate.cq_count;
		core_in.attr.cq_period = attr->moderate.cq_period;
	}
	return invoke_write(cq->context,
			    IB_USER_VERBS_EX_CMD_MODIFY_CQ |
				    IB_USER_VERBS_CMD_FLAG_EXTENDED,
			    &core_in, sizeof(core_in), NULL, 0, &driver);
}

int ibv_cmd_req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	const struct ib_uverbs_req_notify_cq core_in = {
		.cq_handle = cq->handle,
		.solicited_only = !!solicited_only,
	};

	return invoke_write(cq->context, IB_USER_VERBS_CMD_REQ_NOTIFY_CQ,
			    &core_in, sizeof(core_in), NULL, 0, NULL);
}

static void fill_wc(struct ibv_wc *wc, const struct ib_uverbs_wc *from)
{
	wc->wr_id = from->wr_id;
	wc->status = from->status;
	wc->opcode = from->opcode;
	wc->vendor_err = from->vendor_err;
	wc->byte_len = from->byte_len;
	wc->imm_data = from->ex.imm_data;
	wc->qp_num = from->qp_num;
	wc->src_qp = from->src_qp;
	wc->wc_flags = from->wc_flags;
	wc->pkey_index = from->pkey_index;
	wc->slid = from->slid;
	wc->sl = from->sl;
	wc->dlid_path_bits = from->dlid_path_bits;
}

enum {
	/* Room on the stack for what programs usually ask for */
	POLL_FEW = 16,
	/* One attribute can carry no more; the next poll gets the rest. */
	POLL_MOST = (UINT16_MAX - sizeof(struct ib_uverbs_poll_cq_resp)) /
		    sizeof(struct ib_uverbs_wc),
};

int ibv_cmd_poll_cq(struct ibv_cq *cq, int ne, struct ibv_wc *wc)
{
	struct ib_uverbs_poll_cq core_in = { .cq_handle = cq->handle };
	struct {
		struct ib_uverbs_poll_cq_resp resp;
		struct ib_uverbs_wc wc[POLL_FEW];
	} few;
	struct ib_uverbs_poll_cq_resp *resp = &few.resp;
	int ret = -1;
	size_t size;

	if (ne < 0) {
		errno = EINVAL;
		return -1;
	}
	if (ne > POLL_MOST)
		ne = POLL_MOST;
	core_in.ne = ne;
	size = sizeof(*resp) + ne * sizeof(resp->wc[0]);
	if (ne > POLL_FEW) {
		resp = malloc(size);
		if (!resp)
			return -1;
	}
	resp->count = 0;

	if (invoke_write(cq->context, IB_USER_VERBS_CMD_POLL_CQ, &core_in,
			 sizeof(core_in), resp, size, NULL))
		goto out;
	if (resp->count > core_in.ne) {
		errno = EPROTO;
		goto out;
	}
	for (uint32_t i = 0; i < resp->count; i++)
		fill_wc(&wc[i], &resp->wc[i]);
	ret = resp->count;
out:
	if (resp != &few.resp)
		free(resp);
	return ret;
}

int ibv_cmd_destroy_cq(struct ibv_cq *cq)
{
	const struct ib_uverbs_destroy_cq core_in = { .cq_handle = cq->handle };
	struct ib_uverbs_destroy_cq_resp resp = { 0 };
	struct request rq;
	int ret;

	request_init(&rq, cq->context, UVERBS_OBJECT_CQ,
		     UVERBS_METHOD_CQ_DESTROY);
	request_out(&rq, UVERBS_ATTR_DESTROY_CQ_RESP, &resp, sizeof(resp));
	request_handle(&rq, UVERBS_ATTR_DESTROY_CQ_HANDLE, cq->handle);
	ret = request_run_native(&rq, OP(destroy_cq), true);
	if (ret == FALL_BACK)
		ret = invoke_write(cq->context, IB_USER_VERBS_CMD_DESTROY_CQ,
				   &core_in, sizeof(core_in), &resp,
				   sizeof(resp), NULL);
	if (ret)
		return destroy_result(ret);
	wait_acked(&cq->mutex, &cq->cond, &cq->comp_events_completed,
		   resp.comp_events_reported);
	wait_acked(&cq->mutex, &cq->cond, &cq->async_events_completed,
		   resp.async_events_reported);
	return 0;
}
