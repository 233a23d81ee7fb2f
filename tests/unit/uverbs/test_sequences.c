// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Replays command-sequences.tsv, which tells for each command function and
 * kernel answer what goes to the kernel and what comes of it.  Each row is a
 * test.
 *
 * The table knows a third way to the kernel, write(), that this library does
 * not have.  Where it says write(), INVOKE_WRITE must be tried and, as the
 * kernel of that row has no ioctl at all, the function must give EOPNOTSUPP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "kernel_script.h"
#include "sequence_names.h"
#include "sequences.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))

enum { MAX_ROWS = 512, LINE = 16384 };

enum column { FUNCTION, CASE, ANSWER, CALLS, RETURN, ERRNO, MEMBERS, COLUMNS };

struct row {
	char *text; /* of all columns, each ended by a NUL */
	const char *column[COLUMNS];
	char title[256];
	const struct row *first; /* of the same function and case */
	const struct sequence_case *the_case;
};

static struct row rows[MAX_ROWS];
static unsigned int num_rows;

/* ---- the table ---- */

static const struct sequence_case *find_case(const struct row *row)
{
	for (unsigned int i = 0; i < num_sequence_cases; i++) {
		const struct sequence_case *c = &sequence_cases[i];

		if (!strcmp(c->function, row->column[FUNCTION]) &&
		    !strcmp(c->name, row->column[CASE]))
			return c;
	}
	return NULL;
}

static const struct row *find_first(const struct row *row)
{
	for (unsigned int i = 0; i < num_rows; i++)
		if (!strcmp(rows[i].column[FUNCTION], row->column[FUNCTION]) &&
		    !strcmp(rows[i].column[CASE], row->column[CASE]))
			return &rows[i];
	return row;
}

static void add_row(const char *line)
{
	struct row *row = &rows[num_rows];
	char *at;

	if (num_rows == MAX_ROWS)
		abort();
	at = row->text = strdup(line);
	if (!at)
		abort();
	at[strcspn(at, "\n")] = '\0';
	for (int i = 0; i < COLUMNS; i++) {
		row->column[i] = at ? at : "";
		at = at ? strchr(at, '\t') : NULL;
		if (at)
			*at++ = '\0';
	}
	row->first = find_first(row);
	row->the_case = find_case(row);
	snprintf(row->title, sizeof(row->title), "%s [%s] %s",
		 row->column[FUNCTION], row->column[CASE], row->column[ANSWER]);
	num_rows++;
}

static bool read_table(void)
{
	static char line[LINE];
	FILE *file = fopen(SEQUENCES, "re");

	if (!file) {
		perror(SEQUENCES);
		return false;
	}
	/* The first line names the columns. */
	if (fgets(line, sizeof(line), file))
		while (fgets(line, sizeof(line), file))
			add_row(line);
	fclose(file);
	return num_rows;
}

/* ---- what changed ---- */

void track(struct world *world, const char *name, void *object, size_t size,
	   const struct member *members, unsigned int num_members)
{
	struct tracked *t = &world->tracked[world->num_tracked++];

	assert_true(world->num_tracked <= COUNT(world->tracked));
	assert_true(size <= sizeof(t->before));
	t->name = name;
	t->object = object;
	t->size = size;
	t->members = members;
	t->num_members = num_members;
	memcpy(t->before, object, size);
}

/*
 * The part of the column about one struct: "name{a,b}; " gives "a,b"; a name
 * without braces gives an empty text.  NULL: the struct is not there.
 */
static bool find_tracked(const char *column, const char *name, char *members,
			 size_t size)
{
	size_t len = strlen(name);
	const char *at = column;

	members[0] = '\0';
	while (at) {
		if (!strncmp(at, name, len) &&
		    (at[len] == '{' || at[len] == ';' || !at[len])) {
			if (at[len] == '{')
				snprintf(members, size, ",%.*s,",
					 (int)strcspn(at + len + 1, "}"),
					 at + len + 1);
			return true;
		}
		at = strstr(at, "; ");
		if (at)
			at += 2;
	}
	return false;
}

static void check_one(const struct tracked *t, const char *column)
{
	static char members[LINE], expected[1024];
	const char *now = t->object;
	bool listed = find_tracked(column, t->name, members, sizeof(members));

	if (listed && !members[0]) {
		if (!memcmp(now, t->before, t->size))
			fail_msg("%s was not written", t->name);
		return;
	}

	memcpy(expected, t->before, t->size);
	for (unsigned int i = 0; i < t->num_members; i++) {
		const struct member *m = &t->members[i];
		char name[128], *at;

		snprintf(name, sizeof(name), ",%s,", m->name);
		at = strstr(members, name);
		if (!at)
			continue;
		if (!memcmp(now + m->offset, t->before + m->offset, m->size))
			fail_msg("%s.%s was not written", t->name, m->name);
		memcpy(expected + m->offset, now + m->offset, m->size);
		/* Leave the comma for the next name. */
		memmove(at, at + strlen(name) - 1,
			strlen(at + strlen(name) - 1) + 1);
	}
	if (strlen(members) > 1)
		fail_msg("the table has members of %s that the case does not "
			 "know: %s",
			 t->name, members);
	for (size_t i = 0; i < t->size; i++)
		if (expected[i] != now[i])
			fail_msg("%s: byte %zu was written, which the table "
				 "does not tell",
				 t->name, i);
}

void check_tracked(struct world *world)
{
	for (unsigned int i = 0; i < world->num_tracked; i++)
		check_one(&world->tracked[i], world->members);
}

/* ---- the script of a row ---- */

#define NUMBER(_names, _text, _len) number(_names, COUNT(_names), _text, _len)
static uint32_t number(const struct name *names, size_t count, const char *text,
		       size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i].name) == len &&
		    !strncmp(names[i].name, text, len))
			return names[i].value;
	fail_msg("unknown name %.*s", (int)len, text);
	return 0;
}

/* Numbers none of which is zero, and all of which are small as descriptors */
static void fill(unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		bytes[i] = 1 + i % 100;
}

/* What the kernel writes into an output */
static void make_output(const struct row *row, uint16_t id,
			unsigned char *bytes, size_t len)
{
	const char *function = row->column[FUNCTION];
	uint32_t value;

	fill(bytes, len);
	if (!strncmp(function, "ibv_cmd_destroy_", 16) ||
	    !strncmp(function, "ibv_cmd_p", 9)) {
		/* No events; nothing polled; no bad work request */
		memset(bytes, 0, len);
	} else if (id == UVERBS_ATTR_CORE_OUT &&
		   !strcmp(function, "ibv_cmd_create_rwq_ind_table")) {
		value = strstr(row->column[CASE], "below 16") ? 15 : 16;
		memcpy(bytes + 4, &value, sizeof(value));
	} else if (id == UVERBS_ATTR_CORE_OUT &&
		   !strcmp(function, "ibv_cmd_query_device_any") &&
		   len > sizeof(struct ib_uverbs_query_device_resp)) {
		value = len;
		memcpy(bytes + offsetof(struct ib_uverbs_ex_query_device_resp,
					response_length),
		       &value, sizeof(value));
	}
}

/* "NAME:kind len n ..." or "WRITE_CMD=NAME" */
static void add_attr(struct kernel_call *call, const struct row *row,
		     const char *text, size_t text_len)
{
	static unsigned char bytes[1024];
	size_t name_len = strcspn(text, ":=");
	uint16_t id = NUMBER(attr_names, text, name_len);
	const char *kind = text + name_len + 1;
	char rest[64];
	unsigned int len = 0, elem = 0;
	const char *at;

	snprintf(rest, sizeof(rest), "%.*s", (int)(text_len - name_len - 1),
		 kind);
	at = strstr(rest, "len ");
	if (at)
		sscanf(at, "len %u elem %u", &len, &elem);

	if (text[name_len] == '=') {
		kernel_u64(call, id, NUMBER(command_names, rest, strlen(rest)));
	} else if (!strncmp(rest, "handle", 6)) {
		kernel_handle(call, id, 0);
		kernel_any_value(call);
	} else if (!strcmp(rest, "out-handle")) {
		kernel_new(call, id, 0x4a1d);
	} else if (!strncmp(rest, "inline", 6) || !strncmp(rest, "in-ptr", 6)) {
		kernel_enum(call, id, elem, NULL, len);
		assert_int_equal(!strncmp(rest, "inline", 6), len <= 8);
	} else if (!strncmp(rest, "out-ptr", 7)) {
		assert_true(len <= sizeof(bytes));
		make_output(row, id, bytes, len);
		kernel_out(call, id, len, bytes, len);
	} else {
		fail_msg("unknown kind of attribute: %s", rest);
	}
	if (strstr(rest, "optional"))
		kernel_optional(call);
}

static int parse_errno(const char *text)
{
	const char *paren = strchr(text, '(');

	return paren ? atoi(paren + 1) : 0;
}

/* The errno of the name after "-> ", which the table writes without number */
static int answer_errno(const char *text)
{
	static const struct {
		const char *name;
		int value;
	} errors[] = {
		{ "EPROTONOSUPPORT", EPROTONOSUPPORT },
		{ "ENOTTY", ENOTTY },
		{ "EINVAL", EINVAL },
		{ "EIO", EIO },
	};
	const char *arrow = strstr(text, "-> ");

	for (size_t i = 0; arrow && i < COUNT(errors); i++)
		if (!strncmp(arrow + 3, errors[i].name, strlen(errors[i].name)))
			return errors[i].value;
	return 0;
}

/* "ioctl OBJECT/METHOD (attribute; attribute) -> ..." */
static void add_ioctl(const struct row *row, const char *text, int err)
{
	const char *object = text + strlen("ioctl ");
	size_t object_len = strcspn(object, "/");
	const char *method = object + object_len + 1;
	size_t method_len = strcspn(method, " ");
	const char *at = strchr(method, '(') + 1;
	struct kernel_call *call =
		kernel_expect(NUMBER(object_names, object, object_len),
			      NUMBER(method_names, method, method_len));

	for (;;) {
		size_t len = strcspn(at, ";)");

		add_attr(call, row, at, len);
		if (at[len] == ')')
			break;
		at += len + 2;
	}
	if (err)
		kernel_fails(call, err);
}

/* The first ioctl with this object of a row; NULL */
static const char *ioctl_of(const struct row *row, const char *start)
{
	return strstr(row->column[CALLS], start);
}

static const char *any_ioctl(const struct row *row)
{
	return ioctl_of(row, "ioctl ");
}

/* The older command of a case, from whichever of its rows has it */
static const char *older_ioctl(const struct row *row)
{
	for (const struct row *r = row->first; r < &rows[num_rows]; r++) {
		const char *text;

		if (r->first != row->first)
			continue;
		text = ioctl_of(r, "ioctl DEVICE/INVOKE_WRITE");
		if (text)
			return text;
	}
	return NULL;
}

static bool is_write_row(const struct row *row)
{
	const char *calls = row->column[CALLS];

	return strstr(calls, "THEN write") || !strncmp(calls, "write", 5);
}

static void make_script(const struct row *row)
{
	const char *calls = row->column[CALLS];
	const char *then = strstr(calls, " THEN ");
	const char *same = strncmp(calls, "same first", 10) ? NULL : calls;

	if (!strcmp(calls, "no system call"))
		return;
	if (is_write_row(row)) {
		/* Every ioctl of this kernel: ENOTTY */
		if (then)
			add_ioctl(row, any_ioctl(row->first), ENOTTY);
		if (older_ioctl(row))
			add_ioctl(row, older_ioctl(row), ENOTTY);
		/* The plain form is tried when the extended one is refused. */
		if (strstr(calls, "EX_CMD_QUERY_DEVICE")) {
			struct kernel_call *call = kernel_expect_write(
				IB_USER_VERBS_CMD_QUERY_DEVICE, NULL, 8, NULL,
				176);
			kernel_fails(call, ENOTTY);
		}
		/* The one that finds out whether the kernel is too old */
		if (!strcmp(row->column[FUNCTION], "ibv_cmd_get_context")) {
			struct kernel_call *call = kernel_expect_write(
				IB_USER_VERBS_CMD_QUERY_DEVICE, NULL, 0, NULL,
				0);
			kernel_fails(call, ENOTTY);
		}
		return;
	}
	add_ioctl(row, same ? any_ioctl(row->first) : any_ioctl(row),
		  answer_errno(calls));
	if (then)
		add_ioctl(row, strstr(then, "ioctl "),
			  answer_errno(strstr(then, "ioctl ")));
}

/* ---- what the function must give ---- */

static bool is_channel(const struct row *row)
{
	return !strcmp(row->column[FUNCTION], "ibv_create_comp_channel");
}

static long expected_return(const struct row *row)
{
	const char *text = row->column[RETURN];

	if (is_write_row(row)) {
		if (is_channel(row))
			return 0;
		return strcmp(row->column[FUNCTION], "ibv_cmd_poll_cq")
			       ? EOPNOTSUPP
			       : -1;
	}
	if (!strcmp(text, "non-NULL pointer"))
		return 1;
	if (strchr(text, '('))
		return atoi(strchr(text, '(') + 1);
	return atoi(text);
}

static int expected_errno(const struct row *row)
{
	if (is_write_row(row))
		return EOPNOTSUPP;
	return parse_errno(row->column[ERRNO]);
}

/* Members of a row with write(): as when the command fails otherwise */
static const char *expected_members(const struct row *row)
{
	if (!is_write_row(row))
		return row->column[MEMBERS];
	for (const struct row *r = row->first; r < &rows[num_rows]; r++)
		if (r->first == row->first &&
		    !strcmp(r->column[ANSWER], "EINVAL to everything"))
			return r->column[MEMBERS];
	return "-";
}

static int answer_missing(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	const char *answer = arg;

	(void)fd;
	if (!strncmp(answer, "ENOTTY", 6))
		return ENOTTY;
	return hdr->object_id == UVERBS_OBJECT_DEVICE &&
			       hdr->method_id == UVERBS_METHOD_INVOKE_WRITE
		       ? 0
		       : EPROTONOSUPPORT;
}

static void replay(void **state)
{
	const struct row *row = *state;
	struct world world = { 0 };
	void *context;

	if (!row->the_case)
		fail_msg("no case for this row");
	assert_int_equal(kernel_setup(&context), 0);
	*state = context;
	world.context = context;
	world.members = expected_members(row);
	if (row->the_case->before) {
		kernel_answer_with(answer_missing, (void *)row->column[ANSWER]);
		row->the_case->before(&world);
		kernel_restart();
	}
	make_script(row);
	row->the_case->run(&world);
	assert_int_equal(world.ret, expected_return(row));
	assert_int_equal(world.err, expected_errno(row));
}

/* Without a context the test failed before it had one. */
static int after_replay(void **state)
{
	for (unsigned int i = 0; i < num_rows; i++)
		if (*state == &rows[i])
			return 0;
	return kernel_teardown(state);
}

int main(void)
{
	static struct CMUnitTest tests[MAX_ROWS];

	if (!read_table())
		return 1;
	for (unsigned int i = 0; i < num_rows; i++)
		tests[i] = (struct CMUnitTest){
			.name = rows[i].title,
			.test_func = replay,
			.teardown_func = after_replay,
			.initial_state = &rows[i],
		};
	return _cmocka_run_group_tests("command-sequences.tsv", tests, num_rows,
				       NULL, NULL);
}
