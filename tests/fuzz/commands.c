// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the kernel's interface says of commands: which bytes are a reply. */
#include "commands.h"

#include <stddef.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_share_cmds.h>
#include <rdma/ib_user_verbs.h>

#include "kernel.h"

#define LENGTH(_array) (sizeof(_array) / sizeof((_array)[0]))
#define EX(_name) \
	(IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_##_name)

/*
 * Native commands with the reply's attributes that come in buffers, as masks of
 * ids (all are below 32), and the one that is a new handle; -1: none
 */
#define OUT(_attr) (1u << UVERBS_ATTR_##_attr)
static const struct command {
	uint16_t object, method;
	uint32_t replies;
	int made;
} commands[] = {
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, OUT(CORE_OUT), -1 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT,
	  OUT(GET_CONTEXT_NUM_COMP_VECTORS) | OUT(GET_CONTEXT_CORE_SUPPORT),
	  -1 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT,
	  OUT(QUERY_CONTEXT_NUM_COMP_VECTORS) | OUT(QUERY_CONTEXT_CORE_SUPPORT),
	  -1 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, OUT(QUERY_PORT_RESP),
	  -1 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INFO_HANDLES,
	  OUT(INFO_TOTAL_HANDLES) | OUT(INFO_HANDLES_LIST), -1 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY,
	  OUT(QUERY_GID_ENTRY_RESP_ENTRY), -1 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE,
	  OUT(QUERY_GID_TABLE_RESP_ENTRIES) |
		  OUT(QUERY_GID_TABLE_RESP_NUM_ENTRIES),
	  -1 },
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE, OUT(CREATE_CQ_RESP_CQE),
	  UVERBS_ATTR_CREATE_CQ_HANDLE },
	{ UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE,
	  OUT(CREATE_QP_RESP_CAP) | OUT(CREATE_QP_RESP_QP_NUM),
	  UVERBS_ATTR_CREATE_QP_HANDLE },
	{ UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE,
	  OUT(CREATE_SRQ_RESP_MAX_WR) | OUT(CREATE_SRQ_RESP_MAX_SGE) |
		  OUT(CREATE_SRQ_RESP_SRQ_NUM),
	  UVERBS_ATTR_CREATE_SRQ_HANDLE },
	{ UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_CREATE,
	  OUT(CREATE_WQ_RESP_MAX_WR) | OUT(CREATE_WQ_RESP_MAX_SGE) |
		  OUT(CREATE_WQ_RESP_WQ_NUM),
	  UVERBS_ATTR_CREATE_WQ_HANDLE },
	{ UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, 0,
	  UVERBS_ATTR_ALLOC_DM_HANDLE },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG,
	  OUT(REG_DM_MR_RESP_LKEY) | OUT(REG_DM_MR_RESP_RKEY),
	  UVERBS_ATTR_REG_DM_MR_HANDLE },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR,
	  OUT(REG_DMABUF_MR_RESP_LKEY) | OUT(REG_DMABUF_MR_RESP_RKEY),
	  UVERBS_ATTR_REG_DMABUF_MR_HANDLE },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR,
	  OUT(QUERY_MR_RESP_LKEY) | OUT(QUERY_MR_RESP_RKEY) |
		  OUT(QUERY_MR_RESP_LENGTH),
	  -1 },
	{ UVERBS_OBJECT_FLOW_ACTION, UVERBS_METHOD_FLOW_ACTION_ESP_CREATE, 0,
	  UVERBS_ATTR_CREATE_FLOW_ACTION_ESP_HANDLE },
	{ UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_CREATE, 0,
	  UVERBS_ATTR_CREATE_COUNTERS_HANDLE },
	{ UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_READ,
	  OUT(READ_COUNTERS_BUFF), -1 },
	{ UVERBS_OBJECT_PD, UVERBS_METHOD_PD_EXPORT_TO_FD,
	  OUT(EXPORT_TO_FD_RESP_HANDLE), -1 },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_MR_EXPORT_TO_FD,
	  OUT(EXPORT_TO_FD_RESP_HANDLE), -1 },
	{ UVERBS_OBJECT_PD, UVERBS_METHOD_PD_IMPORT_FROM_FD,
	  OUT(IMPORT_FROM_FD_RESP_DRIVER) | OUT(IMPORT_FROM_FD_RESP_DRIVER_LEN),
	  UVERBS_ATTR_IMPORT_FROM_FD_HANDLE },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_MR_IMPORT_FROM_FD,
	  OUT(IMPORT_FROM_FD_RESP_LKEY) | OUT(IMPORT_FROM_FD_RESP_RKEY) |
		  OUT(IMPORT_FROM_FD_RESP_LENGTH) |
		  OUT(IMPORT_FROM_FD_RESP_IOVA) |
		  OUT(IMPORT_FROM_FD_RESP_PD_HANDLE),
	  UVERBS_ATTR_IMPORT_FROM_FD_HANDLE },
};

static const struct command *find(const struct ib_uverbs_ioctl_hdr *hdr)
{
	for (size_t i = 0; i < LENGTH(commands); i++)
		if (kernel_is(hdr, commands[i].object, commands[i].method))
			return &commands[i];
	return NULL;
}

bool command_replies(const struct ib_uverbs_ioctl_hdr *hdr, uint16_t attr)
{
	const struct command *command = find(hdr);

	if (attr == UVERBS_ATTR_UHW_OUT)
		return true;
	return command && attr < 32 && command->replies >> attr & 1;
}

bool command_makes(const struct ib_uverbs_ioctl_hdr *hdr, uint16_t attr)
{
	const struct command *command = find(hdr);

	return command && command->made == attr;
}

int command_handle_at(uint32_t command)
{
	switch (command) {
	case IB_USER_VERBS_CMD_ALLOC_PD:
	case IB_USER_VERBS_CMD_REG_MR:
	case IB_USER_VERBS_CMD_ALLOC_MW:
	case IB_USER_VERBS_CMD_CREATE_AH:
	case IB_USER_VERBS_CMD_OPEN_XRCD:
	case IB_USER_VERBS_CMD_OPEN_QP:
	case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL:
	case IB_USER_VERBS_CMD_GET_CONTEXT:
		return 0;
	case EX(CREATE_FLOW):
		return offsetof(struct ib_uverbs_create_flow_resp, flow_handle);
	case EX(CREATE_RWQ_IND_TBL):
		return offsetof(struct ib_uverbs_ex_create_rwq_ind_table_resp,
				ind_tbl_handle);
	default:
		return -1;
	}
}

bool command_makes_fd(uint32_t command)
{
	return command == IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL ||
	       command == IB_USER_VERBS_CMD_GET_CONTEXT;
}

static bool destroys_by_write(uint32_t command)
{
	switch (command) {
	case IB_USER_VERBS_CMD_DEALLOC_PD:
	case IB_USER_VERBS_CMD_DEREG_MR:
	case IB_USER_VERBS_CMD_DEALLOC_MW:
	case IB_USER_VERBS_CMD_DESTROY_CQ:
	case IB_USER_VERBS_CMD_DESTROY_QP:
	case IB_USER_VERBS_CMD_DESTROY_SRQ:
	case IB_USER_VERBS_CMD_DESTROY_AH:
	case IB_USER_VERBS_CMD_CLOSE_XRCD:
	case EX(DESTROY_FLOW):
	case EX(DESTROY_WQ):
	case EX(DESTROY_RWQ_IND_TBL):
		return true;
	default:
		return false;
	}
}

bool command_destroys(struct ib_uverbs_ioctl_hdr *hdr)
{
	static const uint16_t native[][2] = {
		{ UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY },
		{ UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY },
		{ UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY },
		{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY },
		{ UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY },
		{ UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_DESTROY },
		{ UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_DESTROY },
		{ UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY },
		{ UVERBS_OBJECT_XRCD, UVERBS_METHOD_XRCD_DESTROY },
		{ UVERBS_OBJECT_FLOW, UVERBS_METHOD_FLOW_DESTROY },
		{ UVERBS_OBJECT_FLOW_ACTION,
		  UVERBS_METHOD_FLOW_ACTION_DESTROY },
		{ UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_DESTROY },
		{ UVERBS_OBJECT_DM, UVERBS_METHOD_DM_FREE },
		{ UVERBS_OBJECT_RWQ_IND_TBL,
		  UVERBS_METHOD_RWQ_IND_TBL_DESTROY },
	};

	for (size_t i = 0; i < LENGTH(native); i++)
		if (kernel_is(hdr, native[i][0], native[i][1]))
			return true;
	return destroys_by_write(kernel_write_command(hdr));
}
