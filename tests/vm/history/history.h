/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* One history: its steps for real, and the model's word on each. */
#ifndef HISTORY_H
#define HISTORY_H

#include <stdbool.h>

#include "model.h"

/* What was done since the start of the program */
struct history_totals {
	unsigned long histories, steps, failed;
};
extern struct history_totals totals;

/* The counts of now are those of no history. */
void history_begin(void);

/*
 * From nothing, and back to nothing.  On the first difference: false, and a
 * line with the steps so far and what is wrong.
 */
bool history_run(const struct step *steps, int count);

#endif
