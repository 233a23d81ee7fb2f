// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The two ways of wrapping an alias in the provider's own struct.
 *
 * By op: the provider has an import op and is given the alias's handle.  That
 * op was made for handles that it does not own, so on failure the alias is
 * still ours.
 *
 * By adoption: the provider's alloc_pd or reg_mr op runs as it always does, but
 * the library's command function that it calls takes the alias instead of
 * asking the kernel for a new object.  From then on the op owns the handle:
 * if it fails later, it has destroyed it, as it would one that it allocated.
 */
#include <errno.h>
#include <string.h>

#include "share/share.h"

static int can_adopt(struct ibv_context *context)
{
	const struct share_driver *driver =
		share_find_driver(get_priv(context)->driver_id);

	if (!driver || !driver->cannot_adopt)
		return 0;
	verbs_err(to_vctx(context), "objects cannot be imported: %s\n",
		  driver->cannot_adopt);
	return EOPNOTSUPP;
}

int share_can_wrap_pd(struct ibv_context *context)
{
	return PROVIDER_HAS(context, import_pd) ? 0 : can_adopt(context);
}

int share_can_wrap_mr(struct ibv_context *context)
{
	return PROVIDER_HAS(context, import_mr) ? 0 : can_adopt(context);
}

/* The op went its own way and has a new object of the kernel. */
static void log_not_adopted(struct ibv_context *context, const char *op)
{
	verbs_err(to_vctx(context),
		  "objects cannot be imported: the provider's %s does not use "
		  "the library's command\n",
		  op);
}

static struct ibv_pd *adopt_pd(struct ibv_context *context,
			       struct uverbs_alias *alias)
{
	const struct verbs_context_ops *ops = get_ops(context);
	struct ibv_pd *pd;
	bool used;

	uverbs_lend_alias(context, alias);
	pd = ops->alloc_pd(context);
	used = uverbs_end_loan();
	if (used)
		return pd;

	if (pd) {
		/* What the public verb would have set before its counterpart */
		pd->context = context;
		ops->dealloc_pd(pd);
		log_not_adopted(context, "alloc_pd");
		errno = EOPNOTSUPP;
	}
	uverbs_drop_alias(context, alias);
	return NULL;
}

static struct ibv_pd *import_pd_by_op(struct ibv_context *context,
				      struct uverbs_alias *alias)
{
	struct ibv_pd *pd;

	pd = get_ops(context)->import_pd(context, alias->handle);
	if (!pd)
		uverbs_drop_alias(context, alias);
	return pd;
}

struct ibv_pd *share_wrap_pd(struct ibv_context *context,
			     struct uverbs_alias *alias)
{
	int saved = errno;
	struct ibv_pd *pd;

	/* Some providers return NULL without saying why. */
	errno = 0;
	pd = PROVIDER_HAS(context, import_pd) ? import_pd_by_op(context, alias)
					      : adopt_pd(context, alias);
	if (!pd) {
		if (!errno)
			errno = EOPNOTSUPP;
		return NULL;
	}

	errno = saved;
	pd->context = context;
	return pd;
}

/* What the driver told the MR's maker, where it follows from the alias */
static void give_mr_reply(struct ibv_context *context,
			  struct uverbs_alias *alias)
{
	const struct share_driver *driver =
		share_find_driver(get_priv(context)->driver_id);

	if (!driver || !driver->mr_reply_len)
		return;
	memset(alias->driver, 0, driver->mr_reply_len);
	memcpy(alias->driver, &alias->lkey, sizeof(alias->lkey));
	alias->driver_len = driver->mr_reply_len;
}

static struct ibv_mr *adopt_mr(struct ibv_pd *pd, struct uverbs_alias *alias)
{
	const struct verbs_context_ops *ops = get_ops(pd->context);
	struct ibv_mr *mr;
	void *addr;
	bool used;

	/*
	 * The address is nobody's here and goes nowhere, but some providers
	 * check that there is one.
	 */
	addr = (void *)(uintptr_t)(alias->iova ? alias->iova : 4096);

	give_mr_reply(pd->context, alias);
	uverbs_lend_alias(pd->context, alias);
	mr = ops->reg_mr(pd, addr, alias->length, alias->iova, 0);
	used = uverbs_end_loan();
	if (used)
		return mr;

	if (mr) {
		mr->context = pd->context;
		ops->dereg_mr(container_of(mr, struct verbs_mr, ibv_mr));
		log_not_adopted(pd->context, "reg_mr");
		errno = EOPNOTSUPP;
	}
	uverbs_drop_alias(pd->context, alias);
	return NULL;
}

static struct ibv_mr *import_mr_by_op(struct ibv_pd *pd,
				      struct uverbs_alias *alias)
{
	struct ibv_mr *mr;

	/* The op's query for keys and length is answered from the alias. */
	uverbs_lend_alias(pd->context, alias);
	mr = get_ops(pd->context)->import_mr(pd, alias->handle);
	uverbs_end_loan();
	if (!mr)
		uverbs_drop_alias(pd->context, alias);
	return mr;
}

struct ibv_mr *share_wrap_mr(struct ibv_context *context,
			     struct uverbs_alias *alias, struct ibv_pd *pd)
{
	/*
	 * An MR can be imported without its PD, but the ops want one.  They
	 * use its context and at most look into their own struct, which is
	 * longer.
	 */
	union {
		struct ibv_pd pd;
		char room[256];
	} stand_in = { .room = { 0 } };
	struct verbs_mr *vmr;
	struct ibv_mr *mr;
	struct ibv_pd *op_pd = pd;
	int saved = errno;

	if (!op_pd) {
		op_pd = &stand_in.pd;
		op_pd->context = context;
		op_pd->handle = alias->pd_handle;
	}

	errno = 0;
	mr = PROVIDER_HAS(context, import_mr) ? import_mr_by_op(op_pd, alias)
					      : adopt_mr(op_pd, alias);
	if (!mr) {
		if (!errno)
			errno = EOPNOTSUPP;
		return NULL;
	}

	errno = saved;
	mr->context = context;
	mr->pd = pd;
	mr->addr = NULL;
	mr->length = alias->length;
	mr->handle = alias->handle;
	mr->lkey = alias->lkey;
	mr->rkey = alias->rkey;

	vmr = container_of(mr, struct verbs_mr, ibv_mr);
	vmr->mr_type = MR_TYPE_ALIAS;
	vmr->access = 0;
	return mr;
}
