// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs and MRs: the methods EXPORT_TO_FD and IMPORT_FROM_FD
 *
 * Whoever holds a file's descriptor may use its objects by ioctl, as ever; so
 * the descriptor is all that is asked for here.
 */
#include <linux/file.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/ib_user_share_cmds.h>
#include "uverbs_share_priv.h"

/* The file at the other end of an export or import */
struct share_peer {
	struct file *filp;
	struct ib_uverbs_file *ufile;
};

static void put_peer(struct share_peer *peer)
{
	fput(peer->filp);
}

/*
 * The reference keeps the file from being closed, and the read side of the
 * device's srcu, which ib_uverbs_ioctl() holds, from being cut off the device.
 */
static int get_peer(struct uverbs_attr_bundle *attrs, size_t attr,
		    struct share_peer *peer)
{
	struct ib_ucontext *ucontext;
	int fd, ret;

	ret = uverbs_get_raw_fd(&fd, attrs, attr);
	if (ret)
		return ret;
	peer->filp = fget(fd);
	if (!peer->filp)
		return -EBADF;

	ret = -EINVAL;
	/* Both kinds of uverbs files have it, and nothing else */
	if (peer->filp->f_op->unlocked_ioctl != ib_uverbs_ioctl)
		goto put;
	peer->ufile = peer->filp->private_data;

	ret = -EXDEV;
	if (peer->ufile->device != attrs->ufile->device)
		goto put;

	/* Opened, but without a context (EINVAL), or the device goes (EIO) */
	ucontext = ib_uverbs_get_ucontext_file(peer->ufile);
	ret = PTR_ERR_OR_ZERO(ucontext);
	if (ret)
		goto put;
	return 0;
put:
	put_peer(peer);
	return ret;
}

/* src is read locked */
static int check_shareable(struct share_uobject *src)
{
	struct ib_mr *mr = src->uobj.object;

	if (src->uobj.uapi_object->id == UVERBS_OBJECT_PD)
		return 0;

	/* Its pages are those of one process, which may exit */
	if (src->access_flags & IB_ACCESS_ON_DEMAND)
		return -EOPNOTSUPP;
	/* The MR of another file would keep device memory from being freed */
	if (mr->type != IB_MR_TYPE_USER)
		return -EOPNOTSUPP;
	/*
	 * Some drivers register the buffers of queues as MRs, which then belong
	 * to a QP or CQ of one context.  They have no keys.
	 */
	if (!mr->lkey && !mr->rkey)
		return -EOPNOTSUPP;
	return 0;
}

/* The process, whichever of its threads; a child that it forked is another. */
static bool opened_by_current(struct ib_ucontext *ucontext)
{
	return ucontext->res.task &&
	       same_thread_group(ucontext->res.task, current);
}

static int export_to_fd(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *src =
		uverbs_attr_get_uobject(attrs, UVERBS_ATTR_EXPORT_TO_FD_HANDLE);
	struct uverbs_attr_bundle target_attrs = {};
	struct share_peer target;
	struct ib_uobject *dst;
	u32 handle;
	int ret;

	ret = check_shareable(to_share_uobject(src));
	if (ret)
		return ret;
	ret = get_peer(attrs, UVERBS_ATTR_EXPORT_TO_FD_TARGET, &target);
	if (ret)
		return ret;

	/*
	 * Tries to take the target's hw_destroy_rwsem and gives EIO if it is
	 * being torn down; charges the caller's rdma cgroup.
	 */
	target_attrs.ufile = target.ufile;
	dst = rdma_alloc_begin_uobject(src->uapi_object, &target_attrs);
	if (IS_ERR(dst)) {
		ret = PTR_ERR(dst);
		goto put;
	}

	/* First what can fail, so that an alias never has to be taken back */
	handle = dst->id;
	ret = uverbs_copy_to(attrs, UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE,
			     &handle, sizeof(handle));
	to_share_uobject(dst)->exported = true;
	to_share_uobject(dst)->foreign = !opened_by_current(dst->context);
	if (!ret)
		ret = share_add_alias(to_share_uobject(src),
				      to_share_uobject(dst));
	if (ret)
		rdma_alloc_abort_uobject(dst, &target_attrs, false);
	else
		rdma_alloc_commit_uobject(dst, &target_attrs);
put:
	put_peer(&target);
	return ret;
}

/* An attribute that the caller may leave out is no error. */
static int copy_optional(struct uverbs_attr_bundle *attrs, size_t attr,
			 const void *from, size_t size)
{
	if (!uverbs_attr_is_valid(attrs, attr))
		return 0;
	return uverbs_copy_to_struct_or_zero(attrs, attr, from, size);
}

static int reply_pd(struct uverbs_attr_bundle *attrs, struct share_uobject *src)
{
	const struct share_reply *reply = share_get_reply(src);
	u32 len = reply ? reply->len : 0;
	int ret;

	ret = copy_optional(attrs, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN,
			    &len, sizeof(len));
	if (ret || !reply)
		return ret;
	return copy_optional(attrs, UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER,
			     reply->data, reply->len);
}

static int reply_mr(struct uverbs_attr_bundle *attrs, struct share_uobject *src)
{
	struct ib_mr *mr = src->uobj.object;
	u32 pd_handle;
	int ret;

	ret = uverbs_copy_to(attrs, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY,
			     &mr->lkey, sizeof(mr->lkey));
	if (ret)
		return ret;
	ret = uverbs_copy_to(attrs, UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY,
			     &mr->rkey, sizeof(mr->rkey));
	if (ret)
		return ret;
	ret = uverbs_copy_to(attrs, UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH,
			     &mr->length, sizeof(mr->length));
	if (ret)
		return ret;
	ret = uverbs_copy_to(attrs, UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA,
			     &mr->iova, sizeof(mr->iova));
	if (ret)
		return ret;
	if (!share_pd_handle(attrs->ufile, mr->pd, &pd_handle))
		return 0;
	return copy_optional(attrs, UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE,
			     &pd_handle, sizeof(pd_handle));
}

static int import_from_fd(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *dst =
		uverbs_attr_get_uobject(attrs,
					UVERBS_ATTR_IMPORT_FROM_FD_HANDLE);
	struct share_peer source;
	struct ib_uobject *src;
	u32 handle;
	int ret;

	ret = uverbs_copy_from(&handle, attrs,
			       UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE);
	if (ret)
		return ret;
	ret = get_peer(attrs, UVERBS_ATTR_IMPORT_FROM_FD_SOURCE, &source);
	if (ret)
		return ret;

	/* No other lock of the source is needed, see get_peer() */
	src = rdma_lookup_get_uobject(dst->uapi_object, source.ufile, handle,
				      UVERBS_LOOKUP_READ, NULL);
	if (IS_ERR(src)) {
		ret = PTR_ERR(src);
		goto put;
	}
	ret = check_shareable(to_share_uobject(src));
	if (ret)
		goto unlock;

	/* As in export_to_fd(): the alias comes last */
	if (src->uapi_object->id == UVERBS_OBJECT_PD)
		ret = reply_pd(attrs, to_share_uobject(src));
	else
		ret = reply_mr(attrs, to_share_uobject(src));
	if (!ret)
		ret = share_add_alias(to_share_uobject(src),
				      to_share_uobject(dst));
unlock:
	rdma_lookup_put_uobject(src, UVERBS_LOOKUP_READ);
put:
	put_peer(&source);
	if (!ret)
		uverbs_finalize_uobj_create(attrs,
					    UVERBS_ATTR_IMPORT_FROM_FD_HANDLE);
	return ret;
}

static int
UVERBS_HANDLER(UVERBS_METHOD_PD_EXPORT_TO_FD)(struct uverbs_attr_bundle *attrs)
{
	return export_to_fd(attrs);
}

static int
UVERBS_HANDLER(UVERBS_METHOD_MR_EXPORT_TO_FD)(struct uverbs_attr_bundle *attrs)
{
	return export_to_fd(attrs);
}

static int UVERBS_HANDLER(UVERBS_METHOD_PD_IMPORT_FROM_FD)(
	struct uverbs_attr_bundle *attrs)
{
	return import_from_fd(attrs);
}

static int UVERBS_HANDLER(UVERBS_METHOD_MR_IMPORT_FROM_FD)(
	struct uverbs_attr_bundle *attrs)
{
	return import_from_fd(attrs);
}

#define EXPORT_ATTRS(_object)                                             \
	UVERBS_ATTR_IDR(UVERBS_ATTR_EXPORT_TO_FD_HANDLE, _object,         \
			UVERBS_ACCESS_READ, UA_MANDATORY),                \
		UVERBS_ATTR_RAW_FD(UVERBS_ATTR_EXPORT_TO_FD_TARGET,       \
				   UA_MANDATORY),                         \
		UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_EXPORT_TO_FD_RESP_HANDLE, \
				    UVERBS_ATTR_TYPE(u32), UA_MANDATORY)

#define IMPORT_ATTRS(_object)                                                \
	UVERBS_ATTR_IDR(UVERBS_ATTR_IMPORT_FROM_FD_HANDLE, _object,          \
			UVERBS_ACCESS_NEW, UA_MANDATORY),                    \
		UVERBS_ATTR_RAW_FD(UVERBS_ATTR_IMPORT_FROM_FD_SOURCE,        \
				   UA_MANDATORY),                            \
		UVERBS_ATTR_PTR_IN(UVERBS_ATTR_IMPORT_FROM_FD_SOURCE_HANDLE, \
				   UVERBS_ATTR_TYPE(u32), UA_MANDATORY)

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_PD_EXPORT_TO_FD,
			    EXPORT_ATTRS(UVERBS_OBJECT_PD));

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_MR_EXPORT_TO_FD,
			    EXPORT_ATTRS(UVERBS_OBJECT_MR));

DECLARE_UVERBS_NAMED_METHOD(
	UVERBS_METHOD_PD_IMPORT_FROM_FD, IMPORT_ATTRS(UVERBS_OBJECT_PD),
	UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER,
			    UVERBS_ATTR_MIN_SIZE(0), UA_OPTIONAL),
	UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_IMPORT_FROM_FD_RESP_DRIVER_LEN,
			    UVERBS_ATTR_TYPE(u32), UA_OPTIONAL));

DECLARE_UVERBS_NAMED_METHOD(
	UVERBS_METHOD_MR_IMPORT_FROM_FD, IMPORT_ATTRS(UVERBS_OBJECT_MR),
	UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_IMPORT_FROM_FD_RESP_LKEY,
			    UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
	UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_IMPORT_FROM_FD_RESP_RKEY,
			    UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
	UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_IMPORT_FROM_FD_RESP_LENGTH,
			    UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
	UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_IMPORT_FROM_FD_RESP_IOVA,
			    UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
	UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_IMPORT_FROM_FD_RESP_PD_HANDLE,
			    UVERBS_ATTR_TYPE(u32), UA_OPTIONAL));

ADD_UVERBS_METHODS(share_pd_methods, UVERBS_OBJECT_PD,
		   &UVERBS_METHOD(UVERBS_METHOD_PD_EXPORT_TO_FD),
		   &UVERBS_METHOD(UVERBS_METHOD_PD_IMPORT_FROM_FD));

ADD_UVERBS_METHODS(share_mr_methods, UVERBS_OBJECT_MR,
		   &UVERBS_METHOD(UVERBS_METHOD_MR_EXPORT_TO_FD),
		   &UVERBS_METHOD(UVERBS_METHOD_MR_IMPORT_FROM_FD));

const struct uapi_definition uverbs_def_share[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_PD, &share_pd_methods),
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MR, &share_mr_methods),
	{}
};

/*
 * Called when the driver's methods are known.  A driver that uses our numbers
 * would lose its uverbs device if ours came as well: it goes without.
 */
bool uverbs_share_methods_unused(struct uverbs_api *uapi,
				 struct ib_device *ibdev)
{
	static const u16 objects[] = { UVERBS_OBJECT_PD, UVERBS_OBJECT_MR };
	static const u16 methods[] = { UVERBS_METHOD_PD_EXPORT_TO_FD,
				       UVERBS_METHOD_PD_IMPORT_FROM_FD };
	int i, j;

	BUILD_BUG_ON((int)UVERBS_METHOD_PD_EXPORT_TO_FD !=
		     (int)UVERBS_METHOD_MR_EXPORT_TO_FD);
	BUILD_BUG_ON((int)UVERBS_METHOD_PD_IMPORT_FROM_FD !=
		     (int)UVERBS_METHOD_MR_IMPORT_FROM_FD);

	for (i = 0; i < ARRAY_SIZE(objects); i++)
		for (j = 0; j < ARRAY_SIZE(methods); j++)
			if (radix_tree_lookup(&uapi->radix,
					      uapi_key_obj(objects[i]) |
						      uapi_key_ioctl_method(
							      methods[j]))) {
				dev_warn(&ibdev->dev,
					 "the driver uses the numbers of "
					 "export and import: no sharing\n");
				return false;
			}
	return true;
}

/* DKMS takes a module of the same version for the kernel's own, which has none. */
MODULE_VERSION("44.0");
