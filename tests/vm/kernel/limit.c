// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * How much others may put into a file: the parameter export_limit. The process
 * that opened the file has no limit, nor has what is imported.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

#define PARAMETER "/sys/module/ib_uverbs/parameters/export_limit"

static char buf[4096] __attribute__((aligned(4096)));
static int target, other;

static void set_limit(const char *text)
{
	int fd = open(PARAMETER, O_WRONLY);

	NEED(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static int handles(int fd)
{
	return count_handles(fd, UVERBS_OBJECT_PD) +
	       count_handles(fd, UVERBS_OBJECT_MR);
}

/* A stranger: another process that holds the descriptors */
static int stranger(void)
{
	int a = open_context();
	uint32_t pd, h[3], new;
	struct region mr, m;
	int before;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_pd(a, pd, target, &h[0]), 0);
	IS(export_mr(a, mr.handle, target, &h[1]), 0);
	IS(export_pd(a, pd, target, &h[2]), 0);
	before = handles(target);
	new = 0xeeeeeeee;
	IS(export_pd(a, pd, target, &new), EAGAIN);
	IS(export_mr(a, mr.handle, target, &new), EAGAIN);
	IS(handles(target), before);
	/* From the target into itself is no less a stranger's deed */
	IS(export_pd(target, h[0], target, &new), EAGAIN);
	IS(handles(target), before);
	/* Another file has a limit of its own, one's own has none. */
	IS(export_pd(a, pd, other, &new), 0);
	IS(dealloc_pd(other, new), 0);
	for (int i = 0; i < 6; i++)
		IS(export_pd(a, pd, a, &new), 0);
	/* What it takes from there lies in its own file. */
	for (int i = 0; i < 6; i++)
		IS(import_mr(a, target, h[1], &m), 0);
	/* One place is free again, whoever freed it. */
	IS(dealloc_pd(target, h[2]), 0);
	IS(export_pd(a, pd, target, &h[2]), 0);
	IS(export_pd(a, pd, target, &new), EAGAIN);
	return failures != 0;
}

static void *in_a_thread(void *handle)
{
	uint32_t new;

	IS(export_pd(target, *(uint32_t *)handle, target, &new), 0);
	IS(dealloc_pd(target, new), 0);
	return NULL;
}

int main(void)
{
	uint32_t pds[8], pd, new;
	pthread_t thread;
	int status, fd;
	char text[16] = "";
	pid_t pid;

	fd = open(PARAMETER, O_RDONLY);
	NEED(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	IS(atoi(text), 65536);
	set_limit("3");
	target = open_context();
	other = open_context();
	fflush(stdout);
	pid = fork();
	NEED(pid >= 0);
	if (!pid)
		exit(stranger());
	NEED(waitpid(pid, &status, 0) == pid);
	IS(status, 0);

	/* Full, but not for its owner */
	IS(list_handles(target, UVERBS_OBJECT_PD, pds, 8), 2);
	IS(count_handles(target, UVERBS_OBJECT_MR), 1);
	IS(export_pd(target, pds[0], target, &new), 0);
	IS(dealloc_pd(target, new), 0);
	IS(alloc_pd(other, &pd), 0);
	for (int i = 0; i < 6; i++) {
		IS(export_pd(other, pd, target, &new), 0);
		IS(import_pd(target, other, pd, &new), 0);
	}
	NEED(!pthread_create(&thread, NULL, in_a_thread, &pds[0]));
	pthread_join(thread, NULL);
	close(target);
	close(other);
	DEVICE_HAS(0, 0, 0, 0);

	/* None at all */
	set_limit("0");
	target = open_context();
	pid = fork();
	NEED(pid >= 0);
	if (!pid) {
		int a = open_context();

		IS(alloc_pd(a, &pd), 0);
		IS(export_pd(a, pd, target, &new), EAGAIN);
		IS(import_pd(target, a, pd, &new), 0);
		exit(failures != 0);
	}
	NEED(waitpid(pid, &status, 0) == pid);
	IS(status, 0);
	IS(count_handles(target, UVERBS_OBJECT_PD), 1);
	close(target);
	set_limit("65536");
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
