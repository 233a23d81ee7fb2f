/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The request buffers that a provider passes to the ibv_cmd_*() functions:
 * room for the header of the kernel's write interface, the core's request,
 * then (in the provider's own struct) the driver's bytes.  The header is never
 * used here, but the room is part of the plug-in ABI: the driver's bytes start
 * at sizeof() of these structs.
 */
#ifndef INFINIBAND_KERN_ABI_H
#define INFINIBAND_KERN_ABI_H

#include <rdma/ib_user_verbs.h>

/* Header of an extended write command */
struct ex_hdr {
	struct ib_uverbs_cmd_hdr hdr;
	struct ib_uverbs_ex_cmd_hdr ex_hdr;
};

#define WRITE_REQUEST(_name, _hdr, _core, _size)       \
	struct ibv_##_name {                           \
		struct _hdr hdr;                       \
		struct ib_uverbs_##_core core_payload; \
	};                                             \
	_Static_assert(sizeof(struct ibv_##_name) == (_size), #_name)

WRITE_REQUEST(alloc_mw, ib_uverbs_cmd_hdr, alloc_mw, 24);
WRITE_REQUEST(alloc_pd, ib_uverbs_cmd_hdr, alloc_pd, 16);
WRITE_REQUEST(attach_mcast, ib_uverbs_cmd_hdr, attach_mcast, 32);
WRITE_REQUEST(close_xrcd, ib_uverbs_cmd_hdr, close_xrcd, 12);
WRITE_REQUEST(create_ah, ib_uverbs_cmd_hdr, create_ah, 64);
WRITE_REQUEST(create_comp_channel, ib_uverbs_cmd_hdr, create_comp_channel, 16);
WRITE_REQUEST(create_cq, ib_uverbs_cmd_hdr, create_cq, 40);
WRITE_REQUEST(create_qp, ib_uverbs_cmd_hdr, create_qp, 64);
WRITE_REQUEST(create_srq, ib_uverbs_cmd_hdr, create_srq, 40);
WRITE_REQUEST(create_xsrq, ib_uverbs_cmd_hdr, create_xsrq, 56);
WRITE_REQUEST(dealloc_mw, ib_uverbs_cmd_hdr, dealloc_mw, 12);
WRITE_REQUEST(dealloc_pd, ib_uverbs_cmd_hdr, dealloc_pd, 12);
WRITE_REQUEST(dereg_mr, ib_uverbs_cmd_hdr, dereg_mr, 12);
WRITE_REQUEST(destroy_ah, ib_uverbs_cmd_hdr, destroy_ah, 12);
WRITE_REQUEST(destroy_cq, ib_uverbs_cmd_hdr, destroy_cq, 24);
WRITE_REQUEST(destroy_qp, ib_uverbs_cmd_hdr, destroy_qp, 24);
WRITE_REQUEST(destroy_srq, ib_uverbs_cmd_hdr, destroy_srq, 24);
WRITE_REQUEST(detach_mcast, ib_uverbs_cmd_hdr, detach_mcast, 32);
WRITE_REQUEST(get_context, ib_uverbs_cmd_hdr, get_context, 16);
WRITE_REQUEST(modify_qp, ib_uverbs_cmd_hdr, modify_qp, 120);
WRITE_REQUEST(modify_srq, ib_uverbs_cmd_hdr, modify_srq, 24);
WRITE_REQUEST(open_qp, ib_uverbs_cmd_hdr, open_qp, 40);
WRITE_REQUEST(open_xrcd, ib_uverbs_cmd_hdr, open_xrcd, 24);
WRITE_REQUEST(poll_cq, ib_uverbs_cmd_hdr, poll_cq, 24);
WRITE_REQUEST(post_recv, ib_uverbs_cmd_hdr, post_recv, 32);
WRITE_REQUEST(post_send, ib_uverbs_cmd_hdr, post_send, 32);
WRITE_REQUEST(post_srq_recv, ib_uverbs_cmd_hdr, post_srq_recv, 32);
WRITE_REQUEST(query_device, ib_uverbs_cmd_hdr, query_device, 16);
WRITE_REQUEST(query_port, ib_uverbs_cmd_hdr, query_port, 24);
WRITE_REQUEST(query_qp, ib_uverbs_cmd_hdr, query_qp, 24);
WRITE_REQUEST(query_srq, ib_uverbs_cmd_hdr, query_srq, 24);
WRITE_REQUEST(reg_mr, ib_uverbs_cmd_hdr, reg_mr, 48);
WRITE_REQUEST(req_notify_cq, ib_uverbs_cmd_hdr, req_notify_cq, 16);
WRITE_REQUEST(rereg_mr, ib_uverbs_cmd_hdr, rereg_mr, 56);
WRITE_REQUEST(resize_cq, ib_uverbs_cmd_hdr, resize_cq, 24);
WRITE_REQUEST(create_cq_ex, ex_hdr, ex_create_cq, 56);
WRITE_REQUEST(create_flow, ex_hdr, create_flow, 48);
WRITE_REQUEST(create_qp_ex, ex_hdr, ex_create_qp, 88);
WRITE_REQUEST(create_rwq_ind_table, ex_hdr, ex_create_rwq_ind_table, 32);
WRITE_REQUEST(create_wq, ex_hdr, ex_create_wq, 64);
WRITE_REQUEST(destroy_flow, ex_hdr, destroy_flow, 32);
WRITE_REQUEST(destroy_rwq_ind_table, ex_hdr, ex_destroy_rwq_ind_table, 32);
WRITE_REQUEST(destroy_wq, ex_hdr, ex_destroy_wq, 32);
WRITE_REQUEST(modify_cq, ex_hdr, ex_modify_cq, 40);
WRITE_REQUEST(modify_qp_ex, ex_hdr, ex_modify_qp, 144);
WRITE_REQUEST(modify_wq, ex_hdr, ex_modify_wq, 48);
WRITE_REQUEST(query_device_ex, ex_hdr, ex_query_device, 32);

#undef WRITE_REQUEST

#endif
