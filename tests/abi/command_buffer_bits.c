// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The bit-fields of ibv_command_buffer lie where plug-ins write them.  The
 * compiler cannot assert that: it is the one thing that abi_check.c leaves out.
 */
#include <stdio.h>
#include <string.h>

#include "driver.h"

/* Bit 0 to 2 of byte 28 */
#define FLAG_BYTE 28

static int check(const char *name, const struct ibv_command_buffer *buffer,
		 unsigned int bit)
{
	unsigned char want[sizeof(*buffer)] = { 0 };

	want[FLAG_BYTE] = (unsigned char)(1U << bit);
	if (!memcmp(buffer, want, sizeof(want)))
		return 0;
	printf("%s is not bit %u of byte %d\n", name, bit, FLAG_BYTE);
	return 1;
}

#define CHECK(member, bit)                              \
	do {                                            \
		memset(&buffer, 0, sizeof(buffer));     \
		buffer.member = 1;                      \
		failed |= check(#member, &buffer, bit); \
	} while (0)

int main(void)
{
	struct ibv_command_buffer buffer;
	int failed = 0;

	CHECK(buffer_error, 0);
	CHECK(fallback_require_ex, 1);
	CHECK(fallback_ioctl_only, 2);
	return failed;
}
