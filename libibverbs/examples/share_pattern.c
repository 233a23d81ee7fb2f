// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The bytes that ibv_share_pingpong moves: each 8-byte word depends on the
 * worker, the iteration, the step and its offset, so that a stale, misplaced or
 * foreign word does not pass for the expected one.
 */
#include <string.h>

#include "share_pingpong.h"

/* The finalizer of SplitMix64: every input bit changes half of the output. */
static uint64_t mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static uint64_t seed_of(uint32_t worker, uint64_t iter, enum pp_step step)
{
	return mix(mix(iter + 1) ^ ((uint64_t)worker << 8 | step));
}

static uint64_t word_at(uint64_t seed, size_t offset)
{
	return mix(seed + offset);
}

void pp_pattern_fill(void *buf, size_t len, uint32_t worker, uint64_t iter,
		     enum pp_step step)
{
	uint64_t seed = seed_of(worker, iter, step);
	size_t offset, n;

	for (offset = 0; offset < len; offset += n) {
		uint64_t word = word_at(seed, offset);

		n = len - offset < sizeof(word) ? len - offset : sizeof(word);
		memcpy((char *)buf + offset, &word, n);
	}
}

size_t pp_pattern_check(const void *buf, size_t len, uint32_t worker,
			uint64_t iter, enum pp_step step)
{
	uint64_t seed = seed_of(worker, iter, step);
	const char *bytes = buf;
	size_t offset, n;

	for (offset = 0; offset < len; offset += n) {
		uint64_t word = word_at(seed, offset);
		const char *expected = (const char *)&word;
		size_t i;

		n = len - offset < sizeof(word) ? len - offset : sizeof(word);
		if (!memcmp(bytes + offset, &word, n))
			continue;
		for (i = 0; bytes[offset + i] == expected[i]; i++)
			;
		return offset + i;
	}
	return len;
}
