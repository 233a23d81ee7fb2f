// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Flow rules, flow actions, counters. */
#include <string.h>

#include "kernel_script.h"
#include "priv.h"
#include "test_provider.h"
#include "uverbs/uverbs.h"

#define COUNT(_array) (sizeof(_array) / sizeof((_array)[0]))
#define CREATE_FLOW \
	(IB_USER_VERBS_EX_CMD_CREATE_FLOW | IB_USER_VERBS_CMD_FLAG_EXTENDED)

/* A program's rule and the kernel's, both built up spec by spec */
struct rule {
	struct {
		struct ibv_flow_attr attr;
		char specs[1024];
	} user;
	size_t user_len;
	struct {
		struct ib_uverbs_create_flow head;
		char specs[1024];
	} kernel;
	size_t kernel_len;
};

static void init_rule(struct rule *rule)
{
	memset(rule, 0, sizeof(*rule));
	rule->user.attr = (struct ibv_flow_attr){
		.comp_mask = 0,
		.type = IBV_FLOW_ATTR_SNIFFER,
		.priority = 0x1234,
		.port = 2,
		.flags = IBV_FLOW_ATTR_FLAGS_EGRESS,
	};
	rule->kernel.head = (struct ib_uverbs_create_flow){
		.qp_handle = 7,
		.flow_attr = { .type = IBV_FLOW_ATTR_SNIFFER,
			       .priority = 0x1234,
			       .port = 2,
			       .flags = IBV_FLOW_ATTR_FLAGS_EGRESS },
	};
}

static void add_user(struct rule *rule, const void *spec, size_t size)
{
	memcpy(rule->user.specs + rule->user_len, spec, size);
	rule->user_len += size;
	rule->user.attr.num_of_specs++;
}

static void add_kernel(struct rule *rule, const void *spec, size_t size)
{
	memcpy(rule->kernel.specs + rule->kernel_len, spec, size);
	rule->kernel_len += size;
	rule->kernel.head.flow_attr.num_of_specs++;
	rule->kernel.head.flow_attr.size = rule->kernel_len;
}

static int create(struct ibv_context *context, struct rule *rule,
		  struct ibv_flow *flow)
{
	struct ibv_qp qp = { .context = context, .handle = 7 };

	return ibv_cmd_create_flow(&qp, flow, &rule->user.attr, NULL, 0);
}

static void check_created(struct ibv_context *context, struct rule *rule)
{
	const struct ib_uverbs_create_flow_resp resp = { .flow_handle = 99 };
	struct ibv_flow flow = { 0 };

	kernel_expect_write(CREATE_FLOW, &rule->kernel,
			    sizeof(rule->kernel.head) + rule->kernel_len, &resp,
			    sizeof(resp));
	assert_int_equal(create(context, rule, &flow), 0);
	assert_int_equal(flow.handle, 99);
	assert_ptr_equal(flow.context, context);
}

static void check_refused(struct ibv_context *context, struct rule *rule,
			  int err)
{
	struct ibv_flow flow = { .handle = 5 };

	errno = 0;
	assert_int_equal(create(context, rule, &flow), err);
	assert_int_equal(errno, err);
	assert_int_equal(flow.handle, 5);
	assert_null(flow.context);
}

static void fill(void *to, size_t len, unsigned char from)
{
	for (size_t i = 0; i < len; i++)
		((unsigned char *)to)[i] = from + i;
}

/* A spec of each kind with a value and a mask, and what becomes of it */
#define BOTH(_rule, _user, _kernel, _type, _inner)              \
	do {                                                    \
		struct ibv_flow_spec_##_user u = { 0 };         \
		struct ib_uverbs_flow_spec_##_kernel k = { 0 }; \
                                                                \
		u.type = (_type) | (_inner);                    \
		u.size = sizeof(u);                             \
		k.type = ((_type) == IBV_FLOW_SPEC_IPV4_EXT     \
				  ? IBV_FLOW_SPEC_IPV4          \
				  : (_type)) |                  \
			 (_inner);                              \
		k.size = sizeof(k);                             \
		fill(&u.val, sizeof(u.val), 1);                 \
		fill(&u.mask, sizeof(u.mask), 101);             \
		memcpy(&k.val, &u.val, sizeof(u.val));          \
		memcpy(&k.mask, &u.mask, sizeof(u.mask));       \
		add_user(_rule, &u, sizeof(u));                 \
		add_kernel(_rule, &k, sizeof(k));               \
	} while (0)

/* IPv4's filter is shorter in public than in the kernel. */
static void add_ipv4(struct rule *rule, uint32_t inner)
{
	struct ibv_flow_spec_ipv4 u = {
		.type = IBV_FLOW_SPEC_IPV4 | inner,
		.size = sizeof(u),
		.val = { 1, 2 },
		.mask = { 3, 4 },
	};
	const struct {
		uint32_t type;
		uint16_t size, reserved;
		uint32_t val[2], mask[2];
	} k = { IBV_FLOW_SPEC_IPV4 | inner, 24, 0, { 1, 2 }, { 3, 4 } };

	add_user(rule, &u, sizeof(u));
	add_kernel(rule, &k, sizeof(k));
}

/* Of IPv6's forty bytes the last is padding in public. */
static void add_ipv6(struct rule *rule, uint32_t inner)
{
	struct ibv_flow_spec_ipv6 u = { .type = IBV_FLOW_SPEC_IPV6 | inner,
					.size = sizeof(u) };
	struct ib_uverbs_flow_spec_ipv6 k = { 0 };

	fill(&u.val, 39, 1);
	fill(&u.mask, 39, 101);
	k.type = IBV_FLOW_SPEC_IPV6 | inner;
	k.size = sizeof(k);
	memcpy(&k.val, &u.val, 39);
	memcpy(&k.mask, &u.mask, 39);
	add_user(rule, &u, sizeof(u));
	add_kernel(rule, &k, sizeof(k));
}

static void add_filters(struct rule *rule, uint32_t inner)
{
	BOTH(rule, eth, eth, IBV_FLOW_SPEC_ETH, inner);
	add_ipv4(rule, inner);
	BOTH(rule, ipv4_ext, ipv4, IBV_FLOW_SPEC_IPV4_EXT, inner);
	add_ipv6(rule, inner);
	BOTH(rule, esp, esp, IBV_FLOW_SPEC_ESP, inner);
	BOTH(rule, tcp_udp, tcp_udp, IBV_FLOW_SPEC_TCP, inner);
	BOTH(rule, tcp_udp, tcp_udp, IBV_FLOW_SPEC_UDP, inner);
	BOTH(rule, mpls, mpls, IBV_FLOW_SPEC_MPLS, inner);
}

static void filters_become_the_kernels(void **state)
{
	struct rule rule;

	init_rule(&rule);
	check_created(*state, &rule);
	add_filters(&rule, 0);
	BOTH(&rule, gre, gre, IBV_FLOW_SPEC_GRE, 0);
	BOTH(&rule, tunnel, tunnel, IBV_FLOW_SPEC_VXLAN_TUNNEL, 0);
	check_created(*state, &rule);

	init_rule(&rule);
	add_filters(&rule, IBV_FLOW_SPEC_INNER);
	check_created(*state, &rule);
}

static void actions_become_the_kernels(void **state)
{
	struct verbs_flow_action action = { .handle = 33 };
	struct verbs_counters counters = { .handle = 44 };
	struct ibv_flow_spec_tcp_udp odd = { .type = IBV_FLOW_SPEC_TCP,
					     .size = sizeof(odd) };
	struct ib_uverbs_flow_spec_tcp_udp k_odd = { 0 };
	struct ibv_flow_spec_action_tag tag = {
		.type = IBV_FLOW_SPEC_ACTION_TAG,
		.size = sizeof(tag),
		.tag_id = 0x12345678,
	};
	struct ibv_flow_spec_action_drop drop = {
		.type = IBV_FLOW_SPEC_ACTION_DROP,
		.size = sizeof(drop),
	};
	struct ibv_flow_spec_action_handle handle = {
		.type = IBV_FLOW_SPEC_ACTION_HANDLE,
		.size = sizeof(handle),
		.action = &action.action,
	};
	struct ibv_flow_spec_counter_action count = {
		.type = IBV_FLOW_SPEC_ACTION_COUNT,
		.size = sizeof(count),
		.counters = &counters.counters,
	};
	const uint32_t k_tag[] = { IBV_FLOW_SPEC_ACTION_TAG, 16, 0x12345678,
				   0 };
	const uint32_t k_drop[] = { IBV_FLOW_SPEC_ACTION_DROP, 8 };
	const uint32_t k_handle[] = { IBV_FLOW_SPEC_ACTION_HANDLE, 16, 33, 0 };
	const uint32_t k_count[] = { IBV_FLOW_SPEC_ACTION_COUNT, 16, 44, 0 };
	struct rule rule;

	k_odd.type = IBV_FLOW_SPEC_TCP;
	k_odd.size = sizeof(k_odd);
	init_rule(&rule);
	add_user(&rule, &tag, sizeof(tag));
	add_kernel(&rule, k_tag, sizeof(k_tag));
	add_user(&rule, &drop, sizeof(drop));
	add_kernel(&rule, k_drop, sizeof(k_drop));
	add_user(&rule, &handle, sizeof(handle));
	add_kernel(&rule, k_handle, sizeof(k_handle));
	add_user(&rule, &odd, sizeof(odd));
	add_kernel(&rule, &k_odd, sizeof(k_odd));
	add_user(&rule, &count, sizeof(count));
	add_kernel(&rule, k_count, sizeof(k_count));
	check_created(*state, &rule);
}

static void inner_is_only_for_what_can_be_inner(void **state)
{
	static const uint32_t outer_only[] = {
		IBV_FLOW_SPEC_GRE,	     IBV_FLOW_SPEC_VXLAN_TUNNEL,
		IBV_FLOW_SPEC_ACTION_TAG,    IBV_FLOW_SPEC_ACTION_DROP,
		IBV_FLOW_SPEC_ACTION_HANDLE, IBV_FLOW_SPEC_ACTION_COUNT,
	};

	for (size_t i = 0; i < COUNT(outer_only); i++) {
		struct {
			uint32_t type;
			uint16_t size;
			char rest[26];
		} spec = { .type = outer_only[i] | IBV_FLOW_SPEC_INNER,
			   .size = sizeof(spec) };
		struct rule rule;

		init_rule(&rule);
		add_user(&rule, &spec, sizeof(spec));
		check_refused(*state, &rule, EINVAL);
	}
}

/* ---- filters of another size than we know ---- */

static const struct {
	uint32_t type;
	size_t known;
} sized[] = {
	{ IBV_FLOW_SPEC_IPV4_EXT, 12 },
	{ IBV_FLOW_SPEC_IPV6, 39 },
	{ IBV_FLOW_SPEC_VXLAN_TUNNEL, 4 },
};

static void sized_filters_may_grow(void **state)
{
	for (size_t i = 0; i < COUNT(sized); i++) {
		for (size_t len = 0; len < sized[i].known + 9; len++) {
			char spec[8 + 2 * 64] = { 0 };
			const uint16_t size = 8 + 2 * len;
			struct ibv_flow flow = { 0 };
			struct rule rule;

			memcpy(spec, &sized[i].type, 4);
			memcpy(spec + 4, &size, 2);
			init_rule(&rule);
			/* Values that we do not know do not matter, ... */
			memset(spec + 8, 0xff, len);
			add_user(&rule, spec, size);
			if (len < sized[i].known) {
				check_refused(*state, &rule, EINVAL);
				continue;
			}
			kernel_expect_write(CREATE_FLOW, NULL,
					    24 + 8 +
						    2 * ((sized[i].known + 3) &
							 ~3ul),
					    NULL, 8);
			assert_int_equal(create(*state, &rule, &flow), 0);

			/* ... unless the mask asks for them. */
			for (size_t at = sized[i].known; at < len; at++) {
				rule.user.specs[8 + len + at] = 1;
				check_refused(*state, &rule, EOPNOTSUPP);
				rule.user.specs[8 + len + at] = 0;
			}
		}
	}
}

static void absurd_specs_are_refused(void **state)
{
	struct rule rule;

	/* 255 specs of type 0 and size 0 */
	init_rule(&rule);
	rule.user.attr.num_of_specs = 255;
	check_refused(*state, &rule, EINVAL);

	for (uint16_t size = 0; size < 8; size++) {
		struct {
			uint32_t type;
			uint16_t size;
			char rest[10];
		} spec = { .type = IBV_FLOW_SPEC_IPV6, .size = size };

		init_rule(&rule);
		add_user(&rule, &spec, sizeof(spec));
		check_refused(*state, &rule, EINVAL);
	}
}

static void the_kernels_error_leaves_the_flow(void **state)
{
	struct ibv_flow flow = { .handle = 5 };
	struct rule rule;

	init_rule(&rule);
	kernel_fails(kernel_expect_write(CREATE_FLOW, &rule.kernel, 24, NULL,
					 8),
		     ENOSPC);
	assert_int_equal(create(*state, &rule, &flow), ENOSPC);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(flow.handle, 5);
	assert_null(flow.context);
}

/* ---- flow actions ---- */

static void only_parts_that_are_there_are_sent(void **state)
{
	struct ib_uverbs_flow_action_esp_keymat_aes_gcm keymat;
	struct ib_uverbs_flow_action_esp_replay_bmp replay = { .size = 64 };
	struct ib_uverbs_flow_action_esp_encap encap;
	struct ib_uverbs_flow_action_esp esp;

	fill(&keymat, sizeof(keymat), 1);
	fill(&encap, sizeof(encap), 2);
	fill(&esp, sizeof(esp), 3);
	for (unsigned int parts = 0; parts < 32; parts++) {
		struct ibv_flow_action_esp_attr attr = {
			.comp_mask =
				parts & 1 ? IBV_FLOW_ACTION_ESP_MASK_ESN : 0,
			.esn = 0x1234,
			.keymat_proto = 0,
			.keymat_len = sizeof(keymat),
			.keymat_ptr = parts & 2 ? &keymat : NULL,
			.replay_proto = IB_UVERBS_FLOW_ACTION_ESP_REPLAY_BMP,
			.replay_len = sizeof(replay),
			.replay_ptr = parts & 4 ? &replay : NULL,
			.esp_encap = parts & 8 ? &encap : NULL,
			.esp_attr = parts & 16 ? &esp : NULL,
		};
		struct verbs_flow_action action = { 0 };

		for (int modify = 0; modify < 2; modify++) {
			struct kernel_call *call = kernel_expect(
				UVERBS_OBJECT_FLOW_ACTION,
				modify ? UVERBS_METHOD_FLOW_ACTION_ESP_MODIFY
				       : UVERBS_METHOD_FLOW_ACTION_ESP_CREATE);

			if (modify)
				kernel_handle(
					call,
					UVERBS_ATTR_MODIFY_FLOW_ACTION_ESP_HANDLE,
					77);
			else
				kernel_new(
					call,
					UVERBS_ATTR_CREATE_FLOW_ACTION_ESP_HANDLE,
					77);
			if (parts & 1)
				kernel_u32(call,
					   UVERBS_ATTR_FLOW_ACTION_ESP_ESN,
					   0x1234);
			if (parts & 2)
				kernel_enum(call,
					    UVERBS_ATTR_FLOW_ACTION_ESP_KEYMAT,
					    0, &keymat, sizeof(keymat));
			if (parts & 4)
				kernel_enum(call,
					    UVERBS_ATTR_FLOW_ACTION_ESP_REPLAY,
					    1, &replay, sizeof(replay));
			if (parts & 8)
				kernel_in(call,
					  UVERBS_ATTR_FLOW_ACTION_ESP_ENCAP,
					  &encap, sizeof(encap));
			if (parts & 16)
				kernel_in(call,
					  UVERBS_ATTR_FLOW_ACTION_ESP_ATTRS,
					  &esp, sizeof(esp));
			if (modify) {
				assert_int_equal(ibv_cmd_modify_flow_action_esp(
							 &action, &attr, NULL),
						 0);
			} else {
				assert_int_equal(ibv_cmd_create_flow_action_esp(
							 *state, &attr, &action,
							 NULL),
						 0);
				assert_int_equal(action.handle, 77);
				assert_int_equal(action.type,
						 IBV_FLOW_ACTION_ESP);
				assert_ptr_equal(action.action.context, *state);
			}
		}
	}
}

static void counters_are_read_into_the_callers_array(void **state)
{
	struct verbs_counters counters = { .counters.context = *state,
					   .handle = 9 };
	const uint64_t told[3] = { 1ull << 60, 2, 3 };
	uint64_t values[4] = { 0, 0, 0, 55 };
	struct kernel_call *call = kernel_expect(UVERBS_OBJECT_COUNTERS,
						 UVERBS_METHOD_COUNTERS_READ);

	kernel_handle(call, UVERBS_ATTR_READ_COUNTERS_HANDLE, 9);
	kernel_out(call, UVERBS_ATTR_READ_COUNTERS_BUFF, sizeof(told), told,
		   sizeof(told));
	kernel_u32(call, UVERBS_ATTR_READ_COUNTERS_FLAGS, 1);
	assert_int_equal(ibv_cmd_read_counters(&counters, values, 3, 1, NULL),
			 0);
	assert_memory_equal(values, told, sizeof(told));
	assert_int_equal(values[3], 55);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		kernel_test(filters_become_the_kernels),
		kernel_test(actions_become_the_kernels),
		kernel_test(inner_is_only_for_what_can_be_inner),
		kernel_test(sized_filters_may_grow),
		kernel_test(absurd_specs_are_refused),
		kernel_test(the_kernels_error_leaves_the_flow),
		kernel_test(only_parts_that_are_there_are_sent),
		kernel_test(counters_are_read_into_the_callers_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
