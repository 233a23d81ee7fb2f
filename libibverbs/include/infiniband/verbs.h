/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The verbs: everything a program needs to use RDMA devices.
 *
 * Rules that hold wherever a comment does not say otherwise:
 *
 * - Functions that return int return 0 or a positive errno value.  Functions
 *   that return a pointer return NULL on failure and set errno.
 *   EOPNOTSUPP: the provider, the kernel or the device has no such verb.
 * - All functions may be called from several threads at once, on the same
 *   object too, except that destroying an object must be the last call on it.
 * - Attribute structs are read (or filled) during the call and may go away
 *   afterwards.  The program never frees an object but by its destroy verb.
 * - Destroying an object on which others depend fails with EBUSY.
 * - Members named comp_mask say which of the later members are valid; bits
 *   that the library does not know give EINVAL or EOPNOTSUPP.
 * - "Since" is the version of the symbol in libibverbs.so.1.  Functions
 *   without it are inline; they call through pointers in the object, so a
 *   program depends on no symbol by them.
 *
 * Sizes are bytes, __be types are in network byte order, all else is in host
 * byte order.
 */
#ifndef INFINIBAND_VERBS_H
#define INFINIBAND_VERBS_H

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>

#include <infiniband/verbs_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __attribute_const
#define __attribute_const __attribute__((const))
#endif

struct ibv_ah;
struct ibv_comp_channel;
struct ibv_context;
struct ibv_counters;
struct ibv_cq;
struct ibv_cq_ex;
struct ibv_device;
struct ibv_dm;
struct ibv_flow;
struct ibv_flow_action;
struct ibv_mr;
struct ibv_mw;
struct ibv_pd;
struct ibv_qp;
struct ibv_qp_ex;
struct ibv_recv_wr;
struct ibv_rwq_ind_table;
struct ibv_srq;
struct ibv_td;
struct ibv_wq;
struct ibv_xrcd;
struct verbs_ex_private;

/* ==== Devices ==== */

/* A global identifier: an IPv6-style address of a port */
union ibv_gid {
	uint8_t raw[16];
	struct {
		__be64 subnet_prefix;
		__be64 interface_id;
	} global;
};

/* How packets with this GID go over the wire */
enum ibv_gid_type {
	IBV_GID_TYPE_IB,
	IBV_GID_TYPE_ROCE_V1,
	IBV_GID_TYPE_ROCE_V2,
};

/* A slot of a port's GID table; filled by ibv_query_gid_ex() and _table() */
struct ibv_gid_entry {
	union ibv_gid gid;
	uint32_t gid_index;
	uint32_t port_num;
	uint32_t gid_type;     /* enum ibv_gid_type */
	uint32_t ndev_ifindex; /* network interface, 0 if none */
};

/* ibv_device.node_type */
enum ibv_node_type {
	IBV_NODE_UNKNOWN = -1,
	IBV_NODE_CA = 1, /* InfiniBand or RoCE adapter */
	IBV_NODE_SWITCH,
	IBV_NODE_ROUTER,
	IBV_NODE_RNIC, /* iWARP adapter */
	IBV_NODE_USNIC,
	IBV_NODE_USNIC_UDP,
	IBV_NODE_UNSPECIFIED,
};

/* ibv_device.transport_type */
enum ibv_transport_type {
	IBV_TRANSPORT_UNKNOWN = -1,
	IBV_TRANSPORT_IB,
	IBV_TRANSPORT_IWARP,
	IBV_TRANSPORT_USNIC,
	IBV_TRANSPORT_USNIC_UDP,
	IBV_TRANSPORT_UNSPECIFIED,
};

/* Bits of ibv_device_attr.device_cap_flags */
enum ibv_device_cap_flags {
	IBV_DEVICE_RESIZE_MAX_WR = 1 << 0,
	IBV_DEVICE_BAD_PKEY_CNTR = 1 << 1,
	IBV_DEVICE_BAD_QKEY_CNTR = 1 << 2,
	IBV_DEVICE_RAW_MULTI = 1 << 3,
	IBV_DEVICE_AUTO_PATH_MIG = 1 << 4,
	IBV_DEVICE_CHANGE_PHY_PORT = 1 << 5,
	IBV_DEVICE_UD_AV_PORT_ENFORCE = 1 << 6,
	IBV_DEVICE_CURR_QP_STATE_MOD = 1 << 7,
	IBV_DEVICE_SHUTDOWN_PORT = 1 << 8,
	IBV_DEVICE_INIT_TYPE = 1 << 9,
	IBV_DEVICE_PORT_ACTIVE_EVENT = 1 << 10,
	IBV_DEVICE_SYS_IMAGE_GUID = 1 << 11,
	IBV_DEVICE_RC_RNR_NAK_GEN = 1 << 12,
	IBV_DEVICE_SRQ_RESIZE = 1 << 13,
	IBV_DEVICE_N_NOTIFY_CQ = 1 << 14,
	IBV_DEVICE_MEM_WINDOW = 1 << 17,
	IBV_DEVICE_UD_IP_CSUM = 1 << 18,
	IBV_DEVICE_XRC = 1 << 20,
	IBV_DEVICE_MEM_MGT_EXTENSIONS = 1 << 21,
	IBV_DEVICE_MEM_WINDOW_TYPE_2A = 1 << 23,
	IBV_DEVICE_MEM_WINDOW_TYPE_2B = 1 << 24,
	IBV_DEVICE_RC_IP_CSUM = 1 << 25,
	IBV_DEVICE_RAW_IP_CSUM = 1 << 26,
	IBV_DEVICE_MANAGED_FLOW_STEERING = 1 << 29,
};

/*
 * Bits that do not fit above; they are found only in
 * ibv_device_attr_ex.device_cap_flags_ex.
 */
#define IBV_DEVICE_RAW_SCATTER_FCS (1ULL << 34)
#define IBV_DEVICE_PCI_WRITE_END_PADDING (1ULL << 36)

/* Against what the device's atomic operations are atomic */
enum ibv_atomic_cap {
	IBV_ATOMIC_NONE,
	IBV_ATOMIC_HCA,	 /* others of the same device */
	IBV_ATOMIC_GLOB, /* all accesses, CPUs' too */
};

/* Limits and abilities of a device: ibv_query_device() */
struct ibv_device_attr {
	char fw_ver[64]; /* NUL-terminated */
	__be64 node_guid;
	__be64 sys_image_guid;
	uint64_t max_mr_size;
	uint64_t page_size_cap; /* bit n: pages of 2^n bytes */
	uint32_t vendor_id;
	uint32_t vendor_part_id;
	uint32_t hw_ver;
	int max_qp;
	int max_qp_wr;
	unsigned int device_cap_flags; /* enum ibv_device_cap_flags */
	/* Entries of a work request's scatter/gather list */
	int max_sge;
	int max_sge_rd; /* the same for RDMA reads */
	int max_cq;
	int max_cqe;
	int max_mr;
	int max_pd;
	/* RDMA reads and atomics a QP can have incoming */
	int max_qp_rd_atom;
	int max_ee_rd_atom;
	int max_res_rd_atom; /* the same for the whole device */
	/* RDMA reads and atomics a QP can have outgoing */
	int max_qp_init_rd_atom;
	int max_ee_init_rd_atom;
	enum ibv_atomic_cap atomic_cap;
	int max_ee;
	int max_rdd;
	int max_mw;
	int max_raw_ipv6_qp;
	int max_raw_ethy_qp;
	int max_mcast_grp;
	int max_mcast_qp_attach;
	int max_total_mcast_qp_attach;
	int max_ah;
	int max_fmr;
	int max_map_per_fmr;
	int max_srq;
	int max_srq_wr;
	int max_srq_sge;
	uint16_t max_pkeys;
	uint8_t local_ca_ack_delay; /* 4.096 us * 2^n */
	uint8_t phys_port_cnt;	    /* ports are numbered from 1 */
};

/* comp_mask must be 0. */
struct ibv_query_device_ex_input {
	uint32_t comp_mask;
};

/* For which operations a transport takes on-demand-paging MRs */
enum ibv_odp_transport_cap_bits {
	IBV_ODP_SUPPORT_SEND = 1 << 0,
	IBV_ODP_SUPPORT_RECV = 1 << 1,
	IBV_ODP_SUPPORT_WRITE = 1 << 2,
	IBV_ODP_SUPPORT_READ = 1 << 3,
	IBV_ODP_SUPPORT_ATOMIC = 1 << 4,
	IBV_ODP_SUPPORT_SRQ_RECV = 1 << 5,
};

/* On-demand paging, whatever the transport */
enum ibv_odp_general_caps {
	IBV_ODP_SUPPORT = 1 << 0,
	IBV_ODP_SUPPORT_IMPLICIT = 1 << 1, /* an MR over all addresses */
};

/* On-demand paging: which MRs need not be pinned */
struct ibv_odp_caps {
	uint64_t general_caps; /* enum ibv_odp_general_caps */
	struct {
		uint32_t rc_odp_caps; /* enum ibv_odp_transport_cap_bits */
		uint32_t uc_odp_caps;
		uint32_t ud_odp_caps;
	} per_transport_caps;
};

/* TCP segmentation offload */
struct ibv_tso_caps {
	/* Bytes of one work request; 0: not supported */
	uint32_t max_tso;
	/* Bit n: QP type n, see ibv_is_qpt_supported() */
	uint32_t supported_qpts;
};

/* Functions that spread packets over receive queues */
enum ibv_rx_hash_function_flags {
	IBV_RX_HASH_FUNC_TOEPLITZ = 1 << 0,
};

/* Which fields of a packet choose its receive queue */
__extension__ enum ibv_rx_hash_fields {
	IBV_RX_HASH_SRC_IPV4 = 1 << 0,
	IBV_RX_HASH_DST_IPV4 = 1 << 1,
	IBV_RX_HASH_SRC_IPV6 = 1 << 2,
	IBV_RX_HASH_DST_IPV6 = 1 << 3,
	IBV_RX_HASH_SRC_PORT_TCP = 1 << 4,
	IBV_RX_HASH_DST_PORT_TCP = 1 << 5,
	IBV_RX_HASH_SRC_PORT_UDP = 1 << 6,
	IBV_RX_HASH_DST_PORT_UDP = 1 << 7,
	IBV_RX_HASH_IPSEC_SPI = 1 << 8,
	/* Take the fields of the packet inside the tunnel. */
	IBV_RX_HASH_INNER = 1U << 31,
};

/* Receive-side scaling */
struct ibv_rss_caps {
	uint32_t supported_qpts; /* bit n: QP type n */
	uint32_t max_rwq_indirection_tables;
	uint32_t max_rwq_indirection_table_size;
	uint64_t rx_hash_fields_mask; /* enum ibv_rx_hash_fields */
	uint8_t rx_hash_function;     /* enum ibv_rx_hash_function_flags */
};

/* Rates that can be set for a send queue */
struct ibv_packet_pacing_caps {
	uint32_t qp_rate_limit_min; /* kbit/s */
	uint32_t qp_rate_limit_max; /* kbit/s; 0: no pacing */
	uint32_t supported_qpts;    /* bit n: QP type n */
};

/* What QPs and work queues for raw packets can */
enum ibv_raw_packet_caps {
	IBV_RAW_PACKET_CAP_CVLAN_STRIPPING = 1 << 0,
	IBV_RAW_PACKET_CAP_SCATTER_FCS = 1 << 1,
	IBV_RAW_PACKET_CAP_IP_CSUM = 1 << 2,
	IBV_RAW_PACKET_CAP_DELAY_DROP = 1 << 3,
};

/* ibv_tm_caps.flags */
enum ibv_tm_cap_flags {
	IBV_TM_CAP_RC = 1 << 0, /* tag matching works on RC QPs */
};

/* Tag matching */
struct ibv_tm_caps {
	uint32_t max_rndv_hdr_size; /* bytes */
	uint32_t max_num_tags;
	uint32_t flags;	  /* enum ibv_tm_cap_flags */
	uint32_t max_ops; /* list operations outstanding */
	uint32_t max_sge; /* entries of a tagged buffer's list */
};

/* Limits of ibv_modify_cq() */
struct ibv_cq_moderation_caps {
	uint16_t max_cq_count;
	uint16_t max_cq_period; /* microseconds */
};

/* Sizes of the operands of PCI atomic operations */
enum ibv_pci_atomic_op_size {
	IBV_PCI_ATOMIC_OPERATION_4_BYTE_SIZE_SUP = 1 << 0,
	IBV_PCI_ATOMIC_OPERATION_8_BYTE_SIZE_SUP = 1 << 1,
	IBV_PCI_ATOMIC_OPERATION_16_BYTE_SIZE_SUP = 1 << 2,
};

/* Atomic operations over PCI: enum ibv_pci_atomic_op_size each */
struct ibv_pci_atomic_caps {
	uint16_t fetch_add;
	uint16_t swap;
	uint16_t compare_swap;
};

/* ibv_query_device_ex(): members that the device does not know are 0. */
struct ibv_device_attr_ex {
	struct ibv_device_attr orig_attr;
	uint32_t comp_mask; /* always 0 */
	struct ibv_odp_caps odp_caps;
	uint64_t completion_timestamp_mask; /* valid bits; 0: no stamps */
	uint64_t hca_core_clock;	    /* kHz */
	uint64_t device_cap_flags_ex; /* enum ibv_device_cap_flags and more */
	struct ibv_tso_caps tso_caps;
	struct ibv_rss_caps rss_caps;
	uint32_t max_wq_type_rq; /* work queues */
	struct ibv_packet_pacing_caps packet_pacing_caps;
	uint32_t raw_packet_caps; /* enum ibv_raw_packet_caps */
	struct ibv_tm_caps tm_caps;
	struct ibv_cq_moderation_caps cq_mod_caps;
	uint64_t max_dm_size; /* device memory in bytes */
	struct ibv_pci_atomic_caps pci_atomic_caps;
	uint32_t xrc_odp_caps;
	uint32_t phys_port_cnt_ex; /* for more than 255 ports */
};

/* ibv_is_fork_initialized() */
enum ibv_fork_status {
	IBV_FORK_DISABLED, /* ibv_fork_init() was not called */
	IBV_FORK_ENABLED,
	/* The kernel copies registered pages on fork */
	IBV_FORK_UNNEEDED,
};

/* ==== Ports ==== */

/* Payload of a packet */
enum ibv_mtu {
	IBV_MTU_256 = 1,
	IBV_MTU_512,
	IBV_MTU_1024,
	IBV_MTU_2048,
	IBV_MTU_4096,
};

/* ibv_port_attr.state: packets flow when it is ACTIVE */
enum ibv_port_state {
	IBV_PORT_NOP,
	IBV_PORT_DOWN,
	IBV_PORT_INIT,
	IBV_PORT_ARMED,
	IBV_PORT_ACTIVE,
	IBV_PORT_ACTIVE_DEFER,
};

/* ibv_port_attr.link_layer */
enum {
	IBV_LINK_LAYER_UNSPECIFIED,
	IBV_LINK_LAYER_INFINIBAND,
	IBV_LINK_LAYER_ETHERNET,
};

/* Bits of ibv_port_attr.port_cap_flags */
enum ibv_port_cap_flags {
	IBV_PORT_SM = 1 << 1,
	IBV_PORT_NOTICE_SUP = 1 << 2,
	IBV_PORT_TRAP_SUP = 1 << 3,
	IBV_PORT_OPT_IPD_SUP = 1 << 4,
	IBV_PORT_AUTO_MIGR_SUP = 1 << 5,
	IBV_PORT_SL_MAP_SUP = 1 << 6,
	IBV_PORT_MKEY_NVRAM = 1 << 7,
	IBV_PORT_PKEY_NVRAM = 1 << 8,
	IBV_PORT_LED_INFO_SUP = 1 << 9,
	IBV_PORT_SYS_IMAGE_GUID_SUP = 1 << 11,
	IBV_PORT_PKEY_SW_EXT_PORT_TRAP_SUP = 1 << 12,
	IBV_PORT_EXTENDED_SPEEDS_SUP = 1 << 14,
	IBV_PORT_CAP_MASK2_SUP = 1 << 15, /* port_cap_flags2 is valid */
	IBV_PORT_CM_SUP = 1 << 16,
	IBV_PORT_SNMP_TUNNEL_SUP = 1 << 17,
	IBV_PORT_REINIT_SUP = 1 << 18,
	IBV_PORT_DEVICE_MGMT_SUP = 1 << 19,
	IBV_PORT_VENDOR_CLASS_SUP = 1 << 20,
	IBV_PORT_DR_NOTICE_SUP = 1 << 21,
	IBV_PORT_CAP_MASK_NOTICE_SUP = 1 << 22,
	IBV_PORT_BOOT_MGMT_SUP = 1 << 23,
	IBV_PORT_LINK_LATENCY_SUP = 1 << 24,
	IBV_PORT_CLIENT_REG_SUP = 1 << 25,
	IBV_PORT_IP_BASED_GIDS = 1 << 26,
};

/* Bits of ibv_port_attr.port_cap_flags2 */
enum ibv_port_cap_flags2 {
	IBV_PORT_SET_NODE_DESC_SUP = 1 << 0,
	IBV_PORT_INFO_EXT_SUP = 1 << 1,
	IBV_PORT_VIRT_SUP = 1 << 2,
	IBV_PORT_SWITCH_PORT_STATE_TABLE_SUP = 1 << 3,
	IBV_PORT_LINK_WIDTH_2X_SUP = 1 << 4,
	IBV_PORT_LINK_SPEED_HDR_SUP = 1 << 5,
	IBV_PORT_LINK_SPEED_NDR_SUP = 1 << 10,
};

/* ibv_query_port() */
struct ibv_port_attr {
	enum ibv_port_state state;
	enum ibv_mtu max_mtu;
	enum ibv_mtu active_mtu;
	int gid_tbl_len;	 /* slots, used or not */
	uint32_t port_cap_flags; /* enum ibv_port_cap_flags */
	uint32_t max_msg_sz;	 /* bytes */
	uint32_t bad_pkey_cntr;
	uint32_t qkey_viol_cntr;
	uint16_t pkey_tbl_len;
	uint16_t lid; /* not for Ethernet */
	uint16_t sm_lid;
	/* Low bits of the LID that the port ignores */
	uint8_t lmc;
	uint8_t max_vl_num;
	uint8_t sm_sl; /* service level to the subnet manager */
	uint8_t subnet_timeout;
	uint8_t init_type_reply;
	uint8_t active_width; /* 1, 2, 4, 8, 16: 1x, 4x, 8x, 12x, 2x */
	/* Powers of 2 from 1: SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR */
	uint8_t active_speed;
	uint8_t phys_state; /* 3 disabled, 5 link up */
	uint8_t link_layer;
	uint8_t flags; /* IBV_QPF_GRH_REQUIRED */
	uint16_t port_cap_flags2;
};

/* ==== Asynchronous events ==== */

/* What happened, to which the name says: CQ, QP, SRQ, WQ; else port or device
 */
enum ibv_event_type {
	IBV_EVENT_CQ_ERR,
	IBV_EVENT_QP_FATAL,
	IBV_EVENT_QP_REQ_ERR,
	IBV_EVENT_QP_ACCESS_ERR,
	IBV_EVENT_COMM_EST,
	IBV_EVENT_SQ_DRAINED,
	IBV_EVENT_PATH_MIG,
	IBV_EVENT_PATH_MIG_ERR,
	IBV_EVENT_DEVICE_FATAL,
	IBV_EVENT_PORT_ACTIVE,
	IBV_EVENT_PORT_ERR,
	IBV_EVENT_LID_CHANGE,
	IBV_EVENT_PKEY_CHANGE,
	IBV_EVENT_SM_CHANGE,
	IBV_EVENT_SRQ_ERR,
	IBV_EVENT_SRQ_LIMIT_REACHED,
	IBV_EVENT_QP_LAST_WQE_REACHED,
	IBV_EVENT_CLIENT_REREGISTER,
	IBV_EVENT_GID_CHANGE,
	IBV_EVENT_WQ_FATAL,
};

/* ibv_get_async_event(); event_type says which member of element holds. */
struct ibv_async_event {
	union {
		struct ibv_cq *cq;
		struct ibv_qp *qp;
		struct ibv_srq *srq;
		struct ibv_wq *wq;
		int port_num;
	} element;
	enum ibv_event_type event_type;
};

/* ==== Protection domains and memory ==== */

/* What may be used together: QPs, SRQs, AHs reach only MRs of their own PD. */
struct ibv_pd {
	struct ibv_context *context;
	uint32_t handle; /* in the kernel file of the context */
};

/* For ibv_alloc_td() */
struct ibv_td_init_attr {
	uint32_t comp_mask; /* must be 0 */
};

/*
 * A thread domain: the program promises that objects made in it are used by
 * one thread at a time, so that the provider can do without locks.
 */
struct ibv_td {
	struct ibv_context *context;
};

/* Which members of ibv_parent_domain_init_attr are valid */
enum ibv_parent_domain_init_attr_mask {
	IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS = 1 << 0,
	IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT = 1 << 1,
};

/* From ibv_parent_domain_init_attr.alloc: "allocate as you always do" */
#define IBV_ALLOCATOR_USE_DEFAULT ((void *)-1)

/*
 * alloc() and free() replace the provider's allocation of queue buffers and
 * doorbell records; resource_type is the provider's.  alloc() returns memory,
 * NULL with errno, or IBV_ALLOCATOR_USE_DEFAULT.
 */
struct ibv_parent_domain_init_attr {
	struct ibv_pd *pd; /* must not be a parent domain */
	struct ibv_td *td; /* or NULL */
	uint32_t comp_mask;
	void *(*alloc)(struct ibv_pd *pd, void *pd_context, size_t size,
		       size_t alignment, uint64_t resource_type);
	void (*free)(struct ibv_pd *pd, void *pd_context, void *ptr,
		     uint64_t resource_type);
	void *pd_context; /* handed to alloc and free */
};

/* Which members of ibv_xrcd_init_attr are valid: both must be */
enum ibv_xrcd_init_attr_mask {
	IBV_XRCD_INIT_ATTR_FD = 1 << 0,
	IBV_XRCD_INIT_ATTR_OFLAGS = 1 << 1,
	IBV_XRCD_INIT_ATTR_RESERVED = 1 << 2,
};

/* fd names the inode whose openers share the domain; -1: shared by nobody. */
struct ibv_xrcd_init_attr {
	uint32_t comp_mask;
	int fd;
	int oflags; /* O_CREAT, O_EXCL */
};

/* XRC domain: what XRC QPs and SRQs must have in common */
struct ibv_xrcd {
	struct ibv_context *context;
};

/* What an MR or MW permits, and how an MR is made */
enum ibv_access_flags {
	/* REMOTE_WRITE and REMOTE_ATOMIC need it too */
	IBV_ACCESS_LOCAL_WRITE = 1 << 0,
	IBV_ACCESS_REMOTE_WRITE = 1 << 1,
	IBV_ACCESS_REMOTE_READ = 1 << 2,
	IBV_ACCESS_REMOTE_ATOMIC = 1 << 3,
	IBV_ACCESS_MW_BIND = 1 << 4,
	/* Remote addresses count from the start of the MR */
	IBV_ACCESS_ZERO_BASED = 1 << 5,
	/* Pages are not pinned, the device faults them in */
	IBV_ACCESS_ON_DEMAND = 1 << 6,
	IBV_ACCESS_HUGETLB = 1 << 7, /* the buffer consists of huge pages */
	/* optional: ignored where it is not supported */
	IBV_ACCESS_RELAXED_ORDERING = 1 << 20,
};

/* Memory that the device may access, with the keys that name it */
struct ibv_mr {
	struct ibv_context *context;
	/* NULL: imported, and its PD is not known here */
	struct ibv_pd *pd;
	void *addr; /* NULL if imported */
	size_t length;
	uint32_t handle;
	uint32_t lkey; /* for scatter/gather entries */
	uint32_t rkey; /* for peers */
};

/* What ibv_rereg_mr() changes */
enum ibv_rereg_mr_flags {
	IBV_REREG_MR_CHANGE_TRANSLATION = 1 << 0,
	IBV_REREG_MR_CHANGE_PD = 1 << 1,
	IBV_REREG_MR_CHANGE_ACCESS = 1 << 2,
	IBV_REREG_MR_FLAGS_SUPPORTED = IBV_REREG_MR_CHANGE_TRANSLATION |
				       IBV_REREG_MR_CHANGE_PD |
				       IBV_REREG_MR_CHANGE_ACCESS,
};

/* Results of ibv_rereg_mr(), errno says more */
enum ibv_rereg_mr_err_code {
	/* The MR is as it was. */
	IBV_REREG_MR_ERR_INPUT = -1,
	/* The MR is as it was: the new range could not be made fork-safe. */
	IBV_REREG_MR_ERR_DONT_FORK_NEW = -2,
	/* The MR is changed; its old range stays out of child processes. */
	IBV_REREG_MR_ERR_DO_FORK_OLD = -3,
	/* The MR must not be used any more, only ibv_dereg_mr(). */
	IBV_REREG_MR_ERR_CMD = -4,
	/* Likewise, and the new range stays out of child processes. */
	IBV_REREG_MR_ERR_CMD_AND_DO_FORK_NEW = -5,
};

/* How a window is bound */
enum ibv_mw_type {
	IBV_MW_TYPE_1 = 1, /* bound by ibv_bind_mw() */
	IBV_MW_TYPE_2,	   /* bound by a work request of the QP */
};

/* A window: a part of an MR with an rkey of its own, cheap to take back */
struct ibv_mw {
	struct ibv_context *context;
	struct ibv_pd *pd;
	uint32_t rkey;
	uint32_t handle;
	enum ibv_mw_type type;
};

/* Where a window opens; length 0 closes it. */
struct ibv_mw_bind_info {
	struct ibv_mr *mr;
	uint64_t addr;
	uint64_t length;
	unsigned int mw_access_flags; /* enum ibv_access_flags */
};

/* For ibv_bind_mw() */
struct ibv_mw_bind {
	uint64_t wr_id;
	unsigned int send_flags; /* enum ibv_send_flags */
	struct ibv_mw_bind_info bind_info;
};

/* For ibv_alloc_dm() */
struct ibv_alloc_dm_attr {
	size_t length;
	uint32_t log_align_req; /* alignment 2^n */
	uint32_t comp_mask;	/* must be 0 */
};

/* ibv_dm.comp_mask */
enum ibv_dm_mask {
	IBV_DM_MASK_HANDLE = 1 << 0, /* handle is valid */
};

/* Memory on the device */
struct ibv_dm {
	struct ibv_context *context;
	int (*memcpy_to_dm)(struct ibv_dm *dm, uint64_t dm_offset,
			    const void *host_addr, size_t length);
	int (*memcpy_from_dm)(void *host_addr, struct ibv_dm *dm,
			      uint64_t dm_offset, size_t length);
	uint32_t comp_mask;
	uint32_t handle;
};

/* ==== Addresses ==== */

/* The part of an address vector that makes the global route header */
struct ibv_global_route {
	union ibv_gid dgid;
	uint32_t flow_label; /* 20 bits */
	uint8_t sgid_index;
	uint8_t hop_limit;
	uint8_t traffic_class;
};

/* A global route header as the UD receiver finds it before the message */
struct ibv_grh {
	__be32 version_tclass_flow; /* 4, 8, 20 bits */
	__be16 paylen;
	uint8_t next_hdr;
	uint8_t hop_limit;
	union ibv_gid sgid;
	union ibv_gid dgid;
};

/* Limit of the packet rate towards a destination */
enum ibv_rate {
	IBV_RATE_MAX, /* as fast as the port goes */
	IBV_RATE_2_5_GBPS = 2,
	IBV_RATE_5_GBPS = 5,
	IBV_RATE_10_GBPS = 3,
	IBV_RATE_20_GBPS = 6,
	IBV_RATE_30_GBPS = 4,
	IBV_RATE_40_GBPS = 7,
	IBV_RATE_60_GBPS,
	IBV_RATE_80_GBPS,
	IBV_RATE_120_GBPS,
	IBV_RATE_14_GBPS,
	IBV_RATE_56_GBPS,
	IBV_RATE_112_GBPS,
	IBV_RATE_168_GBPS,
	IBV_RATE_25_GBPS,
	IBV_RATE_100_GBPS,
	IBV_RATE_200_GBPS,
	IBV_RATE_300_GBPS,
	IBV_RATE_28_GBPS,
	IBV_RATE_50_GBPS,
	IBV_RATE_400_GBPS,
	IBV_RATE_600_GBPS,
	IBV_RATE_800_GBPS,
	IBV_RATE_1200_GBPS,
};

/* An address vector: the path to a peer */
struct ibv_ah_attr {
	struct ibv_global_route grh; /* valid if is_global; Ethernet needs it */
	uint16_t dlid;
	uint8_t sl; /* service level */
	uint8_t src_path_bits;
	uint8_t static_rate; /* enum ibv_rate */
	uint8_t is_global;
	uint8_t port_num; /* local port, from 1 */
};

/* An address handle: an address vector as the device knows it */
struct ibv_ah {
	struct ibv_context *context;
	struct ibv_pd *pd;
	uint32_t handle;
};

/* ==== Completions ==== */

/* How a work request ended */
enum ibv_wc_status {
	IBV_WC_SUCCESS,
	IBV_WC_LOC_LEN_ERR,
	IBV_WC_LOC_QP_OP_ERR,
	IBV_WC_LOC_EEC_OP_ERR,
	IBV_WC_LOC_PROT_ERR,
	IBV_WC_WR_FLUSH_ERR, /* the QP was in the error state */
	IBV_WC_MW_BIND_ERR,
	IBV_WC_BAD_RESP_ERR,
	IBV_WC_LOC_ACCESS_ERR,
	IBV_WC_REM_INV_REQ_ERR,
	IBV_WC_REM_ACCESS_ERR,
	IBV_WC_REM_OP_ERR,
	IBV_WC_RETRY_EXC_ERR,
	IBV_WC_RNR_RETRY_EXC_ERR,
	IBV_WC_LOC_RDD_VIOL_ERR,
	IBV_WC_REM_INV_RD_REQ_ERR,
	IBV_WC_REM_ABORT_ERR,
	IBV_WC_INV_EECN_ERR,
	IBV_WC_INV_EEC_STATE_ERR,
	IBV_WC_FATAL_ERR,
	IBV_WC_RESP_TIMEOUT_ERR,
	IBV_WC_GENERAL_ERR,
	IBV_WC_TM_ERR,
	IBV_WC_TM_RNDV_INCOMPLETE,
};

/* What completed */
enum ibv_wc_opcode {
	IBV_WC_SEND,
	IBV_WC_RDMA_WRITE,
	IBV_WC_RDMA_READ,
	IBV_WC_COMP_SWAP,
	IBV_WC_FETCH_ADD,
	IBV_WC_BIND_MW,
	IBV_WC_LOCAL_INV,
	IBV_WC_TSO,
	IBV_WC_ATOMIC_WRITE = 9,
	IBV_WC_RECV = 1 << 7, /* opcodes of receives have this bit */
	IBV_WC_RECV_RDMA_WITH_IMM,
	IBV_WC_TM_ADD,
	IBV_WC_TM_DEL,
	IBV_WC_TM_SYNC,
	IBV_WC_TM_RECV,
	IBV_WC_TM_NO_TAG,
	IBV_WC_DRIVER1,
	IBV_WC_DRIVER2,
	IBV_WC_DRIVER3,
};

enum {
	IBV_WC_IP_CSUM_OK_SHIFT = 2,
};

/* What holds of a completion */
enum ibv_wc_flags {
	/* The first 40 bytes of the buffer are an ibv_grh */
	IBV_WC_GRH = 1 << 0,
	IBV_WC_WITH_IMM = 1 << 1, /* imm_data is valid */
	IBV_WC_IP_CSUM_OK = 1 << IBV_WC_IP_CSUM_OK_SHIFT,
	IBV_WC_WITH_INV = 1 << 3, /* invalidated_rkey is valid */
	IBV_WC_TM_SYNC_REQ = 1 << 4,
	IBV_WC_TM_MATCH = 1 << 5,
	IBV_WC_TM_DATA_VALID = 1 << 6,
};

/* A completion: ibv_poll_cq() */
struct ibv_wc {
	uint64_t wr_id; /* of the work request */
	enum ibv_wc_status status;
	/* Valid only after success, as are all but vendor_err and qp_num */
	enum ibv_wc_opcode opcode;
	uint32_t vendor_err;
	uint32_t byte_len;
	__extension__ union {
		__be32 imm_data;
		uint32_t invalidated_rkey;
	};
	uint32_t qp_num;
	uint32_t src_qp;
	unsigned int wc_flags; /* enum ibv_wc_flags */
	uint16_t pkey_index;
	uint16_t slid;
	uint8_t sl;
	uint8_t dlid_path_bits;
};

/* Which values an extended CQ shall be able to read */
enum ibv_create_cq_wc_flags {
	IBV_WC_EX_WITH_BYTE_LEN = 1 << 0,
	IBV_WC_EX_WITH_IMM = 1 << 1,
	IBV_WC_EX_WITH_QP_NUM = 1 << 2,
	IBV_WC_EX_WITH_SRC_QP = 1 << 3,
	IBV_WC_EX_WITH_SLID = 1 << 4,
	IBV_WC_EX_WITH_SL = 1 << 5,
	IBV_WC_EX_WITH_DLID_PATH_BITS = 1 << 6,
	IBV_WC_EX_WITH_COMPLETION_TIMESTAMP = 1 << 7,
	IBV_WC_EX_WITH_CVLAN = 1 << 8,
	IBV_WC_EX_WITH_FLOW_TAG = 1 << 9,
	IBV_WC_EX_WITH_TM_INFO = 1 << 10,
	IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK = 1 << 11,
};

enum {
	IBV_WC_STANDARD_FLAGS = IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM |
				IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP |
				IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL |
				IBV_WC_EX_WITH_DLID_PATH_BITS,
	IBV_CREATE_CQ_SUP_WC_FLAGS =
		IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |
		IBV_WC_EX_WITH_CVLAN | IBV_WC_EX_WITH_FLOW_TAG |
		IBV_WC_EX_WITH_TM_INFO |
		IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK,
};

/* Which members of ibv_cq_init_attr_ex are valid */
enum ibv_cq_init_attr_mask {
	IBV_CQ_INIT_ATTR_MASK_FLAGS = 1 << 0,
	IBV_CQ_INIT_ATTR_MASK_PD = 1 << 1,
};

/* What the program promises of an extended CQ */
enum ibv_create_cq_attr_flags {
	/* The program never polls from two threads at once */
	IBV_CREATE_CQ_ATTR_SINGLE_THREADED = 1 << 0,
	/* The program keeps the CQ from overflowing */
	IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN = 1 << 1,
};

/* For ibv_create_cq_ex() */
struct ibv_cq_init_attr_ex {
	uint32_t cqe; /* at least so many entries */
	void *cq_context;
	struct ibv_comp_channel *channel; /* or NULL */
	uint32_t comp_vector; /* below ibv_context.num_comp_vectors */
	uint64_t wc_flags;    /* enum ibv_create_cq_wc_flags */
	uint32_t comp_mask;
	uint32_t flags; /* enum ibv_create_cq_attr_flags */
	struct ibv_pd *parent_domain;
};

/* Where notifications of CQs arrive; fd can be polled. */
struct ibv_comp_channel {
	struct ibv_context *context;
	int fd;
	int refcnt; /* CQs that use it */
};

/* A completion queue */
struct ibv_cq {
	struct ibv_context *context;
	struct ibv_comp_channel *channel; /* NULL: no notifications */
	void *cq_context;
	uint32_t handle;
	int cqe; /* entries */
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t comp_events_completed;
	uint32_t async_events_completed;
};

/* For ibv_start_poll() */
struct ibv_poll_cq_attr {
	uint32_t comp_mask; /* must be 0 */
};

/* What the sender of a tagged message gave with it */
struct ibv_wc_tm_info {
	uint64_t tag;  /* of the sender */
	uint32_t priv; /* of the sender */
};

/*
 * An extended CQ.  Its completions are read one member at a time by
 * ibv_wc_read_*(), between ibv_start_poll() and ibv_end_poll(); status and
 * wr_id are in the struct.  The first members are those of struct ibv_cq.
 */
struct ibv_cq_ex {
	struct ibv_context *context;
	struct ibv_comp_channel *channel;
	void *cq_context;
	uint32_t handle;
	int cqe;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t comp_events_completed;
	uint32_t async_events_completed;
	uint32_t comp_mask;
	enum ibv_wc_status status;
	uint64_t wr_id;
	int (*start_poll)(struct ibv_cq_ex *current,
			  struct ibv_poll_cq_attr *attr);
	int (*next_poll)(struct ibv_cq_ex *current);
	void (*end_poll)(struct ibv_cq_ex *current);
	enum ibv_wc_opcode (*read_opcode)(struct ibv_cq_ex *current);
	uint32_t (*read_vendor_err)(struct ibv_cq_ex *current);
	uint32_t (*read_byte_len)(struct ibv_cq_ex *current);
	__be32 (*read_imm_data)(struct ibv_cq_ex *current);
	uint32_t (*read_qp_num)(struct ibv_cq_ex *current);
	uint32_t (*read_src_qp)(struct ibv_cq_ex *current);
	unsigned int (*read_wc_flags)(struct ibv_cq_ex *current);
	uint32_t (*read_slid)(struct ibv_cq_ex *current);
	uint8_t (*read_sl)(struct ibv_cq_ex *current);
	uint8_t (*read_dlid_path_bits)(struct ibv_cq_ex *current);
	uint64_t (*read_completion_ts)(struct ibv_cq_ex *current);
	uint16_t (*read_cvlan)(struct ibv_cq_ex *current);
	uint32_t (*read_flow_tag)(struct ibv_cq_ex *current);
	void (*read_tm_info)(struct ibv_cq_ex *current,
			     struct ibv_wc_tm_info *tm_info);
	uint64_t (*read_completion_wallclock_ns)(struct ibv_cq_ex *current);
};

/* At most one event for cq_count completions or after cq_period */
struct ibv_moderate_cq {
	uint16_t cq_count;
	uint16_t cq_period; /* microseconds */
};

/* Which members of ibv_modify_cq_attr are valid */
enum ibv_cq_attr_mask {
	IBV_CQ_ATTR_MODERATE = 1 << 0,
	IBV_CQ_ATTR_RESERVED = 1 << 1,
};

/* For ibv_modify_cq() */
struct ibv_modify_cq_attr {
	uint32_t attr_mask; /* enum ibv_cq_attr_mask */
	struct ibv_moderate_cq moderate;
};

/* ==== Shared receive queues ==== */

/* Which members of ibv_srq_attr to set */
enum ibv_srq_attr_mask {
	IBV_SRQ_MAX_WR = 1 << 0,
	IBV_SRQ_LIMIT = 1 << 1,
};

/* For creating, changing and asking */
struct ibv_srq_attr {
	uint32_t max_wr; /* receives outstanding */
	uint32_t max_sge;
	/* An event comes when fewer are left; 0: never */
	uint32_t srq_limit;
};

/* For ibv_create_srq() */
struct ibv_srq_init_attr {
	void *srq_context;
	struct ibv_srq_attr attr; /* updated to what was given */
};

/* What feeds on an SRQ: any QPs, XRC QPs, tagged messages */
enum ibv_srq_type {
	IBV_SRQT_BASIC,
	IBV_SRQT_XRC,
	IBV_SRQT_TM,
};

/* Which members of ibv_srq_init_attr_ex are valid */
enum ibv_srq_init_attr_mask {
	IBV_SRQ_INIT_ATTR_TYPE = 1 << 0,
	IBV_SRQ_INIT_ATTR_PD = 1 << 1,
	IBV_SRQ_INIT_ATTR_XRCD = 1 << 2,
	IBV_SRQ_INIT_ATTR_CQ = 1 << 3,
	IBV_SRQ_INIT_ATTR_TM = 1 << 4,
	IBV_SRQ_INIT_ATTR_RESERVED = 1 << 5,
};

/* Size of a list of tagged buffers */
struct ibv_tm_cap {
	uint32_t max_num_tags; /* tagged buffers listed at once */
	uint32_t max_ops;      /* list operations outstanding */
};

/* The first members are those of struct ibv_srq_init_attr. */
struct ibv_srq_init_attr_ex {
	void *srq_context;
	struct ibv_srq_attr attr;
	uint32_t comp_mask; /* enum ibv_srq_init_attr_mask */
	enum ibv_srq_type srq_type;
	struct ibv_pd *pd;
	struct ibv_xrcd *xrcd;	  /* XRC only */
	struct ibv_cq *cq;	  /* XRC and TM only */
	struct ibv_tm_cap tm_cap; /* TM only */
};

/* A shared receive queue */
struct ibv_srq {
	struct ibv_context *context;
	void *srq_context;
	struct ibv_pd *pd;
	uint32_t handle;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t events_completed;
};

/* ==== Work queues and their indirection tables (receive-side scaling) ==== */

/* Only receive queues, so far */
enum ibv_wq_type {
	IBV_WQT_RQ,
};

/* Which members of ibv_wq_init_attr are valid */
enum ibv_wq_init_attr_mask {
	IBV_WQ_INIT_ATTR_FLAGS = 1 << 0,
	IBV_WQ_INIT_ATTR_RESERVED = 1 << 1,
};

/* What a work queue does to packets */
enum ibv_wq_flags {
	IBV_WQ_FLAGS_CVLAN_STRIPPING = 1 << 0,
	IBV_WQ_FLAGS_SCATTER_FCS = 1 << 1,
	IBV_WQ_FLAGS_DELAY_DROP = 1 << 2,
	IBV_WQ_FLAGS_PCI_WRITE_END_PADDING = 1 << 3,
	IBV_WQ_FLAGS_RESERVED = 1 << 4,
};

/* For ibv_create_wq() */
struct ibv_wq_init_attr {
	void *wq_context;
	enum ibv_wq_type wq_type;
	uint32_t max_wr;
	uint32_t max_sge;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	uint32_t comp_mask;
	uint32_t create_flags; /* enum ibv_wq_flags */
};

/* Packets are received when it is RDY. */
enum ibv_wq_state {
	IBV_WQS_RESET,
	IBV_WQS_RDY,
	IBV_WQS_ERR,
	IBV_WQS_UNKNOWN,
};

/* Which members of ibv_wq_attr to set */
enum ibv_wq_attr_mask {
	IBV_WQ_ATTR_STATE = 1 << 0,
	IBV_WQ_ATTR_CURR_STATE = 1 << 1,
	IBV_WQ_ATTR_FLAGS = 1 << 2,
	IBV_WQ_ATTR_RESERVED = 1 << 3,
};

/* For ibv_modify_wq() */
struct ibv_wq_attr {
	uint32_t attr_mask; /* enum ibv_wq_attr_mask */
	enum ibv_wq_state wq_state;
	enum ibv_wq_state curr_wq_state; /* what the program takes it for */
	uint32_t flags;			 /* enum ibv_wq_flags */
	uint32_t flags_mask;		 /* which of flags to change */
};

/* A work queue: the receive half of a QP alone */
struct ibv_wq {
	struct ibv_context *context;
	void *wq_context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	uint32_t wq_num;
	uint32_t handle;
	enum ibv_wq_state state;
	enum ibv_wq_type wq_type;
	int (*post_recv)(struct ibv_wq *current, struct ibv_recv_wr *recv_wr,
			 struct ibv_recv_wr **bad_recv_wr);
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t events_completed;
	uint32_t comp_mask;
};

/* Nothing is optional, so far. */
enum ibv_ind_table_init_attr_mask {
	IBV_CREATE_IND_TABLE_RESERVED = 1 << 0,
};

/* For ibv_create_rwq_ind_table() */
struct ibv_rwq_ind_table_init_attr {
	uint32_t log_ind_tbl_size; /* 2^n work queues */
	/* The work queues; one may stand at many places */
	struct ibv_wq **ind_tbl;
	uint32_t comp_mask;
};

/* What a packet's hash is looked up in to find its work queue */
struct ibv_rwq_ind_table {
	struct ibv_context *context;
	int ind_tbl_handle;
	int ind_tbl_num;
	uint32_t comp_mask;
};

/* How packets are spread over the table */
struct ibv_rx_hash_conf {
	uint8_t rx_hash_function; /* enum ibv_rx_hash_function_flags */
	uint8_t rx_hash_key_len;  /* bytes */
	uint8_t *rx_hash_key;
	uint64_t rx_hash_fields_mask; /* enum ibv_rx_hash_fields */
};

/* ==== Queue pairs ==== */

/* Transport service of a QP */
enum ibv_qp_type {
	IBV_QPT_RC = 2,
	IBV_QPT_UC,
	IBV_QPT_UD,
	IBV_QPT_RAW_PACKET = 8,
	IBV_QPT_XRC_SEND,
	IBV_QPT_XRC_RECV,
	IBV_QPT_DRIVER = 0xff,
};

/* Sizes of a QP's queues, in work requests and in entries of their lists */
struct ibv_qp_cap {
	uint32_t max_send_wr;
	uint32_t max_recv_wr;
	uint32_t max_send_sge;
	uint32_t max_recv_sge;
	uint32_t max_inline_data; /* bytes */
};

/* For ibv_create_qp() */
struct ibv_qp_init_attr {
	void *qp_context;
	struct ibv_cq *send_cq;
	struct ibv_cq *recv_cq;
	struct ibv_srq *srq;   /* or NULL */
	struct ibv_qp_cap cap; /* updated to what was given */
	enum ibv_qp_type qp_type;
	/* Every send completes with a wc, flag or not */
	int sq_sig_all;
};

/* Which members of ibv_qp_init_attr_ex are valid */
enum ibv_qp_init_attr_mask {
	IBV_QP_INIT_ATTR_PD = 1 << 0,
	IBV_QP_INIT_ATTR_XRCD = 1 << 1,
	IBV_QP_INIT_ATTR_CREATE_FLAGS = 1 << 2,
	IBV_QP_INIT_ATTR_MAX_TSO_HEADER = 1 << 3,
	IBV_QP_INIT_ATTR_IND_TABLE = 1 << 4,
	IBV_QP_INIT_ATTR_RX_HASH = 1 << 5,
	IBV_QP_INIT_ATTR_SEND_OPS_FLAGS = 1 << 6,
};

/* What a QP does to packets */
enum ibv_qp_create_flags {
	IBV_QP_CREATE_BLOCK_SELF_MCAST_LB = 1 << 1,
	IBV_QP_CREATE_SCATTER_FCS = 1 << 8,
	IBV_QP_CREATE_CVLAN_STRIPPING = 1 << 9,
	IBV_QP_CREATE_SOURCE_QPN = 1 << 10,
	IBV_QP_CREATE_PCI_WRITE_END_PADDING = 1 << 11,
};

/* Which ibv_wr_*() the QP shall have */
enum ibv_qp_create_send_ops_flags {
	IBV_QP_EX_WITH_RDMA_WRITE = 1 << 0,
	IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM = 1 << 1,
	IBV_QP_EX_WITH_SEND = 1 << 2,
	IBV_QP_EX_WITH_SEND_WITH_IMM = 1 << 3,
	IBV_QP_EX_WITH_RDMA_READ = 1 << 4,
	IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP = 1 << 5,
	IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD = 1 << 6,
	IBV_QP_EX_WITH_LOCAL_INV = 1 << 7,
	IBV_QP_EX_WITH_BIND_MW = 1 << 8,
	IBV_QP_EX_WITH_SEND_WITH_INV = 1 << 9,
	IBV_QP_EX_WITH_TSO = 1 << 10,
	IBV_QP_EX_WITH_ATOMIC_WRITE = 1 << 12,
};

/* The first members are those of struct ibv_qp_init_attr. */
struct ibv_qp_init_attr_ex {
	void *qp_context;
	struct ibv_cq *send_cq;
	struct ibv_cq *recv_cq;
	struct ibv_srq *srq;
	struct ibv_qp_cap cap;
	enum ibv_qp_type qp_type;
	int sq_sig_all;
	uint32_t comp_mask; /* enum ibv_qp_init_attr_mask */
	struct ibv_pd *pd;
	struct ibv_xrcd *xrcd;		       /* XRC_RECV only */
	uint32_t create_flags;		       /* enum ibv_qp_create_flags */
	uint16_t max_tso_header;	       /* bytes */
	struct ibv_rwq_ind_table *rwq_ind_tbl; /* instead of a receive queue */
	struct ibv_rx_hash_conf rx_hash_conf;
	uint32_t source_qpn;	 /* with IBV_QP_CREATE_SOURCE_QPN */
	uint64_t send_ops_flags; /* enum ibv_qp_create_send_ops_flags */
};

/* Which members of ibv_qp_open_attr are valid */
enum ibv_qp_open_attr_mask {
	IBV_QP_OPEN_ATTR_NUM = 1 << 0,
	IBV_QP_OPEN_ATTR_XRCD = 1 << 1,
	IBV_QP_OPEN_ATTR_CONTEXT = 1 << 2,
	IBV_QP_OPEN_ATTR_TYPE = 1 << 3,
	IBV_QP_OPEN_ATTR_RESERVED = 1 << 4,
};

/* Which XRC_RECV QP to open */
struct ibv_qp_open_attr {
	uint32_t comp_mask; /* enum ibv_qp_open_attr_mask */
	uint32_t qp_num;
	struct ibv_xrcd *xrcd;
	void *qp_context;
	enum ibv_qp_type qp_type;
};

/* Members of struct ibv_qp_attr to set or to ask for */
enum ibv_qp_attr_mask {
	IBV_QP_STATE = 1 << 0,
	IBV_QP_CUR_STATE = 1 << 1,
	IBV_QP_EN_SQD_ASYNC_NOTIFY = 1 << 2,
	IBV_QP_ACCESS_FLAGS = 1 << 3,
	IBV_QP_PKEY_INDEX = 1 << 4,
	IBV_QP_PORT = 1 << 5,
	IBV_QP_QKEY = 1 << 6,
	IBV_QP_AV = 1 << 7,
	IBV_QP_PATH_MTU = 1 << 8,
	IBV_QP_TIMEOUT = 1 << 9,
	IBV_QP_RETRY_CNT = 1 << 10,
	IBV_QP_RNR_RETRY = 1 << 11,
	IBV_QP_RQ_PSN = 1 << 12,
	IBV_QP_MAX_QP_RD_ATOMIC = 1 << 13,
	IBV_QP_ALT_PATH = 1 << 14,
	IBV_QP_MIN_RNR_TIMER = 1 << 15,
	IBV_QP_SQ_PSN = 1 << 16,
	IBV_QP_MAX_DEST_RD_ATOMIC = 1 << 17,
	IBV_QP_PATH_MIG_STATE = 1 << 18,
	IBV_QP_CAP = 1 << 19,
	IBV_QP_DEST_QPN = 1 << 20,
	IBV_QP_RATE_LIMIT = 1 << 25,
};

/* A QP receives from RTR and sends from RTS. */
enum ibv_qp_state {
	IBV_QPS_RESET,
	IBV_QPS_INIT,
	IBV_QPS_RTR,
	IBV_QPS_RTS,
	IBV_QPS_SQD,
	IBV_QPS_SQE,
	IBV_QPS_ERR,
	IBV_QPS_UNKNOWN,
};

/* Which path a QP with an alternate one uses */
enum ibv_mig_state {
	IBV_MIG_MIGRATED,
	IBV_MIG_REARM,
	IBV_MIG_ARMED,
};

/* For ibv_modify_qp() and ibv_query_qp() */
struct ibv_qp_attr {
	enum ibv_qp_state qp_state;
	enum ibv_qp_state cur_qp_state; /* what the program takes it for */
	enum ibv_mtu path_mtu;
	enum ibv_mig_state path_mig_state;
	uint32_t qkey; /* UD */
	uint32_t rq_psn;
	uint32_t sq_psn;
	uint32_t dest_qp_num;
	unsigned int qp_access_flags; /* of peers: enum ibv_access_flags */
	struct ibv_qp_cap cap;
	struct ibv_ah_attr ah_attr;
	struct ibv_ah_attr alt_ah_attr;
	uint16_t pkey_index;
	uint16_t alt_pkey_index;
	uint8_t en_sqd_async_notify;
	uint8_t sq_draining;
	uint8_t max_rd_atomic;	    /* RDMA reads and atomics outgoing */
	uint8_t max_dest_rd_atomic; /* RDMA reads and atomics incoming */
	/* Code of a delay: 1 0.01 ms ... 31 491.52 ms, 0 655.36 ms */
	uint8_t min_rnr_timer;
	uint8_t port_num;
	uint8_t timeout;   /* 4.096 us * 2^n; 0: none */
	uint8_t retry_cnt; /* 0..7 */
	uint8_t rnr_retry; /* 0..7; 7: for ever */
	uint8_t alt_port_num;
	uint8_t alt_timeout;
	uint32_t rate_limit; /* kbit/s, 0: none */
};

/* For ibv_modify_qp_rate_limit() */
struct ibv_qp_rate_limit_attr {
	uint32_t rate_limit;	 /* kbit/s */
	uint32_t max_burst_sz;	 /* bytes */
	uint16_t typical_pkt_sz; /* bytes */
	uint32_t comp_mask;	 /* must be 0 */
};

/* Enhanced connection establishment: what both ends agree on, by vendor */
struct ibv_ece {
	uint32_t vendor_id; /* 0: none */
	uint32_t options;
	uint32_t comp_mask; /* must be 0 */
};

/* A queue pair */
struct ibv_qp {
	struct ibv_context *context;
	void *qp_context;
	struct ibv_pd *pd;
	struct ibv_cq *send_cq;
	struct ibv_cq *recv_cq;
	struct ibv_srq *srq;
	uint32_t handle;
	uint32_t qp_num;
	enum ibv_qp_state state; /* by the last modify or query here */
	enum ibv_qp_type qp_type;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	uint32_t events_completed;
};

/* ==== Work requests ==== */

/* A piece of memory */
struct ibv_sge {
	uint64_t addr;
	uint32_t length;
	uint32_t lkey; /* of an MR that covers it */
};

/* A piece of memory without a key, for inline data */
struct ibv_data_buf {
	void *addr;
	size_t length;
};

/* What a work request does */
enum ibv_wr_opcode {
	IBV_WR_RDMA_WRITE,
	IBV_WR_RDMA_WRITE_WITH_IMM,
	IBV_WR_SEND,
	IBV_WR_SEND_WITH_IMM,
	IBV_WR_RDMA_READ,
	IBV_WR_ATOMIC_CMP_AND_SWP,
	IBV_WR_ATOMIC_FETCH_AND_ADD,
	IBV_WR_LOCAL_INV,
	IBV_WR_BIND_MW,
	IBV_WR_SEND_WITH_INV,
	IBV_WR_TSO,
	IBV_WR_DRIVER1,
	IBV_WR_ATOMIC_WRITE = 15,
};

/* How a work request does it */
enum ibv_send_flags {
	IBV_SEND_FENCE = 1 << 0, /* wait for earlier RDMA reads and atomics */
	IBV_SEND_SIGNALED = 1 << 1,  /* complete with a wc */
	IBV_SEND_SOLICITED = 1 << 2, /* raise an event at the receiver */
	/* The buffers are read during the call; no lkey needed */
	IBV_SEND_INLINE = 1 << 3,
	IBV_SEND_IP_CSUM = 1 << 4, /* compute IP and L4 checksums */
};

/* A list of these goes to ibv_post_send(). */
struct ibv_send_wr {
	uint64_t wr_id;		  /* comes back in the completion */
	struct ibv_send_wr *next; /* NULL: the last */
	struct ibv_sge *sg_list;
	int num_sge;
	enum ibv_wr_opcode opcode;
	unsigned int send_flags; /* enum ibv_send_flags */
	__extension__ union {
		__be32 imm_data;
		uint32_t invalidate_rkey;
	};
	union {
		struct {
			uint64_t remote_addr;
			uint32_t rkey;
		} rdma;
		struct {
			uint64_t remote_addr; /* of 8 bytes, aligned */
			uint64_t compare_add;
			uint64_t swap;
			uint32_t rkey;
		} atomic;
		struct {
			struct ibv_ah *ah;
			uint32_t remote_qpn;
			uint32_t remote_qkey;
		} ud;
	} wr;
	union {
		struct {
			uint32_t remote_srqn;
		} xrc;
	} qp_type;
	__extension__ union {
		struct {
			struct ibv_mw *mw;
			uint32_t rkey; /* the new one */
			struct ibv_mw_bind_info bind_info;
		} bind_mw;
		struct {
			void *hdr;
			uint16_t hdr_sz;
			uint16_t mss;
		} tso;
	};
};

/* A list of these goes to ibv_post_recv(), _srq_recv() or _wq_recv(). */
struct ibv_recv_wr {
	uint64_t wr_id;
	struct ibv_recv_wr *next;
	struct ibv_sge *sg_list;
	int num_sge;
};

/* What to do to the list of tagged buffers */
enum ibv_ops_wr_opcode {
	IBV_WR_TAG_ADD,
	IBV_WR_TAG_DEL,
	IBV_WR_TAG_SYNC,
};

/* SIGNALED: complete with a wc; TM_SYNC: unexpected_cnt is valid */
enum ibv_ops_flags {
	IBV_OPS_SIGNALED = 1 << 0,
	IBV_OPS_TM_SYNC = 1 << 1,
};

/* Operations on the list of tagged buffers: ibv_post_srq_ops() */
struct ibv_ops_wr {
	uint64_t wr_id;
	struct ibv_ops_wr *next;
	enum ibv_ops_wr_opcode opcode;
	int flags; /* enum ibv_ops_flags */
	struct {
		/* Unexpected messages that the program has handled so far */
		uint32_t unexpected_cnt;
		uint32_t handle; /* ADD fills it, DEL takes it */
		struct {
			uint64_t recv_wr_id; /* of the message's completion */
			struct ibv_sge *sg_list;
			int num_sge;
			uint64_t tag;
			uint64_t mask;
		} add;
	} tm;
};

/*
 * A QP with the work-request builder: see ibv_wr_start().  wr_id and wr_flags
 * (enum ibv_send_flags) are set before each ibv_wr_*() operation.
 */
struct ibv_qp_ex {
	struct ibv_qp qp_base;
	uint64_t comp_mask;
	uint64_t wr_id;
	unsigned int wr_flags;
	void (*wr_atomic_cmp_swp)(struct ibv_qp_ex *qp, uint32_t rkey,
				  uint64_t remote_addr, uint64_t compare,
				  uint64_t swap);
	void (*wr_atomic_fetch_add)(struct ibv_qp_ex *qp, uint32_t rkey,
				    uint64_t remote_addr, uint64_t add);
	void (*wr_bind_mw)(struct ibv_qp_ex *qp, struct ibv_mw *mw,
			   uint32_t rkey,
			   const struct ibv_mw_bind_info *bind_info);
	void (*wr_local_inv)(struct ibv_qp_ex *qp, uint32_t invalidate_rkey);
	void (*wr_rdma_read)(struct ibv_qp_ex *qp, uint32_t rkey,
			     uint64_t remote_addr);
	void (*wr_rdma_write)(struct ibv_qp_ex *qp, uint32_t rkey,
			      uint64_t remote_addr);
	void (*wr_rdma_write_imm)(struct ibv_qp_ex *qp, uint32_t rkey,
				  uint64_t remote_addr, __be32 imm_data);
	void (*wr_send)(struct ibv_qp_ex *qp);
	void (*wr_send_imm)(struct ibv_qp_ex *qp, __be32 imm_data);
	void (*wr_send_inv)(struct ibv_qp_ex *qp, uint32_t invalidate_rkey);
	void (*wr_send_tso)(struct ibv_qp_ex *qp, void *hdr, uint16_t hdr_sz,
			    uint16_t mss);
	void (*wr_set_ud_addr)(struct ibv_qp_ex *qp, struct ibv_ah *ah,
			       uint32_t remote_qpn, uint32_t remote_qkey);
	void (*wr_set_xrc_srqn)(struct ibv_qp_ex *qp, uint32_t remote_srqn);
	void (*wr_set_inline_data)(struct ibv_qp_ex *qp, void *addr,
				   size_t length);
	void (*wr_set_inline_data_list)(struct ibv_qp_ex *qp, size_t num_buf,
					const struct ibv_data_buf *buf_list);
	void (*wr_set_sge)(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr,
			   uint32_t length);
	void (*wr_set_sge_list)(struct ibv_qp_ex *qp, size_t num_sge,
				const struct ibv_sge *sg_list);
	void (*wr_start)(struct ibv_qp_ex *qp);
	int (*wr_complete)(struct ibv_qp_ex *qp);
	void (*wr_abort)(struct ibv_qp_ex *qp);
	void (*wr_atomic_write)(struct ibv_qp_ex *qp, uint32_t rkey,
				uint64_t remote_addr, const void *atomic_wr);
};

/* ==== Flow steering ==== */

/*
 * A rule is a struct ibv_flow_attr, directly followed in memory by
 * num_of_specs specs.  In a spec, size is the spec's own, val what a packet
 * must have and mask which bits of it count.  Fields of packets are in network
 * byte order.
 */
enum ibv_flow_flags {
	IBV_FLOW_ATTR_FLAGS_DONT_TRAP = 1 << 1,
	IBV_FLOW_ATTR_FLAGS_EGRESS = 1 << 2,
};

/* Which packets a rule is about */
enum ibv_flow_attr_type {
	IBV_FLOW_ATTR_NORMAL,	   /* what the specs say */
	IBV_FLOW_ATTR_ALL_DEFAULT, /* what no other rule takes */
	IBV_FLOW_ATTR_MC_DEFAULT,  /* multicast that no other rule takes */
	IBV_FLOW_ATTR_SNIFFER,	   /* copies of everything */
};

/* What a spec is about: a header, or an action */
enum ibv_flow_spec_type {
	IBV_FLOW_SPEC_ETH = 0x20,
	IBV_FLOW_SPEC_IPV4 = 0x30,
	IBV_FLOW_SPEC_IPV6,
	IBV_FLOW_SPEC_IPV4_EXT,
	IBV_FLOW_SPEC_ESP = 0x34,
	IBV_FLOW_SPEC_TCP = 0x40,
	IBV_FLOW_SPEC_UDP,
	IBV_FLOW_SPEC_VXLAN_TUNNEL = 0x50,
	IBV_FLOW_SPEC_GRE,
	IBV_FLOW_SPEC_MPLS = 0x60,
	/* Or-ed to a type: the packet in the tunnel */
	IBV_FLOW_SPEC_INNER = 0x100,
	IBV_FLOW_SPEC_ACTION_TAG = 0x1000,
	IBV_FLOW_SPEC_ACTION_DROP,
	IBV_FLOW_SPEC_ACTION_HANDLE,
	IBV_FLOW_SPEC_ACTION_COUNT,
};

struct ibv_flow_eth_filter {
	uint8_t dst_mac[6];
	uint8_t src_mac[6];
	uint16_t ether_type;
	uint16_t vlan_tag;
};

/* Ethernet header */
struct ibv_flow_spec_eth {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_eth_filter val;
	struct ibv_flow_eth_filter mask;
};

struct ibv_flow_ipv4_filter {
	uint32_t src_ip;
	uint32_t dst_ip;
};

/* IPv4 addresses */
struct ibv_flow_spec_ipv4 {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_ipv4_filter val;
	struct ibv_flow_ipv4_filter mask;
};

struct ibv_flow_ipv4_ext_filter {
	uint32_t src_ip;
	uint32_t dst_ip;
	uint8_t proto;
	uint8_t tos;
	uint8_t ttl;
	uint8_t flags;
};

/* IPv4 header */
struct ibv_flow_spec_ipv4_ext {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_ipv4_ext_filter val;
	struct ibv_flow_ipv4_ext_filter mask;
};

struct ibv_flow_ipv6_filter {
	uint8_t src_ip[16];
	uint8_t dst_ip[16];
	uint32_t flow_label;
	uint8_t next_hdr;
	uint8_t traffic_class;
	uint8_t hop_limit;
};

/* IPv6 header */
struct ibv_flow_spec_ipv6 {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_ipv6_filter val;
	struct ibv_flow_ipv6_filter mask;
};

struct ibv_flow_esp_filter {
	uint32_t spi;
	uint32_t seq;
};

/* IPsec ESP header */
struct ibv_flow_spec_esp {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_esp_filter val;
	struct ibv_flow_esp_filter mask;
};

struct ibv_flow_tcp_udp_filter {
	uint16_t dst_port;
	uint16_t src_port;
};

/* TCP or UDP ports */
struct ibv_flow_spec_tcp_udp {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_tcp_udp_filter val;
	struct ibv_flow_tcp_udp_filter mask;
};

struct ibv_flow_gre_filter {
	uint16_t c_ks_res0_ver; /* flags and version, first 16 bits */
	uint16_t protocol;
	uint32_t key;
};

/* GRE header */
struct ibv_flow_spec_gre {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_gre_filter val;
	struct ibv_flow_gre_filter mask;
};

struct ibv_flow_mpls_filter {
	/* Label 20 bits, traffic class 3, bottom of stack 1, TTL 8 */
	uint32_t label;
};

/* MPLS label stack entry */
struct ibv_flow_spec_mpls {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_mpls_filter val;
	struct ibv_flow_mpls_filter mask;
};

struct ibv_flow_tunnel_filter {
	uint32_t tunnel_id; /* VXLAN network identifier */
};

/* VXLAN header */
struct ibv_flow_spec_tunnel {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_flow_tunnel_filter val;
	struct ibv_flow_tunnel_filter mask;
};

/* Tag the completions of packets */
struct ibv_flow_spec_action_tag {
	enum ibv_flow_spec_type type;
	uint16_t size;
	uint32_t tag_id; /* comes back in the completion */
};

/* Drop packets */
struct ibv_flow_spec_action_drop {
	enum ibv_flow_spec_type type;
	uint16_t size;
};

/* Apply an action of ibv_create_flow_action_esp() */
struct ibv_flow_spec_action_handle {
	enum ibv_flow_spec_type type;
	uint16_t size;
	const struct ibv_flow_action *action;
};

/* Count packets */
struct ibv_flow_spec_counter_action {
	enum ibv_flow_spec_type type;
	uint16_t size;
	struct ibv_counters *counters;
};

/* Any of them; hdr is common to all */
__extension__ struct ibv_flow_spec {
	__extension__ union {
		struct {
			enum ibv_flow_spec_type type;
			uint16_t size;
		} hdr;
		struct ibv_flow_spec_eth eth;
		struct ibv_flow_spec_ipv4 ipv4;
		struct ibv_flow_spec_tcp_udp tcp_udp;
		struct ibv_flow_spec_ipv4_ext ipv4_ext;
		struct ibv_flow_spec_ipv6 ipv6;
		struct ibv_flow_spec_esp esp;
		struct ibv_flow_spec_tunnel tunnel;
		struct ibv_flow_spec_gre gre;
		struct ibv_flow_spec_mpls mpls;
		struct ibv_flow_spec_action_tag flow_tag;
		struct ibv_flow_spec_action_drop drop;
		struct ibv_flow_spec_action_handle handle;
		struct ibv_flow_spec_counter_action flow_count;
	};
};

/* For ibv_create_flow() */
struct ibv_flow_attr {
	uint32_t comp_mask; /* must be 0 */
	enum ibv_flow_attr_type type;
	uint16_t size;	   /* of this struct and all specs */
	uint16_t priority; /* lower goes first */
	uint8_t num_of_specs;
	uint8_t port;
	uint32_t flags; /* enum ibv_flow_flags */
};

/* A rule at work */
struct ibv_flow {
	uint32_t comp_mask;
	struct ibv_context *context;
	uint32_t handle;
};

/* Which members of ibv_flow_action_esp_attr are valid */
enum ibv_flow_action_esp_mask {
	IBV_FLOW_ACTION_ESP_MASK_ESN = 1 << 0,
};

/* An IPsec ESP action; the structs behind the pointers are in verbs_api.h. */
struct ibv_flow_action_esp_attr {
	struct ib_uverbs_flow_action_esp *esp_attr;
	enum ib_uverbs_flow_action_esp_keymat keymat_proto;
	uint16_t keymat_len;
	void *keymat_ptr; /* by keymat_proto */
	enum ib_uverbs_flow_action_esp_replay replay_proto;
	uint16_t replay_len;
	void *replay_ptr; /* by replay_proto */
	struct ib_uverbs_flow_action_esp_encap *esp_encap;
	uint32_t comp_mask; /* enum ibv_flow_action_esp_mask */
	uint32_t esn;
};

/* What can be done to packets of a rule */
struct ibv_flow_action {
	struct ibv_context *context;
};

/* ==== Counters ==== */

/* For ibv_create_counters() */
struct ibv_counters_init_attr {
	uint32_t comp_mask; /* must be 0 */
};

/* A set of counters, to be attached to rules */
struct ibv_counters {
	struct ibv_context *context;
};

/* What is counted */
enum ibv_counter_description {
	IBV_COUNTER_PACKETS,
	IBV_COUNTER_BYTES,
};

/* For ibv_attach_counters_point_flow() */
struct ibv_counter_attach_attr {
	enum ibv_counter_description counter_desc;
	uint32_t index;	    /* where ibv_read_counters() puts the value */
	uint32_t comp_mask; /* must be 0 */
};

/* PREFER_CACHED: values need not be fresh. */
enum ibv_read_counters_flags {
	IBV_READ_COUNTERS_ATTR_PREFER_CACHED = 1 << 0,
};

/* What ibv_query_rt_values_ex() gives */
enum ibv_values_mask {
	IBV_VALUES_MASK_RAW_CLOCK = 1 << 0,
	IBV_VALUES_MASK_RESERVED = 1 << 1,
};

/* For ibv_query_rt_values_ex() */
struct ibv_values_ex {
	uint32_t comp_mask; /* enum ibv_values_mask: wanted, then given */
	struct timespec raw_clock; /* ticks of the device in tv_nsec */
};

/* ==== Device and context ==== */

enum {
	IBV_SYSFS_NAME_MAX = 64,
	IBV_SYSFS_PATH_MAX = 256,
};

/* Unused; keeps the room that binaries know of */
struct _ibv_device_ops {
	struct ibv_context *(*_dummy1)(struct ibv_device *device, int cmd_fd);
	void (*_dummy2)(struct ibv_context *context);
};

/* An RDMA device of this machine, from ibv_get_device_list() */
struct ibv_device {
	struct _ibv_device_ops _ops;
	enum ibv_node_type node_type;
	enum ibv_transport_type transport_type;
	char name[IBV_SYSFS_NAME_MAX];	   /* of the RDMA device: "mlx5_0" */
	char dev_name[IBV_SYSFS_NAME_MAX]; /* of the uverbs device: "uverbs0" */
	char dev_path[IBV_SYSFS_PATH_MAX]; /* of the uverbs device, in sysfs */
	char ibdev_path[IBV_SYSFS_PATH_MAX]; /* of the RDMA device, in sysfs */
};

/* struct ibv_port_attr up to flags: see ibv_query_port() */
struct _compat_ibv_port_attr;

/*
 * The operations that programs call directly.  Slots named _compat_ are called
 * only by programs that were built against the IBVERBS_1.0 headers.
 */
struct ibv_context_ops {
	int (*_compat_query_device)(struct ibv_context *context,
				    struct ibv_device_attr *device_attr);
	int (*_compat_query_port)(struct ibv_context *context, uint8_t port_num,
				  struct _compat_ibv_port_attr *port_attr);
	void *(*_compat_alloc_pd)(void);
	void *(*_compat_dealloc_pd)(void);
	void *(*_compat_reg_mr)(void);
	void *(*_compat_rereg_mr)(void);
	void *(*_compat_dereg_mr)(void);
	struct ibv_mw *(*alloc_mw)(struct ibv_pd *pd, enum ibv_mw_type type);
	int (*bind_mw)(struct ibv_qp *qp, struct ibv_mw *mw,
		       struct ibv_mw_bind *mw_bind);
	int (*dealloc_mw)(struct ibv_mw *mw);
	void *(*_compat_create_cq)(void);
	int (*poll_cq)(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc);
	int (*req_notify_cq)(struct ibv_cq *cq, int solicited_only);
	void *(*_compat_cq_event)(void);
	void *(*_compat_resize_cq)(void);
	void *(*_compat_destroy_cq)(void);
	void *(*_compat_create_srq)(void);
	void *(*_compat_modify_srq)(void);
	void *(*_compat_query_srq)(void);
	void *(*_compat_destroy_srq)(void);
	int (*post_srq_recv)(struct ibv_srq *srq, struct ibv_recv_wr *recv_wr,
			     struct ibv_recv_wr **bad_recv_wr);
	void *(*_compat_create_qp)(void);
	void *(*_compat_query_qp)(void);
	void *(*_compat_modify_qp)(void);
	void *(*_compat_destroy_qp)(void);
	int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr,
			 struct ibv_send_wr **bad_wr);
	int (*post_recv)(struct ibv_qp *qp, struct ibv_recv_wr *wr,
			 struct ibv_recv_wr **bad_wr);
	void *(*_compat_create_ah)(void);
	void *(*_compat_destroy_ah)(void);
	void *(*_compat_attach_mcast)(void);
	void *(*_compat_detach_mcast)(void);
	void *(*_compat_async_event)(void);
};

/* An open device */
struct ibv_context {
	struct ibv_device *device;
	struct ibv_context_ops ops;
	int cmd_fd;	      /* the kernel file in which all handles are */
	int async_fd;	      /* can be polled for ibv_get_async_event() */
	int num_comp_vectors; /* what CQs can be spread over */
	pthread_mutex_t mutex;
	/* __VERBS_ABI_IS_EXTENDED: in a verbs_context */
	void *abi_compat;
};

/*
 * What stands before the context.  It grows at its front, so slots are found
 * by their distance from the end: sz says how far back the library's struct
 * reaches.  Use verbs_get_ctx_op().
 */
struct verbs_context {
	int (*query_port)(struct ibv_context *context, uint8_t port_num,
			  struct ibv_port_attr *port_attr,
			  size_t port_attr_len);
	int (*advise_mr)(struct ibv_pd *pd,
			 enum ib_uverbs_advise_mr_advice advice, uint32_t flags,
			 struct ibv_sge *sg_list, uint32_t num_sges);
	struct ibv_mr *(*alloc_null_mr)(struct ibv_pd *pd);
	int (*read_counters)(struct ibv_counters *counters,
			     uint64_t *counters_value, uint32_t ncounters,
			     uint32_t flags);
	int (*attach_counters_point_flow)(struct ibv_counters *counters,
					  struct ibv_counter_attach_attr *attr,
					  struct ibv_flow *flow);
	struct ibv_counters *(*create_counters)(
		struct ibv_context *context,
		struct ibv_counters_init_attr *init_attr);
	int (*destroy_counters)(struct ibv_counters *counters);
	struct ibv_mr *(*reg_dm_mr)(struct ibv_pd *pd, struct ibv_dm *dm,
				    uint64_t dm_offset, size_t length,
				    unsigned int access);
	struct ibv_dm *(*alloc_dm)(struct ibv_context *context,
				   struct ibv_alloc_dm_attr *attr);
	int (*free_dm)(struct ibv_dm *dm);
	int (*modify_flow_action_esp)(struct ibv_flow_action *action,
				      struct ibv_flow_action_esp_attr *attr);
	int (*destroy_flow_action)(struct ibv_flow_action *action);
	struct ibv_flow_action *(*create_flow_action_esp)(
		struct ibv_context *context,
		struct ibv_flow_action_esp_attr *attr);
	int (*modify_qp_rate_limit)(struct ibv_qp *qp,
				    struct ibv_qp_rate_limit_attr *attr);
	struct ibv_pd *(*alloc_parent_domain)(
		struct ibv_context *context,
		struct ibv_parent_domain_init_attr *attr);
	int (*dealloc_td)(struct ibv_td *td);
	struct ibv_td *(*alloc_td)(struct ibv_context *context,
				   struct ibv_td_init_attr *init_attr);
	int (*modify_cq)(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
	int (*post_srq_ops)(struct ibv_srq *srq, struct ibv_ops_wr *op,
			    struct ibv_ops_wr **bad_op);
	int (*destroy_rwq_ind_table)(struct ibv_rwq_ind_table *rwq_ind_table);
	struct ibv_rwq_ind_table *(*create_rwq_ind_table)(
		struct ibv_context *context,
		struct ibv_rwq_ind_table_init_attr *init_attr);
	int (*destroy_wq)(struct ibv_wq *wq);
	int (*modify_wq)(struct ibv_wq *wq, struct ibv_wq_attr *wq_attr);
	struct ibv_wq *(*create_wq)(struct ibv_context *context,
				    struct ibv_wq_init_attr *wq_init_attr);
	int (*query_rt_values)(struct ibv_context *context,
			       struct ibv_values_ex *values);
	struct ibv_cq_ex *(*create_cq_ex)(
		struct ibv_context *context,
		struct ibv_cq_init_attr_ex *init_attr);
	struct verbs_ex_private *priv; /* the library's own */
	int (*query_device_ex)(struct ibv_context *context,
			       const struct ibv_query_device_ex_input *input,
			       struct ibv_device_attr_ex *attr,
			       size_t attr_size);
	int (*ibv_destroy_flow)(struct ibv_flow *flow);
	void (*ABI_placeholder2)(void);
	struct ibv_flow *(*ibv_create_flow)(struct ibv_qp *qp,
					    struct ibv_flow_attr *flow_attr);
	void (*ABI_placeholder1)(void);
	struct ibv_qp *(*open_qp)(struct ibv_context *context,
				  struct ibv_qp_open_attr *attr);
	struct ibv_qp *(*create_qp_ex)(
		struct ibv_context *context,
		struct ibv_qp_init_attr_ex *qp_init_attr_ex);
	int (*get_srq_num)(struct ibv_srq *srq, uint32_t *srq_num);
	struct ibv_srq *(*create_srq_ex)(
		struct ibv_context *context,
		struct ibv_srq_init_attr_ex *srq_init_attr_ex);
	struct ibv_xrcd *(*open_xrcd)(
		struct ibv_context *context,
		struct ibv_xrcd_init_attr *xrcd_init_attr);
	int (*close_xrcd)(struct ibv_xrcd *xrcd);
	uint64_t _ABI_placeholder3;
	size_t sz; /* of this struct as the library knows it */
	struct ibv_context context;
};

#define __VERBS_ABI_IS_EXTENDED ((void *)UINTPTR_MAX)

/* Does the sz bytes long struct of the other side have this member? */
#define vext_field_avail(type, fld, sz) (offsetof(type, fld) < (sz))

/* The context as the library made it; NULL for one of the IBVERBS_1.0 ABI. */
static inline struct verbs_context *verbs_get_ctx(struct ibv_context *ctx)
{
	if (ctx->abi_compat != __VERBS_ABI_IS_EXTENDED)
		return NULL;
	return (struct verbs_context *)((char *)ctx -
					offsetof(struct verbs_context,
						 context));
}

/* The verbs_context if it has the slot op and that is not NULL, else NULL */
#define verbs_get_ctx_op(ctx, op)                                            \
	(__extension__({                                                     \
		struct verbs_context *__vctx = verbs_get_ctx(ctx);           \
		(__vctx &&                                                   \
		 __vctx->sz >= sizeof(*__vctx) -                             \
				       offsetof(struct verbs_context, op) && \
		 __vctx->op)                                                 \
			? __vctx                                             \
			: (struct verbs_context *)NULL;                      \
	}))

/*
 * Bodies of the verbs below that call a slot of verbs_context, for those that
 * return int and for those that return a pointer.
 */
#define __IBV_SLOT_INT(ctx, slot, ...)                                     \
	do {                                                               \
		struct verbs_context *vctx_ = verbs_get_ctx_op(ctx, slot); \
		return vctx_ ? vctx_->slot(__VA_ARGS__) : EOPNOTSUPP;      \
	} while (0)

#define __IBV_SLOT_PTR(ctx, slot, ...)                                     \
	do {                                                               \
		struct verbs_context *vctx_ = verbs_get_ctx_op(ctx, slot); \
		if (vctx_)                                                 \
			return vctx_->slot(__VA_ARGS__);                   \
		errno = EOPNOTSUPP;                                        \
		return NULL;                                               \
	} while (0)

/* ==== Finding and opening devices ==== */

/*
 * The RDMA devices of this machine that have a provider, as an array that ends
 * with NULL; *num_devices (unless num_devices is NULL) is their number.  Free
 * the array with ibv_free_device_list().  NULL with errno: ENOSYS if the
 * kernel has no RDMA, EPERM, ENOMEM.  Since IBVERBS_1.1.
 */
struct ibv_device **ibv_get_device_list(int *num_devices);

/*
 * Free an array of ibv_get_device_list() and its devices, but for those that
 * are open: they go with their last context.  Since IBVERBS_1.1.
 */
void ibv_free_device_list(struct ibv_device **list);

/* Name of the device, "mlx5_0"; lives as long as device.  Since IBVERBS_1.1. */
const char *ibv_get_device_name(struct ibv_device *device);

/*
 * The kernel's number of the device, which a renaming does not change; -1 if
 * the kernel does not tell.  Since IBVERBS_1.9.
 */
int ibv_get_device_index(struct ibv_device *device);

/* EUI-64 of the device, 0 if unknown.  Since IBVERBS_1.1. */
__be64 ibv_get_device_guid(struct ibv_device *device);

/*
 * Open a device.  The context has a kernel file of its own, and no object of
 * it can be used in another but by ibv_export_to_fd().  A child process must
 * not use its parent's objects; it may import from the parent's cmd_fd.  Since
 * IBVERBS_1.1.
 */
struct ibv_context *ibv_open_device(struct ibv_device *device);

/*
 * Close a context: every kernel object in it is destroyed, but the memory of
 * the program's structs is not freed; destroy them first.  Always 0.  Since
 * IBVERBS_1.1.
 */
int ibv_close_device(struct ibv_context *context);

/*
 * A context on a kernel file that is open already: cmd_fd of a context,
 * received from another process.  All processes then share the file with
 * everything in it; nothing is counted.  On success cmd_fd belongs to the
 * context.  EINVAL: no character device; ENODEV: not of a device here.  Since
 * IBVERBS_1.10.
 */
struct ibv_context *ibv_import_device(int cmd_fd);

/*
 * ibv_import_pd() and ibv_import_mr() are in share.h: they come with two and
 * with three arguments.  What their two-argument forms returned is given back
 * by the next two functions; the kernel objects stay.  Since IBVERBS_1.10.
 */
void ibv_unimport_pd(struct ibv_pd *pd);
void ibv_unimport_mr(struct ibv_mr *mr);

/*
 * The device memory with this handle in the context's kernel file, on a
 * context of ibv_import_device().  Give it back with ibv_unimport_dm().  Since
 * IBVERBS_1.13.
 */
struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t dm_handle);

/* Since IBVERBS_1.13 */
void ibv_unimport_dm(struct ibv_dm *dm);

/*
 * Wait for an event (with O_NONBLOCK on async_fd: EAGAIN).  0, or -1 with
 * errno.  Every event must be acknowledged.  Since IBVERBS_1.1.
 */
int ibv_get_async_event(struct ibv_context *context,
			struct ibv_async_event *event);

/*
 * Destroying an object waits until its events are acknowledged, so never do
 * that while holding one.  Since IBVERBS_1.1.
 */
void ibv_ack_async_event(struct ibv_async_event *event);

/* ==== Asking devices and ports ==== */

/* Since IBVERBS_1.1 */
int ibv_query_device(struct ibv_context *context,
		     struct ibv_device_attr *device_attr);

/*
 * Like ibv_query_device(), and more.  input may be NULL.  A provider without
 * it: only orig_attr is filled, the rest is 0.
 */
static inline int
ibv_query_device_ex(struct ibv_context *context,
		    const struct ibv_query_device_ex_input *input,
		    struct ibv_device_attr_ex *attr)
{
	struct verbs_context *vctx = verbs_get_ctx_op(context, query_device_ex);
	int ret = EOPNOTSUPP;

	if (input && input->comp_mask)
		return EINVAL;
	if (vctx)
		ret = vctx->query_device_ex(context, input, attr,
					    sizeof(*attr));
	if (ret != EOPNOTSUPP && ret != ENOSYS)
		return ret;
	memset(attr, 0, sizeof(*attr));
	return ibv_query_device(context, &attr->orig_attr);
}

/* The device's clock, as in completion time stamps */
static inline int ibv_query_rt_values_ex(struct ibv_context *context,
					 struct ibv_values_ex *values)
{
	__IBV_SLOT_INT(context, query_rt_values, context, values);
}

/*
 * The exported function fills the part of struct ibv_port_attr that the first
 * programs had; in source it is hidden by the macro below.  Since IBVERBS_1.1.
 */
int ibv_query_port(struct ibv_context *context, uint8_t port_num,
		   struct _compat_ibv_port_attr *port_attr);

static inline int ___ibv_query_port(struct ibv_context *context,
				    uint8_t port_num,
				    struct ibv_port_attr *port_attr)
{
	struct verbs_context *vctx = verbs_get_ctx_op(context, query_port);

	if (vctx)
		return vctx->query_port(context, port_num, port_attr,
					sizeof(*port_attr));
	memset(port_attr, 0, sizeof(*port_attr));
	return ibv_query_port(context, port_num,
			      (struct _compat_ibv_port_attr *)port_attr);
}

/* int ibv_query_port(struct ibv_context *, uint8_t, struct ibv_port_attr *) */
#define ibv_query_port(context, port_num, port_attr) \
	___ibv_query_port(context, port_num, port_attr)

/*
 * GID number index of a port; all 0 if the slot is empty.  0, or -1 with errno.
 * Since IBVERBS_1.1.
 */
int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index,
		  union ibv_gid *gid);

/* Since IBVERBS_1.11 */
int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num,
		      uint32_t gid_index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t entry_size);

/* Slot gid_index of a port.  ENODATA: it is empty.  flags must be 0. */
static inline int ibv_query_gid_ex(struct ibv_context *context,
				   uint32_t port_num, uint32_t gid_index,
				   struct ibv_gid_entry *entry, uint32_t flags)
{
	return _ibv_query_gid_ex(context, port_num, gid_index, entry, flags,
				 sizeof(*entry));
}

/* Since IBVERBS_1.11 */
ssize_t _ibv_query_gid_table(struct ibv_context *context,
			     struct ibv_gid_entry *entries, size_t max_entries,
			     uint32_t flags, size_t entry_size);

/*
 * All GIDs of all ports, without empty slots: their number, or a negative
 * errno value; -EINVAL if there are more than max_entries.  flags must be 0.
 */
static inline ssize_t ibv_query_gid_table(struct ibv_context *context,
					  struct ibv_gid_entry *entries,
					  size_t max_entries, uint32_t flags)
{
	return _ibv_query_gid_table(context, entries, max_entries, flags,
				    sizeof(*entries));
}

/* P_Key number index of a port: 0, or -1 with errno.  Since IBVERBS_1.1. */
int ibv_query_pkey(struct ibv_context *context, uint8_t port_num, int index,
		   __be16 *pkey);

/* Where a P_Key stands, or -1 with errno.  Since IBVERBS_1.5. */
int ibv_get_pkey_index(struct ibv_context *context, uint8_t port_num,
		       __be16 pkey);

/* ==== Protection domains and memory ==== */

/* Free with ibv_dealloc_pd().  Since IBVERBS_1.1. */
struct ibv_pd *ibv_alloc_pd(struct ibv_context *context);

/*
 * Also for a parent domain and for what ibv_import_pd() with three arguments
 * returned.  EBUSY: objects of this context use it.  Since IBVERBS_1.1.
 */
int ibv_dealloc_pd(struct ibv_pd *pd);

/* Free with ibv_dealloc_td(). */
static inline struct ibv_td *ibv_alloc_td(struct ibv_context *context,
					  struct ibv_td_init_attr *init_attr)
{
	__IBV_SLOT_PTR(context, alloc_td, context, init_attr);
}

static inline int ibv_dealloc_td(struct ibv_td *td)
{
	__IBV_SLOT_INT(td->context, dealloc_td, td);
}

/*
 * A PD that stands for attr->pd, and carries a thread domain or an allocator
 * for the objects made in it.  Free with ibv_dealloc_pd(), before attr->pd.
 */
static inline struct ibv_pd *
ibv_alloc_parent_domain(struct ibv_context *context,
			struct ibv_parent_domain_init_attr *attr)
{
	__IBV_SLOT_PTR(context, alloc_parent_domain, context, attr);
}

/* Free with ibv_close_xrcd(). */
static inline struct ibv_xrcd *
ibv_open_xrcd(struct ibv_context *context,
	      struct ibv_xrcd_init_attr *xrcd_init_attr)
{
	__IBV_SLOT_PTR(context, open_xrcd, context, xrcd_init_attr);
}

static inline int ibv_close_xrcd(struct ibv_xrcd *xrcd)
{
	return verbs_get_ctx(xrcd->context)->close_xrcd(xrcd);
}

/*
 * Register length bytes at addr: pin them and make them accessible by access
 * (enum ibv_access_flags).  Free with ibv_dereg_mr().  Peers name the bytes by
 * their addresses here or, with iova, by iova onwards.  ENOMEM often means
 * RLIMIT_MEMLOCK.
 *
 * The exported functions differ in the access flags that they take: an old
 * library's first two refuse optional ones.  The macros below therefore call
 * ibv_reg_mr_iova2() unless access is known, and plain, at compile time.
 *
 * Since IBVERBS_1.1, 1.7 and 1.8.
 */
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			  int access);
struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length,
			       uint64_t iova, int access);
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length,
				uint64_t iova, unsigned int access);

__attribute__((always_inline)) static inline struct ibv_mr *
__ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, unsigned int access,
	     int is_access_const)
{
	if (is_access_const && !(access & IBV_ACCESS_OPTIONAL_RANGE))
		return ibv_reg_mr(pd, addr, length, (int)access);
	return ibv_reg_mr_iova2(pd, addr, length, (uint64_t)(uintptr_t)addr,
				access);
}

__attribute__((always_inline)) static inline struct ibv_mr *
__ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
		  unsigned int access, int is_access_const)
{
	if (is_access_const && !(access & IBV_ACCESS_OPTIONAL_RANGE))
		return ibv_reg_mr_iova(pd, addr, length, iova, (int)access);
	return ibv_reg_mr_iova2(pd, addr, length, iova, access);
}

#define __IBV_ACCESS_IS_CONST(access) \
	__builtin_constant_p(((int)IBV_ACCESS_OPTIONAL_RANGE & (access)) == 0)

#define ibv_reg_mr(pd, addr, length, access) \
	__ibv_reg_mr(pd, addr, length, access, __IBV_ACCESS_IS_CONST(access))

#define ibv_reg_mr_iova(pd, addr, length, iova, access)   \
	__ibv_reg_mr_iova(pd, addr, length, iova, access, \
			  __IBV_ACCESS_IS_CONST(access))

/*
 * Register length bytes from offset of the dma-buf fd, for peers at iova.  The
 * MR keeps the buffer; fd may be closed.  Since IBVERBS_1.12.
 */
struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset,
				 size_t length, uint64_t iova, int fd,
				 int access);

/*
 * Change what flags (enum ibv_rereg_mr_flags) name; the others are ignored.
 * No work request may be using the MR.  The keys may change.  0, or an enum
 * ibv_rereg_mr_err_code with errno; EBUSY: windows are bound to the MR or it
 * is shared.  Since IBVERBS_1.1.
 */
int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr,
		 size_t length, int access);

/* EBUSY: windows are bound to the MR.  Since IBVERBS_1.1. */
int ibv_dereg_mr(struct ibv_mr *mr);

/*
 * Advise on ranges of on-demand-paging MRs of pd.  flags: enum
 * ib_uverbs_advise_mr_flag; with FLUSH done when the function returns.
 */
static inline int ibv_advise_mr(struct ibv_pd *pd,
				enum ibv_advise_mr_advice advice,
				uint32_t flags, struct ibv_sge *sg_list,
				uint32_t num_sge)
{
	__IBV_SLOT_INT(pd->context, advise_mr, pd, advice, flags, sg_list,
		       num_sge);
}

/*
 * An MR whose lkey makes the device drop what it would write there and read
 * nothing useful.  Free with ibv_dereg_mr().
 */
static inline struct ibv_mr *ibv_alloc_null_mr(struct ibv_pd *pd)
{
	__IBV_SLOT_PTR(pd->context, alloc_null_mr, pd);
}

/* Free with ibv_dealloc_mw(). */
static inline struct ibv_mw *ibv_alloc_mw(struct ibv_pd *pd,
					  enum ibv_mw_type type)
{
	if (!pd->context->ops.alloc_mw) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	return pd->context->ops.alloc_mw(pd, type);
}

static inline int ibv_dealloc_mw(struct ibv_mw *mw)
{
	return mw->context->ops.dealloc_mw(mw);
}

/* The next rkey for binding a window of type 2: its low 8 bits count. */
static inline uint32_t ibv_inc_rkey(uint32_t rkey)
{
	return (rkey & 0xffffff00) | ((rkey + 1) & 0xff);
}

/*
 * Bind a window of type 1 by a work request of qp; on success mw->rkey is the
 * new key, valid from the request's completion.  EINVAL: a type 2 window, or a
 * range without MR; EPERM: MR and window are of different PDs.
 */
static inline int ibv_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw,
			      struct ibv_mw_bind *mw_bind)
{
	const struct ibv_mw_bind_info *info = &mw_bind->bind_info;

	if (mw->type != IBV_MW_TYPE_1)
		return EINVAL;
	if (!info->mr && (info->addr || info->length))
		return EINVAL;
	if (info->mr && info->mr->pd != mw->pd)
		return EPERM;
	return mw->context->ops.bind_mw(qp, mw, mw_bind);
}

/* Free with ibv_free_dm(), when no MR is left on it. */
static inline struct ibv_dm *ibv_alloc_dm(struct ibv_context *context,
					  struct ibv_alloc_dm_attr *attr)
{
	__IBV_SLOT_PTR(context, alloc_dm, context, attr);
}

static inline int ibv_free_dm(struct ibv_dm *dm)
{
	__IBV_SLOT_INT(dm->context, free_dm, dm);
}

/* Copy length bytes to dm_offset of the device memory.  No lkey is needed. */
static inline int ibv_memcpy_to_dm(struct ibv_dm *dm, uint64_t dm_offset,
				   const void *host_addr, size_t length)
{
	return dm->memcpy_to_dm(dm, dm_offset, host_addr, length);
}

/* Copy length bytes from dm_offset of the device memory. */
static inline int ibv_memcpy_from_dm(void *host_addr, struct ibv_dm *dm,
				     uint64_t dm_offset, size_t length)
{
	return dm->memcpy_from_dm(host_addr, dm, dm_offset, length);
}

/*
 * An MR over length bytes from dm_offset.  access must have
 * IBV_ACCESS_ZERO_BASED: addresses count from 0.  Free with ibv_dereg_mr().
 */
static inline struct ibv_mr *ibv_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm,
					   uint64_t dm_offset, size_t length,
					   unsigned int access)
{
	__IBV_SLOT_PTR(pd->context, reg_dm_mr, pd, dm, dm_offset, length,
		       access);
}

/* ==== Completion queues ==== */

/* Free with ibv_destroy_comp_channel().  Since IBVERBS_1.0. */
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context);

/* EBUSY: CQs use it.  Since IBVERBS_1.0. */
int ibv_destroy_comp_channel(struct ibv_comp_channel *channel);

/*
 * A CQ with at least cqe entries.  cq_context is the program's own; channel
 * may be NULL; comp_vector is below context->num_comp_vectors.  Free with
 * ibv_destroy_cq().  Since IBVERBS_1.1.
 */
struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe,
			     void *cq_context, struct ibv_comp_channel *channel,
			     int comp_vector);

/* Free with ibv_destroy_cq(ibv_cq_ex_to_cq()). */
static inline struct ibv_cq_ex *
ibv_create_cq_ex(struct ibv_context *context,
		 struct ibv_cq_init_attr_ex *cq_attr)
{
	__IBV_SLOT_PTR(context, create_cq_ex, context, cq_attr);
}

/* The same CQ, for all other functions */
static inline struct ibv_cq *ibv_cq_ex_to_cq(struct ibv_cq_ex *cq)
{
	return (struct ibv_cq *)cq;
}

/* At least cqe entries; completions in the CQ stay.  Since IBVERBS_1.1. */
int ibv_resize_cq(struct ibv_cq *cq, int cqe);

static inline int ibv_modify_cq(struct ibv_cq *cq,
				struct ibv_modify_cq_attr *attr)
{
	__IBV_SLOT_INT(cq->context, modify_cq, cq, attr);
}

/*
 * EBUSY: QPs or SRQs use it.  Waits until all its events are acknowledged.
 * Since IBVERBS_1.1.
 */
int ibv_destroy_cq(struct ibv_cq *cq);

/*
 * Wait for a notification (with O_NONBLOCK on the channel's fd: EAGAIN).  0
 * with the CQ and its cq_context, or -1 with errno.  Every one must be
 * acknowledged.  Since IBVERBS_1.1.
 */
int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq,
		     void **cq_context);

/* Acknowledge nevents notifications; takes a lock.  Since IBVERBS_1.1. */
void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents);

/*
 * Ask for one notification, of the next completion (or, with solicited_only,
 * the next solicited or failed one).  Poll again afterwards: what came before
 * the call raises none.
 */
static inline int ibv_req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	return cq->context->ops.req_notify_cq(cq, solicited_only);
}

/*
 * Take up to num_entries completions into the array wc.  Their number, or a
 * negative value on failure.
 */
static inline int ibv_poll_cq(struct ibv_cq *cq, int num_entries,
			      struct ibv_wc *wc)
{
	return cq->context->ops.poll_cq(cq, num_entries, wc);
}

/*
 * Start to read an extended CQ: 0 and its first completion can be read;
 * ENOENT: there is none, and ibv_end_poll() must not be called.  From here to
 * ibv_end_poll() the CQ is locked for this thread.
 */
static inline int ibv_start_poll(struct ibv_cq_ex *cq,
				 struct ibv_poll_cq_attr *attr)
{
	return cq->start_poll(cq, attr);
}

/* Go to the next completion: 0, or ENOENT: there is none. */
static inline int ibv_next_poll(struct ibv_cq_ex *cq)
{
	return cq->next_poll(cq);
}

static inline void ibv_end_poll(struct ibv_cq_ex *cq)
{
	cq->end_poll(cq);
}

/*
 * The members of the current completion.  Those with a flag in enum
 * ibv_create_cq_wc_flags may be read only if the CQ was created with it: the
 * pointer behind the others may be NULL.  All but vendor_err and qp_num are
 * valid only if status is IBV_WC_SUCCESS.
 */
static inline enum ibv_wc_opcode ibv_wc_read_opcode(struct ibv_cq_ex *cq)
{
	return cq->read_opcode(cq);
}

static inline uint32_t ibv_wc_read_vendor_err(struct ibv_cq_ex *cq)
{
	return cq->read_vendor_err(cq);
}

static inline uint32_t ibv_wc_read_byte_len(struct ibv_cq_ex *cq)
{
	return cq->read_byte_len(cq);
}

static inline __be32 ibv_wc_read_imm_data(struct ibv_cq_ex *cq)
{
	return cq->read_imm_data(cq);
}

/* In host byte order, from where the immediate data would be */
static inline uint32_t ibv_wc_read_invalidated_rkey(struct ibv_cq_ex *cq)
{
#ifdef __CHECKER__
	return (__attribute__((force)) uint32_t)cq->read_imm_data(cq);
#else
	return cq->read_imm_data(cq);
#endif
}

static inline uint32_t ibv_wc_read_qp_num(struct ibv_cq_ex *cq)
{
	return cq->read_qp_num(cq);
}

static inline uint32_t ibv_wc_read_src_qp(struct ibv_cq_ex *cq)
{
	return cq->read_src_qp(cq);
}

static inline unsigned int ibv_wc_read_wc_flags(struct ibv_cq_ex *cq)
{
	return cq->read_wc_flags(cq);
}

static inline uint32_t ibv_wc_read_slid(struct ibv_cq_ex *cq)
{
	return cq->read_slid(cq);
}

static inline uint8_t ibv_wc_read_sl(struct ibv_cq_ex *cq)
{
	return cq->read_sl(cq);
}

static inline uint8_t ibv_wc_read_dlid_path_bits(struct ibv_cq_ex *cq)
{
	return cq->read_dlid_path_bits(cq);
}

/* Ticks of the device's clock */
static inline uint64_t ibv_wc_read_completion_ts(struct ibv_cq_ex *cq)
{
	return cq->read_completion_ts(cq);
}

/* Nanoseconds of the device's wall clock */
static inline uint64_t ibv_wc_read_completion_wallclock_ns(struct ibv_cq_ex *cq)
{
	return cq->read_completion_wallclock_ns(cq);
}

static inline uint16_t ibv_wc_read_cvlan(struct ibv_cq_ex *cq)
{
	return cq->read_cvlan(cq);
}

/* tag_id of the flow rule that took the packet */
static inline uint32_t ibv_wc_read_flow_tag(struct ibv_cq_ex *cq)
{
	return cq->read_flow_tag(cq);
}

static inline void ibv_wc_read_tm_info(struct ibv_cq_ex *cq,
				       struct ibv_wc_tm_info *tm_info)
{
	cq->read_tm_info(cq, tm_info);
}

/* ==== Shared receive queues ==== */

/*
 * srq_init_attr->attr is updated to what was given.  Free with
 * ibv_destroy_srq().  Since IBVERBS_1.1.
 */
struct ibv_srq *ibv_create_srq(struct ibv_pd *pd,
			       struct ibv_srq_init_attr *srq_init_attr);

/* Also XRC and tag-matching SRQs */
static inline struct ibv_srq *
ibv_create_srq_ex(struct ibv_context *context,
		  struct ibv_srq_init_attr_ex *srq_init_attr_ex)
{
	const uint32_t mask = srq_init_attr_ex->comp_mask;
	const uint32_t basic = IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_TYPE;

	/* What every provider can: the structs begin alike */
	if (!(mask & ~basic) && (mask & IBV_SRQ_INIT_ATTR_PD) &&
	    (!(mask & IBV_SRQ_INIT_ATTR_TYPE) ||
	     srq_init_attr_ex->srq_type == IBV_SRQT_BASIC))
		return ibv_create_srq(srq_init_attr_ex->pd,
				      (struct ibv_srq_init_attr *)
					      srq_init_attr_ex);
	__IBV_SLOT_PTR(context, create_srq_ex, context, srq_init_attr_ex);
}

/* srq_attr_mask: enum ibv_srq_attr_mask.  Since IBVERBS_1.1. */
int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr,
		   int srq_attr_mask);

/* Since IBVERBS_1.1 */
int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr);

/* The number by which peers name an XRC SRQ */
static inline int ibv_get_srq_num(struct ibv_srq *srq, uint32_t *srq_num)
{
	__IBV_SLOT_INT(srq->context, get_srq_num, srq, srq_num);
}

/*
 * EBUSY: QPs use it.  Waits until all its events are acknowledged.  Since
 * IBVERBS_1.1.
 */
int ibv_destroy_srq(struct ibv_srq *srq);

/*
 * Post a list of receives.  On failure *bad_recv_wr is the first that was not
 * posted; those before it were.
 */
static inline int ibv_post_srq_recv(struct ibv_srq *srq,
				    struct ibv_recv_wr *recv_wr,
				    struct ibv_recv_wr **bad_recv_wr)
{
	return srq->context->ops.post_srq_recv(srq, recv_wr, bad_recv_wr);
}

/* Likewise, for a list of operations of a tag-matching SRQ */
static inline int ibv_post_srq_ops(struct ibv_srq *srq, struct ibv_ops_wr *op,
				   struct ibv_ops_wr **bad_op)
{
	struct verbs_context *vctx =
		verbs_get_ctx_op(srq->context, post_srq_ops);

	if (!vctx) {
		*bad_op = op;
		return EOPNOTSUPP;
	}
	return vctx->post_srq_ops(srq, op, bad_op);
}

/* ==== Work queues ==== */

/* Free with ibv_destroy_wq(). */
static inline struct ibv_wq *
ibv_create_wq(struct ibv_context *context,
	      struct ibv_wq_init_attr *wq_init_attr)
{
	struct verbs_context *vctx = verbs_get_ctx_op(context, create_wq);
	struct ibv_wq *wq;

	if (!vctx) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	wq = vctx->create_wq(context, wq_init_attr);
	if (wq) {
		wq->wq_context = wq_init_attr->wq_context;
		wq->events_completed = 0;
		pthread_mutex_init(&wq->mutex, NULL);
		pthread_cond_init(&wq->cond, NULL);
	}
	return wq;
}

static inline int ibv_modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *wq_attr)
{
	__IBV_SLOT_INT(wq->context, modify_wq, wq, wq_attr);
}

static inline int ibv_destroy_wq(struct ibv_wq *wq)
{
	__IBV_SLOT_INT(wq->context, destroy_wq, wq);
}

/* Like ibv_post_srq_recv() */
static inline int ibv_post_wq_recv(struct ibv_wq *wq,
				   struct ibv_recv_wr *recv_wr,
				   struct ibv_recv_wr **bad_recv_wr)
{
	return wq->post_recv(wq, recv_wr, bad_recv_wr);
}

/* Free with ibv_destroy_rwq_ind_table(), before its work queues. */
static inline struct ibv_rwq_ind_table *
ibv_create_rwq_ind_table(struct ibv_context *context,
			 struct ibv_rwq_ind_table_init_attr *init_attr)
{
	__IBV_SLOT_PTR(context, create_rwq_ind_table, context, init_attr);
}

static inline int
ibv_destroy_rwq_ind_table(struct ibv_rwq_ind_table *rwq_ind_table)
{
	__IBV_SLOT_INT(rwq_ind_table->context, destroy_rwq_ind_table,
		       rwq_ind_table);
}

/* ==== Queue pairs ==== */

/*
 * qp_init_attr->cap is updated to what was given.  Free with
 * ibv_destroy_qp().  Since IBVERBS_1.1.
 */
struct ibv_qp *ibv_create_qp(struct ibv_pd *pd,
			     struct ibv_qp_init_attr *qp_init_attr);

/* Also QPs with more than a PD; see enum ibv_qp_init_attr_mask */
static inline struct ibv_qp *
ibv_create_qp_ex(struct ibv_context *context,
		 struct ibv_qp_init_attr_ex *qp_init_attr_ex)
{
	/* What every provider can: the structs begin alike */
	if (qp_init_attr_ex->comp_mask == IBV_QP_INIT_ATTR_PD)
		return ibv_create_qp(qp_init_attr_ex->pd,
				     (struct ibv_qp_init_attr *)
					     qp_init_attr_ex);
	__IBV_SLOT_PTR(context, create_qp_ex, context, qp_init_attr_ex);
}

/* Open an XRC_RECV QP of another process.  Free with ibv_destroy_qp(). */
static inline struct ibv_qp *ibv_open_qp(struct ibv_context *context,
					 struct ibv_qp_open_attr *qp_open_attr)
{
	__IBV_SLOT_PTR(context, open_qp, context, qp_open_attr);
}

/*
 * The QP with its work-request builder, if it was created with
 * IBV_QP_INIT_ATTR_SEND_OPS_FLAGS; else NULL.  Since IBVERBS_1.6.
 */
struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp);

/*
 * Set the members of attr that attr_mask (enum ibv_qp_attr_mask) names.
 * EINVAL: not allowed in this change of state.  Since IBVERBS_1.1.
 */
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask);

/* In RTS only */
static inline int ibv_modify_qp_rate_limit(struct ibv_qp *qp,
					   struct ibv_qp_rate_limit_attr *attr)
{
	__IBV_SLOT_INT(qp->context, modify_qp_rate_limit, qp, attr);
}

/*
 * Fill at least the members of attr that attr_mask names, and init_attr.
 * Since IBVERBS_1.1.
 */
int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask,
		 struct ibv_qp_init_attr *init_attr);

/*
 * 1 if the bytes of operation op arrive in memory in their order, so that a
 * program may poll the last one; else 0.  flags must be 0.  Since
 * IBVERBS_1.14.
 */
int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op,
			       uint32_t flags);

/* Call between creation and RTR.  Since IBVERBS_1.10. */
int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece);

/* What can be agreed on, after RTR what was agreed on.  Since IBVERBS_1.10. */
int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece);

/*
 * Waits until all its events are acknowledged.  EBUSY: attached to a multicast
 * group.  Since IBVERBS_1.1.
 */
int ibv_destroy_qp(struct ibv_qp *qp);

/*
 * Post a list of sends.  On failure *bad_wr is the first that was not posted;
 * those before it were.  ENOMEM: the queue is full.
 */
static inline int ibv_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
				struct ibv_send_wr **bad_wr)
{
	return qp->context->ops.post_send(qp, wr, bad_wr);
}

/* Likewise, for a list of receives */
static inline int ibv_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
				struct ibv_recv_wr **bad_wr)
{
	return qp->context->ops.post_recv(qp, wr, bad_wr);
}

/* caps: a supported_qpts.  1 or 0. */
static inline int ibv_is_qpt_supported(uint32_t caps, enum ibv_qp_type qpt)
{
	return (uint32_t)qpt < 32 && ((caps >> qpt) & 1);
}

/* ==== The work-request builder ==== */

/*
 * ibv_wr_start(), then for each work request: set wr_id and wr_flags of qp,
 * call one operation, then the ibv_wr_set_*() that it needs; at last
 * ibv_wr_complete(), which posts all or none and reports the first error, or
 * ibv_wr_abort().  In between the send queue is locked for this thread.  An
 * operation that the QP was not created with must not be called: its pointer
 * may be NULL.
 */
static inline void ibv_wr_start(struct ibv_qp_ex *qp)
{
	qp->wr_start(qp);
}

static inline int ibv_wr_complete(struct ibv_qp_ex *qp)
{
	return qp->wr_complete(qp);
}

static inline void ibv_wr_abort(struct ibv_qp_ex *qp)
{
	qp->wr_abort(qp);
}

/* Operations */

static inline void ibv_wr_atomic_cmp_swp(struct ibv_qp_ex *qp, uint32_t rkey,
					 uint64_t remote_addr, uint64_t compare,
					 uint64_t swap)
{
	qp->wr_atomic_cmp_swp(qp, rkey, remote_addr, compare, swap);
}

static inline void ibv_wr_atomic_fetch_add(struct ibv_qp_ex *qp, uint32_t rkey,
					   uint64_t remote_addr, uint64_t add)
{
	qp->wr_atomic_fetch_add(qp, rkey, remote_addr, add);
}

/* atomic_wr: 8 bytes, read during the call */
static inline void ibv_wr_atomic_write(struct ibv_qp_ex *qp, uint32_t rkey,
				       uint64_t remote_addr,
				       const void *atomic_wr)
{
	qp->wr_atomic_write(qp, rkey, remote_addr, atomic_wr);
}

static inline void ibv_wr_bind_mw(struct ibv_qp_ex *qp, struct ibv_mw *mw,
				  uint32_t rkey,
				  const struct ibv_mw_bind_info *bind_info)
{
	qp->wr_bind_mw(qp, mw, rkey, bind_info);
}

static inline void ibv_wr_local_inv(struct ibv_qp_ex *qp,
				    uint32_t invalidate_rkey)
{
	qp->wr_local_inv(qp, invalidate_rkey);
}

static inline void ibv_wr_rdma_read(struct ibv_qp_ex *qp, uint32_t rkey,
				    uint64_t remote_addr)
{
	qp->wr_rdma_read(qp, rkey, remote_addr);
}

static inline void ibv_wr_rdma_write(struct ibv_qp_ex *qp, uint32_t rkey,
				     uint64_t remote_addr)
{
	qp->wr_rdma_write(qp, rkey, remote_addr);
}

static inline void ibv_wr_rdma_write_imm(struct ibv_qp_ex *qp, uint32_t rkey,
					 uint64_t remote_addr, __be32 imm_data)
{
	qp->wr_rdma_write_imm(qp, rkey, remote_addr, imm_data);
}

static inline void ibv_wr_send(struct ibv_qp_ex *qp)
{
	qp->wr_send(qp);
}

static inline void ibv_wr_send_imm(struct ibv_qp_ex *qp, __be32 imm_data)
{
	qp->wr_send_imm(qp, imm_data);
}

static inline void ibv_wr_send_inv(struct ibv_qp_ex *qp,
				   uint32_t invalidate_rkey)
{
	qp->wr_send_inv(qp, invalidate_rkey);
}

static inline void ibv_wr_send_tso(struct ibv_qp_ex *qp, void *hdr,
				   uint16_t hdr_sz, uint16_t mss)
{
	qp->wr_send_tso(qp, hdr, hdr_sz, mss);
}

/* What belongs to the last operation */

static inline void ibv_wr_set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *ah,
				      uint32_t remote_qpn, uint32_t remote_qkey)
{
	qp->wr_set_ud_addr(qp, ah, remote_qpn, remote_qkey);
}

static inline void ibv_wr_set_xrc_srqn(struct ibv_qp_ex *qp,
				       uint32_t remote_srqn)
{
	qp->wr_set_xrc_srqn(qp, remote_srqn);
}

/* Inline data is read during the call. */
static inline void ibv_wr_set_inline_data(struct ibv_qp_ex *qp, void *addr,
					  size_t length)
{
	qp->wr_set_inline_data(qp, addr, length);
}

static inline void
ibv_wr_set_inline_data_list(struct ibv_qp_ex *qp, size_t num_buf,
			    const struct ibv_data_buf *buf_list)
{
	qp->wr_set_inline_data_list(qp, num_buf, buf_list);
}

static inline void ibv_wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey,
				  uint64_t addr, uint32_t length)
{
	qp->wr_set_sge(qp, lkey, addr, length);
}

static inline void ibv_wr_set_sge_list(struct ibv_qp_ex *qp, size_t num_sge,
				       const struct ibv_sge *sg_list)
{
	qp->wr_set_sge_list(qp, num_sge, sg_list);
}

/* ==== Addresses and multicast ==== */

/* Free with ibv_destroy_ah().  Since IBVERBS_1.1. */
struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr);

/*
 * The way back to the sender of a UD message: wc is its completion, grh the
 * start of its buffer (valid if wc says so), port_num the port it came by.
 * Since IBVERBS_1.1.
 */
int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port_num,
			struct ibv_wc *wc, struct ibv_grh *grh,
			struct ibv_ah_attr *ah_attr);

/* Both in one.  Free with ibv_destroy_ah().  Since IBVERBS_1.1. */
struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *wc,
				     struct ibv_grh *grh, uint8_t port_num);

/* Since IBVERBS_1.1 */
int ibv_destroy_ah(struct ibv_ah *ah);

/* Receive what goes to this multicast group (UD).  Since IBVERBS_1.1. */
int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);

/* Since IBVERBS_1.1 */
int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);

#define ETHERNET_LL_SIZE 6

/*
 * The MAC address and VLAN (0xffff: none; vid may be NULL) to which packets for
 * attr->grh.dgid go.  May wait up to 3 s for the neighbour.  0, or a negative
 * value: -EINVAL, -EHOSTUNREACH, or -1 with errno if the source GID cannot be
 * read.  Since IBVERBS_1.1.
 */
int ibv_resolve_eth_l2_from_gid(struct ibv_context *context,
				struct ibv_ah_attr *attr,
				uint8_t eth_mac[ETHERNET_LL_SIZE],
				uint16_t *vid);

#define IB_ROCE_UDP_ENCAP_VALID_PORT_MIN (0xC000)
#define IB_ROCE_UDP_ENCAP_VALID_PORT_MAX (0xFFFF)
#define IB_GRH_FLOWLABEL_MASK (0x000FFFFF)

/* The UDP source port that RoCE v2 packets with this flow label have */
static inline uint16_t ibv_flow_label_to_udp_sport(uint32_t fl)
{
	const uint32_t high = (fl & IB_GRH_FLOWLABEL_MASK) >> 14;
	const uint32_t folded = (fl ^ high) & 0x3fff;

	return (uint16_t)(folded | IB_ROCE_UDP_ENCAP_VALID_PORT_MIN);
}

/* ==== Flow steering ==== */

/* Free with ibv_destroy_flow(). */
static inline struct ibv_flow *ibv_create_flow(struct ibv_qp *qp,
					       struct ibv_flow_attr *flow)
{
	__IBV_SLOT_PTR(qp->context, ibv_create_flow, qp, flow);
}

static inline int ibv_destroy_flow(struct ibv_flow *flow_id)
{
	__IBV_SLOT_INT(flow_id->context, ibv_destroy_flow, flow_id);
}

/* Free with ibv_destroy_flow_action(). */
static inline struct ibv_flow_action *
ibv_create_flow_action_esp(struct ibv_context *ctx,
			   struct ibv_flow_action_esp_attr *esp)
{
	__IBV_SLOT_PTR(ctx, create_flow_action_esp, ctx, esp);
}

static inline int
ibv_modify_flow_action_esp(struct ibv_flow_action *action,
			   struct ibv_flow_action_esp_attr *esp)
{
	__IBV_SLOT_INT(action->context, modify_flow_action_esp, action, esp);
}

static inline int ibv_destroy_flow_action(struct ibv_flow_action *action)
{
	__IBV_SLOT_INT(action->context, destroy_flow_action, action);
}

/* ==== Counters ==== */

/* Free with ibv_destroy_counters(), when no flow uses them. */
static inline struct ibv_counters *
ibv_create_counters(struct ibv_context *context,
		    struct ibv_counters_init_attr *init_attr)
{
	__IBV_SLOT_PTR(context, create_counters, context, init_attr);
}

static inline int ibv_destroy_counters(struct ibv_counters *counters)
{
	__IBV_SLOT_INT(counters->context, destroy_counters, counters);
}

/* Say what place attr->index shall count of flows (flow NULL: future ones). */
static inline int
ibv_attach_counters_point_flow(struct ibv_counters *counters,
			       struct ibv_counter_attach_attr *attr,
			       struct ibv_flow *flow)
{
	__IBV_SLOT_INT(counters->context, attach_counters_point_flow, counters,
		       attr, flow);
}

/* ncounters values from place 0; flags: enum ibv_read_counters_flags */
static inline int ibv_read_counters(struct ibv_counters *counters,
				    uint64_t *counters_value,
				    uint32_t ncounters, uint32_t flags)
{
	__IBV_SLOT_INT(counters->context, read_counters, counters,
		       counters_value, ncounters, flags);
}

/* ==== Helpers ==== */

/*
 * Make registered memory safe from fork(): its pages stay out of child
 * processes.  Call it before the first registration; EINVAL: too late, ENOSYS:
 * the kernel cannot.  Not needed where ibv_is_fork_initialized() says so.
 * Since IBVERBS_1.1.
 */
int ibv_fork_init(void);

/* Since IBVERBS_1.13 */
enum ibv_fork_status ibv_is_fork_initialized(void);

/*
 * A rate in units of 2.5 Gbit/s, and back: -1 and IBV_RATE_MAX for what has no
 * equivalent.  Since IBVERBS_1.0.
 */
int ibv_rate_to_mult(enum ibv_rate rate) __attribute_const;
enum ibv_rate mult_to_ibv_rate(int mult) __attribute_const;

/* A rate in Mbit/s, and back, likewise.  Since IBVERBS_1.1. */
int ibv_rate_to_mbps(enum ibv_rate rate) __attribute_const;
enum ibv_rate mbps_to_ibv_rate(int mbps) __attribute_const;

/* Names, in English; constant strings, never NULL.  Since IBVERBS_1.1. */
const char *ibv_wc_status_str(enum ibv_wc_status status);
const char *ibv_node_type_str(enum ibv_node_type node_type);
const char *ibv_port_state_str(enum ibv_port_state port_state);
const char *ibv_event_type_str(enum ibv_event_type event);

/* ==== Static linking ==== */

/*
 * A program that is linked with the static library has the providers that were
 * built with that.  To choose, define RDMA_STATIC_PROVIDERS before this header
 * is included, as a list of names, all or none: -DRDMA_STATIC_PROVIDERS=rxe,siw
 * for the compiler, and the archives of those for the linker.  Files of one
 * program that define it differently get what all of them name.  At most 20
 * names; in a program that is linked with the shared library, where plug-ins
 * are loaded, it fails to link.
 */
#ifdef RDMA_STATIC_PROVIDERS
struct verbs_device_ops;
extern const struct verbs_device_ops verbs_provider_all;
extern const struct verbs_device_ops verbs_provider_none;
extern const struct verbs_device_ops verbs_provider_bnxt_re;
extern const struct verbs_device_ops verbs_provider_cxgb4;
extern const struct verbs_device_ops verbs_provider_efa;
extern const struct verbs_device_ops verbs_provider_erdma;
extern const struct verbs_device_ops verbs_provider_hfi1verbs;
extern const struct verbs_device_ops verbs_provider_hns;
extern const struct verbs_device_ops verbs_provider_ipathverbs;
extern const struct verbs_device_ops verbs_provider_irdma;
extern const struct verbs_device_ops verbs_provider_mana;
extern const struct verbs_device_ops verbs_provider_mlx4;
extern const struct verbs_device_ops verbs_provider_mlx5;
extern const struct verbs_device_ops verbs_provider_mthca;
extern const struct verbs_device_ops verbs_provider_ocrdma;
extern const struct verbs_device_ops verbs_provider_qedr;
extern const struct verbs_device_ops verbs_provider_rxe;
extern const struct verbs_device_ops verbs_provider_siw;
extern const struct verbs_device_ops verbs_provider_vmw_pvrdma;

void ibv_static_providers(void *unused, ...);

/* Only what stands in a place of its own can be made part of a name. */
#define __IBV_PROVIDERS(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, \
			p13, p14, p15, p16, p17, p18, p19, p20, ...)       \
	&verbs_provider_##p1, &verbs_provider_##p2, &verbs_provider_##p3,  \
		&verbs_provider_##p4, &verbs_provider_##p5,                \
		&verbs_provider_##p6, &verbs_provider_##p7,                \
		&verbs_provider_##p8, &verbs_provider_##p9,                \
		&verbs_provider_##p10, &verbs_provider_##p11,              \
		&verbs_provider_##p12, &verbs_provider_##p13,              \
		&verbs_provider_##p14, &verbs_provider_##p15,              \
		&verbs_provider_##p16, &verbs_provider_##p17,              \
		&verbs_provider_##p18, &verbs_provider_##p19,              \
		&verbs_provider_##p20
#define __IBV_NAMED_PROVIDERS(...)                                             \
	__IBV_PROVIDERS(__VA_ARGS__, none, none, none, none, none, none, none, \
			none, none, none, none, none, none, none, none, none,  \
			none, none, none, none, )

/* Before whatever looks for devices; more than once does no harm. */
static inline void __ibv_register_providers(void)
{
	ibv_static_providers(NULL, &verbs_provider_none,
			     __IBV_NAMED_PROVIDERS(RDMA_STATIC_PROVIDERS),
			     NULL);
}

static inline struct ibv_device **__ibv_get_device_list(int *num_devices)
{
	__ibv_register_providers();
	return ibv_get_device_list(num_devices);
}
#define ibv_get_device_list(num_devices) __ibv_get_device_list(num_devices)

static inline struct ibv_context *__ibv_import_device(int cmd_fd)
{
	__ibv_register_providers();
	return ibv_import_device(cmd_fd);
}
#define ibv_import_device(cmd_fd) __ibv_import_device(cmd_fd)
#endif

#undef __IBV_SLOT_INT
#undef __IBV_SLOT_PTR

#ifdef __cplusplus
}
#endif

#include <infiniband/share.h>

#endif
