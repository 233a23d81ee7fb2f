// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* UD: address handles, what a receiver is told of the sender, multicast. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <net/if.h>
#include <unistd.h>

#include "world.h"

static int send_to(struct end *from, struct ibv_ah *ah, uint32_t qpn,
		   uint32_t length, bool imm)
{
	struct ibv_sge sge = sge_of(from, 0, length);
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.opcode = imm ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = htobe32(0x600d),
		.sg_list = &sge,
		.num_sge = 1,
		.wr.ud = { .ah = ah, .remote_qpn = qpn, .remote_qkey = QKEY },
	};

	return post_send(from, &wr, NULL);
}

void test_ud(void)
{
	struct ibv_ah_attr attr = { .is_global = 1, .port_num = 1 };
	struct ibv_ah *ah;
	struct ibv_wc wc;
	struct pair p;

	pair_open(&p, IBV_QPT_UD, NULL);

	fill(p.a.buf, 700, 6);
	EQUAL(post_recv(&p.b, 2, 0, 2000), 0);
	EQUAL(send_to(&p.a, p.a.ah, p.b.qp->qp_num, 700, false), 0);
	expect(p.a.scq, 1, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_SEND);
	expect(p.b.rcq, 2, IBV_WC_SUCCESS, &wc);
	EQUAL(wc.opcode, IBV_WC_RECV);
	EQUAL(wc.byte_len, 700 + GRH_SIZE);
	EQUAL(wc.src_qp, p.a.qp->qp_num);
	EQUAL(wc.wc_flags, IBV_WC_GRH);
	CHECK(filled(p.b.buf + GRH_SIZE, 700, 6));

	/* The way back is found from the completion alone. */
	ah = ibv_create_ah_from_wc(pd, &wc, (struct ibv_grh *)p.b.buf, 1);
	CHECK(ah != NULL);
	if (ah) {
		fill(p.b.buf, 100, 8);
		EQUAL(post_recv(&p.a, 3, 0, 2000), 0);
		EQUAL(send_to(&p.b, ah, wc.src_qp, 100, true), 0);
		expect(p.b.scq, 1, IBV_WC_SUCCESS, NULL);
		expect(p.a.rcq, 3, IBV_WC_SUCCESS, &wc);
		EQUAL(wc.wc_flags, IBV_WC_GRH | IBV_WC_WITH_IMM);
		EQUAL(wc.imm_data, htobe32(0x600d));
		EQUAL(wc.src_qp, p.b.qp->qp_num);
		CHECK(filled(p.a.buf + GRH_SIZE, 100, 8));
		EQUAL(ibv_destroy_ah(ah), 0);
	}

	/* The wrong Q_Key is dropped in silence. */
	EQUAL(post_recv(&p.b, 4, 0, 2000), 0);
	{
		struct ibv_sge sge = sge_of(&p.a, 0, 4);
		struct ibv_send_wr wr = {
			.wr_id = 5,
			.opcode = IBV_WR_SEND,
			.send_flags = IBV_SEND_SIGNALED,
			.sg_list = &sge,
			.num_sge = 1,
			.wr.ud = { .ah = p.a.ah,
				   .remote_qpn = p.b.qp->qp_num,
				   .remote_qkey = QKEY + 1 },
		};

		EQUAL(post_send(&p.a, &wr, NULL), 0);
	}
	expect(p.a.scq, 5, IBV_WC_SUCCESS, NULL);
	expect_nothing(p.b.rcq);

	attr.grh.dgid = gid;
	attr.grh.sgid_index = 200;
	errno = 0;
	CHECK(!ibv_create_ah(pd, &attr));
	CHECK(errno != 0);
	attr.grh.sgid_index = GID_INDEX;
	attr.is_global = 0;
	errno = 0;
	CHECK(!ibv_create_ah(pd, &attr));
	EQUAL(errno, EINVAL);
	if (getenv("RXE_OLD_AH")) {
		unsigned int *count = dlsym(RTLD_DEFAULT, "rxe_old_ahs");

		CHECK(count && *count >= 2);
	}
	pair_close(&p);
}

void test_multicast(void)
{
	struct ip_mreqn membership = {};
	union ibv_gid group = gid;
	struct ibv_ah_attr attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = { .sgid_index = GID_INDEX, .hop_limit = 1 },
	};
	struct ibv_ah *ah;
	struct pair p;
	int sock;

	inet_pton(AF_INET, "239.1.2.3", &membership.imr_multiaddr);
	membership.imr_ifindex = if_nametoindex("dummy0");
	memcpy(group.raw + 12, &membership.imr_multiaddr, 4);
	/* So that the host's IP layer hands a copy back */
	sock = socket(AF_INET, SOCK_DGRAM, 0);
	EQUAL(setsockopt(sock, IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership,
			 sizeof(membership)),
	      0);

	pair_open(&p, IBV_QPT_UD, NULL);
	attr.grh.dgid = group;
	ah = ibv_create_ah(pd, &attr);
	CHECK(ah != NULL);
	EQUAL(ibv_attach_mcast(p.a.qp, &group, 0), 0);
	EQUAL(ibv_attach_mcast(p.b.qp, &group, 0), 0);

	fill(p.a.buf, 50, 1);
	EQUAL(post_recv(&p.a, 11, 1000, 1000), 0);
	EQUAL(post_recv(&p.b, 12, 1000, 1000), 0);
	if (ah) {
		struct ibv_wc wc;

		EQUAL(send_to(&p.a, ah, 0xffffff, 50, false), 0);
		expect(p.a.scq, 1, IBV_WC_SUCCESS, NULL);
		expect(p.a.rcq, 11, IBV_WC_SUCCESS, &wc);
		EQUAL(wc.byte_len, 50 + GRH_SIZE);
		expect(p.b.rcq, 12, IBV_WC_SUCCESS, &wc);
		EQUAL(wc.byte_len, 50 + GRH_SIZE);
		CHECK(filled(p.a.buf + 1000 + GRH_SIZE, 50, 1));
		CHECK(filled(p.b.buf + 1000 + GRH_SIZE, 50, 1));

		/* After b has left, only a hears. */
		EQUAL(ibv_detach_mcast(p.b.qp, &group, 0), 0);
		EQUAL(post_recv(&p.a, 13, 1000, 1000), 0);
		EQUAL(post_recv(&p.b, 14, 1000, 1000), 0);
		EQUAL(send_to(&p.a, ah, 0xffffff, 50, false), 0);
		expect(p.a.scq, 1, IBV_WC_SUCCESS, NULL);
		expect(p.a.rcq, 13, IBV_WC_SUCCESS, NULL);
		expect_nothing(p.b.rcq);
	}
	EQUAL(ibv_detach_mcast(p.a.qp, &group, 0), 0);
	CHECK(ibv_detach_mcast(p.a.qp, &group, 0) != 0);
	if (ah)
		EQUAL(ibv_destroy_ah(ah), 0);
	pair_close(&p);
	close(sock);
}
