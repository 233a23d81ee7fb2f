// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Rings: arithmetic at every position, and headers that must not be trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>

#include "ring.h"

/* One ring seen from both ends, with the indices starting anywhere */
static void fill_and_empty(uint32_t slots, uint32_t start)
{
	struct ring ring = ring_make(6, slots);
	struct rxe_queue producer, consumer;
	uint32_t index, n, round;

	ring.buf->producer_index = start;
	ring.buf->consumer_index = start;
	assert_int_equal(rxe_queue_attach(&producer, ring.buf, ring.size, 64,
					  slots - 1, RXE_PRODUCER),
			 0);
	assert_int_equal(rxe_queue_attach(&consumer, ring.buf, ring.size, 64,
					  slots - 1, RXE_CONSUMER),
			 0);
	assert_int_equal(producer.mine, start);
	assert_int_equal(consumer.mine, start);

	for (round = 0; round < 3; round++) {
		assert_false(queue_has_entry(&consumer, consumer.mine));
		index = producer.mine;
		for (n = 0;
		     queue_has_room(&producer, queue_next(&producer, index));
		     n++) {
			uint64_t *slot = queue_slot(&producer, index);

			assert_in_range((uint8_t *)slot - ring.buf->data, 0,
					(slots - 1) << 6);
			*slot = round * 1000 + n;
			index = queue_next(&producer, index);
		}
		assert_int_equal(n, slots - 1);
		/* Nothing is seen before it is shown. */
		assert_false(queue_has_entry(&consumer, consumer.mine));
		queue_publish_filled(&producer, index);
		assert_int_equal(ring.buf->producer_index, index);

		index = consumer.mine;
		for (n = 0; queue_has_entry(&consumer, index); n++) {
			assert_int_equal(*(uint64_t *)queue_slot(&consumer,
								 index),
					 round * 1000 + n);
			index = queue_next(&consumer, index);
		}
		assert_int_equal(n, slots - 1);
		/* Nor is room seen before it is given back. */
		assert_int_equal(queue_has_room(&producer,
						queue_next(&producer,
							   producer.mine)),
				 false);
		queue_publish_emptied(&consumer, index);
		assert_int_equal(ring.buf->consumer_index, index);
	}
	free(ring.buf);
}

static void every_position(void **state)
{
	uint32_t slots, start;

	(void)state;
	for (slots = 2; slots <= 16; slots *= 2)
		for (start = 0; start < slots; start++)
			fill_and_empty(slots, start);
}

/* A queue for no requests at all has one slot, which is never used. */
static void no_capacity(void **state)
{
	struct ring ring = ring_make(6, 1);
	struct rxe_queue queue;

	(void)state;
	assert_int_equal(rxe_queue_attach(&queue, ring.buf, ring.size, 64, 0,
					  RXE_PRODUCER),
			 0);
	assert_false(queue_has_room(&queue, queue_next(&queue, queue.mine)));
	assert_int_equal(rxe_queue_attach(&queue, ring.buf, ring.size, 64, 0,
					  RXE_CONSUMER),
			 0);
	assert_false(queue_has_entry(&queue, queue.mine));
	free(ring.buf);

	rxe_queue_init_void(&queue);
	assert_false(queue_has_room(&queue, queue_next(&queue, queue.mine)));
	assert_false(queue_has_entry(&queue, queue.mine));
	rxe_queue_unmap(&queue);
}

/* The kernel's index is masked; its own geometry is not looked at again. */
static void wild_index(void **state)
{
	struct ring ring = ring_make(6, 8);
	struct rxe_queue queue;
	uint32_t index;
	int n = 0;

	(void)state;
	ring.buf->consumer_index = 0xffffffff;
	ring.buf->producer_index = 0xdeadbeef;
	assert_int_equal(rxe_queue_attach(&queue, ring.buf, ring.size, 64, 7,
					  RXE_PRODUCER),
			 0);
	assert_in_range(queue.mine, 0, 7);
	assert_in_range(queue.theirs, 0, 7);
	ring.buf->index_mask = 0xffffffff;
	ring.buf->log2_elem_size = 31;
	ring.buf->consumer_index = 0x80000003;
	for (index = queue.mine;
	     queue_has_room(&queue, queue_next(&queue, index));
	     index = queue_next(&queue, index)) {
		assert_in_range((uint8_t *)queue_slot(&queue, index) -
					ring.buf->data,
				0, 7 << 6);
		assert_true(++n < 16);
	}

	ring.buf->index_mask = 7;
	ring.buf->log2_elem_size = 6;
	assert_int_equal(rxe_queue_attach(&queue, ring.buf, ring.size, 64, 7,
					  RXE_CONSUMER),
			 0);
	ring.buf->producer_index = 0xfffffff5;
	for (index = queue.mine, n = 0; queue_has_entry(&queue, index);
	     index = queue_next(&queue, index))
		assert_true(++n < 16);
	free(ring.buf);
}

static void unsound_headers(void **state)
{
	static const struct {
		uint32_t shift, mask;
		size_t elem_size, size;
		uint32_t entries;
	} bad[] = {
		{ 6, 7, 64, 0, 7 }, /* no mapping to speak of */
		{ 6, 7, 64, sizeof(struct rxe_queue_buf) - 1, 7 },
		{ 6, 7, 64, sizeof(struct rxe_queue_buf), 7 },
		{ 6, 7, 64, sizeof(struct rxe_queue_buf) + 8 * 64 - 1, 7 },
		{ 6, 15, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 7 },
		{ 6, 6, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 6 },
		{ 6, 8, 64, sizeof(struct rxe_queue_buf) + 9 * 64, 8 },
		{ 6, 0xffffffff, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 7 },
		{ 6, 0x7fffffff, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 7 },
		/* slots too small for what goes in */
		{ 6, 7, 65, sizeof(struct rxe_queue_buf) + 8 * 64, 7 },
		{ 0, 7, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 7 },
		/* absurd slots */
		{ 31, 7, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 7 },
		{ 32, 7, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 7 },
		{ 64, 0, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 0 },
		{ 0xffffffff, 7, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 7 },
		/* fewer slots than were asked for */
		{ 6, 7, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 8 },
		{ 6, 0, 64, sizeof(struct rxe_queue_buf) + 64, 1 },
		{ 6, 7, 64, sizeof(struct rxe_queue_buf) + 8 * 64, 0xffffffff },
	};
	struct rxe_queue queue, before;
	struct ring ring = ring_make(6, 16);
	size_t i;

	(void)state;
	memset(&before, 0x5a, sizeof(before));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ring.buf->log2_elem_size = bad[i].shift;
		ring.buf->index_mask = bad[i].mask;
		queue = before;
		if (rxe_queue_attach(&queue, ring.buf, bad[i].size,
				     bad[i].elem_size, bad[i].entries,
				     RXE_PRODUCER) != EPROTO)
			fail_msg("header %zu was taken", i);
		assert_memory_equal(&queue, &before, sizeof(queue));
	}
	/* The same ring with nothing wrong */
	ring.buf->log2_elem_size = 6;
	ring.buf->index_mask = 7;
	assert_int_equal(rxe_queue_attach(&queue, ring.buf,
					  sizeof(struct rxe_queue_buf) + 8 * 64,
					  64, 7, RXE_PRODUCER),
			 0);
	free(ring.buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_position),
		cmocka_unit_test(no_capacity),
		cmocka_unit_test(wild_index),
		cmocka_unit_test(unsound_headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
