#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# Run a program with the library of this tree and with the distribution's: what
# it prints, errors included, must not differ.
# Usage: side_by_side.sh <directory of our library> program argument...
# Exit status 77: there is no other library to compare with.
set -u

ours=$1
shift
theirs=$(dirname "$(/sbin/ldconfig -p |
	sed -n 's|.*libibverbs\.so\.1 .*x86-64.* => ||p' | head -n 1)")
if [ ! -e "$theirs/libibverbs.so.1" ] ||
	[ "$ours/libibverbs.so.1" -ef "$theirs/libibverbs.so.1" ]; then
	echo "no libibverbs.so.1 of the distribution" >&2
	exit 77
fi

out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

run_with() {
	LD_LIBRARY_PATH=$1 "${@:3}" >"$2" 2>&1
	local status=$?
	[ $status -eq 0 ] || { cat "$2"; exit $status; }
}

run_with "$ours" "$out/ours" "$@"
# What the other library leaks is not ours to report.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 run_with "$theirs" "$out/theirs" "$@"
diff -u --label theirs --label ours "$out/theirs" "$out/ours"
