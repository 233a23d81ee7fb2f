// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Address handles, and addressing the sender of a received datagram. */
#include <errno.h>
#include <string.h>

#include "provider/priv.h"

/*
 * The first 40 bytes of a UD receive buffer: a GRH or IPv6 header, or 20 bytes
 * of anything followed by an IPv4 header.
 */
#define HEADER_LEN 40
#define IPV4_OFFSET 20

#define NEXT_HEADER_UDP 17
#define NEXT_HEADER_IBA 0x1b /* InfiniBand's transport */

/* What such a header says, as the receiver sees it */
struct sender {
	union ibv_gid own, peer;
	uint32_t flow_label;
	uint8_t hop_limit, traffic_class;
	bool roce_v2;
};

static bool ipv4_checksum_ok(const uint8_t *header)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < HEADER_LEN - IPV4_OFFSET; i += 2)
		sum += header[i] << 8 | header[i + 1];
	return (sum & 0xffff) + (sum >> 16) == 0xffff;
}

static void map_ipv4(union ibv_gid *gid, const uint8_t *address)
{
	memset(gid, 0, 10);
	memset(gid->raw + 10, 0xff, 2);
	memcpy(gid->raw + 12, address, 4);
}

/* 0 or EPROTONOSUPPORT */
static int parse_header(const struct ibv_grh *grh, struct sender *sender)
{
	uint8_t header[HEADER_LEN];
	const uint8_t *ipv4 = header + IPV4_OFFSET;
	bool is_ipv6, is_ipv4;

	_Static_assert(sizeof(*grh) == HEADER_LEN, "a header is a struct");
	/* The buffer may lie at any address. */
	memcpy(header, (const void *)grh, HEADER_LEN);

	/*
	 * What precedes an IPv4 header may look like IPv6, and an IPv6 address
	 * like the start of an IPv4 header: then its checksum decides.
	 */
	is_ipv6 = header[0] >> 4 == 6;
	is_ipv4 = ipv4[0] >> 4 == 4;
	if (is_ipv6 && is_ipv4)
		is_ipv4 = ipv4[0] == 0x45 && ipv4_checksum_ok(ipv4);

	if (is_ipv4) {
		map_ipv4(&sender->peer, ipv4 + 12);
		map_ipv4(&sender->own, ipv4 + 16);
		sender->flow_label = 0;
		sender->hop_limit = ipv4[8];
		sender->traffic_class = ipv4[1];
		sender->roce_v2 = true;
		return 0;
	}

	if (!is_ipv6 ||
	    (header[6] != NEXT_HEADER_UDP && header[6] != NEXT_HEADER_IBA))
		return EPROTONOSUPPORT;
	memcpy(&sender->peer, header + 8, 16);
	memcpy(&sender->own, header + 24, 16);
	sender->flow_label =
		(header[1] & 0xf) << 16 | header[2] << 8 | header[3];
	sender->hop_limit = header[7];
	sender->traffic_class = (header[0] & 0xf) << 4 | header[1] >> 4;
	sender->roce_v2 = header[6] == NEXT_HEADER_UDP;
	return 0;
}

/* The entry with the GID for the protocol by which the datagram came */
static int find_own_gid(struct ibv_context *context, uint8_t port_num,
			const struct sender *sender, uint8_t *gid_index)
{
	struct ibv_gid_entry entry;
	uint32_t index;
	int ret;

	/* struct ibv_global_route has 8 bits for the index. */
	for (index = 0; index <= UINT8_MAX; index++) {
		ret = ibv_query_gid_ex(context, port_num, index, &entry, 0);
		/* Empty, or its interface has just gone */
		if (ret == ENODATA || ret == ENODEV)
			continue;
		if (ret)
			return ret;
		if (!memcmp(&entry.gid, &sender->own, sizeof(entry.gid)) &&
		    (entry.gid_type == IBV_GID_TYPE_ROCE_V2) ==
			    sender->roce_v2) {
			*gid_index = index;
			return 0;
		}
	}
	return EINVAL;
}

/**
 * ibv_create_ah - make an address handle
 * @pd: the PD, which must outlive the address handle
 * @attr: the way to the peer
 *
 * Returns the address handle, which the caller gives back with
 * ibv_destroy_ah(), or NULL with errno.  Thread-safe.  Since IBVERBS_1.1.
 */
struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct ibv_ah *ah;

	ah = get_ops(pd->context)->create_ah(pd, attr);
	if (ah) {
		ah->context = pd->context;
		ah->pd = pd;
	}
	return ah;
}

/**
 * ibv_init_ah_from_wc - the way back to the sender of a received datagram
 * @context: the device that received it
 * @port_num: the port that did, from 1
 * @wc: its completion
 * @grh: the first 40 bytes of the receive buffer; read only if wc has
 *	IBV_WC_GRH
 * @ah_attr: out; untouched on failure
 *
 * Returns 0, or -1 with errno: EPROTONOSUPPORT if the header is neither
 * InfiniBand's nor RoCE's, EINVAL if its destination is no GID of the port.
 * Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port_num,
			struct ibv_wc *wc, struct ibv_grh *grh,
			struct ibv_ah_attr *ah_attr)
{
	struct ibv_ah_attr attr = {
		.dlid = wc->slid,
		.sl = wc->sl,
		.src_path_bits = wc->dlid_path_bits,
		.port_num = port_num,
	};
	struct sender sender;
	int ret;

	if (wc->wc_flags & IBV_WC_GRH) {
		ret = parse_header(grh, &sender);
		if (!ret)
			ret = find_own_gid(context, port_num, &sender,
					   &attr.grh.sgid_index);
		if (ret) {
			errno = ret;
			return -1;
		}
		attr.is_global = 1;
		attr.grh.dgid = sender.peer;
		attr.grh.flow_label = sender.flow_label;
		attr.grh.hop_limit = sender.hop_limit;
		attr.grh.traffic_class = sender.traffic_class;
	}

	*ah_attr = attr;
	return 0;
}

/**
 * ibv_create_ah_from_wc - an address handle for the sender of a datagram
 * @pd: the PD, which must outlive the address handle
 * @wc: the datagram's completion
 * @grh: the first 40 bytes of the receive buffer
 * @port_num: the port that received it, from 1
 *
 * Returns what ibv_create_ah() does, or NULL with ibv_init_ah_from_wc()'s
 * errno.  Thread-safe.  Since IBVERBS_1.1.
 */
struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *wc,
				     struct ibv_grh *grh, uint8_t port_num)
{
	struct ibv_ah_attr attr;

	if (ibv_init_ah_from_wc(pd->context, port_num, wc, grh, &attr))
		return NULL;
	return ibv_create_ah(pd, &attr);
}

/**
 * ibv_destroy_ah - give back an address handle
 * @ah: freed on success; unchanged on failure
 *
 * Returns 0 or an errno value.  No work request may be using it.  Since
 * IBVERBS_1.1.
 */
int ibv_destroy_ah(struct ibv_ah *ah)
{
	return get_ops(ah->context)->destroy_ah(ah);
}
