/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What a target is, and the bytes that it is given: they decide all that the
 * other side of a boundary (kernel, file, peer, user) says.
 *
 * After each input nothing may be left: memory (LeakSanitizer), descriptors
 * (looked at here), objects of the kernel (kernel.h).
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- of the target ---- */

/* Once, before the first input */
void fuzz_setup(void);
/* One input; the bytes come from the functions below. */
void fuzz_run(void);

/* ---- the bytes: zeros when there are no more ---- */

uint8_t fuzz_u8(void);
uint16_t fuzz_u16(void);
uint32_t fuzz_u32(void);
uint64_t fuzz_u64(void);
/* A number below end */
uint32_t fuzz_below(uint32_t end);
/*
 * 32 bits that look like a number somebody would write: mostly small, at times
 * at the edge of something.
 */
uint32_t fuzz_number(void);
void fuzz_bytes(void *to, size_t size);
size_t fuzz_left(void);
/* All that are left; they stay the driver's. */
const uint8_t *fuzz_rest(size_t *size);
/* All that are left as a string in memory of its own, to be freed */
char *fuzz_rest_string(void);

/* ---- what must hold ---- */

/* Ends the process with the message if it does not. */
void fuzz_check(bool holds, const char *message);

#endif
