// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The rxe provider against a real kernel: every operation it has, with bytes
 * compared, in each way of posting and polling.
 *
 *	usage: rxe_verbs [control] [TEST...]
 *
 * RXE_PLUGIN names the plug-in that must be at work, so that a run against
 * another one is not taken for a pass.  "control" runs the same against any
 * plug-in, and tells what that one lacks instead of failing for it.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "world.h"

unsigned long checks, failures;
const char *test_name = "setup", *mode_name = "";

void check(bool good, const char *file, int line, const char *fmt, ...)
{
	const char *slash = strrchr(file, '/');
	va_list args;

	__atomic_add_fetch(&checks, 1, __ATOMIC_RELAXED);
	if (good)
		return;
	if (__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED) > 200)
		return;
	printf("%s:%d: %s (%s): ", slash ? slash + 1 : file, line, test_name,
	       mode_name);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

void lacks(const char *what)
{
	check(control, test_name, 0, "the provider lacks %s", what);
	if (control)
		printf("%s (%s): lacks %s\n", test_name, mode_name, what);
}

static const struct {
	const char *name;
	void (*run)(void);
	bool once; /* not in each mode */
} tests[] = {
	{ "send", test_send, false },
	{ "rdma", test_rdma, false },
	{ "inline", test_inline, false },
	{ "ud", test_ud, false },
	{ "multicast", test_multicast, true },
	{ "flow_control", test_flow_control, false },
	{ "bad_posts", test_bad_posts, false },
	{ "completion_errors", test_completion_errors, false },
	{ "srq", test_srq, false },
	{ "cq", test_cq, false },
	{ "mw", test_mw, false },
	{ "reset", test_reset, false },
	{ "threads", test_threads, false },
	{ "many_qps", test_many_qps, true },
	{ "domains", test_domains, true },
	{ "import", test_import, true },
	{ "queries", test_queries, true },
};

static const struct mode modes[] = {
	{ "post_send, poll_cq", false, false, false },
	{ "builder, lazy poll", true, true, false },
	{ "builder, lazy poll, thread domain", true, true, true },
	{ "post_send, lazy poll, thread domain", false, true, true },
};

/* Is the plug-in that serves the context the one that was asked for? */
static void check_plugin(void)
{
	const char *want = getenv("RXE_PLUGIN");
	Dl_info info;

	if (!want)
		return;
	CHECK(dladdr((void *)(uintptr_t)ctx->ops.poll_cq, &info));
	check(!strcmp(info.dli_fname, want), __FILE__, __LINE__,
	      "the plug-in at work is %s, not %s", info.dli_fname, want);
}

static bool chosen(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc == 1;
}

int main(int argc, char **argv)
{
	size_t m, t;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1 && !strcmp(argv[1], "control")) {
		control = true;
		argc--;
		argv++;
	}
	world_open();
	check_plugin();
	for (m = 0; m < sizeof(modes) / sizeof(modes[0]); m++) {
		if (control && modes[m].domain)
			continue;
		world_set_mode(&modes[m]);
		for (t = 0; t < sizeof(tests) / sizeof(tests[0]); t++) {
			if ((tests[t].once && m) ||
			    !chosen(tests[t].name, argc, argv))
				continue;
			test_name = tests[t].name;
			/* A hung kernel must not look like a slow one. */
			alarm(120);
			tests[t].run();
		}
	}
	test_name = "end";
	world_close();
	printf("%lu checks, %lu failures\n", checks, failures);
	return failures ? 1 : 0;
}
