// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The handle map against a plain array that is searched from its start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "util/handle_map.h"

#define MODEL_ROOM 4096

struct model {
	struct handle_entry entries[MODEL_ROOM];
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
	assert_int_equal(handle_map_reserve(map), 0);
	handle_map_put(map, handle, object);
}

static void take(struct handle_map *map, uint32_t handle, void *object)
{
	handle_map_take(map, handle, object);
	handle_map_unreserve(map);
}

static void empty_map_has_nothing(void **state)
{
	struct handle_map map;

	(void)state;
	handle_map_init(&map);
	assert_null(handle_map_get(&map, 0));
	handle_map_take(&map, 0, &map);
	assert_int_equal(map.reserved, 0);
	assert_null(map.entries);
	handle_map_fini(&map);
}

static void first_of_a_handle_is_found(void **state)
{
	char pd, parent1, parent2;
	struct handle_map map;
	uint32_t i;

	(void)state;
	handle_map_init(&map);
	put(&map, 15, &pd);
	put(&map, 15, &parent1);
	put(&map, 15, &parent2);
	/* Force several rebuilds while the three wrap around the end. */
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
	struct handle_map map;
	char a, b;

	(void)state;
	handle_map_init(&map);
	put(&map, 1, &a);
	handle_map_take(&map, 1, &b);
	handle_map_take(&map, 2, &a);
	assert_int_equal(map.reserved, 0);
	assert_ptr_equal(handle_map_get(&map, 1), &a);
	handle_map_fini(&map);
}

static void random_operations_match_the_model(void **state)
{
	static struct model model;
	const uint32_t masks[] = { 7, 1023, 0xff000003 };
	unsigned int seed = 1, step, m;
	struct handle_map map;
	uint32_t handle;
	size_t i;

	(void)state;
	/* Few handles: long chains; many: growth; high bits: clashes of homes
	 */
	for (m = 0; m < sizeof(masks) / sizeof(masks[0]); m++) {
		handle_map_init(&map);
		model.used = 0;
		for (step = 0; step < 30000; step++) {
			handle = (rand_r(&seed) * 2654435761u) & masks[m];
			if (model.used < MODEL_ROOM &&
			    rand_r(&seed) % 100 < (step < 15000 ? 55 : 45)) {
				void *object = (void *)(uintptr_t)(step + 1);

				put(&map, handle, object);
				model.entries[model.used].handle = handle;
				model.entries[model.used++].object = object;
			} else if (model.used) {
				struct handle_entry *victim;

				i = rand_r(&seed) % model.used;
				victim = &model.entries[i];
				take(&map, victim->handle, victim->object);
				memmove(victim, victim + 1,
					(--model.used - i) * sizeof(*victim));
			}
			assert_int_equal(map.used, model.used);
			assert_ptr_equal(handle_map_get(&map, handle),
					 model_get(&model, handle));
		}
		while (model.used) {
			struct handle_entry *e = &model.entries[--model.used];

			take(&map, e->handle, e->object);
			assert_ptr_equal(handle_map_get(&map, e->handle),
					 model_get(&model, e->handle));
		}
		assert_int_equal(map.used, 0);
		assert_int_equal(map.reserved, 0);
		handle_map_fini(&map);
	}
}

static void a_reservation_makes_put_safe(void **state)
{
	struct handle_map map;
	uint32_t i;

	(void)state;
	handle_map_init(&map);
	alloc_fail_at(1);
	assert_int_equal(handle_map_reserve(&map), ENOMEM);
	assert_int_equal(map.reserved, 0);
	alloc_fail_at(0);

	for (i = 0; i < 100; i++)
		assert_int_equal(handle_map_reserve(&map), 0);
	/* From here on nothing may be allocated. */
	alloc_fail_at(1);
	for (i = 0; i < 100; i++)
		handle_map_put(&map, i, &map);
	for (i = 0; i < 100; i++)
		handle_map_take(&map, i, &map);
	for (i = 0; i < 100; i++)
		handle_map_put(&map, i + 1000, &map);
	assert_false(alloc_has_failed());
	alloc_fail_at(0);
	assert_int_equal(map.used, 100);
	assert_int_equal(map.reserved, 0);
	handle_map_fini(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_map_has_nothing),
		cmocka_unit_test(first_of_a_handle_is_found),
		cmocka_unit_test(taking_the_wrong_object_changes_nothing),
		cmocka_unit_test(random_operations_match_the_model),
		cmocka_unit_test(a_reservation_makes_put_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
