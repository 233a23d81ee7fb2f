// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rxe has no disassociate_ucontext: `rdma link delete` waits until the last file
 * is closed. With sharing that includes closed files whose objects have an alias:
 * it ends when the alias's file is closed or the alias is destroyed, no later.
 */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "command.h"

static char buf[4096] __attribute__((aligned(4096)));

/* A device of our own on an interface of our own, as it will be deleted */
static void add_link(void)
{
	NEED(!system(
		"ip link add share7 type dummy && ip link set share7 up && "
		"rdma link add share7 type rxe netdev share7"));
	select_device("share7", RDMA_DRIVER_RXE);
	for (int i = 0; i < 1000; i++) {
		int fd = open_file();

		if (fd >= 0) {
			close(fd);
			return;
		}
		usleep(1000);
	}
	NEED(!"the device came");
}

static pid_t start_delete(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	NEED(pid >= 0);
	if (!pid) {
		execlp("rdma", "rdma", "link", "delete", "share7", NULL);
		_exit(127);
	}
	return pid;
}

static int has_ended(pid_t pid, int ms)
{
	int status;

	for (; ms > 0; ms -= 10) {
		if (waitpid(pid, &status, WNOHANG) == pid) {
			IS(status, 0);
			return 1;
		}
		usleep(10000);
	}
	return 0;
}

/* by_close: the alias goes with its file, else by dereg_mr and then the file */
static void one(int by_close)
{
	struct region mr, m, more;
	uint32_t pd;
	pid_t pid;
	int a, b;

	add_link();
	/* O_CLOEXEC: the child does not hold them */
	a = open_context();
	b = open_context();
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	close(a);
	pid = start_delete();
	CHECK(!has_ended(pid, 500), "deleted while a file is open");
	/* What is open goes on working. */
	IS(alloc_pd(b, &pd), 0);
	IS(reg_mr(b, pd, buf, sizeof(buf), ACCESS_RW, &more), 0);
	IS(import_mr(b, b, m.handle, &more), 0);
	CHECK(more.rkey == mr.rkey, "%x %x", more.rkey, mr.rkey);
	IS(open_file() < 0, 1);
	if (!by_close) {
		IS(dereg_mr(b, m.handle), 0);
		IS(dereg_mr(b, more.handle), 0);
		/* a is done with, b is still there. */
		CHECK(!has_ended(pid, 200), "deleted while a file is open");
	}
	close(b);
	CHECK(has_ended(pid, 20000), "not deleted with no file open");
	NEED(!system("ip link delete share7"));
}

int main(void)
{
	one(1);
	one(0);
	return end_checks();
}
