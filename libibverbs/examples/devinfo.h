/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The parts of ibv_devinfo.  People parse its output: each line is an
 * interface.
 */
#ifndef DEVINFO_H
#define DEVINFO_H

#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

/* One bit of a set, and how a line of its own names it */
struct devinfo_flag {
	uint64_t bit;
	const char *name;
};

#define DEVINFO_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A line for each bit of flags that table has; returns the other bits. */
uint64_t devinfo_print_flags(uint64_t flags, const struct devinfo_flag *table,
			     size_t entries);

/* Names of values, for those that have one (devinfo_names.c) */
const char *devinfo_transport(enum ibv_transport_type transport);
const char *devinfo_atomic_cap(enum ibv_atomic_cap cap);
const char *devinfo_port_state(enum ibv_port_state state);
const char *devinfo_mtu(enum ibv_mtu mtu);
const char *devinfo_link_layer(uint8_t link_layer);
const char *devinfo_vl_num(uint8_t vl_num);
const char *devinfo_width(uint8_t width);
const char *devinfo_speed(uint8_t speed);
const char *devinfo_phys_state(uint8_t state);

/* What only -v shows of a device (devinfo_caps.c) */
void devinfo_print_caps(struct ibv_context *context,
			const struct ibv_device_attr_ex *attr);

/*
 * A port; details: what only -v shows, too (devinfo_port.c).  Returns 0, or the
 * program's exit status after a message.
 */
int devinfo_print_port(struct ibv_context *context, uint32_t port_num,
		       int details);

#endif
