// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Each type of object that a file can have: PDs and MRs can be shared, all else
 * can not, and says so on a live object, which it does no harm.
 */
#include <fcntl.h>
#include <unistd.h>

#include "command.h"
#include "device.h"

static char buf[4096] __attribute__((aligned(4096)));
static int a, b;
static uint32_t pd, cq, ud_qp, wq;

static int make_cq(uint32_t *handle)
{
	return create_cq(a, handle);
}

static int make_qp(uint32_t *handle)
{
	return create_qp(a, pd, cq, handle);
}

static int make_srq(uint32_t *handle)
{
	return create_srq(a, pd, handle);
}

static int make_ah(uint32_t *handle)
{
	return create_ah(a, pd, handle);
}

static int make_mw(uint32_t *handle)
{
	return alloc_mw(a, pd, handle);
}

static int make_flow(uint32_t *handle)
{
	return create_flow(a, ud_qp, handle);
}

static int make_xrcd(uint32_t *handle)
{
	return open_xrcd(a, handle);
}

static int make_table(uint32_t *handle)
{
	return create_rwq_table(a, wq, handle);
}

static int make_wq(uint32_t *handle)
{
	return create_wq(a, pd, cq, handle);
}

static int make_dm(uint32_t *handle)
{
	return alloc_dm(a, handle);
}

static int make_counters(uint32_t *handle)
{
	return create_counters(a, handle);
}

/* Handles that are descriptors: no other process can have the same. */
static int make_fd_object(int object, int method, uint32_t *handle)
{
	struct command cmd;
	int ret;

	command_start(&cmd, object, method);
	command_handle(&cmd, 0, 0);
	ret = command_run(&cmd, a);
	*handle = cmd.attrs[0].data;
	return ret;
}

static int make_channel(uint32_t *handle)
{
	struct ib_uverbs_create_comp_channel in = {};
	struct ib_uverbs_create_comp_channel_resp out = {};
	int ret = command_write(a, IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, &in,
				sizeof(in), &out, sizeof(out), NULL, 0);

	*handle = out.fd;
	return ret;
}

static int make_events(uint32_t *handle)
{
	return make_fd_object(UVERBS_OBJECT_ASYNC_EVENT,
			      UVERBS_METHOD_ASYNC_EVENT_ALLOC, handle);
}

static int free_cq(uint32_t handle)
{
	return destroy_cq(a, handle);
}

static int free_qp(uint32_t handle)
{
	return destroy_qp(a, handle);
}

static int free_srq(uint32_t handle)
{
	return destroy_srq(a, handle);
}

static int free_wq(uint32_t handle)
{
	return destroy_wq(a, handle);
}

static int free_fd(uint32_t handle)
{
	return close(handle) ? errno : 0;
}

static const struct {
	const char *name;
	int object;
	int (*make)(uint32_t *handle);
	/* NULL: destroy() */
	int (*free)(uint32_t handle);
} types[] = {
	{ "COMP_CHANNEL", UVERBS_OBJECT_COMP_CHANNEL, make_channel, free_fd },
	{ "CQ", UVERBS_OBJECT_CQ, make_cq, free_cq },
	{ "QP", UVERBS_OBJECT_QP, make_qp, free_qp },
	{ "SRQ", UVERBS_OBJECT_SRQ, make_srq, free_srq },
	{ "AH", UVERBS_OBJECT_AH, make_ah, NULL },
	{ "MW", UVERBS_OBJECT_MW, make_mw, NULL },
	{ "FLOW", UVERBS_OBJECT_FLOW, make_flow, NULL },
	{ "XRCD", UVERBS_OBJECT_XRCD, make_xrcd, NULL },
	{ "RWQ_IND_TBL", UVERBS_OBJECT_RWQ_IND_TBL, make_table, NULL },
	{ "WQ", UVERBS_OBJECT_WQ, make_wq, free_wq },
	/* Only drivers have methods that make one */
	{ "FLOW_ACTION", UVERBS_OBJECT_FLOW_ACTION, NULL, NULL },
	{ "DM", UVERBS_OBJECT_DM, make_dm, NULL },
	{ "COUNTERS", UVERBS_OBJECT_COUNTERS, make_counters, NULL },
	{ "ASYNC_EVENT", UVERBS_OBJECT_ASYNC_EVENT, make_events, free_fd },
};

#define TYPES (sizeof(types) / sizeof(types[0]))

static int import_of(int object, uint32_t handle)
{
	struct command cmd;

	command_start(&cmd, object, UVERBS_METHOD_PD_IMPORT_FROM_FD);
	command_handle(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_HANDLE, 0);
	command_fd(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE, a);
	command_u32(&cmd, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE, handle);
	return command_run(&cmd, b);
}

static void one(unsigned int i)
{
	uint32_t handle = 0, new = 0xeeeeeeee;
	int before = device_get("others");
	int ret;

	ret = types[i].make ? types[i].make(&handle) : 0;
	CHECK(!ret, "%s: %s", types[i].name, strerror(ret));
	ret = export_to_fd(a, types[i].object, handle, b, &new);
	CHECK(ret == EPROTONOSUPPORT, "%s: %s", types[i].name, strerror(ret));
	ret = import_of(types[i].object, handle);
	CHECK(ret == EPROTONOSUPPORT, "%s: %s", types[i].name, strerror(ret));
	CHECK(new == 0xeeeeeeee, "%s: %u", types[i].name, new);
	CHECK(count_handles(b, UVERBS_OBJECT_PD) == 0 &&
		      count_handles(b, UVERBS_OBJECT_MR) == 0,
	      "%s", types[i].name);
	/* By the methods of a PD and of an MR */
	if (types[i].free != free_fd && types[i].make) {
		struct region m;

		CHECK(export_pd(a, handle, b, &new) == EINVAL &&
			      export_mr(a, handle, b, &new) == EINVAL &&
			      import_pd(b, a, handle, &new) == EINVAL &&
			      import_mr(b, a, handle, &m) == EINVAL,
		      "%s is taken for another type", types[i].name);
	}
	if (types[i].free)
		ret = types[i].free(handle);
	else if (types[i].make)
		ret = destroy(a, types[i].object, handle);
	else
		ret = 0;
	CHECK(!ret, "%s: %s", types[i].name, strerror(ret));
	CHECK(device_get("others") == before, "%s is left", types[i].name);
}

int main(void)
{
	struct region mr, m;
	uint32_t new;

	a = open_context();
	b = open_context();
	IS(alloc_pd(a, &pd), 0);
	IS(create_cq(a, &cq), 0);
	IS(create_ud_qp(a, pd, cq, &ud_qp), 0);
	IS(create_wq(a, pd, cq, &wq), 0);
	/* DEVICE has no objects, PD and MR have their own programs */
	IS(TYPES, UVERBS_OBJECT_ASYNC_EVENT + 1 - 3);
	for (unsigned int i = 0; i < TYPES; i++)
		one(i);
	IS(reg_mr(a, pd, buf, sizeof(buf), ACCESS_RW, &mr), 0);
	IS(export_pd(a, pd, b, &new), 0);
	IS(import_mr(b, a, mr.handle, &m), 0);
	IS(destroy_wq(a, wq), 0);
	IS(destroy_qp(a, ud_qp), 0);
	IS(destroy_cq(a, cq), 0);
	close(a);
	close(b);
	DEVICE_HAS(0, 0, 0, 0);
	return end_checks();
}
