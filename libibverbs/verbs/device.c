// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Attributes of a device and its ports in the fixed layouts of the first
 * releases.  verbs.h reaches the longer ones through slots of the context.
 */
#include <string.h>

#include "provider/priv.h"

/* As much of struct ibv_port_attr as it had when ibv_query_port was exported */
#define OLD_PORT_ATTR_SIZE offsetof(struct ibv_port_attr, port_cap_flags2)

/**
 * ibv_query_device - read a device's attributes
 * @context: the device
 * @device_attr: out
 *
 * Returns 0 or an errno value.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_query_device(struct ibv_context *context,
		     struct ibv_device_attr *device_attr)
{
	/* The size says that nothing behind orig_attr may be written. */
	return get_ops(context)->query_device_ex(
		context, NULL,
		container_of(device_attr, struct ibv_device_attr_ex, orig_attr),
		sizeof(*device_attr));
}

/**
 * ibv_query_port - read a port's attributes
 * @context: the device
 * @port_num: from 1
 * @port_attr: out: the first 48 bytes of struct ibv_port_attr
 *
 * What programs call by this name is a macro that gives the whole struct; this
 * is for those that were built before it grew.  Returns 0 or an errno value;
 * nothing is written on failure.  Thread-safe.  Since IBVERBS_1.1.
 */
int(ibv_query_port)(struct ibv_context *context, uint8_t port_num,
		    struct _compat_ibv_port_attr *port_attr)
{
	struct ibv_port_attr whole = { 0 };
	int ret;

	_Static_assert(OLD_PORT_ATTR_SIZE == 48, "ABI of old programs");

	ret = get_ops(context)->query_port(context, port_num, &whole);
	if (!ret)
		memcpy(port_attr, &whole, OLD_PORT_ATTR_SIZE);
	return ret;
}
