// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: environment variables: the names of plug-ins, switches, the log.
 * The input is lines NAME=VALUE.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/driver_list.h"
#include "device/environment.h"
#include "driver.h"
#include "fuzz.h"

void *__wrap_dlopen(const char *path, int flags);
char *__wrap_dlerror(void);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_fopen(const char *path, const char *mode);

static bool running;
static FILE *log_file;

/* None of these names is loaded. */
void *__wrap_dlopen(const char *path, int flags)
{
	const char *end = strstr(path, "-rdmav34.so");

	fuzz_check(flags == RTLD_NOW, "flags of dlopen()");
	while (end && strstr(end + 1, "-rdmav34.so"))
		end = strstr(end + 1, "-rdmav34.so");
	fuzz_check(end && !end[strlen("-rdmav34.so")],
		   "what is loaded is no plug-in");
	return NULL;
}

char *__wrap_dlerror(void)
{
	return (char *)"no such file";
}

/* The log goes nowhere; the library never closes it. */
FILE *__wrap_fopen(const char *path, const char *mode)
{
	/* libFuzzer writes what it has found. */
	if (!running || strcmp(mode, "ae"))
		return __real_fopen(path, mode);
	fuzz_check(strlen(path) < 4096, "a long name");
	log_file = tmpfile();
	return log_file;
}

static const char *const names[] = {
	"RDMAV_DRIVERS",
	"IBV_DRIVERS",
	"VERBS_LOG_LEVEL",
	"VERBS_LOG_FILE",
	"RDMAV_ALLOW_DISASSOC_DESTROY",
	"MLX4_DEVICE_FATAL_CLEANUP",
	"RDMAV_HUGEPAGES_SAFE",
	"IBV_SHARE_NO_DEVX",
};

#define NAMES (sizeof(names) / sizeof(names[0]))

static void set_all(char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		char *value = strchr(line, '=');

		if (!value)
			continue;
		*value++ = '\0';
		for (size_t i = 0; i < NAMES; i++)
			if (!strcmp(line, names[i]))
				setenv(names[i], value, 1);
	}
}

void fuzz_setup(void)
{
}

void fuzz_run(void)
{
	char *text = fuzz_rest_string();

	set_all(text);
	free(text);
	running = true;
	read_environment();
	load_plugins();
	running = false;
	if (log_file) {
		/* The library's log must not be used after this. */
		fclose(log_file);
		log_file = NULL;
	}
	for (size_t i = 0; i < NAMES; i++)
		unsetenv(names[i]);
}
