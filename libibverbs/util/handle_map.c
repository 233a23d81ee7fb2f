// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The map from kernel handles to objects: a hash table with linear probing.
 * The kernel hands out small consecutive handles, so the handle itself is the
 * hash.  Removal shifts later entries back instead of leaving marks, hence
 * entries of one handle always stand in the order in which they were put.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/handle_map.h"

#define MIN_ROOM 16

static size_t home(const struct handle_map *map, uint32_t handle)
{
	return handle & (map->room - 1);
}

static size_t next(const struct handle_map *map, size_t slot)
{
	return (slot + 1) & (map->room - 1);
}

static void insert(struct handle_map *map, uint32_t handle, void *object)
{
	size_t slot = home(map, handle);

	while (map->entries[slot].object)
		slot = next(map, slot);
	map->entries[slot].handle = handle;
	map->entries[slot].object = object;
	map->used++;
}

static int grow(struct handle_map *map)
{
	struct handle_map bigger = {
		.room = map->room ? 2 * map->room : MIN_ROOM,
	};
	size_t start = 0, i, slot;

	bigger.entries = calloc(bigger.room, sizeof(*bigger.entries));
	if (!bigger.entries)
		return ENOMEM;

	/*
	 * Entries of one handle may wrap around the end of the table: starting
	 * behind an empty slot keeps their order.  There is always one.
	 */
	while (start < map->room && map->entries[start].object)
		start++;
	for (i = 0; i < map->room; i++) {
		slot = (start + i) & (map->room - 1);
		if (map->entries[slot].object)
			insert(&bigger, map->entries[slot].handle,
			       map->entries[slot].object);
	}

	free(map->entries);
	map->entries = bigger.entries;
	map->room = bigger.room;
	return 0;
}

static void remove_slot(struct handle_map *map, size_t hole)
{
	size_t slot;

	for (slot = next(map, hole); map->entries[slot].object;
	     slot = next(map, slot)) {
		size_t probed = (slot - home(map, map->entries[slot].handle)) &
				(map->room - 1);
		size_t distance = (slot - hole) & (map->room - 1);

		/* Never before its home, or it would not be found. */
		if (probed < distance)
			continue;
		map->entries[hole] = map->entries[slot];
		hole = slot;
	}
	map->entries[hole].object = NULL;
	map->used--;
}

void handle_map_init(struct handle_map *map)
{
	*map = (struct handle_map){ .lock = PTHREAD_MUTEX_INITIALIZER };
}

void handle_map_fini(struct handle_map *map)
{
	free(map->entries);
	map->entries = NULL;
	map->used = map->room = 0;
	map->reserved = 0;
	pthread_mutex_destroy(&map->lock);
}

int handle_map_reserve(struct handle_map *map)
{
	int ret = 0;

	pthread_mutex_lock(&map->lock);
	if ((map->used + map->reserved + 1) * 4 > map->room * 3)
		ret = grow(map);
	if (!ret)
		map->reserved++;
	pthread_mutex_unlock(&map->lock);
	return ret;
}

/* Only ever more room for the others: they need not be kept out. */
void handle_map_unreserve(struct handle_map *map)
{
	atomic_fetch_sub_explicit(&map->reserved, 1, memory_order_relaxed);
}

void handle_map_put(struct handle_map *map, uint32_t handle, void *object)
{
	pthread_mutex_lock(&map->lock);
	map->reserved--;
	insert(map, handle, object);
	pthread_mutex_unlock(&map->lock);
}

bool handle_map_take(struct handle_map *map, uint32_t handle, void *object)
{
	bool found = false;
	size_t slot;

	pthread_mutex_lock(&map->lock);
	if (map->room) {
		slot = home(map, handle);
		while (map->entries[slot].object &&
		       (map->entries[slot].handle != handle ||
			map->entries[slot].object != object))
			slot = next(map, slot);
		if (map->entries[slot].object) {
			remove_slot(map, slot);
			map->reserved++;
			found = true;
		}
	}
	pthread_mutex_unlock(&map->lock);
	return found;
}

void *handle_map_get(struct handle_map *map, uint32_t handle)
{
	void *object = NULL;
	size_t slot;

	pthread_mutex_lock(&map->lock);
	if (map->room) {
		slot = home(map, handle);
		while (map->entries[slot].object &&
		       map->entries[slot].handle != handle)
			slot = next(map, slot);
		object = map->entries[slot].object;
	}
	pthread_mutex_unlock(&map->lock);
	return object;
}
