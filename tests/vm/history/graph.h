/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The states that can be reached from some first ones in so many steps, up to
 * names, and the steps that lead on from them; and histories, each from the
 * empty state, that together take every one of those steps.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "model.h"

struct graph;

struct graph *graph_make(void);
/*
 * Adds the states that can be reached in depth steps from where these steps
 * lead, and the steps from all that can be reached in fewer.
 */
void graph_add(struct graph *g, const struct step *steps, int count, int depth);
unsigned long graph_states(const struct graph *g);
unsigned long graph_steps(const struct graph *g);
/* Steps that no history has taken yet */
unsigned long graph_left(const struct graph *g);

/*
 * The next history: the shortest way to a state with a step that was not taken
 * yet, then on from one such step to the next.  Its length; 0: all are taken.
 */
int graph_next(struct graph *g, struct step *steps, int room);

#endif
