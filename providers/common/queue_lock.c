// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Waiting for the lock of a queue. */
#include <sched.h>

#include "queue_lock.h"

/* Longer than any critical section of the data path takes on its CPU */
#define SPINS_BEFORE_YIELD 200

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
	__asm__ __volatile__("yield" ::: "memory");
#else
	__asm__ __volatile__("" ::: "memory");
#endif
}

void queue_lock_wait(struct queue_lock *lock)
{
	int spins = 0;

	do {
		if (++spins < SPINS_BEFORE_YIELD) {
			cpu_relax();
		} else {
			sched_yield();
			spins = 0;
		}
	} while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED) ||
		 !queue_trylock(lock));
}
