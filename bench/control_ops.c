// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The control path: what programs do before and after they move data. */
#include "verbs_worker.h"

static void list(struct world *w, unsigned int n)
{
	struct ibv_device **devices;

	(void)w;
	while (n--) {
		NEED(devices = ibv_get_device_list(NULL));
		ibv_free_device_list(devices);
	}
}

static void open_close(struct world *w, unsigned int n)
{
	struct ibv_context *context;

	while (n--) {
		NEED(context = ibv_open_device(w->list[0]));
		NEED(!ibv_close_device(context));
	}
}

static void list_open(struct world *w, unsigned int n)
{
	struct ibv_device **devices;
	struct ibv_context *context;

	(void)w;
	while (n--) {
		NEED(devices = ibv_get_device_list(NULL));
		NEED(context = ibv_open_device(devices[0]));
		ibv_free_device_list(devices);
		NEED(!ibv_close_device(context));
	}
}

static void query_device(struct world *w, unsigned int n)
{
	struct ibv_device_attr attr;

	while (n--)
		NEED(!ibv_query_device(w->context, &attr));
}

static void query_port(struct world *w, unsigned int n)
{
	struct ibv_port_attr attr;

	while (n--)
		NEED(!ibv_query_port(w->context, 1, &attr));
}

static void query_gid(struct world *w, unsigned int n)
{
	union ibv_gid gid;

	while (n--)
		NEED(!ibv_query_gid(w->context, 1, GID_INDEX, &gid));
}

static void pd(struct world *w, unsigned int n)
{
	struct ibv_pd *made;

	while (n--) {
		NEED(made = ibv_alloc_pd(w->context));
		NEED(!ibv_dealloc_pd(made));
	}
}

static void mr(struct world *w, unsigned int n)
{
	struct ibv_mr *made;

	while (n--) {
		NEED(made = ibv_reg_mr(w->pd, w->memory, REGION,
				       IBV_ACCESS_LOCAL_WRITE));
		NEED(!ibv_dereg_mr(made));
	}
}

static void cq(struct world *w, unsigned int n)
{
	struct ibv_cq *made;

	while (n--) {
		NEED(made = ibv_create_cq(w->context, QUEUE_DEPTH, NULL, NULL,
					  0));
		NEED(!ibv_destroy_cq(made));
	}
}

static void qp(struct world *w, unsigned int n)
{
	struct ibv_qp *made;

	while (n--) {
		NEED(made = world_create_qp(w));
		NEED(!ibv_destroy_qp(made));
	}
}

static void to_rts(struct world *w, unsigned int n)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	while (n--) {
		world_to_init(w->spare);
		world_to_rtr(w, w->spare, w->spare->qp_num);
		world_to_rts(w->spare);
		NEED(!ibv_modify_qp(w->spare, &reset, IBV_QP_STATE));
	}
}

static void ah(struct world *w, unsigned int n)
{
	struct ibv_ah_attr attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = {
			.dgid = w->gid,
			.sgid_index = GID_INDEX,
			.hop_limit = 1,
		},
	};
	struct ibv_ah *made;

	while (n--) {
		NEED(made = ibv_create_ah(w->pd, &attr));
		NEED(!ibv_destroy_ah(made));
	}
}

const struct op control_ops[] = {
	{ "list", 1000, true, .run = list },
	{ "open_close", 1000, true, .run = open_close },
	{ "list_open", 1000, true, .run = list_open },
	{ "query_device", 1000, true, .run = query_device },
	{ "query_port", 1000, true, .run = query_port },
	{ "query_gid", 1000, true, .run = query_gid },
	{ "pd", 1000, true, .run = pd },
	{ "mr_4k", 1000, true, .run = mr },
	{ "cq", 1000, true, .run = cq },
	{ "qp", 1000, true, .run = qp },
	{ "to_rts", 1000, true, .run = to_rts },
	{ "ah", 1000, true, .run = ah },
	{ .name = NULL },
};
