# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Debian's perftest on either library."""

import os
import subprocess
import time

from measure.row import Row
from measure.sharing import text
from measure.sides import BenchError

PORT = 18515
LIMIT = 120
# perftest measures the speed of the clock that it uses, and on a busy machine
# it may fail and give infinite results.
TRIES = 5
# Both ends poll, and the network stack's kernel threads want the same two
# processors: they would get them at the next tick of the clock, 4 ms late.
# Programs of the lowest class make way at once.
POLITE = ["chrt", "--idle", "0"]
# Field of the line that begins with the size: the typical latency in µs, or
# the rate in messages per µs
TYPICAL = 4


def _listening():
    wanted = f"00000000:{PORT:04X} "
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(table, encoding="ascii") as file:
            for line in file:
                if wanted[8:] in line and line.split()[3] == "0A":
                    return True
    return False


def _wait_for(server):
    for _ in range(LIMIT * 20):
        if _listening():
            return
        if server.poll() is not None:
            raise BenchError(f"server ended with {server.returncode}: "
                             f"{server.communicate()[0]}")
        time.sleep(0.05)
    raise BenchError("the server does not listen")


def _result(output, size):
    """The fields of the result, or None if perftest could not tell"""
    for line in output.split("\n"):
        words = line.split()
        if len(words) > 4 and words[0] == str(size):
            fields = [float(word) for word in words]
            return fields if 0 < fields[TYPICAL] < float("inf") else None
    raise BenchError(f"no result in\n{output}")


def _run(side, command):
    """The client's output"""
    # pylint: disable=consider-using-with
    command = [*POLITE, *command]
    server = subprocess.Popen(command, env=side.env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    try:
        _wait_for(server)
        output = side.output("timeout", str(LIMIT), *command, "127.0.0.1")
        said, _ = server.communicate(timeout=LIMIT)
        if server.returncode:
            raise BenchError(f"{side.name}: server ended with "
                             f"{server.returncode}\n{said}")
    finally:
        server.kill()
    return output


def cost(side, verb, kind, size, count):
    """Nanoseconds per message: latency, or the inverse of the rate"""
    command = [f"ib_{verb}_{kind}", "-d", "rxe0", "-x", "1", "-F",
               "-s", str(size), "-n", str(count)]
    if kind == "bw":
        command += ["-t", str(min(count, 64))]
    for _ in range(TRIES):
        fields = _result(_run(side, command), size)
        if fields:
            break
    else:
        raise BenchError(f"{command[0]} fails to measure the clock")
    if kind == "lat":
        return fields[TYPICAL] * 1e3
    return 1e3 / fields[TYPICAL]


def rows(sides, size, rounds):
    """Each round both sides, in turn first."""
    os.environ.pop("LD_DEBUG", None)
    result = []
    kinds = {"lat": "latency, ns", "bw": "ns per message at full rate"}
    for verb, kind, length, count in size.perftest:
        pairs = []
        for number in range(rounds):
            order = ["debian", "ours"] if number % 2 else ["ours", "debian"]
            got = {name: cost(sides[name], verb, kind, length, count)
                   for name in order}
            pairs.append((got["ours"], got["debian"]))
        result.append(Row("perftest", f"{verb}, {text(length)}", kinds[kind],
                          "ours", "Debian's", pairs, 1.0))
    return result
