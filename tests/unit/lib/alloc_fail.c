// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Allocations that fail on demand, and a list of those that live. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <cmocka.h>

#include "alloc_fail.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t max);
int __wrap_vasprintf(char **text, const char *format, va_list args);
int __wrap_asprintf(char **text, const char *format, ...);
void __wrap_free(void *block);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int fail_at; /* 0: never */
static bool failed;
static void **live;
static size_t live_count, live_room;

void alloc_fail_at(unsigned int n)
{
	pthread_mutex_lock(&lock);
	fail_at = n;
	failed = false;
	pthread_mutex_unlock(&lock);
}

bool alloc_has_failed(void)
{
	return failed;
}

size_t alloc_live(void)
{
	return live_count;
}

static bool must_fail(void)
{
	bool now;

	pthread_mutex_lock(&lock);
	now = fail_at && !--fail_at;
	if (now)
		failed = true;
	pthread_mutex_unlock(&lock);
	if (now)
		errno = ENOMEM;
	return now;
}

static void *remember(void *block)
{
	if (!block)
		return NULL;
	pthread_mutex_lock(&lock);
	if (live_count == live_room) {
		live_room = live_room ? 2 * live_room : 1024;
		live = __real_realloc(live, live_room * sizeof(*live));
		if (!live)
			abort();
	}
	live[live_count++] = block;
	pthread_mutex_unlock(&lock);
	return block;
}

/* A block from inside the C library is not known here. */
static void forget(void *block)
{
	pthread_mutex_lock(&lock);
	for (size_t i = live_count; i-- > 0;) {
		if (live[i] == block) {
			live[i] = live[--live_count];
			break;
		}
	}
	pthread_mutex_unlock(&lock);
}

void alloc_given_away(void *block)
{
	forget(block);
}

void *__wrap_malloc(size_t size)
{
	return must_fail() ? NULL : remember(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
	return must_fail() ? NULL : remember(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	uintptr_t was = (uintptr_t)old;
	void *block;

	if (must_fail())
		return NULL;
	block = __real_realloc(old, size);
	if (block || !size) {
		forget((void *)was);
		remember(block);
	}
	return block;
}

char *__wrap_strndup(const char *text, size_t max)
{
	size_t len = strnlen(text, max);
	char *copy = __wrap_malloc(len + 1);

	if (copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}

char *__wrap_strdup(const char *text)
{
	return __wrap_strndup(text, SIZE_MAX);
}

int __wrap_vasprintf(char **text, const char *format, va_list args)
{
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len < 0)
		return -1;
	*text = __wrap_malloc(len + 1);
	if (!*text)
		return -1;
	return vsnprintf(*text, len + 1, format, args);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = __wrap_vasprintf(text, format, args);
	va_end(args);
	return len;
}

void __wrap_free(void *block)
{
	if (block)
		forget(block);
	__real_free(block);
}

void alloc_fail_each(bool (*attempt)(void *arg), void *arg, bool may_survive)
{
	for (unsigned int n = 1;; n++) {
		size_t before = alloc_live();
		bool succeeded, met;

		alloc_fail_at(n);
		succeeded = attempt(arg);
		met = alloc_has_failed();
		alloc_fail_at(0);

		if (alloc_live() != before)
			fail_msg("allocation %u failed: %zu blocks before, "
				 "%zu after",
				 n, before, alloc_live());
		if (met && succeeded && !may_survive)
			fail_msg("allocation %u failed and nobody noticed", n);
		if (!met && !succeeded)
			fail_msg(
				"no allocation failed, yet it did not succeed");
		if (!met)
			return;
	}
}
