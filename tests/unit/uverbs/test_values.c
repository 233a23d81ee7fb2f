// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Every value of a caller reaches its place in the request, and every value of
 * the kernel its place in the caller's structs.  (That the right attributes go
 * out and the right members are written is what test_sequences.c sees to.)
 */
#include <string.h>

#include "kernel_script.h"
#include "priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))
#define EXTENDED(_command) \
	(IB_USER_VERBS_EX_CMD_##_command | IB_USER_VERBS_CMD_FLAG_EXTENDED)
#define PLAIN(_command) IB_USER_VERBS_CMD_##_command

/* Numbers all of which differ, as far as that goes */
static void fill(void *to, size_t len)
{
	unsigned char *bytes = to;

	for (size_t i = 0; i < len; i++)
		bytes[i] = 1 + i % 126;
}

#define SAME(_a, _b) assert_true((uint64_t)(_a) == (uint64_t)(_b))

/* ---- devices and ports ---- */

static void query_device_gives_all(void **state)
{
	struct ib_uverbs_ex_query_device_resp r;
	struct ibv_device_attr_ex a;

	fill(&r, sizeof(r));
	r.response_length = sizeof(r);
	kernel_expect_write(EXTENDED(QUERY_DEVICE), "\0\0\0\0\0\0\0", 8, &r,
			    sizeof(r));
	assert_int_equal(ibv_cmd_query_device_any(*state, NULL, &a, sizeof(a),
						  NULL, NULL),
			 0);
#define BASE(_member) SAME(a.orig_attr._member, r.base._member)
	BASE(node_guid);
	BASE(sys_image_guid);
	BASE(max_mr_size);
	BASE(page_size_cap);
	BASE(vendor_id);
	BASE(vendor_part_id);
	BASE(hw_ver);
	BASE(max_qp);
	BASE(max_qp_wr);
	BASE(device_cap_flags);
	BASE(max_sge);
	BASE(max_sge_rd);
	BASE(max_cq);
	BASE(max_cqe);
	BASE(max_mr);
	BASE(max_pd);
	BASE(max_qp_rd_atom);
	BASE(max_ee_rd_atom);
	BASE(max_res_rd_atom);
	BASE(max_qp_init_rd_atom);
	BASE(max_ee_init_rd_atom);
	BASE(atomic_cap);
	BASE(max_ee);
	BASE(max_rdd);
	BASE(max_mw);
	BASE(max_raw_ipv6_qp);
	BASE(max_raw_ethy_qp);
	BASE(max_mcast_grp);
	BASE(max_mcast_qp_attach);
	BASE(max_total_mcast_qp_attach);
	BASE(max_ah);
	BASE(max_fmr);
	BASE(max_map_per_fmr);
	BASE(max_srq);
	BASE(max_srq_wr);
	BASE(max_srq_sge);
	BASE(max_pkeys);
	BASE(local_ca_ack_delay);
	BASE(phys_port_cnt);
#undef BASE
	SAME(a.odp_caps.general_caps, r.odp_caps.general_caps);
	SAME(a.odp_caps.per_transport_caps.rc_odp_caps,
	     r.odp_caps.per_transport_caps.rc_odp_caps);
	SAME(a.odp_caps.per_transport_caps.uc_odp_caps,
	     r.odp_caps.per_transport_caps.uc_odp_caps);
	SAME(a.odp_caps.per_transport_caps.ud_odp_caps,
	     r.odp_caps.per_transport_caps.ud_odp_caps);
	SAME(a.completion_timestamp_mask, r.timestamp_mask);
	SAME(a.hca_core_clock, r.hca_core_clock);
	SAME(a.device_cap_flags_ex, r.device_cap_flags_ex);
	SAME(a.rss_caps.supported_qpts, r.rss_caps.supported_qpts);
	SAME(a.rss_caps.max_rwq_indirection_tables,
	     r.rss_caps.max_rwq_indirection_tables);
	SAME(a.rss_caps.max_rwq_indirection_table_size,
	     r.rss_caps.max_rwq_indirection_table_size);
	SAME(a.max_wq_type_rq, r.max_wq_type_rq);
	SAME(a.raw_packet_caps, r.raw_packet_caps);
	SAME(a.tm_caps.max_rndv_hdr_size, r.tm_caps.max_rndv_hdr_size);
	SAME(a.tm_caps.max_num_tags, r.tm_caps.max_num_tags);
	SAME(a.tm_caps.flags, r.tm_caps.flags);
	SAME(a.tm_caps.max_ops, r.tm_caps.max_ops);
	SAME(a.tm_caps.max_sge, r.tm_caps.max_sge);
	SAME(a.cq_mod_caps.max_cq_count,
	     r.cq_moderation_caps.max_cq_moderation_count);
	SAME(a.cq_mod_caps.max_cq_period,
	     r.cq_moderation_caps.max_cq_moderation_period);
	SAME(a.max_dm_size, r.max_dm_size);
	SAME(a.xrc_odp_caps, r.xrc_odp_caps);
	SAME(a.phys_port_cnt_ex, r.base.phys_port_cnt);
}

static void port_count_comes_from_discovery_if_known(void **state)
{
	struct ibv_context *context = *state;
	struct verbs_device *device = verbs_get_device(context->device);
	struct verbs_sysfs_dev sysfs = { .num_ports = 300 };
	struct ib_uverbs_ex_query_device_resp r = {
		.base.phys_port_cnt = 44,
		.response_length = sizeof(r),
	};
	struct ibv_device_attr_ex a;

	for (int known = 0; known < 2; known++) {
		sysfs.num_ports = known ? 300 : 0;
		device->sysfs = &sysfs;
		kernel_expect_write(EXTENDED(QUERY_DEVICE), NULL, 8, &r,
				    sizeof(r));
		assert_int_equal(ibv_cmd_query_device_any(context, NULL, &a,
							  sizeof(a), NULL,
							  NULL),
				 0);
		device->sysfs = NULL;
		assert_int_equal(a.orig_attr.phys_port_cnt, 44);
		assert_int_equal(a.phys_port_cnt_ex, known ? 300 : 44);
	}
}

static void check_port(const struct ibv_port_attr *a,
		       const struct ib_uverbs_query_port_resp *r)
{
	SAME(a->state, r->state);
	SAME(a->max_mtu, r->max_mtu);
	SAME(a->active_mtu, r->active_mtu);
	SAME(a->gid_tbl_len, r->gid_tbl_len);
	SAME(a->port_cap_flags, r->port_cap_flags);
	SAME(a->max_msg_sz, r->max_msg_sz);
	SAME(a->bad_pkey_cntr, r->bad_pkey_cntr);
	SAME(a->qkey_viol_cntr, r->qkey_viol_cntr);
	SAME(a->pkey_tbl_len, r->pkey_tbl_len);
	SAME(a->lid, r->lid);
	SAME(a->sm_lid, r->sm_lid);
	SAME(a->lmc, r->lmc);
	SAME(a->max_vl_num, r->max_vl_num);
	SAME(a->sm_sl, r->sm_sl);
	SAME(a->subnet_timeout, r->subnet_timeout);
	SAME(a->init_type_reply, r->init_type_reply);
	SAME(a->active_width, r->active_width);
	SAME(a->active_speed, r->active_speed);
	SAME(a->phys_state, r->phys_state);
	SAME(a->link_layer, r->link_layer);
	SAME(a->flags, r->flags);
}

static void query_port_gives_all(void **state)
{
	const struct ib_uverbs_query_port request = { .port_num = 254 };
	struct ib_uverbs_query_port_resp_ex r;
	struct ibv_port_attr a = { 0 };
	struct kernel_call *call;

	fill(&r, sizeof(r));
	call = kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT);
	kernel_u64(call, UVERBS_ATTR_QUERY_PORT_PORT_NUM, 254);
	kernel_out(call, UVERBS_ATTR_QUERY_PORT_RESP, sizeof(r), &r, sizeof(r));
	assert_int_equal(ibv_cmd_query_port(*state, 254, &a, NULL, 0), 0);
	check_port(&a, &r.legacy_resp);
	SAME(a.port_cap_flags2, r.port_cap_flags2);

	memset(&a, 0, sizeof(a));
	call = kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT);
	kernel_u64(call, UVERBS_ATTR_QUERY_PORT_PORT_NUM, 254);
	kernel_out(call, UVERBS_ATTR_QUERY_PORT_RESP, sizeof(r), NULL, 0);
	kernel_fails(call, EPROTONOSUPPORT);
	kernel_expect_write(PLAIN(QUERY_PORT), &request, sizeof(request),
			    &r.legacy_resp, sizeof(r.legacy_resp));
	assert_int_equal(ibv_cmd_query_port(*state, 254, &a, NULL, 0), 0);
	check_port(&a, &r.legacy_resp);
	SAME(a.port_cap_flags2, 0);
}

static void contexts_learn_their_numbers(void **state)
{
	struct ibv_context *context = *state;
	const uint32_t vectors = 0x12345678;
	const uint64_t support = 0x1122334455667788;
	const struct ib_uverbs_get_context_resp reply = {
		.async_fd = 77,
		.num_comp_vectors = 66,
	};
	int fd = context->async_fd;
	struct kernel_call *call;

	call = kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);
	kernel_out(call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, 4, &vectors,
		   4);
	kernel_out(call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, 8, &support, 8);
	assert_int_equal(ibv_cmd_get_context(to_vctx(context), NULL, 0, NULL,
					     0),
			 0);
	SAME(context->num_comp_vectors, vectors);
	SAME(verbs_get_device(context->device)->core_support, support);
	SAME(context->async_fd, fd);

	call = kernel_expect(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);
	kernel_out(call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, 4, NULL, 0);
	kernel_out(call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, 8, NULL, 0);
	kernel_fails(call, EPROTONOSUPPORT);
	kernel_expect_write(PLAIN(GET_CONTEXT), NULL, 8, &reply, sizeof(reply));
	assert_int_equal(ibv_cmd_get_context(to_vctx(context), NULL, 0, NULL,
					     0),
			 0);
	SAME(context->num_comp_vectors, 66);
	SAME(context->async_fd, 77);
	context->async_fd = fd;
	verbs_get_device(context->device)->core_support = 0;
}

static void descriptors_arrive(void **state)
{
	const uint32_t made = 55;
	struct kernel_call *call;
	int fd = -1;

	call = kernel_expect(UVERBS_OBJECT_ASYNC_EVENT,
			     UVERBS_METHOD_ASYNC_EVENT_ALLOC);
	kernel_new(call, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, 44);
	assert_int_equal(uverbs_alloc_async_fd(*state, &fd), 0);
	assert_int_equal(fd, 44);
	kernel_expect_write(PLAIN(CREATE_COMP_CHANNEL), NULL, 8, &made, 4);
	assert_int_equal(uverbs_create_comp_channel(*state, &fd), 0);
	assert_int_equal(fd, 55);
}

/* ---- memory ---- */

static void mr_commands_say_all(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 0xfffffff3 };
	const struct ib_uverbs_reg_mr reg = {
		.start = 0x7766554433221100,
		.length = 0x1234567890,
		.hca_va = 0xfedcba9876543210,
		.pd_handle = 0xfffffff3,
		.access_flags = 0x3ff0000f,
	};
	const struct ib_uverbs_reg_mr_resp reg_resp = { 1, 2, 3 };
	const struct ib_uverbs_rereg_mr rereg = {
		.mr_handle = 1,
		.flags = IBV_REREG_MR_CHANGE_ACCESS |
			 IBV_REREG_MR_CHANGE_TRANSLATION,
		.start = 0x1000,
		.length = 0x2000,
		.hca_va = 0x3000,
		.access_flags = 4,
	};
	struct ib_uverbs_rereg_mr rereg_pd = rereg;
	const struct ib_uverbs_rereg_mr_resp rereg_resp = { .lkey = 7,
							    .rkey = 8 };
	struct verbs_mr vmr = { 0 };

	kernel_expect_write(PLAIN(REG_MR), &reg, sizeof(reg), &reg_resp,
			    sizeof(reg_resp));
	assert_int_equal(ibv_cmd_reg_mr(&pd, (void *)0x7766554433221100,
					0x1234567890, 0xfedcba9876543210,
					0x3ff0000f, &vmr, NULL, 0, NULL, 0),
			 0);
	SAME(vmr.ibv_mr.handle, 1);
	SAME(vmr.ibv_mr.lkey, 2);
	SAME(vmr.ibv_mr.rkey, 3);
	SAME(vmr.access, 0x3ff0000f);

	/* The PD goes along only if it changes. */
	kernel_expect_write(PLAIN(REREG_MR), &rereg, sizeof(rereg), &rereg_resp,
			    sizeof(rereg_resp));
	assert_int_equal(ibv_cmd_rereg_mr(&vmr, rereg.flags, (void *)0x1000,
					  0x2000, 0x3000, 4, &pd, NULL, 0, NULL,
					  0),
			 0);
	SAME(vmr.ibv_mr.lkey, 7);
	SAME(vmr.ibv_mr.rkey, 8);
	rereg_pd.flags |= IBV_REREG_MR_CHANGE_PD;
	rereg_pd.pd_handle = 0xfffffff3;
	kernel_expect_write(PLAIN(REREG_MR), &rereg_pd, sizeof(rereg_pd),
			    &rereg_resp, sizeof(rereg_resp));
	assert_int_equal(ibv_cmd_rereg_mr(&vmr, rereg_pd.flags, (void *)0x1000,
					  0x2000, 0x3000, 4, &pd, NULL, 0, NULL,
					  0),
			 0);
}

static void the_whole_address_space_is_all_ones(void **state)
{
	struct ibv_pd pd = { .context = *state };
	const struct ib_uverbs_reg_mr reg = {
		.length = UINT64_MAX,
		.access_flags = IBV_ACCESS_ON_DEMAND,
	};
	struct verbs_mr vmr;

	kernel_expect_write(PLAIN(REG_MR), &reg, sizeof(reg), NULL, 12);
	assert_int_equal(ibv_cmd_reg_mr(&pd, NULL, SIZE_MAX, 0,
					IBV_ACCESS_ON_DEMAND, &vmr, NULL, 0,
					NULL, 0),
			 0);
}

static void native_mr_commands_say_all(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct verbs_dm dm = { .handle = 5 };
	struct ibv_sge sges[2] = { { 1, 2, 3 }, { 4, 5, 6 } };
	const uint32_t lkey = 11, rkey = 12;
	const uint64_t length = 1ull << 40;
	struct verbs_mr vmr = { 0 };
	struct kernel_call *call;

	call = kernel_expect(UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR);
	kernel_handle(call, UVERBS_ATTR_QUERY_MR_HANDLE, 9);
	kernel_out(call, UVERBS_ATTR_QUERY_MR_RESP_LKEY, 4, &lkey, 4);
	kernel_out(call, UVERBS_ATTR_QUERY_MR_RESP_RKEY, 4, &rkey, 4);
	kernel_out(call, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, 8, &length, 8);
	assert_int_equal(ibv_cmd_query_mr(&pd, &vmr, 9), 0);
	SAME(vmr.ibv_mr.handle, 9);
	SAME(vmr.ibv_mr.lkey, lkey);
	SAME(vmr.ibv_mr.rkey, rkey);
	SAME(vmr.ibv_mr.length, length);
	assert_ptr_equal(vmr.ibv_mr.pd, &pd);

	call = kernel_expect(UVERBS_OBJECT_MR, UVERBS_METHOD_ADVISE_MR);
	kernel_handle(call, UVERBS_ATTR_ADVISE_MR_PD_HANDLE, 3);
	kernel_u64(call, UVERBS_ATTR_ADVISE_MR_ADVICE, 2);
	kernel_u32(call, UVERBS_ATTR_ADVISE_MR_FLAGS, 1);
	kernel_in(call, UVERBS_ATTR_ADVISE_MR_SGE_LIST, sges, sizeof(sges));
	assert_int_equal(
		ibv_cmd_advise_mr(&pd,
				  IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT,
				  1, sges, 2),
		0);

	call = kernel_expect(UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR);
	kernel_new(call, UVERBS_ATTR_REG_DMABUF_MR_HANDLE, 21);
	kernel_out(call, UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY, 4, &lkey, 4);
	kernel_out(call, UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, 4, &rkey, 4);
	kernel_handle(call, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, 3);
	kernel_u64(call, UVERBS_ATTR_REG_DMABUF_MR_OFFSET, 0x1000);
	kernel_u64(call, UVERBS_ATTR_REG_DMABUF_MR_LENGTH, 0x2000);
	kernel_u64(call, UVERBS_ATTR_REG_DMABUF_MR_IOVA, 0x3000);
	kernel_u32(call, UVERBS_ATTR_REG_DMABUF_MR_FD, 33);
	kernel_u32(call, UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, 7);
	assert_int_equal(ibv_cmd_reg_dmabuf_mr(&pd, 0x1000, 0x2000, 0x3000, 33,
					       7, &vmr),
			 0);
	SAME(vmr.ibv_mr.handle, 21);
	SAME(vmr.ibv_mr.lkey, lkey);
	SAME(vmr.ibv_mr.rkey, rkey);
	SAME(vmr.ibv_mr.length, 0x2000);
	assert_ptr_equal(vmr.ibv_mr.addr, 0x1000);
	SAME(vmr.mr_type, IBV_MR_TYPE_DMABUF_MR);

	call = kernel_expect(UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG);
	kernel_new(call, UVERBS_ATTR_REG_DM_MR_HANDLE, 22);
	kernel_out(call, UVERBS_ATTR_REG_DM_MR_RESP_LKEY, 4, &rkey, 4);
	kernel_out(call, UVERBS_ATTR_REG_DM_MR_RESP_RKEY, 4, &lkey, 4);
	kernel_handle(call, UVERBS_ATTR_REG_DM_MR_PD_HANDLE, 3);
	kernel_handle(call, UVERBS_ATTR_REG_DM_MR_DM_HANDLE, 5);
	kernel_u64(call, UVERBS_ATTR_REG_DM_MR_OFFSET, 0x10);
	kernel_u64(call, UVERBS_ATTR_REG_DM_MR_LENGTH, 0x20);
	kernel_u32(call, UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS,
		   IBV_ACCESS_ZERO_BASED | 1);
	assert_int_equal(ibv_cmd_reg_dm_mr(&pd, &dm, 0x10, 0x20,
					   IBV_ACCESS_ZERO_BASED | 1, &vmr,
					   NULL),
			 0);
	SAME(vmr.ibv_mr.handle, 22);
	SAME(vmr.ibv_mr.lkey, rkey);
	SAME(vmr.ibv_mr.rkey, lkey);
	SAME(vmr.mr_type, IBV_MR_TYPE_MR);
}

/* ---- completion queues ---- */

static void expect_create_cq(struct ibv_context *context, const void *cq,
			     int channel, uint32_t flags, int err)
{
	const uint32_t granted = 1023;
	struct kernel_call *call =
		kernel_expect(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE);

	kernel_new(call, UVERBS_ATTR_CREATE_CQ_HANDLE, 31);
	kernel_out(call, UVERBS_ATTR_CREATE_CQ_RESP_CQE, 4, &granted, 4);
	kernel_u32(call, UVERBS_ATTR_CREATE_CQ_CQE, 1000);
	kernel_u64(call, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, (uintptr_t)cq);
	if (channel != -1)
		kernel_fd(call, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL, channel);
	kernel_u32(call, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 3);
	kernel_fd(call, UVERBS_ATTR_CREATE_CQ_EVENT_FD, context->async_fd);
	kernel_optional(call);
	if (flags)
		kernel_u32(call, UVERBS_ATTR_CREATE_CQ_FLAGS, flags);
	kernel_fails(call, err);
}

static void create_cq_says_all(void **state)
{
	struct ibv_comp_channel channel = { .fd = 19 };
	struct ibv_cq cq = { 0 };
	struct ib_uverbs_create_cq request = {
		.user_handle = (uintptr_t)&cq,
		.cqe = 1000,
		.comp_vector = 3,
		.comp_channel = 19,
	};
	const struct ib_uverbs_create_cq_resp reply = { .cq_handle = 32,
							.cqe = 2047 };

	expect_create_cq(*state, &cq, 19, 0, 0);
	assert_int_equal(ibv_cmd_create_cq(*state, 1000, &channel, 3, &cq, NULL,
					   0, NULL, 0),
			 0);
	SAME(cq.handle, 31);
	SAME(cq.cqe, 1023);

	expect_create_cq(*state, &cq, 19, 0, EPROTONOSUPPORT);
	kernel_expect_write(PLAIN(CREATE_CQ), &request, sizeof(request), &reply,
			    sizeof(reply));
	assert_int_equal(ibv_cmd_create_cq(*state, 1000, &channel, 3, &cq, NULL,
					   0, NULL, 0),
			 0);
	SAME(cq.handle, 32);
	SAME(cq.cqe, 2047);

	request.comp_channel = -1;
	kernel_expect_write(PLAIN(CREATE_CQ), &request, sizeof(request), &reply,
			    sizeof(reply));
	assert_int_equal(ibv_cmd_create_cq(*state, 1000, NULL, 3, &cq, NULL, 0,
					   NULL, 0),
			 0);
}

static void create_cq_ex_says_its_flags(void **state)
{
	static const struct {
		uint64_t wc_flags;
		uint32_t comp_mask, flags, cmd_flags;
		uint32_t kernel_flags;
		bool extended;
	} cases[] = {
		{ 0, 0, 0, 0, 0, false },
		{ IBV_WC_EX_WITH_COMPLETION_TIMESTAMP, 0, 0, 0, 1, true },
		{ IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK, 0, 0, 0, 1,
		  true },
		{ IBV_WC_EX_WITH_COMPLETION_TIMESTAMP, 0, 0,
		  CREATE_CQ_CMD_FLAGS_TS_IGNORED_EX, 1, false },
		/* flags count only if comp_mask says so */
		{ 0, 0, IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN, 0, 0, false },
		{ 0, IBV_CQ_INIT_ATTR_MASK_FLAGS,
		  IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN, 0, 2, true },
		{ 0, IBV_CQ_INIT_ATTR_MASK_FLAGS,
		  IBV_CREATE_CQ_ATTR_SINGLE_THREADED, 0, 0, false },
		{ IBV_WC_EX_WITH_COMPLETION_TIMESTAMP,
		  IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD,
		  IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN,
		  CREATE_CQ_CMD_FLAGS_TS_IGNORED_EX, 3, true },
	};
	struct verbs_cq cq = { 0 };
	const struct ib_uverbs_ex_create_cq_resp reply = {
		.base = { .cq_handle = 33, .cqe = 4095 },
		.response_length = sizeof(reply),
	};

	for (int older = 0; older < 2; older++) {
		for (size_t i = 0; i < COUNT(cases); i++) {
			struct ibv_cq_init_attr_ex attr = {
				.cqe = 1000,
				.comp_vector = 3,
				.wc_flags = cases[i].wc_flags,
				.comp_mask = cases[i].comp_mask,
				.flags = cases[i].flags,
			};
			const struct ib_uverbs_ex_create_cq request = {
				.user_handle = (uintptr_t)&cq,
				.cqe = 1000,
				.comp_vector = 3,
				.comp_channel = -1,
				.flags = cases[i].kernel_flags,
			};

			if (!older || !i)
				expect_create_cq(*state, &cq, -1,
						 cases[i].kernel_flags,
						 older ? EPROTONOSUPPORT : 0);
			if (older && cases[i].extended)
				kernel_expect_write(EXTENDED(CREATE_CQ),
						    &request, sizeof(request),
						    &reply, sizeof(reply));
			else if (older)
				kernel_expect_write(
					PLAIN(CREATE_CQ), NULL,
					sizeof(struct ib_uverbs_create_cq),
					&reply.base, sizeof(reply.base));
			assert_int_equal(ibv_cmd_create_cq_ex(
						 *state, &attr, &cq, NULL, 0,
						 NULL, 0, cases[i].cmd_flags),
					 0);
			SAME(cq.cq.handle, older ? 33 : 31);
			SAME(cq.cq.cqe, older ? 4095 : 1023);
		}
	}
}

static void cq_commands_say_all(void **state)
{
	struct ibv_cq cq = { .context = *state, .handle = 5 };
	const struct ib_uverbs_resize_cq resize = { .cq_handle = 5,
						    .cqe = 100 };
	const struct ib_uverbs_resize_cq_resp resized = { .cqe = 127 };
	const struct ib_uverbs_ex_modify_cq modify = {
		.cq_handle = 5,
		.attr_mask = IBV_CQ_ATTR_MODERATE,
		.attr = { .cq_count = 10, .cq_period = 20 },
	};
	struct ibv_modify_cq_attr attr = {
		.attr_mask = IBV_CQ_ATTR_MODERATE,
		.moderate = { .cq_count = 10, .cq_period = 20 },
	};
	const struct ib_uverbs_req_notify_cq any = { .cq_handle = 5 };
	const struct ib_uverbs_req_notify_cq solicited = {
		.cq_handle = 5,
		.solicited_only = 1,
	};

	kernel_expect_write(PLAIN(RESIZE_CQ), &resize, sizeof(resize), &resized,
			    sizeof(resized));
	assert_int_equal(ibv_cmd_resize_cq(&cq, 100, NULL, 0, NULL, 0), 0);
	SAME(cq.cqe, 127);
	kernel_expect_write(EXTENDED(MODIFY_CQ), &modify, sizeof(modify), NULL,
			    0);
	assert_int_equal(ibv_cmd_modify_cq(&cq, &attr, NULL, 0), 0);
	kernel_expect_write(PLAIN(REQ_NOTIFY_CQ), &any, sizeof(any), NULL, 0);
	assert_int_equal(ibv_cmd_req_notify_cq(&cq, 0), 0);
	kernel_expect_write(PLAIN(REQ_NOTIFY_CQ), &solicited, sizeof(solicited),
			    NULL, 0);
	assert_int_equal(ibv_cmd_req_notify_cq(&cq, 0x1000), 0);
}

enum { POLLED = 20 };

static void poll_cq_gives_all(void **state)
{
	struct ibv_cq cq = { .context = *state, .handle = 5 };
	static const int asked[] = { 1, 3, 16, 17, POLLED };
	struct {
		struct ib_uverbs_poll_cq_resp resp;
		struct ib_uverbs_wc wc[POLLED];
	} reply;
	struct ibv_wc wc[POLLED + 1];

	fill(&reply, sizeof(reply));
	for (size_t i = 0; i < COUNT(asked); i++) {
		const struct ib_uverbs_poll_cq request = { .cq_handle = 5,
							   .ne = asked[i] };
		int got = asked[i] > 1 ? asked[i] - 1 : 1;

		memset(wc, 0xee, sizeof(wc));
		reply.resp.count = got;
		kernel_expect_write(PLAIN(POLL_CQ), &request, sizeof(request),
				    &reply,
				    sizeof(reply.resp) +
					    asked[i] * sizeof(reply.wc[0]));
		assert_int_equal(ibv_cmd_poll_cq(&cq, asked[i], wc), got);
		for (int n = 0; n < got; n++) {
			SAME(wc[n].wr_id, reply.wc[n].wr_id);
			SAME(wc[n].status, reply.wc[n].status);
			SAME(wc[n].opcode, reply.wc[n].opcode);
			SAME(wc[n].vendor_err, reply.wc[n].vendor_err);
			SAME(wc[n].byte_len, reply.wc[n].byte_len);
			SAME(wc[n].imm_data, reply.wc[n].ex.imm_data);
			SAME(wc[n].qp_num, reply.wc[n].qp_num);
			SAME(wc[n].src_qp, reply.wc[n].src_qp);
			SAME(wc[n].wc_flags, reply.wc[n].wc_flags);
			SAME(wc[n].pkey_index, reply.wc[n].pkey_index);
			SAME(wc[n].slid, reply.wc[n].slid);
			SAME(wc[n].sl, reply.wc[n].sl);
			SAME(wc[n].dlid_path_bits, reply.wc[n].dlid_path_bits);
		}
		assert_int_equal(wc[got].qp_num, 0xeeeeeeee);
	}
}

/* ---- shared receive queues, XRC ---- */

static void create_srq_says_all(void **state)
{
	struct ibv_context *context = *state;
	struct ibv_pd pd = { .context = context, .handle = 3 };
	struct ibv_cq cq = { .handle = 4 };
	struct verbs_xrcd xrcd = { .handle = 6 };
	struct verbs_srq srq;
	const uint32_t num = 7, wr = 63, sge = 15;
	const struct ib_uverbs_create_srq_resp reply = { 42, 62, 14, 8 };

	for (int older = 0; older < 2; older++) {
		for (int type = IBV_SRQT_BASIC; type <= IBV_SRQT_TM; type++) {
			struct ibv_srq_init_attr_ex attr = {
				.attr = { .max_wr = 60,
					  .max_sge = 10,
					  .srq_limit = 20 },
				.comp_mask = IBV_SRQ_INIT_ATTR_RESERVED - 1,
				.srq_type = type,
				.pd = &pd,
				.xrcd = &xrcd.xrcd,
				.cq = &cq,
				.tm_cap = { .max_num_tags = 9 },
			};
			const struct ib_uverbs_create_srq plain = {
				.user_handle = (uintptr_t)&srq,
				.pd_handle = 3,
				.max_wr = 60,
				.max_sge = 10,
				.srq_limit = 20,
			};
			const struct ib_uverbs_create_xsrq typed = {
				.user_handle = (uintptr_t)&srq,
				.srq_type = type,
				.pd_handle = 3,
				.max_wr = 60,
				.max_sge = 10,
				.srq_limit = 20,
				.max_num_tags = type == IBV_SRQT_TM ? 9 : 0,
				.xrcd_handle = type == IBV_SRQT_XRC ? 6 : 0,
				.cq_handle = 4,
			};
			struct kernel_call *call;

			memset(&srq, 0, sizeof(srq));
			if (!older || type == IBV_SRQT_BASIC) {
				call = kernel_expect(UVERBS_OBJECT_SRQ,
						     UVERBS_METHOD_SRQ_CREATE);
				if (type == IBV_SRQT_XRC)
					kernel_handle(
						call,
						UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE,
						6);
				if (type != IBV_SRQT_BASIC)
					kernel_handle(
						call,
						UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE,
						4);
				if (type == IBV_SRQT_XRC)
					kernel_out(
						call,
						UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM,
						4, &num, 4);
				if (type == IBV_SRQT_TM)
					kernel_u32(
						call,
						UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS,
						9);
				kernel_new(call, UVERBS_ATTR_CREATE_SRQ_HANDLE,
					   41);
				kernel_u64(call, UVERBS_ATTR_CREATE_SRQ_TYPE,
					   type);
				kernel_u64(call,
					   UVERBS_ATTR_CREATE_SRQ_USER_HANDLE,
					   (uintptr_t)&srq);
				kernel_handle(call,
					      UVERBS_ATTR_CREATE_SRQ_PD_HANDLE,
					      3);
				kernel_u32(call, UVERBS_ATTR_CREATE_SRQ_MAX_WR,
					   60);
				kernel_u32(call, UVERBS_ATTR_CREATE_SRQ_MAX_SGE,
					   10);
				kernel_u32(call, UVERBS_ATTR_CREATE_SRQ_LIMIT,
					   20);
				kernel_fd(call, UVERBS_ATTR_CREATE_SRQ_EVENT_FD,
					  context->async_fd);
				kernel_out(call,
					   UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR,
					   4, &wr, 4);
				kernel_out(call,
					   UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE,
					   4, &sge, 4);
				if (older)
					kernel_fails(call, EPROTONOSUPPORT);
			}
			if (older && type == IBV_SRQT_BASIC)
				kernel_expect_write(PLAIN(CREATE_SRQ), &plain,
						    sizeof(plain), &reply,
						    sizeof(reply));
			else if (older)
				kernel_expect_write(PLAIN(CREATE_XSRQ), &typed,
						    sizeof(typed), &reply,
						    sizeof(reply));
			assert_int_equal(ibv_cmd_create_srq_ex(context, &srq,
							       &attr, NULL, 0,
							       NULL, 0),
					 0);
			SAME(srq.srq.handle, older ? 42 : 41);
			SAME(attr.attr.max_wr, older ? 62 : 63);
			SAME(attr.attr.max_sge, older ? 14 : 15);
			SAME(srq.srq_type, type);
			assert_ptr_equal(srq.cq, &cq);
			SAME(srq.srq_num,
			     type == IBV_SRQT_XRC ? (older ? 8 : 7) : 0);
			assert_ptr_equal(srq.xrcd,
					 type == IBV_SRQT_XRC ? &xrcd : NULL);
		}
	}
}

static void srq_and_xrcd_commands_say_all(void **state)
{
	struct ibv_srq srq = { .context = *state, .handle = 5 };
	struct ibv_srq_attr attr = { .max_wr = 6, .srq_limit = 7 };
	const struct ib_uverbs_modify_srq modify = {
		.srq_handle = 5,
		.attr_mask = IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT,
		.max_wr = 6,
		.srq_limit = 7,
	};
	const struct ib_uverbs_query_srq query = { .srq_handle = 5 };
	const struct ib_uverbs_query_srq_resp queried = { .max_wr = 11,
							  .max_sge = 12,
							  .srq_limit = 13 };
	const struct ib_uverbs_open_xrcd open = { .fd = -1, .oflags = 0100 };
	const struct ib_uverbs_open_xrcd_resp opened = { .xrcd_handle = 21 };
	struct ibv_xrcd_init_attr open_attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1,
		.oflags = 0100,
	};
	struct verbs_xrcd xrcd = { .handle = 1, .comp_mask = 99 };

	kernel_expect_write(PLAIN(MODIFY_SRQ), &modify, sizeof(modify), NULL,
			    0);
	assert_int_equal(ibv_cmd_modify_srq(&srq, &attr,
					    IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT,
					    NULL, 0),
			 0);
	kernel_expect_write(PLAIN(QUERY_SRQ), &query, sizeof(query), &queried,
			    sizeof(queried));
	assert_int_equal(ibv_cmd_query_srq(&srq, &attr, NULL, 0), 0);
	SAME(attr.max_wr, 11);
	SAME(attr.max_sge, 12);
	SAME(attr.srq_limit, 13);

	/* A struct that ends before its handle does not get one. */
	kernel_expect_write(PLAIN(OPEN_XRCD), &open, sizeof(open), &opened,
			    sizeof(opened));
	assert_int_equal(ibv_cmd_open_xrcd(*state, &xrcd,
					   offsetof(struct verbs_xrcd, handle),
					   &open_attr, NULL, 0, NULL, 0),
			 0);
	SAME(xrcd.comp_mask, 0);
	SAME(xrcd.handle, 1);
	kernel_expect_write(PLAIN(OPEN_XRCD), &open, sizeof(open), &opened,
			    sizeof(opened));
	assert_int_equal(ibv_cmd_open_xrcd(*state, &xrcd, sizeof(xrcd),
					   &open_attr, NULL, 0, NULL, 0),
			 0);
	SAME(xrcd.comp_mask, VERBS_XRCD_HANDLE);
	SAME(xrcd.handle, 21);
}

/* ---- address handles, multicast, memory windows ---- */

static const union ibv_gid a_gid = { .raw = { 0xfe, 0x80, 1, 2, 3, 4, 5, 6, 7,
					      8, 9, 10, 11, 12, 13, 14 } };

static void ah_and_mcast_commands_say_all(void **state)
{
	struct ibv_pd pd = { .context = *state, .handle = 3 };
	struct ibv_qp qp = { .context = *state, .handle = 4 };
	struct ibv_ah_attr attr = {
		.grh = { .dgid = a_gid,
			 .flow_label = 0x54321,
			 .sgid_index = 5,
			 .hop_limit = 6,
			 .traffic_class = 7 },
		.dlid = 0x89ab,
		.sl = 9,
		.src_path_bits = 10,
		.static_rate = 11,
		.is_global = 1,
		.port_num = 2,
	};
	struct ibv_ah ah = { 0 };
	struct ib_uverbs_create_ah request = {
		.user_handle = (uintptr_t)&ah,
		.pd_handle = 3,
		.attr = { .grh = { .flow_label = 0x54321,
				   .sgid_index = 5,
				   .hop_limit = 6,
				   .traffic_class = 7 },
			  .dlid = 0x89ab,
			  .sl = 9,
			  .src_path_bits = 10,
			  .static_rate = 11,
			  .is_global = 1,
			  .port_num = 2 },
	};
	struct ib_uverbs_attach_mcast mcast = { .qp_handle = 4,
						.mlid = 0xc001 };
	const uint32_t made = 51;

	memcpy(request.attr.grh.dgid, a_gid.raw, 16);
	kernel_expect_write(PLAIN(CREATE_AH), &request, sizeof(request), &made,
			    4);
	assert_int_equal(ibv_cmd_create_ah(&pd, &ah, &attr, NULL, 0), 0);
	SAME(ah.handle, 51);

	memcpy(mcast.gid, a_gid.raw, 16);
	kernel_expect_write(PLAIN(ATTACH_MCAST), &mcast, sizeof(mcast), NULL,
			    0);
	assert_int_equal(ibv_cmd_attach_mcast(&qp, &a_gid, 0xc001), 0);
	kernel_expect_write(PLAIN(DETACH_MCAST), &mcast, sizeof(mcast), NULL,
			    0);
	assert_int_equal(ibv_cmd_detach_mcast(&qp, &a_gid, 0xc001), 0);
}

/* ---- work queues ---- */

static void wq_commands_say_all(void **state)
{
	struct ibv_context *context = *state;
	struct ibv_pd pd = { .context = context, .handle = 3 };
	struct ibv_cq cq = { .handle = 4 };
	struct ibv_wq wq = { 0 }, *wqs[4] = { &wq, &wq, &wq, &wq };
	struct ibv_wq_attr modify_attr = {
		.attr_mask = IBV_WQ_ATTR_STATE | IBV_WQ_ATTR_CURR_STATE |
			     IBV_WQ_ATTR_FLAGS,
		.wq_state = IBV_WQS_RDY,
		.curr_wq_state = IBV_WQS_ERR,
		.flags = 1,
		.flags_mask = 3,
	};
	const struct ib_uverbs_ex_modify_wq modify = {
		.attr_mask = 7,
		.wq_handle = 62,
		.wq_state = IBV_WQS_RDY,
		.curr_wq_state = IBV_WQS_ERR,
		.flags = 1,
		.flags_mask = 3,
	};
	const uint32_t wr = 71, sge = 72, num = 73;
	struct ibv_rwq_ind_table_init_attr table_attr = { .ind_tbl = wqs };
	struct ibv_rwq_ind_table table;

	for (int older = 0; older < 2; older++) {
		struct ibv_wq_init_attr attr = {
			.wq_type = IBV_WQT_RQ,
			.max_wr = 60,
			.max_sge = 10,
			.pd = &pd,
			.cq = &cq,
			.comp_mask = IBV_WQ_INIT_ATTR_FLAGS,
			.create_flags = IBV_WQ_FLAGS_DELAY_DROP,
		};
		const struct ib_uverbs_ex_create_wq request = {
			.wq_type = IBV_WQT_RQ,
			.user_handle = (uintptr_t)&wq,
			.pd_handle = 3,
			.cq_handle = 4,
			.max_wr = 60,
			.max_sge = 10,
			.create_flags = IBV_WQ_FLAGS_DELAY_DROP,
		};
		const struct ib_uverbs_ex_create_wq_resp reply = {
			.response_length = sizeof(reply),
			.wq_handle = 62,
			.max_wr = 81,
			.max_sge = 82,
			.wqn = 83,
		};
		struct kernel_call *call =
			kernel_expect(UVERBS_OBJECT_WQ,
				      UVERBS_METHOD_WQ_CREATE);

		kernel_new(call, UVERBS_ATTR_CREATE_WQ_HANDLE, 61);
		kernel_u64(call, UVERBS_ATTR_CREATE_WQ_USER_HANDLE,
			   (uintptr_t)&wq);
		kernel_handle(call, UVERBS_ATTR_CREATE_WQ_PD_HANDLE, 3);
		kernel_handle(call, UVERBS_ATTR_CREATE_WQ_CQ_HANDLE, 4);
		kernel_u64(call, UVERBS_ATTR_CREATE_WQ_TYPE, IBV_WQT_RQ);
		kernel_u32(call, UVERBS_ATTR_CREATE_WQ_MAX_WR, 60);
		kernel_u32(call, UVERBS_ATTR_CREATE_WQ_MAX_SGE, 10);
		kernel_fd(call, UVERBS_ATTR_CREATE_WQ_EVENT_FD,
			  context->async_fd);
		kernel_u32(call, UVERBS_ATTR_CREATE_WQ_FLAGS,
			   IBV_WQ_FLAGS_DELAY_DROP);
		kernel_out(call, UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR, 4, &wr, 4);
		kernel_out(call, UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE, 4, &sge,
			   4);
		kernel_out(call, UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM, 4, &num, 4);
		if (older) {
			kernel_fails(call, EPROTONOSUPPORT);
			kernel_expect_write(EXTENDED(CREATE_WQ), &request,
					    sizeof(request), &reply,
					    sizeof(reply));
		}
		assert_int_equal(ibv_cmd_create_wq(context, &attr, &wq, NULL, 0,
						   NULL, 0),
				 0);
		SAME(wq.handle, older ? 62 : 61);
		SAME(wq.wq_num, older ? 83 : 73);
		SAME(attr.max_wr, older ? 81 : 71);
		SAME(attr.max_sge, older ? 82 : 72);
	}

	kernel_expect_write(EXTENDED(MODIFY_WQ), &modify, sizeof(modify), NULL,
			    0);
	assert_int_equal(ibv_cmd_modify_wq(&wq, &modify_attr, NULL, 0), 0);
	SAME(wq.state, IBV_WQS_RDY);

	/* One handle and a pad; two; four */
	for (uint32_t log = 0; log < 3; log++) {
		const uint32_t request[] = { 0, log, 62, log ? 62 : 0, 62, 62 };
		const struct ib_uverbs_ex_create_rwq_ind_table_resp reply = {
			.response_length = sizeof(reply),
			.ind_tbl_handle = 91,
			.ind_tbl_num = 92,
		};

		table_attr.log_ind_tbl_size = log;
		kernel_expect_write(EXTENDED(CREATE_RWQ_IND_TBL), request,
				    log == 2 ? 24 : 16, &reply, sizeof(reply));
		assert_int_equal(ibv_cmd_create_rwq_ind_table(context,
							      &table_attr,
							      &table, NULL, 0),
				 0);
		SAME(table.ind_tbl_handle, 91);
		SAME(table.ind_tbl_num, 92);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(query_device_gives_all),
		kernel_test(port_count_comes_from_discovery_if_known),
		kernel_test(query_port_gives_all),
		kernel_test(contexts_learn_their_numbers),
		kernel_test(descriptors_arrive),
		kernel_test(mr_commands_say_all),
		kernel_test(the_whole_address_space_is_all_ones),
		kernel_test(native_mr_commands_say_all),
		kernel_test(create_cq_says_all),
		kernel_test(create_cq_ex_says_its_flags),
		kernel_test(cq_commands_say_all),
		kernel_test(poll_cq_gives_all),
		kernel_test(create_srq_says_all),
		kernel_test(srq_and_xrcd_commands_say_all),
		kernel_test(ah_and_mcast_commands_say_all),
		kernel_test(wq_commands_say_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
