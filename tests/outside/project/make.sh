#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# The program in its variants, with what pkg-config says.
#
#	usage: make.sh SOURCE [PKG-CONFIG-OPTION...]
#
# CC and CXX are the compilers; the programs go into the current folder.
set -eu

source=$1
shift
warnings="-Wall -Wextra -Werror"
cflags=$(pkg-config --cflags "$@" libibverbs)
libs=$(pkg-config --libs "$@" libibverbs)
static_libs=$(pkg-config --static --libs "$@" libibverbs)

# build NAME COMPILER SOURCE FLAG...
build()
{
	name=$1 compiler=$2 file=$3
	shift 3
	# shellcheck disable=SC2086
	if ! $compiler $warnings $cflags -o "pc-$name" "$source/$file" "$@" \
		2>"$name.log"; then
		cat "$name.log" >&2
		exit 1
	fi
	# ld's remarks on parts of libc that libnl uses are none of ours.
	if grep -v 'in function\|in statically linked applications' "$name.log" >&2
	then
		echo "$name: what is that?" >&2
		exit 1
	fi
}

# shellcheck disable=SC2086
{
	build shared-c "$CC" user.c $libs
	build shared-cxx "$CXX" user.cpp $libs
	# Those of us, and libnl with us, static; libc shared
	build static-c "$CC" user.c "$source/own_names.c" \
		-Wl,-Bstatic $static_libs -Wl,-Bdynamic
	build static-cxx "$CXX" user.cpp -Wl,-Bstatic $static_libs -Wl,-Bdynamic
	# All of it static
	build full-c "$CC" user.c "$source/own_names.c" -static $static_libs
	build full-cxx "$CXX" user.cpp -static $static_libs
	build full-pie "$CC" user.c -static-pie -fPIE $static_libs
	for names in none rxe siw rxe,siw all; do
		build "named-$names" "$CC" user.c -static \
			-DRDMA_STATIC_PROVIDERS=$names $static_libs
	done
}
