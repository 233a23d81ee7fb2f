/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Netlink messages for tests, well-formed or not. */
#ifndef NETLINK_MESSAGE_H
#define NETLINK_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include <netlink/msg.h>

#define MESSAGE_ROOM 1024

struct message {
	union {
		struct nlmsghdr hdr;
		uint8_t bytes[MESSAGE_ROOM];
	};
};

/* A message without attributes; its length is in hdr.nlmsg_len. */
void message_init(struct message *msg, uint16_t type, uint16_t flags);
void message_add(struct message *msg, uint16_t type, const void *data,
		 size_t len);
void message_add_u8(struct message *msg, uint16_t type, uint8_t value);
void message_add_u32(struct message *msg, uint16_t type, uint32_t value);
void message_add_u64(struct message *msg, uint16_t type, uint64_t value);
void message_add_string(struct message *msg, uint16_t type, const char *text);

/*
 * A device as the kernel describes it, without the attribute of the given
 * type (0: with all).
 */
void message_device(struct message *msg, uint32_t index, const char *name,
		    uint16_t without);
void message_chardev(struct message *msg, const char *name, uint64_t cdev,
		     uint16_t without);

#endif
