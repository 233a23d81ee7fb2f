// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A ping-pong's objects, made and destroyed in the reverse order. */
#include <stdio.h>
#include <stdlib.h>

#include "pingpong.h"

const char *pingpong_which(const struct pingpong *pp, int index)
{
	static char text[16];

	if (!pp->kind->srq)
		return "";
	snprintf(text, sizeof(text), "[%d]", index);
	return text;
}

static int open_device(struct pingpong *pp, struct ibv_device **list)
{
	struct ibv_device *device = tool_find_device(list, pp->opt.ib_dev);

	if (!device) {
		if (pp->opt.ib_dev)
			fprintf(stderr, "IB device %s not found\n",
				pp->opt.ib_dev);
		else
			fprintf(stderr, "No IB devices found\n");
		return -1;
	}
	if (pingpong_alloc_buffer(pp))
		return -1;
	pp->context = ibv_open_device(device);
	if (!pp->context) {
		fprintf(stderr, "Couldn't get context for %s\n",
			ibv_get_device_name(device));
		return -1;
	}
	return 0;
}

static int open_any_device(struct pingpong *pp)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	int err;

	if (!list) {
		perror("Failed to get IB devices list");
		return -1;
	}
	err = open_device(pp, list);
	ibv_free_device_list(list);
	return err;
}

static int create_cq(struct pingpong *pp)
{
	const struct pingpong_options *opt = &pp->opt;
	/* Each QP has one send under way. */
	int cqe = (unsigned int)opt->rx_depth + opt->num_qp;

	if (opt->timestamps) {
		struct ibv_cq_init_attr_ex attr = {
			.cqe = cqe,
			.channel = pp->channel,
			.wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP,
		};

		pp->cq_ex = ibv_create_cq_ex(pp->context, &attr);
		if (pp->cq_ex)
			pp->cq = ibv_cq_ex_to_cq(pp->cq_ex);
	} else {
		pp->cq = ibv_create_cq(pp->context, cqe, NULL, pp->channel, 0);
	}
	if (!pp->cq) {
		fprintf(stderr, "Couldn't create CQ\n");
		return -1;
	}
	return 0;
}

static int create_srq(struct pingpong *pp)
{
	struct ibv_srq_init_attr attr = {
		.attr = { .max_wr = pp->opt.rx_depth, .max_sge = 1 },
	};

	pp->srq = ibv_create_srq(pp->pd, &attr);
	if (!pp->srq) {
		fprintf(stderr, "Couldn't create SRQ\n");
		return -1;
	}
	return 0;
}

static struct ibv_qp *create_qp_for_new_send(struct pingpong *pp,
					     const struct ibv_qp_cap *cap)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = pp->cq,
		.recv_cq = pp->cq,
		.cap = *cap,
		.qp_type = pp->kind->type,
		.comp_mask =
			IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = pp->pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};

	return ibv_create_qp_ex(pp->context, &attr);
}

static int create_qp(struct pingpong *pp, int index)
{
	struct pingpong_qp *one = &pp->qps[index];
	struct ibv_qp_init_attr attr = {
		.send_cq = pp->cq,
		.recv_cq = pp->cq,
		.srq = pp->srq,
		.cap = { .max_send_wr = 1, .max_send_sge = 1 },
		.qp_type = pp->kind->type,
	};
	struct ibv_qp_attr now;

	if (!pp->srq) {
		attr.cap.max_recv_wr = pp->opt.rx_depth;
		attr.cap.max_recv_sge = 1;
	}
	if (pp->opt.new_send)
		one->qp = create_qp_for_new_send(pp, &attr.cap);
	else
		one->qp = ibv_create_qp(pp->pd, &attr);
	if (!one->qp) {
		fprintf(stderr, "Couldn't create QP%s\n",
			pingpong_which(pp, index));
		return -1;
	}
	if (pp->opt.new_send)
		one->ex = ibv_qp_to_qp_ex(one->qp);
	one->send_flags = IBV_SEND_SIGNALED;
	/* The CPU cannot read device memory while it posts. */
	if (!ibv_query_qp(one->qp, &now, IBV_QP_CAP, &attr) && !pp->opt.dm &&
	    attr.cap.max_inline_data >= pp->opt.size)
		one->send_flags |= IBV_SEND_INLINE;
	return 0;
}

static int create_qps(struct pingpong *pp)
{
	int i;

	pp->qps = calloc((size_t)pp->opt.num_qp + 1, sizeof(*pp->qps));
	if (!pp->qps) {
		fprintf(stderr, "Couldn't create QP%s\n",
			pingpong_which(pp, 0));
		return -1;
	}
	for (i = 0; i < pp->opt.num_qp; i++)
		if (create_qp(pp, i))
			return -1;
	for (i = 0; i < pp->opt.num_qp; i++)
		if (pp->kind->init(pp, i))
			return -1;
	return 0;
}

int pingpong_setup(struct pingpong *pp)
{
	if (open_any_device(pp))
		return -1;
	if (pp->kind->preflight && pp->kind->preflight(pp))
		return -1;
	if (pp->opt.events) {
		pp->channel = ibv_create_comp_channel(pp->context);
		if (!pp->channel) {
			fprintf(stderr, "Couldn't create completion channel\n");
			return -1;
		}
	}
	pp->pd = ibv_alloc_pd(pp->context);
	if (!pp->pd) {
		fprintf(stderr, "Couldn't allocate PD\n");
		return -1;
	}
	if (pingpong_register(pp) || create_cq(pp))
		return -1;
	if (pp->kind->srq && create_srq(pp))
		return -1;
	return create_qps(pp);
}

static int failed(bool quiet, const char *what, const char *which)
{
	if (!quiet)
		fprintf(stderr, "Couldn't %s%s\n", what, which);
	return -1;
}

static int destroy_qps(struct pingpong *pp, bool quiet)
{
	int i;

	for (i = 0; pp->qps && i < pp->opt.num_qp; i++) {
		if (pp->qps[i].qp && ibv_destroy_qp(pp->qps[i].qp))
			return failed(quiet, "destroy QP",
				      pingpong_which(pp, i));
		pp->qps[i].qp = NULL;
	}
	return 0;
}

/*
 * Stops at the first thing that cannot be freed, as what it depends on cannot
 * be freed either.
 */
int pingpong_teardown(struct pingpong *pp, bool quiet)
{
	if (pp->unacked)
		ibv_ack_cq_events(pp->cq, pp->unacked);
	pp->unacked = 0;
	if (destroy_qps(pp, quiet))
		return -1;
	if (pp->srq && ibv_destroy_srq(pp->srq))
		return failed(quiet, "destroy SRQ", "");
	if (pp->cq && ibv_destroy_cq(pp->cq))
		return failed(quiet, "destroy CQ", "");
	if (pingpong_unregister(pp, quiet))
		return -1;
	if (pp->ah && ibv_destroy_ah(pp->ah))
		return failed(quiet, "destroy AH", "");
	if (pp->pd && ibv_dealloc_pd(pp->pd))
		return failed(quiet, "deallocate PD", "");
	if (pp->channel && ibv_destroy_comp_channel(pp->channel))
		return failed(quiet, "destroy completion channel", "");
	if (pp->context && ibv_close_device(pp->context))
		return failed(quiet, "release context", "");
	free(pp->qps);
	free(pp->buf);
	return 0;
}
