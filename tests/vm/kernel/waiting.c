// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A closed file that waits for the last of its shared objects keeps the context
 * and nothing else: not the memory of all its handles.
 */
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "proc.h"

#define HANDLES 60000

static char buf[4096] __attribute__((aligned(4096)));

/* Memory of the kernel's small objects that are in use, in kB */
static int slab(void)
{
	int kb = proc_kb("/proc/meminfo", "SUnreclaim:");

	NEED(kb >= 0);
	return kb;
}

int main(void)
{
	int a = open_context(), b = open_context();
	int before, full, left;
	uint32_t pd, handle;
	struct region mr, m;

	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	before = slab();
	for (int i = 0; i < HANDLES; i++)
		NEED(!export_pd(a, pd, a, &handle));
	full = slab() - before;
	/* A uobject has more than 128 bytes: or else this measures nothing. */
	CHECK(full > HANDLES / 8, "%d handles take %d kB", HANDLES, full);
	close(a);
	DEVICE_HAS(2, 1, 1, 0);
	/* They are freed after an RCU grace period */
	for (int i = 0; i < 200; i++) {
		left = slab() - before;
		if (left < full / 4)
			break;
		usleep(50000);
	}
	CHECK(left < full / 4, "%d of %d kB are still there", left, full);
	IS(dereg_mr(b, m.handle), 0);
	DEVICE_HAS(1, 0, 0, 0);
	close(b);
	return end_checks();
}
