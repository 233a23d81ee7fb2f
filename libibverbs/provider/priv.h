/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the library keeps for each context, out of sight of providers and
 * programs: verbs_context.priv.
 */
#ifndef PROVIDER_PRIV_H
#define PROVIDER_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "driver.h"
#include "util/handle_map.h"

#define container_of(_ptr, _type, _member)                                     \
	((_type *)((char *)(_ptr)-offsetof(_type, _member)))

/* Symbols are hidden unless the version script names them. */
#define NUM_CONTEXT_OPS (sizeof(struct verbs_context_ops) / sizeof(void *))

struct verbs_ex_private {
	/* Every exported verb calls through this table, never the public slots. */
	struct verbs_context_ops ops;
	uint32_t driver_id;
	/* Threads that have an alias lent to them (see uverbs/share.c) */
	uint32_t loans;
	/* By ibv_import_device(): no fall-back from a native method */
	bool imported;
	/*
	 * Bit n: the kernel lacks the native method behind the op with slot
	 * index n (see uverbs/native.c), so INVOKE_WRITE is used at once.
	 */
	atomic_ulong no_native[2];
	/*
	 * The PD objects of this context by kernel handle, so that an imported
	 * MR can be given the PD object of its kernel PD.
	 */
	struct handle_map pds;
};

/*
 * verbs_mr.mr_type of an MR that ibv_import_mr() made with three arguments: its
 * memory and maybe its PD are another process's.  Far from the numbers that
 * providers and later releases know; to a provider it is an ordinary MR.
 */
#define MR_TYPE_ALIAS ((enum ibv_mr_type)0x5a4e)

static inline struct verbs_context *to_vctx(struct ibv_context *context)
{
	return container_of(context, struct verbs_context, context);
}

static inline struct verbs_ex_private *get_priv(struct ibv_context *context)
{
	return to_vctx(context)->priv;
}

static inline const struct verbs_context_ops *get_ops(struct ibv_context *context)
{
	return &get_priv(context)->ops;
}

/* Has the provider set the operation, or does the library's default stand? */
bool provider_has_op(struct ibv_context *context, size_t op);
#define PROVIDER_HAS(_context, _op)                                     \
	provider_has_op(_context, offsetof(struct verbs_context_ops, _op) / \
					  sizeof(void *))

#endif
