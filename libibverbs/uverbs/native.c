// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Which native methods this kernel has.  It is learnt by trying: each context
 * remembers per operation that the method is missing and then sends the older
 * command at once.
 */
#include <errno.h>
#include <limits.h>

#include "uverbs/request.h"

enum { WORD_BITS = sizeof(unsigned long) * CHAR_BIT };

_Static_assert(NUM_CONTEXT_OPS <=
		       sizeof(((struct verbs_ex_private *)0)->no_native) *
			       CHAR_BIT,
	       "a bit for each operation");

static bool is_missing(struct verbs_ex_private *priv, size_t op)
{
	unsigned long word =
		atomic_load_explicit(&priv->no_native[op / WORD_BITS],
				     memory_order_relaxed);

	return word >> (op % WORD_BITS) & 1;
}

static void mark_missing(struct verbs_ex_private *priv, size_t op)
{
	atomic_fetch_or_explicit(&priv->no_native[op / WORD_BITS],
				 1UL << (op % WORD_BITS), memory_order_relaxed);
}

static void mark_all_missing(struct verbs_ex_private *priv)
{
	for (size_t i = 0; i < array_size(priv->no_native); i++)
		atomic_store_explicit(&priv->no_native[i], ULONG_MAX,
				      memory_order_relaxed);
}

int request_run_native(struct request *rq, size_t op, bool may_fall_back)
{
	struct verbs_ex_private *priv = get_priv(rq->context);

	if (!is_missing(priv, op)) {
		int ret = request_run(rq);

		if (ret == ENOTTY)
			mark_all_missing(priv);
		else if (ret == EPROTONOSUPPORT)
			mark_missing(priv, op);
		else
			return ret;
	}
	if (may_fall_back)
		return FALL_BACK;
	errno = EOPNOTSUPP;
	return EOPNOTSUPP;
}
