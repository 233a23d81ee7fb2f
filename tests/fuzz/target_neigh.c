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
#include <sys/socket.h>

#include <netlink/route/link.h>

#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include "fuzz.h"
#include "kernel.h"
#include "netlink.h"
#include "test_provider.h"

/*
 * libnl forgets links that it was sent beside the one that was asked for, or
 * before an error; those that the library has got are counted here instead.
 */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));
int __real_rtnl_link_get_kernel(struct nl_sock *sock, int index,
				const char *name, struct rtnl_link **link);
int __wrap_rtnl_link_get_kernel(struct nl_sock *sock, int index,
				const char *name, struct rtnl_link **link);
void __real_rtnl_link_put(struct rtnl_link *link);
void __wrap_rtnl_link_put(struct rtnl_link *link);

static int links;

int __wrap_rtnl_link_get_kernel(struct nl_sock *sock, int index,
				const char *name, struct rtnl_link **link)
{
	int err;

	*link = NULL;
	if (__lsan_disable)
		__lsan_disable();
	err = __real_rtnl_link_get_kernel(sock, index, name, link);
	if (__lsan_enable)
		__lsan_enable();
	if (!err && *link)
		links++;
	return err;
}

void __wrap_rtnl_link_put(struct rtnl_link *link)
{
	links--;
	__real_rtnl_link_put(link);
}

/* The addresses that the library looks for, in a reply that has them */
static union ibv_gid source, destination;

static bool is_v4(const union ibv_gid *gid)
{
	static const uint8_t mapped[12] = { [10] = 0xff, 0xff };

	return !memcmp(gid->raw, mapped, sizeof(mapped));
}

/* Behind what is there */
static void put(struct nlmsghdr *hdr, int type, const void *bytes, size_t size)
{
	struct nlattr attr = { NLA_HDRLEN + size, type };
	uint8_t *to = (uint8_t *)hdr + hdr->nlmsg_len;

	memcpy(to, &attr, sizeof(attr));
	memcpy(to + NLA_HDRLEN, bytes, size);
	hdr->nlmsg_len += NLA_HDRLEN + NLA_ALIGN(size);
}

/* Of the right length for its family, or not */
static void put_address(struct nlmsghdr *hdr, int type,
			const union ibv_gid *gid)
{
	bool v4 = is_v4(gid) != (fuzz_u8() >= 0xf0);

	put(hdr, type, gid->raw + (v4 ? 12 : 0), v4 ? 4 : 16);
}

static void put_mac(struct nlmsghdr *hdr, int type)
{
	uint8_t mac[16], choice = fuzz_u8();

	fuzz_bytes(mac, sizeof(mac));
	put(hdr, type, mac, choice < 0xf0 ? 6 : choice & 15);
}

/* What a kernel says when all is well, up to the input's last word */
static void sound(struct nlmsghdr *hdr, size_t room, int question)
{
	int family = is_v4(&source) ? AF_INET : AF_INET6;
	struct ifaddrmsg ifa = { .ifa_family = family,
				 .ifa_index = 1 + fuzz_below(3) };
	struct ifinfomsg link = { .ifi_index = 1 + fuzz_below(3) };
	struct rtmsg route = { .rtm_family = family,
			       .rtm_type = 1 + fuzz_below(3) };
	struct ndmsg neigh = { .ndm_family = family,
			       .ndm_ifindex = 1,
			       .ndm_state = fuzz_u8() };
	uint8_t via[2 + 16] = { AF_INET6 };
	uint32_t number = fuzz_number();

	memset(hdr, 0, room);
	hdr->nlmsg_len = NLMSG_HDRLEN;
	switch (question) {
	case RTM_GETADDR:
		hdr->nlmsg_type = RTM_NEWADDR;
		memcpy(NLMSG_DATA(hdr), &ifa, sizeof(ifa));
		hdr->nlmsg_len += sizeof(ifa);
		put_address(hdr, IFA_LOCAL,
			    fuzz_u8() < 0xe0 ? &source : &destination);
		put_address(hdr, IFA_ADDRESS, &source);
		break;
	case RTM_GETLINK:
		hdr->nlmsg_type = RTM_NEWLINK;
		memcpy(NLMSG_DATA(hdr), &link, sizeof(link));
		hdr->nlmsg_len += sizeof(link);
		put(hdr, IFLA_IFNAME, "eth0", 5);
		put_mac(hdr, IFLA_ADDRESS);
		break;
	case RTM_GETROUTE:
		hdr->nlmsg_type = RTM_NEWROUTE;
		memcpy(NLMSG_DATA(hdr), &route, sizeof(route));
		hdr->nlmsg_len += sizeof(route);
		put(hdr, RTA_OIF, &number, 4);
		switch (fuzz_u8() & 3) {
		case 0:
			put_address(hdr, RTA_GATEWAY, &source);
			break;
		case 1:
			via[0] = fuzz_u8() & 1 ? AF_INET6 : AF_INET;
			put(hdr, RTA_VIA, via, fuzz_below(sizeof(via) + 1));
			break;
		default:
			break;
		}
		break;
	default:
		hdr->nlmsg_type = RTM_NEWNEIGH;
		memcpy(NLMSG_DATA(hdr), &neigh, sizeof(neigh));
		hdr->nlmsg_len += sizeof(neigh);
		put_mac(hdr, NDA_LLADDR);
	}
}

static size_t reply(struct nlmsghdr *hdr, size_t room, int question)
{
	if (fuzz_u8() & 3) {
		sound(hdr, room, question);
		return hdr->nlmsg_len;
	}
	switch (question) {
	case RTM_GETADDR:
		return netlink_message(hdr, room, RTM_NEWADDR,
				       sizeof(struct ifaddrmsg), IFA_MAX + 2);
	case RTM_GETLINK:
		return netlink_message(hdr, room, RTM_NEWLINK,
				       sizeof(struct ifinfomsg), IFLA_MAX + 2);
	case RTM_GETROUTE:
		return netlink_message(hdr, room, RTM_NEWROUTE,
				       sizeof(struct rtmsg), RTA_MAX + 2);
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
	fuzz_check(!links, "a link was left");
	ibv_close_device(context);
}
