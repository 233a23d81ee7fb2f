// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Aliases: handles of this file for objects that another file made too, and
 * how an alias reaches the struct that the provider makes for it.
 */
#include <errno.h>
#include <string.h>

#include <rdma/ib_user_share_cmds.h>

#include "uverbs/request.h"
#include "uverbs/uverbs.h"

/* Method numbers and attributes are the same for PD and MR. */
_Static_assert((int)UVERBS_METHOD_PD_EXPORT_TO_FD ==
			       (int)UVERBS_METHOD_MR_EXPORT_TO_FD &&
		       (int)UVERBS_METHOD_PD_IMPORT_FROM_FD ==
			       (int)UVERBS_METHOD_MR_IMPORT_FROM_FD,
	       "one method number for all objects");

/* A kernel without these methods, or a descriptor that knows no ioctl of ours
 */
static int run_share(struct request *rq)
{
	int ret = request_run(rq);

	if (ret == EPROTONOSUPPORT || ret == ENOTTY)
		errno = ret = EOPNOTSUPP;
	return ret;
}

int uverbs_export(struct ibv_context *context, uint16_t object_type,
		  uint32_t handle, int target_fd, uint32_t *new_handle)
{
	struct request rq;
	uint32_t made = 0;
	int ret;

	request_init(&rq, context, object_type, UVERBS_METHOD_PD_EXPORT_TO_FD);
	request_handle(&rq, UVERBS_ATTR_EXPORT_TO_FD_HANDLE, handle);
	request_fd(&rq, UVERBS_ATTR_EXPORT_TO_FD_TARGET, target_fd);
	request_out(&rq, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, &made,
		    sizeof(made));
	ret = run_share(&rq);
	if (!ret)
		*new_handle = made;
	return ret;
}

static struct ib_uverbs_attr *init_import(struct request *rq,
					  struct ibv_context *context,
					  uint16_t object_type, int fd,
					  uint32_t handle)
{
	struct ib_uverbs_attr *made;

	request_init(rq, context, object_type, UVERBS_METHOD_PD_IMPORT_FROM_FD);
	made = request_new(rq, UVERBS_ATTR_IMPORT_FROM_FD_HANDLE);
	request_fd(rq, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE, fd);
	request_u32(rq, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE, handle);
	return made;
}

int uverbs_import_pd(struct ibv_context *context, int fd, uint32_t handle,
		     struct uverbs_alias *alias)
{
	struct uverbs_alias got = { .object_type = UVERBS_OBJECT_PD };
	struct ib_uverbs_attr *made, *driver, *driver_len;
	struct request rq;
	int ret;

	made = init_import(&rq, context, got.object_type, fd, handle);
	driver = request_out(&rq, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER,
			     got.driver, sizeof(got.driver));
	request_optional(driver);
	driver_len =
		request_out(&rq, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN,
			    &got.driver_len, sizeof(got.driver_len));
	request_optional(driver_len);
	ret = run_share(&rq);
	if (ret)
		return ret;

	got.handle = made->data;
	if (!request_written(driver) || !request_written(driver_len))
		got.driver_len = 0;
	/* The driver may have written more than there was room for. */
	if (got.driver_len > sizeof(got.driver))
		got.driver_len = sizeof(got.driver);
	*alias = got;
	return 0;
}

int uverbs_import_mr(struct ibv_context *context, int fd, uint32_t handle,
		     struct uverbs_alias *alias)
{
	struct uverbs_alias got = { .object_type = UVERBS_OBJECT_MR };
	struct ib_uverbs_attr *made, *pd;
	struct request rq;
	int ret;

	made = init_import(&rq, context, got.object_type, fd, handle);
	request_out(&rq, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY, &got.lkey,
		    sizeof(got.lkey));
	request_out(&rq, UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY, &got.rkey,
		    sizeof(got.rkey));
	request_out(&rq, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH, &got.length,
		    sizeof(got.length));
	request_out(&rq, UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA, &got.iova,
		    sizeof(got.iova));
	pd = request_out(&rq, UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE,
			 &got.pd_handle, sizeof(got.pd_handle));
	request_optional(pd);
	ret = run_share(&rq);
	if (ret)
		return ret;

	got.handle = made->data;
	got.has_pd = request_written(pd);
	if (!got.has_pd)
		got.pd_handle = 0;
	*alias = got;
	return 0;
}

void uverbs_drop_alias(struct ibv_context *context,
		       const struct uverbs_alias *alias)
{
	int saved = errno;

	/* The destroy command of the object: an alias is a handle like any. */
	if (alias->object_type == UVERBS_OBJECT_PD) {
		struct ibv_pd pd = { .context = context,
				     .handle = alias->handle };

		ibv_cmd_dealloc_pd(&pd);
	} else {
		struct verbs_mr mr = { .ibv_mr = { .context = context,
						   .handle = alias->handle } };

		ibv_cmd_dereg_mr(&mr);
	}
	/* It is called on error paths, whose errno it must not change. */
	errno = saved;
}

int uverbs_withdraw(struct ibv_context *context, int fd, uint16_t object_type,
		    uint32_t handle)
{
	/* As the context has it but for the file */
	struct verbs_ex_private priv = { .driver_id =
						 get_priv(context)->driver_id };
	struct verbs_context vctx = { .priv = &priv,
				      .context = { .cmd_fd = fd } };
	bool is_pd = object_type == UVERBS_OBJECT_PD;
	struct request rq;
	int ret;

	/* A kernel that can share has the native methods. */
	request_init(&rq, &vctx.context, object_type,
		     is_pd ? UVERBS_METHOD_PD_DESTROY
			   : UVERBS_METHOD_MR_DESTROY);
	request_handle(&rq,
		       is_pd ? UVERBS_ATTR_DESTROY_PD_HANDLE
			     : UVERBS_ATTR_DESTROY_MR_HANDLE,
		       handle);
	ret = request_run(&rq);
	if (ret == ENOTTY)
		errno = ret = EINVAL;
	else if (ret == EPROTONOSUPPORT)
		errno = ret = EOPNOTSUPP;
	return ret;
}

/* ---- loans ---- */

static _Thread_local struct {
	struct ibv_context *context;
	const struct uverbs_alias *alias; /* NULL: none, or used up */
	bool used;
} loan;

void uverbs_lend_alias(struct ibv_context *context, struct uverbs_alias *alias)
{
	loan.context = context;
	loan.alias = alias;
	loan.used = false;
	__atomic_add_fetch(&get_priv(context)->loans, 1, __ATOMIC_RELAXED);
}

bool uverbs_end_loan(void)
{
	bool used = loan.used;

	if (loan.context)
		__atomic_sub_fetch(&get_priv(loan.context)->loans, 1,
				   __ATOMIC_RELAXED);
	loan.context = NULL;
	loan.alias = NULL;
	loan.used = false;
	return used;
}

const struct uverbs_alias *find_loan(struct ibv_context *context,
				     uint16_t object_type)
{
	if (!loan.alias || loan.context != context ||
	    loan.alias->object_type != object_type)
		return NULL;
	return loan.alias;
}

int take_loan(const struct driver_data *driver)
{
	const struct uverbs_alias *alias = loan.alias;

	if (driver->out_len > alias->driver_len) {
		verbs_err(to_vctx(loan.context),
			  "the provider needs %zu bytes of its kernel driver "
			  "for an imported object, the kernel has %u\n",
			  driver->out_len, alias->driver_len);
		errno = EOPNOTSUPP;
		return EOPNOTSUPP;
	}
	if (driver->out_len)
		memcpy(driver->out, alias->driver, driver->out_len);
	loan.alias = NULL;
	loan.used = true;
	return 0;
}
