/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What the test device (device/share_test.c) counts, and what it is told. */
#ifndef DEVICE_H
#define DEVICE_H

#include <unistd.h>

#include "check.h"

static inline int device_get(const char *name)
{
	char path[128];
	FILE *file;
	int value;

	snprintf(path, sizeof(path), "/sys/module/share_test/parameters/%s",
		 name);
	file = fopen(path, "r");
	NEED(file);
	NEED(fscanf(file, "%d", &value) == 1);
	fclose(file);
	return value;
}

static inline void device_set(const char *name, int value)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/share_test/parameters/%s",
		 name);
	file = fopen(path, "w");
	NEED(file);
	fprintf(file, "%d\n", value);
	NEED(!fclose(file));
}

/* How long each destruction of an MR or SRQ takes from now on; 0: no time */
static inline void device_slow(int ms)
{
	device_set("held", 0);
	device_set("slow_ms", ms);
}

/* Until one that another thread was told to make has begun */
static inline void device_wait_slow(void)
{
	int ms = 0;

	while (!device_get("held") && ms++ < 10000)
		usleep(1000);
	NEED(device_get("held"));
}

/* Contexts, PDs, MRs and other objects that the driver has made and not freed */
#define DEVICE_HAS(_contexts, _pds, _mrs, _others)                          \
	CHECK(device_get("contexts") == (_contexts) &&                      \
		      device_get("pds") == (_pds) &&                        \
		      device_get("mrs") == (_mrs) &&                        \
		      device_get("others") == (_others),                    \
	      "%d contexts, %d PDs, %d MRs, %d others",                     \
	      device_get("contexts"), device_get("pds"), device_get("mrs"), \
	      device_get("others"))

#endif
