/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Headers of tag-matching messages, as they go over the wire.
 */
#ifndef _TM_TYPES_H
#define _TM_TYPES_H

#include <linux/types.h>
#include <stdint.h>

enum ibv_tmh_op {
	IBV_TMH_NO_TAG,
	IBV_TMH_RNDV,  /* rendezvous: an ibv_rvh follows */
	IBV_TMH_FIN,   /* the receiver has read the data */
	IBV_TMH_EAGER, /* the data follows */
};

/* In front of every message */
struct ibv_tmh {
	uint8_t opcode;	     /* enum ibv_tmh_op */
	uint8_t reserved[3]; /* 0 */
	__be32 app_ctx;	     /* of the program */
	__be64 tag;
};

/* Where the receiver of a rendezvous message reads the data */
struct ibv_rvh {
	__be64 va;
	__be32 rkey;
	__be32 len;
};

#endif
