/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A kernel that means ill: the simulated one of tests/unit/lib, and the input's
 * bytes decide which commands fail, and what the others write where.
 *
 * It makes sure that the library hands over memory that is there: all that a
 * command passes in is read, all that it offers for replies may be written.
 */
#ifndef FUZZ_KERNEL_H
#define FUZZ_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rdma/rdma_user_ioctl_cmds.h>

struct kernel {
	/* What a driver adds to a command that has succeeded; NULL: nothing */
	void (*driver)(struct ib_uverbs_ioctl_hdr *hdr);
	/* Another kernel altogether: 0 or an errno value; NULL: this one */
	int (*instead)(int fd, struct ib_uverbs_ioctl_hdr *hdr);
	/* Every command does what it should: to clean up behind an input */
	bool honest;
	/* New handles are any, and may be of several objects. */
	bool any_handles;
	/* Destroying may fail, which leaves objects behind. */
	bool keeps_objects;
};

extern struct kernel kernel;

/* The input's first bytes choose among the above. */
void kernel_begin(void);
/* All objects that were made must be gone. */
void kernel_end(void);

/* For driver: NULL if the command has no such attribute */
struct ib_uverbs_attr *kernel_attr(struct ib_uverbs_ioctl_hdr *hdr,
				   uint16_t id);
/* Writes a reply, as far as there is room for it. */
void kernel_reply(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id,
		  const void *bytes, size_t size);
/* Is it this command, in its native form? */
bool kernel_is(const struct ib_uverbs_ioctl_hdr *hdr, uint16_t object,
	       uint16_t method);
/* The number of a command in its older form, or that it is a native one */
#define KERNEL_NO_WRITE UINT32_MAX
uint32_t kernel_write_command(struct ib_uverbs_ioctl_hdr *hdr);

#endif
