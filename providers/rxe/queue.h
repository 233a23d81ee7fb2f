/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * One ring shared with the kernel: send, receive, shared receive or completion
 * queue.  Its indices are always masked; equal indices mean empty, so one slot
 * is never used.  Either side writes only its own index, with a release store
 * that the other side's acquire load pairs with.
 *
 * Geometry is read from the shared header once, checked against the mapping,
 * and kept here: what the kernel writes there later cannot lead us astray.
 * The kernel's index is cached too, because looking at it moves a cache line
 * between CPUs; it is read again only when the cached one says "stop".
 */
#ifndef RXE_QUEUE_H
#define RXE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rdma/rdma_user_rxe.h>

#include "compiler.h"

enum rxe_queue_role {
	RXE_PRODUCER, /* we fill slots: work queues */
	RXE_CONSUMER, /* we empty slots: completion queues */
};

struct rxe_queue {
	struct rxe_queue_buf *buf;
	uint32_t mask;
	uint32_t shift;	 /* log2 of a slot's size in bytes */
	uint32_t mine;	 /* our index, as last published */
	uint32_t theirs; /* the kernel's index, as last looked at */
	uint32_t mapped; /* bytes */
};

/*
 * Describe a mapped ring.  Slots must hold elem_size bytes each, and there
 * must be room for entries of them at once.  0, or EPROTO if the header does
 * not fit the mapping or the need; then *queue is as it was.
 */
int rxe_queue_attach(struct rxe_queue *queue, void *map, uint32_t size,
		     size_t elem_size, uint32_t entries,
		     enum rxe_queue_role role);
/* Map what the kernel described and attach to it: 0 or an errno value. */
int rxe_queue_map(struct rxe_queue *queue, int fd, const struct mminfo *info,
		  size_t elem_size, uint32_t entries, enum rxe_queue_role role);
/* Without a mapping it does nothing. */
void rxe_queue_unmap(struct rxe_queue *queue);
/*
 * A ring that is both empty and full, with nothing behind it: for a queue
 * whose memory was lost.
 */
void rxe_queue_init_void(struct rxe_queue *queue);

static inline void *queue_slot(const struct rxe_queue *queue, uint32_t index)
{
	return queue->buf->data + ((size_t)index << queue->shift);
}

static inline uint32_t queue_next(const struct rxe_queue *queue, uint32_t index)
{
	return (index + 1) & queue->mask;
}

static inline uint32_t queue_previous(const struct rxe_queue *queue,
				      uint32_t index)
{
	return (index - 1) & queue->mask;
}

/* May the slot before next be filled?  It runs ahead of what is published. */
static inline bool queue_has_room(struct rxe_queue *queue, uint32_t next)
{
	if (likely(next != queue->theirs))
		return true;
	queue->theirs =
		__atomic_load_n(&queue->buf->consumer_index, __ATOMIC_ACQUIRE) &
		queue->mask;
	return next != queue->theirs;
}

/* Is there an entry in the slot at index? */
static inline bool queue_has_entry(struct rxe_queue *queue, uint32_t index)
{
	if (likely(index != queue->theirs))
		return true;
	queue->theirs =
		__atomic_load_n(&queue->buf->producer_index, __ATOMIC_ACQUIRE) &
		queue->mask;
	return index != queue->theirs;
}

/* Hand all slots before index to the kernel. */
static inline void queue_publish_filled(struct rxe_queue *queue, uint32_t index)
{
	queue->mine = index;
	__atomic_store_n(&queue->buf->producer_index, index, __ATOMIC_RELEASE);
}

/* Give all slots before index back to the kernel. */
static inline void queue_publish_emptied(struct rxe_queue *queue,
					 uint32_t index)
{
	queue->mine = index;
	__atomic_store_n(&queue->buf->consumer_index, index, __ATOMIC_RELEASE);
}

#endif
