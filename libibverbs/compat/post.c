// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * IBVERBS_1.0: the calls that the old headers made inline, through the
 * context's table.  Work requests are posted one at a time: the old elements
 * differ from the current ones in layout, and so no list needs to be built, no
 * memory allocated, and the failing element is the one at hand.
 */
#include <string.h>

#include "compat/abi_1_0.h"

static int poll_cq(struct ibv_cq_1_0 *cq, int num_entries, struct ibv_wc *wc)
{
	return ibv_poll_cq(cq->real_cq, num_entries, wc);
}

static int req_notify_cq(struct ibv_cq_1_0 *cq, int solicited_only)
{
	return ibv_req_notify_cq(cq->real_cq, solicited_only);
}

static void convert_recv(const struct ibv_recv_wr_1_0 *old,
			 struct ibv_recv_wr *wr)
{
	*wr = (struct ibv_recv_wr){
		.wr_id = old->wr_id,
		.sg_list = old->sg_list,
		.num_sge = old->num_sge,
	};
}

static int post_recv(struct ibv_qp_1_0 *qp, struct ibv_recv_wr_1_0 *old,
		     struct ibv_recv_wr_1_0 **bad_wr)
{
	struct ibv_recv_wr wr, *bad;
	int ret = 0;

	for (; old; old = old->next) {
		convert_recv(old, &wr);
		ret = ibv_post_recv(qp->real_qp, &wr, &bad);
		if (ret) {
			*bad_wr = old;
			break;
		}
	}
	return ret;
}

static int post_srq_recv(struct ibv_srq_1_0 *srq, struct ibv_recv_wr_1_0 *old,
			 struct ibv_recv_wr_1_0 **bad_wr)
{
	struct ibv_recv_wr wr, *bad;
	int ret = 0;

	for (; old; old = old->next) {
		convert_recv(old, &wr);
		ret = ibv_post_srq_recv(srq->real_srq, &wr, &bad);
		if (ret) {
			*bad_wr = old;
			break;
		}
	}
	return ret;
}

static void convert_send(const struct ibv_send_wr_1_0 *old,
			 enum ibv_qp_type qp_type, struct ibv_send_wr *wr)
{
	_Static_assert(sizeof(old->wr) == sizeof(wr->wr), "the same union");

	*wr = (struct ibv_send_wr){
		.wr_id = old->wr_id,
		.sg_list = old->sg_list,
		.num_sge = old->num_sge,
		.opcode = old->opcode,
		.send_flags = old->send_flags,
		.imm_data = old->imm_data,
	};
	memcpy(&wr->wr, &old->wr, sizeof(wr->wr));
	if (qp_type == IBV_QPT_UD)
		wr->wr.ud.ah = old->wr.ud.ah->real_ah;
}

static int post_send(struct ibv_qp_1_0 *qp, struct ibv_send_wr_1_0 *old,
		     struct ibv_send_wr_1_0 **bad_wr)
{
	struct ibv_send_wr wr, *bad;
	int ret = 0;

	for (; old; old = old->next) {
		convert_send(old, qp->qp_type, &wr);
		ret = ibv_post_send(qp->real_qp, &wr, &bad);
		if (ret) {
			*bad_wr = old;
			break;
		}
	}
	return ret;
}

void compat_set_ops(struct ibv_context_1_0 *context)
{
	context->ops.poll_cq = poll_cq;
	context->ops.req_notify_cq = req_notify_cq;
	context->ops.post_recv = post_recv;
	context->ops.post_srq_recv = post_srq_recv;
	context->ops.post_send = post_send;
}
