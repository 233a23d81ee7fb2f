/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* The objects of an input, and their end. */
#ifndef FUZZ_OBJECTS_H
#define FUZZ_OBJECTS_H

#include <infiniband/verbs.h>

enum kind {
	ANY,
	PD,
	MR,
	MW,
	CHANNEL,
	CQ,
	SRQ,
	QP,
	AH,
	TD,
	PARENT, /* a parent domain; looked for as a PD too */
	OTHER,
};

/* NULL is not kept; destroy: 0 if the object is gone */
void object_keep(enum kind kind, void *object, int (*destroy)(void *object));
/* One of that kind, or NULL */
void *object_get(enum kind kind);
/* One of any kind; if it cannot be destroyed it stays. */
void object_destroy_any(void);
/* All: the kernel must be honest by now. */
void object_destroy_all(void);

/* The verbs' own, for object_keep() */
int destroy_pd(void *pd);
int destroy_mr(void *mr);
int destroy_mw(void *mw);
int destroy_channel(void *channel);
int destroy_cq(void *cq);
int destroy_srq(void *srq);
int destroy_qp(void *qp);
int destroy_ah(void *ah);
int destroy_td(void *td);

#endif
