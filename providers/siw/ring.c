// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Mapping a ring that the kernel made. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "ring.h"

int siw_ring_map(struct siw_ring *ring, int fd, uint64_t key, uint32_t num,
		 uint32_t needed, size_t entry_size, size_t tail)
{
	void *map;
	size_t size;

	if (!num || num & (num - 1) || num < needed)
		return EPROTO;
	if (__builtin_mul_overflow(num, entry_size, &size) ||
	    __builtin_add_overflow(size, tail, &size))
		return EPROTO;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, key);
	if (map == MAP_FAILED)
		return errno;
	*ring = (struct siw_ring){
		.entries = map,
		.mask = num - 1,
		.mapped = size,
	};
	return 0;
}

void siw_ring_unmap(struct siw_ring *ring)
{
	if (ring->mapped)
		munmap(ring->entries, ring->mapped);
	memset(ring, 0, sizeof(*ring));
}
