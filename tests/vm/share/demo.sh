#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# In the guest: one owner registers 256 MiB once, four workers import it and
# move data to four peers; the owner is killed; the workers go on; all leave.
# The program checks all of that itself, prints a table, and fails otherwise.
#
#	usage: demo.sh BUILD-FOLDER [PLUG-IN]
#
# The plug-in is that of the build folder, or another one, by its path without
# "-rdmav34.so".

set -eu
RDMAV_DRIVERS=${2:-$1/lib/librxe}
export RDMAV_DRIVERS
exec "$1/bin/ibv_share_pingpong" --demo --ib-dev=rxe0 --gid-idx=1 \
	--region=256M --workers=4 --size=65536 --iters=8
