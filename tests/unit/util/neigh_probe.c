// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Resolves pairs of addresses: neigh_probe source destination ...  The GID
 * table is a directory that stands for sysfs; a command file that knows no
 * uverbs command makes the library read it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"

static char dir[] = "/tmp/neigh_probe.XXXXXX";

static union ibv_gid to_gid(const char *text)
{
	union ibv_gid gid = {};

	if (strchr(text, ':')) {
		if (inet_pton(AF_INET6, text, gid.raw) != 1)
			exit(2);
	} else {
		memset(gid.raw + 10, 0xff, 2);
		if (inet_pton(AF_INET, text, gid.raw + 12) != 1)
			exit(2);
	}
	return gid;
}

static void in_dir(char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s%s", dir, name);
}

static void write_gid(const union ibv_gid *gid)
{
	char path[256];
	FILE *file;
	int i;

	in_dir(path, sizeof(path), "/ports/1/gids/0");
	file = fopen(path, "w");
	if (!file)
		exit(2);
	for (i = 0; i < 16; i++)
		fprintf(file, "%02x%s", gid->raw[i],
			i == 15 ? "\n"
			: i % 2 ? ":"
				: "");
	fclose(file);
}

static void make_table(bool make)
{
	static const char *const dirs[] = { "", "/ports", "/ports/1",
					    "/ports/1/gids" };
	char path[256];
	int i;

	if (make) {
		if (!mkdtemp(dir))
			exit(2);
		for (i = 1; i < 4; i++) {
			in_dir(path, sizeof(path), dirs[i]);
			if (mkdir(path, 0700))
				exit(2);
		}
		return;
	}
	in_dir(path, sizeof(path), "/ports/1/gids/0");
	unlink(path);
	for (i = 3; i >= 0; i--) {
		in_dir(path, sizeof(path), dirs[i]);
		rmdir(path);
	}
}

static void resolve(struct ibv_context *context, const char *source,
		    const char *destination)
{
	union ibv_gid sgid = to_gid(source);
	struct ibv_ah_attr attr = { .port_num = 1, .is_global = 1 };
	uint8_t mac[ETHERNET_LL_SIZE], again[ETHERNET_LL_SIZE];
	uint16_t vid = 0x7777;
	int ret;

	memset(mac, 0xee, sizeof(mac));
	memset(again, 0xee, sizeof(again));
	attr.grh.dgid = to_gid(destination);
	write_gid(&sgid);
	ret = ibv_resolve_eth_l2_from_gid(context, &attr, mac, &vid);
	printf("%s -> %s: %d %02x:%02x:%02x:%02x:%02x:%02x vlan %x\n", source,
	       destination, ret, mac[0], mac[1], mac[2], mac[3], mac[4], mac[5],
	       vid);
	if (!ret && (ibv_resolve_eth_l2_from_gid(context, &attr, again, NULL) ||
		     memcmp(mac, again, sizeof(mac))))
		printf("not the same without vid\n");
}

int main(int argc, char **argv)
{
	static const struct verbs_device_ops ops;
	static struct verbs_device vdev = { .ops = &ops };
	struct verbs_sysfs_dev *record = calloc(1, sizeof(*record));
	struct ibv_ah_attr attr = { .port_num = 2 };
	uint8_t mac[ETHERNET_LL_SIZE];
	struct verbs_context *vctx;
	int i;

	if (!record)
		return 2;
	make_table(true);
	strcpy(record->ibdev_path, dir);
	vdev.sysfs = record;
	atomic_init(&vdev.refcount, 1);
	vctx = _verbs_init_and_alloc_context(&vdev.device, -1, sizeof(*vctx),
					     NULL, RDMA_DRIVER_UNKNOWN);
	if (!vctx)
		return 2;
	vctx->context.cmd_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	printf("no such GID: %d\n",
	       ibv_resolve_eth_l2_from_gid(&vctx->context, &attr, mac, NULL));
	for (i = 1; i + 1 < argc; i += 2)
		resolve(&vctx->context, argv[i], argv[i + 1]);

	verbs_uninit_context(vctx);
	free(vctx);
	free(record);
	make_table(false);
	return 0;
}
