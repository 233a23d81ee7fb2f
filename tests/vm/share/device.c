// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What rxe cannot show: rereg of shared MRs, MRs on demand, numbers in the
 * driver's reply, a destruction that takes its time, and a device that goes
 * away.  On the device of ../kernel/device, by a provider that knows nothing of
 * sharing.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "share_test.h"
#include "sharetest_plugin.h"

#define SIZE 8192
#define PARAMETERS "/sys/module/share_test/parameters/"

static char *memory;
static struct ibv_context *a, *b;
static struct ibv_pd *pd;

static int parameter(const char *name)
{
	char path[128];
	int value = -1;
	FILE *file;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	NEED(file = fopen(path, "r"));
	NEED(fscanf(file, "%d", &value) == 1);
	fclose(file);
	return value;
}

static void set_parameter(const char *name, int value)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	NEED(file = fopen(path, "w"));
	fprintf(file, "%d\n", value);
	NEED(!fclose(file));
}

/* What the driver has, by its own count */
static void has(int line, int contexts, int pds, int mrs)
{
	test_check(parameter("contexts") == contexts &&
			   parameter("pds") == pds && parameter("mrs") == mrs,
		   __FILE__, line,
		   "%d contexts, %d PDs, %d MRs instead of %d, %d, %d",
		   parameter("contexts"), parameter("pds"), parameter("mrs"),
		   contexts, pds, mrs);
}

#define HAS(_contexts, _pds, _mrs) has(__LINE__, (_contexts), (_pds), (_mrs))

static struct ibv_mr *reg(int access)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, memory, SIZE, access);

	NEED(mr);
	return mr;
}

/* The driver's reply comes along, so adoption loses nothing. */
static void reply(void)
{
	struct sharetest_pd *mine = (struct sharetest_pd *)pd, *theirs;
	struct ibv_pd *imported;
	uint32_t handle;

	CHECK(mine->number, "no number of the driver");
	NEED(imported = ibv_import_pd(b, ibv_context_to_fd(a), pd->handle));
	theirs = (struct sharetest_pd *)imported;
	CHECK(theirs->number == mine->number, "number %u instead of %u",
	      theirs->number, mine->number);
	RETURNS(ibv_dealloc_pd(imported), 0);
	/* Over a third file, and when the maker's handle is no more */
	RETURNS(ibv_export_pd(pd, ibv_context_to_fd(b), &handle), 0);
	NEED(imported = ibv_import_pd(b, ibv_context_to_fd(b), handle));
	theirs = (struct sharetest_pd *)imported;
	CHECK(theirs->number == mine->number, "number %u instead of %u",
	      theirs->number, mine->number);
	RETURNS(ibv_dealloc_pd(imported), 0);
	HAS(2, 1, 0);
}

static int rereg(struct ibv_mr *mr)
{
	errno = 0;
	return ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			    IBV_ACCESS_LOCAL_WRITE)
		       ? errno
		       : 0;
}

static void rereg_shared(void)
{
	struct ibv_mr *mr = reg(IBV_ACCESS_LOCAL_WRITE), *imported;
	uint32_t key;

	RETURNS(rereg(mr), 0);
	NEED(imported = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle));
	key = mr->lkey;
	CHECK(imported->lkey == key, "lkey after rereg");
	RETURNS(rereg(mr), EBUSY);
	RETURNS(rereg(imported), EBUSY);
	CHECK(mr->lkey == key && imported->lkey == key, "keys have changed");
	RETURNS(ibv_dereg_mr(imported), 0);
	RETURNS(rereg(mr), 0);
	RETURNS(ibv_dereg_mr(mr), 0);
	HAS(2, 1, 0);
}

static void on_demand(void)
{
	struct ibv_mr *mr = reg(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);
	uint32_t handle = 77;

	RETURNS(ibv_export_mr(mr, ibv_context_to_fd(b), &handle), EOPNOTSUPP);
	CHECK(handle == 77, "new_handle was changed");
	FAILS(ibv_import_mr(b, ibv_context_to_fd(a), mr->handle), EOPNOTSUPP);
	HAS(2, 1, 1);
	RETURNS(ibv_dereg_mr(mr), 0);
	HAS(2, 1, 0);
}

static void *dereg(void *mr)
{
	RETURNS(ibv_dereg_mr(mr), 0);
	return NULL;
}

/* The destruction takes two seconds, the attempts come in the midst of it. */
static void busy(void)
{
	struct ibv_mr *mr = reg(IBV_ACCESS_LOCAL_WRITE);
	uint32_t handle = 77, old = mr->handle;
	pthread_t thread;
	int i;

	set_parameter("held", 0);
	set_parameter("slow_ms", 2000);
	NEED(!pthread_create(&thread, NULL, dereg, mr));
	for (i = 0; i < 5000 && !parameter("held"); i++)
		usleep(1000);
	RETURNS(ibv_export_to_fd(ibv_context_to_fd(b), &handle, a,
				 UVERBS_OBJECT_MR, old),
		EBUSY);
	CHECK(handle == 77, "new_handle was changed");
	FAILS(ibv_import_mr(b, ibv_context_to_fd(a), old), EBUSY);
	pthread_join(thread, NULL);
	set_parameter("slow_ms", 0);
	HAS(2, 1, 0);
}

/* The device goes; what is left can be given back, nothing else be done. */
static void gone(void)
{
	struct ibv_mr *mr = reg(IBV_ACCESS_LOCAL_WRITE), *imported;
	struct ibv_pd *imported_pd;
	uint32_t handle = 77;

	NEED(imported_pd = ibv_import_pd(b, ibv_context_to_fd(a), pd->handle));
	NEED(imported = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle));
	NEED(!syscall(SYS_delete_module, "share_test", O_NONBLOCK));

	RETURNS(ibv_export_pd(pd, ibv_context_to_fd(b), &handle), EIO);
	RETURNS(ibv_export_mr(mr, ibv_context_to_fd(b), &handle), EIO);
	RETURNS(ibv_export_mr(imported, ibv_context_to_fd(a), &handle), EIO);
	CHECK(handle == 77, "new_handle was changed");
	FAILS(ibv_import_pd(b, ibv_context_to_fd(a), pd->handle), EIO);
	FAILS(ibv_import_mr(a, ibv_context_to_fd(b), imported->handle), EIO);

	RETURNS(ibv_list_objects(ibv_context_to_fd(a), UVERBS_OBJECT_PD, NULL,
				 &handle),
		EIO);
	CHECK(handle == 77, "count was changed");

	RETURNS(ibv_dereg_mr(imported), 0);
	RETURNS(ibv_dealloc_pd(imported_pd), 0);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(a), 0);
	RETURNS(ibv_close_device(b), 0);
}

int main(void)
{
	int fds = test_open_fds();

	memory = test_memory(SIZE);
	a = test_open_named("sharetest0");
	b = test_open_named("sharetest0");
	NEED(pd = ibv_alloc_pd(a));
	HAS(2, 1, 0);
	reply();
	rereg_shared();
	on_demand();
	busy();
	gone();
	CHECK(test_open_fds() == fds, "descriptors left open");
	return test_end();
}
