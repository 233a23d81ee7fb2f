/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * DEVX: a context that asks for it gets an id of its own in the firmware, under
 * which its objects are made.  A QP is made under the id of its PD's maker, its
 * CQ under that of the context which makes the CQ; where those differ, as with
 * an imported PD, the firmware may refuse the QP.  Without DEVX the id is 0.
 *
 * libmlx5 asks for DEVX whenever it opens a device.  When that is refused, with
 * whatever errno, it asks again without.
 */
#ifndef MLX5_DEVX_H
#define MLX5_DEVX_H

#include <stdbool.h>
#include <stddef.h>

/* Does this request for a context, the driver's part, ask for DEVX? */
bool mlx5_asks_for_devx(const void *request, size_t len);

#endif
