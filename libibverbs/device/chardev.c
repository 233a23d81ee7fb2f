// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Opening a device's node, which udev may only just be about to make. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "device/chardev.h"
#include "device/discover.h"

#define DEV_CHAR_DIR "/dev/char"
#define WAIT_MS 5000

static int open_path(const char *path, dev_t cdev)
{
	struct stat st;
	int fd;

	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	/* Names may have been handed on to another device in the meantime. */
	if (fstat(fd, &st) || !S_ISCHR(st.st_mode) || st.st_rdev != cdev) {
		close(fd);
		errno = ENODEV;
		return -1;
	}
	return fd;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int wait_for_path(const char *path, dev_t cdev)
{
	int64_t deadline = now_ms() + WAIT_MS, left;
	char events[4096];
	struct pollfd pfd = { .events = POLLIN };
	int fd, err;

	pfd.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (pfd.fd < 0)
		return -1;
	/* Watch first, then look, or the link's coming could be missed. */
	if (inotify_add_watch(pfd.fd, DEV_CHAR_DIR,
			      IN_CREATE | IN_MOVED_TO | IN_ATTRIB) < 0) {
		fd = -1;
		goto out;
	}
	for (;;) {
		fd = open_path(path, cdev);
		if (fd >= 0)
			break;
		/* udev makes the link when it is done with the permissions. */
		if (errno == EACCES || errno == EPERM)
			break;
		err = errno;
		left = deadline - now_ms();
		if (left <= 0 || poll(&pfd, 1, left) <= 0) {
			errno = err;
			break;
		}
		while (read(pfd.fd, events, sizeof(events)) > 0)
			;
	}
out:
	err = errno;
	close(pfd.fd);
	errno = err;
	return fd;
}

int open_chardev(const char *name, dev_t cdev)
{
	char path[128] = CDEV_DIR "/";
	int fd;

	strncat(path, name, sizeof(path) - sizeof(CDEV_DIR "/"));
	fd = open_path(path, cdev);
	/* EPERM is a device cgroup's: nothing that udev does changes it. */
	if (fd >= 0 || errno == EPERM)
		return fd;

	snprintf(path, sizeof(path), DEV_CHAR_DIR "/%u:%u", major(cdev),
		 minor(cdev));
	return wait_for_path(path, cdev);
}
