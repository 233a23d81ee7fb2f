// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "provider_kernel.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct provider_kernel provider_kernel;
static struct verbs_device device;

void provider_kernel_put(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id,
			 const void *bytes, size_t len)
{
	struct ib_uverbs_attr *attr = kernel_find_attr(hdr, id);

	if (attr && attr->len >= len)
		memcpy((void *)(uintptr_t)attr->data, bytes, len);
	else
		provider_kernel.strange++;
}

static int make(struct ib_uverbs_ioctl_hdr *hdr, uint16_t handle)
{
	const struct core_reply *reply = provider_kernel.driver->reply;
	struct ib_uverbs_attr *attr = kernel_find_attr(hdr, handle);

	if (reply->error)
		return reply->error;
	if (attr)
		attr->data = PROVIDER_KERNEL_HANDLE;
	provider_kernel.live++;
	provider_kernel.driver->put_driver_part(hdr);
	return 0;
}

static int answer(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	const struct provider_driver *driver = provider_kernel.driver;
	const struct core_reply *reply = driver->reply;
	int ret;

	(void)fd;
	(void)arg;
	if (hdr->object_id == UVERBS_OBJECT_DEVICE) {
		struct ib_uverbs_attr *command =
			kernel_find_attr(hdr, UVERBS_ATTR_WRITE_CMD);

		if (hdr->method_id != UVERBS_METHOD_INVOKE_WRITE)
			return 0;
		return driver->old_command(hdr, command ? command->data : 0);
	}
	if (hdr->object_id == UVERBS_OBJECT_CQ &&
	    hdr->method_id == UVERBS_METHOD_CQ_CREATE) {
		ret = make(hdr, UVERBS_ATTR_CREATE_CQ_HANDLE);
		if (!ret)
			provider_kernel_put(hdr, UVERBS_ATTR_CREATE_CQ_RESP_CQE,
					    &reply->cqe, 4);
		return ret;
	}
	if (hdr->object_id == UVERBS_OBJECT_SRQ &&
	    hdr->method_id == UVERBS_METHOD_SRQ_CREATE) {
		ret = make(hdr, UVERBS_ATTR_CREATE_SRQ_HANDLE);
		if (ret)
			return ret;
		provider_kernel_put(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR,
				    &reply->max_wr, 4);
		provider_kernel_put(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE,
				    &reply->max_sge, 4);
		return 0;
	}
	if (hdr->object_id == UVERBS_OBJECT_QP &&
	    hdr->method_id == UVERBS_METHOD_QP_CREATE) {
		ret = make(hdr, UVERBS_ATTR_CREATE_QP_HANDLE);
		if (!ret)
			provider_kernel_put(hdr, UVERBS_ATTR_CREATE_QP_RESP_CAP,
					    &reply->cap, sizeof(reply->cap));
		return ret;
	}
	if (hdr->object_id == UVERBS_OBJECT_MR &&
	    hdr->method_id == UVERBS_METHOD_QUERY_MR) {
		provider_kernel_put(hdr, UVERBS_ATTR_QUERY_MR_RESP_LKEY,
				    &reply->lkey, 4);
		provider_kernel_put(hdr, UVERBS_ATTR_QUERY_MR_RESP_RKEY,
				    &reply->lkey, 4);
		return 0;
	}
	/* All others here destroy. */
	provider_kernel.live--;
	return 0;
}

int provider_kernel_setup(const struct provider_driver *driver, void **state)
{
	struct verbs_context *vctx;
	int fd = memfd_create("provider", 0);
	void *memory;

	if (fd < 0 || ftruncate(fd, driver->memory))
		return -1;
	memory = mmap(NULL, driver->memory, PROT_READ | PROT_WRITE, MAP_SHARED,
		      fd, 0);
	if (memory == MAP_FAILED)
		return -1;
	provider_kernel = (struct provider_kernel){
		.driver = driver,
		.memory = memory,
	};
	kernel_answer_with(answer, NULL);

	memset(&device, 0, sizeof(device));
	device.ops = driver->ops;
	atomic_store(&device.refcount, 1000);
	vctx = driver->ops->alloc_context(&device.device, fd, NULL);
	if (!vctx)
		return -1;
	*state = &vctx->context;
	return 0;
}

int provider_kernel_teardown(void **state)
{
	const struct provider_kernel *k = &provider_kernel;
	int bad = k->live || k->strange;

	if (bad)
		print_error("%d objects left, %d strange commands\n", k->live,
			    k->strange);
	ibv_close_device(*state);
	munmap(k->memory, k->driver->memory);
	kernel_answer_with(NULL, NULL);
	return bad;
}
