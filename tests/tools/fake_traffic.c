// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The fake device's data path.  Each QP is a datagram socket named after its
 * number.  To make runs alike, a CQ gives one completion at a time, and looks
 * for messages only when it has none of its own sends left.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fake.h"

#define GRH_BYTES 40
#define MAX_MESSAGE (64u << 10)
#define MAX_QPS 256

struct message {
	uint32_t src_qpn;
	uint32_t srqn;
	uint32_t length;
	uint32_t imm;
	uint32_t has_imm;
	unsigned char bytes[MAX_MESSAGE];
};

#define HEADER_BYTES offsetof(struct message, bytes)

int fake_queue_alloc(struct fake_recv_queue *queue, uint32_t size)
{
	queue->size = size;
	queue->entries = calloc(size + 1, sizeof(*queue->entries));
	return queue->entries ? 0 : ENOMEM;
}

static struct sockaddr_un address_of(uint32_t qpn)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s/qp-%x",
		     fake_env("FAKE_DIR", "."),
		     qpn) >= (int)sizeof(address.sun_path))
		abort();
	return address;
}

int fake_qp_bind(struct fake_qp *qp)
{
	struct sockaddr_un address = address_of(qp->ex.qp_base.qp_num);

	unlink(address.sun_path);
	qp->sock =
		socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (qp->sock < 0)
		return errno;
	if (bind(qp->sock, (struct sockaddr *)&address, sizeof(address)))
		return errno;
	return 0;
}

void fake_qp_unbind(struct fake_qp *qp)
{
	struct sockaddr_un address = address_of(qp->ex.qp_base.qp_num);

	close(qp->sock);
	unlink(address.sun_path);
}

/* Does the environment variable name this one? Its value: "n" or "n=value" */
static bool is_nth(const char *name, unsigned long n, int *value)
{
	const char *text = getenv(name);
	char *end;

	if (!text || strtoul(text, &end, 0) != n)
		return false;
	if (value && *end == '=')
		*value = strtol(end + 1, NULL, 0);
	return true;
}

static void complete(struct ibv_cq *ibcq, const struct ibv_wc *wc)
{
	static unsigned long count;
	struct fake_cq *cq = (struct fake_cq *)ibcq;
	struct fake_completion *completion = fake_alloc(sizeof(*completion));
	int status = IBV_WC_GENERAL_ERR;

	completion->wc = *wc;
	if (is_nth("FAKE_WC", ++count, &status))
		completion->wc.status = status;
	completion->timestamp = ++cq->timestamps * 1000;
	*cq->last = completion;
	cq->last = &completion->next;
}

/* ---- receive ---- */

static int post(struct fake_recv_queue *queue, struct ibv_recv_wr *wr,
		struct ibv_recv_wr **bad_wr)
{
	for (; wr; wr = wr->next) {
		struct fake_recv *entry;

		if (queue->tail - queue->head == queue->size) {
			*bad_wr = wr;
			return ENOMEM;
		}
		entry = &queue->entries[queue->tail++ % queue->size];
		entry->wr_id = wr->wr_id;
		entry->num_sge = wr->num_sge;
		entry->sge = wr->sg_list[0];
	}
	return 0;
}

static int log_recv(const char *verb, struct ibv_recv_wr *wr)
{
	return fake_call(verb, " id=%lu sge=%d length=%#x lkey=%#x align=%lu%s",
			 (unsigned long)wr->wr_id, wr->num_sge,
			 wr->sg_list[0].length, wr->sg_list[0].lkey,
			 (unsigned long)wr->sg_list[0].addr % 4096,
			 wr->next ? " and more" : "");
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		     struct ibv_recv_wr **bad_wr)
{
	int err = log_recv("post_recv", wr);

	if (err)
		return err;
	return post(&((struct fake_qp *)qp)->queue, wr, bad_wr);
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
			 struct ibv_recv_wr **bad_wr)
{
	int err = log_recv("post_srq_recv", wr);

	if (err)
		return err;
	return post(&((struct fake_srq *)srq)->queue, wr, bad_wr);
}

static void deliver(struct fake_qp *qp, struct message *message)
{
	static unsigned long count;
	struct ibv_qp *base = &qp->ex.qp_base;
	bool xrc = base->qp_type == IBV_QPT_XRC_RECV;
	struct fake_srq *srq = xrc ? fake_srqs : (struct fake_srq *)base->srq;
	struct fake_recv_queue *queue = srq ? &srq->queue : &qp->queue;
	bool ud = base->qp_type == IBV_QPT_UD;
	struct fake_recv *entry = &queue->entries[queue->head++ % queue->size];
	unsigned char *to = fake_memory(&entry->sge);
	struct ibv_wc wc = {
		.wr_id = entry->wr_id,
		.opcode = IBV_WC_RECV,
		.qp_num = xrc ? srq->number : base->qp_num,
		.src_qp = message->src_qpn,
		.byte_len = message->length + (ud ? GRH_BYTES : 0),
		.imm_data = message->imm,
		.wc_flags = (message->has_imm ? IBV_WC_WITH_IMM : 0) |
			    (ud ? IBV_WC_GRH : 0),
	};

	if (xrc)
		wc.qp_num = base->qp_num;
	if (is_nth("FAKE_DAMAGE", ++count, NULL))
		memset(message->bytes, 0xee,
		       message->length < 16 ? message->length : 16);
	if (wc.byte_len > entry->sge.length) {
		wc.status = IBV_WC_LOC_LEN_ERR;
	} else if (!to) {
		wc.status = IBV_WC_LOC_PROT_ERR;
	} else {
		if (ud) {
			memset(to, 0xbb, GRH_BYTES);
			to += GRH_BYTES;
		}
		memcpy(to, message->bytes, message->length);
	}
	complete(xrc ? srq->cq : base->recv_cq, &wc);
}

/* Takes one message that is for this CQ (any, if NULL), if there is one. */
static bool receive(struct ibv_cq *cq)
{
	struct fake_qp *qp;
	static struct message message;

	for (qp = fake_qps; qp; qp = qp->next) {
		struct ibv_qp *base = &qp->ex.qp_base;
		bool xrc = base->qp_type == IBV_QPT_XRC_RECV;
		struct fake_srq *srq =
			xrc ? fake_srqs : (struct fake_srq *)base->srq;
		struct fake_recv_queue *queue = srq ? &srq->queue : &qp->queue;
		struct ibv_cq *to =
			xrc ? (srq ? srq->cq : NULL) : base->recv_cq;

		if (!to || (cq && to != cq) || queue->head == queue->tail)
			continue;
		if (recv(qp->sock, &message, sizeof(message), 0) <
		    (ssize_t)HEADER_BYTES)
			continue;
		deliver(qp, &message);
		return true;
	}
	return false;
}

static void wait_for_messages(int timeout_ms)
{
	struct pollfd fds[MAX_QPS];
	struct fake_qp *qp;
	nfds_t n = 0;

	for (qp = fake_qps; qp && n < MAX_QPS; qp = qp->next)
		fds[n++] = (struct pollfd){ .fd = qp->sock, .events = POLLIN };
	poll(fds, n, timeout_ms);
}

/* ---- completions ---- */

static struct fake_completion *take_queued(struct fake_cq *cq)
{
	struct fake_completion *first = cq->first;

	if (!first)
		return NULL;
	cq->first = first->next;
	if (!cq->first)
		cq->last = &cq->first;
	return first;
}

static struct fake_completion *take(struct fake_cq *cq)
{
	if (!cq->first && !receive((struct ibv_cq *)cq)) {
		wait_for_messages(1);
		receive((struct ibv_cq *)cq);
	}
	return take_queued(cq);
}

static int poll_cq(struct ibv_cq *ibcq, int num_entries, struct ibv_wc *wc)
{
	struct fake_completion *first;
	int err;

	(void)num_entries;
	first = take((struct fake_cq *)ibcq);
	if (!first)
		return 0;
	err = fake_call("poll_cq", " room=%d id=%lu", num_entries,
			(unsigned long)first->wc.wr_id);
	*wc = first->wc;
	free(first);
	return err ? -1 : 1;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	int err = fake_call("req_notify_cq", " solicited=%d", solicited_only);

	if (!err)
		((struct fake_cq *)cq)->armed = true;
	return err;
}

struct fake_cq *fake_wait_event(struct ibv_comp_channel *channel)
{
	struct fake_cq *cq;

	for (;;) {
		for (cq = fake_cqs; cq; cq = cq->next)
			if (cq->armed && cq->first &&
			    cq->ex.channel == channel) {
				cq->armed = false;
				return cq;
			}
		if (!receive(NULL))
			wait_for_messages(-1);
	}
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
		     void **cq_context)
{
	int err = fake_call_plain("get_cq_event");
	struct fake_cq *ready;

	if (err == ENOENT) {
		/* An event of something else */
		static struct ibv_cq stranger;

		*cq = &stranger;
		*cq_context = NULL;
		return 0;
	}
	if (err) {
		errno = err;
		return -1;
	}
	ready = fake_wait_event(channel);
	*cq = (struct ibv_cq *)ready;
	*cq_context = ready->ex.cq_context;
	return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents)
{
	(void)cq;
	fake_call("ack_cq_events", " %u", nevents);
}

static void show_current(struct fake_cq *cq)
{
	cq->ex.wr_id = cq->current->wc.wr_id;
	cq->ex.status = cq->current->wc.status;
}

static int next_poll(struct ibv_cq_ex *ex)
{
	struct fake_cq *cq = (struct fake_cq *)ex;
	int err;

	free(cq->current);
	/* Whether a message is there by now would be a matter of luck. */
	cq->current = take_queued(cq);
	if (!cq->current)
		return ENOENT;
	err = fake_call("next_poll", " id=%lu",
			(unsigned long)cq->current->wc.wr_id);
	if (err)
		return err;
	show_current(cq);
	return 0;
}

static int start_poll(struct ibv_cq_ex *ex, struct ibv_poll_cq_attr *attr)
{
	struct fake_cq *cq = (struct fake_cq *)ex;
	int err;

	cq->current = take(cq);
	if (!cq->current)
		return ENOENT;
	err = fake_call("start_poll", " mask=%#x id=%lu", attr->comp_mask,
			(unsigned long)cq->current->wc.wr_id);
	if (err) {
		free(cq->current);
		cq->current = NULL;
		return err;
	}
	show_current(cq);
	return 0;
}

static void end_poll(struct ibv_cq_ex *ex)
{
	struct fake_cq *cq = (struct fake_cq *)ex;

	fake_call_plain("end_poll");
	free(cq->current);
	cq->current = NULL;
}

static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *ex)
{
	return ((struct fake_cq *)ex)->current->wc.opcode;
}

static uint64_t read_completion_ts(struct ibv_cq_ex *ex)
{
	fake_call_plain("read_completion_ts");
	return ((struct fake_cq *)ex)->current->timestamp;
}

void fake_fill_cq_ex(struct fake_cq *cq)
{
	cq->ex.start_poll = start_poll;
	cq->ex.next_poll = next_poll;
	cq->ex.end_poll = end_poll;
	cq->ex.read_opcode = read_opcode;
	cq->ex.read_completion_ts = read_completion_ts;
}

/* ---- send ---- */

/* Two bytes from the start of each of the first pages */
static const char *look_at(const struct ibv_sge *sge)
{
	const unsigned char *bytes = fake_memory(sge);
	static char text[64];
	size_t len = 0;
	uint32_t at;

	text[0] = 0;
	for (at = 0; bytes && at + 1 < sge->length && at < 5 * 4096; at += 4096)
		len += snprintf(text + len, sizeof(text) - len, " %02x%02x",
				bytes[at], bytes[at + 1]);
	return text;
}

static void send_message(struct fake_qp *qp, uint64_t wr_id, unsigned int flags,
			 const struct ibv_sge *sge, uint32_t qpn, uint32_t srqn)
{
	struct sockaddr_un address = address_of(qpn);
	const void *from = fake_memory(sge);
	static struct message message;
	struct ibv_wc wc = {
		.wr_id = wr_id,
		.opcode = IBV_WC_SEND,
		.qp_num = qp->ex.qp_base.qp_num,
	};
	ssize_t n;

	message.src_qpn = qp->ex.qp_base.qp_num;
	message.srqn = srqn;
	message.length = sge->length < MAX_MESSAGE ? sge->length : MAX_MESSAGE;
	if (!from) {
		wc.status = IBV_WC_LOC_PROT_ERR;
	} else {
		memcpy(message.bytes, from, message.length);
		n = sendto(qp->sock, &message, HEADER_BYTES + message.length, 0,
			   (struct sockaddr *)&address, sizeof(address));
		if (n < 0 && qp->ex.qp_base.qp_type == IBV_QPT_RC)
			wc.status = IBV_WC_RETRY_EXC_ERR;
	}
	if (wc.status != IBV_WC_SUCCESS || (flags & IBV_SEND_SIGNALED))
		complete(qp->ex.qp_base.send_cq, &wc);
}

static int post_send(struct ibv_qp *ibqp, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad_wr)
{
	struct fake_qp *qp = (struct fake_qp *)ibqp;
	bool ud = ibqp->qp_type == IBV_QPT_UD;
	bool xrc = ibqp->qp_type == IBV_QPT_XRC_SEND;
	int err;

	err = fake_call("post_send",
			" %#x id=%lu opcode=%d flags=%#x sge=%d length=%#x "
			"lkey=%#x align=%lu qpn=%#x qkey=%#x ah=%s srqn=%#x%s "
			"data=%s",
			ibqp->qp_num, (unsigned long)wr->wr_id, wr->opcode,
			wr->send_flags, wr->num_sge, wr->sg_list[0].length,
			wr->sg_list[0].lkey,
			(unsigned long)wr->sg_list[0].addr % 4096,
			ud ? wr->wr.ud.remote_qpn : 0,
			ud ? wr->wr.ud.remote_qkey : 0,
			ud && wr->wr.ud.ah ? "given" : "none",
			xrc ? wr->qp_type.xrc.remote_srqn : 0,
			wr->next ? " and more" : "", look_at(wr->sg_list));
	if (err) {
		*bad_wr = wr;
		return err;
	}
	send_message(qp, wr->wr_id, wr->send_flags, wr->sg_list,
		     ud ? wr->wr.ud.remote_qpn : qp->dest_qpn,
		     xrc ? wr->qp_type.xrc.remote_srqn : 0);
	return 0;
}

static void wr_start(struct ibv_qp_ex *ex)
{
	(void)ex;
	fake_call_plain("wr_start");
}

static void wr_send(struct ibv_qp_ex *ex)
{
	fake_call("wr_send", " id=%lu flags=%#x", (unsigned long)ex->wr_id,
		  ex->wr_flags);
}

static void wr_set_sge(struct ibv_qp_ex *ex, uint32_t lkey, uint64_t addr,
		       uint32_t length)
{
	struct ibv_sge sge = { addr, length, lkey };

	fake_call("wr_set_sge", " lkey=%#x align=%lu length=%#x data=%s", lkey,
		  (unsigned long)addr % 4096, length, look_at(&sge));
	((struct fake_qp *)ex)->sge = sge;
}

static int wr_complete(struct ibv_qp_ex *ex)
{
	struct fake_qp *qp = (struct fake_qp *)ex;
	int err = fake_call_plain("wr_complete");

	if (!err)
		send_message(qp, ex->wr_id, ex->wr_flags, &qp->sge,
			     qp->dest_qpn, 0);
	return err;
}

void fake_fill_qp_ex(struct fake_qp *qp)
{
	qp->ex.wr_start = wr_start;
	qp->ex.wr_send = wr_send;
	qp->ex.wr_set_sge = wr_set_sge;
	qp->ex.wr_complete = wr_complete;
}

void fake_fill_traffic_ops(struct ibv_context *context)
{
	context->ops.post_send = post_send;
	context->ops.post_recv = post_recv;
	context->ops.post_srq_recv = post_srq_recv;
	context->ops.poll_cq = poll_cq;
	context->ops.req_notify_cq = req_notify_cq;
}
