/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the programs of this folder know of the device beside its verbs.
 */
#ifndef M5_TEST_H
#define M5_TEST_H

#include "share_test.h"

/* A module parameter: a knob or a counter, see device/params.c. */
int m5_parameter(const char *name);
void m5_set_parameter(const char *name, int value);

/*
 * A number from the device's own list of pds, mrs or qps: in the line where
 * `key` is followed by `value`, what follows `wanted`.  -1: no such line.
 */
long m5_listed(const char *list, const char *key, uint32_t value,
	       const char *wanted);
/* How many lines a list has */
int m5_lines(const char *list);

/* How many handles of that type a context's file has, by the kernel's word */
int m5_handles(struct ibv_context *context, int type);

/* The number that libmlx5 keeps for a PD */
uint32_t m5_pdn(struct ibv_pd *pd);

#endif
