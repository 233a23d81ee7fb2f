// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A context with DEVX has a user id of its own in the device.  Where the device
 * refuses a QP whose PD is of another id than its CQ, an imported PD is of no
 * use; it is in contexts without DEVX, which all have the same id.
 */
#include "m5_test.h"

#define SIZE 65536

static char *memory;

struct world {
	struct ibv_context *owner, *worker;
	struct ibv_pd *pd, *imported;
	struct ibv_mr *mr, *imported_mr;
};

static void setup(struct world *w, struct ibv_context *owner,
		  struct ibv_context *worker)
{
	w->owner = owner;
	w->worker = worker;
	NEED(w->pd = ibv_alloc_pd(owner));
	NEED(w->mr = ibv_reg_mr(w->pd, memory, SIZE, TEST_ACCESS));
	NEED(w->imported = ibv_import_pd(worker, ibv_context_to_fd(owner),
					 w->pd->handle));
	NEED(w->imported_mr = ibv_import_mr(worker, ibv_context_to_fd(owner),
					    w->mr->handle));
}

static void teardown(struct world *w)
{
	RETURNS(ibv_dereg_mr(w->imported_mr), 0);
	RETURNS(ibv_dealloc_pd(w->imported), 0);
	RETURNS(ibv_dereg_mr(w->mr), 0);
	RETURNS(ibv_dealloc_pd(w->pd), 0);
	RETURNS(ibv_close_device(w->owner), 0);
	RETURNS(ibv_close_device(w->worker), 0);
}

static long uid_of(struct ibv_pd *pd)
{
	return m5_listed("pds", "pdn", m5_pdn(pd), "uid");
}

static void works(const char *what, struct ibv_pd *pd, struct ibv_mr *mr)
{
	struct test_end end;

	if (!test_end_open(&end, pd, pd->context)) {
		CHECK(false, "%s: no QP: %s", what, strerror(errno));
		return;
	}
	test_end_join(&end, &end);
	memset(memory, 0x5a, 4096);
	memset(memory + 8192, 0, 4096);
	CHECK(test_run(&end, IBV_WR_RDMA_WRITE, (uintptr_t)memory, 4096,
		       mr->lkey, (uintptr_t)memory + 8192,
		       mr->rkey) == IBV_WC_SUCCESS,
	      "%s: RDMA WRITE", what);
	CHECK(!memcmp(memory, memory + 8192, 4096), "%s: wrong bytes", what);
	test_end_close(&end);
}

/* A QP, and a QP with an SRQ on the same PD */
static void refused(const char *what, struct ibv_pd *pd)
{
	int clashes = m5_parameter("uid_clashes");
	struct ibv_cq *cq = ibv_create_cq(pd->context, 16, NULL, NULL, 0);
	struct ibv_srq_init_attr srq_init = {
		.attr = { .max_wr = 4, .max_sge = 1 },
	};
	struct ibv_srq *srq = ibv_create_srq(pd, &srq_init);
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_send_wr = 4,
			 .max_recv_wr = 4,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};

	NEED(cq && srq);
	FAILS(ibv_create_qp(pd, &init), EINVAL);
	init.srq = srq;
	FAILS(ibv_create_qp(pd, &init), EINVAL);
	CHECK(m5_parameter("uid_clashes") == clashes + 2,
	      "%s: refused for another reason", what);
	CHECK(!m5_lines("qps"), "%s: a QP is left", what);
	RETURNS(ibv_destroy_srq(srq), 0);
	RETURNS(ibv_destroy_cq(cq), 0);
}

/* Two contexts as libmlx5 opens them */
static void two_ids(void)
{
	int devx = m5_parameter("opened_devx");
	struct ibv_pd *own;
	struct ibv_mr *own_mr;
	struct world w;

	setup(&w, test_open(0), test_open(0));
	CHECK(m5_parameter("opened_devx") == devx + 2, "opened with DEVX: %d",
	      m5_parameter("opened_devx") - devx);
	CHECK(uid_of(w.pd) > 0, "the owner's PD has uid %ld", uid_of(w.pd));
	CHECK(uid_of(w.imported) == uid_of(w.pd), "uid of the imported PD");
	NEED(own = ibv_alloc_pd(w.worker));
	NEED(own_mr = ibv_reg_mr(own, memory, SIZE, TEST_ACCESS));
	CHECK(uid_of(own) > 0 && uid_of(own) != uid_of(w.pd),
	      "uids %ld and %ld", uid_of(own), uid_of(w.pd));

	m5_set_parameter("refuse_uid_clash", 1);
	works("a PD of one's own", own, own_mr);
	works("the owner's own PD", w.pd, w.mr);
	refused("two ids", w.imported);
	m5_set_parameter("refuse_uid_clash", 0);
	works("a device that does not mind", w.imported, w.imported_mr);

	RETURNS(ibv_dereg_mr(own_mr), 0);
	RETURNS(ibv_dealloc_pd(own), 0);
	teardown(&w);
}

static struct ibv_context *open_shareable(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context;
	int i;

	NEED(list);
	for (i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), test_device(0)))
			break;
	NEED(list[i]);
	context = ibv_open_device_shareable(list[i]);
	NEED(context);
	ibv_free_device_list(list);
	return context;
}

enum way { BY_CALL, BY_ENVIRONMENT, BY_REFUSAL, WAYS };

static const char *const way_names[] = {
	"ibv_open_device_shareable",
	"IBV_SHARE_NO_DEVX",
	"a device without DEVX",
};

static struct ibv_context *open_way(enum way way)
{
	struct ibv_context *context;

	switch (way) {
	case BY_CALL:
		return open_shareable();
	case BY_ENVIRONMENT:
		setenv("IBV_SHARE_NO_DEVX", "1", 1);
		context = test_open(0);
		unsetenv("IBV_SHARE_NO_DEVX");
		return context;
	default:
		m5_set_parameter("refuse_devx", 1);
		context = test_open(0);
		m5_set_parameter("refuse_devx", 0);
		return context;
	}
}

static void one_id(enum way way)
{
	int devx = m5_parameter("opened_devx");
	int plain = m5_parameter("opened_plain");
	int asked = m5_parameter("devx_refused");
	const char *what = way_names[way];
	struct world w;

	setup(&w, open_way(way), open_way(way));
	CHECK(m5_parameter("opened_plain") == plain + 2 &&
		      m5_parameter("opened_devx") == devx,
	      "%s: %d opened without DEVX, %d with", what,
	      m5_parameter("opened_plain") - plain,
	      m5_parameter("opened_devx") - devx);
	/* Two of the ways do not even ask the kernel for it. */
	CHECK(m5_parameter("devx_refused") == asked + (way == BY_REFUSAL) * 2,
	      "%s: %d refusals", what, m5_parameter("devx_refused") - asked);
	CHECK(!uid_of(w.pd) && !uid_of(w.imported), "%s: uids %ld and %ld",
	      what, uid_of(w.pd), uid_of(w.imported));
	m5_set_parameter("refuse_uid_clash", 1);
	works(what, w.imported, w.imported_mr);
	works(what, w.pd, w.mr);
	m5_set_parameter("refuse_uid_clash", 0);
	teardown(&w);
}

/* One of the two is not enough. */
static void mixed(bool owner_devx)
{
	struct ibv_context *owner, *worker;
	struct world w;

	owner = owner_devx ? test_open(0) : open_way(BY_CALL);
	worker = owner_devx ? open_way(BY_CALL) : test_open(0);
	setup(&w, owner, worker);
	m5_set_parameter("refuse_uid_clash", 1);
	refused(owner_devx ? "owner with DEVX" : "worker with DEVX",
		w.imported);
	m5_set_parameter("refuse_uid_clash", 0);
	teardown(&w);
}

int main(void)
{
	struct test_counts base = test_count();
	enum way way;

	memory = test_memory(SIZE);
	two_ids();
	for (way = 0; way < WAYS; way++)
		one_id(way);
	/* The call is about one context: the next is opened as ever. */
	two_ids();
	mixed(true);
	mixed(false);
	SAME_AS(&base);
	return test_end();
}
