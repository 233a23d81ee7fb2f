// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Boundary: the kernel's list of shared objects, as ibv_shares shows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "ibv_shares.h"

/* What is shown must be fit for a terminal, or for a JSON parser. */
static void check(const char *text, size_t size, bool json)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char c = text[i];

		fuzz_check(c == '\n' || (c >= ' ' && c != 0x7f),
			   "a control character");
		fuzz_check(json || c < 0x7f, "a byte that is no ASCII");
	}
}

static void show(const struct shares *shares, bool json)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	fuzz_check(out, "no memory");
	if (json)
		shares_print_json(out, shares);
	else
		shares_print_table(out, shares);
	fclose(out);
	check(text, size, json);
	free(text);
}

void fuzz_setup(void)
{
}

void fuzz_run(void)
{
	struct shares shares;
	size_t size;
	const uint8_t *bytes = fuzz_rest(&size);
	FILE *from = fmemopen((void *)bytes, size, "r");

	if (!from)
		return;
	if (shares_read(&shares, from, NULL)) {
		show(&shares, false);
		show(&shares, true);
		free(shares.list);
	}
	fclose(from);
}
