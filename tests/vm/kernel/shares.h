/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* The kernel's list of who shares what, /sys/kernel/debug/ib_uverbs_share */
#ifndef SHARES_H
#define SHARES_H

#include <stdint.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "check.h"

#define SHARES_DIR "/tmp/debugfs"
#define SHARES SHARES_DIR "/ib_uverbs_share"

struct share {
	char device[64], type[8], handle[16], comm[64];
	unsigned int id, aliases, file;
	int pid, maker;
	unsigned long long bytes;
};

static inline void mount_shares(void)
{
	mkdir(SHARES_DIR, 0700);
	NEED(!mount("none", SHARES_DIR, "debugfs", 0, NULL) || errno == EBUSY);
}

/* At most max; the number of lines, or -1 when one is not what it should be */
static inline int read_shares(struct share *list, int max)
{
	static const char header[] =
		"# device\ttype\tid\taliases\thandle\tfile\tpid\tcomm\tmaker\t"
		"bytes\n";
	FILE *file = fopen(SHARES, "r");
	char line[512];
	int n = 0;

	NEED(file);
	if (!fgets(line, sizeof(line), file) || strcmp(line, header))
		n = -1;
	while (n >= 0 && fgets(line, sizeof(line), file)) {
		struct share s;
		int end = 0;

		if (sscanf(line,
			   "%63[^\t]\t%7[^\t]\t%u\t%u\t%15[^\t]\t%u\t%d\t"
			   "%63[^\t]\t%d\t%llu%n",
			   s.device, s.type, &s.id, &s.aliases, s.handle,
			   &s.file, &s.pid, s.comm, &s.maker, &s.bytes,
			   &end) != 10 ||
		    strcmp(line + end, "\n"))
			n = -1;
		else if (n++ < max)
			list[n - 1] = s;
	}
	fclose(file);
	return n;
}

#endif
