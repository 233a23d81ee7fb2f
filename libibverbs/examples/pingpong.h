/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the ping-pong programs share.  rc, uc, ud and srq are the same test over
 * different QPs: each of them is a struct pingpong_kind for pingpong_main().
 * xsrq is a test of its own that uses the parts below.
 *
 * Unless something else is said, functions that can fail return 0, or -1 after
 * a message on stderr.
 */
#ifndef PINGPONG_H
#define PINGPONG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#include "tool.h"

/* ---- the command line (pingpong_options.c) ---- */

struct pingpong_options {
	const char *ib_dev; /* NULL: the first one */
	const char *host;   /* NULL: be the server */
	unsigned int tcp_port;
	int ib_port;
	unsigned int size; /* bytes of a message */
	enum ibv_mtu mtu;
	int rx_depth;
	int iters;
	int sl;
	int gid_idx; /* negative: none */
	int num_qp;
	int clients;
	bool events;
	bool check;
	bool odp;
	bool implicit_odp;
	bool prefetch;
	bool timestamps;
	bool dm;
	bool new_send;
};

struct pingpong_option {
	const char *name;
	char letter;
	bool has_value;
	const char *help; /* its line of the usage text */
	/* value is NULL without has_value; false: no such value */
	bool (*set)(struct pingpong_options *opt, const char *value);
};

bool pingpong_set_port(struct pingpong_options *opt, const char *value);
bool pingpong_set_ib_dev(struct pingpong_options *opt, const char *value);
bool pingpong_set_ib_port(struct pingpong_options *opt, const char *value);
bool pingpong_set_size(struct pingpong_options *opt, const char *value);
bool pingpong_set_mtu(struct pingpong_options *opt, const char *value);
bool pingpong_set_rx_depth(struct pingpong_options *opt, const char *value);
bool pingpong_set_iters(struct pingpong_options *opt, const char *value);
bool pingpong_set_sl(struct pingpong_options *opt, const char *value);
bool pingpong_set_events(struct pingpong_options *opt, const char *value);
bool pingpong_set_gid_idx(struct pingpong_options *opt, const char *value);
bool pingpong_set_check(struct pingpong_options *opt, const char *value);
bool pingpong_set_odp(struct pingpong_options *opt, const char *value);

/* clang-format off */
#define PINGPONG_OPTION_PORT \
	{ "port", 'p', true, \
	  "  -p, --port=<port>      listen on/connect to port <port> (default 18515)", \
	  pingpong_set_port }
#define PINGPONG_OPTION_IB_DEV \
	{ "ib-dev", 'd', true, \
	  "  -d, --ib-dev=<dev>     use IB device <dev> (default first device found)", \
	  pingpong_set_ib_dev }
#define PINGPONG_OPTION_IB_PORT(set) \
	{ "ib-port", 'i', true, \
	  "  -i, --ib-port=<port>   use port <port> of IB device (default 1)", \
	  set }
#define PINGPONG_OPTION_SIZE(bytes, set) \
	{ "size", 's', true, \
	  "  -s, --size=<size>      size of message to exchange (default " bytes ")", \
	  set }
#define PINGPONG_OPTION_MTU(bytes) \
	{ "mtu", 'm', true, \
	  "  -m, --mtu=<size>       path MTU (default " bytes ")", \
	  pingpong_set_mtu }
#define PINGPONG_OPTION_RX_DEPTH \
	{ "rx-depth", 'r', true, \
	  "  -r, --rx-depth=<dep>   number of receives to post at a time (default 500)", \
	  pingpong_set_rx_depth }
#define PINGPONG_OPTION_ITERS(what) \
	{ "iters", 'n', true, \
	  "  -n, --iters=<iters>    number of exchanges " what "(default 1000)", \
	  pingpong_set_iters }
#define PINGPONG_OPTION_SL \
	{ "sl", 'l', true, \
	  "  -l, --sl=<sl>          service level value", \
	  pingpong_set_sl }
#define PINGPONG_OPTION_EVENTS \
	{ "events", 'e', false, \
	  "  -e, --events           sleep on CQ events (default poll)", \
	  pingpong_set_events }
#define PINGPONG_OPTION_GID_IDX \
	{ "gid-idx", 'g', true, \
	  "  -g, --gid-idx=<gid index> local port gid index", \
	  pingpong_set_gid_idx }
#define PINGPONG_OPTION_CHECK \
	{ "chk", 'c', false, \
	  "  -c, --chk              validate received buffer", \
	  pingpong_set_check }
#define PINGPONG_OPTION_ODP \
	{ "odp", 'o', false, \
	  "  -o, --odp\t\t    use on demand paging", \
	  pingpong_set_odp }
/* clang-format on */

/* Of a table and of struct pingpong_options, what rc, uc, ud and srq share */
/* clang-format off */
#define PINGPONG_OPTIONS(_table) \
	.options = (_table), \
	.num_options = sizeof(_table) / sizeof((_table)[0])
#define PINGPONG_DEFAULTS \
	.tcp_port = 18515, \
	.ib_port = 1, \
	.rx_depth = 500, \
	.iters = 1000, \
	.gid_idx = -1
/* clang-format on */

/*
 * *opt has the defaults.  On -1 stdout has the usage text, and stderr what
 * getopt_long() had to say.
 */
int pingpong_parse(int argc, char *argv[], const struct pingpong_option *table,
		   size_t entries, struct pingpong_options *opt);

/* ---- addresses, and TCP to tell them (pingpong_net.c) ---- */

struct pingpong_address {
	uint32_t lid;
	uint32_t qpn;
	uint32_t psn;
	union ibv_gid gid;
};

/* 32 digits and the zero byte */
#define PINGPONG_GID_TEXT 33
void pingpong_gid_to_text(const union ibv_gid *gid,
			  char text[PINGPONG_GID_TEXT]);
int pingpong_gid_from_text(const char *text, union ibv_gid *gid);
/* 24 random bits */
uint32_t pingpong_random_psn(void);

/* A connected socket */
int pingpong_dial(const char *host, unsigned int port);
/* A listening socket */
int pingpong_listen(unsigned int port);
/* All of it, or -1 and errno without a message; ECONNRESET: the peer left */
int pingpong_write(int sock, const void *buf, size_t len);
int pingpong_read(int sock, void *buf, size_t len);

/* ---- the test ---- */

enum {
	PINGPONG_RECV = 1, /* these are work request IDs, and bits */
	PINGPONG_SEND = 2,
};

struct pingpong_qp {
	struct ibv_qp *qp;
	struct ibv_qp_ex *ex; /* with -N */
	unsigned int send_flags;
	unsigned int pending; /* what must complete before the next send */
	struct pingpong_address local;
	struct pingpong_address remote;
};

struct pingpong;

#define PINGPONG_LOCAL_FORMAT \
	"  local address:  LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s\n"

struct pingpong_kind {
	enum ibv_qp_type type;
	const struct pingpong_option *options;
	size_t num_options;
	struct pingpong_options defaults;
	/* Ways in which the programs differ for those who read their output */
	const char *local_format;  /* LID, QPN, PSN, GID */
	const char *no_gid_format; /* GID index */
	const char *need_odp;	   /* what to say without it */
	uint32_t odp_caps;	   /* that are needed */
	bool srq;		   /* num_qp QPs on one SRQ */
	bool tells_parsing; /* adds a line to messages about completions */
	bool need_lid;	    /* but on Ethernet */
	unsigned char fill; /* what the client's buffer is full of */
	size_t headroom;    /* bytes before the message in a receive */
	/* Checks options with each other; true: go on */
	bool (*sane)(const struct pingpong_options *opt);
	/* Checks them with the device, before anything is made; NULL: none */
	int (*preflight)(struct pingpong *pp);
	/* INIT, from RESET; and on to RTS */
	int (*init)(struct pingpong *pp, int index);
	int (*connect)(struct pingpong *pp, int index);
};

struct pingpong {
	const struct pingpong_kind *kind;
	struct pingpong_options opt;
	size_t page;
	struct ibv_context *context;
	struct ibv_comp_channel *channel;
	struct ibv_pd *pd;
	/* memory (pingpong_memory.c) */
	unsigned char *buf;  /* headroom and message */
	unsigned int access; /* of the MR */
	struct ibv_dm *dm;
	struct ibv_mr *mr;
	/* completions */
	struct ibv_cq *cq;
	struct ibv_cq_ex *cq_ex; /* the same CQ, with -t */
	uint64_t timestamp_mask;
	unsigned int unacked;
	/* QPs */
	struct ibv_srq *srq;
	struct ibv_ah *ah; /* UD: the way to the peer */
	struct pingpong_qp *qps;
	/* progress (pingpong_run.c) */
	int posted; /* receives that wait for a message */
	int sent;
	int received;
	uint64_t last_stamp;
	uint64_t min_delta;
	uint64_t max_delta;
	uint64_t sum_delta;
	int status; /* exit status of a failure, if it is not 1 */
};

/* The whole program; returns its exit status. */
int pingpong_main(int argc, char *argv[], const struct pingpong_kind *kind);

/* ---- its parts ---- */

/* For messages: "[index]" if there are many QPs, else ""; lasts until the next */
const char *pingpong_which(const struct pingpong *pp, int index);

/* Everything up to QPs in INIT (pingpong_setup.c) */
int pingpong_setup(struct pingpong *pp);
/* All that setup made, and the AH; quiet: there was a message already. */
int pingpong_teardown(struct pingpong *pp, bool quiet);

/* pingpong_memory.c */
int pingpong_alloc_buffer(struct pingpong *pp);
int pingpong_register(struct pingpong *pp);
int pingpong_unregister(struct pingpong *pp, bool quiet);
/* Where work requests must say that the buffer is */
uint64_t pingpong_buffer_addr(const struct pingpong *pp);
/*
 * What the client sends, and the server looks for at the end.  Wrong data is
 * told on stdout but is no failure, which is how these programs are known.
 */
int pingpong_fill(struct pingpong *pp);
int pingpong_validate(struct pingpong *pp);

/* The other side's addresses; the server connects on the way. */
int pingpong_exchange(struct pingpong *pp);

/* From RESET to RTS (pingpong_qp.c) */
#define PINGPONG_QKEY 0x11111111
int pingpong_init_connected(struct pingpong *pp, int index);
int pingpong_init_ud(struct pingpong *pp, int index);
int pingpong_connect_rc(struct pingpong *pp, int index);
int pingpong_connect_uc(struct pingpong *pp, int index);
int pingpong_connect_ud(struct pingpong *pp, int index);
/* The address vector to remote; hops: of packets with a GRH */
void pingpong_fill_av(struct ibv_ah_attr *av,
		      const struct pingpong_options *opt,
		      const struct pingpong_address *remote, uint8_t hops);

/* Receives until rx_depth of them are posted, or no more can be */
void pingpong_post_receives(struct pingpong *pp);
/* All exchanges, and how long they took */
int pingpong_run(struct pingpong *pp);

#endif
