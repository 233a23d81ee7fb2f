# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""What test scripts in a guest share: checks, a server's start, and main()."""

import pathlib
import re
import sys
import time

# Of the ping-pongs
PORT = 18515

failures = []


def check(what, good):
    """Go on after what is wrong: one run tells of all."""
    if not good:
        failures.append(what)


def listening():
    pattern = re.compile(rf":{PORT:04X} \S+ 0A ")
    return any(pattern.search(pathlib.Path(path).read_text("ascii"))
               for path in ("/proc/net/tcp", "/proc/net/tcp6"))


def wait_for_server(process):
    """Until it listens, or has ended"""
    while process.poll() is None and not listening():
        time.sleep(0.02)


def run_part(script, words=1):
    """main() of a script that has a function part_NAME for each NAME

    The NAME is the last of so many words on the command line. Returns the exit
    status.
    """
    parts = {name.removeprefix("part_"): function
             for name, function in script.items() if name.startswith("part_")}
    if len(sys.argv) != 1 + words or sys.argv[-1] not in parts:
        print(script["__doc__"], file=sys.stderr)
        return 2
    parts[sys.argv[-1]]()
    if failures:
        print("\n".join(failures), file=sys.stderr)
        return 1
    return 0
