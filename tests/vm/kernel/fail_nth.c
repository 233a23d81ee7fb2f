// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Every allocation and every copy to or from the user fails once: in each of the
 * four methods, in what makes their objects, and in what frees them. A command that
 * failed leaves nothing. Needs a kernel with fault injection (../soak).
 *
 *	usage: fail_nth [-v]
 */
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "shares.h"

static char buf[4096] __attribute__((aligned(4096)));
static int fail_fd;

static void fail_at(int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", n);

	NEED(pwrite(fail_fd, text, len, 0) == len);
}

/*
 * Was the failure asked for ever reached? Ends the asking. To ask is to copy, too,
 * and may be what fails.
 */
static bool reached(void)
{
	char text[16] = "";
	bool all = pread(fail_fd, text, sizeof(text) - 1, 0) > 0 &&
		   atoi(text) == 0;

	if (pwrite(fail_fd, "0", 1, 0) != 1)
		fail_at(0);
	return all;
}

enum method {
	EXPORT_PD,
	EXPORT_MR,
	IMPORT_PD,
	IMPORT_MR,
	/* These make or free nothing in the second file */
	ALLOC_PD,
	REG_MR,
	DEREG_MR,
	DEALLOC_PD,
	METHODS
};

static unsigned int faults;

/*
 * By default it spares just those that all commands make, and shows on the console
 * where each failed, as if it were trouble.
 */
static void spare_none(void)
{
	static const char *const what[] = {
		"failslab/ignore-gfp-wait",  "fail_page_alloc/ignore-gfp-wait",
		"fail_page_alloc/min-order", "failslab/verbose",
		"fail_page_alloc/verbose",   "fail_usercopy/verbose"
	};
	char path[128];
	FILE *file;

	mount_shares();
	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++) {
		snprintf(path, sizeof(path), SHARES_DIR "/%s", what[i]);
		file = fopen(path, "w");
		NEED(file);
		fputs("0", file);
		NEED(!fclose(file));
	}
}

/* Twice: with an object that is private, and with one that is shared. */
static int one(enum method method, int n, bool shared, bool *was_reached)
{
	int a = open_context(), b = open_context(), c = open_context();
	uint32_t pd, new = 0, new_pd = 0;
	struct region mr, m;
	bool freed = false;
	int ret = 0;

	IS(alloc_pd_driver(a, &pd, buf, 8), 0);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	if (shared) {
		IS(import_pd(c, a, pd, &new), 0);
		IS(import_mr(c, a, mr.handle, &m), 0);
	}
	/* Its MR would keep it */
	if (method == DEALLOC_PD)
		IS(dereg_mr(a, mr.handle), 0);
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
	case ALLOC_PD:
		ret = alloc_pd_driver(a, &new_pd, buf, 8);
		break;
	case REG_MR:
		ret = reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &m);
		break;
	case DEREG_MR:
		ret = dereg_mr(a, mr.handle);
		freed = !ret;
		break;
	case DEALLOC_PD:
		ret = dealloc_pd(a, pd);
		freed = !ret;
		break;
	default:
		abort();
	}
	*was_reached = reached();
	faults += *was_reached;
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
	CHECK(count_handles(a, UVERBS_OBJECT_PD) ==
			      1 + (!ret && method == ALLOC_PD) -
				      (freed && method == DEALLOC_PD) &&
		      count_handles(a, UVERBS_OBJECT_MR) ==
			      1 + (!ret && method == REG_MR) -
				      (freed && method == DEREG_MR) -
				      (method == DEALLOC_PD),
	      "method %d, point %d: %s, %d PDs and %d MRs", method, n,
	      strerror(ret), count_handles(a, UVERBS_OBJECT_PD),
	      count_handles(a, UVERBS_OBJECT_MR));
	/* The objects are as good as before */
	if (!ret && method == REG_MR)
		IS(dereg_mr(a, m.handle), 0);
	if (method != DEALLOC_PD && !(freed && method == DEREG_MR))
		IS(dereg_mr(a, mr.handle), 0);
	if (!(freed && method == DEALLOC_PD))
		IS(dealloc_pd(a, pd), 0);
	close(a);
	close(c);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	return ret;
}

int main(int argc, char **argv)
{
	fail_fd = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fail_fd < 0) {
		printf("no fault injection in this kernel\n");
		return 77;
	}
	spare_none();
	for (int method = 0; method < METHODS; method++) {
		for (int shared = 0; shared < 2; shared++) {
			bool more = true;
			int failed = 0;

			for (int n = 1; more && n < 200; n++)
				failed += !!one(method, n, shared, &more);
			CHECK(!more, "method %d never got through", method);
			/* What frees may not fail, whatever it is denied. */
			CHECK(method >= DEREG_MR || failed >= 3,
			      "method %d failed %d times", method, failed);
		}
	}
	if (argc > 1 && !strcmp(argv[1], "-v"))
		printf("done: %u faults\n", faults);
	return end_checks();
}
