// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cross <other plug-in> <ops or adopt>: one PD and one MR in three processes by
 * two plug-ins at once.  This process works by the plug-in of the environment,
 * its peer by the other one; both have imported and talk to each other by QPs on
 * that PD, with no memory but that MR's.  The maker is of either kind.
 */
#include <signal.h>
#include <sys/mman.h>

#include "share_test.h"

/* Each has a quarter to read from and one to be written to. */
#define SIZE 0x10000
#define QUARTER (SIZE / 4)
#define ROUNDS 16

/* What is needed to import */
struct offer {
	uint32_t pd, mr;
	uint64_t addr;
};

/* What is needed to connect */
struct address {
	uint32_t qp_num;
	union ibv_gid gid;
};

/* Runs that many times, or exports what it has: see peer() */
struct order {
	enum { CONNECT, RUN, RECEIVE, WAIT, EXPORT, LEAVE } what;
	enum ibv_wr_opcode opcode;
	uint64_t from, to;
	int times;
};

/* ---- in every importer ---- */

struct importer {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct test_end end;
	uint64_t addr;
};

static void import(struct importer *i, int fd, const struct offer *offer)
{
	i->context = test_open(0);
	NEED(i->pd = ibv_import_pd(i->context, fd, offer->pd));
	NEED(i->mr = ibv_import_mr(i->context, fd, offer->mr));
	CHECK(i->mr->pd == i->pd && i->mr->length == SIZE && !i->mr->addr,
	      "MR of %zu bytes at %p", i->mr->length, i->mr->addr);
	i->addr = offer->addr;
	NEED(test_end_open(&i->end, i->pd, i->context));
}

static void give_back(struct importer *i)
{
	test_end_close(&i->end);
	RETURNS(ibv_dereg_mr(i->mr), 0);
	RETURNS(ibv_dealloc_pd(i->pd), 0);
	RETURNS(ibv_close_device(i->context), 0);
}

static struct address address_of(const struct importer *i)
{
	struct address address = { .qp_num = i->end.qp->qp_num };

	RETURNS(ibv_query_gid(i->context, 1, 1, &address.gid), 0);
	return address;
}

/* The MR's own key is the remote one, too.  0, or what went wrong first */
static int run(struct importer *i, const struct order *order)
{
	int status = 0;

	for (int n = 0; n < order->times && !status; n++)
		status = test_run(&i->end, order->opcode, i->addr + order->from,
				  QUARTER, i->mr->lkey, i->addr + order->to,
				  i->mr->rkey);
	return status;
}

static int receive(struct importer *i, const struct order *order)
{
	return test_post_recv(&i->end, i->addr + order->to, QUARTER,
			      i->mr->lkey);
}

/* ---- the other processes ---- */

static int maker(void)
{
	struct ibv_context *context = test_open(0);
	struct ibv_context *travel = test_open(0);
	struct offer offer;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	void *memory;
	char order;
	int fd;

	NEED(test_recv(TEST_CHILD_SOCK, &order, 1, &fd, 1));
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	NEED(memory != MAP_FAILED);
	offer.addr = (uintptr_t)memory;
	NEED(pd = ibv_alloc_pd(context));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	fd = ibv_context_to_fd(travel);
	NEED(!ibv_export_pd(pd, fd, &offer.pd));
	NEED(!ibv_export_mr(mr, fd, &offer.mr));
	test_send(TEST_CHILD_SOCK, &offer, sizeof(offer), &fd, 1);

	NEED(test_recv(TEST_CHILD_SOCK, &order, 1, NULL, 0));
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(travel), 0);
	RETURNS(ibv_close_device(context), 0);
	return test_child_end();
}

static int peer(void)
{
	struct importer self;
	struct address address;
	struct order order;
	struct offer offer;
	int fd, status;

	NEED(test_recv(TEST_CHILD_SOCK, &offer, sizeof(offer), &fd, 1));
	import(&self, fd, &offer);
	close(fd);
	address = address_of(&self);
	test_send(TEST_CHILD_SOCK, &address, sizeof(address), NULL, 0);
	while (test_recv(TEST_CHILD_SOCK, &order, sizeof(order), NULL, 0)) {
		switch (order.what) {
		case CONNECT:
			NEED(test_recv(TEST_CHILD_SOCK, &address,
				       sizeof(address), NULL, 0));
			test_end_connect(&self.end, address.qp_num,
					 &address.gid);
			status = 0;
			break;
		case RUN:
			status = run(&self, &order);
			break;
		case RECEIVE:
			status = receive(&self, &order);
			break;
		case WAIT:
			status = test_wait(&self.end);
			break;
		case EXPORT:
			/* An importer's handles are as good as the maker's. */
			offer.pd = self.pd->handle;
			offer.mr = self.mr->handle;
			fd = ibv_context_to_fd(self.context);
			test_send(TEST_CHILD_SOCK, &offer, sizeof(offer), &fd,
				  1);
			continue;
		case LEAVE:
			give_back(&self);
			return test_child_end();
		}
		test_send(TEST_CHILD_SOCK, &status, sizeof(status), NULL, 0);
	}
	return 1;
}

/* ---- this process ---- */

static const char *other_plugin, *other_how;

static struct test_process start(const char *role, bool other)
{
	return other ? test_start_by(other_plugin, other_how, role)
		     : test_start(role);
}

static void tell(struct test_process *process, const struct order *order)
{
	test_send(process->sock, order, sizeof(*order), NULL, 0);
}

static int result(struct test_process *process)
{
	int status = -1;

	NEED(test_recv(process->sock, &status, sizeof(status), NULL, 0));
	return status;
}

static void fill(unsigned char *memory, unsigned int seed)
{
	for (int i = 0; i < QUARTER; i++)
		memory[i] = (i * 2654435761u ^ seed * 40503u) >> 7;
}

static void check_bytes(const unsigned char *memory, unsigned int seed,
			const char *what)
{
	unsigned char *wanted = malloc(QUARTER);

	NEED(wanted);
	fill(wanted, seed);
	CHECK(!memcmp(memory, wanted, QUARTER), "%s: wrong bytes", what);
	free(wanted);
}

static void status_is(int status, const char *what)
{
	CHECK(!status, "%s: %s", what,
	      status < 0 ? "no completion" : ibv_wc_status_str(status));
}

/* One-sided both ways and at the same time, then messages both ways */
static void traffic(struct importer *self, struct test_process *other,
		    unsigned char *memory, unsigned int seed)
{
	static const enum ibv_wr_opcode opcodes[] = { IBV_WR_RDMA_WRITE,
						      IBV_WR_RDMA_READ };
	struct order mine = { RUN, .from = 0, .to = QUARTER, .times = ROUNDS };
	struct order theirs = { RUN, .from = 2 * QUARTER, .to = 3 * QUARTER,
				.times = ROUNDS };

	for (int i = 0; i < 2; i++) {
		/* A READ comes from where a WRITE goes to. */
		uint64_t source = i ? QUARTER : 0, sink = i ? 0 : QUARTER;

		memset(memory, 0, SIZE);
		fill(memory + source, seed + 2 * i);
		fill(memory + 2 * QUARTER + source, seed + 2 * i + 1);
		mine.opcode = theirs.opcode = opcodes[i];
		tell(other, &theirs);
		status_is(run(self, &mine), "one-sided, mine");
		status_is(result(other), "one-sided, the peer's");
		check_bytes(memory + sink, seed + 2 * i, "mine");
		check_bytes(memory + 2 * QUARTER + sink, seed + 2 * i + 1,
			    "the peer's");
	}

	mine.opcode = theirs.opcode = IBV_WR_SEND;
	mine.times = theirs.times = 1;
	memset(memory, 0, SIZE);
	fill(memory, seed + 5);
	fill(memory + 2 * QUARTER, seed + 6);

	theirs.what = RECEIVE;
	tell(other, &theirs);
	status_is(result(other), "the peer's receive request");
	status_is(run(self, &mine), "message, mine");
	theirs.what = WAIT;
	tell(other, &theirs);
	status_is(result(other), "the peer's receive");
	check_bytes(memory + 3 * QUARTER, seed + 5, "message, mine");

	status_is(receive(self, &mine), "my receive request");
	theirs.what = RUN;
	tell(other, &theirs);
	status_is(result(other), "message, the peer's");
	status_is(test_wait(&self->end), "my receive");
	check_bytes(memory + QUARTER, seed + 6, "message, the peer's");
}

static void meet(struct importer *self, struct test_process *other,
		 const struct address *there)
{
	const struct order order = { .what = CONNECT };
	struct address here = address_of(self);

	tell(other, &order);
	test_send(other->sock, &here, sizeof(here), NULL, 0);
	test_end_connect(&self->end, there->qp_num, &there->gid);
	status_is(result(other), "the peer's connection");
}

/* Of what the peer has imported; connected to nobody but itself */
static void import_from_peer(struct test_process *other, unsigned char *memory)
{
	const struct order ask = { .what = EXPORT };
	struct importer third;
	struct order write = { RUN, IBV_WR_RDMA_WRITE, 0, QUARTER, 1 };
	struct offer offer;
	int fd;

	tell(other, &ask);
	NEED(test_recv(other->sock, &offer, sizeof(offer), &fd, 1));
	import(&third, fd, &offer);
	close(fd);
	test_end_join(&third.end, &third.end);
	memset(memory, 0, SIZE);
	fill(memory, 99);
	status_is(run(&third, &write), "by the peer's handles");
	check_bytes(memory + QUARTER, 99, "by the peer's handles");
	give_back(&third);
}

static void scenario(bool maker_is_other, bool killed)
{
	const struct order leave = { .what = LEAVE };
	struct test_counts base = test_count();
	struct test_process made_by, other;
	struct importer self;
	struct address there;
	struct offer offer;
	unsigned char *memory;
	int memfd, fd;

	memfd = memfd_create("cross", MFD_CLOEXEC);
	NEED(memfd >= 0 && !ftruncate(memfd, SIZE));
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
	NEED(memory != MAP_FAILED);
	made_by = start("maker", maker_is_other);
	test_send(made_by.sock, "", 1, &memfd, 1);
	close(memfd);
	NEED(test_recv(made_by.sock, &offer, sizeof(offer), &fd, 1));

	other = start("peer", true);
	test_send(other.sock, &offer, sizeof(offer), &fd, 1);
	NEED(test_recv(other.sock, &there, sizeof(there), NULL, 0));
	import(&self, fd, &offer);
	close(fd);
	MORE_THAN(&base, 1, 1);
	meet(&self, &other, &there);
	traffic(&self, &other, memory, 10);

	if (killed) {
		NEED(!kill(made_by.pid, SIGKILL));
		test_reap(&made_by);
	} else {
		test_send(made_by.sock, "", 1, NULL, 0);
		CHECK(!test_reap(&made_by), "the maker failed");
	}
	MORE_THAN(&base, 1, 1);
	traffic(&self, &other, memory, 20);
	import_from_peer(&other, memory);
	traffic(&self, &other, memory, 30);

	if (killed) {
		NEED(!kill(other.pid, SIGKILL));
		test_reap(&other);
	} else {
		tell(&other, &leave);
		CHECK(!test_reap(&other), "the peer failed");
	}
	/* The last one */
	MORE_THAN(&base, 1, 1);
	give_back(&self);
	SAME_AS(&base);
	munmap(memory, SIZE);
}

int main(int argc, char **argv)
{
	int fds;

	if (argc == 2 && !strcmp(argv[1], "maker"))
		return maker();
	if (argc == 2 && !strcmp(argv[1], "peer"))
		return peer();
	if (argc != 3)
		FATAL("usage: cross <other plug-in> <ops or adopt>");
	other_plugin = argv[1];
	other_how = argv[2];
	NEED(getenv("RDMAV_DRIVERS") &&
	     strcmp(getenv("RDMAV_DRIVERS"), other_plugin));
	ibv_close_device(test_open(0));
	fds = test_open_fds();
	scenario(true, false);
	scenario(false, true);
	CHECK(test_open_fds() == fds, "descriptors left open");
	return test_end();
}
