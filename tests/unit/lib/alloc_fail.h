/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Memory that runs out when a test says so.  All allocations of the library
 * and of the test go through here (the linker's --wrap): malloc, calloc,
 * realloc, strdup, strndup, asprintf, vasprintf, free.
 */
#ifndef ALLOC_FAIL_H
#define ALLOC_FAIL_H

#include <stdbool.h>
#include <stddef.h>

/* The n-th allocation from now on (from 1) fails, once.  0: none does. */
void alloc_fail_at(unsigned int n);
/* Has that allocation been asked for? */
bool alloc_has_failed(void);

/* Blocks that are allocated and not freed */
size_t alloc_live(void);
/* Another library frees it, out of sight. */
void alloc_given_away(void *block);

/*
 * Fail each allocation in turn: calls attempt with the first allocation
 * failing, then with the second, and so on until an attempt meets no failing
 * one any more.  The cmocka test fails if
 *  - an attempt leaves more or fewer blocks allocated than it found,
 *  - an attempt with a failed allocation says that it succeeded though
 *    may_survive is false, or one without says that it did not.
 * attempt returns whether the library did what was asked; it then must have
 * undone it again.  On failure it must undo nothing of what failed: what the
 * library has left behind is what is looked for.
 */
void alloc_fail_each(bool (*attempt)(void *arg), void *arg, bool may_survive);

#endif
