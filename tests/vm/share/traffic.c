// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Data moves under imported keys, in both directions and by every operation,
 * and does not move where the key is of another PD, beyond the MR's bounds, or
 * beyond the access that its maker gave.
 */
#include "share_test.h"

#define SIZE 65536
#define HALF (SIZE / 2)

/*
 * The near end has nothing but imported objects; the far end is an ordinary
 * context with a PD and an MR of its own.
 */
struct setup {
	char *region, *far_region;
	struct ibv_context *owner, *near, *far;
	struct ibv_pd *pd, *near_pd, *far_pd;
	struct ibv_mr *mr, *near_mr, *far_mr;
	struct test_end near_end, far_end;
	uint64_t iova, far_addr;
};

static void connect_ends(struct setup *s)
{
	NEED(test_end_open(&s->near_end, s->near_pd, s->near));
	NEED(test_end_open(&s->far_end, s->far_pd, s->far));
	test_end_join(&s->near_end, &s->far_end);
}

/* After an error the QPs are of no more use. */
static void reconnect(struct setup *s)
{
	test_end_close(&s->near_end);
	test_end_close(&s->far_end);
	connect_ends(s);
}

static void setup(struct setup *s, uint64_t iova, int access)
{
	s->region = test_memory(SIZE);
	s->far_region = test_memory(SIZE);
	s->far_addr = (uintptr_t)s->far_region;
	s->iova = iova;
	s->owner = test_open(0);
	s->near = test_open(0);
	s->far = test_open(0);
	NEED(s->pd = ibv_alloc_pd(s->owner));
	NEED(s->mr = ibv_reg_mr_iova(s->pd, s->region, SIZE, iova, access));
	NEED(s->near_pd = ibv_import_pd(s->near, ibv_context_to_fd(s->owner),
					s->pd->handle));
	NEED(s->near_mr = ibv_import_mr(s->near, ibv_context_to_fd(s->owner),
					s->mr->handle));
	NEED(s->far_pd = ibv_alloc_pd(s->far));
	NEED(s->far_mr =
		     ibv_reg_mr(s->far_pd, s->far_region, SIZE, TEST_ACCESS));
	connect_ends(s);
}

static void teardown(struct setup *s)
{
	test_end_close(&s->near_end);
	test_end_close(&s->far_end);
	RETURNS(ibv_dereg_mr(s->near_mr), 0);
	RETURNS(ibv_dealloc_pd(s->near_pd), 0);
	RETURNS(ibv_dereg_mr(s->far_mr), 0);
	RETURNS(ibv_dealloc_pd(s->far_pd), 0);
	RETURNS(ibv_dereg_mr(s->mr), 0);
	RETURNS(ibv_dealloc_pd(s->pd), 0);
	RETURNS(ibv_close_device(s->near), 0);
	RETURNS(ibv_close_device(s->far), 0);
	RETURNS(ibv_close_device(s->owner), 0);
}

static void fill(char *memory, size_t length, unsigned int seed)
{
	size_t i;

	for (i = 0; i < length; i++)
		memory[i] = (i * 2654435761u ^ seed * 40503u) >> 5;
}

static void status_is(const char *what, int status, enum ibv_wc_status wanted)
{
	CHECK(status == (int)wanted, "%s: %s instead of %s", what,
	      status < 0 ? "no completion" : ibv_wc_status_str(status),
	      ibv_wc_status_str(wanted));
}

static void all_operations(struct setup *s)
{
	uint32_t lkey = s->near_mr->lkey, rkey = s->near_mr->rkey;
	uint64_t before, *word;

	/* From the region, under the imported lkey */
	fill(s->region, HALF, 1);
	memset(s->far_region, 0, SIZE);
	status_is("WRITE from the region",
		  test_run(&s->near_end, IBV_WR_RDMA_WRITE, s->iova, HALF, lkey,
			   s->far_addr, s->far_mr->rkey),
		  IBV_WC_SUCCESS);
	CHECK(!memcmp(s->region, s->far_region, HALF), "WRITE: wrong bytes");

	/* Into the region, under the imported lkey */
	fill(s->far_region, HALF, 2);
	status_is("READ into the region",
		  test_run(&s->near_end, IBV_WR_RDMA_READ, s->iova + HALF, HALF,
			   lkey, s->far_addr, s->far_mr->rkey),
		  IBV_WC_SUCCESS);
	CHECK(!memcmp(s->region + HALF, s->far_region, HALF),
	      "READ: wrong bytes");

	fill(s->region, HALF, 3);
	RETURNS(test_post_recv(&s->far_end, s->far_addr, HALF, s->far_mr->lkey),
		0);
	status_is("SEND from the region",
		  test_run(&s->near_end, IBV_WR_SEND, s->iova, HALF, lkey, 0,
			   0),
		  IBV_WC_SUCCESS);
	status_is("its receive", test_wait(&s->far_end), IBV_WC_SUCCESS);
	CHECK(!memcmp(s->region, s->far_region, HALF), "SEND: wrong bytes");

	fill(s->far_region, HALF, 4);
	RETURNS(test_post_recv(&s->near_end, s->iova + HALF, HALF, lkey), 0);
	status_is("SEND to the region",
		  test_run(&s->far_end, IBV_WR_SEND, s->far_addr, HALF,
			   s->far_mr->lkey, 0, 0),
		  IBV_WC_SUCCESS);
	status_is("receive into the region", test_wait(&s->near_end),
		  IBV_WC_SUCCESS);
	CHECK(!memcmp(s->region + HALF, s->far_region, HALF),
	      "receive: wrong bytes");

	/* By the far end, under the imported rkey */
	fill(s->far_region, HALF, 5);
	status_is("WRITE into the region",
		  test_run(&s->far_end, IBV_WR_RDMA_WRITE, s->far_addr, HALF,
			   s->far_mr->lkey, s->iova, rkey),
		  IBV_WC_SUCCESS);
	CHECK(!memcmp(s->region, s->far_region, HALF), "WRITE: wrong bytes");
	fill(s->region, HALF, 6);
	status_is("READ from the region",
		  test_run(&s->far_end, IBV_WR_RDMA_READ, s->far_addr, HALF,
			   s->far_mr->lkey, s->iova, rkey),
		  IBV_WC_SUCCESS);
	CHECK(!memcmp(s->region, s->far_region, HALF), "READ: wrong bytes");

	/* Atomic operations: on the region, and with the result in it */
	word = (uint64_t *)s->region;
	*word = 1000;
	status_is("atomic on the region",
		  test_atomic(&s->far_end, s->far_addr, s->far_mr->lkey,
			      s->iova, rkey, 7),
		  IBV_WC_SUCCESS);
	memcpy(&before, s->far_region, sizeof(before));
	CHECK(before == 1000 && *word == 1007, "atomic: %llu and %llu",
	      (unsigned long long)before, (unsigned long long)*word);
	word = (uint64_t *)s->far_region;
	*word = 50;
	status_is("atomic from the region",
		  test_atomic(&s->near_end, s->iova + 64, lkey, s->far_addr,
			      s->far_mr->rkey, 3),
		  IBV_WC_SUCCESS);
	memcpy(&before, s->region + 64, sizeof(before));
	CHECK(before == 50 && *word == 53, "atomic: %llu and %llu",
	      (unsigned long long)before, (unsigned long long)*word);

	/* To the last byte */
	s->region[SIZE - 1] = 0;
	s->far_region[0] = 0x77;
	status_is("the last byte",
		  test_run(&s->far_end, IBV_WR_RDMA_WRITE, s->far_addr, 1,
			   s->far_mr->lkey, s->iova + SIZE - 1, rkey),
		  IBV_WC_SUCCESS);
	CHECK(s->region[SIZE - 1] == 0x77, "the last byte is wrong");
}

static void out_of_bounds(struct setup *s)
{
	status_is("one byte too far, remote",
		  test_run(&s->far_end, IBV_WR_RDMA_WRITE, s->far_addr, 2,
			   s->far_mr->lkey, s->iova + SIZE - 1,
			   s->near_mr->rkey),
		  IBV_WC_REM_ACCESS_ERR);
	reconnect(s);
	status_is("one byte too far, local",
		  test_run(&s->near_end, IBV_WR_RDMA_WRITE, s->iova + SIZE - 1,
			   2, s->near_mr->lkey, s->far_addr, s->far_mr->rkey),
		  IBV_WC_LOC_PROT_ERR);
	reconnect(s);
}

/* The importer has the keys, but this QP is on a PD of its own. */
static void wrong_pd(struct setup *s)
{
	struct ibv_pd *stranger = ibv_alloc_pd(s->near);
	struct ibv_pd *imported = s->near_pd, *other;
	struct ibv_mr *control;
	int status;

	NEED(stranger);
	NEED(other = ibv_alloc_pd(s->near));
	NEED(control = ibv_reg_mr(other, s->region, SIZE, TEST_ACCESS));
	s->near_pd = stranger;
	reconnect(s);
	memset(s->far_region, 0x11, SIZE);
	fill(s->region, SIZE, 7);
	/* Which error it is is the device's choice, for any MR: so ask it. */
	status = test_run(&s->near_end, IBV_WR_RDMA_WRITE, (uintptr_t)s->region,
			  4096, control->lkey, s->far_addr, s->far_mr->rkey);
	CHECK(status > 0, "lkey of an MR of another PD: status %d", status);
	reconnect(s);
	status_is("lkey of another PD",
		  test_run(&s->near_end, IBV_WR_RDMA_WRITE, s->iova, 4096,
			   s->near_mr->lkey, s->far_addr, s->far_mr->rkey),
		  (enum ibv_wc_status)status);
	CHECK(s->far_region[0] == 0x11, "bytes moved under a wrong lkey");
	reconnect(s);
	memset(s->region, 0x22, SIZE);
	status_is("rkey of another PD",
		  test_run(&s->far_end, IBV_WR_RDMA_WRITE, s->far_addr, 4096,
			   s->far_mr->lkey, s->iova, s->near_mr->rkey),
		  IBV_WC_REM_ACCESS_ERR);
	CHECK(s->region[0] == 0x22, "bytes moved under a wrong rkey");
	s->near_pd = imported;
	reconnect(s);
	RETURNS(ibv_dereg_mr(control), 0);
	RETURNS(ibv_dealloc_pd(other), 0);
	RETURNS(ibv_dealloc_pd(stranger), 0);
}

/* An MR that only its maker may write, not by RDMA */
static void access_of_maker(void)
{
	struct setup s;

	setup(&s, 0, IBV_ACCESS_REMOTE_READ);
	fill(s.region, SIZE, 8);
	status_is("READ of a region for reading",
		  test_run(&s.far_end, IBV_WR_RDMA_READ, s.far_addr, HALF,
			   s.far_mr->lkey, s.iova, s.near_mr->rkey),
		  IBV_WC_SUCCESS);
	CHECK(!memcmp(s.region, s.far_region, HALF), "READ: wrong bytes");
	memset(s.far_region, 0x33, SIZE);
	status_is("WRITE into a region for reading",
		  test_run(&s.far_end, IBV_WR_RDMA_WRITE, s.far_addr, HALF,
			   s.far_mr->lkey, s.iova, s.near_mr->rkey),
		  IBV_WC_REM_ACCESS_ERR);
	reconnect(&s);
	status_is("local write into a region for reading",
		  test_run(&s.near_end, IBV_WR_RDMA_READ, s.iova, HALF,
			   s.near_mr->lkey, s.far_addr, s.far_mr->rkey),
		  IBV_WC_LOC_PROT_ERR);
	CHECK(s.region[0] != 0x33 || s.region[1] != 0x33, "bytes were written");
	teardown(&s);
}

/* When the last alias is gone the keys are worth nothing. */
static void keys_end(struct setup *s)
{
	uint32_t rkey = s->near_mr->rkey;

	RETURNS(ibv_dereg_mr(s->mr), 0);
	status_is("the owner has deregistered",
		  test_run(&s->far_end, IBV_WR_RDMA_READ, s->far_addr, 4096,
			   s->far_mr->lkey, s->iova, rkey),
		  IBV_WC_SUCCESS);
	RETURNS(ibv_dereg_mr(s->near_mr), 0);
	status_is("the last alias is gone",
		  test_run(&s->far_end, IBV_WR_RDMA_READ, s->far_addr, 4096,
			   s->far_mr->lkey, s->iova, rkey),
		  IBV_WC_REM_ACCESS_ERR);
	/* for teardown() */
	NEED(s->mr = ibv_reg_mr_iova(s->pd, s->region, SIZE, s->iova,
				     TEST_ACCESS));
	NEED(s->near_mr = ibv_import_mr(s->near, ibv_context_to_fd(s->owner),
					s->mr->handle));
	reconnect(s);
}

int main(void)
{
	static const uint64_t iovas[] = { 0, 0x10000, 0x7fff00000000 };
	struct test_counts base = test_count();
	struct setup s;
	size_t i;

	for (i = 0; i < sizeof(iovas) / sizeof(iovas[0]); i++) {
		setup(&s, iovas[i], TEST_ACCESS);
		all_operations(&s);
		out_of_bounds(&s);
		wrong_pd(&s);
		all_operations(&s);
		keys_end(&s);
		all_operations(&s);
		teardown(&s);
		SAME_AS(&base);
	}
	access_of_maker();
	SAME_AS(&base);
	return test_end();
}
