#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
import_forms.py LIBRARY: ibv_import_pd() and ibv_import_mr() with two and with
three arguments, in C and C++: which function does each use call?
"""

import os
import re
import shutil
import sys

import abi

PD3, PD2 = "ibv_import_pd", "ibv_import_pd_by_handle"
MR3, MR2 = "ibv_import_mr", "ibv_import_mr_by_handle"

PROLOGUE = """\
#include <infiniband/verbs.h>
struct two { uint32_t a, b; };
struct ibv_context *context(int a, int b);
uint32_t number(int a, int b);
extern struct ibv_context *ctx;
extern struct ibv_pd *pd;
extern uint32_t fd, handle;
#define FD_AND_HANDLE fd, handle
"""

# (what, statements, functions that must be called)
BOTH = [
    ("pd, two", "ibv_import_pd(ctx, handle);", {PD2}),
    ("pd, three", "ibv_import_pd(ctx, fd, handle);", {PD3}),
    ("mr, two", "ibv_import_mr(pd, handle);", {MR2}),
    ("mr, three", "ibv_import_mr(ctx, fd, handle);", {MR3}),
    (
        "over lines, with a comment",
        "ibv_import_pd(ctx, /* a, b, c */\n  handle\n);",
        {PD2},
    ),
    (
        "commas in parentheses, two",
        "ibv_import_pd(context(1, 2), number(3, 4));",
        {PD2},
    ),
    (
        "commas in parentheses, three",
        "ibv_import_mr(context(1, 2), number(3, 4), number(5, 6));",
        {MR3},
    ),
    (
        "one within the other, two",
        "ibv_import_mr(ibv_import_pd(ctx, handle), handle);",
        {PD2, MR2},
    ),
    (
        "one within the other, three",
        "ibv_import_mr(ibv_import_pd(ctx, fd, handle)->context, fd, handle);",
        {PD3, MR3},
    ),
    (
        "one within itself",
        "ibv_import_pd(ibv_import_pd(ctx, handle)->context, fd, handle);",
        {PD2, PD3},
    ),
    ("a macro that is two", "ibv_import_pd(ctx, FD_AND_HANDLE);", {PD3}),
    (
        "name alone",
        "struct ibv_pd *(*f)(struct ibv_context *, uint32_t, uint32_t) = "
        "ibv_import_pd; f(ctx, fd, handle);",
        {PD3},
    ),
    ("name in parentheses", "(ibv_import_mr)(ctx, fd, handle);", {MR3}),
    (
        "pointer member, three",
        "struct { struct ibv_pd *(*ibv_import_pd)(struct ibv_context *, "
        "uint32_t, uint32_t); } ops = { 0 };"
        "ops.ibv_import_pd(ctx, fd, handle);",
        set(),
    ),
    (
        "pointer member, two",
        "struct { struct ibv_pd *(*ibv_import_pd)(struct ibv_context *, "
        "uint32_t); } ops = { 0 };"
        "(ops.ibv_import_pd)(ctx, handle);",
        set(),
    ),
]

C_ONLY = [
    (
        "compound literal in parentheses, two",
        "ibv_import_pd(ctx, ((struct two){ 1, 2 }.b));",
        {PD2},
    ),
    (
        "compound literal in braces only, three",
        "ibv_import_pd(ctx, fd, (struct two){ 1, 2 }.b);",
        {PD3},
    ),
]

CXX_ONLY = [
    ("global scope, two", "::ibv_import_pd(ctx, handle);", {PD2}),
    ("global scope, three", "::ibv_import_mr(ctx, fd, handle);", {MR3}),
    ("braces, two", "ibv_import_pd(ctx, (two{ 1, 2 }.b));", {PD2}),
    ("braces, three", "ibv_import_pd(ctx, fd, two{ 1, 2 }.b);", {PD3}),
    (
        "type of the name",
        "auto f = &ibv_import_pd; static_assert(std::is_same<decltype(f), "
        "ibv_pd *(*)(ibv_context *, uint32_t, uint32_t)>::value, \"\");"
        "f(ctx, fd, handle);",
        {PD3},
    ),
    (
        "methods",
        "struct fake {"
        "  ibv_pd *ibv_import_pd(ibv_context *, uint32_t) { return pd; }"
        "  ibv_pd *ibv_import_pd(ibv_context *, uint32_t, uint32_t)"
        "  { return pd; }"
        "} fake; fake.ibv_import_pd(ctx, handle);"
        "(&fake)->ibv_import_pd(ctx, fd, handle);",
        set(),
    ),
]

# Last, since it undefines the macro
LAST = [
    (
        "after undef",
        "\n#undef ibv_import_pd\n"
        "struct { struct ibv_pd *(*ibv_import_pd)(struct ibv_context *, "
        "uint32_t); } ops = { 0 };"
        "ops.ibv_import_pd(ctx, handle);"
        "ibv_import_pd(ctx, fd, handle);",
        {PD3},
    ),
]

# These must not compile: (what, C statement)
WRONG = [
    ("no argument", "ibv_import_pd();"),
    ("one argument", "ibv_import_pd(ctx);"),
    ("four arguments", "ibv_import_pd(ctx, fd, handle, handle);"),
    ("nine arguments", "ibv_import_pd(ctx, 2, 3, 4, 5, 6, 7, 8, 9);"),
    ("context for a PD", "ibv_import_mr(ctx, handle);"),
    ("PD for a context", "ibv_import_mr(pd, fd, handle);"),
]


def languages():
    for compiler in dict.fromkeys([abi.CC, "clang"]):
        if shutil.which(compiler):
            for std in ("c11", "gnu11"):
                yield compiler, "c", std
    for compiler in dict.fromkeys([abi.CXX, "clang++"]):
        if shutil.which(compiler):
            for std in ("c++17", "gnu++20"):
                yield compiler, "cc", std


def compile_uses(workdir, compiler, suffix, std, uses):
    """The object file of a program with one function, use_N, for each use"""
    text = "#include <type_traits>\n" if suffix == "cc" else ""
    text += PROLOGUE + ('extern "C" {\n' if suffix == "cc" else "")
    for number, statements in enumerate(uses):
        text += f"void use_{number}(void);\n"
        text += f"void use_{number}(void)\n{{\n{statements}\n}}\n"
    text += "}\n" if suffix == "cc" else ""
    source = os.path.join(workdir, "use." + suffix)
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    obj = os.path.join(workdir, "use.o")
    abi.run(
        [compiler, "-I", abi.OURS, f"-std={std}", "-pedantic", "-c"]
        + ["-ffunction-sections", "-o", obj, source]
        + abi.WARN
        + ["-Wno-unused-value"]
    )
    return obj


def calls_of(obj):
    """{function: names of imports that it refers to}, by relocations"""
    calls = {}
    function = None
    for line in abi.run(["readelf", "--relocs", "--wide", obj]).splitlines():
        section = re.match(r"Relocation section '\.rela?\.text\.(\w+)'", line)
        if line.startswith("Relocation section"):
            function = section.group(1) if section else None
        symbol = re.search(r"\b(ibv_import_(?:pd|mr)\w*)", line)
        if function and symbol:
            calls.setdefault(function, set()).add(symbol.group(1))
    return calls


def check_uses(workdir):
    for compiler, suffix, std in languages():
        cases = BOTH + (C_ONLY if suffix == "c" else CXX_ONLY) + LAST
        uses = [statements for _, statements, _ in cases]
        calls = calls_of(compile_uses(workdir, compiler, suffix, std, uses))
        for number, (what, _, want) in enumerate(cases):
            have = calls.get(f"use_{number}", set())
            if have != want:
                raise abi.Failed(
                    f"{compiler} -std={std}, {what}: calls {sorted(have)}, "
                    f"not {sorted(want)}"
                )


def check_wrong(workdir):
    for compiler, suffix, std in languages():
        if std.startswith("gnu"):
            continue
        for what, statements in WRONG:
            try:
                compile_uses(workdir, compiler, suffix, std, [statements])
            except abi.Failed:
                continue
            raise abi.Failed(f"{compiler} -std={std}: {what} compiles")


def check_link(workdir, library):
    """A program that uses all four asks the library for these versions."""
    want = {f"{name}@IBVERBS_SHARE_1.0" for name in (PD3, PD2, MR3, MR2)}
    text = """\
#include <infiniband/verbs.h>
int main(int argc, char **argv)
{
	struct ibv_context *ctx = (struct ibv_context *)argv;

	if (argc != 17)
		return 0;
	return ibv_import_pd(ctx, 1) == ibv_import_pd(ctx, 1, 2) ||
	       ibv_import_mr((struct ibv_pd *)argv, 1) ==
		       ibv_import_mr(ctx, 1, 2);
}
"""
    for compiler, suffix in ((abi.CC, "c"), (abi.CXX, "cc")):
        source = os.path.join(workdir, "link." + suffix)
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        binary = os.path.join(workdir, "link")
        directory = os.path.dirname(os.path.abspath(library))
        abi.run(
            [compiler, "-I", abi.OURS]
            + abi.WARN
            + ["-o", binary, source, library, f"-Wl,-rpath,{directory}"]
            + ["-Wl,-z,now"]
        )
        have = set(
            re.findall(
                r"ibv_\S+",
                abi.run(["nm", "-D", "--with-symbol-versions", binary]),
            )
        )
        if have != want:
            raise abi.Failed(
                f"{compiler}: binds {sorted(have)}, not {sorted(want)}"
            )
        abi.run([binary])


def test(workdir):
    check_uses(workdir)
    check_wrong(workdir)
    check_link(workdir, sys.argv[1])


abi.main(test)
