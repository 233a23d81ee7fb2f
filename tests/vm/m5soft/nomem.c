// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The program's own malloc and its kin, which all libraries then use, on those of
 * the C library; and the device's parameter for the kernel's.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "m5_test.h"
#include "nomem.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static atomic_long blocks;
static _Thread_local int countdown;
static _Thread_local bool failed;
static _Thread_local void *caller;

static bool must_fail(void *by)
{
	if (!countdown || --countdown)
		return false;
	failed = true;
	caller = by;
	errno = ENOMEM;
	return true;
}

static void *count(void *block)
{
	if (block)
		atomic_fetch_add(&blocks, 1);
	return block;
}

void *malloc(size_t size)
{
	return must_fail(__builtin_return_address(0))
		       ? NULL
		       : count(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
	return must_fail(__builtin_return_address(0))
		       ? NULL
		       : count(__libc_calloc(n, size));
}

void *realloc(void *old, size_t size)
{
	void *block;

	if (must_fail(__builtin_return_address(0)))
		return NULL;
	block = __libc_realloc(old, size);
	if (!old)
		count(block);
	else if (!size)
		atomic_fetch_sub(&blocks, 1);
	return block;
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
	void *block = NULL;
	int saved = errno;

	if (!must_fail(__builtin_return_address(0)))
		block = count(__libc_memalign(alignment, size));
	/* It says what it has to say by its result. */
	errno = saved;
	if (!block)
		return ENOMEM;
	*to = block;
	return 0;
}

void free(void *block)
{
	if (block)
		atomic_fetch_sub(&blocks, 1);
	__libc_free(block);
}

long nomem_blocks(void)
{
	return atomic_load(&blocks);
}

void nomem_at(enum nomem_side side, int n)
{
	failed = false;
	if (side == NOMEM_PROCESS)
		countdown = n;
	else
		m5_set_parameter("nomem", n);
}

bool nomem_end(enum nomem_side side)
{
	if (side == NOMEM_KERNEL) {
		failed = !m5_parameter("nomem");
		m5_set_parameter("nomem", 0);
	}
	countdown = 0;
	return failed;
}

static void find_caller(char *name, size_t room)
{
	Dl_info info = { .dli_fname = "?" };
	const char *file;

	dladdr(caller, &info);
	file = strrchr(info.dli_fname, '/');
	snprintf(name, room, "%s", file ? file + 1 : info.dli_fname);
}

static void find_kernel_caller(char *name, int room)
{
	FILE *file = fopen("/sys/module/m5soft/parameters/nomem_where", "r");

	NEED(file && fgets(name, room, file));
	fclose(file);
	name[strcspn(name, "\n")] = '\0';
}

const char *nomem_where(enum nomem_side side)
{
	static char name[256];

	if (side == NOMEM_PROCESS)
		find_caller(name, sizeof(name));
	else
		find_kernel_caller(name, sizeof(name));
	return name;
}

int nomem_mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[512];
	int n = 0;

	NEED(file);
	while (fgets(line, sizeof(line), file))
		n += !!strstr(line, "/dev/infiniband/uverbs");
	fclose(file);
	return n;
}
