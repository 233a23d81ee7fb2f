// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Functions of a program that happen to have names of the static library's
 * inside: neither may be taken for the other.
 */
#include <stdlib.h>

#define OWN(_name)        \
	void _name(void); \
	void _name(void)  \
	{                 \
		abort();  \
	}

/* Of its private interface */
OWN(execute_ioctl)
OWN(verbs_init_cq)
OWN(verbs_set_ops)
OWN(verbs_open_device)
OWN(ibv_cmd_alloc_pd)
/* Of no interface */
OWN(first_driver)
OWN(load_plugins)
OWN(make_device)
OWN(rdma_nl_open)
OWN(uverbs_ioctl)
OWN(handle_map_put)
OWN(common_import_mr)
