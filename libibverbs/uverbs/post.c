// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Posting work requests through the kernel, for devices whose queues are not
 * mapped into the process.  The list is flattened into one message: request,
 * all work requests, all their SGEs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

/* The three requests and replies differ in nothing but names. */
_Static_assert(sizeof(struct ib_uverbs_post_recv) ==
			       sizeof(struct ib_uverbs_post_send) &&
		       sizeof(struct ib_uverbs_post_srq_recv) ==
			       sizeof(struct ib_uverbs_post_send),
	       "post requests");
_Static_assert(sizeof(struct ibv_sge) == sizeof(struct ib_uverbs_sge),
	       "SGEs are passed as they are");

struct message {
	struct ib_uverbs_post_send *request;
	char *next_wr;
	char *next_sge;
	size_t size;
	/* Enough for most posts; a multiple of the alignment of its users */
	uint64_t few[256];
};

/* 0, EINVAL if no message can say it, or ENOMEM */
static int start(struct message *msg, uint32_t handle, size_t wr_count,
		 size_t sge_count, size_t wr_size)
{
	msg->size = sizeof(*msg->request) + wr_count * wr_size +
		    sge_count * sizeof(struct ib_uverbs_sge);
	if (msg->size > UINT16_MAX) {
		errno = EINVAL;
		return EINVAL;
	}

	msg->request = (void *)msg->few;
	if (msg->size > sizeof(msg->few)) {
		msg->request = malloc(msg->size);
		if (!msg->request)
			return ENOMEM;
	}
	memset(msg->request, 0, msg->size);
	msg->request->qp_handle = handle;
	msg->request->wr_count = wr_count;
	msg->request->sge_count = sge_count;
	msg->request->wqe_size = wr_size;
	msg->next_wr = (char *)(msg->request + 1);
	msg->next_sge = msg->next_wr + wr_count * wr_size;
	return 0;
}

static void add_sges(struct message *msg, const struct ibv_sge *sges, int count)
{
	size_t len = count * sizeof(*sges);

	if (!len)
		return;
	memcpy(msg->next_sge, sges, len);
	msg->next_sge += len;
}

/* *bad: 1-based index of the work request that the kernel did not take */
static int finish(struct message *msg, struct ibv_context *context,
		  uint32_t command, uint32_t *bad)
{
	struct ib_uverbs_post_send_resp resp = { 0 };
	int ret = invoke_write(context, command, msg->request, msg->size, &resp,
			       sizeof(resp), NULL);

	*bad = resp.bad_wr <= msg->request->wr_count ? resp.bad_wr : 0;
	/* An error is about one of them; without a word it is the first. */
	if (ret && !*bad)
		*bad = 1;
	if ((void *)msg->request != msg->few)
		free(msg->request);
	return ret;
}

/* Counts that no message could carry stop the walk: the list may be a loop. */
static bool count_sges(int num_sge, size_t *wrs, size_t *sges)
{
	if (num_sge < 0)
		return false;
	++*wrs;
	*sges += num_sge;
	return *wrs <= UINT16_MAX && *sges <= UINT16_MAX;
}

static void fill_send_wr(struct ib_uverbs_send_wr *to,
			 const struct ibv_send_wr *wr, enum ibv_qp_type type)
{
	to->wr_id = wr->wr_id;
	to->num_sge = wr->num_sge;
	to->opcode = wr->opcode;
	to->send_flags = wr->send_flags;
	to->ex.imm_data = wr->imm_data;

	if (type == IBV_QPT_UD) {
		to->wr.ud.ah = wr->wr.ud.ah->handle;
		to->wr.ud.remote_qpn = wr->wr.ud.remote_qpn;
		to->wr.ud.remote_qkey = wr->wr.ud.remote_qkey;
		return;
	}
	switch (wr->opcode) {
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_WRITE_WITH_IMM:
	case IBV_WR_RDMA_READ:
		to->wr.rdma.remote_addr = wr->wr.rdma.remote_addr;
		to->wr.rdma.rkey = wr->wr.rdma.rkey;
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		to->wr.atomic.remote_addr = wr->wr.atomic.remote_addr;
		to->wr.atomic.compare_add = wr->wr.atomic.compare_add;
		to->wr.atomic.swap = wr->wr.atomic.swap;
		to->wr.atomic.rkey = wr->wr.atomic.rkey;
		break;
	default:
		break;
	}
}

/*
 * An empty list tells the driver to look at a queue that it shares with the
 * process: a doorbell, and as such on the data path.  So it goes straight to
 * the kernel: one that let the QP be made has INVOKE_WRITE.  The result is the
 * system call's.
 */
static int ring(struct ibv_qp *qp)
{
	struct ib_uverbs_post_send request;
	struct ib_uverbs_post_send_resp reply;
	struct {
		struct ib_uverbs_ioctl_hdr hdr;
		struct ib_uverbs_attr attrs[3];
	} rq;

	/* By parts: of one initializer the compiler makes a loop that clears. */
	request = (struct ib_uverbs_post_send){
		.qp_handle = qp->handle,
		.wqe_size = sizeof(struct ib_uverbs_send_wr),
	};
	rq.hdr = (struct ib_uverbs_ioctl_hdr){
		.length = sizeof(rq),
		.object_id = UVERBS_OBJECT_DEVICE,
		.method_id = UVERBS_METHOD_INVOKE_WRITE,
		.num_attrs = array_size(rq.attrs),
		.driver_id = get_priv(qp->context)->driver_id,
	};
	rq.attrs[0] = (struct ib_uverbs_attr){
		.attr_id = UVERBS_ATTR_WRITE_CMD,
		.len = sizeof(rq.attrs[0].data),
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = IB_USER_VERBS_CMD_POST_SEND,
	};
	rq.attrs[1] = (struct ib_uverbs_attr){
		.attr_id = UVERBS_ATTR_CORE_IN,
		.len = sizeof(request),
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = (uintptr_t)&request,
	};
	rq.attrs[2] = (struct ib_uverbs_attr){
		.attr_id = UVERBS_ATTR_CORE_OUT,
		.len = sizeof(reply),
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = (uintptr_t)&reply,
	};
	return uverbs_ioctl(qp->context->cmd_fd, &rq.hdr);
}

static int post_send(struct ibv_qp *ibqp, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad_wr)
{
	size_t wrs = 0, sges = 0;
	struct ibv_send_wr *i;
	struct message msg;
	uint32_t bad;
	int ret;

	for (i = wr; i; i = i->next) {
		if (!count_sges(i->num_sge, &wrs, &sges)) {
			*bad_wr = i;
			errno = EINVAL;
			return EINVAL;
		}
	}
	ret = start(&msg, ibqp->handle, wrs, sges,
		    sizeof(struct ib_uverbs_send_wr));
	if (ret) {
		*bad_wr = wr;
		return ret;
	}
	for (i = wr; i; i = i->next) {
		fill_send_wr((void *)msg.next_wr, i, ibqp->qp_type);
		msg.next_wr += sizeof(struct ib_uverbs_send_wr);
		add_sges(&msg, i->sg_list, i->num_sge);
	}

	ret = finish(&msg, ibqp->context, IB_USER_VERBS_CMD_POST_SEND, &bad);
	if (bad) {
		for (i = wr; --bad; i = i->next)
			;
		*bad_wr = i;
	}
	return ret;
}

int ibv_cmd_post_send(struct ibv_qp *ibqp, struct ibv_send_wr *wr,
		      struct ibv_send_wr **bad_wr)
{
	if (wr)
		return post_send(ibqp, wr, bad_wr);
	if (!ring(ibqp))
		return 0;
	*bad_wr = NULL;
	return errno;
}

static int post_recv(struct ibv_context *context, uint32_t command,
		     uint32_t handle, struct ibv_recv_wr *wr,
		     struct ibv_recv_wr **bad_wr)
{
	size_t wrs = 0, sges = 0;
	struct ibv_recv_wr *i;
	struct message msg;
	uint32_t bad;
	int ret;

	for (i = wr; i; i = i->next) {
		if (!count_sges(i->num_sge, &wrs, &sges)) {
			*bad_wr = i;
			errno = EINVAL;
			return EINVAL;
		}
	}
	ret = start(&msg, handle, wrs, sges, sizeof(struct ib_uverbs_recv_wr));
	if (ret) {
		*bad_wr = wr;
		return ret;
	}
	for (i = wr; i; i = i->next) {
		struct ib_uverbs_recv_wr *to = (void *)msg.next_wr;

		to->wr_id = i->wr_id;
		to->num_sge = i->num_sge;
		msg.next_wr += sizeof(*to);
		add_sges(&msg, i->sg_list, i->num_sge);
	}

	ret = finish(&msg, context, command, &bad);
	if (bad) {
		for (i = wr; --bad; i = i->next)
			;
		*bad_wr = i;
	}
	return ret;
}

int ibv_cmd_post_recv(struct ibv_qp *ibqp, struct ibv_recv_wr *wr,
		      struct ibv_recv_wr **bad_wr)
{
	return post_recv(ibqp->context, IB_USER_VERBS_CMD_POST_RECV,
			 ibqp->handle, wr, bad_wr);
}

int ibv_cmd_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
			  struct ibv_recv_wr **bad_wr)
{
	return post_recv(srq->context, IB_USER_VERBS_CMD_POST_SRQ_RECV,
			 srq->handle, wr, bad_wr);
}
