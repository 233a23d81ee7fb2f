/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* The released plug-ins, and what the kernel's drivers tell each of them. */
#ifndef PLUGINS_PLUGIN_H
#define PLUGINS_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

/* A driver's part of a reply; the rest of the plug-in's buffer gets zeros. */
struct reply {
	const void *bytes;
	size_t len;
};

/* The part of the reply to alloc_pd that a plug-in keeps in its struct */
struct pd_state {
	size_t in_struct, in_reply, len;
};

struct plugin {
	const char *name;    /* of the file: lib<name>-rdmav34.so */
	const char *variant; /* another kind of its hardware */
	const char *driver;  /* what it calls itself */
	/* A device that it drives */
	const char *ibdev;
	uint32_t driver_id;   /* what the kernel tells */
	const char *modalias; /* of the PCI device; NULL: it has none */
	uint32_t abi;
	uint32_t part_id; /* what QUERY_DEVICE says, where it matters */
	bool infiniband;  /* the port's link layer; else Ethernet */
	/* Replies of the kernel's driver */
	struct reply context, query_device, mr, cq, qp, srq, ah;
	/* What the kernel has at the start of memory that is mapped */
	struct reply queue, read_only;
	size_t pd_reply; /* length of the one to alloc_pd */

	/* ---- what must be found with it ---- */

	/* It goes on using a device that it has freed, when the next comes. */
	bool devices_stay;
	/* It frees memory twice when the kernel refuses to open. */
	bool open_cannot_fail;
	/* Its objects cannot be imported. */
	bool no_import;
	/* It can do without the driver's reply, though there is one. */
	bool asks_driver;
	struct pd_state pd_state;
	/* What can be made with it, of enum use */
	unsigned int uses;
	enum ibv_qp_type qp_type;
	/* It registers a page for address handles on their PD. */
	bool ah_registers;
	/* It has a PD for itself, and registers the memory of CQs on it. */
	bool own_pd;
};

enum use {
	USE_MR = 1 << 0,
	USE_AH = 1 << 1,	 /* with a command to the kernel, */
	USE_AH_IN_USER = 1 << 2, /* or without */
	USE_MW = 1 << 3,
	USE_SRQ = 1 << 4,
	USE_CQ = 1 << 5,
	USE_QP = 1 << 6,
};

extern const struct plugin plugins[];
extern const size_t num_plugins;

/* NULL: none of that name, and of that variant or (NULL) of none */
const struct plugin *find_plugin(const char *name, const char *variant);
/* What a test program is told to test; with anything else it exits. */
const struct plugin *plugin_argument(int argc, char **argv);

/* Where the distribution has its plug-ins */
#define PLUGIN_DIR "/usr/lib/x86_64-linux-gnu/libibverbs"

#endif
