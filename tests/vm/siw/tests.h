/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* The tests of siw_verbs, by file. */
#ifndef TESTS_H
#define TESTS_H

/* test_objects.c */
void test_attributes(void);
void test_refused_objects(void);
void test_unconnected(void);

/* test_messages.c */
void test_send_recv(void);
void test_inline(void);
void test_invalidate(void);
void test_refused_requests(void);

/* test_rdma.c */
void test_write(void);
void test_read(void);

/* test_queues.c */
void test_wrap(void);
void test_srq(void);
void test_events(void);
void test_threads(void);

/* test_ends.c */
void test_error_completions(void);
void test_disconnect(void);

#endif
