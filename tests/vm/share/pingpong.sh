#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# In the guest: ibv_share_pingpong as one would use it on three terminals, and
# what it does when something is wrong: it must say so, end, and leave nothing.
#
#	usage: pingpong.sh BUILD-FOLDER

set -u
RDMAV_DRIVERS=$1/lib/librxe
export RDMAV_DRIVERS
pingpong=$1/bin/ibv_share_pingpong
dir=$(mktemp -d)
cd "$dir" || exit 1
checks=0 failures=0

check() # WHAT IS SHOULD-BE
{
	checks=$((checks + 1))
	[ "$2" = "$3" ] && return
	failures=$((failures + 1))
	printf '%s: %s instead of %s\n' "$1" "$2" "$3"
	cat ./*.out
}

# The end of a process: its status
status_of()
{
	wait "$1"
	echo $?
}

says() # FILE PATTERN: does it, sooner or later?
{
	tries=0
	while ! grep -q -- "$2" "$1" 2>/dev/null; do
		tries=$((tries + 1))
		if [ $tries -gt 300 ]; then
			echo never
			return
		fi
		sleep 0.1
	done
	echo yes
}

start_owner()
{
	"$pingpong" --owner -d rxe0 -S "$dir/socket" -R 4M "$@" \
		>owner.out 2>&1 &
	owner=$!
	check "owner serves" "$(says owner.out 'exported in')" yes
}

start_peer()
{
	"$pingpong" -d rxe0 -g 1 -p 0 "$@" >peer.out 2>&1 &
	peer=$!
	check "peer waits" "$(says peer.out 'TCP port')" yes
	port=$(sed -n 's/.*TCP port //p' peer.out)
}

start_worker()
{
	"$pingpong" --worker -d rxe0 -g 1 -S "$dir/socket" -p "$port" "$@" \
		localhost >worker.out 2>&1 &
	worker=$!
}

end_owner()
{
	kill -TERM "$owner"
	wait "$owner"
	check "owner's status" $? 0
	check "owner's socket" "$(ls socket 2>/dev/null)" ""
}

objects()
{
	rdma resource show rxe0
}

nothing_left()
{
	check "$1: objects" "$(objects)" "$before"
	rm -f ./*.out
}

before=$(objects)

# All is well; sizes that are no multiple of anything; two workers in turn
start_owner -w 2
check "mode of the socket" "$(stat -c %a socket)" 600
for size in 1 4099 65536; do
	start_peer -s $size -n 5
	start_worker -s $size -n 5
	wait "$worker"
	check "worker's status, size $size" $? 0
	wait "$peer"
	check "peer's status, size $size" $? 0
	check "worker's output" "$(grep -c \
		"^$((size * 30)) bytes in .* = .* Mbit/sec, all verified$" \
		worker.out)" 1
	check "worker's output" \
		"$(grep -c '^5 iters in .* = .* usec/iter$' worker.out)" 1
	check "addresses" \
		"$(grep -c '^  \(local\|remote\) address: ' worker.out)" 2
done
end_owner
nothing_left "three sizes"

# The owner goes while a worker is at it
start_owner -w 1
start_peer -s 16K -n 60
start_worker -s 16K -n 60
check "worker imports" "$(says worker.out 'remote address')" yes
kill -KILL "$owner"
wait "$owner" 2>/dev/null
rm -f socket
wait "$worker"
check "worker without owner" $? 0
wait "$peer"
check "its peer" $? 0
nothing_left "owner killed"

# One worker more than there are parts
start_owner -w 1
start_peer -s 4K -n 100000
start_worker -s 4K -n 100000
check "worker imports" "$(says worker.out 'remote address')" yes
"$pingpong" --worker -d rxe0 -g 1 -S "$dir/socket" localhost >second.out 2>&1
check "one worker too many" $? 1
check "its words" "$(grep -c 'no room for one more' second.out)" 1

# ... and that worker's peer is killed
kill -KILL "$peer"
wait "$peer" 2>/dev/null
wait "$worker"
check "worker without peer" $? 1
end_owner
nothing_left "peer killed"

# Somebody writes into the region: the wrong bytes must be seen
start_owner -w 1
start_peer -s 64K -n 100000
start_worker -s 64K -n 100000
check "worker imports" "$(says worker.out 'remote address')" yes
for fd in /proc/"$owner"/fd/*; do
	case $(readlink "$fd") in
	*ibv_share_pingpong*) memory=$fd ;;
	esac
done
tries=0
while kill -0 "$worker" 2>/dev/null && [ $tries -lt 200 ]; do
	dd if=/dev/zero of="$memory" bs=1M count=4 conv=notrunc 2>/dev/null
	tries=$((tries + 1))
done
wait "$worker"
check "worker with foreign bytes" $? 1
wait "$peer"
check "its peer" $? 1
check "who says so" \
	"$(cat worker.out peer.out | grep -c 'byte .* is wrong')" 1
end_owner
nothing_left "foreign bytes"

# The two do not agree
start_owner
start_peer -s 4K -n 10
start_worker -s 8K -n 10
wait "$worker"
check "other size: worker" $? 1
wait "$peer"
check "other size: peer" $? 1
end_owner
nothing_left "other size"

# Nobody there; a device, a port, a GID that are not there
refused() # WHAT ITS-WORDS ARGUMENTS...
{
	what=$1 words=$2
	shift 2
	"$pingpong" -t 2 "$@" >x.out 2>&1
	check "$what: status" $? 1
	check "$what: words" "$(grep -c "$words" x.out)" 1
}
refused "no owner" 'cannot connect to owner' \
	--worker -d rxe0 -g 1 -S "$dir/socket" localhost
refused "no worker within the time" 'timed out' -d rxe0 -g 1 -p 0
refused "no device" 'no RDMA device named norxe' -d norxe -g 1 -p 0
refused "no GID index" 'needs -g' -d rxe0 -p 0
refused "no such GID" 'GID 200' -d rxe0 -g 200 -p 0
refused "no such port" 'port 2' -d rxe0 -g 1 -i 2 -p 0
refused "demo without device" 'no RDMA device named norxe' --demo -d norxe -g 1
for words in "-s 0" "-s 65M" "-n 0" "-n x" "-m 1000" "-g -1" "-w 65" "-t 0" \
	"-R 1" "-R 99999999999G" "-p 65536" "--no-such" "word" "--worker"; do
	# shellcheck disable=SC2086
	"$pingpong" -d rxe0 $words >x.out 2>&1
	check "options $words" $? 1
done
"$pingpong" --help >x.out 2>x.err
check "help" $? 0
check "help" "$(grep -c '^Usage:' x.out) $(wc -c <x.err)" "1 0"
nothing_left "options"

echo "$checks checks, $failures failures"
[ $failures -eq 0 ]
