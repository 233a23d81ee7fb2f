// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Files of the input's making: see the header. */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

#define MARK "\n== "
#define MAX_FILES 40

static char root[64];
static bool planted;

/* ---- the library's calls ---- */

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);
int __real_stat(const char *path, struct stat *st);
int __wrap_stat(const char *path, struct stat *st);
int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
int __real_scandir(const char *path, struct dirent ***list,
		   int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **,
				  const struct dirent **));
int __wrap_scandir(const char *path, struct dirent ***list,
		   int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **,
				  const struct dirent **));

/* Lasts until the next call */
static const char *led(const char *path)
{
	static char ours[PATH_MAX + sizeof(root)];

	if (!planted || path[0] != '/')
		return path;
	snprintf(ours, sizeof(ours), "%s%s", root, path);
	return ours;
}

/* Only libFuzzer writes: what it has found. */
int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	if (flags & (O_CREAT | O_WRONLY | O_RDWR))
		return __real_open(path, flags, mode);
	return __real_open(led(path), flags);
}

int __wrap_openat(int dir, const char *path, int flags, ...)
{
	return __real_openat(dir, led(path), flags);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return __real_fopen(mode[0] == 'r' ? led(path) : path, mode);
}

DIR *__wrap_opendir(const char *path)
{
	return __real_opendir(led(path));
}

int __wrap_stat(const char *path, struct stat *st)
{
	return __real_stat(led(path), st);
}

int __wrap_access(const char *path, int mode)
{
	return __real_access(led(path), mode);
}

int __wrap_scandir(const char *path, struct dirent ***list,
		   int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **,
				  const struct dirent **))
{
	return __real_scandir(led(path), list, filter, compare);
}

/* ---- planting ---- */

/* No part of a name may lead out of the tree. */
static bool name_ok(const char *name)
{
	return name[0] && strlen(name) < 300 && !strstr(name, "..");
}

static void make_dirs(char *path)
{
	for (char *c = path + strlen(root) + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		mkdir(path, 0700);
		*c = '/';
	}
}

static void plant(const char *name, const char *content, size_t size)
{
	char path[PATH_MAX], *link;
	int fd;

	if (!name_ok(name))
		return;
	snprintf(path, sizeof(path), "%s/%s", root, name);
	link = strstr(path, " -> ");
	if (link)
		*link = '\0';
	make_dirs(path);
	if (link) {
		/* Absolute ones would leave the tree. */
		if (link[4] != '/')
			(void)!symlink(link + 4, path);
		return;
	}
	fd = __real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	(void)!write(fd, content, size);
	close(fd);
}

void tree_plant(void)
{
	size_t size;
	const uint8_t *bytes = fuzz_rest(&size);
	const char *text = (const char *)bytes, *end = text + size, *mark;

	mkdir(root, 0700);
	for (int i = 0; i < MAX_FILES && text < end; i++) {
		const char *start = text, *stop;
		char name[320];

		/* The mark's newline is missing at the start of the input. */
		if (i == 0 && (size < 3 || memcmp(text, "== ", 3)))
			break;
		start += i == 0 ? 3 : 4;
		stop = memchr(start, '\n', end - start);
		if (!stop)
			break;
		snprintf(name, sizeof(name), "%.*s", (int)(stop - start),
			 start);
		stop++;
		/* An empty file's mark shares the newline of its name. */
		mark = memmem(stop - 1, end - stop + 1, MARK, strlen(MARK));
		if (mark && mark < stop)
			plant(name, stop, 0);
		else
			plant(name, stop, (mark ? mark : end) - stop);
		if (!mark)
			break;
		text = mark;
	}
	planted = true;
}

static int on_entry(const char *path, const struct stat *st, int type,
		    struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void tree_fell(void)
{
	planted = false;
	nftw(root, on_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void tree_setup(void)
{
	const char *shm = "/dev/shm", *dir = getenv("TMPDIR");

	if (!dir)
		dir = __real_access(shm, W_OK) ? "/tmp" : shm;
	snprintf(root, sizeof(root), "%.32s/fuzz-%d", dir, (int)getpid());
	tree_fell();
}
