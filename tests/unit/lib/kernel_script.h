/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A scripted kernel: uverbs_ioctl() for tests, in place of the system call.
 *
 * A test first says which commands the library must send, in order, and what
 * the kernel answers; then it calls the library.
 *
 *	static void dealloc_reports_busy(void **state)
 *	{
 *		struct ibv_pd pd = { .context = *state, .handle = 7 };
 *		struct kernel_call *call;
 *
 *		call = kernel_expect(UVERBS_OBJECT_PD, DESTROY);
 *		kernel_handle(call, UVERBS_ATTR_DESTROY_PD_HANDLE, 7);
 *		kernel_fails(call, EBUSY);
 *
 *		assert_int_equal(ibv_cmd_dealloc_pd(&pd), EBUSY);
 *	}
 *
 *	const struct CMUnitTest tests[] = { kernel_test(dealloc_reports_busy) };
 *	return cmocka_run_group_tests(tests, NULL, NULL);
 *
 * kernel_test() gives each test a fresh script and, in *state, a fresh context
 * of the test provider (test_provider.h); afterwards the test fails if a
 * command was missing, if one came that was not expected or differed from what
 * was expected (how is printed on stderr), or if the context left memory behind.
 * kernel_test_bare() makes no context.
 *
 * Everything of a request is checked: the file descriptor, lengths, driver id,
 * reserved fields, order, ids, lengths, flags and values of the attributes.
 *
 * The functions may be called from any thread; a script is one sequence.
 */
#ifndef KERNEL_SCRIPT_H
#define KERNEL_SCRIPT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdbool.h>

#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

struct kernel_call;

/* ---- the request that must come next ---- */

/* All further functions add to one such command, attributes in order. */
struct kernel_call *kernel_expect(uint16_t object, uint16_t method);

/*
 * INVOKE_WRITE: command (plus IB_USER_VERBS_CMD_FLAG_EXTENDED), core request
 * of in_len bytes, core reply of out_len bytes.  in NULL: bytes not compared;
 * out NULL: the kernel writes zeros.  Driver data follows by kernel_in() and
 * kernel_out() with the ids UVERBS_ATTR_UHW_IN and UVERBS_ATTR_UHW_OUT.
 */
struct kernel_call *kernel_expect_write(uint32_t command, const void *in,
					size_t in_len, const void *out,
					size_t out_len);

/* A handle, or a file descriptor, that the library passes */
void kernel_handle(struct kernel_call *call, uint16_t id, uint32_t handle);
void kernel_fd(struct kernel_call *call, uint16_t id, int fd);
/* A handle or descriptor that the kernel makes, and which one it is */
void kernel_new(struct kernel_call *call, uint16_t id, uint64_t value);
/* len bytes to the kernel (NULL: any), inline if they are eight or fewer */
void kernel_in(struct kernel_call *call, uint16_t id, const void *bytes,
	       size_t len);
void kernel_u32(struct kernel_call *call, uint16_t id, uint32_t value);
void kernel_u64(struct kernel_call *call, uint16_t id, uint64_t value);
void kernel_enum(struct kernel_call *call, uint16_t id, uint8_t elem,
		 const void *bytes, size_t len);
/*
 * A buffer of len bytes of which the kernel writes the first written; it may
 * be fewer than len: the rest stays as the library had it.
 */
void kernel_out(struct kernel_call *call, uint16_t id, size_t len,
		const void *bytes, size_t written);

/* The attribute that was added last ... */
/* ... must not have the flag "mandatory". */
void kernel_optional(struct kernel_call *call);
/* ... gets no value: nothing stored, not marked as written. */
void kernel_leaves_out(struct kernel_call *call);
/* ... may have any value. */
void kernel_any_value(struct kernel_call *call);

/* ---- the answer: success, unless ... ---- */

/* ... it fails with this errno, writing nothing, */
void kernel_fails(struct kernel_call *call, int err);
/* ... or after having written its outputs. */
void kernel_fails_writing(struct kernel_call *call, int err);

/* The n-th command (from 1) of this test that the library has sent; NULL */
const struct ib_uverbs_ioctl_hdr *kernel_seen(unsigned int n);
unsigned int kernel_calls(void);

/* The attribute of a command with that id, or NULL */
static inline struct ib_uverbs_attr *
kernel_find_attr(struct ib_uverbs_ioctl_hdr *hdr, uint16_t id)
{
	for (unsigned int i = 0; i < hdr->num_attrs; i++)
		if (hdr->attrs[i].attr_id == id)
			return &hdr->attrs[i];
	return NULL;
}

/* Forget script, simulation and what was seen; the context stays. */
void kernel_restart(void);

/* ---- a kernel that does what it is told, for tests of other things ---- */

/*
 * Answer commands by fn instead of by the script: 0, or an errno value.
 * NULL: back to the script.
 */
void kernel_answer_with(int (*fn)(int fd, struct ib_uverbs_ioctl_hdr *hdr,
				  void *arg),
			void *arg);

/*
 * As above with a small simulated kernel: it makes objects of any kind (new
 * handles from 1 up; real descriptors), destroys them (ENOENT if there is no
 * such handle of that object), and leaves other outputs alone.  An import makes
 * an object too.  Handles of older commands come from the same numbers.
 */
void kernel_simulate(void);
/* Objects that it has made and not destroyed; descriptors do not count. */
unsigned int kernel_live_objects(void);

/* ---- for kernel_test() ---- */

int kernel_setup(void **state);
int kernel_teardown(void **state);
int kernel_setup_bare(void **state);
int kernel_teardown_bare(void **state);

#define kernel_test(_fn) \
	cmocka_unit_test_setup_teardown(_fn, kernel_setup, kernel_teardown)
#define kernel_test_bare(_fn)                                   \
	cmocka_unit_test_setup_teardown(_fn, kernel_setup_bare, \
					kernel_teardown_bare)

#endif
