// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * An RDMA device that moves no data but fails, refuses and counts on demand.
 *
 * It has what rxe lacks: memory regions on demand, on device memory, without
 * keys, that can be registered anew; bytes of its own in the reply to alloc_pd;
 * removal while files are open. It checks of its caller that every PD and MR is
 * freed in the context in which it was made, and before that context; a wrong
 * one is a kernel warning.
 */
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>
#include <rdma/uverbs_std_types.h>
#define UVERBS_MODULE_NAME share_test
#include <rdma/uverbs_named_ioctl.h>

MODULE_DESCRIPTION("Test device for sharing PDs and MRs");
MODULE_LICENSE("Dual BSD/GPL");

/* ---- at load ---- */

static bool disassociate = true;
module_param(disassociate, bool, 0444);
MODULE_PARM_DESC(disassociate, "can go while files are open");

static bool methods_taken;
module_param(methods_taken, bool, 0444);
MODULE_PARM_DESC(methods_taken, "has a driver method with a number of ours");

/* ---- at any time ---- */

static bool hold_mrs;
module_param(hold_mrs, bool, 0644);
MODULE_PARM_DESC(hold_mrs, "dereg_mr fails, as with a bound window");

static bool hold_pds;
module_param(hold_pds, bool, 0644);
MODULE_PARM_DESC(hold_pds, "dealloc_pd fails");

static bool rereg_new;
module_param(rereg_new, bool, 0644);
MODULE_PARM_DESC(rereg_new, "rereg_mr makes a new MR");

static bool keyless;
module_param(keyless, bool, 0644);
MODULE_PARM_DESC(keyless, "MRs are for queues of the driver: they get no keys");

static uint slow_ms;
module_param(slow_ms, uint, 0644);
MODULE_PARM_DESC(slow_ms, "how long dereg_mr and destroy_srq take");

/* ---- what there is ---- */

static atomic_t contexts, pds, mrs, others, deregs, held;
static atomic_t next_key = ATOMIC_INIT(1);
module_param_named(contexts, contexts.counter, int, 0444);
module_param_named(pds, pds.counter, int, 0444);
module_param_named(mrs, mrs.counter, int, 0444);
module_param_named(others, others.counter, int, 0444);
module_param_named(deregs, deregs.counter, int, 0444);
/* Calls that slow_ms has held */
module_param_named(held, held.counter, int, 0644);

struct test_context {
	struct ib_ucontext ib;
	atomic_t objects;
	/* For mmap(), with a mark in it; gone with the context */
	struct page *page;
};

struct test_pd {
	struct ib_pd ib;
	struct test_context *context;
	u32 number;
};

struct test_mr {
	struct ib_mr ib;
	struct test_context *context;
	struct ib_umem *umem;
	/* In the place of a dma-buf, which is a file, too */
	struct file *buffer;
};

/* The core asks how large they are and that its own part comes first. */
struct test_mw {
	struct ib_mw ib;
};

struct test_ah {
	struct ib_ah ib;
};

struct test_srq {
	struct ib_srq ib;
};

struct test_cq {
	struct ib_cq ib;
};

struct test_qp {
	struct ib_qp ib;
};

struct test_xrcd {
	struct ib_xrcd ib;
};

struct test_counters {
	struct ib_counters ib;
};

struct test_table {
	struct ib_rwq_ind_table ib;
};

static struct test_context *context_of(struct ib_udata *udata)
{
	return rdma_udata_to_drv_context(udata, struct test_context, ib);
}

static int test_query_device(struct ib_device *dev, struct ib_device_attr *attr,
			     struct ib_udata *udata)
{
	memset(attr, 0, sizeof(*attr));
	attr->max_qp = attr->max_cq = attr->max_srq = attr->max_mr = 1 << 20;
	attr->max_pd = attr->max_mw = attr->max_ah = 1 << 20;
	attr->max_qp_wr = attr->max_cqe = attr->max_srq_wr = 1 << 10;
	attr->max_send_sge = attr->max_recv_sge = attr->max_srq_sge = 4;
	attr->max_mr_size = ~0ull;
	attr->max_dm_size = 1 << 20;
	attr->kernel_cap_flags = IBK_ON_DEMAND_PAGING;
	return 0;
}

static int test_query_port(struct ib_device *dev, u32 port,
			   struct ib_port_attr *attr)
{
	attr->state = IB_PORT_ACTIVE;
	attr->phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	attr->max_mtu = attr->active_mtu = IB_MTU_4096;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_EDR;
	return 0;
}

/* No MAD, no CM, no GIDs: nothing of the kernel uses the device. */
static int test_port_immutable(struct ib_device *dev, u32 port,
			       struct ib_port_immutable *immutable)
{
	immutable->core_cap_flags = RDMA_CORE_CAP_PROT_USNIC;
	return 0;
}

static enum rdma_link_layer test_link_layer(struct ib_device *dev, u32 port)
{
	return IB_LINK_LAYER_ETHERNET;
}

static int test_alloc_ucontext(struct ib_ucontext *ib, struct ib_udata *udata)
{
	struct test_context *context =
		container_of(ib, struct test_context, ib);

	context->page = alloc_page(GFP_KERNEL);
	if (!context->page)
		return -ENOMEM;
	memset(page_address(context->page), 0x5a, PAGE_SIZE);
	atomic_inc(&contexts);
	return 0;
}

static int test_mmap(struct ib_ucontext *ib, struct vm_area_struct *vma)
{
	struct test_context *context =
		container_of(ib, struct test_context, ib);

	return rdma_user_mmap_io(ib, vma, page_to_pfn(context->page), PAGE_SIZE,
				 vma->vm_page_prot, NULL);
}

static void test_dealloc_ucontext(struct ib_ucontext *ib)
{
	struct test_context *context =
		container_of(ib, struct test_context, ib);

	WARN(atomic_read(&context->objects),
	     "a context goes before its objects");
	__free_page(context->page);
	atomic_dec(&contexts);
}

static void test_disassociate_ucontext(struct ib_ucontext *ib)
{
}

static int test_alloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	struct test_pd *pd = container_of(ib, struct test_pd, ib);
	u32 reply[32] = {};
	int i;

	pd->number = atomic_inc_return(&next_key);
	for (i = 0; i < ARRAY_SIZE(reply); i++)
		reply[i] = pd->number + i;
	if (udata->outlen) {
		int ret = ib_copy_to_udata(udata, reply,
					   min(udata->outlen, sizeof(reply)));

		if (ret)
			return ret;
	}
	pd->context = context_of(udata);
	atomic_inc(&pd->context->objects);
	atomic_inc(&pds);
	return 0;
}

static int test_dealloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	struct test_pd *pd = container_of(ib, struct test_pd, ib);

	WARN(context_of(udata) != pd->context, "PD freed in another context");
	WARN(atomic_read(&ib->usecnt), "PD freed while in use");
	if (hold_pds)
		return -EIO;
	atomic_dec(&pd->context->objects);
	atomic_dec(&pds);
	return 0;
}

static struct test_mr *new_mr(struct ib_device *dev,
			      struct test_context *context)
{
	struct test_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);

	if (!mr)
		return ERR_PTR(-ENOMEM);
	if (!keyless)
		mr->ib.lkey = mr->ib.rkey = atomic_inc_return(&next_key) << 8;
	mr->context = context;
	atomic_inc(&context->objects);
	atomic_inc(&mrs);
	return mr;
}

static void free_mr(struct test_mr *mr)
{
	if (mr->umem)
		ib_umem_release(mr->umem);
	if (mr->buffer)
		fput(mr->buffer);
	atomic_dec(&mr->context->objects);
	atomic_dec(&mrs);
	kfree(mr);
}

static struct ib_mr *test_reg_user_mr(struct ib_pd *pd, u64 start, u64 length,
				      u64 iova, int access,
				      struct ib_udata *udata)
{
	struct test_mr *mr = new_mr(pd->device, context_of(udata));

	if (IS_ERR(mr))
		return ERR_CAST(mr);
	if (!(access & IB_ACCESS_ON_DEMAND)) {
		mr->umem = ib_umem_get(pd->device, start, length, access);
		if (IS_ERR(mr->umem)) {
			int ret = PTR_ERR(mr->umem);

			mr->umem = NULL;
			free_mr(mr);
			return ERR_PTR(ret);
		}
	}
	return &mr->ib;
}

static struct ib_mr *test_reg_dmabuf(struct ib_pd *pd, u64 offset, u64 length,
				     u64 iova, int fd, int access,
				     struct ib_udata *udata)
{
	struct test_mr *mr = new_mr(pd->device, context_of(udata));

	if (IS_ERR(mr))
		return ERR_CAST(mr);
	mr->buffer = fget(fd);
	if (!mr->buffer) {
		free_mr(mr);
		return ERR_PTR(-EBADF);
	}
	mr->ib.iova = iova;
	mr->ib.length = length;
	return &mr->ib;
}

static struct ib_mr *test_rereg_user_mr(struct ib_mr *ib, int flags, u64 start,
					u64 length, u64 iova, int access,
					struct ib_pd *pd,
					struct ib_udata *udata)
{
	struct test_mr *mr = container_of(ib, struct test_mr, ib);

	WARN(context_of(udata) != mr->context, "MR changed in another context");
	if (rereg_new) {
		mr = new_mr(ib->device, context_of(udata));
		if (IS_ERR(mr))
			return ERR_CAST(mr);
		mr->ib.iova = flags & IB_MR_REREG_TRANS ? iova : ib->iova;
		mr->ib.length = flags & IB_MR_REREG_TRANS ? length : ib->length;
		return &mr->ib;
	}
	mr->ib.lkey++;
	mr->ib.rkey++;
	return NULL;
}

static void take_time(void)
{
	if (!slow_ms)
		return;
	atomic_inc(&held);
	msleep(slow_ms);
}

static int test_dereg_mr(struct ib_mr *ib, struct ib_udata *udata)
{
	struct test_mr *mr = container_of(ib, struct test_mr, ib);

	WARN(context_of(udata) != mr->context, "MR freed in another context");
	atomic_inc(&deregs);
	take_time();
	if (hold_mrs)
		return -EINVAL;
	free_mr(mr);
	return 0;
}

static struct ib_dm *test_alloc_dm(struct ib_device *dev,
				   struct ib_ucontext *context,
				   struct ib_dm_alloc_attr *attr,
				   struct uverbs_attr_bundle *attrs)
{
	struct ib_dm *dm = kzalloc(sizeof(*dm), GFP_KERNEL);

	if (!dm)
		return ERR_PTR(-ENOMEM);
	atomic_inc(&others);
	return dm;
}

static int test_dealloc_dm(struct ib_dm *dm, struct uverbs_attr_bundle *attrs)
{
	atomic_dec(&others);
	kfree(dm);
	return 0;
}

static struct ib_mr *test_reg_dm_mr(struct ib_pd *pd, struct ib_dm *dm,
				    struct ib_dm_mr_attr *attr,
				    struct uverbs_attr_bundle *attrs)
{
	struct test_mr *mr =
		new_mr(pd->device, context_of(&attrs->driver_udata));

	return IS_ERR(mr) ? ERR_CAST(mr) : &mr->ib;
}

/* ---- objects that are only there to use a PD ---- */

static int test_alloc_mw(struct ib_mw *mw, struct ib_udata *udata)
{
	mw->rkey = atomic_inc_return(&next_key) << 8;
	atomic_inc(&others);
	return 0;
}

static int test_dealloc_mw(struct ib_mw *mw)
{
	atomic_dec(&others);
	return 0;
}

static int test_create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *attr,
			  struct ib_udata *udata)
{
	atomic_inc(&others);
	return 0;
}

static int test_destroy_ah(struct ib_ah *ah, u32 flags)
{
	atomic_dec(&others);
	return 0;
}

static int test_create_srq(struct ib_srq *srq, struct ib_srq_init_attr *attr,
			   struct ib_udata *udata)
{
	atomic_inc(&others);
	return 0;
}

static int test_destroy_srq(struct ib_srq *srq, struct ib_udata *udata)
{
	take_time();
	atomic_dec(&others);
	return 0;
}

static int test_create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr,
			  struct ib_udata *udata)
{
	cq->cqe = attr->cqe;
	atomic_inc(&others);
	return 0;
}

static int test_destroy_cq(struct ib_cq *cq, struct ib_udata *udata)
{
	atomic_dec(&others);
	return 0;
}

static int test_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr,
			  struct ib_udata *udata)
{
	qp->qp_num = atomic_inc_return(&next_key);
	atomic_inc(&others);
	return 0;
}

static int test_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
			  struct ib_udata *udata)
{
	return -EOPNOTSUPP;
}

static int test_destroy_qp(struct ib_qp *qp, struct ib_udata *udata)
{
	atomic_dec(&others);
	return 0;
}

static struct ib_wq *test_create_wq(struct ib_pd *pd,
				    struct ib_wq_init_attr *attr,
				    struct ib_udata *udata)
{
	struct ib_wq *wq = kzalloc(sizeof(*wq), GFP_KERNEL);

	if (!wq)
		return ERR_PTR(-ENOMEM);
	atomic_inc(&others);
	return wq;
}

static int test_destroy_wq(struct ib_wq *wq, struct ib_udata *udata)
{
	atomic_dec(&others);
	kfree(wq);
	return 0;
}

static int test_modify_wq(struct ib_wq *wq, struct ib_wq_attr *attr, u32 mask,
			  struct ib_udata *udata)
{
	return -EOPNOTSUPP;
}

static int test_alloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	atomic_inc(&others);
	return 0;
}

static int test_dealloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	atomic_dec(&others);
	return 0;
}

static int test_create_counters(struct ib_counters *counters,
				struct uverbs_attr_bundle *attrs)
{
	atomic_inc(&others);
	return 0;
}

static int test_destroy_counters(struct ib_counters *counters)
{
	atomic_dec(&others);
	return 0;
}

static int test_create_table(struct ib_rwq_ind_table *table,
			     struct ib_rwq_ind_table_init_attr *attr,
			     struct ib_udata *udata)
{
	atomic_inc(&others);
	return 0;
}

static int test_destroy_table(struct ib_rwq_ind_table *table)
{
	atomic_dec(&others);
	return 0;
}

static struct ib_flow *test_create_flow(struct ib_qp *qp,
					struct ib_flow_attr *attr,
					struct ib_udata *udata)
{
	struct ib_flow *flow = kzalloc(sizeof(*flow), GFP_KERNEL);

	if (!flow)
		return ERR_PTR(-ENOMEM);
	atomic_inc(&others);
	return flow;
}

static int test_destroy_flow(struct ib_flow *flow)
{
	atomic_dec(&others);
	kfree(flow);
	return 0;
}

static int test_destroy_flow_action(struct ib_flow_action *action)
{
	return -EOPNOTSUPP;
}

/* ---- a method where ours would be ---- */

enum { TEST_METHOD_TAKEN = (1U << 12) + 6 };
enum { TEST_ATTR_HANDLE };

static int UVERBS_HANDLER(TEST_METHOD_TAKEN)(struct uverbs_attr_bundle *attrs)
{
	return -EUCLEAN;
}

DECLARE_UVERBS_NAMED_METHOD(TEST_METHOD_TAKEN,
			    UVERBS_ATTR_IDR(TEST_ATTR_HANDLE, UVERBS_OBJECT_MR,
					    UVERBS_ACCESS_READ, UA_OPTIONAL));
ADD_UVERBS_METHODS(test_mr_methods, UVERBS_OBJECT_MR,
		   &UVERBS_METHOD(TEST_METHOD_TAKEN));

static const struct uapi_definition test_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MR, &test_mr_methods),
	{},
};

/* ---- the device ---- */

static const struct ib_device_ops test_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.uverbs_abi_ver = 1,

	.query_device = test_query_device,
	.query_port = test_query_port,
	.get_port_immutable = test_port_immutable,
	.get_link_layer = test_link_layer,
	.alloc_ucontext = test_alloc_ucontext,
	.dealloc_ucontext = test_dealloc_ucontext,
	.alloc_pd = test_alloc_pd,
	.dealloc_pd = test_dealloc_pd,
	.mmap = test_mmap,
	.reg_user_mr = test_reg_user_mr,
	.reg_user_mr_dmabuf = test_reg_dmabuf,
	.rereg_user_mr = test_rereg_user_mr,
	.dereg_mr = test_dereg_mr,
	.alloc_dm = test_alloc_dm,
	.dealloc_dm = test_dealloc_dm,
	.reg_dm_mr = test_reg_dm_mr,
	.alloc_mw = test_alloc_mw,
	.dealloc_mw = test_dealloc_mw,
	.create_ah = test_create_ah,
	.create_user_ah = test_create_ah,
	.destroy_ah = test_destroy_ah,
	.create_srq = test_create_srq,
	.destroy_srq = test_destroy_srq,
	.create_cq = test_create_cq,
	.destroy_cq = test_destroy_cq,
	.create_qp = test_create_qp,
	.modify_qp = test_modify_qp,
	.destroy_qp = test_destroy_qp,
	.create_wq = test_create_wq,
	.modify_wq = test_modify_wq,
	.destroy_wq = test_destroy_wq,
	.alloc_xrcd = test_alloc_xrcd,
	.dealloc_xrcd = test_dealloc_xrcd,
	.create_counters = test_create_counters,
	.destroy_counters = test_destroy_counters,
	.create_rwq_ind_table = test_create_table,
	.destroy_rwq_ind_table = test_destroy_table,
	.create_flow = test_create_flow,
	.destroy_flow = test_destroy_flow,
	.destroy_flow_action = test_destroy_flow_action,

	INIT_RDMA_OBJ_SIZE(ib_ucontext, test_context, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, test_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_mw, test_mw, ib),
	INIT_RDMA_OBJ_SIZE(ib_ah, test_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_srq, test_srq, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, test_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, test_qp, ib),
	INIT_RDMA_OBJ_SIZE(ib_xrcd, test_xrcd, ib),
	INIT_RDMA_OBJ_SIZE(ib_counters, test_counters, ib),
	INIT_RDMA_OBJ_SIZE(ib_rwq_ind_table, test_table, ib),
};

static const struct ib_device_ops disassociate_ops = {
	.disassociate_ucontext = test_disassociate_ucontext,
};

static struct ib_device *device;

static int __init share_test_init(void)
{
	int ret;

	device = _ib_alloc_device(sizeof(*device));
	if (!device)
		return -ENOMEM;
	device->node_type = RDMA_NODE_IB_CA;
	device->phys_port_cnt = 1;
	device->num_comp_vectors = 1;
	device->node_guid = cpu_to_be64(0x0200000000000001);
	strscpy(device->node_desc, "share_test", sizeof(device->node_desc));
	ib_set_device_ops(device, &test_ops);
	if (disassociate)
		ib_set_device_ops(device, &disassociate_ops);
	if (methods_taken)
		device->driver_def = test_defs;
	ret = ib_register_device(device, "sharetest%d", NULL);
	if (ret)
		ib_dealloc_device(device);
	return ret;
}

static void __exit share_test_exit(void)
{
	ib_unregister_device(device);
	ib_dealloc_device(device);
	WARN(atomic_read(&contexts) || atomic_read(&pds) || atomic_read(&mrs) ||
		     atomic_read(&others),
	     "left: %d contexts, %d PDs, %d MRs, %d others",
	     atomic_read(&contexts), atomic_read(&pds), atomic_read(&mrs),
	     atomic_read(&others));
}

module_init(share_test_init);
module_exit(share_test_exit);
