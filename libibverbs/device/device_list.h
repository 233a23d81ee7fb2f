/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* References to devices: by the list, by each list handed out, by contexts. */
#ifndef DEVICE_DEVICE_LIST_H
#define DEVICE_DEVICE_LIST_H

#include "driver.h"

void get_device(struct verbs_device *vdev);
void put_device(struct verbs_device *vdev);

#endif
