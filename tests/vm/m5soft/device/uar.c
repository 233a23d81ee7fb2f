// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * UAR pages: where a process rings, or writes work requests to.  The device
 * looks at the doorbell records instead, so that a page is plain memory; when it
 * goes it tells how it was used.
 */
#include <linux/module.h>
#include <linux/vmalloc.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/uverbs_std_types.h>
#define UVERBS_MODULE_NAME m5soft
#include <rdma/uverbs_named_ioctl.h>

#include "m5soft.h"

struct m5_uar {
	struct rdma_user_mmap_entry entry;
	u8 *page;
	u32 index;
};

int m5_mmap(struct ib_ucontext *ib, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *entry = rdma_user_mmap_entry_get(ib, vma);
	struct m5_uar *uar;
	int ret;

	if (!entry)
		return -EINVAL;
	uar = container_of(entry, struct m5_uar, entry);
	/* The mapping has references to the page itself: it may stay longer
	 * than the entry.
	 */
	ret = remap_vmalloc_range(vma, uar->page, 0);
	rdma_user_mmap_entry_put(entry);
	return ret;
}

/* A doorbell is the first eight bytes of a register, BlueFlame is more. */
static void note_use(struct m5_uar *uar)
{
	bool rung = false, blueflame = false;
	u32 at;

	for (at = M5_UAR_REGISTERS; at < PAGE_SIZE;
	     at += M5_UAR_REGISTER_SIZE) {
		u8 *reg = uar->page + at;

		if (memchr_inv(reg, 0, 8))
			rung = true;
		/* Two halves, used in turn */
		if (memchr_inv(reg + 8, 0, M5_UAR_REGISTER_SIZE / 2 - 8) ||
		    memchr_inv(reg + M5_UAR_REGISTER_SIZE / 2 + 8, 0,
			       M5_UAR_REGISTER_SIZE / 2 - 8))
			blueflame = true;
	}
	if (rung)
		M5_HAPPENED(uars_rung);
	if (blueflame)
		M5_HAPPENED(uars_blueflame);
}

void m5_mmap_free(struct rdma_user_mmap_entry *entry)
{
	struct m5_uar *uar = container_of(entry, struct m5_uar, entry);

	note_use(uar);
	vfree(uar->page);
	kfree(uar);
	M5_GONE(uars);
}

static int destroy(struct ib_uobject *uobject, enum rdma_remove_reason why,
		   struct uverbs_attr_bundle *attrs)
{
	struct m5_uar *uar = uobject->object;

	rdma_user_mmap_entry_remove(&uar->entry);
	return 0;
}

static int
UVERBS_HANDLER(MLX5_IB_METHOD_UAR_OBJ_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobject =
		uverbs_attr_get_uobject(attrs,
					MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);
	struct ib_ucontext *context = ib_uverbs_get_ucontext(attrs);
	u32 length = PAGE_SIZE;
	struct m5_device *dev;
	struct m5_uar *uar;
	u64 offset;
	int ret;

	if (IS_ERR(context))
		return PTR_ERR(context);
	uar = kzalloc(sizeof(*uar), GFP_KERNEL);
	if (!uar)
		return -ENOMEM;
	dev = m5_device(context->device);
	mutex_lock(&dev->lock);
	uar->index = ++dev->next_uar;
	mutex_unlock(&dev->lock);
	uar->page = vmalloc_user(PAGE_SIZE);
	ret = uar->page ? rdma_user_mmap_entry_insert(context, &uar->entry,
						      PAGE_SIZE)
			: -ENOMEM;
	if (ret) {
		vfree(uar->page);
		kfree(uar);
		return ret;
	}
	M5_HAPPENED(uars);
	offset = rdma_user_mmap_get_offset(&uar->entry);
	uobject->object = uar;
	uverbs_finalize_uobj_create(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);

	ret = uverbs_copy_to(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET,
			     &offset, sizeof(offset));
	if (ret)
		return ret;
	ret = uverbs_copy_to(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID,
			     &uar->index, sizeof(uar->index));
	if (ret)
		return ret;
	return uverbs_copy_to(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH,
			      &length, sizeof(length));
}

DECLARE_UVERBS_NAMED_METHOD(
	MLX5_IB_METHOD_UAR_OBJ_ALLOC,
	UVERBS_ATTR_IDR(MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, MLX5_IB_OBJECT_UAR,
			UVERBS_ACCESS_NEW, UA_MANDATORY),
	UVERBS_ATTR_CONST_IN(MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE,
			     enum mlx5_ib_uapi_uar_alloc_type, UA_MANDATORY),
	UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID,
			    UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
	UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH,
			    UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
	UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET,
			    UVERBS_ATTR_TYPE(u64), UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(
	MLX5_IB_METHOD_UAR_OBJ_DESTROY,
	UVERBS_ATTR_IDR(MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, MLX5_IB_OBJECT_UAR,
			UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(MLX5_IB_OBJECT_UAR, UVERBS_TYPE_ALLOC_IDR(destroy),
			    &UVERBS_METHOD(MLX5_IB_METHOD_UAR_OBJ_ALLOC),
			    &UVERBS_METHOD(MLX5_IB_METHOD_UAR_OBJ_DESTROY));

const struct uapi_definition m5_uar_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_UAR),
	{},
};
