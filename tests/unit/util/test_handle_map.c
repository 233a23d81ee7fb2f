// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The handle map against a plain array that is searched from its start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "model/map_count.h"
#include "util/handle_map.h"

#define MODEL_ROOM 4096

struct entry {
	uint32_t handle;
	void *object;
};

struct model {
	struct entry entries[MODEL_ROOM];
	size_t used;
};

static void *model_get(const struct model *model, uint32_t handle)
{
	size_t i;

	for (i = 0; i < model->used; i++)
		if (model->entries[i].handle == handle)
			return model->entries[i].object;
	return NULL;
}

static void put(struct handle_map *map, uint32_t handle, void *object)
{
	assert_int_equal(handle_map_put(map, handle, object), 0);
}

static void take(struct handle_map *map, uint32_t handle, void *object)
{
	assert_true(handle_map_take(map, handle, object));
}

static void empty_map_has_nothing(void **state)
{
	struct handle_map map = { 0 };

	(void)state;
	assert_null(handle_map_get(&map, 0));
	assert_null(handle_map_get(&map, UINT32_MAX));
	assert_false(handle_map_take(&map, 0, &map));
	assert_null(map.root);
	handle_map_fini(&map);
}

static void all_of_a_handle_are_found(void **state)
{
	struct handle_map map = { 0 };
	char pd, parent1, parent2;
	uint32_t i;

	(void)state;
	put(&map, 15, &pd);
	put(&map, 15, &parent1);
	put(&map, 15, &parent2);
	/* The tree grows above them. */
	for (i = 100; i < 1000; i++)
		put(&map, i, &map);
	assert_ptr_equal(handle_map_get(&map, 15), &pd);
	take(&map, 15, &pd);
	assert_ptr_equal(handle_map_get(&map, 15), &parent1);
	take(&map, 15, &parent1);
	assert_ptr_equal(handle_map_get(&map, 15), &parent2);
	take(&map, 15, &parent2);
	assert_null(handle_map_get(&map, 15));
	handle_map_fini(&map);
}

static void taking_the_wrong_object_changes_nothing(void **state)
{
	struct handle_map map = { 0 };
	char a, b;

	(void)state;
	put(&map, 1, &a);
	assert_false(handle_map_take(&map, 1, &b));
	assert_false(handle_map_take(&map, 2, &a));
	assert_false(handle_map_take(&map, 17, &a));
	assert_ptr_equal(handle_map_get(&map, 1), &a);
	assert_null(handle_map_get(&map, 17));
	handle_map_fini(&map);
}

static bool in_model(const struct model *model, uint32_t handle,
		     const void *object)
{
	size_t i;

	for (i = 0; i < model->used; i++)
		if (model->entries[i].handle == handle &&
		    model->entries[i].object == object)
			return true;
	return false;
}

/* Any of the handle's objects will do; none only if there is none. */
static void check_get(struct handle_map *map, const struct model *model,
		      uint32_t handle)
{
	void *got = handle_map_get(map, handle);

	if (got)
		assert_true(in_model(model, handle, got));
	else
		assert_null(model_get(model, handle));
}

static void random_operations_match_the_model(void **state)
{
	static struct model model;
	const uint32_t masks[] = { 7, 1023, 0xff000003, UINT32_MAX };
	unsigned int seed = 1, step, m;
	uint32_t handle;
	size_t i;

	(void)state;
	/* Many of a handle; many handles; far from each other */
	for (m = 0; m < sizeof(masks) / sizeof(masks[0]); m++) {
		struct handle_map map = { 0 };

		model.used = 0;
		for (step = 0; step < 10000; step++) {
			handle = (rand_r(&seed) * 2654435761u) & masks[m];
			if (model.used < MODEL_ROOM &&
			    rand_r(&seed) % 100 < (step < 5000 ? 55 : 45)) {
				void *object = (void *)(uintptr_t)(step + 1);

				put(&map, handle, object);
				model.entries[model.used].handle = handle;
				model.entries[model.used++].object = object;
			} else if (model.used) {
				struct entry *victim;

				i = rand_r(&seed) % model.used;
				victim = &model.entries[i];
				take(&map, victim->handle, victim->object);
				memmove(victim, victim + 1,
					(--model.used - i) * sizeof(*victim));
			}
			check_get(&map, &model, handle);
		}
		while (model.used) {
			struct entry *e = &model.entries[--model.used];

			take(&map, e->handle, e->object);
			check_get(&map, &model, e->handle);
		}
		handle_map_fini(&map);
	}
}

/* Whatever the kernel says: some small blocks, not an array up to there */
static void absurd_handles_cost_little(void **state)
{
	static const uint32_t handles[] = { 0x10000000, UINT32_MAX, 0,
					    0x80000000, 0xfffffff };
	size_t blocks = alloc_live(), i, k;

	(void)state;
	for (i = 0; i < 5; i++) {
		struct handle_map map = { 0 };

		put(&map, handles[i], &map);
		assert_true(alloc_live() - blocks <= 8);
		for (k = 0; k < 5; k++)
			if (k != i)
				assert_null(handle_map_get(&map, handles[k]));
		for (k = 0; k < 5; k++)
			if (k != i)
				put(&map, handles[k], &map);
		assert_true(alloc_live() - blocks <= 5 * 8);
		for (k = 0; k < 5; k++)
			assert_ptr_equal(handle_map_get(&map, handles[k]),
					 &map);
		handle_map_fini(&map);
		assert_int_equal(alloc_live(), blocks);
	}
}

static void no_memory(void **state)
{
	struct handle_map map = { 0 };
	size_t blocks = alloc_live();
	unsigned int n;
	char a, b;

	(void)state;
	/* Four levels and a second map with its five: each fails in turn. */
	for (n = 1;; n++) {
		bool first, second;

		put(&map, 3, &a);
		alloc_fail_at(n);
		first = !handle_map_put(&map, 0x12345, &a);
		second = !handle_map_put(&map, 0x12345, &b);
		alloc_fail_at(0);
		assert_ptr_equal(handle_map_get(&map, 3), &a);
		if (first)
			assert_ptr_equal(handle_map_get(&map, 0x12345), &a);
		else if (!second)
			assert_null(handle_map_get(&map, 0x12345));
		handle_map_fini(&map);
		assert_int_equal(alloc_live(), blocks);
		if (first && second)
			break;
	}
	assert_true(n > 10);
}

/* As a failed dealloc needs it */
static void a_place_that_was_there_needs_no_memory(void **state)
{
	struct handle_map map = { 0 };
	uint32_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		put(&map, i * 1000, &map);
	alloc_fail_at(1);
	for (i = 0; i < 100; i++) {
		take(&map, i * 1000, &map);
		put(&map, i * 1000, &map);
	}
	assert_false(alloc_has_failed());
	alloc_fail_at(0);
	handle_map_fini(&map);
}

/* ---- all at once ---- */

enum { THREADS = 4, HANDLES = 600, ROUNDS = 20 };

static struct handle_map shared;

/* Handles of its own, as the kernel gives them out, between the others' */
static void *put_and_take(void *arg)
{
	uint32_t own = (uintptr_t)arg, i, round;

	for (round = 0; round < ROUNDS; round++) {
		for (i = own; i < HANDLES; i += THREADS)
			if (handle_map_put(&shared, i * 37, arg))
				return "no memory";
		for (i = own; i < HANDLES; i += THREADS)
			if (handle_map_get(&shared, i * 37) != arg)
				return "not found";
		for (i = own; i < HANDLES; i += THREADS)
			if (!handle_map_take(&shared, i * 37, arg))
				return "not taken";
		/* And one that all share */
		if (handle_map_put(&shared, 5, arg))
			return "no memory for the shared one";
		if (!handle_map_get(&shared, 5))
			return "the shared one not found";
		if (!handle_map_take(&shared, 5, arg))
			return "the shared one not taken";
	}
	return NULL;
}

static void threads(void **state)
{
	pthread_t thread[THREADS];
	void *wrong;
	size_t i;

	(void)state;
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, put_and_take,
						(void *)(i + 1)),
				 0);
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &wrong);
		if (wrong)
			fail_msg("%s", (char *)wrong);
	}
	assert_int_equal(map_count(&shared), 0);
	handle_map_fini(&shared);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_map_has_nothing),
		cmocka_unit_test(all_of_a_handle_are_found),
		cmocka_unit_test(taking_the_wrong_object_changes_nothing),
		cmocka_unit_test(random_operations_match_the_model),
		cmocka_unit_test(absurd_handles_cost_little),
		cmocka_unit_test(no_memory),
		cmocka_unit_test(a_place_that_was_there_needs_no_memory),
		cmocka_unit_test(threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
