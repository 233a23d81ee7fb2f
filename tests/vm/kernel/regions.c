// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* MRs that can not be shared, and changing those that are. */
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

static char buf[8192] __attribute__((aligned(4096)));
static int a, b;
static uint32_t pd;

/* Neither way, and nothing left of the attempt */
static void not_shareable(uint32_t handle)
{
	struct region m;
	uint32_t new;

	IS(export_mr(a, handle, b, &new), EOPNOTSUPP);
	IS(export_mr(a, handle, a, &new), EOPNOTSUPP);
	IS(import_mr(b, a, handle, &m), EOPNOTSUPP);
	IS(count_handles(b, UVERBS_OBJECT_MR), 0);
	IS(count_handles(a, UVERBS_OBJECT_MR), 1);
	IS(dereg_mr(a, handle), 0);
	DEVICE_HAS(2, 1, 0, device_get("others"));
}

static void kinds(void)
{
	struct region mr;
	uint32_t dm, handle;

	IS(reg_mr(a, pd, buf, 4096, ACCESS_RW | IB_UVERBS_ACCESS_ON_DEMAND,
		  &mr),
	   0);
	not_shareable(mr.handle);

	device_set("keyless", 1);
	IS(reg_mr(a, pd, buf, 4096, ACCESS_RW, &mr), 0);
	device_set("keyless", 0);
	not_shareable(mr.handle);

	IS(alloc_dm(a, &dm), 0);
	IS(reg_dm_mr(a, pd, dm, &handle), 0);
	not_shareable(handle);
	IS(destroy(a, UVERBS_OBJECT_DM, dm), 0);
}

/* The fd of the other end is -1 when all this end's are closed. */
static bool held(int reader)
{
	struct pollfd pollfd = { .fd = reader };

	return poll(&pollfd, 1, 0) == 0;
}

/*
 * Its pages are those of a buffer, not of a process: as good as any. The buffer is
 * held until the last alias goes.
 */
static void dmabuf(void)
{
	int c = open_context(), ends[2];
	uint32_t pd_c, mr, mr_b;
	struct region m;

	NEED(!pipe(ends));
	IS(alloc_pd(c, &pd_c), 0);
	IS(reg_dmabuf_mr(c, pd_c, ends[1], 8192, &mr), 0);
	close(ends[1]);
	IS(export_mr(c, mr, b, &mr_b), 0);
	IS(import_mr(a, b, mr_b, &m), 0);
	CHECK(m.lkey && m.length == 8192 && !m.iova, "%x %lu %lx", m.lkey,
	      m.length, m.iova);
	IS(rereg_mr(c, mr, REREG_ACCESS, buf, 0, ACCESS_RW, 0), EBUSY);
	close(c);
	IS(dereg_mr(b, mr_b), 0);
	CHECK(held(ends[0]), "the buffer is gone before its MR");
	DEVICE_HAS(3, 2, 1, 0);
	IS(dereg_mr(a, m.handle), 0);
	CHECK(!held(ends[0]), "the buffer is still held");
	close(ends[0]);
	DEVICE_HAS(2, 1, 0, 0);
}

static void rereg(void)
{
	uint32_t pd2, pd2_b, pd2_a, mr_b;
	struct region mr, m;

	IS(reg_mr(a, pd, buf, 4096, ACCESS_RW, &mr), 0);
	IS(rereg_mr(a, mr.handle, REREG_ACCESS, buf, 4096, ACCESS_RW, 0), 0);

	IS(export_mr(a, mr.handle, b, &mr_b), 0);
	for (int flags = 1; flags < 8; flags++) {
		IS(rereg_mr(a, mr.handle, flags, buf, 4096, ACCESS_RW, pd),
		   EBUSY);
		IS(rereg_mr(b, mr_b, flags, buf, 4096, ACCESS_RW, pd), EBUSY);
	}
	IS(dereg_mr(b, mr_b), 0);

	/* Alone again, also twice in one file is not alone */
	IS(import_mr(a, a, mr.handle, &m), 0);
	IS(rereg_mr(a, mr.handle, REREG_ACCESS, buf, 4096, ACCESS_RW, 0),
	   EBUSY);
	IS(dereg_mr(a, m.handle), 0);
	IS(rereg_mr(a, mr.handle, REREG_TRANS, buf, 8192, 0, 0), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	CHECK(m.length == 8192, "%lu", m.length);
	IS(dereg_mr(b, m.handle), 0);

	/* To another PD, by the maker's handle and by an alias of it */
	IS(alloc_pd(a, &pd2), 0);
	IS(rereg_mr(a, mr.handle, REREG_PD, buf, 0, 0, pd2), 0);
	IS(dealloc_pd(a, pd2), EBUSY);
	/* Now this PD must be able to outlive its file, too */
	IS(export_mr(a, mr.handle, b, &mr_b), 0);
	IS(dereg_mr(b, mr_b), 0);
	IS(rereg_mr(a, mr.handle, REREG_PD, buf, 0, 0, pd), 0);
	IS(export_pd(a, pd2, b, &pd2_b), 0);
	IS(import_pd(a, b, pd2_b, &pd2_a), 0);
	IS(rereg_mr(a, mr.handle, REREG_PD, buf, 0, 0, pd2_a), 0);
	IS(rereg_mr(a, mr.handle, REREG_PD, buf, 0, 0, pd2), 0);
	IS(dealloc_pd(a, pd2_a), EBUSY);
	IS(rereg_mr(a, mr.handle, REREG_PD, buf, 0, 0, pd), 0);
	IS(dealloc_pd(a, pd2_a), 0);
	IS(dealloc_pd(a, pd2), 0);
	IS(dealloc_pd(b, pd2_b), 0);

	/* An MR that becomes one on demand, and one again that is not */
	IS(rereg_mr(a, mr.handle, REREG_ACCESS, buf, 0,
		    ACCESS_RW | IB_UVERBS_ACCESS_ON_DEMAND, 0),
	   0);
	IS(export_mr(a, mr.handle, b, &mr_b), EOPNOTSUPP);
	IS(rereg_mr(a, mr.handle, REREG_TRANS, buf, 4096, 0, 0), 0);
	IS(export_mr(a, mr.handle, b, &mr_b), EOPNOTSUPP);
	IS(rereg_mr(a, mr.handle, REREG_ACCESS, buf, 0, ACCESS_RW, 0), 0);
	IS(export_mr(a, mr.handle, b, &mr_b), 0);

	/* The maker gone, it stays as it is */
	IS(dereg_mr(a, mr.handle), 0);
	IS(rereg_mr(b, mr_b, REREG_ACCESS, buf, 4096, ACCESS_RW, 0), EBUSY);
	IS(dereg_mr(b, mr_b), 0);
	DEVICE_HAS(2, 1, 0, 0);
}

/* The PD that a changed MR is on now must survive its file with it. */
static void rereg_then_close(void)
{
	int c = open_context();
	uint32_t pd1, pd2, mr_b;
	struct region mr;

	IS(alloc_pd(c, &pd1), 0);
	IS(alloc_pd(c, &pd2), 0);
	IS(reg_mr(c, pd1, buf, 4096, ACCESS_RW, &mr), 0);
	IS(export_mr(c, mr.handle, b, &mr_b), 0);
	IS(dereg_mr(b, mr_b), 0);
	IS(rereg_mr(c, mr.handle, REREG_PD, buf, 0, 0, pd2), 0);
	IS(export_mr(c, mr.handle, b, &mr_b), 0);
	close(c);
	DEVICE_HAS(3, 2, 1, 0);
	IS(dereg_mr(b, mr_b), 0);
	DEVICE_HAS(2, 1, 0, 0);
}

int main(void)
{
	a = open_context();
	b = open_context();
	IS(alloc_pd(a, &pd), 0);
	kinds();
	dmabuf();
	for (int new = 0; new < 2; new ++) {
		device_set("rereg_new", new);
		rereg();
		rereg_then_close();
	}
	device_set("rereg_new", 0);
	IS(dealloc_pd(a, pd), 0);
	close(a);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
