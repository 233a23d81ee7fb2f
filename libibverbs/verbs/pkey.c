// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The P_Key tables of a device's ports, which only sysfs tells. */
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>

#include "provider/priv.h"

/**
 * ibv_query_pkey - read one P_Key
 * @context: the device
 * @port_num: from 1
 * @index: into the port's table
 * @pkey: out, in network byte order; untouched on failure
 *
 * Returns 0, or -1 with errno.  Thread-safe.  Since IBVERBS_1.1.
 */
int ibv_query_pkey(struct ibv_context *context, uint8_t port_num, int index,
		   __be16 *pkey)
{
	unsigned long value;
	char text[16], *end;
	int len;

	len = ibv_read_ibdev_sysfs_file(
		text, sizeof(text), verbs_get_device(context->device)->sysfs,
		"ports/%d/pkeys/%d", port_num, index);
	if (len < 0)
		return -1;

	if (!len || !isxdigit((unsigned char)text[0]))
		goto malformed;
	value = strtoul(text, &end, 16);
	if (*end || value > UINT16_MAX)
		goto malformed;

	*pkey = htobe16(value);
	return 0;

malformed:
	errno = EINVAL;
	return -1;
}

/**
 * ibv_get_pkey_index - find a P_Key in a port's table
 * @context: the device
 * @port_num: from 1
 * @pkey: in network byte order, compared with its membership bit
 *
 * Returns the lowest index, or -1 with errno if it is not there.  Thread-safe.
 * Since IBVERBS_1.5.
 */
int ibv_get_pkey_index(struct ibv_context *context, uint8_t port_num,
		       __be16 pkey)
{
	__be16 found;
	int index;

	for (index = 0; !ibv_query_pkey(context, port_num, index, &found);
	     index++)
		if (found == pkey)
			return index;
	return -1;
}
