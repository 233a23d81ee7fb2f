// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The data path, call by call. */
#include <unistd.h>

#include "verbs_worker.h"

#define SIZE 8
#define LIST 16
#define BATCH 64

static void fill(struct world *w, struct ibv_send_wr *wr, struct ibv_sge *sge)
{
	*sge = (struct ibv_sge){
		.addr = (uintptr_t)w->memory,
		.length = SIZE,
		.lkey = w->mr->lkey,
	};
	*wr = (struct ibv_send_wr){
		.sg_list = sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = {
			.remote_addr = (uintptr_t)w->memory + REGION / 2,
			.rkey = w->mr->rkey,
		},
	};
}

static void post_send(struct world *w, unsigned int n)
{
	struct ibv_send_wr wr, *bad;
	struct ibv_sge sge;

	fill(w, &wr, &sge);
	while (n--)
		NEED(!ibv_post_send(w->qp, &wr, &bad));
}

/* n counts requests, not calls. */
static void post_list(struct world *w, unsigned int n)
{
	struct ibv_send_wr wr[LIST], *bad;
	struct ibv_sge sge[LIST];
	unsigned int i, len;

	for (i = 0; i < LIST; i++)
		fill(w, &wr[i], &sge[i]);
	for (; n; n -= len) {
		len = n < LIST ? n : LIST;
		for (i = 0; i < len; i++)
			wr[i].next = i + 1 < len ? &wr[i + 1] : NULL;
		NEED(!ibv_post_send(w->qp, wr, &bad));
	}
}

static void post_recv(struct world *w, unsigned int n)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)w->memory,
		.length = SIZE,
		.lkey = w->mr->lkey,
	};
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	while (n--)
		NEED(!ibv_post_recv(w->spare, &wr, &bad));
}

static void prepare_recv(struct world *w, unsigned int n)
{
	(void)n;
	world_to_init(w->spare);
}

static void drop_recv(struct world *w, unsigned int n)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	(void)n;
	NEED(!ibv_modify_qp(w->spare, &reset, IBV_QP_STATE));
}

static void poll_empty(struct world *w, unsigned int n)
{
	struct ibv_wc wc;

	while (n--)
		NEED(ibv_poll_cq(w->cq, 1, &wc) == 0);
}

/* Post, and give the kernel time to complete them all. */
static void prepare_poll(struct world *w, unsigned int n)
{
	post_list(w, n);
	usleep(20000);
}

static void write_poll(struct world *w, unsigned int n)
{
	while (n--) {
		post_send(w, 1);
		world_reap(w, 1);
	}
}

const struct op data_ops[] = {
	{ "post_send", BATCH, true, .run = post_send, .after = world_reap },
	{ "post_list", BATCH, true, .run = post_list, .after = world_reap },
	{ "post_recv", BATCH, true, prepare_recv, drop_recv, post_recv },
	{ "poll_cq", BATCH, true, .before = prepare_poll, .run = world_reap },
	{ "poll_empty", 1000, true, .run = poll_empty },
	{ "write_poll", 1000, false, .run = write_poll },
	{ .name = NULL },
};
