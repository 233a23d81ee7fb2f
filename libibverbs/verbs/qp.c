// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs. */
#include <errno.h>

#include "provider/priv.h"

/**
 * ibv_create_qp - make a queue pair
 * @pd: the PD, which must outlive the QP
 * @qp_init_attr: what is wanted; cap is updated with what was granted
 *
 * Returns the QP, which the caller gives back with ibv_destroy_qp(), or NULL
 * with errno.  Thread-safe.  Since IBVERBS_1.1.
 */
struct ibv_qp *ibv_create_qp(struct ibv_pd *pd,
			     struct ibv_qp_init_attr *qp_init_attr)
{
	return get_ops(pd->context)->create_qp(pd, qp_init_attr);
}

/**
 * ibv_qp_to_qp_ex - the work-request builder of a QP
 * @qp: any QP
 *
 * Returns the same QP as one for the ibv_wr_ functions, or NULL if it was made
 * without IBV_QP_INIT_ATTR_SEND_OPS_FLAGS.  Since IBVERBS_1.6.
 */
struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	struct verbs_qp *vqp = container_of(qp, struct verbs_qp, qp);

	return vqp->comp_mask & VERBS_QP_EX ? &vqp->qp_ex : NULL;
}

/**
 * ibv_query_qp - read a QP's attributes
 * @qp: any QP
 * @attr: out
 * @attr_mask: which of them are needed at least
 * @init_attr: out: what it was created with
 *
 * Returns 0 or an errno value.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask,
		 struct ibv_qp_init_attr *init_attr)
{
	int ret;

	ret = get_ops(qp->context)->query_qp(qp, attr, attr_mask, init_attr);
	if (!ret && (attr_mask & IBV_QP_STATE))
		qp->state = attr->qp_state;
	return ret;
}

/**
 * ibv_modify_qp - change a QP's attributes and state
 * @qp: any QP
 * @attr: the new values of what attr_mask selects
 * @attr_mask: IBV_QP_ bits
 *
 * Returns 0 or an errno value; the QP is unchanged on failure.  Calls for one
 * QP must not overlap.  Since IBVERBS_1.1.
 */
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask)
{
	int ret;

	ret = get_ops(qp->context)->modify_qp(qp, attr, attr_mask);
	if (!ret && (attr_mask & IBV_QP_STATE))
		qp->state = attr->qp_state;
	return ret;
}

/**
 * ibv_destroy_qp - give back a QP
 * @qp: freed on success; unchanged on failure
 *
 * Blocks until every asynchronous event that was read for it has been
 * acknowledged.  Returns 0 or an errno value: EBUSY while it is attached to a
 * multicast group.  Nothing else may be using the QP.  Since IBVERBS_1.1.
 */
int ibv_destroy_qp(struct ibv_qp *qp)
{
	return get_ops(qp->context)->destroy_qp(qp);
}

/**
 * ibv_query_qp_data_in_order - is data written to memory in order?
 * @qp: any QP
 * @op: the operation
 * @flags: must be 0
 *
 * Returns 1 if a receiver that polls memory may rely on it, else 0.
 * Thread-safe.  Since IBVERBS_1.14.
 */
int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op,
			       uint32_t flags)
{
	/* Only x86 keeps a device's writes in order all the way to a reader. */
#if defined(__i386__) || defined(__x86_64__)
	return get_ops(qp->context)->query_qp_data_in_order(qp, op, flags);
#else
	(void)qp;
	(void)op;
	(void)flags;
	return 0;
#endif
}

/**
 * ibv_set_ece - propose enhanced connection establishment options
 * @qp: a QP that has not been connected yet
 * @ece: in: what the peer offers; out: what of it this side can do
 *
 * Returns 0 or an errno value: EOPNOTSUPP if the provider has none or the
 * vendor is not given.  Since IBVERBS_1.10.
 */
int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	/* Vendor 0 is what a peer without ECE announces. */
	if (!ece->vendor_id) {
		errno = EOPNOTSUPP;
		return errno;
	}
	return get_ops(qp->context)->set_ece(qp, ece);
}

/**
 * ibv_query_ece - read the connection establishment options
 * @qp: any QP
 * @ece: out
 *
 * Returns 0 or an errno value.  Thread-safe.  Since IBVERBS_1.10.
 */
int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	return get_ops(qp->context)->query_ece(qp, ece);
}
