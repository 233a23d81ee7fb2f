/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Quiet on success; on failure one line that says where and what, and exit. */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(_condition)                                                      \
	do {                                                                   \
		if (!(_condition)) {                                           \
			fprintf(stderr, "%s:%d: %s: not true: %s\n", __FILE__, \
				__LINE__, __func__, #_condition);              \
			exit(1);                                               \
		}                                                              \
	} while (0)

#define CHECK_INT(_got, _expected)                                             \
	do {                                                                   \
		long long got_ = (_got), expected_ = (_expected);              \
		if (got_ != expected_) {                                       \
			fprintf(stderr,                                        \
				"%s:%d: %s: %s is %lld, expected %lld (%s)\n", \
				__FILE__, __LINE__, __func__, #_got, got_,     \
				expected_, #_expected);                        \
			exit(1);                                               \
		}                                                              \
	} while (0)

/* NULL with that errno */
#define CHECK_NULL(_call, _errno)                 \
	do {                                      \
		errno = 0;                        \
		const void *result_ = (_call);    \
		int errno_ = errno;               \
		CHECK(result_ == NULL && #_call); \
		CHECK_INT(errno_, _errno);        \
	} while (0)

/* Returned, and in errno too */
#define CHECK_ERROR(_call, _errno)        \
	do {                              \
		errno = 0;                \
		CHECK_INT(_call, _errno); \
		CHECK_INT(errno, _errno); \
	} while (0)

#endif
