// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What export and import promise, one after the other. */
#include <unistd.h>

#include "command.h"
#include "device.h"

static char buf[8192] __attribute__((aligned(4096)));

/* Into another file, into the same; from another file, from the same. */
static void make_aliases(void)
{
	int a = open_context(), b = open_context();
	struct region mr, m;
	uint32_t pd, h[4];

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);

	IS(export_pd(a, pd, b, &h[0]), 0);
	IS(export_pd(a, pd, b, &h[1]), 0);
	IS(export_pd(a, pd, a, &h[2]), 0);
	IS(import_pd(b, b, h[0], &h[3]), 0);
	CHECK(h[0] != h[1] && h[1] != h[3] && h[2] != pd, "not new handles");
	IS(count_handles(a, UVERBS_OBJECT_PD), 2);
	IS(count_handles(b, UVERBS_OBJECT_PD), 3);
	DEVICE_HAS(2, 1, 1, 0);

	IS(export_mr(a, mr.handle, b, &h[0]), 0);
	IS(import_mr(a, b, h[0], &m), 0);
	CHECK(m.lkey == mr.lkey && m.rkey == mr.rkey, "keys %x %x", m.lkey,
	      m.rkey);
	CHECK(m.length == sizeof(buf) && m.iova == (uintptr_t)buf,
	      "%lx bytes at %lx", m.length, m.iova);
	IS(import_mr(b, a, m.handle, &m), 0);
	CHECK(m.lkey == mr.lkey && m.rkey == mr.rkey, "keys %x %x", m.lkey,
	      m.rkey);
	IS(count_handles(a, UVERBS_OBJECT_MR), 2);
	IS(count_handles(b, UVERBS_OBJECT_MR), 2);
	DEVICE_HAS(2, 1, 1, 0);
	close(a);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
}

/* The maker's handle has no privilege; the last one decides. */
static void last_alias(void)
{
	int a = open_context(), b = open_context(), c = open_context();
	uint32_t pd, pd_b, pd_c, mr_b;
	struct region mr, m;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	IS(export_mr(a, mr.handle, b, &mr_b), 0);
	IS(dereg_mr(a, mr.handle), 0);
	IS(dereg_mr(a, mr.handle), ENOENT);
	IS(dealloc_pd(a, pd), 0);
	IS(dealloc_pd(a, pd), ENOENT);
	IS(count_handles(a, UVERBS_OBJECT_PD), 0);
	IS(count_handles(a, UVERBS_OBJECT_MR), 0);
	DEVICE_HAS(3, 1, 1, 0);

	/* An alias is as good a source as the first handle */
	IS(import_pd(c, b, pd_b, &pd_c), 0);
	IS(import_mr(c, b, mr_b, &m), 0);
	CHECK(m.lkey == mr.lkey && m.has_pd && m.pd == pd_c, "%x %d %u", m.lkey,
	      m.has_pd, m.pd);
	IS(dereg_mr(b, mr_b), 0);
	IS(dealloc_pd(b, pd_b), 0);
	DEVICE_HAS(3, 1, 1, 0);
	IS(dereg_mr(c, m.handle), 0);
	DEVICE_HAS(3, 1, 0, 0);
	IS(dealloc_pd(c, pd_c), 0);
	DEVICE_HAS(3, 0, 0, 0);
	close(a);
	close(b);
	close(c);
	DEVICE_HAS(0, 0, 0, 0);
}

/* EBUSY is about this file's own objects. */
static void own_objects_only(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, pd_b, pd_b2;
	struct region mr_a, mr_b, m;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, 4096, ACCESS_RW, &mr_a), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	IS(import_mr(b, a, mr_a.handle, &m), 0);
	IS(dealloc_pd(a, pd), EBUSY);
	/* An imported MR is none of its importer's */
	IS(dealloc_pd(b, pd_b), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	IS(reg_mr(b, pd_b, buf, 4096, ACCESS_RW, &mr_b), 0);
	IS(dealloc_pd(b, pd_b), EBUSY);
	/* Through whichever handle */
	IS(import_pd(b, b, pd_b, &pd_b2), 0);
	IS(dealloc_pd(b, pd_b2), EBUSY);
	IS(dealloc_pd(b, pd_b), EBUSY);
	IS(dereg_mr(a, mr_a.handle), 0);
	IS(dealloc_pd(a, pd), 0);
	IS(dereg_mr(b, mr_b.handle), 0);
	IS(dealloc_pd(b, pd_b), 0);
	IS(dealloc_pd(b, pd_b2), 0);
	/* m is left, and keeps the PD */
	DEVICE_HAS(2, 1, 1, 0);
	IS(dereg_mr(b, m.handle), 0);
	DEVICE_HAS(2, 0, 0, 0);
	close(a);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
}

/* The PD of an MR lives with it, the context of both with them. */
static void mr_keeps_pd_and_context(void)
{
	int a = open_context(), b = open_context(), c = open_context();
	struct region mr, mb, mc;
	uint32_t pd;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, 4096, ACCESS_RW, &mr), 0);
	IS(import_mr(b, a, mr.handle, &mb), 0);
	CHECK(!mb.has_pd, "a PD in b: %u", mb.pd);
	close(a);
	DEVICE_HAS(3, 1, 1, 0);
	IS(import_mr(c, b, mb.handle, &mc), 0);
	CHECK(!mc.has_pd && mc.rkey == mr.rkey, "%d %x", mc.has_pd, mc.rkey);
	IS(dereg_mr(b, mb.handle), 0);
	close(b);
	DEVICE_HAS(2, 1, 1, 0);
	close(c);
	DEVICE_HAS(0, 0, 0, 0);

	/* By dereg_mr as well as by closing */
	a = open_context();
	b = open_context();
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, 4096, ACCESS_RW, &mr), 0);
	IS(export_mr(a, mr.handle, b, &mb.handle), 0);
	IS(dereg_mr(a, mr.handle), 0);
	IS(dealloc_pd(a, pd), 0);
	close(a);
	DEVICE_HAS(2, 1, 1, 0);
	IS(dereg_mr(b, mb.handle), 0);
	DEVICE_HAS(1, 0, 0, 0);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
}

/* The PD's handle that comes with an MR: imported, made here, gone, private. */
static void pd_of_mr(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, pd_b, pd_b2;
	struct region mr, m;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, 4096, ACCESS_RW, &mr), 0);
	/* Nothing is shared yet */
	IS(import_mr(a, a, mr.handle, &m), 0);
	CHECK(m.has_pd && m.pd == pd, "%d %u", m.has_pd, m.pd);
	IS(dereg_mr(a, m.handle), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	CHECK(!m.has_pd, "%u", m.pd);
	IS(export_pd(a, pd, b, &pd_b), 0);
	IS(export_pd(a, pd, b, &pd_b2), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	CHECK(m.has_pd && (m.pd == pd_b || m.pd == pd_b2), "%d %u", m.has_pd,
	      m.pd);
	IS(dealloc_pd(b, pd_b), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	CHECK(m.has_pd && m.pd == pd_b2, "%d %u", m.has_pd, m.pd);
	IS(dealloc_pd(b, pd_b2), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	CHECK(!m.has_pd, "%u", m.pd);
	close(a);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
}

/* A PD without aliases stays for what other files made on it. */
static void use_without_alias(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, pd_b, srq;

	IS(alloc_pd(a, &pd), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	IS(create_srq(b, pd_b, &srq), 0);
	IS(dealloc_pd(b, pd_b), EBUSY);
	IS(dealloc_pd(a, pd), 0);
	close(a);
	DEVICE_HAS(2, 1, 0, 1);
	IS(dealloc_pd(b, pd_b), EBUSY);
	IS(destroy_srq(b, srq), 0);
	IS(dealloc_pd(b, pd_b), 0);
	DEVICE_HAS(1, 0, 0, 0);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
}

int main(void)
{
	make_aliases();
	last_alias();
	own_objects_only();
	mr_keeps_pd_and_context();
	pd_of_mr();
	use_without_alias();
	return end_checks();
}
