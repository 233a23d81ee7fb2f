/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What a plug-in's own interfaces, and what it shows its hardware, tell of a PD */
#ifndef PLUGINS_SHARE_STATE_H
#define PLUGINS_SHARE_STATE_H

#include <infiniband/verbs.h>

#include "plugin.h"

/*
 * The PD's number as the driver told it.  The first asks the plug-in's direct
 * verbs; the second looks into the address vector that the hardware reads.
 * Plug-ins that have neither are passed over.
 */
void check_direct_pd(const struct plugin *plugin, struct ibv_pd *pd,
		     uint32_t pdn);
void check_address_vector(const struct plugin *plugin, struct ibv_ah *ah,
			  uint32_t pdn);

/*
 * hns: is the PD's number in its send queue, which this request to create a QP
 * tells of?
 */
void check_send_queue(const void *request, uint32_t pdn, bool is);

#endif
