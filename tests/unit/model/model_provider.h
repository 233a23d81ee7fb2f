/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A provider for tests: PDs and MRs go to the model of the kernel, in whichever
 * way the test wants; every other object has no kernel side, and each op notes
 * that it was called.
 */
#ifndef MODEL_PROVIDER_H
#define MODEL_PROVIDER_H

#include "check.h"
#include "driver.h"
#include "model_kernel.h"

/* How an op that makes a PD or an MR goes */
enum mp_way {
	MP_WORKS,
	MP_FAILS_FIRST, /* before it calls the library, with ENOSPC */
	MP_FAILS_LAST,	/* after that; destroys what it has; ENOSPC */
	MP_FAILS_MUTE,	/* at once, and does not set errno */
	MP_OWN_COMMAND, /* makes the object by a command of its own */
};

struct mp_options {
	bool import_ops;
	enum mp_way alloc_pd, reg_mr, import_pd, import_mr;
	/* Bytes of the driver's reply to alloc_pd that the PD needs */
	uint32_t pd_reply;
	/* The driver's reply to reg_mr */
	uint32_t mr_reply;
	uint32_t driver_id;
	/* The device that the file is of */
	int device;
	/* What the next destroying op returns without doing it */
	int destroy_error;
	/* Called by dealloc_pd before anything else */
	void (*in_dealloc_pd)(struct ibv_pd *pd);
	/* Where the GID and P_Key tables are: <path>/ports/1/gids/0 ... */
	const char *ibdev_path;
};

struct mp_pd {
	struct ibv_pd pd;
	bool is_parent;
	uint8_t reply[64];
	/* Beyond the end of a bare struct ibv_pd */
	uint32_t seal;
};
#define MP_SEAL 0x5ea1ed

/* The arguments of the last call of an op */
struct mp_seen {
	unsigned int calls;
	struct ibv_pd *pd;
	void *addr;
	size_t length;
	uint64_t iova;
	int access, flags;
	uint8_t mr_reply[64];
};

struct mp_context {
	struct verbs_context vctx;
	struct mp_options options;
	struct mp_seen reg_mr, rereg_mr, import_mr, cq_event, other;
	/* What ops of objects without kernel side return */
	int result;
	struct ibv_port_attr port;
	uint8_t num_ports;
};

/*
 * Let discovery find it: for devices named model*.  What finds the device and
 * opens its file is up to the test.  options: of the contexts that are opened
 * from then on; the last call counts.
 */
void mp_register(const struct mp_options *options);

/* Without discovery */
struct ibv_context *mp_open(const struct mp_options *options);
/* The context's file must have no handles left. */
void mp_close(struct ibv_context *context);
struct mp_context *mp_get(struct ibv_context *context);
/* PDs, MRs and the others: structs of this provider that are not freed */
unsigned int mp_objects(void);

#endif
