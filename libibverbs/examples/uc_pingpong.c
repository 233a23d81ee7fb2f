// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_uc_pingpong: over an unreliable connection. */
#include "pingpong.h"

static const struct pingpong_option options[] = {
	PINGPONG_OPTION_PORT,
	PINGPONG_OPTION_IB_DEV,
	PINGPONG_OPTION_IB_PORT(pingpong_set_ib_port),
	PINGPONG_OPTION_SIZE("4096", pingpong_set_size),
	PINGPONG_OPTION_MTU("1024"),
	PINGPONG_OPTION_RX_DEPTH,
	PINGPONG_OPTION_ITERS(""),
	PINGPONG_OPTION_SL,
	PINGPONG_OPTION_EVENTS,
	PINGPONG_OPTION_GID_IDX,
	PINGPONG_OPTION_CHECK,
};

int main(int argc, char *argv[])
{
	static const struct pingpong_kind uc = {
		.type = IBV_QPT_UC,
		.options = options,
		.num_options = sizeof(options) / sizeof(options[0]),
		.defaults = {
			.tcp_port = 18515,
			.ib_port = 1,
			.size = 4096,
			.mtu = IBV_MTU_1024,
			.rx_depth = 500,
			.iters = 1000,
			.gid_idx = -1,
			.num_qp = 1,
		},
		.local_format = "  local address:  LID 0x%04x, QPN 0x%06x, "
				"PSN 0x%06x, GID %s\n",
		.no_gid_format = "can't read sgid of index %d\n",
		.need_lid = true,
		.fill = 0x7b,
		.init = pingpong_init_connected,
		.connect = pingpong_connect_uc,
	};

	return pingpong_main(argc, argv, &uc);
}
