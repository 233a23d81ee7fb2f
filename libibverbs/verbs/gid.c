// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The GID tables of a device's ports.  Kernels from 5.10 on answer for them on
 * the command file; with older ones (EOPNOTSUPP) everything is read from sysfs.
 */
#include <ctype.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "provider/priv.h"
#include "uverbs/uverbs.h"

#define GID_TEXT_LEN 39 /* eight groups of four hex digits, colons between */
#define SYSFS_TYPE_V1 "IB/RoCE v1"
#define SYSFS_TYPE_V2 "RoCE v2"

static struct verbs_sysfs_dev *sysfs_of(struct ibv_context *context)
{
	return verbs_get_device(context->device)->sysfs;
}

/* What is not there is no entry of the table: the native commands' EINVAL. */
static int sysfs_error(void)
{
	return errno == ENOENT ? EINVAL : errno;
}

static bool parse_gid(const char *text, union ibv_gid *gid)
{
	char digits[3] = { 0 };
	size_t i;

	for (i = 0; i < GID_TEXT_LEN; i++)
		if (i % 5 == 4 ? text[i] != ':'
			       : !isxdigit((unsigned char)text[i]))
			return false;

	for (i = 0; i < sizeof(gid->raw); i++) {
		memcpy(digits, text + i / 2 * 5 + i % 2 * 2, 2);
		gid->raw[i] = strtoul(digits, NULL, 16);
	}
	return true;
}

static int sysfs_gid(struct ibv_context *context, uint32_t port, uint32_t index,
		     union ibv_gid *gid)
{
	char text[GID_TEXT_LEN + 2];
	int len;

	len = ibv_read_ibdev_sysfs_file(text, sizeof(text), sysfs_of(context),
					"ports/%u/gids/%u", port, index);
	if (len < 0)
		return sysfs_error();
	return len == GID_TEXT_LEN && parse_gid(text, gid) ? 0 : EINVAL;
}

/* Kernels before 4.5 know only v1 and have no gid_attrs. */
static bool has_gid_types(struct ibv_context *context, uint32_t port)
{
	char path[IBV_SYSFS_PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/ports/%u/gid_attrs/types",
		 sysfs_of(context)->ibdev_path, port);
	return !access(path, F_OK);
}

static int sysfs_type(struct ibv_context *context, uint32_t port,
		      uint32_t index, enum ibv_gid_type_sysfs *type)
{
	char text[16] = "";
	int len;

	if (!sysfs_of(context))
		return EOPNOTSUPP;

	len = ibv_read_ibdev_sysfs_file(text, sizeof(text), sysfs_of(context),
					"ports/%u/gid_attrs/types/%u", port,
					index);
	/* Reading the type of an empty entry gives EINVAL. */
	if (len < 0 && errno != EINVAL && has_gid_types(context, port))
		return sysfs_error();

	if (len < 0)
		strcpy(text, SYSFS_TYPE_V1);

	if (!strcmp(text, SYSFS_TYPE_V1))
		*type = IBV_GID_TYPE_SYSFS_IB_ROCE_V1;
	else if (!strcmp(text, SYSFS_TYPE_V2))
		*type = IBV_GID_TYPE_SYSFS_ROCE_V2;
	else
		return EOPNOTSUPP;
	return 0;
}

/* Sysfs has one name for two types: the link layer tells which is meant. */
static int sysfs_public_type(struct ibv_context *context, uint32_t port,
			     uint32_t index, uint32_t *public_type)
{
	struct ibv_port_attr attr = { 0 };
	enum ibv_gid_type_sysfs type;
	int ret;

	ret = sysfs_type(context, port, index, &type);
	if (ret)
		return ret;
	if (type == IBV_GID_TYPE_SYSFS_ROCE_V2) {
		*public_type = IBV_GID_TYPE_ROCE_V2;
		return 0;
	}

	ret = get_ops(context)->query_port(context, port, &attr);
	if (ret)
		return ret;
	*public_type = attr.link_layer == IBV_LINK_LAYER_ETHERNET
			       ? IBV_GID_TYPE_ROCE_V1
			       : IBV_GID_TYPE_IB;
	return 0;
}

static int sysfs_ndev(struct ibv_context *context, uint32_t port,
		      uint32_t index, uint32_t *ifindex)
{
	char name[IF_NAMESIZE + 1];
	int len;

	len = ibv_read_ibdev_sysfs_file(name, sizeof(name), sysfs_of(context),
					"ports/%u/gid_attrs/ndevs/%u", port,
					index);
	if (len <= 0) {
		/* InfiniBand ports have no interface. */
		if (len < 0 && errno != ENOENT && errno != EINVAL)
			return sysfs_error();
		*ifindex = 0;
		return 0;
	}

	*ifindex = if_nametoindex(name);
	return *ifindex ? 0 : ENODEV;
}

/* ENODATA: the entry is empty */
static int sysfs_entry(struct ibv_context *context, uint32_t port,
		       uint32_t index, struct ibv_gid_entry *entry)
{
	static const union ibv_gid empty;
	int ret;

	ret = sysfs_gid(context, port, index, &entry->gid);
	if (ret)
		return ret;
	if (!memcmp(&entry->gid, &empty, sizeof(empty)))
		return ENODATA;

	entry->gid_index = index;
	entry->port_num = port;
	ret = sysfs_public_type(context, port, index, &entry->gid_type);
	if (ret)
		return ret;
	return sysfs_ndev(context, port, index, &entry->ndev_ifindex);
}

static void give_entry(void *to, const struct ibv_gid_entry *entry, size_t size)
{
	memset(to, 0, size);
	memcpy(to, entry, size < sizeof(*entry) ? size : sizeof(*entry));
}

/* The number of entries, or a negative errno value */
static ssize_t sysfs_table(struct ibv_context *context, char *entries,
			   size_t max_entries, size_t entry_size)
{
	struct ibv_device_attr device_attr;
	struct ibv_gid_entry entry;
	size_t count = 0;
	int ret, index;
	unsigned int port;

	ret = ibv_query_device(context, &device_attr);
	if (ret)
		return -ret;

	for (port = 1; port <= device_attr.phys_port_cnt; port++) {
		struct ibv_port_attr port_attr = { 0 };

		ret = get_ops(context)->query_port(context, port, &port_attr);
		if (ret)
			return -ret;
		for (index = 0; index < port_attr.gid_tbl_len; index++) {
			ret = sysfs_entry(context, port, index, &entry);
			if (ret == ENODATA)
				continue;
			if (ret)
				return -ret;
			if (count == max_entries)
				return -EINVAL;
			give_entry(entries + count++ * entry_size, &entry,
				   entry_size);
		}
	}
	return count;
}

/**
 * ibv_query_gid - read one GID
 * @context: the device
 * @port_num: from 1
 * @index: into the port's table
 * @gid: out: the GID, all zero if the entry is empty; untouched on failure
 *
 * Returns 0, or -1 with errno: EINVAL for no such port or index.  Thread-safe.
 * Since IBVERBS_1.1.
 */
int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index,
		  union ibv_gid *gid)
{
	struct ibv_gid_entry entry = { 0 };
	int ret;

	ret = uverbs_query_gid_entry(context, port_num, index, 0, &entry,
				     sizeof(entry));
	if (ret == EOPNOTSUPP)
		ret = sysfs_gid(context, port_num, index, &entry.gid);
	if (ret && ret != ENODATA) {
		errno = ret;
		return -1;
	}

	*gid = entry.gid;
	return 0;
}

/**
 * ibv_query_gid_type - which RoCE version a GID is for, asked by plug-ins
 * @context: the device
 * @port_num: from 1
 * @index: into the port's table
 * @type: out; an empty entry counts as version 1
 *
 * Returns 0, or -1 with errno.  Thread-safe.
 */
int ibv_query_gid_type(struct ibv_context *context, uint8_t port_num,
		       unsigned int index, enum ibv_gid_type_sysfs *type)
{
	struct ibv_gid_entry entry = { 0 };
	int ret;

	ret = uverbs_query_gid_entry(context, port_num, index, 0, &entry,
				     sizeof(entry));
	if (ret == EOPNOTSUPP) {
		ret = sysfs_type(context, port_num, index, type);
	} else if (!ret || ret == ENODATA) {
		*type = !ret && entry.gid_type == IBV_GID_TYPE_ROCE_V2
				? IBV_GID_TYPE_SYSFS_ROCE_V2
				: IBV_GID_TYPE_SYSFS_IB_ROCE_V1;
		ret = 0;
	}
	if (ret) {
		errno = ret;
		return -1;
	}
	return 0;
}

/**
 * _ibv_query_gid_ex - read one entry: behind the inline ibv_query_gid_ex()
 * @context: the device
 * @port_num: from 1
 * @gid_index: into the port's table
 * @entry: out; untouched on failure
 * @flags: must be 0
 * @entry_size: the caller's sizeof(*entry)
 *
 * Returns 0 or an errno value: ENODATA for an empty entry, EINVAL for no such
 * port or index, EOPNOTSUPP for flags.  Thread-safe.  Since IBVERBS_1.11.
 */
int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num,
		      uint32_t gid_index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t entry_size)
{
	struct ibv_gid_entry found;
	int ret;

	ret = uverbs_query_gid_entry(context, port_num, gid_index, flags, entry,
				     entry_size);
	if (ret != EOPNOTSUPP)
		return ret;
	if (flags)
		return EOPNOTSUPP;

	ret = sysfs_entry(context, port_num, gid_index, &found);
	if (!ret)
		give_entry(entry, &found, entry_size);
	return ret;
}

/**
 * _ibv_query_gid_table - read the entries of all ports: behind the inline
 * ibv_query_gid_table()
 * @context: the device
 * @entries: out: entries that are not empty
 * @max_entries: room for how many
 * @flags: must be 0
 * @entry_size: the caller's sizeof(*entries)
 *
 * Returns how many there are, or a negative errno value: -EINVAL if there are
 * more than max_entries, -EOPNOTSUPP for flags.  Thread-safe.  Since
 * IBVERBS_1.11.
 */
ssize_t _ibv_query_gid_table(struct ibv_context *context,
			     struct ibv_gid_entry *entries, size_t max_entries,
			     uint32_t flags, size_t entry_size)
{
	uint64_t count = max_entries;
	int ret;

	ret = uverbs_query_gid_table(context, flags, entries, entry_size,
				     &count);
	if (!ret)
		return count;
	if (ret != EOPNOTSUPP)
		return -ret;
	if (flags)
		return -EOPNOTSUPP;
	return sysfs_table(context, (char *)entries, max_entries, entry_size);
}
