/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Questions to the kernel's RDMA core by netlink.  The functions that take a
 * message apart trust nothing in it but that nlmsg_len bytes are readable.
 */
#ifndef UTIL_RDMA_NETLINK_H
#define UTIL_RDMA_NETLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/socket.h>
#include <rdma/rdma_netlink.h>

/* Attributes beyond this one are of no interest to the library. */
#define RDMA_NL_LAST_ATTR RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK

struct rdma_nl {
	struct nl_sock *sock;
	int fd;
};

/* False: the kernel has no RDMA netlink, or there is no memory for it. */
bool rdma_nl_open(struct rdma_nl *nl);
void rdma_nl_close(struct rdma_nl *nl);

/* The request of an RDMA_NLDEV_CMD_*; NULL: no memory. */
struct nl_msg *rdma_nl_request(int command, int flags);

/*
 * Send a request and free it (NULL counts as a failed request), then hand each
 * reply of the kernel to the callback, whose non-zero result ends the
 * evaluation of further replies and is returned.  Otherwise 0; EREMOTEIO: the
 * kernel refuses; or EIO: there is no whole answer, nor memory for it.
 */
int rdma_nl_ask(struct rdma_nl *nl, struct nl_msg *request,
		int (*reply)(struct nlmsghdr *hdr, void *arg), void *arg);

/* Sort a reply's attributes into attrs[0..RDMA_NL_LAST_ATTR]: 0 or EBADMSG. */
int rdma_nl_attrs(struct nlmsghdr *hdr, struct nlattr **attrs);

/* Absent or too short: false, value untouched. */
bool rdma_nl_u8(struct nlattr **attrs, int type, uint8_t *value);
bool rdma_nl_u32(struct nlattr **attrs, int type, uint32_t *value);
bool rdma_nl_u64(struct nlattr **attrs, int type, uint64_t *value);
/* Also false if not terminated or longer than the buffer. */
bool rdma_nl_string(struct nlattr **attrs, int type, char *buf, size_t size);

#endif
