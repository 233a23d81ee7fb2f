// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Module parameters: what a test can make the device do, and what it can see of
 * what the device was asked for.
 */
#include <linux/module.h>

#include "m5soft.h"

bool m5_refuse_devx;
module_param_named(refuse_devx, m5_refuse_devx, bool, 0644);
MODULE_PARM_DESC(refuse_devx, "contexts are opened without DEVX or not at all");

bool m5_refuse_uid_clash;
module_param_named(refuse_uid_clash, m5_refuse_uid_clash, bool, 0644);
MODULE_PARM_DESC(refuse_uid_clash,
		 "no QP whose PD is of another user id than its CQs or SRQ");

uint m5_slow_ms;
module_param_named(slow_ms, m5_slow_ms, uint, 0644);
MODULE_PARM_DESC(slow_ms, "how long dereg_mr takes");

uint m5_reply_ms;
module_param_named(reply_ms, m5_reply_ms, uint, 0644);
MODULE_PARM_DESC(reply_ms, "how long alloc_pd takes once its reply is written");

struct m5_counters m5_counters;

#define M5_PARAMETER(_name) \
	module_param_named(_name, m5_counters._name.counter, int, 0444);
M5_COUNTED(M5_PARAMETER)

void m5_counters_check(void)
{
#define M5_CHECK(_name)                                       \
	WARN(atomic_read(&m5_counters._name), "%d %s left\n", \
	     atomic_read(&m5_counters._name), #_name)
	M5_CHECK(contexts);
	M5_CHECK(pds);
	M5_CHECK(mrs);
	M5_CHECK(mws);
	M5_CHECK(ahs);
	M5_CHECK(cqs);
	M5_CHECK(srqs);
	M5_CHECK(qps);
	M5_CHECK(uars);
}
