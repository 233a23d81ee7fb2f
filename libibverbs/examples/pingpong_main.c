// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A ping-pong from its command line to its exit status. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pingpong.h"

static int post_first_receives(struct pingpong *pp)
{
	pingpong_post_receives(pp);
	if (pp->posted < pp->opt.rx_depth) {
		fprintf(stderr, "Couldn't post receive (%d)\n", pp->posted);
		return -1;
	}
	if (pp->opt.events && ibv_req_notify_cq(pp->cq, 0)) {
		fprintf(stderr, "Couldn't request CQ notification\n");
		return -1;
	}
	return 0;
}

static int find_local_addresses(struct pingpong *pp)
{
	struct pingpong_address local = { .lid = 0 };
	struct ibv_port_attr port;
	int i;

	if (ibv_query_port(pp->context, pp->opt.ib_port, &port)) {
		fprintf(stderr, "Couldn't get port info\n");
		return -1;
	}
	local.lid = port.lid;
	if (pp->kind->need_lid && !port.lid &&
	    port.link_layer != IBV_LINK_LAYER_ETHERNET) {
		fprintf(stderr, "Couldn't get local LID\n");
		return -1;
	}
	if (pp->opt.gid_idx >= 0 &&
	    ibv_query_gid(pp->context, pp->opt.ib_port, pp->opt.gid_idx,
			  &local.gid)) {
		fprintf(stderr, pp->kind->no_gid_format, pp->opt.gid_idx);
		return -1;
	}
	for (i = 0; i < pp->opt.num_qp; i++) {
		local.qpn = pp->qps[i].qp->qp_num;
		local.psn = pingpong_random_psn();
		pp->qps[i].local = local;
	}
	return 0;
}

static void print_address(const char *format,
			  const struct pingpong_address *address)
{
	char gid[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, &address->gid, gid, sizeof(gid));
	printf(format, address->lid, address->qpn, address->psn, gid);
}

static int meet(struct pingpong *pp)
{
	int i;

	for (i = 0; i < pp->opt.num_qp; i++)
		print_address(pp->kind->local_format, &pp->qps[i].local);
	if (pingpong_exchange(pp))
		return -1;
	for (i = 0; i < pp->opt.num_qp; i++)
		print_address("  remote address: LID 0x%04x, QPN 0x%06x, "
			      "PSN 0x%06x, GID %s\n",
			      &pp->qps[i].remote);
	/* The server had to be connected before it told its address. */
	for (i = 0; pp->opt.host && i < pp->opt.num_qp; i++)
		if (pp->kind->connect(pp, i))
			return -1;
	return 0;
}

int pingpong_main(int argc, char *argv[], const struct pingpong_kind *kind)
{
	struct pingpong pp = {
		.kind = kind,
		.opt = kind->defaults,
		.page = sysconf(_SC_PAGESIZE),
	};
	bool good;

	if (pingpong_parse(argc, argv, kind->options, kind->num_options,
			   &pp.opt))
		return 1;
	if (kind->sane && !kind->sane(&pp.opt))
		return 1;
	good = !pingpong_setup(&pp) && !post_first_receives(&pp) &&
	       !find_local_addresses(&pp) && !meet(&pp) && !pingpong_run(&pp);
	if (pingpong_teardown(&pp, !good))
		good = false;
	if (good)
		return 0;
	return pp.status ? pp.status : 1;
}
