/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The command buffer that plug-ins hand to the library: attributes of their
 * own that ride on a library command, or a whole command for execute_ioctl().
 * The array of attributes follows the struct directly.
 */
#ifndef INFINIBAND_CMD_IOCTL_H
#define INFINIBAND_CMD_IOCTL_H

#include <stdint.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

enum { _UHW_NO_INDEX = 0xff };

struct ibv_command_buffer {
	struct ibv_command_buffer *next;
	struct ib_uverbs_attr *next_attr;
	struct ib_uverbs_attr *last_attr;
	uint8_t uhw_in_idx;
	uint8_t uhw_out_idx;
	uint8_t uhw_in_headroom_dwords;
	uint8_t uhw_out_headroom_dwords;
	uint8_t buffer_error : 1;
	uint8_t fallback_require_ex : 1;
	uint8_t fallback_ioctl_only : 1;
	struct ib_uverbs_ioctl_hdr hdr;
};

unsigned int __ioctl_final_num_attrs(unsigned int num_attrs,
				     struct ibv_command_buffer *link);
int execute_ioctl(struct ibv_context *context, struct ibv_command_buffer *cmd);

#endif
