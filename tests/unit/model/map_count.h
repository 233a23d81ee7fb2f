/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What is in a handle map, for tests whose kernels give small handles out. */
#ifndef MAP_COUNT_H
#define MAP_COUNT_H

#include <stddef.h>

#include "util/handle_map.h"

#define MAP_COUNT_HANDLES (1u << 16)

/* Objects, those of the same handle included */
static inline unsigned int map_count(const struct handle_map *map)
{
	unsigned int count = 0;
	uint32_t handle;

	for (; map; map = map->more) {
		const struct handle_map first = { .root = map->root };

		for (handle = 0; handle < MAP_COUNT_HANDLES; handle++)
			count += handle_map_get(&first, handle) != NULL;
	}
	return count;
}

#endif
