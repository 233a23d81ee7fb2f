// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Multicast groups of a QP. */
#include <string.h>

#include "uverbs/request.h"

/* Both commands take the same bytes. */
_Static_assert(sizeof(struct ib_uverbs_attach_mcast) ==
		       sizeof(struct ib_uverbs_detach_mcast),
	       "attach and detach are alike");

static int change_group(struct ibv_qp *qp, uint32_t command,
			const union ibv_gid *gid, uint16_t lid)
{
	struct ib_uverbs_attach_mcast core_in = {
		.qp_handle = qp->handle,
		.mlid = lid,
	};

	memcpy(core_in.gid, gid->raw, sizeof(core_in.gid));
	return invoke_write(qp->context, command, &core_in, sizeof(core_in),
			    NULL, 0, NULL);
}

int ibv_cmd_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid,
			 uint16_t lid)
{
	return change_group(qp, IB_USER_VERBS_CMD_ATTACH_MCAST, gid, lid);
}

int ibv_cmd_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid,
			 uint16_t lid)
{
	return destroy_result(
		change_group(qp, IB_USER_VERBS_CMD_DETACH_MCAST, gid, lid));
}
