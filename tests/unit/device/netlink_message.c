// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Netlink messages for tests. */
#include <stdlib.h>
#include <string.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_netlink.h>

#include "netlink_message.h"

void message_init(struct message *msg, uint16_t type, uint16_t flags)
{
	memset(msg, 0, sizeof(*msg));
	msg->hdr.nlmsg_len = NLMSG_HDRLEN;
	msg->hdr.nlmsg_type = type;
	msg->hdr.nlmsg_flags = flags;
}

void message_add(struct message *msg, uint16_t type, const void *data,
		 size_t len)
{
	struct nlattr *attr =
		(struct nlattr *)(msg->bytes + NLMSG_ALIGN(msg->hdr.nlmsg_len));

	if (NLMSG_ALIGN(msg->hdr.nlmsg_len) + NLA_HDRLEN + NLA_ALIGN(len) >
	    sizeof(*msg))
		abort();
	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	if (len)
		memcpy(attr + 1, data, len);
	msg->hdr.nlmsg_len =
		NLMSG_ALIGN(msg->hdr.nlmsg_len) + NLA_ALIGN(attr->nla_len);
}

void message_add_u8(struct message *msg, uint16_t type, uint8_t value)
{
	message_add(msg, type, &value, sizeof(value));
}

void message_add_u32(struct message *msg, uint16_t type, uint32_t value)
{
	message_add(msg, type, &value, sizeof(value));
}

void message_add_u64(struct message *msg, uint16_t type, uint64_t value)
{
	message_add(msg, type, &value, sizeof(value));
}

void message_add_string(struct message *msg, uint16_t type, const char *text)
{
	message_add(msg, type, text, strlen(text) + 1);
}

void message_device(struct message *msg, uint32_t index, const char *name,
		    uint16_t without)
{
	message_init(msg, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
		     NLM_F_MULTI);
	if (without != RDMA_NLDEV_ATTR_DEV_INDEX)
		message_add_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	if (without != RDMA_NLDEV_ATTR_DEV_NAME)
		message_add_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, name);
	if (without != RDMA_NLDEV_ATTR_PORT_INDEX)
		message_add_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, 2);
	/* The kernel also tells what the library does not ask for. */
	message_add_u64(msg, RDMA_NLDEV_ATTR_CAP_FLAGS, ~0ull);
	message_add_string(msg, RDMA_NLDEV_ATTR_FW_VERSION, "1.2.3");
	if (without != RDMA_NLDEV_ATTR_NODE_GUID)
		message_add_u64(msg, RDMA_NLDEV_ATTR_NODE_GUID,
				0x0011223344556677);
	if (without != RDMA_NLDEV_ATTR_DEV_NODE_TYPE)
		message_add_u8(msg, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, IBV_NODE_CA);
}

void message_chardev(struct message *msg, const char *name, uint64_t cdev,
		     uint16_t without)
{
	message_init(msg,
		     RDMA_NL_GET_TYPE(RDMA_NL_NLDEV,
				      RDMA_NLDEV_CMD_GET_CHARDEV),
		     0);
	if (without != RDMA_NLDEV_ATTR_CHARDEV)
		message_add_u64(msg, RDMA_NLDEV_ATTR_CHARDEV, cdev);
	if (without != RDMA_NLDEV_ATTR_CHARDEV_ABI)
		message_add_u64(msg, RDMA_NLDEV_ATTR_CHARDEV_ABI,
				0x100000002ull);
	if (without != RDMA_NLDEV_ATTR_CHARDEV_NAME)
		message_add_string(msg, RDMA_NLDEV_ATTR_CHARDEV_NAME, name);
	if (without != RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID)
		message_add_u32(msg, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, 13);
}
