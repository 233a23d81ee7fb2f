# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=sh
#
# For the scripts beside it: run one of Debian's RDMA programs on a library and a
# plug-in of one's choice, and prove that it was these.
#
# A configuration is one of
#	debian	Debian's library and Debian's plug-in: the control
#	mixed	our library and Debian's plug-in
#	ours	our library and our plug-in

# The includer may set these before: whose plug-in it is, and where the server is.
: "${peer_driver:=rxe}" "${peer_address:=127.0.0.1}" "${peer_port:=18515}"

debian_lib=/usr/lib/x86_64-linux-gnu
our_lib=$VM_BUILD/lib

die()
{
	echo "$*" >&2
	exit 1
}

# Set, for a configuration: `with`, what to add to a command's environment, and
# `library` and `plugin`, the files that must then be in use.
choose()
{
	case $1 in
	debian)
		with=
		library=$debian_lib/libibverbs.so.1
		plugin=$debian_lib/libibverbs/lib$peer_driver-rdmav34.so
		;;
	mixed)
		with="LD_LIBRARY_PATH=$our_lib RDMAV_DRIVERS=$debian_lib/libibverbs/lib$peer_driver"
		library=$our_lib/libibverbs.so.1
		plugin=$debian_lib/libibverbs/lib$peer_driver-rdmav34.so
		;;
	ours)
		with="LD_LIBRARY_PATH=$our_lib RDMAV_DRIVERS=$our_lib/lib$peer_driver"
		library=$our_lib/libibverbs.so.1
		plugin=$our_lib/lib$peer_driver-rdmav34.so
		;;
	*)
		die "no configuration $1"
		;;
	esac
	[ -e "$library" ] || die "no $library"
	[ -e "$plugin" ] || die "no $plugin"
}

# Run a command in the chosen configuration, in place of this shell. What the
# dynamic linker initialised in its process is written to NAME.ld.PID.
become()
{
	export LD_DEBUG=files LD_DEBUG_OUTPUT="$PWD/$1.ld"
	shift
	# shellcheck disable=SC2086,SC2163
	[ -z "$with" ] || export $with
	exec "$@"
}

peer()
{
	(become "$@")
}

# Every process of that name that used RDMA at all used the chosen library and
# the chosen plug-in, and no second one of either.
prove()
{
	used=
	for trace in "$1".ld.*; do
		[ -e "$trace" ] || die "$1: no trace of the dynamic linker"
		sed -n 's/.*calling init: //p' "$trace" |
			grep -e '/libibverbs\.so' -e "/lib$peer_driver[-.]" |
			xargs -r readlink -f | sort -u >"$1.used"
		[ -s "$1.used" ] || continue
		used=1
		{
			readlink -f "$library"
			readlink -f "$plugin"
		} | sort -u >"$1.wanted"
		cmp -s "$1.used" "$1.wanted" || {
			diff "$1.wanted" "$1.used" >&2
			die "$1 ran on other files than it should"
		}
	done
	[ -n "$used" ] || die "$1 did not load libibverbs at all"
}

# Wait till somebody listens on a TCP port, or till the process that is to do so
# is gone.
wait_for_port()
{
	port=$(printf ':%04X 0' "$1")
	tries=200
	until grep -q "$port.* 0A " /proc/net/tcp /proc/net/tcp6; do
		kill -0 "$2" 2>/dev/null || return 1
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# Run a program's server and client, for a configuration of each; their outputs
# in server.out and client.out.
pair()
{
	server=$1
	client=$2
	shift 2
	choose "$server"
	become server timeout 60 "$@" >server.out 2>&1 &
	pid=$!
	if ! wait_for_port "$peer_port" $pid; then
		cat server.out >&2
		die "$1: the server did not come up"
	fi
	choose "$client"
	peer client timeout 60 "$@" "$peer_address" >client.out 2>&1
	status=$?
	[ $status -eq 0 ] || kill $pid 2>/dev/null
	wait $pid
	server_status=$?
	if [ $status -ne 0 ] || [ $server_status -ne 0 ]; then
		echo "server:"
		cat server.out
		echo "client:"
		cat client.out
		die "$*: client ended with $status, server with $server_status"
	fi
	prove client
	choose "$server"
	prove server
}

# Both outputs must have a line that matches an extended regular expression.
both_say()
{
	for side in server client; do
		grep -Eq "$1" $side.out || {
			cat $side.out >&2
			die "$side does not say: $1"
		}
	done
}
