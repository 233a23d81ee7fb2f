// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The kernel: see fake_kernel.h. */
#include <endian.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#include "check.h"
#include "fake_kernel.h"
#include "kernel_script.h"
#include "uverbs/uverbs.h"

#define MAX_FILES 64
#define MAX_LOG 8192
#define EXTENDED IB_USER_VERBS_CMD_FLAG_EXTENDED

static const struct plugin *plugin;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int files[MAX_FILES];
static size_t num_files;
static struct logged entries[MAX_LOG];
static size_t num_entries;
static unsigned int written;
static size_t left;
static unsigned int uars;
static uint32_t next_uar, next_qp_num;
static unsigned int fail_in;
static int fail_errno;

/* kernel_sim.c gives its function to kernel_script.c, which is not here. */
static int (*simulate)(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg);

void kernel_answer_with(int (*fn)(int fd, struct ib_uverbs_ioctl_hdr *hdr,
				  void *arg),
			void *arg)
{
	(void)arg;
	simulate = fn;
}

/* ---- attributes ---- */

static const void *in_bytes(const struct ib_uverbs_attr *attr)
{
	return attr->len > 8 ? (const void *)(uintptr_t)attr->data
			     : &attr->data;
}

static void get(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id, void *to,
		size_t len)
{
	const struct ib_uverbs_attr *attr = kernel_find_attr(hdr, id);

	memset(to, 0, len);
	if (attr)
		memcpy(to, in_bytes(attr), attr->len < len ? attr->len : len);
}

static void put(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id, const void *from,
		size_t len)
{
	struct ib_uverbs_attr *attr = kernel_find_attr(hdr, id);
	char *to;

	if (!attr)
		return;
	to = (char *)(uintptr_t)attr->data;
	memset(to, 0, attr->len);
	memcpy(to, from, len < attr->len ? len : attr->len);
	attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

static void put_u32(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id,
		    uint32_t value)
{
	put(hdr, id, &value, sizeof(value));
}

static void put_reply(struct ib_uverbs_ioctl_hdr *hdr,
		      const struct reply *reply)
{
	put(hdr, UVERBS_ATTR_UHW_OUT, reply->bytes ? reply->bytes : "",
	    reply->len);
}

/* ---- what the device is and can ---- */

static struct ib_uverbs_query_device_resp device = {
	.fw_ver = 0x0001000200030004,
	.max_mr_size = UINT64_MAX,
	.page_size_cap = 0xfffff000,
	.vendor_id = 0x1234,
	.hw_ver = 0x130, /* hns: one that has address handles */
	.max_qp = 1024,
	.max_qp_wr = 1024,
	.max_sge = 4,
	.max_sge_rd = 4,
	.max_cq = 1024,
	.max_cqe = 4096,
	.max_mr = 1024,
	.max_pd = 1024,
	.max_qp_rd_atom = 16,
	.max_res_rd_atom = 1024,
	.max_qp_init_rd_atom = 16,
	.max_mw = 1024,
	.max_ah = 1024,
	.max_srq = 1024,
	.max_srq_wr = 1024,
	.max_srq_sge = 4,
	.max_pkeys = 1,
	.phys_port_cnt = 1,
};

static const struct ib_uverbs_query_port_resp port = {
	.max_msg_sz = 1 << 30,
	.gid_tbl_len = 8,
	.pkey_tbl_len = 1,
	.lid = 1,
	.state = IBV_PORT_ACTIVE,
	.max_mtu = IBV_MTU_4096,
	.active_mtu = IBV_MTU_1024,
	.active_width = 1,
	.active_speed = 1,
	.phys_state = 5,
};

static int query_device(struct ib_uverbs_ioctl_hdr *hdr, bool extended)
{
	struct ib_uverbs_ex_query_device_resp ex = {
		.base = device,
		.response_length = sizeof(ex),
	};

	if (extended)
		put(hdr, UVERBS_ATTR_CORE_OUT, &ex, sizeof(ex));
	else
		put(hdr, UVERBS_ATTR_CORE_OUT, &device, sizeof(device));
	put_reply(hdr, &plugin->query_device);
	return 0;
}

static int query_port(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_query_port_resp_ex ex = { .legacy_resp = port };

	ex.legacy_resp.link_layer = plugin->infiniband
					    ? IBV_LINK_LAYER_INFINIBAND
					    : IBV_LINK_LAYER_ETHERNET;
	put(hdr, UVERBS_ATTR_QUERY_PORT_RESP, &ex, sizeof(ex));
	return 0;
}

/* ---- PDs, MRs and files ---- */

static int model_answers(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	return uverbs_ioctl(fd, hdr) ? errno : 0;
}

/* The reply to a PD's maker is what an import of it would tell. */
static int pd_reply(int fd, uint32_t handle, void *reply, size_t size)
{
	struct {
		struct ib_uverbs_ioctl_hdr hdr;
		struct ib_uverbs_attr attrs[5];
	} request = { 0 };
	uint32_t len = 0;
	int file, ret;

	file = model_open(0);
	request.hdr.length = sizeof(request);
	request.hdr.object_id = UVERBS_OBJECT_PD;
	request.hdr.method_id = UVERBS_METHOD_PD_IMPORT_FROM_FD;
	request.hdr.num_attrs = 5;
	request.attrs[0].attr_id = UVERBS_ATTR_IMPORT_FROM_FD_HANDLE;
	request.attrs[1].attr_id = UVERBS_ATTR_IMPORT_FROM_FD_SOURCE;
	request.attrs[1].data = fd;
	request.attrs[2].attr_id = UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE;
	request.attrs[2].len = sizeof(uint32_t);
	request.attrs[2].data = handle;
	request.attrs[3].attr_id = UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER;
	request.attrs[3].len = size;
	request.attrs[3].data = (uintptr_t)reply;
	request.attrs[4].attr_id = UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN;
	request.attrs[4].len = sizeof(len);
	request.attrs[4].data = (uintptr_t)&len;
	ret = model_answers(file, &request.hdr);
	model_close(file);
	close(file);
	return ret;
}

void fake_kernel_pd_reply(int fd, uint32_t handle, void *reply, size_t size)
{
	memset(reply, 0, size);
	CHECK_INT(pd_reply(fd, handle, reply, size), 0);
}

static int mlx5_pd_query(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct ib_uverbs_attr *pd =
		kernel_find_attr(hdr, MLX5_IB_ATTR_QUERY_PD_HANDLE);
	uint32_t pdn = 0;
	int ret;

	if (!pd)
		return EINVAL;
	ret = pd_reply(fd, pd->data, &pdn, sizeof(pdn));
	if (!ret)
		put_u32(hdr, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, pdn);
	return ret;
}

/* ---- other objects ---- */

static int create_cq(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	uint32_t cqe;
	int ret = simulate(fd, hdr, NULL);

	if (ret)
		return ret;
	get(hdr, UVERBS_ATTR_CREATE_CQ_CQE, &cqe, sizeof(cqe));
	put_u32(hdr, UVERBS_ATTR_CREATE_CQ_RESP_CQE, cqe);
	put_reply(hdr, &plugin->cq);
	return 0;
}

static int create_qp(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_qp_cap cap;
	int ret = simulate(fd, hdr, NULL);

	if (ret)
		return ret;
	get(hdr, UVERBS_ATTR_CREATE_QP_CAP, &cap, sizeof(cap));
	put(hdr, UVERBS_ATTR_CREATE_QP_RESP_CAP, &cap, sizeof(cap));
	put_u32(hdr, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, 0x100 + next_qp_num++);
	put_reply(hdr, &plugin->qp);
	return 0;
}

static int create_srq(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	uint32_t value;
	int ret = simulate(fd, hdr, NULL);

	if (ret)
		return ret;
	get(hdr, UVERBS_ATTR_CREATE_SRQ_MAX_WR, &value, sizeof(value));
	put_u32(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, value);
	get(hdr, UVERBS_ATTR_CREATE_SRQ_MAX_SGE, &value, sizeof(value));
	put_u32(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, value);
	put_u32(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, 7);
	put_reply(hdr, &plugin->srq);
	return 0;
}

static int mlx5_uar(struct ib_uverbs_ioctl_hdr *hdr)
{
	uint64_t offset = ++next_uar * 4096ull;
	struct ib_uverbs_attr *made;

	if (hdr->method_id == MLX5_IB_METHOD_UAR_OBJ_DESTROY) {
		CHECK(uars);
		uars--;
		return 0;
	}
	made = kernel_find_attr(hdr, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);
	if (hdr->method_id != MLX5_IB_METHOD_UAR_OBJ_ALLOC || !made)
		return EPROTONOSUPPORT;
	uars++;
	made->data = next_uar;
	put(hdr, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, &offset,
	    sizeof(offset));
	put_u32(hdr, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, 4096);
	put_u32(hdr, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, next_uar);
	return 0;
}

/* Was DEVX in the request for the file's context? */
static bool has_devx(int fd)
{
	struct mlx5_ib_alloc_ucontext_req_v2 request = { 0 };

	for (size_t i = num_entries; i-- > 0;) {
		const struct logged *entry = &entries[i];

		if (entry->fd != fd || entry->err ||
		    entry->command.object != UVERBS_OBJECT_DEVICE ||
		    entry->command.method != UVERBS_METHOD_GET_CONTEXT)
			continue;
		memcpy(&request, entry->driver_in, sizeof(request));
		break;
	}
	return request.flags & MLX5_IB_ALLOC_UCTX_DEVX;
}

#define MLX5_QUERY_HCA_CAP 0x100 /* opcode of the firmware's command */

/*
 * None of it is simulated; but without DEVX the driver (of Linux 6.1, which may
 * or may not tell capabilities to everybody) does not even try.
 */
static int mlx5_devx(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	uint16_t opcode;

	if (has_devx(fd))
		return EPROTONOSUPPORT;
	if (hdr->object_id == MLX5_IB_OBJECT_DEVX &&
	    hdr->method_id == MLX5_IB_METHOD_DEVX_OTHER) {
		get(hdr, MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, &opcode,
		    sizeof(opcode));
		if (be16toh(opcode) == MLX5_QUERY_HCA_CAP)
			return EOPNOTSUPP;
	}
	return EINVAL;
}

/* The kernel fills what it has to say of a destroyed object. */
static int destroy(int fd, struct ib_uverbs_ioctl_hdr *hdr, uint16_t resp)
{
	int ret = simulate(fd, hdr, NULL);

	if (!ret)
		put(hdr, resp, "", 0);
	return ret;
}

/* ---- commands ---- */

static int older_command(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct ib_uverbs_attr *command =
		kernel_find_attr(hdr, UVERBS_ATTR_WRITE_CMD);
	int ret;

	if (!command)
		return EINVAL;
	switch (command->data) {
	case IB_USER_VERBS_CMD_QUERY_DEVICE:
		return query_device(hdr, false);
	case EXTENDED | IB_USER_VERBS_EX_CMD_QUERY_DEVICE:
		return query_device(hdr, true);
	case IB_USER_VERBS_CMD_ALLOC_PD:
	case IB_USER_VERBS_CMD_REREG_MR:
	case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL:
		return model_answers(fd, hdr);
	case IB_USER_VERBS_CMD_REG_MR:
		ret = model_answers(fd, hdr);
		if (!ret)
			put_reply(hdr, &plugin->mr);
		return ret;
	case IB_USER_VERBS_CMD_CREATE_AH:
		ret = simulate(fd, hdr, NULL);
		if (!ret)
			put_reply(hdr, &plugin->ah);
		return ret;
	case IB_USER_VERBS_CMD_ALLOC_MW:
	case IB_USER_VERBS_CMD_MODIFY_QP:
	case EXTENDED | IB_USER_VERBS_EX_CMD_MODIFY_QP:
	case IB_USER_VERBS_CMD_REQ_NOTIFY_CQ:
	case IB_USER_VERBS_CMD_POST_SEND:
	case IB_USER_VERBS_CMD_POST_RECV:
	case IB_USER_VERBS_CMD_POST_SRQ_RECV:
		return simulate(fd, hdr, NULL);
	default:
		return EOPNOTSUPP;
	}
}

static int answer(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	const uint16_t object = hdr->object_id, method = hdr->method_id;
	int ret;

	switch (object) {
	case UVERBS_OBJECT_DEVICE:
		if (method == UVERBS_METHOD_INVOKE_WRITE)
			return older_command(fd, hdr);
		if (method == UVERBS_METHOD_QUERY_PORT)
			return query_port(hdr);
		ret = model_answers(fd, hdr);
		if (!ret && method == UVERBS_METHOD_GET_CONTEXT)
			put_reply(hdr, &plugin->context);
		return ret;
	case UVERBS_OBJECT_PD:
		if (method == MLX5_IB_METHOD_PD_QUERY &&
		    plugin->driver_id == RDMA_DRIVER_MLX5)
			return mlx5_pd_query(fd, hdr);
		return model_answers(fd, hdr);
	case UVERBS_OBJECT_MR:
	case UVERBS_OBJECT_ASYNC_EVENT:
		return model_answers(fd, hdr);
	case UVERBS_OBJECT_CQ:
		if (method == UVERBS_METHOD_CQ_CREATE)
			return create_cq(fd, hdr);
		return destroy(fd, hdr, UVERBS_ATTR_DESTROY_CQ_RESP);
	case UVERBS_OBJECT_QP:
		if (method == UVERBS_METHOD_QP_CREATE)
			return create_qp(fd, hdr);
		return destroy(fd, hdr, UVERBS_ATTR_DESTROY_QP_RESP);
	case UVERBS_OBJECT_SRQ:
		if (method == UVERBS_METHOD_SRQ_CREATE)
			return create_srq(fd, hdr);
		return destroy(fd, hdr, UVERBS_ATTR_DESTROY_SRQ_RESP);
	case UVERBS_OBJECT_AH:
	case UVERBS_OBJECT_MW:
		return simulate(fd, hdr, NULL);
	case MLX5_IB_OBJECT_UAR:
		if (plugin->driver_id == RDMA_DRIVER_MLX5)
			return mlx5_uar(hdr);
		return EPROTONOSUPPORT;
	case MLX5_IB_OBJECT_DEVX:
	case MLX5_IB_OBJECT_DEVX_OBJ:
	case MLX5_IB_OBJECT_DEVX_UMEM:
	case MLX5_IB_OBJECT_PP:
		if (plugin->driver_id == RDMA_DRIVER_MLX5)
			return mlx5_devx(fd, hdr);
		return EPROTONOSUPPORT;
	default:
		return EPROTONOSUPPORT;
	}
}

/* ---- the log ---- */

static uint32_t handle_in(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id)
{
	const struct ib_uverbs_attr *attr = kernel_find_attr(hdr, id);

	return attr ? attr->data : NO_HANDLE;
}

static uint32_t pd_in_bytes(uint32_t number, const void *bytes)
{
	switch (number) {
	case IB_USER_VERBS_CMD_REG_MR:
		return ((const struct ib_uverbs_reg_mr *)bytes)->pd_handle;
	case IB_USER_VERBS_CMD_ALLOC_MW:
		return ((const struct ib_uverbs_alloc_mw *)bytes)->pd_handle;
	case IB_USER_VERBS_CMD_CREATE_AH:
		return ((const struct ib_uverbs_create_ah *)bytes)->pd_handle;
	default:
		return NO_HANDLE;
	}
}

static void log_request(struct logged *entry, int fd,
			struct ib_uverbs_ioctl_hdr *hdr)
{
	const uint16_t object = hdr->object_id, method = hdr->method_id;
	const struct ib_uverbs_attr *attr;

	memset(entry, 0, sizeof(*entry));
	entry->fd = fd;
	entry->command.object = object;
	entry->command.method = method;
	entry->pd = NO_HANDLE;
	if (object == UVERBS_OBJECT_DEVICE &&
	    method == UVERBS_METHOD_INVOKE_WRITE) {
		entry->command.number = handle_in(hdr, UVERBS_ATTR_WRITE_CMD);
		get(hdr, UVERBS_ATTR_CORE_IN, entry->bytes,
		    sizeof(entry->bytes));
		entry->pd = pd_in_bytes(entry->command.number, entry->bytes);
	} else if (object == UVERBS_OBJECT_QP &&
		   method == UVERBS_METHOD_QP_CREATE) {
		entry->pd = handle_in(hdr, UVERBS_ATTR_CREATE_QP_PD_HANDLE);
	} else if (object == UVERBS_OBJECT_SRQ &&
		   method == UVERBS_METHOD_SRQ_CREATE) {
		entry->pd = handle_in(hdr, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE);
	}
	attr = kernel_find_attr(hdr, UVERBS_ATTR_UHW_IN);
	if (attr) {
		entry->driver_in_len = attr->len;
		get(hdr, UVERBS_ATTR_UHW_IN, entry->driver_in,
		    sizeof(entry->driver_in));
	}
	attr = kernel_find_attr(hdr, UVERBS_ATTR_UHW_OUT);
	if (attr)
		entry->driver_out_len = attr->len;
}

/*
 * Of PDs and MRs: methods have it in the first attribute, older commands that
 * make something at the start of their reply.
 */
static uint32_t object_of(struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct ib_uverbs_attr *out;

	if (!hdr->num_attrs)
		return NO_HANDLE;
	if (hdr->object_id != UVERBS_OBJECT_DEVICE ||
	    hdr->method_id != UVERBS_METHOD_INVOKE_WRITE)
		return hdr->attrs[0].data;
	out = kernel_find_attr(hdr, UVERBS_ATTR_CORE_OUT);
	if (!out || out->len < sizeof(uint32_t))
		return NO_HANDLE;
	return *(const uint32_t *)(uintptr_t)out->data;
}

/*
 * A command number and nothing else: the question whether there is INVOKE_WRITE.
 * When to ask it is the library's own business.
 */
static bool asks_for_invoke_write(struct ib_uverbs_ioctl_hdr *hdr)
{
	return hdr->object_id == UVERBS_OBJECT_DEVICE &&
	       hdr->method_id == UVERBS_METHOD_INVOKE_WRITE &&
	       hdr->num_attrs == 1;
}

int fake_kernel_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	struct logged *entry;
	int ret;

	if (asks_for_invoke_write(hdr)) {
		errno = ENOSPC;
		return -1;
	}
	pthread_mutex_lock(&lock);
	CHECK(num_entries < MAX_LOG);
	entry = &entries[num_entries++];
	log_request(entry, fd, hdr);
	ret = fail_in == 1 ? fail_errno : answer(fd, hdr);
	if (fail_in)
		fail_in--;
	entry->err = ret;
	entry->object = object_of(hdr);
	pthread_mutex_unlock(&lock);
	if (!ret)
		return 0;
	errno = ret;
	return -1;
}

void fake_kernel_fail(unsigned int n, int err)
{
	fail_in = n;
	fail_errno = err;
}

size_t log_length(void)
{
	return num_entries;
}

const struct logged *log_entry(size_t n)
{
	CHECK(n < num_entries);
	return &entries[n];
}

static bool is(const struct logged *entry, struct model_command command)
{
	return entry->command.object == command.object &&
	       entry->command.method == command.method &&
	       entry->command.number == command.number;
}

size_t log_count(size_t from, struct model_command command)
{
	size_t count = 0;

	for (; from < num_entries; from++)
		count += is(&entries[from], command);
	return count;
}

const struct logged *log_first(size_t from, struct model_command command)
{
	for (; from < num_entries; from++)
		if (is(&entries[from], command))
			return &entries[from];
	return NULL;
}

void fake_kernel_written(void)
{
	__atomic_add_fetch(&written, 1, __ATOMIC_RELAXED);
}

unsigned int log_written(void)
{
	return written;
}

/* ---- files ---- */

/* The port has one address: 127.0.0.1, RoCE v2. */
static void fill_gids(void)
{
	model_gids[0] = (struct ibv_gid_entry){
		.gid.raw = { [10] = 0xff, 0xff, 127, 0, 0, 1 },
		.port_num = 1,
		.gid_type = IBV_GID_TYPE_ROCE_V2,
		.ndev_ifindex = 1,
	};
	model_num_gids = 1;
}

void fake_kernel_start(const struct plugin *new)
{
	CHECK_INT(fake_kernel_files(), 0);
	plugin = new;
	device.vendor_part_id = plugin->part_id;
	num_entries = 0;
	written = 0;
	left = 0;
	model_reset();
	model.pd_reply = plugin->pd_reply;
	fill_gids();
	kernel_simulate();
}

int fake_kernel_open(void)
{
	int fd = model_open(0);

	pthread_mutex_lock(&lock);
	CHECK(num_files < MAX_FILES);
	files[num_files++] = fd;
	pthread_mutex_unlock(&lock);
	return fd;
}

bool fake_kernel_has(int fd)
{
	for (size_t i = 0; i < num_files; i++)
		if (files[i] == fd)
			return true;
	return false;
}

void fake_kernel_close(int fd)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < num_files; i++) {
		if (files[i] != fd)
			continue;
		files[i] = files[--num_files];
		left += model_handles(fd);
		model_close(fd);
		break;
	}
	pthread_mutex_unlock(&lock);
}

void fake_kernel_fill(void *mapping, size_t len, bool writable)
{
	const struct reply *start =
		writable ? &plugin->queue : &plugin->read_only;

	CHECK(len >= start->len);
	if (start->len)
		memcpy(mapping, start->bytes, start->len);
}

size_t fake_kernel_objects(void)
{
	return model_objects() + kernel_live_objects() + uars;
}

size_t fake_kernel_files(void)
{
	return num_files;
}

size_t fake_kernel_left(void)
{
	return left;
}
