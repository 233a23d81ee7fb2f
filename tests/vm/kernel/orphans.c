// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* When the driver does not give an object up: try again later, lose nothing. */
#include <unistd.h>

#include "command.h"
#include "device.h"

static char buf[4096] __attribute__((aligned(4096)));

/* Any destruction on the device makes the kernel try again. */
static void poke(void)
{
	int fd = open_context();
	uint32_t pd;

	IS(alloc_pd(fd, &pd), 0);
	IS(dealloc_pd(fd, pd), 0);
	close(fd);
}

/* An MR whose last alias goes by closing, and by dereg_mr */
static void shared_mr(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, mr_b;
	struct region mr;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_mr(a, mr.handle, b, &mr_b), 0);
	device_set("hold_mrs", 1);
	IS(dereg_mr(a, mr.handle), 0);
	/* The one who asks for it hears why, and still has the handle */
	IS(dereg_mr(b, mr_b), EINVAL);
	IS(count_handles(b, UVERBS_OBJECT_MR), 1);
	close(a);
	DEVICE_HAS(2, 1, 1, 0);
	close(b);
	DEVICE_HAS(1, 1, 1, 0);
	poke();
	DEVICE_HAS(1, 1, 1, 0);
	device_set("hold_mrs", 0);
	poke();
	DEVICE_HAS(0, 0, 0, 0);
}

/* One that nobody shares, on a PD that others do: they may hold it. */
static void private_mr(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, pd_b;
	struct region mr;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	device_set("hold_mrs", 1);
	IS(dereg_mr(a, mr.handle), EINVAL);
	close(a);
	DEVICE_HAS(2, 1, 1, 0);
	/* b has nothing to do with it */
	IS(dealloc_pd(b, pd_b), 0);
	DEVICE_HAS(2, 1, 1, 0);
	device_set("hold_mrs", 0);
	close(b);
	DEVICE_HAS(1, 1, 1, 0);
	poke();
	DEVICE_HAS(0, 0, 0, 0);
}

static void shared_pd(void)
{
	int a = open_context(), b = open_context();
	uint32_t pd, pd_b;

	IS(alloc_pd(a, &pd), 0);
	IS(export_pd(a, pd, b, &pd_b), 0);
	device_set("hold_pds", 1);
	IS(dealloc_pd(a, pd), 0);
	close(a);
	IS(dealloc_pd(b, pd_b), EIO);
	/* As good as before */
	IS(import_pd(b, b, pd_b, &pd), 0);
	IS(dealloc_pd(b, pd), 0);
	IS(dealloc_pd(b, pd_b), EIO);
	close(b);
	DEVICE_HAS(1, 1, 0, 0);
	device_set("hold_pds", 0);
	poke();
	DEVICE_HAS(0, 0, 0, 0);
}

/* Many at once, of several files, that go one by one and all together */
static void many(void)
{
	int a[3], b = open_context();
	struct region mr, m;
	uint32_t pd;

	for (int i = 0; i < 3; i++) {
		a[i] = open_context();
		for (int j = 0; j < 20; j++) {
			IS(alloc_pd(a[i], &pd), 0);
			IS(reg_mr(a[i], pd, buf, sizeof(buf), ACCESS_RW, &mr),
			   0);
			IS(import_mr(b, a[i], mr.handle, &m), 0);
		}
	}
	for (int i = 0; i < 3; i++)
		close(a[i]);
	DEVICE_HAS(4, 60, 60, 0);
	IS(dereg_mr(b, m.handle), 0);
	DEVICE_HAS(4, 59, 59, 0);
	device_set("hold_mrs", 1);
	close(b);
	DEVICE_HAS(3, 59, 59, 0);
	device_set("hold_mrs", 0);
	poke();
	DEVICE_HAS(0, 0, 0, 0);
}

int main(void)
{
	shared_mr();
	private_mr();
	shared_pd();
	many();
	return end_checks();
}
