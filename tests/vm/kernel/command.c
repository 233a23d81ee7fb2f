// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Kernel commands as they are: see command.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "command.h"

static const char *device_name = "sharetest0";
static uint32_t device_driver = RDMA_DRIVER_UNKNOWN;

/* ---- the command itself ---- */

void command_start(struct command *cmd, int object, int method)
{
	memset(cmd, 0, sizeof(*cmd));
	cmd->hdr.object_id = object;
	cmd->hdr.method_id = method;
	cmd->hdr.driver_id = device_driver;
}

static struct ib_uverbs_attr *add_attr(struct command *cmd, int attr,
				       size_t len, uint64_t data)
{
	struct ib_uverbs_attr *a = &cmd->attrs[cmd->hdr.num_attrs++];

	if (cmd->hdr.num_attrs > COMMAND_ATTRS)
		abort();
	a->attr_id = attr;
	a->len = len;
	a->flags = UVERBS_ATTR_F_MANDATORY;
	a->data = data;
	return a;
}

struct ib_uverbs_attr *command_handle(struct command *cmd, int attr,
				      uint32_t handle)
{
	return add_attr(cmd, attr, 0, handle);
}

struct ib_uverbs_attr *command_fd(struct command *cmd, int attr, int fd)
{
	return add_attr(cmd, attr, 0, (int64_t)fd);
}

struct ib_uverbs_attr *command_u32(struct command *cmd, int attr,
				   uint32_t value)
{
	return add_attr(cmd, attr, sizeof(value), value);
}

struct ib_uverbs_attr *command_u64(struct command *cmd, int attr,
				   uint64_t value)
{
	return add_attr(cmd, attr, sizeof(value), value);
}

/* Up to eight bytes in stand in the attribute itself: use command_u64. */
struct ib_uverbs_attr *command_buffer(struct command *cmd, int attr,
				      const void *buf, size_t len)
{
	return add_attr(cmd, attr, len, (uintptr_t)buf);
}

int command_run(struct command *cmd, int fd)
{
	cmd->hdr.length =
		sizeof(cmd->hdr) + cmd->hdr.num_attrs * sizeof(cmd->attrs[0]);
	return ioctl(fd, RDMA_VERBS_IOCTL, &cmd->hdr) ? errno : 0;
}

int command_write(int fd, uint32_t number, const void *in, size_t in_len,
		  void *out, size_t out_len, void *driver, size_t driver_len)
{
	struct command cmd;
	uint64_t data = 0;

	command_start(&cmd, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);
	command_u64(&cmd, UVERBS_ATTR_WRITE_CMD, number);
	if (in_len > sizeof(data)) {
		command_buffer(&cmd, UVERBS_ATTR_CORE_IN, in, in_len);
	} else {
		memcpy(&data, in, in_len);
		command_u64(&cmd, UVERBS_ATTR_CORE_IN, data)->len = in_len;
	}
	if (out_len)
		command_buffer(&cmd, UVERBS_ATTR_CORE_OUT, out, out_len);
	if (driver_len)
		command_buffer(&cmd, UVERBS_ATTR_UHW_OUT, driver, driver_len);
	return command_run(&cmd, fd);
}

/* ---- files ---- */

void select_device(const char *name, uint32_t driver_id)
{
	device_name = name;
	device_driver = driver_id;
}

int open_file(void)
{
	static const char class[] = "/sys/class/infiniband_verbs";
	DIR *dir = opendir(class);
	struct dirent *entry;
	int fd = -1;

	while (fd < 0 && dir && (entry = readdir(dir))) {
		char path[512], name[64] = "";
		FILE *file;

		snprintf(path, sizeof(path), "%s/%s/ibdev", class,
			 entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fscanf(file, "%63s", name) == 1 &&
		    !strcmp(name, device_name)) {
			snprintf(path, sizeof(path), "/dev/infiniband/%s",
				 entry->d_name);
			fd = open(path, O_RDWR | O_CLOEXEC);
		}
		fclose(file);
	}
	if (dir)
		closedir(dir);
	return fd;
}

int make_context(int fd)
{
	struct command cmd;

	command_start(&cmd, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);
	return command_run(&cmd, fd);
}

int open_context(void)
{
	int fd = open_file();
	int ret;

	if (fd < 0) {
		printf("%s: %s\n", device_name, strerror(errno));
		exit(1);
	}
	ret = make_context(fd);
	if (ret) {
		printf("%s: no context: %s\n", device_name, strerror(ret));
		exit(1);
	}
	return fd;
}

/* ---- objects ---- */

int alloc_pd_driver(int fd, uint32_t *handle, void *driver, size_t len)
{
	struct ib_uverbs_alloc_pd in = {};
	struct ib_uverbs_alloc_pd_resp out = {};
	int ret = command_write(fd, IB_USER_VERBS_CMD_ALLOC_PD, &in, sizeof(in),
				&out, sizeof(out), driver, len);

	*handle = out.pd_handle;
	return ret;
}

int alloc_pd(int fd, uint32_t *handle)
{
	return alloc_pd_driver(fd, handle, NULL, 0);
}

int reg_mr(int fd, uint32_t pd, void *addr, uint64_t length, uint32_t access,
	   struct region *mr)
{
	struct ib_uverbs_reg_mr in = {
		.start = (uintptr_t)addr,
		.length = length,
		.hca_va = (uintptr_t)addr,
		.pd_handle = pd,
		.access_flags = access,
	};
	struct ib_uverbs_reg_mr_resp out = {};
	int ret = command_write(fd, IB_USER_VERBS_CMD_REG_MR, &in, sizeof(in),
				&out, sizeof(out), NULL, 0);

	memset(mr, 0, sizeof(*mr));
	mr->handle = out.mr_handle;
	mr->lkey = out.lkey;
	mr->rkey = out.rkey;
	mr->length = length;
	mr->iova = (uintptr_t)addr;
	return ret;
}

int rereg_mr(int fd, uint32_t handle, uint32_t flags, void *addr,
	     uint64_t length, uint32_t access, uint32_t pd)
{
	struct ib_uverbs_rereg_mr in = {
		.mr_handle = handle,
		.flags = flags,
		.start = (uintptr_t)addr,
		.length = length,
		.hca_va = (uintptr_t)addr,
		.pd_handle = pd,
		.access_flags = access,
	};
	struct ib_uverbs_rereg_mr_resp out;

	return command_write(fd, IB_USER_VERBS_CMD_REREG_MR, &in, sizeof(in),
			     &out, sizeof(out), NULL, 0);
}

int alloc_mw(int fd, uint32_t pd, uint32_t *handle)
{
	struct ib_uverbs_alloc_mw in = { .pd_handle = pd, .mw_type = 2 };
	struct ib_uverbs_alloc_mw_resp out = {};
	int ret = command_write(fd, IB_USER_VERBS_CMD_ALLOC_MW, &in, sizeof(in),
				&out, sizeof(out), NULL, 0);

	*handle = out.mw_handle;
	return ret;
}

int create_ah(int fd, uint32_t pd, uint32_t *handle)
{
	struct ib_uverbs_create_ah in = { .pd_handle = pd, .attr.port_num = 1 };
	struct ib_uverbs_create_ah_resp out = {};
	int ret = command_write(fd, IB_USER_VERBS_CMD_CREATE_AH, &in,
				sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.ah_handle;
	return ret;
}

int create_srq(int fd, uint32_t pd, uint32_t *handle)
{
	struct ib_uverbs_create_srq in = { .pd_handle = pd,
					   .max_wr = 4,
					   .max_sge = 1 };
	struct ib_uverbs_create_srq_resp out = {};
	int ret = command_write(fd, IB_USER_VERBS_CMD_CREATE_SRQ, &in,
				sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.srq_handle;
	return ret;
}

int create_cq(int fd, uint32_t *handle)
{
	struct ib_uverbs_create_cq in = { .cqe = 4, .comp_channel = -1 };
	struct ib_uverbs_create_cq_resp out = {};
	int ret = command_write(fd, IB_USER_VERBS_CMD_CREATE_CQ, &in,
				sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.cq_handle;
	return ret;
}

static int create_qp_of(int fd, uint32_t pd, uint32_t cq, int type,
			uint32_t *handle)
{
	struct ib_uverbs_create_qp in = {
		.pd_handle = pd,
		.send_cq_handle = cq,
		.recv_cq_handle = cq,
		.max_send_wr = 1,
		.max_recv_wr = 1,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.qp_type = type,
	};
	struct ib_uverbs_create_qp_resp out = {};
	int ret = command_write(fd, IB_USER_VERBS_CMD_CREATE_QP, &in,
				sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.qp_handle;
	return ret;
}

int create_qp(int fd, uint32_t pd, uint32_t cq, uint32_t *handle)
{
	return create_qp_of(fd, pd, cq, IB_UVERBS_QPT_RC, handle);
}

int create_ud_qp(int fd, uint32_t pd, uint32_t cq, uint32_t *handle)
{
	return create_qp_of(fd, pd, cq, IB_UVERBS_QPT_UD, handle);
}

int open_xrcd(int fd, uint32_t *handle)
{
	struct ib_uverbs_open_xrcd in = { .fd = -1, .oflags = O_CREAT };
	struct ib_uverbs_open_xrcd_resp out = {};
	int ret = command_write(fd, IB_USER_VERBS_CMD_OPEN_XRCD, &in,
				sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.xrcd_handle;
	return ret;
}

int create_counters(int fd, uint32_t *handle)
{
	struct command cmd;
	int ret;

	command_start(&cmd, UVERBS_OBJECT_COUNTERS,
		      UVERBS_METHOD_COUNTERS_CREATE);
	command_handle(&cmd, UVERBS_ATTR_CREATE_COUNTERS_HANDLE, 0);
	ret = command_run(&cmd, fd);
	*handle = cmd.attrs[0].data;
	return ret;
}

int create_rwq_table(int fd, uint32_t wq, uint32_t *handle)
{
	/* One queue, and the kernel rounds up to eight bytes */
	struct {
		struct ib_uverbs_ex_create_rwq_ind_table table;
		uint32_t wq[2];
	} in = { .wq = { wq } };
	struct ib_uverbs_ex_create_rwq_ind_table_resp out = {};
	int ret = command_write(fd,
				IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL |
					IB_USER_VERBS_CMD_FLAG_EXTENDED,
				&in, sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.ind_tbl_handle;
	return ret;
}

int create_flow(int fd, uint32_t ud_qp, uint32_t *handle)
{
	struct ib_uverbs_create_flow in = { .qp_handle = ud_qp,
					    .flow_attr.port = 1 };
	struct ib_uverbs_create_flow_resp out = {};
	int ret = command_write(fd,
				IB_USER_VERBS_EX_CMD_CREATE_FLOW |
					IB_USER_VERBS_CMD_FLAG_EXTENDED,
				&in, sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.flow_handle;
	return ret;
}

int create_wq(int fd, uint32_t pd, uint32_t cq, uint32_t *handle)
{
	struct ib_uverbs_ex_create_wq in = {
		.wq_type = IB_UVERBS_WQT_RQ,
		.pd_handle = pd,
		.cq_handle = cq,
		.max_wr = 1,
		.max_sge = 1,
	};
	struct ib_uverbs_ex_create_wq_resp out = {};
	int ret = command_write(fd,
				IB_USER_VERBS_EX_CMD_CREATE_WQ |
					IB_USER_VERBS_CMD_FLAG_EXTENDED,
				&in, sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.wq_handle;
	return ret;
}

int alloc_dm(int fd, uint32_t *handle)
{
	struct command cmd;
	int ret;

	command_start(&cmd, UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC);
	command_handle(&cmd, UVERBS_ATTR_ALLOC_DM_HANDLE, 0);
	command_u64(&cmd, UVERBS_ATTR_ALLOC_DM_LENGTH, 4096);
	command_u32(&cmd, UVERBS_ATTR_ALLOC_DM_ALIGNMENT, 0);
	ret = command_run(&cmd, fd);
	*handle = cmd.attrs[0].data;
	return ret;
}

int reg_dm_mr(int fd, uint32_t pd, uint32_t dm, uint32_t *handle)
{
	struct command cmd;
	uint32_t lkey = 0, rkey = 0;
	int ret;

	command_start(&cmd, UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG);
	command_handle(&cmd, UVERBS_ATTR_REG_DM_MR_HANDLE, 0);
	command_u64(&cmd, UVERBS_ATTR_REG_DM_MR_OFFSET, 0);
	command_u64(&cmd, UVERBS_ATTR_REG_DM_MR_LENGTH, 4096);
	command_handle(&cmd, UVERBS_ATTR_REG_DM_MR_PD_HANDLE, pd);
	command_handle(&cmd, UVERBS_ATTR_REG_DM_MR_DM_HANDLE, dm);
	command_u32(&cmd, UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS,
		    ACCESS_RW | IB_UVERBS_ACCESS_ZERO_BASED);
	command_buffer(&cmd, UVERBS_ATTR_REG_DM_MR_RESP_LKEY, &lkey,
		       sizeof(lkey));
	command_buffer(&cmd, UVERBS_ATTR_REG_DM_MR_RESP_RKEY, &rkey,
		       sizeof(rkey));
	ret = command_run(&cmd, fd);
	*handle = cmd.attrs[0].data;
	return ret;
}

int reg_dmabuf_mr(int fd, uint32_t pd, int buffer, uint64_t length,
		  uint32_t *handle)
{
	struct command cmd;
	uint32_t lkey = 0, rkey = 0;
	int ret;

	command_start(&cmd, UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR);
	command_handle(&cmd, UVERBS_ATTR_REG_DMABUF_MR_HANDLE, 0);
	command_handle(&cmd, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, pd);
	command_u64(&cmd, UVERBS_ATTR_REG_DMABUF_MR_OFFSET, 0);
	command_u64(&cmd, UVERBS_ATTR_REG_DMABUF_MR_LENGTH, length);
	command_u64(&cmd, UVERBS_ATTR_REG_DMABUF_MR_IOVA, 0);
	command_u32(&cmd, UVERBS_ATTR_REG_DMABUF_MR_FD, buffer);
	command_u32(&cmd, UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, ACCESS_RW);
	command_buffer(&cmd, UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY, &lkey,
		       sizeof(lkey));
	command_buffer(&cmd, UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, &rkey,
		       sizeof(rkey));
	ret = command_run(&cmd, fd);
	*handle = cmd.attrs[0].data;
	return ret;
}

/* The attributes of all these methods have the number 0. */
int destroy(int fd, int object, uint32_t handle)
{
	struct command cmd;
	int method;

	switch (object) {
	case UVERBS_OBJECT_PD:
		method = UVERBS_METHOD_PD_DESTROY;
		break;
	case UVERBS_OBJECT_MR:
		method = UVERBS_METHOD_MR_DESTROY;
		break;
	case UVERBS_OBJECT_MW:
		method = UVERBS_METHOD_MW_DESTROY;
		break;
	case UVERBS_OBJECT_AH:
		method = UVERBS_METHOD_AH_DESTROY;
		break;
	case UVERBS_OBJECT_DM:
		method = UVERBS_METHOD_DM_FREE;
		break;
	case UVERBS_OBJECT_FLOW:
		method = UVERBS_METHOD_FLOW_DESTROY;
		break;
	case UVERBS_OBJECT_XRCD:
		method = UVERBS_METHOD_XRCD_DESTROY;
		break;
	case UVERBS_OBJECT_RWQ_IND_TBL:
		method = UVERBS_METHOD_RWQ_IND_TBL_DESTROY;
		break;
	case UVERBS_OBJECT_COUNTERS:
		method = UVERBS_METHOD_COUNTERS_DESTROY;
		break;
	default:
		return EINVAL;
	}
	command_start(&cmd, object, method);
	command_handle(&cmd, 0, handle);
	return command_run(&cmd, fd);
}

int destroy_qp(int fd, uint32_t handle)
{
	struct ib_uverbs_destroy_qp in = { .qp_handle = handle };
	struct ib_uverbs_destroy_qp_resp out;

	return command_write(fd, IB_USER_VERBS_CMD_DESTROY_QP, &in, sizeof(in),
			     &out, sizeof(out), NULL, 0);
}

int destroy_cq(int fd, uint32_t handle)
{
	struct ib_uverbs_destroy_cq in = { .cq_handle = handle };
	struct ib_uverbs_destroy_cq_resp out;

	return command_write(fd, IB_USER_VERBS_CMD_DESTROY_CQ, &in, sizeof(in),
			     &out, sizeof(out), NULL, 0);
}

int destroy_srq(int fd, uint32_t handle)
{
	struct ib_uverbs_destroy_srq in = { .srq_handle = handle };
	struct ib_uverbs_destroy_srq_resp out;

	return command_write(fd, IB_USER_VERBS_CMD_DESTROY_SRQ, &in, sizeof(in),
			     &out, sizeof(out), NULL, 0);
}

int destroy_wq(int fd, uint32_t handle)
{
	struct ib_uverbs_ex_destroy_wq in = { .wq_handle = handle };
	struct ib_uverbs_ex_destroy_wq_resp out;

	return command_write(fd,
			     IB_USER_VERBS_EX_CMD_DESTROY_WQ |
				     IB_USER_VERBS_CMD_FLAG_EXTENDED,
			     &in, sizeof(in), &out, sizeof(out), NULL, 0);
}

int list_handles(int fd, int object, uint32_t *list, int max)
{
	struct command cmd;
	uint32_t total = 0;
	int ret;

	command_start(&cmd, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INFO_HANDLES);
	command_u64(&cmd, UVERBS_ATTR_INFO_OBJECT_ID, object);
	command_buffer(&cmd, UVERBS_ATTR_INFO_TOTAL_HANDLES, &total,
		       sizeof(total));
	command_buffer(&cmd, UVERBS_ATTR_INFO_HANDLES_LIST, list,
		       max * sizeof(*list));
	ret = command_run(&cmd, fd);
	return ret ? -ret : (int)total;
}

int count_handles(int fd, int object)
{
	uint32_t list[512];

	return list_handles(fd, object, list, 512);
}

/* ---- export and import ---- */

int export_to_fd(int fd, int object, uint32_t handle, int target,
		 uint32_t *new_handle)
{
	struct command cmd;

	command_start(&cmd, object, UVERBS_METHOD_PD_EXPORT_TO_FD);
	command_handle(&cmd, UVERBS_ATTR_EXPORT_TO_FD_HANDLE, handle);
	command_fd(&cmd, UVERBS_ATTR_EXPORT_TO_FD_TARGET, target);
	command_buffer(&cmd, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, new_handle,
		       sizeof(*new_handle));
	return command_run(&cmd, fd);
}

static void start_import(struct command *cmd, int object, int source,
			 uint32_t handle)
{
	command_start(cmd, object, UVERBS_METHOD_PD_IMPORT_FROM_FD);
	command_handle(cmd, UVERBS_ATTR_IMPORT_FROM_FD_HANDLE, 0);
	command_fd(cmd, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE, source);
	command_u32(cmd, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE, handle);
}

int import_pd(int fd, int source, uint32_t handle, uint32_t *new_handle)
{
	struct command cmd;
	int ret;

	start_import(&cmd, UVERBS_OBJECT_PD, source, handle);
	ret = command_run(&cmd, fd);
	*new_handle = cmd.attrs[0].data;
	return ret;
}

int import_pd_driver(int fd, int source, uint32_t handle, uint32_t *new_handle,
		     void *driver, uint32_t *driver_len)
{
	struct command cmd;
	int ret;

	start_import(&cmd, UVERBS_OBJECT_PD, source, handle);
	if (*driver_len)
		command_buffer(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER,
			       driver, *driver_len);
	command_buffer(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN,
		       driver_len, sizeof(*driver_len));
	ret = command_run(&cmd, fd);
	*new_handle = cmd.attrs[0].data;
	return ret;
}

int import_mr(int fd, int source, uint32_t handle, struct region *mr)
{
	struct ib_uverbs_attr *pd;
	struct command cmd;
	int ret;

	memset(mr, 0, sizeof(*mr));
	start_import(&cmd, UVERBS_OBJECT_MR, source, handle);
	command_buffer(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY, &mr->lkey,
		       sizeof(mr->lkey));
	command_buffer(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY, &mr->rkey,
		       sizeof(mr->rkey));
	command_buffer(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH,
		       &mr->length, sizeof(mr->length));
	command_buffer(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA, &mr->iova,
		       sizeof(mr->iova));
	pd = command_buffer(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE,
			    &mr->pd, sizeof(mr->pd));
	pd->flags = 0;
	ret = command_run(&cmd, fd);
	mr->handle = cmd.attrs[0].data;
	mr->has_pd = pd->flags & UVERBS_ATTR_F_VALID_OUTPUT;
	return ret;
}
