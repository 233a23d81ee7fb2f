// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared receive queues.  Posting to them is in recv.c. */
#include <stdlib.h>

#include "siw.h"

DRIVER_REPLY(create_srq, ib_uverbs_create_srq_resp, siw_uresp_create_srq);

struct ibv_srq *siw_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *attr)
{
	struct ibv_srq_init_attr_ex attr_ex = common_srq_attr(pd, attr);
	struct create_srq_reply resp = {};
	struct ibv_create_xsrq cmd = {};
	struct siw_srq *srq;
	int ret;

	srq = new_object(struct siw_srq);
	if (!srq) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_create_srq_ex(pd->context, &srq->vsrq, &attr_ex, &cmd,
				    sizeof(cmd), &resp.core, sizeof(resp));
	if (ret)
		goto free_srq;
	if (attr_ex.attr.max_sge > SIW_MAX_SGE) {
		ret = EPROTO;
		goto destroy_srq;
	}
	ret = siw_ring_map(&srq->ring, pd->context->cmd_fd, resp.driver.srq_key,
			   resp.driver.num_rqe, attr_ex.attr.max_wr,
			   sizeof(struct siw_rqe), 0);
	if (ret)
		goto destroy_srq;
	srq->max_sge = attr_ex.attr.max_sge;
	queue_lock_init(&srq->lock, true);
	attr->attr.max_wr = resp.driver.num_rqe;
	attr->attr.max_sge = attr_ex.attr.max_sge;
	return &srq->vsrq.srq;

destroy_srq:
	ibv_cmd_destroy_srq(&srq->vsrq.srq);
free_srq:
	free(srq);
	errno = ret;
	return NULL;
}

int siw_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	struct ibv_modify_srq cmd = {};

	return ibv_cmd_modify_srq(srq, attr, mask, &cmd, sizeof(cmd));
}

int siw_destroy_srq(struct ibv_srq *ibsrq)
{
	struct siw_srq *srq = to_siw_srq(ibsrq);
	int ret;

	ret = ibv_cmd_destroy_srq(ibsrq);
	if (ret)
		return ret;
	siw_ring_unmap(&srq->ring);
	free(srq);
	return 0;
}
