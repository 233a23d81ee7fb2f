#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Checks of the man pages: usage: check_man.py CHECK PAGES SOURCE [CC CXX]

PAGES is the folder with man1, man3; SOURCE is the top of this tree.

format   groff has no warning for any page
aliases  each function that a page is about has a page, and is in the library
code     synopsis and example compile against our headers, in C and in C++
errors   the page has just the errnos that errors.tsv says
"""

import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from page_checks import code_in, compile_code, fail, run_check, section_in

HERE = pathlib.Path(__file__).resolve().parent
SHARE_PAGE = "ibv_export_to_fd.3"
# Pages of one function of IBVERBS_SHARE_1.0
SINGLE_PAGES = ["ibv_list_objects.3", "ibv_open_device_shareable.3"]
# Explained on the page but not in its NAME line
BY_HANDLE = {"ibv_import_pd_by_handle", "ibv_import_mr_by_handle"}


def man(*words, cwd=None):
    """The outcome of man(1), which must not depend on who asks."""
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
           "MANWIDTH": "80", "MANROFFSEQ": "", "HOME": "/nonexistent"}
    return subprocess.run(["man", *words], env=env, cwd=cwd, text=True,
                          capture_output=True, check=False)


def pages_in(folder):
    pages = sorted(folder.glob("man*/*"))
    if not pages:
        fail(f"no pages in {folder}")
    return pages


def source_of(source, page):
    return (source / "libibverbs" / "man" / f"{page}.md").read_text()


def section_of(text, title):
    """A section that must be there"""
    section = section_in(text, title)
    if section is None:
        fail(f"no section {title}")
    return section or ""


def check_format(pages, source):
    del source
    for page in pages_in(pages):
        # They lead to a page that is looked at anyway.
        if page.read_text().startswith(".so "):
            continue
        done = man("--warnings", "--encoding=UTF-8", "--local-file",
                   "--troff-device=utf8", "--ditroff", str(page), cwd=pages)
        if done.returncode or done.stderr or len(done.stdout) < 1000:
            fail(f"{page.name}: man ended with {done.returncode}, "
                 f"{len(done.stdout)} bytes: {done.stderr.strip()}")


def names_of(text):
    """The functions that the NAME section lists."""
    names, dash, what = section_of(text, "NAME").strip().partition(" - ")
    if not dash or not what:
        fail("NAME has no description")
    return {name.strip() for name in names.split(",")}


def symbols_of(source, version):
    text = (source / "libibverbs" / "libibverbs.map").read_text()
    found = re.search(rf"^{re.escape(version)} {{\nglobal:\n(.*?)^}}", text,
                      re.MULTILINE | re.DOTALL)
    if not found:
        fail(f"no {version} in libibverbs.map")
        return set()
    return set(re.findall(r"(\w+);", found.group(1)))


def check_aliases(pages, source):
    text = source_of(source, SHARE_PAGE)
    names = names_of(text)
    singles = set()
    for page in SINGLE_PAGES:
        singles |= names_of(source_of(source, page))
    exported = symbols_of(source, "IBVERBS_SHARE_1.0")
    for name in sorted(exported ^ (names | singles | BY_HANDLE)):
        fail(f"{name} is either not in a page or not in the library")
    for name in sorted(BY_HANDLE):
        if name not in text:
            fail(f"the page does not speak of {name}")
    for name in sorted(names):
        found = man("-M", str(pages), "3", name)
        if found.returncode or "IBV_EXPORT_TO_FD(3)" not in found.stdout:
            fail(f"man 3 {name}: {found.returncode} {found.stderr.strip()}")
    for page in pages_in(pages):
        link = re.fullmatch(r"\.so (\S+)\n", page.read_text())
        if link and not (pages / link.group(1)).is_file():
            fail(f"{page.name}: nothing at {link.group(1)}")


def check_code(pages, source, cc, cxx):
    del pages
    text = source_of(source, SHARE_PAGE)
    synopsis = code_in(section_of(text, "SYNOPSIS"))
    forms = code_in(section_of(
        text, "THE TWO FORMS OF IBV_IMPORT_PD AND IBV_IMPORT_MR"))
    example = code_in(section_of(text, "EXAMPLE"))
    if not len(synopsis) == len(forms) == len(example) == 1:
        fail("synopsis, the older forms and the example must be there once")
        return
    # A prototype that is not the header's is a conflicting declaration; and
    # every function of the page must have one.
    prototypes = synopsis[0] + forms[0]
    for name in sorted(names_of(text)):
        if f"{name}(" not in synopsis[0]:
            fail(f"no {name} in the synopsis")
    for compiler, language in ((cc, "c"), (cxx, "c++")):
        head, tail = ("", "")
        if language == "c++":
            head, tail = ('extern "C" {\n', "}\n")
        include, rest = prototypes.split("\n", 1)
        compile_code(compiler, language, source,
                     f"{include}\n{head}{rest}{tail}", "SYNOPSIS")
        compile_code(compiler, language, source, example[0], "EXAMPLE")


def check_errors(pages, source):
    del pages
    rows = (HERE / "errors.tsv").read_text().splitlines()[1:]
    wanted = set()
    for row in rows:
        wanted |= set(re.findall(r"E[A-Z]+", row.split("\t")[1]))
    errors = section_of(source_of(source, SHARE_PAGE), "ERRORS")
    found = re.findall(r"^(E[A-Z]+)\n:   ", errors, re.MULTILINE)
    if len(found) != len(set(found)):
        fail("an errno is there twice")
    if len(wanted) < 9:
        fail("errors.tsv is cut short")
    for name in sorted(wanted ^ set(found)):
        fail(f"{name} is either not in the page or not in errors.tsv")


if __name__ == "__main__":
    sys.exit(run_check({
        "format": check_format, "aliases": check_aliases,
        "code": check_code, "errors": check_errors}, folders=2))
