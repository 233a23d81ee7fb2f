/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * One ring shared with the kernel: send, receive, shared receive or completion
 * queue.  There are no shared indices: each side counts for itself, and an
 * entry's flags say whose it is.  Who fills an entry sets "valid" last, who
 * empties it clears all flags last.
 *
 * The number of entries is what the kernel told when it made the ring; it is
 * checked then and kept here.
 */
#ifndef SIW_RING_H
#define SIW_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rdma/siw-abi.h>

#include "compiler.h"

struct siw_ring {
	void *entries;
	uint32_t mask; /* number of entries, a power of two, less one */
	uint32_t next; /* entries that we have filled or emptied, modulo 2^32 */
	size_t mapped; /* bytes */
};

/*
 * Map num entries of entry_size bytes, and tail bytes behind them, from the
 * place that the kernel told.  At least needed entries must there be.  0, or an
 * errno value: EPROTO if the kernel's numbers make no ring.
 */
int siw_ring_map(struct siw_ring *ring, int fd, uint64_t key, uint32_t num,
		 uint32_t needed, size_t entry_size, size_t tail);
/* Without a mapping it does nothing. */
void siw_ring_unmap(struct siw_ring *ring);

static inline struct siw_sqe *ring_sqe(const struct siw_ring *ring,
				       uint32_t index)
{
	return (struct siw_sqe *)ring->entries + (index & ring->mask);
}

static inline struct siw_rqe *ring_rqe(const struct siw_ring *ring,
				       uint32_t index)
{
	return (struct siw_rqe *)ring->entries + (index & ring->mask);
}

static inline struct siw_cqe *ring_cqe(const struct siw_ring *ring,
				       uint32_t index)
{
	return (struct siw_cqe *)ring->entries + (index & ring->mask);
}

/* Is a work request's entry ours to fill?  _flags: a pointer to its flags */
#define entry_is_free(_flags) (!__atomic_load_n(_flags, __ATOMIC_ACQUIRE))

/* Give an entry to the other side. */
#define entry_pass(_flags, _value) \
	__atomic_store_n(_flags, _value, __ATOMIC_RELEASE)

#endif
