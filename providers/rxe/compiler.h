/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Hints to the compiler that the data path uses. */
#ifndef RXE_COMPILER_H
#define RXE_COMPILER_H

#define likely(_x) __builtin_expect(!!(_x), 1)
#define unlikely(_x) __builtin_expect(!!(_x), 0)

#endif
