// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Asking devices and contexts whose drivers have nothing special to say. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "common.h"

int common_query_device_ex(struct ibv_context *context,
			   const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t attr_size)
{
	struct ib_uverbs_ex_query_device_resp resp;
	size_t resp_size = sizeof(resp);
	uint64_t version;
	int ret;

	ret = ibv_cmd_query_device_any(context, input, attr, attr_size, &resp,
				       &resp_size);
	if (ret)
		return ret;
	version = resp.base.fw_ver;
	snprintf(attr->orig_attr.fw_ver, sizeof(attr->orig_attr.fw_ver),
		 "%u.%u.%u", (unsigned int)(version >> 32) & 0xffff,
		 (unsigned int)(version >> 16) & 0xffff,
		 (unsigned int)version & 0xffff);
	return 0;
}

int common_query_port(struct ibv_context *context, uint8_t port,
		      struct ibv_port_attr *attr)
{
	struct ibv_query_port cmd = {};

	return ibv_cmd_query_port(context, port, attr, &cmd, sizeof(cmd));
}

/*
 * The core answers only for drivers that have more to say themselves, so here
 * it is EOPNOTSUPP (and something else if the file has no context yet).  The
 * answer is the same for every context of a device, so one of our own tells
 * it.  Where the process may not open one, the least that any context has is
 * good enough.
 */
int common_query_context(struct ibv_context *context)
{
	char node[sizeof("/dev/infiniband/") + IBV_SYSFS_NAME_MAX];
	struct ibv_context *own;
	int ret;

	ret = ibv_cmd_query_context(context, NULL);
	if (ret != EOPNOTSUPP)
		return ret;
	context->num_comp_vectors = 1;
	/* The library would wait for a node that is not ours to become so. */
	snprintf(node, sizeof(node), "/dev/infiniband/%s",
		 verbs_get_device(context->device)->sysfs->sysfs_name);
	if (faccessat(AT_FDCWD, node, R_OK | W_OK, AT_EACCESS))
		return 0;
	own = verbs_open_device(context->device, NULL);
	if (own) {
		context->num_comp_vectors = own->num_comp_vectors;
		ibv_close_device(own);
	}
	return 0;
}
