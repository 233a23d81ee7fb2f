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
		PINGPONG_OPTIONS(options),
		.defaults = {
			PINGPONG_DEFAULTS,
			.size = 4096,
			.mtu = IBV_MTU_1024,
			.num_qp = 1,
		},
		.local_format = PINGPONG_LOCAL_FORMAT,
		.no_gid_format = "can't read sgid of index %d\n",
		.need_lid = true,
		.fill = 0x7b,
		.init = pingpong_init_connected,
		.connect = pingpong_connect_uc,
	};

	return pingpong_main(argc, argv, &uc);
}
