// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The older verbs: one process imports another's whole context, and in it PD and
 * MR by their handles, two arguments each; both use them; the importer gives
 * back without destroying.
 */
#include "m5_test.h"

#include <sys/mman.h>

#define SIZE 8192

struct offer {
	uint32_t pd, mr, lkey, qpn;
	uint64_t addr;
	union ibv_gid gid;
};

struct answer {
	uint32_t qpn;
};

static char *map(int fd)
{
	char *memory =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	NEED(memory != MAP_FAILED);
	return memory;
}

static int importer(void)
{
	struct ibv_context *context;
	struct answer answer;
	struct test_end end;
	struct offer offer;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	char *memory;
	int fds[2];

	NEED(test_recv(TEST_CHILD_SOCK, &offer, sizeof(offer), fds, 2));
	memory = map(fds[1]);
	NEED(context = ibv_import_device(fds[0]));
	NEED(pd = ibv_import_pd(context, offer.pd));
	NEED(mr = ibv_import_mr(pd, offer.mr));
	CHECK(pd->handle == offer.pd && mr->handle == offer.mr &&
		      mr->lkey == offer.lkey && mr->pd == pd,
	      "members of what was imported");
	NEED(test_end_open(&end, pd, context));
	test_end_connect(&end, offer.qpn, &offer.gid);
	answer.qpn = end.qp->qp_num;
	test_send(TEST_CHILD_SOCK, &answer, sizeof(answer), NULL, 0);
	/* The owner's QP is connected by the time it answers. */
	NEED(test_recv(TEST_CHILD_SOCK, &answer, sizeof(answer), NULL, 0));
	CHECK(test_run(&end, IBV_WR_RDMA_WRITE, offer.addr, 100, mr->lkey,
		       offer.addr + 4096, mr->rkey) == IBV_WC_SUCCESS,
	      "RDMA WRITE");
	CHECK(!memcmp(memory, memory + 4096, 100), "wrong bytes");
	test_end_close(&end);
	ibv_unimport_mr(mr);
	ibv_unimport_pd(pd);
	RETURNS(ibv_close_device(context), 0);
	return test_child_end();
}

int main(int argc, char *argv[])
{
	struct test_counts base, own;
	struct test_process process;
	struct ibv_context *context;
	struct test_end end;
	struct offer offer;
	struct answer answer;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	char *memory;
	int fds[2];

	if (argc > 1 && !strcmp(argv[1], "importer"))
		return importer();
	base = test_count();
	context = test_open(0);
	fds[0] = ibv_context_to_fd(context);
	fds[1] = memfd_create("upstream", MFD_CLOEXEC);
	NEED(fds[1] >= 0 && !ftruncate(fds[1], SIZE));
	memory = map(fds[1]);
	memset(memory, 0x3c, 100);
	NEED(pd = ibv_alloc_pd(context));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	NEED(test_end_open(&end, pd, context));
	offer = (struct offer){
		.pd = pd->handle,
		.mr = mr->handle,
		.lkey = mr->lkey,
		.qpn = end.qp->qp_num,
		.addr = (uintptr_t)memory,
	};
	RETURNS(ibv_query_gid(context, 1, 1, &offer.gid), 0);
	own = test_count();

	process = test_start("importer");
	test_send(process.sock, &offer, sizeof(offer), fds, 2);
	NEED(test_recv(process.sock, &answer, sizeof(answer), NULL, 0));
	test_end_connect(&end, answer.qpn, &offer.gid);
	test_send(process.sock, &answer, sizeof(answer), NULL, 0);
	CHECK(!test_reap(&process), "the importer has failed");

	/* It shared the file: what it made is destroyed, what it imported not. */
	SAME_AS(&own);
	test_end_close(&end);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(context), 0);
	SAME_AS(&base);
	return test_end();
}
