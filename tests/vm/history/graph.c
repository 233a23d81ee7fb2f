// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The graph of states: see graph.h. */
#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "graph.h"
#include "symmetry.h"

/* So many steps on are cheaper than a new history. */
#define LOOK_AHEAD 3

/* ---- memory that forked processes need not have ---- */

static void *more(void *old, size_t old_size, size_t size)
{
	void *new = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (new == MAP_FAILED || madvise(new, size, MADV_DONTFORK))
		err(1, "no memory for the graph");
	if (old) {
		memcpy(new, old, old_size);
		munmap(old, old_size);
	}
	return new;
}

/* ---- a set of keys, each with a number ---- */

struct entry {
	struct key key;
	uint32_t value;
	bool used;
};

struct table {
	struct entry *entries;
	size_t room, used;
};

static size_t hash(struct key key)
{
	uint64_t h = (key.files ^ key.step * 0x9e3779b97f4a7c15ull) *
		     0xff51afd7ed558ccdull;

	return h ^ h >> 32;
}

static struct entry *slot(struct table *t, struct key key)
{
	size_t i = hash(key) & (t->room - 1);

	while (t->entries[i].used && (t->entries[i].key.files != key.files ||
				      t->entries[i].key.step != key.step))
		i = (i + 1) & (t->room - 1);
	return &t->entries[i];
}

static struct entry *find(struct table *t, struct key key)
{
	struct entry *e = t->room ? slot(t, key) : NULL;

	return e && e->used ? e : NULL;
}

static void add(struct table *t, struct key key, uint32_t value)
{
	struct entry *e;

	if (t->used * 2 >= t->room) {
		struct table wider = { .room = t->room ? t->room * 2 : 1024 };

		wider.entries = more(NULL, 0, wider.room * sizeof(*e));
		for (size_t i = 0; i < t->room; i++)
			if (t->entries[i].used)
				*slot(&wider, t->entries[i].key) =
					t->entries[i];
		if (t->room)
			munmap(t->entries, t->room * sizeof(*e));
		wider.used = t->used;
		*t = wider;
	}
	e = slot(t, key);
	*e = (struct entry){ key, value, true };
	t->used++;
}

/* ---- states ---- */

struct node {
	struct state state; /* one of its names */
	struct step by;	    /* from the parent's state */
	uint32_t parent;
	uint32_t left; /* steps that no history has taken */
	int length;    /* of the way here */
	uint32_t first_arc, arcs;
	int reach; /* what is so far from here is in the graph */
};

struct graph {
	struct node *nodes;
	size_t room, used;
	/* Where the steps of each node lead, as far as they are in the graph */
	uint32_t *arcs;
	size_t arcs_room, arcs_used;
	unsigned int ends;   /* taken so far */
	struct table states; /* value: the node */
	struct table steps;  /* value: taken */
	size_t next;	     /* no node before has any left */
	unsigned long left;
};

static struct node *node_of(struct graph *g, const struct state *s)
{
	struct renamed r = rename_state(s);
	struct entry *e = find(&g->states, key_of_state(&r));

	return e ? &g->nodes[e->value] : NULL;
}

static size_t add_state(struct graph *g, const struct state *s, struct step by,
			size_t parent)
{
	struct renamed r = rename_state(s);
	struct key key = key_of_state(&r);
	struct entry *e = find(&g->states, key);

	if (e)
		return e->value;
	if (g->used == g->room) {
		size_t room = g->room ? g->room * 2 : 1024;

		g->nodes = more(g->nodes, g->used * sizeof(*g->nodes),
				room * sizeof(*g->nodes));
		g->room = room;
	}
	g->nodes[g->used] = (struct node){
		.state = *s,
		.by = by,
		.parent = parent,
		.length = g->used ? g->nodes[parent].length + 1 : 0,
	};
	add(&g->states, key, g->used);
	return g->used++;
}

struct graph *graph_make(void)
{
	struct graph *g = calloc(1, sizeof(*g));
	struct state start = model_start();

	if (!g)
		err(1, "no memory for the graph");
	add_state(g, &start, (struct step){ .kind = OPEN }, 0);
	return g;
}

/*
 * The three ways of ending a process are one step here, and take turns when it
 * is taken.
 */
static int steps_from(const struct state *s, struct step steps[MODEL_STEPS])
{
	int n = model_steps(s, steps), kept = 0;

	for (int i = 0; i < n; i++)
		if (steps[i].kind <= EXIT)
			steps[kept++] = steps[i];
	return kept;
}

static void add_arc(struct graph *g, size_t to)
{
	if (g->arcs_used == g->arcs_room) {
		size_t room = g->arcs_room ? g->arcs_room * 2 : 4096;

		g->arcs = more(g->arcs, g->arcs_used * sizeof(*g->arcs),
			       room * sizeof(*g->arcs));
		g->arcs_room = room;
	}
	g->arcs[g->arcs_used++] = to;
}

/* All steps from the node, and the states that they lead to, to `to` */
static size_t add_steps(struct graph *g, size_t from, size_t *to)
{
	bool again = g->nodes[from].arcs;
	struct step steps[MODEL_STEPS];
	struct state s = g->nodes[from].state;
	struct renamed r = rename_state(&s);
	int n = steps_from(&s, steps);

	g->nodes[from].first_arc =
		again ? g->nodes[from].first_arc : g->arcs_used;
	for (int i = 0; i < n; i++) {
		struct key key = key_of_step(&r, &steps[i]);
		struct state after = s;

		if (!find(&g->steps, key)) {
			add(&g->steps, key, false);
			g->nodes[from].left++;
			g->left++;
		}
		model_do(&after, &steps[i]);
		to[i] = add_state(g, &after, steps[i], from);
		if (!again)
			add_arc(g, to[i]);
	}
	g->nodes[from].arcs = n;
	return n;
}

/* By breadth, so that the way to each state is a short one */
static void add_around(struct graph *g, size_t root, int depth)
{
	size_t count = 1, room = sizeof(root), *now = more(NULL, 0, room);

	now[0] = root;
	for (; depth > 0; depth--) {
		size_t next_room = count * MODEL_STEPS * sizeof(*now);
		size_t next_count = 0, *next = more(NULL, 0, next_room);

		for (size_t i = 0; i < count; i++) {
			/* By another way it may have been done already. */
			if (g->nodes[now[i]].reach >= depth)
				continue;
			g->nodes[now[i]].reach = depth;
			next_count += add_steps(g, now[i], next + next_count);
		}
		munmap(now, room);
		now = next;
		room = next_room;
		count = next_count;
		if (!count)
			break;
	}
	munmap(now, room);
}

/* The step of the node's own names that is the same as this one of s */
static struct step same_step(struct graph *g, size_t node,
			     const struct state *s, const struct step *step)
{
	struct renamed r = rename_state(s);
	struct key key = key_of_step(&r, step);
	struct step steps[MODEL_STEPS];
	int n = steps_from(&g->nodes[node].state, steps);

	r = rename_state(&g->nodes[node].state);
	for (int i = 0; i < n; i++) {
		struct key other = key_of_step(&r, &steps[i]);

		if (other.files == key.files && other.step == key.step)
			return steps[i];
	}
	errx(1, "a step that is not possible");
}

void graph_add(struct graph *g, const struct step *steps, int count, int depth)
{
	struct state s = model_start();
	size_t node = 0;

	for (int i = 0; i < count; i++) {
		struct step step = same_step(g, node, &s, &steps[i]);
		struct state after = g->nodes[node].state;

		model_do(&after, &step);
		node = add_state(g, &after, step, node);
		model_do(&s, &steps[i]);
	}
	add_around(g, node, depth);
}

unsigned long graph_states(const struct graph *g)
{
	return g->used;
}

unsigned long graph_steps(const struct graph *g)
{
	return g->steps.used;
}

unsigned long graph_left(const struct graph *g)
{
	return g->left;
}

/* ---- histories ---- */

static void take(struct graph *g, struct state *s, struct step *step)
{
	struct renamed r = rename_state(s);
	struct entry *e = find(&g->steps, key_of_step(&r, step));

	if (e && !e->value) {
		e->value = true;
		node_of(g, s)->left--;
		g->left--;
	}
	model_do(s, step);
	if (step->kind == EXIT)
		step->kind = EXIT + g->ends++ % 3;
}

static int way_to(const struct graph *g, size_t node, struct step *steps)
{
	int length = g->nodes[node].length;

	for (int i = length; i > 0; i--) {
		steps[i - 1] = g->nodes[node].by;
		node = g->nodes[node].parent;
	}
	return length;
}

/*
 * How many steps of the graph it is from a node to one with a step that was not
 * taken yet: at most limit, else limit + 1.
 */
static int distance(const struct graph *g, size_t node, int limit)
{
	if (g->nodes[node].left)
		return 0;
	for (uint32_t i = 0; limit && i < g->nodes[node].arcs; i++) {
		size_t to = g->arcs[g->nodes[node].first_arc + i];
		int more;

		/* Deeper only where it can get us nearer than we are. */
		more = distance(g, to, limit - 1);
		if (more < limit)
			limit = more;
		if (!more)
			return 1;
	}
	return limit + 1;
}

/* A step that was not taken yet, else one nearer to such a step */
static bool choose(struct graph *g, const struct state *s, struct step *chosen)
{
	struct step steps[MODEL_STEPS];
	struct renamed r = rename_state(s);
	int n = steps_from(s, steps), nearest = LOOK_AHEAD + 1;
	struct node *here = node_of(g, s);

	for (int i = 0; here && here->left && i < n; i++) {
		struct entry *e = find(&g->steps, key_of_step(&r, &steps[i]));

		if (e && !e->value) {
			*chosen = steps[i];
			return true;
		}
	}
	for (int i = 0; nearest && i < n; i++) {
		struct state after = *s;
		struct node *there;
		int more;

		/* An end costs more than the steps that it would save. */
		if (steps[i].kind >= EXIT)
			continue;
		model_do(&after, &steps[i]);
		there = node_of(g, &after);
		if (!there)
			continue;
		more = distance(g, there - g->nodes, nearest - 1);
		if (more < nearest) {
			nearest = more;
			*chosen = steps[i];
		}
	}
	return nearest <= LOOK_AHEAD;
}

int graph_next(struct graph *g, struct step *steps, int room)
{
	struct state s = model_start();
	int length;

	while (g->next < g->used && !g->nodes[g->next].left)
		g->next++;
	if (g->next == g->used)
		return 0;
	length = way_to(g, g->next, steps);
	for (int i = 0; i < length; i++)
		take(g, &s, &steps[i]);
	while (length < room && choose(g, &s, &steps[length]))
		take(g, &s, &steps[length++]);
	return length;
}
