/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Memory that runs out, in this process or in the kernel for it: each allocation
 * of a call fails in turn, until the call meets none that does.
 */
#ifndef NOMEM_H
#define NOMEM_H

#include <stdbool.h>

enum nomem_side { NOMEM_PROCESS, NOMEM_KERNEL };

/* The n-th allocation of this thread, or by the kernel for it, from now on */
void nomem_at(enum nomem_side side, int n);
/* No more of that.  Did it fail? */
bool nomem_end(enum nomem_side side);
/* Whose allocation that was */
const char *nomem_where(enum nomem_side side);

/* Blocks that are allocated and not freed, of the whole process */
long nomem_blocks(void);
/* Mappings of the device's pages into this process */
int nomem_mappings(void);

#endif
