// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The provider for tests. */
#include "test_provider.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "priv.h"

/* A command failed, or a test wants the operation to fail after it. */
static int outcome(struct ibv_context *context, int ret, int (*undo)(void *),
		   void *object)
{
	int fail_after = to_test_context(context)->fail_after;

	if (ret || !fail_after)
		return ret;
	undo(object);
	return fail_after;
}

static int undo_pd(void *pd)
{
	return ibv_cmd_dealloc_pd(pd);
}

static struct ibv_pd *test_alloc_pd(struct ibv_context *context)
{
	struct {
		struct ib_uverbs_alloc_pd_resp core;
		char reply[sizeof(((struct test_pd *)0)->reply)];
	} resp = { 0 };
	struct test_pd *pd = calloc(1, sizeof(*pd));
	struct ibv_alloc_pd cmd;
	int ret;

	if (!pd)
		return NULL;
	ret = ibv_cmd_alloc_pd(context, &pd->pd, &cmd, sizeof(cmd), &resp.core,
			       sizeof(resp.core) +
				       to_test_context(context)->pd_reply);
	ret = outcome(context, ret, undo_pd, &pd->pd);
	if (ret) {
		free(pd);
		errno = ret;
		return NULL;
	}
	for (size_t i = 0; i < sizeof(pd->reply); i++)
		pd->reply[i] = resp.reply[i];
	return &pd->pd;
}

static int test_dealloc_pd(struct ibv_pd *pd)
{
	int ret = ibv_cmd_dealloc_pd(pd);

	if (!ret)
		free(container_of(pd, struct test_pd, pd));
	return ret;
}

static int undo_mr(void *mr)
{
	return ibv_cmd_dereg_mr(mr);
}

static struct ibv_mr *test_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
				  uint64_t hca_va, int access)
{
	struct {
		struct ib_uverbs_reg_mr_resp core;
		char reply[64];
	} resp = { 0 };
	struct verbs_mr *vmr = calloc(1, sizeof(*vmr));
	struct ibv_reg_mr cmd;
	int ret;

	if (!vmr)
		return NULL;
	ret = ibv_cmd_reg_mr(pd, addr, length, hca_va, access, vmr, &cmd,
			     sizeof(cmd), &resp.core,
			     sizeof(resp.core) +
				     to_test_context(pd->context)->mr_reply);
	ret = outcome(pd->context, ret, undo_mr, vmr);
	if (ret) {
		free(vmr);
		errno = ret;
		return NULL;
	}
	return &vmr->ibv_mr;
}

static int test_dereg_mr(struct verbs_mr *vmr)
{
	int ret = ibv_cmd_dereg_mr(vmr);

	if (!ret)
		free(vmr);
	return ret;
}

static int test_rereg_mr(struct verbs_mr *vmr, int flags, struct ibv_pd *pd,
			 void *addr, size_t length, int access)
{
	struct ib_uverbs_rereg_mr_resp resp;
	struct ibv_rereg_mr cmd;

	return ibv_cmd_rereg_mr(vmr, flags, addr, length, (uintptr_t)addr,
				access, pd, &cmd, sizeof(cmd), &resp,
				sizeof(resp));
}

static struct ibv_mw *test_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	struct ib_uverbs_alloc_mw_resp resp;
	struct ibv_mw *mw = calloc(1, sizeof(*mw));
	struct ibv_alloc_mw cmd;
	int ret;

	if (!mw)
		return NULL;
	ret = ibv_cmd_alloc_mw(pd, type, mw, &cmd, sizeof(cmd), &resp,
			       sizeof(resp));
	if (ret) {
		free(mw);
		errno = ret;
		return NULL;
	}
	return mw;
}

static int test_dealloc_mw(struct ibv_mw *mw)
{
	int ret = ibv_cmd_dealloc_mw(mw);

	if (!ret)
		free(mw);
	return ret;
}

static struct ibv_cq *test_create_cq(struct ibv_context *context, int cqe,
				     struct ibv_comp_channel *channel,
				     int comp_vector)
{
	struct verbs_cq *cq = calloc(1, sizeof(*cq));
	int ret;

	if (!cq)
		return NULL;
	ret = ibv_cmd_create_cq(context, cqe, channel, comp_vector, &cq->cq,
				NULL, 0, NULL, 0);
	if (ret) {
		free(cq);
		errno = ret;
		return NULL;
	}
	return &cq->cq;
}

static struct ibv_cq_ex *test_create_cq_ex(struct ibv_context *context,
					   struct ibv_cq_init_attr_ex *attr)
{
	struct verbs_cq *cq = calloc(1, sizeof(*cq));
	int ret;

	if (!cq)
		return NULL;
	ret = ibv_cmd_create_cq_ex(context, attr, cq, NULL, 0, NULL, 0, 0);
	if (ret) {
		free(cq);
		errno = ret;
		return NULL;
	}
	return &cq->cq_ex;
}

static int test_resize_cq(struct ibv_cq *cq, int cqe)
{
	struct ib_uverbs_resize_cq_resp resp;
	struct ibv_resize_cq cmd;

	return ibv_cmd_resize_cq(cq, cqe, &cmd, sizeof(cmd), &resp,
				 sizeof(resp));
}

static int test_destroy_cq(struct ibv_cq *cq)
{
	int ret = ibv_cmd_destroy_cq(cq);

	if (!ret)
		free(container_of(cq, struct verbs_cq, cq));
	return ret;
}

static struct ibv_srq *test_create_srq(struct ibv_pd *pd,
				       struct ibv_srq_init_attr *attr)
{
	struct verbs_srq *srq = calloc(1, sizeof(*srq));
	int ret;

	if (!srq)
		return NULL;
	ret = ibv_cmd_create_srq(pd, &srq->srq, attr, NULL, 0, NULL, 0);
	if (ret) {
		free(srq);
		errno = ret;
		return NULL;
	}
	return &srq->srq;
}

static struct ibv_srq *test_create_srq_ex(struct ibv_context *context,
					  struct ibv_srq_init_attr_ex *attr)
{
	struct verbs_srq *srq = calloc(1, sizeof(*srq));
	int ret;

	if (!srq)
		return NULL;
	ret = ibv_cmd_create_srq_ex(context, srq, attr, NULL, 0, NULL, 0);
	if (ret) {
		free(srq);
		errno = ret;
		return NULL;
	}
	return &srq->srq;
}

static int test_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr,
			   int mask)
{
	struct ibv_modify_srq cmd;

	return ibv_cmd_modify_srq(srq, attr, mask, &cmd, sizeof(cmd));
}

static int test_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	struct ibv_query_srq cmd;

	return ibv_cmd_query_srq(srq, attr, &cmd, sizeof(cmd));
}

static int test_destroy_srq(struct ibv_srq *srq)
{
	int ret = ibv_cmd_destroy_srq(srq);

	if (!ret)
		free(container_of(srq, struct verbs_srq, srq));
	return ret;
}

static struct ibv_qp *test_create_qp(struct ibv_pd *pd,
				     struct ibv_qp_init_attr *attr)
{
	struct verbs_qp *qp = calloc(1, sizeof(*qp));
	int ret;

	if (!qp)
		return NULL;
	ret = ibv_cmd_create_qp(pd, &qp->qp, attr, NULL, 0, NULL, 0);
	if (ret) {
		free(qp);
		errno = ret;
		return NULL;
	}
	return &qp->qp;
}

static struct ibv_qp *test_create_qp_ex(struct ibv_context *context,
					struct ibv_qp_init_attr_ex *attr)
{
	struct verbs_qp *qp = calloc(1, sizeof(*qp));
	int ret;

	if (!qp)
		return NULL;
	ret = ibv_cmd_create_qp_ex2(context, qp, attr, NULL, 0, NULL, 0);
	if (ret) {
		free(qp);
		errno = ret;
		return NULL;
	}
	return &qp->qp;
}

static int test_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
			 struct ibv_qp_init_attr *init_attr)
{
	struct ibv_query_qp cmd;

	return ibv_cmd_query_qp(qp, attr, mask, init_attr, &cmd, sizeof(cmd));
}

static int test_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct ibv_modify_qp cmd = { 0 };

	return ibv_cmd_modify_qp(qp, attr, mask, &cmd, sizeof(cmd));
}

static int test_destroy_qp(struct ibv_qp *qp)
{
	int ret = ibv_cmd_destroy_qp(qp);

	if (!ret)
		free(container_of(qp, struct verbs_qp, qp));
	return ret;
}

static struct ibv_ah *test_create_ah(struct ibv_pd *pd,
				     struct ibv_ah_attr *attr)
{
	struct ib_uverbs_create_ah_resp resp;
	struct ibv_ah *ah = calloc(1, sizeof(*ah));
	int ret;

	if (!ah)
		return NULL;
	ret = ibv_cmd_create_ah(pd, ah, attr, &resp, sizeof(resp));
	if (ret) {
		free(ah);
		errno = ret;
		return NULL;
	}
	return ah;
}

static int test_destroy_ah(struct ibv_ah *ah)
{
	int ret = ibv_cmd_destroy_ah(ah);

	if (!ret)
		free(ah);
	return ret;
}

static int test_query_device_ex(struct ibv_context *context,
				const struct ibv_query_device_ex_input *input,
				struct ibv_device_attr_ex *attr, size_t size)
{
	return ibv_cmd_query_device_any(context, input, attr, size, NULL, NULL);
}

static int test_query_port(struct ibv_context *context, uint8_t port,
			   struct ibv_port_attr *attr)
{
	struct ibv_query_port cmd;

	return ibv_cmd_query_port(context, port, attr, &cmd, sizeof(cmd));
}

static void test_free_context(struct ibv_context *context)
{
	verbs_uninit_context(to_vctx(context));
	free(to_test_context(context));
}

static const struct verbs_context_ops test_ops = {
	.alloc_mw = test_alloc_mw,
	.alloc_pd = test_alloc_pd,
	.attach_mcast = ibv_cmd_attach_mcast,
	.create_ah = test_create_ah,
	.create_cq = test_create_cq,
	.create_cq_ex = test_create_cq_ex,
	.create_qp = test_create_qp,
	.create_qp_ex = test_create_qp_ex,
	.create_srq = test_create_srq,
	.create_srq_ex = test_create_srq_ex,
	.dealloc_mw = test_dealloc_mw,
	.dealloc_pd = test_dealloc_pd,
	.dereg_mr = test_dereg_mr,
	.destroy_ah = test_destroy_ah,
	.destroy_cq = test_destroy_cq,
	.destroy_qp = test_destroy_qp,
	.destroy_srq = test_destroy_srq,
	.detach_mcast = ibv_cmd_detach_mcast,
	.free_context = test_free_context,
	.modify_qp = test_modify_qp,
	.modify_srq = test_modify_srq,
	.poll_cq = ibv_cmd_poll_cq,
	.post_recv = ibv_cmd_post_recv,
	.post_send = ibv_cmd_post_send,
	.post_srq_recv = ibv_cmd_post_srq_recv,
	.query_device_ex = test_query_device_ex,
	.query_port = test_query_port,
	.query_qp = test_query_qp,
	.query_srq = test_query_srq,
	.reg_mr = test_reg_mr,
	.req_notify_cq = ibv_cmd_req_notify_cq,
	.rereg_mr = test_rereg_mr,
	.resize_cq = test_resize_cq,
};

static struct verbs_context *test_alloc_context(struct ibv_device *device,
						int cmd_fd, void *private_data)
{
	struct test_context *context;

	(void)private_data;
	context = verbs_init_and_alloc_context(device, cmd_fd, context, vctx,
					       TEST_DRIVER_ID);
	if (!context)
		return NULL;
	verbs_set_ops(&context->vctx, &test_ops);
	return &context->vctx;
}

/* The list that refers to the device keeps it: it is never freed. */
const struct verbs_device_ops test_provider_ops = {
	.name = "test",
	.match_min_abi_version = 1,
	.match_max_abi_version = 1,
	.alloc_context = test_alloc_context,
};

struct ibv_device *test_device(void)
{
	static struct verbs_device device = {
		.ops = &test_provider_ops,
		.refcount = 1,
		.device = {
			.node_type = IBV_NODE_CA,
			.transport_type = IBV_TRANSPORT_IB,
			.name = "test0",
			.dev_name = "uverbs0",
		},
	};

	return &device.device;
}

struct ibv_context *test_context_open(void)
{
	struct ibv_context *context = verbs_open_device(test_device(), NULL);

	if (!context)
		return NULL;
	context->cmd_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	context->async_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	return context;
}
