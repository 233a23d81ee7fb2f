/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The verbs that bench_verbs measures, each a small operation on the same few
 * objects.  Nothing here may need a symbol that Debian's library lacks.
 */
#ifndef VERBS_WORKER_H
#define VERBS_WORKER_H

#include <stdbool.h>

#include <infiniband/verbs.h>

#include "bench.h"

#define GID_INDEX 1
#define QUEUE_DEPTH 256
#define REGION 4096

struct world {
	struct ibv_device **list;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp; /* connected to peer */
	struct ibv_qp *peer;
	struct ibv_qp *spare; /* in RESET */
	struct ibv_mr *mr;
	void *memory;
	union ibv_gid gid;
};

void world_open(struct world *w);
struct ibv_qp *world_create_qp(struct world *w);
/* One step of the way from RESET to RTS, at that QP */
void world_to_init(struct ibv_qp *qp);
void world_to_rtr(struct world *w, struct ibv_qp *qp, uint32_t dest);
void world_to_rts(struct ibv_qp *qp);
/* Wait for that many completions, all of which must be good. */
void world_reap(struct world *w, unsigned int n);

struct op {
	const char *name;
	/* Most calls in a row: run() is called with at most that many. */
	unsigned int batch;
	/* It is work for the processor, not waiting, so that it can be counted */
	bool counted;
	/* Neither is measured; both may be NULL. */
	void (*before)(struct world *w, unsigned int n);
	void (*after)(struct world *w, unsigned int n);
	void (*run)(struct world *w, unsigned int n);
};

/* Each ends with an op that has no name. */
extern const struct op control_ops[];
extern const struct op data_ops[];

/* Prints the lines "NAME BYTES". */
void memory_report(struct world *w, unsigned int n);
/* Of /proc/self/status, in bytes */
long memory_status(const char *name);

#endif
