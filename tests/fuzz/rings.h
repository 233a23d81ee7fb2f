/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Rings that a kernel driver shares with its provider: what the provider maps
 * is memory from malloc(), of just the size that it asked for, so that a byte
 * too far is noticed and a mapping that is forgotten is a leak.
 */
#ifndef FUZZ_RINGS_H
#define FUZZ_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The driver fills a ring that was just mapped. */
extern void (*rings_fill)(void *ring, size_t size);

/* One ring that is mapped, or NULL */
void *rings_get(size_t *size);
/* None may be mapped any more. */
void rings_end(void);

/*
 * A provider's device, context and all that one can do with it, for providers
 * with the verbs that both of ours have.
 */
struct verbs_device_ops;
void provider_run(const struct verbs_device_ops *provider);

#endif
