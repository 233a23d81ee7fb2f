/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The kernel behind the machine's device.  Three parts answer:
 * unit/model: PDs, MRs, files, sharing;
 * unit/lib/kernel_sim.c: every other object, made and destroyed;
 * this one: the driver's part of replies (plugin.h), mlx5's own objects, and
 * a log of all commands.
 */
#ifndef PLUGINS_FAKE_KERNEL_H
#define PLUGINS_FAKE_KERNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model_kernel.h"
#include "plugin.h"

struct ib_uverbs_ioctl_hdr;

/* The driver behind the device, from now on; the log is empty again. */
void fake_kernel_start(const struct plugin *plugin);

/* ---- what fake_machine.c passes on ---- */

int fake_kernel_open(void);
bool fake_kernel_has(int fd);
void fake_kernel_close(int fd);
int fake_kernel_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr);
void fake_kernel_written(void);
void fake_kernel_fill(void *mapping, size_t len, bool writable);

/* ---- for tests ---- */

/* Objects of any kind that are there; open files */
size_t fake_kernel_objects(void);
size_t fake_kernel_files(void);
/* What the driver told the maker of that PD */
void fake_kernel_pd_reply(int fd, uint32_t handle, void *reply, size_t size);
/* PDs and MRs that closed files still had */
size_t fake_kernel_left(void);

#define LOGGED_BYTES 128
#define NO_HANDLE UINT32_MAX

struct logged {
	int fd;
	struct model_command command;
	int err;
	uint32_t pd;	 /* handle in the request; NO_HANDLE: none */
	uint32_t object; /* ... of the PD or MR that it made or destroys */
	/* What the plug-in added to the request */
	size_t driver_in_len, driver_out_len;
	uint8_t driver_in[LOGGED_BYTES];
	uint64_t bytes[8]; /* older commands: the request's first bytes */
};

/* The n-th command from now (from 1; 0: none) fails. */
void fake_kernel_fail(unsigned int n, int err);

/* How many commands there were; the n-th (from 0) */
size_t log_length(void);
const struct logged *log_entry(size_t n);
/* Since the n-th: how many of that kind, the first of them (NULL: none) */
size_t log_count(size_t from, struct model_command command);
const struct logged *log_first(size_t from, struct model_command command);
/* write() on the device, which the library never does by itself */
unsigned int log_written(void);

#define COMMAND_DESTROY(_object) \
	MODEL_NATIVE(UVERBS_OBJECT_##_object, UVERBS_METHOD_##_object##_DESTROY)

#endif
