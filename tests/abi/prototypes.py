#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
Every function of the public headers, inline or exported, has the prototype of
the table; every macro is a macro.  The program made from the table is compiled
in C and C++, against this tree's headers and against Debian's.
"""

import os
import re

import abi

# The bare name is the new function here, and the older one has another name.
RENAMED = {
    "ibv_import_pd": "ibv_import_pd_by_handle",
    "ibv_import_mr": "ibv_import_mr_by_handle",
}
NEW = [
    "int ibv_export_to_fd(uint32_t fd, uint32_t *new_handle, "
    "struct ibv_context *context, enum uverbs_default_objects type, "
    "uint32_t handle)",
    "int ibv_export_pd(struct ibv_pd *pd, int fd, uint32_t *new_handle)",
    "int ibv_export_mr(struct ibv_mr *mr, int fd, uint32_t *new_handle)",
    "struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t fd, "
    "uint32_t handle)",
    "struct ibv_mr *ibv_import_mr(struct ibv_context *context, uint32_t fd, "
    "uint32_t handle)",
    "uint32_t ibv_context_to_fd(struct ibv_context *context)",
    "uint32_t ibv_pd_to_handle(struct ibv_pd *pd)",
    "uint32_t ibv_mr_to_handle(struct ibv_mr *mr)",
    "int ibv_withdraw(struct ibv_context *context, uint32_t fd, "
    "enum uverbs_default_objects type, uint32_t handle)",
    "int ibv_list_objects(uint32_t fd, enum uverbs_default_objects type, "
    "uint32_t *handles, uint32_t *count)",
    "struct ibv_context *ibv_open_device_shareable(struct ibv_device *device)",
]


def pointer(signature, number):
    """'int f(int a)' as the definition of a pointer that must take f"""
    parts = re.match(r"(.*?)\b(\w+)\((.*)\)$", signature)
    result, name, parameters = parts.groups()
    return f"{result}(*pointer_{number})({parameters}) = {name};\n"


def make_program(ours):
    text = "#include <infiniband/verbs.h>\n#include <infiniband/sa.h>\n"
    # Obsolete, and said so by #warning and by attribute
    text += "#include <infiniband/arch.h>\n#include <infiniband/opcode.h>\n"
    functions = macros = 0
    for row in abi.table("public-api.tsv"):
        if row["kind"] in ("extern", "inline"):
            signature = row["signature"]
            if ours and row["name"] in RENAMED:
                signature = signature.replace(
                    row["name"], RENAMED[row["name"]]
                )
            text += pointer(signature, functions)
            functions += 1
        elif row["kind"] == "macro":
            text += f"#ifndef {row['name']}\n#error no {row['name']}\n#endif\n"
            macros += 1
    if ours:
        for signature in NEW:
            text += pointer(signature, functions)
            functions += 1
    if functions < 164 or macros < 7:
        raise abi.Failed(
            f"only {functions} functions and {macros} macros: "
            "the table is cut short"
        )
    return text


def test(workdir):
    options = ["-Wno-cpp", "-Wno-deprecated-declarations", "-c"]
    for include in (abi.debian_include(), abi.OURS):
        for suffix, std in (("c", "gnu11"), ("cc", "gnu++17")):
            source = os.path.join(workdir, "prototypes." + suffix)
            with open(source, "w", encoding="utf-8") as f:
                f.write(make_program(include == abi.OURS))
            abi.compile_from(
                include,
                source,
                [f"-std={std}"]
                + abi.WARN
                + options
                + ["-o", os.path.join(workdir, "prototypes.o")],
                workdir,
            )


abi.main(test)
