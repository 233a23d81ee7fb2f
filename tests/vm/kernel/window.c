// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A memory window of one file, bound to an MR of another: rxe refuses to free the
 * MR, whoever asks, until the window is gone.
 */
#include <unistd.h>

#include "command.h"
#include "rdma.h"

static char buf[8192] __attribute__((aligned(4096)));

static struct ibv_mw *bind_window(struct pair *pair, struct ibv_pd *pd,
				  struct ibv_mr *mr)
{
	struct ibv_mw *mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_BIND_MW,
		.bind_mw = {
			.mw = mw,
			.bind_info = { mr, (uintptr_t)buf, 4096,
				       IBV_ACCESS_REMOTE_WRITE },
		},
	};

	NEED(mw);
	wr.bind_mw.rkey = ibv_inc_rkey(mw->rkey);
	IS(post_and_wait(pair, &wr), IBV_WC_SUCCESS);
	mw->rkey = wr.bind_mw.rkey;
	return mw;
}

/*
 * Whether there is a PD or context of rxe0 but the kernel's own.  It forgets to
 * list an MR that the driver once refused to free; but that keeps its PD.
 */
static int kernel_has(const char *type)
{
	char command[128];

	snprintf(command, sizeof(command),
		 "rdma resource show %s dev rxe0 | grep -qv 'comm .ib_core.'",
		 type);
	return !system(command);
}

/* shared: the MR has an alias in b, which is the last one to go. */
static void one(int shared)
{
	struct ibv_context *a = open_rxe(), *b = open_rxe();
	struct ibv_pd *pd = ibv_alloc_pd(a), pd_b = { .context = b };
	struct pair pair;
	struct ibv_mw *mw;
	struct ibv_mr *mr;
	uint32_t alias;

	NEED(pd);
	NEED((mr = ibv_reg_mr(pd, buf, sizeof(buf),
			      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				      IBV_ACCESS_MW_BIND)));
	IS(export_pd(a->cmd_fd, pd->handle, b->cmd_fd, &pd_b.handle), 0);
	make_pair(b, &pd_b, &pair);
	mw = bind_window(&pair, &pd_b, mr);
	IS(dereg_mr(a->cmd_fd, mr->handle), EINVAL);
	if (shared) {
		IS(export_mr(a->cmd_fd, mr->handle, b->cmd_fd, &alias), 0);
		IS(dereg_mr(a->cmd_fd, mr->handle), 0);
		IS(dereg_mr(b->cmd_fd, alias), EINVAL);
	}
	/* Closing a must work, and the window as well afterwards. */
	IS(ibv_close_device(a), 0);
	memset(buf, 0, sizeof(buf));
	IS(count_handles(b->cmd_fd, UVERBS_OBJECT_MR), shared);

	IS(ibv_dealloc_mw(mw), 0);
	if (shared)
		IS(dereg_mr(b->cmd_fd, alias), 0);
	destroy_pair(&pair);
	IS(dealloc_pd(b->cmd_fd, pd_b.handle), 0);
	/* The MR went with the window, so nothing holds the PD and a's context */
	CHECK(!kernel_has("pd"), "with a %s MR", shared ? "shared" : "private");
	IS(ibv_close_device(b), 0);
	CHECK(!kernel_has("ctx"), "with a %s MR",
	      shared ? "shared" : "private");
}

int main(void)
{
	select_device("rxe0", RDMA_DRIVER_RXE);
	one(0);
	one(1);
	return end_checks();
}
