/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Counted checks.  A failed one says where and what; a passed one says
 * nothing.  They never end the test: what follows shows more.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>

extern unsigned long checks, failures;
/* What a failure is told with: the test and the mode it runs in */
extern const char *test_name, *mode_name;

void check(bool good, const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#define CHECK(_cond) check(_cond, __FILE__, __LINE__, "%s", #_cond)
/* Two numbers, told in decimal when they differ */
#define EQUAL(_got, _want)                                              \
	do {                                                            \
		long long got_ = (long long)(_got);                     \
		long long want_ = (long long)(_want);                   \
		check(got_ == want_, __FILE__, __LINE__,                \
		      "%s is %lld, not %s (%lld)", #_got, got_, #_want, \
		      want_);                                           \
	} while (0)
/* A call that a provider may not have: told, and counted in a control run */
#define LACKS(_what) lacks(_what)
void lacks(const char *what);

#endif
