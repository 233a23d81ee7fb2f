// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The number of a PD in the device, made up: by the process that exports the PD,
 * for whoever imports it, and by one that works with it.  Each tries to get at
 * the memory of a third, the victim, whose number and keys it knows; it gets at
 * no memory but what it had anyway.
 *
 * What is trusted:
 * - The kernel.  It finds a PD by the handle, in the file that the command was
 *   given on, and what is made on it is made with the number that the driver
 *   keeps.  No command takes a number from a process.
 * - The device: a key is good for QPs of its own PD only.
 * - Not the driver's reply to the maker of a PD, which comes to importers as it
 *   was in the maker's memory a moment later.  libmlx5 does not use it: its own
 *   operation asks the driver about the imported handle (PD_QUERY).  So for
 *   what is forged here to have any effect that operation is taken away, and
 *   libmlx5 adopts, as the plug-ins do that have none.  The importer's
 *   mlx5dv_init_obj() then tells the wrong number.
 *
 * DEVX is not in here.  There processes do give numbers, to the firmware, which
 * compares the ids of the PD and of the command's context; that is so without
 * export and import as well.
 */
#include <dlfcn.h>
#include <endian.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <infiniband/mlx5dv.h>
#include <rdma/mlx5_user_ioctl_cmds.h>

#include "command.h"
#include "driver.h"
#include "m5_test.h"

#define SIZE 8192
#define KEPT 64 /* longer replies the kernel does not keep */
#define LIMIT_S 20

/* ---- libmlx5 without its operation import_pd ---- */

static bool adopting;

void verbs_set_ops(struct verbs_context *context,
		   const struct verbs_context_ops *ops)
{
	static void (*set)(struct verbs_context * context,
			   const struct verbs_context_ops *ops);
	struct verbs_context_ops changed = *ops;

	if (!set)
		set = dlsym(RTLD_NEXT, "verbs_set_ops");
	if (adopting) {
		changed.import_pd = NULL;
		changed.unimport_pd = NULL;
	}
	set(context, &changed);
}

static struct ibv_context *open_importer(bool adopt)
{
	struct ibv_context *context;

	adopting = adopt;
	context = test_open(0);
	adopting = false;
	return context;
}

/* ---- the victim ---- */

static struct victim {
	uint32_t pdn, lkey, rkey;
	uint64_t addr;
} victim;

static struct ibv_context *victims;
static struct ibv_pd *victims_pd;
static struct ibv_mr *victims_mr;
static char *secret;

static bool secret_is_kept(void)
{
	size_t i;

	for (i = 0; i < SIZE; i++)
		if (secret[i] != 0x77)
			return false;
	return true;
}

static void make_victim(void)
{
	struct ibv_pd *pd;
	int i;

	victims = test_open(0);
	/* No handle here has a number as high as its. */
	for (i = 0; i < 64; i++) {
		NEED(pd = ibv_alloc_pd(victims));
		RETURNS(ibv_dealloc_pd(pd), 0);
	}
	secret = test_memory(SIZE);
	memset(secret, 0x77, SIZE);
	NEED(victims_pd = ibv_alloc_pd(victims));
	NEED(victims_mr = ibv_reg_mr(victims_pd, secret, SIZE, TEST_ACCESS));
	victim = (struct victim){
		.pdn = m5_pdn(victims_pd),
		.lkey = victims_mr->lkey,
		.rkey = victims_mr->rkey,
		.addr = (uintptr_t)secret,
	};
}

static void end_victim(void)
{
	CHECK(secret_is_kept(), "the victim's memory has changed");
	RETURNS(ibv_dereg_mr(victims_mr), 0);
	RETURNS(ibv_dealloc_pd(victims_pd), 0);
	RETURNS(ibv_close_device(victims), 0);
}

/*
 * All that can be asked of the device with the victim's keys on a QP of pd, from
 * and to memory with the keys of mr; nothing comes of it.
 */
static void no_way_to_the_victim(const char *what, struct ibv_pd *pd,
				 struct ibv_mr *mr, char *memory, uint64_t addr)
{
	const struct {
		const char *name;
		enum ibv_wr_opcode opcode;
		bool local; /* its lkey, or its rkey */
		int status;
	} ways[] = {
		{ "write of", IBV_WR_RDMA_WRITE, true, IBV_WC_LOC_PROT_ERR },
		{ "read to", IBV_WR_RDMA_READ, true, IBV_WC_LOC_PROT_ERR },
		{ "write to", IBV_WR_RDMA_WRITE, false, IBV_WC_REM_ACCESS_ERR },
		{ "read of", IBV_WR_RDMA_READ, false, IBV_WC_REM_ACCESS_ERR },
	};
	struct test_end end;
	size_t i;
	int got;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		memset(memory, 0x11, SIZE);
		NEED(test_end_open(&end, pd, pd->context));
		test_end_join(&end, &end);
		if (ways[i].local)
			got = test_run(&end, ways[i].opcode, victim.addr, 64,
				       victim.lkey, addr, mr->rkey);
		else
			got = test_run(&end, ways[i].opcode, addr, 64, mr->lkey,
				       victim.addr, victim.rkey);
		CHECK(got == ways[i].status, "%s: %s the victim's memory: %s",
		      what, ways[i].name, ibv_wc_status_str(got));
		CHECK(!memchr(memory, 0x77, SIZE), "%s: %s got the secret",
		      what, ways[i].name);
		test_end_close(&end);
	}
	CHECK(secret_is_kept(), "%s: the victim's memory has changed", what);
}

/* ---- the forger: it makes a PD and exports it ---- */

enum way {
	NOTHING,  /* honest */
	LATER,	  /* writes into the reply after the command */
	RACE,	  /* while it runs */
	LONG,	  /* room for more than the driver's reply, filled by itself */
	SHORT,	  /* less */
	NO_ROOM,  /* none */
	TOO_LONG, /* more than is kept */
	NO_PAGE,  /* ends where no memory is */
	WAYS
};

static const struct {
	const char *name;
	uint32_t room, kept;
} ways[] = {
	[NOTHING] = { "an honest reply", 4, 4 },
	[LATER] = { "a reply that was changed later", 4, 4 },
	[RACE] = { "a forged reply", 4, 4 },
	[LONG] = { "a long reply", KEPT, KEPT },
	[SHORT] = { "a short reply", 3, 3 },
	[NO_ROOM] = { "no reply", 0, 0 },
	[TOO_LONG] = { "a reply too long", KEPT + 1, 0 },
	[NO_PAGE] = { "a reply half in no page", KEPT, 0 },
};

struct job {
	enum way way;
	struct victim victim;
};

struct offer {
	uint32_t pd, mr;
	uint64_t addr;
};

static struct {
	volatile uint32_t *reply;
	bool stop;
} race;

static void *forge(void *arg)
{
	while (!__atomic_load_n(&race.stop, __ATOMIC_RELAXED))
		*race.reply = victim.pdn;
	return arg;
}

/* What comes with an import of it; of a process's own file, too */
static uint32_t reply_of(int fd, uint32_t handle)
{
	uint32_t made, number = 0, len = sizeof(number);

	NEED(!import_pd_driver(fd, fd, handle, &made, &number, &len));
	NEED(!dealloc_pd(fd, made));
	return number;
}

/*
 * The driver dawdles, so that the race is won at once; one try in a few hundred
 * wins it without.
 */
static uint32_t alloc_in_race(int fd, char *reply)
{
	time_t limit = time(NULL) + LIMIT_S;
	pthread_t thread;
	uint32_t pd;

	race.reply = (uint32_t *)reply;
	m5_set_parameter("reply_ms", 20);
	NEED(!pthread_create(&thread, NULL, forge, NULL));
	for (;;) {
		NEED(!alloc_pd_driver(fd, &pd, reply, 4));
		if (reply_of(fd, pd) == victim.pdn)
			break;
		NEED(!dealloc_pd(fd, pd));
		if (time(NULL) > limit)
			FATAL("the race is never won");
	}
	m5_set_parameter("reply_ms", 0);
	__atomic_store_n(&race.stop, true, __ATOMIC_RELAXED);
	NEED(!pthread_join(thread, NULL));
	return pd;
}

static uint32_t alloc_pd_by(enum way way, int fd)
{
	/* Two pages, the second of which cannot be touched */
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *reply = pages;
	uint32_t pd;
	int i;

	NEED(pages != MAP_FAILED && !mprotect(pages + 4096, 4096, PROT_NONE));
	for (i = 0; i + 4 <= 4096; i += 4)
		memcpy(pages + i, &victim.pdn, 4);
	if (way == NO_PAGE)
		reply += 4096 - 32;
	if (way == RACE)
		return alloc_in_race(fd, reply);
	NEED(!alloc_pd_driver(fd, &pd, reply, ways[way].room));
	if (way == LATER)
		memcpy(reply, &victim.pdn, 4);
	return pd;
}

static int forger(void)
{
	struct ibv_context *context = test_open(0), *ex = test_open(0);
	struct region region;
	struct offer offer;
	struct job job;
	int fds[2];
	char *memory;
	uint32_t pd;

	select_device(test_device(0), RDMA_DRIVER_MLX5);
	NEED(test_recv(TEST_CHILD_SOCK, &job, sizeof(job), NULL, 0));
	victim = job.victim;
	fds[0] = ex->cmd_fd;
	fds[1] = memfd_create("forged", MFD_CLOEXEC);
	NEED(fds[1] >= 0 && !ftruncate(fds[1], SIZE));
	memory =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
	NEED(memory != MAP_FAILED);
	pd = alloc_pd_by(job.way, context->cmd_fd);
	NEED(!reg_mr(context->cmd_fd, pd, memory, SIZE, TEST_ACCESS, &region));
	NEED(!export_pd(context->cmd_fd, pd, fds[0], &offer.pd));
	NEED(!export_mr(context->cmd_fd, region.handle, fds[0], &offer.mr));
	offer.addr = (uintptr_t)memory;
	test_send(TEST_CHILD_SOCK, &offer, sizeof(offer), fds, 2);
	/* Until all is done with it: the other end closes. */
	test_recv(TEST_CHILD_SOCK, &job, sizeof(job), NULL, 0);
	return 0;
}

/* ---- an honest importer ---- */

static long pdn_of_qp(struct ibv_pd *pd)
{
	struct test_end end;
	long pdn;

	NEED(test_end_open(&end, pd, pd->context));
	pdn = m5_listed("qps", "qpn", end.qp->qp_num, "pdn");
	test_end_close(&end);
	return pdn;
}

static long pdn_of_mr(struct ibv_mr *mr)
{
	return m5_listed("mrs", "lkey", mr->lkey, "pdn");
}

/* What it has is the PD and the MR that were exported, and it works on them. */
static void works_as_ever(const char *what, struct ibv_pd *pd,
			  struct ibv_mr *mr, char *memory, uint64_t addr)
{
	struct test_end end;
	struct ibv_mr *own;

	CHECK(pdn_of_qp(pd) == pdn_of_mr(mr), "%s: a QP is on PD %ld, not %ld",
	      what, pdn_of_qp(pd), pdn_of_mr(mr));
	NEED(own = ibv_reg_mr(pd, secret, SIZE, TEST_ACCESS));
	CHECK(pdn_of_mr(own) == pdn_of_mr(mr),
	      "%s: an MR is on PD %ld, not %ld", what, pdn_of_mr(own),
	      pdn_of_mr(mr));
	RETURNS(ibv_dereg_mr(own), 0);
	memset(memory, 0x22, 4096);
	memset(memory + 4096, 0, 4096);
	NEED(test_end_open(&end, pd, pd->context));
	test_end_join(&end, &end);
	CHECK(test_run(&end, IBV_WR_RDMA_WRITE, addr, 4096, mr->lkey,
		       addr + 4096, mr->rkey) == IBV_WC_SUCCESS,
	      "%s: RDMA WRITE", what);
	CHECK(!memcmp(memory, memory + 4096, 4096), "%s: wrong bytes", what);
	test_end_close(&end);
}

static void import_by(enum way way, bool adopt, int fd,
		      const struct offer *offer, char *memory)
{
	struct ibv_context *context = open_importer(adopt);
	const char *what = ways[way].name;
	struct test_counts base = test_count();
	bool possible = !adopt || ways[way].kept >= 4;
	uint32_t number;
	struct ibv_pd *pd;
	struct ibv_mr *mr;

	if (possible) {
		pd = ibv_import_pd(context, fd, offer->pd);
		mr = ibv_import_mr(context, fd, offer->mr);
		NEED(pd && mr);
		CHECK(mr->pd == pd, "%s: the MR is on another PD", what);
		CHECK(pdn_of_mr(mr) > 0 && pdn_of_mr(mr) != victim.pdn,
		      "%s: the MR is on PD %ld", what, pdn_of_mr(mr));
		/* The only thing that a forger has in its hand */
		number = adopt && way == RACE ? victim.pdn : pdn_of_mr(mr);
		CHECK(m5_pdn(pd) == number,
		      "%s%s: the plug-in takes PD %ld for %u, not for %u", what,
		      adopt ? ", adopted" : "", pdn_of_mr(mr), m5_pdn(pd),
		      number);
		works_as_ever(what, pd, mr, memory, offer->addr);
		if (way == NOTHING || way == RACE)
			no_way_to_the_victim(what, pd, mr, memory, offer->addr);
		RETURNS(ibv_dereg_mr(mr), 0);
		RETURNS(ibv_dealloc_pd(pd), 0);
	} else {
		FAILS(ibv_import_pd(context, fd, offer->pd), EOPNOTSUPP);
		CHECK(!m5_handles(context, UVERBS_OBJECT_PD),
		      "%s: an alias is left", what);
	}
	SAME_AS(&base);
	RETURNS(ibv_close_device(context), 0);
}

/*
 * Room for the reply of all sizes: what was kept of the driver's number and of
 * what the maker had in its memory behind it, zeros, and not a byte more.
 */
static void reply_in_any_room(enum way way, int fd, uint32_t handle)
{
	static const uint32_t rooms[] = { 1, 3, 4, 5, 63, 64, 65, 200 };
	struct ibv_context *context = test_open(0);
	uint32_t kept = ways[way].kept, made, len, k;
	uint8_t got[256], want[256];
	size_t i;

	for (i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		memset(got, 0xee, sizeof(got));
		len = rooms[i];
		RETURNS(import_pd_driver(context->cmd_fd, fd, handle, &made,
					 got, &len),
			0);
		CHECK(len == kept, "%s: %u bytes were kept, not %u",
		      ways[way].name, len, kept);
		memset(want, 0xee, sizeof(want));
		if (kept)
			memset(want, 0, rooms[i]);
		for (k = 0; k < kept && k < rooms[i]; k++)
			want[k] = k < 4 ? got[k]
					: ((uint8_t *)&victim.pdn)[k % 4];
		for (k = 0; k < sizeof(got) - 1 && got[k] == want[k]; k++)
			;
		CHECK(got[k] == want[k], "%s, into %u bytes: byte %u is %#x",
		      ways[way].name, rooms[i], k, got[k]);
		RETURNS(dealloc_pd(context->cmd_fd, made), 0);
	}
	RETURNS(ibv_close_device(context), 0);
}

/* One who imports and exports again: the word is still the maker's. */
static void passed_on(enum way way, int fd, const struct offer *offer)
{
	struct ibv_context *between = test_open(0), *ex = test_open(0);
	struct ibv_pd *pd = ibv_import_pd(between, fd, offer->pd);
	uint32_t handle, first, second;

	NEED(pd);
	NEED(!ibv_export_pd(pd, ex->cmd_fd, &handle));
	first = reply_of(fd, offer->pd);
	second = reply_of(ex->cmd_fd, handle);
	CHECK(first == second && (first == victim.pdn) == (way == RACE),
	      "%s: %u and, passed on, %u", ways[way].name, first, second);
	RETURNS(ibv_dealloc_pd(pd), 0);
	RETURNS(ibv_close_device(between), 0);
	RETURNS(ibv_close_device(ex), 0);
}

static void exported_by_a_forger(enum way way)
{
	struct test_process process = test_start("forger");
	struct job job = { way, victim };
	struct offer offer;
	char *memory;
	int fds[2];

	test_send(process.sock, &job, sizeof(job), NULL, 0);
	NEED(test_recv(process.sock, &offer, sizeof(offer), fds, 2));
	memory =
		mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
	NEED(memory != MAP_FAILED);
	import_by(way, false, fds[0], &offer, memory);
	import_by(way, true, fds[0], &offer, memory);
	reply_in_any_room(way, fds[0], offer.pd);
	if (ways[way].kept == 4)
		passed_on(way, fds[0], &offer);
	NEED(!munmap(memory, SIZE));
	close(fds[0]);
	close(fds[1]);
	test_send(process.sock, &job, sizeof(job), NULL, 0);
	CHECK(!test_reap(&process), "the forger's status");
}

/* ---- one that works with a number of its own invention ---- */

static struct ibv_context *inventor;
static struct ibv_pd *own_pd;
static struct ibv_mr *own_mr;
static char *own_memory;

/* Where libmlx5 keeps it, behind what is public */
static uint32_t *number_in(struct ibv_pd *pd)
{
	uint32_t *word = (uint32_t *)(pd + 1), *end = word + 16;
	uint32_t pdn = m5_pdn(pd);

	while (word < end && *word != pdn)
		word++;
	NEED(word < end);
	return word;
}

/* In the plug-in's own struct: it goes nowhere. */
static void number_in_the_struct(void)
{
	uint32_t *number = number_in(own_pd), pdn = *number;
	struct ibv_mr *mr;

	*number = victim.pdn;
	CHECK(m5_pdn(own_pd) == victim.pdn,
	      "the plug-in's number is elsewhere");
	CHECK(pdn_of_qp(own_pd) == pdn, "a QP is on PD %ld, not %u",
	      pdn_of_qp(own_pd), pdn);
	NEED(mr = ibv_reg_mr(own_pd, own_memory, SIZE, TEST_ACCESS));
	CHECK(pdn_of_mr(mr) == pdn, "an MR is on PD %ld, not %u", pdn_of_mr(mr),
	      pdn);
	RETURNS(ibv_dereg_mr(mr), 0);
	no_way_to_the_victim("an invented number", own_pd, own_mr, own_memory,
			     (uintptr_t)own_memory);
	*number = pdn;
}

/* In the place of a handle: no object of this file. */
static void number_as_handle(void)
{
	struct ibv_srq_init_attr srq = { .attr = { .max_wr = 4,
						   .max_sge = 1 } };
	struct ibv_ah_attr ah = { .is_global = 1, .port_num = 1 };
	uint32_t handle = own_pd->handle, told = 0;
	struct test_end end;
	struct command cmd;

	RETURNS(ibv_query_gid(inventor, 1, 1, &ah.grh.dgid), 0);
	ah.grh.sgid_index = 1;
	own_pd->handle = victim.pdn;
	RETURNS(test_end_open(&end, own_pd, inventor) ? 0 : errno, ENOENT);
	FAILS(ibv_reg_mr(own_pd, own_memory, SIZE, TEST_ACCESS), ENOENT);
	FAILS(ibv_create_srq(own_pd, &srq), ENOENT);
	FAILS(ibv_create_ah(own_pd, &ah), ENOENT);
	FAILS(ibv_alloc_mw(own_pd, IBV_MW_TYPE_1), ENOENT);
	own_pd->handle = handle;

	command_start(&cmd, UVERBS_OBJECT_PD, MLX5_IB_METHOD_PD_QUERY);
	command_handle(&cmd, MLX5_IB_ATTR_QUERY_PD_HANDLE, victim.pdn);
	command_buffer(&cmd, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, &told,
		       sizeof(told));
	RETURNS(command_run(&cmd, inventor->cmd_fd), ENOENT);
	CHECK(!told, "PD_QUERY tells of PD %u", told);
}

/* In the driver's part of a request: of one that makes a PD, and an MR */
static void number_in_requests(void)
{
	struct ib_uverbs_reg_mr reg = {
		.start = (uintptr_t)own_memory,
		.hca_va = (uintptr_t)own_memory,
		.length = SIZE,
		.pd_handle = own_pd->handle,
		.access_flags = TEST_ACCESS,
	};
	struct ib_uverbs_alloc_pd_resp pd = { 0 };
	struct ib_uverbs_reg_mr_resp mr = { 0 };
	uint32_t driver[16], pdn = 0;
	struct command cmd;
	size_t i;

	for (i = 0; i < 16; i++)
		driver[i] = victim.pdn;
	command_start(&cmd, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);
	command_u64(&cmd, UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_ALLOC_PD);
	command_u64(&cmd, UVERBS_ATTR_CORE_IN, 0);
	command_buffer(&cmd, UVERBS_ATTR_CORE_OUT, &pd, sizeof(pd));
	command_buffer(&cmd, UVERBS_ATTR_UHW_IN, driver, sizeof(driver));
	command_buffer(&cmd, UVERBS_ATTR_UHW_OUT, &pdn, sizeof(pdn));
	RETURNS(command_run(&cmd, inventor->cmd_fd), 0);
	CHECK(pdn && pdn != victim.pdn, "PD %u was asked for and had", pdn);
	RETURNS(dealloc_pd(inventor->cmd_fd, pd.pd_handle), 0);
	/* And where the answer can not be written nothing is made. */
	RETURNS(alloc_pd_driver(inventor->cmd_fd, &pd.pd_handle, (void *)8, 4),
		EFAULT);
	CHECK(m5_handles(inventor, UVERBS_OBJECT_PD) == 1, "a PD is left");

	command_start(&cmd, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);
	command_u64(&cmd, UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_REG_MR);
	command_buffer(&cmd, UVERBS_ATTR_CORE_IN, &reg, sizeof(reg));
	command_buffer(&cmd, UVERBS_ATTR_CORE_OUT, &mr, sizeof(mr));
	command_buffer(&cmd, UVERBS_ATTR_UHW_IN, driver, sizeof(driver));
	RETURNS(command_run(&cmd, inventor->cmd_fd), 0);
	CHECK(m5_listed("mrs", "lkey", mr.lkey, "pdn") == m5_pdn(own_pd),
	      "an MR on PD %ld", m5_listed("mrs", "lkey", mr.lkey, "pdn"));
	RETURNS(dereg_mr(inventor->cmd_fd, mr.mr_handle), 0);
}

/*
 * In a work request.  The only one of mlx5's that has a PD in it is that which
 * changes a key (UMR); this device does none, an adapter only those of QPs that
 * were made for it, and keys of their PD.
 */
static void number_in_a_work_request(void)
{
	struct {
		struct mlx5_wqe_ctrl_seg control;
		struct mlx5_wqe_umr_ctrl_seg umr;
		struct mlx5_wqe_mkey_context_seg mkey;
	} * wqe;
	struct mlx5dv_qp dv = { .comp_mask = 0 };
	struct mlx5dv_obj obj = { .qp = { .out = &dv } };
	struct test_end end;
	int status;

	_Static_assert(sizeof(*wqe) == 128, "two blocks of the send queue");
	NEED(test_end_open(&end, own_pd, inventor));
	test_end_join(&end, &end);
	obj.qp.in = end.qp;
	NEED(!mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
	wqe = dv.sq.buf;
	memset(wqe, 0, sizeof(*wqe));
	mlx5dv_set_ctrl_seg(&wqe->control, 0, MLX5_OPCODE_UMR, 0,
			    end.qp->qp_num, MLX5_WQE_CTRL_CQ_UPDATE,
			    sizeof(*wqe) / 16, 0, htobe32(own_mr->lkey));
	wqe->umr.mkey_mask = htobe64(~0ULL);
	wqe->mkey.flags_pd = htobe32(victim.pdn);
	wqe->mkey.qpn_mkey = htobe32(0xffffff00 | (own_mr->lkey & 0xff));
	wqe->mkey.len = htobe64(SIZE);
	__atomic_store_n(&dv.dbrec[MLX5_SND_DBR], htobe32(2), __ATOMIC_RELEASE);
	status = test_wait(&end);
	CHECK(status == IBV_WC_LOC_QP_OP_ERR, "UMR to the victim's PD: %s",
	      ibv_wc_status_str(status));
	CHECK(pdn_of_mr(own_mr) == m5_pdn(own_pd), "the MR is on PD %ld",
	      pdn_of_mr(own_mr));
	test_end_close(&end);
}

static void invented(void)
{
	struct test_counts base = test_count();

	inventor = test_open(0);
	own_memory = test_memory(SIZE);
	NEED(own_pd = ibv_alloc_pd(inventor));
	NEED(own_mr = ibv_reg_mr(own_pd, own_memory, SIZE, TEST_ACCESS));
	CHECK(m5_pdn(own_pd) != victim.pdn && own_pd->handle != victim.pdn,
	      "the victim's number is no invention");
	number_in_the_struct();
	number_as_handle();
	number_in_requests();
	number_in_a_work_request();
	RETURNS(ibv_dereg_mr(own_mr), 0);
	RETURNS(ibv_dealloc_pd(own_pd), 0);
	RETURNS(ibv_close_device(inventor), 0);
	SAME_AS(&base);
}

int main(int argc, char *argv[])
{
	struct test_counts base;
	enum way way;

	if (argc > 1 && !strcmp(argv[1], "forger"))
		return forger();
	base = test_count();
	select_device(test_device(0), RDMA_DRIVER_MLX5);
	make_victim();
	for (way = 0; way < WAYS; way++)
		exported_by_a_forger(way);
	invented();
	end_victim();
	SAME_AS(&base);
	return test_end();
}
