// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The fake device's log, and which of its calls must fail. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

#define MAX_VERBS 128

static struct {
	const char *verb;
	unsigned long count;
} calls[MAX_VERBS];

static FILE *log_file;

const char *fake_env(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value ? value : otherwise;
}

void *fake_alloc(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		abort();
	return memory;
}

static unsigned long count_call(const char *verb)
{
	size_t i;

	for (i = 0; i < MAX_VERBS; i++) {
		if (!calls[i].verb)
			calls[i].verb = verb;
		if (!strcmp(calls[i].verb, verb))
			return ++calls[i].count;
	}
	abort();
}

/* The errno for the nth call of verb in a list "verb[@n][=errno],..." */
static int scripted_errno(const char *script, const char *verb, unsigned long n)
{
	size_t len = strlen(verb);
	const char *pos = script;
	char *end;

	while (*pos) {
		if (!strncmp(pos, verb, len) && strchr("@=,", pos[len])) {
			unsigned long nth = 1;
			int err = EIO;

			end = (char *)pos + len;
			if (*end == '@')
				nth = strtoul(end + 1, &end, 0);
			if (*end == '=')
				err = strtol(end + 1, &end, 0);
			if (nth == n)
				return err;
		}
		pos += strcspn(pos, ",");
		pos += *pos == ',';
	}
	return 0;
}

int fake_call(const char *verb, const char *fmt, ...)
{
	int err = scripted_errno(fake_env("FAKE_FAIL", ""), verb,
				 count_call(verb));
	const char *path = getenv("FAKE_LOG");
	va_list args;

	if (path && !log_file) {
		log_file = fopen(path, "we");
		if (!log_file)
			abort();
		setlinebuf(log_file);
	}
	if (log_file) {
		fprintf(log_file, "%s", verb);
		va_start(args, fmt);
		vfprintf(log_file, fmt, args);
		va_end(args);
		if (err)
			fprintf(log_file, ": fails with %d", err);
		fputc('\n', log_file);
	}
	return err;
}
