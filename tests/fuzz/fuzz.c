// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* One input after the other: hand its bytes out, and look what is left of it. */
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *next;
static size_t left;

void fuzz_bytes(void *to, size_t size)
{
	size_t have = size < left ? size : left;

	if (have)
		memcpy(to, next, have);
	if (have < size)
		memset((char *)to + have, 0, size - have);
	if (have)
		next += have;
	left -= have;
}

uint8_t fuzz_u8(void)
{
	uint8_t value;

	fuzz_bytes(&value, sizeof(value));
	return value;
}

uint16_t fuzz_u16(void)
{
	uint16_t value;

	fuzz_bytes(&value, sizeof(value));
	return value;
}

uint32_t fuzz_u32(void)
{
	uint32_t value;

	fuzz_bytes(&value, sizeof(value));
	return value;
}

uint64_t fuzz_u64(void)
{
	uint64_t value;

	fuzz_bytes(&value, sizeof(value));
	return value;
}

uint32_t fuzz_below(uint32_t end)
{
	return (end <= 256 ? fuzz_u8() : fuzz_u32()) % end;
}

uint32_t fuzz_number(void)
{
	static const uint32_t edges[] = {
		0x7fff,	    0x8000,	0xffff,	    0x10000,	0xffffff,
		0x1000000,  0x10000000, 0x40000000, 0x7fffffff, 0x80000000,
		0xfffffffe, 0xffffffff, 4095,	    4096,	65,
	};
	uint8_t byte = fuzz_u8();

	if (byte < 0xe0)
		return byte & 0x3f;
	if (byte < 0xf0)
		return edges[byte % (sizeof(edges) / sizeof(edges[0]))];
	return fuzz_u32();
}

size_t fuzz_left(void)
{
	return left;
}

const uint8_t *fuzz_rest(size_t *size)
{
	const uint8_t *rest = next;

	*size = left;
	left = 0;
	return rest;
}

char *fuzz_rest_string(void)
{
	size_t size;
	const uint8_t *rest = fuzz_rest(&size);
	char *text = malloc(size + 1);

	fuzz_check(text, "no memory");
	if (size)
		memcpy(text, rest, size);
	text[size] = '\0';
	return text;
}

void fuzz_check(bool holds, const char *message)
{
	if (holds)
		return;
	/* Streams may lead to nowhere: see quiet(). */
	dprintf(STDERR_FILENO, "fuzz: %s\n", message);
	abort();
}

/* What programs print is of no interest here; sanitizers use the descriptor. */
static void quiet(void)
{
	stdout = fopen("/dev/null", "w");
	stderr = fopen("/dev/null", "w");
	fuzz_check(stdout && stderr, "cannot open /dev/null");
}

static int lowest_free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool ready;
	int fd;

	if (!ready) {
		quiet();
		fuzz_setup();
		ready = true;
	}
	next = data;
	left = size;
	fd = lowest_free_fd();
	fuzz_run();
	fuzz_check(lowest_free_fd() == fd, "a descriptor was left open");
	return 0;
}
