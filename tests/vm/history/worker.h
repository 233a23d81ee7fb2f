/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The processes of the model as real ones.  A step is a message to the process
 * that makes it, which calls the library and answers with what came of it.
 */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#include "model.h"

enum creation { NOTHING, CREATE_AH, CREATE_MW, CREATE_QP, CREATE_SRQ };

enum what { STEP, RECEIVE, CLEAR };

struct order {
	enum what what; /* RECEIVE: the descriptor that comes along */
	struct step step;
	uint32_t handle; /* IMPORT, WITHDRAW: in the other file */
	enum creation creation;
};

struct answer {
	int result; /* 0 or errno value; -1: a pointer without errno, ... */
	uint32_t handle;     /* of the new alias */
	uint32_t lkey, rkey; /* MAKE, IMPORT of an MR */
	uint64_t length;
	bool own_pd; /* IMPORT of an MR: its pd is the file's own PD */
	bool no_pd;  /* ... is NULL */
	/* FREE, WITHDRAW that succeeded: what an import of the handle gives */
	int after;
};

#define MR_LENGTH(_object) (4096u * (_object))

/* All processes come to be when they are first needed. */
void workers_start(struct ibv_device *device, int heir);

/*
 * Make the step.  It returns when the step is done, the kernel's part of the
 * end of a process included.
 */
struct answer worker_do(const struct order *order);

/*
 * All processes close all that they have, and those that still map memory of a
 * file are killed; or all are.
 */
void workers_clear(void);
void workers_kill(void);

#endif
