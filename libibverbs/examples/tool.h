/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What all of the example programs share. */
#ifndef TOOL_H
#define TOOL_H

#include <infiniband/verbs.h>

/*
 * The device of that name in a list from ibv_get_device_list(), or with NULL
 * the first one; NULL if there is none.
 */
struct ibv_device *tool_find_device(struct ibv_device **list, const char *name);

#endif
