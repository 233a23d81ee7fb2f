// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Somebody's program: finds the device, and calls the new verbs. */
#include <errno.h>
#include <stdio.h>
#include <infiniband/share.h>

int main(void)
{
	struct ibv_device **list;
	uint32_t handle;
	int count;

	list = ibv_get_device_list(&count);
	if (!list || count != 1) {
		fprintf(stderr, "%d devices\n", list ? count : -1);
		return 1;
	}
	ibv_free_device_list(list);
	if (ibv_export_to_fd(0, &handle, NULL, UVERBS_OBJECT_PD, 0) != EINVAL)
		return 2;
	return 0;
}
