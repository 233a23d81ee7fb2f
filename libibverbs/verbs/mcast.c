// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Multicast group membership of a UD QP. */
#include "provider/priv.h"

/**
 * ibv_attach_mcast - receive what is sent to a multicast group
 * @qp: a UD QP
 * @gid: the group
 * @lid: the group's LID, in host byte order; 0 for RoCE
 *
 * Returns 0 or an errno value.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return get_ops(qp->context)->attach_mcast(qp, gid, lid);
}

/**
 * ibv_detach_mcast - undo ibv_attach_mcast()
 *
 * Takes the same arguments.  Returns 0 or an errno value: EINVAL if the QP is
 * not attached to the group.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return get_ops(qp->context)->detach_mcast(qp, gid, lid);
}
