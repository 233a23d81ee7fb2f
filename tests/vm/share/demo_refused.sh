#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# In the guest with a kernel that cannot share: the demo says so, fails, and
# leaves no process and no object.
#
#	usage: demo_refused.sh BUILD-FOLDER

set -u
checks=0 failures=0

check()
{
	checks=$((checks + 1))
	[ "$2" = "$3" ] && return
	failures=$((failures + 1))
	printf '%s: %s instead of %s\n' "$1" "$2" "$3"
}

before=$(rdma resource show rxe0)
"$(dirname "$0")/demo.sh" "$1" >demo.out 2>demo.err
check "exit status" $? 1
check "words" "$(grep -c 'cannot export the PD: Operation not supported' \
	demo.err)" 1
check "table" "$(wc -c <demo.out)" 0
check "objects" "$(rdma resource show rxe0)" "$before"
check "processes" "$(pgrep -c ibv_share)" 0
check "files" "$(ls -d /tmp/ibv_share.* 2>/dev/null)" ""
echo "$checks checks, $failures failures"
[ $failures -eq 0 ]
