// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The kernel's own count of objects: what `rdma resource show` prints, asked
 * for by netlink, since starting a program each time takes long in emulation.
 */
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

#include "share_test.h"

/* Asked for once: it is the device's number as long as that exists. */
static uint32_t device_index(const char *name)
{
	struct ibv_device **list;
	static int index = -1;
	int i;

	if (index >= 0)
		return index;
	NEED(list = ibv_get_device_list(NULL));
	for (i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			index = ibv_get_device_index(list[i]);
	ibv_free_device_list(list);
	if (index < 0)
		FATAL("no device %s", name);
	return index;
}

static void take_entry(struct nlattr *entry, struct test_counts *counts,
		       unsigned int *found)
{
	const struct {
		const char *name;
		long *to;
	} known[] = {
		{ "pd", &counts->pd },	 { "mr", &counts->mr },
		{ "qp", &counts->qp },	 { "cq", &counts->cq },
		{ "ctx", &counts->ctx }, { "srq", &counts->srq },
	};
	struct nlattr *name, *value;
	size_t i;

	name = nla_find(nla_data(entry), nla_len(entry),
			RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME);
	value = nla_find(nla_data(entry), nla_len(entry),
			 RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR);
	if (!name || !value)
		FATAL("a resource without name or count");
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!nla_strcmp(name, known[i].name)) {
			*known[i].to = nla_get_u64(value);
			*found |= 1u << i;
		}
}

static int take_reply(struct nl_msg *msg, void *arg)
{
	struct nlattr *summary, *entry;
	unsigned int found = 0;
	int rem;

	summary =
		nlmsg_find_attr(nlmsg_hdr(msg), 0, RDMA_NLDEV_ATTR_RES_SUMMARY);
	if (!summary)
		FATAL("no summary of resources");
	nla_for_each_nested(entry, summary, rem) take_entry(entry, arg, &found);
	if (found != 0x3f)
		FATAL("resources %#x instead of all six", found);
	return NL_OK;
}

struct test_counts test_count(void)
{
	struct test_counts counts = { -1, -1, -1, -1, -1, -1 };
	struct nl_sock *sock = nl_socket_alloc();
	struct nl_msg *msg;

	msg = nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV,
						  RDMA_NLDEV_CMD_RES_GET),
				 NLM_F_REQUEST);
	NEED(sock && msg);
	if (nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX,
			device_index(test_device(0))) ||
	    nl_connect(sock, NETLINK_RDMA) || nl_send_auto(sock, msg) < 0)
		FATAL("cannot ask for the resources");
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, take_reply,
			    &counts);
	if (nl_recvmsgs_default(sock) < 0 || counts.pd < 0)
		FATAL("no answer about resources");
	nlmsg_free(msg);
	nl_socket_free(sock);
	return counts;
}

static long number_behind(const char *line, const char *name)
{
	const char *pos = strstr(line, name);

	return pos ? strtol(pos + strlen(name), NULL, 10) : -1;
}

void test_same_as_tool(void)
{
	struct test_counts now = test_count();
	char line[512] = "", command[128];
	FILE *file;

	snprintf(command, sizeof(command), "rdma resource show %s",
		 test_device(0));
	file = popen(command, "r");

	NEED(file);
	CHECK(fgets(line, sizeof(line), file) && !pclose(file),
	      "rdma resource show has failed");
	CHECK(number_behind(line, " pd ") == now.pd &&
		      number_behind(line, " mr ") == now.mr &&
		      number_behind(line, " qp ") == now.qp &&
		      number_behind(line, " cq ") == now.cq &&
		      number_behind(line, " ctx ") == now.ctx,
	      "rdma resource show counts otherwise: %s", line);
}
