// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The limit of an rdma cgroup: whoever exports or imports is charged for the new
 * handle, and over the limit gets EAGAIN.
 */
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

#define ROOT "/tmp/cgroup"
#define GROUP ROOT "/limited"

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	NEED(fd >= 0);
	NEED(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static int charged(void)
{
	FILE *file = fopen(GROUP "/rdma.current", "r");
	int handles, objects;

	NEED(file);
	NEED(fscanf(file, "sharetest0 hca_handle=%d hca_object=%d", &handles,
		    &objects) == 2);
	fclose(file);
	return objects;
}

int main(void)
{
	static char buf[4096] __attribute__((aligned(4096)));
	int a = open_context(), b = open_context();
	uint32_t pd, h[3];
	struct region mr, m;

	NEED(!mkdir(ROOT, 0700));
	NEED(!mount("none", ROOT, "cgroup2", 0, NULL));
	put(ROOT "/cgroup.subtree_control", "+rdma");
	NEED(!mkdir(GROUP, 0700));
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	put(GROUP "/cgroup.procs", "0");
	put(GROUP "/rdma.max", "sharetest0 hca_object=2");

	IS(export_pd(a, pd, b, &h[0]), 0);
	IS(charged(), 1);
	IS(import_mr(b, a, mr.handle, &m), 0);
	IS(charged(), 2);
	IS(export_pd(a, pd, b, &h[1]), EAGAIN);
	IS(export_mr(a, mr.handle, b, &h[1]), EAGAIN);
	IS(import_pd(b, a, pd, &h[1]), EAGAIN);
	IS(import_mr(b, a, mr.handle, &mr), EAGAIN);
	IS(charged(), 2);
	IS(count_handles(b, UVERBS_OBJECT_PD), 1);
	IS(count_handles(b, UVERBS_OBJECT_MR), 1);

	/* Freeing the first handles, which the other group made, is not ours */
	close(a);
	IS(charged(), 2);
	IS(dereg_mr(b, m.handle), 0);
	IS(charged(), 1);
	IS(dealloc_pd(b, h[0]), 0);
	IS(charged(), 0);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	put(ROOT "/cgroup.procs", "0");
	return end_checks();
}
