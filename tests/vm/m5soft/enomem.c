// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Out of memory: of every call by which objects are shared each allocation fails
 * once, those of the library and of Debian's libmlx5, and those of the kernel
 * (ib_uverbs with its export and import, ib_core, the driver).  The caller gets
 * ENOMEM, nothing is left, and the same call succeeds right afterwards.
 *
 *	usage: enomem [-v]
 */
#include <fcntl.h>

#include "m5_test.h"
#include "nomem.h"

#define SIZE 65536
#define MAX_ALLOCATIONS 500
#define UNTOUCHED 0xdeadbeef

static bool verbose;
static char *memory;

/* Made anew for each attempt, so that it meets all allocations */
static struct ibv_device **devices, *device;
static struct ibv_context *a, *b;
static struct ibv_pd *pd, *made_pd;
static struct ibv_mr *mr, *made_mr;
static struct ibv_context *made_context;
static uint32_t made_handle;
static enum uverbs_default_objects made_type;

/* ---- what there is ---- */

struct state {
	struct test_counts counts;
	int contexts, pds, mrs, uars; /* in the device */
	int handles[2][2];	      /* of PDs and MRs, in a and in b */
	int aliases;		      /* of objects that have more than one */
	int fds, mappings;
	long blocks;
};

/*
 * By the kernel's list.  An object that was to be shared may be listed with the
 * one handle that it has: that it can be shared is remembered for its life.
 */
static int aliases(void)
{
	FILE *file = fopen("/sys/kernel/debug/ib_uverbs_share", "r");
	char line[512], count[16];
	int n = 0;

	NEED(file && fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%*s %*s %*s %15s", count) == 1)
			n += strcmp(count, "1") != 0;
	fclose(file);
	return n;
}

static void look_at(struct state *s, int i, struct ibv_context *context)
{
	if (!context)
		return;
	s->handles[i][0] = m5_handles(context, UVERBS_OBJECT_PD);
	s->handles[i][1] = m5_handles(context, UVERBS_OBJECT_MR);
}

static void find_device(void)
{
	int i;

	NEED(devices = ibv_get_device_list(NULL));
	for (i = 0; devices[i]; i++)
		if (!strcmp(ibv_get_device_name(devices[i]), test_device(0)))
			device = devices[i];
	NEED(device);
}

static struct state look(void)
{
	struct state s;

	/* The library's own list is a new one after each failure to make it. */
	if (!a) {
		find_device();
		ibv_free_device_list(devices);
	}

	memset(&s, 0, sizeof(s));
	look_at(&s, 0, a);
	look_at(&s, 1, b);
	s.counts = test_count();
	s.contexts = m5_parameter("contexts");
	s.pds = m5_parameter("pds");
	s.mrs = m5_parameter("mrs");
	s.uars = m5_parameter("uars");
	s.aliases = aliases();
	s.fds = test_open_fds();
	s.mappings = nomem_mappings();
	s.blocks = nomem_blocks();
	return s;
}

static void same(const char *what, const struct state *was,
		 const struct state *is)
{
#define SAME(_member)                                                        \
	CHECK(was->_member == is->_member, "%s: " #_member ": %ld, now %ld", \
	      what, (long)was->_member, (long)is->_member)
	SAME(counts.pd);
	SAME(counts.mr);
	SAME(counts.ctx);
	SAME(counts.cq);
	SAME(counts.qp);
	SAME(contexts);
	SAME(pds);
	SAME(mrs);
	SAME(uars);
	SAME(handles[0][0]);
	SAME(handles[0][1]);
	SAME(handles[1][0]);
	SAME(handles[1][1]);
	SAME(aliases);
	SAME(fds);
	SAME(mappings);
	/* A context may keep some till it is closed. */
	if (!a)
		SAME(blocks);
#undef SAME
}

/* ---- the calls: true, or false and errno ---- */

static bool told(int ret)
{
	if (ret)
		CHECK(errno == ret, "errno %d, but %d returned", errno, ret);
	return !ret;
}

static bool exported(int ret)
{
	CHECK(!ret || made_handle == UNTOUCHED, "*new_handle was changed");
	return told(ret);
}

static bool export_pd(void)
{
	made_handle = UNTOUCHED;
	made_type = UVERBS_OBJECT_PD;
	return exported(ibv_export_pd(pd, ibv_context_to_fd(b), &made_handle));
}

static bool export_mr(void)
{
	made_handle = UNTOUCHED;
	made_type = UVERBS_OBJECT_MR;
	return exported(ibv_export_mr(mr, ibv_context_to_fd(b), &made_handle));
}

static bool export_to_fd(void)
{
	made_handle = UNTOUCHED;
	made_type = UVERBS_OBJECT_MR;
	return exported(ibv_export_to_fd(ibv_context_to_fd(b), &made_handle, a,
					 UVERBS_OBJECT_MR, mr->handle));
}

static void unexport(void)
{
	RETURNS(ibv_withdraw(b, ibv_context_to_fd(b), made_type, made_handle),
		0);
}

static bool import_pd(void)
{
	made_pd = ibv_import_pd(b, ibv_context_to_fd(a), pd->handle);
	return made_pd;
}

static bool import_mr(void)
{
	made_mr = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle);
	return made_mr;
}

/* Nor does the library remember one that failed: an MR finds this one. */
static void dealloc(void)
{
	NEED(import_mr());
	CHECK(made_mr->pd == made_pd, "another PD has this one's handle");
	RETURNS(ibv_dereg_mr(made_mr), 0);
	RETURNS(ibv_dealloc_pd(made_pd), 0);
}

static void dereg(void)
{
	RETURNS(ibv_dereg_mr(made_mr), 0);
}

static void with_pd(void)
{
	NEED(import_pd());
}

static void with_export(void)
{
	NEED(export_mr());
}

static bool withdraw(void)
{
	return told(ibv_withdraw(a, ibv_context_to_fd(b), UVERBS_OBJECT_MR,
				 made_handle));
}

static void with_import(void)
{
	NEED(import_pd());
	NEED(import_mr());
}

static bool free_imports(void)
{
	errno = 0;
	if (made_mr && ibv_dereg_mr(made_mr))
		return false;
	made_mr = NULL;
	return !ibv_dealloc_pd(made_pd);
}

static bool list(void)
{
	uint32_t handles[4] = { UNTOUCHED, UNTOUCHED }, n = 4;
	int ret = ibv_list_objects(ibv_context_to_fd(a), UVERBS_OBJECT_PD,
				   handles, &n);

	if (ret)
		CHECK(n == 4 && handles[0] == UNTOUCHED,
		      "what was to be filled has changed");
	else
		CHECK(n == 1 && handles[0] == pd->handle, "the list is wrong");
	return told(ret);
}

static bool open_shareable(void)
{
	made_context = ibv_open_device_shareable(device);
	return made_context;
}

static void close_context(void)
{
	RETURNS(ibv_close_device(made_context), 0);
}

static bool import_by_handle(void)
{
	made_pd = ibv_import_pd_by_handle(a, pd->handle);
	return made_pd;
}

static void unimport(void)
{
	ibv_unimport_pd(made_pd);
}

static bool import_mr_by_handle(void)
{
	made_mr = ibv_import_mr_by_handle(pd, mr->handle);
	return made_mr;
}

static void unimport_mr(void)
{
	ibv_unimport_mr(made_mr);
}

/* Who allocates in it?  Where nobody does, that it succeeds is all. */
enum { NOBODY, PROCESS = 1 << NOMEM_PROCESS, KERNEL = 1 << NOMEM_KERNEL };

static const struct call {
	const char *name;
	unsigned int allocates;
	bool (*run)(void);
	void (*undo)(void);    /* NULL: nothing to undo */
	void (*prepare)(void); /* NULL: no more than a and b, pd and mr in a */
	void (*clean)(void);   /* what prepare has made */
} calls[] = {
	{ "ibv_export_pd", KERNEL, export_pd, unexport, NULL, NULL },
	{ "ibv_export_mr", KERNEL, export_mr, unexport, NULL, NULL },
	{ "ibv_export_to_fd", KERNEL, export_to_fd, unexport, NULL, NULL },
	{ "ibv_import_pd", PROCESS | KERNEL, import_pd, dealloc, NULL, NULL },
	{ "ibv_import_mr", PROCESS | KERNEL, import_mr, dereg, NULL, NULL },
	{ "ibv_import_mr, its PD imported", PROCESS | KERNEL, import_mr, dereg,
	  with_pd, dealloc },
	{ "ibv_list_objects", PROCESS | KERNEL, list, NULL, NULL, NULL },
	{ "ibv_withdraw", NOBODY, withdraw, NULL, with_export, NULL },
	{ "ibv_dereg_mr and ibv_dealloc_pd", NOBODY, free_imports, NULL,
	  with_import, NULL },
	{ "ibv_open_device_shareable", PROCESS | KERNEL, open_shareable,
	  close_context, NULL, NULL },
	{ "ibv_import_pd, two arguments", PROCESS, import_by_handle, unimport,
	  NULL, NULL },
	{ "ibv_import_mr, two arguments", PROCESS, import_mr_by_handle,
	  unimport_mr, NULL, NULL },
};

/*
 * Where it is not ENOMEM.  All of it is so on Debian's library, too: see
 * enomem_verbs.c.
 */
static const struct exception {
	const char *call, *where;
	int err;
} exceptions[] = {
	/*
	 * The device is looked for in sysfs when netlink fails, for want of
	 * memory as for any reason.  This one is not found there, as it has no
	 * parent in the machine: no RDMA device.
	 */
	{ "ibv_list_objects", "libnl", EINVAL },
	{ "ibv_list_objects", "libibverbs", EINVAL },
	/* Its other name is looked for, which this guest does not have. */
	{ "ibv_open_device_shareable", "ib_uverbs_open", ENOENT },
	/*
	 * libmlx5 then asks in the shorter forms of older releases.  This
	 * device refuses these, and DEVX was refused before.
	 */
	{ "ibv_open_device_shareable", "ib_alloc_ucontext", EOPNOTSUPP },
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool excepted(const char *call, const char *where, int err)
{
	size_t i;

	for (i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++)
		if (begins(call, exceptions[i].call) &&
		    begins(where, exceptions[i].where) &&
		    err == exceptions[i].err)
			return true;
	return false;
}

/* ---- each allocation of each call ---- */

static void make_all(const struct call *call)
{
	find_device();
	NEED(a = ibv_open_device(device));
	NEED(b = ibv_open_device(device));
	NEED(pd = ibv_alloc_pd(a));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	if (call->prepare)
		call->prepare();
}

static void free_all(const struct call *call)
{
	if (call->clean)
		call->clean();
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(a), 0);
	RETURNS(ibv_close_device(b), 0);
	ibv_free_device_list(devices);
	a = b = NULL;
}

/* False: the call has no n-th allocation. */
static bool attempt(const struct call *call, enum nomem_side side, int n)
{
	struct state base = look(), with, left;
	char what[256] = "", where[128];
	bool hit, worked;
	int err;

	make_all(call);
	with = look();
	nomem_at(side, n);
	errno = 0;
	worked = call->run();
	err = errno;
	hit = nomem_end(side);
	left = look();
	snprintf(where, sizeof(where), "%s", hit ? nomem_where(side) : "-");
	snprintf(what, sizeof(what), "%s, allocation %d, %s", call->name, n,
		 where);
	if (verbose)
		printf("%s: %s\n", what, worked ? "success" : strerror(err));
	if (!worked) {
		CHECK(hit, "%s: %s", what, strerror(err));
		CHECK(err == ENOMEM || excepted(call->name, where, err),
		      "%s: %s", what, strerror(err));
		same(what, &with, &left);
		CHECK(call->run(), "%s: not even then: %s", what,
		      strerror(errno));
	}
	if (call->undo)
		call->undo();
	free_all(call);
	left = look();
	same(what, &base, &left);
	return hit;
}

static void each(const struct call *call, enum nomem_side side)
{
	int n = 1;

	while (attempt(call, side, n))
		if (++n > MAX_ALLOCATIONS)
			FATAL("%s: no end of allocations", call->name);
	CHECK((n > 1) == !!(call->allocates & 1 << side),
	      "%s: %d allocations, side %d", call->name, n - 1, side);
}

int main(int argc, char *argv[])
{
	static char buffer[4096];
	size_t i;

	setvbuf(stdout, buffer, _IOLBF, sizeof(buffer));
	verbose = argc > 1 && !strcmp(argv[1], "-v");
	memory = test_memory(SIZE);
	/* FATAL if it is another plug-in */
	RETURNS(ibv_close_device(test_open(0)), 0);
	/* What libraries allocate once for all */
	make_all(&calls[0]);
	nomem_at(NOMEM_PROCESS, 1);
	list();
	nomem_end(NOMEM_PROCESS);
	look();
	free_all(&calls[0]);
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		each(&calls[i], NOMEM_PROCESS);
		each(&calls[i], NOMEM_KERNEL);
	}
	return test_end();
}
