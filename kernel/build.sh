#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# Build ib_uverbs.ko with export and import from the distribution's kernel
# source, and check that it can take the place of the stock one.
#
# Nothing is written outside the output directory; no privileges are needed.
set -eu
export LC_ALL=C
# spatch needs one, and what installs kernels may have none
export HOME="${HOME:-/nonexistent}"

usage()
{
	cat <<'EOF'
usage: build.sh [options]

  --source PATH   kernel source: linux-source-*.tar.*, or an unpacked tree
                  (default: /usr/src/linux-source-<version>.tar.xz)
  --headers DIR   what modules are built with: /lib/modules/<release>/build, or
                  the linux-headers-<release> directory of unpacked packages
                  (default: the running kernel's)
  --output DIR    gets ib_uverbs.ko; created if needed
                  (default: out, beside this script)
  --jobs N        (default: the number of processors)
  --keep          keep the patched source, in DIR/ib_uverbs.build
EOF
}

die()
{
	echo "build.sh: $*" >&2
	exit 1
}

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
uapi=$here/uapi
[ -d "$uapi" ] || uapi=$here/../kernel-headers
src=
headers=/lib/modules/$(uname -r)/build
out=$here/out
jobs=$(nproc)
keep=

while [ $# -gt 0 ]; do
	case $1 in
	--source|--headers|--output|--jobs)
		[ $# -ge 2 ] || die "$1 needs an argument"
		case $1 in
		--source) src=$2 ;;
		--headers) headers=$2 ;;
		--output) out=$2 ;;
		--jobs) jobs=$2 ;;
		esac
		shift 2 ;;
	--keep) keep=1; shift ;;
	-h|--help) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
done

PATH=$PATH:/usr/sbin:/sbin
for tool in spatch make tar modprobe; do
	command -v $tool >/dev/null ||
		die "$tool is needed (packages coccinelle, make, tar, kmod)"
done
[ -r "$headers/Module.symvers" ] || die "no kernel headers in $headers"
headers=$(CDPATH='' cd -P "$headers" && pwd)
mkdir -p "$out"
out=$(CDPATH='' cd "$out" && pwd)
case $out in
*[[:space:]:]*) die "make can not work in '$out': no spaces, no colons" ;;
esac
work=$out/ib_uverbs.build
rm -rf "$work" "$out/ib_uverbs.ko"
mkdir -p "$work"

# The headers' Makefile names the directory of the common headers by its place in
# an installed system.  When the packages are only unpacked it is the neighbour.
kdir=$headers
common=$(sed -n 's/^include \(\/.*\)\/Makefile$/\1/p' "$headers/Makefile")
if [ -n "$common" ] && [ ! -e "$common/Makefile" ]; then
	common=$headers/../$(basename "$common")
	[ -e "$common/Makefile" ] || die "$headers needs $(basename "$common")"
	common=$(CDPATH='' cd -P "$common" && pwd)
	kdir=$work/headers
	mkdir "$kdir"
	for entry in "$headers"/* "$headers"/.[!.]*; do
		ln -s "$entry" "$kdir/"
	done
	rm "$kdir/Makefile"
	echo "include $common/Makefile" > "$kdir/Makefile"
fi

version_of()
{
	sed -n '/^VERSION = /s///p;/^PATCHLEVEL = /s//./p;/^SUBLEVEL = /s//./p' \
		"$1" | tr -d '\n'
}
kversion=$(version_of "${common:-$headers}/Makefile")
[ -n "$kversion" ] || kversion=$(version_of "$headers/source/Makefile")

# Only what the module is made of: the whole tree is 1.5 GB.
core=drivers/infiniband/core
if [ -z "$src" ]; then
	src=/usr/src/linux-source-${kversion%.*}.tar.xz
fi
if [ -d "$src" ]; then
	tree=$src
elif [ -r "$src" ]; then
	tree=$work/tree
	mkdir "$tree"
	tar -xf "$src" -C "$tree" --strip-components=1 --wildcards \
		--no-wildcards-match-slash "*/Makefile" "*/$core/*" ||
		die "can not unpack $src"
else
	die "no kernel source: $src (package linux-source-*)"
fi
[ -r "$tree/$core/uverbs_main.c" ] || die "no $core in $src"
sversion=$(version_of "$tree/Makefile")
[ "$sversion" = "$kversion" ] ||
	die "the source is $sversion, the headers are $kversion"

# The list of objects is the kernel's own.
mod=$work/module
mkdir "$mod"
sed -e ':a' -e '/\\$/{N;s/\\\n//;ta' -e '}' "$tree/$core/Makefile" |
	grep '^ib_uverbs-' > "$mod/Kbuild" || die "unknown layout of $core/Makefile"
for object in $(tr -s ' \t' '\n' < "$mod/Kbuild" | grep '\.o$'); do
	cp "$tree/$core/${object%.o}.c" "$mod/"
done
cp "$tree/$core"/*.h "$mod/"
cp "$here"/src/*.[ch] "$mod/"
mkdir -p "$mod/include/rdma"
cp "$uapi/rdma/ib_user_share_cmds.h" "$mod/include/rdma/"
{
	echo "obj-m := ib_uverbs.o"
	echo "ccflags-y += -I\$(src)/include"
	# Came to the stable kernels late, with a mended rereg_mr
	! grep -q rdma_restrack_sync "$mod/restrack.h" ||
		echo "ccflags-y += -DSHARE_HAS_RESTRACK_SYNC"
	for file in "$here"/src/*.c; do
		echo "ib_uverbs-y += $(basename "$file" .c).o"
	done
} >> "$mod/Kbuild"

# A semantic patch that finds nothing to change is no error for spatch: count.
for file in $(sed -n 's/^\([a-z_]*\.c\)\t.*/\1/p' "$here/hooks/expected" | sort -u); do
	for patch in "$here"/hooks/*.cocci; do
		spatch --very-quiet --in-place --sp-file "$patch" "$mod/$file" \
			>> "$work/spatch.log" 2>&1 ||
			die "$(basename "$patch") failed on $file, see $work/spatch.log"
	done
done
tab=$(printf '\t')
while IFS=$tab read -r file count text; do
	case $file in ''|'#'*) continue ;; esac
	found=$(grep -oF -e "$text" "$mod/$file" | wc -l)
	[ "$found" -ge "${count%-*}" ] && [ "$found" -le "${count#*-}" ] ||
		die "hooks: $file has '$text' $found times, not $count"
done < "$here/hooks/expected"

make -s -C "$kdir" M="$mod" -j"$jobs" modules > "$work/make.log" 2>&1 || {
	cat "$work/make.log" >&2
	die "the build failed"
}
grep -v 'Skipping BTF' "$work/make.log" >&2 || :

# Every driver was built against the stock module's symbols.
awk -F '\t' '$3 == "drivers/infiniband/core/ib_uverbs" { print $2, $1 }' \
	"$headers/Module.symvers" | sort > "$work/symbols.stock"
awk -F '\t' '{ print $2, $1 }' "$mod/Module.symvers" | sort > "$work/symbols.ours"
[ -s "$work/symbols.stock" ] || die "no symbols of ib_uverbs in $headers"
diff "$work/symbols.stock" "$work/symbols.ours" >&2 ||
	die "the exported symbols differ from the stock module's"

# And what this one imports must be what the kernel exports, if it cares.
if grep -q '^CONFIG_MODVERSIONS=y' "$headers/.config"; then
	modprobe --dump-modversions "$mod/ib_uverbs.ko" |
		sort -u > "$work/imports.ours"
	cut -f 1,2 "$headers/Module.symvers" | sort -u > "$work/imports.kernel"
	[ -s "$work/imports.ours" ] || die "ib_uverbs.ko has no symbol versions"
	missing=$(comm -23 "$work/imports.ours" "$work/imports.kernel")
	[ -z "$missing" ] || die "not exported by the kernel:
$missing"
fi

"${CROSS_COMPILE:-}strip" --strip-debug -o "$out/ib_uverbs.ko" "$mod/ib_uverbs.ko"
[ -n "$keep" ] || rm -rf "$work"
