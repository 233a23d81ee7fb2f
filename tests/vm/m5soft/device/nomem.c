// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Memory that runs out when a test says so, on a kernel without fault injection:
 * the n-th allocation that ib_uverbs, ib_core or this module makes for one
 * process fails.  Probes stand before the functions by which they allocate.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "m5soft.h"

/* Run instead of the function, on its stack, and return to its caller */
static notrace unsigned long return_null(void)
{
	return 0;
}

static notrace unsigned long return_error(void)
{
	return -ENOMEM;
}

static int before(struct kprobe *probe, struct pt_regs *regs);

/* With it the kernel knows that a probe may change where to go on. */
static void after(struct kprobe *probe, struct pt_regs *regs,
		  unsigned long flags)
{
}

struct allocator {
	struct kprobe probe;
	unsigned long (*fail)(void);
};

#define ALLOCATOR(_name, _fail)                     \
	{                                           \
		.probe = { .symbol_name = _name,    \
			   .pre_handler = before,   \
			   .post_handler = after }, \
		.fail = _fail,                      \
	}

static struct allocator allocators[] = {
	ALLOCATOR("kmalloc_trace", return_null),
	ALLOCATOR("__kmalloc", return_null),
	ALLOCATOR("__kmalloc_node", return_null),
	ALLOCATOR("kvmalloc_node", return_null),
	ALLOCATOR("kmemdup", return_null),
	ALLOCATOR("alloc_pages", return_null),
	ALLOCATOR("__get_free_pages", return_null),
	ALLOCATOR("vmalloc_user", return_null),
	ALLOCATOR("vmap", return_null),
	ALLOCATOR("ida_alloc_range", return_error),
	ALLOCATOR("__xa_alloc", return_error),
	ALLOCATOR("__xa_alloc_cyclic", return_error),
	ALLOCATOR("rdma_user_mmap_entry_insert", return_error),
	/* Page tables; the error comes out of mmap(2). */
	ALLOCATOR("remap_vmalloc_range", return_error),
};

static bool installed;
static pid_t process;
static atomic_t countdown;
static char where[KSYM_SYMBOL_LEN] = "nowhere";

static bool is_ours(unsigned long caller, char *name)
{
	sprint_symbol(name, caller);
	return strstr(name, "[ib_uverbs]") || strstr(name, "[ib_core]") ||
	       strstr(name, "[m5soft]");
}

static int before(struct kprobe *probe, struct pt_regs *regs)
{
	struct allocator *allocator =
		container_of(probe, struct allocator, probe);
	char name[KSYM_SYMBOL_LEN];

	if (atomic_read(&countdown) <= 0 || current->tgid != process)
		return 0;
	/* At the start of a function the stack has its caller on top. */
	if (!is_ours(*(unsigned long *)regs->sp, name))
		return 0;
	if (atomic_dec_return(&countdown))
		return 0;
	strscpy(where, name, sizeof(where));
	regs->ip = (unsigned long)allocator->fail;
	return 1;
}
NOKPROBE_SYMBOL(before);

/* Here to stay, as this takes longer than what is tested with it */
static int install(void)
{
	int i, ret;

	for (i = 0; i < ARRAY_SIZE(allocators); i++) {
		ret = register_kprobe(&allocators[i].probe);
		if (ret) {
			pr_err("m5soft: no probe at %s: %d\n",
			       allocators[i].probe.symbol_name, ret);
			while (i--)
				unregister_kprobe(&allocators[i].probe);
			return ret;
		}
	}
	installed = true;
	return 0;
}

void m5_nomem_exit(void)
{
	int i;

	for (i = 0; installed && i < ARRAY_SIZE(allocators); i++)
		unregister_kprobe(&allocators[i].probe);
}

static int set_nomem(const char *text, const struct kernel_param *param)
{
	int n, ret;

	ret = kstrtoint(text, 0, &n);
	if (ret)
		return ret;
	if (n < 0)
		return -EINVAL;
	atomic_set(&countdown, 0);
	if (n && !installed) {
		ret = install();
		if (ret)
			return ret;
	}
	process = current->tgid;
	atomic_set(&countdown, n);
	return 0;
}

static int get_nomem(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%d\n", atomic_read(&countdown));
}

static const struct kernel_param_ops nomem_ops = {
	.set = set_nomem,
	.get = get_nomem,
};

/* Reads 0 when it has failed. */
module_param_cb(nomem, &nomem_ops, NULL, 0644);
MODULE_PARM_DESC(nomem,
		 "the n-th allocation for the writing process fails, once");
module_param_string(nomem_where, where, sizeof(where), 0444);
MODULE_PARM_DESC(nomem_where, "whose allocation failed last");
