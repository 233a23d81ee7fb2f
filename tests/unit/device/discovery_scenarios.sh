#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# Show a program one machine after the other, each made of a directory that
# stands for sysfs, bind mounts in /dev, and configuration files.  All of it is
# mounted in a namespace of its own and goes away with it; exit status 77: there
# are no user namespaces here.
# Usage: discovery_scenarios.sh <probe> <plug-in> <configuration directory>
#	<scenarios>
# The distribution's configuration directory shows the same files.
set -eu -o pipefail

if [ -z "${IN_NAMESPACE-}" ]; then
	unshare -rm true 2>/dev/null || exit 77
	IN_NAMESPACE=1 exec unshare -rm "$0" "$@"
fi

probe=$1
plugin=${2%-rdmav34.so}
config=$3
scenarios=$4

# The same place for both libraries, and nothing to clean up
top=/mnt
case $probe:$2:$4:$PWD in *:/mnt/*|/mnt/*) top=/media ;; esac
mount -t tmpfs none "$top"
mkdir "$top/dev" "$top/config" "$top/under"
for node in null zero full urandom; do
	touch "$top/dev/$node"
	mount --bind "/dev/$node" "$top/dev/$node"
done
mkdir -p "$top/dev/infiniband" "$top/dev/char"
mount --rbind "$top/dev" /dev

# All that is in a directory stays there, and names may be added.
make_writable() {
	local dir=$1 under
	[ ! -e "$dir/.writable" ] || return 0
	under=$(mktemp -d "$top/under/XXXX")
	mount --rbind "$dir" "$under"
	mount -t tmpfs none "$dir"
	find "$under" -mindepth 1 -maxdepth 1 -exec ln -s -t "$dir" {} +
	touch "$dir/.writable"
}

# By a symbolic link, so that $top/config may be anything, or nothing
show_config_at() {
	local up
	up=$(dirname "$1")
	while [ ! -d "$up" ]; do up=$(dirname "$up"); done
	make_writable "$up"
	mkdir -p "$(dirname "$1")"
	rm -f "$1"
	ln -s "$top/config" "$1"
}
show_config_at /etc/libibverbs.d
[ "$config" = /etc/libibverbs.d ] || show_config_at "$config"

export SYSFS_PATH=$top/sys
uverbs=$SYSFS_PATH/class/infiniband_verbs
ibdevs=$SYSFS_PATH/class/infiniband
plug=$top/plug
mkdir "$plug"
cp "$plugin-rdmav34.so" "$plug/alpha-rdmav34.so"

clear_machine() {
	rm -rf "$top/sys" "$top/config" "$top"/dev/infiniband/* "$top"/dev/char/*
	mkdir -p "$uverbs" "$ibdevs" "$top/config"
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
	ln -sf ../null "/dev/infiniband/$1"
}

# The usual machine
one_device() {
	clear_machine
	device uverbs0 alpha0 1:3
	echo "driver $plug/alpha" >"$top/config/alpha.driver"
}

run() {
	echo "== $*"
	"$probe" "${@:2}" || echo "exit $?"
}

# Where each library has its configuration is its own business.
# shellcheck disable=SC1090
. "$scenarios" 2>&1 | sed -e "s|$config|<config>|; s|/etc/libibverbs.d|<config>|"
