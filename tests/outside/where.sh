# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=sh
#
# For the scripts beside it: where things are. From CMake: OUTSIDE_BUILD, the
# tree's build folder; OUTSIDE_WORK, this test's; OUTSIDE_PREFIX, _LIBDIR,
# _PLUGIN_DIR, _CONFIG_DIR as configured; OUTSIDE_SOURCE, the tree.

# What was installed, and as if its prefix were that
# shellcheck disable=SC2034
{
	export LC_ALL=C
	stage=$OUTSIDE_WORK/stage
	prefix=$stage$OUTSIDE_PREFIX
	lib=$stage$OUTSIDE_LIBDIR
	programs=$OUTSIDE_WORK/programs
}

die()
{
	echo "$*" >&2
	exit 1
}
