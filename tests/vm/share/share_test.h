/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the programs of this folder have in common: checks that are counted,
 * devices, the kernel's own count of objects, connections, and processes that
 * pass descriptors.
 */
#ifndef SHARE_TEST_H
#define SHARE_TEST_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- checks: a failure is printed, all are counted ---- */

void test_check(bool ok, const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Prints "N checks, M failures"; the exit status. */
int test_end(void);
/* In a started process: the exit status; the parent does the counting. */
int test_child_end(void);
/* What cannot go on: a failure and the end. */
void test_fatal(const char *file, int line, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 3, 4)));

#define CHECK(_cond, ...) test_check((_cond), __FILE__, __LINE__, __VA_ARGS__)
#define FATAL(...) test_fatal(__FILE__, __LINE__, __VA_ARGS__)
#define NEED(_cond)                                               \
	do {                                                      \
		if (!(_cond))                                     \
			FATAL("%s: %s", #_cond, strerror(errno)); \
	} while (0)

/* A verb that returns 0 or an errno value */
#define RETURNS(_expr, _errno)                                               \
	do {                                                                 \
		int _got = (_expr);                                          \
		CHECK(_got == (_errno), "%s: %d (%s) instead of %d", #_expr, \
		      _got, strerror(abs(_got)), (_errno));                  \
	} while (0)

/* A verb that returns a pointer, or NULL and errno */
#define FAILS(_expr, _errno)                                             \
	do {                                                             \
		void *_got;                                              \
		errno = 0;                                               \
		_got = (_expr);                                          \
		CHECK(!_got && errno == (_errno),                        \
		      "%s: %p, errno %d (%s) instead of NULL, errno %d", \
		      #_expr, _got, errno, strerror(errno), (_errno));   \
	} while (0)

/* ---- devices ---- */

/*
 * The name of the device of that number: rxe0 and so on, or what SHARE_DEVICE
 * in the environment says instead of rxe.  Valid until the next call.
 */
const char *test_device(int number);
/*
 * Opens that device.  Every context must come from the plug-in that the
 * environment names in RDMAV_DRIVERS: FATAL otherwise.
 */
struct ibv_context *test_open(int number);
struct ibv_context *test_open_named(const char *name);
/* Has that plug-in the op import_pd, or is it adopted? */
bool test_has_import_ops(void);

struct test_counts {
	long pd, mr, qp, cq, ctx, srq;
};

/* What `rdma resource show` says of device 0 */
struct test_counts test_count(void);
/* CHECK that it really does. */
void test_same_as_tool(void);
/* CHECK that PDs and MRs are this many more than in *base. */
#define MORE_THAN(_base, _pd, _mr) \
	test_more_than(__FILE__, __LINE__, (_base), (_pd), (_mr))
void test_more_than(const char *file, int line, const struct test_counts *base,
		    long pd, long mr);
/* CHECK that all counts are those of *base. */
#define SAME_AS(_base) test_same_as(__FILE__, __LINE__, (_base))
void test_same_as(const char *file, int line, const struct test_counts *base);

/* Open descriptors of this process */
int test_open_fds(void);

/* ---- memory and connections ---- */

#define TEST_ACCESS                                        \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)

/* MAP_SHARED | MAP_ANONYMOUS */
void *test_memory(size_t length);

struct test_end {
	struct ibv_cq *cq;
	struct ibv_qp *qp;
};

/* A CQ and an RC QP in INIT; false and errno, with nothing left behind. */
bool test_end_open(struct test_end *end, struct ibv_pd *pd,
		   struct ibv_context *context);
/* To RTS, at the QP of that number, behind that GID, of whichever process. */
void test_end_connect(struct test_end *end, uint32_t qp_num,
		      const union ibv_gid *gid);
/* Both to RTS, at each other. */
void test_end_join(struct test_end *a, struct test_end *b);
void test_end_close(struct test_end *end);
/* Posts and waits: the completion's status, or -1 if none comes. */
int test_run(struct test_end *end, enum ibv_wr_opcode opcode, uint64_t addr,
	     uint32_t length, uint32_t lkey, uint64_t remote, uint32_t rkey);
int test_atomic(struct test_end *end, uint64_t addr, uint32_t lkey,
		uint64_t remote, uint32_t rkey, uint64_t add);
int test_post_recv(struct test_end *end, uint64_t addr, uint32_t length,
		   uint32_t lkey);
int test_wait(struct test_end *end);

/* ---- processes ---- */

struct test_process {
	pid_t pid;
	int sock;
};

/* fork and exec of this program with one more argument, its role */
struct test_process test_start(const char *role);
/* The same, with another plug-in and another way to import */
struct test_process test_start_by(const char *plugin, const char *how,
				  const char *role);
/* In the started process: its end of the socket */
#define TEST_CHILD_SOCK 3
/* Waits (at most 30 s): the wait status; closes the socket. */
int test_reap(struct test_process *process);

/* Messages with up to 4 descriptors; the same number must be received. */
void test_send(int sock, const void *data, size_t length, const int *fds,
	       int count);
/* false: the other end is closed */
bool test_recv(int sock, void *data, size_t length, int *fds, int count);

#ifdef __cplusplus
}
#endif

#endif
