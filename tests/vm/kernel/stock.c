// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a kernel without export and import says: EPROTONOSUPPORT, however the
 * methods are called, and no harm done.
 */
#include <unistd.h>

#include "command.h"
#include "check.h"

int main(void)
{
	static char buf[4096] __attribute__((aligned(4096)));
	struct region mr, m;
	struct command cmd;
	uint32_t pd, new;
	int a, b;

	select_device("rxe0", RDMA_DRIVER_RXE);
	a = open_context();
	b = open_context();
	IS(alloc_pd(a, &pd), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);

	for (int object = 0; object < 2; object++) {
		for (int method = 0; method < 2; method++) {
			command_start(&cmd,
				      object ? UVERBS_OBJECT_MR
					     : UVERBS_OBJECT_PD,
				      UVERBS_METHOD_PD_EXPORT_TO_FD + method);
			IS(command_run(&cmd, a), EPROTONOSUPPORT);
		}
	}
	IS(export_pd(a, pd, b, &new), EPROTONOSUPPORT);
	IS(export_mr(a, mr.handle, b, &new), EPROTONOSUPPORT);
	IS(import_pd(b, a, pd, &new), EPROTONOSUPPORT);
	IS(import_mr(b, a, mr.handle, &m), EPROTONOSUPPORT);
	IS(count_handles(b, UVERBS_OBJECT_PD), 0);
	IS(count_handles(b, UVERBS_OBJECT_MR), 0);
	IS(dereg_mr(a, mr.handle), 0);
	IS(dealloc_pd(a, pd), 0);
	close(a);
	close(b);
	return end_checks();
}
