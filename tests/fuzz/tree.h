/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Files of the input's making, in place of the machine's: while a tree is
 * planted, every absolute path that the library opens leads below a directory
 * of ours.
 */
#ifndef FUZZ_TREE_H
#define FUZZ_TREE_H

#include <stddef.h>

/* Once: the directory, which is removed when the process ends */
void tree_setup(void);

/*
 * Plants all that is left of the input: "\n== NAME\n" (or, at its start,
 * "== NAME\n") begins a file of that name, whose content is what follows.
 * A name that ends in '/' is a directory; one with " -> PATH" is a link.
 */
void tree_plant(void);
void tree_fell(void);

#endif
