// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * m5soft, for tests alone: RDMA devices in software with the user ABI of
 * mlx5_ib, so that libmlx5 drives them.  There is no wire: a device's QPs reach
 * each other only, and nothing of the kernel uses it.
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/addrconf.h>
#include <rdma/ib_addr.h>

#include "m5soft.h"

MODULE_DESCRIPTION("Test device with the user ABI of mlx5");
MODULE_LICENSE("Dual BSD/GPL");

#define MAX_DEVICES 4

static char *netdevs[MAX_DEVICES] = { "dummy0" };
static int netdev_count;
module_param_array(netdevs, charp, &netdev_count, 0444);
MODULE_PARM_DESC(netdevs, "the interfaces that mlx5_0 and so on are on");

static struct m5_device *devices[MAX_DEVICES];

static int query_device(struct ib_device *ib, struct ib_device_attr *attr,
			struct ib_udata *udata)
{
	memset(attr, 0, sizeof(*attr));
	attr->fw_ver = 99ULL << 32;
	attr->sys_image_guid = ib->node_guid;
	attr->max_mr_size = ~0ULL;
	attr->page_size_cap = PAGE_SIZE;
	attr->vendor_id = 0x02c9;
	attr->max_qp = 4096;
	attr->max_qp_wr = 8192;
	attr->max_send_sge = 30;
	attr->max_recv_sge = 32;
	attr->max_sge_rd = 30;
	attr->max_cq = 4096;
	attr->max_cqe = (1 << 20) - 1;
	attr->max_mr = 1 << 16;
	attr->max_mw = 1 << 16;
	attr->max_pd = 4096;
	attr->max_ah = 1 << 16;
	attr->max_qp_rd_atom = 16;
	attr->max_qp_init_rd_atom = 16;
	attr->max_res_rd_atom = 1 << 16;
	attr->atomic_cap = IB_ATOMIC_HCA;
	attr->max_srq = 1024;
	attr->max_srq_wr = 8191;
	attr->max_srq_sge = 31;
	attr->max_pkeys = 1;
	attr->device_cap_flags =
		IB_DEVICE_RC_RNR_NAK_GEN | IB_DEVICE_CHANGE_PHY_PORT;
	return 0;
}

static int query_port(struct ib_device *ib, u32 port, struct ib_port_attr *attr)
{
	attr->state = IB_PORT_ACTIVE;
	attr->phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	attr->max_mtu = attr->active_mtu = IB_MTU_4096;
	attr->gid_tbl_len = 32;
	attr->pkey_tbl_len = 1;
	attr->max_msg_sz = 1 << 30;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_EDR;
	return 0;
}

static int query_pkey(struct ib_device *ib, u32 port, u16 index, u16 *pkey)
{
	*pkey = 0xffff;
	return index ? -EINVAL : 0;
}

static enum rdma_link_layer link_layer(struct ib_device *ib, u32 port)
{
	return IB_LINK_LAYER_ETHERNET;
}

/* GIDs, but no MAD and no CM: nothing of the kernel wants QPs of its own. */
static int port_immutable(struct ib_device *ib, u32 port,
			  struct ib_port_immutable *immutable)
{
	immutable->pkey_tbl_len = 1;
	immutable->gid_tbl_len = 32;
	immutable->core_cap_flags = RDMA_CORE_CAP_PROT_ROCE_UDP_ENCAP;
	return 0;
}

static const struct ib_device_ops ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_MLX5,
	.uverbs_abi_ver = 1,

	.query_device = query_device,
	.query_port = query_port,
	.query_pkey = query_pkey,
	.get_link_layer = link_layer,
	.get_port_immutable = port_immutable,
	.alloc_ucontext = m5_alloc_ucontext,
	.dealloc_ucontext = m5_dealloc_ucontext,
	.disassociate_ucontext = m5_disassociate_ucontext,
	.query_ucontext = m5_query_ucontext,
	.mmap = m5_mmap,
	.mmap_free = m5_mmap_free,
	.alloc_pd = m5_alloc_pd,
	.dealloc_pd = m5_dealloc_pd,
	.create_ah = m5_create_ah,
	.create_user_ah = m5_create_ah,
	.destroy_ah = m5_destroy_ah,
	.reg_user_mr = m5_reg_user_mr,
	.rereg_user_mr = m5_rereg_user_mr,
	.dereg_mr = m5_dereg_mr,
	.alloc_mw = m5_alloc_mw,
	.dealloc_mw = m5_dealloc_mw,
	.create_cq = m5_create_cq,
	.destroy_cq = m5_destroy_cq,
	.create_srq = m5_create_srq,
	.modify_srq = m5_modify_srq,
	.query_srq = m5_query_srq,
	.destroy_srq = m5_destroy_srq,
	.create_qp = m5_create_qp,
	.modify_qp = m5_modify_qp,
	.query_qp = m5_query_qp,
	.destroy_qp = m5_destroy_qp,

	INIT_RDMA_OBJ_SIZE(ib_ah, m5_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, m5_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_mw, m5_mw, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, m5_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, m5_qp, ib),
	INIT_RDMA_OBJ_SIZE(ib_srq, m5_srq, ib),
	INIT_RDMA_OBJ_SIZE(ib_ucontext, m5_context, ib),
};

static const struct uapi_definition defs[] = {
	UAPI_DEF_CHAIN(m5_context_defs),
	UAPI_DEF_CHAIN(m5_uar_defs),
	UAPI_DEF_CHAIN(m5_pd_defs),
	{},
};

static struct m5_device *add_device(const char *netdev)
{
	struct m5_device *dev = ib_alloc_device(m5_device, ib);
	int ret = -ENODEV;

	if (!dev)
		return ERR_PTR(-ENOMEM);
	dev->netdev = dev_get_by_name(&init_net, netdev);
	if (!dev->netdev)
		goto dealloc;
	mutex_init(&dev->lock);
	xa_init_flags(&dev->pds, XA_FLAGS_ALLOC);
	xa_init_flags(&dev->mrs, XA_FLAGS_ALLOC);
	xa_init_flags(&dev->qps, XA_FLAGS_ALLOC);
	ida_init(&dev->uids);
	dev->ib.node_type = RDMA_NODE_IB_CA;
	dev->ib.phys_port_cnt = 1;
	dev->ib.num_comp_vectors = 1;
	dev->ib.driver_def = defs;
	addrconf_addr_eui48((u8 *)&dev->ib.node_guid, dev->netdev->dev_addr);
	strscpy(dev->ib.node_desc, "m5soft", sizeof(dev->ib.node_desc));
	ib_set_device_ops(&dev->ib, &ops);
	ret = ib_device_set_netdev(&dev->ib, dev->netdev, 1);
	if (ret)
		goto put;
	ret = m5_engine_start(dev);
	if (ret)
		goto put;
	ret = ib_register_device(&dev->ib, "mlx5_%d", NULL);
	if (ret)
		goto stop;
	m5_listing_add(dev);
	return dev;
stop:
	m5_engine_stop(dev);
put:
	dev_put(dev->netdev);
dealloc:
	ib_dealloc_device(&dev->ib);
	return ERR_PTR(ret);
}

static void remove_device(struct m5_device *dev)
{
	struct net_device *netdev = dev->netdev;

	m5_listing_remove(dev);
	/* With it all objects, so that the engine has nothing any more */
	ib_unregister_device(&dev->ib);
	m5_engine_stop(dev);
	WARN_ON(!xa_empty(&dev->pds) || !xa_empty(&dev->mrs) ||
		!xa_empty(&dev->qps) || !ida_is_empty(&dev->uids));
	xa_destroy(&dev->pds);
	xa_destroy(&dev->mrs);
	xa_destroy(&dev->qps);
	ida_destroy(&dev->uids);
	ib_dealloc_device(&dev->ib);
	dev_put(netdev);
}

static int __init m5soft_init(void)
{
	int count = max(netdev_count, 1), i;

	m5_listing_init();
	for (i = 0; i < count; i++) {
		struct m5_device *dev = add_device(netdevs[i]);

		if (IS_ERR(dev)) {
			while (i--)
				remove_device(devices[i]);
			m5_listing_exit();
			return PTR_ERR(dev);
		}
		devices[i] = dev;
	}
	return 0;
}

static void __exit m5soft_exit(void)
{
	int i;

	for (i = 0; i < MAX_DEVICES && devices[i]; i++)
		remove_device(devices[i]);
	m5_listing_exit();
	m5_nomem_exit();
	m5_counters_check();
}

module_init(m5soft_init);
module_exit(m5soft_exit);
