/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Rings in plain memory, laid out as the kernel does. */
#ifndef RING_H
#define RING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "queue.h"

struct ring {
	struct rxe_queue_buf *buf;
	size_t size;
};

static inline size_t ring_size(uint32_t shift, uint32_t slots)
{
	return sizeof(struct rxe_queue_buf) + ((size_t)slots << shift);
}

static inline void ring_format(struct rxe_queue_buf *buf, uint32_t shift,
			       uint32_t slots)
{
	buf->log2_elem_size = shift;
	buf->index_mask = slots - 1;
}

/* All but the header is filled with rubbish: nothing may count on zeros. */
static inline struct ring ring_make(uint32_t shift, uint32_t slots)
{
	struct ring ring = { .size = ring_size(shift, slots) };

	ring.buf = aligned_alloc(64, (ring.size + 63) & ~(size_t)63);
	memset(ring.buf, 0, sizeof(*ring.buf));
	memset(ring.buf->data, 0xa5, ring.size - sizeof(*ring.buf));
	ring_format(ring.buf, shift, slots);
	return ring;
}

#endif
