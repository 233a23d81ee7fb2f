// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The rules of lifetime: see model.h. */
#include <errno.h>
#include <string.h>

#include "model.h"

struct state model_start(void)
{
	struct state s;

	memset(&s, 0, sizeof(s));
	for (int f = 0; f < FILES; f++)
		s.file[f].context = NOBODY;
	for (int o = 0; o < OBJECTS; o++)
		s.home[o] = NOBODY;
	return s;
}

/* ---- what is there ---- */

/*
 * A file is open as long as any process has a descriptor of it, or maps memory
 * of a queue in it.
 */
bool model_is_open(const struct state *s, int file)
{
	const struct file *f = &s->file[file];

	return f->context != NOBODY || f->fd[0] || f->fd[1] || f->fd[2];
}

bool model_has_context(const struct state *s, int process, int file)
{
	return s->file[file].context == process && !s->file[file].closed;
}

/* Nobody has structs of what is in it. */
static bool is_orphan(const struct state *s, int file)
{
	return s->file[file].context == NOBODY || s->file[file].closed;
}

bool model_reaches(const struct state *s, int process, int file)
{
	return model_has_context(s, process, file) || s->file[file].fd[process];
}

static bool has_alias(const struct state *s, enum object object)
{
	for (int f = 0; f < FILES; f++)
		if (s->file[f].own[object] || s->file[f].exported[object])
			return true;
	return false;
}

/* Does anything that was created through this file use the PD? */
static bool file_uses_pd(const struct file *f)
{
	return f->child || f->own[MR0] == MADE || f->own[MR1] == MADE;
}

static bool pd_in_use(const struct state *s)
{
	if (s->home[MR0] != NOBODY || s->home[MR1] != NOBODY)
		return true;
	for (int f = 0; f < FILES; f++)
		if (s->file[f].child)
			return true;
	return false;
}

static bool is_home(const struct state *s, int file)
{
	for (int o = 0; o < OBJECTS; o++)
		if (s->home[o] == file)
			return true;
	return false;
}

static bool has_context(const struct state *s, int process)
{
	for (int f = 0; f < FILES; f++)
		if (model_has_context(s, process, f))
			return true;
	return false;
}

static bool has_anything(const struct state *s, int process)
{
	for (int f = 0; f < FILES; f++)
		if (s->file[f].context == process || s->file[f].fd[process])
			return true;
	return false;
}

/*
 * The context in which an object was made stays until that is gone, whether or
 * not its file is open.
 */
struct left model_left(const struct state *s)
{
	struct left left = { .pds = s->home[PD] != NOBODY,
			     .mrs = (s->home[MR0] != NOBODY) +
				    (s->home[MR1] != NOBODY) };

	for (int f = 0; f < FILES; f++) {
		left.contexts += model_is_open(s, f) || is_home(s, f);
		left.queues += s->file[f].child == QUEUE;
	}
	return left;
}

/* ---- what can be done ---- */

bool model_possible(const struct state *s, const struct step *step)
{
	const struct file *f = &s->file[step->file], *to = &s->file[step->to];
	enum object o = step->object;
	int p = step->process;
	bool mine = model_has_context(s, p, step->file);

	switch (step->kind) {
	case OPEN:
		return !model_is_open(s, step->file) && !is_home(s, step->file);
	case CLOSE:
		return mine;
	case SEND:
		return model_reaches(s, p, step->file) &&
		       !model_reaches(s, step->to, step->file);
	case DROP:
		return f->fd[p];
	case MAKE:
		return mine && s->home[o] == NOBODY && (o == PD || f->own[PD]);
	case EXPORT:
		return mine && f->own[o] && model_reaches(s, p, step->to) &&
		       !to->exported[o];
	case IMPORT:
		return mine && !f->own[o] && model_reaches(s, p, step->to) &&
		       (step->exported ? to->exported[o]
				       : to->own[o] != NO_ALIAS);
	case CREATE:
	case CREATE_QUEUE:
		return mine && f->own[PD] && !f->child;
	case DESTROY:
		return mine && f->child;
	case FREE:
		return mine && f->own[o];
	case WITHDRAW:
		return model_reaches(s, p, step->file) && has_context(s, p) &&
		       (step->exported ? f->exported[o]
				       : f->own[o] && is_orphan(s, step->file));
	case EXIT:
	case KILL:
	case EXEC:
		return has_anything(s, p);
	case KINDS:
		break;
	}
	return false;
}

int model_result(const struct state *s, const struct step *step)
{
	if ((step->kind == FREE || step->kind == WITHDRAW) &&
	    step->object == PD && file_uses_pd(&s->file[step->file]))
		return EBUSY;
	return 0;
}

/* ---- what comes of it ---- */

/* With its last descriptor a file's aliases and children go, ... */
static void close_files(struct state *s)
{
	for (int f = 0; f < FILES; f++) {
		if (model_is_open(s, f))
			continue;
		memset(&s->file[f], 0, sizeof(s->file[f]));
		s->file[f].context = NOBODY;
	}
}

/* ... with its last alias an MR, and with its last alias and use the PD. */
static void free_objects(struct state *s)
{
	for (enum object mr = MR0; mr < OBJECTS; mr++)
		if (!has_alias(s, mr))
			s->home[mr] = NOBODY;
	if (!has_alias(s, PD) && !pd_in_use(s))
		s->home[PD] = NOBODY;
	for (int o = 0; o < OBJECTS; o++)
		s->shared[o] &= s->home[o] != NOBODY;
}

void model_do(struct state *s, const struct step *step)
{
	struct file *f = &s->file[step->file];
	enum object o = step->object;

	if (model_result(s, step))
		return;
	switch (step->kind) {
	case OPEN:
		f->context = step->process;
		break;
	case CLOSE:
		f->closed = f->child == QUEUE;
		if (!f->closed)
			f->context = NOBODY;
		break;
	case SEND:
		f->fd[step->to] = true;
		break;
	case DROP:
		f->fd[step->process] = false;
		break;
	case MAKE:
		f->own[o] = MADE;
		s->home[o] = step->file;
		break;
	case EXPORT:
		s->file[step->to].exported[o] = true;
		s->shared[o] = true;
		break;
	case IMPORT:
		f->own[o] = IMPORTED;
		s->shared[o] = true;
		break;
	case CREATE:
		f->child = PLAIN;
		break;
	case CREATE_QUEUE:
		f->child = QUEUE;
		break;
	case DESTROY:
		f->child = NO_CHILD;
		break;
	case FREE:
		f->own[o] = NO_ALIAS;
		break;
	case WITHDRAW:
		if (step->exported)
			f->exported[o] = false;
		else
			f->own[o] = NO_ALIAS;
		break;
	case EXIT:
	case KILL:
	case EXEC:
		for (int i = 0; i < FILES; i++) {
			if (s->file[i].context == step->process) {
				s->file[i].context = NOBODY;
				s->file[i].closed = false;
			}
			s->file[i].fd[step->process] = false;
		}
		break;
	case KINDS:
		break;
	}
	close_files(s);
	free_objects(s);
}

/* ---- all of them ---- */

struct list {
	const struct state *s;
	struct step *steps;
	int count;
};

static void offer(struct list *list, struct step step)
{
	if (model_possible(list->s, &step))
		list->steps[list->count++] = step;
}

/* Which of the unused files is opened makes no difference: the first. */
static int first_unused(const struct state *s)
{
	for (int f = 0; f < FILES; f++)
		if (!model_is_open(s, f) && !is_home(s, f))
			return f;
	return NOBODY;
}

static void offer_object(struct list *list, struct step step)
{
	static const enum kind with_two_files[] = { EXPORT, IMPORT };

	step.kind = MAKE;
	offer(list, step);
	step.kind = FREE;
	offer(list, step);
	for (int exported = 0; exported < 2; exported++) {
		step.exported = exported;
		step.kind = WITHDRAW;
		step.to = 0;
		offer(list, step);
		/* Only own aliases are exported, into places that have none. */
		for (int i = exported; i < 2; i++)
			for (int to = 0; to < FILES; to++) {
				step.kind = with_two_files[i];
				step.to = to;
				offer(list, step);
			}
	}
}

static void offer_file(struct list *list, struct step step)
{
	static const enum kind with_one_file[] = { CLOSE, DROP, CREATE,
						   CREATE_QUEUE, DESTROY };

	for (int i = 0; i < 5; i++) {
		step.kind = with_one_file[i];
		offer(list, step);
	}
	for (int to = 0; to < PROCESSES; to++) {
		step.kind = SEND;
		step.to = to;
		offer(list, step);
	}
	for (enum object o = PD; o < OBJECTS; o++) {
		step.object = o;
		step.to = 0;
		offer_object(list, step);
	}
}

int model_steps(const struct state *s, struct step steps[MODEL_STEPS])
{
	struct list list = { s, steps, 0 };
	int unused = first_unused(s);

	for (int p = 0; p < PROCESSES; p++) {
		struct step step = { .kind = OPEN, .process = p };

		step.file = unused;
		if (unused != NOBODY)
			offer(&list, step);
		for (step.file = 0; step.file < FILES; step.file++)
			offer_file(&list, step);
		step.file = 0;
		for (step.kind = EXIT; step.kind <= EXEC; step.kind++)
			offer(&list, step);
	}
	return list.count;
}
