/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A kernel behind netlink sockets that replies what the input says.  Nothing
 * of this machine is seen, and nothing goes out to it.
 */
#ifndef FUZZ_NETLINK_H
#define FUZZ_NETLINK_H

#include <stddef.h>

#include <linux/netlink.h>

/*
 * Put a message of that type together from the input's bytes: a header of
 * header bytes, then attributes whose types are below types.
 */
size_t netlink_message(struct nlmsghdr *message, size_t room, int type,
		       size_t header, unsigned int types);

/* For each question: one message of the reply, and back to the library */
extern size_t (*netlink_reply)(struct nlmsghdr *message, size_t room,
			       int question);

#endif
