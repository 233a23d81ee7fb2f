#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# Show a program one machine after the other, each made of a directory that
# stands for sysfs, bind mounts in /dev, and configuration files.  All of it is
# mounted in a namespace of its own and goes away with it; exit status 77: there
# are no user namespaces here.
# Usage: discovery_scenarios.sh <probe> <plug-in> <configuration directory>
# The distribution's configuration directory shows the same files.
set -eu -o pipefail

if [ -z "${IN_NAMESPACE-}" ]; then
	unshare -rm true 2>/dev/null || exit 77
	IN_NAMESPACE=1 exec unshare -rm "$0" "$@"
fi

probe=$1
plugin=${2%-rdmav34.so}
config=$3

# The same place for both libraries, and nothing to clean up
top=/mnt
case $probe:$2:$PWD in *:/mnt/*|/mnt/*) top=/media ;; esac
mount -t tmpfs none "$top"
mkdir "$top/dev" "$top/config"
for node in null zero full urandom; do
	touch "$top/dev/$node"
	mount --bind "/dev/$node" "$top/dev/$node"
done
mkdir -p "$top/dev/infiniband" "$top/dev/char"
mount --rbind "$top/dev" /dev

show_config_at() {
	local dir=$1
	[ -d "$dir" ] || {
		# Something that can be mounted upon: the nearest directory
		local up=$dir
		while [ ! -d "$up" ]; do up=$(dirname "$up"); done
		mount -t tmpfs none "$up"
		mkdir -p "$dir"
	}
	mount --bind "$top/config" "$dir"
}
show_config_at "$config"
[ "$config" = /etc/libibverbs.d ] || show_config_at /etc/libibverbs.d

export SYSFS_PATH=$top/sys
uverbs=$SYSFS_PATH/class/infiniband_verbs
ibdevs=$SYSFS_PATH/class/infiniband
plug=$top/plug
mkdir "$plug"
cp "$plugin-rdmav34.so" "$plug/alpha-rdmav34.so"

clear_machine() {
	rm -rf "${SYSFS_PATH:?}" "$top"/config/* "$top"/dev/infiniband/* "$top"/dev/char/*
	mkdir -p "$uverbs" "$ibdevs"
	echo 6 >"$uverbs/abi_version"
}

# device uverbsN name major:minor: its node is /dev/null, 1:3
device() {
	mkdir -p "$uverbs/$1" "$ibdevs/$2"
	echo "$2" >"$uverbs/$1/ibdev"
	echo "$3" >"$uverbs/$1/dev"
	echo 1 >"$uverbs/$1/abi_version"
	echo "1: CA" >"$ibdevs/$2/node_type"
	echo "0002:c903:0000:1a2b" >"$ibdevs/$2/node_guid"
	ln -s ../null "/dev/infiniband/$1"
}

run() {
	echo "== $*"
	"$probe" "${@:2}" || echo "exit $?"
}

scenarios() {
# ---- no RDMA at all ----
clear_machine
rm -r "$SYSFS_PATH"
run "no sysfs" open list
mkdir -p "$uverbs"
run "no devices" list /dev/null
run "no character device" /proc/self/exe

# ---- one device ----
clear_machine
device uverbs0 alpha0 1:3
run "no configuration"
IBV_SHOW_WARNINGS=1 run "no driver, told" list
echo "driver $plug/alpha" >"$top/config/alpha.driver"
run "one device" open list open /dev/null /dev/zero
IBV_DRIVERS="" run "configured and an empty name"
rm "$top/config/alpha.driver"
RDMAV_DRIVERS="$plug/alpha" IBV_DRIVERS=/none run "by variable" open
IBV_DRIVERS="/none;$plug/alpha:" run "by the old variable"
RDMAV_DRIVERS="" IBV_DRIVERS="$plug/alpha" run "the first variable counts"
RDMAV_FORK_SAFE=1 run "fork safe"
echo "driver $plug/alpha" >"$top/config/alpha.driver"
echo 2 >"$uverbs/uverbs0/abi_version"
run "newest device ABI"
echo 3 >"$uverbs/uverbs0/abi_version"
run "unknown device ABI" list
rm "$uverbs/uverbs0/abi_version"
run "no device ABI"
echo 1 >"$uverbs/uverbs0/abi_version"
for abi in 2 3 6 7 "" text -1; do
	echo "$abi" >"$uverbs/abi_version"
	run "kernel ABI '$abi'"
done
rm "$uverbs/abi_version"
run "no kernel ABI"
echo 6 >"$uverbs/abi_version"
for type in "2: switch" "4: RNIC" "7: x" "8: x" "0" "x"; do
	echo "$type" >"$ibdevs/alpha0/node_type"
	run "node type '$type'"
done
for guid in "" "0:1:2:3" "0002:c903:0000" "xxxx:c903:0000:1a2b"; do
	echo "$guid" >"$ibdevs/alpha0/node_guid"
	run "guid '$guid'"
done
rm "$ibdevs/alpha0/node_guid" "$ibdevs/alpha0/node_type"
run "neither"
rm "/dev/infiniband/uverbs0"
run "no node"

# ---- incomplete devices ----
clear_machine
echo "driver $plug/alpha" >"$top/config/alpha.driver"
device uverbs0 alpha0 1:3
device uverbs1 alpha1 1:3
rm "$uverbs/uverbs0/ibdev"
run "no ibdev"
echo alpha0 >"$uverbs/uverbs0/ibdev"
rm -r "$ibdevs/alpha0"
run "no ibdev directory"
mkdir "$ibdevs/alpha0"
echo nonsense >"$uverbs/uverbs0/dev"
run "no device number"

# ---- several devices: order ----
clear_machine
device uverbs0 alpha0 1:3
device uverbs1 other1 1:3
device uverbs2 alpha2 1:3
echo "driver $plug/alpha" >"$top/config/alpha.driver"
IBV_SHOW_WARNINGS=1 run "several devices" list

# ---- the node ----
clear_machine
echo "driver $plug/alpha" >"$top/config/alpha.driver"
device uverbs0 alpha0 1:3
ln -sf ../zero /dev/infiniband/uverbs0
ln -s ../null /dev/char/1:3
run "another device's node, /dev/char has ours" open
rm /dev/char/1:3
(sleep 0.3 && ln -s ../null /dev/char/1:3) &
run "/dev/char gets it soon" open
wait
rm /dev/infiniband/uverbs0 /dev/char/1:3
touch /dev/infiniband/uverbs0
(sleep 0.3 && ln -s ../null /dev/char/1:3) &
run "a regular file, /dev/char gets it soon" open
wait

# ---- configuration ----
clear_machine
device uverbs0 alpha0 1:3
printf 'driver none1\ndriver  none2 x\n\tdriver\tnone3\n# driver no\n\nbad line\ndriver\ndrivers x' \
	>"$top/config/a"
run "lines" list
rm "$top/config/a"
echo garbage >"$plug/garbage-rdmav34.so"
head -c 4096 /dev/urandom >"$plug/random-rdmav34.so"
printf "driver $plug/%s\n" garbage alpha alpha random >"$top/config/a"
run "garbage plug-ins" list
mkdir "$top/config/dir"
ln -s nothing "$top/config/dangling"
rm "$top/config/a"
ln -s "$plug/list" "$top/config/link"
echo "driver $plug/alpha" >"$plug/list"
run "entries that are no files" open
}

# Where each library has its configuration is its own business.
scenarios 2>&1 | sed -e "s|$config|<config>|; s|/etc/libibverbs.d|<config>|"
