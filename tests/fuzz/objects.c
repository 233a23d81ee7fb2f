// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The objects of an input, and their end. */
#include "objects.h"

#include "fuzz.h"

/* More than the steps of an input make */
#define MAX_OBJECTS 128

static struct object {
	enum kind kind;
	void *object;
	int (*destroy)(void *object);
} objects[MAX_OBJECTS];
static unsigned int count;

void object_keep(enum kind kind, void *object, int (*destroy)(void *object))
{
	if (!object)
		return;
	if (count == MAX_OBJECTS) {
		/* One that cannot be destroyed now would be lost. */
		fuzz_check(!destroy(object), "too many objects");
		return;
	}
	objects[count++] = (struct object){ kind, object, destroy };
}

static bool is_kind(enum kind have, enum kind want)
{
	return want == ANY || have == want || (want == PD && have == PARENT);
}

void *object_get(enum kind kind)
{
	unsigned int skip, matching = 0;

	for (unsigned int i = 0; i < count; i++)
		matching += is_kind(objects[i].kind, kind);
	if (!matching)
		return NULL;
	skip = fuzz_below(matching);
	for (unsigned int i = 0; i < count; i++)
		if (is_kind(objects[i].kind, kind) && !skip--)
			return objects[i].object;
	return NULL;
}

static bool destroy(unsigned int i)
{
	if (objects[i].destroy(objects[i].object))
		return false;
	count--;
	for (; i < count; i++)
		objects[i] = objects[i + 1];
	return true;
}

void object_destroy_any(void)
{
	if (count)
		destroy(fuzz_below(count));
}

void object_destroy_all(void)
{
	bool progress = true;

	/* Some hold others. */
	while (count && progress) {
		progress = false;
		for (unsigned int i = count; i-- > 0;)
			progress |= destroy(i);
	}
	fuzz_check(!count, "an object cannot be destroyed");
}

int destroy_pd(void *pd)
{
	return ibv_dealloc_pd(pd);
}

int destroy_mr(void *mr)
{
	return ibv_dereg_mr(mr);
}

int destroy_mw(void *mw)
{
	return ibv_dealloc_mw(mw);
}

int destroy_channel(void *channel)
{
	return ibv_destroy_comp_channel(channel);
}

int destroy_cq(void *cq)
{
	return ibv_destroy_cq(cq);
}

int destroy_srq(void *srq)
{
	return ibv_destroy_srq(srq);
}

int destroy_qp(void *qp)
{
	return ibv_destroy_qp(qp);
}

int destroy_ah(void *ah)
{
	return ibv_destroy_ah(ah);
}

int destroy_td(void *td)
{
	return ibv_dealloc_td(td);
}
