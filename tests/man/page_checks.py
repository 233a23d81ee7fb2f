# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""What the checks of pages share: their sections, their code, and main()."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

failures = []


def fail(text):
    failures.append(text)


def section_in(text, title):
    """The text beneath a heading, up to the next one of the same rank; or None"""
    found = re.search(rf"^# {title}\n(.*?)(?=^# |\Z)", text, re.M | re.S)
    return found and found.group(1)


def code_in(text):
    return re.findall(r"^```c\n(.*?)^```$", text, re.M | re.S)


def compile_code(compiler, language, source, code, what, *options):
    with tempfile.TemporaryDirectory() as folder:
        suffix, std = {"c": ("c", "gnu11"), "c++": ("cpp", "c++17")}[language]
        path = pathlib.Path(folder) / f"page.{suffix}"
        path.write_text(code)
        done = subprocess.run(
            [compiler, f"-std={std}", "-Wall", "-Wextra", "-Werror", "-O2", *options,
             f"-I{source}/libibverbs/include", "-c", "-o", os.devnull,
             str(path)],
            text=True, capture_output=True, check=False)
    if done.returncode:
        fail(f"{what}, {language}: {done.stderr.strip()}")


def run_check(checks, folders):
    """main() of a script with checks = {name: function}

    On the command line are the name, so many folders, and further words for the
    function. Returns the exit status.
    """
    name, *words = sys.argv[1:]
    paths = [pathlib.Path(word).resolve() for word in words[:folders]]
    checks[name](*paths, *words[folders:])
    for text in failures:
        print(f"{name}: {text}")
    return 1 if failures else 0
