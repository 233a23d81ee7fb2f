// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The model of the kernel: see model_kernel.h. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#include "check.h"
#include "model_kernel.h"
#include "uverbs/uverbs.h"

#define MAX_FILES 64
#define MAX_HANDLES 256
#define MAX_OBJECTS 512
#define MAX_FAULTS 8
#define MAX_COUNTS 32

struct object {
	uint16_t type;	   /* 0: free */
	unsigned int refs; /* handles, and MRs that keep their PD */
	unsigned int aliases;
	struct object *pd;
	uint32_t key;
	uint64_t length, iova;
	uint8_t reply[64];
};

struct handle {
	struct object *object;
	/* An MR that was created in this file: the PD's handle; else -1 */
	int64_t created_on;
	/* Somebody put it here: this file's owner need not know of it. */
	bool exported;
};

struct file {
	bool open;
	int fd, device;
	struct handle handles[MAX_HANDLES];
};

struct model_options model;
struct ibv_gid_entry model_gids[MODEL_GIDS];
unsigned int model_num_gids;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file files[MAX_FILES];
static struct object objects[MAX_OBJECTS];
static size_t num_objects;
static uint32_t next_key;
static struct {
	struct model_command command;
	int err;
} faults[MAX_FAULTS];
static struct {
	struct model_command command;
	unsigned int calls;
} counts[MAX_COUNTS];
/* Descriptors of channels: ours by the library's */
static int channel_peer[1024];

/* ---- objects and handles ---- */

/* Not malloc: a test may make the library's allocations fail. */
static struct object *new_object(uint16_t type)
{
	struct object *object = objects;
	size_t i;

	while (object < objects + MAX_OBJECTS && object->type)
		object++;
	CHECK(object < objects + MAX_OBJECTS);
	memset(object, 0, sizeof(*object));
	object->type = type;
	object->key = ++next_key * 0x100;
	for (i = 0; i < sizeof(object->reply); i++)
		object->reply[i] = next_key + i;
	num_objects++;
	return object;
}

static void put_object(struct object *object)
{
	if (--object->refs)
		return;
	if (object->pd)
		put_object(object->pd);
	object->type = 0;
	num_objects--;
}

static struct file *find_file(int fd)
{
	for (size_t i = 0; i < MAX_FILES; i++)
		if (files[i].open && files[i].fd == fd)
			return &files[i];
	return NULL;
}

static struct handle *find_handle(struct file *file, uint64_t handle)
{
	if (handle >= MAX_HANDLES || !file->handles[handle].object)
		return NULL;
	return &file->handles[handle];
}

/* As the kernel does: the lowest that is free */
static uint32_t add_handle(struct file *file, struct object *object)
{
	uint32_t handle = 0;

	while (handle < MAX_HANDLES && file->handles[handle].object)
		handle++;
	CHECK(handle < MAX_HANDLES);
	file->handles[handle].object = object;
	file->handles[handle].created_on = -1;
	file->handles[handle].exported = false;
	object->refs++;
	object->aliases++;
	return handle;
}

static void remove_handle(struct handle *handle)
{
	struct object *object = handle->object;

	handle->object = NULL;
	object->aliases--;
	put_object(object);
}

static int check_handle(struct file *file, uint64_t number, uint16_t type,
			struct handle **handle)
{
	*handle = find_handle(file, number);
	if (!*handle)
		return ENOENT;
	return (*handle)->object->type == type ? 0 : EINVAL;
}

static int destroy(struct file *file, uint64_t number, uint16_t type)
{
	struct handle *handle;
	int ret = check_handle(file, number, type, &handle);

	if (ret)
		return ret;
	for (size_t i = 0; i < MAX_HANDLES; i++)
		if (file->handles[i].object &&
		    file->handles[i].created_on == (int64_t)number)
			return EBUSY;
	remove_handle(handle);
	return 0;
}

/* ---- attributes ---- */

static struct ib_uverbs_attr *find_attr(struct ib_uverbs_ioctl_hdr *hdr,
					uint16_t id)
{
	for (unsigned int i = 0; i < hdr->num_attrs; i++)
		if (hdr->attrs[i].attr_id == id)
			return &hdr->attrs[i];
	return NULL;
}

static struct ib_uverbs_attr *need_attr(struct ib_uverbs_ioctl_hdr *hdr,
					uint16_t id)
{
	struct ib_uverbs_attr *attr = find_attr(hdr, id);

	CHECK(attr && "mandatory attribute");
	return attr;
}

static const void *attr_in(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id,
			   size_t len)
{
	struct ib_uverbs_attr *attr = need_attr(hdr, id);

	CHECK(attr->len >= len);
	return attr->len > 8 ? (const void *)(uintptr_t)attr->data
			     : &attr->data;
}

static void attr_out(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id,
		     const void *from, size_t len)
{
	struct ib_uverbs_attr *attr = find_attr(hdr, id);

	if (!attr)
		return;
	memcpy((void *)(uintptr_t)attr->data, from,
	       len < attr->len ? len : attr->len);
	attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

static uint64_t attr_value(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id)
{
	return need_attr(hdr, id)->data;
}

/* ---- commands ---- */

static int alloc_pd(struct file *file, struct ib_uverbs_ioctl_hdr *hdr)
{
	struct object *pd = new_object(UVERBS_OBJECT_PD);
	struct ib_uverbs_alloc_pd_resp resp = { .pd_handle =
							add_handle(file, pd) };

	attr_out(hdr, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	attr_out(hdr, UVERBS_ATTR_UHW_OUT, pd->reply, model.pd_reply);
	return 0;
}

static int reg_mr(struct file *file, struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct ib_uverbs_reg_mr *cmd =
		attr_in(hdr, UVERBS_ATTR_CORE_IN, sizeof(*cmd));
	struct ib_uverbs_reg_mr_resp resp = { 0 };
	struct handle *pd;
	struct object *mr;
	int ret = check_handle(file, cmd->pd_handle, UVERBS_OBJECT_PD, &pd);

	if (ret)
		return ret;
	mr = new_object(UVERBS_OBJECT_MR);
	mr->length = cmd->length;
	mr->iova = cmd->hca_va;
	mr->pd = pd->object;
	mr->pd->refs++;
	resp.mr_handle = add_handle(file, mr);
	resp.lkey = mr->key;
	resp.rkey = mr->key + 1;
	file->handles[resp.mr_handle].created_on = cmd->pd_handle;
	attr_out(hdr, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	return 0;
}

static int rereg_mr(struct file *file, struct ib_uverbs_ioctl_hdr *hdr)
{
	const struct ib_uverbs_rereg_mr *cmd =
		attr_in(hdr, UVERBS_ATTR_CORE_IN, sizeof(*cmd));
	struct ib_uverbs_rereg_mr_resp resp = { 0 };
	struct handle *mr;
	int ret = check_handle(file, cmd->mr_handle, UVERBS_OBJECT_MR, &mr);

	if (ret)
		return ret;
	if (mr->object->aliases > 1)
		return EBUSY;
	resp.lkey = mr->object->key;
	resp.rkey = mr->object->key + 1;
	attr_out(hdr, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	return 0;
}

static int create_comp_channel(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_create_comp_channel_resp resp;
	int pair[2];

	/* Whole records, or less if the test wants to. */
	CHECK(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair));
	CHECK(pair[0] < 1024);
	if (channel_peer[pair[0]])
		close(channel_peer[pair[0]]);
	channel_peer[pair[0]] = pair[1];
	resp.fd = pair[0];
	attr_out(hdr, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	return 0;
}

static int older_command(struct file *file, struct ib_uverbs_ioctl_hdr *hdr)
{
	switch (attr_value(hdr, UVERBS_ATTR_WRITE_CMD)) {
	case IB_USER_VERBS_CMD_ALLOC_PD:
		return alloc_pd(file, hdr);
	case IB_USER_VERBS_CMD_REG_MR:
		return reg_mr(file, hdr);
	case IB_USER_VERBS_CMD_REREG_MR:
		return rereg_mr(file, hdr);
	case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL:
		return create_comp_channel(hdr);
	default:
		return EOPNOTSUPP;
	}
}

/* The other file of export and import */
static int other_file(struct file *file, struct ib_uverbs_attr *attr,
		      struct file **other)
{
	int fd = attr->data_s64;

	CHECK_INT(attr->len, 0);
	if (fcntl(fd, F_GETFD) < 0)
		return EBADF;
	*other = find_file(fd);
	if (!*other)
		return EINVAL;
	return (*other)->device == file->device ? 0 : EXDEV;
}

static int export_object(struct file *file, struct ib_uverbs_ioctl_hdr *hdr)
{
	struct handle *handle;
	struct file *target;
	uint32_t made;
	int ret;

	ret = other_file(file, need_attr(hdr, UVERBS_ATTR_EXPORT_TO_FD_TARGET),
			 &target);
	if (!ret)
		ret = check_handle(file,
				   attr_value(hdr,
					      UVERBS_ATTR_EXPORT_TO_FD_HANDLE),
				   hdr->object_id, &handle);
	if (ret)
		return ret;
	made = add_handle(target, handle->object);
	target->handles[made].exported = true;
	attr_out(hdr, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, &made,
		 sizeof(made));
	return 0;
}

static uint32_t pd_handle_in(struct file *file, const struct object *mr)
{
	for (uint32_t i = 0; i < MAX_HANDLES; i++)
		if (file->handles[i].object == mr->pd &&
		    !file->handles[i].exported)
			return i;
	return UINT32_MAX;
}

static void reply_mr(struct file *file, struct ib_uverbs_ioctl_hdr *hdr,
		     const struct object *mr)
{
	uint32_t lkey = mr->key, rkey = mr->key + 1;
	uint64_t length = model.mr_absurd ? UINT64_MAX : mr->length;
	uint64_t iova = model.mr_absurd ? UINT64_MAX : mr->iova;
	uint32_t pd = pd_handle_in(file, mr);

	attr_out(hdr, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY, &lkey,
		 sizeof(lkey));
	attr_out(hdr, UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY, &rkey,
		 sizeof(rkey));
	attr_out(hdr, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH, &length,
		 sizeof(length));
	attr_out(hdr, UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA, &iova,
		 sizeof(iova));
	if (model.mr_absurd)
		pd = 0xfffffff0;
	if (pd != UINT32_MAX && !model.pd_unknown)
		attr_out(hdr, UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE, &pd,
			 sizeof(pd));
}

static void reply_pd(struct ib_uverbs_ioctl_hdr *hdr, const struct object *pd)
{
	uint32_t len = model.reply_lost	    ? 0
		       : model.reply_absurd ? UINT32_MAX
					    : model.pd_reply;

	uint8_t reply[sizeof(pd->reply)];

	for (size_t i = 0; i < sizeof(reply); i++)
		reply[i] = pd->reply[i] ^ (model.reply_forged ? 0x5a : 0);
	attr_out(hdr, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER, reply,
		 model.pd_reply);
	attr_out(hdr, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN, &len,
		 sizeof(len));
}

static int import_object(struct file *file, struct ib_uverbs_ioctl_hdr *hdr)
{
	const uint32_t *number =
		attr_in(hdr, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE, 4);
	struct handle *handle;
	struct file *source;
	int ret;

	ret = other_file(file,
			 need_attr(hdr, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE),
			 &source);
	if (!ret)
		ret = check_handle(source, *number, hdr->object_id, &handle);
	if (ret)
		return ret;
	if (hdr->object_id == UVERBS_OBJECT_MR)
		reply_mr(file, hdr, handle->object);
	else
		reply_pd(hdr, handle->object);
	need_attr(hdr, UVERBS_ATTR_IMPORT_FROM_FD_HANDLE)->data =
		add_handle(file, handle->object);
	return 0;
}

static int query_mr(struct file *file, struct ib_uverbs_ioctl_hdr *hdr)
{
	uint32_t lkey, rkey;
	struct handle *handle;
	int ret =
		check_handle(file, attr_value(hdr, UVERBS_ATTR_QUERY_MR_HANDLE),
			     UVERBS_OBJECT_MR, &handle);

	if (ret)
		return ret;
	lkey = handle->object->key;
	rkey = lkey + 1;
	attr_out(hdr, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &lkey, sizeof(lkey));
	attr_out(hdr, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &rkey, sizeof(rkey));
	attr_out(hdr, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &handle->object->length,
		 sizeof(handle->object->length));
	return 0;
}

static bool gid_is_empty(const struct ibv_gid_entry *entry)
{
	return !entry->gid.global.subnet_prefix &&
	       !entry->gid.global.interface_id;
}

static int query_gid_entry(struct ib_uverbs_ioctl_hdr *hdr)
{
	uint64_t index = attr_value(hdr, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX);

	if (attr_value(hdr, UVERBS_ATTR_QUERY_GID_ENTRY_PORT) != 1 ||
	    attr_value(hdr, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS) ||
	    index >= model_num_gids)
		return EINVAL;
	if (gid_is_empty(&model_gids[index]))
		return ENODATA;
	attr_out(hdr, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY,
		 &model_gids[index], sizeof(model_gids[index]));
	return 0;
}

static int query_gid_table(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_attr *out =
		need_attr(hdr, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES);
	uint64_t size = attr_value(hdr, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE);
	uint64_t count = 0;

	if (attr_value(hdr, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS))
		return EINVAL;
	for (unsigned int i = 0; i < model_num_gids; i++) {
		if (gid_is_empty(&model_gids[i]))
			continue;
		if ((count + 1) * size > out->len)
			return EINVAL;
		memcpy((char *)(uintptr_t)out->data + count++ * size,
		       &model_gids[i], sizeof(model_gids[i]));
	}
	attr_out(hdr, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &count,
		 sizeof(count));
	return 0;
}

static int get_context(struct ib_uverbs_ioctl_hdr *hdr)
{
	uint32_t vectors = 4;

	attr_out(hdr, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &vectors,
		 sizeof(vectors));
	attr_out(hdr, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &model.core_support,
		 sizeof(model.core_support));
	return 0;
}

static int alloc_async_event(struct ib_uverbs_ioctl_hdr *hdr)
{
	int fd = eventfd(0, EFD_CLOEXEC);

	CHECK(fd >= 0);
	need_attr(hdr, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE)->data = fd;
	return 0;
}

static int native_command(struct file *file, struct ib_uverbs_ioctl_hdr *hdr)
{
	const uint16_t object = hdr->object_id, method = hdr->method_id;
	const bool is_pd = object == UVERBS_OBJECT_PD;
	const bool is_mr = object == UVERBS_OBJECT_MR;

	if (object == UVERBS_OBJECT_DEVICE &&
	    method == UVERBS_METHOD_GET_CONTEXT)
		return get_context(hdr);
	if (object == UVERBS_OBJECT_ASYNC_EVENT &&
	    method == UVERBS_METHOD_ASYNC_EVENT_ALLOC)
		return alloc_async_event(hdr);
	if (object == UVERBS_OBJECT_DEVICE && !model.no_gid_queries) {
		if (method == UVERBS_METHOD_QUERY_GID_ENTRY)
			return query_gid_entry(hdr);
		if (method == UVERBS_METHOD_QUERY_GID_TABLE)
			return query_gid_table(hdr);
	}
	if (is_pd && method == UVERBS_METHOD_PD_DESTROY)
		return destroy(file,
			       attr_value(hdr, UVERBS_ATTR_DESTROY_PD_HANDLE),
			       object);
	if (is_mr && method == UVERBS_METHOD_MR_DESTROY)
		return destroy(file,
			       attr_value(hdr, UVERBS_ATTR_DESTROY_MR_HANDLE),
			       object);
	if (is_mr && method == UVERBS_METHOD_QUERY_MR)
		return query_mr(file, hdr);
	if ((is_pd || is_mr) && !model.no_share) {
		if (method == UVERBS_METHOD_PD_EXPORT_TO_FD)
			return export_object(file, hdr);
		if (method == UVERBS_METHOD_PD_IMPORT_FROM_FD)
			return import_object(file, hdr);
	}
	return EPROTONOSUPPORT;
}

/* ---- faults and counts ---- */

static bool same(struct model_command a, struct model_command b)
{
	return a.object == b.object && a.method == b.method &&
	       a.number == b.number;
}

static struct model_command command_of(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct model_command command =
		MODEL_NATIVE(hdr->object_id, hdr->method_id);

	if (hdr->object_id == UVERBS_OBJECT_DEVICE &&
	    hdr->method_id == UVERBS_METHOD_INVOKE_WRITE)
		command.number = attr_value(hdr, UVERBS_ATTR_WRITE_CMD);
	return command;
}

static void count(struct model_command command)
{
	size_t i = 0;

	while (i < MAX_COUNTS && counts[i].calls &&
	       !same(counts[i].command, command))
		i++;
	CHECK(i < MAX_COUNTS);
	counts[i].command = command;
	counts[i].calls++;
}

static int fault(struct model_command command)
{
	for (size_t i = 0; i < MAX_FAULTS; i++) {
		int err = faults[i].err;

		if (!err || !same(faults[i].command, command))
			continue;
		faults[i].err = 0;
		return err;
	}
	return 0;
}

int uverbs_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	struct model_command command;
	struct file *file;
	int ret;

	CHECK_INT(hdr->length,
		  sizeof(*hdr) + hdr->num_attrs * sizeof(hdr->attrs[0]));

	pthread_mutex_lock(&lock);
	command = command_of(hdr);
	count(command);
	file = find_file(fd);
	ret = file ? fault(command) : ENOTTY;
	if (!ret)
		ret = hdr->method_id == UVERBS_METHOD_INVOKE_WRITE &&
				      hdr->object_id == UVERBS_OBJECT_DEVICE
			      ? older_command(file, hdr)
			      : native_command(file, hdr);
	pthread_mutex_unlock(&lock);

	if (!ret)
		return 0;
	errno = ret;
	return -1;
}

/* ---- for tests ---- */

void model_reset(void)
{
	for (size_t i = 0; i < MAX_FILES; i++)
		CHECK(!files[i].open);
	CHECK_INT(num_objects, 0);
	for (size_t i = 0; i < MAX_FAULTS; i++)
		CHECK_INT(faults[i].err, 0);
	memset(&model, 0, sizeof(model));
	model_num_gids = 0;
	model_count_from_here();
}

int model_open(int device)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	size_t i = 0;

	CHECK(fd >= 0);
	pthread_mutex_lock(&lock);
	while (i < MAX_FILES && files[i].open)
		i++;
	CHECK(i < MAX_FILES);
	files[i].open = true;
	files[i].fd = fd;
	files[i].device = device;
	pthread_mutex_unlock(&lock);
	return fd;
}

void model_close(int fd)
{
	struct file *file;

	pthread_mutex_lock(&lock);
	file = find_file(fd);
	CHECK(file);
	for (size_t i = 0; i < MAX_HANDLES; i++)
		if (file->handles[i].object)
			remove_handle(&file->handles[i]);
	file->open = false;
	pthread_mutex_unlock(&lock);
}

void model_fail(struct model_command command, int err)
{
	size_t i = 0;

	while (i < MAX_FAULTS && faults[i].err &&
	       !same(faults[i].command, command))
		i++;
	CHECK(i < MAX_FAULTS);
	faults[i].command = command;
	faults[i].err = err;
}

void model_count_from_here(void)
{
	memset(counts, 0, sizeof(counts));
}

unsigned int model_calls(void)
{
	unsigned int calls = 0;

	for (size_t i = 0; i < MAX_COUNTS; i++)
		calls += counts[i].calls;
	return calls;
}

unsigned int model_calls_of(struct model_command command)
{
	for (size_t i = 0; i < MAX_COUNTS; i++)
		if (counts[i].calls && same(counts[i].command, command))
			return counts[i].calls;
	return 0;
}

size_t model_handles(int fd)
{
	struct file *file;
	size_t count = 0;

	pthread_mutex_lock(&lock);
	file = find_file(fd);
	CHECK(file);
	for (size_t i = 0; i < MAX_HANDLES; i++)
		count += file->handles[i].object != NULL;
	pthread_mutex_unlock(&lock);
	return count;
}

size_t model_objects(void)
{
	size_t count;

	pthread_mutex_lock(&lock);
	count = num_objects;
	pthread_mutex_unlock(&lock);
	return count;
}

unsigned int model_aliases(int fd, uint32_t handle)
{
	struct file *file;
	struct handle *found;
	unsigned int aliases;

	pthread_mutex_lock(&lock);
	file = find_file(fd);
	CHECK(file);
	found = find_handle(file, handle);
	aliases = found ? found->object->aliases : 0;
	pthread_mutex_unlock(&lock);
	return aliases;
}

void model_report(int channel_fd, const void *record, size_t len)
{
	CHECK(channel_peer[channel_fd]);
	if (len) {
		CHECK_INT(write(channel_peer[channel_fd], record, len), len);
	} else {
		/* The end of the file */
		close(channel_peer[channel_fd]);
		channel_peer[channel_fd] = 0;
	}
}
