// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Small files of the kernel, and the like. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/doctor.h"

static bool make_path(char *path, size_t size, const char *fmt, va_list ap)
{
	int length = vsnprintf(path, size, fmt, ap);

	if (length < 0 || (size_t)length >= size) {
		errno = ENAMETOOLONG;
		return false;
	}
	return true;
}

bool doctor_read(char *line, size_t size, const char *path_fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	ssize_t n;
	bool ok;
	int fd;

	va_start(ap, path_fmt);
	ok = make_path(path, sizeof(path), path_fmt, ap);
	va_end(ap);
	if (!ok)
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, line, size - 1);
	close(fd);
	if (n < 0)
		return false;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (strlen(line) == size - 1) {
		errno = EMSGSIZE;
		return false;
	}
	n = strlen(line);
	while (n && (line[n - 1] == ' ' || line[n - 1] == '\t'))
		line[--n] = '\0';
	return true;
}

bool doctor_exists(const char *path_fmt, ...)
{
	char path[PATH_MAX];
	struct stat st;
	va_list ap;
	bool ok;

	va_start(ap, path_fmt);
	ok = make_path(path, sizeof(path), path_fmt, ap);
	va_end(ap);
	return ok && !stat(path, &st);
}

void doctor_each_entry(const char *dir,
		       bool (*each)(const char *name, void *arg), void *arg)
{
	struct dirent **entries;
	bool on = true;
	int count = scandir(dir, &entries, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		if (on && entries[i]->d_name[0] != '.')
			on = each(entries[i]->d_name, arg);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

bool doctor_in_container(void)
{
	return doctor_exists("/.dockerenv") ||
	       doctor_exists("/run/.containerenv") || getenv("container");
}
