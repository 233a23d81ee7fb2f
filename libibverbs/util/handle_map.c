// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The map from kernel handles to objects: a tree of small arrays, each indexed
 * by four bits of the handle.  The kernel hands out the lowest free handle of a
 * file, so the tree is as low as the file has few objects (one array for the
 * handles to 15), and a slot is rarely used by two threads.
 *
 * What the tree once has stays where it is until the map is unmade, so nobody
 * needs a lock: arrays are hung in, and objects put into empty slots, by
 * compare-and-exchange.  That is at most ten bytes for each handle that the file
 * ever had at a time, and a kernel that gives absurd ones costs eight arrays
 * for each.
 */
#include <errno.h>
#include <stdlib.h>

#include "util/handle_map.h"

#define BITS 4
#define SLOTS (1u << BITS)

struct handle_node {
	unsigned int shift; /* which bits; 0: the slots are objects */
	void *slots[SLOTS]; /* otherwise nodes of the next bits */
};

static void *load(void *const *slot)
{
	return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

/* *slot becomes value if it is NULL; what it is now */
static void *fill(void **slot, void *value)
{
	void *found = NULL;

	return __atomic_compare_exchange_n(slot, &found, value, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
		       ? value
		       : found;
}

static bool covers(const struct handle_node *node, uint32_t handle)
{
	return handle >> node->shift < SLOTS;
}

static void **slot_of(struct handle_node *node, uint32_t handle)
{
	return &node->slots[(handle >> node->shift) % SLOTS];
}

/* The place of the handle's object, or NULL: the tree does not reach there. */
static void **find(const struct handle_map *map, uint32_t handle)
{
	struct handle_node *node =
		__atomic_load_n(&map->root, __ATOMIC_ACQUIRE);

	if (!node || !covers(node, handle))
		return NULL;
	while (node->shift) {
		node = load(slot_of(node, handle));
		if (!node)
			return NULL;
	}
	return slot_of(node, handle);
}

static struct handle_node *new_node(unsigned int shift)
{
	struct handle_node *node = calloc(1, sizeof(*node));

	if (node)
		node->shift = shift;
	return node;
}

/* The shift of a root that covers the handle, and no more */
static unsigned int shift_for(uint32_t handle)
{
	unsigned int shift = 0;

	while (handle >> shift >= SLOTS)
		shift += BITS;
	return shift;
}

/* A root that covers the handle: a new one stands on the last. */
static struct handle_node *make_root(struct handle_map *map, uint32_t handle)
{
	struct handle_node *root =
		__atomic_load_n(&map->root, __ATOMIC_ACQUIRE);

	while (!root || !covers(root, handle)) {
		struct handle_node *higher =
			new_node(root ? root->shift + BITS : shift_for(handle));

		if (!higher)
			return NULL;
		higher->slots[0] = root;
		if (__atomic_compare_exchange_n(&map->root, &root, higher,
						false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			root = higher;
		else
			free(higher);
	}
	return root;
}

/* As find(), and makes what is missing; NULL: no memory. */
static void **make(struct handle_map *map, uint32_t handle)
{
	struct handle_node *node = make_root(map, handle);

	while (node && node->shift) {
		void **slot = slot_of(node, handle);
		struct handle_node *next = load(slot);

		if (!next) {
			struct handle_node *made = new_node(node->shift - BITS);

			if (!made)
				return NULL;
			next = fill(slot, made);
			if (next != made)
				free(made);
		}
		node = next;
	}
	return node ? slot_of(node, handle) : NULL;
}

static struct handle_map *make_more(struct handle_map *map)
{
	struct handle_map *more = NULL, *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	if (__atomic_compare_exchange_n(&map->more, &more, made, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return made;
	free(made);
	return more;
}

static struct handle_map *next_map(const struct handle_map *map)
{
	return __atomic_load_n(&map->more, __ATOMIC_ACQUIRE);
}

int handle_map_put(struct handle_map *map, uint32_t handle, void *object)
{
	void **slot;

	for (;;) {
		slot = find(map, handle);
		if (!slot)
			slot = make(map, handle);
		if (!slot)
			return ENOMEM;
		if (fill(slot, object) == object)
			return 0;
		map = next_map(map) ?: make_more(map);
		if (!map)
			return ENOMEM;
	}
}

bool handle_map_take(struct handle_map *map, uint32_t handle,
		     const void *object)
{
	void **slot;

	for (; map; map = next_map(map)) {
		slot = find(map, handle);
		/* While the object is there nobody else writes the slot. */
		if (slot && load(slot) == object) {
			__atomic_store_n(slot, NULL, __ATOMIC_RELEASE);
			return true;
		}
	}
	return false;
}

void *handle_map_get(const struct handle_map *map, uint32_t handle)
{
	void **slot, *object;

	for (; map; map = next_map(map)) {
		slot = find(map, handle);
		object = slot ? load(slot) : NULL;
		if (object)
			return object;
	}
	return NULL;
}

static void free_node(struct handle_node *node)
{
	unsigned int i;

	if (!node)
		return;
	if (node->shift)
		for (i = 0; i < SLOTS; i++)
			free_node(node->slots[i]);
	free(node);
}

void handle_map_fini(struct handle_map *map)
{
	struct handle_map *more = map->more, *next;

	free_node(map->root);
	for (; more; more = next) {
		next = more->more;
		free_node(more->root);
		free(more);
	}
	*map = (struct handle_map){ 0 };
}
