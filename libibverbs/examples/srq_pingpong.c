// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ibv_srq_pingpong: many reliable connections at once, that take their receives
 * from one SRQ.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pingpong.h"

/* One less than the addresses that the two sides exchange */
#define MAX_QPS 255

static bool set_num_qp(struct pingpong_options *opt, const char *value)
{
	opt->num_qp = strtoul(value, NULL, 0);
	return true;
}

static bool set_size(struct pingpong_options *opt, const char *value)
{
	return pingpong_set_size(opt, value) && opt->size > 0;
}

/* clang-format off */
static const struct pingpong_option options[] = {
	PINGPONG_OPTION_PORT,
	PINGPONG_OPTION_IB_DEV,
	PINGPONG_OPTION_IB_PORT(pingpong_set_ib_port),
	PINGPONG_OPTION_SIZE("4096", set_size),
	PINGPONG_OPTION_MTU("1024"),
	{ "num-qp", 'q', true,
	  "  -q, --num-qp=<num>     number of QPs to use (default 16)",
	  set_num_qp },
	PINGPONG_OPTION_RX_DEPTH,
	PINGPONG_OPTION_ITERS("per QP"),
	PINGPONG_OPTION_SL,
	PINGPONG_OPTION_EVENTS,
	PINGPONG_OPTION_GID_IDX,
	PINGPONG_OPTION_ODP,
	PINGPONG_OPTION_CHECK,
};
/* clang-format on */

static bool sane(const struct pingpong_options *opt)
{
	/* A negative number is a very large one. */
	if ((unsigned int)opt->num_qp > (unsigned int)opt->rx_depth) {
		fprintf(stderr,
			"rx_depth %d is too small for %d QPs -- must have at "
			"least one receive per QP.\n",
			opt->rx_depth, opt->num_qp);
		return false;
	}
	if ((unsigned int)opt->num_qp > MAX_QPS) {
		fprintf(stderr, "num_qp %d must be less than %d\n", opt->num_qp,
			MAX_QPS);
		return false;
	}
	return true;
}

int main(int argc, char *argv[])
{
	static const struct pingpong_kind srq = {
		.type = IBV_QPT_RC,
		PINGPONG_OPTIONS(options),
		.defaults = {
			PINGPONG_DEFAULTS,
			.size = 4096,
			.mtu = IBV_MTU_1024,
			.num_qp = 16,
		},
		.local_format = PINGPONG_LOCAL_FORMAT,
		.no_gid_format = "Could not get local gid for gid index %d\n",
		.need_odp = "The device isn't ODP capable or does not support "
			    "RC send, receive and srq with ODP",
		.odp_caps = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_SRQ_RECV,
		.srq = true,
		.need_lid = true,
		.sane = sane,
		.init = pingpong_init_connected,
		.connect = pingpong_connect_rc,
	};

	return pingpong_main(argc, argv, &srq);
}
