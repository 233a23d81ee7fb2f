// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* All providers of this tree; IN_TREE_PROVIDERS is PROVIDER(name) for each. */
#include <stddef.h>

#include "static/static.h"

#define PROVIDER(_name) \
	extern const struct verbs_device_ops verbs_provider_##_name;
IN_TREE_PROVIDERS
#undef PROVIDER

#define PROVIDER(_name) &verbs_provider_##_name,
static const struct verbs_device_ops *members[] = { IN_TREE_PROVIDERS NULL };

const struct verbs_device_ops verbs_provider_all = {
	.name = "all",
	.static_providers = members,
};
