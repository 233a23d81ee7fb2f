// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sharing of PDs and MRs: who shares what, for an operator
 *
 * /sys/kernel/debug/ib_uverbs_share, one line for each alias; README.md has the
 * format.  Programs read it: columns may be added behind, no more.
 */
#include <linux/debugfs.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include "uverbs_share_priv.h"

static struct dentry *dentry;

static void *show_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&share_lock);
	return seq_list_start_head(&share_objects, *pos);
}

static void *show_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &share_objects, pos);
}

static void show_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&share_lock);
}

/* 0 when the process is gone, or of the kernel's own */
static pid_t pid_of(const struct rdma_restrack_entry *res)
{
	return res->task ? task_tgid_nr_ns(res->task, &init_pid_ns) : 0;
}

static void show_object(struct seq_file *m, const struct share_object *so)
{
	const struct ib_pd *pd = so->shadow.uobj.object;
	const struct ib_mr *mr = so->shadow.uobj.object;
	const struct rdma_restrack_entry *res =
		share_is_pd(so) ? &pd->res : &mr->res;

	seq_printf(m, "%s\t%s\t%u\t%u\t", so->shadow.uobj.context->device->name,
		   share_is_pd(so) ? "pd" : "mr", res->id, so->n_aliases);
}

static void show_maker(struct seq_file *m, const struct share_object *so)
{
	const struct ib_pd *pd = so->shadow.uobj.object;
	const struct ib_mr *mr = so->shadow.uobj.object;

	if (share_is_pd(so))
		seq_printf(m, "\t%d\t0\n", pid_of(&pd->res));
	else
		seq_printf(m, "\t%d\t%llu\n", pid_of(&mr->res),
			   READ_ONCE(mr->length));
}

static void show_alias(struct seq_file *m, const struct share_object *so,
		       const struct share_uobject *su)
{
	const struct rdma_restrack_entry *opener = &su->uobj.context->res;
	char comm[TASK_COMM_LEN] = "";

	show_object(m, so);
	seq_printf(m, "%u\t%u\t%d\t", su->uobj.id, su->file->id,
		   pid_of(opener));
	if (opener->task)
		get_task_comm(comm, opener->task);
	/* A process may call itself what it likes */
	if (comm[0])
		seq_escape(m, comm, "\t\n\\");
	else
		seq_putc(m, '-');
	show_maker(m, so);
}

static int show(struct seq_file *m, void *v)
{
	const struct share_object *so;
	const struct share_uobject *su;

	if (v == &share_objects) {
		seq_puts(m, "# device\ttype\tid\taliases\thandle\tfile\tpid\t"
			    "comm\tmaker\tbytes\n");
		return 0;
	}
	so = list_entry(v, struct share_object, node);
	/* Its uobjects are of files that are not torn down yet */
	if (so->going)
		return 0;
	list_for_each_entry(su, &so->aliases, node)
		show_alias(m, so, su);
	if (list_empty(&so->aliases)) {
		show_object(m, so);
		seq_puts(m, "-\t0\t0\t-");
		show_maker(m, so);
	}
	return 0;
}

static const struct seq_operations uverbs_share_sops = {
	.start = show_start,
	.next = show_next,
	.stop = show_stop,
	.show = show,
};
DEFINE_SEQ_ATTRIBUTE(uverbs_share);

/* The module does its work without, so nothing is said when it fails. */
void share_show_init(void)
{
	dentry = debugfs_create_file("ib_uverbs_share", 0400, NULL, NULL,
				     &uverbs_share_fops);
}

void share_show_exit(void)
{
	debugfs_remove(dentry);
}
