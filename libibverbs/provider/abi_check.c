// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What plug-ins of ABI 34 were compiled with, asserted at compile time: place
 * and size of every member that they share with the library, and the values of
 * the constants that they pass.  This file makes no code.  A line here changes
 * only when the number of the ABI does.
 */
#include "driver.h"

#include <linux/version.h>
#include <rdma/ib_user_sa.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>

#define ABI_SIZE(_type, _size, _align)                      \
	_Static_assert(sizeof(_type) == (_size) &&          \
			       _Alignof(_type) == (_align), \
		       "size of " #_type)

#define ABI_FIELD(_type, _member, _offset, _size)                        \
	_Static_assert(offsetof(_type, _member) == (_offset) &&          \
			       sizeof(((_type *)0)->_member) == (_size), \
		       "place of " #_member " in " #_type)

#define ABI_VALUE(_name, _value) \
	_Static_assert((_name) == (_value), "value of " #_name)

/* Slots of verbs_context_ops are function pointers without gaps. */
#define ABI_SLOT(_op, _index)                    \
	ABI_FIELD(struct verbs_context_ops, _op, \
		  (_index) * sizeof(void (*)(void)), sizeof(void (*)(void)))

/*
 * The numbers are those of x86-64; pthread's types differ elsewhere.  Plug-ins
 * for other machines are built from the same headers.
 */
#if defined(__x86_64__) && defined(__LP64__)

/* ---- the public objects that providers embed in theirs ---- */

ABI_FIELD(struct ibv_dm, context, 0, 8);
ABI_FIELD(struct ibv_dm, memcpy_to_dm, 8, 8);
ABI_FIELD(struct ibv_dm, memcpy_from_dm, 16, 8);
ABI_FIELD(struct ibv_dm, comp_mask, 24, 4);
ABI_FIELD(struct ibv_dm, handle, 28, 4);
ABI_SIZE(struct ibv_dm, 32, 8);

ABI_FIELD(struct ibv_pd, context, 0, 8);
ABI_FIELD(struct ibv_pd, handle, 8, 4);
ABI_SIZE(struct ibv_pd, 16, 8);

ABI_FIELD(struct ibv_td, context, 0, 8);
ABI_SIZE(struct ibv_td, 8, 8);

ABI_FIELD(struct ibv_xrcd, context, 0, 8);
ABI_SIZE(struct ibv_xrcd, 8, 8);

ABI_FIELD(struct ibv_mr, context, 0, 8);
ABI_FIELD(struct ibv_mr, pd, 8, 8);
ABI_FIELD(struct ibv_mr, addr, 16, 8);
ABI_FIELD(struct ibv_mr, length, 24, 8);
ABI_FIELD(struct ibv_mr, handle, 32, 4);
ABI_FIELD(struct ibv_mr, lkey, 36, 4);
ABI_FIELD(struct ibv_mr, rkey, 40, 4);
ABI_SIZE(struct ibv_mr, 48, 8);

ABI_FIELD(struct ibv_mw, context, 0, 8);
ABI_FIELD(struct ibv_mw, pd, 8, 8);
ABI_FIELD(struct ibv_mw, rkey, 16, 4);
ABI_FIELD(struct ibv_mw, handle, 20, 4);
ABI_FIELD(struct ibv_mw, type, 24, 4);
ABI_SIZE(struct ibv_mw, 32, 8);

ABI_FIELD(struct ibv_rwq_ind_table, context, 0, 8);
ABI_FIELD(struct ibv_rwq_ind_table, ind_tbl_handle, 8, 4);
ABI_FIELD(struct ibv_rwq_ind_table, ind_tbl_num, 12, 4);
ABI_FIELD(struct ibv_rwq_ind_table, comp_mask, 16, 4);
ABI_SIZE(struct ibv_rwq_ind_table, 24, 8);

ABI_FIELD(struct ibv_srq, context, 0, 8);
ABI_FIELD(struct ibv_srq, srq_context, 8, 8);
ABI_FIELD(struct ibv_srq, pd, 16, 8);
ABI_FIELD(struct ibv_srq, handle, 24, 4);
ABI_FIELD(struct ibv_srq, mutex, 32, 40);
ABI_FIELD(struct ibv_srq, cond, 72, 48);
ABI_FIELD(struct ibv_srq, events_completed, 120, 4);
ABI_SIZE(struct ibv_srq, 128, 8);

ABI_FIELD(struct ibv_wq, context, 0, 8);
ABI_FIELD(struct ibv_wq, wq_context, 8, 8);
ABI_FIELD(struct ibv_wq, pd, 16, 8);
ABI_FIELD(struct ibv_wq, cq, 24, 8);
ABI_FIELD(struct ibv_wq, wq_num, 32, 4);
ABI_FIELD(struct ibv_wq, handle, 36, 4);
ABI_FIELD(struct ibv_wq, state, 40, 4);
ABI_FIELD(struct ibv_wq, wq_type, 44, 4);
ABI_FIELD(struct ibv_wq, post_recv, 48, 8);
ABI_FIELD(struct ibv_wq, mutex, 56, 40);
ABI_FIELD(struct ibv_wq, cond, 96, 48);
ABI_FIELD(struct ibv_wq, events_completed, 144, 4);
ABI_FIELD(struct ibv_wq, comp_mask, 148, 4);
ABI_SIZE(struct ibv_wq, 152, 8);

ABI_FIELD(struct ibv_qp, context, 0, 8);
ABI_FIELD(struct ibv_qp, qp_context, 8, 8);
ABI_FIELD(struct ibv_qp, pd, 16, 8);
ABI_FIELD(struct ibv_qp, send_cq, 24, 8);
ABI_FIELD(struct ibv_qp, recv_cq, 32, 8);
ABI_FIELD(struct ibv_qp, srq, 40, 8);
ABI_FIELD(struct ibv_qp, handle, 48, 4);
ABI_FIELD(struct ibv_qp, qp_num, 52, 4);
ABI_FIELD(struct ibv_qp, state, 56, 4);
ABI_FIELD(struct ibv_qp, qp_type, 60, 4);
ABI_FIELD(struct ibv_qp, mutex, 64, 40);
ABI_FIELD(struct ibv_qp, cond, 104, 48);
ABI_FIELD(struct ibv_qp, events_completed, 152, 4);
ABI_SIZE(struct ibv_qp, 160, 8);

ABI_FIELD(struct ibv_qp_ex, qp_base, 0, 160);
ABI_FIELD(struct ibv_qp_ex, comp_mask, 160, 8);
ABI_FIELD(struct ibv_qp_ex, wr_id, 168, 8);
ABI_FIELD(struct ibv_qp_ex, wr_flags, 176, 4);
ABI_FIELD(struct ibv_qp_ex, wr_atomic_cmp_swp, 184, 8);
ABI_FIELD(struct ibv_qp_ex, wr_atomic_fetch_add, 192, 8);
ABI_FIELD(struct ibv_qp_ex, wr_bind_mw, 200, 8);
ABI_FIELD(struct ibv_qp_ex, wr_local_inv, 208, 8);
ABI_FIELD(struct ibv_qp_ex, wr_rdma_read, 216, 8);
ABI_FIELD(struct ibv_qp_ex, wr_rdma_write, 224, 8);
ABI_FIELD(struct ibv_qp_ex, wr_rdma_write_imm, 232, 8);
ABI_FIELD(struct ibv_qp_ex, wr_send, 240, 8);
ABI_FIELD(struct ibv_qp_ex, wr_send_imm, 248, 8);
ABI_FIELD(struct ibv_qp_ex, wr_send_inv, 256, 8);
ABI_FIELD(struct ibv_qp_ex, wr_send_tso, 264, 8);
ABI_FIELD(struct ibv_qp_ex, wr_set_ud_addr, 272, 8);
ABI_FIELD(struct ibv_qp_ex, wr_set_xrc_srqn, 280, 8);
ABI_FIELD(struct ibv_qp_ex, wr_set_inline_data, 288, 8);
ABI_FIELD(struct ibv_qp_ex, wr_set_inline_data_list, 296, 8);
ABI_FIELD(struct ibv_qp_ex, wr_set_sge, 304, 8);
ABI_FIELD(struct ibv_qp_ex, wr_set_sge_list, 312, 8);
ABI_FIELD(struct ibv_qp_ex, wr_start, 320, 8);
ABI_FIELD(struct ibv_qp_ex, wr_complete, 328, 8);
ABI_FIELD(struct ibv_qp_ex, wr_abort, 336, 8);
ABI_FIELD(struct ibv_qp_ex, wr_atomic_write, 344, 8);
ABI_SIZE(struct ibv_qp_ex, 352, 8);

ABI_FIELD(struct ibv_comp_channel, context, 0, 8);
ABI_FIELD(struct ibv_comp_channel, fd, 8, 4);
ABI_FIELD(struct ibv_comp_channel, refcnt, 12, 4);
ABI_SIZE(struct ibv_comp_channel, 16, 8);

ABI_FIELD(struct ibv_cq, context, 0, 8);
ABI_FIELD(struct ibv_cq, channel, 8, 8);
ABI_FIELD(struct ibv_cq, cq_context, 16, 8);
ABI_FIELD(struct ibv_cq, handle, 24, 4);
ABI_FIELD(struct ibv_cq, cqe, 28, 4);
ABI_FIELD(struct ibv_cq, mutex, 32, 40);
ABI_FIELD(struct ibv_cq, cond, 72, 48);
ABI_FIELD(struct ibv_cq, comp_events_completed, 120, 4);
ABI_FIELD(struct ibv_cq, async_events_completed, 124, 4);
ABI_SIZE(struct ibv_cq, 128, 8);

ABI_FIELD(struct ibv_cq_ex, context, 0, 8);
ABI_FIELD(struct ibv_cq_ex, channel, 8, 8);
ABI_FIELD(struct ibv_cq_ex, cq_context, 16, 8);
ABI_FIELD(struct ibv_cq_ex, handle, 24, 4);
ABI_FIELD(struct ibv_cq_ex, cqe, 28, 4);
ABI_FIELD(struct ibv_cq_ex, mutex, 32, 40);
ABI_FIELD(struct ibv_cq_ex, cond, 72, 48);
ABI_FIELD(struct ibv_cq_ex, comp_events_completed, 120, 4);
ABI_FIELD(struct ibv_cq_ex, async_events_completed, 124, 4);
ABI_FIELD(struct ibv_cq_ex, comp_mask, 128, 4);
ABI_FIELD(struct ibv_cq_ex, status, 132, 4);
ABI_FIELD(struct ibv_cq_ex, wr_id, 136, 8);
ABI_FIELD(struct ibv_cq_ex, start_poll, 144, 8);
ABI_FIELD(struct ibv_cq_ex, next_poll, 152, 8);
ABI_FIELD(struct ibv_cq_ex, end_poll, 160, 8);
ABI_FIELD(struct ibv_cq_ex, read_opcode, 168, 8);
ABI_FIELD(struct ibv_cq_ex, read_vendor_err, 176, 8);
ABI_FIELD(struct ibv_cq_ex, read_byte_len, 184, 8);
ABI_FIELD(struct ibv_cq_ex, read_imm_data, 192, 8);
ABI_FIELD(struct ibv_cq_ex, read_qp_num, 200, 8);
ABI_FIELD(struct ibv_cq_ex, read_src_qp, 208, 8);
ABI_FIELD(struct ibv_cq_ex, read_wc_flags, 216, 8);
ABI_FIELD(struct ibv_cq_ex, read_slid, 224, 8);
ABI_FIELD(struct ibv_cq_ex, read_sl, 232, 8);
ABI_FIELD(struct ibv_cq_ex, read_dlid_path_bits, 240, 8);
ABI_FIELD(struct ibv_cq_ex, read_completion_ts, 248, 8);
ABI_FIELD(struct ibv_cq_ex, read_cvlan, 256, 8);
ABI_FIELD(struct ibv_cq_ex, read_flow_tag, 264, 8);
ABI_FIELD(struct ibv_cq_ex, read_tm_info, 272, 8);
ABI_FIELD(struct ibv_cq_ex, read_completion_wallclock_ns, 280, 8);
ABI_SIZE(struct ibv_cq_ex, 288, 8);

ABI_FIELD(struct ibv_ah, context, 0, 8);
ABI_FIELD(struct ibv_ah, pd, 8, 8);
ABI_FIELD(struct ibv_ah, handle, 16, 4);
ABI_SIZE(struct ibv_ah, 24, 8);

ABI_FIELD(struct ibv_flow, comp_mask, 0, 4);
ABI_FIELD(struct ibv_flow, context, 8, 8);
ABI_FIELD(struct ibv_flow, handle, 16, 4);
ABI_SIZE(struct ibv_flow, 24, 8);

ABI_FIELD(struct ibv_flow_action, context, 0, 8);
ABI_SIZE(struct ibv_flow_action, 8, 8);

ABI_FIELD(struct _ibv_device_ops, _dummy1, 0, 8);
ABI_FIELD(struct _ibv_device_ops, _dummy2, 8, 8);
ABI_SIZE(struct _ibv_device_ops, 16, 8);

ABI_FIELD(struct ibv_device, _ops, 0, 16);
ABI_FIELD(struct ibv_device, node_type, 16, 4);
ABI_FIELD(struct ibv_device, transport_type, 20, 4);
ABI_FIELD(struct ibv_device, name, 24, 64);
ABI_FIELD(struct ibv_device, dev_name, 88, 64);
ABI_FIELD(struct ibv_device, dev_path, 152, 256);
ABI_FIELD(struct ibv_device, ibdev_path, 408, 256);
ABI_SIZE(struct ibv_device, 664, 8);

ABI_FIELD(struct ibv_context_ops, _compat_query_device, 0, 8);
ABI_FIELD(struct ibv_context_ops, _compat_query_port, 8, 8);
ABI_FIELD(struct ibv_context_ops, _compat_alloc_pd, 16, 8);
ABI_FIELD(struct ibv_context_ops, _compat_dealloc_pd, 24, 8);
ABI_FIELD(struct ibv_context_ops, _compat_reg_mr, 32, 8);
ABI_FIELD(struct ibv_context_ops, _compat_rereg_mr, 40, 8);
ABI_FIELD(struct ibv_context_ops, _compat_dereg_mr, 48, 8);
ABI_FIELD(struct ibv_context_ops, alloc_mw, 56, 8);
ABI_FIELD(struct ibv_context_ops, bind_mw, 64, 8);
ABI_FIELD(struct ibv_context_ops, dealloc_mw, 72, 8);
ABI_FIELD(struct ibv_context_ops, _compat_create_cq, 80, 8);
ABI_FIELD(struct ibv_context_ops, poll_cq, 88, 8);
ABI_FIELD(struct ibv_context_ops, req_notify_cq, 96, 8);
ABI_FIELD(struct ibv_context_ops, _compat_cq_event, 104, 8);
ABI_FIELD(struct ibv_context_ops, _compat_resize_cq, 112, 8);
ABI_FIELD(struct ibv_context_ops, _compat_destroy_cq, 120, 8);
ABI_FIELD(struct ibv_context_ops, _compat_create_srq, 128, 8);
ABI_FIELD(struct ibv_context_ops, _compat_modify_srq, 136, 8);
ABI_FIELD(struct ibv_context_ops, _compat_query_srq, 144, 8);
ABI_FIELD(struct ibv_context_ops, _compat_destroy_srq, 152, 8);
ABI_FIELD(struct ibv_context_ops, post_srq_recv, 160, 8);
ABI_FIELD(struct ibv_context_ops, _compat_create_qp, 168, 8);
ABI_FIELD(struct ibv_context_ops, _compat_query_qp, 176, 8);
ABI_FIELD(struct ibv_context_ops, _compat_modify_qp, 184, 8);
ABI_FIELD(struct ibv_context_ops, _compat_destroy_qp, 192, 8);
ABI_FIELD(struct ibv_context_ops, post_send, 200, 8);
ABI_FIELD(struct ibv_context_ops, post_recv, 208, 8);
ABI_FIELD(struct ibv_context_ops, _compat_create_ah, 216, 8);
ABI_FIELD(struct ibv_context_ops, _compat_destroy_ah, 224, 8);
ABI_FIELD(struct ibv_context_ops, _compat_attach_mcast, 232, 8);
ABI_FIELD(struct ibv_context_ops, _compat_detach_mcast, 240, 8);
ABI_FIELD(struct ibv_context_ops, _compat_async_event, 248, 8);
ABI_SIZE(struct ibv_context_ops, 256, 8);

ABI_FIELD(struct ibv_context, device, 0, 8);
ABI_FIELD(struct ibv_context, ops, 8, 256);
ABI_FIELD(struct ibv_context, cmd_fd, 264, 4);
ABI_FIELD(struct ibv_context, async_fd, 268, 4);
ABI_FIELD(struct ibv_context, num_comp_vectors, 272, 4);
ABI_FIELD(struct ibv_context, mutex, 280, 40);
ABI_FIELD(struct ibv_context, abi_compat, 320, 8);
ABI_SIZE(struct ibv_context, 328, 8);

ABI_FIELD(struct ibv_counters, context, 0, 8);
ABI_SIZE(struct ibv_counters, 8, 8);

ABI_FIELD(struct verbs_context, query_port, 0, 8);
ABI_FIELD(struct verbs_context, advise_mr, 8, 8);
ABI_FIELD(struct verbs_context, alloc_null_mr, 16, 8);
ABI_FIELD(struct verbs_context, read_counters, 24, 8);
ABI_FIELD(struct verbs_context, attach_counters_point_flow, 32, 8);
ABI_FIELD(struct verbs_context, create_counters, 40, 8);
ABI_FIELD(struct verbs_context, destroy_counters, 48, 8);
ABI_FIELD(struct verbs_context, reg_dm_mr, 56, 8);
ABI_FIELD(struct verbs_context, alloc_dm, 64, 8);
ABI_FIELD(struct verbs_context, free_dm, 72, 8);
ABI_FIELD(struct verbs_context, modify_flow_action_esp, 80, 8);
ABI_FIELD(struct verbs_context, destroy_flow_action, 88, 8);
ABI_FIELD(struct verbs_context, create_flow_action_esp, 96, 8);
ABI_FIELD(struct verbs_context, modify_qp_rate_limit, 104, 8);
ABI_FIELD(struct verbs_context, alloc_parent_domain, 112, 8);
ABI_FIELD(struct verbs_context, dealloc_td, 120, 8);
ABI_FIELD(struct verbs_context, alloc_td, 128, 8);
ABI_FIELD(struct verbs_context, modify_cq, 136, 8);
ABI_FIELD(struct verbs_context, post_srq_ops, 144, 8);
ABI_FIELD(struct verbs_context, destroy_rwq_ind_table, 152, 8);
ABI_FIELD(struct verbs_context, create_rwq_ind_table, 160, 8);
ABI_FIELD(struct verbs_context, destroy_wq, 168, 8);
ABI_FIELD(struct verbs_context, modify_wq, 176, 8);
ABI_FIELD(struct verbs_context, create_wq, 184, 8);
ABI_FIELD(struct verbs_context, query_rt_values, 192, 8);
ABI_FIELD(struct verbs_context, create_cq_ex, 200, 8);
ABI_FIELD(struct verbs_context, priv, 208, 8);
ABI_FIELD(struct verbs_context, query_device_ex, 216, 8);
ABI_FIELD(struct verbs_context, ibv_destroy_flow, 224, 8);
ABI_FIELD(struct verbs_context, ABI_placeholder2, 232, 8);
ABI_FIELD(struct verbs_context, ibv_create_flow, 240, 8);
ABI_FIELD(struct verbs_context, ABI_placeholder1, 248, 8);
ABI_FIELD(struct verbs_context, open_qp, 256, 8);
ABI_FIELD(struct verbs_context, create_qp_ex, 264, 8);
ABI_FIELD(struct verbs_context, get_srq_num, 272, 8);
ABI_FIELD(struct verbs_context, create_srq_ex, 280, 8);
ABI_FIELD(struct verbs_context, open_xrcd, 288, 8);
ABI_FIELD(struct verbs_context, close_xrcd, 296, 8);
ABI_FIELD(struct verbs_context, _ABI_placeholder3, 304, 8);
ABI_FIELD(struct verbs_context, sz, 312, 8);
ABI_FIELD(struct verbs_context, context, 320, 328);
ABI_SIZE(struct verbs_context, 648, 8);

/* ---- the provider interface ---- */

ABI_FIELD(struct verbs_xrcd, xrcd, 0, 8);
ABI_FIELD(struct verbs_xrcd, comp_mask, 8, 4);
ABI_FIELD(struct verbs_xrcd, handle, 12, 4);
ABI_SIZE(struct verbs_xrcd, 16, 8);

ABI_FIELD(struct verbs_srq, srq, 0, 128);
ABI_FIELD(struct verbs_srq, srq_type, 128, 4);
ABI_FIELD(struct verbs_srq, xrcd, 136, 8);
ABI_FIELD(struct verbs_srq, cq, 144, 8);
ABI_FIELD(struct verbs_srq, srq_num, 152, 4);
ABI_SIZE(struct verbs_srq, 160, 8);

ABI_FIELD(struct verbs_mr, ibv_mr, 0, 48);
ABI_FIELD(struct verbs_mr, mr_type, 48, 4);
ABI_FIELD(struct verbs_mr, access, 52, 4);
ABI_SIZE(struct verbs_mr, 56, 8);

ABI_FIELD(struct verbs_qp, qp, 0, 160);
ABI_FIELD(struct verbs_qp, qp_ex, 0, 352);
ABI_FIELD(struct verbs_qp, comp_mask, 352, 4);
ABI_FIELD(struct verbs_qp, xrcd, 360, 8);
ABI_SIZE(struct verbs_qp, 368, 8);

ABI_FIELD(struct verbs_cq, cq, 0, 128);
ABI_FIELD(struct verbs_cq, cq_ex, 0, 288);
ABI_SIZE(struct verbs_cq, 288, 8);

ABI_FIELD(struct verbs_flow_action, action, 0, 8);
ABI_FIELD(struct verbs_flow_action, handle, 8, 4);
ABI_FIELD(struct verbs_flow_action, type, 12, 4);
ABI_SIZE(struct verbs_flow_action, 16, 8);

ABI_FIELD(struct verbs_dm, dm, 0, 32);
ABI_FIELD(struct verbs_dm, handle, 32, 4);
ABI_SIZE(struct verbs_dm, 40, 8);

ABI_FIELD(struct verbs_match_ent, driver_data, 0, 8);
ABI_FIELD(struct verbs_match_ent, u, 8, 8);
ABI_FIELD(struct verbs_match_ent, u.modalias, 8, 8);
ABI_FIELD(struct verbs_match_ent, u.driver_id, 8, 8);
ABI_FIELD(struct verbs_match_ent, vendor, 16, 2);
ABI_FIELD(struct verbs_match_ent, device, 18, 2);
ABI_FIELD(struct verbs_match_ent, kind, 20, 1);
ABI_SIZE(struct verbs_match_ent, 24, 8);

ABI_FIELD(struct verbs_sysfs_dev, entry, 0, 16);
ABI_FIELD(struct verbs_sysfs_dev, provider_data, 16, 8);
ABI_FIELD(struct verbs_sysfs_dev, match, 24, 8);
ABI_FIELD(struct verbs_sysfs_dev, flags, 32, 4);
ABI_FIELD(struct verbs_sysfs_dev, sysfs_name, 36, 64);
ABI_FIELD(struct verbs_sysfs_dev, sysfs_cdev, 104, 8);
ABI_FIELD(struct verbs_sysfs_dev, ibdev_name, 112, 64);
ABI_FIELD(struct verbs_sysfs_dev, ibdev_path, 176, 256);
ABI_FIELD(struct verbs_sysfs_dev, modalias, 432, 512);
ABI_FIELD(struct verbs_sysfs_dev, node_guid, 944, 8);
ABI_FIELD(struct verbs_sysfs_dev, driver_id, 952, 4);
ABI_FIELD(struct verbs_sysfs_dev, node_type, 956, 4);
ABI_FIELD(struct verbs_sysfs_dev, ibdev_idx, 960, 4);
ABI_FIELD(struct verbs_sysfs_dev, num_ports, 964, 4);
ABI_FIELD(struct verbs_sysfs_dev, abi_ver, 968, 4);
ABI_FIELD(struct verbs_sysfs_dev, time_created, 976, 16);
ABI_SIZE(struct verbs_sysfs_dev, 992, 8);

ABI_FIELD(struct verbs_device_ops, name, 0, 8);
ABI_FIELD(struct verbs_device_ops, match_min_abi_version, 8, 4);
ABI_FIELD(struct verbs_device_ops, match_max_abi_version, 12, 4);
ABI_FIELD(struct verbs_device_ops, match_table, 16, 8);
ABI_FIELD(struct verbs_device_ops, static_providers, 24, 8);
ABI_FIELD(struct verbs_device_ops, match_device, 32, 8);
ABI_FIELD(struct verbs_device_ops, alloc_context, 40, 8);
ABI_FIELD(struct verbs_device_ops, import_context, 48, 8);
ABI_FIELD(struct verbs_device_ops, alloc_device, 56, 8);
ABI_FIELD(struct verbs_device_ops, uninit_device, 64, 8);
ABI_SIZE(struct verbs_device_ops, 72, 8);

ABI_FIELD(struct verbs_device, device, 0, 664);
ABI_FIELD(struct verbs_device, ops, 664, 8);
ABI_FIELD(struct verbs_device, refcount, 672, 4);
ABI_FIELD(struct verbs_device, entry, 680, 16);
ABI_FIELD(struct verbs_device, sysfs, 696, 8);
ABI_FIELD(struct verbs_device, core_support, 704, 8);
ABI_SIZE(struct verbs_device, 712, 8);

ABI_FIELD(struct verbs_counters, counters, 0, 8);
ABI_FIELD(struct verbs_counters, handle, 8, 4);
ABI_SIZE(struct verbs_counters, 16, 8);

ABI_FIELD(struct list_node, next, 0, 8);
ABI_FIELD(struct list_node, prev, 8, 8);
ABI_SIZE(struct list_node, 16, 8);

/* ---- the command buffer; its bit-fields are checked in tests/abi ---- */

ABI_FIELD(struct ibv_command_buffer, next, 0, 8);
ABI_FIELD(struct ibv_command_buffer, next_attr, 8, 8);
ABI_FIELD(struct ibv_command_buffer, last_attr, 16, 8);
ABI_FIELD(struct ibv_command_buffer, uhw_in_idx, 24, 1);
ABI_FIELD(struct ibv_command_buffer, uhw_out_idx, 25, 1);
ABI_FIELD(struct ibv_command_buffer, uhw_in_headroom_dwords, 26, 1);
ABI_FIELD(struct ibv_command_buffer, uhw_out_headroom_dwords, 27, 1);
ABI_FIELD(struct ibv_command_buffer, hdr, 32, 24);
ABI_SIZE(struct ibv_command_buffer, 56, 8);

/*
 * ---- request buffers: a driver's bytes start where the struct ends, and the
 * core's request where the header does ----
 */

ABI_FIELD(struct ex_hdr, hdr, 0, 8);
ABI_FIELD(struct ex_hdr, ex_hdr, 8, 16);
ABI_SIZE(struct ex_hdr, 24, 8);

ABI_FIELD(struct ibv_alloc_mw, hdr, 0, 8);
ABI_FIELD(struct ibv_alloc_mw, core_payload, 8, 16);
ABI_SIZE(struct ibv_alloc_mw, 24, 8);

ABI_FIELD(struct ibv_alloc_pd, hdr, 0, 8);
ABI_FIELD(struct ibv_alloc_pd, core_payload, 8, 8);
ABI_SIZE(struct ibv_alloc_pd, 16, 8);

ABI_FIELD(struct ibv_attach_mcast, hdr, 0, 8);
ABI_FIELD(struct ibv_attach_mcast, core_payload, 8, 24);
ABI_SIZE(struct ibv_attach_mcast, 32, 8);

ABI_FIELD(struct ibv_close_xrcd, hdr, 0, 8);
ABI_FIELD(struct ibv_close_xrcd, core_payload, 8, 4);
ABI_SIZE(struct ibv_close_xrcd, 12, 4);

ABI_FIELD(struct ibv_create_ah, hdr, 0, 8);
ABI_FIELD(struct ibv_create_ah, core_payload, 8, 56);
ABI_SIZE(struct ibv_create_ah, 64, 8);

ABI_FIELD(struct ibv_create_comp_channel, hdr, 0, 8);
ABI_FIELD(struct ibv_create_comp_channel, core_payload, 8, 8);
ABI_SIZE(struct ibv_create_comp_channel, 16, 8);

ABI_FIELD(struct ibv_create_cq, hdr, 0, 8);
ABI_FIELD(struct ibv_create_cq, core_payload, 8, 32);
ABI_SIZE(struct ibv_create_cq, 40, 8);

ABI_FIELD(struct ibv_create_qp, hdr, 0, 8);
ABI_FIELD(struct ibv_create_qp, core_payload, 8, 56);
ABI_SIZE(struct ibv_create_qp, 64, 8);

ABI_FIELD(struct ibv_create_srq, hdr, 0, 8);
ABI_FIELD(struct ibv_create_srq, core_payload, 8, 32);
ABI_SIZE(struct ibv_create_srq, 40, 8);

ABI_FIELD(struct ibv_create_xsrq, hdr, 0, 8);
ABI_FIELD(struct ibv_create_xsrq, core_payload, 8, 48);
ABI_SIZE(struct ibv_create_xsrq, 56, 8);

ABI_FIELD(struct ibv_dealloc_mw, hdr, 0, 8);
ABI_FIELD(struct ibv_dealloc_mw, core_payload, 8, 4);
ABI_SIZE(struct ibv_dealloc_mw, 12, 4);

ABI_FIELD(struct ibv_dealloc_pd, hdr, 0, 8);
ABI_FIELD(struct ibv_dealloc_pd, core_payload, 8, 4);
ABI_SIZE(struct ibv_dealloc_pd, 12, 4);

ABI_FIELD(struct ibv_dereg_mr, hdr, 0, 8);
ABI_FIELD(struct ibv_dereg_mr, core_payload, 8, 4);
ABI_SIZE(struct ibv_dereg_mr, 12, 4);

ABI_FIELD(struct ibv_destroy_ah, hdr, 0, 8);
ABI_FIELD(struct ibv_destroy_ah, core_payload, 8, 4);
ABI_SIZE(struct ibv_destroy_ah, 12, 4);

ABI_FIELD(struct ibv_destroy_cq, hdr, 0, 8);
ABI_FIELD(struct ibv_destroy_cq, core_payload, 8, 16);
ABI_SIZE(struct ibv_destroy_cq, 24, 8);

ABI_FIELD(struct ibv_destroy_qp, hdr, 0, 8);
ABI_FIELD(struct ibv_destroy_qp, core_payload, 8, 16);
ABI_SIZE(struct ibv_destroy_qp, 24, 8);

ABI_FIELD(struct ibv_destroy_srq, hdr, 0, 8);
ABI_FIELD(struct ibv_destroy_srq, core_payload, 8, 16);
ABI_SIZE(struct ibv_destroy_srq, 24, 8);

ABI_FIELD(struct ibv_detach_mcast, hdr, 0, 8);
ABI_FIELD(struct ibv_detach_mcast, core_payload, 8, 24);
ABI_SIZE(struct ibv_detach_mcast, 32, 8);

ABI_FIELD(struct ibv_get_context, hdr, 0, 8);
ABI_FIELD(struct ibv_get_context, core_payload, 8, 8);
ABI_SIZE(struct ibv_get_context, 16, 8);

ABI_FIELD(struct ibv_modify_qp, hdr, 0, 8);
ABI_FIELD(struct ibv_modify_qp, core_payload, 8, 112);
ABI_SIZE(struct ibv_modify_qp, 120, 8);

ABI_FIELD(struct ibv_modify_srq, hdr, 0, 8);
ABI_FIELD(struct ibv_modify_srq, core_payload, 8, 16);
ABI_SIZE(struct ibv_modify_srq, 24, 8);

ABI_FIELD(struct ibv_open_qp, hdr, 0, 8);
ABI_FIELD(struct ibv_open_qp, core_payload, 8, 32);
ABI_SIZE(struct ibv_open_qp, 40, 8);

ABI_FIELD(struct ibv_open_xrcd, hdr, 0, 8);
ABI_FIELD(struct ibv_open_xrcd, core_payload, 8, 16);
ABI_SIZE(struct ibv_open_xrcd, 24, 8);

ABI_FIELD(struct ibv_poll_cq, hdr, 0, 8);
ABI_FIELD(struct ibv_poll_cq, core_payload, 8, 16);
ABI_SIZE(struct ibv_poll_cq, 24, 8);

ABI_FIELD(struct ibv_post_recv, hdr, 0, 8);
ABI_FIELD(struct ibv_post_recv, core_payload, 8, 24);
ABI_SIZE(struct ibv_post_recv, 32, 8);

ABI_FIELD(struct ibv_post_send, hdr, 0, 8);
ABI_FIELD(struct ibv_post_send, core_payload, 8, 24);
ABI_SIZE(struct ibv_post_send, 32, 8);

ABI_FIELD(struct ibv_post_srq_recv, hdr, 0, 8);
ABI_FIELD(struct ibv_post_srq_recv, core_payload, 8, 24);
ABI_SIZE(struct ibv_post_srq_recv, 32, 8);

ABI_FIELD(struct ibv_query_device, hdr, 0, 8);
ABI_FIELD(struct ibv_query_device, core_payload, 8, 8);
ABI_SIZE(struct ibv_query_device, 16, 8);

ABI_FIELD(struct ibv_query_port, hdr, 0, 8);
ABI_FIELD(struct ibv_query_port, core_payload, 8, 16);
ABI_SIZE(struct ibv_query_port, 24, 8);

ABI_FIELD(struct ibv_query_qp, hdr, 0, 8);
ABI_FIELD(struct ibv_query_qp, core_payload, 8, 16);
ABI_SIZE(struct ibv_query_qp, 24, 8);

ABI_FIELD(struct ibv_query_srq, hdr, 0, 8);
ABI_FIELD(struct ibv_query_srq, core_payload, 8, 16);
ABI_SIZE(struct ibv_query_srq, 24, 8);

ABI_FIELD(struct ibv_reg_mr, hdr, 0, 8);
ABI_FIELD(struct ibv_reg_mr, core_payload, 8, 40);
ABI_SIZE(struct ibv_reg_mr, 48, 8);

ABI_FIELD(struct ibv_req_notify_cq, hdr, 0, 8);
ABI_FIELD(struct ibv_req_notify_cq, core_payload, 8, 8);
ABI_SIZE(struct ibv_req_notify_cq, 16, 4);

ABI_FIELD(struct ibv_rereg_mr, hdr, 0, 8);
ABI_FIELD(struct ibv_rereg_mr, core_payload, 8, 48);
ABI_SIZE(struct ibv_rereg_mr, 56, 8);

ABI_FIELD(struct ibv_resize_cq, hdr, 0, 8);
ABI_FIELD(struct ibv_resize_cq, core_payload, 8, 16);
ABI_SIZE(struct ibv_resize_cq, 24, 8);

ABI_FIELD(struct ibv_create_cq_ex, hdr, 0, 24);
ABI_FIELD(struct ibv_create_cq_ex, core_payload, 24, 32);
ABI_SIZE(struct ibv_create_cq_ex, 56, 8);

ABI_FIELD(struct ibv_create_flow, hdr, 0, 24);
ABI_FIELD(struct ibv_create_flow, core_payload, 24, 24);
ABI_SIZE(struct ibv_create_flow, 48, 8);

ABI_FIELD(struct ibv_create_qp_ex, hdr, 0, 24);
ABI_FIELD(struct ibv_create_qp_ex, core_payload, 24, 64);
ABI_SIZE(struct ibv_create_qp_ex, 88, 8);

ABI_FIELD(struct ibv_create_rwq_ind_table, hdr, 0, 24);
ABI_FIELD(struct ibv_create_rwq_ind_table, core_payload, 24, 8);
ABI_SIZE(struct ibv_create_rwq_ind_table, 32, 8);

ABI_FIELD(struct ibv_create_wq, hdr, 0, 24);
ABI_FIELD(struct ibv_create_wq, core_payload, 24, 40);
ABI_SIZE(struct ibv_create_wq, 64, 8);

ABI_FIELD(struct ibv_destroy_flow, hdr, 0, 24);
ABI_FIELD(struct ibv_destroy_flow, core_payload, 24, 8);
ABI_SIZE(struct ibv_destroy_flow, 32, 8);

ABI_FIELD(struct ibv_destroy_rwq_ind_table, hdr, 0, 24);
ABI_FIELD(struct ibv_destroy_rwq_ind_table, core_payload, 24, 8);
ABI_SIZE(struct ibv_destroy_rwq_ind_table, 32, 8);

ABI_FIELD(struct ibv_destroy_wq, hdr, 0, 24);
ABI_FIELD(struct ibv_destroy_wq, core_payload, 24, 8);
ABI_SIZE(struct ibv_destroy_wq, 32, 8);

ABI_FIELD(struct ibv_modify_cq, hdr, 0, 24);
ABI_FIELD(struct ibv_modify_cq, core_payload, 24, 16);
ABI_SIZE(struct ibv_modify_cq, 40, 8);

ABI_FIELD(struct ibv_modify_qp_ex, hdr, 0, 24);
ABI_FIELD(struct ibv_modify_qp_ex, core_payload, 24, 120);
ABI_SIZE(struct ibv_modify_qp_ex, 144, 8);

ABI_FIELD(struct ibv_modify_wq, hdr, 0, 24);
ABI_FIELD(struct ibv_modify_wq, core_payload, 24, 24);
ABI_SIZE(struct ibv_modify_wq, 48, 8);

ABI_FIELD(struct ibv_query_device_ex, hdr, 0, 24);
ABI_FIELD(struct ibv_query_device_ex, core_payload, 24, 8);
ABI_SIZE(struct ibv_query_device_ex, 32, 8);

/* ---- operations ---- */

ABI_SLOT(advise_mr, 0);
ABI_SLOT(alloc_dm, 1);
ABI_SLOT(alloc_mw, 2);
ABI_SLOT(alloc_null_mr, 3);
ABI_SLOT(alloc_parent_domain, 4);
ABI_SLOT(alloc_pd, 5);
ABI_SLOT(alloc_td, 6);
ABI_SLOT(async_event, 7);
ABI_SLOT(attach_counters_point_flow, 8);
ABI_SLOT(attach_mcast, 9);
ABI_SLOT(bind_mw, 10);
ABI_SLOT(close_xrcd, 11);
ABI_SLOT(cq_event, 12);
ABI_SLOT(create_ah, 13);
ABI_SLOT(create_counters, 14);
ABI_SLOT(create_cq, 15);
ABI_SLOT(create_cq_ex, 16);
ABI_SLOT(create_flow, 17);
ABI_SLOT(create_flow_action_esp, 18);
ABI_SLOT(create_qp, 19);
ABI_SLOT(create_qp_ex, 20);
ABI_SLOT(create_rwq_ind_table, 21);
ABI_SLOT(create_srq, 22);
ABI_SLOT(create_srq_ex, 23);
ABI_SLOT(create_wq, 24);
ABI_SLOT(dealloc_mw, 25);
ABI_SLOT(dealloc_pd, 26);
ABI_SLOT(dealloc_td, 27);
ABI_SLOT(dereg_mr, 28);
ABI_SLOT(destroy_ah, 29);
ABI_SLOT(destroy_counters, 30);
ABI_SLOT(destroy_cq, 31);
ABI_SLOT(destroy_flow, 32);
ABI_SLOT(destroy_flow_action, 33);
ABI_SLOT(destroy_qp, 34);
ABI_SLOT(destroy_rwq_ind_table, 35);
ABI_SLOT(destroy_srq, 36);
ABI_SLOT(destroy_wq, 37);
ABI_SLOT(detach_mcast, 38);
ABI_SLOT(free_context, 39);
ABI_SLOT(free_dm, 40);
ABI_SLOT(get_srq_num, 41);
ABI_SLOT(import_dm, 42);
ABI_SLOT(import_mr, 43);
ABI_SLOT(import_pd, 44);
ABI_SLOT(modify_cq, 45);
ABI_SLOT(modify_flow_action_esp, 46);
ABI_SLOT(modify_qp, 47);
ABI_SLOT(modify_qp_rate_limit, 48);
ABI_SLOT(modify_srq, 49);
ABI_SLOT(modify_wq, 50);
ABI_SLOT(open_qp, 51);
ABI_SLOT(open_xrcd, 52);
ABI_SLOT(poll_cq, 53);
ABI_SLOT(post_recv, 54);
ABI_SLOT(post_send, 55);
ABI_SLOT(post_srq_ops, 56);
ABI_SLOT(post_srq_recv, 57);
ABI_SLOT(query_device_ex, 58);
ABI_SLOT(query_ece, 59);
ABI_SLOT(query_port, 60);
ABI_SLOT(query_qp, 61);
ABI_SLOT(query_qp_data_in_order, 62);
ABI_SLOT(query_rt_values, 63);
ABI_SLOT(query_srq, 64);
ABI_SLOT(read_counters, 65);
ABI_SLOT(reg_dm_mr, 66);
ABI_SLOT(reg_dmabuf_mr, 67);
ABI_SLOT(reg_mr, 68);
ABI_SLOT(req_notify_cq, 69);
ABI_SLOT(rereg_mr, 70);
ABI_SLOT(resize_cq, 71);
ABI_SLOT(set_ece, 72);
ABI_SLOT(unimport_dm, 73);
ABI_SLOT(unimport_mr, 74);
ABI_SLOT(unimport_pd, 75);
ABI_SIZE(struct verbs_context_ops, 76 * 8, 8);

#endif

/* ---- constants of the provider interface ---- */

ABI_VALUE(VERBS_LOG_LEVEL_NONE, 0);
ABI_VALUE(VERBS_LOG_ERR, 1);
ABI_VALUE(VERBS_LOG_WARN, 2);
ABI_VALUE(VERBS_LOG_INFO, 3);
ABI_VALUE(VERBS_LOG_DEBUG, 4);

ABI_VALUE(VERBS_XRCD_HANDLE, 1);
ABI_VALUE(VERBS_XRCD_RESERVED, 2);

ABI_VALUE(CREATE_CQ_CMD_FLAGS_TS_IGNORED_EX, 1);

ABI_VALUE(VERBS_QP_XRCD, 1);
ABI_VALUE(VERBS_QP_EX, 2);

ABI_VALUE(IBV_GID_TYPE_SYSFS_IB_ROCE_V1, 0);
ABI_VALUE(IBV_GID_TYPE_SYSFS_ROCE_V2, 1);

ABI_VALUE(IBV_MR_TYPE_MR, 0);
ABI_VALUE(IBV_MR_TYPE_NULL_MR, 1);
ABI_VALUE(IBV_MR_TYPE_IMPORTED_MR, 2);
ABI_VALUE(IBV_MR_TYPE_DMABUF_MR, 3);

ABI_VALUE(IBV_FLOW_ACTION_UNSPECIFIED, 0);
ABI_VALUE(IBV_FLOW_ACTION_ESP, 1);

ABI_VALUE(VERBS_MATCH_SENTINEL, 0);
ABI_VALUE(VERBS_MATCH_PCI, 1);
ABI_VALUE(VERBS_MATCH_MODALIAS, 2);
ABI_VALUE(VERBS_MATCH_DRIVER_ID, 3);
ABI_VALUE(VSYSFS_READ_MODALIAS, 1);
ABI_VALUE(VSYSFS_READ_NODE_GUID, 2);

ABI_VALUE(_UHW_NO_INDEX, 255);
ABI_VALUE(IBVERBS_PABI_VERSION, 34);

/*
 * ---- constants of the kernel, as far as plug-ins and the library know them;
 * the headers of older kernels lack the youngest ----
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)

ABI_VALUE(IB_USER_VERBS_CMD_GET_CONTEXT, 0);
ABI_VALUE(IB_USER_VERBS_CMD_QUERY_DEVICE, 1);
ABI_VALUE(IB_USER_VERBS_CMD_QUERY_PORT, 2);
ABI_VALUE(IB_USER_VERBS_CMD_ALLOC_PD, 3);
ABI_VALUE(IB_USER_VERBS_CMD_DEALLOC_PD, 4);
ABI_VALUE(IB_USER_VERBS_CMD_CREATE_AH, 5);
ABI_VALUE(IB_USER_VERBS_CMD_MODIFY_AH, 6);
ABI_VALUE(IB_USER_VERBS_CMD_QUERY_AH, 7);
ABI_VALUE(IB_USER_VERBS_CMD_DESTROY_AH, 8);
ABI_VALUE(IB_USER_VERBS_CMD_REG_MR, 9);
ABI_VALUE(IB_USER_VERBS_CMD_REG_SMR, 10);
ABI_VALUE(IB_USER_VERBS_CMD_REREG_MR, 11);
ABI_VALUE(IB_USER_VERBS_CMD_QUERY_MR, 12);
ABI_VALUE(IB_USER_VERBS_CMD_DEREG_MR, 13);
ABI_VALUE(IB_USER_VERBS_CMD_ALLOC_MW, 14);
ABI_VALUE(IB_USER_VERBS_CMD_BIND_MW, 15);
ABI_VALUE(IB_USER_VERBS_CMD_DEALLOC_MW, 16);
ABI_VALUE(IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, 17);
ABI_VALUE(IB_USER_VERBS_CMD_CREATE_CQ, 18);
ABI_VALUE(IB_USER_VERBS_CMD_RESIZE_CQ, 19);
ABI_VALUE(IB_USER_VERBS_CMD_DESTROY_CQ, 20);
ABI_VALUE(IB_USER_VERBS_CMD_POLL_CQ, 21);
ABI_VALUE(IB_USER_VERBS_CMD_PEEK_CQ, 22);
ABI_VALUE(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, 23);
ABI_VALUE(IB_USER_VERBS_CMD_CREATE_QP, 24);
ABI_VALUE(IB_USER_VERBS_CMD_QUERY_QP, 25);
ABI_VALUE(IB_USER_VERBS_CMD_MODIFY_QP, 26);
ABI_VALUE(IB_USER_VERBS_CMD_DESTROY_QP, 27);
ABI_VALUE(IB_USER_VERBS_CMD_POST_SEND, 28);
ABI_VALUE(IB_USER_VERBS_CMD_POST_RECV, 29);
ABI_VALUE(IB_USER_VERBS_CMD_ATTACH_MCAST, 30);
ABI_VALUE(IB_USER_VERBS_CMD_DETACH_MCAST, 31);
ABI_VALUE(IB_USER_VERBS_CMD_CREATE_SRQ, 32);
ABI_VALUE(IB_USER_VERBS_CMD_MODIFY_SRQ, 33);
ABI_VALUE(IB_USER_VERBS_CMD_QUERY_SRQ, 34);
ABI_VALUE(IB_USER_VERBS_CMD_DESTROY_SRQ, 35);
ABI_VALUE(IB_USER_VERBS_CMD_POST_SRQ_RECV, 36);
ABI_VALUE(IB_USER_VERBS_CMD_OPEN_XRCD, 37);
ABI_VALUE(IB_USER_VERBS_CMD_CLOSE_XRCD, 38);
ABI_VALUE(IB_USER_VERBS_CMD_CREATE_XSRQ, 39);
ABI_VALUE(IB_USER_VERBS_CMD_OPEN_QP, 40);

ABI_VALUE(IB_USER_VERBS_EX_CMD_QUERY_DEVICE, 1);
ABI_VALUE(IB_USER_VERBS_EX_CMD_CREATE_CQ, 18);
ABI_VALUE(IB_USER_VERBS_EX_CMD_CREATE_QP, 24);
ABI_VALUE(IB_USER_VERBS_EX_CMD_MODIFY_QP, 26);
ABI_VALUE(IB_USER_VERBS_EX_CMD_CREATE_FLOW, 50);
ABI_VALUE(IB_USER_VERBS_EX_CMD_DESTROY_FLOW, 51);
ABI_VALUE(IB_USER_VERBS_EX_CMD_CREATE_WQ, 52);
ABI_VALUE(IB_USER_VERBS_EX_CMD_MODIFY_WQ, 53);
ABI_VALUE(IB_USER_VERBS_EX_CMD_DESTROY_WQ, 54);
ABI_VALUE(IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL, 55);
ABI_VALUE(IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL, 56);
ABI_VALUE(IB_USER_VERBS_EX_CMD_MODIFY_CQ, 57);

ABI_VALUE(IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION, 1);
ABI_VALUE(IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN, 2);

ABI_VALUE(IB_UVERBS_WC_SEND, 0);
ABI_VALUE(IB_UVERBS_WC_RDMA_WRITE, 1);
ABI_VALUE(IB_UVERBS_WC_RDMA_READ, 2);
ABI_VALUE(IB_UVERBS_WC_COMP_SWAP, 3);
ABI_VALUE(IB_UVERBS_WC_FETCH_ADD, 4);
ABI_VALUE(IB_UVERBS_WC_BIND_MW, 5);
ABI_VALUE(IB_UVERBS_WC_LOCAL_INV, 6);
ABI_VALUE(IB_UVERBS_WC_TSO, 7);

ABI_VALUE(IB_UVERBS_CREATE_QP_MASK_IND_TABLE, 1);
ABI_VALUE(IB_UVERBS_CREATE_QP_SUP_COMP_MASK, 1);

ABI_VALUE(IB_UVERBS_WR_RDMA_WRITE, 0);
ABI_VALUE(IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, 1);
ABI_VALUE(IB_UVERBS_WR_SEND, 2);
ABI_VALUE(IB_UVERBS_WR_SEND_WITH_IMM, 3);
ABI_VALUE(IB_UVERBS_WR_RDMA_READ, 4);
ABI_VALUE(IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, 5);
ABI_VALUE(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, 6);
ABI_VALUE(IB_UVERBS_WR_LOCAL_INV, 7);
ABI_VALUE(IB_UVERBS_WR_BIND_MW, 8);
ABI_VALUE(IB_UVERBS_WR_SEND_WITH_INV, 9);
ABI_VALUE(IB_UVERBS_WR_TSO, 10);
ABI_VALUE(IB_UVERBS_WR_RDMA_READ_WITH_INV, 11);
ABI_VALUE(IB_UVERBS_WR_MASKED_ATOMIC_CMP_AND_SWP, 12);
ABI_VALUE(IB_UVERBS_WR_MASKED_ATOMIC_FETCH_AND_ADD, 13);

ABI_VALUE(IB_UVERBS_DEVICE_RESIZE_MAX_WR, 1);
ABI_VALUE(IB_UVERBS_DEVICE_BAD_PKEY_CNTR, 2);
ABI_VALUE(IB_UVERBS_DEVICE_BAD_QKEY_CNTR, 4);
ABI_VALUE(IB_UVERBS_DEVICE_RAW_MULTI, 8);
ABI_VALUE(IB_UVERBS_DEVICE_AUTO_PATH_MIG, 16);
ABI_VALUE(IB_UVERBS_DEVICE_CHANGE_PHY_PORT, 32);
ABI_VALUE(IB_UVERBS_DEVICE_UD_AV_PORT_ENFORCE, 64);
ABI_VALUE(IB_UVERBS_DEVICE_CURR_QP_STATE_MOD, 128);
ABI_VALUE(IB_UVERBS_DEVICE_SHUTDOWN_PORT, 0x100);
ABI_VALUE(IB_UVERBS_DEVICE_PORT_ACTIVE_EVENT, 0x400);
ABI_VALUE(IB_UVERBS_DEVICE_SYS_IMAGE_GUID, 0x800);
ABI_VALUE(IB_UVERBS_DEVICE_RC_RNR_NAK_GEN, 0x1000);
ABI_VALUE(IB_UVERBS_DEVICE_SRQ_RESIZE, 0x2000);
ABI_VALUE(IB_UVERBS_DEVICE_N_NOTIFY_CQ, 0x4000);
ABI_VALUE(IB_UVERBS_DEVICE_MEM_WINDOW, 0x20000);
ABI_VALUE(IB_UVERBS_DEVICE_UD_IP_CSUM, 0x40000);
ABI_VALUE(IB_UVERBS_DEVICE_XRC, 0x100000);
ABI_VALUE(IB_UVERBS_DEVICE_MEM_MGT_EXTENSIONS, 0x200000);
ABI_VALUE(IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2A, 0x800000);
ABI_VALUE(IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2B, 0x1000000);
ABI_VALUE(IB_UVERBS_DEVICE_RC_IP_CSUM, 0x2000000);
ABI_VALUE(IB_UVERBS_DEVICE_RAW_IP_CSUM, 0x4000000);
ABI_VALUE(IB_UVERBS_DEVICE_MANAGED_FLOW_STEERING, 0x20000000);
ABI_VALUE(IB_UVERBS_DEVICE_RAW_SCATTER_FCS, 0x400000000ULL);
ABI_VALUE(IB_UVERBS_DEVICE_PCI_WRITE_END_PADDING, 0x1000000000ULL);

ABI_VALUE(IB_UVERBS_RAW_PACKET_CAP_CVLAN_STRIPPING, 1);
ABI_VALUE(IB_UVERBS_RAW_PACKET_CAP_SCATTER_FCS, 2);
ABI_VALUE(IB_UVERBS_RAW_PACKET_CAP_IP_CSUM, 4);
ABI_VALUE(IB_UVERBS_RAW_PACKET_CAP_DELAY_DROP, 8);

ABI_VALUE(IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS, 1);

ABI_VALUE(IB_UVERBS_ACCESS_LOCAL_WRITE, 1);
ABI_VALUE(IB_UVERBS_ACCESS_REMOTE_WRITE, 2);
ABI_VALUE(IB_UVERBS_ACCESS_REMOTE_READ, 4);
ABI_VALUE(IB_UVERBS_ACCESS_REMOTE_ATOMIC, 8);
ABI_VALUE(IB_UVERBS_ACCESS_MW_BIND, 16);
ABI_VALUE(IB_UVERBS_ACCESS_ZERO_BASED, 32);
ABI_VALUE(IB_UVERBS_ACCESS_ON_DEMAND, 64);
ABI_VALUE(IB_UVERBS_ACCESS_HUGETLB, 128);
ABI_VALUE(IB_UVERBS_ACCESS_RELAXED_ORDERING, 0x100000);
ABI_VALUE(IB_UVERBS_ACCESS_OPTIONAL_RANGE, 0x3ff00000);

ABI_VALUE(IB_UVERBS_SRQT_BASIC, 0);
ABI_VALUE(IB_UVERBS_SRQT_XRC, 1);
ABI_VALUE(IB_UVERBS_SRQT_TM, 2);

ABI_VALUE(IB_UVERBS_WQT_RQ, 0);

ABI_VALUE(IB_UVERBS_WQ_FLAGS_CVLAN_STRIPPING, 1);
ABI_VALUE(IB_UVERBS_WQ_FLAGS_SCATTER_FCS, 2);
ABI_VALUE(IB_UVERBS_WQ_FLAGS_DELAY_DROP, 4);
ABI_VALUE(IB_UVERBS_WQ_FLAGS_PCI_WRITE_END_PADDING, 8);

ABI_VALUE(IB_UVERBS_QPT_RC, 2);
ABI_VALUE(IB_UVERBS_QPT_UC, 3);
ABI_VALUE(IB_UVERBS_QPT_UD, 4);
ABI_VALUE(IB_UVERBS_QPT_RAW_PACKET, 8);
ABI_VALUE(IB_UVERBS_QPT_XRC_INI, 9);
ABI_VALUE(IB_UVERBS_QPT_XRC_TGT, 10);
ABI_VALUE(IB_UVERBS_QPT_DRIVER, 255);

ABI_VALUE(IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK, 2);
ABI_VALUE(IB_UVERBS_QP_CREATE_SCATTER_FCS, 0x100);
ABI_VALUE(IB_UVERBS_QP_CREATE_CVLAN_STRIPPING, 0x200);
ABI_VALUE(IB_UVERBS_QP_CREATE_PCI_WRITE_END_PADDING, 0x800);
ABI_VALUE(IB_UVERBS_QP_CREATE_SQ_SIG_ALL, 0x1000);

ABI_VALUE(IB_UVERBS_PCF_SM, 2);
ABI_VALUE(IB_UVERBS_PCF_NOTICE_SUP, 4);
ABI_VALUE(IB_UVERBS_PCF_TRAP_SUP, 8);
ABI_VALUE(IB_UVERBS_PCF_OPT_IPD_SUP, 16);
ABI_VALUE(IB_UVERBS_PCF_AUTO_MIGR_SUP, 32);
ABI_VALUE(IB_UVERBS_PCF_SL_MAP_SUP, 64);
ABI_VALUE(IB_UVERBS_PCF_MKEY_NVRAM, 128);
ABI_VALUE(IB_UVERBS_PCF_PKEY_NVRAM, 0x100);
ABI_VALUE(IB_UVERBS_PCF_LED_INFO_SUP, 0x200);
ABI_VALUE(IB_UVERBS_PCF_SM_DISABLED, 0x400);
ABI_VALUE(IB_UVERBS_PCF_SYS_IMAGE_GUID_SUP, 0x800);
ABI_VALUE(IB_UVERBS_PCF_PKEY_SW_EXT_PORT_TRAP_SUP, 0x1000);
ABI_VALUE(IB_UVERBS_PCF_EXTENDED_SPEEDS_SUP, 0x4000);
ABI_VALUE(IB_UVERBS_PCF_CM_SUP, 0x10000);
ABI_VALUE(IB_UVERBS_PCF_SNMP_TUNNEL_SUP, 0x20000);
ABI_VALUE(IB_UVERBS_PCF_REINIT_SUP, 0x40000);
ABI_VALUE(IB_UVERBS_PCF_DEVICE_MGMT_SUP, 0x80000);
ABI_VALUE(IB_UVERBS_PCF_VENDOR_CLASS_SUP, 0x100000);
ABI_VALUE(IB_UVERBS_PCF_DR_NOTICE_SUP, 0x200000);
ABI_VALUE(IB_UVERBS_PCF_CAP_MASK_NOTICE_SUP, 0x400000);
ABI_VALUE(IB_UVERBS_PCF_BOOT_MGMT_SUP, 0x800000);
ABI_VALUE(IB_UVERBS_PCF_LINK_LATENCY_SUP, 0x1000000);
ABI_VALUE(IB_UVERBS_PCF_CLIENT_REG_SUP, 0x2000000);
ABI_VALUE(IB_UVERBS_PCF_LINK_SPEED_WIDTH_TABLE_SUP, 0x8000000);
ABI_VALUE(IB_UVERBS_PCF_VENDOR_SPECIFIC_MADS_TABLE_SUP, 0x10000000);
ABI_VALUE(IB_UVERBS_PCF_MCAST_PKEY_TRAP_SUPPRESSION_SUP, 0x20000000);
ABI_VALUE(IB_UVERBS_PCF_MCAST_FDB_TOP_SUP, 0x40000000);
ABI_VALUE(IB_UVERBS_PCF_HIERARCHY_INFO_SUP, 0x80000000);
ABI_VALUE(IB_UVERBS_PCF_IP_BASED_GIDS, 0x4000000);

ABI_VALUE(IB_UVERBS_QPF_GRH_REQUIRED, 1);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_KEYMAT_AES_GCM, 0);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_IV_ALGO_SEQ, 0);

ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_REPLAY_NONE, 0);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_REPLAY_BMP, 1);

ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_FLAGS_INLINE_CRYPTO, 0);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_FLAGS_FULL_OFFLOAD, 1);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_FLAGS_TUNNEL, 0);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_FLAGS_TRANSPORT, 2);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_FLAGS_DECRYPT, 0);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_FLAGS_ENCRYPT, 4);
ABI_VALUE(IB_UVERBS_FLOW_ACTION_ESP_FLAGS_ESN_NEW_WINDOW, 8);

ABI_VALUE(IB_UVERBS_READ_COUNTERS_PREFER_CACHED, 1);

ABI_VALUE(IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH, 0);
ABI_VALUE(IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE, 1);
ABI_VALUE(IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT, 2);

ABI_VALUE(IB_UVERBS_ADVISE_MR_FLAG_FLUSH, 1);

ABI_VALUE(RDMA_DRIVER_UNKNOWN, 0);
ABI_VALUE(RDMA_DRIVER_MLX5, 1);
ABI_VALUE(RDMA_DRIVER_MLX4, 2);
ABI_VALUE(RDMA_DRIVER_CXGB3, 3);
ABI_VALUE(RDMA_DRIVER_CXGB4, 4);
ABI_VALUE(RDMA_DRIVER_MTHCA, 5);
ABI_VALUE(RDMA_DRIVER_BNXT_RE, 6);
ABI_VALUE(RDMA_DRIVER_OCRDMA, 7);
ABI_VALUE(RDMA_DRIVER_NES, 8);
ABI_VALUE(RDMA_DRIVER_I40IW, 9);
ABI_VALUE(RDMA_DRIVER_IRDMA, 9);
ABI_VALUE(RDMA_DRIVER_VMW_PVRDMA, 10);
ABI_VALUE(RDMA_DRIVER_QEDR, 11);
ABI_VALUE(RDMA_DRIVER_HNS, 12);
ABI_VALUE(RDMA_DRIVER_USNIC, 13);
ABI_VALUE(RDMA_DRIVER_RXE, 14);
ABI_VALUE(RDMA_DRIVER_HFI1, 15);
ABI_VALUE(RDMA_DRIVER_QIB, 16);
ABI_VALUE(RDMA_DRIVER_EFA, 17);
ABI_VALUE(RDMA_DRIVER_SIW, 18);
ABI_VALUE(RDMA_DRIVER_ERDMA, 19);
ABI_VALUE(RDMA_DRIVER_MANA, 20);

ABI_VALUE(IB_UVERBS_GID_TYPE_IB, 0);
ABI_VALUE(IB_UVERBS_GID_TYPE_ROCE_V1, 1);
ABI_VALUE(IB_UVERBS_GID_TYPE_ROCE_V2, 2);

ABI_VALUE(UVERBS_ATTR_F_MANDATORY, 1);
ABI_VALUE(UVERBS_ATTR_F_VALID_OUTPUT, 2);

ABI_VALUE(UVERBS_OBJECT_DEVICE, 0);
ABI_VALUE(UVERBS_OBJECT_PD, 1);
ABI_VALUE(UVERBS_OBJECT_COMP_CHANNEL, 2);
ABI_VALUE(UVERBS_OBJECT_CQ, 3);
ABI_VALUE(UVERBS_OBJECT_QP, 4);
ABI_VALUE(UVERBS_OBJECT_SRQ, 5);
ABI_VALUE(UVERBS_OBJECT_AH, 6);
ABI_VALUE(UVERBS_OBJECT_MR, 7);
ABI_VALUE(UVERBS_OBJECT_MW, 8);
ABI_VALUE(UVERBS_OBJECT_FLOW, 9);
ABI_VALUE(UVERBS_OBJECT_XRCD, 10);
ABI_VALUE(UVERBS_OBJECT_RWQ_IND_TBL, 11);
ABI_VALUE(UVERBS_OBJECT_WQ, 12);
ABI_VALUE(UVERBS_OBJECT_FLOW_ACTION, 13);
ABI_VALUE(UVERBS_OBJECT_DM, 14);
ABI_VALUE(UVERBS_OBJECT_COUNTERS, 15);
ABI_VALUE(UVERBS_OBJECT_ASYNC_EVENT, 16);

ABI_VALUE(UVERBS_ATTR_UHW_IN, 0x1000);
ABI_VALUE(UVERBS_ATTR_UHW_OUT, 0x1001);

ABI_VALUE(UVERBS_METHOD_INVOKE_WRITE, 0);
ABI_VALUE(UVERBS_METHOD_INFO_HANDLES, 1);
ABI_VALUE(UVERBS_METHOD_QUERY_PORT, 2);
ABI_VALUE(UVERBS_METHOD_GET_CONTEXT, 3);
ABI_VALUE(UVERBS_METHOD_QUERY_CONTEXT, 4);
ABI_VALUE(UVERBS_METHOD_QUERY_GID_TABLE, 5);
ABI_VALUE(UVERBS_METHOD_QUERY_GID_ENTRY, 6);

ABI_VALUE(UVERBS_ATTR_CORE_IN, 0);
ABI_VALUE(UVERBS_ATTR_CORE_OUT, 1);
ABI_VALUE(UVERBS_ATTR_WRITE_CMD, 2);

ABI_VALUE(UVERBS_ATTR_QUERY_PORT_PORT_NUM, 0);
ABI_VALUE(UVERBS_ATTR_QUERY_PORT_RESP, 1);

ABI_VALUE(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, 0);
ABI_VALUE(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, 1);

ABI_VALUE(UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS, 0);
ABI_VALUE(UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, 1);

ABI_VALUE(UVERBS_ATTR_CREATE_CQ_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_CREATE_CQ_CQE, 1);
ABI_VALUE(UVERBS_ATTR_CREATE_CQ_USER_HANDLE, 2);
ABI_VALUE(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL, 3);
ABI_VALUE(UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 4);
ABI_VALUE(UVERBS_ATTR_CREATE_CQ_FLAGS, 5);
ABI_VALUE(UVERBS_ATTR_CREATE_CQ_RESP_CQE, 6);
ABI_VALUE(UVERBS_ATTR_CREATE_CQ_EVENT_FD, 7);

ABI_VALUE(UVERBS_ATTR_DESTROY_CQ_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_CQ_RESP, 1);

ABI_VALUE(UVERBS_ATTR_CREATE_FLOW_ACTION_ESP_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_FLOW_ACTION_ESP_ATTRS, 1);
ABI_VALUE(UVERBS_ATTR_FLOW_ACTION_ESP_ESN, 2);
ABI_VALUE(UVERBS_ATTR_FLOW_ACTION_ESP_KEYMAT, 3);
ABI_VALUE(UVERBS_ATTR_FLOW_ACTION_ESP_REPLAY, 4);
ABI_VALUE(UVERBS_ATTR_FLOW_ACTION_ESP_ENCAP, 5);

ABI_VALUE(UVERBS_ATTR_MODIFY_FLOW_ACTION_ESP_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE, 0);

ABI_VALUE(UVERBS_ATTR_CREATE_QP_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE, 1);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_PD_HANDLE, 2);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE, 3);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, 4);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, 5);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE, 6);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_USER_HANDLE, 7);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_CAP, 8);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_TYPE, 9);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_FLAGS, 10);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_SOURCE_QPN, 11);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_EVENT_FD, 12);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_RESP_CAP, 13);
ABI_VALUE(UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, 14);

ABI_VALUE(UVERBS_ATTR_DESTROY_QP_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_QP_RESP, 1);

ABI_VALUE(UVERBS_METHOD_QP_CREATE, 0);
ABI_VALUE(UVERBS_METHOD_QP_DESTROY, 1);

ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_PD_HANDLE, 1);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE, 2);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE, 3);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_USER_HANDLE, 4);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_MAX_WR, 5);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_MAX_SGE, 6);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_LIMIT, 7);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS, 8);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_TYPE, 9);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_EVENT_FD, 10);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, 11);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, 12);
ABI_VALUE(UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, 13);

ABI_VALUE(UVERBS_ATTR_DESTROY_SRQ_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_SRQ_RESP, 1);

ABI_VALUE(UVERBS_METHOD_SRQ_CREATE, 0);
ABI_VALUE(UVERBS_METHOD_SRQ_DESTROY, 1);

ABI_VALUE(UVERBS_METHOD_CQ_CREATE, 0);
ABI_VALUE(UVERBS_METHOD_CQ_DESTROY, 1);

ABI_VALUE(UVERBS_ATTR_CREATE_WQ_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_PD_HANDLE, 1);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_CQ_HANDLE, 2);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_USER_HANDLE, 3);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_TYPE, 4);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_EVENT_FD, 5);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_MAX_WR, 6);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_MAX_SGE, 7);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_FLAGS, 8);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR, 9);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE, 10);
ABI_VALUE(UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM, 11);

ABI_VALUE(UVERBS_ATTR_DESTROY_WQ_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_WQ_RESP, 1);

ABI_VALUE(UVERBS_METHOD_WQ_CREATE, 0);
ABI_VALUE(UVERBS_METHOD_WQ_DESTROY, 1);

ABI_VALUE(UVERBS_METHOD_FLOW_ACTION_ESP_CREATE, 0);
ABI_VALUE(UVERBS_METHOD_FLOW_ACTION_DESTROY, 1);
ABI_VALUE(UVERBS_METHOD_FLOW_ACTION_ESP_MODIFY, 2);

ABI_VALUE(UVERBS_ATTR_ALLOC_DM_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_ALLOC_DM_LENGTH, 1);
ABI_VALUE(UVERBS_ATTR_ALLOC_DM_ALIGNMENT, 2);

ABI_VALUE(UVERBS_ATTR_FREE_DM_HANDLE, 0);

ABI_VALUE(UVERBS_METHOD_DM_ALLOC, 0);
ABI_VALUE(UVERBS_METHOD_DM_FREE, 1);

ABI_VALUE(UVERBS_ATTR_REG_DM_MR_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_REG_DM_MR_OFFSET, 1);
ABI_VALUE(UVERBS_ATTR_REG_DM_MR_LENGTH, 2);
ABI_VALUE(UVERBS_ATTR_REG_DM_MR_PD_HANDLE, 3);
ABI_VALUE(UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS, 4);
ABI_VALUE(UVERBS_ATTR_REG_DM_MR_DM_HANDLE, 5);
ABI_VALUE(UVERBS_ATTR_REG_DM_MR_RESP_LKEY, 6);
ABI_VALUE(UVERBS_ATTR_REG_DM_MR_RESP_RKEY, 7);

ABI_VALUE(UVERBS_METHOD_DM_MR_REG, 0);
ABI_VALUE(UVERBS_METHOD_MR_DESTROY, 1);
ABI_VALUE(UVERBS_METHOD_ADVISE_MR, 2);
ABI_VALUE(UVERBS_METHOD_QUERY_MR, 3);
ABI_VALUE(UVERBS_METHOD_REG_DMABUF_MR, 4);

ABI_VALUE(UVERBS_ATTR_DESTROY_MR_HANDLE, 0);

ABI_VALUE(UVERBS_ATTR_ADVISE_MR_PD_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_ADVISE_MR_ADVICE, 1);
ABI_VALUE(UVERBS_ATTR_ADVISE_MR_FLAGS, 2);
ABI_VALUE(UVERBS_ATTR_ADVISE_MR_SGE_LIST, 3);

ABI_VALUE(UVERBS_ATTR_QUERY_MR_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_QUERY_MR_RESP_LKEY, 1);
ABI_VALUE(UVERBS_ATTR_QUERY_MR_RESP_RKEY, 2);
ABI_VALUE(UVERBS_ATTR_QUERY_MR_RESP_LENGTH, 3);
ABI_VALUE(UVERBS_ATTR_QUERY_MR_RESP_IOVA, 4);

ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, 1);
ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_OFFSET, 2);
ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_LENGTH, 3);
ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_IOVA, 4);
ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_FD, 5);
ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, 6);
ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY, 7);
ABI_VALUE(UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, 8);

ABI_VALUE(UVERBS_ATTR_CREATE_COUNTERS_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_COUNTERS_HANDLE, 0);

ABI_VALUE(UVERBS_ATTR_READ_COUNTERS_HANDLE, 0);
ABI_VALUE(UVERBS_ATTR_READ_COUNTERS_BUFF, 1);
ABI_VALUE(UVERBS_ATTR_READ_COUNTERS_FLAGS, 2);

ABI_VALUE(UVERBS_METHOD_COUNTERS_CREATE, 0);
ABI_VALUE(UVERBS_METHOD_COUNTERS_DESTROY, 1);
ABI_VALUE(UVERBS_METHOD_COUNTERS_READ, 2);

ABI_VALUE(UVERBS_ATTR_INFO_OBJECT_ID, 0);
ABI_VALUE(UVERBS_ATTR_INFO_TOTAL_HANDLES, 1);
ABI_VALUE(UVERBS_ATTR_INFO_HANDLES_LIST, 2);

ABI_VALUE(UVERBS_METHOD_PD_DESTROY, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_PD_HANDLE, 0);
ABI_VALUE(UVERBS_METHOD_MW_DESTROY, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_MW_HANDLE, 0);
ABI_VALUE(UVERBS_METHOD_XRCD_DESTROY, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_XRCD_HANDLE, 0);
ABI_VALUE(UVERBS_METHOD_AH_DESTROY, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_AH_HANDLE, 0);
ABI_VALUE(UVERBS_METHOD_RWQ_IND_TBL_DESTROY, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE, 0);
ABI_VALUE(UVERBS_METHOD_FLOW_DESTROY, 0);
ABI_VALUE(UVERBS_ATTR_DESTROY_FLOW_HANDLE, 0);
ABI_VALUE(UVERBS_METHOD_ASYNC_EVENT_ALLOC, 0);
ABI_VALUE(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, 0);

ABI_VALUE(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, 0);
ABI_VALUE(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 1);
ABI_VALUE(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, 2);
ABI_VALUE(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, 3);

ABI_VALUE(UVERBS_ATTR_QUERY_GID_ENTRY_PORT, 0);
ABI_VALUE(UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, 1);
ABI_VALUE(UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, 2);
ABI_VALUE(UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, 3);

ABI_VALUE(IB_PATH_GMP, 1);
ABI_VALUE(IB_PATH_PRIMARY, 2);
ABI_VALUE(IB_PATH_ALTERNATE, 4);
ABI_VALUE(IB_PATH_OUTBOUND, 8);
ABI_VALUE(IB_PATH_INBOUND, 16);
ABI_VALUE(IB_PATH_INBOUND_REVERSE, 32);
ABI_VALUE(IB_PATH_BIDIRECTIONAL, 40);

ABI_VALUE(RDMA_VERBS_IOCTL, 0xc0181b01);
ABI_VALUE(RDMA_IOCTL_MAGIC, 27);

ABI_VALUE(UVERBS_ID_NS_MASK, 0xf000);
ABI_VALUE(UVERBS_ID_NS_SHIFT, 12);
ABI_VALUE(UVERBS_UDATA_DRIVER_DATA_NS, 1);
ABI_VALUE(UVERBS_UDATA_DRIVER_DATA_FLAG, 0x1000);

ABI_VALUE(IB_USER_VERBS_CMD_COMMAND_MASK, 255);
ABI_VALUE(IB_USER_VERBS_CMD_FLAG_EXTENDED, 0x80000000);
ABI_VALUE(IB_USER_VERBS_ABI_VERSION, 6);
ABI_VALUE(IB_USER_VERBS_CMD_THRESHOLD, 50);
ABI_VALUE(IB_USER_VERBS_MAX_LOG_IND_TBL_SIZE, 13);

ABI_VALUE(IB_UVERBS_ACCESS_OPTIONAL_FIRST, 0x100000);
ABI_VALUE(IB_UVERBS_ACCESS_OPTIONAL_LAST, 0x20000000);

ABI_VALUE(IB_DEVICE_NAME_MAX, 64);

#endif
