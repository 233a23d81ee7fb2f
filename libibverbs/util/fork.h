/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Memory that children of fork() must not get: exported for providers, which
 * mark the rings that they allocate themselves.
 */
#ifndef UTIL_FORK_H
#define UTIL_FORK_H

#include <stddef.h>

int ibv_dontfork_range(void *base, size_t size);
int ibv_dofork_range(void *base, size_t size);

#endif
