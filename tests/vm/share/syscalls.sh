#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# In the guest: an import is one system call, RDMA_VERBS_IOCTL, and nothing
# else; rxe needs no further one to wrap the handle.
#
#	usage: syscalls.sh IMPORT_COST
#
# import_cost makes getppid calls around each import, twice over; the first
# round may allocate, the second shows what each further import costs.

set -u
trace=$(mktemp)
checks=0 failures=0

check()
{
	checks=$((checks + 1))
	[ "$2" = "$3" ] && return
	failures=$((failures + 1))
	printf '%s: %s instead of %s\n' "$1" "$2" "$3"
}

# The names of the calls between marks N and N+1
between()
{
	awk -v n="$1" '
		/^getppid\(/ { seen++; next }
		seen == n { sub(/\(.*/, ""); calls = calls sep $0; sep = " " }
		END { print seen < 6 ? "marks missing" : calls }' "$trace"
}

strace -y -o "$trace" "$1" calls >"$trace.out" 2>&1
check "exit status of import_cost" $? 0
grep -v ' 0 failures$' "$trace.out"

check "first import_pd: ioctl calls" \
	"$(between 1 | tr ' ' '\n' | grep -c ioctl)" 1
check "first import_mr: ioctl calls" \
	"$(between 2 | tr ' ' '\n' | grep -c ioctl)" 1
check "import_pd: system calls" "$(between 4)" ioctl
check "import_mr: system calls" "$(between 5)" ioctl
check "ioctl calls on uverbs files in the trace" \
	"$(grep -c '^ioctl([0-9]*</dev/infiniband/uverbs' "$trace" |
		sed 's/^[1-9][0-9]*$/some/')" some
check "write calls on uverbs files" \
	"$(grep -c '^writev*([0-9]*</dev/infiniband/' "$trace")" 0

echo "$checks checks, $failures failures"
[ $failures -eq 0 ]
