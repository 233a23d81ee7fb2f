/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What passes between libmlx5 and the device in memory: work requests in the
 * queues, completions, doorbell records.  All numbers are big-endian.
 */
#ifndef M5SOFT_FORMAT_H
#define M5SOFT_FORMAT_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/types.h>

/* Work requests are made of these, a send queue of blocks of four. */
#define M5_SEGMENT 16
#define M5_BLOCK 64
/* The largest work request: its length is six bits of segments */
#define M5_MAX_SEGMENTS 63

enum m5_opcode {
	M5_OP_NOP = 0x00,
	M5_OP_SEND_INV = 0x01,
	M5_OP_WRITE = 0x08,
	M5_OP_WRITE_IMM = 0x09,
	M5_OP_SEND = 0x0a,
	M5_OP_SEND_IMM = 0x0b,
	M5_OP_READ = 0x10,
	M5_OP_COMPARE_SWAP = 0x11,
	M5_OP_FETCH_ADD = 0x12,
};

/* First in every work request of a send queue */
struct m5_control {
	__be32 opcode; /* low byte; above it the index */
	__be32 qpn_segments;
	u8 signature;
	u8 dci[2];
	u8 flags;
	__be32 immediate;
} __packed;

#define M5_FLAG_SOLICITED BIT(1)
#define M5_FLAG_COMPLETION BIT(3)

struct m5_remote {
	__be64 addr;
	__be32 rkey;
	__be32 reserved;
};

struct m5_atomic {
	__be64 swap_add;
	__be64 compare;
};

/* Where a datagram goes to; follows the control segment */
struct m5_datagram {
	__be32 qkey;
	__be32 reserved;
	__be32 qpn;
	u8 path[36];
};

/* With this bit in a Q_Key the sender's own one is to be used. */
#define M5_QKEY_OF_QP BIT(31)

struct m5_data {
	__be32 length;
	__be32 lkey;
	__be64 addr;
};

/* In the length: the data itself follows. */
#define M5_INLINE BIT(31)
/* An lkey that ends the list of a receive */
#define M5_LKEY_END 0x100

/* Before each work request of a shared receive queue */
struct m5_next {
	__be16 reserved;
	__be16 index;
	u8 more[12];
};

enum m5_cqe_opcode {
	M5_CQE_SENT = 0,
	M5_CQE_GOT_WRITE_IMM = 1,
	M5_CQE_GOT_SEND = 2,
	M5_CQE_GOT_SEND_IMM = 3,
	M5_CQE_GOT_SEND_INV = 4,
	M5_CQE_SEND_ERROR = 13,
	M5_CQE_RECV_ERROR = 14,
};

enum m5_syndrome {
	M5_LOCAL_LENGTH = 0x01,
	M5_LOCAL_QP_OP = 0x02,
	M5_LOCAL_PROTECTION = 0x04,
	M5_FLUSHED = 0x05,
	M5_REMOTE_INVALID = 0x12,
	M5_REMOTE_ACCESS = 0x13,
	M5_REMOTE_OP = 0x14,
	M5_NO_ANSWER = 0x15,
	M5_NOT_READY = 0x16,
};

struct m5_cqe {
	u8 reserved0[24];
	__be32 flags_qpn; /* of the sender of a datagram */
	u8 reserved1[4];
	__be32 user_index;
	__be32 immediate;
	u8 reserved2[4];
	__be32 length;
	union {
		__be64 timestamp;
		struct {
			u8 reserved3[6];
			u8 vendor_syndrome;
			u8 syndrome;
		};
	};
	__be32 opcode_qpn;
	__be16 index;
	u8 signature;
	u8 opcode_owner;
} __packed;
static_assert(sizeof(struct m5_cqe) == 64);

/* In the flags of a datagram's completion: it has a GRH. */
#define M5_CQE_GRH BIT(28)
#define M5_CQE_SOLICITED BIT(1)

/* Doorbell records, each of two numbers */
enum { M5_DB_RECV, M5_DB_SEND };
enum { M5_DB_CONSUMED, M5_DB_ARM };
#define M5_DB_LENGTH 8

/* The arm record: a sequence number, what kind of event, the consumer index */
#define M5_ARM_NEVER (~0U)
#define M5_ARM_SEQUENCE(_arm) ((_arm) >> 28 & 3)
#define M5_ARM_SOLICITED BIT(24)
#define M5_ARM_INDEX GENMASK(23, 0)

/* The registers of a UAR page through which work requests may be written */
#define M5_UAR_REGISTERS 0x800
#define M5_UAR_REGISTER_SIZE 0x200

#endif
