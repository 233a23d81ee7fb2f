// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Protection domains: a number each, and the user id of the context in which it
 * was made.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/uverbs_std_types.h>
#define UVERBS_MODULE_NAME m5soft
#include <rdma/uverbs_named_ioctl.h>

#include "m5soft.h"

int m5_alloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct mlx5_ib_alloc_pd_resp resp = {};
	struct m5_pd *pd = m5_pd(ib);
	int ret;

	if (!udata)
		return -EOPNOTSUPP;
	pd->context = m5_context_of(udata);
	pd->uid = pd->context->uid;
	mutex_lock(&dev->lock);
	ret = xa_alloc_cyclic(&dev->pds, &pd->pdn, pd, XA_LIMIT(1, 0xffffff),
			      &dev->next_pdn, GFP_KERNEL);
	mutex_unlock(&dev->lock);
	if (ret < 0)
		return ret;
	resp.pdn = pd->pdn;
	ret = ib_copy_to_udata(udata, &resp, min(udata->outlen, sizeof(resp)));
	if (ret) {
		mutex_lock(&dev->lock);
		xa_erase(&dev->pds, pd->pdn);
		mutex_unlock(&dev->lock);
		return ret;
	}
	if (m5_reply_ms)
		msleep(m5_reply_ms);
	atomic_inc(&pd->context->objects);
	M5_HAPPENED(pds);
	return 0;
}

int m5_dealloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct m5_pd *pd = m5_pd(ib);

	WARN(m5_context_of(udata) != pd->context,
	     "PD freed in another context");
	WARN(atomic_read(&ib->usecnt), "PD freed while in use");
	mutex_lock(&dev->lock);
	xa_erase(&dev->pds, pd->pdn);
	mutex_unlock(&dev->lock);
	atomic_dec(&pd->context->objects);
	M5_GONE(pds);
	return 0;
}

/* By this libmlx5 makes its struct for an imported handle. */
static int
UVERBS_HANDLER(MLX5_IB_METHOD_PD_QUERY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_pd *ib =
		uverbs_attr_get_obj(attrs, MLX5_IB_ATTR_QUERY_PD_HANDLE);
	struct m5_pd *pd = m5_pd(ib);

	return uverbs_copy_to(attrs, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, &pd->pdn,
			      sizeof(pd->pdn));
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_PD_QUERY,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_QUERY_PD_HANDLE,
					    UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_QUERY_PD_RESP_PDN,
						UVERBS_ATTR_TYPE(u32),
						UA_MANDATORY));

ADD_UVERBS_METHODS(m5_pd_query, UVERBS_OBJECT_PD,
		   &UVERBS_METHOD(MLX5_IB_METHOD_PD_QUERY));

const struct uapi_definition m5_pd_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_PD, &m5_pd_query),
	{},
};
