// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A kernel that means ill: see the header. */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "commands.h"
#include "fuzz.h"
#include "kernel_script.h"
#include "uverbs/uverbs.h"

struct kernel kernel;

static int (*simulation)(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg);
static bool is_old; /* it has said that it does not have some native method */

/* What the simulation calls to be used, in place of the script's */
void kernel_answer_with(int (*fn)(int fd, struct ib_uverbs_ioctl_hdr *hdr,
				  void *arg),
			void *arg)
{
	(void)arg;
	simulation = fn;
}

/* ---- commands ---- */

bool kernel_is(const struct ib_uverbs_ioctl_hdr *hdr, uint16_t object,
	       uint16_t method)
{
	return hdr->object_id == object && hdr->method_id == method;
}

struct ib_uverbs_attr *kernel_attr(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id)
{
	for (unsigned int i = 0; i < hdr->num_attrs; i++)
		if (hdr->attrs[i].attr_id == id)
			return &hdr->attrs[i];
	return NULL;
}

void kernel_reply(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id,
		  const void *bytes, size_t size)
{
	struct ib_uverbs_attr *attr = kernel_attr(hdr, id);

	if (!attr)
		return;
	memcpy((void *)(uintptr_t)attr->data, bytes,
	       attr->len < size ? attr->len : size);
	attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

uint32_t kernel_write_command(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_attr *attr;

	if (!kernel_is(hdr, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE))
		return KERNEL_NO_WRITE;
	attr = kernel_attr(hdr, UVERBS_ATTR_WRITE_CMD);
	return attr ? attr->data : KERNEL_NO_WRITE;
}

/* ---- answers ---- */

static void check_request(const struct ib_uverbs_ioctl_hdr *hdr)
{
	unsigned int sum = 0;

	fuzz_check(hdr->length == sizeof(*hdr) + hdr->num_attrs *
							 sizeof(hdr->attrs[0]),
		   "a request of another length than it says");
	fuzz_check(!hdr->reserved1 && !hdr->reserved2, "reserved bytes");
	for (unsigned int i = 0; i < hdr->num_attrs; i++) {
		const struct ib_uverbs_attr *attr = &hdr->attrs[i];
		const uint8_t *bytes = (void *)(uintptr_t)attr->data;

		if (attr->len <= sizeof(attr->data) ||
		    command_replies(hdr, attr->attr_id))
			continue;
		for (size_t n = 0; n < attr->len; n++)
			sum += bytes[n];
	}
	/* Or the compiler would not read them. */
	__asm__ volatile("" : : "r"(sum));
}

static int some_error(void)
{
	static const int errors[] = {
		EINVAL, ENOMEM, EPROTONOSUPPORT, ENOTTY,  EOPNOTSUPP, EIO,
		EBUSY,	ENOENT, EAGAIN,		 ENODATA, ENOSPC,     EPERM,
		EBADF,	EXDEV,	EFAULT,		 EPROTO,
	};
	int err = errors[fuzz_u8() % (sizeof(errors) / sizeof(errors[0]))];

	if (err == EPROTONOSUPPORT || err == ENOTTY)
		is_old = true;
	return err;
}

static void scribble_bytes(uint8_t *to, size_t size, uint8_t how)
{
	switch (how & 3) {
	case 1:
		fuzz_bytes(to, size);
		break;
	case 2:
		fuzz_bytes(to, fuzz_below(size + 1));
		break;
	case 3:
		for (; size >= 4; size -= 4, to += 4) {
			uint32_t number = fuzz_number();

			memcpy(to, &number, sizeof(number));
		}
		fuzz_bytes(to, size);
		break;
	default:
		break;
	}
}

/* Over a reply, but not over what says which object was made */
static void scribble_reply(struct ib_uverbs_ioctl_hdr *hdr,
			   struct ib_uverbs_attr *attr, uint8_t how)
{
	uint32_t command = kernel_write_command(hdr), handle = 0;
	uint8_t *to = (void *)(uintptr_t)attr->data;
	int at = -1;

	if (attr->attr_id == UVERBS_ATTR_CORE_OUT &&
	    (!kernel.any_handles || command_makes_fd(command)))
		at = command_handle_at(command);
	if (at >= 0)
		memcpy(&handle, to + at, sizeof(handle));
	scribble_bytes(to, attr->len, how);
	if (at < 0)
		return;
	memcpy(to + at, &handle, sizeof(handle));
	/*
	 * An extended reply says how long it is: after one that is too short
	 * the object stays, as it does with the released library.
	 */
	if (at >= 8) {
		uint32_t whole = attr->len;

		memcpy(to + 4, &whole, sizeof(whole));
	}
}

static void scribble(struct ib_uverbs_ioctl_hdr *hdr)
{
	for (unsigned int i = 0; i < hdr->num_attrs; i++) {
		struct ib_uverbs_attr *attr = &hdr->attrs[i];
		uint8_t how;

		if (!command_replies(hdr, attr->attr_id)) {
			/* A descriptor that is not ours would be closed. */
			if (command_makes(hdr, attr->attr_id) &&
			    kernel.any_handles &&
			    hdr->object_id != UVERBS_OBJECT_ASYNC_EVENT)
				attr->data = fuzz_number();
			continue;
		}
		how = fuzz_u8();
		scribble_reply(hdr, attr, how);
		if (how & 4)
			attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
		if (how & 8)
			attr->flags &= ~UVERBS_ATTR_F_VALID_OUTPUT;
	}
}

/* The simulation does not know the older form of this one. */
static void give_async_fd(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_get_context_resp resp = {
		.async_fd = open("/dev/null", O_RDWR | O_CLOEXEC),
		.num_comp_vectors = 1,
	};

	kernel_reply(hdr, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
}

static int succeed(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	int err = simulation(fd, hdr, NULL);

	/* Objects of older commands, and handles that were lies */
	if (err && command_destroys(hdr))
		err = 0;
	if (!err && kernel_write_command(hdr) == IB_USER_VERBS_CMD_GET_CONTEXT)
		give_async_fd(hdr);
	if (!err && kernel.driver)
		kernel.driver(hdr);
	return err;
}

/*
 * Replies to commands that destroy are no lies: they tell of events, and the
 * library waits, as it must, until the program has acknowledged as many.
 */
static int answer(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	uint8_t choice;
	int err;

	if (kernel.honest || (command_destroys(hdr) && !kernel.keeps_objects))
		return succeed(fd, hdr);
	choice = fuzz_u8();
	if (choice >= 0xe0) {
		if (choice >= 0xf8 && !command_destroys(hdr))
			scribble(hdr);
		return some_error();
	}
	err = succeed(fd, hdr);
	if (!err && choice >= 0x60 && !command_destroys(hdr))
		scribble(hdr);
	return err;
}

int uverbs_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	int err;

	check_request(hdr);
	err = kernel.instead ? kernel.instead(fd, hdr) : answer(fd, hdr);
	if (!err)
		return 0;
	errno = err;
	return -1;
}

void kernel_begin(void)
{
	uint8_t choice = fuzz_u8();

	kernel_simulate();
	is_old = false;
	kernel.honest = false;
	kernel.any_handles = (choice & 7) == 1;
	kernel.keeps_objects = (choice & 7) == 2;
}

void kernel_end(void)
{
	/* Older commands and the like: the simulation has lost count. */
	if (is_old || kernel.any_handles || kernel.keeps_objects)
		return;
	fuzz_check(!kernel_live_objects(), "objects were left in the kernel");
}
