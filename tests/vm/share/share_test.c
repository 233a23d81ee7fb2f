// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Checks, devices and connections for the programs of this folder.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>

#include "share_test.h"

static int checks, failures;

static void say(const char *file, int line, const char *fmt, va_list ap)
{
	const char *name = strrchr(file, '/');

	printf("%s:%d: ", name ? name + 1 : file, line);
	vprintf(fmt, ap);
	printf("\n");
	fflush(stdout);
}

void test_check(bool ok, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	checks++;
	if (ok)
		return;
	failures++;
	va_start(ap, fmt);
	say(file, line, fmt, ap);
	va_end(ap);
}

int test_end(void)
{
	if (!checks)
		failures++;
	printf("%d checks, %d failures\n", checks, failures);
	return failures ? 1 : 0;
}

int test_child_end(void)
{
	return failures || !checks ? 1 : 0;
}

void test_fatal(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(file, line, fmt, ap);
	va_end(ap);
	failures++;
	exit(test_end());
}

/* ---- devices ---- */

/* The file of the plug-in that a context's data path is in */
static const char *plugin_of(struct ibv_context *context)
{
	static char path[4096];
	Dl_info info;

	if (!dladdr((void *)context->ops.poll_cq, &info) ||
	    !realpath(info.dli_fname, path))
		return "?";
	return path;
}

static const char *wanted_plugin(void)
{
	const char *name = getenv("RDMAV_DRIVERS");
	static char path[4096];
	char file[4096];

	if (!name || *name != '/')
		FATAL("RDMAV_DRIVERS must name the plug-in by its path");
	snprintf(file, sizeof(file), "%s-rdmav34.so", name);
	if (!realpath(file, path))
		FATAL("%s: %s", file, strerror(errno));
	return path;
}

bool test_has_import_ops(void)
{
	const char *how = getenv("SHARE_PROVIDER");

	if (how && !strcmp(how, "ops"))
		return true;
	if (how && !strcmp(how, "adopt"))
		return false;
	FATAL("SHARE_PROVIDER must be ops or adopt");
}

struct ibv_context *test_open_named(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	int i;

	NEED(list);
	for (i = 0; list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			break;
	if (!list[i])
		FATAL("no device %s", name);
	context = ibv_open_device(list[i]);
	NEED(context);
	ibv_free_device_list(list);
	if (strcmp(plugin_of(context), wanted_plugin()))
		FATAL("%s is driven by %s instead of %s", name,
		      plugin_of(context), wanted_plugin());
	return context;
}

const char *test_device(int number)
{
	const char *prefix = getenv("SHARE_DEVICE");
	static char name[64];

	snprintf(name, sizeof(name), "%s%d", prefix ? prefix : "rxe", number);
	return name;
}

struct ibv_context *test_open(int number)
{
	return test_open_named(test_device(number));
}

void test_more_than(const char *file, int line, const struct test_counts *base,
		    long pd, long mr)
{
	struct test_counts now = test_count();

	test_check(now.pd == base->pd + pd && now.mr == base->mr + mr, file,
		   line, "%+ld PDs and %+ld MRs instead of %+ld and %+ld",
		   now.pd - base->pd, now.mr - base->mr, pd, mr);
}

void test_same_as(const char *file, int line, const struct test_counts *base)
{
	struct test_counts now = test_count();

	test_check(!memcmp(&now, base, sizeof(now)), file, line,
		   "left over: %+ld PD, %+ld MR, %+ld QP, %+ld CQ, %+ld "
		   "contexts, %+ld SRQ",
		   now.pd - base->pd, now.mr - base->mr, now.qp - base->qp,
		   now.cq - base->cq, now.ctx - base->ctx, now.srq - base->srq);
}

int test_open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	NEED(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* ---- memory and connections ---- */

void *test_memory(size_t length)
{
	void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	NEED(memory != MAP_FAILED);
	return memory;
}

bool test_end_open(struct test_end *end, struct ibv_pd *pd,
		   struct ibv_context *context)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 16,
			 .max_recv_wr = 16,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = TEST_ACCESS,
	};
	int err;

	memset(end, 0, sizeof(*end));
	end->cq = ibv_create_cq(context, 32, NULL, NULL, 0);
	if (!end->cq)
		return false;
	init.send_cq = init.recv_cq = end->cq;
	end->qp = ibv_create_qp(pd, &init);
	err = errno;
	if (end->qp) {
		err = ibv_modify_qp(end->qp, &attr,
				    IBV_QP_STATE | IBV_QP_PKEY_INDEX |
					    IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
		if (!err)
			return true;
		ibv_destroy_qp(end->qp);
	}
	ibv_destroy_cq(end->cq);
	memset(end, 0, sizeof(*end));
	errno = err;
	return false;
}

void test_end_connect(struct test_end *end, uint32_t qp_num,
		      const union ibv_gid *gid)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = qp_num,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = { .is_global = 1,
			     .port_num = 1,
			     .grh = { .hop_limit = 1,
				      .sgid_index = 1,
				      .dgid = *gid } },
	};

	RETURNS(ibv_modify_qp(end->qp, &attr,
			      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				      IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				      IBV_QP_MAX_DEST_RD_ATOMIC |
				      IBV_QP_MIN_RNR_TIMER),
		0);
	attr.qp_state = IBV_QPS_RTS;
	attr.timeout = 14;
	attr.retry_cnt = 7;
	attr.rnr_retry = 6;
	attr.max_rd_atomic = 1;
	RETURNS(ibv_modify_qp(end->qp, &attr,
			      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				      IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				      IBV_QP_MAX_QP_RD_ATOMIC),
		0);
}

static void connect_to(struct test_end *end, const struct test_end *other)
{
	union ibv_gid gid;

	RETURNS(ibv_query_gid(other->qp->context, 1, 1, &gid), 0);
	test_end_connect(end, other->qp->qp_num, &gid);
}

void test_end_join(struct test_end *a, struct test_end *b)
{
	connect_to(a, b);
	if (b != a)
		connect_to(b, a);
}

void test_end_close(struct test_end *end)
{
	RETURNS(ibv_destroy_qp(end->qp), 0);
	RETURNS(ibv_destroy_cq(end->cq), 0);
	memset(end, 0, sizeof(*end));
}

int test_wait(struct test_end *end)
{
	const struct timespec pause = { .tv_nsec = 200000 };
	time_t limit = time(NULL) + 20;
	struct ibv_wc wc;
	int n;

	while (!(n = ibv_poll_cq(end->cq, 1, &wc))) {
		if (time(NULL) > limit)
			return -1;
		nanosleep(&pause, NULL);
	}
	return n < 0 ? -1 : (int)wc.status;
}

static int post(struct test_end *end, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;
	int err = ibv_post_send(end->qp, wr, &bad);

	if (err) {
		CHECK(false, "ibv_post_send: %s", strerror(err));
		return -1;
	}
	return test_wait(end);
}

int test_run(struct test_end *end, enum ibv_wr_opcode opcode, uint64_t addr,
	     uint32_t length, uint32_t lkey, uint64_t remote, uint32_t rkey)
{
	struct ibv_sge sge = { addr, length, lkey };
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.wr.rdma = { .remote_addr = remote, .rkey = rkey },
	};

	return post(end, &wr);
}

int test_atomic(struct test_end *end, uint64_t addr, uint32_t lkey,
		uint64_t remote, uint32_t rkey, uint64_t add)
{
	struct ibv_sge sge = { addr, sizeof(uint64_t), lkey };
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
		.wr.atomic = { .remote_addr = remote,
			       .compare_add = add,
			       .rkey = rkey },
	};

	return post(end, &wr);
}

int test_post_recv(struct test_end *end, uint64_t addr, uint32_t length,
		   uint32_t lkey)
{
	struct ibv_sge sge = { addr, length, lkey };
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	return ibv_post_recv(end->qp, &wr, &bad);
}
