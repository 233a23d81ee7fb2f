/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Circular lists through the list_node that devices and records carry. */
#ifndef DEVICE_LIST_NODE_H
#define DEVICE_LIST_NODE_H

#include <stdbool.h>

#include "priv.h"

#define LIST_HEAD_INIT(_head)                      \
	{                                          \
		.next = &(_head), .prev = &(_head) \
	}

#define list_entry(_node, _type) container_of(_node, _type, entry)

/* The current node may be taken off the list. */
#define list_for_each_safe(_node, _next, _head)                            \
	for (_node = (_head)->next, _next = _node->next; _node != (_head); \
	     _node = _next, _next = _node->next)

static inline bool list_empty(const struct list_node *head)
{
	return head->next == head;
}

static inline void list_add_front(struct list_node *head,
				  struct list_node *node)
{
	node->next = head->next;
	node->prev = head;
	head->next->prev = node;
	head->next = node;
}

static inline void list_del(struct list_node *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
}

#endif
