// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* two_forms.c once more, as C++. */
#include "two_forms.c"
