# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Verb by verb, one library against the other: time, system calls,
instructions, memory."""

import re

from measure.row import Row
from measure.sides import BenchError, Worker

DATA = ["post_send", "post_list", "post_recv", "poll_cq", "poll_empty",
        "write_poll"]
# What one batch shall take at least, in nanoseconds
BATCH = 20e6


def goal_of(name):
    """What our cost may be of Debian's"""
    return 0.7 if name == "list_open" else 1.0


def part_of(name):
    """The part of the table that has it"""
    return "data path" if name in DATA else "control path"


def names(side, program):
    """{operation: whether it can be counted}, in the order of counting"""
    lines = side.output(program, "names").split("\n")
    return {word[0]: word[1] == "counted"
            for word in map(str.split, filter(None, lines))}


def time_rows(sides, program, size, rounds):
    """Two processes, asked in turn."""
    debian, ours = sides["debian"], sides["ours"]
    workers = {}
    for side in (debian, ours):
        workers[side] = Worker(side, program, "serve")
        side.check(workers[side].line().split())
    rows = []
    for name in names(ours, program):
        count = size.calls
        if not count:
            probe = max(workers[side].ask(name, 8) for side in workers)
            count = max(8, min(2000, int(8 * BATCH / probe)))
        pairs = []
        for number in range(rounds):
            order = [debian, ours] if number % 2 else [ours, debian]
            took = {side: workers[side].ask(name, count) / count
                    for side in order}
            pairs.append((took[ours], took[debian]))
        rows.append(Row(part_of(name), name, "ns", "ours", "Debian's", pairs,
                        goal_of(name)))
    for worker in workers.values():
        worker.end()
    return rows


def _system_calls(side, program, counted, count, work):
    """{operation: system calls}: what stands between two calls of getppid"""
    log = work / "strace"
    side.output("strace", "-qq", "-o", log, program, "count", str(count))
    calls = []
    inside = False
    for line in log.read_text(encoding="utf-8", errors="replace").split("\n"):
        if line.startswith("getppid("):
            inside = not inside
            if inside:
                calls.append(0)
        elif inside and re.match(r"\w+\(", line):
            calls[-1] += 1
    if len(calls) != len(counted) or inside:
        raise BenchError(f"{side.name}: {len(calls)} operations in {log}")
    return {name: n / count for name, n in zip(counted, calls)}


def _instructions(side, program, counted, count, work):
    """{operation: instructions in user space}"""
    out = work / f"callgrind.{side.name}"
    side.output("valgrind", "--tool=callgrind", "-q",
                f"--callgrind-out-file={out}", program, "count", str(count))
    found = {}
    for path in work.glob(out.name + ".*"):
        text = path.read_text(encoding="utf-8", errors="replace")
        name = re.search(r"^desc: Trigger: Client Request: (\S+)$", text, re.M)
        total = re.search(r"^(?:summary|totals): (\d+)$", text, re.M)
        if name and total:
            found[name[1]] = int(total[1]) / count
        path.unlink()
    if sorted(found) != sorted(counted):
        raise BenchError(f"{side.name}: {out} has {sorted(found)}")
    return found


def count_rows(sides, program, size, work):
    """These do not vary: one round."""
    counted = [name for name, can in names(sides["ours"], program).items()
               if can]
    rows = []
    for measure, count_them, names_of_sides in (
            ("system calls", _system_calls, ["debian", "ours"]),
            ("instructions", _instructions, ["debian", "mixed", "ours"])):
        if size.one_side:
            ours = count_them(sides["ours"], program, counted, size.counted,
                              work)
            got = {name: ours for name in names_of_sides}
        else:
            got = {name: count_them(sides[name], program, counted,
                                    size.counted, work)
                   for name in names_of_sides}
        for name in counted:
            rows.append(Row(part_of(name), name, measure, "ours", "Debian's",
                            [(got["ours"][name], got["debian"][name])],
                            goal_of(name)))
        if "mixed" in got:
            for name in counted:
                if name in DATA:
                    rows.append(Row(
                        part_of(name), name, measure,
                        "our library, Debian's plug-in", "Debian's",
                        [(got["mixed"][name], got["debian"][name])], 1.0))
    return rows


def memory_rows(sides, program, size):
    """Bytes after opening a device, and per object."""
    got = {}
    for name in ("debian", "ours"):
        lines = sides[name].output(program, "memory", str(size.objects))
        got[name] = {word: float(value) for word, value in
                     map(str.split, filter(None, lines.split("\n")))}
    what = {"resident": "resident, one device open",
            "anonymous": "anonymous, one device open"}
    return [Row("memory", what.get(key, f"allocated per {key}"), "bytes",
                "ours", "Debian's", [(got["ours"][key], got["debian"][key])],
                1.0)
            for key in got["ours"]]
