// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Objects live as long as their last alias, whatever becomes of the processes
 * that made them: exit, kill -9, exec, in every order.  The owner is a process
 * of its own that was started by exec.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "share_test.h"

#define SIZE 65536

/* What the owner sends: the file to import from, and the memory */
struct offer {
	uint32_t pd, mr, lkey, rkey;
	uint64_t addr;
};

enum order { LEAVE, EXIT, EXEC, WAIT };

/* ---- the owner's process ---- */

static int owner(bool own_file)
{
	struct ibv_context *context = test_open(0), *ex = NULL;
	int fds[2] = { -1, memfd_create("share", MFD_CLOEXEC) };
	struct offer offer;
	enum order order;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	char *memory;

	NEED(fds[1] >= 0 && !ftruncate(fds[1], SIZE));
	memory =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
	NEED(memory != MAP_FAILED);
	NEED(pd = ibv_alloc_pd(context));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	if (own_file) {
		fds[0] = ibv_context_to_fd(context);
		offer.pd = pd->handle;
		offer.mr = mr->handle;
	} else {
		ex = test_open(0);
		fds[0] = ibv_context_to_fd(ex);
		NEED(!ibv_export_pd(pd, fds[0], &offer.pd));
		NEED(!ibv_export_mr(mr, fds[0], &offer.mr));
	}
	offer.lkey = mr->lkey;
	offer.rkey = mr->rkey;
	offer.addr = (uintptr_t)memory;
	test_send(TEST_CHILD_SOCK, &offer, sizeof(offer), fds, 2);

	while (test_recv(TEST_CHILD_SOCK, &order, sizeof(order), NULL, 0)) {
		switch (order) {
		case LEAVE:
			RETURNS(ibv_dereg_mr(mr), 0);
			RETURNS(ibv_dealloc_pd(pd), 0);
			RETURNS(ibv_close_device(context), 0);
			if (ex)
				RETURNS(ibv_close_device(ex), 0);
			return test_child_end();
		case EXIT:
			return 0;
		case EXEC:
			/* The same process lives on; its files are closed. */
			execl("/proc/self/exe", "share-test", "sleeper", NULL);
			return 1;
		case WAIT:
			break;
		}
	}
	return 1;
}

/* What the owner becomes by exec */
static int sleeper(void)
{
	enum order order = WAIT;

	test_send(TEST_CHILD_SOCK, &order, sizeof(order), NULL, 0);
	while (test_recv(TEST_CHILD_SOCK, &order, sizeof(order), NULL, 0))
		if (order == EXIT)
			return 0;
	return 1;
}

/* ---- the importer ---- */

struct importer {
	struct test_process owner;
	struct offer offer;
	int fd; /* to import from, or -1 */
	char *memory;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
};

static void start(struct importer *i, const char *role)
{
	int fds[2];

	i->owner = test_start(role);
	NEED(test_recv(i->owner.sock, &i->offer, sizeof(i->offer), fds, 2));
	i->fd = fds[0];
	i->memory =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
	NEED(i->memory != MAP_FAILED);
	close(fds[1]);
	i->context = test_open(0);
}

static void import(struct importer *i)
{
	i->pd = ibv_import_pd(i->context, i->fd, i->offer.pd);
	NEED(i->pd);
	i->mr = ibv_import_mr(i->context, i->fd, i->offer.mr);
	NEED(i->mr);
	CHECK(i->mr->lkey == i->offer.lkey && i->mr->rkey == i->offer.rkey &&
		      i->mr->length == SIZE && i->mr->pd == i->pd,
	      "members of the imported MR");
}

static void drop_fd(struct importer *i)
{
	if (i->fd >= 0)
		close(i->fd);
	i->fd = -1;
}

/* The memory is the owner's; the QP, the PD it is on, the keys are here. */
static void traffic(struct importer *i)
{
	static unsigned char value;
	struct test_end end;

	NEED(test_end_open(&end, i->pd, i->context));
	test_end_join(&end, &end);
	memset(i->memory, ++value, 4096);
	memset(i->memory + 8192, 0, 8192);
	CHECK(test_run(&end, IBV_WR_RDMA_WRITE, i->offer.addr, 4096,
		       i->mr->lkey, i->offer.addr + 8192,
		       i->mr->rkey) == IBV_WC_SUCCESS,
	      "RDMA WRITE");
	CHECK(test_run(&end, IBV_WR_RDMA_READ, i->offer.addr + 12288, 4096,
		       i->mr->lkey, i->offer.addr + 8192,
		       i->mr->rkey) == IBV_WC_SUCCESS,
	      "RDMA READ");
	CHECK(i->memory[8192] == (char)value &&
		      !memcmp(i->memory, i->memory + 8192, 4096) &&
		      !memcmp(i->memory, i->memory + 12288, 4096),
	      "wrong bytes");
	test_end_close(&end);
}

static void give_back(struct importer *i)
{
	RETURNS(ibv_dereg_mr(i->mr), 0);
	RETURNS(ibv_dealloc_pd(i->pd), 0);
}

static void end(struct importer *i)
{
	drop_fd(i);
	RETURNS(ibv_close_device(i->context), 0);
	munmap(i->memory, SIZE);
}

static void tell(struct importer *i, enum order order)
{
	test_send(i->owner.sock, &order, sizeof(order), NULL, 0);
}

enum way { BY_LEAVE, BY_EXIT, BY_KILL, BY_EXEC, WAYS };

static const char *const way_names[] = { "leave", "exit", "kill -9", "exec" };

/* The owner ends, or, with exec, goes on without its files. */
static void end_owner(struct importer *i, enum way way)
{
	enum order order;
	int status;

	switch (way) {
	case BY_LEAVE:
		tell(i, LEAVE);
		break;
	case BY_EXIT:
		tell(i, EXIT);
		break;
	case BY_KILL:
		kill(i->owner.pid, SIGKILL);
		break;
	case BY_EXEC:
		tell(i, EXEC);
		NEED(test_recv(i->owner.sock, &order, sizeof(order), NULL, 0));
		return;
	default:
		break;
	}
	status = test_reap(&i->owner);
	CHECK(status == (way == BY_KILL ? SIGKILL : 0), "%s: status %#x",
	      way_names[way], status);
}

static void after_owner(struct importer *i, enum way way)
{
	int status;

	if (way != BY_EXEC)
		return;
	tell(i, EXIT);
	status = test_reap(&i->owner);
	CHECK(!status, "after exec: status %#x", status);
}

/* Imported before the owner ends; its last descriptor goes before or after. */
static void imported_before(enum way way, const char *role, bool keep_fd)
{
	struct test_counts base = test_count();
	struct importer i;

	start(&i, role);
	import(&i);
	traffic(&i);
	if (!keep_fd)
		drop_fd(&i);
	end_owner(&i, way);
	MORE_THAN(&base, 1, 1);
	traffic(&i);
	drop_fd(&i);
	MORE_THAN(&base, 1, 1);
	traffic(&i);
	give_back(&i);
	MORE_THAN(&base, 0, 0);
	end(&i);
	after_owner(&i, way);
	SAME_AS(&base);
}

/* The descriptor alone keeps what is in the file: imported after the end. */
static void imported_after(enum way way, const char *role)
{
	struct test_counts base = test_count();
	struct importer i;

	start(&i, role);
	end_owner(&i, way);
	MORE_THAN(&base, 1, 1);
	import(&i);
	traffic(&i);
	drop_fd(&i);
	traffic(&i);
	/* This time by closing the context with all that is in it */
	MORE_THAN(&base, 1, 1);
	end(&i);
	after_owner(&i, way);
	SAME_AS(&base);
}

/* Nobody imports: the last descriptor is all that keeps the objects. */
static void never_imported(enum way way)
{
	struct test_counts base = test_count();
	struct importer i;

	start(&i, "exporting owner");
	end_owner(&i, way);
	MORE_THAN(&base, 1, 1);
	drop_fd(&i);
	MORE_THAN(&base, 0, 0);
	end(&i);
	after_owner(&i, way);
	SAME_AS(&base);
}

/* A descriptor in a message that nobody reads counts, and goes with it. */
static void in_flight(void)
{
	struct test_counts base = test_count();
	struct test_process process = test_start("exporting owner");
	struct offer offer;
	int fds[2], sv[2];

	NEED(test_recv(process.sock, &offer, sizeof(offer), fds, 2));
	close(fds[1]);
	/* Not to the owner, which would read it */
	NEED(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv));
	test_send(sv[0], &offer, sizeof(offer), fds, 1);
	close(fds[0]);
	kill(process.pid, SIGKILL);
	CHECK(test_reap(&process) == SIGKILL, "status");
	MORE_THAN(&base, 1, 1);
	close(sv[0]);
	MORE_THAN(&base, 1, 1);
	close(sv[1]);
	SAME_AS(&base);
}

/* The importer is killed: nothing of its own is left, the owner goes on. */
static int victim(void)
{
	struct importer i = { .fd = -1 };
	struct test_end conn;
	enum order order = WAIT;

	NEED(test_recv(TEST_CHILD_SOCK, &i.offer, sizeof(i.offer), &i.fd, 1));
	i.context = test_open(0);
	import(&i);
	NEED(test_end_open(&conn, i.pd, i.context));
	test_send(TEST_CHILD_SOCK, &order, sizeof(order), NULL, 0);
	while (test_recv(TEST_CHILD_SOCK, &order, sizeof(order), NULL, 0))
		;
	return 1;
}

static void importer_killed(void)
{
	struct test_counts base = test_count(), with, now;
	struct test_process process;
	enum order order;
	struct importer i;

	start(&i, "exporting owner");
	import(&i);
	with = test_count();
	process = test_start("victim");
	test_send(process.sock, &i.offer, sizeof(i.offer), &i.fd, 1);
	NEED(test_recv(process.sock, &order, sizeof(order), NULL, 0));
	now = test_count();
	CHECK(now.qp == with.qp + 1 && now.pd == with.pd && now.mr == with.mr,
	      "the victim's QP: %+ld, PDs %+ld, MRs %+ld", now.qp - with.qp,
	      now.pd - with.pd, now.mr - with.mr);
	kill(process.pid, SIGKILL);
	CHECK(test_reap(&process) == SIGKILL, "status");
	SAME_AS(&with);
	traffic(&i);
	give_back(&i);
	end_owner(&i, BY_LEAVE);
	end(&i);
	SAME_AS(&base);
}

/* A chain: each imports from the one before, which is then closed. */
static void passed_on(void)
{
	struct test_counts base = test_count();
	struct ibv_context *context, *next;
	struct importer i;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	int hop;

	start(&i, "owner");
	import(&i);
	end_owner(&i, BY_KILL);
	drop_fd(&i);
	for (hop = 0; hop < 8; hop++) {
		next = test_open(0);
		context = i.context;
		NEED(pd = ibv_import_pd(next, ibv_context_to_fd(context),
					i.pd->handle));
		NEED(mr = ibv_import_mr(next, ibv_context_to_fd(context),
					i.mr->handle));
		if (hop % 2)
			give_back(&i);
		RETURNS(ibv_close_device(context), 0);
		i.context = next;
		i.pd = pd;
		i.mr = mr;
		MORE_THAN(&base, 1, 1);
		traffic(&i);
	}
	give_back(&i);
	end(&i);
	SAME_AS(&base);
}

/* The order of deregistering and deallocating among two files */
static void orders(void)
{
	struct test_counts base = test_count();
	static const char *const plans[] = {
		/* M: owner's MR, P: its PD; m, p: the importer's */
		"MPmp", "MPpm", "MmPp", "MmpP", "MpPm", "MpmP",
		"mMPp", "mMpP", "mpMP", "pMPm", "pMmP", "pmMP",
	};
	char *memory = test_memory(SIZE);
	size_t n;

	for (n = 0; n < sizeof(plans) / sizeof(plans[0]); n++) {
		struct ibv_context *a = test_open(0), *b = test_open(0);
		bool M = true, P = true, m = true, p = true;
		struct ibv_pd *pd = ibv_alloc_pd(a), *pd_b;
		struct ibv_mr *mr, *mr_b;
		const char *step;

		NEED(pd && (mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS)));
		NEED(pd_b = ibv_import_pd(b, ibv_context_to_fd(a), pd->handle));
		NEED(mr_b = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle));
		for (step = plans[n]; *step; step++) {
			switch (*step) {
			case 'M':
				RETURNS(ibv_dereg_mr(mr), 0);
				M = false;
				break;
			case 'P':
				RETURNS(ibv_dealloc_pd(pd), 0);
				P = false;
				break;
			case 'm':
				RETURNS(ibv_dereg_mr(mr_b), 0);
				m = false;
				break;
			case 'p':
				RETURNS(ibv_dealloc_pd(pd_b), 0);
				p = false;
				break;
			}
			MORE_THAN(&base, M || P || m || p, M || m);
		}
		RETURNS(ibv_close_device(a), 0);
		RETURNS(ibv_close_device(b), 0);
		SAME_AS(&base);
	}
	munmap(memory, SIZE);
}

int main(int argc, char *argv[])
{
	enum way way;

	if (argc > 1) {
		if (!strcmp(argv[1], "owner"))
			return owner(true);
		if (!strcmp(argv[1], "exporting owner"))
			return owner(false);
		if (!strcmp(argv[1], "sleeper"))
			return sleeper();
		if (!strcmp(argv[1], "victim"))
			return victim();
		return 1;
	}
	for (way = 0; way < WAYS; way++) {
		imported_before(way, "exporting owner", false);
		imported_before(way, "exporting owner", true);
		imported_before(way, "owner", false);
		imported_after(way, "exporting owner");
		/* LEAVE destroys what is in the owner's own file. */
		if (way != BY_LEAVE)
			imported_after(way, "owner");
		never_imported(way);
	}
	in_flight();
	importer_killed();
	passed_on();
	orders();
	return test_end();
}
