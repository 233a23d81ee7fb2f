// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Keys: see symmetry.h.  A file with all that concerns it is a word of 20 bits,
 * with the role that it has in a step behind it; the files' words in descending
 * order do not depend on their names.  Of all renamings of processes and MRs the
 * one with the smallest result is the key.
 */
#include "symmetry.h"

#define FILE_BITS 20
#define ROLE_BITS 2

static const int processes[6][PROCESSES] = {
	{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
	{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
};

static enum object renamed_object(enum object o, int variant)
{
	return o != PD && variant % 2 ? MR0 + MR1 - o : o;
}

static uint32_t word_of_file(const struct state *s, int file, int variant)
{
	const int *names = processes[variant / 2];
	const struct file *f = &s->file[file];
	uint32_t word = f->child | f->closed << 2;

	if (f->context != NOBODY)
		word |= 1u << (3 + names[f->context]);
	for (int p = 0; p < PROCESSES; p++)
		word |= (uint32_t)f->fd[p] << (6 + names[p]);
	/* Whether a PD was made or imported no rule asks: 3 bits. */
	word |= (f->own[PD] != NO_ALIAS) << 9 | f->exported[PD] << 10 |
		(s->home[PD] == file) << 11;
	for (enum object o = MR0; o < OBJECTS; o++) {
		uint32_t bits = f->own[o] | f->exported[o] << 2 |
				(s->home[o] == file) << 3;

		word |= bits << (renamed_object(o, variant) == MR0 ? 12 : 16);
	}
	return word;
}

struct renamed rename_state(const struct state *s)
{
	struct renamed r;

	for (int v = 0; v < VARIANTS; v++) {
		for (int f = 0; f < FILES; f++)
			r.files[v][f] = word_of_file(s, f, v) << ROLE_BITS;
		r.shared[v] = 0;
		for (enum object o = PD; o < OBJECTS; o++)
			r.shared[v] |= s->shared[o] << renamed_object(o, v);
	}
	return r;
}

static void order(uint32_t *high, uint32_t *low)
{
	uint32_t swap = *high;

	if (*high >= *low)
		return;
	*high = *low;
	*low = swap;
}

/* The files in order, and their roles in that order */
static struct key key_of_words(uint32_t a, uint32_t b, uint32_t c,
			       uint32_t shared)
{
	const uint32_t roles = (1u << ROLE_BITS) - 1;

	order(&a, &b);
	order(&b, &c);
	order(&a, &b);
	return (struct key){
		.files = (uint64_t)shared << 3 * FILE_BITS |
			 (uint64_t)(a >> ROLE_BITS) << 2 * FILE_BITS |
			 (uint64_t)(b >> ROLE_BITS) << FILE_BITS |
			 c >> ROLE_BITS,
		.step = (a & roles) << 2 * ROLE_BITS |
			(b & roles) << ROLE_BITS | (c & roles),
	};
}

static bool smaller(const struct key *a, const struct key *b)
{
	return a->files != b->files ? a->files < b->files : a->step < b->step;
}

struct key key_of_state(const struct renamed *r)
{
	struct key best = { UINT64_MAX, 0 };

	for (int v = 0; v < VARIANTS; v++) {
		const uint32_t *f = r->files[v];
		struct key key = key_of_words(f[0], f[1], f[2], r->shared[v]);

		if (smaller(&key, &best))
			best = key;
	}
	return best;
}

static bool has_file(const struct step *step)
{
	return step->kind < EXIT;
}

static bool has_second_file(const struct step *step)
{
	return step->kind == EXPORT || step->kind == IMPORT;
}

struct key key_of_step(const struct renamed *r, const struct step *step)
{
	struct key best = { UINT64_MAX, UINT64_MAX };

	for (int v = 0; v < VARIANTS; v++) {
		const int *names = processes[v / 2];
		uint32_t f[FILES] = { r->files[v][0], r->files[v][1],
				      r->files[v][2] };
		struct key key;

		if (has_file(step))
			f[step->file] |= 1;
		if (has_second_file(step))
			f[step->to] |= 2;
		key = key_of_words(f[0], f[1], f[2], r->shared[v]);
		key.step = key.step << 16 | step->kind << 8 |
			   names[step->process] << 6 |
			   (step->kind == SEND ? names[step->to] : 0) << 4 |
			   renamed_object(step->object, v) << 2 |
			   step->exported;
		if (smaller(&key, &best))
			best = key;
	}
	return best;
}
