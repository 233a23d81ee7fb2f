// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: the kernel's replies to commands that no provider of ours has
 * behind a verb: what plug-ins call, and what the library asks for itself.
 * And events, which the kernel writes into descriptors.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "kernel.h"
#include "objects.h"
#include "provider/priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

static struct ibv_context *context;

/* The objects that commands are about; to the kernel they are numbers. */
static struct ibv_pd pd;
static struct ibv_cq cq;
static struct ibv_qp qp;

/* Keep it, if the command that made it went well. */
static void made(int err, void *object, int (*destroy)(void *object))
{
	if (err)
		free(object);
	else
		object_keep(OTHER, object, destroy);
}

static void *fresh(size_t size)
{
	void *object = calloc(1, size);

	fuzz_check(object, "no memory");
	return object;
}

#define DESTROYER(_name, _type, _command)          \
	static int _name(void *object)             \
	{                                          \
		int ret = _command((_type)object); \
		if (!ret)                          \
			free(object);              \
		return ret;                        \
	}
DESTROYER(end_wq, struct ibv_wq *, ibv_cmd_destroy_wq)
DESTROYER(end_table, struct ibv_rwq_ind_table *, ibv_cmd_destroy_rwq_ind_table)
DESTROYER(end_flow, struct ibv_flow *, ibv_cmd_destroy_flow)
DESTROYER(end_action, struct verbs_flow_action *, ibv_cmd_destroy_flow_action)
DESTROYER(end_counters, struct verbs_counters *, ibv_cmd_destroy_counters)
DESTROYER(end_dm, struct verbs_dm *, ibv_cmd_free_dm)
DESTROYER(end_mr, struct verbs_mr *, ibv_cmd_dereg_mr)
DESTROYER(end_xrcd, struct verbs_xrcd *, ibv_cmd_close_xrcd)
DESTROYER(end_qp, struct ibv_qp *, ibv_cmd_destroy_qp)

static void op_wq(void)
{
	struct {
		struct ib_uverbs_ex_create_wq_resp core;
		uint8_t driver[16];
	} resp;
	struct ibv_wq_init_attr attr = {
		.wq_type = IBV_WQT_RQ,
		.max_wr = fuzz_number(),
		.max_sge = fuzz_number(),
		.pd = &pd,
		.cq = &cq,
		.comp_mask = fuzz_u8() & 1,
		.create_flags = fuzz_u8() & 15,
	};
	struct ibv_wq_attr change = { .attr_mask = fuzz_u8() & 7 };
	struct ibv_wq *wq = fresh(sizeof(*wq));
	struct ibv_create_wq cmd;
	struct ibv_modify_wq modify;
	int err;

	wq->context = context;
	pthread_mutex_init(&wq->mutex, NULL);
	pthread_cond_init(&wq->cond, NULL);
	err = ibv_cmd_create_wq(context, &attr, wq, &cmd, sizeof(cmd),
				&resp.core, sizeof(resp));
	if (!err)
		ibv_cmd_modify_wq(wq, &change, &modify, sizeof(modify));
	made(err, wq, end_wq);
}

static void op_table(void)
{
	struct ib_uverbs_ex_create_rwq_ind_table_resp resp;
	struct ibv_wq wq = { .handle = 1 }, *wqs[8];
	struct ibv_rwq_ind_table_init_attr attr = {
		.log_ind_tbl_size = fuzz_below(4),
		.ind_tbl = wqs,
	};
	struct ibv_rwq_ind_table *table = fresh(sizeof(*table));

	for (int i = 0; i < 8; i++)
		wqs[i] = &wq;
	made(ibv_cmd_create_rwq_ind_table(context, &attr, table, &resp,
					  sizeof(resp)),
	     table, end_table);
}

static void op_flow(void)
{
	struct {
		struct ibv_flow_attr attr;
		struct ibv_flow_spec_eth eth;
	} rule = {
		.attr = { .size = sizeof(rule), .num_of_specs = 1, .port = 1 },
		.eth = { .type = IBV_FLOW_SPEC_ETH, .size = sizeof(rule.eth) },
	};
	struct ibv_flow *flow = fresh(sizeof(*flow));

	made(ibv_cmd_create_flow(&qp, flow, &rule.attr, NULL, 0), flow,
	     end_flow);
}

static void op_action(void)
{
	struct ib_uverbs_flow_action_esp esp = { 0 };
	struct ibv_flow_action_esp_attr attr = { .esp_attr = &esp };
	struct verbs_flow_action *action = fresh(sizeof(*action));

	made(ibv_cmd_create_flow_action_esp(context, &attr, action, NULL),
	     action, end_action);
}

static void op_counters(void)
{
	struct ibv_counters_init_attr attr = { 0 };
	struct verbs_counters *counters = fresh(sizeof(*counters));
	uint32_t count = fuzz_below(20);
	uint64_t *values = fresh(count * sizeof(*values) + 1);
	int err = ibv_cmd_create_counters(context, &attr, counters, NULL);

	if (!err)
		ibv_cmd_read_counters(counters, values, count, 0, NULL);
	made(err, counters, end_counters);
	free(values);
}

static void op_dm(void)
{
	struct ibv_alloc_dm_attr attr = { .length = fuzz_number() };
	struct verbs_dm *dm = fresh(sizeof(*dm));
	struct verbs_mr *mr = fresh(sizeof(*mr));
	int err = ibv_cmd_alloc_dm(context, &attr, dm, NULL);

	if (err)
		free(mr);
	else
		made(ibv_cmd_reg_dm_mr(&pd, dm, 0, 4096, 0, mr, NULL), mr,
		     end_mr);
	made(err, dm, end_dm);
}

static void op_dmabuf(void)
{
	struct verbs_mr *mr = fresh(sizeof(*mr));

	made(ibv_cmd_reg_dmabuf_mr(&pd, 0, 4096, 0, 0, 0, mr), mr, end_mr);
}

static void op_query_mr(void)
{
	struct verbs_mr mr;

	memset(&mr, 0, sizeof(mr));
	ibv_cmd_query_mr(&pd, &mr, fuzz_number());
}

static void op_xrcd(void)
{
	struct ibv_xrcd_init_attr attr = { .comp_mask = 3, .fd = -1 };
	struct verbs_xrcd *xrcd = fresh(sizeof(*xrcd));
	struct ibv_qp_open_attr open = {
		.qp_num = fuzz_u8(),
		.qp_type = IBV_QPT_XRC_RECV,
	};
	struct ib_uverbs_open_xrcd_resp resp;
	struct ib_uverbs_create_qp_resp qp_resp;
	struct verbs_qp *vqp = fresh(sizeof(*vqp));
	struct ibv_open_xrcd cmd;
	struct ibv_open_qp open_cmd;
	int err;

	open.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD |
			 IBV_QP_OPEN_ATTR_TYPE;
	err = ibv_cmd_open_xrcd(context, xrcd, sizeof(*xrcd), &attr, &cmd,
				sizeof(cmd), &resp, sizeof(resp));
	open.xrcd = &xrcd->xrcd;
	if (err)
		free(vqp);
	else
		made(ibv_cmd_open_qp(context, vqp, sizeof(*vqp), &open,
				     &open_cmd, sizeof(open_cmd), &qp_resp,
				     sizeof(qp_resp)),
		     vqp, end_qp);
	made(err, xrcd, end_xrcd);
}

static void op_context(void)
{
	struct {
		struct ib_uverbs_get_context_resp core;
		uint8_t driver[24];
	} resp;
	struct verbs_context *vctx =
		container_of(context, struct verbs_context, context);
	struct ibv_get_context cmd;
	int kept = context->async_fd;

	uverbs_probe(context);
	ibv_cmd_query_context(context, NULL);
	ibv_cmd_get_context(vctx, &cmd, sizeof(cmd), &resp.core, sizeof(resp));
	if (context->async_fd != kept)
		close(kept);
}

static void op_device(void)
{
	struct {
		struct ib_uverbs_ex_query_device_resp core;
		uint8_t driver[40];
	} resp;
	struct ibv_device_attr_ex *attr;
	/* Of older programs, in memory of that size */
	size_t size =
		sizeof(struct ibv_device_attr) +
		fuzz_below(sizeof(*attr) - sizeof(struct ibv_device_attr) + 1);
	size_t resp_size = fuzz_u8() & 1 ? sizeof(resp) : sizeof(resp.core);

	attr = fresh(size);
	if (!ibv_cmd_query_device_any(context, NULL, attr, size, &resp.core,
				      &resp_size))
		fuzz_check(resp_size <= sizeof(resp), "a reply without end");
	free(attr);
}

static void op_list(void)
{
	uint32_t *handles = fresh(UVERBS_LIST_MAX * sizeof(*handles));
	uint32_t count = 0;

	if (!uverbs_list_handles(context->cmd_fd, 1, UVERBS_OBJECT_PD, handles,
				 &count))
		fuzz_check(count <= UVERBS_LIST_MAX, "a list without end");
	free(handles);
}

static void op_channel(void)
{
	int fd;

	if (!uverbs_create_comp_channel(context, &fd))
		close(fd);
	if (!uverbs_alloc_async_fd(context, &fd))
		close(fd);
}

/* Records of an event, whole or not; the object is one that we have. */
static void op_event(void)
{
	struct ib_uverbs_async_event_desc record = {
		.element = (uintptr_t)&qp,
		.event_type = fuzz_number(),
	};
	int ends[2], kept = context->async_fd;
	struct ibv_async_event event;

	/* Those of a CQ and others have no object here. */
	if (record.event_type == IBV_EVENT_CQ_ERR ||
	    record.event_type == IBV_EVENT_SRQ_ERR ||
	    record.event_type == IBV_EVENT_SRQ_LIMIT_REACHED ||
	    record.event_type == IBV_EVENT_WQ_FATAL)
		return;
	fuzz_check(!pipe(ends), "no pipe");
	(void)!write(ends[1], &record,
		     fuzz_u8() & 7 ? sizeof(record)
				   : fuzz_below(sizeof(record)));
	close(ends[1]);
	context->async_fd = ends[0];
	if (!ibv_get_async_event(context, &event))
		ibv_ack_async_event(&event);
	context->async_fd = kept;
	close(ends[0]);
}

static void (*const ops[])(void) = {
	op_wq,	   op_table,  op_flow,	   op_action, op_counters,
	op_dm,	   op_dmabuf, op_query_mr, op_xrcd,   op_context,
	op_device, op_list,   op_channel,  op_event,  object_destroy_any,
};

void fuzz_setup(void)
{
	pthread_mutex_init(&qp.mutex, NULL);
	pthread_cond_init(&qp.cond, NULL);
}

void fuzz_run(void)
{
	kernel_begin();
	context = test_context_open();
	fuzz_check(context, "no context");
	pd.context = cq.context = qp.context = context;
	for (int i = 0; i < 40 && fuzz_left(); i++)
		ops[fuzz_below(sizeof(ops) / sizeof(ops[0]))]();
	kernel.honest = true;
	object_destroy_all();
	ibv_close_device(context);
	kernel_end();
}
