# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=sh
#
# For the scripts beside it: the two devices, and what is left in them.

# M5SOFT_KO, in the environment, is the module.
m5soft_parameters=/sys/module/m5soft/parameters

die()
{
	echo "$*" >&2
	exit 1
}

# mlx5_0 and mlx5_1, with 10.9.0.1 and 10.9.1.1 as their GID index 1
m5soft_devices()
{
	[ ! -d $m5soft_parameters ] || return 0
	for i in 0 1; do
		ip link add dummy$i address 02:00:0a:09:0$i:01 type dummy
		ip addr add 10.9.$i.1/24 dev dummy$i
		ip link set dummy$i up
	done
	insmod "$M5SOFT_KO" netdevs=dummy0,dummy1
	# The nodes in /dev come a moment later, the GIDs too.
	tries=100
	until [ -e /dev/infiniband/uverbs1 ] &&
		grep -q ffff:0a09:0001 /sys/class/infiniband/mlx5_0/ports/1/gids/1 &&
		grep -q ffff:0a09:0101 /sys/class/infiniband/mlx5_1/ports/1/gids/1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "the devices do not come up"
		sleep 0.1
	done
}

# By the device's own count, and by the kernel's
m5soft_is_empty()
{
	for name in contexts pds mrs mws ahs cqs srqs qps uars; do
		read -r left <$m5soft_parameters/$name
		[ "$left" = 0 ] || die "left over in the device: $left $name"
	done
	left=$(rdma resource show)
	case "$left" in
	*mlx5_0:*mlx5_1:*) ;;
	*) die "rdma tells nothing of the devices: $left" ;;
	esac
	case "$left" in
	*[a-z]\ [1-9]*) die "left over: $left" ;;
	esac
}

# Debian's programs by ../peers/peer.sh, which has a die() of its own
m5soft_peers()
{
	peer_driver=mlx5
	# shellcheck source=tests/vm/peers/peer.sh
	. "$VM_SOURCE/tests/vm/peers/peer.sh"
}
