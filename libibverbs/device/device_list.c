// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The list of devices, and its comparison with the kernel's at each call. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_list.h"
#include "device/discover.h"
#include "device/driver_list.h"
#include "device/environment.h"
#include "util/log.h"
#include "util/sysfs.h"

/* Held while the kernel is asked; never while a device is opened. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_node devices = LIST_HEAD_INIT(devices);
static bool environment_read;
static bool plugins_loaded;
static int uverbs_abi; /* 0: not known yet */

void get_device(struct verbs_device *vdev)
{
	atomic_fetch_add(&vdev->refcount, 1);
}

void put_device(struct verbs_device *vdev)
{
	if (atomic_fetch_sub(&vdev->refcount, 1) != 1)
		return;
	free(vdev->sysfs);
	if (vdev->ops->uninit_device)
		vdev->ops->uninit_device(vdev);
}

static int check_uverbs_abi(void)
{
	char path[IBV_SYSFS_PATH_MAX + 64];
	/* More than that is not told of, as in released libraries. */
	char text[8] = "";
	long abi;

	if (uverbs_abi)
		return 0;
	snprintf(path, sizeof(path), "%s/class/infiniband_verbs/abi_version",
		 ibv_get_sysfs_path());
	if (sysfs_read_at(AT_FDCWD, path, text, sizeof(text)) < 0)
		return ENOSYS;
	abi = strtol(text, NULL, 10);
	if (abi < UVERBS_MIN_ABI || abi > UVERBS_MAX_ABI) {
		warn_stderr("Fatal: kernel ABI version %d doesn't match "
			    "library version %d.",
			    (int)abi, UVERBS_MAX_ABI);
		return ENOSYS;
	}
	uverbs_abi = abi;
	return 0;
}

static int scan(struct list_node *records, dev_t open_cdev)
{
	int ret;

	ret = scan_netlink(records, &uverbs_abi, open_cdev);
	if (ret)
		ret = scan_sysfs(records, open_cdev);
	if (!ret && !list_empty(records))
		ret = check_uverbs_abi();
	if (ret)
		free_records(records);
	return ret;
}

static bool same_device(const struct verbs_sysfs_dev *a,
			const struct verbs_sysfs_dev *b)
{
	if (strcmp(a->sysfs_name, b->sysfs_name) ||
	    a->ibdev_idx != b->ibdev_idx)
		return false;
	/* Without an index, a device that came back differs in its age only. */
	return a->ibdev_idx >= 0 ||
	       (a->time_created.tv_sec == b->time_created.tv_sec &&
		a->time_created.tv_nsec == b->time_created.tv_nsec);
}

/* Drop known devices from the records, and lost devices from the list. */
static void compare_with_list(struct list_node *records)
{
	struct list_node *node, *next, *rnode, *rnext;

	list_for_each_safe (node, next, &devices) {
		struct verbs_device *vdev =
			list_entry(node, struct verbs_device);
		bool found = false;

		list_for_each_safe (rnode, rnext, records) {
			struct verbs_sysfs_dev *dev =
				list_entry(rnode, struct verbs_sysfs_dev);

			if (!same_device(vdev->sysfs, dev))
				continue;
			list_del(rnode);
			free(dev);
			found = true;
			break;
		}
		if (!found) {
			list_del(node);
			put_device(vdev);
		}
	}
}

/*
 * Make devices of those records that a driver accepts: each goes in front of
 * the list, so the last record becomes the first device.  Returns how many
 * records are left over.
 */
static size_t match_records(struct list_node *records)
{
	struct list_node *node, *next;
	size_t left = 0;

	list_for_each_safe (node, next, records) {
		struct verbs_sysfs_dev *dev =
			list_entry(node, struct verbs_sysfs_dev);
		struct verbs_device *vdev = make_device(dev);

		if (!vdev) {
			left++;
			continue;
		}
		list_del(node);
		list_add_front(&devices, &vdev->entry);
	}
	return left;
}

static void note_unmatched(struct list_node *records)
{
	struct list_node *node, *next;

	if (!getenv("IBV_SHOW_WARNINGS"))
		return;
	list_for_each_safe (node, next, records)
		warn_stderr(
			"Warning: no userspace device-specific driver "
			"found for %s",
			list_entry(node, struct verbs_sysfs_dev)->ibdev_name);
}

/* With list_lock held.  open_cdev: as for scan_netlink(). */
static int refresh_list(dev_t open_cdev)
{
	struct list_node records = LIST_HEAD_INIT(records);
	int ret;

	if (!environment_read) {
		environment_read = true;
		read_environment();
	}
	ret = scan(&records, open_cdev);
	if (ret)
		return ret;

	compare_with_list(&records);
	if (match_records(&records) && !plugins_loaded) {
		plugins_loaded = true;
		load_plugins();
		match_records(&records);
	}
	note_unmatched(&records);
	free_records(&records);
	return 0;
}

static struct ibv_device **copy_list(size_t *count)
{
	struct list_node *node, *next;
	struct ibv_device **list;
	size_t n = 0;

	list_for_each_safe (node, next, &devices)
		n++;
	list = calloc(n + 1, sizeof(*list));
	if (!list)
		return NULL;

	*count = n;
	n = 0;
	list_for_each_safe (node, next, &devices) {
		struct verbs_device *vdev =
			list_entry(node, struct verbs_device);

		get_device(vdev);
		list[n++] = &vdev->device;
	}
	return list;
}

struct verbs_device *find_device(dev_t cdev)
{
	struct verbs_device *found = NULL;
	struct list_node *node, *next;
	int ret;

	pthread_mutex_lock(&list_lock);
	ret = refresh_list(cdev);
	list_for_each_safe (node, next, &devices) {
		struct verbs_device *vdev =
			list_entry(node, struct verbs_device);

		if (!ret && !found && vdev->sysfs->sysfs_cdev == cdev) {
			found = vdev;
			get_device(found);
		}
	}
	pthread_mutex_unlock(&list_lock);

	if (!found)
		errno = ret && ret != ENOSYS ? ret : ENODEV;
	return found;
}

/* verbs.h may have a macro of this name. */
#undef ibv_get_device_list

/**
 * ibv_get_device_list - The RDMA devices of this machine
 * @num_devices: receives their number; may be NULL
 *
 * Returns an array that ends with NULL, to be given to ibv_free_device_list(),
 * or NULL with errno: ENOSYS: the kernel has no RDMA support that the library
 * understands; ENOMEM.  A device keeps its pointer from call to call for as
 * long as the kernel has it.  Thread-safe.  Since IBVERBS_1.1.
 */
struct ibv_device **ibv_get_device_list(int *num_devices)
{
	struct ibv_device **list = NULL;
	size_t count = 0;
	int ret;

	if (num_devices)
		*num_devices = 0;

	pthread_mutex_lock(&list_lock);
	ret = refresh_list(0);
	if (!ret) {
		list = copy_list(&count);
		if (!list)
			ret = ENOMEM;
	}
	pthread_mutex_unlock(&list_lock);

	/* Released libraries have no other errors. */
	if (ret)
		errno = ret == ENOMEM ? ENOMEM : ENOSYS;
	else if (num_devices)
		*num_devices = count;
	return list;
}

/**
 * ibv_free_device_list - Give back a list of devices
 * @list: of ibv_get_device_list()
 *
 * Devices that are not open and not in another list may not be used any more.
 * Thread-safe.  Since IBVERBS_1.1.
 */
void ibv_free_device_list(struct ibv_device **list)
{
	size_t i;

	for (i = 0; list[i]; i++)
		put_device(verbs_get_device(list[i]));
	free(list);
}
