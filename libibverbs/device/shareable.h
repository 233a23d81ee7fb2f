/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Opening devices so that their objects go together with imported ones. */
#ifndef DEVICE_SHAREABLE_H
#define DEVICE_SHAREABLE_H

#include <stdbool.h>

/* Is ibv_open_device() to be ibv_open_device_shareable() in this process? */
bool environment_wants_shareable(void);

#endif
