// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* uverbs_ioctl() that follows a script. */
#include "kernel_script.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

enum {
	MAX_CALLS = 256,
	MAX_ATTRS = 40,
	ARENA = 1 << 20,
	SEEN_BYTES = sizeof(struct ib_uverbs_ioctl_hdr) +
		     MAX_ATTRS * sizeof(struct ib_uverbs_attr),
};

enum attr_kind { HANDLE, FD, NEW, IN, OUT };

static const char *const kind_names[] = { "handle", "fd", "new", "in", "out" };

struct kernel_attr {
	enum attr_kind kind;
	uint16_t id;
	size_t len;
	bool optional;
	bool any_value;
	bool left_out;
	uint8_t elem;
	uint64_t value;	   /* HANDLE, FD, NEW */
	const void *bytes; /* IN: expected; OUT: written */
	size_t written;
};

struct kernel_call {
	uint16_t object, method;
	int err;
	bool writes_on_error;
	unsigned int num_attrs;
	struct kernel_attr attrs[MAX_ATTRS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kernel_call script[MAX_CALLS];
static unsigned int expected, done, unexpected;
static char arena[ARENA];
static size_t arena_used;
static union {
	struct ib_uverbs_ioctl_hdr hdr;
	char bytes[SEEN_BYTES];
} seen[MAX_CALLS];
static int (*answer_fn)(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg);
static void *answer_arg;
static int the_fd = -1; /* the context's, or -1: do not check */
static size_t live_before;

static void reset(void)
{
	memset(script, 0, sizeof(script));
	expected = done = unexpected = 0;
	arena_used = 0;
	answer_fn = NULL;
	the_fd = -1;
}

/* ---- writing the script ---- */

static void *keep(const void *bytes, size_t len)
{
	char *copy = &arena[arena_used];

	if (!bytes)
		return NULL;
	if (len > ARENA - arena_used)
		fail_msg("the script is too long");
	memcpy(copy, bytes, len);
	arena_used += (len + 7) & ~(size_t)7;
	return copy;
}

struct kernel_call *kernel_expect(uint16_t object, uint16_t method)
{
	struct kernel_call *call;

	if (expected == MAX_CALLS)
		fail_msg("too many calls in one script");
	call = &script[expected++];
	memset(call, 0, sizeof(*call));
	call->object = object;
	call->method = method;
	return call;
}

static struct kernel_attr *add(struct kernel_call *call, enum attr_kind kind,
			       uint16_t id)
{
	struct kernel_attr *attr;

	if (call->num_attrs == MAX_ATTRS)
		fail_msg("too many attributes in one call");
	attr = &call->attrs[call->num_attrs++];
	attr->kind = kind;
	attr->id = id;
	return attr;
}

static struct kernel_attr *last(struct kernel_call *call)
{
	if (!call->num_attrs)
		fail_msg("no attribute to say that of");
	return &call->attrs[call->num_attrs - 1];
}

void kernel_handle(struct kernel_call *call, uint16_t id, uint32_t handle)
{
	add(call, HANDLE, id)->value = handle;
}

void kernel_fd(struct kernel_call *call, uint16_t id, int fd)
{
	add(call, FD, id)->value = (uint64_t)(int64_t)fd;
}

void kernel_new(struct kernel_call *call, uint16_t id, uint64_t value)
{
	add(call, NEW, id)->value = value;
}

void kernel_in(struct kernel_call *call, uint16_t id, const void *bytes,
	       size_t len)
{
	struct kernel_attr *attr = add(call, IN, id);

	attr->len = len;
	attr->bytes = keep(bytes, len);
	attr->any_value = !bytes;
}

void kernel_u32(struct kernel_call *call, uint16_t id, uint32_t value)
{
	kernel_in(call, id, &value, sizeof(value));
}

void kernel_u64(struct kernel_call *call, uint16_t id, uint64_t value)
{
	kernel_in(call, id, &value, sizeof(value));
}

void kernel_enum(struct kernel_call *call, uint16_t id, uint8_t elem,
		 const void *bytes, size_t len)
{
	kernel_in(call, id, bytes, len);
	last(call)->elem = elem;
}

void kernel_out(struct kernel_call *call, uint16_t id, size_t len,
		const void *bytes, size_t written)
{
	struct kernel_attr *attr = add(call, OUT, id);

	attr->len = len;
	attr->written = written;
	attr->bytes = keep(bytes, written);
}

struct kernel_call *kernel_expect_write(uint32_t command, const void *in,
					size_t in_len, const void *out,
					size_t out_len)
{
	struct kernel_call *call =
		kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);

	kernel_u64(call, UVERBS_ATTR_WRITE_CMD, command);
	if (in_len)
		kernel_in(call, UVERBS_ATTR_CORE_IN, in, in_len);
	if (out_len)
		kernel_out(call, UVERBS_ATTR_CORE_OUT, out_len, out, out_len);
	return call;
}

void kernel_optional(struct kernel_call *call)
{
	last(call)->optional = true;
}

void kernel_leaves_out(struct kernel_call *call)
{
	last(call)->left_out = true;
}

void kernel_any_value(struct kernel_call *call)
{
	last(call)->any_value = true;
}

void kernel_fails(struct kernel_call *call, int err)
{
	call->err = err;
}

void kernel_fails_writing(struct kernel_call *call, int err)
{
	call->err = err;
	call->writes_on_error = true;
}

void kernel_answer_with(int (*fn)(int fd, struct ib_uverbs_ioctl_hdr *hdr,
				  void *arg),
			void *arg)
{
	answer_fn = fn;
	answer_arg = arg;
}

const struct ib_uverbs_ioctl_hdr *kernel_seen(unsigned int n)
{
	return n && n <= done && n <= MAX_CALLS ? &seen[n - 1].hdr : NULL;
}

unsigned int kernel_calls(void)
{
	return done;
}

/* ---- comparing ---- */

static void print_bytes(const void *bytes, size_t len)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < len && i < 64; i++)
		fprintf(stderr, "%s%02x", i % 4 ? "" : " ", b[i]);
	if (len > 64)
		fprintf(stderr, " ...");
}

static void print_expected(const struct kernel_call *call)
{
	fprintf(stderr, "  expected: object %u method %#x\n", call->object,
		call->method);
	for (unsigned int i = 0; i < call->num_attrs; i++) {
		const struct kernel_attr *attr = &call->attrs[i];

		fprintf(stderr, "    %#06x %s len %zu%s", attr->id,
			kind_names[attr->kind], attr->len,
			attr->optional ? " optional" : "");
		if (attr->kind == IN && attr->bytes)
			print_bytes(attr->bytes, attr->len);
		else if (attr->kind == HANDLE || attr->kind == FD)
			fprintf(stderr, " %lld", (long long)attr->value);
		fputc('\n', stderr);
	}
}

static const void *attr_bytes(const struct ib_uverbs_attr *attr)
{
	return attr->len > sizeof(attr->data)
		       ? (const void *)(uintptr_t)attr->data
		       : &attr->data;
}

static void print_sent(const struct ib_uverbs_ioctl_hdr *hdr)
{
	fprintf(stderr, "  sent: object %u method %#x\n", hdr->object_id,
		hdr->method_id);
	for (unsigned int i = 0; i < hdr->num_attrs; i++) {
		const struct ib_uverbs_attr *attr = &hdr->attrs[i];

		fprintf(stderr,
			"    %#06x len %u flags %#x elem %u data %#llx\n",
			attr->attr_id, attr->len, attr->flags,
			attr->attr_data.enum_data.elem_id,
			(unsigned long long)attr->data);
	}
}

static const char *attr_differs(const struct kernel_attr *want,
				const struct ib_uverbs_attr *got)
{
	uint64_t none = 0;

	if (got->attr_id != want->id)
		return "another attribute";
	if (got->len != want->len)
		return "another length";
	if (got->flags != (want->optional ? 0 : UVERBS_ATTR_F_MANDATORY))
		return "other flags";
	if (got->attr_data.enum_data.elem_id != want->elem ||
	    got->attr_data.enum_data.reserved)
		return "another element or a reserved byte";

	switch (want->kind) {
	case HANDLE:
	case FD:
		if (!want->any_value && got->data != want->value)
			return "another value";
		break;
	case NEW:
		if (got->data)
			return "a value where the kernel stores one";
		break;
	case OUT:
		if (want->len && !got->data)
			return "no buffer";
		break;
	case IN:
		if (got->len > sizeof(got->data) && !got->data)
			return "no bytes";
		if (want->len < sizeof(none) &&
		    memcmp((const char *)&got->data + want->len, &none,
			   sizeof(none) - want->len))
			return "bytes behind the inline value";
		if (!want->any_value &&
		    memcmp(attr_bytes(got), want->bytes, want->len)) {
			fprintf(stderr, "  bytes sent:    ");
			print_bytes(attr_bytes(got), got->len);
			fprintf(stderr, "\n  bytes expected:");
			print_bytes(want->bytes, want->len);
			fputc('\n', stderr);
			return "other bytes";
		}
		break;
	}
	return NULL;
}

static const char *header_differs(const struct ib_uverbs_ioctl_hdr *hdr)
{
	if (hdr->length !=
	    sizeof(*hdr) + hdr->num_attrs * sizeof(hdr->attrs[0]))
		return "length is not that of the attributes";
	if (hdr->reserved1 || hdr->reserved2)
		return "a reserved field is not zero";
	return NULL;
}

static bool differs(int fd, const struct ib_uverbs_ioctl_hdr *hdr,
		    const struct kernel_call *call)
{
	const char *how = header_differs(hdr);
	unsigned int i = 0;

	if (!how && the_fd != -1 && fd != the_fd)
		how = "another file descriptor";
	if (!how && the_fd != -1 && hdr->driver_id != TEST_DRIVER_ID)
		how = "another driver id";
	if (!how &&
	    (hdr->object_id != call->object || hdr->method_id != call->method))
		how = "another command";
	for (i = 0; !how && i < hdr->num_attrs && i < call->num_attrs; i++)
		how = attr_differs(&call->attrs[i], &hdr->attrs[i]);
	if (!how && hdr->num_attrs != call->num_attrs)
		how = "another number of attributes";
	if (!how)
		return false;

	fprintf(stderr, "command %u: %s (attribute %u)\n", done, how, i);
	print_expected(call);
	print_sent(hdr);
	return true;
}

static void write_outputs(const struct kernel_call *call,
			  struct ib_uverbs_ioctl_hdr *hdr)
{
	for (unsigned int i = 0; i < call->num_attrs; i++) {
		const struct kernel_attr *want = &call->attrs[i];
		struct ib_uverbs_attr *attr = &hdr->attrs[i];

		if (want->left_out)
			continue;
		if (want->kind == NEW) {
			attr->data = want->value;
			attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
		} else if (want->kind == OUT) {
			void *to = (void *)(uintptr_t)attr->data;

			if (want->bytes)
				memcpy(to, want->bytes, want->written);
			else
				memset(to, 0, want->written);
			attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
		}
	}
}

static int follow_script(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	unsigned int n = done - unexpected;
	struct kernel_call *call;

	if (n > expected) {
		fprintf(stderr, "command %u was not expected\n", done);
		print_sent(hdr);
		unexpected++;
		return ENOSYS;
	}
	call = &script[n - 1];
	if (differs(fd, hdr, call)) {
		unexpected++;
		expected--;
		memmove(call, call + 1, (expected - (n - 1)) * sizeof(*call));
		return ENOSYS;
	}
	if (!call->err || call->writes_on_error)
		write_outputs(call, hdr);
	return call->err;
}

int uverbs_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
	size_t size = sizeof(*hdr) + hdr->num_attrs * sizeof(hdr->attrs[0]);
	int err;

	pthread_mutex_lock(&lock);
	if (done < MAX_CALLS)
		memcpy(&seen[done], hdr,
		       size < SEEN_BYTES ? size : (size_t)SEEN_BYTES);
	done++;
	if (answer_fn)
		err = answer_fn(fd, hdr, answer_arg);
	else
		err = follow_script(fd, hdr);
	pthread_mutex_unlock(&lock);

	if (!err)
		return 0;
	errno = err;
	return -1;
}

/* ---- before and after each test ---- */

void kernel_restart(void)
{
	int fd = the_fd;

	reset();
	the_fd = fd;
}

int kernel_setup_bare(void **state)
{
	*state = NULL;
	reset();
	live_before = alloc_live();
	return 0;
}

int kernel_setup(void **state)
{
	struct ibv_context *context;

	kernel_setup_bare(state);
	context = test_context_open();
	if (!context)
		return -1;
	the_fd = context->cmd_fd;
	*state = context;
	return 0;
}

static int finish(void)
{
	int ret = 0;

	alloc_fail_at(0);
	if (unexpected) {
		fprintf(stderr, "%u commands were not as expected\n",
			unexpected);
		ret = -1;
	}
	if (!answer_fn && done - unexpected < expected) {
		fprintf(stderr,
			"%u expected commands did not come; the first:\n",
			expected - (done - unexpected));
		print_expected(&script[done - unexpected]);
		ret = -1;
	}
	if (alloc_live() != live_before) {
		fprintf(stderr, "%zd blocks of memory more than before\n",
			(ssize_t)(alloc_live() - live_before));
		ret = -1;
	}
	reset();
	return ret;
}

int kernel_teardown_bare(void **state)
{
	*state = NULL;
	return finish();
}

int kernel_teardown(void **state)
{
	ibv_close_device(*state);
	return finish();
}
