/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the test of command-sequences.tsv and its cases know of each other.  A
 * case is one (function, case) of the table: it calls the function once, the
 * way the case's words say, on objects in a fresh struct world.
 */
#ifndef SEQUENCES_H
#define SEQUENCES_H

#include <stddef.h>

#include "priv.h"
#include "test_provider.h"

enum { DRIVER_IN_MAX = 16, DRIVER_OUT_MAX = 8 };

#define REQUEST(_type)                      \
	struct {                            \
		struct _type cmd;           \
		char driver[DRIVER_IN_MAX]; \
	}
#define REPLY(_type)                         \
	struct {                             \
		struct _type resp;           \
		char driver[DRIVER_OUT_MAX]; \
	}

struct member {
	const char *name;
	size_t offset, size;
};

/* A struct that the function may write, and how it was before */
struct tracked {
	const char *name;
	void *object;
	size_t size;
	const struct member *members;
	unsigned int num_members;
	char before[1024];
};

struct world {
	struct ibv_context *context;
	struct tracked tracked[4];
	unsigned int num_tracked;
	/* What the function returned (1 for a pointer), and errno after it */
	long ret;
	int err;
	const char *members; /* the row's last column */
};

struct sequence_case {
	const char *function, *name;
	void (*run)(struct world *world);
	/* What happened on the context before, when the kernel gives err */
	void (*before)(struct world *world);
};

extern const struct sequence_case sequence_cases[];
extern const unsigned int num_sequence_cases;

/* Take the picture of *object that it is compared with after the call. */
void track(struct world *world, const char *name, void *object, size_t size,
	   const struct member *members, unsigned int num_members);
/* Compare: exactly the members that the row names have changed. */
void check_tracked(struct world *world);

/* Call the function and compare while the objects live. */
#define CALL(_expression)               \
	do {                            \
		errno = 0;              \
		w->ret = (_expression); \
		w->err = errno;         \
		check_tracked(w);       \
	} while (0)

#endif
