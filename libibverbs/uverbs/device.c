// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the kernel tells of a device and its ports. */
#include <errno.h>
#include <string.h>

#include "uverbs/request.h"

static void fill_device_attr(struct ibv_device_attr *attr,
			     const struct ib_uverbs_query_device_resp *resp)
{
	attr->node_guid = resp->node_guid;
	attr->sys_image_guid = resp->sys_image_guid;
	attr->max_mr_size = resp->max_mr_size;
	attr->page_size_cap = resp->page_size_cap;
	attr->vendor_id = resp->vendor_id;
	attr->vendor_part_id = resp->vendor_part_id;
	attr->hw_ver = resp->hw_ver;
	attr->max_qp = resp->max_qp;
	attr->max_qp_wr = resp->max_qp_wr;
	attr->device_cap_flags = resp->device_cap_flags;
	attr->max_sge = resp->max_sge;
	attr->max_sge_rd = resp->max_sge_rd;
	attr->max_cq = resp->max_cq;
	attr->max_cqe = resp->max_cqe;
	attr->max_mr = resp->max_mr;
	attr->max_pd = resp->max_pd;
	attr->max_qp_rd_atom = resp->max_qp_rd_atom;
	attr->max_ee_rd_atom = resp->max_ee_rd_atom;
	attr->max_res_rd_atom = resp->max_res_rd_atom;
	attr->max_qp_init_rd_atom = resp->max_qp_init_rd_atom;
	attr->max_ee_init_rd_atom = resp->max_ee_init_rd_atom;
	attr->atomic_cap = resp->atomic_cap;
	attr->max_ee = resp->max_ee;
	attr->max_rdd = resp->max_rdd;
	attr->max_mw = resp->max_mw;
	attr->max_raw_ipv6_qp = resp->max_raw_ipv6_qp;
	attr->max_raw_ethy_qp = resp->max_raw_ethy_qp;
	attr->max_mcast_grp = resp->max_mcast_grp;
	attr->max_mcast_qp_attach = resp->max_mcast_qp_attach;
	attr->max_total_mcast_qp_attach = resp->max_total_mcast_qp_attach;
	attr->max_ah = resp->max_ah;
	attr->max_fmr = resp->max_fmr;
	attr->max_map_per_fmr = resp->max_map_per_fmr;
	attr->max_srq = resp->max_srq;
	attr->max_srq_wr = resp->max_srq_wr;
	attr->max_srq_sge = resp->max_srq_sge;
	attr->max_pkeys = resp->max_pkeys;
	attr->local_ca_ack_delay = resp->local_ca_ack_delay;
	attr->phys_port_cnt = resp->phys_port_cnt;
}

/* A member moves only if both the program and the kernel know it. */
static void fill_extended(struct ibv_device_attr_ex *attr, size_t attr_size,
			  const struct ib_uverbs_ex_query_device_resp *resp,
			  size_t resp_len)
{
#define KNOWN(_to, _from)                                             \
	(attr_size >= offset_after(struct ibv_device_attr_ex, _to) && \
	 resp_len >=                                                  \
		 offset_after(struct ib_uverbs_ex_query_device_resp, _from))
#define COPY(_to, _from)                         \
	do {                                     \
		if (KNOWN(_to, _from))           \
			attr->_to = resp->_from; \
	} while (0)

	COPY(odp_caps.general_caps, odp_caps.general_caps);
	COPY(odp_caps.per_transport_caps.rc_odp_caps,
	     odp_caps.per_transport_caps.rc_odp_caps);
	COPY(odp_caps.per_transport_caps.uc_odp_caps,
	     odp_caps.per_transport_caps.uc_odp_caps);
	COPY(odp_caps.per_transport_caps.ud_odp_caps,
	     odp_caps.per_transport_caps.ud_odp_caps);
	COPY(completion_timestamp_mask, timestamp_mask);
	COPY(hca_core_clock, hca_core_clock);
	COPY(device_cap_flags_ex, device_cap_flags_ex);
	COPY(rss_caps.supported_qpts, rss_caps.supported_qpts);
	COPY(rss_caps.max_rwq_indirection_tables,
	     rss_caps.max_rwq_indirection_tables);
	COPY(rss_caps.max_rwq_indirection_table_size,
	     rss_caps.max_rwq_indirection_table_size);
	COPY(max_wq_type_rq, max_wq_type_rq);
	COPY(raw_packet_caps, raw_packet_caps);
	COPY(tm_caps.max_rndv_hdr_size, tm_caps.max_rndv_hdr_size);
	COPY(tm_caps.max_num_tags, tm_caps.max_num_tags);
	COPY(tm_caps.flags, tm_caps.flags);
	COPY(tm_caps.max_ops, tm_caps.max_ops);
	COPY(tm_caps.max_sge, tm_caps.max_sge);
	COPY(cq_mod_caps.max_cq_count,
	     cq_moderation_caps.max_cq_moderation_count);
	COPY(cq_mod_caps.max_cq_period,
	     cq_moderation_caps.max_cq_moderation_period);
	COPY(max_dm_size, max_dm_size);
	COPY(xrc_odp_caps, xrc_odp_caps);

#undef COPY
#undef KNOWN
}

/* phys_port_cnt is too small for some devices; netlink knows better. */
static uint32_t port_count(struct ibv_context *context, uint8_t phys_port_cnt)
{
	const struct verbs_sysfs_dev *sysfs =
		verbs_get_device(context->device)->sysfs;

	return sysfs && sysfs->num_ports ? sysfs->num_ports : phys_port_cnt;
}

static int query_extended(struct ibv_context *context,
			  struct ib_uverbs_ex_query_device_resp *resp,
			  size_t *resp_size)
{
	const struct ib_uverbs_ex_query_device core_in = { 0 };
	size_t core = *resp_size < sizeof(*resp) ? *resp_size : sizeof(*resp);
	struct driver_data driver = DRIVER_OUT(resp, *resp_size);
	int ret;

	memset(resp, 0, *resp_size);
	ret = invoke_write(context,
			   IB_USER_VERBS_EX_CMD_QUERY_DEVICE |
				   IB_USER_VERBS_CMD_FLAG_EXTENDED,
			   &core_in, sizeof(core_in), resp, core, &driver);
	if (ret)
		return ret;
	/* It is behind what even the first kernel wrote. */
	if (resp->response_length <
	    offset_after(typeof(*resp), response_length))
		return EINVAL;
	if (resp->response_length < *resp_size)
		*resp_size = resp->response_length;
	return 0;
}

static int query_plain(struct ibv_context *context,
		       struct ib_uverbs_query_device_resp *resp)
{
	const struct ib_uverbs_query_device core_in = { 0 };

	memset(resp, 0, sizeof(*resp));
	return invoke_write(context, IB_USER_VERBS_CMD_QUERY_DEVICE, &core_in,
			    sizeof(core_in), resp, sizeof(*resp), NULL);
}

int ibv_cmd_query_device_any(struct ibv_context *context,
			     const struct ibv_query_device_ex_input *input,
			     struct ibv_device_attr_ex *attr, size_t attr_size,
			     struct ib_uverbs_ex_query_device_resp *resp,
			     size_t *resp_size)
{
	struct ib_uverbs_ex_query_device_resp own;
	size_t size = sizeof(own);
	int ret = EOPNOTSUPP;

	if (input && input->comp_mask)
		return EINVAL;
	if (attr_size < sizeof(attr->orig_attr))
		return EINVAL;
	if (!resp)
		resp = &own;
	else
		size = *resp_size;
	/* The plain reply must fit in any case. */
	if (size < offset_after(typeof(*resp), response_length))
		return EINVAL;

	memset(attr, 0, attr_size);
	if (attr_size > sizeof(attr->orig_attr))
		ret = query_extended(context, resp, &size);
	if (ret == EOPNOTSUPP || ret == ENOSYS) {
		ret = query_plain(context, &resp->base);
		size = sizeof(resp->base);
	}
	if (ret)
		return ret;

	fill_device_attr(&attr->orig_attr, &resp->base);
	fill_extended(attr, attr_size, resp, size);
	if (attr_size >= offset_after(typeof(*attr), phys_port_cnt_ex))
		attr->phys_port_cnt_ex =
			port_count(context, resp->base.phys_port_cnt);
	if (resp != &own)
		*resp_size = size;
	return 0;
}

static void fill_port_attr(struct ibv_port_attr *attr,
			   const struct ib_uverbs_query_port_resp *resp)
{
	attr->state = resp->state;
	attr->max_mtu = resp->max_mtu;
	attr->active_mtu = resp->active_mtu;
	attr->gid_tbl_len = resp->gid_tbl_len;
	attr->port_cap_flags = resp->port_cap_flags;
	attr->max_msg_sz = resp->max_msg_sz;
	attr->bad_pkey_cntr = resp->bad_pkey_cntr;
	attr->qkey_viol_cntr = resp->qkey_viol_cntr;
	attr->pkey_tbl_len = resp->pkey_tbl_len;
	attr->lid = resp->lid;
	attr->sm_lid = resp->sm_lid;
	attr->lmc = resp->lmc;
	attr->max_vl_num = resp->max_vl_num;
	attr->sm_sl = resp->sm_sl;
	attr->subnet_timeout = resp->subnet_timeout;
	attr->init_type_reply = resp->init_type_reply;
	attr->active_width = resp->active_width;
	attr->active_speed = resp->active_speed;
	attr->phys_state = resp->phys_state;
	attr->link_layer = resp->link_layer;
	attr->flags = resp->flags;
}

/* cmd is where providers once had to give room for the request. */
int ibv_cmd_query_port(struct ibv_context *context, uint8_t port_num,
		       struct ibv_port_attr *port_attr,
		       struct ibv_query_port *cmd __attribute__((unused)),
		       size_t cmd_size __attribute__((unused)))
{
	const struct ib_uverbs_query_port core_in = { .port_num = port_num };
	struct ib_uverbs_query_port_resp_ex resp = { 0 };
	struct request rq;
	int ret;

	request_init(&rq, context, UVERBS_OBJECT_DEVICE,
		     UVERBS_METHOD_QUERY_PORT);
	request_u64(&rq, UVERBS_ATTR_QUERY_PORT_PORT_NUM, port_num);
	request_out(&rq, UVERBS_ATTR_QUERY_PORT_RESP, &resp, sizeof(resp));
	ret = request_run_native(&rq, OP(query_port), true);
	if (!ret)
		port_attr->port_cap_flags2 = resp.port_cap_flags2;
	else if (ret == FALL_BACK)
		ret = invoke_write(context, IB_USER_VERBS_CMD_QUERY_PORT,
				   &core_in, sizeof(core_in), &resp.legacy_resp,
				   sizeof(resp.legacy_resp), NULL);
	if (ret)
		return ret;
	fill_port_attr(port_attr, &resp.legacy_resp);
	return 0;
}
