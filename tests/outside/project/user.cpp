// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The same program, compiled as C++ */
#include "user.c"
