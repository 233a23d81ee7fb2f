/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* References to devices: by the list, by each list handed out, by contexts. */
#ifndef DEVICE_DEVICE_LIST_H
#define DEVICE_DEVICE_LIST_H

#include <sys/types.h>

#include "driver.h"

void get_device(struct verbs_device *vdev);
void put_device(struct verbs_device *vdev);

/*
 * The device with that character device, for a process that has it open and
 * may have no node of it; with a reference.  NULL and errno: ENODEV;
 * ENOMEM, EMFILE, ENFILE: one cannot tell.
 */
struct verbs_device *find_device(dev_t cdev);

#endif
