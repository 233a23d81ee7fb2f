// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "siw_kernel.h"

#define FILE_BYTES (3 * RING_BYTES)

struct siw_kernel siw_kernel;
static struct verbs_device device;

static struct ib_uverbs_attr *find(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id)
{
	struct ib_uverbs_attr *attr = (void *)(hdr + 1);
	int i;

	for (i = 0; i < hdr->num_attrs; i++)
		if (attr[i].attr_id == id)
			return &attr[i];
	return NULL;
}

static void put(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id, const void *bytes,
		size_t len)
{
	struct ib_uverbs_attr *attr = find(hdr, id);

	if (attr && attr->len >= len)
		memcpy((void *)(uintptr_t)attr->data, bytes, len);
	else
		siw_kernel.strange++;
}

static void made(struct ib_uverbs_ioctl_hdr *hdr, uint16_t handle)
{
	struct ib_uverbs_attr *attr = find(hdr, handle);

	if (attr)
		attr->data = 77;
	siw_kernel.live++;
}

static void reg_mr(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_attr *in = find(hdr, UVERBS_ATTR_UHW_IN);
	struct ib_uverbs_reg_mr_resp resp = {
		.mr_handle = 77,
		.lkey = siw_kernel.lkey,
		.rkey = siw_kernel.lkey,
	};
	struct siw_uresp_reg_mr driver = { .stag = siw_kernel.lkey };

	/* Eight bytes or fewer stand in the attribute itself. */
	siw_kernel.stag_request = in ? in->len : 0;
	if (in && in->len == sizeof(struct siw_ureq_reg_mr))
		siw_kernel.stag_key =
			((struct siw_ureq_reg_mr *)&in->data)->stag_key;
	put(hdr, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	put(hdr, UVERBS_ATTR_UHW_OUT, &driver, sizeof(driver));
	siw_kernel.live++;
}

static int old_command(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_attr *cmd = find(hdr, UVERBS_ATTR_WRITE_CMD);
	struct ib_uverbs_attr *in = find(hdr, UVERBS_ATTR_CORE_IN);
	const struct ib_uverbs_post_send *post;

	switch (cmd ? cmd->data : 0) {
	case IB_USER_VERBS_CMD_ALLOC_PD:
		if (siw_kernel.error)
			return siw_kernel.error;
		siw_kernel.live++;
		return 0;
	case IB_USER_VERBS_CMD_REG_MR:
		if (siw_kernel.error)
			return siw_kernel.error;
		reg_mr(hdr);
		return 0;
	case IB_USER_VERBS_CMD_POST_SEND:
		post = in ? (void *)(uintptr_t)in->data : NULL;
		if (!post || post->qp_handle != 77 || post->wr_count ||
		    post->sge_count)
			siw_kernel.strange++;
		siw_kernel.doorbells++;
		return siw_kernel.doorbell ? siw_kernel.doorbell() : 0;
	default:
		return 0;
	}
}

static int answer(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	struct siw_kernel *k = &siw_kernel;

	(void)fd;
	(void)arg;
	if (hdr->object_id == UVERBS_OBJECT_DEVICE)
		return hdr->method_id == UVERBS_METHOD_INVOKE_WRITE
			       ? old_command(hdr)
			       : 0;
	if (hdr->object_id == UVERBS_OBJECT_CQ &&
	    hdr->method_id == UVERBS_METHOD_CQ_CREATE) {
		if (k->error)
			return k->error;
		made(hdr, UVERBS_ATTR_CREATE_CQ_HANDLE);
		put(hdr, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &k->cqe, 4);
		put(hdr, UVERBS_ATTR_UHW_OUT, &k->cq, sizeof(k->cq));
		return 0;
	}
	if (hdr->object_id == UVERBS_OBJECT_SRQ &&
	    hdr->method_id == UVERBS_METHOD_SRQ_CREATE) {
		if (k->error)
			return k->error;
		made(hdr, UVERBS_ATTR_CREATE_SRQ_HANDLE);
		put(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &k->max_wr, 4);
		put(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &k->max_sge, 4);
		put(hdr, UVERBS_ATTR_UHW_OUT, &k->srq, sizeof(k->srq));
		return 0;
	}
	if (hdr->object_id == UVERBS_OBJECT_QP &&
	    hdr->method_id == UVERBS_METHOD_QP_CREATE) {
		if (k->error)
			return k->error;
		made(hdr, UVERBS_ATTR_CREATE_QP_HANDLE);
		put(hdr, UVERBS_ATTR_CREATE_QP_RESP_CAP, &k->cap,
		    sizeof(k->cap));
		put(hdr, UVERBS_ATTR_UHW_OUT, &k->qp, sizeof(k->qp));
		return 0;
	}
	if (hdr->object_id == UVERBS_OBJECT_MR &&
	    hdr->method_id == UVERBS_METHOD_QUERY_MR) {
		put(hdr, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &k->lkey, 4);
		put(hdr, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &k->lkey, 4);
		return 0;
	}
	/* All others here destroy. */
	k->live--;
	return 0;
}

int siw_kernel_setup(void **state)
{
	struct verbs_context *vctx;
	int fd = memfd_create("siw", 0);
	void *memory;

	if (fd < 0 || ftruncate(fd, FILE_BYTES))
		return -1;
	memory = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		      0);
	if (memory == MAP_FAILED)
		return -1;
	siw_kernel = (struct siw_kernel){
		.memory = memory,
		.cq = { .num_cqe = 8, .cq_key = CQ_AT },
		.qp = { .num_sqe = 8,
			.num_rqe = 8,
			.sq_key = SQ_AT,
			.rq_key = RQ_AT },
		.srq = { .num_rqe = 8, .srq_key = RQ_AT },
		.cqe = 8,
		.max_wr = 8,
		.max_sge = 3,
		.cap = { 8, 8, 4, 4, 64 },
		.lkey = 0x12345600,
	};
	kernel_answer_with(answer, NULL);

	memset(&device, 0, sizeof(device));
	device.ops = &verbs_provider_siw;
	atomic_store(&device.refcount, 1000);
	vctx = verbs_provider_siw.alloc_context(&device.device, fd, NULL);
	if (!vctx)
		return -1;
	*state = &vctx->context;
	return 0;
}

int siw_kernel_teardown(void **state)
{
	int bad = siw_kernel.live || siw_kernel.strange;

	if (bad)
		print_error("%d objects left, %d strange commands\n",
			    siw_kernel.live, siw_kernel.strange);
	ibv_close_device(*state);
	munmap(siw_kernel.memory, FILE_BYTES);
	kernel_answer_with(NULL, NULL);
	return bad;
}
