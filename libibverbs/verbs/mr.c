// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Memory regions.  Registered memory must not become copy-on-write in a forked
 * child's parent, so while the library's fork support is on each region's pages
 * are marked; on-demand regions follow the page tables and need no mark.
 */
#include <errno.h>

#include "provider/priv.h"
#include "util/fork.h"

/* The pages that an MR keeps marked: none if addr is NULL (imported, DM). */
struct marked {
	void *addr;
	size_t length;
};

static struct marked marked_by(void *addr, size_t length, unsigned int access)
{
	if (access & IBV_ACCESS_ON_DEMAND)
		return (struct marked){ 0 };
	return (struct marked){ addr, length };
}

/* One of ibv_reg_mr(), of this process or by way of ibv_import_mr() */
static bool is_registration(const struct verbs_mr *vmr)
{
	return vmr->mr_type == IBV_MR_TYPE_MR || vmr->mr_type == MR_TYPE_ALIAS;
}

static struct marked marked_by_mr(const struct verbs_mr *vmr)
{
	if (!is_registration(vmr))
		return (struct marked){ 0 };
	return marked_by(vmr->ibv_mr.addr, vmr->ibv_mr.length, vmr->access);
}

static int mark(struct marked range)
{
	return range.addr ? ibv_dontfork_range(range.addr, range.length) : 0;
}

static int unmark(struct marked range)
{
	return range.addr ? ibv_dofork_range(range.addr, range.length) : 0;
}

/* Another thread may be opening the same device and store the same again. */
static bool knows_optional_access(struct ibv_context *context)
{
	struct verbs_device *device = verbs_get_device(context->device);

	return __atomic_load_n(&device->core_support, __ATOMIC_RELAXED) &
	       IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS;
}

static struct ibv_mr *reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			     uint64_t iova, unsigned int access)
{
	struct marked range = marked_by(addr, length, access);
	struct ibv_mr *mr;
	int err;

	/* Optional means: a kernel that does not know the bits ignores them. */
	if (!knows_optional_access(pd->context))
		access &= ~(unsigned int)IBV_ACCESS_OPTIONAL_RANGE;

	if (mark(range))
		return NULL;

	mr = get_ops(pd->context)->reg_mr(pd, addr, length, iova, access);
	if (!mr) {
		err = errno;
		unmark(range);
		errno = err;
		return NULL;
	}

	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	return mr;
}

/**
 * ibv_reg_mr - register memory
 * @pd: the PD, which must outlive the MR
 * @addr: start of the memory, and the address by which work requests name it
 * @length: in bytes
 * @access: IBV_ACCESS_ bits; 0 is local read only
 *
 * Returns the MR, which the caller gives back with ibv_dereg_mr(), or NULL with
 * errno.  Thread-safe.  Since IBVERBS_1.1.
 */
struct ibv_mr *(ibv_reg_mr)(struct ibv_pd *pd, void *addr, size_t length,
			    int access)
{
	return reg_mr(pd, addr, length, (uintptr_t)addr, access);
}

/**
 * ibv_reg_mr_iova - register memory under an address of the caller's choice
 * @iova: the address by which work requests name the start of the memory
 *
 * As ibv_reg_mr() otherwise.  Since IBVERBS_1.7.
 */
struct ibv_mr *(ibv_reg_mr_iova)(struct ibv_pd *pd, void *addr, size_t length,
				 uint64_t iova, int access)
{
	return reg_mr(pd, addr, length, iova, access);
}

/**
 * ibv_reg_mr_iova2 - what verbs.h calls for accesses with optional bits
 *
 * As ibv_reg_mr_iova().  Since IBVERBS_1.8.
 */
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length,
				uint64_t iova, unsigned int access)
{
	return reg_mr(pd, addr, length, iova, access);
}

/**
 * ibv_reg_dmabuf_mr - register a part of a dma-buf
 * @pd: the PD, which must outlive the MR
 * @offset: into the dma-buf, in bytes
 * @length: in bytes
 * @iova: the address by which work requests name the start
 * @fd: the dma-buf; may be closed afterwards
 * @access: IBV_ACCESS_ bits
 *
 * Returns the MR (addr holds the offset), to be given back with ibv_dereg_mr(),
 * or NULL with errno.  Thread-safe.  Since IBVERBS_1.12.
 */
struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset,
				 size_t length, uint64_t iova, int fd,
				 int access)
{
	struct ibv_mr *mr;

	mr = get_ops(pd->context)
		     ->reg_dmabuf_mr(pd, offset, length, iova, fd, access);
	if (!mr)
		return NULL;

	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = (void *)(uintptr_t)offset;
	mr->length = length;
	return mr;
}

/**
 * ibv_rereg_mr - change an MR's memory, PD or access
 * @mr: keeps its identity; lkey and rkey may change
 * @flags: IBV_REREG_MR_CHANGE_ bits: which of the following arguments count
 * @pd: the new PD
 * @addr: start of the new memory
 * @length: of the new memory, in bytes
 * @access: the new IBV_ACCESS_ bits; must be 0 if they are not to change
 *
 * Returns 0 or a negative enum ibv_rereg_mr_err_code, with errno: EINVAL for
 * arguments that make no sense, EBUSY for an MR that windows are bound to or
 * that has other aliases.  After IBV_REREG_MR_ERR_CMD or _CMD_AND_DO_FORK_NEW
 * the MR is unchanged if errno is EBUSY; else all that is left is
 * ibv_dereg_mr().  Nothing may be using the MR.  Since IBVERBS_1.1.
 */
int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr,
		 size_t length, int access)
{
	struct verbs_mr *vmr = container_of(mr, struct verbs_mr, ibv_mr);
	struct marked old = marked_by_mr(vmr);
	struct marked new;
	bool change_memory = flags & IBV_REREG_MR_CHANGE_TRANSLATION;
	bool change_access = flags & IBV_REREG_MR_CHANGE_ACCESS;
	bool remark;
	int ret, err;

	if (!is_registration(vmr) || (flags & ~IBV_REREG_MR_FLAGS_SUPPORTED) ||
	    (change_memory && (!addr || !length)) ||
	    ((flags & IBV_REREG_MR_CHANGE_PD) && !pd) ||
	    (access && !change_access)) {
		errno = EINVAL;
		return IBV_REREG_MR_ERR_INPUT;
	}

	new = marked_by(change_memory ? addr : mr->addr,
			change_memory ? length : mr->length,
			change_access ? access : vmr->access);
	remark = change_memory || !new.addr != !old.addr;

	if (remark && mark(new))
		return IBV_REREG_MR_ERR_DONT_FORK_NEW;

	ret = get_ops(mr->context)
		      ->rereg_mr(vmr, flags, pd, addr, length, access);
	if (ret) {
		err = ret > 0 ? ret : errno;
		ret = IBV_REREG_MR_ERR_CMD;
		if (remark && unmark(new))
			ret = IBV_REREG_MR_ERR_CMD_AND_DO_FORK_NEW;
		errno = err;
		return ret;
	}

	if (flags & IBV_REREG_MR_CHANGE_PD)
		mr->pd = pd;
	if (change_memory) {
		mr->addr = addr;
		mr->length = length;
	}
	if (change_access)
		vmr->access = access;
	if (remark && unmark(old))
		return IBV_REREG_MR_ERR_DO_FORK_OLD;
	return 0;
}

/**
 * ibv_dereg_mr - give back an MR of any kind, an alias of a shared one included
 * @mr: freed on success; unchanged and usable on failure
 *
 * The kernel's MR, and with it the pinned memory and the keys, lives on while
 * another alias of it does.  Returns 0 or an errno value: EBUSY while memory
 * windows are bound to it.  Nothing may be using the MR.  Since IBVERBS_1.1.
 */
int ibv_dereg_mr(struct ibv_mr *mr)
{
	struct verbs_mr *vmr = container_of(mr, struct verbs_mr, ibv_mr);
	struct marked range = marked_by_mr(vmr);
	struct ibv_pd stand_in = { .context = mr->context };
	struct ibv_pd *pd = mr->pd;
	int ret;

	/*
	 * An alias may have outlived the PD that it names, or never had one,
	 * but released providers look there for the context.
	 */
	if (vmr->mr_type == MR_TYPE_ALIAS || !pd)
		mr->pd = &stand_in;
	ret = get_ops(mr->context)->dereg_mr(vmr);
	if (ret)
		mr->pd = pd;
	else
		unmark(range);
	return ret;
}
