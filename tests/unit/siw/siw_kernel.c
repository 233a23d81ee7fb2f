// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <string.h>

#include "siw_kernel.h"

struct siw_kernel siw_kernel;

static void put_driver_part(struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct siw_kernel *k = &siw_kernel;

	if (hdr->object_id == UVERBS_OBJECT_CQ)
		provider_kernel_put(hdr, UVERBS_ATTR_UHW_OUT, &k->cq,
				    sizeof(k->cq));
	else if (hdr->object_id == UVERBS_OBJECT_SRQ)
		provider_kernel_put(hdr, UVERBS_ATTR_UHW_OUT, &k->srq,
				    sizeof(k->srq));
	else
		provider_kernel_put(hdr, UVERBS_ATTR_UHW_OUT, &k->qp,
				    sizeof(k->qp));
}

static void reg_mr(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_attr *in = kernel_find_attr(hdr, UVERBS_ATTR_UHW_IN);
	uint32_t lkey = siw_kernel.core.lkey;
	struct ib_uverbs_reg_mr_resp resp = {
		.mr_handle = PROVIDER_KERNEL_HANDLE,
		.lkey = lkey,
		.rkey = lkey,
	};
	struct siw_uresp_reg_mr driver = { .stag = lkey };

	/* Eight bytes or fewer stand in the attribute itself. */
	siw_kernel.stag_request = in ? in->len : 0;
	if (in && in->len == sizeof(struct siw_ureq_reg_mr))
		siw_kernel.stag_key =
			((struct siw_ureq_reg_mr *)&in->data)->stag_key;
	provider_kernel_put(hdr, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	provider_kernel_put(hdr, UVERBS_ATTR_UHW_OUT, &driver, sizeof(driver));
	provider_kernel.live++;
}

static int old_command(struct ib_uverbs_ioctl_hdr *hdr, uint32_t command)
{
	struct ib_uverbs_attr *in = kernel_find_attr(hdr, UVERBS_ATTR_CORE_IN);
	const struct ib_uverbs_post_send *post;

	switch (command) {
	case IB_USER_VERBS_CMD_ALLOC_PD:
		if (siw_kernel.core.error)
			return siw_kernel.core.error;
		provider_kernel.live++;
		return 0;
	case IB_USER_VERBS_CMD_REG_MR:
		if (siw_kernel.core.error)
			return siw_kernel.core.error;
		reg_mr(hdr);
		return 0;
	case IB_USER_VERBS_CMD_POST_SEND:
		post = in ? (void *)(uintptr_t)in->data : NULL;
		if (!post || post->qp_handle != PROVIDER_KERNEL_HANDLE ||
		    post->wr_count || post->sge_count)
			provider_kernel.strange++;
		siw_kernel.doorbells++;
		return siw_kernel.doorbell ? siw_kernel.doorbell() : 0;
	default:
		return 0;
	}
}

int siw_kernel_setup(void **state)
{
	static const struct provider_driver driver = {
		.ops = &verbs_provider_siw,
		.memory = 3 * RING_BYTES,
		.reply = &siw_kernel.core,
		.put_driver_part = put_driver_part,
		.old_command = old_command,
	};

	siw_kernel = (struct siw_kernel){
		.cq = { .num_cqe = 8, .cq_key = CQ_AT },
		.qp = { .num_sqe = 8,
			.num_rqe = 8,
			.sq_key = SQ_AT,
			.rq_key = RQ_AT },
		.srq = { .num_rqe = 8, .srq_key = RQ_AT },
		.core = {
			.cqe = 8,
			.max_wr = 8,
			.max_sge = 3,
			.cap = { 8, 8, 4, 4, 64 },
			.lkey = 0x12345600,
		},
	};
	return provider_kernel_setup(&driver, state);
}
