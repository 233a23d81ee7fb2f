#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Our programs and Debian's on one device: usage: side_by_side.py PART

devinfo      ibv_devinfo and ibv_devices say the same
rc uc ud srq a ping-pong with itself and with Debian's, in either role
refused      what the device cannot do is refused in the same words
asyncwatch   ibv_asyncwatch sees the same events

Each of them on our library with our plug-in, and on Debian's with Debian's.
"""

import dataclasses
import os
import pathlib
import re
import select
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
# pylint: disable=wrong-import-position
from parts import check, run_part, wait_for_server

BUILD = pathlib.Path(os.environ["VM_BUILD"])
OUR_LIB = BUILD / "lib"
DEBIAN_LIB = pathlib.Path("/usr/lib/x86_64-linux-gnu")
ITERS = 50
SIZE = 1024
LIMIT = 60


@dataclasses.dataclass(frozen=True)
class Config:
    """Whose programs, on whose library."""
    programs: str
    library: str

    def __str__(self):
        return f"{self.programs} program on {self.library} library"

    def start(self, program, args):
        folder = BUILD / "bin" if self.programs == "our" else \
            pathlib.Path("/usr/bin")
        env = dict(os.environ, LC_ALL="C.UTF-8", LD_DEBUG="files")
        env["LD_DEBUG_OUTPUT"] = str(pathlib.Path.cwd() / "ld")
        if self.library == "our":
            env["LD_LIBRARY_PATH"] = str(OUR_LIB)
            env["RDMAV_DRIVERS"] = str(OUR_LIB / "librxe")
        else:
            env["LD_LIBRARY_PATH"] = str(DEBIAN_LIB)
        return subprocess.Popen([program, *args], executable=folder / program,
                                env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def files(self):
        if self.library == "our":
            return OUR_LIB / "libibverbs.so.1", OUR_LIB / "librxe-rdmav34.so"
        return (DEBIAN_LIB / "libibverbs.so.1",
                DEBIAN_LIB / "libibverbs" / "librxe-rdmav34.so")

    def prove(self, process):
        """This very library and this very plug-in ran."""
        path = pathlib.Path(f"ld.{process.pid}")
        used = {os.path.realpath(line.split("calling init: ")[1])
                for line in path.read_text().splitlines()
                if "calling init: " in line
                and ("/libibverbs.so" in line or "/librxe-" in line)}
        wanted = {os.path.realpath(file) for file in self.files()}
        check(f"{self}: {sorted(used)}", used == wanted)
        path.unlink()


CONTROL = Config("their", "their")
OURS = Config("our", "our")
OURS_ON_THEIRS = Config("our", "their")
THEIRS_ON_OURS = Config("their", "our")


@dataclasses.dataclass
class Result:
    """What came of a program."""
    status: int
    out: list
    err: list


def masked(text):
    """The shape of an output: no line may be missing, or be another one."""
    # A library that is not installed has no folder of plug-in names, and says
    # so.
    text = re.sub(r"libibverbs: Warning: couldn't open config directory .*\n",
                  "", text)
    text = re.sub(r"(QPN|PSN)( RECV| SEND)? (0x)?[0-9a-f]{6}\b", r"\1\2 \3...",
                  text)
    return re.sub(r"in [0-9.]+ seconds = [0-9.]+ ", "in ... seconds = ... ",
                  text).splitlines()


def finish(config, process):
    try:
        out, err = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        err += "TIMEOUT\n"
    config.prove(process)
    return Result(process.returncode, masked(out), masked(err))


def run(config, program, args):
    return finish(config, config.start(program, args))


def pair(server, client, program, args):
    first = server.start(program, args)
    wait_for_server(first)
    second = client.start(program, [*args, "localhost"])
    result = finish(client, second)
    if result.status:
        first.kill()
    return finish(server, first), result


def same(what, control, subject):
    check(f"{what}:\n  theirs: {control}\n  ours:   {subject}",
          control == subject)


def part_devinfo():
    for args in (["-v"], [], ["-l"], ["-d", "rxe0", "-i", "1"], ["-i", "2"],
                 ["-d", "rxe9"]):
        control = run(CONTROL, "ibv_devinfo", args)
        for config in (OURS, OURS_ON_THEIRS, THEIRS_ON_OURS):
            same(f"{config}: ibv_devinfo {args}", control,
                 run(config, "ibv_devinfo", args))
        if args == ["-v"]:
            text = "\n".join(control.out)
            for line in ("hca_id:\trxe0", "PORT_ACTIVE", "max_qp_wr:",
                         "::ffff:10.9.0.1, RoCE v2"):
                check(f"the control says {line}", line in text)
    control = run(CONTROL, "ibv_devices", [])
    check("the control lists rxe0", "rxe0" in "".join(control.out))
    for config in (OURS, OURS_ON_THEIRS):
        same(f"{config}: ibv_devices", control, run(config, "ibv_devices", []))


def pingpong(kind, variants):
    program = f"ibv_{kind}_pingpong"
    for extra in variants:
        args = ["-d", "rxe0", "-g", "1", "-n", str(ITERS), "-s", str(SIZE),
                *extra]
        control = pair(CONTROL, CONTROL, program, args)
        for role in (0, 1):
            check(f"the control ends with 0: {control[role]}",
                  control[role].status == 0)
            text = "\n".join(control[role].out)
            for line in (f"{ITERS * SIZE * 2} bytes in", f"{ITERS} iters in",
                         "GID ::ffff:10.9.0.1"):
                check(f"the control says {line}", line in text)
        for server, client in ((OURS, OURS), (OURS, CONTROL), (CONTROL, OURS),
                               (OURS_ON_THEIRS, OURS_ON_THEIRS)):
            subject = pair(server, client, program, args)
            for role, name in enumerate(("server", "client")):
                same(f"{program} {extra}: {server} with {client}: {name}",
                     control[role], subject[role])


def part_rc():
    pingpong("rc", [[], ["-e", "-c"],
                    ["-N", "-s", "5000", "-c", "-s", str(SIZE)]])


def part_uc():
    pingpong("uc", [[], ["-e", "-c"]])


def part_ud():
    pingpong("ud", [[], ["-e", "-c"]])


def part_srq():
    pingpong("srq", [["-q", "4"], ["-e", "-c", "-q", "1"]])


def part_refused():
    """rxe has no paging on demand, no timestamps, no device memory, no XRC."""
    for program, args in (("ibv_rc_pingpong", ["-o"]),
                          ("ibv_rc_pingpong", ["-O", "-P"]),
                          ("ibv_rc_pingpong", ["-t"]),
                          ("ibv_rc_pingpong", ["-j"]),
                          ("ibv_rc_pingpong", ["-g", "2000"]),
                          ("ibv_rc_pingpong", ["-i", "2"]),
                          ("ibv_rc_pingpong", ["-r", "1000000000"]),
                          ("ibv_uc_pingpong", ["-r", "1000000000"]),
                          ("ibv_ud_pingpong", ["-s", "4097"]),
                          ("ibv_srq_pingpong", ["-o"]),
                          ("ibv_xsrq_pingpong", []),
                          ("ibv_xsrq_pingpong", ["-e", "-g", "1"])):
        args = ["-d", "rxe0", *args]
        control = run(CONTROL, program, args)
        check(f"the control refuses {program} {args}: {control}",
              control.status == 1 and control.err)
        for config in (OURS, OURS_ON_THEIRS):
            same(f"{config}: {program} {args}", control,
                 run(config, program, args))


def read_until(process, text):
    """What it says until it has said that, or says no more for long."""
    said = ""
    while text not in said and \
            select.select([process.stdout], [], [], LIMIT)[0]:
        more = os.read(process.stdout.fileno(), 4096)
        if not more:
            break
        said += more.decode()
    return said


def part_asyncwatch():
    """The device's network interface goes down and comes up again."""
    configs = (CONTROL, OURS, OURS_ON_THEIRS)
    watchers = [config.start("ibv_asyncwatch", ["-d", "rxe0"])
                for config in configs]
    said = [read_until(watcher, "\n") for watcher in watchers]
    for state, event in (("down", "PORT_ERR"), ("up", "PORT_ACTIVE")):
        subprocess.run(["ip", "link", "set", "dummy0", state], check=True)
        for i, watcher in enumerate(watchers):
            said[i] += read_until(watcher, event)
    # What else comes is compared, too.
    time.sleep(1)
    outputs = []
    for config, watcher, before in zip(configs, watchers, said):
        watcher.terminate()
        rest, err = watcher.communicate()
        check(f"{config} is still there: {err}", watcher.returncode == -15)
        config.prove(watcher)
        outputs.append((before + rest).splitlines(True) or [""])
    check(f"the control starts: {outputs[0]}",
          re.fullmatch(r"rxe0: async event FD \d+\n", outputs[0][0]))
    for event in ("PORT_ERR (10), port 1", "PORT_ACTIVE (9), port 1"):
        check(f"the control sees {event}: {outputs[0]}",
              f"  event_type IBV_EVENT_{event}\n" in outputs[0])
    for config, output in zip(configs[1:], outputs[1:]):
        # The library chooses the descriptor.
        same(f"{config}: ibv_asyncwatch", outputs[0][1:], output[1:])
        check(f"{config} starts: {output}",
              re.fullmatch(r"rxe0: async event FD \d+\n", output[0]))


if __name__ == "__main__":
    sys.exit(run_part(globals()))
