// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Runs the tests that are named on the command line, or all. */
#include "world.h"
#include "tests.h"

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "attributes", test_attributes },
	{ "refused_objects", test_refused_objects },
	{ "unconnected", test_unconnected },
	{ "send", test_send_recv },
	{ "inline", test_inline },
	{ "invalidate", test_invalidate },
	{ "refused_requests", test_refused_requests },
	{ "write", test_write },
	{ "read", test_read },
	{ "wrap", test_wrap },
	{ "srq", test_srq },
	{ "events", test_events },
	{ "threads", test_threads },
	{ "error_completions", test_error_completions },
	{ "disconnect", test_disconnect },
};
#define TESTS (sizeof(tests) / sizeof(tests[0]))

int main(int argc, char **argv)
{
	size_t i, ran = 0;
	int arg;

	/* The plug-in is the wanted one, or this ends here. */
	RETURNS(ibv_close_device(test_open_named("siw0")), 0);
	for (i = 0; i < TESTS; i++) {
		bool wanted = argc < 2;

		for (arg = 1; arg < argc; arg++)
			wanted |= !strcmp(argv[arg], tests[i].name);
		if (!wanted)
			continue;
		printf("%s\n", tests[i].name);
		fflush(stdout);
		tests[i].run();
		ran++;
	}
	if (!ran)
		FATAL("no such test");
	return test_end();
}
