// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What libmlx5 makes of a failed allocation in the verbs that every libibverbs
 * has: one line for each allocation that fails, in the process by the library
 * that asked for it, in the kernel by the function; then what came of the call.
 * ./enomem_verbs.sh runs it on Debian's library and on ours.
 *
 *	usage: enomem_verbs LIBRARY	the one that must be in use
 */
#include <dlfcn.h>

#include "m5_test.h"
#include "nomem.h"

#define SIZE 65536

static char *memory;
static struct ibv_device *device;
static struct ibv_context *context, *made_context;
static struct ibv_pd *pd, *made_pd;
static struct ibv_mr *made_mr;

static bool open_device(void)
{
	made_context = ibv_open_device(device);
	return made_context;
}

static void close_device(void)
{
	ibv_close_device(made_context);
}

static bool import_device(void)
{
	int fd = dup(context->cmd_fd), err;

	made_context = ibv_import_device(fd);
	err = errno;
	if (!made_context)
		close(fd);
	errno = err;
	return made_context;
}

static bool alloc_pd(void)
{
	made_pd = ibv_alloc_pd(context);
	return made_pd;
}

static void dealloc_pd(void)
{
	ibv_dealloc_pd(made_pd);
}

static bool reg_mr(void)
{
	made_mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS);
	return made_mr;
}

static void dereg_mr(void)
{
	ibv_dereg_mr(made_mr);
}

struct state {
	struct test_counts counts;
	int fds, mappings;
	long blocks;
};

static struct state look(void)
{
	return (struct state){
		.counts = test_count(),
		.fds = test_open_fds(),
		.mappings = nomem_mappings(),
		.blocks = nomem_blocks(),
	};
}

enum { PROCESS = 1 << NOMEM_PROCESS, KERNEL = 1 << NOMEM_KERNEL };

static const struct call {
	const char *name;
	unsigned int sides;
	bool (*run)(void);
	void (*undo)(void);
	bool no_devx;	   /* the device refuses it */
	bool finds_device; /* and the list of devices may be another one then */
} calls[] = {
	{ "ibv_open_device", PROCESS, open_device, close_device, false, false },
	{ "ibv_open_device without DEVX", KERNEL, open_device, close_device,
	  true, false },
	{ "ibv_alloc_pd", PROCESS | KERNEL, alloc_pd, dealloc_pd, false,
	  false },
	{ "ibv_reg_mr", PROCESS | KERNEL, reg_mr, dereg_mr, false, false },
	{ "ibv_import_device", PROCESS, import_device, close_device, false,
	  true },
};

static void tell_left(const struct state *was)
{
	struct state now = look(), *is = &now;
	long blocks = is->blocks - was->blocks;

	if (memcmp(&is->counts, &was->counts, sizeof(is->counts)) ||
	    is->fds != was->fds || is->mappings != was->mappings || blocks)
		printf(", left: %ld PDs, %ld MRs, %ld contexts, %d "
		       "descriptors, %d mappings, %ld blocks",
		       is->counts.pd - was->counts.pd,
		       is->counts.mr - was->counts.mr,
		       is->counts.ctx - was->counts.ctx, is->fds - was->fds,
		       is->mappings - was->mappings, blocks);
}

/* False: there is no n-th allocation. */
static bool attempt(const struct call *call, enum nomem_side side, int n)
{
	struct state was;
	bool hit, worked;
	char where[64];
	int err;

	if (call->finds_device)
		/* It may have been lost by the last attempt. */
		ibv_free_device_list(ibv_get_device_list(NULL));
	else
		was = look();
	m5_set_parameter("refuse_devx", call->no_devx);
	nomem_at(side, n);
	errno = 0;
	worked = call->run();
	err = errno;
	hit = nomem_end(side);
	snprintf(where, sizeof(where), "%s", nomem_where(side));
	if (worked)
		call->undo();
	m5_set_parameter("refuse_devx", 0);
	if (!hit && worked)
		return false;
	/* The place in a function differs from build to build. */
	where[strcspn(where, "+")] = '\0';
	printf("%s, %s%s: %s", call->name, hit ? where : "nobody",
	       side == NOMEM_PROCESS ? "" : " in the kernel",
	       worked ? "success" : strerrorname_np(err));
	if (!call->finds_device)
		tell_left(&was);
	printf("\n");
	return hit;
}

static void each(const struct call *call, enum nomem_side side)
{
	int n = 1;

	if (call->sides & 1 << side)
		while (attempt(call, side, n))
			n++;
}

static void check_library(const char *library)
{
	char want[4096], got[4096];
	Dl_info info;

	NEED(dladdr((void *)ibv_close_device, &info));
	if (!realpath(library, want) || !realpath(info.dli_fname, got) ||
	    strcmp(want, got))
		FATAL("%s is in use instead of %s", info.dli_fname, library);
}

int main(int argc, char *argv[])
{
	static char buffer[4096];
	struct ibv_device **devices;
	size_t i;
	int d;

	setvbuf(stdout, buffer, _IOLBF, sizeof(buffer));
	NEED(argc == 2);
	check_library(argv[1]);
	memory = test_memory(SIZE);
	/* Is it that plug-in?  And what libraries allocate once for all */
	ibv_close_device(test_open(0));
	NEED(devices = ibv_get_device_list(NULL));
	for (d = 0; devices[d]; d++)
		if (!strcmp(ibv_get_device_name(devices[d]), test_device(0)))
			device = devices[d];
	NEED(device);
	NEED(context = ibv_open_device(device));
	NEED(pd = ibv_alloc_pd(context));
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		each(&calls[i], NOMEM_PROCESS);
		each(&calls[i], NOMEM_KERNEL);
	}
	ibv_dealloc_pd(pd);
	ibv_close_device(context);
	ibv_free_device_list(devices);
	return 0;
}
