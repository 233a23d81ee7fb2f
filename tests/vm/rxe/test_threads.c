// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Many threads on one QP and its CQs: nothing lost, nothing torn. */
#include <pthread.h>
#include <sched.h>

#include "world.h"

#define THREADS 4
#define EACH 150
#define TOTAL (THREADS * EACH)

static struct pair pair;
static unsigned char seen_send[TOTAL], seen_recv[TOTAL];
static int next_recv;

static void *sender(void *arg)
{
	int first = (int)(intptr_t)arg * EACH, i;

	for (i = first; i < first + EACH; i++) {
		uint64_t data[4] = { i, ~(uint64_t)i, i * 3, i * 5 };
		struct ibv_sge sge = {
			.addr = (uintptr_t)data,
			.length = sizeof(data),
		};
		struct ibv_send_wr wr = {
			.wr_id = i,
			.opcode = IBV_WR_SEND_WITH_IMM,
			.send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE,
			.imm_data = htobe32(i),
			.sg_list = &sge,
			.num_sge = 1,
		};
		int ret;

		while ((ret = post_send(&pair.a, &wr, NULL)) == ENOMEM)
			sched_yield();
		EQUAL(ret, 0);
	}
	return NULL;
}

static void *receiver(void *arg)
{
	int i;

	(void)arg;
	for (;;) {
		i = __atomic_fetch_add(&next_recv, 1, __ATOMIC_RELAXED);
		if (i >= TOTAL)
			return NULL;
		while (post_recv(&pair.b, i, i * 32, 32) == ENOMEM)
			sched_yield();
	}
}

static int left_send, left_recv;

static void *poller(void *arg)
{
	bool sends = arg;
	struct ibv_cq *cq = sends ? pair.a.scq : pair.b.rcq;
	unsigned char *seen = sends ? seen_send : seen_recv;
	int *left = sends ? &left_send : &left_recv;
	uint64_t end = now_ms() + 40000;
	struct ibv_wc wc;

	while (__atomic_load_n(left, __ATOMIC_RELAXED) > 0 && now_ms() < end) {
		if (poll_one(cq, &wc) != 1) {
			sched_yield();
			continue;
		}
		__atomic_fetch_sub(left, 1, __ATOMIC_RELAXED);
		EQUAL(wc.status, IBV_WC_SUCCESS);
		if (wc.wr_id < TOTAL)
			__atomic_fetch_add(&seen[wc.wr_id], 1,
					   __ATOMIC_RELAXED);
		if (!sends && wc.wr_id < TOTAL) {
			uint64_t data[4];
			uint64_t i = be32toh(wc.imm_data);

			memcpy(data, pair.b.buf + wc.wr_id * 32, 32);
			CHECK(data[0] == i && data[1] == ~i &&
			      data[2] == i * 3 && data[3] == i * 5);
		}
	}
	return NULL;
}

void test_threads(void)
{
	/* Senders wait for no poller: the CQs must hold all. */
	struct pair_options options = { .cqe = TOTAL };
	pthread_t threads[THREADS + 2 + 4];
	int i, n = 0, bad_sends = 0, bad_recvs = 0;

	/* A thread domain is the promise not to do this. */
	if (mode->domain)
		return;
	memset(seen_send, 0, sizeof(seen_send));
	memset(seen_recv, 0, sizeof(seen_recv));
	next_recv = 0;
	left_send = left_recv = TOTAL;
	pair_open(&pair, IBV_QPT_RC, &options);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[n++], NULL, sender,
			       (void *)(intptr_t)i);
	for (i = 0; i < 2; i++)
		pthread_create(&threads[n++], NULL, receiver, NULL);
	for (i = 0; i < 4; i++)
		pthread_create(&threads[n++], NULL, poller,
			       (void *)(intptr_t)(i & 1));
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < TOTAL; i++) {
		bad_sends += seen_send[i] != 1;
		bad_recvs += seen_recv[i] != 1;
	}
	EQUAL(bad_sends, 0);
	EQUAL(bad_recvs, 0);
	pair_close(&pair);
}
