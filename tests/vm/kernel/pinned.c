// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Pinned pages count for the process that registered them (VmPin, and the limit
 * RLIMIT_MEMLOCK), until the last alias goes; importers pay nothing.
 */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "proc.h"

#define SIZE (64 << 10)

static char buf[SIZE] __attribute__((aligned(4096)));

/* kB */
static int pinned(void)
{
	return proc_kb("/proc/self/status", "VmPin:");
}

/* Of another user, who may lock a page, then none */
static int importer(int fd, int source, uint32_t pd, uint32_t mr)
{
	static const struct rlimit page = { 4096, 4096 }, none;
	struct region m;
	uint32_t new;

	if (setrlimit(RLIMIT_MEMLOCK, &page) || setuid(65534))
		return 1;
	IS(import_pd(fd, source, pd, &new), 0);
	IS(reg_mr(fd, new, buf, SIZE, ACCESS_RW, &m), ENOMEM);
	IS(setrlimit(RLIMIT_MEMLOCK, &none), 0);
	IS(import_mr(fd, source, mr, &m), 0);
	IS(pinned(), 0);
	/* A second one, and giving both back, is free, too. */
	IS(import_mr(fd, source, mr, &m), 0);
	IS(dereg_mr(fd, m.handle), 0);
	IS(pinned(), 0);
	return failures != 0;
}

int main(void)
{
	int a = open_context(), b = open_context();
	struct region mr;
	uint32_t pd, handles[2];
	int status;
	pid_t pid;

	IS(pinned(), 0);
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, SIZE, ACCESS_RW, &mr), 0);
	IS(pinned(), SIZE >> 10);
	fflush(stdout);
	pid = fork();
	NEED(pid >= 0);
	if (!pid)
		exit(importer(b, a, pd, mr.handle));
	NEED(waitpid(pid, &status, 0) == pid);
	IS(status, 0);
	IS(pinned(), SIZE >> 10);
	IS(dereg_mr(a, mr.handle), 0);
	close(a);
	/* The alias that the other one left in b */
	DEVICE_HAS(2, 1, 1, 0);
	IS(pinned(), SIZE >> 10);
	IS(list_handles(b, UVERBS_OBJECT_MR, handles, 2), 1);
	IS(dereg_mr(b, handles[0]), 0);
	IS(pinned(), 0);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
