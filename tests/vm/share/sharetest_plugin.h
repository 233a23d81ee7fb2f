/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What the plug-in and the test that uses it know of each other. */
#ifndef SHARETEST_PLUGIN_H
#define SHARETEST_PLUGIN_H

#include <infiniband/verbs.h>

struct sharetest_pd {
	struct ibv_pd ibv_pd;
	uint32_t number; /* what the kernel driver told of it */
};

#endif
