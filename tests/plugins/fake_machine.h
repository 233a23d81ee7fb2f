/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A machine with one RDMA device.  The program exports functions of libc and
 * libnl, so that the library under test and its plug-ins find a device node, a
 * netlink and mappings there; sysfs is a directory.  The node is /dev/null, to
 * whose descriptors fake_kernel.c gives another meaning.
 */
#ifndef PLUGINS_FAKE_MACHINE_H
#define PLUGINS_FAKE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct machine {
	const char *ibdev;
	uint32_t driver_id;   /* 0: the kernel does not tell */
	const char *modalias; /* NULL: none */
	uint32_t abi;
	bool no_netlink;
};

/*
 * From now on this is what there is; its device is another than before.  The
 * first call sets SYSFS_PATH and goes to a directory of its own, which is
 * removed at exit.
 */
void machine_is(const struct machine *machine);
/* Memory that plug-ins have mapped on the device and not unmapped */
unsigned int machine_mappings(void);

#endif
