// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The fake device's attributes: sensible, extreme, or any. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

#define PORTS 2
#define GIDS 6

static const char *caps(void)
{
	return fake_env("FAKE_CAPS", "full");
}

/* The number in FAKE_CAPS; 0: there is none */
static uint64_t seed(void)
{
	return strtoull(caps(), NULL, 0);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/*
 * Bytes that are a function of the seed and of what they are for.  Each second
 * seed has few bits, so that zeros and single flags are seen, too.
 */
static void fill(void *to, size_t size, unsigned int purpose)
{
	uint64_t state = seed() * 1000003 + purpose;
	unsigned char *bytes = to;
	size_t i;

	if (!strcmp(caps(), "ones")) {
		memset(to, 0xff, size);
		return;
	}
	memset(to, 0, size);
	if (!seed())
		return;
	for (i = 0; i < size; i++) {
		uint64_t value = next_random(&state);

		if (seed() % 2)
			bytes[i] = value;
		else if (value % 8 == 0)
			bytes[i] = 1 << (value / 8 % 8);
	}
}

static int below(unsigned int limit, unsigned int purpose)
{
	uint64_t state = seed() * 7919 + purpose;

	next_random(&state);
	return next_random(&state) % limit;
}

static void full_device(struct ibv_device_attr_ex *attr)
{
	attr->orig_attr.max_qp = 1000;
	attr->orig_attr.max_qp_wr = 10000;
	attr->orig_attr.device_cap_flags = IBV_DEVICE_XRC;
	attr->odp_caps.general_caps =
		IBV_ODP_SUPPORT | IBV_ODP_SUPPORT_IMPLICIT;
	attr->odp_caps.per_transport_caps.rc_odp_caps = ~0u;
	attr->odp_caps.per_transport_caps.uc_odp_caps = ~0u;
	attr->odp_caps.per_transport_caps.ud_odp_caps = ~0u;
	attr->xrc_odp_caps = ~0u;
	attr->completion_timestamp_mask = 0xffffffffffff;
	attr->hca_core_clock = 156250;
	attr->max_dm_size = 1 << 20;
}

static int query_device_ex(struct ibv_context *context,
			   const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t attr_size)
{
	int err = fake_call("query_device_ex", " input=%s size=%zu",
			    input ? "given" : "none", attr_size);
	struct ibv_device_attr *orig = &attr->orig_attr;
	size_t i;

	(void)context;
	if (err)
		return err;
	fill(attr, attr_size, 1);
	if (!strcmp(caps(), "full"))
		full_device(attr);
	for (i = 0; i + 1 < sizeof(orig->fw_ver); i++)
		orig->fw_ver[i] = 'a' + i % 26;
	orig->fw_ver[seed() % sizeof(orig->fw_ver)] = 0;
	orig->fw_ver[sizeof(orig->fw_ver) - 1] = 0;
	orig->phys_port_cnt = PORTS;
	if (seed())
		orig->atomic_cap = below(4, 2);
	return 0;
}

static void port_attr(unsigned int port_num, struct ibv_port_attr *port,
		      size_t size)
{
	fill(port, size, 10 + port_num);
	port->gid_tbl_len = GIDS;
	if (seed()) {
		unsigned int base = 100 * port_num;

		port->state = below(8, base);
		port->max_mtu = below(8, base + 1);
		port->active_mtu = below(8, base + 2);
		port->max_vl_num = below(12, base + 3);
		port->link_layer = below(4, base + 4);
		port->phys_state = below(10, base + 5);
		port->active_width = below(4, base + 6)
					     ? 1 << below(6, base + 7)
					     : below(40, base + 8);
		port->active_speed = below(4, base + 9)
					     ? 1 << below(9, base + 10)
					     : below(255, base + 11);
		return;
	}
	if (strcmp(caps(), "full") && strcmp(caps(), "none"))
		return;
	port->state = IBV_PORT_ACTIVE;
	port->max_mtu = IBV_MTU_4096;
	port->active_mtu = IBV_MTU_2048;
	if (!strcmp(fake_env("FAKE_PORT", "ib"), "roce")) {
		port->link_layer = IBV_LINK_LAYER_ETHERNET;
	} else {
		port->link_layer = IBV_LINK_LAYER_INFINIBAND;
		port->lid = strtoul(fake_env("FAKE_LID", "7"), NULL, 0);
	}
}

static int query_port(struct ibv_context *context, uint8_t port_num,
		      struct ibv_port_attr *port, size_t size)
{
	int err = fake_call("query_port", " %u size=%zu", port_num, size);

	(void)context;
	if (err)
		return err;
	if (port_num < 1 || port_num > PORTS)
		return EINVAL;
	port_attr(port_num, port, size);
	return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	struct ibv_device_attr_ex ex;
	int err = query_device_ex(context, NULL, &ex, sizeof(ex));

	if (!err)
		*attr = ex.orig_attr;
	return err;
}

/* Some slots are empty; of those that are not, some are IPv4 addresses. */
static void gid_at(unsigned int port, int index, union ibv_gid *gid)
{
	int kind = seed() ? below(5, 1000 * port + index) : index ? 1 : 2;

	memset(gid, 0, sizeof(*gid));
	if (kind == 0)
		return;
	if (kind == 1) {
		gid->raw[10] = gid->raw[11] = 0xff;
		gid->raw[12] = 10;
		gid->raw[14] = port;
		gid->raw[15] = index + 1;
		return;
	}
	gid->raw[0] = 0xfe;
	gid->raw[1] = 0x80;
	if (kind == 3)
		gid->raw[3] = 1; /* not link-local */
	memset(gid->raw + 8, kind == 4 ? 0 : 0x2a, 7);
	gid->raw[15] = index;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index,
		  union ibv_gid *gid)
{
	int err = fake_call("query_gid", " %u %d", port_num, index);

	(void)context;
	if (!err && (index < 0 || index >= GIDS))
		err = EINVAL;
	if (err) {
		errno = err;
		return -1;
	}
	gid_at(port_num, index, gid);
	return 0;
}

/* On InfiniBand there is but one type of GID. */
static int type_at(unsigned int port, int index)
{
	struct ibv_port_attr attr;

	port_attr(port, &attr, sizeof(attr));
	if (attr.link_layer != IBV_LINK_LAYER_ETHERNET)
		return 0;
	return seed() ? below(2, 2000 * port + index) : index & 1;
}

/* Private to the library and its own programs: 0 RoCE v1 or IB, 1 RoCE v2 */
int ibv_query_gid_type(struct ibv_context *context, uint8_t port_num,
		       unsigned int index, unsigned int *type);

int ibv_query_gid_type(struct ibv_context *context, uint8_t port_num,
		       unsigned int index, unsigned int *type)
{
	int err = fake_call("query_gid_type", " %u %u", port_num, index);

	(void)context;
	if (err) {
		errno = err;
		return -1;
	}
	*type = type_at(port_num, index);
	return 0;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num,
		      uint32_t index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t size)
{
	/* One script for the two ways to ask for a type */
	int err = fake_call("query_gid_type", " %u %u", port_num, index);
	static const union ibv_gid none;
	struct ibv_port_attr port;

	(void)flags;
	if (err)
		return err;
	memset(entry, 0, size);
	gid_at(port_num, index, &entry->gid);
	if (!memcmp(&entry->gid, &none, sizeof(none)))
		return ENODATA;
	(void)context;
	port_attr(port_num, &port, sizeof(port));
	entry->gid_index = index;
	entry->port_num = port_num;
	if (port.link_layer != IBV_LINK_LAYER_ETHERNET)
		entry->gid_type = IBV_GID_TYPE_IB;
	else if (type_at(port_num, index))
		entry->gid_type = IBV_GID_TYPE_ROCE_V2;
	else
		entry->gid_type = IBV_GID_TYPE_ROCE_V1;
	return 0;
}

void fake_fill_query_ops(struct verbs_context *context)
{
	context->query_device_ex = query_device_ex;
	context->query_port = query_port;
}
