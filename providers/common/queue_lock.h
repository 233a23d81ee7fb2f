/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The lock of one queue: taken for a few dozen instructions, so it spins; and
 * it costs one predictable branch where the program has promised (by a thread
 * domain or a single-threaded CQ) that only one thread uses the queue.
 */
#ifndef PROVIDER_QUEUE_LOCK_H
#define PROVIDER_QUEUE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"

struct queue_lock {
	uint8_t held;
	bool needed;
};

/*
 * Takes the lock once its holder lets it go: spins, and yields when the holder
 * seems to be off its CPU.
 */
void queue_lock_wait(struct queue_lock *lock);

static inline bool queue_trylock(struct queue_lock *lock)
{
	return !__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE);
}

static inline void queue_lock_init(struct queue_lock *lock, bool needed)
{
	lock->held = 0;
	lock->needed = needed;
}

static inline void queue_lock(struct queue_lock *lock)
{
	if (likely(lock->needed) && unlikely(!queue_trylock(lock)))
		queue_lock_wait(lock);
}

static inline void queue_unlock(struct queue_lock *lock)
{
	if (likely(lock->needed))
		__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}

#endif
