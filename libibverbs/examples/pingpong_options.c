// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The command lines of the ping-pongs.  Numbers are taken as leniently as
 * strtol() does, for scripts that count on it.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "pingpong.h"

#define MAX_OPTIONS 24

bool pingpong_set_port(struct pingpong_options *opt, const char *value)
{
	unsigned int port = strtoul(value, NULL, 0);

	opt->tcp_port = port;
	return port <= UINT16_MAX;
}

bool pingpong_set_ib_dev(struct pingpong_options *opt, const char *value)
{
	opt->ib_dev = value;
	return true;
}

bool pingpong_set_ib_port(struct pingpong_options *opt, const char *value)
{
	opt->ib_port = strtol(value, NULL, 0);
	return opt->ib_port >= 1;
}

bool pingpong_set_size(struct pingpong_options *opt, const char *value)
{
	opt->size = strtoul(value, NULL, 0);
	return true;
}

bool pingpong_set_mtu(struct pingpong_options *opt, const char *value)
{
	long bytes = strtol(value, NULL, 0);
	int mtu;

	for (mtu = IBV_MTU_256; mtu <= IBV_MTU_4096; mtu++) {
		if (bytes == 128 << mtu) {
			opt->mtu = mtu;
			return true;
		}
	}
	return false;
}

bool pingpong_set_rx_depth(struct pingpong_options *opt, const char *value)
{
	opt->rx_depth = strtoul(value, NULL, 0);
	return true;
}

bool pingpong_set_iters(struct pingpong_options *opt, const char *value)
{
	opt->iters = strtoul(value, NULL, 0);
	return true;
}

bool pingpong_set_sl(struct pingpong_options *opt, const char *value)
{
	opt->sl = strtol(value, NULL, 0);
	return true;
}

bool pingpong_set_events(struct pingpong_options *opt, const char *value)
{
	(void)value;
	opt->events = true;
	return true;
}

bool pingpong_set_gid_idx(struct pingpong_options *opt, const char *value)
{
	opt->gid_idx = strtol(value, NULL, 0);
	return true;
}

bool pingpong_set_check(struct pingpong_options *opt, const char *value)
{
	(void)value;
	opt->check = true;
	return true;
}

bool pingpong_set_odp(struct pingpong_options *opt, const char *value)
{
	(void)value;
	opt->odp = true;
	return true;
}

static void usage(const char *program, const struct pingpong_option *table,
		  size_t entries)
{
	size_t i;

	printf("Usage:\n");
	printf("  %s            start a server and wait for connection\n",
	       program);
	printf("  %s <host>     connect to server at <host>\n", program);
	printf("\nOptions:\n");
	for (i = 0; i < entries; i++)
		puts(table[i].help);
}

static const struct pingpong_option *
find_option(const struct pingpong_option *table, size_t entries, int letter)
{
	size_t i;

	for (i = 0; i < entries; i++)
		if (table[i].letter == letter)
			return &table[i];
	return NULL;
}

int pingpong_parse(int argc, char *argv[], const struct pingpong_option *table,
		   size_t entries, struct pingpong_options *opt)
{
	struct option long_options[MAX_OPTIONS + 1] = { 0 };
	char letters[2 * MAX_OPTIONS + 1];
	char *pos = letters;
	size_t i;
	int letter;

	if (entries > MAX_OPTIONS)
		abort();
	for (i = 0; i < entries; i++) {
		long_options[i].name = table[i].name;
		long_options[i].has_arg = table[i].has_value;
		long_options[i].val = table[i].letter;
		*pos++ = table[i].letter;
		if (table[i].has_value)
			*pos++ = ':';
	}
	*pos = 0;
	while ((letter = getopt_long(argc, argv, letters, long_options,
				     NULL)) != -1) {
		const struct pingpong_option *option =
			find_option(table, entries, letter);

		if (!option || !option->set(opt, optarg))
			goto wrong;
	}
	if (optind < argc - 1)
		goto wrong;
	if (optind == argc - 1)
		opt->host = argv[optind];
	return 0;
wrong:
	usage(argv[0], table, entries);
	return -1;
}
