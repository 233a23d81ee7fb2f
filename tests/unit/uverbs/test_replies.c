// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Replies that no kernel should give, and memory that runs out. */
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "kernel_script.h"
#include "priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))
#define EXTENDED(_command) \
	(IB_USER_VERBS_EX_CMD_##_command | IB_USER_VERBS_CMD_FLAG_EXTENDED)
#define PLAIN(_command) IB_USER_VERBS_CMD_##_command

/* ---- counts ---- */

static void poll_cq_believes_no_more_than_it_asked_for(void **state)
{
	struct ibv_cq cq = { .context = *state, .handle = 5 };
	static const uint32_t counts[] = { 5, 1000, 0x7fffffff, 0x80000000,
					   UINT32_MAX };
	struct ibv_wc wc[4], untouched[4];

	memset(wc, 0xee, sizeof(wc));
	memset(untouched, 0xee, sizeof(untouched));
	for (size_t i = 0; i < COUNT(counts); i++) {
		struct {
			struct ib_uverbs_poll_cq_resp resp;
			struct ib_uverbs_wc wc[4];
		} reply = { .resp.count = counts[i] };

		kernel_expect_write(PLAIN(POLL_CQ), NULL, 16, &reply,
				    sizeof(reply));
		errno = 0;
		assert_int_equal(ibv_cmd_poll_cq(&cq, 4, wc), -1);
		assert_int_equal(errno, EPROTO);
		assert_memory_equal(wc, untouched, sizeof(wc));
	}
}

static void poll_cq_asks_for_no_more_than_fits(void **state)
{
	struct ibv_cq cq = { .context = *state, .handle = 5 };
	const struct ib_uverbs_poll_cq most = { .cq_handle = 5, .ne = 1365 };
	const struct ib_uverbs_poll_cq none = { .cq_handle = 5 };

	kernel_expect_write(PLAIN(POLL_CQ), &most, sizeof(most), NULL,
			    8 + 1365 * 48);
	assert_int_equal(ibv_cmd_poll_cq(&cq, INT32_MAX, NULL), 0);
	kernel_expect_write(PLAIN(POLL_CQ), &none, sizeof(none), NULL, 8);
	assert_int_equal(ibv_cmd_poll_cq(&cq, 0, NULL), 0);
	errno = 0;
	assert_int_equal(ibv_cmd_poll_cq(&cq, -1, NULL), -1);
	assert_int_equal(errno, EINVAL);
}

static void expect_gid_table(uint64_t room, uint64_t count)
{
	struct kernel_call *call = kernel_expect(UVERBS_OBJECT_DEVICE,
						 UVERBS_METHOD_QUERY_GID_TABLE);

	kernel_u64(call, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE,
		   sizeof(struct ibv_gid_entry));
	kernel_u32(call, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0);
	kernel_out(call, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES,
		   room * sizeof(struct ibv_gid_entry), NULL, 0);
	kernel_out(call, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, 8,
		   &count, sizeof(count));
}

static void gid_tables_have_no_more_entries_than_room(void **state)
{
	static struct ibv_gid_entry entries[4096];
	static const struct {
		uint64_t room, sent_room, told, taken;
	} cases[] = {
		{ 5, 5, 0, 0 },
		{ 5, 5, 5, 5 },
		{ 5, 5, 6, UINT64_MAX },
		{ 5, 5, UINT64_MAX, UINT64_MAX },
		/* An attribute is less than 64 KiB. */
		{ 4096, 2047, 2047, 2047 },
		{ UINT64_MAX, 2047, 1, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t count = cases[i].room;
		int ret;

		expect_gid_table(cases[i].sent_room, cases[i].told);
		errno = 0;
		ret = uverbs_query_gid_table(*state, 0, entries,
					     sizeof(*entries), &count);
		if (cases[i].taken == UINT64_MAX) {
			assert_int_equal(ret, EPROTO);
			assert_int_equal(errno, EPROTO);
			assert_true(count == cases[i].room);
		} else {
			assert_int_equal(ret, 0);
			assert_true(count == cases[i].taken);
		}
	}
}

static void gid_entries_of_no_or_too_many_bytes_are_refused(void **state)
{
	struct ibv_gid_entry entry;
	uint64_t count = 1;

	errno = 0;
	assert_int_equal(uverbs_query_gid_table(*state, 0, &entry, 0, &count),
			 EINVAL);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(uverbs_query_gid_entry(*state, 1, 0, 0, &entry, 65536),
			 EINVAL);
	assert_int_equal(kernel_calls(), 0);
}

static void an_empty_gid_entry_is_enodata(void **state)
{
	struct ibv_gid_entry entry;
	struct kernel_call *call = kernel_expect(UVERBS_OBJECT_DEVICE,
						 UVERBS_METHOD_QUERY_GID_ENTRY);

	kernel_u64(call, UVERBS_ATTR_QUERY_GID_ENTRY_PORT, 1);
	kernel_u64(call, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, 2);
	kernel_u32(call, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, 0);
	kernel_out(call, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, sizeof(entry),
		   NULL, 0);
	kernel_fails(call, ENODATA);
	assert_int_equal(uverbs_query_gid_entry(*state, 1, 2, 0, &entry,
						sizeof(entry)),
			 ENODATA);
}

/* ---- descriptors ---- */

static void absurd_descriptors_are_refused(void **state)
{
	static const uint64_t fds[] = { 0x80000000, UINT32_MAX, 1ull << 32,
					UINT64_MAX };
	struct ibv_context *context = *state;

	for (size_t i = 0; i < COUNT(fds); i++) {
		const uint32_t fd32 = fds[i];
		int fd = 123;
		struct kernel_call *call =
			kernel_expect(UVERBS_OBJECT_ASYNC_EVENT,
				      UVERBS_METHOD_ASYNC_EVENT_ALLOC);

		kernel_new(call, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE,
			   fds[i]);
		errno = 0;
		assert_int_equal(uverbs_alloc_async_fd(context, &fd), EPROTO);
		assert_int_equal(errno, EPROTO);
		assert_int_equal(fd, 123);

		if (fds[i] > UINT32_MAX)
			continue;
		kernel_expect_write(PLAIN(CREATE_COMP_CHANNEL), NULL, 8, &fd32,
				    4);
		assert_int_equal(uverbs_create_comp_channel(context, &fd),
				 EPROTO);
		assert_int_equal(fd, 123);
	}
}

static void the_largest_descriptor_is_accepted(void **state)
{
	const uint32_t largest = INT32_MAX;
	int fd = 0;

	kernel_new(kernel_expect(UVERBS_OBJECT_ASYNC_EVENT,
				 UVERBS_METHOD_ASYNC_EVENT_ALLOC),
		   UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, largest);
	assert_int_equal(uverbs_alloc_async_fd(*state, &fd), 0);
	assert_int_equal(fd, INT32_MAX);
	kernel_expect_write(PLAIN(CREATE_COMP_CHANNEL), NULL, 8, &largest, 4);
	fd = 0;
	assert_int_equal(uverbs_create_comp_channel(*state, &fd), 0);
	assert_int_equal(fd, INT32_MAX);
}

static int no_get_context(int fd, struct ib_uverbs_ioctl_hdr *hdr, void *arg)
{
	(void)fd;
	(void)arg;
	if (hdr->method_id == UVERBS_METHOD_GET_CONTEXT)
		return EPROTONOSUPPORT;
	memset((void *)(uintptr_t)hdr->attrs[2].data, 0xff, hdr->attrs[2].len);
	return 0;
}

static void an_absurd_async_fd_is_no_context(void **state)
{
	struct ibv_context *context = *state;
	int fd = context->async_fd;

	kernel_answer_with(no_get_context, NULL);
	errno = 0;
	assert_int_equal(ibv_cmd_get_context(to_vctx(context), NULL, 0, NULL,
					     0),
			 EPROTO);
	assert_int_equal(errno, EPROTO);
	assert_int_equal(context->async_fd, fd);
}

/* ---- lengths of extended replies ---- */

static void device_members_end_where_the_kernel_says(void **state)
{
	struct ib_uverbs_ex_query_device_resp reply, resp;
	struct ibv_device_attr_ex attr;
	size_t size;

	memset(&reply, 0x11, sizeof(reply));

	/* Up to the ODP capabilities, which are there only in full */
	reply.response_length =
		offsetof(struct ib_uverbs_ex_query_device_resp, odp_caps) + 8;
	kernel_expect_write(EXTENDED(QUERY_DEVICE), NULL, 8, &reply,
			    sizeof(reply));
	size = sizeof(resp);
	assert_int_equal(ibv_cmd_query_device_any(*state, NULL, &attr,
						  sizeof(attr), &resp, &size),
			 0);
	assert_int_equal(size, reply.response_length);
	assert_int_equal(attr.orig_attr.vendor_id, 0x11111111);
	assert_true(attr.odp_caps.general_caps == 0x1111111111111111);
	assert_int_equal(attr.odp_caps.per_transport_caps.rc_odp_caps, 0);
	assert_true(attr.hca_core_clock == 0);
	assert_int_equal(attr.xrc_odp_caps, 0);

	/* More than there was room for */
	reply.response_length = UINT32_MAX;
	kernel_expect_write(EXTENDED(QUERY_DEVICE), NULL, 8, &reply,
			    sizeof(reply));
	size = sizeof(resp);
	assert_int_equal(ibv_cmd_query_device_any(*state, NULL, &attr,
						  sizeof(attr), &resp, &size),
			 0);
	assert_int_equal(size, sizeof(resp));
	assert_int_equal(attr.xrc_odp_caps, 0x11111111);

	/* Less than the part that always was */
	for (uint32_t len = 0; len < offsetof(typeof(reply), odp_caps); len++) {
		reply.response_length = len;
		kernel_expect_write(EXTENDED(QUERY_DEVICE), NULL, 8, &reply,
				    sizeof(reply));
		size = sizeof(resp);
		assert_int_equal(ibv_cmd_query_device_any(*state, NULL, &attr,
							  sizeof(attr), &resp,
							  &size),
				 EINVAL);
		assert_int_equal(size, sizeof(resp));
		assert_int_equal(attr.orig_attr.vendor_id, 0);
	}
}

/* Nothing is written behind the program's or the provider's struct. */
static void device_structs_may_be_shorter(void **state)
{
	union {
		struct ibv_device_attr_ex attr;
		unsigned char bytes[sizeof(struct ibv_device_attr_ex)];
	} a;
	struct ib_uverbs_ex_query_device_resp reply;
	struct {
		struct ib_uverbs_ex_query_device_resp resp;
		char driver[16];
	} resp;

	memset(&reply, 0x11, sizeof(reply));
	for (size_t size = sizeof(a.attr.orig_attr); size <= sizeof(a.attr);
	     size += 4) {
		bool plain = size == sizeof(a.attr.orig_attr);

		memset(&a, 0xee, sizeof(a));
		reply.response_length = sizeof(reply);
		if (plain)
			kernel_expect_write(PLAIN(QUERY_DEVICE), NULL, 8,
					    &reply.base, sizeof(reply.base));
		else
			kernel_expect_write(EXTENDED(QUERY_DEVICE), NULL, 8,
					    &reply, sizeof(reply));
		assert_int_equal(ibv_cmd_query_device_any(*state, NULL, &a.attr,
							  size, NULL, NULL),
				 0);
		for (size_t i = size; i < sizeof(a); i++)
			assert_int_equal(a.bytes[i], 0xee);
	}

	/* A reply buffer: shorter than the core's, with the driver's, tiny */
	for (size_t size = 184; size <= sizeof(resp); size += 8) {
		size_t core = size < sizeof(reply) ? size : sizeof(reply);
		size_t got = size;
		struct kernel_call *call;

		memset(&resp, 0xee, sizeof(resp));
		reply.response_length = core;
		call = kernel_expect_write(EXTENDED(QUERY_DEVICE), NULL, 8,
					   &reply, core);
		if (size > core)
			kernel_out(call, UVERBS_ATTR_UHW_OUT, size - core, NULL,
				   0);
		assert_int_equal(ibv_cmd_query_device_any(*state, NULL, &a.attr,
							  sizeof(a.attr),
							  &resp.resp, &got),
				 0);
		assert_int_equal(got, core);
		for (size_t i = size; i < sizeof(resp); i++)
			assert_int_equal(((unsigned char *)&resp)[i], 0xee);
	}
	for (size_t size = 0; size < 184; size++) {
		size_t got = size;

		assert_int_equal(ibv_cmd_query_device_any(*state, NULL, &a.attr,
							  sizeof(a.attr),
							  &resp.resp, &got),
				 EINVAL);
	}
}

static void an_older_kernel_has_the_plain_device_query(void **state)
{
	static const int refusals[] = { EOPNOTSUPP, ENOSYS };
	struct ib_uverbs_query_device_resp reply;
	struct ib_uverbs_ex_query_device_resp resp;
	struct ibv_device_attr_ex attr;

	memset(&reply, 0x11, sizeof(reply));
	for (size_t i = 0; i < COUNT(refusals); i++) {
		size_t size = sizeof(resp);

		kernel_fails(kernel_expect_write(EXTENDED(QUERY_DEVICE), NULL,
						 8, NULL, sizeof(resp)),
			     refusals[i]);
		kernel_expect_write(PLAIN(QUERY_DEVICE), NULL, 8, &reply,
				    sizeof(reply));
		assert_int_equal(ibv_cmd_query_device_any(*state, NULL, &attr,
							  sizeof(attr), &resp,
							  &size),
				 0);
		assert_int_equal(size, sizeof(reply));
		assert_int_equal(attr.orig_attr.vendor_id, 0x11111111);
		assert_true(attr.odp_caps.general_caps == 0);
		assert_int_equal(attr.phys_port_cnt_ex, 0x11);
	}
}

static void a_table_reply_must_reach_its_handle(void **state)
{
	struct ibv_wq wq = { .handle = 8 }, *wqs[] = { &wq };
	struct ibv_rwq_ind_table_init_attr attr = { .ind_tbl = wqs };
	struct ibv_rwq_ind_table table = { .ind_tbl_handle = 99 };

	for (uint32_t len = 0; len < 16; len++) {
		const struct ib_uverbs_ex_create_rwq_ind_table_resp reply = {
			.response_length = len,
			.ind_tbl_handle = 5,
		};

		kernel_expect_write(EXTENDED(CREATE_RWQ_IND_TBL), NULL, 16,
				    &reply, sizeof(reply));
		assert_int_equal(ibv_cmd_create_rwq_ind_table(*state, &attr,
							      &table, NULL, 0),
				 EINVAL);
		assert_int_equal(table.ind_tbl_handle, 99);
	}
	/* Nor is there a table of more than the kernel's limit. */
	attr.log_ind_tbl_size = IB_USER_VERBS_MAX_LOG_IND_TBL_SIZE + 1;
	assert_int_equal(ibv_cmd_create_rwq_ind_table(*state, &attr, &table,
						      NULL, 0),
			 EINVAL);
	attr.log_ind_tbl_size = UINT32_MAX;
	assert_int_equal(ibv_cmd_create_rwq_ind_table(*state, &attr, &table,
						      NULL, 0),
			 EINVAL);
}

static void a_short_reply_leaves_zeros(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct ibv_cq cq = { 0 };
	const uint16_t half = 0x1234;
	struct kernel_call *call;

	call = kernel_expect(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE);
	kernel_new(call, UVERBS_ATTR_CREATE_CQ_HANDLE, 31);
	kernel_out(call, UVERBS_ATTR_CREATE_CQ_RESP_CQE, 4, &half, 2);
	kernel_u32(call, UVERBS_ATTR_CREATE_CQ_CQE, 1);
	kernel_u64(call, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, (uintptr_t)&cq);
	kernel_u32(call, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 0);
	kernel_fd(call, UVERBS_ATTR_CREATE_CQ_EVENT_FD, pd.context->async_fd);
	kernel_optional(call);
	assert_int_equal(ibv_cmd_create_cq(*state, 1, NULL, 0, &cq, NULL, 0,
					   NULL, 0),
			 0);
	assert_int_equal(cq.cqe, 0x1234);
}

/* Members of a memory region that are to be zero */
static void regions_in_dirty_memory_are_ready(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct verbs_dm dm = { .handle = 4 };
	struct verbs_mr vmr;

	kernel_simulate();
	memset(&vmr, 0xee, sizeof(vmr));
	assert_int_equal(ibv_cmd_reg_mr(&pd, NULL, 1, 0, 0, &vmr, NULL, 0, NULL,
					0),
			 0);
	assert_int_equal(vmr.mr_type, IBV_MR_TYPE_MR);
	assert_int_equal(vmr.access, 0);
	assert_int_equal(vmr.ibv_mr.lkey, 0);
	assert_int_equal(vmr.ibv_mr.rkey, 0);
	assert_int_equal(ibv_cmd_dereg_mr(&vmr), 0);

	memset(&vmr, 0xee, sizeof(vmr));
	assert_int_equal(ibv_cmd_query_mr(&pd, &vmr, 9), 0);
	assert_null(vmr.ibv_mr.addr);
	assert_true(vmr.ibv_mr.length == 0);
	assert_int_equal(vmr.ibv_mr.lkey, 0);

	memset(&vmr, 0xee, sizeof(vmr));
	assert_int_equal(ibv_cmd_reg_dm_mr(&pd, &dm, 0, 1,
					   IBV_ACCESS_ZERO_BASED, &vmr, NULL),
			 0);
	assert_null(vmr.ibv_mr.addr);
	assert_int_equal(vmr.mr_type, IBV_MR_TYPE_MR);
	assert_int_equal(ibv_cmd_dereg_mr(&vmr), 0);
	assert_int_equal(kernel_live_objects(), 0);
}

/* ---- masks: the first bit that nobody knows ---- */

static void unknown_mask_bits_are_refused_alone(void **state)
{
	struct ibv_context *context = *state;
	struct ibv_xrcd_init_attr xrcd_attr = { .comp_mask = 1 << 2 };
	struct ibv_qp_open_attr open_attr = { .comp_mask = 1 << 4 };
	struct ibv_srq_init_attr_ex srq_attr = { .comp_mask = 1 << 5 };
	struct ibv_wq_init_attr wq_attr = { .comp_mask = 1 << 1 };
	struct ibv_wq_attr wq_modify = { .attr_mask = 1 << 3 };
	struct ibv_modify_cq_attr cq_modify = { .attr_mask = 1 << 1 };
	struct ibv_cq_init_attr_ex cq_attr = { .comp_mask = 1 << 2 };
	struct ibv_qp_init_attr_ex qp_attr = { .comp_mask = 1 << 7 };
	struct ibv_counters_init_attr counters_attr = { .comp_mask = 1u << 31 };
	struct verbs_counters counters;
	struct ibv_cq cq = { .context = context };
	struct ibv_wq wq = { .context = context };
	struct verbs_xrcd xrcd;
	struct verbs_srq srq;
	struct verbs_qp qp;
	struct verbs_cq new_cq;

	assert_int_equal(ibv_cmd_open_xrcd(context, &xrcd, sizeof(xrcd),
					   &xrcd_attr, NULL, 0, NULL, 0),
			 EOPNOTSUPP);
	assert_int_equal(ibv_cmd_open_qp(context, &qp, sizeof(qp), &open_attr,
					 NULL, 0, NULL, 0),
			 EOPNOTSUPP);
	assert_int_equal(ibv_cmd_create_srq_ex(context, &srq, &srq_attr, NULL,
					       0, NULL, 0),
			 EOPNOTSUPP);
	assert_int_equal(ibv_cmd_create_wq(context, &wq_attr, &wq, NULL, 0,
					   NULL, 0),
			 EINVAL);
	assert_int_equal(ibv_cmd_modify_wq(&wq, &wq_modify, NULL, 0), EINVAL);
	assert_int_equal(ibv_cmd_modify_cq(&cq, &cq_modify, NULL, 0), EINVAL);
	assert_int_equal(ibv_cmd_create_cq_ex(context, &cq_attr, &new_cq, NULL,
					      0, NULL, 0, 0),
			 EOPNOTSUPP);
	assert_int_equal(ibv_cmd_create_qp_ex2(context, &qp, &qp_attr, NULL, 0,
					       NULL, 0),
			 EINVAL);
	assert_int_equal(ibv_cmd_create_counters(context, &counters_attr,
						 &counters, NULL),
			 EOPNOTSUPP);
	assert_int_equal(kernel_calls(), 0);
}

static void srq_types_need_their_members(void **state)
{
	enum {
		TYPE_PD = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		X = IBV_SRQ_INIT_ATTR_XRCD,
		C = IBV_SRQ_INIT_ATTR_CQ,
		T = IBV_SRQ_INIT_ATTR_TM,
	};
	static const struct {
		int type;
		uint32_t mask, tags;
	} wrong[] = {
		{ IBV_SRQT_XRC, TYPE_PD | X, 0 },
		{ IBV_SRQT_XRC, TYPE_PD | C, 0 },
		{ IBV_SRQT_XRC, IBV_SRQ_INIT_ATTR_TYPE | X | C, 0 },
		{ IBV_SRQT_TM, TYPE_PD | C, 1 },
		{ IBV_SRQT_TM, TYPE_PD | T, 1 },
		{ IBV_SRQT_TM, TYPE_PD | T | C, 0 },
		{ IBV_SRQT_TM + 1, TYPE_PD | X | C | T, 1 },
	};
	struct verbs_srq srq;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct ibv_srq_init_attr_ex attr = {
			.comp_mask = wrong[i].mask,
			.srq_type = wrong[i].type,
			.tm_cap.max_num_tags = wrong[i].tags,
		};

		errno = 0;
		assert_int_equal(ibv_cmd_create_srq_ex(*state, &srq, &attr,
						       NULL, 0, NULL, 0),
				 EINVAL);
		assert_int_equal(errno, EINVAL);
	}
}

/* ---- memory ---- */

/* Providers need not clear what the library initialises. */
static void objects_in_dirty_memory_are_ready(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct ibv_cq cq = { .context = *state, .handle = 4 };
	struct ibv_srq_init_attr srq_attr = { .attr = { .max_wr = 1 } };
	struct ibv_qp_init_attr qp_attr = { .qp_type = IBV_QPT_RC,
					    .send_cq = &cq,
					    .recv_cq = &cq };
	struct verbs_xrcd xrcd = { .handle = 5 };
	struct ibv_qp_open_attr open_attr = {
		.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD |
			     IBV_QP_OPEN_ATTR_TYPE,
		.xrcd = &xrcd.xrcd,
	};
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct verbs_qp qp, opened;
	struct ibv_srq srq;

	memset(&srq, 0xee, sizeof(srq));
	memset(&qp, 0xee, sizeof(qp));
	memset(&opened, 0xee, sizeof(opened));
	kernel_simulate();
	assert_int_equal(ibv_cmd_create_srq(&pd, &srq, &srq_attr, NULL, 0, NULL,
					    0),
			 0);
	assert_int_equal(ibv_cmd_create_qp(&pd, &qp.qp, &qp_attr, NULL, 0, NULL,
					   0),
			 0);
	assert_int_equal(ibv_cmd_open_qp(*state, &opened, sizeof(opened),
					 &open_attr, NULL, 0, NULL, 0),
			 0);
	assert_memory_equal(&srq.mutex, &mutex, sizeof(mutex));
	assert_memory_equal(&srq.cond, &cond, sizeof(cond));
	assert_memory_equal(&qp.qp.mutex, &mutex, sizeof(mutex));
	assert_memory_equal(&qp.qp.cond, &cond, sizeof(cond));
	assert_int_equal(qp.qp.events_completed, 0);
	assert_memory_equal(&opened.qp.mutex, &mutex, sizeof(mutex));
	assert_memory_equal(&opened.qp.cond, &cond, sizeof(cond));
	assert_null(opened.qp.qp_context);
	assert_int_equal(ibv_cmd_destroy_qp(&opened.qp), 0);
	assert_int_equal(ibv_cmd_destroy_qp(&qp.qp), 0);
	srq.events_completed = 0;
	assert_int_equal(ibv_cmd_destroy_srq(&srq), 0);
	assert_int_equal(kernel_live_objects(), 0);
}

static bool poll_many(void *arg)
{
	struct ibv_cq cq = { .context = arg, .handle = 5 };
	struct ibv_wc wc[17];
	int ret;

	errno = 0;
	ret = ibv_cmd_poll_cq(&cq, 17, wc);
	assert_true(ret == 0 || (ret == -1 && errno == ENOMEM));
	return !ret;
}

static bool post_many(void *arg)
{
	struct ibv_qp qp = { .context = arg, .handle = 7 };
	struct ibv_sge sges[200] = { { 0 } };
	struct ibv_recv_wr recv = { .sg_list = sges, .num_sge = 200 };
	struct ibv_recv_wr *bad = NULL;
	int ret;

	errno = 0;
	ret = ibv_cmd_post_recv(&qp, &recv, &bad);
	if (!ret) {
		assert_null(bad);
		return true;
	}
	assert_int_equal(ret, ENOMEM);
	assert_int_equal(errno, ENOMEM);
	assert_ptr_equal(bad, &recv);
	return false;
}

static bool create_flow(void *arg)
{
	struct ibv_qp qp = { .context = arg, .handle = 7 };
	struct ibv_flow_attr attr = { .port = 1 };
	struct ibv_flow flow = { 0 };
	int ret = ibv_cmd_create_flow(&qp, &flow, &attr, NULL, 0);

	if (!ret)
		return !ibv_cmd_destroy_flow(&flow);
	assert_int_equal(ret, ENOMEM);
	assert_null(flow.context);
	return false;
}

static bool create_table(void *arg)
{
	struct ibv_wq wq = { .handle = 8 }, *wqs[] = { &wq };
	struct ibv_rwq_ind_table_init_attr attr = { .ind_tbl = wqs };
	struct ibv_rwq_ind_table table = { 0 };
	int ret = ibv_cmd_create_rwq_ind_table(arg, &attr, &table, NULL, 0);

	if (!ret)
		return !ibv_cmd_destroy_rwq_ind_table(&table);
	assert_int_equal(ret, ENOMEM);
	assert_null(table.context);
	return false;
}

static void out_of_memory_is_reported(void **state)
{
	kernel_simulate();
	alloc_fail_each(poll_many, *state, false);
	alloc_fail_each(post_many, *state, false);
	alloc_fail_each(create_flow, *state, false);
	alloc_fail_each(create_table, *state, false);
	assert_int_equal(kernel_live_objects(), 0);
}

static bool use_everything(void *arg)
{
	struct ibv_context *context = arg;
	struct ibv_pd pd = { 0 };
	struct verbs_mr mr = { 0 };
	struct ibv_cq cq = { 0 };
	struct verbs_qp qp = { 0 };
	struct ibv_mw mw = { 0 };
	struct ibv_ah ah = { 0 };
	struct ibv_ah_attr ah_attr = { 0 };
	struct ibv_qp_init_attr qp_attr = { .qp_type = IBV_QPT_RC,
					    .send_cq = &cq,
					    .recv_cq = &cq };
	struct ibv_send_wr send = { 0 }, *bad;
	struct ibv_wc wc[16];

	assert_int_equal(ibv_cmd_alloc_pd(context, &pd, NULL, 0, NULL, 0), 0);
	assert_int_equal(ibv_cmd_reg_mr(&pd, NULL, 1, 0, 0, &mr, NULL, 0, NULL,
					0),
			 0);
	assert_int_equal(ibv_cmd_create_cq(context, 1, NULL, 0, &cq, NULL, 0,
					   NULL, 0),
			 0);
	assert_int_equal(ibv_cmd_create_qp(&pd, &qp.qp, &qp_attr, NULL, 0, NULL,
					   0),
			 0);
	assert_int_equal(ibv_cmd_alloc_mw(&pd, 1, &mw, NULL, 0, NULL, 0), 0);
	assert_int_equal(ibv_cmd_create_ah(&pd, &ah, &ah_attr, NULL, 0), 0);
	assert_int_equal(ibv_cmd_post_send(&qp.qp, &send, &bad), 0);
	assert_int_equal(ibv_cmd_poll_cq(&cq, 16, wc), 0);
	assert_int_equal(kernel_live_objects(), 6);
	assert_int_equal(ibv_cmd_destroy_ah(&ah), 0);
	assert_int_equal(ibv_cmd_dealloc_mw(&mw), 0);
	assert_int_equal(ibv_cmd_destroy_qp(&qp.qp), 0);
	pthread_mutex_init(&cq.mutex, NULL);
	assert_int_equal(ibv_cmd_destroy_cq(&cq), 0);
	assert_int_equal(ibv_cmd_dereg_mr(&mr), 0);
	assert_int_equal(ibv_cmd_dealloc_pd(&pd), 0);
	return true;
}

/* The first attempt meets no allocation at all. */
static void common_commands_allocate_nothing(void **state)
{
	kernel_simulate();
	alloc_fail_at(1);
	use_everything(*state);
	assert_false(alloc_has_failed());
	alloc_fail_at(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(poll_cq_believes_no_more_than_it_asked_for),
		kernel_test(poll_cq_asks_for_no_more_than_fits),
		kernel_test(gid_tables_have_no_more_entries_than_room),
		kernel_test(gid_entries_of_no_or_too_many_bytes_are_refused),
		kernel_test(an_empty_gid_entry_is_enodata),
		kernel_test(absurd_descriptors_are_refused),
		kernel_test(the_largest_descriptor_is_accepted),
		kernel_test(an_absurd_async_fd_is_no_context),
		kernel_test(device_members_end_where_the_kernel_says),
		kernel_test(device_structs_may_be_shorter),
		kernel_test(an_older_kernel_has_the_plain_device_query),
		kernel_test(a_table_reply_must_reach_its_handle),
		kernel_test(a_short_reply_leaves_zeros),
		kernel_test(unknown_mask_bits_are_refused_alone),
		kernel_test(srq_types_need_their_members),
		kernel_test(regions_in_dirty_memory_are_ready),
		kernel_test(objects_in_dirty_memory_are_ready),
		kernel_test(out_of_memory_is_reported),
		kernel_test(common_commands_allocate_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
