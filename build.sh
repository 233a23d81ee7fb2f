#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Build the tree, and show or test what it does.

set -eu

usage()
{
	cat <<EOT
usage: ./build.sh demo              build, and share a PD and an MR between processes
       ./build.sh test [CTEST-ARG]  build, and run the tests (all, or what ctest's
                                    -R, -L, ... choose)
       ./build.sh bench             build, and measure: against Debian's library, and
                                    import against registration; a table and plots,
                                    in build/bench (five minutes, on a quiet machine)
       ./build.sh soak [--minutes N]
                                    build a kernel with every checker, and wear the
                                    kernel half out on it: two hours, and ten minutes
                                    more the first time; --help
       ./build.sh fuzz [--seconds N] [TARGET...]
                                    let libFuzzer make up what the kernel, files and
                                    peers say, ten minutes for each of 13 targets
       ./build.sh kernels [VERSION] try the kernel half on all kernels that the archive
                                    offers, or on these versions (hours; 2 GB to load)
       ./build.sh packages          make Debian and RPM packages, in build/packages
       ./build.sh packages-test     try them in a Debian of their own (as root, minutes)
       ./build.sh deps              install what all that needs (as root), or tell how

All build in ./build, or in \$BUILD_DIR; demo, test and bench run in a guest with a kernel
of its own: no RDMA hardware, no root, nothing left outside that folder. Only
Debian 12's packages must be there; as root all install those that are missing.
EOT
}

# What the library, the kernel half and a guest need beside a bare Debian 12
base_packages="
	cmake gcc g++ make ninja-build pkg-config
	libc6-dev libnl-3-dev libnl-route-3-dev
	coccinelle kmod libelf1 xz-utils
	busybox-static iproute2 procps python3 qemu-system-x86
"
# and all that the tests, the man pages and the packages need
packages="
	$base_packages
	pandoc
	ibverbs-providers ibverbs-utils libibverbs-dev perftest
	librdmacm-dev rdmacm-utils
	fio libfabric-bin libpython3.11 ucx-utils
	libcmocka-dev man-db strace valgrind
	gnuplot-nox
	fonts-dejavu-core graphviz
	debhelper debootstrap dh-dkms dpkg-dev git lintian rpm rpmlint
"

# What the kernel that soak builds needs beside
soak_packages="bc bison flex libelf-dev libssl-dev lz4"
# What fuzz needs beside: libFuzzer is clang's
fuzz_packages="clang libclang-rt-14-dev"

die()
{
	echo "build.sh: $*" >&2
	exit 1
}

missing_packages()
{
	for name in $packages; do
		# shellcheck disable=SC2016
		case $(dpkg-query -W -f '${db:Status-Abbrev}' "$name" \
			2>/dev/null) in
		[ih]i*) ;;
		*) printf ' %s' "$name" ;;
		esac
	done
}

install_packages()
{
	export DEBIAN_FRONTEND=noninteractive
	# One broken foreign source must not stop it: what is missing, install tells.
	apt-get -q update || :
	# shellcheck disable=SC2086
	apt-get -q -y install --no-install-recommends $1
}

deps()
{
	command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
		die "this needs Debian 12: the guest's kernel comes from its packages"
	missing=$(missing_packages)
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		echo "build.sh: packages are missing. As root, run" >&2
		echo "    apt-get update && apt-get install --no-install-recommends$missing" >&2
		exit 1
	fi
	echo "Installing$missing"
	log=$(mktemp)
	if ! install_packages "$missing" >"$log" 2>&1 </dev/null; then
		echo "That failed; once more" >&2
		sleep 5
		install_packages "$missing" >"$log" 2>&1 </dev/null || {
			cat "$log" >&2
			rm "$log"
			die "cannot install packages"
		}
	fi
	rm "$log"
}

# Quiet where all goes well
quietly()
{
	if ! "$@" >"$build/build.log" 2>&1; then
		cat "$build/build.log" >&2
		die "$1 failed"
	fi
}

# usage: build [TARGETS [TESTING]]; TESTING: ON, OFF, or empty: as it was
build()
{
	testing=${2-ON}
	# An empty folder of plug-in names: what runs from here names its plug-in
	# itself, and the library does not warn that the folder is missing.
	mkdir -p "$build/libibverbs.d"
	quietly cmake -S "$top" -B "$build" -G Ninja \
		-D IBV_CONFIG_DIR="$build/libibverbs.d" \
		${testing:+-D BUILD_TESTING="$testing" -D BUILD_MAN="$testing"}
	# shellcheck disable=SC2086
	quietly cmake --build "$build" --parallel "$(nproc)" ${1:+--target $1}
}

demo()
{
	vm=$build/vm
	echo "Building the library"
	# Where the tests were built they stay
	testing=OFF
	[ ! -e "$build/CMakeCache.txt" ] || testing=
	build "ibverbs rxe-rdmav34 ibv_share_pingpong" "$testing"
	echo "Getting a kernel for the guest, and building ib_uverbs for it"
	"$top/tests/vm/fetch" "$vm"
	"$top/tests/vm/build-module" "$vm"
	echo "Booting the guest"
	"$top/tests/vm/run" --vm "$vm" --work "$vm/run/demo" \
		--keep "$top" --keep "$build" \
		-- /bin/sh "$top/tests/vm/share/demo.sh" "$build"
}

bench()
{
	vm=$build/vm
	out=$build/bench
	echo "Building the library and the benchmarks"
	build "ibverbs rxe-rdmav34 bench_verbs bench_import bench_processes"
	"$top/tests/vm/fetch" "$vm"
	"$top/tests/vm/build-module" "$vm"
	echo "Measuring in the guest; leave the machine alone meanwhile"
	# What helps to debug in the tests' guests would be measured, too: poison,
	# and a line on the console for each query of a port.
	"$top/tests/vm/run" --vm "$vm" --work "$vm/run/bench" \
		--keep "$top" --keep "$build" --smp 2 --memory 3072 \
		--append "slub_debug=- loglevel=4" --timeout 7200 \
		-- "$top/bench/run" --build "$build" --out "$vm/run/bench/out" "$@"
	mkdir -p "$out"
	cp "$vm/run/bench/out/bench.csv" "$vm/run/bench/out/bench.md" "$out/"
	"$top/bench/plot" "$out"
	echo "In $out: bench.md (this table), bench.csv, bench.svg, bench.png"
}

soak()
{
	vm=$build/vm
	case " $* " in
	*" -h "* | *" --help "*)
		exec "$top/tests/vm/soak/soak" --help
		;;
	esac
	echo "Building the programs"
	build soak_programs
	"$top/tests/vm/fetch" "$vm"
	debug=$vm
	case " $* " in
	*" --stock "*) ;;
	*)
		echo "Building a kernel with every checker, the first time"
		debug=$vm/soak
		"$top/tests/vm/soak/build-kernel" "$vm" "$debug"
		;;
	esac
	"$top/tests/vm/build-module" "$debug"
	"$top/tests/vm/kernel/device/build" "$debug"
	"$top/tests/vm/soak/soak" --vm "$vm" --build "$build" "$@"
}

test_kernels()
{
	echo "Building"
	build
	"$top/tests/vm/kernel/versions" "$build" "$build/kernels" "$@"
}

make_packages()
{
	"$top/tests/packages/deb" "$build/packages/deb"
	"$top/tests/packages/rpm" "$build/packages/rpm"
}

test_packages()
{
	[ "$(id -u)" -eq 0 ] || die "packages-test installs packages in a chroot: as root"
	"$top/tests/packages/deb" "$build/packages/deb"
	for part in chroot dkms; do
		"$top/tests/packages/$part" "$build/packages/deb/1" \
			"$build/packages/system"
	done
}

run_tests()
{
	echo "Building"
	build
	results=$build/results.xml
	rm -f "$results"
	status=0
	# Guests wait as much as they work: more of them than processors
	(cd "$build" && ctest --parallel "$((2 * $(nproc)))" --output-on-failure \
		--no-tests=error --output-junit "$results" "$@") || status=$?
	[ -s "$results" ] || die "no results: ctest ended with $status"
	"$top/tests/results/results" "$results" || [ $status -ne 0 ] || status=1
	return $status
}

[ $# -ge 1 ] || {
	usage >&2
	exit 2
}
top=$(CDPATH='' cd "$(dirname "$0")" && pwd)
build=${BUILD_DIR:-$top/build}
case $build in
/*) ;;
*) build=$PWD/$build ;;
esac
command=$1
shift
case $command in
deps)
	deps
	;;
demo)
	packages=$base_packages
	deps
	demo
	;;
test)
	deps
	run_tests "$@"
	;;
bench)
	deps
	bench "$@"
	;;
soak)
	packages="$packages $soak_packages"
	deps
	soak "$@"
	;;
fuzz)
	packages="$packages $fuzz_packages"
	deps
	"$top/tests/fuzz/run" --build "$build/fuzz" "$@"
	;;
kernels)
	# 6.12 makes no module without
	packages="$packages pahole"
	deps
	test_kernels "$@"
	;;
packages)
	deps
	make_packages
	;;
packages-test)
	deps
	test_packages
	;;
-h | --help | help)
	usage
	;;
*)
	usage >&2
	exit 2
	;;
esac
