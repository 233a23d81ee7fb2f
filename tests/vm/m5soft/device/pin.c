// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * User memory: pinned, page by page for an MR, and mapped in one piece for a
 * queue or a doorbell record.
 */
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "m5soft.h"

void m5_unpin(struct m5_pin *pin)
{
	if (pin->map)
		vunmap(pin->map);
	kvfree(pin->pages);
	if (pin->umem)
		ib_umem_release(pin->umem);
	memset(pin, 0, sizeof(*pin));
}

int m5_pin(struct m5_pin *pin, struct ib_device *ib, u64 addr, u64 length,
	   int access)
{
	struct sg_page_iter iter;
	struct ib_umem *umem;
	u32 i = 0;

	memset(pin, 0, sizeof(*pin));
	umem = ib_umem_get(ib, addr, length, access);
	if (IS_ERR(umem))
		return PTR_ERR(umem);
	pin->umem = umem;
	pin->count = ib_umem_num_pages(umem);
	pin->offset = offset_in_page(addr);
	pin->pages = kvcalloc(pin->count, sizeof(*pin->pages), GFP_KERNEL);
	if (!pin->pages) {
		m5_unpin(pin);
		return -ENOMEM;
	}
	for_each_sgtable_page(&umem->sgt_append.sgt, &iter,
			      0) if (i < pin->count) pin->pages[i++] =
		sg_page_iter_page(&iter);
	return 0;
}

int m5_pin_mapped(struct m5_pin *pin, struct ib_device *ib, u64 addr,
		  u64 length)
{
	int ret = m5_pin(pin, ib, addr, length, IB_ACCESS_LOCAL_WRITE);

	if (ret)
		return ret;
	pin->map = vmap(pin->pages, pin->count, VM_MAP, PAGE_KERNEL);
	if (!pin->map) {
		m5_unpin(pin);
		return -ENOMEM;
	}
	pin->start = pin->map + pin->offset;
	return 0;
}
