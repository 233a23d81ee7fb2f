// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: the replies of the kernel's rxe driver, and the rings that it
 * shares with the provider.
 */
#include <string.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_rxe.h>

#include "driver.h"
#include "fuzz.h"
#include "kernel.h"
#include "rings.h"

extern const struct verbs_device_ops verbs_provider_rxe;

static struct mminfo some_place(void)
{
	uint8_t choice = fuzz_u8();

	if (choice < 0xc0)
		return (struct mminfo){
			.offset = 4096,
			.size = sizeof(struct rxe_queue_buf) +
				(64u << (choice & 7)) * (1 + (choice >> 3)),
		};
	return (struct mminfo){ .offset = fuzz_u64(), .size = fuzz_number() };
}

/* Places of the rings, and numbers of the core that fit to most of them */
static void driver(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct mminfo places[2] = { some_place(), some_place() };
	struct ib_uverbs_qp_cap cap = { 1, 1, 1, 1, 8 };
	uint32_t one = 1;

	kernel_reply(hdr, UVERBS_ATTR_UHW_OUT, places, sizeof(places));
	if (kernel_is(hdr, UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE)) {
		kernel_reply(hdr, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &one, 4);
	} else if (kernel_is(hdr, UVERBS_OBJECT_SRQ,
			     UVERBS_METHOD_SRQ_CREATE)) {
		kernel_reply(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &one, 4);
		kernel_reply(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &one, 4);
	} else if (kernel_is(hdr, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE)) {
		kernel_reply(hdr, UVERBS_ATTR_CREATE_QP_RESP_CAP, &cap,
			     sizeof(cap));
	} else if (kernel_write_command(hdr) == IB_USER_VERBS_CMD_MODIFY_SRQ) {
		struct ib_uverbs_attr *in =
			kernel_attr(hdr, UVERBS_ATTR_UHW_IN);
		/* Eight bytes stand in the attribute itself. */
		struct rxe_modify_srq_cmd cmd;

		if (!in || in->len != sizeof(cmd))
			return;
		memcpy(&cmd, &in->data, sizeof(cmd));
		if (cmd.mmap_info_addr)
			memcpy((void *)(uintptr_t)cmd.mmap_info_addr, places,
			       sizeof(places[0]));
	}
}

/* Sound ones in most cases, then anything over it */
static void fill(void *ring, size_t size)
{
	struct rxe_queue_buf *buf = ring;
	uint8_t choice = fuzz_u8();
	uint32_t slots = 1;

	if (size < sizeof(*buf))
		return;
	if (choice & 1) {
		/* Mostly what could be a ring, were there room for it */
		uint8_t shift = fuzz_u8(), slots_shift = fuzz_u8();

		buf->log2_elem_size = shift < 0xf0 ? shift & 15 : fuzz_u32();
		buf->index_mask = slots_shift < 0xf0
					  ? (1u << (slots_shift & 15)) - 1
					  : fuzz_u32();
		buf->producer_index = fuzz_number();
		buf->consumer_index = fuzz_number();
		return;
	}
	buf->log2_elem_size = 6 + (choice >> 1) % 6;
	while (2 * slots << buf->log2_elem_size <= size - sizeof(*buf))
		slots *= 2;
	buf->index_mask = slots - 1;
	if (choice & 0x80) {
		buf->producer_index = fuzz_number();
		buf->consumer_index = fuzz_number();
	}
}

void fuzz_setup(void)
{
	kernel.driver = driver;
	rings_fill = fill;
}

void fuzz_run(void)
{
	provider_run(&verbs_provider_rxe);
}
