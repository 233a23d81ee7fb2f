// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: what the kernel says by netlink of interfaces, routes and
 * neighbours, when the Ethernet address behind a GID is looked for.
 */
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "fuzz.h"
#include "kernel.h"
#include "netlink.h"
#include "test_provider.h"

/* The addresses that the library looks for, in a reply that has them */
static union ibv_gid source, destination;

/* Sixteen bytes, or the last four, of one of them, behind what is there */
static size_t put_address(struct nlmsghdr *hdr, size_t used, int type)
{
	const union ibv_gid *gid = fuzz_u8() & 1 ? &source : &destination;
	size_t length = fuzz_u8() & 1 ? 4 : 16;
	struct nlattr attr = { NLA_HDRLEN + length, type };
	uint8_t *to = (uint8_t *)hdr + used;

	memcpy(to, &attr, sizeof(attr));
	memcpy(to + NLA_HDRLEN, gid->raw + 16 - length, length);
	used += NLA_HDRLEN + length;
	hdr->nlmsg_len = used;
	return used;
}

static size_t reply(struct nlmsghdr *hdr, size_t room, int question)
{
	size_t used;

	switch (question) {
	case RTM_GETADDR:
		used = netlink_message(hdr, room / 2, RTM_NEWADDR,
				       sizeof(struct ifaddrmsg), IFA_MAX + 2);
		return put_address(hdr, used, IFA_LOCAL);
	case RTM_GETLINK:
		return netlink_message(hdr, room, RTM_NEWLINK,
				       sizeof(struct ifinfomsg), IFLA_MAX + 2);
	case RTM_GETROUTE:
		used = netlink_message(hdr, room / 2, RTM_NEWROUTE,
				       sizeof(struct rtmsg), RTA_MAX + 2);
		return fuzz_u8() & 1 ? put_address(hdr, used, RTA_GATEWAY)
				     : used;
	default:
		return netlink_message(hdr, room, RTM_NEWNEIGH,
				       sizeof(struct ndmsg), NDA_MAX + 2);
	}
}

/* The source GID is in the kernel's table. */
static void driver(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ibv_gid_entry entry = { .gid = source,
				       .ndev_ifindex = fuzz_u8() };

	if (kernel_is(hdr, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY))
		kernel_reply(hdr, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY,
			     &entry, sizeof(entry));
}

/* IPv4, link-local and other addresses */
static void some_gid(union ibv_gid *gid)
{
	memset(gid, 0, sizeof(*gid));
	switch (fuzz_u8() & 3) {
	case 0:
		memset(gid->raw + 10, 0xff, 2);
		fuzz_bytes(gid->raw + 12, 4);
		break;
	case 1:
		gid->raw[0] = 0xfe;
		gid->raw[1] = 0x80;
		fuzz_bytes(gid->raw + 8, 8);
		break;
	default:
		fuzz_bytes(gid->raw, 16);
	}
}

void fuzz_setup(void)
{
	netlink_reply = reply;
	kernel.driver = driver;
}

void fuzz_run(void)
{
	struct ibv_ah_attr attr = { .port_num = 1, .is_global = 1 };
	uint8_t mac[6] = { 1, 2, 3, 4, 5, 6 }, before[6];
	struct ibv_context *context;
	uint16_t vid = 0x1234;

	kernel_begin();
	kernel.honest = true;
	context = test_context_open();
	fuzz_check(context, "no context");
	some_gid(&source);
	some_gid(&destination);
	attr.grh.dgid = destination;
	memcpy(before, mac, sizeof(mac));
	if (ibv_resolve_eth_l2_from_gid(context, &attr, mac, &vid)) {
		fuzz_check(!memcmp(mac, before, sizeof(mac)) && vid == 0x1234,
			   "a failure has written something");
	}
	ibv_close_device(context);
}
