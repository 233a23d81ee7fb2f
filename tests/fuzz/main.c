// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Feeds files to a target where there is no libFuzzer: main() of the tests.
 * Arguments are files and directories.  A file NAME.hex has an input in each
 * line, as hexadecimal digits, but for those that begin with '#'; any other
 * file is one input.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of the sanitizers, if the program is built with them */
void __sanitizer_set_death_callback(void (*callback)(void))
	__attribute__((weak));

static unsigned int inputs;
static const char *now_path;
static unsigned int now_line;

static void tell_where(void)
{
	if (now_path)
		dprintf(STDERR_FILENO, "input: %s:%u\n", now_path, now_line);
}

static void on_signal(int number)
{
	tell_where();
	signal(number, SIG_DFL);
	raise(number);
}

static _Noreturn void fail(const char *path, const char *what)
{
	dprintf(STDERR_FILENO, "%s: %s\n", path, what);
	exit(2);
}

/* In memory of its own, so that a byte too far is noticed */
static void run(const char *path, unsigned int line, const uint8_t *data,
		size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (size)
		memcpy(copy, data, size);
	now_path = path;
	now_line = line;
	LLVMFuzzerTestOneInput(copy, size);
	now_path = NULL;
	free(copy);
	inputs++;
}

static void run_hex_line(const char *path, unsigned int number, char *line)
{
	uint8_t *bytes = (uint8_t *)line;
	size_t n = 0;

	if (*line == '#' || *line == '\n')
		return;
	for (char *c = line; !isspace((unsigned char)*c) && *c; c += 2) {
		unsigned int byte;

		if (!isxdigit((unsigned char)c[0]) ||
		    !isxdigit((unsigned char)c[1]) ||
		    sscanf(c, "%2x", &byte) != 1)
			fail(path, "a line that is no bytes");
		bytes[n++] = byte;
	}
	run(path, number, bytes, n);
}

static void run_hex(const char *path, FILE *file)
{
	char *line = NULL;
	size_t room = 0;

	for (unsigned int i = 1; getline(&line, &room, file) > 0; i++)
		run_hex_line(path, i, line);
	free(line);
}

static void run_raw(const char *path, FILE *file, size_t size)
{
	uint8_t *bytes = malloc(size + 1);

	if (!bytes || fread(bytes, 1, size + 1, file) != size)
		fail(path, "cannot be read");
	run(path, 0, bytes, size);
	free(bytes);
}

static void run_file(const char *path, size_t size)
{
	const char *dot = strrchr(path, '.');
	FILE *file = fopen(path, "re");

	if (!file)
		fail(path, strerror(errno));
	if (dot && !strcmp(dot, ".hex"))
		run_hex(path, file);
	else
		run_raw(path, file, size);
	fclose(file);
}

static void run_path(const char *path)
{
	struct dirent **entries;
	struct stat st;
	int count;

	if (stat(path, &st))
		fail(path, strerror(errno));
	if (!S_ISDIR(st.st_mode)) {
		run_file(path, st.st_size);
		return;
	}
	count = scandir(path, &entries, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		char *inside;

		if (entries[i]->d_name[0] != '.' &&
		    asprintf(&inside, "%s/%s", path, entries[i]->d_name) > 0) {
			run_path(inside);
			free(inside);
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

int main(int argc, char *argv[])
{
	signal(SIGABRT, on_signal);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(tell_where);
	for (int i = 1; i < argc; i++)
		run_path(argv[i]);
	if (!inputs)
		fail(argv[0], "no inputs");
	return 0;
}
