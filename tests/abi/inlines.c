// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the inline functions of verbs.h do, said in text: which slot they call,
 * with what, and what they return if there is none.  inlines.py compiles this
 * against this tree's headers and against Debian's; both must say the same.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <infiniband/verbs.h>

static struct verbs_context vctx;
static struct ibv_context *const ctx = &vctx.context;
static struct ibv_context_ops *const ops = &vctx.context.ops;
/* One address to return, and one to pass, for each type */
static char returned[16];
static char passed[16];
#define RETURNED ((void *)returned)
#define PASSED ((void *)passed)

/* What was called, and with what */
static char log_text[512];

static void log_call(const char *fmt, ...)
{
	size_t used = strlen(log_text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(log_text + used, sizeof(log_text) - used, fmt, args);
	va_end(args);
}

static const char *name_of(const void *p)
{
	static char names[8][32];
	static unsigned int next;
	char *name = names[next++ % 8];

	if (!p)
		return "NULL";
	if (p == ctx)
		return "ctx";
	if (p == RETURNED)
		return "returned";
	if (p == PASSED)
		return "passed";
	snprintf(name, sizeof(names[0]), "other");
	return name;
}

static void begin(void)
{
	log_text[0] = '\0';
	errno = 0;
}

#define INT(call)                                                           \
	do {                                                                \
		long long result;                                           \
		begin();                                                    \
		result = (long long)(call);                                 \
		printf("%s: %s = %lld, errno %d,%s\n", mode, #call, result, \
		       errno, log_text[0] ? log_text : " nothing called");  \
	} while (0)
#define PTR(call)                                                   \
	do {                                                        \
		const void *result;                                 \
		begin();                                            \
		result = (call);                                    \
		printf("%s: %s = %s, errno %d,%s\n", mode, #call,   \
		       name_of(result), errno,                      \
		       log_text[0] ? log_text : " nothing called"); \
	} while (0)
#define VOID(call)                                            \
	do {                                                  \
		begin();                                      \
		call;                                         \
		printf("%s: %s,%s\n", mode, #call, log_text); \
	} while (0)

/* ---- the exported functions that inlines call ---- */

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	log_call(" ibv_query_device(%s, max_qp %d)", name_of(context),
		 attr->max_qp);
	return 11;
}

int(ibv_query_port)(struct ibv_context *context, uint8_t port_num,
		    struct _compat_ibv_port_attr *attr)
{
	struct ibv_port_attr zero = { 0 };

	log_call(" ibv_query_port(%s, %d, %s)", name_of(context), port_num,
		 memcmp(attr, &zero, sizeof(zero)) ? "dirty" : "zeroed");
	return 12;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *a)
{
	log_call(" ibv_create_srq(%s, max_wr %u)", name_of(pd), a->attr.max_wr);
	return RETURNED;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *a)
{
	log_call(" ibv_create_qp(%s, sq_sig_all %d)", name_of(pd),
		 a->sq_sig_all);
	return RETURNED;
}

struct ibv_mr *(ibv_reg_mr)(struct ibv_pd *pd, void *addr, size_t length,
			    int access)
{
	log_call(" ibv_reg_mr(%s, %s, %zu, %#x)", name_of(pd), name_of(addr),
		 length, access);
	return RETURNED;
}

struct ibv_mr *(ibv_reg_mr_iova)(struct ibv_pd *pd, void *addr, size_t length,
				 uint64_t iova, int access)
{
	log_call(" ibv_reg_mr_iova(%s, %s, %zu, %#llx, %#x)", name_of(pd),
		 name_of(addr), length, (unsigned long long)iova, access);
	return RETURNED;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length,
				uint64_t iova, unsigned int access)
{
	log_call(" ibv_reg_mr_iova2(%s, %s, %zu, %s, %#x)", name_of(pd),
		 name_of(addr), length,
		 iova == (uintptr_t)addr ? "addr" : "iova", access);
	return RETURNED;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num,
		      uint32_t gid_index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t entry_size)
{
	log_call(" _ibv_query_gid_ex(%s, %u, %u, %s, %u, %zu)",
		 name_of(context), port_num, gid_index, name_of(entry), flags,
		 entry_size);
	return 13;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context,
			     struct ibv_gid_entry *entries, size_t max_entries,
			     uint32_t flags, size_t entry_size)
{
	log_call(" _ibv_query_gid_table(%s, %s, %zu, %u, %zu)",
		 name_of(context), name_of(entries), max_entries, flags,
		 entry_size);
	return -14;
}

/* ---- slots of verbs_context ---- */

static int query_device_ex_result = 21;

static int slot_query_port(struct ibv_context *c, uint8_t port,
			   struct ibv_port_attr *attr, size_t size)
{
	log_call(" slot query_port(%s, %d, %s, %zu)", name_of(c), port,
		 attr->lid == 7 ? "as passed" : "changed", size);
	return 20;
}

static int slot_query_device_ex(struct ibv_context *c,
				const struct ibv_query_device_ex_input *input,
				struct ibv_device_attr_ex *attr, size_t size)
{
	log_call(" slot query_device_ex(%s, %s, %s, %zu)", name_of(c),
		 input ? "input" : "NULL",
		 attr->orig_attr.max_qp == 7 ? "as passed" : "changed", size);
	return query_device_ex_result;
}

static int slot_advise_mr(struct ibv_pd *pd,
			  enum ib_uverbs_advise_mr_advice advice,
			  uint32_t flags, struct ibv_sge *sg, uint32_t n)
{
	log_call(" slot advise_mr(%d, %d, %u, %s, %u)", !!pd, advice, flags,
		 name_of(sg), n);
	return 22;
}

static int slot_read_counters(struct ibv_counters *c, uint64_t *value,
			      uint32_t n, uint32_t flags)
{
	log_call(" slot read_counters(%d, %s, %u, %u)", !!c, name_of(value), n,
		 flags);
	return 23;
}

static int slot_attach_counters_point_flow(struct ibv_counters *c,
					   struct ibv_counter_attach_attr *a,
					   struct ibv_flow *flow)
{
	log_call(" slot attach_counters_point_flow(%d, %s, %s)", !!c,
		 name_of(a), name_of(flow));
	return 24;
}

static struct ibv_mr *slot_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm,
				     uint64_t offset, size_t length,
				     unsigned int access)
{
	log_call(" slot reg_dm_mr(%d, %s, %llu, %zu, %u)", !!pd, name_of(dm),
		 (unsigned long long)offset, length, access);
	return RETURNED;
}

static int slot_post_srq_ops(struct ibv_srq *srq, struct ibv_ops_wr *op,
			     struct ibv_ops_wr **bad)
{
	log_call(" slot post_srq_ops(%d, %s, %s)", !!srq, name_of(op),
		 name_of(*bad));
	return 25;
}

static struct ibv_wq wq = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static struct ibv_wq *slot_create_wq(struct ibv_context *c,
				     struct ibv_wq_init_attr *a)
{
	log_call(" slot create_wq(%s, max_wr %u)", name_of(c), a->max_wr);
	wq.events_completed = 99;
	return a->max_wr ? &wq : NULL;
}

static struct ibv_xrcd *slot_open_xrcd(struct ibv_context *c,
				       struct ibv_xrcd_init_attr *a)
{
	log_call(" slot open_xrcd(%s, %s)", name_of(c), name_of(a));
	return NULL;
}

/* Slots that take one object, or a context and an attribute struct */
#define SLOT_ONE(slot, type)                                     \
	static int slot_##slot(type *object)                     \
	{                                                        \
		log_call(" slot " #slot "(%d)", object != NULL); \
		return 30;                                       \
	}
#define SLOT_TWO(slot, type, attr_type)                             \
	static int slot_##slot(type *object, attr_type *a)          \
	{                                                           \
		log_call(" slot " #slot "(%d, %s)", object != NULL, \
			 name_of(a));                               \
		return 31;                                          \
	}
#define SLOT_MAKE(slot, type, from, attr_type)                      \
	static type *slot_##slot(from *object, attr_type *a)        \
	{                                                           \
		log_call(" slot " #slot "(%d, %s)", object != NULL, \
			 name_of(a));                               \
		return RETURNED;                                    \
	}

#define SLOTS_ONE(do)                                                                                    \
	do                                                                                               \
	(destroy_counters, struct ibv_counters) do(free_dm, struct ibv_dm) do(                           \
		destroy_flow_action, struct                                                              \
		ibv_flow_action) do(dealloc_td, struct                                                   \
				    ibv_td) do(destroy_rwq_ind_table, struct                             \
					       ibv_rwq_ind_table) do(destroy_wq,                         \
								     struct                              \
								     ibv_wq) do(ibv_destroy_flow,        \
										struct                   \
										ibv_flow) do(close_xrcd, \
											     struct      \
											     ibv_xrcd)
#define SLOTS_TWO(do)                                                                                            \
	do                                                                                                       \
	(modify_flow_action_esp, struct ibv_flow_action, struct ibv_flow_action_esp_attr) do(                    \
		modify_qp_rate_limit, struct ibv_qp,                                                             \
		struct                                                                                           \
		ibv_qp_rate_limit_attr) do(modify_cq, struct ibv_cq,                                             \
					   struct                                                                \
					   ibv_modify_cq_attr) do(modify_wq,                                     \
								  struct                                         \
								  ibv_wq,                                        \
								  struct                                         \
								  ibv_wq_attr) do(query_rt_values,               \
										  struct                         \
										  ibv_context,                   \
										  struct                         \
										  ibv_values_ex) do(get_srq_num, \
												    struct       \
												    ibv_srq,     \
												    uint32_t)
#define SLOTS_MAKE(do)                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        \
	do                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    \
	(create_counters, struct ibv_counters, struct ibv_context,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            \
	 struct ibv_counters_init_attr) do(alloc_dm,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          \
					   struct ibv_dm, struct ibv_context, struct ibv_alloc_dm_attr) do(create_flow_action_esp,                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            \
													   struct ibv_flow_action, struct ibv_context, struct ibv_flow_action_esp_attr) do(alloc_parent_domain, struct ibv_pd, struct ibv_context, struct ibv_parent_domain_init_attr) do(alloc_td, struct ibv_td, struct ibv_context, struct ibv_td_init_attr) do(create_rwq_ind_table, struct ibv_rwq_ind_table, struct ibv_context,                                                                                                                                                                                                                        \
																																												   struct ibv_rwq_ind_table_init_attr) do(create_cq_ex, struct ibv_cq_ex, struct ibv_context, struct ibv_cq_init_attr_ex) do(ibv_create_flow,                                                                                                                                                 \
																																																											     struct                                                                                                                                                           \
																																																											     ibv_flow,                                                                                                                                                        \
																																																											     struct ibv_qp, struct ibv_flow_attr) do(open_qp, struct ibv_qp, struct ibv_context, struct ibv_qp_open_attr) do(create_qp_ex, struct ibv_qp, struct ibv_context, \
																																																																									     struct                                           \
																																																																									     ibv_qp_init_attr_ex) do(create_srq_ex,           \
																																																																												     struct                   \
																																																																												     ibv_srq,                 \
																																																																												     struct                   \
																																																																												     ibv_context,             \
																																																																												     struct                   \
																																																																												     ibv_srq_init_attr_ex)

SLOTS_ONE(SLOT_ONE)
SLOTS_TWO(SLOT_TWO)
SLOTS_MAKE(SLOT_MAKE)

static struct ibv_mr *slot_alloc_null_mr(struct ibv_pd *pd)
{
	log_call(" slot alloc_null_mr(%d)", !!pd);
	return RETURNED;
}

static void fill_slots(void)
{
#define FILL(slot, ...) vctx.slot = slot_##slot;
	SLOTS_ONE(FILL)
	SLOTS_TWO(FILL)
	SLOTS_MAKE(FILL)
	FILL(query_port)
	FILL(query_device_ex)
	FILL(advise_mr)
	FILL(alloc_null_mr)
	FILL(read_counters)
	FILL(attach_counters_point_flow)
	FILL(reg_dm_mr)
	FILL(post_srq_ops)
	FILL(create_wq)
	FILL(open_xrcd)
}

/* ---- verbs that call a slot ---- */

static void try_slots(const char *mode)
{
	struct ibv_pd pd = { .context = ctx };
	struct ibv_counters counters = { .context = ctx };
	struct ibv_dm dm = { .context = ctx };
	struct ibv_flow_action action = { .context = ctx };
	struct ibv_td td = { .context = ctx };
	struct ibv_rwq_ind_table table = { .context = ctx };
	struct ibv_flow flow = { .context = ctx };
	struct ibv_qp qp = { .context = ctx };
	struct ibv_cq cq = { .context = ctx };
	struct ibv_srq srq = { .context = ctx };
	struct ibv_ops_wr op = { 0 }, *bad = PASSED;
	struct ibv_port_attr port = { .lid = 7 };
	struct ibv_query_device_ex_input input = { 0 };
	struct ibv_device_attr_ex attr = { .orig_attr.max_qp = 7 };
	struct ibv_wq_init_attr wq_attr = { .max_wr = 1, .wq_context = PASSED };
	struct ibv_srq_init_attr_ex srq_attr = { .pd = PASSED,
						 .attr.max_wr = 5 };
	struct ibv_qp_init_attr_ex qp_attr = { .pd = PASSED, .sq_sig_all = 6 };
	unsigned int i;

	wq.context = ctx;
	printf("%s: verbs_get_ctx %d\n", mode, verbs_get_ctx(ctx) == &vctx);
	printf("%s: verbs_get_ctx_op %d %d %d\n", mode,
	       verbs_get_ctx_op(ctx, query_port) == &vctx,
	       verbs_get_ctx_op(ctx, alloc_td) == &vctx,
	       verbs_get_ctx_op(ctx, close_xrcd) == &vctx);

	INT(ibv_query_port(ctx, 3, &port));
	INT(ibv_query_device_ex(ctx, &input, &attr));
	attr.orig_attr.max_qp = 7;
	INT(ibv_query_device_ex(ctx, NULL, &attr));
	query_device_ex_result = EOPNOTSUPP;
	attr.orig_attr.max_qp = 7;
	INT(ibv_query_device_ex(ctx, NULL, &attr));
	query_device_ex_result = ENOSYS;
	attr.orig_attr.max_qp = 7;
	INT(ibv_query_device_ex(ctx, NULL, &attr));
	query_device_ex_result = 0;
	INT(ibv_query_device_ex(ctx, NULL, &attr));
	query_device_ex_result = 21;
	input.comp_mask = 1;
	INT(ibv_query_device_ex(ctx, &input, &attr));

	INT(ibv_query_rt_values_ex(ctx, PASSED));
	INT(ibv_advise_mr(&pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, 1, PASSED,
			  4));
	PTR(ibv_alloc_null_mr(&pd));
	INT(ibv_read_counters(&counters, PASSED, 3, 1));
	INT(ibv_attach_counters_point_flow(&counters, PASSED, PASSED));
	PTR(ibv_create_counters(ctx, PASSED));
	INT(ibv_destroy_counters(&counters));
	PTR(ibv_reg_dm_mr(&pd, PASSED, 8, 16, 0x20));
	PTR(ibv_alloc_dm(ctx, PASSED));
	INT(ibv_free_dm(&dm));
	INT(ibv_modify_flow_action_esp(&action, PASSED));
	INT(ibv_destroy_flow_action(&action));
	PTR(ibv_create_flow_action_esp(ctx, PASSED));
	INT(ibv_modify_qp_rate_limit(&qp, PASSED));
	PTR(ibv_alloc_parent_domain(ctx, PASSED));
	INT(ibv_dealloc_td(&td));
	PTR(ibv_alloc_td(ctx, PASSED));
	INT(ibv_modify_cq(&cq, PASSED));
	INT(ibv_post_srq_ops(&srq, &op, &bad));
	printf("%s: bad op %d\n", mode, bad == &op);
	INT(ibv_destroy_rwq_ind_table(&table));
	PTR(ibv_create_rwq_ind_table(ctx, PASSED));
	INT(ibv_destroy_wq(&wq));
	INT(ibv_modify_wq(&wq, PASSED));
	wq.wq_context = NULL;
	PTR(ibv_create_wq(ctx, &wq_attr));
	printf("%s: wq_context %s, events_completed %u\n", mode,
	       name_of(wq.wq_context), wq.events_completed);
	wq_attr.max_wr = 0;
	PTR(ibv_create_wq(ctx, &wq_attr));
	PTR(ibv_create_cq_ex(ctx, PASSED));
	INT(ibv_destroy_flow(&flow));
	PTR(ibv_create_flow(&qp, PASSED));
	PTR(ibv_open_qp(ctx, PASSED));
	INT(ibv_get_srq_num(&srq, PASSED));
	PTR(ibv_open_xrcd(ctx, PASSED));

	/* All masks, so that every condition is met both ways */
	for (i = 0; i < 0x80; i++) {
		qp_attr.comp_mask = i;
		printf("qp mask %#x ", i);
		PTR(ibv_create_qp_ex(ctx, &qp_attr));
	}
	for (i = 0; i < 0x40 * 3; i++) {
		srq_attr.comp_mask = i / 3;
		srq_attr.srq_type = (enum ibv_srq_type)(i % 3);
		printf("srq mask %#x type %u ", i / 3, i % 3);
		PTR(ibv_create_srq_ex(ctx, &srq_attr));
	}
}

/* ---- verbs that call a pointer of the context or of the object ---- */

static struct ibv_mw *op_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	log_call(" op alloc_mw(%d, %d)", !!pd, type);
	return RETURNED;
}

static int op_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw,
		      struct ibv_mw_bind *bind)
{
	log_call(" op bind_mw(%s, %d, %d)", name_of(qp), !!mw, !!bind);
	return 40;
}

static int op_dealloc_mw(struct ibv_mw *mw)
{
	log_call(" op dealloc_mw(%d)", !!mw);
	return 41;
}

static int op_poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	log_call(" op poll_cq(%d, %d, %s)", !!cq, n, name_of(wc));
	return -42;
}

static int op_req_notify_cq(struct ibv_cq *cq, int solicited)
{
	log_call(" op req_notify_cq(%d, %d)", !!cq, solicited);
	return 43;
}

static int op_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr,
			    struct ibv_recv_wr **bad)
{
	log_call(" op post_srq_recv(%d, %s, %s)", !!srq, name_of(wr),
		 name_of(bad));
	return 44;
}

static int op_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
			struct ibv_send_wr **bad)
{
	log_call(" op post_send(%d, %s, %s)", !!qp, name_of(wr), name_of(bad));
	return 45;
}

static int op_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
			struct ibv_recv_wr **bad)
{
	log_call(" op post_recv(%d, %s, %s)", !!qp, name_of(wr), name_of(bad));
	return 46;
}

static int op_post_wq_recv(struct ibv_wq *w, struct ibv_recv_wr *wr,
			   struct ibv_recv_wr **bad)
{
	log_call(" op post_wq_recv(%d, %s, %s)", w == &wq, name_of(wr),
		 name_of(bad));
	return 47;
}

static int op_memcpy_to_dm(struct ibv_dm *dm, uint64_t offset, const void *addr,
			   size_t length)
{
	log_call(" op memcpy_to_dm(%d, %d, %s, %zu)", !!dm, (int)offset,
		 name_of(addr), length);
	return 48;
}

static int op_memcpy_from_dm(void *addr, struct ibv_dm *dm, uint64_t offset,
			     size_t length)
{
	log_call(" op memcpy_from_dm(%s, %d, %d, %zu)", name_of(addr), !!dm,
		 (int)offset, length);
	return 49;
}

static void try_ops(const char *mode)
{
	struct ibv_pd pd = { .context = ctx }, other_pd = { .context = ctx };
	struct ibv_mw mw = { .context = ctx, .pd = &pd };
	struct ibv_mr mr = { .context = ctx };
	struct ibv_mw_bind bind = { 0 };
	struct ibv_cq cq = { .context = ctx };
	struct ibv_srq srq = { .context = ctx };
	struct ibv_qp qp = { .context = ctx };
	struct ibv_xrcd xrcd = { .context = ctx };
	struct ibv_dm dm = { .context = ctx,
			     .memcpy_to_dm = op_memcpy_to_dm,
			     .memcpy_from_dm = op_memcpy_from_dm };
	unsigned int i;

	PTR(ibv_alloc_mw(&pd, IBV_MW_TYPE_2));
	ops->alloc_mw = op_alloc_mw;
	ops->bind_mw = op_bind_mw;
	ops->dealloc_mw = op_dealloc_mw;
	ops->poll_cq = op_poll_cq;
	ops->req_notify_cq = op_req_notify_cq;
	ops->post_srq_recv = op_post_srq_recv;
	ops->post_send = op_post_send;
	ops->post_recv = op_post_recv;
	wq.post_recv = op_post_wq_recv;

	PTR(ibv_alloc_mw(&pd, IBV_MW_TYPE_2));
	INT(ibv_dealloc_mw(&mw));
	INT(ibv_poll_cq(&cq, 3, PASSED));
	INT(ibv_req_notify_cq(&cq, 1));
	INT(ibv_post_srq_recv(&srq, PASSED, RETURNED));
	INT(ibv_post_send(&qp, PASSED, RETURNED));
	INT(ibv_post_recv(&qp, PASSED, RETURNED));
	INT(ibv_post_wq_recv(&wq, PASSED, RETURNED));
	INT(ibv_memcpy_to_dm(&dm, 4, PASSED, 9));
	INT(ibv_memcpy_from_dm(PASSED, &dm, 4, 9));
	INT(ibv_close_xrcd(&xrcd));

	for (i = 0; i < 2 * 3 * 4; i++) {
		mw.type = i & 1 ? IBV_MW_TYPE_1 : IBV_MW_TYPE_2;
		bind.bind_info.addr = i & 2;
		bind.bind_info.length = i & 4;
		bind.bind_info.mr = i / 8 ? &mr : NULL;
		mr.pd = i / 8 == 1 ? &pd : &other_pd;
		printf("bind %u ", i);
		INT(ibv_bind_mw(PASSED, &mw, &bind));
	}
}

/* ---- helpers ---- */

static void try_helpers(const char *mode)
{
	static volatile unsigned int access_flags[] = {
		0,
		IBV_ACCESS_LOCAL_WRITE,
		IBV_ACCESS_RELAXED_ORDERING,
		IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_RELAXED_ORDERING,
		1 << 29,
		1 << 30
	};
	struct ibv_cq_ex cq_ex;
	uint64_t sum = 1;
	uint32_t i;

	/* What the compiler knows, and what it does not */
	PTR(ibv_reg_mr(PASSED, PASSED, 100, 0));
	PTR(ibv_reg_mr(PASSED, PASSED, 100, IBV_ACCESS_LOCAL_WRITE));
	PTR(ibv_reg_mr(PASSED, PASSED, 100,
		       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ));
	PTR(ibv_reg_mr(PASSED, PASSED, 100, IBV_ACCESS_RELAXED_ORDERING));
	PTR(ibv_reg_mr_iova(PASSED, PASSED, 100, 0x1234,
			    IBV_ACCESS_REMOTE_WRITE));
	PTR(ibv_reg_mr_iova(PASSED, PASSED, 100, 0x1234,
			    IBV_ACCESS_RELAXED_ORDERING));
	for (i = 0; i < sizeof(access_flags) / sizeof(access_flags[0]); i++) {
		PTR(ibv_reg_mr(PASSED, PASSED, 100, access_flags[i]));
		PTR(ibv_reg_mr_iova(PASSED, PASSED, 100, 1, access_flags[i]));
	}

	INT(ibv_query_gid_ex(ctx, 2, 3, PASSED, 4));
	INT(ibv_query_gid_table(ctx, PASSED, 3, 4));
	printf("%s: cq_ex_to_cq %d\n", mode,
	       (void *)ibv_cq_ex_to_cq(&cq_ex) == (void *)&cq_ex);
	INT(vext_field_avail(struct ibv_qp_attr, rate_limit, 136));
	INT(vext_field_avail(struct ibv_qp_attr, rate_limit, 137));
	for (i = 0; i < 32; i++)
		INT(ibv_is_qpt_supported(0x55550f0f, (enum ibv_qp_type)i));
	INT(ibv_inc_rkey(0));
	INT(ibv_inc_rkey(0xfe));
	INT(ibv_inc_rkey(0xff));
	INT(ibv_inc_rkey(0x123456ff));
	INT(ibv_inc_rkey(0xffffffff));
	for (i = 0; i < 0x400000; i++)
		sum = (sum ^ ibv_flow_label_to_udp_sport(i * 1031)) *
		      1099511628211;
	printf("%s: udp sports %llx\n", mode, (unsigned long long)sum);
}

/* ---- builder and extended CQ: each calls its own pointer ---- */

static struct ibv_qp_ex qpx;
static struct ibv_cq_ex cqx;

#define WR(name, params, fmt, ...)                                            \
	static void on_##name params                                          \
	{                                                                     \
		log_call(" " #name "(%d" fmt ")", qp == &qpx, ##__VA_ARGS__); \
	}

WR(wr_atomic_cmp_swp,
   (struct ibv_qp_ex * qp, uint32_t a, uint64_t b, uint64_t c, uint64_t d),
   ", %d, %d, %d, %d", (int)a, (int)b, (int)c, (int)d)
WR(wr_atomic_fetch_add,
   (struct ibv_qp_ex * qp, uint32_t a, uint64_t b, uint64_t c), ", %d, %d, %d",
   (int)a, (int)b, (int)c)
WR(wr_bind_mw,
   (struct ibv_qp_ex * qp, struct ibv_mw *a, uint32_t b,
    const struct ibv_mw_bind_info *c),
   ", %s, %d, %s", name_of(a), (int)b, name_of(c))
WR(wr_local_inv, (struct ibv_qp_ex * qp, uint32_t a), ", %d", (int)a)
WR(wr_rdma_read, (struct ibv_qp_ex * qp, uint32_t a, uint64_t b), ", %d, %d",
   (int)a, (int)b)
WR(wr_rdma_write, (struct ibv_qp_ex * qp, uint32_t a, uint64_t b), ", %d, %d",
   (int)a, (int)b)
WR(wr_rdma_write_imm, (struct ibv_qp_ex * qp, uint32_t a, uint64_t b, __be32 c),
   ", %d, %d, %d", (int)a, (int)b, (int)c)
WR(wr_send, (struct ibv_qp_ex * qp), "")
WR(wr_send_imm, (struct ibv_qp_ex * qp, __be32 a), ", %d", (int)a)
WR(wr_send_inv, (struct ibv_qp_ex * qp, uint32_t a), ", %d", (int)a)
WR(wr_send_tso, (struct ibv_qp_ex * qp, void *a, uint16_t b, uint16_t c),
   ", %s, %d, %d", name_of(a), b, c)
WR(wr_set_ud_addr,
   (struct ibv_qp_ex * qp, struct ibv_ah *a, uint32_t b, uint32_t c),
   ", %s, %d, %d", name_of(a), (int)b, (int)c)
WR(wr_set_xrc_srqn, (struct ibv_qp_ex * qp, uint32_t a), ", %d", (int)a)
WR(wr_set_inline_data, (struct ibv_qp_ex * qp, void *a, size_t b), ", %s, %d",
   name_of(a), (int)b)
WR(wr_set_inline_data_list,
   (struct ibv_qp_ex * qp, size_t a, const struct ibv_data_buf *b), ", %d, %s",
   (int)a, name_of(b))
WR(wr_set_sge, (struct ibv_qp_ex * qp, uint32_t a, uint64_t b, uint32_t c),
   ", %d, %d, %d", (int)a, (int)b, (int)c)
WR(wr_set_sge_list, (struct ibv_qp_ex * qp, size_t a, const struct ibv_sge *b),
   ", %d, %s", (int)a, name_of(b))
WR(wr_start, (struct ibv_qp_ex * qp), "")
WR(wr_abort, (struct ibv_qp_ex * qp), "")
WR(wr_atomic_write,
   (struct ibv_qp_ex * qp, uint32_t a, uint64_t b, const void *c),
   ", %d, %d, %s", (int)a, (int)b, name_of(c))

static int on_wr_complete(struct ibv_qp_ex *qp)
{
	log_call(" wr_complete(%d)", qp == &qpx);
	return 50;
}

#define READ(name, type, value)                         \
	static type on_##name(struct ibv_cq_ex *cq)     \
	{                                               \
		log_call(" " #name "(%d)", cq == &cqx); \
		return (type)(value);                   \
	}

READ(next_poll, int, 51)
READ(read_opcode, enum ibv_wc_opcode, IBV_WC_TM_RECV)
READ(read_vendor_err, uint32_t, 0x80000001)
READ(read_byte_len, uint32_t, 0x80000002)
READ(read_imm_data, __be32, 0x80000003)
READ(read_qp_num, uint32_t, 0x80000004)
READ(read_src_qp, uint32_t, 0x80000005)
READ(read_wc_flags, unsigned int, 0x80000006)
READ(read_slid, uint32_t, 0x80000007)
READ(read_sl, uint8_t, 0x88)
READ(read_dlid_path_bits, uint8_t, 0x89)
READ(read_completion_ts, uint64_t, 0x1000000000000001)
READ(read_completion_wallclock_ns, uint64_t, 0x1000000000000002)
READ(read_cvlan, uint16_t, 0x8888)
READ(read_flow_tag, uint32_t, 0x80000008)

static int on_start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	log_call(" start_poll(%d, %s)", cq == &cqx, name_of(attr));
	return 52;
}

static void on_end_poll(struct ibv_cq_ex *cq)
{
	log_call(" end_poll(%d)", cq == &cqx);
}

static void on_read_tm_info(struct ibv_cq_ex *cq, struct ibv_wc_tm_info *info)
{
	log_call(" read_tm_info(%d, %s)", cq == &cqx, name_of(info));
}

static void try_extended(const char *mode)
{
#define QP(name) qpx.name = on_##name
#define CQ(name) cqx.name = on_##name
	QP(wr_atomic_cmp_swp), QP(wr_atomic_fetch_add), QP(wr_bind_mw);
	QP(wr_local_inv), QP(wr_rdma_read), QP(wr_rdma_write);
	QP(wr_rdma_write_imm), QP(wr_send), QP(wr_send_imm), QP(wr_send_inv);
	QP(wr_send_tso), QP(wr_set_ud_addr), QP(wr_set_xrc_srqn);
	QP(wr_set_inline_data), QP(wr_set_inline_data_list), QP(wr_set_sge);
	QP(wr_set_sge_list), QP(wr_start), QP(wr_complete), QP(wr_abort);
	QP(wr_atomic_write);
	CQ(start_poll), CQ(next_poll), CQ(end_poll), CQ(read_opcode);
	CQ(read_vendor_err), CQ(read_byte_len), CQ(read_imm_data);
	CQ(read_qp_num), CQ(read_src_qp), CQ(read_wc_flags), CQ(read_slid);
	CQ(read_sl), CQ(read_dlid_path_bits), CQ(read_completion_ts);
	CQ(read_completion_wallclock_ns), CQ(read_cvlan), CQ(read_flow_tag);
	CQ(read_tm_info);

	VOID(ibv_wr_start(&qpx));
	VOID(ibv_wr_atomic_cmp_swp(&qpx, 1, 2, 3, 4));
	VOID(ibv_wr_atomic_fetch_add(&qpx, 1, 2, 3));
	VOID(ibv_wr_atomic_write(&qpx, 1, 2, PASSED));
	VOID(ibv_wr_bind_mw(&qpx, PASSED, 1, RETURNED));
	VOID(ibv_wr_local_inv(&qpx, 1));
	VOID(ibv_wr_rdma_read(&qpx, 1, 2));
	VOID(ibv_wr_rdma_write(&qpx, 1, 2));
	VOID(ibv_wr_rdma_write_imm(&qpx, 1, 2, 3));
	VOID(ibv_wr_send(&qpx));
	VOID(ibv_wr_send_imm(&qpx, 1));
	VOID(ibv_wr_send_inv(&qpx, 1));
	VOID(ibv_wr_send_tso(&qpx, PASSED, 1, 2));
	VOID(ibv_wr_set_ud_addr(&qpx, PASSED, 1, 2));
	VOID(ibv_wr_set_xrc_srqn(&qpx, 1));
	VOID(ibv_wr_set_inline_data(&qpx, PASSED, 1));
	VOID(ibv_wr_set_inline_data_list(&qpx, 1, PASSED));
	VOID(ibv_wr_set_sge(&qpx, 1, 2, 3));
	VOID(ibv_wr_set_sge_list(&qpx, 1, PASSED));
	INT(ibv_wr_complete(&qpx));
	VOID(ibv_wr_abort(&qpx));

	INT(ibv_start_poll(&cqx, PASSED));
	INT(ibv_next_poll(&cqx));
	INT(ibv_wc_read_opcode(&cqx));
	INT(ibv_wc_read_vendor_err(&cqx));
	INT(ibv_wc_read_byte_len(&cqx));
	INT(ibv_wc_read_imm_data(&cqx));
	INT(ibv_wc_read_invalidated_rkey(&cqx));
	INT(ibv_wc_read_qp_num(&cqx));
	INT(ibv_wc_read_src_qp(&cqx));
	INT(ibv_wc_read_wc_flags(&cqx));
	INT(ibv_wc_read_slid(&cqx));
	INT(ibv_wc_read_sl(&cqx));
	INT(ibv_wc_read_dlid_path_bits(&cqx));
	INT(ibv_wc_read_completion_ts(&cqx));
	INT(ibv_wc_read_completion_wallclock_ns(&cqx));
	INT(ibv_wc_read_cvlan(&cqx));
	INT(ibv_wc_read_flow_tag(&cqx));
	VOID(ibv_wc_read_tm_info(&cqx, PASSED));
	VOID(ibv_end_poll(&cqx));
}

int main(void)
{
	/* Contexts of libraries that know fewer slots, up to the last ones */
	static const size_t shorter[] = { 0, 16, 24, 32, 100, 200, 335, 336 };
	char mode[32];
	size_t i;

	fill_slots();
	vctx.sz = sizeof(vctx);
	ctx->abi_compat = NULL;
	try_slots("old context");
	ctx->abi_compat = __VERBS_ABI_IS_EXTENDED;
	for (i = 0; i < sizeof(shorter) / sizeof(shorter[0]); i++) {
		snprintf(mode, sizeof(mode), "%zu bytes less", shorter[i]);
		vctx.sz = sizeof(vctx) - shorter[i];
		try_slots(mode);
	}
	vctx.sz = sizeof(vctx);
	try_ops("ops");
	try_helpers("helpers");
	try_extended("extended");
	memset(&vctx, 0, offsetof(struct verbs_context, sz));
	try_slots("empty slots");
	return 0;
}
