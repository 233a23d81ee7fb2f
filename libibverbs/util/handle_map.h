/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A map from kernel handles to the library's objects, for any number of threads
 * at once.  Most handles have one object, but there may be more.
 */
#ifndef UTIL_HANDLE_MAP_H
#define UTIL_HANDLE_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct handle_node;

/* All zero: an empty map */
struct handle_map {
	struct handle_node *root;
	struct handle_map *more; /* second and further objects of a handle */
};

/* No other thread may be using the map. */
void handle_map_fini(struct handle_map *map);
/*
 * 0 or ENOMEM; no ENOMEM where an object was taken from under that handle, unless
 * another one has come there since
 */
int handle_map_put(struct handle_map *map, uint32_t handle, void *object);
/* False: it was not there. */
bool handle_map_take(struct handle_map *map, uint32_t handle,
		     const void *object);
/* One of the handle's objects, or NULL */
void *handle_map_get(const struct handle_map *map, uint32_t handle);

#endif
