// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A PD and an MR of another process, in use: traffic under the imported keys in
 * both directions and by every operation, also when their maker is dead.  And
 * with two importers by two plug-ins at once:
 *
 *	share [<other plug-in> <ops or adopt>]
 */
#include <signal.h>
#include <sys/mman.h>

#include "world.h"

#define SIZE 0x40000
/* Where the maker has its memory, and the importer something else */
#define MAKERS_ADDRESS ((void *)0x200000000000)

struct offer {
	uint32_t pd, mr;
	uint64_t addr;
	uint32_t lkey;
};

struct order {
	/* To the maker */
	enum {
		FILL,
		COMPARE,
		/* To an importer in another process, and from there */
		ROUND,
		ALONE,
		END,
		DONE
	} what;
	uint32_t length;
	uint32_t seed;
};

static char *memory_at_address(unsigned int seed)
{
	char *memory =
		mmap(MAKERS_ADDRESS, SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	NEED(memory == MAKERS_ADDRESS);
	fill_bytes(memory, SIZE, seed);
	return memory;
}

/* The maker: does with its memory what it is told till it is killed. */
static int be_maker(void)
{
	char *memory = memory_at_address(1);
	struct ibv_context *context = test_open_named("siw0");
	struct offer offer = { .addr = (uintptr_t)memory };
	struct order order;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	int fd;

	NEED(pd = ibv_alloc_pd(context));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, SIW_ACCESS));
	offer.pd = ibv_pd_to_handle(pd);
	offer.mr = ibv_mr_to_handle(mr);
	offer.lkey = mr->lkey;
	fd = ibv_context_to_fd(context);
	test_send(TEST_CHILD_SOCK, &offer, sizeof(offer), &fd, 1);
	while (test_recv(TEST_CHILD_SOCK, &order, sizeof(order), NULL, 0)) {
		bool good = true;

		if (order.what == FILL)
			fill_bytes(memory, order.length, order.seed);
		else
			good = same_bytes(memory, order.length, order.seed);
		test_send(TEST_CHILD_SOCK, &good, sizeof(good), NULL, 0);
	}
	return test_child_end();
}

struct maker {
	struct test_process process;
	struct offer offer;
	int fd;
};

/* plugin: NULL, or that of another kind of process than this */
static void start_maker(struct maker *maker, const char *plugin,
			const char *how)
{
	maker->process = test_start_by(plugin, how, "maker");
	NEED(test_recv(maker->process.sock, &maker->offer, sizeof(maker->offer),
		       &maker->fd, 1));
}

static bool tell(struct maker *maker, int what, uint32_t length, uint32_t seed)
{
	struct order order = { what, length, seed };
	bool good;

	test_send(maker->process.sock, &order, sizeof(order), NULL, 0);
	NEED(test_recv(maker->process.sock, &good, sizeof(good), NULL, 0));
	return good;
}

static void kill_maker(struct maker *maker)
{
	NEED(!kill(maker->process.pid, SIGKILL));
	test_reap(&maker->process);
	close(maker->fd);
}

static struct ibv_pd *import_pd(struct ibv_context *context, void *arg)
{
	struct maker *maker = arg;

	return ibv_import_pd(context, maker->fd, maker->offer.pd);
}

/* Written by the client from the maker's memory, which has that seed */
static void write_from(struct pair *p, uint32_t length, uint32_t seed)
{
	memset(p->server.buf, 0, length + 1);
	RETURNS(post_recv(&p->server, SIDE_BYTES - 16, 16, 1), 0);
	RETURNS(post(&p->client, IBV_WR_RDMA_WRITE, 0, length, &p->server, 0,
		     2),
		0);
	RETURNS(post(&p->client, IBV_WR_SEND, 0, 0, NULL, 0, 3), 0);
	expect_wc(&p->client, 2, IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE, length);
	expect_wc(&p->client, 3, IBV_WC_SUCCESS, IBV_WC_SEND, 0);
	expect_wc(&p->server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, 0);
	CHECK(same_bytes(p->server.buf, length, seed) && !p->server.buf[length],
	      "WRITE of %u from the maker's memory: wrong bytes", length);
}

static void send_from(struct pair *p, uint32_t length, uint32_t seed)
{
	memset(p->server.buf, 0, length + 1);
	RETURNS(post_recv(&p->server, 0, length + 1, 1), 0);
	RETURNS(post(&p->client, IBV_WR_SEND, 0, length, NULL, 0, 2), 0);
	expect_wc(&p->client, 2, IBV_WC_SUCCESS, IBV_WC_SEND, length);
	expect_wc(&p->server, 1, IBV_WC_SUCCESS, IBV_WC_RECV, length);
	CHECK(same_bytes(p->server.buf, length, seed),
	      "SEND of %u from the maker's memory: wrong bytes", length);
}

static void to_and_from(struct pair *p, struct maker *maker, uint32_t length,
			uint32_t seed)
{
	/*
	 * A plug-in that does not know that the memory is foreign leaves it to
	 * the kernel to read few bytes from the process's own memory.
	 */
	if (is_ours() || length > 64) {
		tell(maker, FILL, length, seed);
		write_from(p, length, seed);
		tell(maker, FILL, length, seed + 1);
		send_from(p, length, seed + 1);
	}

	fill_bytes(p->server.buf, length, seed + 2);
	RETURNS(post(&p->client, IBV_WR_RDMA_READ, 0, length, &p->server, 0, 3),
		0);
	expect_wc(&p->client, 3, IBV_WC_SUCCESS, IBV_WC_RDMA_READ, length);
	CHECK(tell(maker, COMPARE, length, seed + 2),
	      "READ of %u into the maker's memory: wrong bytes", length);

	fill_bytes(p->server.buf, length, seed + 3);
	RETURNS(post_recv(&p->client, 0, length, 4), 0);
	RETURNS(post(&p->server, IBV_WR_SEND, 0, length, NULL, 0, 5), 0);
	expect_wc(&p->server, 5, IBV_WC_SUCCESS, IBV_WC_SEND, length);
	expect_wc(&p->client, 4, IBV_WC_SUCCESS, IBV_WC_RECV, length);
	CHECK(tell(maker, COMPARE, length, seed + 3),
	      "RECV of %u into the maker's memory: wrong bytes", length);
}

/* The far end uses the imported rkey; reading back tells when it is done. */
static void by_the_peer(struct pair *p, struct maker *maker, uint32_t length,
			uint32_t seed)
{
	fill_bytes(p->server.buf, length, seed);
	RETURNS(post(&p->server, IBV_WR_RDMA_WRITE, 0, length, &p->client, 0,
		     6),
		0);
	expect_wc(&p->server, 6, IBV_WC_SUCCESS, IBV_WC_RDMA_WRITE, length);
	RETURNS(post(&p->server, IBV_WR_RDMA_READ, SIDE_BYTES / 2, length,
		     &p->client, 0, 7),
		0);
	expect_wc(&p->server, 7, IBV_WC_SUCCESS, IBV_WC_RDMA_READ, length);
	CHECK(same_bytes(p->server.buf + SIDE_BYTES / 2, length, seed),
	      "READ of %u by the peer: wrong bytes", length);
	CHECK(tell(maker, COMPARE, length, seed),
	      "WRITE of %u by the peer: wrong bytes", length);
}

static const uint32_t lengths[] = { 1, 32, 33, 65, 80, 4097, 65536, 100000 };
#define NUM_LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

/* A connected pair whose client has nothing but what is the maker's */
static void open_pair(struct pair *p, struct maker *maker)
{
	struct options o = { .client_pd = import_pd, .arg = maker };
	struct ibv_mr *mr;

	pair_open(p, &o);
	NEED(mr = ibv_import_mr(p->client.context, maker->fd, maker->offer.mr));
	CHECK(mr->lkey == maker->offer.lkey && mr->rkey == mr->lkey &&
		      mr->length == SIZE && !mr->addr && mr->pd == p->client.pd,
	      "lkey %x of %x, length %zu, addr %p", mr->lkey, maker->offer.lkey,
	      mr->length, mr->addr);
	/* From here on the client's memory is the maker's. */
	munmap(p->client.buf, SIDE_BYTES);
	p->client.buf = (char *)(uintptr_t)maker->offer.addr;
	p->client.mr = mr;
}

static void one_round(struct pair *p, struct maker *maker, uint32_t length,
		      uint32_t seed)
{
	to_and_from(p, maker, length, seed);
	by_the_peer(p, maker, length, seed + 5);
}

/* The maker is dead; its memory has that seed. */
static void alone(struct pair *p, uint32_t seed)
{
	write_from(p, 100000, seed);
	send_from(p, 5000, seed);
	if (is_ours())
		write_from(p, 8, seed);
}

/* The MR, the PD and the decoy, too */
static void close_pair(struct pair *p)
{
	p->client.own_pd = true;
	pair_close(p);
}

static void counted(void)
{
	char *decoy = memory_at_address(77);
	struct maker maker;
	struct pair p;
	size_t i;

	start_maker(&maker, NULL, NULL);
	open_pair(&p, &maker);
	for (i = 0; i < NUM_LENGTHS; i++)
		one_round(&p, &maker, lengths[i], 10 * i + 3);
	CHECK(same_bytes(decoy, SIZE, 77), "the importer's own memory changed");

	tell(&maker, FILL, SIZE, 200);
	kill_maker(&maker);
	alone(&p, 200);
	close_pair(&p);
}

/* ---- two importers ---- */

static void order_importer(int sock, int what, uint32_t length, uint32_t seed)
{
	struct order order = { what, length, seed };

	test_send(sock, &order, sizeof(order), NULL, 0);
}

/* Another importer: what it tells the maker goes through its parent. */
static int be_importer(void)
{
	struct maker maker = { .process.sock = TEST_CHILD_SOCK };
	char *decoy = memory_at_address(78);
	struct order order;
	struct pair p;

	NEED(test_recv(TEST_CHILD_SOCK, &maker.offer, sizeof(maker.offer),
		       &maker.fd, 1));
	open_pair(&p, &maker);
	close(maker.fd);
	for (;;) {
		order_importer(TEST_CHILD_SOCK, DONE, 0, 0);
		NEED(test_recv(TEST_CHILD_SOCK, &order, sizeof(order), NULL,
			       0));
		if (order.what == END)
			break;
		if (order.what == ROUND)
			one_round(&p, &maker, order.length, order.seed);
		else
			alone(&p, order.seed);
	}
	CHECK(same_bytes(decoy, SIZE, 78), "the importer's own memory changed");
	close_pair(&p);
	return test_child_end();
}

/* Passes on what the other importer wants of the maker, till it is done. */
static void serve(struct test_process *other, struct maker *maker)
{
	struct order order;
	bool good;

	for (;;) {
		NEED(test_recv(other->sock, &order, sizeof(order), NULL, 0));
		if (order.what == DONE)
			return;
		good = tell(maker, order.what, order.length, order.seed);
		test_send(other->sock, &good, sizeof(good), NULL, 0);
	}
}

static void crossed(const char *plugin, const char *how)
{
	char *decoy = memory_at_address(77);
	struct test_process other;
	struct maker maker;
	struct pair p;
	size_t i;

	NEED(getenv("RDMAV_DRIVERS") &&
	     strcmp(getenv("RDMAV_DRIVERS"), plugin));
	start_maker(&maker, plugin, how);
	other = test_start_by(plugin, how, "importer");
	test_send(other.sock, &maker.offer, sizeof(maker.offer), &maker.fd, 1);
	open_pair(&p, &maker);
	serve(&other, &maker);
	for (i = 0; i < NUM_LENGTHS; i += 2) {
		one_round(&p, &maker, lengths[i], 20 * i + 3);
		order_importer(other.sock, ROUND, lengths[i], 20 * i + 13);
		serve(&other, &maker);
	}
	CHECK(same_bytes(decoy, SIZE, 77), "the importer's own memory changed");

	tell(&maker, FILL, SIZE, 201);
	kill_maker(&maker);
	/* Both at once */
	order_importer(other.sock, ALONE, 0, 201);
	alone(&p, 201);
	serve(&other, &maker);
	order_importer(other.sock, END, 0, 0);
	CHECK(!test_reap(&other), "the other importer failed");
	alone(&p, 201);
	close_pair(&p);
}

/* Upstream's verbs: another user of the very context */
static void uncounted(void)
{
	struct ibv_context *context;
	struct maker maker;
	struct ibv_cq *cq;
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	start_maker(&maker, NULL, NULL);
	NEED(context = ibv_import_device(maker.fd));
	CHECK(context->num_comp_vectors >= 1, "%d completion vectors",
	      context->num_comp_vectors);
	NEED(pd = ibv_import_pd(context, maker.offer.pd));
	NEED(mr = ibv_import_mr(pd, maker.offer.mr));
	CHECK(mr->lkey == maker.offer.lkey, "lkey %x of %x", mr->lkey,
	      maker.offer.lkey);
	NEED(cq = ibv_create_cq(context, 4, NULL, NULL, 0));
	RETURNS(ibv_destroy_cq(cq), 0);
	ibv_unimport_mr(mr);
	ibv_unimport_pd(pd);
	RETURNS(ibv_close_device(context), 0);
	kill(maker.process.pid, SIGKILL);
	test_reap(&maker.process);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "maker"))
		return be_maker();
	if (argc == 2 && !strcmp(argv[1], "importer"))
		return be_importer();
	if (argc == 3) {
		crossed(argv[1], argv[2]);
		return test_end();
	}
	counted();
	if (is_ours())
		uncounted();
	return test_end();
}
