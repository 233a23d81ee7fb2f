// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A port and its GIDs, as ibv_devinfo shows them. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "devinfo.h"

static const char *type_suffix(const struct ibv_port_attr *port, uint32_t type)
{
	if (port->link_layer != IBV_LINK_LAYER_ETHERNET)
		return "";
	return type == IBV_GID_TYPE_ROCE_V2 ? ", RoCE v2" : ", RoCE v1";
}

static void print_gid(const struct ibv_port_attr *port, uint32_t index,
		      const struct ibv_gid_entry *entry)
{
	const uint8_t *raw = entry->gid.raw;
	const char *suffix = type_suffix(port, entry->gid_type);
	char text[INET6_ADDRSTRLEN];
	int i;

	printf("\t\t\tGID[%3u]:\t\t", index);
	/* With RoCE v2 a GID is an address of the network. */
	if (entry->gid_type == IBV_GID_TYPE_ROCE_V2) {
		inet_ntop(AF_INET6, raw, text, sizeof(text));
		printf("%s%s\n", text, suffix);
		return;
	}
	for (i = 0; i < 16; i += 2)
		printf("%s%02x%02x", i ? ":" : "", raw[i], raw[i + 1]);
	printf("%s\n", suffix);
}

/* Empty slots are left out. */
static int print_gids(struct ibv_context *context, uint32_t port_num,
		      const struct ibv_port_attr *port)
{
	/* valgrind does not know that the kernel fills it. */
	struct ibv_gid_entry entry = { 0 };
	union ibv_gid gid;
	int i;

	for (i = 0; i < port->gid_tbl_len; i++) {
		if (ibv_query_gid(context, port_num, i, &gid)) {
			fprintf(stderr,
				"Failed to query gid to port %u, index %d\n",
				port_num, i);
			return -1;
		}
		if (!gid.global.interface_id ||
		    ibv_query_gid_ex(context, port_num, i, &entry, 0))
			continue;
		print_gid(port, i, &entry);
	}
	return 0;
}

static void print_details(struct ibv_context *context,
			  const struct ibv_port_attr *port)
{
	printf("\t\t\tmax_msg_sz:\t\t0x%x\n", port->max_msg_sz);
	printf("\t\t\tport_cap_flags:\t\t0x%08x\n", port->port_cap_flags);
	printf("\t\t\tport_cap_flags2:\t0x%04x\n", port->port_cap_flags2);
	printf("\t\t\tmax_vl_num:\t\t%s (%d)\n",
	       devinfo_vl_num(port->max_vl_num), port->max_vl_num);
	printf("\t\t\tbad_pkey_cntr:\t\t0x%x\n", port->bad_pkey_cntr);
	printf("\t\t\tqkey_viol_cntr:\t\t0x%x\n", port->qkey_viol_cntr);
	printf("\t\t\tsm_sl:\t\t\t%d\n", port->sm_sl);
	printf("\t\t\tpkey_tbl_len:\t\t%d\n", port->pkey_tbl_len);
	printf("\t\t\tgid_tbl_len:\t\t%d\n", port->gid_tbl_len);
	printf("\t\t\tsubnet_timeout:\t\t%d\n", port->subnet_timeout);
	printf("\t\t\tinit_type_reply:\t%d\n", port->init_type_reply);
	printf("\t\t\tactive_width:\t\t%sX (%d)\n",
	       devinfo_width(port->active_width), port->active_width);
	printf("\t\t\tactive_speed:\t\t%s (%d)\n",
	       devinfo_speed(port->active_speed), port->active_speed);
	if (context->device->transport_type == IBV_TRANSPORT_IB)
		printf("\t\t\tphys_state:\t\t%s (%d)\n",
		       devinfo_phys_state(port->phys_state), port->phys_state);
}

int devinfo_print_port(struct ibv_context *context, uint32_t port_num,
		       int details)
{
	struct ibv_port_attr port;
	int err;

	err = ibv_query_port(context, port_num, &port);
	if (err) {
		fprintf(stderr, "Failed to query port %u props\n", port_num);
		return err;
	}
	printf("\t\tport:\t%u\n", port_num);
	printf("\t\t\tstate:\t\t\t%s (%d)\n", devinfo_port_state(port.state),
	       port.state);
	printf("\t\t\tmax_mtu:\t\t%s (%d)\n", devinfo_mtu(port.max_mtu),
	       port.max_mtu);
	printf("\t\t\tactive_mtu:\t\t%s (%d)\n", devinfo_mtu(port.active_mtu),
	       port.active_mtu);
	printf("\t\t\tsm_lid:\t\t\t%d\n", port.sm_lid);
	printf("\t\t\tport_lid:\t\t%d\n", port.lid);
	printf("\t\t\tport_lmc:\t\t0x%02x\n", port.lmc);
	printf("\t\t\tlink_layer:\t\t%s\n",
	       devinfo_link_layer(port.link_layer));
	if (details) {
		print_details(context, &port);
		err = print_gids(context, port_num, &port);
		if (err)
			return err;
	}
	printf("\n");
	return 0;
}
