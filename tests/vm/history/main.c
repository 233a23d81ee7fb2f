// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Every rule of lifetime in every order: histories of processes that open files,
 * make, export, import, use and free one PD and two MRs and end in every way,
 * each step held against the model (model.h).
 *
 *	--all N		all histories of N steps, from nothing
 *	--depth N	all steps from all states that are less than N steps from
 *			one of the starts (starts.h); twice as many steps from
 *			nothing
 *	--random N	N histories of random steps
 *	--length N	of so many steps each (60)
 *	--seed N	of the random numbers (1)
 *	--replay TEXT	one history, as a failure tells it
 */
#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#include "graph.h"
#include "history.h"
#include "starts.h"
#include "symmetry.h"
#include "text.h"
#include "worker.h"
#include "world.h"

#define MAX_STEPS 4096
#define MAX_FAILURES 10

static struct step steps[MAX_STEPS];

static void run(const struct step *history, int count)
{
	if (!history_run(history, count) && totals.failed == MAX_FAILURES)
		errx(1, "too many failures");
}

static int parse(const char *text)
{
	int count;
	const char *bad = text_to_steps(text, steps, MAX_STEPS, &count);

	if (bad)
		errx(2, "what is \"%s\"?", bad);
	return count;
}

/* ---- all histories of that many steps ---- */

/* Of steps that are the same but for names one is enough. */
static void all(const struct state *s, int done, int depth)
{
	struct step possible[MODEL_STEPS];
	struct key seen[MODEL_STEPS];
	struct renamed r = rename_state(s);
	int n, different = 0;

	if (done == depth) {
		run(steps, done);
		return;
	}
	n = model_steps(s, possible);
	for (int i = 0, k; i < n; i++) {
		struct state after = *s;

		seen[different] = key_of_step(&r, &possible[i]);
		for (k = 0; memcmp(&seen[k], &seen[different], sizeof(*seen));)
			k++;
		if (k < different)
			continue;
		different++;
		steps[done] = possible[i];
		model_do(&after, &possible[i]);
		all(&after, done + 1, depth);
	}
}

static void run_all(int depth)
{
	struct state s = model_start();
	struct history_totals before = totals;

	all(&s, 0, depth);
	printf("all %lu histories of %d steps\n",
	       totals.histories - before.histories, depth);
}

/* ---- all steps from all states ---- */

static void run_graph(int depth)
{
	struct history_totals before = totals;
	struct graph *g = graph_make();
	int count;

	for (size_t i = 0; i < STARTS; i++) {
		count = parse(starts[i]);
		graph_add(g, steps, count, count ? depth : 2 * depth);
	}
	printf("%lu states, %lu different steps, %d from %zu starts\n",
	       graph_states(g), graph_steps(g), depth, STARTS);
	fflush(stdout);
	while ((count = graph_next(g, steps, MAX_STEPS)))
		run(steps, count);
	if (graph_left(g))
		errx(1, "%lu steps were not taken", graph_left(g));
	printf("... by %lu histories of %lu steps\n",
	       totals.histories - before.histories,
	       totals.steps - before.steps);
}

/* ---- random ones ---- */

static uint64_t seed = 1;

static unsigned int random_below(unsigned int n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 16) % n;
}

/*
 * A kind first, then one of that kind: there are many more imports than ends.
 * But a process with much to lose is not to end each third time.
 */
static struct step random_step(const struct state *s)
{
	struct step possible[MODEL_STEPS], of_kind[MODEL_STEPS];
	int n = model_steps(s, possible), count;

	for (;;) {
		enum kind kind = random_below(KINDS);

		count = 0;
		if ((kind >= EXIT || kind == CLOSE) && random_below(8))
			continue;
		for (int i = 0; i < n; i++)
			if (possible[i].kind == kind)
				of_kind[count++] = possible[i];
		if (count)
			return of_kind[random_below(count)];
	}
}

static void run_random(long histories, int length)
{
	for (long h = 0; h < histories; h++) {
		struct state s = model_start();

		for (int i = 0; i < length; i++) {
			steps[i] = random_step(&s);
			model_do(&s, &steps[i]);
		}
		run(steps, length);
	}
	printf("%ld random histories of %d steps\n", histories, length);
}

/* ---- */

static struct ibv_device *find_device(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_device *device = NULL;

	if (!list || !list[0])
		errx(1, "no RDMA device");
	/* All processes use this list, so it is not given back. */
	for (int i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), "rxe0"))
			device = list[i];
	return device ? device : list[0];
}

/*
 * The program that processes become by exec stands beside this one.  A copy in
 * memory is started far faster than over the guest's 9p.
 */
static int open_heir(void)
{
	char *path = realpath("/proc/self/exe", NULL), *slash;
	int copy = memfd_create("history_heir", MFD_CLOEXEC), fd, ret;
	char heir[4096];

	if (!path || copy < 0)
		err(1, "cannot copy history_heir");
	slash = strrchr(path, '/');
	snprintf(heir, sizeof(heir), "%.*s/history_heir", (int)(slash - path),
		 path);
	free(path);
	fd = open(heir, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", heir);
	while ((ret = sendfile(copy, fd, NULL, 1 << 20)) > 0)
		;
	if (ret)
		err(1, "cannot copy %s", heir);
	close(fd);
	return copy;
}

/* Only one process ever runs: to wake it on another processor takes longer. */
static void stay_on_one_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		warn("sched_setaffinity");
}

static int number(const char *text, int max)
{
	char *end;
	long value = strtol(text, &end, 0);

	if (*end || value < 0 || value > max)
		errx(2, "what is %s?", text);
	return value;
}

int main(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "all", required_argument, NULL, 'a' },
		{ "depth", required_argument, NULL, 'd' },
		{ "random", required_argument, NULL, 'r' },
		{ "length", required_argument, NULL, 'l' },
		{ "seed", required_argument, NULL, 's' },
		{ "replay", required_argument, NULL, 'p' },
		{ NULL, 0, NULL, 0 },
	};
	int opt, all_depth = 0, depth = 0, random = 0, length = 60;
	const char *replay = NULL;
	struct ibv_device *device;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case 'a':
			all_depth = number(optarg, 20);
			break;
		case 'd':
			depth = number(optarg, 20);
			break;
		case 'r':
			random = number(optarg, INT32_MAX);
			break;
		case 'l':
			length = number(optarg, MAX_STEPS);
			break;
		case 's':
			seed = number(optarg, INT32_MAX);
			break;
		case 'p':
			replay = optarg;
			break;
		default:
			return 2;
		}
	}
	if (optind != argc || !seed)
		errx(2,
		     "usage: %s [--all N] [--depth N] [--random N "
		     "[--length N] [--seed N]] [--replay TEXT]",
		     argv[0]);

	stay_on_one_processor();
	device = find_device();
	world_open(ibv_get_device_index(device));
	workers_start(device, open_heir());
	history_begin();
	if (replay)
		run(steps, parse(replay));
	if (all_depth)
		run_all(all_depth);
	if (depth)
		run_graph(depth);
	if (random) {
		printf("seed %llu\n", (unsigned long long)seed);
		run_random(random, length);
	}
	workers_kill();
	printf("%lu histories, %lu steps, %lu failures\n", totals.histories,
	       totals.steps, totals.failed);
	return totals.failed || !totals.steps;
}
