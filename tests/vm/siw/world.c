// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Connected pairs of QPs, and waiting for what becomes of requests. */
#include <arpa/inet.h>
#include <poll.h>
#include <sys/mman.h>
#include <time.h>

#include "world.h"

static struct rdma_cm_event *next_cm_event(struct rdma_event_channel *channel)
{
	struct pollfd fd = { .fd = channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;

	if (poll(&fd, 1, WAIT_MS) != 1)
		FATAL("no event of the connection manager");
	NEED(!rdma_get_cm_event(channel, &event));
	return event;
}

static struct rdma_cm_id *take_event(struct rdma_event_channel *channel,
				     enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event = next_cm_event(channel);
	struct rdma_cm_id *id = event->id;

	if (event->event != type)
		FATAL("%s (%d) instead of %s", rdma_event_str(event->event),
		      event->status, rdma_event_str(type));
	NEED(!rdma_ack_cm_event(event));
	return id;
}

void expect_cm_event(struct side *side, enum rdma_cm_event_type type)
{
	take_event(side->channel, type);
}

static void make_objects(struct side *side, const struct options *o, bool srq)
{
	struct ibv_qp_init_attr attr = {
		.cap.max_send_wr = o->max_wr ? o->max_wr : 16,
		.cap.max_recv_wr = o->max_wr ? o->max_wr : 16,
		.cap.max_send_sge = o->max_sge ? o->max_sge : 4,
		.cap.max_recv_sge = o->max_sge ? o->max_sge : 4,
		.cap.max_inline_data = 80,
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = o->sq_sig_all,
	};
	struct ibv_srq_init_attr srq_attr = {
		.attr.max_wr = attr.cap.max_recv_wr,
		.attr.max_sge = attr.cap.max_recv_sge,
	};

	side->context = side->id->verbs;
	if (!side->pd) {
		NEED(side->pd = ibv_alloc_pd(side->context));
		side->own_pd = true;
	}
	NEED(side->comp = ibv_create_comp_channel(side->context));
	NEED(side->cq = ibv_create_cq(side->context, o->cqe ? o->cqe : 64, side,
				      side->comp, 0));
	if (srq) {
		NEED(side->srq = ibv_create_srq(side->pd, &srq_attr));
		attr.srq = side->srq;
	}
	side->buf = test_memory(SIDE_BYTES);
	if (side->own_pd)
		NEED(side->mr = ibv_reg_mr(side->pd, side->buf, SIDE_BYTES,
					   SIW_ACCESS));
	attr.send_cq = attr.recv_cq = side->cq;
	NEED(!rdma_create_qp(side->id, side->pd, &attr));
	side->qp = side->id->qp;
}

static void close_side(struct side *side)
{
	if (!side->id)
		return;
	rdma_destroy_qp(side->id);
	if (side->srq)
		RETURNS(ibv_destroy_srq(side->srq), 0);
	RETURNS(ibv_destroy_cq(side->cq), 0);
	RETURNS(ibv_destroy_comp_channel(side->comp), 0);
	if (side->mr)
		RETURNS(ibv_dereg_mr(side->mr), 0);
	if (side->own_pd)
		RETURNS(ibv_dealloc_pd(side->pd), 0);
	munmap(side->buf, SIDE_BYTES);
	RETURNS(rdma_destroy_id(side->id), 0);
	rdma_destroy_event_channel(side->channel);
}

void pair_open(struct pair *p, const struct options *options)
{
	static const struct options usual;
	const struct options *o = options ? options : &usual;
	struct sockaddr_in address = { .sin_family = AF_INET };
	struct rdma_conn_param param = {
		.initiator_depth = 4,
		.responder_resources = 4,
	};

	memset(p, 0, sizeof(*p));
	inet_pton(AF_INET, "10.9.0.1", &address.sin_addr);
	NEED(p->listen_channel = rdma_create_event_channel());
	NEED(!rdma_create_id(p->listen_channel, &p->listener, NULL,
			     RDMA_PS_TCP));
	NEED(!rdma_bind_addr(p->listener, (struct sockaddr *)&address));
	NEED(!rdma_listen(p->listener, 4));
	address.sin_port = rdma_get_src_port(p->listener);

	NEED(p->client.channel = rdma_create_event_channel());
	NEED(!rdma_create_id(p->client.channel, &p->client.id, NULL,
			     RDMA_PS_TCP));
	NEED(!rdma_resolve_addr(p->client.id, NULL, (struct sockaddr *)&address,
				WAIT_MS));
	expect_cm_event(&p->client, RDMA_CM_EVENT_ADDR_RESOLVED);
	NEED(!rdma_resolve_route(p->client.id, WAIT_MS));
	expect_cm_event(&p->client, RDMA_CM_EVENT_ROUTE_RESOLVED);
	if (o->client_pd)
		NEED(p->client.pd = o->client_pd(p->client.id->verbs, o->arg));
	make_objects(&p->client, o, false);
	NEED(!rdma_connect(p->client.id, &param));

	p->server.id =
		take_event(p->listen_channel, RDMA_CM_EVENT_CONNECT_REQUEST);
	NEED(p->server.channel = rdma_create_event_channel());
	NEED(!rdma_migrate_id(p->server.id, p->server.channel));
	make_objects(&p->server, o, o->server_srq);
	if (!o->qps_only)
		pair_connect(p);
}

void pair_connect(struct pair *p)
{
	struct rdma_conn_param param = {
		.initiator_depth = 4,
		.responder_resources = 4,
	};

	NEED(!rdma_accept(p->server.id, &param));
	expect_cm_event(&p->client, RDMA_CM_EVENT_ESTABLISHED);
	expect_cm_event(&p->server, RDMA_CM_EVENT_ESTABLISHED);
}

void pair_close(struct pair *p)
{
	close_side(&p->client);
	close_side(&p->server);
	RETURNS(rdma_destroy_id(p->listener), 0);
	rdma_destroy_event_channel(p->listen_channel);
}

struct ibv_sge sge_of(const struct side *side, size_t offset, uint32_t length)
{
	return (struct ibv_sge){
		.addr = (uintptr_t)side->buf + offset,
		.length = length,
		.lkey = side->mr->lkey,
	};
}

int post(struct side *side, enum ibv_wr_opcode opcode, size_t offset,
	 uint32_t length, const struct side *target, size_t target_offset,
	 uint64_t wr_id)
{
	struct ibv_sge sge = sge_of(side, offset, length);
	struct ibv_send_wr *bad, wr = {
		.wr_id = wr_id,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
	};

	if (target && opcode == IBV_WR_SEND_WITH_INV) {
		wr.invalidate_rkey = target->mr->rkey;
	} else if (target) {
		wr.wr.rdma.remote_addr = (uintptr_t)target->buf + target_offset;
		wr.wr.rdma.rkey = target->mr->rkey;
	}
	return ibv_post_send(side->qp, &wr, &bad);
}

int post_recv(struct side *side, size_t offset, uint32_t length, uint64_t wr_id)
{
	struct ibv_sge sge = sge_of(side, offset, length);
	struct ibv_recv_wr *bad, wr = {
		.wr_id = wr_id,
		.sg_list = &sge,
		.num_sge = 1,
	};

	return side->srq ? ibv_post_srq_recv(side->srq, &wr, &bad)
			 : ibv_post_recv(side->qp, &wr, &bad);
}

static bool wait_wc(struct side *side, struct ibv_wc *wc, int ms)
{
	struct timespec now, pause = { .tv_nsec = 200000 };
	int64_t end;
	int n;

	clock_gettime(CLOCK_MONOTONIC, &now);
	end = now.tv_sec * 1000 + now.tv_nsec / 1000000 + ms;
	for (;;) {
		n = ibv_poll_cq(side->cq, 1, wc);
		if (n)
			return n == 1;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec * 1000 + now.tv_nsec / 1000000 > end)
			return false;
		nanosleep(&pause, NULL);
	}
}

bool next_wc(struct side *side, struct ibv_wc *wc)
{
	return wait_wc(side, wc, WAIT_MS);
}

void expect_wc_at(const char *file, int line, struct side *side, uint64_t wr_id,
		  enum ibv_wc_status status, int opcode, uint32_t byte_len)
{
	struct ibv_wc wc;

	if (!next_wc(side, &wc))
		test_fatal(file, line, "no completion");
	test_check(wc.wr_id == wr_id && wc.status == status &&
			   wc.qp_num == side->qp->qp_num && !wc.wc_flags &&
			   (opcode == ANY_OPCODE || (int)wc.opcode == opcode) &&
			   (byte_len == ANY_LENGTH || wc.byte_len == byte_len),
		   file, line,
		   "completion: wr_id %llu instead of %llu, %s instead of %s,"
		   " opcode %d of %d, %u bytes of %u, QP %u of %u, flags %x",
		   (unsigned long long)wc.wr_id, (unsigned long long)wr_id,
		   ibv_wc_status_str(wc.status), ibv_wc_status_str(status),
		   wc.opcode, opcode, wc.byte_len, byte_len, wc.qp_num,
		   side->qp->qp_num, wc.wc_flags);
}

void expect_no_wc_at(const char *file, int line, struct side *side, int ms)
{
	struct ibv_wc wc = {};
	bool got = wait_wc(side, &wc, ms);

	test_check(!got, file, line, "a completion: wr_id %llu, %s",
		   (unsigned long long)wc.wr_id, ibv_wc_status_str(wc.status));
}

void fill_bytes(char *memory, size_t length, unsigned int seed)
{
	size_t i;

	for (i = 0; i < length; i++)
		memory[i] = (i * 2654435761u ^ seed * 40503u) >> 5;
}

bool same_bytes(const char *memory, size_t length, unsigned int seed)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (memory[i] != (char)((i * 2654435761u ^ seed * 40503u) >> 5))
			return false;
	return true;
}

bool is_ours(void)
{
	return test_has_import_ops();
}
