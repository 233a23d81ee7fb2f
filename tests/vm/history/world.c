// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The kernel's counts: see world.h. */
#include <err.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

#include "world.h"

const char *const resource_names[RESOURCES] = {
	[CTX] = "ctx", [RES_PD] = "pd", [RES_MR] = "mr",
	[QP] = "qp",   [CQ] = "cq",	[SRQ] = "srq",
};

/* It is asked after every step, so it stays open. */
static struct nl_sock *sock;
static uint32_t device;

static void take_entry(struct nlattr *entry, struct world *world)
{
	struct nlattr *name, *value;

	name = nla_find(nla_data(entry), nla_len(entry),
			RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME);
	value = nla_find(nla_data(entry), nla_len(entry),
			 RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR);
	if (!name || !value)
		errx(1, "a resource without name or count");
	for (int i = 0; i < RESOURCES; i++)
		if (!nla_strcmp(name, resource_names[i]))
			world->count[i] = nla_get_u64(value);
}

static int take_reply(struct nl_msg *msg, void *arg)
{
	struct nlattr *summary, *entry;
	int rem;

	summary =
		nlmsg_find_attr(nlmsg_hdr(msg), 0, RDMA_NLDEV_ATTR_RES_SUMMARY);
	if (!summary)
		errx(1, "no summary of resources");
	nla_for_each_nested(entry, summary, rem) take_entry(entry, arg);
	return NL_OK;
}

void world_open(uint32_t index)
{
	device = index;
	sock = nl_socket_alloc();
	if (!sock || nl_connect(sock, NETLINK_RDMA))
		errx(1, "no RDMA netlink");
	nl_socket_disable_auto_ack(sock);
}

struct world world_count(void)
{
	struct world world;
	struct nl_msg *msg;
	int ret;

	memset(&world, -1, sizeof(world));
	msg = nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV,
						  RDMA_NLDEV_CMD_RES_GET),
				 NLM_F_REQUEST);
	if (!msg || nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, device) ||
	    nl_send_auto(sock, msg) < 0)
		errx(1, "cannot ask for the resources");
	nlmsg_free(msg);
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, take_reply,
			    &world);
	ret = nl_recvmsgs_default(sock);
	if (ret < 0)
		errx(1, "no answer about resources: %s", nl_geterror(ret));
	for (int i = 0; i < RESOURCES; i++)
		if (world.count[i] < 0)
			errx(1, "no count of %s", resource_names[i]);
	return world;
}

bool world_same(const struct world *a, const struct world *b)
{
	return !memcmp(a, b, sizeof(*a));
}

struct world world_settle(const struct world *expected)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct world world = world_count();

	for (int ms = 0; ms < 5000 && !world_same(&world, expected); ms++) {
		nanosleep(&pause, NULL);
		world = world_count();
	}
	return world;
}
