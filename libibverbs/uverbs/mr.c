// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory regions. */
#include <errno.h>
#include <stdint.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

static int invalid(void)
{
	errno = EINVAL;
	return EINVAL;
}

int ibv_cmd_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
		   uint64_t hca_va, int access, struct verbs_mr *vmr,
		   struct ibv_reg_mr *cmd, size_t cmd_size,
		   struct ib_uverbs_reg_mr_resp *resp, size_t resp_size)
{
	struct ib_uverbs_reg_mr core_in = {
		.start = (uintptr_t)addr,
		.length = length,
		.hca_va = hca_va,
		.pd_handle = pd->handle,
		.access_flags = access,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	const struct uverbs_alias *lent =
		offered_loan(pd->context, UVERBS_OBJECT_MR);
	struct ib_uverbs_reg_mr_resp core = { 0 };
	int ret;

	/* On demand, the largest length stands for the whole address space. */
	if (access & IBV_ACCESS_ON_DEMAND && length == SIZE_MAX) {
		if (addr)
			return invalid();
		core_in.length = UINT64_MAX;
	}

	if (lent) {
		core.mr_handle = lent->handle;
		core.lkey = lent->lkey;
		core.rkey = lent->rkey;
		ret = take_loan(&driver);
	} else {
		ret = invoke_write(pd->context, IB_USER_VERBS_CMD_REG_MR,
				   &core_in, sizeof(core_in), &core,
				   sizeof(core), &driver);
	}
	if (ret)
		return ret;
	give_core_reply(&driver, &core, sizeof(core));
	vmr->ibv_mr.handle = core.mr_handle;
	vmr->ibv_mr.lkey = core.lkey;
	vmr->ibv_mr.rkey = core.rkey;
	vmr->ibv_mr.context = pd->context;
	vmr->mr_type = IBV_MR_TYPE_MR;
	vmr->access = access;
	return 0;
}

int ibv_cmd_rereg_mr(struct verbs_mr *vmr, uint32_t flags, void *addr,
		     size_t length, uint64_t hca_va, int access,
		     struct ibv_pd *pd, struct ibv_rereg_mr *cmd, size_t cmd_sz,
		     struct ib_uverbs_rereg_mr_resp *resp, size_t resp_sz)
{
	bool change_pd = flags & IBV_REREG_MR_CHANGE_PD;
	const struct ib_uverbs_rereg_mr core_in = {
		.mr_handle = vmr->ibv_mr.handle,
		.flags = flags,
		.start = (uintptr_t)addr,
		.length = length,
		.hca_va = hca_va,
		.pd_handle = change_pd ? pd->handle : 0,
		.access_flags = access,
	};
	struct driver_data driver = DRIVER_DATA(cmd, cmd_sz, resp, resp_sz);
	struct ib_uverbs_rereg_mr_resp core = { 0 };
	int ret = invoke_write(vmr->ibv_mr.context, IB_USER_VERBS_CMD_REREG_MR,
			       &core_in, sizeof(core_in), &core, sizeof(core),
			       &driver);

	if (ret)
		return ret;
	give_core_reply(&driver, &core, sizeof(core));
	vmr->ibv_mr.lkey = core.lkey;
	vmr->ibv_mr.rkey = core.rkey;
	if (change_pd)
		vmr->ibv_mr.context = pd->context;
	return 0;
}

int ibv_cmd_dereg_mr(struct verbs_mr *vmr)
{
	static const struct destroy_method how = {
		.object = UVERBS_OBJECT_MR,
		.method = UVERBS_METHOD_MR_DESTROY,
		.handle_attr = UVERBS_ATTR_DESTROY_MR_HANDLE,
		.op = OP(dereg_mr),
		.command = IB_USER_VERBS_CMD_DEREG_MR,
	};

	return destroy_handle(vmr->ibv_mr.context, &how, vmr->ibv_mr.handle);
}

/* The MR is another file's, or another process's: only the keys are known. */
int ibv_cmd_query_mr(struct ibv_pd *pd, struct verbs_mr *vmr,
		     uint32_t mr_handle)
{
	const struct uverbs_alias *lent =
		offered_loan(pd->context, UVERBS_OBJECT_MR);
	uint32_t lkey = 0, rkey = 0;
	uint64_t length = 0;
	struct request rq;
	int ret;

	if (lent && lent->handle == mr_handle) {
		const struct driver_data none = { 0 };

		lkey = lent->lkey;
		rkey = lent->rkey;
		length = lent->length;
		ret = take_loan(&none);
	} else {
		request_init(&rq, pd->context, UVERBS_OBJECT_MR,
			     UVERBS_METHOD_QUERY_MR);
		request_handle(&rq, UVERBS_ATTR_QUERY_MR_HANDLE, mr_handle);
		request_out(&rq, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &lkey,
			    sizeof(lkey));
		request_out(&rq, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &rkey,
			    sizeof(rkey));
		request_out(&rq, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &length,
			    sizeof(length));
		ret = request_run(&rq);
	}
	if (ret)
		return ret;
	vmr->ibv_mr.handle = mr_handle;
	vmr->ibv_mr.context = pd->context;
	vmr->ibv_mr.pd = pd;
	vmr->ibv_mr.addr = NULL;
	vmr->ibv_mr.length = length;
	vmr->ibv_mr.lkey = lkey;
	vmr->ibv_mr.rkey = rkey;
	vmr->mr_type = IBV_MR_TYPE_IMPORTED_MR;
	return 0;
}

int ibv_cmd_advise_mr(struct ibv_pd *pd, enum ib_uverbs_advise_mr_advice advice,
		      uint32_t flags, struct ibv_sge *sg_list, uint32_t num_sge)
{
	struct request rq;

	_Static_assert(sizeof(struct ibv_sge) == sizeof(struct ib_uverbs_sge),
		       "passed as it is");

	request_init(&rq, pd->context, UVERBS_OBJECT_MR,
		     UVERBS_METHOD_ADVISE_MR);
	request_handle(&rq, UVERBS_ATTR_ADVISE_MR_PD_HANDLE, pd->handle);
	request_u64(&rq, UVERBS_ATTR_ADVISE_MR_ADVICE, advice);
	request_u32(&rq, UVERBS_ATTR_ADVISE_MR_FLAGS, flags);
	request_in(&rq, UVERBS_ATTR_ADVISE_MR_SGE_LIST, sg_list,
		   (size_t)num_sge * sizeof(*sg_list));
	return request_run(&rq);
}

int ibv_cmd_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length,
			  uint64_t iova, int fd, int access,
			  struct verbs_mr *vmr)
{
	uint32_t lkey = 0, rkey = 0;
	struct ib_uverbs_attr *made;
	struct request rq;
	int ret;

	request_init(&rq, pd->context, UVERBS_OBJECT_MR,
		     UVERBS_METHOD_REG_DMABUF_MR);
	made = request_new(&rq, UVERBS_ATTR_REG_DMABUF_MR_HANDLE);
	request_out(&rq, UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY, &lkey,
		    sizeof(lkey));
	request_out(&rq, UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, &rkey,
		    sizeof(rkey));
	request_handle(&rq, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, pd->handle);
	request_u64(&rq, UVERBS_ATTR_REG_DMABUF_MR_OFFSET, offset);
	request_u64(&rq, UVERBS_ATTR_REG_DMABUF_MR_LENGTH, length);
	request_u64(&rq, UVERBS_ATTR_REG_DMABUF_MR_IOVA, iova);
	request_u32(&rq, UVERBS_ATTR_REG_DMABUF_MR_FD, fd);
	request_u32(&rq, UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, access);
	ret = request_run(&rq);
	if (ret)
		return ret;
	vmr->ibv_mr.handle = made->data;
	vmr->ibv_mr.context = pd->context;
	vmr->ibv_mr.lkey = lkey;
	vmr->ibv_mr.rkey = rkey;
	vmr->ibv_mr.pd = pd;
	vmr->ibv_mr.addr = (void *)(uintptr_t)offset;
	vmr->ibv_mr.length = length;
	vmr->mr_type = IBV_MR_TYPE_DMABUF_MR;
	return 0;
}

int ibv_cmd_reg_dm_mr(struct ibv_pd *pd, struct verbs_dm *dm, uint64_t offset,
		      size_t length, unsigned int access, struct verbs_mr *vmr,
		      struct ibv_command_buffer *link)
{
	uint32_t lkey = 0, rkey = 0;
	struct ib_uverbs_attr *made;
	struct request rq;
	int ret;

	/* Device memory has no address of its own. */
	if (!(access & IBV_ACCESS_ZERO_BASED))
		return invalid();

	request_init(&rq, pd->context, UVERBS_OBJECT_MR,
		     UVERBS_METHOD_DM_MR_REG);
	made = request_new(&rq, UVERBS_ATTR_REG_DM_MR_HANDLE);
	request_out(&rq, UVERBS_ATTR_REG_DM_MR_RESP_LKEY, &lkey, sizeof(lkey));
	request_out(&rq, UVERBS_ATTR_REG_DM_MR_RESP_RKEY, &rkey, sizeof(rkey));
	request_handle(&rq, UVERBS_ATTR_REG_DM_MR_PD_HANDLE, pd->handle);
	request_handle(&rq, UVERBS_ATTR_REG_DM_MR_DM_HANDLE, dm->handle);
	request_u64(&rq, UVERBS_ATTR_REG_DM_MR_OFFSET, offset);
	request_u64(&rq, UVERBS_ATTR_REG_DM_MR_LENGTH, length);
	request_u32(&rq, UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS, access);
	request_link(&rq, link);
	ret = request_run(&rq);
	if (ret)
		return ret;
	vmr->ibv_mr.handle = made->data;
	vmr->ibv_mr.context = pd->context;
	vmr->ibv_mr.lkey = lkey;
	vmr->ibv_mr.rkey = rkey;
	vmr->ibv_mr.length = length;
	vmr->ibv_mr.pd = pd;
	vmr->ibv_mr.addr = NULL;
	vmr->mr_type = IBV_MR_TYPE_MR;
	return 0;
}
