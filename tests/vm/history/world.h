/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What the kernel has: the counts of `rdma resource show`, by netlink. */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stdint.h>

enum resource { CTX, RES_PD, RES_MR, QP, CQ, SRQ, RESOURCES };
extern const char *const resource_names[RESOURCES];

struct world {
	long count[RESOURCES];
};

/* device: its index, see ibv_get_device_index() */
void world_open(uint32_t device);
struct world world_count(void);
/* The same, but waits up to five seconds for the counts to be as expected. */
struct world world_settle(const struct world *expected);
bool world_same(const struct world *a, const struct world *b);

#endif
