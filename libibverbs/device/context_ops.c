// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The table of operations of a context: the private copy that the library
 * calls through, the public slots that programs' inline functions call, and
 * what stands in both until a provider has set its own.
 */
#include <errno.h>
#include <string.h>

#include "device/context_ops.h"
#include "priv.h"

/*
 * Defaults.  They look at no argument, and every calling convention that the
 * library is built for lets a function ignore its arguments, so five do for
 * all operations.
 */
typedef void (*any_function)(void);

static int return_errno(void)
{
	return EOPNOTSUPP;
}

static void *return_null(void)
{
	errno = EOPNOTSUPP;
	return NULL;
}

static int return_zero(void)
{
	return 0;
}

static int fail_rereg(void)
{
	errno = EOPNOTSUPP;
	return IBV_REREG_MR_ERR_INPUT;
}

static void do_nothing(void)
{
}

#define RETURN_ERRNO ((any_function)return_errno)
#define RETURN_NULL ((any_function)return_null)
#define RETURN_ZERO ((any_function)return_zero)
#define FAIL_REREG ((any_function)fail_rereg)
#define DO_NOTHING do_nothing

/*
 * Where programs find the operation in a verbs_context.  LEGACY slots named
 * _compat_ are called by no header of today but by old binaries.
 */
#define EXTENDED(_slot) offsetof(struct verbs_context, _slot)
#define LEGACY(_slot) offsetof(struct verbs_context, context.ops._slot)
#define NO_SLOT 0xffff

#define OP(_op, _default, _slot)                                             \
	[offsetof(struct verbs_context_ops, _op) / sizeof(any_function)] = { \
		.initial = _default, .public_slot = _slot                    \
	}

static const struct op {
	any_function initial;
	uint16_t public_slot;
} op_table[] = {
	/* clang-format off */
	OP(advise_mr, RETURN_ERRNO, EXTENDED(advise_mr)),
	OP(alloc_dm, RETURN_NULL, EXTENDED(alloc_dm)),
	OP(alloc_mw, RETURN_NULL, LEGACY(alloc_mw)),
	OP(alloc_null_mr, RETURN_NULL, EXTENDED(alloc_null_mr)),
	OP(alloc_parent_domain, RETURN_NULL, EXTENDED(alloc_parent_domain)),
	OP(alloc_pd, RETURN_NULL, LEGACY(_compat_alloc_pd)),
	OP(alloc_td, RETURN_NULL, EXTENDED(alloc_td)),
	OP(async_event, DO_NOTHING, LEGACY(_compat_async_event)),
	OP(attach_counters_point_flow, RETURN_ERRNO, EXTENDED(attach_counters_point_flow)),
	OP(attach_mcast, RETURN_ERRNO, LEGACY(_compat_attach_mcast)),
	OP(bind_mw, RETURN_ERRNO, LEGACY(bind_mw)),
	OP(close_xrcd, RETURN_ERRNO, EXTENDED(close_xrcd)),
	OP(cq_event, DO_NOTHING, LEGACY(_compat_cq_event)),
	OP(create_ah, RETURN_NULL, LEGACY(_compat_create_ah)),
	OP(create_counters, RETURN_NULL, EXTENDED(create_counters)),
	OP(create_cq, RETURN_NULL, LEGACY(_compat_create_cq)),
	OP(create_cq_ex, RETURN_NULL, NO_SLOT),
	OP(create_flow, RETURN_NULL, EXTENDED(ibv_create_flow)),
	OP(create_flow_action_esp, RETURN_NULL, EXTENDED(create_flow_action_esp)),
	OP(create_qp, RETURN_NULL, LEGACY(_compat_create_qp)),
	OP(create_qp_ex, RETURN_NULL, EXTENDED(create_qp_ex)),
	OP(create_rwq_ind_table, RETURN_NULL, EXTENDED(create_rwq_ind_table)),
	OP(create_srq, RETURN_NULL, LEGACY(_compat_create_srq)),
	OP(create_srq_ex, RETURN_NULL, EXTENDED(create_srq_ex)),
	OP(create_wq, RETURN_NULL, EXTENDED(create_wq)),
	OP(dealloc_mw, RETURN_ERRNO, LEGACY(dealloc_mw)),
	OP(dealloc_pd, RETURN_ERRNO, LEGACY(_compat_dealloc_pd)),
	OP(dealloc_td, RETURN_ERRNO, EXTENDED(dealloc_td)),
	OP(dereg_mr, RETURN_ERRNO, LEGACY(_compat_dereg_mr)),
	OP(destroy_ah, RETURN_ERRNO, LEGACY(_compat_destroy_ah)),
	OP(destroy_counters, RETURN_ERRNO, EXTENDED(destroy_counters)),
	OP(destroy_cq, RETURN_ERRNO, LEGACY(_compat_destroy_cq)),
	OP(destroy_flow, RETURN_ERRNO, EXTENDED(ibv_destroy_flow)),
	OP(destroy_flow_action, RETURN_ERRNO, EXTENDED(destroy_flow_action)),
	OP(destroy_qp, RETURN_ERRNO, LEGACY(_compat_destroy_qp)),
	OP(destroy_rwq_ind_table, RETURN_ERRNO, EXTENDED(destroy_rwq_ind_table)),
	OP(destroy_srq, RETURN_ERRNO, LEGACY(_compat_destroy_srq)),
	OP(destroy_wq, RETURN_ERRNO, EXTENDED(destroy_wq)),
	OP(detach_mcast, RETURN_ERRNO, LEGACY(_compat_detach_mcast)),
	OP(free_context, DO_NOTHING, NO_SLOT),
	OP(free_dm, RETURN_ERRNO, EXTENDED(free_dm)),
	OP(get_srq_num, RETURN_ERRNO, EXTENDED(get_srq_num)),
	OP(import_dm, RETURN_NULL, NO_SLOT),
	OP(import_mr, RETURN_NULL, NO_SLOT),
	OP(import_pd, RETURN_NULL, NO_SLOT),
	OP(modify_cq, RETURN_ERRNO, EXTENDED(modify_cq)),
	OP(modify_flow_action_esp, RETURN_ERRNO, EXTENDED(modify_flow_action_esp)),
	OP(modify_qp, RETURN_ERRNO, LEGACY(_compat_modify_qp)),
	OP(modify_qp_rate_limit, RETURN_ERRNO, EXTENDED(modify_qp_rate_limit)),
	OP(modify_srq, RETURN_ERRNO, LEGACY(_compat_modify_srq)),
	OP(modify_wq, RETURN_ERRNO, EXTENDED(modify_wq)),
	OP(open_qp, RETURN_NULL, EXTENDED(open_qp)),
	OP(open_xrcd, RETURN_NULL, EXTENDED(open_xrcd)),
	OP(poll_cq, RETURN_ERRNO, LEGACY(poll_cq)),
	OP(post_recv, RETURN_ERRNO, LEGACY(post_recv)),
	OP(post_send, RETURN_ERRNO, LEGACY(post_send)),
	OP(post_srq_ops, RETURN_ERRNO, EXTENDED(post_srq_ops)),
	OP(post_srq_recv, RETURN_ERRNO, LEGACY(post_srq_recv)),
	OP(query_device_ex, RETURN_ERRNO, EXTENDED(query_device_ex)),
	OP(query_ece, RETURN_ERRNO, NO_SLOT),
	OP(query_port, RETURN_ERRNO, NO_SLOT),
	OP(query_qp, RETURN_ERRNO, LEGACY(_compat_query_qp)),
	OP(query_qp_data_in_order, RETURN_ZERO, NO_SLOT),
	OP(query_rt_values, RETURN_ERRNO, EXTENDED(query_rt_values)),
	OP(query_srq, RETURN_ERRNO, LEGACY(_compat_query_srq)),
	OP(read_counters, RETURN_ERRNO, EXTENDED(read_counters)),
	OP(reg_dm_mr, RETURN_NULL, EXTENDED(reg_dm_mr)),
	OP(reg_dmabuf_mr, RETURN_NULL, NO_SLOT),
	OP(reg_mr, RETURN_NULL, LEGACY(_compat_reg_mr)),
	OP(req_notify_cq, RETURN_ERRNO, LEGACY(req_notify_cq)),
	OP(rereg_mr, FAIL_REREG, LEGACY(_compat_rereg_mr)),
	OP(resize_cq, RETURN_ERRNO, LEGACY(_compat_resize_cq)),
	OP(set_ece, RETURN_ERRNO, NO_SLOT),
	OP(unimport_dm, DO_NOTHING, NO_SLOT),
	OP(unimport_mr, DO_NOTHING, NO_SLOT),
	OP(unimport_pd, DO_NOTHING, NO_SLOT),
	/* clang-format on */
};

_Static_assert(sizeof(op_table) / sizeof(op_table[0]) == NUM_CONTEXT_OPS,
	       "one row for each operation");

static void set_op(struct verbs_context *vctx, size_t index, any_function op)
{
	const size_t size = sizeof(op);

	memcpy((char *)&vctx->priv->ops + index * size, &op, size);
	if (op_table[index].public_slot != NO_SLOT)
		memcpy((char *)vctx + op_table[index].public_slot, &op, size);
}

/**
 * verbs_set_ops - Set operations of a context
 * @ops: members that are NULL leave the context's operation as it is
 *
 * To be called by the provider while it opens the device, any number of times.
 */
void verbs_set_ops(struct verbs_context *vctx,
		   const struct verbs_context_ops *ops)
{
	any_function op;
	size_t i;

	for (i = 0; i < NUM_CONTEXT_OPS; i++) {
		memcpy(&op, (const char *)ops + i * sizeof(op), sizeof(op));
		if (op)
			set_op(vctx, i, op);
	}
}

void set_default_ops(struct verbs_context *vctx)
{
	size_t i;

	for (i = 0; i < NUM_CONTEXT_OPS; i++)
		set_op(vctx, i, op_table[i].initial);
}

bool provider_has_op(struct ibv_context *context, size_t op)
{
	any_function set;

	memcpy(&set, (const char *)get_ops(context) + op * sizeof(set),
	       sizeof(set));
	return set != op_table[op].initial;
}
