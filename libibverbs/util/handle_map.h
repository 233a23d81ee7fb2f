/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A small map from kernel handles to the library's objects.  Thread-safe.
 * More than one object may stand under one handle (a parent domain carries its
 * PD's): get returns the one that was put first.
 */
#ifndef UTIL_HANDLE_MAP_H
#define UTIL_HANDLE_MAP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct handle_entry {
	uint32_t handle;
	void *object;
};

struct handle_map {
	pthread_mutex_t lock;
	struct handle_entry *entries;
	size_t used, room;
	atomic_size_t reserved;
};

void handle_map_init(struct handle_map *map);
void handle_map_fini(struct handle_map *map);
/* Make room for one put, so that put itself cannot fail: 0 or ENOMEM. */
int handle_map_reserve(struct handle_map *map);
void handle_map_unreserve(struct handle_map *map);
/* Uses up a reservation. */
void handle_map_put(struct handle_map *map, uint32_t handle, void *object);
/*
 * Takes the object off the map and keeps its room as a reservation.  False: it
 * was not there, and nothing is reserved (a parent domain is never on the map).
 */
bool handle_map_take(struct handle_map *map, uint32_t handle, void *object);
void *handle_map_get(struct handle_map *map, uint32_t handle);

#endif
