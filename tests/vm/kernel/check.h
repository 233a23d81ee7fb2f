/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Counted checks: only failures are printed, and one line at the end. */
#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int checks, failures;

#define CHECK(_cond, ...)                                                   \
	do {                                                                \
		__atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);           \
		if (!(_cond)) {                                             \
			__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED); \
			printf("%s:%d: %s: ", __FILE__, __LINE__, #_cond);  \
			printf(__VA_ARGS__);                                \
			printf("\n");                                       \
		}                                                           \
	} while (0)

/* An expression of type int, 0 or an errno value */
#define IS(_expr, _want)                                        \
	do {                                                    \
		int _got = (_expr);                             \
		CHECK(_got == (_want), "%d (%s), not %d", _got, \
		      strerror(_got), (int)(_want));            \
	} while (0)

/* What the rest of the test stands on */
#define NEED(_cond)                                                           \
	do {                                                                  \
		if (!(_cond)) {                                               \
			printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #_cond, \
			       strerror(errno));                              \
			exit(1);                                              \
		}                                                             \
	} while (0)

static inline int end_checks(void)
{
	printf("%u checks, %u failures\n", checks, failures);
	return failures || !checks;
}

#endif
