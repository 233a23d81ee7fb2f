// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What ibv_devinfo -v shows of a device beside its ports. */
#include <stdio.h>

#include "devinfo.h"

uint64_t devinfo_print_flags(uint64_t flags, const struct devinfo_flag *table,
			     size_t entries)
{
	size_t i;

	for (i = 0; i < entries; i++) {
		if (flags & table[i].bit)
			printf("\t\t\t\t\t%s\n", table[i].name);
		flags &= ~table[i].bit;
	}
	return flags;
}

static void print_unknown(uint64_t flags)
{
	if (flags)
		printf("\t\t\t\t\tUnknown flags: 0x%lX\n",
		       (unsigned long)flags);
}

static void print_device_flags(uint32_t flags)
{
	static const struct devinfo_flag names[] = {
		{ IBV_DEVICE_RESIZE_MAX_WR, "RESIZE_MAX_WR" },
		{ IBV_DEVICE_BAD_PKEY_CNTR, "BAD_PKEY_CNTR" },
		{ IBV_DEVICE_BAD_QKEY_CNTR, "BAD_QKEY_CNTR" },
		{ IBV_DEVICE_RAW_MULTI, "RAW_MULTI" },
		{ IBV_DEVICE_AUTO_PATH_MIG, "AUTO_PATH_MIG" },
		{ IBV_DEVICE_CHANGE_PHY_PORT, "CHANGE_PHY_PORT" },
		{ IBV_DEVICE_UD_AV_PORT_ENFORCE, "UD_AV_PORT_ENFORCE" },
		{ IBV_DEVICE_CURR_QP_STATE_MOD, "CURR_QP_STATE_MOD" },
		{ IBV_DEVICE_SHUTDOWN_PORT, "SHUTDOWN_PORT" },
		{ IBV_DEVICE_INIT_TYPE, "INIT_TYPE" },
		{ IBV_DEVICE_PORT_ACTIVE_EVENT, "PORT_ACTIVE_EVENT" },
		{ IBV_DEVICE_SYS_IMAGE_GUID, "SYS_IMAGE_GUID" },
		{ IBV_DEVICE_RC_RNR_NAK_GEN, "RC_RNR_NAK_GEN" },
		{ IBV_DEVICE_SRQ_RESIZE, "SRQ_RESIZE" },
		{ IBV_DEVICE_N_NOTIFY_CQ, "N_NOTIFY_CQ" },
		{ IBV_DEVICE_MEM_WINDOW, "MEM_WINDOW" },
		{ IBV_DEVICE_UD_IP_CSUM, "UD_IP_CSUM" },
		{ IBV_DEVICE_XRC, "XRC" },
		{ IBV_DEVICE_MEM_MGT_EXTENSIONS, "MEM_MGT_EXTENSIONS" },
		{ IBV_DEVICE_MEM_WINDOW_TYPE_2A, "MEM_WINDOW_TYPE_2A" },
		{ IBV_DEVICE_MEM_WINDOW_TYPE_2B, "MEM_WINDOW_TYPE_2B" },
		{ IBV_DEVICE_RC_IP_CSUM, "RC_IP_CSUM" },
		{ IBV_DEVICE_RAW_IP_CSUM, "RAW_IP_CSUM" },
		{ IBV_DEVICE_MANAGED_FLOW_STEERING, "MANAGED_FLOW_STEERING" },
	};

	printf("\tdevice_cap_flags:\t\t0x%08x\n", flags);
	print_unknown(devinfo_print_flags(flags, names, DEVINFO_COUNT(names)));
}

static void print_limits(const struct ibv_device_attr *attr)
{
	printf("\tmax_sge:\t\t\t%d\n", attr->max_sge);
	printf("\tmax_sge_rd:\t\t\t%d\n", attr->max_sge_rd);
	printf("\tmax_cq:\t\t\t\t%d\n", attr->max_cq);
	printf("\tmax_cqe:\t\t\t%d\n", attr->max_cqe);
	printf("\tmax_mr:\t\t\t\t%d\n", attr->max_mr);
	printf("\tmax_pd:\t\t\t\t%d\n", attr->max_pd);
	printf("\tmax_qp_rd_atom:\t\t\t%d\n", attr->max_qp_rd_atom);
	printf("\tmax_ee_rd_atom:\t\t\t%d\n", attr->max_ee_rd_atom);
	printf("\tmax_res_rd_atom:\t\t%d\n", attr->max_res_rd_atom);
	printf("\tmax_qp_init_rd_atom:\t\t%d\n", attr->max_qp_init_rd_atom);
	printf("\tmax_ee_init_rd_atom:\t\t%d\n", attr->max_ee_init_rd_atom);
	printf("\tatomic_cap:\t\t\t%s (%d)\n",
	       devinfo_atomic_cap(attr->atomic_cap), attr->atomic_cap);
	printf("\tmax_ee:\t\t\t\t%d\n", attr->max_ee);
	printf("\tmax_rdd:\t\t\t%d\n", attr->max_rdd);
	printf("\tmax_mw:\t\t\t\t%d\n", attr->max_mw);
	printf("\tmax_raw_ipv6_qp:\t\t%d\n", attr->max_raw_ipv6_qp);
	printf("\tmax_raw_ethy_qp:\t\t%d\n", attr->max_raw_ethy_qp);
	printf("\tmax_mcast_grp:\t\t\t%d\n", attr->max_mcast_grp);
	printf("\tmax_mcast_qp_attach:\t\t%d\n", attr->max_mcast_qp_attach);
	printf("\tmax_total_mcast_qp_attach:\t%d\n",
	       attr->max_total_mcast_qp_attach);
	printf("\tmax_ah:\t\t\t\t%d\n", attr->max_ah);
	printf("\tmax_fmr:\t\t\t%d\n", attr->max_fmr);
	if (attr->max_fmr)
		printf("\tmax_map_per_fmr:\t\t%d\n", attr->max_map_per_fmr);
	printf("\tmax_srq:\t\t\t%d\n", attr->max_srq);
	if (attr->max_srq) {
		printf("\tmax_srq_wr:\t\t\t%d\n", attr->max_srq_wr);
		printf("\tmax_srq_sge:\t\t\t%d\n", attr->max_srq_sge);
	}
	printf("\tmax_pkeys:\t\t\t%d\n", attr->max_pkeys);
	printf("\tlocal_ca_ack_delay:\t\t%d\n", attr->local_ca_ack_delay);
}

static void print_odp_of(const char *transport, uint32_t caps)
{
	static const struct devinfo_flag names[] = {
		{ IBV_ODP_SUPPORT_SEND, "SUPPORT_SEND" },
		{ IBV_ODP_SUPPORT_RECV, "SUPPORT_RECV" },
		{ IBV_ODP_SUPPORT_WRITE, "SUPPORT_WRITE" },
		{ IBV_ODP_SUPPORT_READ, "SUPPORT_READ" },
		{ IBV_ODP_SUPPORT_ATOMIC, "SUPPORT_ATOMIC" },
		{ IBV_ODP_SUPPORT_SRQ_RECV, "SUPPORT_SRQ" },
	};

	printf("\t%s_odp_caps:\n", transport);
	if (!caps)
		printf("\t\t\t\t\tNO SUPPORT\n");
	print_unknown(devinfo_print_flags(caps, names, DEVINFO_COUNT(names)));
}

static void print_odp(const struct ibv_device_attr_ex *attr)
{
	static const struct devinfo_flag names[] = {
		{ IBV_ODP_SUPPORT, "ODP_SUPPORT" },
		{ IBV_ODP_SUPPORT_IMPLICIT, "ODP_SUPPORT_IMPLICIT" },
	};
	const struct ibv_odp_caps *odp = &attr->odp_caps;

	printf("\tgeneral_odp_caps:\n");
	print_unknown(devinfo_print_flags(odp->general_caps, names,
					  DEVINFO_COUNT(names)));
	print_odp_of("rc", odp->per_transport_caps.rc_odp_caps);
	print_odp_of("uc", odp->per_transport_caps.uc_odp_caps);
	print_odp_of("ud", odp->per_transport_caps.ud_odp_caps);
	print_odp_of("xrc", attr->xrc_odp_caps);
}

static void print_clocks(const struct ibv_device_attr_ex *attr)
{
	if (attr->completion_timestamp_mask)
		printf("\tcompletion timestamp_mask:\t\t\t0x%016lx\n",
		       (unsigned long)attr->completion_timestamp_mask);
	else
		printf("\tcompletion_timestamp_mask not supported\n");
	if (attr->hca_core_clock)
		printf("\thca_core_clock:\t\t\t%lukHZ\n",
		       (unsigned long)attr->hca_core_clock);
	else
		printf("\tcore clock not supported\n");
}

static void print_raw_packet_caps(uint32_t caps)
{
	static const struct devinfo_flag names[] = {
		{ IBV_RAW_PACKET_CAP_CVLAN_STRIPPING,
		  "C-VLAN stripping offload" },
		{ IBV_RAW_PACKET_CAP_SCATTER_FCS, "Scatter FCS offload" },
		{ IBV_RAW_PACKET_CAP_IP_CSUM, "IP csum offload" },
		{ IBV_RAW_PACKET_CAP_DELAY_DROP, "Delay drop" },
	};

	if (!caps)
		return;
	printf("\traw packet caps:\n");
	devinfo_print_flags(caps, names, DEVINFO_COUNT(names));
}

static void print_more_device_flags(uint64_t flags)
{
	/* The lower half is device_cap_flags once more. */
	static const uint64_t upper = ~(uint64_t)UINT32_MAX;
	static const struct devinfo_flag names[] = {
		{ IBV_DEVICE_RAW_SCATTER_FCS, "RAW_SCATTER_FCS" },
		{ IBV_DEVICE_PCI_WRITE_END_PADDING, "PCI_WRITE_END_PADDING" },
	};

	printf("\tdevice_cap_flags_ex:\t\t0x%lX\n", (unsigned long)flags);
	print_unknown(devinfo_print_flags(flags & upper, names,
					  DEVINFO_COUNT(names)));
}

static void print_supported_qps(uint32_t qp_types)
{
	static const struct devinfo_flag names[] = {
		{ 1 << IBV_QPT_RAW_PACKET, "SUPPORT_RAW_PACKET" },
		{ 1 << IBV_QPT_UD, "SUPPORT_UD" },
	};

	printf("\t\tsupported_qp:\n");
	print_unknown(
		devinfo_print_flags(qp_types, names, DEVINFO_COUNT(names)));
}

static void print_offloads(const struct ibv_device_attr_ex *attr)
{
	const struct ibv_packet_pacing_caps *pacing = &attr->packet_pacing_caps;
	const struct ibv_rss_caps *rss = &attr->rss_caps;

	printf("\ttso_caps:\n");
	printf("\t\tmax_tso:\t\t\t%d\n", attr->tso_caps.max_tso);
	if (attr->tso_caps.max_tso)
		print_supported_qps(attr->tso_caps.supported_qpts);
	printf("\trss_caps:\n");
	printf("\t\tmax_rwq_indirection_tables:\t\t\t%u\n",
	       rss->max_rwq_indirection_tables);
	printf("\t\tmax_rwq_indirection_table_size:\t\t\t%u\n",
	       rss->max_rwq_indirection_table_size);
	printf("\t\trx_hash_function:\t\t\t\t0x%x\n", rss->rx_hash_function);
	printf("\t\trx_hash_fields_mask:\t\t\t\t0x%lX\n",
	       (unsigned long)rss->rx_hash_fields_mask);
	if (rss->supported_qpts)
		print_supported_qps(rss->supported_qpts);
	printf("\tmax_wq_type_rq:\t\t\t%u\n", attr->max_wq_type_rq);
	printf("\tpacket_pacing_caps:\n");
	printf("\t\tqp_rate_limit_min:\t%ukbps\n", pacing->qp_rate_limit_min);
	printf("\t\tqp_rate_limit_max:\t%ukbps\n", pacing->qp_rate_limit_max);
	if (pacing->qp_rate_limit_max)
		print_supported_qps(pacing->supported_qpts);
}

static void print_tag_matching(const struct ibv_tm_caps *tm)
{
	static const struct devinfo_flag names[] = {
		{ IBV_TM_CAP_RC, "IBV_TM_CAP_RC" },
	};

	if (!tm->max_num_tags) {
		printf("\ttag matching not supported\n");
		return;
	}
	printf("\tmax_rndv_hdr_size:\t\t%u\n", tm->max_rndv_hdr_size);
	printf("\tmax_num_tags:\t\t\t%u\n", tm->max_num_tags);
	printf("\tmax_ops:\t\t\t%u\n", tm->max_ops);
	printf("\tmax_sge:\t\t\t%u\n", tm->max_sge);
	printf("\tflags:\n");
	devinfo_print_flags(tm->flags, names, DEVINFO_COUNT(names));
}

static void print_cq_moderation(const struct ibv_cq_moderation_caps *caps)
{
	if (!caps->max_cq_count || !caps->max_cq_period)
		return;
	printf("\n\tcq moderation caps:\n");
	printf("\t\tmax_cq_count:\t%u\n", caps->max_cq_count);
	printf("\t\tmax_cq_period:\t%u us\n\n", caps->max_cq_period);
}

void devinfo_print_caps(struct ibv_context *context,
			const struct ibv_device_attr_ex *attr)
{
	const struct ibv_device_attr *orig = &attr->orig_attr;

	printf("\tmax_mr_size:\t\t\t0x%llx\n",
	       (unsigned long long)orig->max_mr_size);
	printf("\tpage_size_cap:\t\t\t0x%llx\n",
	       (unsigned long long)orig->page_size_cap);
	printf("\tmax_qp:\t\t\t\t%d\n", orig->max_qp);
	printf("\tmax_qp_wr:\t\t\t%d\n", orig->max_qp_wr);
	print_device_flags(orig->device_cap_flags);
	print_limits(orig);
	print_odp(attr);
	print_clocks(attr);
	print_raw_packet_caps(attr->raw_packet_caps);
	print_more_device_flags(attr->device_cap_flags_ex);
	print_offloads(attr);
	print_tag_matching(&attr->tm_caps);
	print_cq_moderation(&attr->cq_mod_caps);
	if (attr->max_dm_size)
		printf("\tmaximum available device memory:\t%luBytes\n\n",
		       (unsigned long)attr->max_dm_size);
	printf("\tnum_comp_vectors:\t\t%d\n", context->num_comp_vectors);
}
