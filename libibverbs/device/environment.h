/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What a process's environment and limits mean for the library. */
#ifndef DEVICE_ENVIRONMENT_H
#define DEVICE_ENVIRONMENT_H

#include <stdbool.h>

/* Once per process, before its first list of devices */
void read_environment(void);

/* Set and not "0" */
bool env_is_on(const char *name);

#endif
