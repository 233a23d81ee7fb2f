// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Flow actions: IPsec ESP.  No kernel has an older form of these commands. */
#include "uverbs/request.h"

/* The public structs are the kernel's by other names. */
_Static_assert(sizeof(struct ib_uverbs_flow_action_esp) == 24 &&
		       sizeof(struct ib_uverbs_flow_action_esp_encap) == 24,
	       "passed as they are");

static void add_esp(struct request *rq,
		    const struct ibv_flow_action_esp_attr *attr)
{
	if (attr->comp_mask & IBV_FLOW_ACTION_ESP_MASK_ESN)
		request_u32(rq, UVERBS_ATTR_FLOW_ACTION_ESP_ESN, attr->esn);
	if (attr->keymat_ptr)
		request_enum(rq, UVERBS_ATTR_FLOW_ACTION_ESP_KEYMAT,
			     attr->keymat_proto, attr->keymat_ptr,
			     attr->keymat_len);
	if (attr->replay_ptr)
		request_enum(rq, UVERBS_ATTR_FLOW_ACTION_ESP_REPLAY,
			     attr->replay_proto, attr->replay_ptr,
			     attr->replay_len);
	if (attr->esp_encap)
		request_in(rq, UVERBS_ATTR_FLOW_ACTION_ESP_ENCAP,
			   attr->esp_encap,
			   sizeof(struct ib_uverbs_flow_action_esp_encap));
	if (attr->esp_attr)
		request_in(rq, UVERBS_ATTR_FLOW_ACTION_ESP_ATTRS,
			   attr->esp_attr,
			   sizeof(struct ib_uverbs_flow_action_esp));
}

int ibv_cmd_create_flow_action_esp(struct ibv_context *context,
				   struct ibv_flow_action_esp_attr *attr,
				   struct verbs_flow_action *flow_action,
				   struct ibv_command_buffer *driver)
{
	struct ib_uverbs_attr *made;
	struct request rq;
	int ret;

	request_init(&rq, context, UVERBS_OBJECT_FLOW_ACTION,
		     UVERBS_METHOD_FLOW_ACTION_ESP_CREATE);
	made = request_new(&rq, UVERBS_ATTR_CREATE_FLOW_ACTION_ESP_HANDLE);
	add_esp(&rq, attr);
	request_link(&rq, driver);
	ret = request_run(&rq);
	if (ret)
		return ret;
	flow_action->action.context = context;
	flow_action->type = IBV_FLOW_ACTION_ESP;
	flow_action->handle = made->data;
	return 0;
}

int ibv_cmd_modify_flow_action_esp(struct verbs_flow_action *flow_action,
				   struct ibv_flow_action_esp_attr *attr,
				   struct ibv_command_buffer *driver)
{
	struct request rq;

	request_init(&rq, flow_action->action.context,
		     UVERBS_OBJECT_FLOW_ACTION,
		     UVERBS_METHOD_FLOW_ACTION_ESP_MODIFY);
	request_handle(&rq, UVERBS_ATTR_MODIFY_FLOW_ACTION_ESP_HANDLE,
		       flow_action->handle);
	add_esp(&rq, attr);
	request_link(&rq, driver);
	return request_run(&rq);
}

int ibv_cmd_destroy_flow_action(struct verbs_flow_action *action)
{
	struct request rq;

	request_init(&rq, action->action.context, UVERBS_OBJECT_FLOW_ACTION,
		     UVERBS_METHOD_FLOW_ACTION_DESTROY);
	request_handle(&rq, UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE,
		       action->handle);
	return destroy_result(request_run(&rq));
}
