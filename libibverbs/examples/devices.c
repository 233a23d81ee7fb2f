// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_devices: names and GUIDs of the RDMA devices that are there. */
#include <endian.h>
#include <stdio.h>

#include "tool.h"

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_device **device;

	if (!list) {
		perror("Failed to get IB devices list");
		return 1;
	}
	printf("    %-16s\t   node GUID\n", "device");
	printf("    %-16s\t----------------\n", "------");
	for (device = list; *device; device++)
		printf("    %-16s\t%016llx\n", ibv_get_device_name(*device),
		       (unsigned long long)be64toh(
			       ibv_get_device_guid(*device)));
	ibv_free_device_list(list);
	return 0;
}
