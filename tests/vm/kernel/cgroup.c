// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The rdma cgroup: whoever exports or imports is charged for the new handle, and
 * over the limit gets EAGAIN.
 */
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

#define ROOT "/tmp/cgroup"
#define GROUP_A ROOT "/a"
#define GROUP_B ROOT "/b"

static char buf[4096] __attribute__((aligned(4096)));

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	NEED(fd >= 0);
	NEED(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void go_to(const char *group)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	put(path, "0");
}

static void set_max(const char *group, const char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/rdma.max", group);
	put(path, text);
}

static void charged(const char *group, int *handles, int *objects)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/rdma.current", group);
	file = fopen(path, "r");
	NEED(file);
	*handles = *objects = 0;
	/* The line is there from the first charge on. */
	if (fscanf(file, "sharetest0 hca_handle=%d hca_object=%d", handles,
		   objects) != 2)
		CHECK(feof(file), "an unknown line in %s", path);
	fclose(file);
}

#define CHARGED(_group, _handles, _objects)                   \
	do {                                                  \
		int _h, _o;                                   \
		charged(_group, &_h, &_o);                    \
		CHECK(_h == (_handles) && _o == (_objects),   \
		      "%d contexts and %d objects in " _group \
		      ", not %d and %d",                      \
		      _h, _o, _handles, _objects);            \
	} while (0)

static void limits(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, h[3];
	struct region mr, m;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	go_to(GROUP_A);
	set_max(GROUP_A, "sharetest0 hca_object=2");

	IS(export_pd(a, pd, b, &h[0]), 0);
	CHARGED(GROUP_A, 0, 1);
	IS(import_mr(b, a, mr.handle, &m), 0);
	CHARGED(GROUP_A, 0, 2);
	h[1] = 0xeeeeeeee;
	IS(export_pd(a, pd, b, &h[1]), EAGAIN);
	IS(export_mr(a, mr.handle, b, &h[1]), EAGAIN);
	CHECK(h[1] == 0xeeeeeeee, "a handle %u", h[1]);
	IS(import_pd(b, a, pd, &h[1]), EAGAIN);
	IS(import_mr(b, a, mr.handle, &mr), EAGAIN);
	CHARGED(GROUP_A, 0, 2);
	IS(count_handles(b, UVERBS_OBJECT_PD), 1);
	IS(count_handles(b, UVERBS_OBJECT_MR), 1);

	/* Freeing the first handles, which the other group made, is not ours */
	close(a);
	CHARGED(GROUP_A, 0, 2);
	IS(dereg_mr(b, m.handle), 0);
	CHARGED(GROUP_A, 0, 1);
	IS(dealloc_pd(b, h[0]), 0);
	CHARGED(GROUP_A, 0, 0);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	set_max(GROUP_A, "sharetest0 hca_object=max");
	go_to(ROOT);
}

/*
 * A handle is charged to whoever made it, wherever it lies, and given back by
 * whoever destroys it; a region whose maker is gone costs him his context.
 */
static void who_pays(void)
{
	uint32_t pd, pd_b, mr_b;
	struct region mr, m;
	int a, b;

	go_to(GROUP_A);
	a = open_context();
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	CHARGED(GROUP_A, 1, 2);
	go_to(GROUP_B);
	b = open_context();
	CHARGED(GROUP_B, 1, 0);

	go_to(GROUP_A);
	IS(export_pd(a, pd, b, &pd_b), 0);
	IS(export_mr(a, mr.handle, b, &mr_b), 0);
	CHARGED(GROUP_A, 1, 4);
	CHARGED(GROUP_B, 1, 0);
	go_to(GROUP_B);
	IS(import_mr(b, a, mr.handle, &m), 0);
	CHARGED(GROUP_A, 1, 4);
	CHARGED(GROUP_B, 1, 1);
	/* What B destroys A need not pay any more, nor the other way round. */
	IS(dereg_mr(b, mr_b), 0);
	IS(dealloc_pd(b, pd_b), 0);
	CHARGED(GROUP_A, 1, 2);
	go_to(GROUP_A);
	IS(dereg_mr(b, m.handle), 0);
	CHARGED(GROUP_B, 1, 0);
	CHARGED(GROUP_A, 1, 2);

	go_to(GROUP_B);
	IS(import_mr(b, a, mr.handle, &m), 0);
	go_to(GROUP_A);
	close(a);
	/* The context waits for the MR, B has its only handle. */
	DEVICE_HAS(2, 1, 1, 0);
	CHARGED(GROUP_A, 1, 0);
	CHARGED(GROUP_B, 1, 1);
	IS(dereg_mr(b, m.handle), 0);
	CHARGED(GROUP_A, 0, 0);
	CHARGED(GROUP_B, 1, 0);
	close(b);
	CHARGED(GROUP_B, 0, 0);
	DEVICE_HAS(0, 0, 0, 0);
	go_to(ROOT);
}

int main(void)
{
	NEED(!mkdir(ROOT, 0700));
	NEED(!mount("none", ROOT, "cgroup2", 0, NULL));
	put(ROOT "/cgroup.subtree_control", "+rdma");
	NEED(!mkdir(GROUP_A, 0700) && !mkdir(GROUP_B, 0700));
	limits();
	who_pays();
	/* An empty group goes: nothing holds it. */
	NEED(!rmdir(GROUP_A) && !rmdir(GROUP_B));
	return end_checks();
}
