// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The provider for tests: see model_provider.h. */
#include "model_provider.h"

#include "priv.h"

#define MP_CONTEXT_OF(_object) mp_get((_object)->context)

static atomic_uint live;

/* Ops may run in several threads at once; what they saw is then one's of them. */
static pthread_mutex_t seen_lock = PTHREAD_MUTEX_INITIALIZER;

static void note_seen(struct mp_seen *seen, struct mp_seen args)
{
	pthread_mutex_lock(&seen_lock);
	args.calls = seen->calls + 1;
	*seen = args;
	pthread_mutex_unlock(&seen_lock);
}

static void *new_struct(size_t size)
{
	void *object = calloc(1, size);

	if (object)
		atomic_fetch_add(&live, 1);
	return object;
}

static void free_struct(void *object)
{
	free(object);
	atomic_fetch_sub(&live, 1);
}

unsigned int mp_objects(void)
{
	return live;
}

struct mp_context *mp_get(struct ibv_context *context)
{
	return container_of(context, struct mp_context, vctx.context);
}

/* ---- a command of the provider's own ---- */

struct own_command {
	struct ibv_command_buffer buffer;
	struct ib_uverbs_attr attrs[4];
};

static int own_older_command(struct ibv_context *context, uint32_t number,
			     const void *in, size_t in_len, void *out,
			     size_t out_len)
{
	struct own_command cmd = {
		.buffer = { .uhw_in_idx = _UHW_NO_INDEX,
			    .uhw_out_idx = _UHW_NO_INDEX,
			    .hdr = { .object_id = UVERBS_OBJECT_DEVICE,
				     .method_id =
					     UVERBS_METHOD_INVOKE_WRITE } },
		.attrs = { { .attr_id = UVERBS_ATTR_WRITE_CMD,
			     .len = 8,
			     .flags = UVERBS_ATTR_F_MANDATORY,
			     .data = number },
			   { .attr_id = UVERBS_ATTR_CORE_OUT,
			     .len = out_len,
			     .flags = UVERBS_ATTR_F_MANDATORY,
			     .data = (uintptr_t)out },
			   { .attr_id = UVERBS_ATTR_CORE_IN,
			     .len = in_len,
			     .flags = UVERBS_ATTR_F_MANDATORY,
			     .data = (uintptr_t)in } },
	};

	_Static_assert(offsetof(struct own_command, attrs) ==
			       offsetof(struct own_command, buffer.hdr.attrs),
		       "attributes follow the buffer");
	cmd.buffer.next_attr = cmd.attrs + 3;
	cmd.buffer.last_attr = cmd.attrs + 4;
	return execute_ioctl(context, &cmd.buffer);
}

/* ---- protection domains ---- */

static int cmd_alloc_pd(struct ibv_context *context, struct mp_pd *pd)
{
	struct mp_context *mp = mp_get(context);
	struct {
		struct ib_uverbs_alloc_pd_resp core;
		uint8_t driver[64];
	} resp = { 0 };
	struct ibv_alloc_pd cmd;
	struct ib_uverbs_alloc_pd in = { 0 };
	int ret;

	if (mp->options.alloc_pd == MP_OWN_COMMAND) {
		ret = own_older_command(context, IB_USER_VERBS_CMD_ALLOC_PD,
					&in, sizeof(in), &resp.core,
					sizeof(resp.core));
		pd->pd.context = context;
		pd->pd.handle = resp.core.pd_handle;
		return ret;
	}
	ret = ibv_cmd_alloc_pd(context, &pd->pd, &cmd, sizeof(cmd), &resp.core,
			       sizeof(resp.core) + mp->options.pd_reply);
	memcpy(pd->reply, resp.driver, mp->options.pd_reply);
	return ret;
}

static struct ibv_pd *alloc_pd(struct ibv_context *context)
{
	enum mp_way way = mp_get(context)->options.alloc_pd;
	struct mp_pd *pd;
	int err = ENOSPC;

	if (way == MP_FAILS_MUTE)
		return NULL;
	pd = new_struct(sizeof(*pd));
	if (!pd)
		return NULL;
	pd->seal = MP_SEAL;
	if (way != MP_FAILS_FIRST)
		err = cmd_alloc_pd(context, pd);
	if (!err && way == MP_FAILS_LAST) {
		CHECK_INT(ibv_cmd_dealloc_pd(&pd->pd), 0);
		err = ENOSPC;
	}
	if (err) {
		free_struct(pd);
		errno = err;
		return NULL;
	}
	/* What the library sets need not be set here. */
	pd->pd.context = NULL;
	return &pd->pd;
}

static int dealloc_pd(struct ibv_pd *pd)
{
	struct mp_options *options = &MP_CONTEXT_OF(pd)->options;
	int ret = options->destroy_error;

	if (options->in_dealloc_pd)
		options->in_dealloc_pd(pd);
	if (ret)
		options->destroy_error = 0;
	if (!ret && !container_of(pd, struct mp_pd, pd)->is_parent)
		ret = ibv_cmd_dealloc_pd(pd);
	if (!ret)
		free_struct(container_of(pd, struct mp_pd, pd));
	return ret;
}

static struct ibv_pd *import_pd(struct ibv_context *context, uint32_t handle)
{
	enum mp_way way = mp_get(context)->options.import_pd;
	struct mp_pd *pd;

	if (way == MP_FAILS_MUTE)
		return NULL;
	if (way == MP_FAILS_FIRST || way == MP_FAILS_LAST) {
		errno = ENOSPC;
		return NULL;
	}
	pd = new_struct(sizeof(*pd));
	if (!pd)
		return NULL;
	pd->seal = MP_SEAL;
	pd->pd.context = context;
	pd->pd.handle = handle;
	return &pd->pd;
}

static void unimport_pd(struct ibv_pd *pd)
{
	free_struct(container_of(pd, struct mp_pd, pd));
}

static struct ibv_pd *
alloc_parent_domain(struct ibv_context *context,
		    struct ibv_parent_domain_init_attr *attr)
{
	struct mp_pd *pd = new_struct(sizeof(*pd));

	CHECK(pd);
	pd->is_parent = true;
	pd->pd.context = context;
	pd->pd.handle = attr->pd->handle;
	return &pd->pd;
}

/* ---- memory regions ---- */

static int cmd_reg_mr(struct ibv_pd *pd, struct mp_seen *args,
		      struct verbs_mr *vmr)
{
	struct mp_context *mp = MP_CONTEXT_OF(pd);
	struct {
		struct ib_uverbs_reg_mr_resp core;
		uint8_t driver[64];
	} resp = { 0 };
	struct ibv_reg_mr cmd;
	struct ib_uverbs_reg_mr in = { .start = (uintptr_t)args->addr,
				       .length = args->length,
				       .hca_va = args->iova,
				       .pd_handle = pd->handle };
	int ret;

	if (mp->options.reg_mr == MP_OWN_COMMAND) {
		struct ibv_pd *own = alloc_pd(pd->context);

		/* The PD may be a stand-in, which the kernel does not know. */
		CHECK(own);
		own->context = pd->context;
		in.pd_handle = own->handle;
		ret = own_older_command(pd->context, IB_USER_VERBS_CMD_REG_MR,
					&in, sizeof(in), &resp.core,
					sizeof(resp.core));
		vmr->ibv_mr.context = pd->context;
		vmr->ibv_mr.handle = resp.core.mr_handle;
		vmr->ibv_mr.pd = own;
		return ret;
	}
	ret = ibv_cmd_reg_mr(pd, args->addr, args->length, args->iova,
			     args->access, vmr, &cmd, sizeof(cmd), &resp.core,
			     sizeof(resp.core) + mp->options.mr_reply);
	memcpy(args->mr_reply, resp.driver, sizeof(args->mr_reply));
	return ret;
}

static struct ibv_mr *reg_mr(struct ibv_pd *pd, void *addr, size_t length,
			     uint64_t hca_va, int access)
{
	struct mp_context *mp = MP_CONTEXT_OF(pd);
	enum mp_way way = mp->options.reg_mr;
	struct mp_seen args = { .pd = pd,
				.addr = addr,
				.length = length,
				.iova = hca_va,
				.access = access };
	struct verbs_mr *vmr;
	int err = ENOSPC;

	if (way == MP_FAILS_MUTE)
		return NULL;
	vmr = new_struct(sizeof(*vmr));
	if (!vmr)
		return NULL;
	if (way != MP_FAILS_FIRST)
		err = cmd_reg_mr(pd, &args, vmr);
	if (!err && way == MP_FAILS_LAST) {
		CHECK_INT(ibv_cmd_dereg_mr(vmr), 0);
		err = ENOSPC;
	}
	note_seen(&mp->reg_mr, args);
	if (err) {
		free_struct(vmr);
		errno = err;
		return NULL;
	}
	/* Nor must it be right by chance. */
	vmr->ibv_mr.addr = addr;
	return &vmr->ibv_mr;
}

static int rereg_mr(struct verbs_mr *vmr, int flags, struct ibv_pd *pd,
		    void *addr, size_t length, int access)
{
	struct mp_context *mp = MP_CONTEXT_OF(&vmr->ibv_mr);
	struct ibv_rereg_mr cmd;
	struct ib_uverbs_rereg_mr_resp resp;

	note_seen(&mp->rereg_mr, (struct mp_seen){ .flags = flags,
						   .pd = pd,
						   .addr = addr,
						   .length = length,
						   .access = access });
	return ibv_cmd_rereg_mr(vmr, flags, addr, length, (uintptr_t)addr,
				access, pd, &cmd, sizeof(cmd), &resp,
				sizeof(resp));
}

static int dereg_mr(struct verbs_mr *vmr)
{
	struct mp_options *options = &MP_CONTEXT_OF(&vmr->ibv_mr)->options;
	struct ibv_pd *own =
		options->reg_mr == MP_OWN_COMMAND ? vmr->ibv_mr.pd : NULL;
	int ret = options->destroy_error;

	/* Some released providers look there, whether the PD lives or not. */
	if (vmr->ibv_mr.pd->context != vmr->ibv_mr.context)
		abort();
	if (ret)
		options->destroy_error = 0;
	/* A dma-buf's has no kernel side here. */
	if (!ret && vmr->mr_type != IBV_MR_TYPE_DMABUF_MR)
		ret = ibv_cmd_dereg_mr(vmr);
	if (!ret)
		free_struct(vmr);
	if (!ret && own)
		CHECK_INT(dealloc_pd(own), 0);
	return ret;
}

static struct ibv_mr *import_mr(struct ibv_pd *pd, uint32_t handle)
{
	struct mp_context *mp = MP_CONTEXT_OF(pd);
	enum mp_way way = mp->options.import_mr;
	struct verbs_mr *vmr;
	int err;

	note_seen(&mp->import_mr, (struct mp_seen){ .pd = pd });
	if (way == MP_FAILS_MUTE)
		return NULL;
	vmr = new_struct(sizeof(*vmr));
	if (!vmr)
		return NULL;
	err = way == MP_FAILS_FIRST ? ENOSPC
				    : ibv_cmd_query_mr(pd, vmr, handle);
	if (!err && way == MP_FAILS_LAST)
		err = ENOSPC;
	if (err) {
		free_struct(vmr);
		errno = err;
		return NULL;
	}
	vmr->access = IBV_ACCESS_ON_DEMAND;
	return &vmr->ibv_mr;
}

static void unimport_mr(struct ibv_mr *mr)
{
	free_struct(container_of(mr, struct verbs_mr, ibv_mr));
}

static struct ibv_mr *reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset,
				    size_t length, uint64_t iova, int fd,
				    int access)
{
	struct mp_context *mp = MP_CONTEXT_OF(pd);
	struct verbs_mr *vmr;

	note_seen(&mp->reg_mr,
		  (struct mp_seen){ .pd = pd,
				    .addr = (void *)(uintptr_t)offset,
				    .length = length,
				    .iova = iova,
				    .access = access,
				    .flags = fd });
	vmr = new_struct(sizeof(*vmr));
	if (vmr)
		vmr->mr_type = IBV_MR_TYPE_DMABUF_MR;
	return vmr ? &vmr->ibv_mr : NULL;
}

/* ---- objects without kernel side ---- */

static int note(struct ibv_context *context, int flags)
{
	struct mp_context *mp = mp_get(context);

	note_seen(&mp->other, (struct mp_seen){ .flags = flags });
	return mp->result;
}

/* NULL, with the errno that the test has set as result */
static void *note_new(struct ibv_context *context, int flags, size_t size)
{
	int err = note(context, flags);
	void *object;

	if (err) {
		errno = err;
		return NULL;
	}
	object = new_struct(size);
	CHECK(object);
	/* What the library is to set must not be right by chance. */
	memset(object, 0xa5, size);
	return object;
}

static int note_free(struct ibv_context *context, void *object)
{
	int ret = note(context, 0);

	if (!ret)
		free_struct(object);
	return ret;
}

static struct ibv_cq *create_cq(struct ibv_context *context, int cqe,
				struct ibv_comp_channel *channel,
				int comp_vector)
{
	struct verbs_cq *cq = note_new(context, comp_vector, sizeof(*cq));

	(void)channel;
	if (!cq)
		return NULL;
	cq->cq.cqe = cqe + 1;
	return &cq->cq;
}

static int resize_cq(struct ibv_cq *cq, int cqe)
{
	return note(cq->context, cqe);
}

static void cq_event(struct ibv_cq *cq)
{
	note_seen(&MP_CONTEXT_OF(cq)->cq_event, (struct mp_seen){ 0 });
}

static int destroy_cq(struct ibv_cq *cq)
{
	return note_free(cq->context, cq);
}

static struct ibv_qp *create_qp(struct ibv_pd *pd,
				struct ibv_qp_init_attr *attr)
{
	struct verbs_qp *qp = note_new(pd->context, 0, sizeof(*qp));

	if (!qp)
		return NULL;
	qp->qp.context = pd->context;
	qp->qp.state = IBV_QPS_RESET;
	qp->comp_mask = attr->sq_sig_all ? VERBS_QP_EX : 0;
	return &qp->qp;
}

static int query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		    struct ibv_qp_init_attr *init_attr)
{
	(void)init_attr;
	attr->qp_state = IBV_QPS_SQE;
	return note(qp->context, mask);
}

static int modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	(void)attr;
	return note(qp->context, mask);
}

static int destroy_qp(struct ibv_qp *qp)
{
	return note_free(qp->context, qp);
}

static int query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op,
				  uint32_t flags)
{
	note(qp->context, op + flags);
	return 1;
}

static int set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	return note(qp->context, ece->options);
}

static int query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	ece->options = 7;
	return note(qp->context, 0);
}

static struct ibv_srq *create_srq(struct ibv_pd *pd,
				  struct ibv_srq_init_attr *attr)
{
	struct verbs_srq *srq = note_new(pd->context, 0, sizeof(*srq));

	(void)attr;
	return srq ? &srq->srq : NULL;
}

static int modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	(void)attr;
	return note(srq->context, mask);
}

static int query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	attr->max_wr = 11;
	return note(srq->context, 0);
}

static int destroy_srq(struct ibv_srq *srq)
{
	return note_free(srq->context, srq);
}

static struct ibv_ah *create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct ibv_ah *ah = note_new(pd->context, attr->dlid, sizeof(*ah));

	return ah;
}

static int destroy_ah(struct ibv_ah *ah)
{
	return note_free(ah->context, ah);
}

static int attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid,
			uint16_t lid)
{
	return note(qp->context, gid->raw[0] + lid);
}

static int detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid,
			uint16_t lid)
{
	return note(qp->context, -(gid->raw[0] + lid));
}

static int query_device_ex(struct ibv_context *context,
			   const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t attr_size)
{
	CHECK(!input);
	CHECK_INT(attr_size, sizeof(struct ibv_device_attr));
	memset(attr, 0, attr_size);
	attr->orig_attr.phys_port_cnt = mp_get(context)->num_ports;
	return note(context, 0);
}

static int query_port(struct ibv_context *context, uint8_t port_num,
		      struct ibv_port_attr *attr)
{
	*attr = mp_get(context)->port;
	return note(context, port_num);
}

static struct ibv_dm *import_dm(struct ibv_context *context, uint32_t handle)
{
	struct verbs_dm *dm = note_new(context, 0, sizeof(*dm));

	if (!dm)
		return NULL;
	dm->dm.context = context;
	dm->handle = handle;
	return &dm->dm;
}

static void unimport_dm(struct ibv_dm *dm)
{
	free_struct(container_of(dm, struct verbs_dm, dm));
}

/* ---- the device ---- */

static void free_context(struct ibv_context *context)
{
	struct mp_context *mp = mp_get(context);

	verbs_uninit_context(&mp->vctx);
	free(mp);
}

static const struct verbs_context_ops ops = {
	.alloc_parent_domain = alloc_parent_domain,
	.alloc_pd = alloc_pd,
	.attach_mcast = attach_mcast,
	.cq_event = cq_event,
	.create_ah = create_ah,
	.create_cq = create_cq,
	.create_qp = create_qp,
	.create_srq = create_srq,
	.dealloc_pd = dealloc_pd,
	.dereg_mr = dereg_mr,
	.destroy_ah = destroy_ah,
	.destroy_cq = destroy_cq,
	.destroy_qp = destroy_qp,
	.destroy_srq = destroy_srq,
	.detach_mcast = detach_mcast,
	.free_context = free_context,
	.modify_qp = modify_qp,
	.modify_srq = modify_srq,
	.query_device_ex = query_device_ex,
	.query_ece = query_ece,
	.query_port = query_port,
	.query_qp = query_qp,
	.query_qp_data_in_order = query_qp_data_in_order,
	.query_srq = query_srq,
	.reg_dmabuf_mr = reg_dmabuf_mr,
	.reg_mr = reg_mr,
	.rereg_mr = rereg_mr,
	.resize_cq = resize_cq,
	.set_ece = set_ece,
};

static const struct verbs_context_ops import_ops = {
	.import_dm = import_dm,
	.import_mr = import_mr,
	.import_pd = import_pd,
	.unimport_dm = unimport_dm,
	.unimport_mr = unimport_mr,
	.unimport_pd = unimport_pd,
};

/* Of contexts on devices that discovery has found */
static struct mp_options listed_options;

/* Without discovery the provider opens the model's file itself. */
static struct verbs_context *alloc_context(struct ibv_device *device,
					   int cmd_fd, void *private_data)
{
	const struct mp_options *options = private_data;
	struct ib_uverbs_get_context_resp resp;
	struct ibv_get_context cmd;
	struct mp_context *mp;

	if (!options)
		options = &listed_options;
	else
		cmd_fd = model_open(options->device);
	mp = verbs_init_and_alloc_context(device, cmd_fd, mp, vctx,
					  options->driver_id);
	CHECK(mp);
	CHECK_INT(ibv_cmd_get_context(&mp->vctx, &cmd, sizeof(cmd), &resp,
				      sizeof(resp)),
		  0);
	mp->options = *options;
	mp->num_ports = 1;
	verbs_set_ops(&mp->vctx, &ops);
	if (options->import_ops)
		verbs_set_ops(&mp->vctx, &import_ops);
	return &mp->vctx;
}

static struct verbs_device *alloc_device(struct verbs_sysfs_dev *record)
{
	(void)record;
	return calloc(1, sizeof(struct verbs_device));
}

static void uninit_device(struct verbs_device *device)
{
	free(device);
}

static const struct verbs_match_ent match_table[] = {
	VERBS_NAME_MATCH("model", NULL),
	{ .kind = VERBS_MATCH_SENTINEL },
};

static const struct verbs_device_ops device_ops = {
	.name = "model",
	.match_max_abi_version = 1,
	.match_table = match_table,
	.alloc_device = alloc_device,
	.alloc_context = alloc_context,
	.uninit_device = uninit_device,
};

void mp_register(const struct mp_options *options)
{
	static bool registered;

	listed_options = *options;
	if (!registered)
		verbs_register_driver(&device_ops);
	registered = true;
}

struct ibv_context *mp_open(const struct mp_options *options)
{
	struct verbs_device *device = calloc(1, sizeof(*device));
	struct ibv_context *context;

	CHECK(device);
	/* The context's reference alone: the device goes with it. */
	device->ops = &device_ops;
	strcpy(device->device.name, "test0");
	context = verbs_open_device(&device->device, (void *)options);
	CHECK(context);

	if (options->ibdev_path) {
		device->sysfs = calloc(1, sizeof(*device->sysfs));
		CHECK(device->sysfs);
		snprintf(device->sysfs->ibdev_path,
			 sizeof(device->sysfs->ibdev_path), "%s",
			 options->ibdev_path);
	}
	return context;
}

void mp_close(struct ibv_context *context)
{
	CHECK_INT(model_handles(context->cmd_fd), 0);
	model_close(context->cmd_fd);
	CHECK_INT(ibv_close_device(context), 0);
}
