# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
# shellcheck shell=bash
#
# A Debian 12 in DIR/root with everything of RDMA from Debian, and our packages
# (DEBS) in its /var/tmp.  Sourced with DEBS DIR; nothing outside DIR is changed.

[ "$(id -u)" -eq 0 ] || { echo "only as root" >&2; exit 1; }
debs=$(cd "$1" && pwd)
mkdir -p "$2"
dir=$(cd "$2" && pwd)
root=$dir/root
failed=0

# Programs and libraries that use libibverbs1
peers="ibverbs-providers librdmacm1 rdmacm-utils perftest python3-pyverbs"

fail()
{
	echo "FAILED: $*"
	failed=$((failed + 1))
}

check()
{
	local what=$1
	shift
	if "$@" >"$dir/check.log" 2>&1; then
		echo "ok: $what"
	else
		fail "$what"
		sed 's/^/	/' "$dir/check.log"
	fi
}

in_root()
{
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive "$@"
}

apt()
{
	in_root apt-get -q -y --no-install-recommends "$@"
}

# Our package NAME, as a file in the chroot
deb()
{
	(cd "$root" && ls var/tmp/"$1"_*.deb) | sed 's/^/\//'
}

make_root()
{
	[ ! -e "$dir/root.complete" ] || return 0
	rm -rf "$root"
	debootstrap --variant=minbase bookworm "$root" >"$dir/debootstrap.log" || {
		tail "$dir/debootstrap.log" >&2
		exit 1
	}
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod +x "$root/usr/sbin/policy-rc.d"
	# The machine's own way to packages, whatever it is
	for part in apt.conf.d auth.conf.d keyrings trusted.gpg.d; do
		[ ! -d "/etc/apt/$part" ] || cp -R "/etc/apt/$part" "$root/etc/apt/"
	done
	apt update >/dev/null
	# shellcheck disable=SC2086
	apt install $peers ibverbs-utils libibverbs-dev \
		gcc libc6-dev pkg-config \
		dkms coccinelle xz-utils kmod gcc-12 >"$dir/install.log" 2>&1
	touch "$dir/root.complete"
}

trap 'umount "$root/proc" 2>/dev/null || :' EXIT
make_root
mount -t proc proc "$root/proc"
rm -f "$root"/var/tmp/*.deb
cp "$debs"/*.deb "$root/var/tmp/"
