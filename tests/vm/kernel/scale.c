// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What one does costs no more beside a great deal that others did: each case is
 * a ratio of two times that are taken in turns, the least of several rounds.
 *
 *	usage: scale [-v]
 */
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

#define MANY 4000
#define ROUNDS 15
#define TIMES 40

static char buf[4096] __attribute__((aligned(4096)));
static bool verbose;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

/* Microseconds for each of both, and the limit of their ratio */
static void ratio(const char *what, double few, double many, double limit)
{
	if (verbose)
		printf("%s: %.1f us, beside %d %.1f us: %.2f\n", what, few,
		       MANY, many, many / few);
	CHECK(many < limit * few, "%s: %.1f and %.1f us", what, few, many);
}

static void least(double *best, double start)
{
	double took = (now() - start) / TIMES;

	if (!*best || took < *best)
		*best = took;
}

static double private_pds(int fd)
{
	double start = now(), best = 0;
	uint32_t pd;

	for (int i = 0; i < TIMES; i++) {
		IS(alloc_pd(fd, &pd), 0);
		IS(dealloc_pd(fd, pd), 0);
	}
	least(&best, start);
	return best;
}

static void keep_least(double *best, double value)
{
	if (!*best || value < *best)
		*best = value;
}

/* MANY MRs of another file, each on a PD that has no handle any more */
static int make_orphans(int holder)
{
	int maker = open_context();
	struct region mr, m;
	uint32_t pd;

	for (int i = 0; i < MANY; i++) {
		IS(alloc_pd(maker, &pd), 0);
		IS(reg_mr(maker, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
		IS(import_mr(holder, maker, mr.handle, &m), 0);
	}
	return maker;
}

static void beside_orphans(void)
{
	int fd = open_context(), holder = open_context();
	double few = 0, many = 0, closing[2];

	for (int i = 0; i < ROUNDS; i++)
		keep_least(&few, private_pds(fd));
	close(make_orphans(holder));
	for (int i = 0; i < ROUNDS; i++)
		keep_least(&many, private_pds(fd));
	ratio("alloc_pd and dealloc_pd", few, many, 3);

	/* Closing frees every MR, then its PD, and in the end the context */
	closing[0] = now();
	close(holder);
	closing[0] = (now() - closing[0]) / MANY;
	DEVICE_HAS(1, 0, 0, 0);
	/* The same without orphans */
	holder = open_context();
	{
		int maker = make_orphans(holder);

		close(holder);
		closing[1] = now();
		close(maker);
		closing[1] = (now() - closing[1]) / MANY;
	}
	ratio("closing, for each MR", closing[1], closing[0], 4);
	close(fd);
	DEVICE_HAS(0, 0, 0, 0);
}

static double import_mrs(int to, int from, uint32_t handle)
{
	double start = now(), best = 0;
	struct region m;

	for (int i = 0; i < TIMES; i++) {
		IS(import_mr(to, from, handle, &m), 0);
		IS(dereg_mr(to, m.handle), 0);
	}
	least(&best, start);
	return best;
}

static double import_pds(int to, int from, uint32_t handle)
{
	double start = now(), best = 0;
	uint32_t pd;

	for (int i = 0; i < TIMES; i++) {
		IS(import_pd(to, from, handle, &pd), 0);
		IS(dealloc_pd(to, pd), 0);
	}
	least(&best, start);
	return best;
}

/* An exporter has filled the importer's file with handles of one PD. */
static void beside_exports(void)
{
	int a = open_context(), b = open_context(), c = open_context();
	double few[2] = { 0 }, many[2] = { 0 };
	struct region mr;
	uint32_t pd, h;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_pd(a, pd, c, &h), 0);
	for (int i = 0; i < MANY; i++)
		IS(export_pd(a, pd, b, &h), 0);
	for (int i = 0; i < ROUNDS; i++) {
		keep_least(&few[0], import_mrs(c, a, mr.handle));
		keep_least(&many[0], import_mrs(b, a, mr.handle));
	}
	ratio("import_mr and dereg_mr", few[0], many[0], 3);
	IS(dereg_mr(a, mr.handle), 0);
	for (int i = 0; i < ROUNDS; i++) {
		keep_least(&few[1], import_pds(c, a, pd));
		keep_least(&many[1], import_pds(b, a, pd));
	}
	ratio("import_pd and dealloc_pd, unused", few[1], many[1], 3);
	/* In use by somebody: the file's own handles are looked through. */
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	if (verbose) {
		few[0] = many[0] = 0;
		for (int i = 0; i < 3; i++) {
			keep_least(&few[0], import_pds(c, a, pd));
			keep_least(&many[0], import_pds(b, a, pd));
		}
		ratio("import_pd and dealloc_pd, in use", few[0], many[0],
		      1000);
	}
	close(a);
	close(b);
	close(c);
	DEVICE_HAS(0, 0, 0, 0);
}

int main(int argc, char **argv)
{
	verbose = argc > 1 && !strcmp(argv[1], "-v");
	beside_orphans();
	beside_exports();
	return end_checks();
}
