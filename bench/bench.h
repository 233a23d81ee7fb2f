/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What every benchmark program needs: a clock, and an end when a call fails. */
#ifndef BENCH_H
#define BENCH_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NEED(_cond)                                                            \
	do {                                                                   \
		if (!(_cond)) {                                                \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, \
				#_cond, strerror(errno));                      \
			exit(1);                                               \
		}                                                              \
	} while (0)

/* Nanoseconds */
static inline uint64_t bench_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#endif
