// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * An owner and two workers that share a PD and an MR of 1 MiB, for ibv_shares
 * to look at.  Each prints a line when it has its objects:
 *
 *	NAME PID PD-HANDLE MR-HANDLE
 *
 * the owner a second one for its export context; then it waits for its end.
 * The second worker has a name that is none for a table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#define LENGTH (1 << 20)
#define NEED(_cond)                     \
	do {                            \
		if (!(_cond)) {         \
			perror(#_cond); \
			exit(1);        \
		}                       \
	} while (0)

static struct ibv_context *open_device(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context;

	NEED(list && list[0]);
	context = ibv_open_device(list[0]);
	NEED(context);
	ibv_free_device_list(list);
	return context;
}

static void hold(const char *name, uint32_t pd, uint32_t mr)
{
	printf("%s %d %u %u\n", name, getpid(), pd, mr);
	fflush(stdout);
}

/* In a process of its own, with the owner's descriptor */
static void work(int number, int fd, uint32_t pd_handle, uint32_t mr_handle)
{
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	/* What it has of the owner's would outlive the owner. */
	for (int i = 3; i < 64; i++)
		if (i != fd)
			close(i);
	NEED(!prctl(PR_SET_NAME, number ? "w\t\"\n\\\x1b[1m" : "worker"));
	context = open_device();
	NEED(pd = ibv_import_pd(context, fd, pd_handle));
	NEED(mr = ibv_import_mr(context, fd, mr_handle));
	close(fd);
	hold(number ? "odd" : "worker", pd->handle, mr->handle);
	for (;;)
		pause();
}

int main(void)
{
	struct ibv_context *context = open_device(), *export = open_device();
	int fd = ibv_context_to_fd(export);
	uint32_t pd_handle, mr_handle;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	void *memory;

	memory = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	NEED(memory != MAP_FAILED);
	/* So that handles and objects have different numbers */
	NEED(ibv_alloc_pd(context));
	NEED(pd = ibv_alloc_pd(context));
	NEED(mr = ibv_reg_mr(pd, memory, LENGTH, IBV_ACCESS_LOCAL_WRITE));
	NEED(!ibv_export_pd(pd, fd, &pd_handle));
	NEED(!ibv_export_mr(mr, fd, &mr_handle));
	hold("owner", pd->handle, mr->handle);
	hold("export", pd_handle, mr_handle);
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		NEED(pid >= 0);
		if (!pid)
			work(i, fd, pd_handle, mr_handle);
	}
	for (;;)
		pause();
}
