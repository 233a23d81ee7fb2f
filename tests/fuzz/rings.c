// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Rings that a kernel driver shares with its provider: see the header. */
#include "rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fuzz.h"

/* A driver gives no more; sizes beyond it are lies. */
#define MAX_SIZE (1u << 16)
#define MAX_RINGS 64

void (*rings_fill)(void *ring, size_t size);

static struct ring {
	void *memory;
	size_t size;
} rings[MAX_RINGS];
static unsigned int count;

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd,
		  off_t offset);
int __wrap_munmap(void *at, size_t size);

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd,
		  off_t offset)
{
	void *memory;

	fuzz_check(!at && prot == (PROT_READ | PROT_WRITE) &&
			   flags == MAP_SHARED && fd >= 0,
		   "a mapping of no ring");
	if (!size || size > MAX_SIZE || offset & 4095 || count == MAX_RINGS) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	if (posix_memalign(&memory, 4096, size)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	memset(memory, 0, size);
	rings_fill(memory, size);
	rings[count++] = (struct ring){ memory, size };
	return memory;
}

int __wrap_munmap(void *at, size_t size)
{
	for (unsigned int i = 0; i < count; i++) {
		if (rings[i].memory != at)
			continue;
		fuzz_check(rings[i].size == size, "half a ring is unmapped");
		free(at);
		rings[i] = rings[--count];
		return 0;
	}
	fuzz_check(false, "what was never mapped is unmapped");
	return -1;
}

void *rings_get(size_t *size)
{
	unsigned int i;

	if (!count)
		return NULL;
	i = fuzz_below(count);
	*size = rings[i].size;
	return rings[i].memory;
}

void rings_end(void)
{
	fuzz_check(!count, "a ring was left mapped");
}
