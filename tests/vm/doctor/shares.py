#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""ibv_shares and the kernel's own list: usage: shares.py PART

sharing    an owner, its export context and two workers; then without the owner
refused    nobody may read the list, and there may be no debugfs
stock      a kernel that has no such list
no_module  a kernel without ib_uverbs
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

BUILD = pathlib.Path(os.environ["VM_BUILD"])
SHARES = BUILD / "bin" / "ibv_shares"
DEBUGFS = "/sys/kernel/debug"
LENGTH = 1 << 20
NOBODY = 65534
ODD_NAME = 'w\t"\n\\\x1b[1m'

failures = []


def check(good, what):
    if not good:
        failures.append(what)


def run(*args, before=None):
    return subprocess.run([SHARES, *args], capture_output=True, text=True,
                          preexec_fn=before, check=False)


def objects(*args):
    done = run("-j", *args)
    check(done.returncode == 0 and not done.stderr, f"{done}")
    return {item["type"]: item for item in json.loads(done.stdout)["objects"]}


def fails(text, before=None):
    for args in ((), ("-j",)):
        done = run(*args, before=before)
        check(done.returncode == 1 and not done.stdout
              and re.fullmatch(f"ibv_shares: .*{text}.*\n", done.stderr),
              f"not '{text}': {done}")


def wait_for_none():
    """Files of killed processes may be closed a little later."""
    for _ in range(100):
        if not objects():
            return
        time.sleep(0.05)
    check(False, f"left: {objects()}")


def check_objects(found, holders, maker):
    """holders: {name: (pid, pd handle, mr handle, comm)}"""
    check(set(found) == {"pd", "mr"}, f"{found}")
    for place, kind in ((1, "pd"), (2, "mr")):
        item = found[kind]
        check(item["device"] == "rxe0" and item["maker"] == maker
              and item.get("bytes") == {"pd": None, "mr": LENGTH}[kind],
              f"{item}")
        have = sorted((a["pid"], a["handle"], a["comm"])
                      for a in item["aliases"])
        want = sorted((h[0], h[place], h[3]) for h in holders.values())
        check(have == want, f"{kind}: {have} instead of {want}")
    files = [[a["file"] for a in found[kind]["aliases"]]
             for kind in ("pd", "mr")]
    check(sorted(files[0]) == sorted(files[1])
          and len(set(files[0])) == len(holders), f"files {files}")
    for kind, key in (("pd", "pdn"), ("mr", "mrn")):
        shown = subprocess.run(["rdma", "resource", "show", kind],
                               capture_output=True, text=True, check=True)
        check(re.search(rf"{key} {found[kind]['id']} ", shown.stdout),
              f"{found[kind]['id']}: {shown.stdout}")


def sharing():
    check(objects() == {}, "before")
    done = run()
    check(done.returncode == 0 and done.stdout.startswith("DEVICE ")
          and done.stdout.count("\n") == 1, f"{done}")
    env = dict(os.environ, RDMAV_DRIVERS=str(BUILD / "lib" / "librxe"))
    owner = subprocess.Popen([BUILD / "bin" / "shares_holder"], env=env,
                             stdout=subprocess.PIPE, text=True)
    holders = {}
    for _ in range(4):
        name, *numbers = owner.stdout.readline().split()
        comm = {"worker": "worker", "odd": ODD_NAME}.get(name, "shares_holder")
        holders[name] = (*map(int, numbers), comm)
    check(holders["owner"][0] == holders["export"][0] == owner.pid, "pids")

    maker = {"pid": owner.pid, "comm": "shares_holder"}
    check_objects(objects(), holders, maker)
    check_objects(objects("-d", "rxe0"), holders, maker)
    check(objects("-d", "rxe1") == {}, "another device")
    lines = run().stdout.splitlines()
    check(len(lines) == 9 and all(len(line) <= 80 for line in lines),
          f"{lines}")
    check(sum(line.startswith("rxe0") for line in lines) == 2, f"{lines}")
    odd = holders["odd"]
    check(any(re.search(rf" {odd[2]} +\d+ +{odd[0]}  "
                        r'w\?"\?\\\?\[1m$', line) for line in lines),
          f"{odd}: {lines}")

    owner.kill()
    owner.wait()
    for name in ("owner", "export"):
        del holders[name]
    for _ in range(100):
        if len(objects()["mr"]["aliases"]) == 2:
            break
        time.sleep(0.05)
    check_objects(objects(), holders, {"pid": None, "comm": None})
    check("gone" in run().stdout, "the maker has gone")
    for holder in holders.values():
        os.kill(holder[0], signal.SIGKILL)
    wait_for_none()


def refused():
    def nobody():
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    fails("only root may read", before=nobody)
    subprocess.run(["umount", DEBUGFS], check=True)
    fails("debugfs is not mounted: mount -t debugfs debugfs /sys/")
    subprocess.run(["mount", "-t", "debugfs", "debugfs", DEBUGFS], check=True)
    check(objects() == {}, "mounted again")


def stock():
    fails("without export and import")


def no_module():
    fails("ib_uverbs is not loaded: modprobe ib_uverbs")


def main():
    {part.__name__: part
     for part in (sharing, refused, stock, no_module)}[sys.argv[1]]()
    for text in failures:
        print(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
