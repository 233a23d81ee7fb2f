// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A kernel that makes and destroys objects, and otherwise only nods. */
#include "kernel_script.h"

#include <fcntl.h>
#include <string.h>

#include <rdma/ib_user_share_cmds.h>

enum { MAX_OBJECTS = 1024 };

static struct object {
	uint16_t type;
	uint32_t handle; /* 0: free */
} objects[MAX_OBJECTS];
static uint32_t last_handle;
static unsigned int live;

static uint32_t make(uint16_t type)
{
	for (unsigned int i = 0; i < MAX_OBJECTS; i++) {
		if (!objects[i].handle) {
			objects[i].type = type;
			objects[i].handle = ++last_handle;
			live++;
			return last_handle;
		}
	}
	return 0;
}

static int destroy(uint16_t type, uint32_t handle)
{
	for (unsigned int i = 0; handle && i < MAX_OBJECTS; i++) {
		if (objects[i].handle == handle && objects[i].type == type) {
			objects[i].handle = 0;
			live--;
			return 0;
		}
	}
	return ENOENT;
}

unsigned int kernel_live_objects(void)
{
	return live;
}

/* Which attribute of a method is a handle or descriptor that it makes */
static const struct maker {
	uint16_t object, method, attr;
	bool fd;
} makers[] = {
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE,
	  UVERBS_ATTR_CREATE_CQ_HANDLE, false },
	{ UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE,
	  UVERBS_ATTR_CREATE_QP_HANDLE, false },
	{ UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE,
	  UVERBS_ATTR_CREATE_SRQ_HANDLE, false },
	{ UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_CREATE,
	  UVERBS_ATTR_CREATE_WQ_HANDLE, false },
	{ UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, UVERBS_ATTR_ALLOC_DM_HANDLE,
	  false },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG,
	  UVERBS_ATTR_REG_DM_MR_HANDLE, false },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR,
	  UVERBS_ATTR_REG_DMABUF_MR_HANDLE, false },
	{ UVERBS_OBJECT_FLOW_ACTION, UVERBS_METHOD_FLOW_ACTION_ESP_CREATE,
	  UVERBS_ATTR_CREATE_FLOW_ACTION_ESP_HANDLE, false },
	{ UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_CREATE,
	  UVERBS_ATTR_CREATE_COUNTERS_HANDLE, false },
	{ UVERBS_OBJECT_PD, UVERBS_METHOD_PD_IMPORT_FROM_FD,
	  UVERBS_ATTR_IMPORT_FROM_FD_HANDLE, false },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_MR_IMPORT_FROM_FD,
	  UVERBS_ATTR_IMPORT_FROM_FD_HANDLE, false },
	{ UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC,
	  UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, true },
};

static const struct destroyer {
	uint16_t object, method, attr;
} destroyers[] = {
	{ UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY,
	  UVERBS_ATTR_DESTROY_PD_HANDLE },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY,
	  UVERBS_ATTR_DESTROY_MR_HANDLE },
	{ UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY,
	  UVERBS_ATTR_DESTROY_MW_HANDLE },
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY,
	  UVERBS_ATTR_DESTROY_CQ_HANDLE },
	{ UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY,
	  UVERBS_ATTR_DESTROY_QP_HANDLE },
	{ UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_DESTROY,
	  UVERBS_ATTR_DESTROY_SRQ_HANDLE },
	{ UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_DESTROY,
	  UVERBS_ATTR_DESTROY_WQ_HANDLE },
	{ UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY,
	  UVERBS_ATTR_DESTROY_AH_HANDLE },
	{ UVERBS_OBJECT_XRCD, UVERBS_METHOD_XRCD_DESTROY,
	  UVERBS_ATTR_DESTROY_XRCD_HANDLE },
	{ UVERBS_OBJECT_FLOW, UVERBS_METHOD_FLOW_DESTROY,
	  UVERBS_ATTR_DESTROY_FLOW_HANDLE },
	{ UVERBS_OBJECT_FLOW_ACTION, UVERBS_METHOD_FLOW_ACTION_DESTROY,
	  UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE },
	{ UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_DESTROY,
	  UVERBS_ATTR_DESTROY_COUNTERS_HANDLE },
	{ UVERBS_OBJECT_DM, UVERBS_METHOD_DM_FREE, UVERBS_ATTR_FREE_DM_HANDLE },
	{ UVERBS_OBJECT_RWQ_IND_TBL, UVERBS_METHOD_RWQ_IND_TBL_DESTROY,
	  UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE },
};

/* Commands that make an object in their older form, and where its handle goes
 */
static const struct write_maker {
	uint32_t command;
	uint16_t object;
	size_t offset;
	bool fd;
} write_makers[] = {
#define EXTENDED IB_USER_VERBS_CMD_FLAG_EXTENDED
	{ IB_USER_VERBS_CMD_ALLOC_PD, UVERBS_OBJECT_PD, 0, false },
	{ IB_USER_VERBS_CMD_REG_MR, UVERBS_OBJECT_MR, 0, false },
	{ IB_USER_VERBS_CMD_ALLOC_MW, UVERBS_OBJECT_MW, 0, false },
	{ IB_USER_VERBS_CMD_CREATE_AH, UVERBS_OBJECT_AH, 0, false },
	{ IB_USER_VERBS_CMD_OPEN_XRCD, UVERBS_OBJECT_XRCD, 0, false },
	{ IB_USER_VERBS_CMD_OPEN_QP, UVERBS_OBJECT_QP, 0, false },
	{ IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, UVERBS_OBJECT_COMP_CHANNEL, 0,
	  true },
	{ EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_FLOW, UVERBS_OBJECT_FLOW,
	  offsetof(struct ib_uverbs_create_flow_resp, flow_handle), false },
	{ EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL,
	  UVERBS_OBJECT_RWQ_IND_TBL,
	  offsetof(struct ib_uverbs_ex_create_rwq_ind_table_resp,
		   ind_tbl_handle),
	  false },
};

static int new_fd(void)
{
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

static int invoke_write(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_attr *command =
		kernel_find_attr(hdr, UVERBS_ATTR_WRITE_CMD);
	struct ib_uverbs_attr *out =
		kernel_find_attr(hdr, UVERBS_ATTR_CORE_OUT);
	char *reply;

	if (!command)
		return EINVAL;
	if (!out)
		return 0;
	reply = (char *)(uintptr_t)out->data;
	memset(reply, 0, out->len);
	if (command->data & EXTENDED) {
		/* An extended reply tells its own length. */
		uint32_t len = out->len;
		size_t at = sizeof(uint32_t);

		if (command->data ==
		    (EXTENDED | IB_USER_VERBS_EX_CMD_QUERY_DEVICE))
			at = offsetof(struct ib_uverbs_ex_query_device_resp,
				      response_length);
		if (out->len >= at + sizeof(len))
			memcpy(reply + at, &len, sizeof(len));
	}
	for (size_t i = 0; i < sizeof(write_makers) / sizeof(write_makers[0]);
	     i++) {
		const struct write_maker *maker = &write_makers[i];
		uint32_t made;

		if (maker->command != command->data)
			continue;
		made = maker->fd ? (uint32_t)new_fd() : make(maker->object);
		memcpy(reply + maker->offset, &made, sizeof(made));
	}
	return 0;
}

static int simulate(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	(void)fd;
	(void)arg;

	if (hdr->object_id == UVERBS_OBJECT_DEVICE &&
	    hdr->method_id == UVERBS_METHOD_INVOKE_WRITE)
		return invoke_write(hdr);

	for (size_t i = 0; i < sizeof(destroyers) / sizeof(destroyers[0]);
	     i++) {
		const struct destroyer *d = &destroyers[i];

		if (d->object == hdr->object_id &&
		    d->method == hdr->method_id) {
			struct ib_uverbs_attr *attr =
				kernel_find_attr(hdr, d->attr);

			return attr ? destroy(d->object, attr->data) : EINVAL;
		}
	}
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		const struct maker *m = &makers[i];
		struct ib_uverbs_attr *attr;

		if (m->object != hdr->object_id || m->method != hdr->method_id)
			continue;
		attr = kernel_find_attr(hdr, m->attr);
		if (!attr)
			return EINVAL;
		attr->data = m->fd ? (uint64_t)new_fd() : make(m->object);
		attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
	}
	return 0;
}

void kernel_simulate(void)
{
	memset(objects, 0, sizeof(objects));
	last_handle = 0;
	live = 0;
	kernel_answer_with(simulate, NULL);
}
