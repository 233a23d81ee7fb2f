// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Where each operation of a context is kept, and what an operation does that
 * no provider has set.  The table is written in bytes, as plug-ins and programs
 * were compiled: it must not follow the library's own structs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device/context_ops.h"
#include "kernel_script.h"
#include "priv.h"
#include "test_provider.h"

typedef void (*any_function)(void);

enum by_default { ERRNO, NONE, NOTHING, ZERO, REREG };

/* Offsets in struct verbs_context; the old table of ibv_context is at 328. */
#define EXTENDED(_offset) (_offset)
#define CONTEXT(_offset) (328 + (_offset))

static const struct {
	const char *name;
	size_t offset;
	enum by_default by_default;
	int public_offset;
} table[] = {
	/* clang-format off */
	{ "advise_mr", 0, ERRNO, EXTENDED(8) },
	{ "alloc_dm", 8, NONE, EXTENDED(64) },
	{ "alloc_mw", 16, NONE, CONTEXT(56) },
	{ "alloc_null_mr", 24, NONE, EXTENDED(16) },
	{ "alloc_parent_domain", 32, NONE, EXTENDED(112) },
	{ "alloc_pd", 40, NONE, CONTEXT(16) },
	{ "alloc_td", 48, NONE, EXTENDED(128) },
	{ "async_event", 56, NOTHING, CONTEXT(248) },
	{ "attach_counters_point_flow", 64, ERRNO, EXTENDED(32) },
	{ "attach_mcast", 72, ERRNO, CONTEXT(232) },
	{ "bind_mw", 80, ERRNO, CONTEXT(64) },
	{ "close_xrcd", 88, ERRNO, EXTENDED(296) },
	{ "cq_event", 96, NOTHING, CONTEXT(104) },
	{ "create_ah", 104, NONE, CONTEXT(216) },
	{ "create_counters", 112, NONE, EXTENDED(40) },
	{ "create_cq", 120, NONE, CONTEXT(80) },
	{ "create_cq_ex", 128, NONE, -1 },
	{ "create_flow", 136, NONE, EXTENDED(240) },
	{ "create_flow_action_esp", 144, NONE, EXTENDED(96) },
	{ "create_qp", 152, NONE, CONTEXT(168) },
	{ "create_qp_ex", 160, NONE, EXTENDED(264) },
	{ "create_rwq_ind_table", 168, NONE, EXTENDED(160) },
	{ "create_srq", 176, NONE, CONTEXT(128) },
	{ "create_srq_ex", 184, NONE, EXTENDED(280) },
	{ "create_wq", 192, NONE, EXTENDED(184) },
	{ "dealloc_mw", 200, ERRNO, CONTEXT(72) },
	{ "dealloc_pd", 208, ERRNO, CONTEXT(24) },
	{ "dealloc_td", 216, ERRNO, EXTENDED(120) },
	{ "dereg_mr", 224, ERRNO, CONTEXT(48) },
	{ "destroy_ah", 232, ERRNO, CONTEXT(224) },
	{ "destroy_counters", 240, ERRNO, EXTENDED(48) },
	{ "destroy_cq", 248, ERRNO, CONTEXT(120) },
	{ "destroy_flow", 256, ERRNO, EXTENDED(224) },
	{ "destroy_flow_action", 264, ERRNO, EXTENDED(88) },
	{ "destroy_qp", 272, ERRNO, CONTEXT(192) },
	{ "destroy_rwq_ind_table", 280, ERRNO, EXTENDED(152) },
	{ "destroy_srq", 288, ERRNO, CONTEXT(152) },
	{ "destroy_wq", 296, ERRNO, EXTENDED(168) },
	{ "detach_mcast", 304, ERRNO, CONTEXT(240) },
	{ "free_context", 312, NOTHING, -1 },
	{ "free_dm", 320, ERRNO, EXTENDED(72) },
	{ "get_srq_num", 328, ERRNO, EXTENDED(272) },
	{ "import_dm", 336, NONE, -1 },
	{ "import_mr", 344, NONE, -1 },
	{ "import_pd", 352, NONE, -1 },
	{ "modify_cq", 360, ERRNO, EXTENDED(136) },
	{ "modify_flow_action_esp", 368, ERRNO, EXTENDED(80) },
	{ "modify_qp", 376, ERRNO, CONTEXT(184) },
	{ "modify_qp_rate_limit", 384, ERRNO, EXTENDED(104) },
	{ "modify_srq", 392, ERRNO, CONTEXT(136) },
	{ "modify_wq", 400, ERRNO, EXTENDED(176) },
	{ "open_qp", 408, NONE, EXTENDED(256) },
	{ "open_xrcd", 416, NONE, EXTENDED(288) },
	{ "poll_cq", 424, ERRNO, CONTEXT(88) },
	{ "post_recv", 432, ERRNO, CONTEXT(208) },
	{ "post_send", 440, ERRNO, CONTEXT(200) },
	{ "post_srq_ops", 448, ERRNO, EXTENDED(144) },
	{ "post_srq_recv", 456, ERRNO, CONTEXT(160) },
	{ "query_device_ex", 464, ERRNO, EXTENDED(216) },
	{ "query_ece", 472, ERRNO, -1 },
	{ "query_port", 480, ERRNO, -1 },
	{ "query_qp", 488, ERRNO, CONTEXT(176) },
	{ "query_qp_data_in_order", 496, ZERO, -1 },
	{ "query_rt_values", 504, ERRNO, EXTENDED(192) },
	{ "query_srq", 512, ERRNO, CONTEXT(144) },
	{ "read_counters", 520, ERRNO, EXTENDED(24) },
	{ "reg_dm_mr", 528, NONE, EXTENDED(56) },
	{ "reg_dmabuf_mr", 536, NONE, -1 },
	{ "reg_mr", 544, NONE, CONTEXT(32) },
	{ "req_notify_cq", 552, ERRNO, CONTEXT(96) },
	{ "rereg_mr", 560, REREG, CONTEXT(40) },
	{ "resize_cq", 568, ERRNO, CONTEXT(112) },
	{ "set_ece", 576, ERRNO, -1 },
	{ "unimport_dm", 584, NOTHING, -1 },
	{ "unimport_mr", 592, NOTHING, -1 },
	{ "unimport_pd", 600, NOTHING, -1 },
	/* clang-format on */
};

#define NUM_OPS 76

_Static_assert(sizeof(table) / sizeof(table[0]) == NUM_OPS, "all operations");
_Static_assert(sizeof(struct verbs_context_ops) == NUM_OPS * sizeof(void *),
	       "no more");

static struct ibv_device *device(void)
{
	static const struct verbs_device_ops ops;
	static struct verbs_device vdev = { .ops = &ops };

	atomic_init(&vdev.refcount, 1);
	return &vdev.device;
}

static struct verbs_context *new_context(void)
{
	struct verbs_context *vctx =
		_verbs_init_and_alloc_context(device(), -1, sizeof(*vctx), NULL,
					      RDMA_DRIVER_UNKNOWN);

	assert_non_null(vctx);
	return vctx;
}

static void free_new_context(struct verbs_context *vctx)
{
	verbs_uninit_context(vctx);
	free(vctx);
}

static any_function load(const void *base, size_t offset)
{
	any_function function;

	memcpy(&function, (const char *)base + offset, sizeof(function));
	return function;
}

static void each_op_has_its_places(void **state)
{
	struct verbs_context *vctx = new_context();
	char before[sizeof(*vctx)], priv_before[sizeof(*vctx->priv)];
	size_t i, j;

	(void)state;
	for (i = 0; i < NUM_OPS; i++) {
		any_function fake = (any_function)(uintptr_t)(0x1000 + i);
		struct verbs_context_ops ops = {};
		size_t changed = 0, priv_changed = 0;

		memcpy((char *)&ops + table[i].offset, &fake, sizeof(fake));
		memcpy(before, vctx, sizeof(before));
		memcpy(priv_before, vctx->priv, sizeof(priv_before));
		verbs_set_ops(vctx, &ops);

		assert_ptr_equal(load(&vctx->priv->ops, table[i].offset), fake);
		if (table[i].public_offset >= 0)
			assert_ptr_equal(load(vctx, table[i].public_offset),
					 fake);

		/* And nothing else is touched. */
		for (j = 0; j + sizeof(fake) <= sizeof(before);
		     j += sizeof(fake))
			changed += !!memcmp((char *)vctx + j, before + j,
					    sizeof(fake));
		for (j = 0; j + sizeof(fake) <= sizeof(priv_before);
		     j += sizeof(fake))
			priv_changed += !!memcmp((char *)vctx->priv + j,
						 priv_before + j, sizeof(fake));
		if (changed != (table[i].public_offset >= 0) ||
		    priv_changed != 1)
			fail_msg("%s: %zu public slots, %zu private ones",
				 table[i].name, changed, priv_changed);
	}
	free_new_context(vctx);
}

static void assert_default(size_t i, any_function function)
{
	errno = 1234;
	switch (table[i].by_default) {
	case ERRNO:
		assert_int_equal(((int (*)(void))function)(), EOPNOTSUPP);
		assert_int_equal(errno, 1234);
		break;
	case NONE:
		assert_null(((void *(*)(void))function)());
		assert_int_equal(errno, EOPNOTSUPP);
		break;
	case NOTHING:
		function();
		assert_int_equal(errno, 1234);
		break;
	case ZERO:
		assert_int_equal(((int (*)(void))function)(), 0);
		assert_int_equal(errno, 1234);
		break;
	case REREG:
		assert_int_equal(((int (*)(void))function)(), -1);
		assert_int_equal(errno, EOPNOTSUPP);
		break;
	}
}

static void defaults(void **state)
{
	struct verbs_context *vctx = new_context();
	size_t i;

	(void)state;
	for (i = 0; i < NUM_OPS; i++) {
		assert_default(i, load(&vctx->priv->ops, table[i].offset));
		if (table[i].public_offset >= 0)
			assert_default(i, load(vctx, table[i].public_offset));
	}
	free_new_context(vctx);
}

static int poll_one(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc)
{
	(void)cq;
	(void)num_entries;
	(void)wc;
	return 1;
}

static void null_members_keep_what_was_there(void **state)
{
	const struct verbs_context_ops first = { .poll_cq = poll_one };
	const struct verbs_context_ops second = {};
	struct verbs_context *vctx = new_context();

	(void)state;
	verbs_set_ops(vctx, &first);
	verbs_set_ops(vctx, &second);
	assert_ptr_equal(vctx->priv->ops.poll_cq, poll_one);
	assert_ptr_equal(vctx->context.ops.poll_cq, poll_one);
	free_new_context(vctx);
}

static void a_fresh_context(void **state)
{
	struct ibv_device *dev = device();
	struct verbs_device *vdev = verbs_get_device(dev);
	struct {
		char own[40];
		struct verbs_context vctx;
		char tail[8];
	} * provider;

	(void)state;
	provider = _verbs_init_and_alloc_context(
		dev, -1, sizeof(*provider),
		(void *)offsetof(typeof(*provider), vctx), RDMA_DRIVER_RXE);
	assert_non_null(provider);
	assert_int_equal(provider->vctx.sz, 648);
	assert_ptr_equal(provider->vctx.context.device, dev);
	assert_int_equal(provider->vctx.context.cmd_fd, -1);
	assert_int_equal(provider->vctx.context.async_fd, -1);
	assert_ptr_equal(provider->vctx.context.abi_compat, (void *)-1);
	assert_int_equal(provider->vctx.priv->driver_id, RDMA_DRIVER_RXE);
	assert_false(provider->vctx.priv->imported);
	assert_int_equal(pthread_mutex_trylock(&provider->vctx.context.mutex),
			 0);
	pthread_mutex_unlock(&provider->vctx.context.mutex);
	assert_int_equal(atomic_load(&vdev->refcount), 2);
	verbs_uninit_context(&provider->vctx);
	assert_int_equal(atomic_load(&vdev->refcount), 1);
	free(provider);
}

/* ---- slots that the library fills itself ---- */

static struct ibv_port_attr seen_port;
static int port_result;

static int query_port(struct ibv_context *context, uint8_t port_num,
		      struct ibv_port_attr *attr)
{
	(void)context;
	seen_port = *attr;
	memset(attr, 0x5a, sizeof(*attr));
	attr->lid = port_num;
	return port_result;
}

static void query_port_by_size(void **state)
{
	const struct verbs_context_ops ops = { .query_port = query_port };
	const struct ibv_port_attr zero = {};
	struct verbs_context *vctx = new_context();
	struct {
		struct ibv_port_attr attr;
		uint8_t guard[16];
	} out;
	size_t size;

	(void)state;
	assert_int_equal(sizeof(zero), 52);
	verbs_set_ops(vctx, &ops);
	set_library_slots(vctx);
	for (size = 0; size <= sizeof(out); size++) {
		size_t written = size < sizeof(zero) ? size : sizeof(zero), i;

		memset(&out, 0xee, sizeof(out));
		port_result = 0;
		assert_int_equal(vctx->query_port(&vctx->context, 3, &out.attr,
						  size),
				 0);
		assert_memory_equal(&seen_port, &zero, sizeof(zero));
		for (i = 0; i < sizeof(out); i++) {
			uint8_t byte = ((uint8_t *)&out)[i];

			if (i / 2 == offsetof(struct ibv_port_attr, lid) / 2)
				continue;
			assert_int_equal(byte, i < written ? 0x5a
					       : i < size  ? 0
							   : 0xee);
		}
	}
	memset(&out, 0xee, sizeof(out));
	port_result = EBUSY;
	assert_int_equal(vctx->query_port(&vctx->context, 3, &out.attr, 48),
			 EBUSY);
	assert_int_equal(out.guard[0], 0xee);
	assert_int_equal(((uint8_t *)&out)[0], 0xee);
	free_new_context(vctx);
}

static struct ibv_cq_ex test_cq;

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context,
				      struct ibv_cq_init_attr_ex *attr)
{
	(void)context;
	memset(&test_cq, 0xee, sizeof(test_cq));
	return attr->cqe ? &test_cq : NULL;
}

static void create_cq_ex_completes_the_cq(void **state)
{
	const struct verbs_context_ops ops = { .create_cq_ex = create_cq_ex };
	struct verbs_context *vctx = new_context();
	struct ibv_comp_channel channel = { .refcnt = 3 };
	struct ibv_cq_init_attr_ex attr = {
		.cqe = 1,
		.channel = &channel,
		.cq_context = state,
		.wc_flags = IBV_CREATE_CQ_SUP_WC_FLAGS,
	};
	struct ibv_cq *cq = ibv_cq_ex_to_cq(&test_cq);

	verbs_set_ops(vctx, &ops);
	set_library_slots(vctx);
	assert_ptr_equal(vctx->create_cq_ex(&vctx->context, &attr), &test_cq);
	assert_ptr_equal(cq->context, &vctx->context);
	assert_ptr_equal(cq->channel, &channel);
	assert_ptr_equal(cq->cq_context, state);
	assert_int_equal(cq->comp_events_completed, 0);
	assert_int_equal(cq->async_events_completed, 0);
	assert_int_equal(pthread_mutex_trylock(&cq->mutex), 0);
	assert_int_equal(channel.refcnt, 4);

	attr.channel = NULL;
	assert_ptr_equal(vctx->create_cq_ex(&vctx->context, &attr), &test_cq);
	assert_null(cq->channel);

	attr.channel = &channel;
	attr.cqe = 0;
	assert_null(vctx->create_cq_ex(&vctx->context, &attr));
	attr.cqe = 1;
	attr.wc_flags = IBV_CREATE_CQ_SUP_WC_FLAGS + 1;
	errno = 0;
	assert_null(vctx->create_cq_ex(&vctx->context, &attr));
	assert_int_equal(errno, EOPNOTSUPP);
	attr.wc_flags = 1ull << 63;
	assert_null(vctx->create_cq_ex(&vctx->context, &attr));
	assert_int_equal(channel.refcnt, 4);
	free_new_context(vctx);
}

static void old_flow_slots(void **state)
{
	struct verbs_context *vctx = new_context();

	(void)state;
	set_library_slots(vctx);
	assert_ptr_equal(load(vctx, 248), load(vctx, 240));
	assert_ptr_equal(load(vctx, 232), load(vctx, 224));
	assert_non_null(load(vctx, 232));
	assert_non_null(vctx->context.ops._compat_query_device);
	assert_non_null(vctx->context.ops._compat_query_port);
	free_new_context(vctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_op_has_its_places),
		cmocka_unit_test(defaults),
		cmocka_unit_test(null_members_keep_what_was_there),
		cmocka_unit_test(a_fresh_context),
		cmocka_unit_test(query_port_by_size),
		cmocka_unit_test(create_cq_ex_completes_the_cq),
		cmocka_unit_test(old_flow_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
