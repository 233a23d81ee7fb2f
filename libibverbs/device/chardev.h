/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Opening a device's node. */
#ifndef DEVICE_CHARDEV_H
#define DEVICE_CHARDEV_H

#include <sys/types.h>

/*
 * Open the node /dev/infiniband/<name> if it is the character device cdev,
 * else the one that udev makes for the number.  -1 with errno.
 */
int open_chardev(const char *name, dev_t cdev);

#endif
