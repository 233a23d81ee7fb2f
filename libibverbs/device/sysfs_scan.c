// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Finding devices, or the rest of what netlink could not tell, in sysfs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/discover.h"
#include "util/sysfs.h"

/* "major:minor" */
static bool read_cdev(int dirfd, dev_t *cdev)
{
	unsigned int major, minor;
	char text[32];

	if (sysfs_read_at(dirfd, "dev", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%u:%u", &major, &minor) != 2)
		return false;
	*cdev = makedev(major, minor);
	return true;
}

/* The directory of a uverbs device that carries everything but its name */
static bool read_uverbs_dir(int dirfd, struct verbs_sysfs_dev *dev)
{
	struct stat st;
	uint64_t abi;

	if (stat(dev->ibdev_path, &st) || !read_cdev(dirfd, &dev->sysfs_cdev))
		return false;
	dev->time_created = st.st_mtim;
	dev->abi_ver =
		sysfs_read_uint_at(dirfd, "abi_version", UINT32_MAX, &abi) ? abi
									   : 0;
	return true;
}

static bool set_sysfs_name(struct verbs_sysfs_dev *dev, const char *name)
{
	size_t len = strlen(name);

	if (len >= sizeof(dev->sysfs_name))
		return false;
	memcpy(dev->sysfs_name, name, len + 1);
	return true;
}

static int open_subdir(DIR *dir, const char *name)
{
	return openat(dirfd(dir), name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool scan_sysfs_cdev(struct verbs_sysfs_dev *dev)
{
	struct dirent *dent;
	bool found = false;
	char *path;
	DIR *dir;
	int fd;

	if (asprintf(&path, "%s/device/infiniband_verbs", dev->ibdev_path) < 0)
		return false;
	dir = opendir(path);
	free(path);
	if (!dir)
		return false;

	while ((dent = readdir(dir)))
		if (dent->d_name[0] != '.')
			break;
	if (dent && set_sysfs_name(dev, dent->d_name)) {
		fd = open_subdir(dir, dent->d_name);
		if (fd >= 0) {
			found = read_uverbs_dir(fd, dev);
			close(fd);
		}
	}
	closedir(dir);
	return found;
}

static bool read_record(int dirfd, const char *name, dev_t open_cdev,
			struct verbs_sysfs_dev *dev)
{
	char text[sizeof(dev->ibdev_name)];
	char path[sizeof(dev->ibdev_path) + 16];
	uint64_t node_type;

	if (!set_sysfs_name(dev, name) ||
	    sysfs_read_at(dirfd, "ibdev", text, sizeof(text)) <= 0 ||
	    !set_ibdev_name(dev, text) || !read_uverbs_dir(dirfd, dev))
		return false;

	snprintf(path, sizeof(path), "%s/node_type", dev->ibdev_path);
	dev->node_type = IBV_NODE_UNKNOWN;
	if (sysfs_read_uint_at(AT_FDCWD, path, UINT64_MAX, &node_type))
		dev->node_type = decode_node_type(node_type);
	dev->ibdev_idx = -1;
	return is_reachable(dev, open_cdev);
}

/* A device that cannot be looked at is not one that is not there. */
static int lack_of_files(void)
{
	return errno == EMFILE || errno == ENFILE ? errno : 0;
}

int scan_sysfs(struct list_node *records, dev_t open_cdev)
{
	char path[IBV_SYSFS_PATH_MAX];
	struct verbs_sysfs_dev *dev;
	struct dirent *dent;
	int len, fd, ret = 0;
	DIR *dir;

	len = snprintf(path, sizeof(path), "%s/class/infiniband_verbs",
		       ibv_get_sysfs_path());
	if (len < 0 || (size_t)len >= sizeof(path))
		return ENOMEM;
	dir = opendir(path);
	if (!dir)
		return lack_of_files() ?: ENOSYS;

	while (!ret && (dent = readdir(dir))) {
		if (dent->d_name[0] == '.')
			continue;
		errno = 0;
		fd = open_subdir(dir, dent->d_name);
		if (fd < 0) {
			ret = lack_of_files();
			continue;
		}
		dev = calloc(1, sizeof(*dev));
		if (!dev)
			ret = ENOMEM;
		else if (read_record(fd, dent->d_name, open_cdev, dev))
			list_add_front(records, &dev->entry);
		else {
			ret = lack_of_files();
			free(dev);
		}
		close(fd);
	}
	closedir(dir);
	if (ret)
		free_records(records);
	return ret;
}
