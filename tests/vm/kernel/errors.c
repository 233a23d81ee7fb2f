// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Every wrong use has its errno, and leaves nothing behind. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

static char buf[8192] __attribute__((aligned(4096)));
static int owner, target, bare, other, null;
static uint32_t pd, new;
static struct region mr, alias;

static void nothing_left(void)
{
	IS(count_handles(target, UVERBS_OBJECT_PD), 0);
	IS(count_handles(target, UVERBS_OBJECT_MR), 0);
	IS(count_handles(owner, UVERBS_OBJECT_PD), 1);
	IS(count_handles(owner, UVERBS_OBJECT_MR), 1);
	DEVICE_HAS(2, 1, 1, 0);
}

/* The other file, by object type; the handle is good, so only it is wrong. */
static void wrong_files(void)
{
	static const int types[] = { UVERBS_OBJECT_PD, UVERBS_OBJECT_MR };
	uint32_t handles[] = { pd, mr.handle };
	struct region region;
	int event = eventfd(0, 0);
	int closed = dup(null);
	int path = open("/dev/null", O_PATH);
	int bad[] = { -1, closed, 1 << 20, path };
	int not_uverbs[] = { null, event, STDOUT_FILENO };

	close(closed);
	for (int t = 0; t < 2; t++) {
		for (int i = 0; i < 4; i++)
			IS(export_to_fd(owner, types[t], handles[t], bad[i],
					&new),
			   EBADF);
		for (int i = 0; i < 3; i++)
			IS(export_to_fd(owner, types[t], handles[t],
					not_uverbs[i], &new),
			   EINVAL);
		IS(export_to_fd(owner, types[t], handles[t], other, &new),
		   EXDEV);
		IS(export_to_fd(owner, types[t], handles[t], bare, &new),
		   EINVAL);
	}
	for (int i = 0; i < 4; i++) {
		IS(import_pd(target, bad[i], pd, &new), EBADF);
		IS(import_mr(target, bad[i], mr.handle, &region), EBADF);
	}
	for (int i = 0; i < 3; i++) {
		IS(import_pd(target, not_uverbs[i], pd, &new), EINVAL);
		IS(import_mr(target, not_uverbs[i], mr.handle, &region),
		   EINVAL);
	}
	IS(import_pd(target, other, 0, &new), EXDEV);
	IS(import_mr(target, other, 0, &region), EXDEV);
	IS(import_pd(target, bare, pd, &new), EINVAL);
	IS(import_mr(target, bare, mr.handle, &region), EINVAL);
	IS(import_pd(bare, owner, pd, &new), EINVAL);
	IS(import_mr(bare, owner, mr.handle, &region), EINVAL);
	/* Nobody else's descriptor: this one is wrong twice */
	IS(export_pd(bare, pd, target, &new), ENOENT);
	close(event);
	close(path);
	nothing_left();
}

static void wrong_handles(void)
{
	uint32_t unknown[] = { 12345, 0x7fffffff, 0xffffffff };

	for (int i = 0; i < 3; i++) {
		IS(export_pd(owner, unknown[i], target, &new), ENOENT);
		IS(export_mr(owner, unknown[i], target, &new), ENOENT);
		IS(import_pd(target, owner, unknown[i], &new), ENOENT);
		IS(import_mr(target, owner, unknown[i], &alias), ENOENT);
	}
	IS(export_pd(owner, mr.handle, target, &new), EINVAL);
	IS(export_mr(owner, pd, target, &new), EINVAL);
	IS(import_pd(target, owner, mr.handle, &new), EINVAL);
	IS(import_mr(target, owner, pd, &alias), EINVAL);
	/* Right handles, in the wrong file */
	IS(export_pd(target, pd, owner, &new), ENOENT);
	IS(import_pd(owner, target, pd, &new), ENOENT);
	nothing_left();
}

/* A reply that can not be written: no alias, however many were. */
static void wrong_buffers(void)
{
	static const int outputs[] = {
		UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY,
		UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY,
		UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH,
		UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA,
		UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE,
	};
	char *readonly =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *bad[] = { (void *)8, readonly };
	uint64_t good;

	NEED(readonly != MAP_FAILED);
	for (int b = 0; b < 2; b++) {
		IS(export_pd(owner, pd, target, bad[b]), EFAULT);
		IS(export_mr(owner, mr.handle, target, bad[b]), EFAULT);
		/* Into itself, so that the PD has a handle to be written */
		for (unsigned int i = 0; i < 5; i++) {
			struct command cmd;

			command_start(&cmd, UVERBS_OBJECT_MR,
				      UVERBS_METHOD_MR_IMPORT_FROM_FD);
			command_handle(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_HANDLE,
				       0);
			command_fd(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE,
				   owner);
			command_u32(&cmd,
				    UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE,
				    mr.handle);
			for (unsigned int j = 0; j < 5; j++)
				command_buffer(&cmd, outputs[j],
					       i == j ? bad[b] : &good,
					       j < 2 || j == 4 ? 4 : 8);
			IS(command_run(&cmd, owner), EFAULT);
		}
		for (int i = 0; i < 2; i++) {
			struct command cmd;

			command_start(&cmd, UVERBS_OBJECT_PD,
				      UVERBS_METHOD_PD_IMPORT_FROM_FD);
			command_handle(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_HANDLE,
				       0);
			command_fd(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE,
				   owner);
			command_u32(&cmd,
				    UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE,
				    pd);
			command_buffer(&cmd,
				       UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER,
				       i ? (void *)&good : bad[b], 8);
			command_buffer(
				&cmd,
				UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN,
				i ? bad[b] : (void *)&good, 4);
			IS(command_run(&cmd, target), EFAULT);
		}
	}
	munmap(readonly, 4096);
	nothing_left();
}

/* What is no export or import at all */
static void wrong_commands(void)
{
	struct command cmd;

	for (int object = 0; object < 2; object++) {
		for (int method = 0; method < 2; method++) {
			command_start(&cmd,
				      object ? UVERBS_OBJECT_MR
					     : UVERBS_OBJECT_PD,
				      UVERBS_METHOD_PD_EXPORT_TO_FD + method);
			/* How to ask for the methods without using them */
			IS(command_run(&cmd, owner), EINVAL);
			IS(command_run(&cmd, bare), EINVAL);
		}
	}
	/* A descriptor as four bytes of data */
	command_start(&cmd, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_EXPORT_TO_FD);
	command_handle(&cmd, UVERBS_ATTR_EXPORT_TO_FD_HANDLE, pd);
	command_u32(&cmd, UVERBS_ATTR_EXPORT_TO_FD_TARGET, target);
	command_buffer(&cmd, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, &new, 4);
	IS(command_run(&cmd, owner), EINVAL);
	/* One that is no int */
	command_start(&cmd, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_EXPORT_TO_FD);
	command_handle(&cmd, UVERBS_ATTR_EXPORT_TO_FD_HANDLE, pd);
	command_fd(&cmd, UVERBS_ATTR_EXPORT_TO_FD_TARGET, 0)->data =
		(1ull << 32) + target;
	command_buffer(&cmd, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, &new, 4);
	IS(command_run(&cmd, owner), EINVAL);
	/* A type that has no such method */
	IS(export_to_fd(owner, UVERBS_OBJECT_MW, 0, target, &new),
	   EPROTONOSUPPORT);
	IS(export_to_fd(owner, UVERBS_OBJECT_QP, 0, target, &new),
	   EPROTONOSUPPORT);
	nothing_left();
}

static void *slow_dereg(void *arg)
{
	IS(dereg_mr(owner, *(uint32_t *)arg), 0);
	return NULL;
}

/* An MR that another thread is just destroying */
static void busy_object(void)
{
	struct region victim;
	pthread_t thread;

	IS(reg_mr(owner, pd, buf, 4096, ACCESS_RW, &victim), 0);
	device_slow(1000);
	NEED(!pthread_create(&thread, NULL, slow_dereg, &victim.handle));
	device_wait_slow();
	IS(export_mr(owner, victim.handle, target, &new), EBUSY);
	IS(import_mr(target, owner, victim.handle, &alias), EBUSY);
	pthread_join(thread, NULL);
	device_slow(0);
	IS(export_mr(owner, victim.handle, target, &new), ENOENT);
	nothing_left();
}

int main(void)
{
	bare = open_file();
	owner = open_context();
	target = open_context();
	null = open("/dev/null", O_RDWR);
	NEED(bare >= 0 && null >= 0);
	IS(alloc_pd_driver(owner, &pd, buf, 8), 0);
	IS(reg_mr(owner, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);

	select_device("rxe0", RDMA_DRIVER_RXE);
	other = open_context();
	select_device("sharetest0", RDMA_DRIVER_UNKNOWN);

	wrong_files();
	wrong_handles();
	wrong_buffers();
	wrong_commands();
	busy_object();

	/* All this did no harm to what it was aimed at */
	IS(export_pd(owner, pd, target, &new), 0);
	IS(import_mr(target, owner, mr.handle, &alias), 0);
	CHECK(alias.has_pd && alias.pd == new, "%d %u %u", alias.has_pd,
	      alias.pd, new);
	close(target);
	close(bare);
	close(other);
	IS(dereg_mr(owner, mr.handle), 0);
	IS(dealloc_pd(owner, pd), 0);
	close(owner);
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
