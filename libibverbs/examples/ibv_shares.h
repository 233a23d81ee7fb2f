/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* The parts of ibv_shares. */
#ifndef IBV_SHARES_H
#define IBV_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SHARES_FILE "/sys/kernel/debug/ib_uverbs_share"

/* One alias, or an object without any: it has no handle, file or opener. */
struct share {
	char device[64];
	char type[16];
	uint32_t id; /* as rdma(8) shows it; 0: it does not */
	uint32_t aliases;
	bool first; /* of its object */
	bool has_alias;
	uint32_t handle;
	uint32_t file;
	/* Processes in the numbers of the whole machine; 0: it is gone. */
	uint32_t pid;
	uint32_t maker;
	char comm[64]; /* anything, without escapes; "": unknown */
	uint64_t bytes;
};

struct shares {
	/* The kernel's own list of now: its processes can be asked for. */
	bool is_live;
	struct share *list; /* an object's aliases in a row */
	size_t count;
	unsigned int bad_lines; /* not understood, and left out */
	unsigned int first_bad;
};

/*
 * From a file of the kernel's format, those of a device (NULL: all): false with
 * errno; EPROTO: it is no such file; EFBIG: it does not end.  The list is the
 * caller's to free.
 */
bool shares_read(struct shares *shares, FILE *from, const char *device);

void shares_print_table(FILE *out, const struct shares *shares);
void shares_print_json(FILE *out, const struct shares *shares);

#endif
