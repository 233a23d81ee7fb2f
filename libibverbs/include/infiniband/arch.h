/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * 64-bit byte order conversion under the names that old programs know.
 */
#ifndef INFINIBAND_ARCH_H
#define INFINIBAND_ARCH_H

#include <endian.h>
#include <stdint.h>

#warning "infiniband/arch.h is obsolete: use htobe64() of endian.h"

#ifndef ntohll

/* Not by htobe64(), which strict C modes hide */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define __ibv_swap_be64(x) __builtin_bswap64(x)
#else
#define __ibv_swap_be64(x) (x)
#endif

static inline uint64_t __attribute__((deprecated)) htonll(uint64_t x)
{
	return __ibv_swap_be64(x);
}

static inline uint64_t __attribute__((deprecated)) ntohll(uint64_t x)
{
	return __ibv_swap_be64(x);
}

#undef __ibv_swap_be64

/* Others look whether the names are taken. */
#define htonll htonll
#define ntohll ntohll

#endif

#endif
