#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
symbols.py LIBRARY: the library's dynamic symbols are those of the table and of
IBVERBS_SHARE_1.0, each in its version, default or not, function or object; and
it is the library that programs ask the loader for.
"""

import os
import re
import sys

import abi

SHARE = "IBVERBS_SHARE_1.0"
SHARE_FUNCTIONS = [
    "ibv_context_to_fd",
    "ibv_export_mr",
    "ibv_export_pd",
    "ibv_export_to_fd",
    "ibv_import_mr",
    "ibv_import_mr_by_handle",
    "ibv_import_pd",
    "ibv_import_pd_by_handle",
    "ibv_list_objects",
    "ibv_mr_to_handle",
    "ibv_open_device_shareable",
    "ibv_pd_to_handle",
    "ibv_withdraw",
]
# Their default version moved to SHARE: binaries find the old one by name.
MOVED = ["ibv_import_mr", "ibv_import_pd"]
# The data object of the interface and its size
OBJECT_SIZES = {"verbs_allow_disassociate_destroy": 1}
NEEDED = re.compile(
    r"lib(c|nl-3|nl-route-3|pthread)\.so|ld-linux|lib(asan|ubsan|tsan)\.so"
)


def expected():
    """What the library must export: {name with version: type}."""
    want = {}
    for row in abi.table("symbols.tsv"):
        if row["visibility"] == "version-node":
            want[row["version"]] = "NODE"
            continue
        default = row["default"]
        if row["name"] in MOVED:
            default = "@"
        want[row["name"] + default + row["version"]] = row["type"]
    want[SHARE] = "NODE"
    for name in SHARE_FUNCTIONS:
        want[f"{name}@@{SHARE}"] = "FUNC"
    return want


def exported(library):
    """What it does export, by nm: {name with version: type}."""
    have = {}
    for line in abi.run(
        ["nm", "-D", "--defined-only", "--with-symbol-versions", library]
    ).splitlines():
        kind, name = line.split()[-2:]
        if kind == "A":
            # One per version node; some linkers repeat the version.
            have[re.sub("@.*", "", name)] = "NODE"
        elif kind in "Ti":
            have[name] = "FUNC"
        elif kind in "BDR":
            have[name] = "OBJECT"
        else:
            have[name] = f"of nm's kind {kind}"
    return have


def object_sizes(library):
    sizes = {}
    for line in abi.run(
        ["readelf", "--dyn-syms", "--wide", library]
    ).splitlines():
        fields = line.split()
        if len(fields) > 7 and fields[3] == "OBJECT" and fields[6] not in (
            "ABS",
            "UND",
        ):
            sizes[re.sub("@.*", "", fields[7])] = int(fields[2], 0)
    return sizes


def allowed_missing():
    path = os.path.join(abi.HERE, "missing-symbols.txt")
    with open(path, encoding="utf-8") as f:
        lines = [re.sub("#.*", "", line).strip() for line in f]
    return {line for line in lines if line}


def check_dynamic(library, problems):
    """SONAME and needed libraries"""
    dynamic = abi.run(["readelf", "--dynamic", "--wide", library])
    soname = re.findall(r"\(SONAME\).*\[(.*)\]", dynamic)
    if soname != ["libibverbs.so.1"]:
        problems.append(f"SONAME is {soname}, not libibverbs.so.1")
    for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not NEEDED.match(needed):
            problems.append(f"needs {needed}, which Debian's does not")
    if "TEXTREL" in dynamic:
        problems.append("has text relocations")


def test(_workdir):
    library = sys.argv[1]
    want, have = expected(), exported(library)
    if len(want) < 193 + 1 + len(SHARE_FUNCTIONS):
        raise abi.Failed("the table of symbols is cut short")
    allowed = allowed_missing()
    problems = []
    for name in sorted(have.keys() - want.keys()):
        problems.append(f"exports {name} ({have[name]}), which it must not")
    for name in sorted(want.keys() & have.keys()):
        if have[name] != want[name]:
            problems.append(f"{name} is {have[name]}, not {want[name]}")
        if name in allowed:
            problems.append(f"{name} is there: take it off the list")
    for name in sorted(want.keys() - have.keys()):
        if name in allowed:
            print(f"still missing: {name}")
        else:
            problems.append(f"{name} ({want[name]}) is missing")
    for name in sorted(allowed - want.keys()):
        problems.append(f"missing-symbols.txt: {name} is no symbol to export")
    for name, size in object_sizes(library).items():
        if OBJECT_SIZES.get(name) != size:
            problems.append(f"{name} has {size} bytes")
    check_dynamic(library, problems)
    if problems:
        raise abi.Failed(f"{library}:\n  " + "\n  ".join(problems))


abi.main(test)
