#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Our example programs against Debian's: usage: compare.py PART THEIRS OURS FAKE

THEIRS and OURS are the folders of the two; FAKE is a library to preload, in
which there is a device that is not there (fake.h says what it can be told).

usage       options, good and bad, with no device and with one
devinfo     ibv_devinfo -v with all sorts of attributes, ibv_devices
asyncwatch  ibv_asyncwatch
pingpong    each ping-pong with each option: output, and the verbs it calls
features    and on devices that cannot do what an option asks for
failures    each verb fails once
peers       one side ours and the other theirs; and peers that are no peers
"""

import dataclasses
import itertools
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

PINGPONGS = ["ibv_rc_pingpong", "ibv_uc_pingpong", "ibv_ud_pingpong",
             "ibv_srq_pingpong", "ibv_xsrq_pingpong"]
PROGRAMS = ["ibv_devices", "ibv_devinfo", "ibv_asyncwatch", *PINGPONGS]
PATIENCE = 20
# What cannot be freed is lost.
KEEPS = re.compile(r"destroy_|dereg_|dealloc_|close_|free_dm")

failures = []
checks = 0
port_numbers = itertools.count()


@dataclasses.dataclass
class Side:
    """One of the two sets of programs."""
    name: str
    folder: pathlib.Path


@dataclasses.dataclass
class Result:
    """What came of a process."""
    status: int
    out: str
    err: str
    log: list


def masked(text):
    """Without what differs from run to run."""
    text = re.sub(r"PSN (0x)?[0-9a-f]{6}", r"PSN \1...", text)
    text = re.sub(r"in \d+\.\d\d seconds = [-\w.]+ (\S+)",
                  r"in ... seconds = ... \1", text)
    return re.sub(r"CQ 0x[0-9a-f]+", "CQ ...", text)


def calls(path):
    """The verbs of a log, but for calls that do not matter."""
    if not path.exists():
        return []
    lines = []
    for line in path.read_text().splitlines():
        # A list may be freed early or late; without events none need be acked.
        if line.startswith("free_device_list") or line == "ack_cq_events 0":
            continue
        # The ID of a work request may be an address.
        lines.append(re.sub(r"\bid=\d{6,}", "id=...", line))
    return lines


class Run:
    """A process of one of the programs."""

    def __init__(self, side, program, args, fake, folder, **env):
        self.log = folder / f"{side.name}-{env.get('FAKE_QPN', 'log')}"
        full = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        if KEEPS.search(str(env.get("FAKE_FAIL"))):
            full["ASAN_OPTIONS"] += ":detect_leaks=0"
        if fake:
            full.update(LD_PRELOAD=str(fake), FAKE_DIR=str(folder),
                        FAKE_LOG=str(self.log))
        full.update({key: str(value) for key, value in env.items()})
        self.process = subprocess.Popen(
            [program, *args], executable=side.folder / program, env=full,
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.stopped = False

    def stop(self):
        """The other side has failed: this one would wait for ever."""
        try:
            self.process.wait(0.3)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.stopped = True

    def result(self, limit=PATIENCE):
        try:
            out, err = self.process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
            return Result(-999, out, err, calls(self.log))
        return Result(self.process.returncode, masked(out), masked(err),
                      calls(self.log))


def free_port():
    """A port that nobody has, outside those that the system hands out to
    whoever connects; and not one of those that the test beside this takes."""
    block = 10000 + os.getpid() % 100 * 200
    for _ in range(200):
        port = block + next(port_numbers) % 200
        with socket.socket() as sock:
            try:
                sock.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    raise OSError(f"no port of {block} to {block + 199} can be had")


def listens(port):
    """Asked of the system: a try to have the port would keep it from others."""
    for table in pathlib.Path("/proc/net").glob("tcp*"):
        for line in table.read_text().splitlines()[1:]:
            address, state = line.split()[1:4:2]
            if int(address.rpartition(":")[2], 16) == port and state == "0A":
                return True
    return False


def wait_for_listener(run, port):
    """Until the server listens, or is gone."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and run.process.poll() is None and \
            not listens(port):
        time.sleep(0.01)


class Tester:
    """Both sets of programs, and the device."""

    def __init__(self, theirs, ours, fake):
        self.sides = [Side("theirs", theirs), Side("ours", ours)]
        self.theirs, self.ours = self.sides
        self.fake = fake

    def one(self, program, args, fake=True, limit=PATIENCE, **env):
        """A process of each side, and their results."""
        results = []
        for side in self.sides:
            with tempfile.TemporaryDirectory(prefix="tools-") as name:
                folder = pathlib.Path(name)
                (folder / "board_id").write_text("BOARD_1\n")
                run = Run(side, program, args, self.fake if fake else None,
                          folder, **env)
                results.append(run.result(limit))
        return results

    def pair(self, sides, program, args, server_env=None, client_env=None,
             failing=None, server_args=(), client_args=()):
        """Results of a server and a client. With `failing`, "server" or
        "client", the other one is stopped when that one is gone."""
        port = free_port()
        args = [*args, "-p", str(port)]
        with tempfile.TemporaryDirectory(prefix="tools-") as name:
            folder = pathlib.Path(name)
            server = Run(sides[0], program, [*args, *server_args], self.fake,
                         folder, FAKE_QPN="0x100", **(server_env or {}))
            wait_for_listener(server, port)
            client = Run(sides[1], program,
                         [*args, *client_args, "localhost"], self.fake,
                         folder, FAKE_QPN="0x200", **(client_env or {}))
            if failing == "server":
                first, second = server, client
            else:
                first, second = client, server
            if failing:
                try:
                    first.process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    first.process.kill()
                second.stop()
            results = [server.result(), client.result()]
            for run, result in zip((server, client), results):
                if run.stopped:
                    result.out = result.err = ""
                    result.log = []
            return results


def check(what, good, detail=""):
    global checks
    checks += 1
    if not good:
        failures.append(f"{what}\n{detail}".rstrip())


def first_difference(theirs, ours):
    if isinstance(theirs, list):
        theirs, ours = "\n".join(theirs), "\n".join(ours)
    left, right = theirs.splitlines(), ours.splitlines()
    for number, (one, other) in enumerate(zip(left, right), 1):
        if one != other:
            return f"  line {number}\n    theirs: {one}\n    ours:   {other}"
    at = min(len(left), len(right))
    rest = (left[at:] or right[at:] or ["(line ends)"])[0]
    whose = "theirs" if len(left) > len(right) else "ours"
    return f"  line {at + 1}\n    only in {whose}: {rest}"


def same(what, theirs, ours, log=True, status=None):
    check(f"{what}: exit status", theirs.status == ours.status,
          f"  theirs {theirs.status}, ours {ours.status}; {ours.err}")
    if status is not None:
        check(f"{what}: theirs must end with {status}",
              theirs.status == status, f"  {theirs.status}: {theirs.err}")
    for name in ("out", "err") + (("log",) if log else ()):
        one, other = getattr(theirs, name), getattr(ours, name)
        check(f"{what}: {name}", one == other, first_difference(one, other))


# ---- usage ----

# Each option of each program, with values that are good or bad
VALUES = {
    "p": ["18515", "0", "65535", "65536", "-1", "abc", "0x50", "", "010"],
    "d": ["fake1", "nodev", ""],
    "i": ["1", "2", "9", "0", "-1", "abc", "300"],
    "s": ["1", "0", "abc", "-1", "4294967296", "2147483648"],
    "m": ["256", "512", "1024", "2048", "4096", "1000", "0", "-1", "8192"],
    "r": ["1", "0", "-1", "abc", "17"],
    "n": ["1", "0", "abc"],
    "l": ["3", "-1", "abc"],
    "g": ["0", "1", "-1", "99", "abc"],
    "q": ["1", "16", "255", "256", "500", "501", "-1", "abc"],
    "c": ["1", "2", "0", "abc"],
}
FLAGS = "eoOPtcjNlvh"
LONG = ["port", "ib-dev", "ib-port", "size", "mtu", "rx-depth", "iters", "sl",
        "events", "gid-idx", "odp", "iodp", "prefetch", "ts", "chk", "dm",
        "new_send", "num-qp", "clients", "num_tests", "list", "verbose",
        "help"]


def usage_cases():
    yield []
    for letter, values in VALUES.items():
        yield [f"-{letter}"]
        for value in values:
            yield [f"-{letter}", value]
    for letter in FLAGS:
        yield [f"-{letter}"]
    for name in LONG:
        yield [f"--{name}"]
        yield [f"--{name}=1"]
        yield [f"--{name[:2]}=1024"]
    yield from (["-x"], ["--nonsense"], ["a", "b"], ["a", "b", "c"],
                ["-oP"], ["-OP"], ["-jo"], ["-jO"], ["-jP"], ["-eoc", "-P"],
                ["--"], ["--", "a", "b"], ["-q", "4", "-r", "3"],
                ["-d", "fake0", "-d", "fake1"])


def test_usage(tester):
    for program in PROGRAMS:
        for args in usage_cases():
            if program == "ibv_ud_pingpong" and args == ["-s", "-1"]:
                continue  # with the GRH this is 39 bytes to theirs
            what = " ".join([program, *args])
            # This host has no RDMA device: one call fails, and its errno is in
            # the message of those that print it.
            same(f"{what} (no device)",
                 *tester.one(program, args, fake=False), log=False)
            if program == "ibv_asyncwatch":
                continue
            # It ends where objects are made, at the latest.
            same(what, *tester.one(program, args, FAKE_FAIL="alloc_pd"),
                 log=False)
    for program in PROGRAMS:
        for args in ([], ["-d", "x"], ["-l"]):
            what = " ".join([program, *args])
            same(f"{what} (empty list)",
                 *tester.one(program, args, FAKE_DEVICES=""), log=False)
            same(f"{what} (no list)",
                 *tester.one(program, args, FAKE_FAIL="get_device_list=13"),
                 log=False)


# ---- devinfo ----

def test_devinfo(tester):
    for caps in ["full", "none", "ones", "zero", *map(str, range(1, 161))]:
        for port in ("ib", "roce"):
            theirs, ours = tester.one("ibv_devinfo", ["-v"], FAKE_CAPS=caps,
                                      FAKE_PORT=port)
            same(f"ibv_devinfo -v, {caps}, {port}", theirs, ours, log=False,
                 status=0)
            check(f"{caps}: a device with ports", "\t\tport:\t2" in ours.out)
    for args in ([], ["-l"], ["-d", "fake1"], ["-d", "x"], ["-i", "2"],
                 ["-i", "3"], ["-vi", "1"], ["-v", "-d", "fake0", "-i", "9"]):
        same("ibv_devinfo " + " ".join(args),
             *tester.one("ibv_devinfo", args), log=False)
    for fail in ("open_device", "open_device,query_device_ex", "query_port",
                 "query_port=13,query_port@2=6", "query_port@3=2",
                 "query_device_ex", "query_device_ex@2", "query_gid",
                 "query_gid@9", "query_gid_type", "query_gid_type@3",
                 "close_device", "close_device,query_device_ex@2"):
        same(f"ibv_devinfo -v, {fail} fails",
             *tester.one("ibv_devinfo", ["-v"], FAKE_FAIL=fail,
                         FAKE_PORT="roce"), log=False)
    for names in ("", "one", "a,b,c,d,e", "a_name_longer_than_its_column,b"):
        for program, args in (("ibv_devices", []), ("ibv_devinfo", ["-l"])):
            same(f"{program}, devices {names}",
                 *tester.one(program, args, FAKE_DEVICES=names), log=False,
                 status=0)


def test_asyncwatch(tester):
    events = ",".join(f"{number}:{number % 3 + 1}" for number in range(24))
    for args in ([], ["-d", "fake1"], ["foo"]):
        theirs, ours = tester.one("ibv_asyncwatch", args, FAKE_EVENTS=events)
        theirs.log = [line for line in theirs.log if "async" in line]
        ours.log = [line for line in ours.log if "async" in line]
        same("ibv_asyncwatch " + " ".join(args), theirs, ours, status=1)
        check("all events", ours.out.count("event_type") == 24, ours.out)
    for fail in ("open_device", "get_async_event", "get_async_event@3"):
        same(f"ibv_asyncwatch, {fail} fails",
             *tester.one("ibv_asyncwatch", [], FAKE_FAIL=fail,
                         FAKE_EVENTS=events), log=False)


# ---- ping-pongs ----

# Few receives, so that they are posted again and again; one QP, so that the
# order of calls is always the same
SHORT = {
    "ibv_rc_pingpong": ["-n", "5", "-r", "3"],
    "ibv_uc_pingpong": ["-n", "5", "-r", "3"],
    "ibv_ud_pingpong": ["-n", "5", "-r", "3"],
    "ibv_srq_pingpong": ["-n", "5", "-r", "3", "-q", "1"],
    "ibv_xsrq_pingpong": ["-n", "4"],
}
COMMON = [[], ["-e"], ["-d", "fake1"], ["-i", "2"], ["-l", "5"], ["-g", "1"],
          ["-g", "3", "-i", "2", "-l", "2"], ["-s", "1"], ["-s", "0"],
          ["-s", "1000"], ["-n", "1"]]
CHECKED = [["-c"], ["-c", "-s", "100"], ["-c", "-e"], ["-r", "1"],
           ["-r", "4", "-n", "9"], ["-n", "0"]]
BIG = [["-m", "256"], ["-m", "4096"], ["-s", "20000"]]
PAGES = [["-c", "-s", "20000"]]
RC = [["-o"], ["-O"], ["-o", "-P"], ["-O", "-P"], ["-j"], ["-j", "-c"],
      ["-j", "-c", "-s", "20000"], ["-N"], ["-N", "-e"], ["-N", "-j"],
      ["-N", "-O", "-c", "-t"], ["-t"], ["-t", "-e"], ["-t", "-n", "1"],
      ["-t", "-n", "2"], ["-t", "-n", "0"], ["-t", "-N", "-e", "-c"]]
CASES = {
    "ibv_rc_pingpong": COMMON + CHECKED + BIG + PAGES + RC,
    "ibv_uc_pingpong": COMMON + CHECKED + BIG + PAGES,
    "ibv_ud_pingpong": COMMON + CHECKED + [["-s", "2048", "-c"]],
    "ibv_srq_pingpong": COMMON + CHECKED + BIG + PAGES + [["-o"], ["-o", "-e"]],
    "ibv_xsrq_pingpong": COMMON + BIG + [["-o"], ["-o", "-e"]],
}
CASES["ibv_srq_pingpong"].remove(["-s", "0"])
# Objects do not care which of these was asked first, or how often.
QUERIES = ("query_device_ex", "query_port", "query_gid", "create_comp_channel")
EVENTS = ("get_cq_event", "req_notify_cq", "ack_cq_events")


def steady(program, log):
    if program == "ibv_xsrq_pingpong":
        # How many completions are there at an event is a matter of luck.
        log = [line for line in log if not line.startswith(EVENTS)]
    return sorted(set(line for line in log if line.startswith(QUERIES))) + \
        [line for line in log if not line.startswith(QUERIES)]


def compare_pairs(tester, what, program, args, status, **kwargs):
    theirs = tester.pair([tester.theirs] * 2, program, args, **kwargs)
    ours = tester.pair([tester.ours] * 2, program, args, **kwargs)
    for role, one, other in zip(("server", "client"), theirs, ours):
        one.log = steady(program, one.log)
        other.log = steady(program, other.log)
        same(f"{what} ({role})", one, other, status=status)
    return ours


def test_pingpong(tester):
    for program, cases in CASES.items():
        for args in cases:
            args = [*SHORT[program], *args]
            server, client = compare_pairs(
                tester, " ".join([program, *args]), program, args, 0)
            check(f"{program}: addresses and a result on both sides",
                  all(len(result.out.splitlines()) >= 3
                      for result in (server, client)))
    # As small as what fits into a work request, and one more
    for size in ("64", "65"):
        for args in (["-s", size], ["-s", size, "-N"], ["-s", size, "-j"]):
            compare_pairs(tester, "inline " + " ".join(args),
                          "ibv_rc_pingpong", [*SHORT["ibv_rc_pingpong"], *args],
                          0, server_env={"FAKE_INLINE": 64},
                          client_env={"FAKE_INLINE": 64})
    test_many_qps(tester)
    test_many_clients(tester)


def test_many_qps(tester):
    """Which QP is first depends on the two processes, the sum does not."""
    for args in (["-q", "3", "-n", "9"], ["-q", "16", "-n", "40", "-e"],
                 ["-q", "16", "-r", "16"]):
        args = ["-r", "20", "-n", "50", *args]
        what = "ibv_srq_pingpong " + " ".join(args)
        sets = []
        for side in tester.sides:
            results = tester.pair([side] * 2, "ibv_srq_pingpong", args)
            for result in results:
                result.log = []
            sets.append(results)
        for role, one, other in zip(("server", "client"), *sets):
            same(f"{what} ({role})", one, other, status=0)


def test_many_clients(tester):
    for events in ([], ["-e"]):
        outputs = []
        for side in tester.sides:
            port = free_port()
            args = ["-p", str(port), "-n", "3", *events]
            with tempfile.TemporaryDirectory(prefix="tools-") as name:
                folder = pathlib.Path(name)
                server = Run(side, "ibv_xsrq_pingpong", [*args, "-c", "3"],
                             tester.fake, folder, FAKE_QPN="0x100")
                wait_for_listener(server, port)
                runs = [server]
                for number in (2, 3, 4):
                    # One after the other, so that their addresses are in order
                    runs.append(Run(side, "ibv_xsrq_pingpong",
                                    [*args, "127.0.0.1"], tester.fake, folder,
                                    FAKE_QPN=f"0x{number}00"))
                    time.sleep(0.3)
                results = [run.result() for run in runs]
            for result in results:
                check(f"xsrq with 3 clients, {side.name}",
                      result.status == 0, result.err)
            outputs.append([result.out for result in results])
        # A client that is slow to start may come second: lines, not order
        theirs, ours = (sorted("".join(each).splitlines()) for each in outputs)
        check("xsrq with 3 clients: same lines", theirs == ours,
              first_difference(theirs, ours))


def test_features(tester):
    none = {"FAKE_CAPS": "none"}
    for program, cases in (
            ("ibv_rc_pingpong", [["-o"], ["-O"], ["-t"], ["-j"], ["-o", "-t"],
                                 ["-t", "-j"]]),
            ("ibv_srq_pingpong", [["-o"]]),
            ("ibv_xsrq_pingpong", [["-o"], []])):
        for args in cases:
            same(f"{program} {args} without features",
                 *tester.one(program, args, **none), log=False, status=1)
    # More device memory than there is
    same("too much device memory",
         *tester.one("ibv_rc_pingpong", ["-j", "-s", "1048577"]), log=False,
         status=1)
    for program in PINGPONGS:
        # On InfiniBand a port needs a LID, on Ethernet it has none
        for port in ("ib", "roce"):
            env = {"FAKE_LID": "0", "FAKE_PORT": port}
            what = f"{program} without LID, {port}"
            if port == "ib" and program != "ibv_ud_pingpong":
                same(what, *tester.one(program, [], **env), log=False,
                     status=1)
            else:
                compare_pairs(tester, what, program,
                              [*SHORT[program], "-g", "1"], 0,
                              server_env=env, client_env=env)
    for args in (["-s", "2049"], ["-i", "9"], ["-i", "3", "-s", "1"]):
        same(f"ibv_ud_pingpong {args}",
             *tester.one("ibv_ud_pingpong", args), log=False, status=1)
    for program in PINGPONGS:
        for args in (["-g", "99"], ["-i", "9"], ["nowhere.invalid"],
                     ["127.0.0.1", "-p", "1"]):
            if program == "ibv_xsrq_pingpong" and args == ["-g", "99"]:
                continue  # asks for it when it has a peer
            theirs, ours = tester.one(program, args)
            same(f"{program} {args}", theirs, ours, log=False, status=1)
    test_busy_port(tester)


def test_busy_port(tester):
    with socket.socket() as sock:
        sock.bind(("0.0.0.0", 0))
        sock.listen()
        port = str(sock.getsockname()[1])
        for program in PINGPONGS:
            same(f"{program} on a busy port",
                 *tester.one(program, ["-p", port]), log=False, status=1)


# ---- failures ----

# What fails, on which side, with which options
SETUP = ["open_device", "alloc_pd", "reg_mr", "create_cq", "query_port",
         "modify_qp"]
FAILURES = {
    "ibv_rc_pingpong": [
        *((verb, "server", []) for verb in SETUP),
        ("create_qp", "server", []),
        ("create_qp_ex", "server", ["-N"]),
        ("create_cq_ex", "server", ["-t"]),
        ("create_comp_channel", "server", ["-e"]),
        ("req_notify_cq", "server", ["-e"]),
        ("query_device_ex", "server", ["-o"]),
        ("alloc_dm", "server", ["-j"]),
        ("reg_dm_mr", "server", ["-j"]),
        ("post_recv", "server", []),
        ("post_recv@2", "server", []),
        ("post_recv@4", "server", []),
        ("post_recv@5", "client", []),
        ("query_gid", "server", ["-g", "1"]),
        ("modify_qp@2", "server", []),
        ("modify_qp@3", "server", []),
        ("modify_qp@2", "client", []),
        ("modify_qp@3", "client", []),
        ("post_send", "client", []),
        ("post_send@3", "server", []),
        ("wr_complete", "client", ["-N"]),
        ("wr_complete@2", "server", ["-N"]),
        ("memcpy_to_dm", "client", ["-j"]),
        ("memcpy_from_dm", "server", ["-j", "-c"]),
        ("poll_cq@3", "server", []),
        ("get_cq_event@2", "client", ["-e"]),
        ("get_cq_event@2=2", "server", ["-e"]),
        ("req_notify_cq@3", "server", ["-e"]),
        *((f"destroy_{what}", "server", ["-e"])
          for what in ("qp", "cq", "comp_channel")),
        *((verb, "client", []) for verb in
          ("dereg_mr", "dealloc_pd", "close_device")),
        ("free_dm", "client", ["-j"]),
    ],
    "ibv_uc_pingpong": [
        *((verb, "server", []) for verb in SETUP),
        ("create_qp", "server", []),
        ("create_comp_channel", "server", ["-e"]),
        ("req_notify_cq", "server", ["-e"]),
        ("post_recv@2", "server", []),
        ("query_gid", "server", ["-g", "1"]),
        ("modify_qp@2", "server", []),
        ("modify_qp@3", "client", []),
        ("post_recv@4", "server", []),
        ("post_send@2", "client", []),
        ("poll_cq@2", "server", []),
        ("get_cq_event", "client", ["-e"]),
        ("destroy_qp", "client", []),
        ("dereg_mr", "client", []),
    ],
    "ibv_ud_pingpong": [
        *((verb, "server", []) for verb in SETUP),
        ("create_qp", "server", []),
        ("query_port@2", "server", []),
        ("create_comp_channel", "server", ["-e"]),
        ("post_recv@2", "server", []),
        ("query_gid", "server", ["-g", "1"]),
        ("modify_qp@2", "server", []),
        ("modify_qp@3", "client", []),
        ("create_ah", "server", []),
        ("create_ah", "client", []),
        ("post_send@2", "client", []),
        ("poll_cq@2", "server", []),
        ("destroy_qp", "client", []),
        ("destroy_ah", "client", []),
    ],
    "ibv_srq_pingpong": [
        *((verb, "server", []) for verb in SETUP),
        ("create_srq", "server", []),
        ("create_qp", "server", []),
        ("create_qp@2", "server", ["-q", "3"]),
        ("modify_qp@3", "server", ["-q", "3"]),
        ("query_device_ex", "server", ["-o"]),
        ("create_comp_channel", "server", ["-e"]),
        ("post_srq_recv@2", "server", []),
        ("query_gid", "server", ["-g", "1"]),
        ("modify_qp@4", "server", ["-q", "3"]),
        ("modify_qp@7", "client", ["-q", "3"]),
        ("post_srq_recv@4", "server", []),
        ("post_send@2", "client", []),
        ("poll_cq@2", "server", []),
        ("destroy_qp", "client", []),
        ("destroy_qp@3", "client", ["-q", "3"]),
        ("destroy_srq", "client", []),
        ("close_device", "client", []),
    ],
    "ibv_xsrq_pingpong": [
        *((verb, "server", []) for verb in SETUP),
        ("create_cq@2", "server", []),
        ("open_xrcd", "server", []),
        ("create_srq_ex", "server", []),
        ("create_qp_ex", "server", []),
        ("create_qp_ex@2", "server", ["-c", "2"]),
        ("create_qp", "server", []),
        ("modify_qp@2", "server", []),
        ("create_comp_channel", "server", ["-e"]),
        ("req_notify_cq", "server", ["-e"]),
        ("query_device_ex", "server", ["-o"]),
        ("post_srq_recv", "server", []),
        ("get_srq_num", "server", []),
        ("get_srq_num", "client", []),
        ("query_gid", "client", ["-g", "1"]),
        *((f"modify_qp@{number}", side, [])
          for number in (3, 4, 5, 6) for side in ("server", "client")),
        ("poll_cq@2", "server", []),
        ("get_cq_event", "client", ["-e"]),
        *((verb, "client", ["-e"]) for verb in
          ("destroy_qp", "destroy_qp@2", "destroy_srq", "close_xrcd",
           "destroy_cq", "destroy_cq@2", "dereg_mr", "dealloc_pd",
           "destroy_comp_channel", "close_device")),
    ],
}


def compare_failure(tester, what, program, args, side, env, status=1):
    """Only the one that fails"""
    env = {f"{side}_env": env}
    role = 0 if side == "server" else 1
    theirs, ours = (tester.pair([each] * 2, program, args, failing=side,
                                **env)[role] for each in tester.sides)
    same(f"{program} {' '.join(args)}: {what} on the {side}", theirs, ours,
         log=False, status=status)
    return ours


def test_failures(tester):
    for program, cases in FAILURES.items():
        for fail, side, args in cases:
            ours = compare_failure(tester, f"{fail} fails", program,
                                   [*SHORT[program], *args], side,
                                   {"FAKE_FAIL": fail})
            check(f"{program}: {fail} was called",
                  any(": fails with" in line for line in ours.log))
    # What is no failure
    rc = [*SHORT["ibv_rc_pingpong"]]
    # An errno becomes the exit status.
    for fail, side in (("start_poll@2=5", "server"), ("next_poll@2=7", "client")):
        compare_failure(tester, f"{fail} fails", "ibv_rc_pingpong",
                        [*rc, "-t"], side, {"FAKE_FAIL": fail},
                        status=int(fail[-1]))
    for fail, args in (("query_qp", []), ("advise_mr", ["-o", "-P"])):
        compare_pairs(tester, f"{fail} fails", "ibv_rc_pingpong", rc + args, 0,
                      server_env={"FAKE_FAIL": fail},
                      client_env={"FAKE_FAIL": fail})
    # Theirs waits for ever.
    for fail, side in (("post_srq_recv@3", "server"), ("post_send", "server"),
                       ("post_send@2", "client")):
        role = 0 if side == "server" else 1
        result = tester.pair([tester.ours] * 2, "ibv_xsrq_pingpong", [],
                             failing=side,
                             **{f"{side}_env": {"FAKE_FAIL": fail}})[role]
        check(f"ibv_xsrq_pingpong: {fail} fails",
              result.status == 1 and " post " in result.err, result.err)
    # Completions with an error
    for program in PINGPONGS:
        for which, side in (("1=5", "server"), ("3=12", "client")):
            compare_failure(tester, f"completion {which}", program,
                            SHORT[program], side, {"FAKE_WC": which})
    for args in (["-t"], ["-t", "-e"], ["-N"]):
        compare_failure(tester, "completion 2=13", "ibv_rc_pingpong",
                        rc + args, "client", {"FAKE_WC": "2=13"})
    # The last message that the server gets is wrong.
    for program in PINGPONGS[:4]:
        for args in (["-c"], []):
            compare_failure(tester, f"wrong data {args}", program,
                            [*SHORT[program], *args], "server",
                            {"FAKE_DAMAGE": "5"}, status=0)
    for args in (["-j"], ["-s", "30000"]):
        ours = compare_failure(tester, "wrong data", "ibv_rc_pingpong",
                               [*rc, "-c", *args], "server",
                               {"FAKE_DAMAGE": "5"}, status=0)
        check("the page with wrong data", "in page 0\n" in ours.out)


# ---- mixed pairs, and worse ----

def test_peers(tester):
    for program in PINGPONGS:
        for args in ([], ["-e"], ["-g", "1"], ["-c"] if program in
                     PINGPONGS[:4] else []):
            args = [*SHORT[program], *args]
            control = tester.pair([tester.theirs] * 2, program, args)
            for sides in ([tester.theirs, tester.ours],
                          [tester.ours, tester.theirs]):
                mixed = tester.pair(sides, program, args)
                for role, one, other in zip(("server", "client"), control,
                                            mixed):
                    one.log = steady(program, one.log)
                    other.log = steady(program, other.log)
                    same(f"{program} {' '.join(args)}: {sides[0].name} with "
                         f"{sides[1].name} ({role})", one, other, status=0)
    for args in (["-q", "16", "-n", "100"], ["-q", "255", "-n", "300"]):
        for sides in ([tester.theirs, tester.ours],
                      [tester.ours, tester.theirs]):
            for result in tester.pair(sides, "ibv_srq_pingpong", args):
                check(f"srq {args}, {sides[0].name} with {sides[1].name}",
                      result.status == 0, result.err)
    # Options of one side are none of the other's business.
    for ours, theirs in ((["-N"], []), (["-j"], []), (["-O", "-t"], ["-e"]),
                         (["-r", "7"], ["-r", "2"])):
        rc = SHORT["ibv_rc_pingpong"]
        for result in tester.pair([tester.ours, tester.theirs],
                                  "ibv_rc_pingpong", rc, server_args=ours,
                                  client_args=theirs):
            check(f"rc, {ours} with {theirs}", result.status == 0, result.err)
    test_strangers(tester)


STRANGE = [b"", b"0007", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 300, b":" * 300,
           b"0007:000100:4ef5b6:xyz" + b"0" * 300,
           b"0007:000100:4ef5b6:" + b"z" * 33 + b"0" * 300,
           b"ffffffff0007:000100:4ef5b6:" + b"0" * 300,
           b"0007:9999999999:000000:" + b"0" * 300]


def test_strangers(tester):
    """Our side of a connection to something else: a message, and no wait."""
    for program in PINGPONGS:
        for words in STRANGE:
            check_strange_server(tester, program, words)
            check_strange_client(tester, program, words)


def check_stranger(what, result):
    check(what, result.status == 1 and "remote address" in result.err,
          f"  {result.status}: {result.err}")


def say(peer, words):
    """Words, and nothing more; it may have had enough of them already."""
    try:
        peer.sendall(words)
        peer.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def check_strange_server(tester, program, words):
    with socket.socket() as sock, \
            tempfile.TemporaryDirectory(prefix="tools-") as name:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        sock.settimeout(PATIENCE)
        run = Run(tester.ours, program,
                  ["-p", str(sock.getsockname()[1]), "127.0.0.1"],
                  tester.fake, pathlib.Path(name))
        peer, _ = sock.accept()
        with peer:
            say(peer, words)
            check_stranger(f"{program}: a server that says {words[:30]}",
                           run.result())


def check_strange_client(tester, program, words):
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="tools-") as name:
        run = Run(tester.ours, program, ["-p", str(port)], tester.fake,
                  pathlib.Path(name))
        wait_for_listener(run, port)
        with socket.create_connection(("127.0.0.1", port)) as sock:
            say(sock, words)
            check_stranger(f"{program}: a client that says {words[:30]}",
                           run.result())


def main(argv):
    if len(argv) != 5:
        print(__doc__, file=sys.stderr)
        return 2
    part, theirs, ours, fake = argv[1:]
    tests = {name[len("test_"):]: function for name, function
             in globals().items() if name.startswith("test_")}
    tests[part](Tester(pathlib.Path(theirs), pathlib.Path(ours),
                       pathlib.Path(fake)))
    if failures or not checks:
        shown = 40
        print("\n".join(failures[:shown]), file=sys.stderr)
        print(f"{len(failures)} of {checks} checks failed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
