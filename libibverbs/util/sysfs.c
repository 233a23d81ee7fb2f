// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Reading sysfs: its root, its small files, names that may be in a path. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"
#include "util/sysfs.h"

static char sysfs_root[IBV_SYSFS_PATH_MAX + 1] = "/sys";
static pthread_once_t sysfs_root_once = PTHREAD_ONCE_INIT;

static void find_sysfs_root(void)
{
	const char *env = NULL;
	size_t len;

	/*
	 * A program with more privileges than its caller must not be led to
	 * files of its caller's making.
	 */
	if (getuid() == geteuid())
		env = secure_getenv("SYSFS_PATH");
	if (!env)
		return;

	len = strnlen(env, IBV_SYSFS_PATH_MAX);
	while (len > 0 && env[len - 1] == '/')
		len--;
	memcpy(sysfs_root, env, len);
	sysfs_root[len] = '\0';
}

/**
 * ibv_get_sysfs_path - The root of sysfs: "/sys" or $SYSFS_PATH
 *
 * The string is the library's and stays.  Thread-safe.
 */
const char *ibv_get_sysfs_path(void)
{
	pthread_once(&sysfs_root_once, find_sysfs_root);
	return sysfs_root;
}

int sysfs_read_at(int dirfd, const char *file, char *buf, size_t size)
{
	ssize_t len;
	int fd, err;

	fd = openat(dirfd, file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	do {
		len = read(fd, buf, size);
	} while (len < 0 && errno == EINTR);
	err = errno;
	close(fd);
	errno = err;

	if (len <= 0)
		return len;
	if (buf[len - 1] == '\n') {
		len--;
	} else if ((size_t)len == size) {
		errno = EOVERFLOW;
		return -1;
	}
	buf[len] = '\0';
	return len;
}

/**
 * ibv_read_sysfs_file - Read the small text file <dir>/<file>
 * @buf: receives the text, NUL-terminated, without one trailing newline
 * @size: bytes of room in buf
 *
 * Returns the text's length, 0 for an empty file (buf is then not written),
 * or -1: errno of the failed call, or EOVERFLOW: the text does not fit.
 * Thread-safe.
 */
int ibv_read_sysfs_file(const char *dir, const char *file, char *buf,
			size_t size)
{
	char *path;
	int ret;

	if (asprintf(&path, "%s/%s", dir, file) < 0)
		return -1;
	ret = sysfs_read_at(AT_FDCWD, path, buf, size);
	free(path);
	return ret;
}

/**
 * ibv_read_ibdev_sysfs_file - Read a file of a device's sysfs directory
 * @sysfs_dev: the device's record; NULL gives -1 and errno EINVAL
 * @fnfmt: printf format of the file's name below the directory
 *
 * Otherwise as ibv_read_sysfs_file().
 */
int ibv_read_ibdev_sysfs_file(char *buf, size_t size,
			      struct verbs_sysfs_dev *sysfs_dev,
			      const char *fnfmt, ...)
{
	char *file;
	va_list args;
	int ret;

	if (!sysfs_dev) {
		errno = EINVAL;
		return -1;
	}
	va_start(args, fnfmt);
	ret = vasprintf(&file, fnfmt, args);
	va_end(args);
	if (ret < 0)
		return -1;
	ret = ibv_read_sysfs_file(sysfs_dev->ibdev_path, file, buf, size);
	free(file);
	return ret;
}

bool sysfs_read_uint_at(int dirfd, const char *file, uint64_t max,
			uint64_t *value)
{
	unsigned long long number;
	char text[32];

	if (sysfs_read_at(dirfd, file, text, sizeof(text)) <= 0 ||
	    !isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	number = strtoull(text, NULL, 10);
	if (errno || number > max)
		return false;
	*value = number;
	return true;
}

bool sysfs_name_ok(const char *name)
{
	return name[0] && !strchr(name, '/') && strcmp(name, ".") &&
	       strcmp(name, "..");
}

static unsigned int hex_digit(char c)
{
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

bool sysfs_parse_guid(const char *text, uint64_t *guid)
{
	uint64_t value = 0;
	size_t digits, i;
	int group;

	for (group = 0; group < 4; group++) {
		if (group && *text++ != ':')
			return false;
		digits = strspn(text, "0123456789abcdefABCDEF");
		if (digits < 1 || digits > 4)
			return false;
		value <<= 16;
		for (i = 0; i < digits; i++)
			value += (uint64_t)hex_digit(*text++)
				 << 4 * (digits - 1 - i);
	}
	*guid = value;
	return true;
}
