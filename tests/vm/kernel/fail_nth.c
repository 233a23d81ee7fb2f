// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Every allocation and every copy to or from the user fails once, in each of the
 * four methods and in what frees their objects; a command that failed leaves
 * nothing. Needs a kernel with fault injection (../debug-kernel).
 */
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

static char buf[4096] __attribute__((aligned(4096)));
static int fail_fd;

static void fail_at(int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", n);

	NEED(pwrite(fail_fd, text, len, 0) == len);
}

/* Was the failure asked for ever reached? Ends the asking. */
static bool reached(void)
{
	char text[16] = "";
	bool all;

	NEED(pread(fail_fd, text, sizeof(text) - 1, 0) > 0);
	all = atoi(text) == 0;
	fail_at(0);
	return all;
}

enum method { EXPORT_PD, EXPORT_MR, IMPORT_PD, IMPORT_MR, METHODS };

/* Twice: with an object that is private, and with one that is shared. */
static int one(enum method method, int n, bool shared, bool *was_reached)
{
	int a = open_context(), b = open_context(), c = open_context();
	uint32_t pd, new = 0;
	struct region mr, m;
	int ret = 0;

	IS(alloc_pd_driver(a, &pd, buf, 8), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	if (shared) {
		IS(import_pd(c, a, pd, &new), 0);
		IS(import_mr(c, a, mr.handle, &m), 0);
	}
	fail_at(n);
	switch (method) {
	case EXPORT_PD:
		ret = export_pd(a, pd, b, &new);
		break;
	case EXPORT_MR:
		ret = export_mr(a, mr.handle, b, &new);
		break;
	case IMPORT_PD:
		ret = import_pd(b, a, pd, &new);
		break;
	case IMPORT_MR:
		ret = import_mr(b, a, mr.handle, &m);
		break;
	default:
		abort();
	}
	*was_reached = reached();
	CHECK(!ret || ret == ENOMEM || ret == EFAULT, "method %d, point %d: %s",
	      method, n, strerror(ret));
	CHECK(count_handles(b, UVERBS_OBJECT_PD) ==
		      (!ret && (method == EXPORT_PD || method == IMPORT_PD)),
	      "method %d, point %d: %s, %d PDs", method, n, strerror(ret),
	      count_handles(b, UVERBS_OBJECT_PD));
	CHECK(count_handles(b, UVERBS_OBJECT_MR) ==
		      (!ret && (method == EXPORT_MR || method == IMPORT_MR)),
	      "method %d, point %d: %s, %d MRs", method, n, strerror(ret),
	      count_handles(b, UVERBS_OBJECT_MR));
	/* The objects are as good as before */
	IS(dereg_mr(a, mr.handle), 0);
	IS(dealloc_pd(a, pd), 0);
	close(a);
	close(c);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	return ret;
}

int main(void)
{
	fail_fd = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fail_fd < 0) {
		printf("no fault injection in this kernel\n");
		return 77;
	}
	for (int method = 0; method < METHODS; method++) {
		for (int shared = 0; shared < 2; shared++) {
			bool more = true;
			int failed = 0;

			for (int n = 1; more && n < 200; n++)
				failed += !!one(method, n, shared, &more);
			CHECK(!more, "method %d never got through", method);
			CHECK(failed >= 3, "method %d failed %d times", method,
			      failed);
		}
	}
	return end_checks();
}
