// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * bench_verbs: the measured verbs, on the library that the dynamic linker finds
 * and the plug-in that this library finds.
 *
 *	bench_verbs names	"NAME counted|timed", a line each
 *	bench_verbs serve	first a line with the files of the library and
 *				of the plug-in; then for each line "NAME COUNT"
 *				of standard input, the nanoseconds it took
 *	bench_verbs count N	each operation N times: between two calls of
 *				getppid, which nothing else calls, for strace;
 *				between client requests, for callgrind
 *	bench_verbs memory N	what the library keeps in memory
 */
#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(_name) (void)(_name)
#endif

#include "verbs_worker.h"

static const struct op *const tables[] = { control_ops, data_ops };

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static const struct op *find(const char *name)
{
	const struct op *op;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (op = tables[i]; op->name; op++)
			if (!strcmp(op->name, name))
				return op;
	fprintf(stderr, "bench_verbs: what is %s?\n", name);
	exit(2);
}

static uint64_t timed(struct world *w, const struct op *op, unsigned int n)
{
	uint64_t start, sum = 0;
	unsigned int part;

	for (; n; n -= part) {
		part = n < op->batch ? n : op->batch;
		if (op->before)
			op->before(w, part);
		start = bench_now();
		op->run(w, part);
		sum += bench_now() - start;
		if (op->after)
			op->after(w, part);
	}
	return sum;
}

static void counted(struct world *w, const struct op *op, unsigned int n)
{
	/* What only the first call does is not what a call costs. */
	timed(w, op, 1);
	if (op->before)
		op->before(w, n);
	getppid();
	CALLGRIND_ZERO_STATS;
	op->run(w, n);
	CALLGRIND_DUMP_STATS_AT(op->name);
	getppid();
	if (op->after)
		op->after(w, n);
}

static void count(struct world *w, unsigned int n)
{
	const struct op *op;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (op = tables[i]; op->name; op++)
			if (op->counted)
				counted(w, op, n < op->batch ? n : op->batch);
}

static void names(void)
{
	const struct op *op;
	size_t i;

	for (i = 0; i < TABLES; i++)
		for (op = tables[i]; op->name; op++)
			printf("%s %s\n", op->name,
			       op->counted ? "counted" : "timed");
}

static const char *file_of(void *function)
{
	Dl_info info;

	NEED(function && dladdr(function, &info));
	return info.dli_fname;
}

static void serve(struct world *w)
{
	char line[64], name[32];
	unsigned int n;

	printf("%s %s\n", file_of(dlsym(RTLD_DEFAULT, "ibv_open_device")),
	       file_of((void *)w->context->ops.poll_cq));
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		NEED(sscanf(line, "%31s %u", name, &n) == 2);
		printf("%llu\n", (unsigned long long)timed(w, find(name), n));
		fflush(stdout);
	}
}

static void memory(struct world *w, unsigned int n)
{
	static struct world small;

	NEED(small.list = ibv_get_device_list(NULL));
	NEED(small.list[0]);
	NEED(small.context = ibv_open_device(small.list[0]));
	printf("resident %ld\n", memory_status("VmRSS"));
	printf("anonymous %ld\n", memory_status("RssAnon"));
	world_open(w);
	memory_report(w, n);
}

int main(int argc, char *argv[])
{
	const char *mode = argc > 1 ? argv[1] : "";
	unsigned int n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	static struct world w;

	if (!strcmp(mode, "names")) {
		names();
	} else if (!strcmp(mode, "serve")) {
		world_open(&w);
		serve(&w);
	} else if (!strcmp(mode, "count") && n) {
		world_open(&w);
		count(&w, n);
	} else if (!strcmp(mode, "memory") && n) {
		memory(&w, n);
	} else {
		fprintf(stderr,
			"usage: bench_verbs names|serve|count N|memory N\n");
		return 2;
	}
	return 0;
}
