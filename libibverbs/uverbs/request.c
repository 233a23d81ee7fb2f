// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Build an ioctl for the kernel and run it. */
#include <errno.h>
#include <string.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

/* The kernel takes the header and the attributes as one block. */
_Static_assert(offsetof(struct request, attrs) ==
		       offsetof(struct request, hdr) +
			       sizeof(struct ib_uverbs_ioctl_hdr),
	       "attributes follow the header");

void request_driver(struct request *rq, const struct driver_data *driver)
{
	if (driver->in_len)
		request_in(rq, UVERBS_ATTR_UHW_IN, driver->in, driver->in_len);
	if (driver->out_len)
		request_out(rq, UVERBS_ATTR_UHW_OUT, driver->out,
			    driver->out_len);
}

static unsigned int buffer_attrs(const struct ibv_command_buffer *buffer)
{
	return buffer->next_attr - buffer->hdr.attrs;
}

/*
 * A plug-in keeps its UHW input as a pointer, however short, but the kernel
 * wants up to eight bytes in place.
 */
static void inline_uhw(struct ib_uverbs_attr *attr)
{
	const void *from = (const void *)(uintptr_t)attr->data;

	if (attr->len > sizeof(attr->data))
		return;
	attr->data = 0;
	memcpy(&attr->data, from, attr->len);
}

/* Attributes of the whole chain to *attr; false if they do not fit. */
static bool append_chain(struct ib_uverbs_ioctl_hdr *hdr, unsigned int room,
			 const struct ibv_command_buffer *link)
{
	for (; link; link = link->next) {
		unsigned int count = buffer_attrs(link);
		struct ib_uverbs_attr *to = &hdr->attrs[hdr->num_attrs];

		if (link->buffer_error || count > room - hdr->num_attrs)
			return false;
		memcpy(to, link->hdr.attrs, count * sizeof(*to));
		if (link->uhw_in_idx < count)
			inline_uhw(&to[link->uhw_in_idx]);
		hdr->num_attrs += count;
	}
	return true;
}

static void copy_back_chain(const struct ib_uverbs_attr *from,
			    struct ibv_command_buffer *link)
{
	for (; link; link = link->next) {
		unsigned int count = buffer_attrs(link);

		memcpy(link->hdr.attrs, from, count * sizeof(*from));
		from += count;
	}
}

/* The last steps: the header is complete but for what never varies. */
static int run(struct ibv_context *context, struct ib_uverbs_ioctl_hdr *hdr)
{
	hdr->length = sizeof(*hdr) + hdr->num_attrs * sizeof(hdr->attrs[0]);
	hdr->driver_id = get_priv(context)->driver_id;
	hdr->reserved1 = 0;
	hdr->reserved2 = 0;
	if (uverbs_ioctl(context->cmd_fd, hdr))
		return errno;
	return 0;
}

static int invalid(void)
{
	errno = EINVAL;
	return EINVAL;
}

int request_run(struct request *rq)
{
	unsigned int own = rq->hdr.num_attrs;
	int ret;

	if (rq->error)
		return invalid();
	if (!rq->link)
		return run(rq->context, &rq->hdr);
	if (!append_chain(&rq->hdr, REQUEST_ATTRS, rq->link))
		return invalid();
	ret = run(rq->context, &rq->hdr);
	if (!ret)
		copy_back_chain(&rq->attrs[own], rq->link);
	return ret;
}

int invoke_write(struct ibv_context *context, uint32_t command,
		 const void *core_in, size_t in_len, void *core_out,
		 size_t out_len, const struct driver_data *driver)
{
	struct request rq;
	int ret;

	request_init(&rq, context, UVERBS_OBJECT_DEVICE,
		     UVERBS_METHOD_INVOKE_WRITE);
	request_u64(&rq, UVERBS_ATTR_WRITE_CMD, command);
	if (in_len)
		request_in(&rq, UVERBS_ATTR_CORE_IN, core_in, in_len);
	if (out_len)
		request_out(&rq, UVERBS_ATTR_CORE_OUT, core_out, out_len);
	if (driver)
		request_driver(&rq, driver);

	ret = rq.error ? invalid() : run(context, &rq.hdr);
	if (ret == ENOTTY || ret == EPROTONOSUPPORT)
		errno = ret = EOPNOTSUPP;
	return ret;
}

void give_core_reply(const struct driver_data *driver, const void *core,
		     size_t len)
{
	if (driver->out)
		memcpy((char *)driver->out - len, core, len);
}

/* ---- for plug-ins that build commands of their own ---- */

unsigned int __ioctl_final_num_attrs(unsigned int num_attrs,
				     struct ibv_command_buffer *link)
{
	for (; link; link = link->next)
		num_attrs += buffer_attrs(link);
	return num_attrs;
}

/*
 * Run the command in cmd, with the attributes of the buffers linked to it.
 * EINVAL without a system call if a fill helper found something too long, or
 * if cmd has too little room for the attributes of the chain.
 */
int execute_ioctl(struct ibv_context *context, struct ibv_command_buffer *cmd)
{
	unsigned int own = buffer_attrs(cmd);
	unsigned int room = cmd->last_attr - cmd->hdr.attrs;
	int ret;

	if (cmd->buffer_error || own > room)
		return invalid();
	cmd->hdr.num_attrs = own;
	if (!append_chain(&cmd->hdr, room, cmd->next))
		return invalid();
	if (cmd->uhw_in_idx < own)
		inline_uhw(&cmd->hdr.attrs[cmd->uhw_in_idx]);

	ret = run(context, &cmd->hdr);
	if (!ret)
		copy_back_chain(&cmd->hdr.attrs[own], cmd->next);
	return ret;
}
