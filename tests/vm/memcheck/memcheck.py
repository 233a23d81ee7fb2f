#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Our programs under valgrind: usage: memcheck.py PART

devices devinfo doctor   look at the device
asyncwatch               sees events, and is ended by a signal
rc uc ud srq             a ping-pong with itself, with events and without
xsrq                     what the device cannot do is refused in good order
share                    owner, worker and peer; ibv_shares meanwhile
seeded                   valgrind does complain of a program that is wrong

valgrind tells in a file of its own, which must stay empty.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
# pylint: disable=wrong-import-position
from parts import check, run_part, wait_for_server

BUILD = pathlib.Path(os.environ["VM_BUILD"])
LIMIT = 120
# Not "possible": the library's lists go through the middle of their members.
KINDS = "definite,indirect"
VALGRIND = ["valgrind", "-q", "--leak-check=full", "--num-callers=25",
            f"--show-leak-kinds={KINDS}", f"--errors-for-leak-kinds={KINDS}",
            "--error-exitcode=99", "--log-file=valgrind.%p"]


class Process:
    """A program under valgrind."""

    def __init__(self, program, *args, options=()):
        self.what = " ".join([program, *args])
        self.out = pathlib.Path(f"{len(list(pathlib.Path().iterdir()))}.out")
        with self.out.open("w", encoding="ascii") as out:
            self.process = subprocess.Popen(
                [*VALGRIND, *options, BUILD / "bin" / program, *args],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                env={**os.environ, "LD_LIBRARY_PATH": str(BUILD / "lib"),
                     "RDMAV_DRIVERS": str(BUILD / "lib" / "librxe"),
                     "LC_ALL": "C.UTF-8"})

    def says(self, pattern):
        """Sooner or later"""
        for _ in range(LIMIT * 10):
            found = re.search(pattern, self.out.read_text("utf-8"))
            if found or self.process.poll() is not None:
                break
            time.sleep(0.1)
        check(f"{self.what} says {pattern!r}: "
              f"{self.out.read_text('utf-8')}", found)
        return found

    def finish(self, *statuses):
        try:
            status = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = f"timeout, {self.process.wait()}"
        log = pathlib.Path(f"valgrind.{self.process.pid}")
        complaints = log.read_text("utf-8") if log.exists() else "no log"
        check(f"{self.what}: status {status}\n{self.out.read_text('utf-8')}"
              f"{complaints}", status in statuses and not complaints)
        return complaints


def run(program, *args, statuses=(0,)):
    Process(program, *args).finish(*statuses)


def part_devices():
    run("ibv_devices")


def part_devinfo():
    run("ibv_devinfo", "-v")


def part_doctor():
    run("ibv_doctor", "--share", "--json", statuses=(0, 1))


def part_asyncwatch():
    # What a killed program still has is no leak.
    watcher = Process("ibv_asyncwatch", "-d", "rxe0",
                      options=["--leak-check=no"])
    watcher.says("async event FD")
    for state in ("down", "up"):
        subprocess.run(["ip", "link", "set", "dummy0", state], check=True)
        time.sleep(0.2)
    watcher.says("PORT_ACTIVE")
    watcher.process.terminate()
    watcher.finish(-15)


def pingpong(kind, *extra):
    args = [f"ibv_{kind}_pingpong", "-d", "rxe0", "-g", "1", "-n", "5", "-s",
            "1024", *extra]
    server = Process(*args)
    wait_for_server(server.process)
    client = Process(*args, "localhost")
    client.finish(0)
    server.finish(0)


def part_rc():
    pingpong("rc", "-e", "-c")


def part_uc():
    pingpong("uc", "-c")


def part_ud():
    pingpong("ud", "-e")


def part_srq():
    pingpong("srq", "-e", "-q", "3")


def part_xsrq():
    run("ibv_xsrq_pingpong", "-d", "rxe0", "-g", "1", statuses=(1,))


def part_share():
    folder = pathlib.Path.cwd()
    tool = "ibv_share_pingpong"
    owner = Process(tool, "--owner", "-d", "rxe0", "-S", f"{folder}/socket",
                    "-R", "1M")
    peer = Process(tool, "-d", "rxe0", "-g", "1", "-p", "0")
    owner.says("exported in")
    port = peer.says(r"TCP port (\d+)")
    run("ibv_shares", "-d", "rxe0")
    worker = Process(tool, "--worker", "-d", "rxe0", "-g", "1", "-S",
                     f"{folder}/socket", "-p", port[1], "localhost")
    worker.finish(0)
    peer.finish(0)
    owner.process.terminate()
    owner.finish(0)


def part_seeded():
    """What it would say"""
    subprocess.run(
        ["cc", "-x", "c", "-g", "-o", "wrong", "-"], check=True, text=True,
        input="#include <stdlib.h>\n#include <unistd.h>\n"
        "int main(void) { volatile char *p = malloc(8); p = malloc(8);\n"
        "if (p[3]) write(2, \"x\", 1); return 0; }\n")
    result = subprocess.run([*VALGRIND, "./wrong"], check=False)
    logs = [log.read_text("utf-8") for log in pathlib.Path().glob("valgrind.*")]
    check(f"a wrong program: {result.returncode}, {logs}",
          result.returncode == 99 and len(logs) == 1
          and "uninitialised" in logs[0] and "definitely lost" in logs[0])


if __name__ == "__main__":
    sys.exit(run_part(globals()))
