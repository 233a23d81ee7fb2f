// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_devinfo's names for values, known and unknown ones. */
#include "devinfo.h"

struct name {
	int value;
	const char *text;
};

static const char *find(const struct name *table, size_t entries, int value,
			const char *otherwise)
{
	size_t i;

	for (i = 0; i < entries; i++)
		if (table[i].value == value)
			return table[i].text;
	return otherwise;
}

#define FIND(table, value, otherwise) \
	find(table, DEVINFO_COUNT(table), value, otherwise)

const char *devinfo_transport(enum ibv_transport_type transport)
{
	static const struct name names[] = {
		{ IBV_TRANSPORT_IB, "InfiniBand" },
		{ IBV_TRANSPORT_IWARP, "iWARP" },
		{ IBV_TRANSPORT_USNIC, "usNIC" },
		{ IBV_TRANSPORT_USNIC_UDP, "usNIC UDP" },
		{ IBV_TRANSPORT_UNSPECIFIED, "unspecified" },
	};

	return FIND(names, transport, "invalid transport");
}

const char *devinfo_atomic_cap(enum ibv_atomic_cap cap)
{
	static const struct name names[] = {
		{ IBV_ATOMIC_NONE, "ATOMIC_NONE" },
		{ IBV_ATOMIC_HCA, "ATOMIC_HCA" },
		{ IBV_ATOMIC_GLOB, "ATOMIC_GLOB" },
	};

	return FIND(names, cap, "invalid atomic capability");
}

const char *devinfo_port_state(enum ibv_port_state state)
{
	static const struct name names[] = {
		{ IBV_PORT_DOWN, "PORT_DOWN" },
		{ IBV_PORT_INIT, "PORT_INIT" },
		{ IBV_PORT_ARMED, "PORT_ARMED" },
		{ IBV_PORT_ACTIVE, "PORT_ACTIVE" },
	};

	return FIND(names, state, "invalid state");
}

const char *devinfo_mtu(enum ibv_mtu mtu)
{
	static const struct name names[] = {
		{ IBV_MTU_256, "256" },	  { IBV_MTU_512, "512" },
		{ IBV_MTU_1024, "1024" }, { IBV_MTU_2048, "2048" },
		{ IBV_MTU_4096, "4096" },
	};

	return FIND(names, mtu, "invalid MTU");
}

const char *devinfo_link_layer(uint8_t link_layer)
{
	static const struct name names[] = {
		{ IBV_LINK_LAYER_UNSPECIFIED, "Unspecified" },
		{ IBV_LINK_LAYER_INFINIBAND, "InfiniBand" },
		{ IBV_LINK_LAYER_ETHERNET, "Ethernet" },
	};

	return FIND(names, link_layer, "Unknown");
}

/* The values below are those of InfiniBand's PortInfo attribute. */

const char *devinfo_vl_num(uint8_t vl_num)
{
	static const struct name names[] = {
		{ 1, "1" }, { 2, "2" }, { 3, "4" }, { 4, "8" }, { 5, "15" },
	};

	return FIND(names, vl_num, "invalid value");
}

const char *devinfo_width(uint8_t width)
{
	static const struct name names[] = {
		{ 1, "1" }, { 2, "4" }, { 4, "8" }, { 8, "12" }, { 16, "2" },
	};

	return FIND(names, width, "invalid width");
}

const char *devinfo_speed(uint8_t speed)
{
	static const struct name names[] = {
		{ 1, "2.5 Gbps" },   { 2, "5.0 Gbps" },	    { 4, "10.0 Gbps" },
		{ 8, "10.0 Gbps" },  { 16, "14.0 Gbps" },   { 32, "25.0 Gbps" },
		{ 64, "50.0 Gbps" }, { 128, "100.0 Gbps" },
	};

	return FIND(names, speed, "invalid speed");
}

const char *devinfo_phys_state(uint8_t state)
{
	static const struct name names[] = {
		{ 1, "SLEEP" },
		{ 2, "POLLING" },
		{ 3, "DISABLED" },
		/* Misspelled for ever: scripts look for it. */
		{ 4, "PORT_CONFIGURATION TRAINNING" },
		{ 5, "LINK_UP" },
		{ 6, "LINK_ERROR_RECOVERY" },
		{ 7, "PHY TEST" },
	};

	return FIND(names, state, "invalid physical state");
}
