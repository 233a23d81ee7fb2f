// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Mapping a ring that the kernel made, and checking that it is a sound one. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "queue.h"

/* A slot is a power of two, at least a cache line and far below this. */
#define MAX_SHIFT 24

int rxe_queue_attach(struct rxe_queue *queue, void *map, uint32_t size,
		     size_t elem_size, uint32_t entries,
		     enum rxe_queue_role role)
{
	struct rxe_queue_buf *buf = map;
	uint32_t shift, mask, producer, consumer;
	uint64_t slots;

	if (size < sizeof(*buf))
		return EPROTO;
	shift = __atomic_load_n(&buf->log2_elem_size, __ATOMIC_RELAXED);
	mask = __atomic_load_n(&buf->index_mask, __ATOMIC_RELAXED);
	slots = (uint64_t)mask + 1;
	if (shift > MAX_SHIFT || (1ull << shift) < elem_size)
		return EPROTO;
	if (slots & (slots - 1) || slots <= entries ||
	    slots > (size - sizeof(*buf)) >> shift)
		return EPROTO;

	producer =
		__atomic_load_n(&buf->producer_index, __ATOMIC_ACQUIRE) & mask;
	consumer =
		__atomic_load_n(&buf->consumer_index, __ATOMIC_ACQUIRE) & mask;
	*queue = (struct rxe_queue){
		.buf = buf,
		.mask = mask,
		.shift = shift,
		.mine = role == RXE_PRODUCER ? producer : consumer,
		.theirs = role == RXE_PRODUCER ? consumer : producer,
		.mapped = size,
	};
	return 0;
}

int rxe_queue_map(struct rxe_queue *queue, int fd, const struct mminfo *info,
		  size_t elem_size, uint32_t entries, enum rxe_queue_role role)
{
	void *map;
	int ret;

	if (info->size < sizeof(struct rxe_queue_buf))
		return EPROTO;
	map = mmap(NULL, info->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   info->offset);
	if (map == MAP_FAILED)
		return errno;
	ret = rxe_queue_attach(queue, map, info->size, elem_size, entries,
			       role);
	if (ret)
		munmap(map, info->size);
	return ret;
}

void rxe_queue_unmap(struct rxe_queue *queue)
{
	if (queue->mapped)
		munmap(queue->buf, queue->mapped);
	memset(queue, 0, sizeof(*queue));
}

void rxe_queue_init_void(struct rxe_queue *queue)
{
	/* Only ever read: nobody publishes to a ring with no room, no entry. */
	static struct rxe_queue_buf nothing;

	*queue = (struct rxe_queue){ .buf = &nothing };
}
