// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Address handles.  Current kernels keep the address and give it a number;
 * older ones keep nothing and want the address in every request.
 */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "rxe.h"

DRIVER_REPLY(create_ah, ib_uverbs_create_ah_resp, rxe_create_ah_resp);

static bool is_ipv4(const union ibv_gid *gid)
{
	return IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)gid->raw);
}

/* sockaddr_in and sockaddr_in6 share the place of the family. */
static void gid_to_address(const union ibv_gid *gid, struct sockaddr_in *in,
			   struct sockaddr_in6 *in6)
{
	if (is_ipv4(gid)) {
		in->sin_family = AF_INET;
		memcpy(&in->sin_addr, gid->raw + 12, sizeof(in->sin_addr));
	} else {
		in6->sin6_family = AF_INET6;
		memcpy(&in6->sin6_addr, gid->raw, sizeof(in6->sin6_addr));
	}
}

/* 0 or an errno value */
static int fill_av(struct ibv_context *context, struct ibv_ah_attr *attr,
		   struct rxe_av *av)
{
	union ibv_gid sgid;
	int ret;

	if (ibv_query_gid(context, attr->port_num, attr->grh.sgid_index, &sgid))
		return errno ? errno : EINVAL;
	ret = ibv_resolve_eth_l2_from_gid(context, attr, av->dmac, NULL);
	if (ret)
		return ret == -1 ? (errno ? errno : EINVAL) : -ret;

	av->port_num = attr->port_num;
	memcpy(av->grh.dgid.raw, attr->grh.dgid.raw, sizeof(av->grh.dgid.raw));
	av->grh.flow_label = attr->grh.flow_label;
	av->grh.sgid_index = attr->grh.sgid_index;
	av->grh.hop_limit = attr->grh.hop_limit;
	av->grh.traffic_class = attr->grh.traffic_class;
	av->network_type =
		is_ipv4(&sgid) ? RXE_NETWORK_TYPE_IPV4 : RXE_NETWORK_TYPE_IPV6;
	gid_to_address(&sgid, &av->sgid_addr._sockaddr_in,
		       &av->sgid_addr._sockaddr_in6);
	gid_to_address(&attr->grh.dgid, &av->dgid_addr._sockaddr_in,
		       &av->dgid_addr._sockaddr_in6);
	return 0;
}

struct ibv_ah *rxe_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct create_ah_reply resp = {};
	struct rxe_ah *ah;
	int ret;

	ah = new_object(struct rxe_ah);
	if (!ah) {
		errno = ENOMEM;
		return NULL;
	}
	ret = ibv_cmd_create_ah(pd, &ah->ibah, attr, &resp.core, sizeof(resp));
	if (ret)
		goto free_ah;
	ah->ah_num = resp.driver.ah_num;
	if (!ah->ah_num) {
		ret = fill_av(pd->context, attr, &ah->av);
		if (ret)
			goto destroy_ah;
	}
	return &ah->ibah;

destroy_ah:
	ibv_cmd_destroy_ah(&ah->ibah);
free_ah:
	free(ah);
	errno = ret;
	return NULL;
}

int rxe_destroy_ah(struct ibv_ah *ah)
{
	int ret;

	ret = ibv_cmd_destroy_ah(ah);
	if (ret)
		return ret;
	free(to_rxe_ah(ah));
	return 0;
}
