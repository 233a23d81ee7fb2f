// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A kernel module that misbehaves when it is loaded, in the way that its
 * parameter names. For testing that the guest's troubles are noticed.
 */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/panic.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

static char *kind = "";
module_param(kind, charp, 0);

/* Sized for a slab cache of its own use, so that no one else meets the damage
 */
#define VICTIM_SIZE 1000

static void write_after_free(void)
{
	char *victim = kmalloc(VICTIM_SIZE, GFP_KERNEL);

	if (!victim)
		return;
	kfree(victim);
	OPTIMIZER_HIDE_VAR(victim);
	victim[VICTIM_SIZE / 2] = 1;
	/* The damage shows when the object is taken again. */
	kfree(kmalloc(VICTIM_SIZE, GFP_KERNEL));
}

static void overflow_refcount(void)
{
	refcount_t r = REFCOUNT_INIT(0);

	refcount_inc(&r);
}

static void sleep_in_atomic(void)
{
	preempt_disable();
	schedule();
	preempt_enable();
}

static int stuck(void *unused)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule();
	return 0;
}

static int __init trouble_init(void)
{
	static int *nowhere;

	if (!strcmp(kind, "warn")) {
		WARN_ON(1);
	} else if (!strcmp(kind, "bug")) {
		BUG();
	} else if (!strcmp(kind, "oops")) {
		OPTIMIZER_HIDE_VAR(nowhere);
		*nowhere = 1;
	} else if (!strcmp(kind, "panic")) {
		panic("trouble asked for");
	} else if (!strcmp(kind, "refcount")) {
		overflow_refcount();
	} else if (!strcmp(kind, "write-after-free")) {
		write_after_free();
	} else if (!strcmp(kind, "atomic")) {
		sleep_in_atomic();
	} else if (!strcmp(kind, "stuck")) {
		kthread_run(stuck, NULL, "trouble-stuck");
	} else if (!strcmp(kind, "spin")) {
		local_irq_disable();
		for (;;)
			cpu_relax();
	} else if (!strcmp(kind, "taint")) {
		/* Silent: only the taint tells of it. */
		add_taint(TAINT_WARN, LOCKDEP_STILL_OK);
	} else if (!strcmp(kind, "quiet")) {
		/* Below the console's log level: only dmesg has it. */
		printk(KERN_DEBUG "refcount_t: said quietly\n");
	} else if (strcmp(kind, "none")) {
		return -EINVAL;
	}
	return 0;
}
module_init(trouble_init);

static void __exit trouble_exit(void)
{
}
module_exit(trouble_exit);

MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("Misbehaves on request");
