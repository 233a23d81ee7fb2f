// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What stands for "no provider", and for "all" where the program names some */
#include "static/static.h"

const struct verbs_device_ops verbs_provider_none = {
	.name = "none",
};

__attribute__((weak)) const struct verbs_device_ops verbs_provider_all = {
	.name = "all",
};
