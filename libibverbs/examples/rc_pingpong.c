// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_rc_pingpong: over a reliable connection; the one that knows of device
 * memory, paging on demand, timestamps and the newer way to post sends.
 */
#include <stdio.h>

#include "pingpong.h"

static bool set_implicit_odp(struct pingpong_options *opt, const char *value)
{
	(void)value;
	opt->odp = true;
	opt->implicit_odp = true;
	return true;
}

static bool set_prefetch(struct pingpong_options *opt, const char *value)
{
	(void)value;
	opt->prefetch = true;
	return true;
}

static bool set_timestamps(struct pingpong_options *opt, const char *value)
{
	(void)value;
	opt->timestamps = true;
	return true;
}

static bool set_dm(struct pingpong_options *opt, const char *value)
{
	(void)value;
	opt->dm = true;
	return true;
}

static bool set_new_send(struct pingpong_options *opt, const char *value)
{
	(void)value;
	opt->new_send = true;
	return true;
}

/* clang-format off */
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
	PINGPONG_OPTION_ODP,
	{ "iodp", 'O', false,
	  "  -O, --iodp\t\t    use implicit on demand paging",
	  set_implicit_odp },
	{ "prefetch", 'P', false,
	  "  -P, --prefetch\t    prefetch an ODP MR", set_prefetch },
	{ "ts", 't', false,
	  "  -t, --ts\t            get CQE with timestamp", set_timestamps },
	{ "chk", 'c', false,
	  "  -c, --chk\t            validate received buffer",
	  pingpong_set_check },
	{ "dm", 'j', false,
	  "  -j, --dm\t            use device memory", set_dm },
	{ "new_send", 'N', false,
	  "  -N, --new_send            use new post send WR API", set_new_send },
};
/* clang-format on */

static bool sane(const struct pingpong_options *opt)
{
	if (opt->dm && opt->odp) {
		fprintf(stderr, "DM memory region can't be on demand\n");
		return false;
	}
	if (opt->prefetch && !opt->odp) {
		fprintf(stderr, "prefetch is valid only with on-demand memory "
				"region\n");
		return false;
	}
	return true;
}

int main(int argc, char *argv[])
{
	static const struct pingpong_kind rc = {
		.type = IBV_QPT_RC,
		PINGPONG_OPTIONS(options),
		.defaults = {
			PINGPONG_DEFAULTS,
			.size = 4096,
			.mtu = IBV_MTU_1024,
			.num_qp = 1,
		},
		.local_format = PINGPONG_LOCAL_FORMAT,
		.no_gid_format = "can't read sgid of index %d\n",
		.need_odp = "The device isn't ODP capable or does not support "
			    "RC send and receive with ODP",
		.odp_caps = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_RECV,
		.need_lid = true,
		.tells_parsing = true,
		.fill = 0x7b,
		.sane = sane,
		.init = pingpong_init_connected,
		.connect = pingpong_connect_rc,
	};

	return pingpong_main(argc, argv, &rc);
}
