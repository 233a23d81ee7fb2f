// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The device's module is removed while contexts are open, aliases live, one of
 * them without the context that made it, and QPs are at work.
 */
#include <fcntl.h>
#include <sys/syscall.h>

#include "m5_test.h"

#define SIZE 65536
#define TURNS 3

static char *memory;

static void load(const char *module)
{
	char path[64];
	int fd = open(module, O_RDONLY | O_CLOEXEC), try;

	NEED(fd >= 0);
	NEED(!syscall(SYS_finit_module, fd, "netdevs=dummy0,dummy1", 0));
	close(fd);
	/* The node in /dev comes a moment later. */
	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/gids/1",
		 test_device(0));
	for (try = 0; try < 1000; try++) {
		char gid[64] = "";
		FILE *file = fopen(path, "r");

		if (file) {
			if (!fgets(gid, sizeof(gid), file))
				gid[0] = '\0';
			fclose(file);
		}
		if (strstr(gid, "ffff") &&
		    !access("/dev/infiniband/uverbs0", R_OK))
			return;
		usleep(1000);
	}
	FATAL("the device does not come back");
}

/* Work that is under way when the device goes */
static void post_some(struct test_end *end, struct ibv_mr *mr)
{
	struct ibv_sge sge = { (uintptr_t)memory, SIZE / 2, mr->lkey };
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.wr.rdma = { .remote_addr = (uintptr_t)memory + SIZE / 2,
			     .rkey = mr->rkey },
	};
	struct ibv_send_wr *bad;
	int i;

	for (i = 0; i < 6; i++)
		RETURNS(ibv_post_send(end->qp, &wr, &bad), 0);
}

/* On a device that is gone all is refused but giving back. */
static void remove_and_load(const char *module)
{
	struct ibv_context *a = test_open(0), *b = test_open(0);
	struct ibv_context *gone = test_open(0);
	struct ibv_pd *pd, *imported, *orphan, *new;
	struct ibv_mr *mr, *imported_mr, *orphan_mr;
	uint32_t handle = 77;
	struct test_end end;

	NEED(pd = ibv_alloc_pd(a));
	NEED(mr = ibv_reg_mr(pd, memory, SIZE, TEST_ACCESS));
	NEED(imported = ibv_import_pd(b, ibv_context_to_fd(a), pd->handle));
	NEED(imported_mr = ibv_import_mr(b, ibv_context_to_fd(a), mr->handle));
	NEED(test_end_open(&end, imported, b));
	test_end_join(&end, &end);

	/* Its maker's context is closed, and waits for these two. */
	NEED(orphan = ibv_alloc_pd(gone));
	NEED(orphan_mr = ibv_reg_mr(orphan, memory, SIZE, TEST_ACCESS));
	RETURNS(ibv_export_mr(orphan_mr, ibv_context_to_fd(a), &handle), 0);
	RETURNS(ibv_export_pd(orphan, ibv_context_to_fd(b), &handle), 0);
	RETURNS(ibv_close_device(gone), 0);
	CHECK(m5_lines("pds") == 2 && m5_lines("mrs") == 2,
	      "the device has %d PDs and %d MRs", m5_lines("pds"),
	      m5_lines("mrs"));

	post_some(&end, imported_mr);
	NEED(!syscall(SYS_delete_module, "m5soft", O_NONBLOCK));

	handle = 77;
	RETURNS(ibv_export_pd(pd, ibv_context_to_fd(b), &handle), EIO);
	RETURNS(ibv_export_mr(imported_mr, ibv_context_to_fd(a), &handle), EIO);
	CHECK(handle == 77, "new_handle was changed");
	FAILS(ibv_import_pd(b, ibv_context_to_fd(a), pd->handle), EIO);
	FAILS(ibv_import_mr(a, ibv_context_to_fd(b), imported_mr->handle), EIO);
	FAILS(ibv_alloc_pd(a), EIO);
	/* The doorbell's page is still there to be written to. */
	post_some(&end, imported_mr);

	/* Another device of the same name has nothing to do with it. */
	load(module);
	gone = test_open(0);
	NEED(new = ibv_alloc_pd(gone));
	FAILS(ibv_import_pd(gone, ibv_context_to_fd(a), pd->handle), EXDEV);
	RETURNS(ibv_export_pd(new, ibv_context_to_fd(b), &handle), EXDEV);
	RETURNS(ibv_dealloc_pd(new), 0);
	RETURNS(ibv_close_device(gone), 0);

	RETURNS(ibv_destroy_qp(end.qp), 0);
	RETURNS(ibv_destroy_cq(end.cq), 0);
	RETURNS(ibv_dereg_mr(imported_mr), 0);
	RETURNS(ibv_dealloc_pd(imported), 0);
	RETURNS(ibv_dereg_mr(mr), 0);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(a), 0);
	RETURNS(ibv_close_device(b), 0);
}

int main(int argc, char *argv[])
{
	int fds = test_open_fds(), turn;

	if (argc != 2)
		FATAL("usage: removal PATH-OF-M5SOFT.KO");
	memory = test_memory(SIZE);
	for (turn = 0; turn < TURNS; turn++)
		remove_and_load(argv[1]);
	CHECK(test_open_fds() == fds, "descriptors left open");
	return test_end();
}
