// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What all destroy commands have in common. */
#include <errno.h>
#include <pthread.h>

#include "uverbs/request.h"

/*
 * After its device is gone the kernel answers EIO to everything, and the
 * objects are gone with it.  A program that has asked for it may count that as
 * destroyed.
 */
int destroy_result(int err)
{
	return err == EIO && verbs_allow_disassociate_destroy ? 0 : err;
}

int destroy_handle(struct ibv_context *context,
		   const struct destroy_method *how, uint32_t handle)
{
	/* The extended form has a comp_mask before the handle. */
	const uint32_t core[2] = { 0, handle };
	bool extended = how->command & IB_USER_VERBS_CMD_FLAG_EXTENDED;
	struct request rq;
	int ret;

	request_init(&rq, context, how->object, how->method);
	request_handle(&rq, how->handle_attr, handle);
	ret = request_run_native(&rq, how->op, true);
	if (ret == FALL_BACK)
		ret = invoke_write(context, how->command,
				   extended ? &core[0] : &core[1],
				   extended ? sizeof(core) : sizeof(core[1]),
				   NULL, 0, NULL);
	return destroy_result(ret);
}

void wait_acked(pthread_mutex_t *mutex, pthread_cond_t *cond,
		const uint32_t *acked, uint32_t reported)
{
	pthread_mutex_lock(mutex);
	while (*acked != reported)
		pthread_cond_wait(cond, mutex);
	pthread_mutex_unlock(mutex);
}
