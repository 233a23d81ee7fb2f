#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# Two hosts on a wire, in network namespaces of their own, and what the first
# one resolves.  Usage: neigh_scenarios.sh <probe>
# Exit status 77: no namespaces here, or no veth.
set -eu -o pipefail

if [ -z "${IN_NAMESPACE-}" ]; then
	unshare -rn ip link add v0 type veth peer name v1 2>/dev/null || exit 77
	IN_NAMESPACE=1 exec unshare -rn "$0" "$@"
fi

probe=$1
# Our library and sanitizers are for the probe, not for ip and sleep.
library_path=$LD_LIBRARY_PATH
unset LD_LIBRARY_PATH

ip link set lo up
ip link add veth0 address 02:00:00:00:00:01 type veth peer name veth1 \
	address 02:00:00:00:00:02
unshare -n sleep 100 &
peer=$!
trap 'kill $peer' EXIT
until [ "$(readlink /proc/$peer/ns/net)" != "$(readlink /proc/$$/ns/net)" ] &&
	[ "$(cat /proc/$peer/comm)" = sleep ]; do
	sleep 0.05
done
ip link set veth1 netns $peer

ip addr add 10.0.0.1/24 dev veth0
ip -6 addr add 2001:db8::1/64 dev veth0 nodad
echo 0 >/proc/sys/net/ipv6/conf/veth0/accept_dad
ip link set veth0 up
nsenter -t $peer -n bash -ec '
	ip addr add 10.0.0.2/24 dev veth1
	ip -6 addr add 2001:db8::2/64 dev veth1 nodad
	ip link set veth1 up'
ip route add 10.9.0.0/16 via 10.0.0.2
ip -6 route add 2001:db8:9::/64 via 2001:db8::2
# One known beforehand, one known to be absent
ip neigh add 10.0.0.50 lladdr 02:00:00:00:00:50 dev veth0
ip route add prohibit 10.66.0.0/16
until ip -6 addr show dev veth0 scope link | grep -q fe80 &&
	! ip -6 addr show dev veth0 | grep -q tentative; do
	sleep 0.1
done

LD_LIBRARY_PATH=$library_path "$probe" \
	10.0.0.1 10.0.0.2	10.0.0.1 10.9.1.1	10.0.0.1 10.0.0.1 \
	10.0.0.1 10.0.0.50	10.0.0.1 10.66.0.1	10.0.0.1 8.8.8.8 \
	10.0.0.1 224.1.2.3	10.0.0.1 239.129.2.3	10.0.0.1 127.0.0.1 \
	10.0.0.1 0.0.0.0	10.0.0.1 10.0.0.255	10.0.0.77 10.0.0.2 \
	127.0.0.1 127.0.0.1	127.0.0.1 10.0.0.1	::1 ::1 \
	2001:db8::1 2001:db8::2	2001:db8::1 2001:db8:9::7 \
	2001:db8::1 2001:db8::1	2001:db8::1 ff02::1:2 \
	2001:db8::1 fe80::a8bb:cc00:5dd:eeff \
	2001:db8::1 2001:dead::1	2001:db8::77 2001:db8::2 \
	fe80::ff:fe00:1 fe80::ff:fe00:2	fe80::ff:fe00:1 fe80::ff:fe00:1 \
	fe80::ff:fe00:1 ff02::1	:: 10.0.0.2 \
	10.0.0.1 10.0.0.200
