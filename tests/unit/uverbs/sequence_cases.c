// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The cases of command-sequences.tsv: one call each. */
#include "sequences.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rdma/ib_user_ioctl_cmds.h>

#include "kernel_script.h"
#include "uverbs/uverbs.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))

/* ---- members, by the names in the table ---- */

#define M(_member)                                                        \
	{                                                                 \
#_member, offsetof(T, _member), sizeof(((T *)0)->_member) \
	}
/* Of the reply that comes before the driver's bytes */
#define R(_member)                                     \
	{                                              \
#_member, offsetof(T, resp._member),   \
			sizeof(((T *)0)->resp._member) \
	}
#define D                                                            \
	{                                                            \
		"<driver area>", offsetof(T, driver), DRIVER_OUT_MAX \
	}
#define D4                                              \
	{                                               \
		"<driver area>", offsetof(T, driver), 4 \
	}

/* What is tracked must have no padding of random bytes. */
#define CLEAR(_object) memset(&(_object), 0, sizeof(_object))

#define TRACK(_name, _object, _members) \
	track(w, _name, _object, sizeof(*(_object)), _members, COUNT(_members))

#define T struct ibv_context
static const struct member context_members[] = { M(async_fd),
						 M(num_comp_vectors) };
#undef T
#define T struct verbs_device
static const struct member device_members[] = { M(core_support) };
#undef T
#define T struct ibv_pd
static const struct member pd_members[] = { M(context), M(handle) };
#undef T
#define T struct verbs_mr
static const struct member mr_members[] = {
	M(ibv_mr.context), M(ibv_mr.pd),     M(ibv_mr.addr),
	M(ibv_mr.length),  M(ibv_mr.handle), M(ibv_mr.lkey),
	M(ibv_mr.rkey),	   M(mr_type),	     M(access),
};
#undef T
#define T struct verbs_dm
static const struct member dm_members[] = { M(dm.context), M(dm.comp_mask),
					    M(dm.handle), M(handle) };
#undef T
#define T struct ibv_mw
static const struct member mw_members[] = { M(context), M(pd), M(rkey),
					    M(handle), M(type) };
#undef T
#define T struct ibv_cq
static const struct member cq_members[] = { M(context), M(handle), M(cqe) };
#undef T
#define T struct verbs_cq
static const struct member verbs_cq_members[] = { M(cq.context), M(cq.handle),
						  M(cq.cqe) };
#undef T
#define T struct ibv_srq
static const struct member srq_members[] = { M(context), M(handle) };
#undef T
#define T struct verbs_srq
static const struct member verbs_srq_members[] = {
	M(srq.context), M(srq.handle), M(srq_type), M(xrcd), M(cq), M(srq_num),
};
#undef T
#define T struct ibv_srq_init_attr
static const struct member srq_init_members[] = { M(attr.max_wr),
						  M(attr.max_sge) };
#undef T
#define T struct ibv_srq_init_attr_ex
static const struct member srq_init_ex_members[] = { M(attr.max_wr),
						     M(attr.max_sge) };
#undef T
#define T struct ibv_srq_attr
static const struct member srq_attr_members[] = { M(max_wr), M(max_sge),
						  M(srq_limit) };
#undef T
#define T struct ibv_qp
static const struct member qp_members[] = {
	M(context), M(pd),     M(send_cq), M(recv_cq),
	M(handle),  M(qp_num), M(qp_type), M(srq),
};
#undef T
#define T struct verbs_qp
static const struct member verbs_qp_members[] = {
	M(qp.context), M(qp.pd),     M(qp.send_cq), M(qp.recv_cq),
	M(qp.srq),     M(qp.handle), M(qp.qp_num),  M(qp.qp_type),
	M(qp.state),   M(comp_mask), M(xrcd),
};
#undef T
#define CAP                                                          \
	M(cap.max_send_wr), M(cap.max_recv_wr), M(cap.max_send_sge), \
		M(cap.max_recv_sge), M(cap.max_inline_data)
#define T struct ibv_qp_init_attr
static const struct member qp_init_members[] = { CAP, M(sq_sig_all) };
#undef T
#define T struct ibv_qp_init_attr_ex
static const struct member qp_init_ex_members[] = { CAP };
#undef T
#define AH(_ah)                                                              \
	M(_ah.grh.dgid), M(_ah.grh.flow_label), M(_ah.grh.sgid_index),       \
		M(_ah.grh.hop_limit), M(_ah.grh.traffic_class), M(_ah.dlid), \
		M(_ah.sl), M(_ah.src_path_bits), M(_ah.static_rate),         \
		M(_ah.is_global), M(_ah.port_num)
#define T struct ibv_qp_attr
static const struct member qp_attr_members[] = {
	M(qp_state),
	M(cur_qp_state),
	M(path_mtu),
	M(path_mig_state),
	M(qkey),
	M(rq_psn),
	M(sq_psn),
	M(dest_qp_num),
	M(qp_access_flags),
	CAP,
	AH(ah_attr),
	AH(alt_ah_attr),
	M(pkey_index),
	M(alt_pkey_index),
	M(sq_draining),
	M(max_rd_atomic),
	M(max_dest_rd_atomic),
	M(min_rnr_timer),
	M(port_num),
	M(timeout),
	M(retry_cnt),
	M(rnr_retry),
	M(alt_port_num),
	M(alt_timeout),
};
#undef T
#define T struct verbs_xrcd
static const struct member xrcd_members[] = { M(xrcd.context), M(comp_mask),
					      M(handle) };
#undef T
#define T struct ibv_ah
static const struct member ah_members[] = { M(context), M(handle) };
#undef T
#define T struct ibv_wq
static const struct member wq_members[] = { M(context), M(pd),	   M(cq),
					    M(wq_num),	M(handle), M(state) };
#undef T
#define T struct ibv_wq_init_attr
static const struct member wq_init_members[] = { M(max_wr), M(max_sge) };
#undef T
#define T struct ibv_rwq_ind_table
static const struct member table_members[] = { M(context), M(ind_tbl_handle),
					       M(ind_tbl_num) };
#undef T
#define T struct ibv_flow
static const struct member flow_members[] = { M(context), M(handle) };
#undef T
#define T struct verbs_flow_action
static const struct member action_members[] = { M(action.context), M(handle),
						M(type) };
#undef T
#define T struct verbs_counters
static const struct member counters_members[] = { M(counters.context),
						  M(handle) };
#undef T
#define T struct ibv_gid_entry
static const struct member gid_members[] = {
	M(gid), M(gid_index), M(port_num), M(gid_type), M(ndev_ifindex),
};
#undef T
#define T struct ibv_port_attr
static const struct member port_members[] = {
	M(state),	   M(max_mtu),
	M(active_mtu),	   M(gid_tbl_len),
	M(port_cap_flags), M(max_msg_sz),
	M(bad_pkey_cntr),  M(qkey_viol_cntr),
	M(pkey_tbl_len),   M(lid),
	M(sm_lid),	   M(lmc),
	M(max_vl_num),	   M(sm_sl),
	M(subnet_timeout), M(init_type_reply),
	M(active_width),   M(active_speed),
	M(phys_state),	   M(link_layer),
	M(flags),	   M(port_cap_flags2),
};
#undef T
#define T struct ibv_device_attr_ex
static const struct member device_attr_members[] = {
	M(orig_attr.node_guid),
	M(orig_attr.sys_image_guid),
	M(orig_attr.max_mr_size),
	M(orig_attr.page_size_cap),
	M(orig_attr.vendor_id),
	M(orig_attr.vendor_part_id),
	M(orig_attr.hw_ver),
	M(orig_attr.max_qp),
	M(orig_attr.max_qp_wr),
	M(orig_attr.device_cap_flags),
	M(orig_attr.max_sge),
	M(orig_attr.max_sge_rd),
	M(orig_attr.max_cq),
	M(orig_attr.max_cqe),
	M(orig_attr.max_mr),
	M(orig_attr.max_pd),
	M(orig_attr.max_qp_rd_atom),
	M(orig_attr.max_ee_rd_atom),
	M(orig_attr.max_res_rd_atom),
	M(orig_attr.max_qp_init_rd_atom),
	M(orig_attr.max_ee_init_rd_atom),
	M(orig_attr.atomic_cap),
	M(orig_attr.max_ee),
	M(orig_attr.max_rdd),
	M(orig_attr.max_mw),
	M(orig_attr.max_raw_ipv6_qp),
	M(orig_attr.max_raw_ethy_qp),
	M(orig_attr.max_mcast_grp),
	M(orig_attr.max_mcast_qp_attach),
	M(orig_attr.max_total_mcast_qp_attach),
	M(orig_attr.max_ah),
	M(orig_attr.max_fmr),
	M(orig_attr.max_map_per_fmr),
	M(orig_attr.max_srq),
	M(orig_attr.max_srq_wr),
	M(orig_attr.max_srq_sge),
	M(orig_attr.max_pkeys),
	M(orig_attr.local_ca_ack_delay),
	M(orig_attr.phys_port_cnt),
	M(odp_caps.general_caps),
	M(odp_caps.per_transport_caps.rc_odp_caps),
	M(odp_caps.per_transport_caps.uc_odp_caps),
	M(odp_caps.per_transport_caps.ud_odp_caps),
	M(completion_timestamp_mask),
	M(hca_core_clock),
	M(device_cap_flags_ex),
	M(rss_caps.supported_qpts),
	M(rss_caps.max_rwq_indirection_tables),
	M(rss_caps.max_rwq_indirection_table_size),
	M(max_wq_type_rq),
	M(raw_packet_caps),
	M(tm_caps.max_rndv_hdr_size),
	M(tm_caps.max_num_tags),
	M(tm_caps.flags),
	M(tm_caps.max_ops),
	M(tm_caps.max_sge),
	M(cq_mod_caps.max_cq_count),
	M(cq_mod_caps.max_cq_period),
	M(max_dm_size),
	M(xrc_odp_caps),
	M(phys_port_cnt_ex),
};
#undef T

/* ---- objects that exist already ---- */

static struct ibv_pd a_pd(struct world *w)
{
	return (struct ibv_pd){ .context = w->context, .handle = 3 };
}

static struct ibv_cq a_cq(struct world *w)
{
	return (struct ibv_cq){
		.context = w->context,
		.handle = 5,
		.cqe = 1,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.cond = PTHREAD_COND_INITIALIZER,
	};
}

static struct ibv_srq a_srq(struct world *w)
{
	return (struct ibv_srq){
		.context = w->context,
		.handle = 6,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.cond = PTHREAD_COND_INITIALIZER,
	};
}

static struct ibv_qp a_qp(struct world *w)
{
	return (struct ibv_qp){
		.context = w->context,
		.handle = 7,
		.qp_type = IBV_QPT_RC,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.cond = PTHREAD_COND_INITIALIZER,
	};
}

static struct ibv_wq a_wq(struct world *w)
{
	return (struct ibv_wq){
		.context = w->context,
		.handle = 8,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.cond = PTHREAD_COND_INITIALIZER,
	};
}

static struct verbs_xrcd an_xrcd(struct world *w)
{
	return (struct verbs_xrcd){
		.xrcd.context = w->context,
		.comp_mask = VERBS_XRCD_HANDLE,
		.handle = 9,
	};
}

/* ---- contexts and devices ---- */

static void get_context(struct world *w, bool with_driver)
{
	REQUEST(ibv_get_context) rq = { 0 };
	REPLY(ib_uverbs_get_context_resp) rp = { 0 };
	struct verbs_device *device = verbs_get_device(w->context->device);
	int fd = w->context->async_fd;
#define T typeof(rp)
	static const struct member members[] = { R(async_fd),
						 R(num_comp_vectors), D };
#undef T

	device->core_support = 0;
	w->context->async_fd = -1;
	w->context->num_comp_vectors = 0;
	TRACK("resp", &rp, members);
	TRACK("verbs_device", device, device_members);
	TRACK("ibv_context", w->context, context_members);
	if (with_driver)
		CALL(ibv_cmd_get_context(to_vctx(w->context), &rq.cmd,
					 sizeof(rq), &rp.resp, sizeof(rp)));
	else
		CALL(ibv_cmd_get_context(to_vctx(w->context), &rq.cmd,
					 sizeof(rq.cmd), NULL, 0));
	w->context->async_fd = fd;
}

static void get_context_driver(struct world *w)
{
	get_context(w, true);
}

static void get_context_plain(struct world *w)
{
	get_context(w, false);
}

static void query_context(struct world *w)
{
	struct verbs_device *device = verbs_get_device(w->context->device);

	device->core_support = 0;
	w->context->num_comp_vectors = 0;
	TRACK("verbs_device", device, device_members);
	TRACK("ibv_context", w->context, context_members);
	CALL(ibv_cmd_query_context(w->context, NULL));
}

static void query_port(struct world *w)
{
	struct ibv_port_attr attr = { 0 };
	struct ibv_query_port cmd = { 0 };

	TRACK("port_attr", &attr, port_members);
	CALL(ibv_cmd_query_port(w->context, 1, &attr, &cmd, sizeof(cmd)));
}

static void query_device_full(struct world *w)
{
	REPLY(ib_uverbs_ex_query_device_resp) rp = { 0 };
	struct ibv_device_attr_ex attr = { 0 };
	size_t size = sizeof(rp);

	TRACK("attr", &attr, device_attr_members);
	CALL(ibv_cmd_query_device_any(w->context, NULL, &attr, sizeof(attr),
				      &rp.resp, &size));
}

static void query_device_basic(struct world *w)
{
	struct ibv_device_attr_ex attr = { 0 };

	TRACK("attr", &attr, device_attr_members);
	CALL(ibv_cmd_query_device_any(w->context, NULL, &attr,
				      sizeof(attr.orig_attr), NULL, NULL));
}

static void query_device_input(struct world *w)
{
	struct ibv_query_device_ex_input input = { .comp_mask = 1 };
	struct ibv_device_attr_ex attr = { 0 };

	TRACK("attr", &attr, device_attr_members);
	CALL(ibv_cmd_query_device_any(w->context, &input, &attr, sizeof(attr),
				      NULL, NULL));
}

static void query_device_short(struct world *w)
{
	struct ibv_device_attr_ex attr = { 0 };

	TRACK("attr", &attr, device_attr_members);
	CALL(ibv_cmd_query_device_any(w->context, NULL, &attr, 231, NULL,
				      NULL));
}

/* ---- protection domains, memory ---- */

static void alloc_pd(struct world *w)
{
	REQUEST(ibv_alloc_pd) rq = { 0 };
	REPLY(ib_uverbs_alloc_pd_resp) rp = { 0 };
	struct ibv_pd pd = { 0 };
#define T typeof(rp)
	static const struct member members[] = { R(pd_handle), D4 };
#undef T

	TRACK("pd", &pd, pd_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_alloc_pd(w->context, &pd, &rq.cmd, sizeof(rq.cmd) + 8,
			      &rp.resp, sizeof(rp.resp) + 4));
}

static void dealloc_pd(struct world *w)
{
	struct ibv_pd pd;

	CLEAR(pd);
	pd.context = w->context;
	pd.handle = 3;
	TRACK("pd", &pd, pd_members);
	CALL(ibv_cmd_dealloc_pd(&pd));
}

static void dealloc_another_pd(struct world *w)
{
	struct ibv_pd pd = a_pd(w);

	ibv_cmd_dealloc_pd(&pd);
}

static void reg_mr(struct world *w)
{
	REQUEST(ibv_reg_mr) rq = { 0 };
	REPLY(ib_uverbs_reg_mr_resp) rp = { 0 };
	struct ibv_pd pd = a_pd(w);
	struct verbs_mr vmr = { 0 };
#define T typeof(rp)
	static const struct member members[] = { R(mr_handle), R(lkey), R(rkey),
						 D4 };
#undef T

	TRACK("vmr", &vmr, mr_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_reg_mr(&pd, &rq, 64, 4096, IBV_ACCESS_LOCAL_WRITE, &vmr,
			    &rq.cmd, sizeof(rq.cmd) + 8, &rp.resp,
			    sizeof(rp.resp) + 4));
}

static void reg_everything(struct world *w, void *addr)
{
	struct ib_uverbs_reg_mr_resp resp = { 0 };
	struct ibv_reg_mr cmd = { 0 };
	struct ibv_pd pd = a_pd(w);
	struct verbs_mr vmr = { 0 };

	CALL(ibv_cmd_reg_mr(&pd, addr, SIZE_MAX, 0, IBV_ACCESS_ON_DEMAND, &vmr,
			    &cmd, sizeof(cmd), &resp, sizeof(resp)));
}

static void reg_everything_at_null(struct world *w)
{
	reg_everything(w, NULL);
}

static void reg_everything_at_addr(struct world *w)
{
	reg_everything(w, w);
}

static void rereg_mr(struct world *w)
{
	struct ib_uverbs_rereg_mr_resp resp = { 0 };
	struct ibv_rereg_mr cmd = { 0 };
	struct ibv_pd pd = a_pd(w);
	struct verbs_mr vmr = { .ibv_mr = { .context = w->context,
					    .handle = 4 } };

	TRACK("vmr", &vmr, mr_members);
	CALL(ibv_cmd_rereg_mr(&vmr, IBV_REREG_MR_CHANGE_PD, NULL, 0, 0, 0, &pd,
			      &cmd, sizeof(cmd), &resp, sizeof(resp)));
}

static void dereg_mr(struct world *w)
{
	struct verbs_mr vmr = { .ibv_mr = { .context = w->context,
					    .handle = 4 } };

	TRACK("vmr", &vmr, mr_members);
	CALL(ibv_cmd_dereg_mr(&vmr));
}

static void query_mr(struct world *w)
{
	struct ibv_pd pd = a_pd(w);
	struct verbs_mr vmr = { 0 };

	TRACK("vmr", &vmr, mr_members);
	CALL(ibv_cmd_query_mr(&pd, &vmr, 4));
}

static void advise_mr(struct world *w)
{
	struct ibv_sge sges[2] = { { .lkey = 1 }, { .lkey = 2 } };
	struct ibv_pd pd = a_pd(w);

	CALL(ibv_cmd_advise_mr(&pd, IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH, 0,
			       sges, 2));
}

static void reg_dmabuf_mr(struct world *w)
{
	struct ibv_pd pd = a_pd(w);
	struct verbs_mr vmr = { 0 };

	TRACK("vmr", &vmr, mr_members);
	CALL(ibv_cmd_reg_dmabuf_mr(&pd, 4096, 64, 0, 1, IBV_ACCESS_LOCAL_WRITE,
				   &vmr));
}

static void reg_dm_mr(struct world *w, unsigned int access)
{
	struct verbs_dm dm = { .handle = 2 };
	struct ibv_pd pd = a_pd(w);
	struct verbs_mr vmr = { 0 };

	TRACK("vmr", &vmr, mr_members);
	CALL(ibv_cmd_reg_dm_mr(&pd, &dm, 0, 64, access, &vmr, NULL));
}

static void reg_dm_mr_zero_based(struct world *w)
{
	reg_dm_mr(w, IBV_ACCESS_ZERO_BASED);
}

static void reg_dm_mr_not_zero_based(struct world *w)
{
	reg_dm_mr(w, IBV_ACCESS_LOCAL_WRITE);
}

static void alloc_dm(struct world *w)
{
	struct ibv_alloc_dm_attr attr = { .length = 64 };
	struct verbs_dm dm = { 0 };

	TRACK("dm", &dm, dm_members);
	CALL(ibv_cmd_alloc_dm(w->context, &attr, &dm, NULL));
}

static void alloc_dm_linked(struct world *w)
{
	struct ibv_alloc_dm_attr attr = { .length = 64 };
	struct verbs_dm dm = { 0 };
	uint64_t driver_output = 0;
	struct {
		struct ibv_command_buffer buffer;
		struct ib_uverbs_attr attr;
	} link = {
		.buffer = {
			.next_attr = &link.attr + 1,
			.last_attr = &link.attr + 1,
			.uhw_in_idx = _UHW_NO_INDEX,
			.uhw_out_idx = _UHW_NO_INDEX,
			.hdr.object_id = UVERBS_OBJECT_DM,
			.hdr.method_id = UVERBS_METHOD_DM_ALLOC,
		},
		.attr = {
			.attr_id = UVERBS_ATTR_UHW_OUT,
			.len = sizeof(driver_output),
			.flags = UVERBS_ATTR_F_MANDATORY,
			.data = (uintptr_t)&driver_output,
		},
	};
	static const struct member all[] = { { "all", 0, 1 } };

	TRACK("dm", &dm, dm_members);
	TRACK("attribute array of the linked buffer", &link.attr, all);
	TRACK("driver output buffer", &driver_output, all);
	CALL(ibv_cmd_alloc_dm(w->context, &attr, &dm, &link.buffer));
}

static void free_dm(struct world *w)
{
	struct verbs_dm dm = { .dm.context = w->context, .handle = 2 };

	TRACK("dm", &dm, dm_members);
	CALL(ibv_cmd_free_dm(&dm));
}

static void alloc_mw(struct world *w)
{
	struct ib_uverbs_alloc_mw_resp resp = { 0 };
	struct ibv_alloc_mw cmd = { 0 };
	struct ibv_pd pd = a_pd(w);
	struct ibv_mw mw = { 0 };

	TRACK("mw", &mw, mw_members);
	CALL(ibv_cmd_alloc_mw(&pd, IBV_MW_TYPE_2, &mw, &cmd, sizeof(cmd), &resp,
			      sizeof(resp)));
}

static void dealloc_mw(struct world *w)
{
	struct ibv_mw mw = { .context = w->context, .handle = 4 };

	TRACK("mw", &mw, mw_members);
	CALL(ibv_cmd_dealloc_mw(&mw));
}

/* ---- completion queues ---- */

static void create_cq_channel(struct world *w)
{
	struct ibv_comp_channel channel = { .fd = 11 };
	REQUEST(ibv_create_cq) rq = { 0 };
	REPLY(ib_uverbs_create_cq_resp) rp = { 0 };
	struct ibv_cq cq = { 0 };
#define T typeof(rp)
	static const struct member members[] = { R(cq_handle), R(cqe), D };
#undef T

	TRACK("cq", &cq, cq_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_create_cq(w->context, 16, &channel, 0, &cq, &rq.cmd,
			       sizeof(rq), &rp.resp, sizeof(rp)));
}

static void create_cq_no_channel(struct world *w)
{
	REQUEST(ibv_create_cq) rq = { 0 };
	struct ib_uverbs_create_cq_resp resp = { 0 };
	struct ibv_cq cq = { 0 };

	TRACK("cq", &cq, cq_members);
	CALL(ibv_cmd_create_cq(w->context, 16, NULL, 0, &cq, &rq.cmd,
			       sizeof(rq.cmd) + 4, &resp, sizeof(resp)));
}

static void create_cq_imported(struct world *w)
{
	struct ibv_cq cq = { 0 };

	get_priv(w->context)->imported = true;
	TRACK("cq", &cq, cq_members);
	CALL(ibv_cmd_create_cq(w->context, 16, NULL, 0, &cq, NULL, 0, NULL, 0));
}

static void create_cq_ex(struct world *w, uint64_t wc_flags, uint32_t cmd_flags,
			 uint32_t comp_mask)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = 16,
		.wc_flags = wc_flags,
		.comp_mask = comp_mask,
	};
	REQUEST(ibv_create_cq_ex) rq = { 0 };
	REPLY(ib_uverbs_ex_create_cq_resp) rp = { 0 };
	struct verbs_cq cq = { 0 };
#define T typeof(rp)
	static const struct member members[] = { R(base.cq_handle), R(base.cqe),
						 R(comp_mask),
						 R(response_length), D };
#undef T

	TRACK("cq", &cq, verbs_cq_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_create_cq_ex(w->context, &attr, &cq, &rq.cmd, sizeof(rq),
				  &rp.resp, sizeof(rp), cmd_flags));
}

static void create_cq_ex_plain(struct world *w)
{
	create_cq_ex(w, 0, 0, 0);
}

static void create_cq_ex_timestamp(struct world *w)
{
	create_cq_ex(w, IBV_WC_EX_WITH_COMPLETION_TIMESTAMP, 0, 0);
}

static void create_cq_ex_timestamp_ignored(struct world *w)
{
	create_cq_ex(w, IBV_WC_EX_WITH_COMPLETION_TIMESTAMP,
		     CREATE_CQ_CMD_FLAGS_TS_IGNORED_EX, 0);
}

static void create_cq_ex_unknown(struct world *w)
{
	create_cq_ex(w, 0, 0, IBV_CQ_INIT_ATTR_MASK_PD << 1);
}

static void resize_cq(struct world *w)
{
	struct ib_uverbs_resize_cq_resp resp = { 0 };
	struct ibv_resize_cq cmd = { 0 };
	struct ibv_cq cq = a_cq(w);

	TRACK("cq", &cq, cq_members);
	CALL(ibv_cmd_resize_cq(&cq, 32, &cmd, sizeof(cmd), &resp,
			       sizeof(resp)));
}

static void modify_cq_mask(struct world *w, uint32_t mask)
{
	struct ibv_modify_cq_attr attr = { .attr_mask = mask };
	struct ibv_modify_cq cmd = { 0 };
	struct ibv_cq cq = a_cq(w);

	TRACK("cq", &cq, cq_members);
	CALL(ibv_cmd_modify_cq(&cq, &attr, &cmd, sizeof(cmd)));
}

static void modify_cq(struct world *w)
{
	modify_cq_mask(w, IBV_CQ_ATTR_MODERATE);
}

static void modify_cq_unknown(struct world *w)
{
	modify_cq_mask(w, 2);
}

static void req_notify_cq(struct world *w)
{
	struct ibv_cq cq = a_cq(w);

	CALL(ibv_cmd_req_notify_cq(&cq, 1));
}

static void poll_cq(struct world *w)
{
	struct ibv_cq cq = a_cq(w);
	struct ibv_wc wc[4] = { { 0 } };

	CALL(ibv_cmd_poll_cq(&cq, 4, wc));
}

static void destroy_cq(struct world *w)
{
	struct ibv_cq cq = a_cq(w);

	TRACK("cq", &cq, cq_members);
	CALL(ibv_cmd_destroy_cq(&cq));
}

/* ---- shared receive queues, XRC domains ---- */

static void create_srq(struct world *w)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 1 } };
	REQUEST(ibv_create_srq) rq = { 0 };
	REPLY(ib_uverbs_create_srq_resp) rp = { 0 };
	struct ibv_pd pd = a_pd(w);
	struct ibv_srq srq = { 0 };
#define T typeof(rp)
	static const struct member members[] = { R(srq_handle), R(max_wr),
						 R(max_sge), R(srqn), D };
#undef T

	TRACK("srq", &srq, srq_members);
	TRACK("attr", &attr, srq_init_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_create_srq(&pd, &srq, &attr, &rq.cmd, sizeof(rq), &rp.resp,
				sizeof(rp)));
}

static void create_srq_ex(struct world *w, enum ibv_srq_type type,
			  uint32_t comp_mask, uint32_t tags, bool driver)
{
	struct ibv_pd pd = a_pd(w);
	struct ibv_cq cq = a_cq(w);
	struct verbs_xrcd xrcd = an_xrcd(w);
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = 1 },
		.comp_mask = comp_mask,
		.srq_type = type,
		.pd = &pd,
		.xrcd = &xrcd.xrcd,
		.cq = &cq,
		.tm_cap.max_num_tags = tags,
	};
	REQUEST(ibv_create_xsrq) rq = { 0 };
	REPLY(ib_uverbs_create_srq_resp) rp = { 0 };
	struct verbs_srq srq = { 0 };
#define T typeof(rp)
	static const struct member members[] = { R(srq_handle), R(max_wr),
						 R(max_sge), R(srqn), D };
#undef T

	TRACK("srq", &srq, verbs_srq_members);
	TRACK("attr", &attr, srq_init_ex_members);
	TRACK("resp", &rp, members);
	if (driver)
		CALL(ibv_cmd_create_srq_ex(w->context, &srq, &attr, &rq.cmd,
					   sizeof(rq), &rp.resp, sizeof(rp)));
	else
		CALL(ibv_cmd_create_srq_ex(w->context, &srq, &attr, NULL, 0,
					   NULL, 0));
}

enum {
	SRQ_BASIC = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
	SRQ_XRC = SRQ_BASIC | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
	SRQ_TM = SRQ_BASIC | IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_TM,
};

static void create_srq_xrc(struct world *w)
{
	create_srq_ex(w, IBV_SRQT_XRC, SRQ_XRC, 0, true);
}

static void create_srq_tm(struct world *w)
{
	create_srq_ex(w, IBV_SRQT_TM, SRQ_TM, 8, false);
}

static void create_srq_unknown(struct world *w)
{
	create_srq_ex(w, IBV_SRQT_BASIC, SRQ_BASIC | 0x20, 0, true);
}

static void create_srq_no_pd(struct world *w)
{
	create_srq_ex(w, IBV_SRQT_BASIC, IBV_SRQ_INIT_ATTR_TYPE, 0, true);
}

static void create_srq_xrc_bare(struct world *w)
{
	create_srq_ex(w, IBV_SRQT_XRC, SRQ_BASIC, 0, true);
}

static void create_srq_no_tags(struct world *w)
{
	create_srq_ex(w, IBV_SRQT_TM, SRQ_TM, 0, true);
}

static void modify_srq(struct world *w)
{
	struct ibv_srq_attr attr = { .srq_limit = 1 };
	struct ibv_modify_srq cmd = { 0 };
	struct ibv_srq srq = a_srq(w);

	TRACK("srq", &srq, srq_members);
	CALL(ibv_cmd_modify_srq(&srq, &attr, IBV_SRQ_LIMIT, &cmd, sizeof(cmd)));
}

static void query_srq(struct world *w)
{
	struct ibv_srq_attr attr = { 0 };
	struct ibv_query_srq cmd = { 0 };
	struct ibv_srq srq = a_srq(w);

	TRACK("srq", &srq, srq_members);
	TRACK("attr", &attr, srq_attr_members);
	CALL(ibv_cmd_query_srq(&srq, &attr, &cmd, sizeof(cmd)));
}

static void destroy_srq(struct world *w)
{
	struct ibv_srq srq = a_srq(w);

	TRACK("srq", &srq, srq_members);
	CALL(ibv_cmd_destroy_srq(&srq));
}

static void open_xrcd_mask(struct world *w, uint32_t comp_mask)
{
	struct ibv_xrcd_init_attr attr = { .comp_mask = comp_mask, .fd = -1 };
	struct ib_uverbs_open_xrcd_resp resp = { 0 };
	struct ibv_open_xrcd cmd = { 0 };
	struct verbs_xrcd xrcd = { 0 };

	TRACK("xrcd", &xrcd, xrcd_members);
	CALL(ibv_cmd_open_xrcd(w->context, &xrcd, sizeof(xrcd), &attr, &cmd,
			       sizeof(cmd), &resp, sizeof(resp)));
}

static void open_xrcd(struct world *w)
{
	open_xrcd_mask(w, IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS);
}

static void open_xrcd_unknown(struct world *w)
{
	open_xrcd_mask(w,
		       IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS | 4);
}

static void open_xrcd_no_flags(struct world *w)
{
	open_xrcd_mask(w, IBV_XRCD_INIT_ATTR_FD);
}

static void close_xrcd(struct world *w)
{
	struct verbs_xrcd xrcd = an_xrcd(w);

	TRACK("xrcd", &xrcd, xrcd_members);
	CALL(ibv_cmd_close_xrcd(&xrcd));
}

/* ---- queue pairs ---- */

static void create_qp(struct world *w)
{
	struct ibv_pd pd = a_pd(w);
	struct ibv_cq cq = a_cq(w);
	struct ibv_qp_init_attr attr = {
		.send_cq = &cq,
		.recv_cq = &cq,
		.cap = { .max_send_wr = 1 },
		.qp_type = IBV_QPT_RC,
	};
	REQUEST(ibv_create_qp) rq = { 0 };
	REPLY(ib_uverbs_create_qp_resp) rp = { 0 };
	struct ibv_qp qp = { 0 };
#define T typeof(rp)
	static const struct member members[] = {
		R(qp_handle),	    R(qpn),	     R(max_send_wr),
		R(max_recv_wr),	    R(max_send_sge), R(max_recv_sge),
		R(max_inline_data), R(reserved),     D,
	};
#undef T

	TRACK("qp", &qp, qp_members);
	TRACK("attr", &attr, qp_init_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_create_qp(&pd, &qp, &attr, &rq.cmd, sizeof(rq), &rp.resp,
			       sizeof(rp)));
}

static void create_qp_ex_mask(struct world *w, uint32_t comp_mask)
{
	struct ibv_pd pd = a_pd(w);
	struct ibv_cq cq = a_cq(w);
	struct ibv_srq srq = a_srq(w);
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = &cq,
		.recv_cq = &cq,
		.srq = &srq,
		.cap = { .max_send_wr = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
		.comp_mask = comp_mask,
		.pd = &pd,
	};
	REQUEST(ibv_create_qp) rq = { 0 };
	REPLY(ib_uverbs_create_qp_resp) rp = { 0 };
	struct verbs_qp qp = { .comp_mask = VERBS_QP_EX };
#define T typeof(rp)
	static const struct member members[] = {
		R(qp_handle),	    R(qpn),	     R(max_send_wr),
		R(max_recv_wr),	    R(max_send_sge), R(max_recv_sge),
		R(max_inline_data), R(reserved),     D,
	};
#undef T

	TRACK("qp", &qp, verbs_qp_members);
	TRACK("attr", &attr, qp_init_ex_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_create_qp_ex(w->context, &qp, &attr, &rq.cmd, sizeof(rq),
				  &rp.resp, sizeof(rp)));
}

static void create_qp_ex(struct world *w)
{
	create_qp_ex_mask(w, IBV_QP_INIT_ATTR_PD);
}

static void create_qp_ex_flags(struct world *w)
{
	create_qp_ex_mask(w,
			  IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS);
}

/* attr less its pointers */
static void create_qp_ex2(struct world *w, struct ibv_qp_init_attr_ex attr,
			  bool driver)
{
	struct ibv_pd pd = a_pd(w);
	struct ibv_cq cq = a_cq(w);
	struct verbs_xrcd xrcd = an_xrcd(w);
	struct ibv_rwq_ind_table table = { .ind_tbl_handle = 10 };
	REQUEST(ibv_create_qp_ex) rq = { 0 };
	REPLY(ib_uverbs_ex_create_qp_resp) rp = { 0 };
	struct verbs_qp qp = { 0 };
#define T typeof(rp)
	static const struct member members[] = {
		R(base.qp_handle),
		R(base.qpn),
		R(base.max_send_wr),
		R(base.max_recv_wr),
		R(base.max_send_sge),
		R(base.max_recv_sge),
		R(base.max_inline_data),
		R(base.reserved),
		R(comp_mask),
		R(response_length),
		D,
	};
#undef T

	attr.pd = &pd;
	attr.xrcd = &xrcd.xrcd;
	attr.rwq_ind_tbl = &table;
	if (!(attr.comp_mask & IBV_QP_INIT_ATTR_IND_TABLE)) {
		attr.send_cq = &cq;
		attr.recv_cq = &cq;
	}

	TRACK("qp", &qp, verbs_qp_members);
	/* The table tells of these for the one case only. */
	if (attr.comp_mask ==
	    (IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS)) {
		TRACK("attr", &attr, qp_init_ex_members);
		TRACK("resp", &rp, members);
	}
	if (driver)
		CALL(ibv_cmd_create_qp_ex2(w->context, &qp, &attr, &rq.cmd,
					   sizeof(rq), &rp.resp, sizeof(rp)));
	else
		CALL(ibv_cmd_create_qp_ex2(w->context, &qp, &attr, NULL, 0,
					   NULL, 0));
}

static void create_qp_source_qpn(struct world *w)
{
	create_qp_ex2(w,
		      (struct ibv_qp_init_attr_ex){
			      .qp_type = IBV_QPT_RC,
			      .comp_mask = IBV_QP_INIT_ATTR_PD |
					   IBV_QP_INIT_ATTR_CREATE_FLAGS,
			      .create_flags =
				      IBV_QP_CREATE_BLOCK_SELF_MCAST_LB |
				      IBV_QP_CREATE_SOURCE_QPN,
			      .source_qpn = 12,
		      },
		      true);
}

static void create_qp_table(struct world *w)
{
	create_qp_ex2(w,
		      (struct ibv_qp_init_attr_ex){
			      .qp_type = IBV_QPT_RAW_PACKET,
			      .comp_mask = IBV_QP_INIT_ATTR_PD |
					   IBV_QP_INIT_ATTR_IND_TABLE,
		      },
		      true);
}

static void create_qp_xrc_recv(struct world *w)
{
	create_qp_ex2(w,
		      (struct ibv_qp_init_attr_ex){
			      .qp_type = IBV_QPT_XRC_RECV,
			      .comp_mask = IBV_QP_INIT_ATTR_XRCD,
		      },
		      false);
}

static void create_qp_no_pd(struct world *w)
{
	create_qp_ex2(w, (struct ibv_qp_init_attr_ex){ .qp_type = IBV_QPT_RC },
		      false);
}

static void create_qp_unknown_flag(struct world *w)
{
	create_qp_ex2(w,
		      (struct ibv_qp_init_attr_ex){
			      .qp_type = IBV_QPT_RC,
			      .comp_mask = IBV_QP_INIT_ATTR_PD |
					   IBV_QP_INIT_ATTR_CREATE_FLAGS,
			      .create_flags = 1,
		      },
		      false);
}

static void create_qp_unknown_type(struct world *w)
{
	create_qp_ex2(w,
		      (struct ibv_qp_init_attr_ex){
			      .qp_type = 7,
			      .comp_mask = IBV_QP_INIT_ATTR_PD,
		      },
		      false);
}

static void create_qp_xrc_without(struct world *w)
{
	create_qp_ex2(w,
		      (struct ibv_qp_init_attr_ex){
			      .qp_type = IBV_QPT_XRC_RECV,
			      .comp_mask = IBV_QP_INIT_ATTR_PD,
		      },
		      false);
}

static void create_qp_table_and_cq(struct world *w)
{
	struct ibv_cq cq = a_cq(w);

	create_qp_ex2(w,
		      (struct ibv_qp_init_attr_ex){
			      .recv_cq = &cq,
			      .qp_type = IBV_QPT_RAW_PACKET,
			      .comp_mask = IBV_QP_INIT_ATTR_PD |
					   IBV_QP_INIT_ATTR_IND_TABLE,
		      },
		      false);
}

static void create_qp_unknown_mask(struct world *w)
{
	create_qp_ex2(w,
		      (struct ibv_qp_init_attr_ex){
			      .qp_type = IBV_QPT_RC,
			      .comp_mask = IBV_QP_INIT_ATTR_PD | 0x80,
		      },
		      false);
}

static void open_qp_mask(struct world *w, uint32_t comp_mask)
{
	struct verbs_xrcd xrcd = an_xrcd(w);
	struct ibv_qp_open_attr attr = {
		.comp_mask = comp_mask,
		.qp_num = 12,
		.xrcd = &xrcd.xrcd,
		.qp_type = IBV_QPT_XRC_RECV,
	};
	struct ib_uverbs_create_qp_resp resp = { 0 };
	struct ibv_open_qp cmd = { 0 };
	struct verbs_qp qp = { 0 };

	TRACK("qp", &qp, verbs_qp_members);
	CALL(ibv_cmd_open_qp(w->context, &qp, sizeof(qp), &attr, &cmd,
			     sizeof(cmd), &resp, sizeof(resp)));
}

static void open_qp(struct world *w)
{
	open_qp_mask(w, IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD |
				IBV_QP_OPEN_ATTR_TYPE);
}

static void open_qp_unknown(struct world *w)
{
	open_qp_mask(w, IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD |
				IBV_QP_OPEN_ATTR_TYPE | 0x10);
}

static void open_qp_no_type(struct world *w)
{
	open_qp_mask(w, IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD);
}

static void query_qp_mask(struct world *w, int mask)
{
	struct ibv_qp_attr attr = { 0 };
	struct ibv_qp_init_attr init_attr = { .qp_type = IBV_QPT_RC };
	struct ibv_query_qp cmd = { 0 };
	struct ibv_qp qp = a_qp(w);

	TRACK("attr", &attr, qp_attr_members);
	TRACK("init_attr", &init_attr, qp_init_members);
	TRACK("qp", &qp, qp_members);
	CALL(ibv_cmd_query_qp(&qp, &attr, mask, &init_attr, &cmd, sizeof(cmd)));
}

static void query_qp(struct world *w)
{
	query_qp_mask(w, IBV_QP_STATE);
}

static void query_qp_rate(struct world *w)
{
	query_qp_mask(w, IBV_QP_RATE_LIMIT);
}

static void modify_qp_mask(struct world *w, int mask)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT };
	REQUEST(ibv_modify_qp) rq = { 0 };
	struct ibv_qp qp = a_qp(w);

	TRACK("qp", &qp, qp_members);
	CALL(ibv_cmd_modify_qp(&qp, &attr, mask, &rq.cmd, sizeof(rq.cmd) + 8));
}

static void modify_qp(struct world *w)
{
	modify_qp_mask(w, IBV_QP_STATE);
}

static void modify_qp_rate(struct world *w)
{
	modify_qp_mask(w, IBV_QP_RATE_LIMIT);
}

static void modify_qp_ex_size(struct world *w, size_t cmd_size)
{
	struct ibv_qp_attr attr = { .rate_limit = 1 };
	REQUEST(ibv_modify_qp_ex) rq = { 0 };
	REPLY(ib_uverbs_ex_modify_qp_resp) rp = { 0 };
	struct ibv_qp qp = a_qp(w);
#define T typeof(rp)
	static const struct member members[] = { R(comp_mask),
						 R(response_length), D };
#undef T

	TRACK("qp", &qp, qp_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_modify_qp_ex(&qp, &attr, IBV_QP_RATE_LIMIT, &rq.cmd,
				  cmd_size, &rp.resp, sizeof(rp)));
}

static void modify_qp_ex(struct world *w)
{
	modify_qp_ex_size(w, sizeof(struct ibv_modify_qp_ex) + 8);
}

static void modify_qp_ex_short(struct world *w)
{
	modify_qp_ex_size(w, offsetof(struct ibv_modify_qp_ex,
				      core_payload.rate_limit));
}

static void destroy_qp(struct world *w)
{
	struct ibv_qp qp = a_qp(w);

	TRACK("qp", &qp, qp_members);
	CALL(ibv_cmd_destroy_qp(&qp));
}

static void destroy_qp_of_lost_device(struct world *w)
{
	verbs_allow_disassociate_destroy = true;
	destroy_qp(w);
	verbs_allow_disassociate_destroy = false;
}

static const struct member bad_wr_members[] = { { "all", 0, 1 } };

static void post_send(struct world *w)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND }, *bad = NULL;
	struct ibv_qp qp = a_qp(w);

	TRACK("*bad_wr", &bad, bad_wr_members);
	CALL(ibv_cmd_post_send(&qp, &wr, &bad));
}

static void post_recv(struct world *w)
{
	struct ibv_recv_wr wr = { 0 }, *bad = NULL;
	struct ibv_qp qp = a_qp(w);

	TRACK("*bad_wr", &bad, bad_wr_members);
	CALL(ibv_cmd_post_recv(&qp, &wr, &bad));
}

static void post_srq_recv(struct world *w)
{
	struct ibv_recv_wr wr = { 0 }, *bad = NULL;
	struct ibv_srq srq = a_srq(w);

	TRACK("*bad_wr", &bad, bad_wr_members);
	CALL(ibv_cmd_post_srq_recv(&srq, &wr, &bad));
}

/* ---- address handles, multicast ---- */

static void create_ah(struct world *w)
{
	struct ibv_ah_attr attr = { .port_num = 1 };
	REPLY(ib_uverbs_create_ah_resp) rp = { 0 };
	struct ibv_pd pd = a_pd(w);
	struct ibv_ah ah = { 0 };
#define T typeof(rp)
	static const struct member members[] = { R(ah_handle), D4 };
#undef T

	TRACK("ah", &ah, ah_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_create_ah(&pd, &ah, &attr, &rp.resp, sizeof(rp.resp) + 4));
}

static void destroy_ah(struct world *w)
{
	struct ibv_ah ah = { .context = w->context, .handle = 4 };

	TRACK("ah", &ah, ah_members);
	CALL(ibv_cmd_destroy_ah(&ah));
}

static void attach_mcast(struct world *w)
{
	union ibv_gid gid = { .raw = { 0xff } };
	struct ibv_qp qp = a_qp(w);

	CALL(ibv_cmd_attach_mcast(&qp, &gid, 1));
}

static void detach_mcast(struct world *w)
{
	union ibv_gid gid = { .raw = { 0xff } };
	struct ibv_qp qp = a_qp(w);

	CALL(ibv_cmd_detach_mcast(&qp, &gid, 1));
}

/* ---- work queues ---- */

static void create_wq_attr(struct world *w, uint32_t comp_mask,
			   uint32_t create_flags)
{
	struct ibv_pd pd = a_pd(w);
	struct ibv_cq cq = a_cq(w);
	struct ibv_wq_init_attr attr = {
		.wq_type = IBV_WQT_RQ,
		.max_wr = 1,
		.max_sge = 1,
		.pd = &pd,
		.cq = &cq,
		.comp_mask = comp_mask,
		.create_flags = create_flags,
	};
	REQUEST(ibv_create_wq) rq = { 0 };
	REPLY(ib_uverbs_ex_create_wq_resp) rp = { 0 };
	struct ibv_wq wq = { 0 };
#define T typeof(rp)
	static const struct member members[] = {
		R(comp_mask),
		R(response_length),
		R(wq_handle),
		R(max_wr),
		R(max_sge),
		R(wqn),
		D,
	};
#undef T

	TRACK("wq", &wq, wq_members);
	TRACK("attr", &attr, wq_init_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_create_wq(w->context, &attr, &wq, &rq.cmd, sizeof(rq),
			       &rp.resp, sizeof(rp)));
}

static void create_wq(struct world *w)
{
	create_wq_attr(w, 0, 0);
}

static void create_wq_unknown_mask(struct world *w)
{
	create_wq_attr(w, 2, 0);
}

static void create_wq_unknown_flag(struct world *w)
{
	create_wq_attr(w, IBV_WQ_INIT_ATTR_FLAGS, 0x10);
}

static void modify_wq_attr(struct world *w, uint32_t mask, uint32_t flags_mask)
{
	struct ibv_wq_attr attr = {
		.attr_mask = mask,
		.wq_state = IBV_WQS_RDY,
		.flags_mask = flags_mask,
	};
	struct ibv_modify_wq cmd = { 0 };
	struct ibv_wq wq = a_wq(w);

	TRACK("wq", &wq, wq_members);
	CALL(ibv_cmd_modify_wq(&wq, &attr, &cmd, sizeof(cmd)));
}

static void modify_wq(struct world *w)
{
	modify_wq_attr(w, IBV_WQ_ATTR_STATE, 0);
}

static void modify_wq_unknown_mask(struct world *w)
{
	modify_wq_attr(w, 8, 0);
}

static void modify_wq_unknown_flag(struct world *w)
{
	modify_wq_attr(w, IBV_WQ_ATTR_FLAGS, 0x10);
}

static void destroy_wq(struct world *w)
{
	struct ibv_wq wq = a_wq(w);

	TRACK("wq", &wq, wq_members);
	CALL(ibv_cmd_destroy_wq(&wq));
}

static void create_table_attr(struct world *w, uint32_t comp_mask, bool driver)
{
	struct ibv_wq wq = a_wq(w);
	struct ibv_wq *wqs[2] = { &wq, &wq };
	struct ibv_rwq_ind_table_init_attr attr = {
		.log_ind_tbl_size = 1,
		.ind_tbl = wqs,
		.comp_mask = comp_mask,
	};
	REPLY(ib_uverbs_ex_create_rwq_ind_table_resp) rp = { 0 };
	struct ibv_rwq_ind_table table = { 0 };
#define T typeof(rp)
	static const struct member members[] = {
		R(comp_mask),
		R(response_length),
		R(ind_tbl_handle),
		R(ind_tbl_num),
		D,
	};
#undef T

	TRACK("tbl", &table, table_members);
	TRACK("resp", &rp, members);
	CALL(ibv_cmd_create_rwq_ind_table(w->context, &attr, &table, &rp.resp,
					  driver ? sizeof(rp)
						 : sizeof(rp.resp)));
}

static void create_table(struct world *w)
{
	create_table_attr(w, 0, true);
}

static void create_table_unknown(struct world *w)
{
	create_table_attr(w, 1, true);
}

static void create_table_short_reply(struct world *w)
{
	create_table_attr(w, 0, false);
}

static void destroy_table(struct world *w)
{
	struct ibv_rwq_ind_table table = { .context = w->context,
					   .ind_tbl_handle = 4 };

	TRACK("tbl", &table, table_members);
	CALL(ibv_cmd_destroy_rwq_ind_table(&table));
}

/* ---- flows, counters ---- */

static void create_flow(struct world *w, uint32_t type, uint16_t size,
			int set_byte, size_t driver_len)
{
	struct {
		struct ibv_flow_attr attr;
		char spec[128];
	} rule = { .attr = { .num_of_specs = 1, .port = 1 } };
	uint64_t driver = 1;
	struct ibv_flow flow = { 0 };
	struct ibv_qp qp = a_qp(w);

	memcpy(rule.spec, &type, sizeof(type));
	memcpy(rule.spec + sizeof(type), &size, sizeof(size));
	if (set_byte >= 0)
		rule.spec[set_byte] = 1;
	/* The table tells of what is written for the one case only. */
	if (driver_len)
		TRACK("flow", &flow, flow_members);
	CALL(ibv_cmd_create_flow(&qp, &flow, &rule.attr,
				 driver_len ? &driver : NULL, driver_len));
}

static void create_flow_eth(struct world *w)
{
	create_flow(w, IBV_FLOW_SPEC_ETH, sizeof(struct ibv_flow_spec_eth), -1,
		    8);
}

static void create_flow_unknown(struct world *w)
{
	create_flow(w, 0x99, 16, -1, 0);
}

static void create_flow_ipv6_short(struct world *w)
{
	create_flow(w, IBV_FLOW_SPEC_IPV6, 8 + 2 * 36, -1, 0);
}

static void create_flow_ipv6_more(struct world *w)
{
	create_flow(w, IBV_FLOW_SPEC_IPV6, 8 + 2 * 44, 8 + 44 + 43, 0);
}

static void create_flow_ipv6_long(struct world *w)
{
	create_flow(w, IBV_FLOW_SPEC_IPV6, 8 + 2 * 44, -1, 0);
}

static void create_flow_ipv4_ext(struct world *w)
{
	create_flow(w, IBV_FLOW_SPEC_IPV4_EXT, 32, -1, 0);
}

static void create_flow_ipv4(struct world *w)
{
	create_flow(w, IBV_FLOW_SPEC_IPV4, 24, -1, 0);
}

static void create_flow_inner_gre(struct world *w)
{
	create_flow(w, IBV_FLOW_SPEC_GRE | IBV_FLOW_SPEC_INNER, 24, -1, 0);
}

static void create_flow_inner_mpls(struct world *w)
{
	create_flow(w, IBV_FLOW_SPEC_MPLS | IBV_FLOW_SPEC_INNER, 16, -1, 0);
}

static void destroy_flow(struct world *w)
{
	struct ibv_flow flow = { .context = w->context, .handle = 4 };

	TRACK("flow", &flow, flow_members);
	CALL(ibv_cmd_destroy_flow(&flow));
}

static void create_action(struct world *w)
{
	struct ib_uverbs_flow_action_esp_keymat_aes_gcm keymat = { .iv = 1 };
	struct ib_uverbs_flow_action_esp_replay_bmp replay = { .size = 1 };
	struct ib_uverbs_flow_action_esp_encap encap = { .len = 1 };
	struct ib_uverbs_flow_action_esp esp = { .spi = 1 };
	struct ibv_flow_action_esp_attr attr = {
		.esp_attr = &esp,
		.keymat_proto = IB_UVERBS_FLOW_ACTION_ESP_KEYMAT_AES_GCM,
		.keymat_len = sizeof(keymat),
		.keymat_ptr = &keymat,
		.replay_proto = IB_UVERBS_FLOW_ACTION_ESP_REPLAY_BMP,
		.replay_len = sizeof(replay),
		.replay_ptr = &replay,
		.esp_encap = &encap,
		.comp_mask = IBV_FLOW_ACTION_ESP_MASK_ESN,
		.esn = 1,
	};
	struct verbs_flow_action action = { 0 };

	TRACK("action", &action, action_members);
	CALL(ibv_cmd_create_flow_action_esp(w->context, &attr, &action, NULL));
}

static struct verbs_flow_action an_action(struct world *w)
{
	return (struct verbs_flow_action){ .action.context = w->context,
					   .handle = 4 };
}

static void modify_action(struct world *w)
{
	struct ibv_flow_action_esp_attr attr = {
		.comp_mask = IBV_FLOW_ACTION_ESP_MASK_ESN,
		.esn = 1,
	};
	struct verbs_flow_action action = an_action(w);

	TRACK("action", &action, action_members);
	CALL(ibv_cmd_modify_flow_action_esp(&action, &attr, NULL));
}

static void destroy_action(struct world *w)
{
	struct verbs_flow_action action = an_action(w);

	TRACK("action", &action, action_members);
	CALL(ibv_cmd_destroy_flow_action(&action));
}

static void create_counters_mask(struct world *w, uint32_t comp_mask)
{
	struct ibv_counters_init_attr attr = { .comp_mask = comp_mask };
	struct verbs_counters counters = { 0 };

	TRACK("counters", &counters, counters_members);
	CALL(ibv_cmd_create_counters(w->context, &attr, &counters, NULL));
}

static void create_counters(struct world *w)
{
	create_counters_mask(w, 0);
}

static void create_counters_unknown(struct world *w)
{
	create_counters_mask(w, 1);
}

static void read_counters(struct world *w)
{
	struct verbs_counters counters;
	uint64_t values[2];

	CLEAR(counters);
	counters.counters.context = w->context;
	counters.handle = 4;
	TRACK("counters", &counters, counters_members);
	CALL(ibv_cmd_read_counters(&counters, values, 2, 0, NULL));
}

static void destroy_counters(struct world *w)
{
	struct verbs_counters counters;

	CLEAR(counters);
	counters.counters.context = w->context;
	counters.handle = 4;
	TRACK("counters", &counters, counters_members);
	CALL(ibv_cmd_destroy_counters(&counters));
}

/* ---- what is not of one object ---- */

static void execute(struct world *w, bool error)
{
	struct {
		struct ibv_command_buffer buffer;
		struct ib_uverbs_attr attr;
	} cmd = {
		.buffer = {
			.next_attr = &cmd.attr + 1,
			.last_attr = &cmd.attr + 1,
			.uhw_in_idx = _UHW_NO_INDEX,
			.uhw_out_idx = _UHW_NO_INDEX,
			.buffer_error = error,
			.hdr.object_id = UVERBS_OBJECT_PD,
			.hdr.method_id = UVERBS_METHOD_PD_DESTROY,
		},
		.attr = {
			.attr_id = UVERBS_ATTR_DESTROY_PD_HANDLE,
			.flags = UVERBS_ATTR_F_MANDATORY,
			.data = 3,
		},
	};

	CALL(execute_ioctl(w->context, &cmd.buffer));
}

static void execute_buffer(struct world *w)
{
	execute(w, false);
}

static void execute_error(struct world *w)
{
	execute(w, true);
}

static void create_channel(struct world *w)
{
	struct ibv_comp_channel *channel = NULL;

	CALL((channel = ibv_create_comp_channel(w->context)) != NULL);
	if (channel) {
		/* The descriptor was not a real one. */
		channel->fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		ibv_destroy_comp_channel(channel);
	}
}

static void query_gid_ex(struct world *w)
{
	struct ibv_gid_entry entry = { 0 };

	TRACK("entry", &entry, gid_members);
	CALL(ibv_query_gid_ex(w->context, 1, 0, &entry, 0));
}

static void query_gid_table(struct world *w)
{
	struct ibv_gid_entry entries[5] = { { .gid_index = 0 } };

	CALL(ibv_query_gid_table(w->context, entries, 5, 0));
}

static void query_gid_type(struct world *w)
{
	enum ibv_gid_type_sysfs type = -1;
	static const struct member members[] = { { "all", 0, sizeof(type) } };

	TRACK("*type", &type, members);
	CALL(ibv_query_gid_type(w->context, 1, 0, &type));
}

/* ---- the list ---- */

const struct sequence_case sequence_cases[] = {
	{ "ibv_cmd_get_context", "driver data 16 in, 8 out", get_context_driver,
	  NULL },
	{ "ibv_cmd_get_context", "no driver data", get_context_plain, NULL },
	{ "ibv_cmd_query_context", "no linked buffer", query_context, NULL },
	{ "ibv_cmd_query_port", "", query_port, NULL },
	{ "ibv_cmd_query_device_any",
	  "attr_size = full, caller response buffer + 8", query_device_full,
	  NULL },
	{ "ibv_cmd_query_device_any",
	  "attr_size = sizeof(ibv_device_attr), no response buffer",
	  query_device_basic, NULL },
	{ "ibv_cmd_query_device_any", "input comp_mask 1", query_device_input,
	  NULL },
	{ "ibv_cmd_query_device_any", "attr_size 231", query_device_short,
	  NULL },
	{ "ibv_cmd_alloc_pd", "driver data 8 in, 4 out", alloc_pd, NULL },
	{ "ibv_cmd_dealloc_pd", "", dealloc_pd, NULL },
	{ "ibv_cmd_dealloc_pd", "second call on one context", dealloc_pd,
	  dealloc_another_pd },
	{ "ibv_cmd_reg_mr", "driver data 8 in, 4 out", reg_mr, NULL },
	{ "ibv_cmd_reg_mr", "ON_DEMAND, length SIZE_MAX, addr not NULL",
	  reg_everything_at_addr, NULL },
	{ "ibv_cmd_reg_mr", "ON_DEMAND, length SIZE_MAX, addr NULL",
	  reg_everything_at_null, NULL },
	{ "ibv_cmd_rereg_mr", "flags = CHANGE_PD", rereg_mr, NULL },
	{ "ibv_cmd_dereg_mr", "", dereg_mr, NULL },
	{ "ibv_cmd_query_mr", "", query_mr, NULL },
	{ "ibv_cmd_advise_mr", "2 SGEs", advise_mr, NULL },
	{ "ibv_cmd_reg_dmabuf_mr", "", reg_dmabuf_mr, NULL },
	{ "ibv_cmd_reg_dm_mr", "access has ZERO_BASED", reg_dm_mr_zero_based,
	  NULL },
	{ "ibv_cmd_reg_dm_mr", "access lacks ZERO_BASED",
	  reg_dm_mr_not_zero_based, NULL },
	{ "ibv_cmd_alloc_dm", "", alloc_dm, NULL },
	{ "ibv_cmd_alloc_dm",
	  "driver links a buffer with one 8-byte out attribute (id 0x1001)",
	  alloc_dm_linked, NULL },
	{ "ibv_cmd_free_dm", "", free_dm, NULL },
	{ "ibv_cmd_alloc_mw", "", alloc_mw, NULL },
	{ "ibv_cmd_dealloc_mw", "", dealloc_mw, NULL },
	{ "ibv_cmd_create_cq", "with channel, driver data 16 in, 8 out",
	  create_cq_channel, NULL },
	{ "ibv_cmd_create_cq", "no channel, driver data 4 in, none out",
	  create_cq_no_channel, NULL },
	{ "ibv_cmd_create_cq", "imported context, no driver data",
	  create_cq_imported, NULL },
	{ "ibv_cmd_create_cq_ex", "wc_flags none, driver data 16 in, 8 out",
	  create_cq_ex_plain, NULL },
	{ "ibv_cmd_create_cq_ex",
	  "completion timestamp, driver data 16 in, 8 out",
	  create_cq_ex_timestamp, NULL },
	{ "ibv_cmd_create_cq_ex",
	  "completion timestamp, cmd_flags TS_IGNORED_EX, driver data 16 in, 8 "
	  "out",
	  create_cq_ex_timestamp_ignored, NULL },
	{ "ibv_cmd_create_cq_ex", "unknown comp_mask bit", create_cq_ex_unknown,
	  NULL },
	{ "ibv_cmd_resize_cq", "", resize_cq, NULL },
	{ "ibv_cmd_modify_cq", "", modify_cq, NULL },
	{ "ibv_cmd_modify_cq", "attr_mask has bit 2", modify_cq_unknown, NULL },
	{ "ibv_cmd_req_notify_cq", "", req_notify_cq, NULL },
	{ "ibv_cmd_poll_cq", "4 entries, kernel reports 0", poll_cq, NULL },
	{ "ibv_cmd_destroy_cq", "no outstanding events", destroy_cq, NULL },
	{ "ibv_cmd_create_srq", "driver data 16 in, 8 out", create_srq, NULL },
	{ "ibv_cmd_create_srq_ex", "XRC, driver data 16 in, 8 out",
	  create_srq_xrc, NULL },
	{ "ibv_cmd_create_srq_ex", "TM (tag matching), no driver data",
	  create_srq_tm, NULL },
	{ "ibv_cmd_create_srq_ex", "comp_mask has bit 0x20", create_srq_unknown,
	  NULL },
	{ "ibv_cmd_create_srq_ex", "comp_mask lacks PD", create_srq_no_pd,
	  NULL },
	{ "ibv_cmd_create_srq_ex", "XRC type, comp_mask lacks XRCD and CQ",
	  create_srq_xrc_bare, NULL },
	{ "ibv_cmd_create_srq_ex", "TM type, max_num_tags 0",
	  create_srq_no_tags, NULL },
	{ "ibv_cmd_modify_srq", "", modify_srq, NULL },
	{ "ibv_cmd_query_srq", "", query_srq, NULL },
	{ "ibv_cmd_destroy_srq", "no outstanding events", destroy_srq, NULL },
	{ "ibv_cmd_create_qp", "RC, driver data 16 in, 8 out", create_qp,
	  NULL },
	{ "ibv_cmd_create_qp_ex",
	  "RC with SRQ, sq_sig_all, verbs_qp.comp_mask preset to VERBS_QP_EX, "
	  "driver data 16 in, 8 out",
	  create_qp_ex, NULL },
	{ "ibv_cmd_create_qp_ex", "comp_mask has CREATE_FLAGS",
	  create_qp_ex_flags, NULL },
	{ "ibv_cmd_create_qp_ex2",
	  "RC, create_flags BLOCK_SELF_MCAST_LB|SOURCE_QPN, driver data 16 in, "
	  "8 out",
	  create_qp_source_qpn, NULL },
	{ "ibv_cmd_create_qp_ex2",
	  "RAW_PACKET with indirection table, no send queue, driver data 16 "
	  "in, 8 out",
	  create_qp_table, NULL },
	{ "ibv_cmd_create_qp_ex2", "XRC_RECV, no driver data",
	  create_qp_xrc_recv, NULL },
	{ "ibv_cmd_create_qp_ex2", "comp_mask lacks PD", create_qp_no_pd,
	  NULL },
	{ "ibv_cmd_create_qp_ex2", "create_flags has an unknown bit",
	  create_qp_unknown_flag, NULL },
	{ "ibv_cmd_create_qp_ex2", "unknown qp_type 7", create_qp_unknown_type,
	  NULL },
	{ "ibv_cmd_create_qp_ex2", "XRC_RECV without XRCD",
	  create_qp_xrc_without, NULL },
	{ "ibv_cmd_create_qp_ex2", "indirection table together with recv_cq",
	  create_qp_table_and_cq, NULL },
	{ "ibv_cmd_create_qp_ex2", "comp_mask has unknown bit 0x80",
	  create_qp_unknown_mask, NULL },
	{ "ibv_cmd_open_qp", "", open_qp, NULL },
	{ "ibv_cmd_open_qp", "comp_mask has bit 0x10", open_qp_unknown, NULL },
	{ "ibv_cmd_open_qp", "comp_mask lacks TYPE", open_qp_no_type, NULL },
	{ "ibv_cmd_query_qp", "", query_qp, NULL },
	{ "ibv_cmd_query_qp", "mask has RATE_LIMIT", query_qp_rate, NULL },
	{ "ibv_cmd_modify_qp", "driver data 8 in", modify_qp, NULL },
	{ "ibv_cmd_modify_qp", "mask has RATE_LIMIT", modify_qp_rate, NULL },
	{ "ibv_cmd_modify_qp_ex", "driver data 8 in, 8 out", modify_qp_ex,
	  NULL },
	{ "ibv_cmd_modify_qp_ex",
	  "RATE_LIMIT with cmd_size ending before rate_limit",
	  modify_qp_ex_short, NULL },
	{ "ibv_cmd_destroy_qp", "no outstanding events", destroy_qp, NULL },
	{ "ibv_cmd_destroy_qp", "verbs_allow_disassociate_destroy = 0",
	  destroy_qp, NULL },
	{ "ibv_cmd_destroy_qp", "verbs_allow_disassociate_destroy = 1",
	  destroy_qp_of_lost_device, NULL },
	{ "ibv_cmd_post_send", "one SEND, no SGE, kernel reports bad_wr 0",
	  post_send, NULL },
	{ "ibv_cmd_post_recv", "one WR, no SGE", post_recv, NULL },
	{ "ibv_cmd_post_srq_recv", "one WR, no SGE", post_srq_recv, NULL },
	{ "ibv_cmd_create_ah", "driver data 4 out", create_ah, NULL },
	{ "ibv_cmd_destroy_ah", "", destroy_ah, NULL },
	{ "ibv_cmd_attach_mcast", "", attach_mcast, NULL },
	{ "ibv_cmd_detach_mcast", "", detach_mcast, NULL },
	{ "ibv_cmd_open_xrcd", "", open_xrcd, NULL },
	{ "ibv_cmd_open_xrcd", "comp_mask has bit 4", open_xrcd_unknown, NULL },
	{ "ibv_cmd_open_xrcd", "comp_mask lacks OFLAGS", open_xrcd_no_flags,
	  NULL },
	{ "ibv_cmd_close_xrcd", "", close_xrcd, NULL },
	{ "ibv_cmd_create_wq", "driver data 16 in, 8 out", create_wq, NULL },
	{ "ibv_cmd_create_wq", "comp_mask has bit 2", create_wq_unknown_mask,
	  NULL },
	{ "ibv_cmd_create_wq", "create_flags has bit 0x10",
	  create_wq_unknown_flag, NULL },
	{ "ibv_cmd_modify_wq", "", modify_wq, NULL },
	{ "ibv_cmd_modify_wq", "attr_mask has bit 8", modify_wq_unknown_mask,
	  NULL },
	{ "ibv_cmd_modify_wq", "flags_mask has bit 0x10",
	  modify_wq_unknown_flag, NULL },
	{ "ibv_cmd_destroy_wq", "no outstanding events", destroy_wq, NULL },
	{ "ibv_cmd_create_rwq_ind_table", "2 entries, driver data 8 out",
	  create_table, NULL },
	{ "ibv_cmd_create_rwq_ind_table", "comp_mask has bit 1",
	  create_table_unknown, NULL },
	{ "ibv_cmd_create_rwq_ind_table", "kernel response_length below 16",
	  create_table_short_reply, NULL },
	{ "ibv_cmd_destroy_rwq_ind_table", "", destroy_table, NULL },
	{ "ibv_cmd_create_flow", "one ETH spec, 8 bytes of driver data",
	  create_flow_eth, NULL },
	{ "ibv_cmd_create_flow", "unknown spec type 0x99", create_flow_unknown,
	  NULL },
	{ "ibv_cmd_create_flow", "IPV6 spec too short (8 + 2*36)",
	  create_flow_ipv6_short, NULL },
	{ "ibv_cmd_create_flow",
	  "IPV6 spec longer than known (8 + 2*44), extra mask byte non-zero",
	  create_flow_ipv6_more, NULL },
	{ "ibv_cmd_create_flow",
	  "IPV6 spec longer than known (8 + 2*44), extra mask bytes zero",
	  create_flow_ipv6_long, NULL },
	{ "ibv_cmd_create_flow", "IPV4_EXT spec (32 bytes)",
	  create_flow_ipv4_ext, NULL },
	{ "ibv_cmd_create_flow", "IPV4 spec (24 bytes)", create_flow_ipv4,
	  NULL },
	{ "ibv_cmd_create_flow", "GRE with INNER bit", create_flow_inner_gre,
	  NULL },
	{ "ibv_cmd_create_flow", "MPLS with INNER bit", create_flow_inner_mpls,
	  NULL },
	{ "ibv_cmd_destroy_flow", "", destroy_flow, NULL },
	{ "ibv_cmd_create_flow_action_esp", "all optional parts given",
	  create_action, NULL },
	{ "ibv_cmd_modify_flow_action_esp", "only ESN", modify_action, NULL },
	{ "ibv_cmd_destroy_flow_action", "", destroy_action, NULL },
	{ "ibv_cmd_create_counters", "", create_counters, NULL },
	{ "ibv_cmd_create_counters", "comp_mask has bit 1",
	  create_counters_unknown, NULL },
	{ "ibv_cmd_read_counters", "2 counters", read_counters, NULL },
	{ "ibv_cmd_destroy_counters", "", destroy_counters, NULL },
	{ "execute_ioctl",
	  "buffer built by the caller: PD/PD_DESTROY with one object attribute",
	  execute_buffer, NULL },
	{ "execute_ioctl", "buffer_error bit set", execute_error, NULL },
	{ "ibv_create_comp_channel", "", create_channel, NULL },
	{ "_ibv_query_gid_ex", "flags 0", query_gid_ex, NULL },
	{ "_ibv_query_gid_table", "5 entries, flags 0", query_gid_table, NULL },
	{ "ibv_query_gid_type", "", query_gid_type, NULL },
};

const unsigned int num_sequence_cases = COUNT(sequence_cases);
