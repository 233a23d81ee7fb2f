// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What QPs and SRQs are made with, and asking for it. */
#include "common.h"

struct ibv_qp_init_attr_ex common_qp_attr(struct ibv_pd *pd,
					  const struct ibv_qp_init_attr *attr)
{
	return (struct ibv_qp_init_attr_ex){
		.qp_context = attr->qp_context,
		.send_cq = attr->send_cq,
		.recv_cq = attr->recv_cq,
		.srq = attr->srq,
		.cap = attr->cap,
		.qp_type = attr->qp_type,
		.sq_sig_all = attr->sq_sig_all,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};
}

struct ibv_srq_init_attr_ex
common_srq_attr(struct ibv_pd *pd, const struct ibv_srq_init_attr *attr)
{
	return (struct ibv_srq_init_attr_ex){
		.srq_context = attr->srq_context,
		.attr = attr->attr,
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_BASIC,
		.pd = pd,
	};
}

int common_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	struct ibv_query_srq cmd = {};

	return ibv_cmd_query_srq(srq, attr, &cmd, sizeof(cmd));
}
