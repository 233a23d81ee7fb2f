/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What the kernel's interface says of commands: which bytes are a reply. */
#ifndef FUZZ_COMMANDS_H
#define FUZZ_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rdma/rdma_user_ioctl_cmds.h>

/* Is the attribute a buffer for a reply? */
bool command_replies(const struct ib_uverbs_ioctl_hdr *hdr, uint16_t attr);
/* Is it a handle, or a descriptor, that the command makes? */
bool command_makes(const struct ib_uverbs_ioctl_hdr *hdr, uint16_t attr);
/*
 * Where the reply to a command in its older form has the four bytes that say
 * which object was made; -1: none is
 */
int command_handle_at(uint32_t command);
/* Descriptors must be real ones: the library closes them. */
bool command_makes_fd(uint32_t command);
bool command_destroys(struct ib_uverbs_ioctl_hdr *hdr);

#endif
