// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_ud_pingpong: datagrams, each of them one packet. */
#include <stdio.h>

#include "pingpong.h"

/* Every UD receive starts with room for a GRH, used or not. */
#define GRH_BYTES 40

static const struct pingpong_option options[] = {
	PINGPONG_OPTION_PORT,
	PINGPONG_OPTION_IB_DEV,
	PINGPONG_OPTION_IB_PORT(pingpong_set_ib_port),
	PINGPONG_OPTION_SIZE("2048", pingpong_set_size),
	PINGPONG_OPTION_RX_DEPTH,
	PINGPONG_OPTION_ITERS(""),
	{ "sl", 'l', true,
	  "  -l, --sl=<SL>          send messages with service level <SL> "
	  "(default 0)",
	  pingpong_set_sl },
	PINGPONG_OPTION_EVENTS,
	PINGPONG_OPTION_GID_IDX,
	PINGPONG_OPTION_CHECK,
};

static int fits_into_packet(struct pingpong *pp)
{
	struct ibv_port_attr port;
	unsigned int mtu;

	if (ibv_query_port(pp->context, pp->opt.ib_port, &port)) {
		fprintf(stderr, "Unable to query port info for port %d\n",
			pp->opt.ib_port);
		return -1;
	}
	mtu = 128u << port.active_mtu;
	if (pp->opt.size > mtu) {
		fprintf(stderr, "Requested size larger than port MTU (%u)\n",
			mtu);
		return -1;
	}
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct pingpong_kind ud = {
		.type = IBV_QPT_UD,
		PINGPONG_OPTIONS(options),
		.defaults = {
			PINGPONG_DEFAULTS,
			/* The usage text has always named another number. */
			.size = 1024,
			.num_qp = 1,
		},
		.local_format = "  local address:  LID 0x%04x, QPN 0x%06x, "
				"PSN 0x%06x: GID %s\n",
		.no_gid_format = "Could not get local gid for gid index %d\n",
		.fill = 0x7b,
		.headroom = GRH_BYTES,
		.preflight = fits_into_packet,
		.init = pingpong_init_ud,
		.connect = pingpong_connect_ud,
	};

	return pingpong_main(argc, argv, &ud);
}
