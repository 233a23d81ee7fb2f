// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Boundary: the replies of the kernel's siw driver, and the rings that it
 * shares with the provider.
 */
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/siw-abi.h>

#include "driver.h"
#include "fuzz.h"
#include "kernel.h"
#include "rings.h"

extern const struct verbs_device_ops verbs_provider_siw;

static uint32_t entries(void)
{
	uint8_t choice = fuzz_u8();

	return choice < 0xc0 ? 1u << (choice & 7) : fuzz_number();
}

static uint64_t place(void)
{
	uint8_t choice = fuzz_u8();

	return choice < 0xe0 ? (uint64_t)choice << 12 : fuzz_u64();
}

/* Numbers of the core that fit to most rings */
static void driver(struct ib_uverbs_ioctl_hdr *hdr)
{
	struct ib_uverbs_qp_cap cap = { 1, 1, 1, 1, 8 };
	uint32_t one = 1;

	if (kernel_is(hdr, UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE)) {
		struct siw_uresp_create_cq cq = {
			.num_cqe = entries(),
			.cq_key = place(),
		};

		kernel_reply(hdr, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &one, 4);
		kernel_reply(hdr, UVERBS_ATTR_UHW_OUT, &cq, sizeof(cq));
	} else if (kernel_is(hdr, UVERBS_OBJECT_SRQ,
			     UVERBS_METHOD_SRQ_CREATE)) {
		struct siw_uresp_create_srq srq = {
			.num_rqe = entries(),
			.srq_key = place(),
		};

		kernel_reply(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &one, 4);
		kernel_reply(hdr, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &one, 4);
		kernel_reply(hdr, UVERBS_ATTR_UHW_OUT, &srq, sizeof(srq));
	} else if (kernel_is(hdr, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE)) {
		struct siw_uresp_create_qp qp = {
			.num_sqe = entries(),
			.num_rqe = entries(),
			.sq_key = place(),
			.rq_key = place(),
		};

		kernel_reply(hdr, UVERBS_ATTR_CREATE_QP_RESP_CAP, &cap,
			     sizeof(cap));
		kernel_reply(hdr, UVERBS_ATTR_UHW_OUT, &qp, sizeof(qp));
	}
}

static void fill(void *ring, size_t size)
{
	if (fuzz_u8() & 1)
		fuzz_bytes(ring, size < 128 ? size : 128);
}

void fuzz_setup(void)
{
	kernel.driver = driver;
	rings_fill = fill;
}

void fuzz_run(void)
{
	provider_run(&verbs_provider_siw);
}
