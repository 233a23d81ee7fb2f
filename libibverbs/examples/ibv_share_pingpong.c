// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A ping-pong between processes of which one side shares: an owner registers a
 * region once, workers import its PD and MR and move data from and into it to
 * peers that know nothing of sharing.  This file has the options.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "share_pingpong.h"

int pp_fail(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "ibv_share_pingpong: ");
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	if (err)
		fprintf(stderr, ": %s\n", strerror(err));
	else
		fprintf(stderr, "\n");
	return -1;
}

uint64_t pp_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

struct ibv_context *pp_open_device(const struct pp_options *opt)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	int i;

	if (!list) {
		pp_fail(errno, "cannot list the RDMA devices");
		return NULL;
	}
	for (i = 0; list[i]; i++)
		if (!opt->ib_dev ||
		    !strcmp(opt->ib_dev, ibv_get_device_name(list[i])))
			break;
	if (list[i]) {
		context = ibv_open_device(list[i]);
		if (!context)
			pp_fail(errno, "cannot open %s",
				ibv_get_device_name(list[i]));
	} else {
		pp_fail(0, "no RDMA device%s%s", opt->ib_dev ? " named " : "",
			opt->ib_dev ? opt->ib_dev : "");
	}
	ibv_free_device_list(list);
	return context;
}

static void usage(FILE *to)
{
	fprintf(to, "Usage:\n"
		    "  ibv_share_pingpong                 start a peer and "
		    "wait for a worker\n"
		    "  ibv_share_pingpong --owner         register a region "
		    "and give it to workers\n"
		    "  ibv_share_pingpong --worker <host> import it and move "
		    "data to the peer at <host>\n"
		    "  ibv_share_pingpong --demo          start all of them, "
		    "kill the owner, check, print a table\n"
		    "\n"
		    "Options:\n"
		    "  -O, --owner, -W, --worker, -P, --peer, -D, --demo  "
		    "(default --peer)\n"
		    "  -S, --socket=<path>    unix socket of the owner "
		    "(default /tmp/ibv_share_pingpong)\n"
		    "  -p, --port=<port>      listen on/connect to TCP port "
		    "<port> (default 18515; 0: any)\n"
		    "  -d, --ib-dev=<dev>     RDMA device <dev> (default first "
		    "device found)\n"
		    "  -i, --ib-port=<port>   port <port> of the device "
		    "(default 1)\n"
		    "  -g, --gid-idx=<index>  index of the port's GID, which "
		    "RoCE needs\n"
		    "  -s, --size=<bytes>     bytes of each transfer (default "
		    "65536)\n"
		    "  -n, --iters=<iters>    iterations, of six transfers "
		    "each (default 1000)\n"
		    "  -m, --mtu=<bytes>      path MTU (default 1024)\n"
		    "  -l, --sl=<sl>          service level\n"
		    "  -R, --region=<bytes>   owner, demo: size of the region "
		    "(default 256 MiB; K, M, G)\n"
		    "  -w, --workers=<n>      owner, demo: workers that share "
		    "it (default 4)\n"
		    "  -t, --timeout=<sec>    longest wait for another process "
		    "(default 60)\n"
		    "  -h, --help             this text\n");
}

/* A number with an optional K, M or G behind it, within min and max. */
static bool number(const char *text, uint64_t min, uint64_t max,
		   uint64_t *value)
{
	unsigned int shift = 0;
	uint64_t n;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno)
		return false;
	switch (*end) {
	case 'G':
		shift += 10;
		/* fall through */
	case 'M':
		shift += 10;
		/* fall through */
	case 'K':
		shift += 10;
		end++;
	}
	if (*end || n > UINT64_MAX >> shift)
		return false;
	n <<= shift;
	*value = n;
	return n >= min && n <= max;
}

static bool mtu_of(uint64_t bytes, enum ibv_mtu *mtu)
{
	enum ibv_mtu m;

	for (m = IBV_MTU_256; m <= IBV_MTU_4096; m++)
		if (bytes == 128u << m) {
			*mtu = m;
			return true;
		}
	return false;
}

static const struct option long_options[] = {
	{ "owner", no_argument, NULL, 'O' },
	{ "worker", no_argument, NULL, 'W' },
	{ "peer", no_argument, NULL, 'P' },
	{ "demo", no_argument, NULL, 'D' },
	{ "socket", required_argument, NULL, 'S' },
	{ "port", required_argument, NULL, 'p' },
	{ "ib-dev", required_argument, NULL, 'd' },
	{ "ib-port", required_argument, NULL, 'i' },
	{ "gid-idx", required_argument, NULL, 'g' },
	{ "size", required_argument, NULL, 's' },
	{ "iters", required_argument, NULL, 'n' },
	{ "mtu", required_argument, NULL, 'm' },
	{ "sl", required_argument, NULL, 'l' },
	{ "region", required_argument, NULL, 'R' },
	{ "workers", required_argument, NULL, 'w' },
	{ "timeout", required_argument, NULL, 't' },
	{ "report-fd", required_argument, NULL, 'r' }, /* for --demo */
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static bool take_number(struct pp_options *opt, int option, const char *text)
{
	uint64_t n;

	switch (option) {
	case 'p':
		if (!number(text, 0, UINT16_MAX, &n))
			return false;
		opt->tcp_port = n;
		return true;
	case 'i':
		if (!number(text, 1, UINT8_MAX, &n))
			return false;
		opt->ib_port = n;
		return true;
	case 'g':
		if (!number(text, 0, UINT8_MAX, &n))
			return false;
		opt->gid_idx = n;
		return true;
	case 's':
		if (!number(text, 1, PP_MAX_SIZE, &n))
			return false;
		opt->size = n;
		return true;
	case 'n':
		if (!number(text, 1, PP_MAX_ITERS, &n))
			return false;
		opt->iters = n;
		return true;
	case 'm':
		return number(text, 256, 4096, &n) && mtu_of(n, &opt->mtu);
	case 'l':
		if (!number(text, 0, 15, &n))
			return false;
		opt->sl = n;
		return true;
	case 'R':
		return number(text, PP_PAGE, SIZE_MAX / 2, &opt->region);
	case 'w':
		if (!number(text, 1, PP_MAX_WORKERS, &n))
			return false;
		opt->workers = n;
		return true;
	case 't':
		if (!number(text, 1, 86400, &n))
			return false;
		opt->timeout_ms = n * 1000;
		return true;
	case 'r':
		if (!number(text, 3, INT32_MAX, &n))
			return false;
		opt->report_fd = n;
		return true;
	}
	return false;
}

/* -1: go on; else the exit status */
static int take_options(struct pp_options *opt, int argc, char *argv[])
{
	int option;

	while ((option =
			getopt_long(argc, argv, "OWPDS:p:d:i:g:s:n:m:l:R:w:t:h",
				    long_options, NULL)) != -1) {
		switch (option) {
		case 'O':
			opt->role = PP_OWNER;
			break;
		case 'W':
			opt->role = PP_WORKER;
			break;
		case 'P':
			opt->role = PP_PEER;
			break;
		case 'D':
			opt->role = PP_DEMO;
			break;
		case 'S':
			opt->socket = optarg;
			break;
		case 'd':
			opt->ib_dev = optarg;
			break;
		case 'h':
			usage(stdout);
			return 0;
		case '?':
			usage(stderr);
			return 1;
		default:
			if (take_number(opt, option, optarg))
				break;
			pp_fail(0, "option -%c: %s is out of range", option,
				optarg);
			return 1;
		}
	}
	if (opt->role == PP_WORKER && optind < argc)
		opt->host = argv[optind++];
	if (optind == argc && (opt->role != PP_WORKER || opt->host))
		return -1;
	usage(stderr);
	return 1;
}

int main(int argc, char *argv[])
{
	struct pp_options opt = {
		.socket = "/tmp/ibv_share_pingpong",
		.tcp_port = 18515,
		.ib_port = 1,
		.gid_idx = -1,
		.mtu = IBV_MTU_1024,
		.size = 65536,
		.iters = 1000,
		.region = 256u << 20,
		.workers = 4,
		.timeout_ms = 60000,
		.report_fd = -1,
	};
	int status = take_options(&opt, argc, argv);

	if (status >= 0)
		return status;
	/* A user who pipes the output sees each line when it is true. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	switch (opt.role) {
	case PP_OWNER:
		return pp_owner(&opt);
	case PP_WORKER:
		return pp_worker(&opt);
	case PP_PEER:
		return pp_peer(&opt);
	case PP_DEMO:
		return pp_demo(&opt);
	}
	return 1;
}
