/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Reading sysfs: its root, its small files, names that may be in a path. */
#ifndef UTIL_SYSFS_H
#define UTIL_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exported for librdmacm and compat: also declared where its header is. */
const char *ibv_get_sysfs_path(void);
int ibv_read_sysfs_file(const char *dir, const char *file, char *buf,
			size_t size);

/* As ibv_read_sysfs_file(), relative to an open directory. */
int sysfs_read_at(int dirfd, const char *file, char *buf, size_t size);

/*
 * The unsigned number at the start of a sysfs file: false if the file cannot
 * be read, does not begin with a digit or the number exceeds max.
 */
bool sysfs_read_uint_at(int dirfd, const char *file, uint64_t max,
			uint64_t *value);

/* A kernel name that may stand in a path: not empty, no '/', not . or .. */
bool sysfs_name_ok(const char *name);

/* A GUID as sysfs writes it, four groups of up to four hex digits, in host order. */
bool sysfs_parse_guid(const char *text, uint64_t *guid);

#endif
