// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibv_shares: which PDs and MRs are shared, and by whom; for root. */
#include <errno.h>
#include <getopt.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "ibv_shares.h"

#define DEBUGFS "/sys/kernel/debug"

enum { FINE, FAILED, WRONG_USE };

static void usage(FILE *out, const char *program)
{
	fprintf(out, "Usage: %s [options]\n", program);
	fputs("\nOptions:\n"
	      "  -d, --ib-dev=<dev>     show what is shared on RDMA device "
	      "<dev> "
	      "only\n"
	      "  -j, --json             print JSON\n"
	      "  -f, --file=<path>      read a copy of the kernel's list, - "
	      "for "
	      "standard\n"
	      "                         input (default " SHARES_FILE ")\n"
	      "  -h, --help             print this help text and exit\n",
	      out);
}

static bool is_mounted(void)
{
	struct statfs fs;

	return !statfs(DEBUGFS, &fs) && fs.f_type == DEBUGFS_MAGIC;
}

/* Why the kernel's own list is not there, and what to do */
static void explain(int err)
{
	if ((err == EACCES || err == EPERM) && geteuid())
		fputs("ibv_shares: only root may read the kernel's list of "
		      "shared objects\n",
		      stderr);
	else if (err == EACCES || err == EPERM)
		fputs("ibv_shares: " SHARES_FILE " may not be read: is the "
		      "kernel locked down?\n",
		      stderr);
	else if (err != ENOENT)
		fprintf(stderr, "ibv_shares: " SHARES_FILE ": %s\n",
			strerror(err));
	else if (access("/sys/module/ib_uverbs", F_OK))
		fputs("ibv_shares: the kernel module ib_uverbs is not loaded: "
		      "modprobe ib_uverbs\n",
		      stderr);
	else if (!is_mounted())
		fputs("ibv_shares: debugfs is not mounted: mount -t debugfs "
		      "debugfs " DEBUGFS "\n",
		      stderr);
	else
		fputs("ibv_shares: this kernel's ib_uverbs has no list of "
		      "shared objects: it is one without export and import, "
		      "or of an earlier version\n",
		      stderr);
}

static FILE *open_list(const char *path)
{
	FILE *file;

	if (path && !strcmp(path, "-"))
		return stdin;
	file = fopen(path ? path : SHARES_FILE, "re");
	if (!file && path)
		fprintf(stderr, "ibv_shares: %s: %s\n", path, strerror(errno));
	else if (!file)
		explain(errno);
	return file;
}

static int show(const char *path, const char *device, bool json)
{
	FILE *file = open_list(path);
	const char *name = path ? path : SHARES_FILE;
	struct shares shares;
	bool ok;

	if (!file)
		return FAILED;
	errno = 0;
	ok = shares_read(&shares, file, device);
	if (!ok && errno == EPROTO)
		fprintf(stderr, "ibv_shares: %s is no list of shared objects\n",
			name);
	else if (!ok)
		fprintf(stderr, "ibv_shares: %s: %s\n", name, strerror(errno));
	if (file != stdin)
		fclose(file);
	if (!ok)
		return FAILED;

	shares.is_live = !path;
	if (json)
		shares_print_json(stdout, &shares);
	else
		shares_print_table(stdout, &shares);
	if (shares.bad_lines) {
		fprintf(stderr,
			"ibv_shares: %s: left out %u line%s not understood, "
			"the first is line %u\n",
			name, shares.bad_lines,
			shares.bad_lines == 1 ? "" : "s", shares.first_bad);
		ok = false;
	}
	free(shares.list);
	if (fflush(stdout) || ferror(stdout)) {
		perror("ibv_shares");
		ok = false;
	}
	return ok ? FINE : FAILED;
}

int main(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "ib-dev", required_argument, NULL, 'd' },
		{ "json", no_argument, NULL, 'j' },
		{ "file", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *device = NULL, *path = NULL;
	bool json = false;
	int letter;

	while ((letter = getopt_long(argc, argv, "d:jf:h", options, NULL)) !=
	       -1) {
		switch (letter) {
		case 'd':
			device = optarg;
			break;
		case 'j':
			json = true;
			break;
		case 'f':
			path = optarg;
			break;
		case 'h':
			usage(stdout, argv[0]);
			return FINE;
		default:
			usage(stderr, argv[0]);
			return WRONG_USE;
		}
	}
	if (optind < argc) {
		usage(stderr, argv[0]);
		return WRONG_USE;
	}
	return show(path, device, json);
}
