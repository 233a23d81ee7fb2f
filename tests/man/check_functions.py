#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Checks of the pages about functions: check_functions.py CHECK PAGES SOURCE
[CC CXX]

PAGES is the folder with man1, man3 and so on; SOURCE is the top of this tree.

names     every function of the headers has a page, and no page is of none
sections  every page has its sections, parameters, errnos and versions
links     pages refer to pages that exist, and none is referred to by no other
code      prototypes, structs, constants and examples are right, in C and C++

functions.tsv has what programs for Debian 12 call and what we have added.
"""

import errno
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import page_checks
from page_checks import code_in, fail, run_check, section_in

HERE = pathlib.Path(__file__).resolve().parent

REQUIRED = ["NAME", "SYNOPSIS", "DESCRIPTION", "ARGUMENTS", "RETURN VALUE",
            "ERRORS", "THREAD SAFETY", "VERSIONS", "SEE ALSO"]
# In headers, but for verbs.h's own use or for programs of other pages
NOT_FOR_PROGRAMS = {
    # parts of macros that have pages, or of verbs_get_ctx_op()
    "___ibv_query_port", "__ibv_reg_mr", "__ibv_reg_mr_iova",
    "_ibv_query_gid_ex", "_ibv_query_gid_table", "verbs_get_ctx",
    # static linking only, beneath macros
    "ibv_static_providers", "__ibv_register_providers",
    "__ibv_get_device_list", "__ibv_import_device",
}
# Pages of other packages: system calls, administration, librdmacm, mlx5's own
# library, and some
ELSEWHERE = re.compile(r"[a-z]\w*\(2\)|[a-z][\w-]*\(8\)|(rdma|mlx5dv)_\w+\(3\)"
                       r"|(dlopen|dlsym|secure_getenv)\(3\)|unix\(7\)")
# Words that look like constants of verbs.h
VARIABLES = {"IBV_FORK_SAFE", "IBV_DRIVERS", "IBV_SHOW_WARNINGS",
             "IBV_SHARE_NO_DEVX"}


def read_functions():
    rows = (HERE / "functions.tsv").read_text().splitlines()[1:]
    functions = dict(row.split("\t") for row in rows)
    if len(functions) < 160:
        fail("functions.tsv is cut short")
    return functions


class Page:
    """A page as it was written"""

    def __init__(self, path):
        self.name = path.name.removesuffix(".md")
        self.text = path.read_text()
        found = re.search(r"^# NAME\n\n(.*?) - (.*)\n\n", self.text, re.M)
        if not found:
            fail(f"{self.name}: no names")
        self.functions = found.group(1).split(", ") if found else []

    def section(self, title):
        return section_in(self.text, title) or ""

    def prototypes(self):
        """The code of the synopsis, less the include"""
        code = code_in(self.section("SYNOPSIS"))
        if len(code) != 1:
            fail(f"{self.name}: not one piece of code in SYNOPSIS")
            return ""
        include, _, rest = code[0].partition("\n")
        if include != "#include <infiniband/verbs.h>":
            fail(f"{self.name}: SYNOPSIS does not begin with the include")
        return rest

    def line_of(self, text):
        return self.text[:self.text.index(text)].count("\n") + 1


def read_pages(source, section):
    pages = [Page(path) for path in
             sorted((source / "libibverbs/man").glob(f"*.{section}.md"))]
    if not pages:
        fail(f"no pages in section {section}")
    return pages


def functions_in_headers(source):
    """Names that are followed by parameters at the outermost level"""
    names = set()
    for header in ("verbs.h", "share.h"):
        text = (source / "libibverbs/include/infiniband" / header).read_text()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"^#.*(\\\n.*)*", "", text, flags=re.M)
        text = text.replace('extern "C" {', "")
        while "{" in text:
            # Innermost first, so that only declarations are left.
            text, count = re.subn(r"\{[^{}]*\}", ";", text)
            if not count:
                break
        names |= set(re.findall(r"\b(\w+)\([^()]*\)\s*(?:__attribute\w*\s*)?;",
                                text))
    return names


def check_names(pages_dir, source):
    functions = read_functions()
    declared = functions_in_headers(source) - NOT_FOR_PROGRAMS
    if len(declared) < 160:
        fail("functions are not found in the headers")
    for name in sorted(declared ^ set(functions)):
        fail(f"{name} is either not in a header or not in functions.tsv")

    described = {}
    for page in read_pages(source, 3):
        if page.functions[0] + ".3" != page.name:
            fail(f"{page.name} is named after {page.functions[0]}")
        for name in page.functions:
            if name in described:
                fail(f"{name} is in {described[name]} and {page.name}")
            described[name] = page.name
    for name in sorted(set(functions) - set(described)):
        fail(f"{name} has no page")
    for name in sorted(set(described) - set(functions)):
        fail(f"{described[name]} is about {name}, which is in no header")

    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
           "HOME": "/nonexistent"}
    for name, page in sorted(described.items()):
        file = pages_dir / "man3" / f"{name}.3"
        if not file.is_file():
            fail(f"there is no {file.name}")
        elif f"{name}.3" != page and \
                file.read_text() != f".so man3/{page}\n":
            fail(f"{file.name} does not lead to {page}")
    # man(1) finds them all: it prints one path each.
    done = subprocess.run(
        ["man", "-M", str(pages_dir), "-w", "3", *sorted(functions)], env=env,
        text=True, capture_output=True, check=False)
    if done.returncode or \
            len(done.stdout.splitlines()) != len(functions):
        fail(f"man -w: {done.returncode} {done.stderr.strip()}")


def parameters_of(prototypes):
    names = set()
    for args in re.findall(r"\(([^()]*)\);", prototypes):
        for arg in args.split(","):
            found = re.search(r"(\w+)(\[[^]]*\])?\s*$", arg)
            if found and found.group(1) != "void":
                names.add(found.group(1))
    return names


def check_arguments(page):
    section = page.section("ARGUMENTS")
    terms = " ".join(re.findall(r"^(\*.*)\n:   ", section, re.M))
    explained = set(re.findall(r"\*(\w+)\*", terms))
    wanted = parameters_of(page.prototypes())
    if not wanted and section.strip() != "None.":
        fail(f"{page.name}: there are no arguments to be explained")
    for name in sorted(wanted - explained):
        fail(f"{page.name}: {name} is not in ARGUMENTS")
    for name in sorted(explained - wanted):
        fail(f"{page.name}: {name} is no parameter")


def check_errors(page):
    section = page.section("ERRORS")
    if not section.strip():
        fail(f"{page.name}: nothing in ERRORS")
    for name in set(re.findall(r"\bE[A-Z][A-Z0-9]{2,}\b", page.text)):
        if not hasattr(errno, name) and name not in ("ERRORS", "EXAMPLE",
                                                     "EXIT"):
            # Words in capitals that are no errnos: part of a constant's name
            if re.search(rf"(?<![A-Z_0-9]){name}(?![A-Z_0-9])", section):
                fail(f"{page.name}: {name} is no errno")


def check_versions(page, functions):
    listed = {}
    for version, names in re.findall(r"^(\S+)\n:   (.*)$",
                                     page.section("VERSIONS"), re.M):
        found = re.findall(r"\*\*(\w+)\*\*\(\)", names)
        if names == "All":
            found = page.functions
        for name in found:
            listed[name] = version
    for name in page.functions:
        if listed.get(name) != functions.get(name):
            fail(f"{page.name}: {name} is of {functions.get(name)}, "
                 f"not of {listed.get(name)}")
    for name in sorted(set(listed) - set(page.functions)):
        fail(f"{page.name}: VERSIONS has {name}")


def versions_in_map(source):
    versions = {}
    version = ""
    for line in (source / "libibverbs/libibverbs.map").read_text().splitlines():
        head = re.fullmatch(r"(IBVERBS_\S+) \{", line)
        name = re.fullmatch(r"\t(\w+);", line)
        if head:
            version = head.group(1)
        elif name:
            versions[name.group(1)] = version
    return versions


def check_sections(pages_dir, source):
    del pages_dir
    functions = read_functions()
    versions = versions_in_map(source)
    for name, version in functions.items():
        if version != versions.get(name, "inline"):
            fail(f"functions.tsv: {name} is of {versions.get(name)}")
    for page in read_pages(source, 3):
        titles = re.findall(r"^# (.*)", page.text, re.M)
        if [t for t in titles if t in REQUIRED] != REQUIRED:
            fail(f"{page.name} has the sections {', '.join(titles)}")
        if len(titles) != len(set(titles)):
            fail(f"{page.name} has a section twice")
        check_arguments(page)
        check_errors(page)
        check_versions(page, functions)


def references_in(text):
    return {f"{name}({section})" for name, section in
            re.findall(r"\*\*([\w.-]+)\*\*\((\d)\)", text)}


def check_links(pages_dir, source):
    referred = {}
    functions = read_functions()
    for section in (1, 3, 7):
        for page in read_pages(source, section):
            own = {f"{name}({section})" for name in page.functions}
            also = page.section("SEE ALSO").strip()
            if not re.fullmatch(r"\*\*[\w.-]+\*\*\(\d\)"
                                r"(, \*\*[\w.-]+\*\*\(\d\))*", also):
                fail(f"{page.name}: SEE ALSO is no list of pages")
            for name in re.findall(r"\*\*((?:ibv|mult|mbps)_\w+)"
                                   r"(?:\(\)\*\*|\*\*\(\))", page.text):
                if name not in functions:
                    fail(f"{page.name}: there is no {name}()")
            for name in references_in(page.text):
                if not ELSEWHERE.fullmatch(name):
                    referred.setdefault(name, set()).add(page.name)
                if name in own and name in references_in(also):
                    fail(f"{page.name}: SEE ALSO has {name} itself")
    there = set()
    for path in pages_dir.glob("man*/*"):
        name, _, section = path.name.rpartition(".")
        there.add(f"{name}({section})")
    for name in sorted(set(referred) - there):
        fail(f"{', '.join(sorted(referred[name]))}: there is no {name}")
    for section in (1, 3, 7):
        for page in read_pages(source, section):
            by = set()
            for name in page.functions:
                by |= referred.get(f"{name}({section})", set())
            if not by - {page.name}:
                fail(f"no page refers to {page.name}")


def compile_code(compiler, language, source, code, what):
    # The examples leave out members, which are 0 then.
    page_checks.compile_code(compiler, language, source, code, what,
                             "-Wno-missing-field-initializers")


def check_prototypes(pages, source, cc, cxx):
    """Redeclare every function: what differs is a conflict."""
    names = [name for page in pages for name in page.functions]
    head = "#include <infiniband/verbs.h>\n"
    # Functions, not macros; the macro of this one is for a longer struct.
    head += "".join(f"#undef {name}\n" for name in names)
    head += "#define ibv_query_port ___ibv_query_port\n"
    # What is not in the header cannot be redeclared.
    body = "".join(f"using_it({name})\n" for name in names)
    for page in pages:
        code = page.prototypes()
        for name in page.functions:
            if not re.search(rf"\b{name}\(", code):
                fail(f"{page.name}: no {name} in SYNOPSIS")
        body += f'#line {page.line_of(code)} "{page.name}.md"\n{code}'
    using = "#define using_it(f) extern __typeof__(&f) p_##f;\n"
    compile_code(cc, "c", source, head + using + body, "SYNOPSIS")
    compile_code(cxx, "c++", source,
                 f'{head}{using}extern "C" {{\n{body}}}\n', "SYNOPSIS")


STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};$", re.M | re.S)


def members_of(body):
    """Names at the outermost level, those of unnamed unions included"""
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    names = []
    for line in map(str.rstrip, body.splitlines()):
        depth = len(line) - len(line.lstrip("\t"))
        found = re.search(r"(\w+)(\[\w+\])?;$", line)
        pointer = re.search(r"\(\*(\w+)\)\(", line)
        if pointer and depth == 1:
            names.append(pointer.group(1))
        elif found and depth == 1:
            names.append(found.group(1))
    return names


def check_structs(pages, source, cc):
    """The structs that are shown are those of the header."""
    code = "#include <infiniband/verbs.h>\n#include <stddef.h>\n"
    count = 0
    for page in pages:
        for shown in code_in(page.section("DESCRIPTION")):
            for found in STRUCT.finditer(shown):
                name, body = found.groups()
                line = page.line_of(found.group(0))
                copy = f"shown_{count}_{name}"
                count += 1
                code += f'#line {line} "{page.name}.md"\n' \
                        f"struct {copy} {{\n{body}}};\n" \
                        f"_Static_assert(sizeof(struct {copy}) == " \
                        f"sizeof(struct {name}), \"size of {name}\");\n"
                for member in members_of(body):
                    code += "_Static_assert(" \
                            f"offsetof(struct {copy}, {member}) == " \
                            f"offsetof(struct {name}, {member}) && " \
                            f"sizeof(((struct {copy} *)0)->{member}) == " \
                            f"sizeof(((struct {name} *)0)->{member}), " \
                            f'"{name}.{member}");\n'
    if count < 30:
        fail("structs are not found in the pages")
    compile_code(cc, "c", source, code, "structs")


def check_constants(pages, source, cc):
    code = "#include <infiniband/verbs.h>\n"
    count = 0
    for page in pages:
        # Titles are in capitals too.
        text = re.sub(r"^(title:|#) .*", "", page.text, flags=re.M)
        # IBV_SOMETHING_... stands for many.
        words = set(re.findall(r"\bIBV_\w*[A-Z0-9]\b(?!_)", text))
        for word in sorted(words - VARIABLES):
            code += f'#line {page.line_of(word)} "{page.name}.md"\n' \
                    f"_Static_assert({word} || 1, \"\");\n"
        count += len(words)
    if count < 300:
        fail("constants are not found in the pages")
    compile_code(cc, "c", source, code, "constants")


def check_code(pages_dir, source, cc, cxx):
    del pages_dir
    pages = read_pages(source, 3)
    check_prototypes(pages, source, cc, cxx)
    check_structs(pages, source, cc)
    check_constants(pages + read_pages(source, 7), source, cc)
    count = 0
    for page in pages:
        for code in code_in(page.section("EXAMPLE")):
            count += 1
            line = f'#line {page.line_of(code)} "{page.name}.md"\n'
            compile_code(cc, "c", source, line + code, "EXAMPLE")
            compile_code(cxx, "c++", source, line + code, "EXAMPLE")
    if count < 20:
        fail("examples are not found in the pages")


if __name__ == "__main__":
    sys.exit(run_check({
        "names": check_names, "sections": check_sections,
        "links": check_links, "code": check_code}, folders=2))
