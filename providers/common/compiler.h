/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What the providers want of the compiler. */
#ifndef PROVIDER_COMPILER_H
#define PROVIDER_COMPILER_H

#include <stddef.h>

#define likely(_x) __builtin_expect(!!(_x), 1)
#define unlikely(_x) __builtin_expect(!!(_x), 0)

/* The struct of _type whose _member _ptr points to */
#define provider_container(_ptr, _type, _member) \
	((_type *)((char *)(_ptr)-offsetof(_type, _member)))

#endif
