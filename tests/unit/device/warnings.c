// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The library's warnings, kept instead of printed. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "warnings.h"

static char text[8192];
static char taken[sizeof(text)];
static size_t used;

void __wrap_warn_stderr(const char *fmt, ...);

void __wrap_warn_stderr(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	used += vsnprintf(text + used, sizeof(text) - used - 2, fmt, args);
	va_end(args);
	text[used++] = '\n';
	text[used] = '\0';
}

const char *take_warnings(void)
{
	memcpy(taken, text, sizeof(taken));
	text[0] = '\0';
	used = 0;
	return taken;
}
