// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which RDMA device a program is to use. */
#include <string.h>

#include "tool.h"

struct ibv_device *tool_find_device(struct ibv_device **list, const char *name)
{
	if (!name)
		return *list;
	while (*list && strcmp(ibv_get_device_name(*list), name))
		list++;
	return *list;
}
