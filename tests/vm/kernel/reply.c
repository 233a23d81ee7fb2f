// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The driver's bytes in the reply to alloc_pd come with an import. */
#include <unistd.h>

#include "command.h"
#include "device.h"

#define KEPT 64

static int a, b;

static void import_of(int file, uint32_t pd, const uint8_t *reply, uint32_t len)
{
	static const uint32_t sizes[] = { 0, 1, 4, 7, 8, 63, 64, 65, 128 };

	for (int i = 0; i < 9; i++) {
		uint32_t new, told = sizes[i];
		uint8_t got[128];
		uint32_t n;

		memset(got, 0xee, sizeof(got));
		IS(import_pd_driver(b, file, pd, &new, got, &told), 0);
		CHECK(told == len, "%u bytes, not %u, into %u", told, len,
		      sizes[i]);
		n = len < sizes[i] ? len : sizes[i];
		CHECK(!memcmp(got, reply, n), "%u of %u differ", n, len);
		/* The rest of the buffer is zero, if anything was written */
		for (uint32_t k = n; k < sizes[i]; k++)
			CHECK(got[k] == (len ? 0 : 0xee), "byte %u: %02x", k,
			      got[k]);
		for (uint32_t k = sizes[i]; k < sizeof(got); k++)
			CHECK(got[k] == 0xee, "byte %u: %02x", k, got[k]);
		IS(dealloc_pd(b, new), 0);
	}
}

int main(void)
{
	static const uint32_t lengths[] = { 0, 1, 4, 8, 63, 64, 65, 128 };

	a = open_context();
	b = open_context();
	for (int i = 0; i < 8; i++) {
		uint32_t len = lengths[i], kept = len > KEPT ? 0 : len;
		uint32_t pd, alias;
		uint8_t reply[128] = {};

		IS(alloc_pd_driver(a, &pd, reply, len), 0);
		CHECK(!len || reply[0], "the driver gave nothing");
		import_of(a, pd, reply, kept);
		/* What the maker does with its memory later does not matter */
		IS(import_pd(b, a, pd, &alias), 0);
		import_of(b, alias, reply, kept);
		/* Nor that it is gone */
		IS(dealloc_pd(a, pd), 0);
		import_of(b, alias, reply, kept);
		IS(dealloc_pd(b, alias), 0);
	}
	close(a);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
