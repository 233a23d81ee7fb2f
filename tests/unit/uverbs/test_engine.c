// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* How commands reach the kernel, whatever they are about. */
#include <string.h>

#include "kernel_script.h"
#include "priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))

/* ---- which methods the kernel lacks ---- */

static void expect_destroy(uint16_t object, uint16_t method, uint16_t attr,
			   int err)
{
	struct kernel_call *call = kernel_expect(object, method);

	kernel_handle(call, attr, 4);
	kernel_fails(call, err);
}

static void expect_older(uint32_t command)
{
	const uint32_t plain = 4, extended[] = { 0, 4 };

	if (command & IB_USER_VERBS_CMD_FLAG_EXTENDED)
		kernel_expect_write(command, extended, sizeof(extended), NULL,
				    0);
	else
		kernel_expect_write(command, &plain, sizeof(plain), NULL, 0);
}

static void a_missing_method_is_remembered(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 4 };
	struct verbs_mr mr = { .ibv_mr = { .context = *state, .handle = 4 } };

	expect_destroy(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY,
		       UVERBS_ATTR_DESTROY_PD_HANDLE, EPROTONOSUPPORT);
	expect_older(IB_USER_VERBS_CMD_DEALLOC_PD);
	assert_int_equal(ibv_cmd_dealloc_pd(&pd), 0);

	expect_older(IB_USER_VERBS_CMD_DEALLOC_PD);
	assert_int_equal(ibv_cmd_dealloc_pd(&pd), 0);

	/* Another operation is not affected. */
	expect_destroy(UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY,
		       UVERBS_ATTR_DESTROY_MR_HANDLE, 0);
	assert_int_equal(ibv_cmd_dereg_mr(&mr), 0);
}

static void other_errors_are_not_remembered(void **state)
{
	static const int errors[] = { EINVAL, EOPNOTSUPP, ENOSYS, EBUSY, EIO };
	struct ibv_pd pd = { .context = *state, .handle = 4 };

	for (size_t i = 0; i < COUNT(errors); i++) {
		expect_destroy(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY,
			       UVERBS_ATTR_DESTROY_PD_HANDLE, errors[i]);
		assert_int_equal(ibv_cmd_dealloc_pd(&pd), errors[i]);
		assert_int_equal(errno, errors[i]);
	}
}

static void another_context_learns_for_itself(void **state)
{
	struct ibv_context *other = test_context_open();
	struct ibv_pd pd = { .context = *state, .handle = 4 };
	struct ibv_pd other_pd = { .context = other, .handle = 4 };
	int fd = other->cmd_fd;

	expect_destroy(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY,
		       UVERBS_ATTR_DESTROY_PD_HANDLE, EPROTONOSUPPORT);
	expect_older(IB_USER_VERBS_CMD_DEALLOC_PD);
	assert_int_equal(ibv_cmd_dealloc_pd(&pd), 0);

	/* The script knows one descriptor only. */
	other->cmd_fd = pd.context->cmd_fd;
	expect_destroy(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY,
		       UVERBS_ATTR_DESTROY_PD_HANDLE, 0);
	assert_int_equal(ibv_cmd_dealloc_pd(&other_pd), 0);
	other->cmd_fd = fd;
	ibv_close_device(other);
}

static void address_handles_flows_and_tables_learn_together(void **state)
{
	struct ibv_ah ah = { .context = *state, .handle = 4 };
	struct ibv_flow flow = { .context = *state, .handle = 4 };
	struct ibv_rwq_ind_table table = { .context = *state,
					   .ind_tbl_handle = 4 };

	expect_destroy(UVERBS_OBJECT_FLOW, UVERBS_METHOD_FLOW_DESTROY,
		       UVERBS_ATTR_DESTROY_FLOW_HANDLE, EPROTONOSUPPORT);
	expect_older(IB_USER_VERBS_EX_CMD_DESTROY_FLOW |
		     IB_USER_VERBS_CMD_FLAG_EXTENDED);
	assert_int_equal(ibv_cmd_destroy_flow(&flow), 0);
	expect_older(IB_USER_VERBS_CMD_DESTROY_AH);
	assert_int_equal(ibv_cmd_destroy_ah(&ah), 0);
	expect_older(IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL |
		     IB_USER_VERBS_CMD_FLAG_EXTENDED);
	assert_int_equal(ibv_cmd_destroy_rwq_ind_table(&table), 0);
}

static void no_ioctl_marks_all(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 4 };
	struct verbs_mr mr = { .ibv_mr = { .context = *state, .handle = 4 } };
	const uint32_t handle = 4;
	struct kernel_call *call;

	expect_destroy(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY,
		       UVERBS_ATTR_DESTROY_PD_HANDLE, ENOTTY);
	call = kernel_expect_write(IB_USER_VERBS_CMD_DEALLOC_PD, &handle,
				   sizeof(handle), NULL, 0);
	kernel_fails(call, ENOTTY);
	assert_int_equal(ibv_cmd_dealloc_pd(&pd), EOPNOTSUPP);
	assert_int_equal(errno, EOPNOTSUPP);

	call = kernel_expect_write(IB_USER_VERBS_CMD_DEREG_MR, &handle,
				   sizeof(handle), NULL, 0);
	kernel_fails(call, ENOTTY);
	assert_int_equal(ibv_cmd_dereg_mr(&mr), EOPNOTSUPP);
}

static void gid_queries_learn_together(void **state)
{
	struct ibv_gid_entry entry = { .gid_index = 99 };
	uint64_t count = 1;
	struct kernel_call *call;

	call = kernel_expect(UVERBS_OBJECT_DEVICE,
			     UVERBS_METHOD_QUERY_GID_ENTRY);
	kernel_u64(call, UVERBS_ATTR_QUERY_GID_ENTRY_PORT, 2);
	kernel_u64(call, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, 3);
	kernel_u32(call, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, 0);
	kernel_out(call, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, sizeof(entry),
		   NULL, 0);
	kernel_fails(call, EPROTONOSUPPORT);
	assert_int_equal(uverbs_query_gid_entry(*state, 2, 3, 0, &entry,
						sizeof(entry)),
			 EOPNOTSUPP);
	/* No command for any of the two from now on */
	assert_int_equal(uverbs_query_gid_table(*state, 0, &entry,
						sizeof(entry), &count),
			 EOPNOTSUPP);
	assert_int_equal(count, 1);
	assert_int_equal(entry.gid_index, 99);
}

/* ---- imported contexts do not fall back ---- */

static int missing(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	unsigned int *older = arg;

	(void)fd;
	if (hdr->object_id != UVERBS_OBJECT_DEVICE ||
	    hdr->method_id != UVERBS_METHOD_INVOKE_WRITE)
		return EPROTONOSUPPORT;
	++*older;
	return 0;
}

static void imported_contexts_refuse_to_fall_back(void **state)
{
	struct ibv_context *context = *state;
	struct ibv_pd pd = { .context = context, .handle = 4 };
	struct ibv_cq cq = { .context = context, .handle = 5 }, new_cq;
	struct ibv_srq_init_attr srq_attr = { .attr = { .max_wr = 1 } };
	struct ibv_qp_init_attr qp_attr = { .qp_type = IBV_QPT_RC,
					    .send_cq = &cq,
					    .recv_cq = &cq };
	struct ibv_wq_init_attr wq_attr = { .pd = &pd, .cq = &cq };
	struct ibv_srq srq;
	struct ibv_qp qp;
	struct ibv_wq wq;
	unsigned int older = 0;

	get_priv(context)->imported = true;
	kernel_answer_with(missing, &older);
	for (int twice = 0; twice < 2; twice++) {
		errno = 0;
		assert_int_equal(ibv_cmd_create_cq(context, 1, NULL, 0, &new_cq,
						   NULL, 0, NULL, 0),
				 EOPNOTSUPP);
		assert_int_equal(errno, EOPNOTSUPP);
		assert_int_equal(ibv_cmd_create_srq(&pd, &srq, &srq_attr, NULL,
						    0, NULL, 0),
				 EOPNOTSUPP);
		assert_int_equal(ibv_cmd_create_qp(&pd, &qp, &qp_attr, NULL, 0,
						   NULL, 0),
				 EOPNOTSUPP);
		assert_int_equal(ibv_cmd_create_wq(context, &wq_attr, &wq, NULL,
						   0, NULL, 0),
				 EOPNOTSUPP);
	}
	assert_int_equal(older, 0);
	/* Others may. */
	assert_int_equal(ibv_cmd_dealloc_pd(&pd), 0);
	assert_int_equal(older, 1);
	/* The second round knew. */
	assert_int_equal(kernel_calls(), 4 + 2);
}

/* ---- errors ---- */

/* What may come from the kernel reaches the caller, and errno, as it is. */
static void errors_pass_unchanged(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 4 };
	struct ibv_mw mw = { 0 };
	struct ibv_cq cq = { 0 };
	struct kernel_call *call;

	for (int err = 1; err < 134; err++) {
		bool falls = err == EPROTONOSUPPORT || err == ENOTTY;
		int want = falls ? EOPNOTSUPP : err;

		call = kernel_expect_write(IB_USER_VERBS_CMD_ALLOC_MW, NULL,
					   sizeof(struct ib_uverbs_alloc_mw),
					   NULL, 8);
		kernel_fails(call, err);
		errno = 0;
		assert_int_equal(ibv_cmd_alloc_mw(&pd, IBV_MW_TYPE_1, &mw, NULL,
						  0, NULL, 0),
				 want);
		assert_int_equal(errno, want);
		assert_null(mw.context);

		if (falls)
			continue;
		call = kernel_expect(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE);
		kernel_new(call, UVERBS_ATTR_CREATE_CQ_HANDLE, 9);
		kernel_out(call, UVERBS_ATTR_CREATE_CQ_RESP_CQE, 4, NULL, 4);
		kernel_u32(call, UVERBS_ATTR_CREATE_CQ_CQE, 1);
		kernel_u64(call, UVERBS_ATTR_CREATE_CQ_USER_HANDLE,
			   (uintptr_t)&cq);
		kernel_u32(call, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 0);
		kernel_fd(call, UVERBS_ATTR_CREATE_CQ_EVENT_FD,
			  pd.context->async_fd);
		kernel_optional(call);
		kernel_fails_writing(call, err);
		errno = 0;
		assert_int_equal(ibv_cmd_create_cq(*state, 1, NULL, 0, &cq,
						   NULL, 0, NULL, 0),
				 err);
		assert_int_equal(errno, err);
		assert_int_equal(cq.handle, 0);
		assert_int_equal(cq.cqe, 0);
		kernel_restart();
	}
}

/* ---- the probe ---- */

static void probe_knows_an_old_kernel(void **state)
{
	static const struct {
		int err, result;
	} answers[] = {
		{ 0, 0 },
		{ EINVAL, 0 },
		{ ENOSPC, 0 },
		{ EBADF, 0 },
		{ EOPNOTSUPP, 0 },
		{ EPROTONOSUPPORT, EPROTONOSUPPORT },
		{ ENOTTY, EPROTONOSUPPORT },
	};

	for (size_t i = 0; i < COUNT(answers); i++) {
		struct kernel_call *call =
			kernel_expect_write(IB_USER_VERBS_CMD_QUERY_DEVICE,
					    NULL, 0, NULL, 0);

		kernel_fails(call, answers[i].err);
		assert_int_equal(uverbs_probe(*state), answers[i].result);
	}
}

/* ---- buffers of plug-ins ---- */

enum { MAX_LINK = 64 };

struct link {
	struct ibv_command_buffer buffer;
	struct ib_uverbs_attr attrs[MAX_LINK];
};

static void init_link(struct link *link, uint16_t object, uint16_t method,
		      unsigned int room)
{
	memset(link, 0, sizeof(*link));
	link->buffer.next_attr = link->attrs;
	link->buffer.last_attr = link->attrs + room;
	link->buffer.uhw_in_idx = _UHW_NO_INDEX;
	link->buffer.uhw_out_idx = _UHW_NO_INDEX;
	link->buffer.hdr.object_id = object;
	link->buffer.hdr.method_id = method;
}

static struct ib_uverbs_attr *add_link_attr(struct link *link, uint16_t id,
					    uint16_t len, uint64_t data)
{
	struct ib_uverbs_attr *attr = link->buffer.next_attr++;

	attr->attr_id = id;
	attr->len = len;
	attr->flags = UVERBS_ATTR_F_MANDATORY;
	attr->data = data;
	return attr;
}

/* Ids of attributes that a driver could have */
enum { DRIVER_FIRST = (1 << 12) + 2, DRIVER_SECOND, DRIVER_THIRD };

static void chained_attributes_come_last_and_come_back(void **state)
{
	struct ibv_alloc_dm_attr attr = { .length = 1 << 20,
					  .log_align_req = 12 };
	struct verbs_dm dm = { 0 };
	struct link first, second;
	struct kernel_call *call;
	uint64_t output = 0;
	const uint64_t told = 0x1122334455667788;

	init_link(&first, UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, 2);
	init_link(&second, UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, 1);
	first.buffer.next = &second.buffer;
	add_link_attr(&first, DRIVER_FIRST, 0, 0);
	add_link_attr(&first, DRIVER_SECOND, sizeof(output),
		      (uintptr_t)&output);
	add_link_attr(&second, DRIVER_THIRD, 4, 77);

	call = kernel_expect(UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC);
	kernel_new(call, UVERBS_ATTR_ALLOC_DM_HANDLE, 21);
	kernel_u64(call, UVERBS_ATTR_ALLOC_DM_LENGTH, 1 << 20);
	kernel_u32(call, UVERBS_ATTR_ALLOC_DM_ALIGNMENT, 12);
	kernel_new(call, DRIVER_FIRST, 31);
	kernel_out(call, DRIVER_SECOND, sizeof(output), &told, sizeof(told));
	kernel_u32(call, DRIVER_THIRD, 77);

	assert_int_equal(__ioctl_final_num_attrs(3, &first.buffer), 6);
	assert_int_equal(ibv_cmd_alloc_dm(*state, &attr, &dm, &first.buffer),
			 0);
	assert_int_equal(dm.handle, 21);
	assert_int_equal(dm.dm.handle, 21);
	assert_int_equal(dm.dm.comp_mask, IBV_DM_MASK_HANDLE);
	assert_int_equal(first.attrs[0].data, 31);
	assert_true(first.attrs[1].flags & UVERBS_ATTR_F_VALID_OUTPUT);
	assert_int_equal(output, told);
	assert_int_equal(second.attrs[0].data, 77);
}

static void chain_is_not_touched_on_failure(void **state)
{
	struct ibv_counters_init_attr attr = { 0 };
	struct verbs_counters counters = { .handle = 5 };
	struct link link, before;
	struct kernel_call *call;

	init_link(&link, UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_CREATE,
		  1);
	add_link_attr(&link, DRIVER_FIRST, 0, 0);
	before = link;

	call = kernel_expect(UVERBS_OBJECT_COUNTERS,
			     UVERBS_METHOD_COUNTERS_CREATE);
	kernel_new(call, UVERBS_ATTR_CREATE_COUNTERS_HANDLE, 21);
	kernel_new(call, DRIVER_FIRST, 31);
	kernel_fails_writing(call, ENOSPC);
	assert_int_equal(ibv_cmd_create_counters(*state, &attr, &counters,
						 &link.buffer),
			 ENOSPC);
	assert_memory_equal(&link, &before, sizeof(link));
	assert_int_equal(counters.handle, 5);
	assert_null(counters.counters.context);
}

static void short_driver_input_of_a_plugin_is_inlined(void **state)
{
	struct link link;
	struct kernel_call *call;
	uint32_t input[3] = { 1, 2, 3 };

	for (unsigned int words = 1; words <= 3; words++) {
		init_link(&link, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 2);
		add_link_attr(&link, UVERBS_ATTR_DESTROY_PD_HANDLE, 0, 4);
		link.buffer.uhw_in_idx = 1;
		add_link_attr(&link, UVERBS_ATTR_UHW_IN, words * sizeof(*input),
			      (uintptr_t)input);

		call = kernel_expect(UVERBS_OBJECT_PD,
				     UVERBS_METHOD_PD_DESTROY);
		kernel_handle(call, UVERBS_ATTR_DESTROY_PD_HANDLE, 4);
		kernel_in(call, UVERBS_ATTR_UHW_IN, input,
			  words * sizeof(*input));
		assert_int_equal(execute_ioctl(*state, &link.buffer), 0);
	}
}

static void execute_appends_a_chain_if_there_is_room(void **state)
{
	struct link cmd, link;
	struct kernel_call *call;

	init_link(&link, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 1);
	add_link_attr(&link, DRIVER_FIRST, 0, 0);
	init_link(&cmd, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 2);
	add_link_attr(&cmd, UVERBS_ATTR_DESTROY_PD_HANDLE, 0, 4);
	cmd.buffer.next = &link.buffer;
	/* The library completes the header, whatever is in it. */
	cmd.buffer.hdr.length = 0xffff;
	cmd.buffer.hdr.num_attrs = 0xffff;
	cmd.buffer.hdr.reserved1 = UINT64_MAX;
	cmd.buffer.hdr.driver_id = UINT32_MAX;
	cmd.buffer.hdr.reserved2 = UINT32_MAX;

	call = kernel_expect(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY);
	kernel_handle(call, UVERBS_ATTR_DESTROY_PD_HANDLE, 4);
	kernel_new(call, DRIVER_FIRST, 6);
	assert_int_equal(execute_ioctl(*state, &cmd.buffer), 0);
	assert_int_equal(link.attrs[0].data, 6);

	cmd.buffer.last_attr = cmd.attrs + 1;
	errno = 0;
	assert_int_equal(execute_ioctl(*state, &cmd.buffer), EINVAL);
	assert_int_equal(errno, EINVAL);
}

static void spoilt_and_overlong_chains_are_refused(void **state)
{
	struct ibv_alloc_dm_attr attr = { .length = 1 };
	struct verbs_dm dm = { 0 };
	struct link link;

	init_link(&link, UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, MAX_LINK);
	link.buffer.buffer_error = 1;
	assert_int_equal(ibv_cmd_alloc_dm(*state, &attr, &dm, &link.buffer),
			 EINVAL);

	init_link(&link, UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, MAX_LINK);
	for (unsigned int i = 0; i < MAX_LINK; i++)
		add_link_attr(&link, DRIVER_FIRST + i, 4, 0);
	assert_int_equal(ibv_cmd_alloc_dm(*state, &attr, &dm, &link.buffer),
			 EINVAL);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(dm.handle, 0);
	assert_int_equal(kernel_calls(), 0);
}

/* ---- lengths that no attribute can say ---- */

static void overlong_attributes_are_refused(void **state)
{
	static char driver[sizeof(struct ibv_alloc_pd) + 65536];
	struct ib_uverbs_alloc_pd_resp resp;
	struct ibv_sge sges[4096];
	struct ibv_pd pd = { .context = *state, .handle = 4 };
	struct verbs_counters counters = { .counters.context = *state };
	uint64_t values[8192];

	errno = 0;
	assert_int_equal(ibv_cmd_advise_mr(&pd, 0, 0, sges, 4096), EINVAL);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(ibv_cmd_advise_mr(&pd, 0, 0, sges, UINT32_MAX),
			 EINVAL);
	assert_int_equal(ibv_cmd_read_counters(&counters, values, 8192, 0,
					       NULL),
			 EINVAL);
	assert_int_equal(ibv_cmd_alloc_pd(*state, &pd, (void *)driver,
					  sizeof(driver), &resp, sizeof(resp)),
			 EINVAL);
	assert_int_equal(kernel_calls(), 0);
}

static void the_longest_attribute_is_sent(void **state)
{
	static char cmd[sizeof(struct ibv_alloc_pd) + UINT16_MAX];
	struct ibv_pd pd;

	kernel_in(kernel_expect_write(IB_USER_VERBS_CMD_ALLOC_PD, NULL, 8, NULL,
				      4),
		  UVERBS_ATTR_UHW_IN, cmd + sizeof(struct ibv_alloc_pd),
		  UINT16_MAX);
	assert_int_equal(ibv_cmd_alloc_pd(*state, &pd, (void *)cmd, sizeof(cmd),
					  NULL, 0),
			 0);
}

static void a_list_without_entries_is_sent(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 4 };
	struct kernel_call *call =
		kernel_expect(UVERBS_OBJECT_MR, UVERBS_METHOD_ADVISE_MR);

	kernel_handle(call, UVERBS_ATTR_ADVISE_MR_PD_HANDLE, 4);
	kernel_u64(call, UVERBS_ATTR_ADVISE_MR_ADVICE, 1);
	kernel_u32(call, UVERBS_ATTR_ADVISE_MR_FLAGS, 1);
	kernel_in(call, UVERBS_ATTR_ADVISE_MR_SGE_LIST, "", 0);
	assert_int_equal(ibv_cmd_advise_mr(&pd, 1, 1, NULL, 0), 0);
}

/* ---- driver data ---- */

static void driver_input_is_inline_up_to_eight_bytes(void **state)
{
	struct {
		struct ibv_alloc_mw cmd;
		char driver[24];
	} rq;
	struct {
		struct ib_uverbs_alloc_mw_resp resp;
		char driver[24];
	} rp;
	struct ibv_pd pd = { .context = *state, .handle = 4 };
	const struct ib_uverbs_alloc_mw core = { .pd_handle = 4, .mw_type = 2 };
	const struct ib_uverbs_alloc_mw_resp reply = { .mw_handle = 8,
						       .rkey = 9 };
	struct kernel_call *call;
	struct ibv_mw mw;

	memset(&rq, 0xee, sizeof(rq));
	for (size_t i = 0; i < sizeof(rq.driver); i++)
		rq.driver[i] = i + 1;
	for (size_t len = 0; len <= sizeof(rq.driver); len += 4) {
		memset(&rp, 0xcc, sizeof(rp));
		call = kernel_expect_write(IB_USER_VERBS_CMD_ALLOC_MW, &core,
					   sizeof(core), &reply, sizeof(reply));
		if (len) {
			kernel_in(call, UVERBS_ATTR_UHW_IN, rq.driver, len);
			kernel_out(call, UVERBS_ATTR_UHW_OUT, len, rq.driver,
				   len);
		}
		assert_int_equal(ibv_cmd_alloc_mw(&pd, IBV_MW_TYPE_2, &mw,
						  &rq.cmd, sizeof(rq.cmd) + len,
						  &rp.resp,
						  sizeof(rp.resp) + len),
				 0);
		assert_memory_equal(&rp.resp, &reply, sizeof(reply));
		assert_memory_equal(rp.driver, rq.driver, len);
		for (size_t i = len; i < sizeof(rp.driver); i++)
			assert_int_equal((unsigned char)rp.driver[i], 0xcc);
		assert_int_equal(mw.handle, 8);
		assert_int_equal(mw.rkey, 9);
	}
}

/*
 * An older command's core reply reaches the provider, directly before the
 * driver's bytes.
 */
#define CHECK_CORE_REPLY(_command, _in_len, _reply, _call)                     \
	do {                                                                   \
		struct {                                                       \
			struct _reply core;                                    \
			uint32_t driver[2];                                    \
		} rp = { 0 };                                                  \
		struct _reply core;                                            \
		const uint32_t bytes[2] = { 0x11, 0x22 };                      \
		size_t rp_len = sizeof(rp.core) + sizeof(rp.driver);           \
                                                                               \
		memset(&core, 0x13, sizeof(core));                             \
		kernel_out(kernel_expect_write(_command, NULL, _in_len, &core, \
					       sizeof(core)),                  \
			   UVERBS_ATTR_UHW_OUT, sizeof(bytes), bytes,          \
			   sizeof(bytes));                                     \
		assert_int_equal(_call, 0);                                    \
		assert_memory_equal(&rp.core, &core, sizeof(core));            \
		assert_memory_equal(rp.driver, bytes, sizeof(bytes));          \
	} while (0)

static void the_core_reply_reaches_the_provider(void **state)
{
	struct verbs_xrcd xrcd = { 0 };
	struct ibv_xrcd_init_attr xrcd_attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
	};
	struct ibv_qp_open_attr open_attr = {
		.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD |
			     IBV_QP_OPEN_ATTR_TYPE,
		.xrcd = &xrcd.xrcd,
	};
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct ibv_cq cq = { .context = *state };
	struct verbs_mr mr = { .ibv_mr.context = *state };
	struct verbs_qp qp = { .qp.context = *state };
	struct ibv_ah_attr ah_attr = { 0 };
	struct ibv_open_xrcd open_xrcd;
	struct ibv_open_qp open_qp;
	struct ibv_resize_cq resize;
	struct ibv_rereg_mr rereg;
	struct ibv_reg_mr reg;
	struct ibv_alloc_pd alloc;
	struct ibv_alloc_mw alloc_mw;
	struct ibv_mw mw;
	struct ibv_ah ah;

	CHECK_CORE_REPLY(IB_USER_VERBS_CMD_OPEN_XRCD, 16,
			 ib_uverbs_open_xrcd_resp,
			 ibv_cmd_open_xrcd(*state, &xrcd, sizeof(xrcd),
					   &xrcd_attr, &open_xrcd,
					   sizeof(open_xrcd), &rp.core,
					   rp_len));
	CHECK_CORE_REPLY(IB_USER_VERBS_CMD_OPEN_QP, 32,
			 ib_uverbs_create_qp_resp,
			 ibv_cmd_open_qp(*state, &qp, sizeof(qp), &open_attr,
					 &open_qp, sizeof(open_qp), &rp.core,
					 rp_len));
	CHECK_CORE_REPLY(IB_USER_VERBS_CMD_RESIZE_CQ, 16,
			 ib_uverbs_resize_cq_resp,
			 ibv_cmd_resize_cq(&cq, 1, &resize, sizeof(resize),
					   &rp.core, rp_len));
	CHECK_CORE_REPLY(IB_USER_VERBS_CMD_REREG_MR, 48,
			 ib_uverbs_rereg_mr_resp,
			 ibv_cmd_rereg_mr(&mr, 0, NULL, 0, 0, 0, &pd, &rereg,
					  sizeof(rereg), &rp.core, rp_len));
	CHECK_CORE_REPLY(IB_USER_VERBS_CMD_REG_MR, 40, ib_uverbs_reg_mr_resp,
			 ibv_cmd_reg_mr(&pd, NULL, 0, 0, 0, &mr, &reg,
					sizeof(reg), &rp.core, rp_len));
	CHECK_CORE_REPLY(IB_USER_VERBS_CMD_ALLOC_PD, 8, ib_uverbs_alloc_pd_resp,
			 ibv_cmd_alloc_pd(*state, &pd, &alloc, sizeof(alloc),
					  &rp.core, rp_len));
	CHECK_CORE_REPLY(IB_USER_VERBS_CMD_ALLOC_MW, 16,
			 ib_uverbs_alloc_mw_resp,
			 ibv_cmd_alloc_mw(&pd, IBV_MW_TYPE_1, &mw, &alloc_mw,
					  sizeof(alloc_mw), &rp.core, rp_len));
	CHECK_CORE_REPLY(IB_USER_VERBS_CMD_CREATE_AH, 56,
			 ib_uverbs_create_ah_resp,
			 ibv_cmd_create_ah(&pd, &ah, &ah_attr, &rp.core,
					   rp_len));
}

/* Nothing is written behind a reply buffer that is too short. */
static void short_buffers_are_no_driver_data(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 4 };
	struct ib_uverbs_alloc_mw_resp resp = { .mw_handle = 1, .rkey = 2 };
	const struct ib_uverbs_alloc_mw_resp reply = { .mw_handle = 8,
						       .rkey = 9 };
	struct ibv_alloc_mw cmd;
	struct ibv_mw mw;

	kernel_expect_write(IB_USER_VERBS_CMD_ALLOC_MW, NULL,
			    sizeof(struct ib_uverbs_alloc_mw), &reply,
			    sizeof(reply));
	assert_int_equal(ibv_cmd_alloc_mw(&pd, IBV_MW_TYPE_1, &mw, &cmd, 4,
					  &resp, 4),
			 0);
	assert_int_equal(resp.mw_handle, 1);
	assert_int_equal(resp.rkey, 2);
	assert_int_equal(mw.handle, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(a_missing_method_is_remembered),
		kernel_test(other_errors_are_not_remembered),
		kernel_test(another_context_learns_for_itself),
		kernel_test(address_handles_flows_and_tables_learn_together),
		kernel_test(no_ioctl_marks_all),
		kernel_test(gid_queries_learn_together),
		kernel_test(imported_contexts_refuse_to_fall_back),
		kernel_test(errors_pass_unchanged),
		kernel_test(probe_knows_an_old_kernel),
		kernel_test(chained_attributes_come_last_and_come_back),
		kernel_test(chain_is_not_touched_on_failure),
		kernel_test(short_driver_input_of_a_plugin_is_inlined),
		kernel_test(execute_appends_a_chain_if_there_is_room),
		kernel_test(spoilt_and_overlong_chains_are_refused),
		kernel_test(overlong_attributes_are_refused),
		kernel_test(the_longest_attribute_is_sent),
		kernel_test(a_list_without_entries_is_sent),
		kernel_test(driver_input_is_inline_up_to_eight_bytes),
		kernel_test(the_core_reply_reaches_the_provider),
		kernel_test(short_buffers_are_no_driver_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
