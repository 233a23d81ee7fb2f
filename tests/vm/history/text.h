/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Steps as words, for reports and for --replay.  Processes are 0 1 2, files A B
 * C, the alias that was exported into a file is that file's letter with a '.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

#include "model.h"

#define TEXT_STEP 32

void text_of_step(const struct step *step, char text[TEXT_STEP]);

/*
 * Steps that are divided by semicolons; NULL, or what is wrong.  At most room
 * steps.
 */
const char *text_to_steps(const char *text, struct step *steps, int room,
			  int *count);

#endif
