#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""The inline functions of verbs.h do what Debian's do: see inlines.c."""

import os

import abi


def test(workdir):
    source = os.path.join(abi.HERE, "inlines.c")
    for level in ("-O0", "-O2"):
        said = {}
        for name, include in (
            ("this tree", abi.OURS),
            ("Debian", abi.debian_include()),
        ):
            program = os.path.join(workdir, "inlines")
            abi.compile_from(
                include,
                source,
                ["-std=gnu11", level] + abi.WARN + ["-o", program, "-pthread"],
                workdir,
            )
            said[name] = abi.run([program]).splitlines()
        problem = abi.difference(
            "this tree", said["this tree"], "Debian", said["Debian"]
        )
        if problem:
            raise abi.Failed(f"with {level}:\n{problem}")
        if len(said["this tree"]) < 3000:
            raise abi.Failed("the program said too little")


abi.main(test)
