// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the library and its provider keep in memory, per object. */
#include <malloc.h>

#include "verbs_worker.h"

long memory_status(const char *name)
{
	size_t len = strlen(name);
	char line[256];
	long kib = -1;
	FILE *file;

	NEED(file = fopen("/proc/self/status", "re"));
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, name, len) && line[len] == ':')
			kib = strtol(line + len + 1, NULL, 10);
	fclose(file);
	NEED(kib >= 0);
	return kib * 1024;
}

static void *new_context(struct world *w)
{
	return ibv_open_device(w->list[0]);
}

static void *new_pd(struct world *w)
{
	return ibv_alloc_pd(w->context);
}

static void *new_mr(struct world *w)
{
	return ibv_reg_mr(w->pd, w->memory, REGION, IBV_ACCESS_LOCAL_WRITE);
}

static void *new_cq(struct world *w)
{
	return ibv_create_cq(w->context, QUEUE_DEPTH, NULL, NULL, 0);
}

static void *new_qp(struct world *w)
{
	return world_create_qp(w);
}

/* They are kept: the process ends soon. */
void memory_report(struct world *w, unsigned int n)
{
	static const struct {
		const char *name;
		void *(*make)(struct world *w);
	} kinds[] = {
		{ "context", new_context }, { "pd", new_pd }, { "mr", new_mr },
		{ "cq", new_cq },	    { "qp", new_qp },
	};
	size_t i, before;
	unsigned int k;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		before = mallinfo2().uordblks;
		for (k = 0; k < n; k++)
			NEED(kinds[i].make(w));
		printf("%s %.1f\n", kinds[i].name,
		       (double)(mallinfo2().uordblks - before) / n);
	}
}
