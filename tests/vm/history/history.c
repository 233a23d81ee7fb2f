// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* One history: see history.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history.h"
#include "text.h"
#include "worker.h"
#include "world.h"

struct history_totals totals;

static struct world base;

/* What the model has no names for: it is learned on the way. */
struct facts {
	uint32_t own[FILES][OBJECTS], exported[FILES][OBJECTS]; /* handles */
	uint32_t lkey[OBJECTS], rkey[OBJECTS];
	enum creation creation[FILES];
};

static char wrong[256];

static bool differ(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static bool differ(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(wrong, sizeof(wrong), fmt, ap);
	va_end(ap);
	return false;
}

/* ---- what must be left ---- */

static struct world expected_world(const struct state *s,
				   const struct facts *facts)
{
	struct left left = model_left(s);
	struct world world = base;

	world.count[CTX] += left.contexts;
	world.count[RES_PD] += left.pds;
	world.count[RES_MR] += left.mrs;
	/* The kernel does not tell how many AHs and MWs there are. */
	for (int f = 0; f < FILES; f++) {
		enum creation made = facts->creation[f];

		if (s->file[f].child != QUEUE)
			continue;
		world.count[QP] += made == CREATE_QP;
		world.count[CQ] += made == CREATE_QP;
		world.count[SRQ] += made == CREATE_SRQ;
	}
	return world;
}

static bool check_world(const struct world *want)
{
	struct world world = world_count();

	/* Freeing is done when the call returns, but a slow end of a process. */
	if (!world_same(&world, want))
		world = world_settle(want);
	for (int i = 0; i < RESOURCES; i++)
		if (world.count[i] != want->count[i])
			return differ("%ld %s instead of %ld",
				      world.count[i] - base.count[i],
				      resource_names[i],
				      want->count[i] - base.count[i]);
	return true;
}

/* ---- what must come of it ---- */

static bool check_new_mr(const struct state *before, const struct step *step,
			 const struct answer *answer, struct facts *facts)
{
	enum object o = step->object;
	bool has_pd = before->file[step->file].own[PD] != NO_ALIAS;

	if (answer->length != MR_LENGTH(o))
		return differ("length %llu",
			      (unsigned long long)answer->length);
	if (step->kind == MAKE) {
		facts->lkey[o] = answer->lkey;
		facts->rkey[o] = answer->rkey;
		return true;
	}
	if (answer->lkey != facts->lkey[o] || answer->rkey != facts->rkey[o])
		return differ("keys %#x %#x instead of %#x %#x", answer->lkey,
			      answer->rkey, facts->lkey[o], facts->rkey[o]);
	if (answer->own_pd != has_pd || answer->no_pd == has_pd)
		return differ("the MR's pd is %s",
			      answer->no_pd    ? "NULL"
			      : answer->own_pd ? "the file's"
					       : "none of the file's");
	return true;
}

static bool check_answer(const struct state *before, const struct step *step,
			 const struct answer *answer, struct facts *facts)
{
	int want = model_result(before, step);
	enum object o = step->object;

	if (answer->result != want)
		return differ("%d (%s) instead of %d", answer->result,
			      strerror(answer->result), want);
	if (want)
		return true;
	switch (step->kind) {
	case MAKE:
	case IMPORT:
		facts->own[step->file][o] = answer->handle;
		return o == PD || check_new_mr(before, step, answer, facts);
	case EXPORT:
		facts->exported[step->to][o] = answer->handle;
		return true;
	case FREE:
	case WITHDRAW:
		if (answer->after != ENOENT)
			return differ("import of its handle gives %d",
				      answer->after);
		return true;
	default:
		return true;
	}
}

static struct order order_of(const struct step *step, const struct facts *facts)
{
	int file = step->kind == WITHDRAW ? step->file : step->to;

	return (struct order){
		.what = STEP,
		.step = *step,
		.handle = step->exported ? facts->exported[file][step->object]
					 : facts->own[file][step->object],
	};
}

/* ---- the whole ---- */

static void print_history(const struct step *steps, int count)
{
	char text[TEXT_STEP];

	printf("--replay \"");
	for (int i = 0; i < count; i++) {
		text_of_step(&steps[i], text);
		printf("%s%s", i ? "; " : "", text);
	}
	printf("\"\n");
	fflush(stdout);
}

static void report(const struct step *steps, int count)
{
	totals.failed++;
	printf("FAILED: %s: ", wrong);
	print_history(steps, count);
}

/* For the end of this program in the middle of one: a process that crashes */
static struct {
	const struct step *steps;
	int count;
	pid_t pid;
} current;

static void report_current(void)
{
	if (current.count && current.pid == getpid()) {
		printf("UNFINISHED: ");
		print_history(current.steps, current.count);
	}
}

static bool run_step(struct state *s, struct facts *facts,
		     const struct step *step, int number)
{
	struct order order = order_of(step, facts);
	struct answer answer;
	struct state before = *s;
	struct world want;

	/* Now the one, now the other, but the same when it is replayed */
	if (step->kind == CREATE)
		order.creation = number % 2 ? CREATE_AH : CREATE_MW;
	if (step->kind == CREATE_QUEUE)
		order.creation = number % 2 ? CREATE_QP : CREATE_SRQ;
	if (order.creation)
		facts->creation[step->file] = order.creation;
	answer = worker_do(&order);
	totals.steps++;
	model_do(s, step);
	want = expected_world(s, facts);
	return check_answer(&before, step, &answer, facts) &&
	       check_world(&want);
}

void history_begin(void)
{
	base = world_count();
	if (!current.pid)
		atexit(report_current);
	current.pid = getpid();
}

/* The next one is to be judged by what it does itself. */
static bool failed(const struct step *steps, int count)
{
	report(steps, count);
	current.count = 0;
	workers_kill();
	history_begin();
	return false;
}

bool history_run(const struct step *steps, int count)
{
	struct state s = model_start();
	struct facts facts;

	memset(&facts, 0, sizeof(facts));
	totals.histories++;
	current.steps = steps;
	for (int i = 0; i < count; i++) {
		current.count = i + 1;
		if (!model_possible(&s, &steps[i])) {
			differ("the last step is not possible");
			return failed(steps, i + 1);
		}
		if (!run_step(&s, &facts, &steps[i], i))
			return failed(steps, i + 1);
	}
	workers_clear();
	current.count = 0;
	if (check_world(&base))
		return true;
	strncat(wrong, ", after everything was closed",
		sizeof(wrong) - strlen(wrong) - 1);
	return failed(steps, count);
}
