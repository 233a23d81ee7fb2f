// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The scripted kernel and the failing memory must notice what they are for. */
#include "kernel_script.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

enum { FIRST = 1, SECOND, THIRD, FOURTH, FIFTH, ATTRS = 5 };

struct command {
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attrs[ATTRS + 1];
	uint32_t out;
	char in[12];
};

static void init_command(struct command *c)
{
	memset(c, 0, sizeof(*c));
	c->hdr.length = sizeof(c->hdr) + ATTRS * sizeof(c->attrs[0]);
	c->hdr.object_id = 77;
	c->hdr.method_id = 88;
	c->hdr.num_attrs = ATTRS;
	c->hdr.driver_id = TEST_DRIVER_ID;
	memcpy(c->in, "hello world", 12);
	c->attrs[0] = (struct ib_uverbs_attr){ .attr_id = FIRST, .data = 5 };
	c->attrs[1] = (struct ib_uverbs_attr){ .attr_id = SECOND,
					       .len = 4,
					       .data = 6 };
	c->attrs[2] = (struct ib_uverbs_attr){ .attr_id = THIRD,
					       .len = 12,
					       .data = (uintptr_t)c->in };
	c->attrs[3] = (struct ib_uverbs_attr){ .attr_id = FOURTH,
					       .len = 4,
					       .data = (uintptr_t)&c->out };
	c->attrs[4] = (struct ib_uverbs_attr){ .attr_id = FIFTH };
	for (int i = 0; i < ATTRS; i++)
		c->attrs[i].flags = UVERBS_ATTR_F_MANDATORY;
}

static void expect_command(void)
{
	const uint32_t out = 0x1234;
	struct kernel_call *call = kernel_expect(77, 88);

	kernel_handle(call, FIRST, 5);
	kernel_u32(call, SECOND, 6);
	kernel_in(call, THIRD, "hello world", 12);
	kernel_out(call, FOURTH, 4, &out, 4);
	kernel_new(call, FIFTH, 99);
}

/* Each makes the command differ in one thing. */
static void another_object(struct command *c)
{
	c->hdr.object_id++;
}

static void another_method(struct command *c)
{
	c->hdr.method_id++;
}

static void wrong_length(struct command *c)
{
	c->hdr.length--;
}

static void another_driver(struct command *c)
{
	c->hdr.driver_id++;
}

static void reserved_1(struct command *c)
{
	c->hdr.reserved1 = 1;
}

static void reserved_2(struct command *c)
{
	c->hdr.reserved2 = 1;
}

static void one_attribute_less(struct command *c)
{
	c->hdr.num_attrs--;
	c->hdr.length -= sizeof(c->attrs[0]);
}

static void one_attribute_more(struct command *c)
{
	c->attrs[ATTRS] = c->attrs[0];
	c->hdr.num_attrs++;
	c->hdr.length += sizeof(c->attrs[0]);
}

static void another_order(struct command *c)
{
	struct ib_uverbs_attr first = c->attrs[0];

	c->attrs[0] = c->attrs[1];
	c->attrs[1] = first;
}

static void another_handle(struct command *c)
{
	c->attrs[0].data++;
}

static void another_value(struct command *c)
{
	c->attrs[1].data++;
}

static void more_than_the_value(struct command *c)
{
	c->attrs[1].data |= 1ull << 32;
}

static void other_bytes(struct command *c)
{
	c->in[11]++;
}

static void another_len(struct command *c)
{
	c->attrs[3].len++;
}

static void no_buffer(struct command *c)
{
	c->attrs[3].data = 0;
}

static void a_stale_handle(struct command *c)
{
	c->attrs[4].data = 1;
}

static void not_mandatory(struct command *c)
{
	c->attrs[2].flags = 0;
}

static void unknown_flags(struct command *c)
{
	c->attrs[2].flags = 3;
}

static void an_element(struct command *c)
{
	c->attrs[2].attr_data.enum_data.elem_id = 1;
}

static void (*const deviations[])(struct command *c) = {
	another_object, another_method, wrong_length,	    another_driver,
	reserved_1,	reserved_2,	one_attribute_less, one_attribute_more,
	another_order,	another_handle, another_value,	    more_than_the_value,
	other_bytes,	another_len,	no_buffer,	    a_stale_handle,
	not_mandatory,	unknown_flags,	an_element,
};

/* What is printed on purpose would look like a failure. */
static int silence(void)
{
	int saved = dup(STDERR_FILENO);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	dup2(null, STDERR_FILENO);
	close(null);
	return saved;
}

static void speak_again(int saved)
{
	dup2(saved, STDERR_FILENO);
	close(saved);
}

/* Send a command that differs; what did the ioctl and the test's end say? */
static void run_script(void (*deviate)(struct command *c), bool expect,
		       bool send, int wrong_fd, int *ioctl_result, int *end)
{
	struct command c;
	void *context;
	int saved = silence();

	kernel_setup(&context);
	init_command(&c);
	if (deviate)
		deviate(&c);
	if (expect)
		expect_command();
	*ioctl_result = 0;
	if (send)
		*ioctl_result =
			uverbs_ioctl(((struct ibv_context *)context)->cmd_fd +
					     wrong_fd,
				     &c.hdr);
	*end = kernel_teardown(&context);
	speak_again(saved);
	if (!*ioctl_result && send) {
		assert_int_equal(c.out, 0x1234);
		assert_int_equal(c.attrs[4].data, 99);
	}
}

static void the_expected_command_passes(void **state)
{
	int result, end;

	(void)state;
	run_script(NULL, true, true, 0, &result, &end);
	assert_int_equal(result, 0);
	assert_int_equal(end, 0);
	run_script(NULL, false, false, 0, &result, &end);
	assert_int_equal(end, 0);
}

static void every_deviation_is_noticed(void **state)
{
	int result, end;

	(void)state;
	for (size_t i = 0; i < sizeof(deviations) / sizeof(deviations[0]);
	     i++) {
		run_script(deviations[i], true, true, 0, &result, &end);
		if (result != -1 || end != -1)
			fail_msg("deviation %zu was not noticed", i);
	}
	run_script(NULL, true, true, 1, &result, &end);
	assert_int_equal(result, -1);
	assert_int_equal(end, -1);
}

static void missing_and_needless_commands_are_noticed(void **state)
{
	int result, end;

	(void)state;
	run_script(NULL, true, false, 0, &result, &end);
	assert_int_equal(end, -1);
	run_script(NULL, false, true, 0, &result, &end);
	assert_int_equal(result, -1);
	assert_int_equal(end, -1);
}

static void lost_memory_is_noticed(void **state)
{
	void *volatile lost; /* The compiler could do without it. */
	void *context;
	int saved, end;

	(void)state;
	kernel_setup_bare(&context);
	lost = malloc(1);
	saved = silence();
	end = kernel_teardown_bare(&context);
	speak_again(saved);
	assert_int_equal(end, -1);
	free(lost);
}

/* ---- memory ---- */

struct attempts {
	unsigned int count, failed;
};

static bool three_allocations(void *arg)
{
	struct attempts *attempts = arg;
	void *a = malloc(1);
	void *b = a ? calloc(1, 1) : NULL;
	char *c = b ? strdup("c") : NULL;
	bool ok = c;

	attempts->count++;
	attempts->failed += !ok;
	free(c);
	free(b);
	free(a);
	return ok;
}

static void each_allocation_fails_in_turn(void **state)
{
	struct attempts attempts = { 0 };

	(void)state;
	alloc_fail_each(three_allocations, &attempts, false);
	assert_int_equal(attempts.count, 4);
	assert_int_equal(attempts.failed, 3);
}

static void all_allocators_are_wrapped(void **state)
{
	size_t before = alloc_live();
	char *text = NULL;
	void *block;

	(void)state;
	for (int which = 0; which < 6; which++) {
		errno = 0;
		alloc_fail_at(1);
		block = NULL;
		text = NULL;
		if (which == 0)
			block = malloc(1);
		if (which == 1)
			block = calloc(1, 1);
		if (which == 2)
			block = realloc(NULL, 1);
		if (which == 3)
			text = strdup("text");
		if (which == 4)
			text = strndup("text", 2);
		if (which == 5 && asprintf(&text, "%d", which) == -1)
			text = NULL;
		assert_true(alloc_has_failed());
		assert_null(block);
		assert_null(text);
		assert_int_equal(errno, ENOMEM);
	}
	alloc_fail_at(0);

	block = realloc(malloc(1), 1000);
	assert_int_equal(alloc_live(), before + 1);
	free(block);
	assert_true(asprintf(&text, "%s %d", "number", 7) == 8);
	assert_string_equal(text, "number 7");
	free(text);
	text = strndup("text", 2);
	assert_string_equal(text, "te");
	free(text);
	assert_int_equal(alloc_live(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_expected_command_passes),
		cmocka_unit_test(every_deviation_is_noticed),
		cmocka_unit_test(missing_and_needless_commands_are_noticed),
		cmocka_unit_test(lost_memory_is_noticed),
		cmocka_unit_test(each_allocation_fails_in_turn),
		cmocka_unit_test(all_allocators_are_wrapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
