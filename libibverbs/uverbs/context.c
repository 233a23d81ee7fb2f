// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Commands about a whole context. */
#include <errno.h>
#include <limits.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

/*
 * INVOKE_WRITE with a command number and nothing else: a kernel that has the
 * method finds the request too short and says so, one without it says that.
 */
int uverbs_probe(struct ibv_context *context)
{
	struct request rq;
	int ret;

	request_init(&rq, context, UVERBS_OBJECT_DEVICE,
		     UVERBS_METHOD_INVOKE_WRITE);
	request_u64(&rq, UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_QUERY_DEVICE);
	ret = request_run(&rq);
	return ret == EPROTONOSUPPORT || ret == ENOTTY ? EPROTONOSUPPORT : 0;
}

/* After EOPNOTSUPP, which may be the driver's own: what INVOKE_WRITE gave. */
static void explain_old_kernel(struct ibv_context *context)
{
	if (uverbs_probe(context))
		verbs_err(to_vctx(context),
			  "the kernel is too old: its uverbs has no "
			  "INVOKE_WRITE (Linux 5.4 and later have it)\n");
	errno = EOPNOTSUPP;
}

static _Thread_local bool (*refuse_context)(const void *request, size_t len);

void uverbs_refuse_contexts(bool (*refuse)(const void *request, size_t len))
{
	refuse_context = refuse;
}

/* Threads may open contexts of one device at once; all learn the same. */
static void set_core_support(struct ibv_context *context, uint64_t support)
{
	__atomic_store_n(&verbs_get_device(context->device)->core_support,
			 support, __ATOMIC_RELAXED);
}

int ibv_cmd_get_context(struct verbs_context *context_ex,
			struct ibv_get_context *cmd, size_t cmd_size,
			struct ib_uverbs_get_context_resp *resp,
			size_t resp_size)
{
	struct ibv_context *context = &context_ex->context;
	struct driver_data driver = DRIVER_DATA(cmd, cmd_size, resp, resp_size);
	struct ib_uverbs_get_context core_in = { 0 };
	struct ib_uverbs_get_context_resp core = { 0 };
	uint64_t core_support = 0;
	uint32_t num_comp_vectors = 0;
	struct request rq;
	int ret;

	if (driver.in && refuse_context &&
	    refuse_context(driver.in, driver.in_len)) {
		errno = EOPNOTSUPP;
		return EOPNOTSUPP;
	}

	request_init(&rq, context, UVERBS_OBJECT_DEVICE,
		     UVERBS_METHOD_GET_CONTEXT);
	request_out(&rq, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS,
		    &num_comp_vectors, sizeof(num_comp_vectors));
	request_out(&rq, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &core_support,
		    sizeof(core_support));
	request_driver(&rq, &driver);
	ret = request_run_native(&rq, OP(free_context), true);
	if (ret != FALL_BACK) {
		if (ret)
			return ret;
		/* The async event fd is asked for by itself. */
		context->num_comp_vectors = num_comp_vectors;
		set_core_support(context, core_support);
		return 0;
	}

	ret = invoke_write(context, IB_USER_VERBS_CMD_GET_CONTEXT, &core_in,
			   sizeof(core_in), &core, sizeof(core), &driver);
	if (ret == EOPNOTSUPP)
		explain_old_kernel(context);
	if (ret)
		return ret;
	if (core.async_fd > INT_MAX) {
		errno = EPROTO;
		return EPROTO;
	}
	give_core_reply(&driver, &core, sizeof(core));
	context->async_fd = core.async_fd;
	context->num_comp_vectors = core.num_comp_vectors;
	return 0;
}

int ibv_cmd_query_context(struct ibv_context *context,
			  struct ibv_command_buffer *driver)
{
	uint64_t core_support = 0;
	uint32_t num_comp_vectors = 0;
	struct request rq;
	int ret;

	request_init(&rq, context, UVERBS_OBJECT_DEVICE,
		     UVERBS_METHOD_QUERY_CONTEXT);
	request_out(&rq, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS,
		    &num_comp_vectors, sizeof(num_comp_vectors));
	request_out(&rq, UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, &core_support,
		    sizeof(core_support));
	request_link(&rq, driver);
	ret = request_run(&rq);
	if (ret)
		return ret;
	context->num_comp_vectors = num_comp_vectors;
	set_core_support(context, core_support);
	return 0;
}
