#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
binaries.py LIBRARY: what was linked against Debian's library finds every
symbol in this one: a program that needs every public function, and Debian's
own programs, libraries and plug-ins that are installed.
"""

import glob
import os
import re
import subprocess
import sys

import abi

DEBIAN_LIBRARY = "/usr/lib/*-linux-gnu/libibverbs.so"
# The plug-ins of ibverbs-providers are there in any case; the others if they
# are installed.
PLUGINS = "/usr/lib/*-linux-gnu/libibverbs/lib*-rdmav34.so"
USERS = [
    "/usr/lib/*-linux-gnu/librdmacm.so.1",
    "/usr/lib/*-linux-gnu/libmlx5.so.1",
    "/usr/lib/*-linux-gnu/libmlx4.so.1",
    "/usr/lib/*-linux-gnu/libefa.so.1",
    "/usr/lib/*-linux-gnu/libmana.so.1",
    "/usr/lib/*-linux-gnu/rsocket/librspreload.so",
    "/usr/bin/ibv_*",
    "/usr/bin/ib_*",
    "/usr/bin/raw_ethernet_*",
    "/usr/bin/rping",
    "/usr/bin/ucmatose",
    "/usr/bin/udaddy",
    "/usr/bin/mckey",
]


def with_library(library):
    """An environment in which libibverbs.so.1 is this library"""
    env = dict(os.environ, LD_BIND_NOW="1")
    env["LD_LIBRARY_PATH"] = os.path.dirname(os.path.abspath(library))
    return env


def check_program(workdir, library):
    """Link against Debian's headers and library, run with this one."""
    include = abi.debian_include()
    debian = glob.glob(DEBIAN_LIBRARY)
    if not debian:
        raise abi.Failed(
            f"{DEBIAN_LIBRARY} is missing: install libibverbs-dev"
        )
    names = [
        row["name"]
        for row in abi.table("public-api.tsv")
        if row["kind"] == "extern"
    ]
    source = os.path.join(workdir, "program.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write("#include <stdio.h>\n#include <infiniband/verbs.h>\n")
        f.write("#define ADDRESS(f) { #f, (void (*)(void))f }\n")
        f.write("static struct { const char *name; void (*f)(void); }")
        f.write(" const all[] = {\n")
        f.writelines(f"\tADDRESS({name}),\n" for name in names)
        f.write("};\nint main(void)\n{\n")
        f.write("\tfor (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)\n")
        f.write("\t\tif (!all[i].f)\n\t\t\treturn puts(all[i].name);\n")
        f.write("\treturn 0;\n}\n")
    program = os.path.join(workdir, "program")
    abi.compile_from(
        include,
        source,
        ["-std=gnu11", "-Wno-cast-function-type", "-o", program, debian[0]],
        workdir,
    )
    versions = abi.run(["nm", "-D", "--with-symbol-versions", program])
    if "ibv_import_pd@IBVERBS_1.10" not in versions:
        raise abi.Failed("the program was not linked against Debian's library")
    abi.run([program], env=with_library(library))


def unresolved(path, library):
    """What ldd -r finds missing in a binary that uses this library"""
    done = subprocess.run(
        ["ldd", "-r", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=with_library(library),
        check=False,
    )
    ours = os.path.dirname(os.path.abspath(library))
    used = re.findall(r"libibverbs\.so\.1 => (\S+)", done.stdout)
    if used and os.path.dirname(os.path.abspath(used[0])) != ours:
        return [f"uses {used[0]}"]
    problems = re.findall(
        r".*(?:undefined symbol|not found|version .* not defined).*",
        done.stdout,
    )
    return problems if used else None


def check_installed(library):
    plugins = sorted(glob.glob(PLUGINS))
    if len(plugins) < 10:
        raise abi.Failed(
            f"{len(plugins)} plug-ins as {PLUGINS}: install ibverbs-providers"
        )
    problems = []
    checked = 0
    for pattern in [PLUGINS] + USERS:
        for path in sorted(glob.glob(pattern)):
            found = unresolved(path, library)
            if found is None:
                continue  # does not use libibverbs, or is a script
            checked += 1
            problems += [f"{path}: {text.strip()}" for text in found]
    if problems:
        raise abi.Failed("\n  ".join(["with " + library] + problems))
    if checked < 12:
        raise abi.Failed(f"only {checked} binaries use libibverbs")


def test(workdir):
    library = sys.argv[1]
    soname = os.path.join(os.path.dirname(library), "libibverbs.so.1")
    if not os.path.exists(soname):
        raise abi.Failed(f"{soname} is missing: build the library first")
    check_program(workdir, library)
    check_installed(library)


abi.main(test)
