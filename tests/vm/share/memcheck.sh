#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# In the guest: a program under valgrind.
#
#	usage: memcheck.sh PROGRAM [no-leaks]
#
# With "no-leaks" nothing may be lost either; without it that is not looked at,
# for programs that close contexts with objects in them.

set -u
export SHARE_ONE_THREAD=1
leaks=no
[ "${2-}" != no-leaks ] || leaks=full
here=$(dirname "$0")
exec valgrind -q --error-exitcode=99 --leak-check=$leaks \
	--suppressions="$here/debian_rxe.supp" \
	--errors-for-leak-kinds=definite,indirect \
	--show-leak-kinds=definite,indirect --num-callers=20 "$1"
