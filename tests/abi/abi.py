# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""What the ABI tests have in common: tables, compilers, include directories."""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
# Set ABI_TREE_INCLUDE to check headers that are installed.
OURS = os.environ.get(
    "ABI_TREE_INCLUDE", os.path.join(TREE, "libibverbs", "include")
)

# The public headers, as libibverbs-dev installs those of the library
HEADERS = [
    "verbs.h",
    "verbs_api.h",
    "ib_user_ioctl_verbs.h",
    "opcode.h",
    "arch.h",
    "sa.h",
    "sa-kern-abi.h",
    "tm_types.h",
]
OBSOLETE = ["arch.h", "sa-kern-abi.h"]  # they say so by #warning

CC = os.environ.get("CC", "cc")
CXX = os.environ.get("CXX", "c++")
WARN = ["-Wall", "-Wextra", "-Werror"]


class Failed(Exception):
    """A test failed; the text says how."""


def table(name):
    """Rows of a table of reference/ as dicts."""
    with open(os.path.join(HERE, "reference", name), encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f]
    return [dict(zip(lines[0], row)) for row in lines[1:]]


def debian_include():
    """Debian's include directory.  Missing headers are a failure."""
    path = os.environ.get("ABI_REFERENCE_INCLUDE", "/usr/include")
    verbs = os.path.join(path, "infiniband", "verbs.h")
    if not os.path.exists(verbs):
        raise Failed(
            f"{verbs} is missing: install libibverbs-dev, or set "
            "ABI_REFERENCE_INCLUDE to where its headers are"
        )
    if os.path.exists(os.path.join(path, "infiniband", "share.h")):
        raise Failed(
            f"{path}/infiniband has share.h: these are this tree's headers, "
            "not Debian's; set ABI_REFERENCE_INCLUDE to where Debian's are"
        )
    return path


def include_flags(path):
    return [] if path == "/usr/include" else ["-I", path]


def run(cmd, **kw):
    """Run a command; its output, or Failed with what it said."""
    done = subprocess.run(
        cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kw
    )
    if done.returncode:
        raise Failed(
            f"{' '.join(cmd)}: status {done.returncode}\n"
            f"{done.stdout}{done.stderr}"
        )
    return done.stdout


def compile_from(include, source, args, workdir):
    """
    Compile source against the verbs headers of one include directory, and
    prove that they came from there and from nowhere else.
    """
    cxx = source.endswith(".cc")
    deps = os.path.join(workdir, os.path.basename(source) + ".d")
    run(
        [CXX if cxx else CC]
        + include_flags(include)
        + ["-MD", "-MF", deps, source]
        + args
    )
    with open(deps, encoding="utf-8") as f:
        used = re.findall(r"\S*/infiniband/(?:\S+)", f.read())
    ours = {os.path.join(include, "infiniband", h) for h in HEADERS}
    ours.add(os.path.join(include, "infiniband", "share.h"))
    used = {os.path.normpath(p) for p in used}
    strays = used - {os.path.normpath(p) for p in ours}
    if strays:
        raise Failed(f"{source}: included {sorted(strays)}, not of {include}")
    if os.path.normpath(f"{include}/infiniband/verbs.h") not in used:
        raise Failed(f"{source}: verbs.h of {include} was not included")


def difference(name_a, lines_a, name_b, lines_b):
    """Lines that only one of the two has, for a message; empty if none."""
    only_a = [line for line in lines_a if line not in set(lines_b)]
    only_b = [line for line in lines_b if line not in set(lines_a)]
    text = [f"  {name_a}: {line}" for line in only_a[:20]]
    text += [f"  {name_b}: {line}" for line in only_b[:20]]
    if len(only_a) > 20 or len(only_b) > 20:
        text.append(f"  ... {len(only_a)} and {len(only_b)} lines in all")
    if not text and lines_a != lines_b:
        text.append(f"  {name_a} and {name_b} differ in order or repetition")
    return "\n".join(text)


def main(test):
    """Run a test in a directory of its own; silent unless it fails."""
    try:
        with tempfile.TemporaryDirectory() as workdir:
            test(workdir)
    except Failed as e:
        print(f"FAIL: {e}")
        sys.exit(1)
