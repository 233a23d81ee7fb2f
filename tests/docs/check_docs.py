#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Checks of the pages for people: usage: check_docs.py CHECK SOURCE [CC CXX]

SOURCE is the top of this tree.

links     what pages link to, and files that they name, are there
pictures  each is what its text makes, and some page shows it
code      C in README.md and docs/ compiles against our headers, in C and C++
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "man"))
# pylint: disable=wrong-import-position
from page_checks import code_in, compile_code, fail, run_check

# What docs/*.md say that their code takes for granted
HEADERS = ["errno.h", "stdlib.h", "string.h", "sys/socket.h", "unistd.h",
           "infiniband/verbs.h"]
# Made by commands, or somewhere else
NOT_IN_TREE = {"build"}


def pages(source):
    """Every page but those that pandoc makes into manual pages"""
    found = [path for path in sorted(source.rglob("*.md"))
             if not any(part.startswith((".", "build"))
                        for part in path.relative_to(source).parts)
             and not re.search(r"\.\d\.md$", path.name)]
    if len(found) < 8:
        fail("pages are not found")
    return found


def without_code(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.sub(r"^(    |\t).*$", "", text, flags=re.M)


def anchors(path):
    """The headings as browsers know them"""
    titles = re.findall(r"^#+ (.*)$", without_code(path.read_text()), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
            for title in titles}


def check_link(page, target, source):
    if re.match(r"\w+:", target):
        return
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if source not in path.parents or not path.exists():
        fail(f"{page.relative_to(source)}: no {target}")
    elif anchor and anchor not in anchors(path):
        fail(f"{page.relative_to(source)}: no heading for {target}")


def places(page, source):
    """Where a name can be meant to begin"""
    return [page.parent, source, source / "libibverbs"]


def is_there(folder, name):
    return any(True for _ in folder.glob(name.rstrip("/")))


def check_mention(page, word, source):
    """`folder/file`, if there is such a folder"""
    word = word.removeprefix("./")
    first, slash, _ = word.partition("/")
    if not slash or not re.fullmatch(r"[\w.*+/-]+", word) or \
            first in NOT_IN_TREE or word.endswith(".ko"):
        return 0
    starts = [place for place in places(page, source) if first not in ("", "*")
              and first != ".." and (place / first).is_dir()]
    if starts and not any(is_there(place, word) for place in starts):
        fail(f"{page.relative_to(source)}: there is no {word}")
    return bool(starts)


def check_table(page, text, source):
    """In tables of files, the first words: they can be in a folder beneath."""
    count = 0
    for table in re.findall(r"^\| *file *\|.*\n\|[-| ]+\n((?:\|.*\n)+)", text,
                            re.M):
        for row in table.splitlines():
            cell = row.split("|")[1]
            # Plain names, too
            for word in re.findall(r"`([^`]+)`", cell) or cell.split(","):
                name = word.split()[0].rstrip("/")
                count += 1
                if not any(is_there(place, name)
                           for place in places(page, source)) and \
                        not any(page.parent.rglob(name)):
                    fail(f"{page.relative_to(source)}: there is no {name}")
    return count


def check_links(source):
    links = mentions = rows = 0
    for page in pages(source):
        text = without_code(page.read_text())
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            links += 1
            check_link(page, target, source)
        for word in re.findall(r"`([^`\n]+)`", text):
            mentions += check_mention(page, word, source)
        rows += check_table(page, text, source)
    if links < 15 or mentions < 60 or rows < 20:
        fail(f"only {links} links, {mentions} names and {rows} rows are found")


def check_pictures(source):
    folder = source / "docs" / "pictures"
    texts = {path.stem for path in folder.glob("*.dot")}
    made = {path.stem for path in folder.glob("*.svg")}
    for name in sorted(texts ^ made):
        fail(f"{name}: either no text or no picture")
    if not texts:
        fail("pictures are not found")
    shown = "".join(page.read_text() for page in pages(source))
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run([str(folder / "make"), out], text=True,
                              capture_output=True, check=False)
        if done.returncode or done.stderr:
            fail(f"make: {done.returncode}: {done.stderr.strip()}")
        for name in sorted(texts & made):
            if f"pictures/{name}.svg)" not in shown:
                fail(f"{name}: no page shows it")
            path = pathlib.Path(out) / f"{name}.svg"
            if path.exists() and \
                    path.read_text() != (folder / f"{name}.svg").read_text():
                fail(f"{name}: not what its text makes: run {folder}/make")


def check_code(source, cc, cxx):
    docs = sorted((source / "docs").glob("*.md"))
    count = 0
    for page in [source / "README.md", *docs]:
        text = page.read_text()
        head = ""
        if page in docs:
            head = "".join(f"#include <{name}>\n" for name in HEADERS)
            for name in HEADERS:
                if f"`<{name}>`" not in text:
                    fail(f"{page.name} does not say that it needs {name}")
        for code in code_in(text):
            count += 1
            line = text[:text.index(code)].count("\n") + 1
            for compiler, language in ((cc, "c"), (cxx, "c++")):
                compile_code(compiler, language, source,
                             f'{head}#line {line} "{page.name}"\n{code}',
                             page.name)
    if count < 6:
        fail("code is not found in the pages")


if __name__ == "__main__":
    sys.exit(run_check({
        "links": check_links, "pictures": check_pictures,
        "code": check_code}, folders=1))
