// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * One small healthy device for each plug-in.  Layouts are the kernel's
 * (rdma/<driver>-abi.h); the values only have to be such as make sense together.
 * An offset to be mapped may be anything: fake_machine.c maps memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <rdma/bnxt_re-abi.h>
#include <rdma/cxgb4-abi.h>
#include <rdma/efa-abi.h>
#include <rdma/erdma-abi.h>
#include <rdma/hns-abi.h>
#include <rdma/irdma-abi.h>
#include <rdma/mlx4-abi.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mthca-abi.h>
#include <rdma/ocrdma-abi.h>
#include <rdma/qedr-abi.h>
#include <rdma/rdma_user_rxe.h>
#include <rdma/siw-abi.h>
#include <rdma/vmw_pvrdma-abi.h>

#include "plugin.h"

#define PAGE 4096
#define REPLY(_reply)                                     \
	{                                                 \
		.bytes = &(_reply), .len = sizeof(_reply) \
	}

/* ---- bnxt_re ---- */

static const struct bnxt_re_uctx_resp bnxt_re_context = {
	.dev_id = 1,
	.max_qp = 1024,
	.pg_size = PAGE,
	.cqe_sz = 32,
	.max_cqd = 1024,
	.comp_mask = BNXT_RE_UCNTX_CMASK_HAVE_CCTX,
	.chip_id0 = 0x1750,
};
static const struct bnxt_re_cq_resp bnxt_re_cq = { .cqid = 5 };
static const struct bnxt_re_qp_resp bnxt_re_qp = { .qpid = 6 };
static const struct bnxt_re_srq_resp bnxt_re_srq = { .srqid = 7 };

/* ---- cxgb4 ---- */

static const struct c4iw_alloc_ucontext_resp cxgb4_context = {
	.status_page_key = PAGE,
	.status_page_size = PAGE,
};
/* The status page: ranges of queue numbers */
static const struct {
	__u8 db_off;
	__u8 wc_supported;
	__u16 pad[3];
	__u64 qp_start, qp_size;
	__u64 cq_start, cq_size;
} cxgb4_status = { .qp_size = 1024, .cq_size = 1024 };
static const struct c4iw_create_cq_resp cxgb4_cq = {
	.key = PAGE,
	.gts_key = 2 * PAGE,
	.memsize = 64 * PAGE,
	.cqid = 5,
	.size = 64,
	.qid_mask = 0xff,
};
static const struct c4iw_create_qp_resp cxgb4_qp = {
	.ma_sync_key = PAGE,
	.sq_key = 2 * PAGE,
	.rq_key = 3 * PAGE,
	.sq_db_gts_key = 4 * PAGE,
	.rq_db_gts_key = 5 * PAGE,
	.sq_memsize = 16 * PAGE,
	.rq_memsize = 16 * PAGE,
	.sqid = 6,
	.rqid = 7,
	.sq_size = 64,
	.rq_size = 64,
	.qid_mask = 0xff,
};
static const struct c4iw_create_srq_resp cxgb4_srq = {
	.srq_key = PAGE,
	.srq_db_gts_key = 2 * PAGE,
	.srq_memsize = 16 * PAGE,
	.srqid = 8,
	.srq_size = 64,
	.qid_mask = 0xff,
};

/* ---- efa ---- */

static const struct efa_ibv_alloc_ucontext_resp efa_context = {
	.cmds_supp_udata_mask = EFA_USER_CMDS_SUPP_UDATA_QUERY_DEVICE |
				EFA_USER_CMDS_SUPP_UDATA_CREATE_AH,
	.sub_cqs_per_cq = 1,
	.inline_buf_size = 32,
	.max_llq_size = 16 * PAGE,
	.max_tx_batch = 16,
	.min_sq_wr = 1,
};
static const struct efa_ibv_ex_query_device_resp efa_query_device = {
	.max_sq_wr = 256,
	.max_rq_wr = 256,
	.max_sq_sge = 2,
	.max_rq_sge = 2,
	.max_rdma_size = 1 << 20,
	.device_caps = EFA_QUERY_DEVICE_CAPS_CQ_NOTIFICATIONS,
};
static const struct efa_ibv_create_cq_resp efa_cq = {
	.q_mmap_key = PAGE,
	.q_mmap_size = 16 * PAGE,
	.comp_mask = EFA_CREATE_CQ_RESP_DB_OFF,
	.db_mmap_key = 2 * PAGE,
	.cq_idx = 5,
};
static const struct efa_ibv_create_qp_resp efa_qp = {
	.rq_mmap_key = PAGE,
	.rq_mmap_size = 16 * PAGE,
	.rq_db_mmap_key = 2 * PAGE,
	.sq_db_mmap_key = 3 * PAGE,
	.llq_desc_mmap_key = 4 * PAGE,
};
static const struct efa_ibv_create_ah_resp efa_ah = {
	.efa_address_handle = 9,
};

/* ---- erdma ---- */

static const struct erdma_uresp_alloc_ctx erdma_context = {
	.dev_id = 1,
	.sdb_type = 1,
	.sdb = PAGE,
	.rdb = 2 * PAGE,
	.cdb = 3 * PAGE,
};
static const struct erdma_uresp_create_cq erdma_cq = {
	.cq_id = 5,
	.num_cqe = 64,
};
static const struct erdma_uresp_create_qp erdma_qp = {
	.qp_id = 6,
	.num_sqe = 16,
	.num_rqe = 16,
	.rq_offset = PAGE,
};

/* ---- hfi1verbs, ipathverbs: where the queue can be mapped ---- */

static const __u64 rvt_queue = PAGE;

/* ---- hns ---- */

static const struct hns_roce_ib_alloc_ucontext_resp hns_context = {
	.qp_tab_size = 1 << 16,
	.cqe_size = 64,
	.srq_tab_size = 1 << 16,
};
static const struct hns_roce_ib_create_cq_resp hns_cq = { .cqn = 5 };
static const struct hns_roce_ib_create_srq_resp hns_srq = { .srqn = 7 };

/* ---- irdma ---- */

static const struct irdma_alloc_ucontext_resp irdma_context = {
	.max_pds = 1024,
	.max_qps = 1024,
	.wq_size = 1024,
	.kernel_ver = 5,
	.db_mmap_key = PAGE,
	.max_hw_wq_frags = 13,
	.max_hw_read_sges = 13,
	.max_hw_inline = 101,
	.max_hw_rq_quanta = 16384,
	.max_hw_wq_quanta = 16384,
	.min_hw_cq_size = 1,
	.max_hw_cq_size = 65536,
	.max_hw_sq_chunk = 64,
	.hw_rev = 2,
};
static const struct irdma_create_cq_resp irdma_cq = {
	.cq_id = 5,
	.cq_size = 64,
};
static const struct irdma_create_qp_resp irdma_qp = {
	.qp_id = 6,
	.actual_sq_size = 64,
	.actual_rq_size = 64,
};
static const struct irdma_create_ah_resp irdma_ah = { .ah_id = 9 };

/* ---- mlx4 ---- */

static const struct mlx4_ib_alloc_ucontext_resp mlx4_context = {
	.qp_tab_size = 1 << 16,
	.bf_reg_size = 512,
	.bf_regs_per_page = 8,
	.cqe_size = 32,
};
static const struct mlx4_uverbs_ex_query_device_resp mlx4_query_device = {
	.response_length = sizeof(struct mlx4_uverbs_ex_query_device_resp),
	.max_inl_recv_sz = 512,
};
static const struct mlx4_ib_create_cq_resp mlx4_cq = { .cqn = 5 };
static const struct mlx4_ib_create_srq_resp mlx4_srq = { .srqn = 7 };

/* ---- mlx5: every UAR by the driver's own object ---- */

static const struct mlx5_ib_alloc_ucontext_resp mlx5_context = {
	.qp_tab_size = 1 << 17,
	.cache_line_size = 64,
	.max_sq_desc_sz = 1024,
	.max_rq_desc_sz = 512,
	.max_send_wqebb = 1 << 15,
	.max_recv_wr = 1 << 15,
	.max_srq_recv_wr = 1 << 15,
	.num_ports = 1,
	.response_length = sizeof(struct mlx5_ib_alloc_ucontext_resp),
	.cqe_version = 1,
	.log_uar_size = 12,
	.num_uars_per_page = 1,
};
static const struct mlx5_ib_query_device_resp mlx5_query_device = {
	.response_length = sizeof(struct mlx5_ib_query_device_resp),
};
static const struct mlx5_ib_create_cq_resp mlx5_cq = { .cqn = 5 };
static const struct mlx5_ib_create_srq_resp mlx5_srq = { .srqn = 7 };
static const struct mlx5_ib_create_qp_resp mlx5_qp = { 0 };

/* ---- mthca ---- */

static const struct mthca_alloc_ucontext_resp mthca_context = {
	.qp_tab_size = 1 << 16,
	.uarc_size = 64 * PAGE,
};
static const struct mthca_create_cq_resp mthca_cq = { .cqn = 5 };
static const struct mthca_create_srq_resp mthca_srq = { .srqn = 7 };

/* ---- ocrdma ---- */

static const struct ocrdma_alloc_ucontext_resp ocrdma_context = {
	.dev_id = 1,
	.wqe_size = 128,
	.max_inline_data = 64,
	.dpp_wqe_size = 128,
	.ah_tbl_page = PAGE,
	.ah_tbl_len = PAGE,
	.rqe_size = 64,
};
static const struct ocrdma_create_cq_uresp ocrdma_cq = {
	.cq_id = 5,
	.page_size = PAGE,
	.num_pages = 1,
	.max_hw_cqe = 32,
	.page_addr = { PAGE },
	.db_page_addr = 2 * PAGE,
	.db_page_size = PAGE,
};
static const struct ocrdma_create_qp_uresp ocrdma_qp = {
	.qp_id = 6,
	.sq_page_size = PAGE,
	.rq_page_size = PAGE,
	.num_sq_pages = 1,
	.num_rq_pages = 1,
	.sq_page_addr = { PAGE },
	.rq_page_addr = { 2 * PAGE },
	.db_page_addr = 3 * PAGE,
	.db_page_size = PAGE,
	.num_wqe_allocated = 32,
	.num_rqe_allocated = 32,
};
static const struct ocrdma_create_srq_uresp ocrdma_srq = {
	.rq_page_size = PAGE,
	.num_rq_pages = 1,
	.rq_page_addr = { PAGE },
	.db_page_addr = 2 * PAGE,
	.db_page_size = PAGE,
	.num_rqe_allocated = 32,
};

/* ---- qedr ---- */

static const struct qedr_alloc_ucontext_resp qedr_context = {
	.db_pa = PAGE,
	.db_size = PAGE,
	.max_send_wr = 1024,
	.max_recv_wr = 1024,
	.max_srq_wr = 1024,
	.sges_per_send_wr = 4,
	.sges_per_recv_wr = 4,
	.sges_per_srq_wr = 4,
	.max_cqes = 1024,
};
static const struct qedr_create_cq_uresp qedr_cq = {
	.db_offset = 64,
	.icid = 5,
	.db_rec_addr = PAGE,
};
static const struct qedr_create_qp_uresp qedr_qp = {
	.qp_id = 6,
	.sq_db_offset = 64,
	.sq_icid = 6,
	.rq_db_offset = 128,
	.rq_icid = 7,
	.sq_db_rec_addr = PAGE,
	.rq_db_rec_addr = 2 * PAGE,
};
static const struct qedr_create_srq_uresp qedr_srq = { .srq_id = 7 };

/* ---- rxe ---- */

static const struct rxe_create_cq_resp rxe_cq = {
	.mi = { .offset = PAGE, .size = 4 * PAGE },
};
static const struct rxe_create_qp_resp rxe_qp = {
	.rq_mi = { .offset = PAGE, .size = 4 * PAGE },
	.sq_mi = { .offset = 5 * PAGE, .size = 4 * PAGE },
};
static const struct rxe_create_srq_resp rxe_srq = {
	.mi = { .offset = PAGE, .size = 4 * PAGE },
	.srq_num = 7,
};
static const struct rxe_create_ah_resp rxe_ah = { .ah_num = 9 };

/* The start of a queue: 16 entries, of 64 bytes that a completion needs */
static const struct {
	__u32 log2_elem_size;
	__u32 index_mask;
} rxe_queue = { .log2_elem_size = 6, .index_mask = 15 };

/* ---- siw ---- */

static const struct siw_uresp_alloc_ctx siw_context = { .dev_id = 1 };
static const struct siw_uresp_reg_mr siw_mr = { .stag = 0x1234 };
static const struct siw_uresp_create_cq siw_cq = {
	.cq_id = 5,
	.num_cqe = 64,
	.cq_key = PAGE,
};
static const struct siw_uresp_create_qp siw_qp = {
	.qp_id = 6,
	.num_sqe = 32,
	.num_rqe = 32,
	.sq_key = PAGE,
	.rq_key = 2 * PAGE,
};
static const struct siw_uresp_create_srq siw_srq = {
	.num_rqe = 32,
	.srq_key = PAGE,
};

/* ---- vmw_pvrdma ---- */

static const struct pvrdma_alloc_ucontext_resp pvrdma_context = {
	.qp_tab_size = 1 << 10,
};
static const struct pvrdma_create_cq_resp pvrdma_cq = { .cqn = 5 };
static const struct pvrdma_create_qp_resp pvrdma_qp = {
	.qpn = 6,
	.qp_handle = 6,
};
static const struct pvrdma_create_srq_resp pvrdma_srq = { .srqn = 7 };

#define PCI(_vendor, _device) \
	"pci:v0000" _vendor "d0000" _device "sv00001234sd00005678bc02sc00i00"

/* clang-format off */
#define MTHCA(_device) \
	.name = "mthca", \
	.driver = "mthca", \
	.ibdev = "mthca0", \
	.driver_id = RDMA_DRIVER_MTHCA, \
	.modalias = PCI("15B3", _device), \
	.infiniband = true, \
	.abi = MTHCA_UVERBS_ABI_VERSION, \
	.context = REPLY(mthca_context), \
	.pd_reply = sizeof(struct mthca_alloc_pd_resp), \
	.cq = REPLY(mthca_cq), \
	.srq = REPLY(mthca_srq), \
	.own_pd = true, \
	.pd_state = { .in_struct = 64, .len = 4 }, \
	.uses = USE_MR | USE_AH_IN_USER | USE_SRQ | USE_CQ | USE_QP
/* clang-format on */

const struct plugin plugins[] = {
	{
		.name = "bnxt_re",
		.driver = "bnxt_re",
		.ibdev = "bnxt_re0",
		.driver_id = RDMA_DRIVER_BNXT_RE,
		.modalias = PCI("14E4", "1750"),
		.abi = BNXT_RE_ABI_VERSION,
		.context = REPLY(bnxt_re_context),
		.pd_reply = sizeof(struct bnxt_re_pd_resp),
		.cq = REPLY(bnxt_re_cq),
		.qp = REPLY(bnxt_re_qp),
		.srq = REPLY(bnxt_re_srq),
		.no_import = true,
	},
	{
		.name = "cxgb4",
		.driver = "cxgb4",
		.ibdev = "cxgb4_0",
		.driver_id = RDMA_DRIVER_CXGB4,
		.modalias = PCI("1425", "5401"),
		.part_id = 0x5401,
		.read_only = REPLY(cxgb4_status),
		.devices_stay = true,
		.open_cannot_fail = true,
		.abi = C4IW_UVERBS_ABI_VERSION,
		.context = REPLY(cxgb4_context),
		.pd_reply = sizeof(struct c4iw_alloc_pd_resp),
		.cq = REPLY(cxgb4_cq),
		.qp = REPLY(cxgb4_qp),
		.srq = REPLY(cxgb4_srq),
		.uses = USE_MR | USE_CQ | USE_SRQ | USE_QP,
	},
	{
		.name = "efa",
		.driver = "efa",
		.ibdev = "efa_0",
		.driver_id = RDMA_DRIVER_EFA,
		.modalias = PCI("1D0F", "EFA1"),
		.abi = EFA_UVERBS_ABI_VERSION,
		.context = REPLY(efa_context),
		.query_device = REPLY(efa_query_device),
		.pd_reply = sizeof(struct efa_ibv_alloc_pd_resp),
		.cq = REPLY(efa_cq),
		.qp = REPLY(efa_qp),
		.ah = REPLY(efa_ah),
		.qp_type = IBV_QPT_UD,
		.pd_state = { .in_struct = 16,
			      .in_reply = offsetof(struct efa_ibv_alloc_pd_resp,
						   pdn),
			      .len = 2 },
		.uses = USE_MR | USE_AH | USE_CQ | USE_QP,
	},
	{
		.name = "erdma",
		.driver = "erdma",
		.ibdev = "erdma_0",
		.driver_id = 19, /* RDMA_DRIVER_ERDMA */
		.modalias = PCI("1DED", "107F"),
		.abi = ERDMA_ABI_VERSION,
		.context = REPLY(erdma_context),
		.cq = REPLY(erdma_cq),
		.qp = REPLY(erdma_qp),
		.uses = USE_MR | USE_CQ | USE_QP,
	},
	{
		.name = "hfi1verbs",
		.driver = "hfi1verbs",
		.ibdev = "hfi1_0",
		.driver_id = RDMA_DRIVER_HFI1,
		.modalias = PCI("8086", "24F0"),
		.infiniband = true,
		.abi = 2,
		.cq = REPLY(rvt_queue),
		.qp = REPLY(rvt_queue),
		.srq = REPLY(rvt_queue),
		.uses = USE_MR | USE_AH | USE_SRQ | USE_CQ | USE_QP,
	},
	{
		.name = "hns",
		.driver = "hns",
		.ibdev = "hns_0",
		.driver_id = RDMA_DRIVER_HNS,
		.modalias = PCI("19E5", "A222"),
		.abi = 1,
		.context = REPLY(hns_context),
		.pd_reply = sizeof(struct hns_roce_ib_alloc_pd_resp),
		.cq = REPLY(hns_cq),
		.srq = REPLY(hns_srq),
		.pd_state = { .in_struct = 16, .len = 4 },
		.uses = USE_MR | USE_MW | USE_AH | USE_SRQ | USE_CQ | USE_QP,
	},
	{
		.name = "ipathverbs",
		.driver = "ipathverbs",
		.ibdev = "qib0",
		.driver_id = RDMA_DRIVER_QIB,
		.modalias = PCI("1077", "7322"),
		.infiniband = true,
		.abi = 2,
		.cq = REPLY(rvt_queue),
		.qp = REPLY(rvt_queue),
		.srq = REPLY(rvt_queue),
		.uses = USE_MR | USE_AH | USE_SRQ | USE_CQ | USE_QP,
	},
	{
		.name = "irdma",
		.driver = "irdma",
		.ibdev = "irdma0",
		.driver_id = RDMA_DRIVER_IRDMA,
		.modalias = PCI("8086", "1592"),
		.abi = IRDMA_ABI_VER,
		.context = REPLY(irdma_context),
		.pd_reply = sizeof(struct irdma_alloc_pd_resp),
		.cq = REPLY(irdma_cq),
		.qp = REPLY(irdma_qp),
		.ah = REPLY(irdma_ah),
		.own_pd = true,
		.pd_state = { .in_struct = 32, .len = 4 },
		.uses = USE_MR | USE_MW | USE_AH | USE_CQ | USE_QP,
	},
	{
		.name = "mana",
		.driver = "mana",
		.ibdev = "mana_0",
		.driver_id = 20, /* RDMA_DRIVER_MANA */
		.abi = 1,
		.uses = USE_MR,
	},
	{
		.name = "mlx4",
		.driver = "mlx4",
		.ibdev = "mlx4_0",
		.driver_id = RDMA_DRIVER_MLX4,
		.modalias = PCI("15B3", "1003"),
		.infiniband = true,
		.abi = MLX4_IB_UVERBS_ABI_VERSION,
		.context = REPLY(mlx4_context),
		.query_device = REPLY(mlx4_query_device),
		.pd_reply = sizeof(struct mlx4_ib_alloc_pd_resp),
		.cq = REPLY(mlx4_cq),
		.srq = REPLY(mlx4_srq),
		.pd_state = { .in_struct = 16, .len = 4 },
		.uses = USE_MR | USE_AH_IN_USER | USE_MW | USE_SRQ | USE_CQ |
			USE_QP,
	},
	{
		.name = "mlx5",
		.driver = "mlx5",
		.ibdev = "mlx5_0",
		.driver_id = RDMA_DRIVER_MLX5,
		.modalias = PCI("15B3", "101D"),
		.infiniband = true,
		.abi = MLX5_IB_UVERBS_ABI_VERSION,
		.context = REPLY(mlx5_context),
		.query_device = REPLY(mlx5_query_device),
		.pd_reply = sizeof(struct mlx5_ib_alloc_pd_resp),
		.cq = REPLY(mlx5_cq),
		.qp = REPLY(mlx5_qp),
		.srq = REPLY(mlx5_srq),
		.asks_driver = true,
		.pd_state = { .in_struct = 16, .len = 4 },
		.uses = USE_MR | USE_AH_IN_USER | USE_MW | USE_SRQ | USE_CQ |
			USE_QP,
	},
	{
		MTHCA("6282"),
	},
	{
		MTHCA("5A44"),
		.variant = "tavor",
		.ah_registers = true,
	},
	{
		.name = "ocrdma",
		.driver = "ocrdma",
		.ibdev = "ocrdma0",
		.driver_id = RDMA_DRIVER_OCRDMA,
		.modalias = PCI("10DF", "0720"),
		.abi = OCRDMA_ABI_VERSION,
		.context = REPLY(ocrdma_context),
		.pd_reply = sizeof(struct ocrdma_alloc_pd_uresp),
		.cq = REPLY(ocrdma_cq),
		.qp = REPLY(ocrdma_qp),
		.srq = REPLY(ocrdma_srq),
		.no_import = true,
	},
	{
		.name = "qedr",
		.driver = "qedr",
		.ibdev = "qedr0",
		.driver_id = RDMA_DRIVER_QEDR,
		.modalias = PCI("1077", "1656"),
		.abi = QEDR_ABI_VERSION,
		.context = REPLY(qedr_context),
		.pd_reply = sizeof(struct qedr_alloc_pd_uresp),
		.cq = REPLY(qedr_cq),
		.qp = REPLY(qedr_qp),
		.srq = REPLY(qedr_srq),
		.pd_state = { .in_struct = 16, .len = 4 },
		.uses = USE_MR | USE_SRQ | USE_CQ | USE_QP,
	},
	{
		.name = "rxe",
		.driver = "rxe",
		.ibdev = "rxe0",
		.driver_id = RDMA_DRIVER_RXE,
		.abi = 2,
		.cq = REPLY(rxe_cq),
		.qp = REPLY(rxe_qp),
		.srq = REPLY(rxe_srq),
		.ah = REPLY(rxe_ah),
		.queue = REPLY(rxe_queue),
		.uses = USE_MR | USE_AH | USE_MW | USE_SRQ | USE_CQ | USE_QP,
	},
	{
		.name = "siw",
		.driver = "siw",
		.ibdev = "siw0",
		.driver_id = RDMA_DRIVER_SIW,
		.abi = SIW_ABI_VERSION,
		.context = REPLY(siw_context),
		.mr = REPLY(siw_mr),
		.cq = REPLY(siw_cq),
		.qp = REPLY(siw_qp),
		.srq = REPLY(siw_srq),
		.uses = USE_MR | USE_SRQ | USE_CQ | USE_QP,
	},
	{
		.name = "vmw_pvrdma",
		.driver = "pvrdma",
		.ibdev = "vmw_pvrdma0",
		.driver_id = RDMA_DRIVER_VMW_PVRDMA,
		.modalias = PCI("15AD", "0820"),
		.abi = PVRDMA_UVERBS_ABI_VERSION,
		.context = REPLY(pvrdma_context),
		.pd_reply = sizeof(struct pvrdma_alloc_pd_resp),
		.cq = REPLY(pvrdma_cq),
		.qp = REPLY(pvrdma_qp),
		.srq = REPLY(pvrdma_srq),
		.pd_state = { .in_struct = 16, .len = 4 },
		.uses = USE_MR | USE_AH_IN_USER | USE_SRQ | USE_CQ | USE_QP,
	},
};
const size_t num_plugins = sizeof(plugins) / sizeof(plugins[0]);

const struct plugin *find_plugin(const char *name, const char *variant)
{
	for (size_t i = 0; name && i < num_plugins; i++)
		if (!strcmp(plugins[i].name, name) &&
		    !strcmp(plugins[i].variant ? plugins[i].variant : "",
			    variant ? variant : ""))
			return &plugins[i];
	return NULL;
}

const struct plugin *plugin_argument(int argc, char **argv)
{
	const struct plugin *plugin = NULL;

	if (argc == 2 || argc == 3)
		plugin = find_plugin(argv[1], argv[2]);
	if (!plugin) {
		fprintf(stderr, "usage: %s <plug-in> [<variant>]\n", argv[0]);
		exit(1);
	}
	return plugin;
}
