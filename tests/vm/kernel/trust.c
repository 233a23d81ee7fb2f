// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The descriptor is the permission, and the only one: who holds an export
 * context's gets what is in it, whoever he is, and nothing else; what the owner
 * takes out of it nobody gets any more.
 */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

#define TRIED 64

static char buf[4096] __attribute__((aligned(4096)));
/* The owner's: secret, and for others; and one of another user */
static int secret, shared, theirs;
static uint32_t secret_pd, pd, pd_alias, mr_alias;
static struct region secret_mr, mr;

static int as_nobody(int (*what)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	NEED(pid >= 0);
	if (!pid) {
		NEED(!setgid(65534) && !setuid(65534));
		exit(what());
	}
	NEED(waitpid(pid, &status, 0) == pid);
	return status;
}

/* Tries every handle of the one file that it was given. */
static int guess(void)
{
	int mine = open_context(), pds = 0, mrs = 0;
	struct region m;
	uint32_t new;

	close(secret);
	for (uint32_t h = 0; h < TRIED; h++) {
		int ret = import_pd(mine, shared, h, &new);

		CHECK(!ret || ret == ENOENT || ret == EINVAL, "%u: %s", h,
		      strerror(ret));
		pds += !ret;
		CHECK(ret || h == pd_alias, "a PD at %u", h);
		ret = import_mr(mine, shared, h, &m);
		CHECK(!ret || ret == ENOENT || ret == EINVAL, "%u: %s", h,
		      strerror(ret));
		mrs += !ret;
		CHECK(ret || (h == mr_alias && m.rkey == mr.rkey),
		      "an MR at %u", h);
	}
	IS(pds, 1);
	IS(mrs, 1);
	/* The number of a descriptor is no descriptor. */
	IS(import_pd(mine, secret, secret_pd, &new), EBADF);
	IS(import_mr(mine, secret, secret_mr.handle, &m), EBADF);
	/* Nor can it be had from a process of another user. */
	{
		int pidfd = syscall(SYS_pidfd_open, getppid(), 0);

		NEED(pidfd >= 0);
		IS(syscall(SYS_pidfd_getfd, pidfd, secret, 0) < 0 &&
			   errno == EPERM,
		   1);
	}
	return failures != 0;
}

/* Holds a file of another user: may export into it and import from it. */
static int give_and_take(void)
{
	int mine = open_context();
	struct region r, m;
	uint32_t own, new;

	IS(alloc_pd(mine, &own), 0);
	IS(reg_mr(mine, own, buf, sizeof(buf), ACCESS_RW, &r), 0);
	IS(export_pd(mine, own, theirs, &new), 0);
	IS(export_mr(mine, r.handle, theirs, &new), 0);
	IS(import_mr(mine, theirs, new, &m), 0);
	CHECK(m.rkey == r.rkey, "%x %x", m.rkey, r.rkey);
	return failures != 0;
}

/*
 * Holding the export context one can also destroy what is in it: that is one's
 * share of it, not the owner's.
 */
static int destroy_there(void)
{
	struct region m;
	int mine = open_context();

	IS(dereg_mr(shared, mr_alias), 0);
	IS(dealloc_pd(shared, pd_alias), 0);
	IS(import_mr(mine, shared, mr_alias, &m), ENOENT);
	return failures != 0;
}

/* The owner takes an object out of the export context. */
static void revocation(void)
{
	int early = open_context(), late = open_context();
	struct region m, l;
	uint32_t h;

	IS(import_pd(early, shared, pd_alias, &h), 0);
	IS(import_mr(early, shared, mr_alias, &m), 0);
	IS(dereg_mr(shared, mr_alias), 0);
	IS(dealloc_pd(shared, pd_alias), 0);
	IS(import_pd(late, shared, pd_alias, &l.handle), ENOENT);
	IS(import_mr(late, shared, mr_alias, &l), ENOENT);
	IS(count_handles(late, UVERBS_OBJECT_PD), 0);
	IS(count_handles(late, UVERBS_OBJECT_MR), 0);
	/* Who has it keeps it, and it works. */
	{
		struct region more;
		uint32_t srq;

		IS(create_srq(early, h, &srq), 0);
		IS(reg_mr(early, h, buf, sizeof(buf), ACCESS_RW, &more), 0);
		IS(dereg_mr(early, more.handle), 0);
		IS(destroy_srq(early, srq), 0);
	}
	DEVICE_HAS(5, 2, 2, 0);
	/* Even when the owner gives up his own: until that one goes. */
	IS(dereg_mr(secret, mr.handle), 0);
	IS(dealloc_pd(secret, pd), 0);
	DEVICE_HAS(5, 2, 2, 0);
	IS(dereg_mr(early, m.handle), 0);
	IS(dealloc_pd(early, h), 0);
	DEVICE_HAS(5, 1, 1, 0);
	close(early);
	close(late);
}

static void share_again(void)
{
	IS(export_pd(secret, pd, shared, &pd_alias), 0);
	IS(export_mr(secret, mr.handle, shared, &mr_alias), 0);
}

int main(void)
{
	secret = open_context();
	shared = open_context();
	theirs = open_context();
	IS(alloc_pd(secret, &secret_pd), 0);
	IS(reg_mr(secret, secret_pd, buf, sizeof(buf), ACCESS_RW, &secret_mr),
	   0);
	IS(alloc_pd(secret, &pd), 0);
	IS(reg_mr(secret, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	share_again();
	IS(as_nobody(guess), 0);
	IS(as_nobody(give_and_take), 0);
	/* What the other left in this file outlived him. */
	IS(count_handles(theirs, UVERBS_OBJECT_PD), 1);
	IS(count_handles(theirs, UVERBS_OBJECT_MR), 1);
	close(theirs);
	theirs = open_context();
	DEVICE_HAS(3, 2, 2, 0);
	IS(as_nobody(destroy_there), 0);
	DEVICE_HAS(3, 2, 2, 0);
	share_again();
	revocation();
	close(secret);
	close(shared);
	close(theirs);
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
