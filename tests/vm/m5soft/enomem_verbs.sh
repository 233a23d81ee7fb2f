#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Each allocation of a few verbs fails, on Debian's library and on ours: libmlx5
# and the kernel make the same of it, and so do the libraries. How often which of
# them allocates is its own affair; what the C library does for them, too.
#
#	usage: enomem_verbs.sh PROGRAM

set -eu
# shellcheck source=tests/vm/m5soft/m5soft.sh
. "$VM_SOURCE/tests/vm/m5soft/m5soft.sh"
m5soft_peers

for config in debian mixed; do
	choose $config
	LD_LIBRARY_PATH=${library%/*} "$1" "$library" >$config.all ||
		die "$(cat $config.all)"
	# An answer about another device may be lost without harm.
	grep -v -e ', libc' -e '^ibv_import_device, libibverbs.*: success$' \
		$config.all | sort -u >$config
done
diff -U0 debian mixed || die "not the same on both (- Debian's)"

# What enomem.c takes for granted, and that nothing ever stays
for line in "ibv_open_device without DEVX, ib_uverbs_open in the kernel: ENOENT" \
	"ibv_open_device without DEVX, ib_alloc_ucontext in the kernel: EOPNOTSUPP" \
	"ibv_import_device, libnl-3.so.200: ENODEV" \
	"ibv_import_device, libibverbs.so.1: ENODEV" \
	"ibv_alloc_pd, libmlx5.so.1: ENOMEM" \
	"ibv_reg_mr, libmlx5.so.1: ENOMEM"; do
	grep -qx "$line" debian || die "not among what Debian's library says: $line"
done
! grep left debian || die "something is left"
