// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the device itself knows of its objects, in debugfs:
 * m5soft/DEVICE/{pds,mrs,qps}, a line each.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "m5soft.h"

static struct dentry *root;

static int pds_show(struct seq_file *file, void *unused)
{
	struct m5_device *dev = file->private;
	unsigned long pdn;
	struct m5_pd *pd;

	mutex_lock(&dev->lock);
	xa_for_each(&dev->pds, pdn, pd)
		seq_printf(file, "pdn %u uid %u\n", pd->pdn, pd->uid);
	mutex_unlock(&dev->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(pds);

static int mrs_show(struct seq_file *file, void *unused)
{
	struct m5_device *dev = file->private;
	unsigned long index;
	struct m5_mr *mr;

	mutex_lock(&dev->lock);
	xa_for_each(&dev->mrs, index, mr)
		seq_printf(file, "lkey %u pdn %u length %llu\n", mr->ib.lkey,
			   mr->pdn, mr->length);
	mutex_unlock(&dev->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(mrs);

static int qps_show(struct seq_file *file, void *unused)
{
	struct m5_device *dev = file->private;
	unsigned long qpn;
	struct m5_qp *qp;

	mutex_lock(&dev->lock);
	xa_for_each(&dev->qps, qpn, qp)
		seq_printf(file, "qpn %u pdn %u uid %u\n", qp->ib.qp_num,
			   qp->pdn, qp->uid);
	mutex_unlock(&dev->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(qps);

void m5_listing_add(struct m5_device *dev)
{
	dev->debugfs = debugfs_create_dir(dev_name(&dev->ib.dev), root);
	debugfs_create_file("pds", 0400, dev->debugfs, dev, &pds_fops);
	debugfs_create_file("mrs", 0400, dev->debugfs, dev, &mrs_fops);
	debugfs_create_file("qps", 0400, dev->debugfs, dev, &qps_fops);
}

void m5_listing_remove(struct m5_device *dev)
{
	debugfs_remove(dev->debugfs);
}

void m5_listing_init(void)
{
	root = debugfs_create_dir("m5soft", NULL);
}

void m5_listing_exit(void)
{
	debugfs_remove(root);
}
