/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* What files of /proc tell. */
#ifndef PROC_H
#define PROC_H

#include "check.h"

/* kB in the line of that name, with its colon; -1: there is none */
static inline int proc_kb(const char *path, const char *name)
{
	FILE *file = fopen(path, "r");
	size_t len = strlen(name);
	char line[128];
	int kb = -1;

	NEED(file);
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, name, len) &&
		    sscanf(line + len, "%d", &kb) == 1)
			break;
	fclose(file);
	return kb;
}

#endif
