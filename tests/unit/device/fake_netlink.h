/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A kernel at the other end of the library's RDMA netlink sockets (linker:
 * --wrap=socket,--wrap=send,--wrap=recvfrom).
 * Each request is answered by the next datagrams of the script; a request that
 * has no answer left gets an error message.
 */
#ifndef FAKE_NETLINK_H
#define FAKE_NETLINK_H

#include <stdbool.h>
#include <stdint.h>

#include "netlink_message.h"

void fake_reset(void);
/* From now on there is no such protocol. */
void fake_no_netlink(void);

/* One more datagram of the answer to the next request */
void fake_answer(const struct message *msg);
/*
 * That many bytes instead of the message's length, for all that is said to have
 * been sent
 */
void fake_answer_bytes(const struct message *msg, size_t len);
void fake_answer_done(void);
void fake_answer_error(int err);
/* The datagram added last comes from another process. */
void fake_from(uint32_t pid);
/* The next datagrams belong to the request after. */
void fake_next_request(void);

unsigned int fake_requests(void);
/* What the n-th request (from 0) was */
const struct nlmsghdr *fake_request(unsigned int n);

#endif
