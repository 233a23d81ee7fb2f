# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=sh
#
# For the scripts beside it: the device siw0, and Debian's programs on it.

# shellcheck disable=SC2034
peer_driver=siw
# shellcheck disable=SC2034
peer_address=10.9.0.1
# shellcheck source=tests/vm/peers/peer.sh
. "$VM_SOURCE/tests/vm/peers/peer.sh"

# siw0 on dummy0; programs of one guest share it.
siw_device()
{
	[ ! -e /sys/class/infiniband/siw0 ] || return 0
	if ! ip link add dummy0 address 02:00:0a:09:00:01 type dummy ||
		! ip addr add $peer_address/24 dev dummy0 ||
		! ip link set dummy0 up ||
		! rdma link add siw0 type siw netdev dummy0; then
		die "cannot make siw0"
	fi
}
