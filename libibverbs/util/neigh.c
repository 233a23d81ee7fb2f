// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The Ethernet address behind a RoCE GID: the interface is the one that has
 * the source GID's address; route and neighbour come from the kernel, one
 * question each, never the whole tables.
 */
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/vlan.h>
#include <netlink/route/neighbour.h>

#include <infiniband/verbs.h>

#define NO_VLAN 0xffff
#define WAIT_MS 3000
#define DISCARD_PORT 9

#define NUD_HAS_ADDRESS                                                      \
	(NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT | \
	 NUD_NOARP)

/* An IP address: GIDs hold IPv4 as IPv4-mapped IPv6. */
struct ip {
	int family;
	socklen_t len;
	uint8_t bytes[16];
};

struct hop {
	int ifindex;
	bool local; /* the host itself */
	struct ip ip;
};

static struct ip ip_of_gid(const union ibv_gid *gid)
{
	struct ip ip = { .family = AF_INET6, .len = 16 };

	memcpy(ip.bytes, gid->raw, sizeof(ip.bytes));
	if (IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)ip.bytes)) {
		ip.family = AF_INET;
		ip.len = 4;
		memmove(ip.bytes, ip.bytes + 12, 4);
	}
	return ip;
}

static bool ip_equals(const struct ip *ip, struct nl_addr *addr)
{
	return addr && nl_addr_get_family(addr) == ip->family &&
	       nl_addr_get_len(addr) == ip->len &&
	       !memcmp(nl_addr_get_binary_addr(addr), ip->bytes, ip->len);
}

/* MACs that follow from the address alone */
static bool computed_mac(const struct ip *ip, uint8_t mac[ETHERNET_LL_SIZE])
{
	const uint8_t *b = ip->bytes;

	if (ip->family == AF_INET) {
		if ((b[0] & 0xf0) != 0xe0)
			return false;
		mac[0] = 0x01;
		mac[1] = 0x00;
		mac[2] = 0x5e;
		mac[3] = b[1] & 0x7f;
		mac[4] = b[2];
		mac[5] = b[3];
		return true;
	}
	if (IN6_IS_ADDR_MULTICAST((const struct in6_addr *)b)) {
		mac[0] = mac[1] = 0x33;
		memcpy(mac + 2, b + 12, 4);
		return true;
	}
	if (IN6_IS_ADDR_LINKLOCAL((const struct in6_addr *)b)) {
		/* The interface identifier is a modified EUI-64. */
		mac[0] = b[8] ^ 0x02;
		mac[1] = b[9];
		mac[2] = b[10];
		memcpy(mac + 3, b + 13, 3);
		return true;
	}
	return false;
}

/* The kernel knows which interface a GID belongs to; 0: it does not tell. */
static int gid_ifindex(struct ibv_context *context, struct ibv_ah_attr *attr)
{
	struct ibv_gid_entry entry;

	if (ibv_query_gid_ex(context, attr->port_num, attr->grh.sgid_index,
			     &entry, 0))
		return 0;
	return entry.ndev_ifindex;
}

/*
 * The interface that has an address: the preferred one if it does, else the
 * first one, 0 if none does.  *several tells whether others have it, too.
 */
static int address_owner(struct nl_sock *sock, const struct ip *ip,
			 int preferred, bool *several)
{
	struct nl_cache *cache;
	struct nl_object *obj;
	int owner = 0;

	*several = false;
	if (rtnl_addr_alloc_cache(sock, &cache))
		return 0;
	for (obj = nl_cache_get_first(cache); obj;
	     obj = nl_cache_get_next(obj)) {
		struct rtnl_addr *addr = (struct rtnl_addr *)obj;
		int ifindex = rtnl_addr_get_ifindex(addr);

		/* libnl ends the process that asks for a link of no number. */
		if (ifindex <= 0 ||
		    !ip_equals(ip, rtnl_addr_get_local(addr)))
			continue;
		*several |= owner && owner != ifindex;
		if (!owner || ifindex == preferred)
			owner = ifindex;
	}
	nl_cache_free(cache);
	return owner;
}

/* The interface that has the source address, 0: none */
static int source_interface(struct nl_sock *sock, struct ibv_context *context,
			    struct ibv_ah_attr *attr, const struct ip *source)
{
	bool several;
	int owner = address_owner(sock, source, 0, &several);

	/* A VLAN interface has its parent's link-local address. */
	if (several)
		owner = address_owner(sock, source, gid_ifindex(context, attr),
				      &several);
	return owner;
}

static int interface_mac(struct nl_sock *sock, int ifindex,
			 uint8_t mac[ETHERNET_LL_SIZE], uint16_t *vid)
{
	struct rtnl_link *link = NULL;
	struct nl_addr *addr;
	int ret = -EINVAL;

	/* Success can be an acknowledgement that brought no link. */
	if (rtnl_link_get_kernel(sock, ifindex, NULL, &link) || !link)
		return -EINVAL;
	addr = rtnl_link_get_addr(link);
	if (addr && nl_addr_get_len(addr) == ETHERNET_LL_SIZE) {
		memcpy(mac, nl_addr_get_binary_addr(addr), ETHERNET_LL_SIZE);
		*vid = rtnl_link_is_vlan(link) ? rtnl_link_vlan_get_id(link)
					       : NO_VLAN;
		ret = 0;
	}
	rtnl_link_put(link);
	return ret;
}

/* Send a question and let the callback look at the one reply. */
static int ask(struct nl_sock *sock, struct nl_msg *msg, nl_recvmsg_msg_cb_t cb,
	       void *arg)
{
	int ret = nl_send_auto(sock, msg);

	nlmsg_free(msg);
	if (ret >= 0)
		ret = nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, cb,
					  arg);
	if (ret >= 0)
		ret = nl_recvmsgs_default(sock);
	return ret < 0 ? -EHOSTUNREACH : 0;
}

static int on_route(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	struct nlattr *attrs[RTA_MAX + 1];
	struct hop *hop = arg;
	struct rtmsg *rtm;

	if (hdr->nlmsg_type != RTM_NEWROUTE ||
	    nlmsg_parse(hdr, sizeof(*rtm), attrs, RTA_MAX, NULL))
		return NL_SKIP;
	rtm = nlmsg_data(hdr);
	if (rtm->rtm_type == RTN_LOCAL) {
		hop->local = true;
	} else if (rtm->rtm_type != RTN_UNICAST) {
		hop->ifindex = 0;
	} else if (attrs[RTA_VIA]) {
		/* An IPv4 route by way of an IPv6 neighbour */
		struct rtvia *via = nla_data(attrs[RTA_VIA]);

		if (nla_len(attrs[RTA_VIA]) < (int)(sizeof(*via) + 16) ||
		    via->rtvia_family != AF_INET6)
			return NL_SKIP;
		hop->ip.family = AF_INET6;
		hop->ip.len = 16;
		memcpy(hop->ip.bytes, via->rtvia_addr, 16);
	} else if (attrs[RTA_GATEWAY] &&
		   nla_len(attrs[RTA_GATEWAY]) == (int)hop->ip.len) {
		memcpy(hop->ip.bytes, nla_data(attrs[RTA_GATEWAY]),
		       hop->ip.len);
	}
	return NL_OK;
}

/* The kernel's route to a destination through the interface */
static int ask_route(struct nl_sock *sock, int ifindex,
		     const struct ip *destination, unsigned int flags,
		     struct hop *hop)
{
	struct rtmsg rtm = {
		.rtm_family = destination->family,
		.rtm_dst_len = destination->len * 8,
		.rtm_flags = flags,
	};
	struct nl_msg *msg;

	*hop = (struct hop){ .ifindex = ifindex, .ip = *destination };
	msg = nlmsg_alloc_simple(RTM_GETROUTE, NLM_F_REQUEST);
	if (!msg)
		return -ENOMEM;
	if (nlmsg_append(msg, &rtm, sizeof(rtm), NLMSG_ALIGNTO) ||
	    nla_put(msg, RTA_DST, destination->len, destination->bytes) ||
	    nla_put_u32(msg, RTA_OIF, ifindex)) {
		nlmsg_free(msg);
		return -ENOMEM;
	}
	return ask(sock, msg, on_route, hop);
}

/* The next hop: the destination itself, or a gateway */
static int find_hop(struct nl_sock *sock, int ifindex,
		    const struct ip *destination, struct hop *hop)
{
	int ret = ask_route(sock, ifindex, destination, 0, hop);

	return !ret && !hop->ifindex ? -EHOSTUNREACH : ret;
}

struct neighbour {
	uint16_t state;
	bool has_mac;
	uint8_t mac[ETHERNET_LL_SIZE];
};

static int on_neighbour(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	struct nlattr *attrs[NDA_MAX + 1];
	struct neighbour *neighbour = arg;
	struct ndmsg *ndm;

	if (hdr->nlmsg_type != RTM_NEWNEIGH ||
	    nlmsg_parse(hdr, sizeof(*ndm), attrs, NDA_MAX, NULL))
		return NL_SKIP;
	ndm = nlmsg_data(hdr);
	neighbour->state = ndm->ndm_state;
	if ((ndm->ndm_state & NUD_HAS_ADDRESS) && attrs[NDA_LLADDR] &&
	    nla_len(attrs[NDA_LLADDR]) == ETHERNET_LL_SIZE) {
		neighbour->has_mac = true;
		memcpy(neighbour->mac, nla_data(attrs[NDA_LLADDR]),
		       ETHERNET_LL_SIZE);
	}
	return NL_OK;
}

/* What the kernel knows of the hop now; unknown neighbours have no state. */
static int query_neighbour(struct nl_sock *sock, const struct hop *hop,
			   struct neighbour *neighbour)
{
	struct ndmsg ndm = {
		.ndm_family = hop->ip.family,
		.ndm_ifindex = hop->ifindex,
	};
	struct nl_msg *msg;

	*neighbour = (struct neighbour){ .state = NUD_NONE };
	msg = nlmsg_alloc_simple(RTM_GETNEIGH, NLM_F_REQUEST);
	if (!msg)
		return -ENOMEM;
	if (nlmsg_append(msg, &ndm, sizeof(ndm), NLMSG_ALIGNTO) ||
	    nla_put(msg, NDA_DST, hop->ip.len, hop->ip.bytes)) {
		nlmsg_free(msg);
		return -ENOMEM;
	}
	/* An error means no such neighbour. */
	(void)ask(sock, msg, on_neighbour, neighbour);
	return 0;
}

/* Make the kernel look for the neighbour: any packet does. */
static void provoke(const struct ip *destination, int ifindex)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} addr = {};
	char ifname[IF_NAMESIZE];
	socklen_t len;
	int fd;

	if (destination->family == AF_INET) {
		addr.in.sin_family = AF_INET;
		addr.in.sin_port = htons(DISCARD_PORT);
		memcpy(&addr.in.sin_addr, destination->bytes, 4);
		len = sizeof(addr.in);
	} else {
		addr.in6.sin6_family = AF_INET6;
		addr.in6.sin6_port = htons(DISCARD_PORT);
		memcpy(&addr.in6.sin6_addr, destination->bytes, 16);
		len = sizeof(addr.in6);
	}

	fd = socket(destination->family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	/* Kernels before 5.7 want a privilege for this; the route may do. */
	if (if_indextoname(ifindex, ifname))
		(void)!setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, ifname,
				  strlen(ifname));
	(void)!sendto(fd, "", 0, MSG_DONTWAIT, &addr.any, len);
	close(fd);
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* A socket that becomes readable when some neighbour's state changes */
static struct nl_sock *open_events(void)
{
	struct nl_sock *sock = nl_socket_alloc();

	if (!sock)
		return NULL;
	nl_socket_disable_seq_check(sock);
	if (nl_connect(sock, NETLINK_ROUTE) ||
	    nl_socket_add_membership(sock, RTNLGRP_NEIGH) ||
	    nl_socket_set_nonblocking(sock)) {
		nl_socket_free(sock);
		return NULL;
	}
	return sock;
}

static int await_neighbour(struct nl_sock *sock, const struct ip *destination,
			   const struct hop *hop, struct neighbour *neighbour)
{
	struct hop in_table;
	struct nl_sock *events;
	struct pollfd pfd = { .events = POLLIN };
	int64_t deadline = now_ms() + WAIT_MS, left;
	int ret;

	/*
	 * With an interface given, the kernel takes any destination for a
	 * neighbour if its table has no route.  Not worth waiting for.
	 */
	ret = ask_route(sock, hop->ifindex, destination, RTM_F_FIB_MATCH,
			&in_table);
	if (ret)
		return ret;

	/* Before the packet, so that no answer is missed */
	events = open_events();
	if (!events)
		return -ENOMEM;
	pfd.fd = nl_socket_get_fd(events);
	provoke(destination, hop->ifindex);

	for (;;) {
		ret = query_neighbour(sock, hop, neighbour);
		if (ret || neighbour->has_mac)
			break;
		left = deadline - now_ms();
		if (left <= 0 || neighbour->state == NUD_FAILED ||
		    poll(&pfd, 1, left) == 0) {
			ret = -EHOSTUNREACH;
			break;
		}
		/* The events say only that it is time to ask again. */
		(void)nl_recvmsgs_default(events);
	}
	nl_socket_free(events);
	return ret;
}

static int find_neighbour(struct nl_sock *sock, int ifindex,
			  const struct ip *destination,
			  uint8_t mac[ETHERNET_LL_SIZE])
{
	struct neighbour neighbour;
	struct hop hop;
	bool several;
	int ret;

	ret = find_hop(sock, ifindex, destination, &hop);
	if (ret)
		return ret;
	if (hop.local) {
		int owner = address_owner(sock, destination, ifindex, &several);

		/* The interface's own address: mac is right already. */
		return !owner || owner == ifindex ? 0 : -EHOSTUNREACH;
	}
	ret = query_neighbour(sock, &hop, &neighbour);
	if (!ret && !neighbour.has_mac)
		ret = await_neighbour(sock, destination, &hop, &neighbour);
	if (!ret)
		memcpy(mac, neighbour.mac, ETHERNET_LL_SIZE);
	return ret;
}

/**
 * ibv_resolve_eth_l2_from_gid - Ethernet address of a RoCE destination
 * @attr: port_num, grh.sgid_index and grh.dgid are used
 * @eth_mac: receives the MAC of the destination, or of the gateway to it
 * @vid: receives the VLAN of the source GID's interface, 0xffff: none; may be
 *       NULL
 *
 * Waits up to 3 seconds for a neighbour to answer.  Returns 0; -EINVAL: no
 * Ethernet interface has the source GID's address; -EHOSTUNREACH; -ENOMEM; or
 * -1 with errno: the source GID cannot be read.  Outputs are untouched then.
 * Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_resolve_eth_l2_from_gid(struct ibv_context *context,
				struct ibv_ah_attr *attr,
				uint8_t eth_mac[ETHERNET_LL_SIZE],
				uint16_t *vid)
{
	struct ip source, destination;
	uint8_t mac[ETHERNET_LL_SIZE];
	union ibv_gid sgid;
	struct nl_sock *sock;
	uint16_t vlan;
	int ifindex, ret;

	ret = ibv_query_gid(context, attr->port_num, attr->grh.sgid_index,
			    &sgid);
	if (ret)
		return ret;
	source = ip_of_gid(&sgid);
	destination = ip_of_gid(&attr->grh.dgid);

	sock = nl_socket_alloc();
	if (!sock)
		return -ENOMEM;
	if (nl_connect(sock, NETLINK_ROUTE)) {
		ret = -EINVAL;
		goto out;
	}
	ifindex = source_interface(sock, context, attr, &source);
	ret = ifindex ? interface_mac(sock, ifindex, mac, &vlan) : -EINVAL;
	if (!ret && !computed_mac(&destination, mac)) {
		nl_socket_disable_auto_ack(sock);
		ret = find_neighbour(sock, ifindex, &destination, mac);
	}
	if (!ret) {
		memcpy(eth_mac, mac, ETHERNET_LL_SIZE);
		if (vid)
			*vid = vlan;
	}
out:
	nl_socket_free(sock);
	return ret;
}
