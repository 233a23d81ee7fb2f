// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Flow steering rules.  The program's specs stand packed behind its
 * ibv_flow_attr; the kernel's are alike but not the same: they are aligned to
 * eight bytes, name objects by handle, and some have more members.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "uverbs/request.h"

enum {
	SPEC_HEADER = sizeof(struct ib_uverbs_flow_spec_hdr),
	LARGEST_SPEC = sizeof(struct ib_uverbs_flow_spec_ipv6),
};

/* How a program's spec of value and mask becomes the kernel's */
struct filter_spec {
	uint32_t type; /* the program's */
	uint32_t kernel_type;
	uint8_t offset;	    /* of the value in the program's spec */
	uint8_t known;	    /* bytes of the value that both sides know */
	uint8_t kernel_len; /* of the value in the kernel's spec */
	bool may_be_inner;
	bool sized; /* the spec's size tells that of its value and mask */
};

#define FILTER(_type, _kernel_type, _struct, _known, _kernel_len, _inner, \
	       _sized)                                                    \
	{                                                                 \
		.type = IBV_FLOW_SPEC_##_type,                            \
		.kernel_type = IBV_FLOW_SPEC_##_kernel_type,              \
		.offset = offsetof(struct ibv_flow_spec_##_struct, val),  \
		.known = _known, .kernel_len = _kernel_len,               \
		.may_be_inner = _inner, .sized = _sized                   \
	}

static const struct filter_spec filter_specs[] = {
	FILTER(ETH, ETH, eth, 16, 16, true, false),
	/* The kernel's spec has more members; its size says that they end. */
	FILTER(IPV4, IPV4, ipv4, 8, 8, true, false),
	FILTER(IPV4_EXT, IPV4, ipv4_ext, 12, 12, true, true),
	FILTER(IPV6, IPV6, ipv6, 39, 40, true, true),
	FILTER(ESP, ESP, esp, 8, 8, true, false),
	FILTER(TCP, TCP, tcp_udp, 4, 4, true, false),
	FILTER(UDP, UDP, tcp_udp, 4, 4, true, false),
	FILTER(GRE, GRE, gre, 8, 8, false, false),
	FILTER(MPLS, MPLS, mpls, 4, 4, true, false),
	FILTER(VXLAN_TUNNEL, VXLAN_TUNNEL, tunnel, 4, 4, false, true),
};

static const struct filter_spec *find_filter(uint32_t type)
{
	uint32_t outer = type & ~IBV_FLOW_SPEC_INNER;

	for (size_t i = 0; i < array_size(filter_specs); i++) {
		const struct filter_spec *spec = &filter_specs[i];

		if (spec->type == outer &&
		    (spec->may_be_inner || outer == type))
			return spec;
	}
	return NULL;
}

static bool is_zero(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i])
			return false;
	return true;
}

static void put_header(char *to, uint32_t type, uint16_t size)
{
	const struct ib_uverbs_flow_spec_hdr hdr = { .type = type,
						     .size = size };

	memcpy(to, &hdr, sizeof(hdr));
}

static int convert_filter(char *to, const char *from, uint16_t size,
			  uint32_t type, const struct filter_spec *spec)
{
	const char *val = from + spec->offset;
	/* The usual structs end the value and the mask with no padding. */
	size_t len = spec->known;

	if (spec->sized) {
		if (size < spec->offset)
			return EINVAL;
		len = (size - spec->offset) / 2;
		if (len < spec->known)
			return EINVAL;
		/* What we do not know may be there if nobody asks for it. */
		if (!is_zero(val + len + spec->known, len - spec->known))
			return EOPNOTSUPP;
	}
	put_header(to, spec->kernel_type | (type & IBV_FLOW_SPEC_INNER),
		   SPEC_HEADER + 2 * spec->kernel_len);
	memcpy(to + SPEC_HEADER, val, spec->known);
	memcpy(to + SPEC_HEADER + spec->kernel_len, val + len, spec->known);
	return 0;
}

static uint32_t action_handle(const struct ibv_flow_action *action)
{
	return container_of(action, struct verbs_flow_action, action)->handle;
}

static uint32_t counters_handle(const struct ibv_counters *counters)
{
	return container_of(counters, struct verbs_counters, counters)->handle;
}

/* An action is a number, or none. */
static int convert_action(char *to, const char *from, uint32_t type)
{
	uint32_t value;

	switch (type) {
	case IBV_FLOW_SPEC_ACTION_TAG:
		value = ((const struct ibv_flow_spec_action_tag *)from)->tag_id;
		break;
	case IBV_FLOW_SPEC_ACTION_HANDLE: {
		struct ibv_flow_spec_action_handle spec;

		/* Specs of other lengths before it leave it unaligned. */
		memcpy(&spec, from, sizeof(spec));
		value = action_handle(spec.action);
		break;
	}
	case IBV_FLOW_SPEC_ACTION_COUNT: {
		struct ibv_flow_spec_counter_action spec;

		memcpy(&spec, from, sizeof(spec));
		value = counters_handle(spec.counters);
		break;
	}
	case IBV_FLOW_SPEC_ACTION_DROP:
		put_header(to, type,
			   sizeof(struct ib_uverbs_flow_spec_action_drop));
		return 0;
	default:
		return EINVAL;
	}
	put_header(to, type, sizeof(struct ib_uverbs_flow_spec_action_tag));
	memcpy(to + SPEC_HEADER, &value, sizeof(value));
	return 0;
}

/* to: LARGEST_SPEC zeroed bytes for each spec; *len: what they take */
static int convert_specs(char *to, size_t *len,
			 const struct ibv_flow_attr *attr)
{
	const char *from = (const char *)(attr + 1);
	const char *start = to;

	for (unsigned int i = 0; i < attr->num_of_specs; i++) {
		const struct filter_spec *spec;
		struct ib_uverbs_flow_spec_hdr hdr;
		uint32_t type;
		uint16_t size;
		int ret;

		memcpy(&type, from, sizeof(type));
		memcpy(&size, from + sizeof(type), sizeof(size));
		spec = find_filter(type);
		if (spec)
			ret = convert_filter(to, from, size, type, spec);
		else
			ret = convert_action(to, from, type);
		if (ret)
			return ret;
		memcpy(&hdr, to, sizeof(hdr));
		to += hdr.size;
		from += size;
	}
	*len = to - start;
	return 0;
}

int ibv_cmd_create_flow(struct ibv_qp *qp, struct ibv_flow *flow_id,
			struct ibv_flow_attr *flow_attr, void *ucmd,
			size_t ucmd_size)
{
	const struct driver_data driver = {
		.in = ucmd,
		.in_len = ucmd ? ucmd_size : 0,
	};
	struct ib_uverbs_create_flow_resp core = { 0 };
	struct ib_uverbs_create_flow *core_in;
	size_t specs_len;
	int ret;

	core_in = calloc(1, sizeof(*core_in) +
				    flow_attr->num_of_specs * LARGEST_SPEC);
	if (!core_in)
		return ENOMEM;
	ret = convert_specs((char *)(core_in + 1), &specs_len, flow_attr);
	if (ret) {
		errno = ret;
		goto out;
	}

	core_in->qp_handle = qp->handle;
	core_in->flow_attr.type = flow_attr->type;
	core_in->flow_attr.size = specs_len;
	core_in->flow_attr.priority = flow_attr->priority;
	core_in->flow_attr.num_of_specs = flow_attr->num_of_specs;
	core_in->flow_attr.port = flow_attr->port;
	core_in->flow_attr.flags = flow_attr->flags;
	ret = invoke_write(qp->context,
			   IB_USER_VERBS_EX_CMD_CREATE_FLOW |
				   IB_USER_VERBS_CMD_FLAG_EXTENDED,
			   core_in, sizeof(*core_in) + specs_len, &core,
			   sizeof(core), &driver);
	if (!ret) {
		flow_id->context = qp->context;
		flow_id->handle = core.flow_handle;
	}
out:
	free(core_in);
	return ret;
}

int ibv_cmd_destroy_flow(struct ibv_flow *flow_id)
{
	static const struct destroy_method how = {
		.object = UVERBS_OBJECT_FLOW,
		.method = UVERBS_METHOD_FLOW_DESTROY,
		.handle_attr = UVERBS_ATTR_DESTROY_FLOW_HANDLE,
		.op = OP(destroy_ah), /* learnt together */
		.command = IB_USER_VERBS_EX_CMD_DESTROY_FLOW |
			   IB_USER_VERBS_CMD_FLAG_EXTENDED,
	};

	return destroy_handle(flow_id->context, &how, flow_id->handle);
}
