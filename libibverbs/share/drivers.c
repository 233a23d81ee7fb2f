// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What adopting has to know about single kernel drivers. */
#include <rdma/ib_user_ioctl_verbs.h>

#include "share/share.h"

static const struct share_driver drivers[] = {
	/*
	 * Their drivers give a PD a page to be mapped, and allow that only to
	 * the context that allocated it.
	 */
	{ .id = RDMA_DRIVER_BNXT_RE,
	  .cannot_adopt = "its doorbell page belongs to the PD's maker" },
	{ .id = RDMA_DRIVER_OCRDMA,
	  .cannot_adopt = "its DPP page belongs to the PD's maker" },
	/* struct siw_uresp_reg_mr: the stag, which is both keys */
	{ .id = RDMA_DRIVER_SIW, .mr_reply_len = 8 },
};

const struct share_driver *share_find_driver(uint32_t id)
{
	size_t i;

	for (i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (drivers[i].id == id)
			return &drivers[i];
	return NULL;
}
