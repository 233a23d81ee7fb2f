/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Which providers a static link brings in.
 *
 * The library refers to verbs_provider_all, which two members of its archive
 * define.  A program that names its providers refers to verbs_provider_none as
 * well, see <infiniband/verbs.h>: it gets no_providers.c, where "all" is empty
 * and weak.  Any other program gets all_providers.c, and with it the archives
 * of all providers of this tree.  This needs all_providers.c to come first in
 * the archive, and the library proper last: linkers take the first member that
 * they find of what they lack at that moment.
 */
#ifndef STATIC_STATIC_H
#define STATIC_STATIC_H

#include "driver.h"

extern const struct verbs_device_ops verbs_provider_all;
extern const struct verbs_device_ops verbs_provider_none;

void ibv_static_providers(void *unused, ...);

#endif
