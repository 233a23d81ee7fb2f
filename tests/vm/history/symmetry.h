/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Which states, and which steps in them, are the same but for the names of
 * processes, files and MRs: they have the same key.
 */
#ifndef SYMMETRY_H
#define SYMMETRY_H

#include <stdint.h>

#include "model.h"

struct key {
	uint64_t files, step;
};

/* One state under every renaming of processes (6) and MRs (2) */
#define VARIANTS 12
struct renamed {
	uint32_t files[VARIANTS][FILES];
	uint32_t shared[VARIANTS];
};

struct renamed rename_state(const struct state *s);
struct key key_of_state(const struct renamed *r);
struct key key_of_step(const struct renamed *r, const struct step *step);

#endif
