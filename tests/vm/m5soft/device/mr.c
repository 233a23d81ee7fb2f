// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Memory regions, and the check that stands before every access to them.
 */
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "m5soft.h"

/* A key is an index and, in the low byte, something that differs each time. */
#define KEY_INDEX(_key) ((_key) >> 8)

/* With dev->lock */
static u32 new_key(struct m5_device *dev, u32 index)
{
	dev->next_key += 7;
	return index << 8 | dev->next_key;
}

static int add_mr(struct m5_device *dev, struct m5_mr *mr)
{
	u32 index;
	int ret;

	mutex_lock(&dev->lock);
	ret = xa_alloc_cyclic(&dev->mrs, &index, mr, XA_LIMIT(0x10, 0xfffff),
			      &dev->next_mr, GFP_KERNEL);
	if (ret >= 0)
		mr->ib.lkey = mr->ib.rkey = new_key(dev, index);
	mutex_unlock(&dev->lock);
	return ret < 0 ? ret : 0;
}

struct ib_mr *m5_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova,
			     int access, struct ib_udata *udata)
{
	struct m5_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	int ret;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	ret = m5_pin(&mr->pin, pd->device, start, length, access);
	if (ret)
		goto free;
	mr->ib.length = length;
	mr->iova = iova;
	mr->length = length;
	mr->access = access;
	mr->pdn = m5_pd(pd)->pdn;
	mr->context = m5_context_of(udata);
	ret = add_mr(m5_device(pd->device), mr);
	if (ret)
		goto unpin;
	atomic_inc(&mr->context->objects);
	M5_HAPPENED(mrs);
	return &mr->ib;
unpin:
	m5_unpin(&mr->pin);
free:
	kfree(mr);
	return ERR_PTR(ret);
}

struct ib_mr *m5_rereg_user_mr(struct ib_mr *ib, int flags, u64 start,
			       u64 length, u64 iova, int access,
			       struct ib_pd *pd, struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct m5_mr *mr = m5_mr(ib);
	struct m5_pin old = {}, new;
	int ret;

	WARN(m5_context_of(udata) != mr->context,
	     "MR changed in another context");
	if (!(flags & IB_MR_REREG_ACCESS))
		access = mr->access;
	if (flags & IB_MR_REREG_TRANS) {
		ret = m5_pin(&new, ib->device, start, length, access);
		if (ret)
			return ERR_PTR(ret);
	} else if (ib_access_writable(access) && !mr->pin.umem->writable) {
		/* Its pages were not pinned for that. */
		return ERR_PTR(-EOPNOTSUPP);
	}
	mutex_lock(&dev->lock);
	if (flags & IB_MR_REREG_TRANS) {
		old = mr->pin;
		mr->pin = new;
		mr->iova = iova;
		mr->length = length;
		ib->length = length;
	}
	if (flags & IB_MR_REREG_PD)
		mr->pdn = m5_pd(pd)->pdn;
	mr->access = access;
	ib->lkey = ib->rkey = new_key(dev, KEY_INDEX(ib->lkey));
	mutex_unlock(&dev->lock);
	m5_unpin(&old);
	return NULL;
}

int m5_dereg_mr(struct ib_mr *ib, struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);
	struct m5_mr *mr = m5_mr(ib);

	WARN(m5_context_of(udata) != mr->context,
	     "MR freed in another context");
	M5_HAPPENED(deregs);
	if (m5_slow_ms)
		msleep(m5_slow_ms);
	mutex_lock(&dev->lock);
	xa_erase(&dev->mrs, KEY_INDEX(ib->lkey));
	mutex_unlock(&dev->lock);
	m5_unpin(&mr->pin);
	atomic_dec(&mr->context->objects);
	kfree(mr);
	M5_GONE(mrs);
	return 0;
}

struct m5_mr *m5_mr_find(struct m5_device *dev, u32 key, u32 pdn, u64 addr,
			 u64 length, int access)
{
	struct m5_mr *mr = xa_load(&dev->mrs, KEY_INDEX(key));

	if (!mr || mr->ib.lkey != key || mr->pdn != pdn ||
	    (mr->access & access) != access)
		return NULL;
	if (addr < mr->iova || length > mr->length ||
	    addr - mr->iova > mr->length - length)
		return NULL;
	return mr;
}

void *m5_mr_pointer(struct m5_mr *mr, u64 addr, u32 *length)
{
	u64 at = addr - mr->iova + mr->pin.offset;

	*length = min_t(u32, *length, PAGE_SIZE - offset_in_page(at));
	return page_address(mr->pin.pages[at >> PAGE_SHIFT]) +
	       offset_in_page(at);
}

/* Windows can be had, but not be bound: their keys give access to nothing. */
int m5_alloc_mw(struct ib_mw *ib, struct ib_udata *udata)
{
	struct m5_device *dev = m5_device(ib->device);

	mutex_lock(&dev->lock);
	ib->rkey = new_key(dev, 0);
	mutex_unlock(&dev->lock);
	M5_HAPPENED(mws);
	return 0;
}

int m5_dealloc_mw(struct ib_mw *ib)
{
	M5_GONE(mws);
	return 0;
}
