#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Both libraries on one kernel: usage: side_by_side.py DISCOVERY_PROBE PART

devices     as they are
sysfs       the same, where netlink cannot be had
rename      a device gets another name
hotplug     devices come, and come again
deleted     a device goes between list and open
nodes       the device node is missing, or is something else
namespaces  a network namespace that has none of the devices
setuid      a program with more privileges than its caller
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
# pylint: disable=wrong-import-position
from parts import check, run_part

BUILD = pathlib.Path(os.environ["VM_BUILD"])
DEBIAN = pathlib.Path("/usr/lib/x86_64-linux-gnu")
LIBRARIES = {"Debian's": DEBIAN, "ours": BUILD / "lib"}
# One plug-in for both, which neither's configuration need name
PLUGIN = DEBIAN / "libibverbs" / "librxe"
PROBE = sys.argv[1] if sys.argv[1:] else None


def sh(command):
    subprocess.run(["sh", "-ec", command], check=True)


def masked(text):
    """Device indices only ever grow: their order is what counts."""
    indices = sorted({int(i) for i in re.findall(r"\bindex (\d+)", text)})
    text = re.sub(r"\bindex (\d+)",
                  lambda m: f"index #{indices.index(int(m[1]))}", text)
    config = os.environ["IBV_CONFIG_DIR"]
    return "".join(line + "\n" for line in text.splitlines()
                   if line != "libibverbs: Warning: couldn't open config "
                   f"directory '{config}'.")


def run(probe, actions, env, prefix, library):
    """What a process prints with this library."""
    result = subprocess.run(
        [*prefix, probe, *actions], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "LD_LIBRARY_PATH": str(library),
             "RDMAV_DRIVERS": str(PLUGIN), **env}, check=False)
    return masked(result.stdout) + f"status {result.returncode}\n"


def compare(what, actions, wanted, env=None, prefix=(), before="true",
            after="true"):
    """The libraries say the same, and of it what was meant."""
    outputs = []
    for name, library in LIBRARIES.items():
        sh(before)
        outputs.append(run(PROBE, actions, env or {}, prefix, library))
        sh(after)
        for text in wanted:
            check(f"{what}: {name} says {text!r}:\n{outputs[-1]}",
                  re.search(text, outputs[-1]))
    check(f"{what}:\n--- Debian's\n{outputs[0]}--- ours\n{outputs[1]}",
          outputs[0] == outputs[1])


def link(name, net):
    """Commands to make a device, always with the same GUID."""
    return (f"ip link add {net} address 02:00:00:00:01:{net[-2:]} type dummy;"
            f"ip link set {net} up; rdma link add {name} type rxe netdev {net};")


def unlink(name, net):
    return f"rdma link delete {name}; ip link delete {net};"


def part_devices():
    compare("as they are",
            ["open", "list", "state", "/dev/infiniband/uverbs0", "/dev/null"],
            [r"(?m)^0: rxe0 uverbs0 .* node 1 transport 0 index #0",
             r"(?m)^open: 1", r"(?m)^import /dev/null: 0"])
    for name in ("RDMAV_FORK_SAFE", "IBV_FORK_SAFE"):
        compare(name, ["state", "open"], [r"fork status 2"], {name: "1"})


def part_sysfs():
    sh(link("rxe1", "dummy11"))
    compare("by sysfs", ["open", "list"],
            [r"(?m)^list: 1, 2 devices", r"rxe0 uverbs0 .* index -1",
             r"(?m)^open: 1"], {"PLAY_NO_NETLINK": "1"})
    sh(unlink("rxe1", "dummy11"))
    compare("by sysfs, a new name",
            ["!rdma dev set rxe0 name rxe9", "list", "open"],
            [r"(?m)^open: 1"], {"PLAY_NO_NETLINK": "1"},
            after="rdma dev set rxe9 name rxe0")
    compare("by sysfs, one comes", ["!" + link("rxe1", "dummy11"), "list"],
            [r"(?m)^0: rxe1 .*\n1: rxe0 "], {"PLAY_NO_NETLINK": "1"},
            after=unlink("rxe1", "dummy11"))


def part_rename():
    compare("a new name: index and node stay, and so does the device",
            ["!rdma dev set rxe0 name rxe9", "list", "open"],
            [r"(?m)^list: 1, 1 devices, errno 0\n0: rxe0 (.*\n)+.*0: rxe0",
             r"(?m)^open: 1"], after="rdma dev set rxe9 name rxe0")
    compare("a name of 63 characters", ["open", "list"], [r"(?m)^0: x{63} "],
            before=f"rdma dev set rxe0 name {'x' * 63}",
            after=f"rdma dev set {'x' * 63} name rxe0")
    compare("a name with a blank and a percent", ["open", "list"],
            [r"(?m)^0: r %sx "], before="rdma dev set rxe0 name 'r %sx'",
            after="rdma dev set 'r %sx' name rxe0")
    compare("two devices change names",
            ["!rdma dev set rxe0 name tmp", "!rdma dev set rxe1 name rxe0",
             "!rdma dev set tmp name rxe1", "list", "open"],
            [r"(?m)^0: rxe0 uverbs0 .*\n1: rxe1 uverbs1 ", r"(?m)^open: 1"],
            before=link("rxe1", "dummy11"),
            after="rdma dev set rxe1 name tmp; rdma dev set rxe0 name rxe1;"
            "rdma dev set tmp name rxe0;" + unlink("rxe1", "dummy11"))


def part_hotplug():
    one, two = link("rxe1", "dummy11"), link("rxe2", "dummy12")
    compare("the kernel's order", ["list"],
            [r"(?m)^0: rxe0 .*\n1: rxe1 .*\n2: rxe2 "], before=one + two,
            after=unlink("rxe2", "dummy12") + unlink("rxe1", "dummy11"))
    compare("new ones in front", ["!" + one, "list", "!" + two, "list", "open"],
            [r"(?m)^0: rxe2 .*\n1: rxe1 .*\n2: rxe0 "],
            after=unlink("rxe2", "dummy12") + unlink("rxe1", "dummy11"))
    compare("two at once", ["!" + one + two, "list", "list"],
            [r"(?m)^0: rxe1 .*\n1: rxe2 .*\n2: rxe0 "],
            after=unlink("rxe2", "dummy12") + unlink("rxe1", "dummy11"))
    compare("the first goes and comes again",
            ["!rdma link delete rxe0", "list",
             "!rdma link add rxe0 type rxe netdev dummy0", "list"],
            [r"(?m)^0: rxe0 .* index #2 .*\n1: rxe1 .* index #1 "],
            before="rdma link delete rxe0;"
            "rdma link add rxe0 type rxe netdev dummy0;" + one,
            after=unlink("rxe1", "dummy11"))
    compare("the last goes: an empty list is an answer",
            ["!rdma link delete rxe0", "list", "list"],
            [r"(?m)^list: 1, 0 devices, errno 0\nlist: 1, 0 devices"],
            after="rdma link add rxe0 type rxe netdev dummy0")
    compare("no device at first", ["!rdma link add rxe0 type rxe netdev dummy0",
                                   "list"],
            [r"(?m)^list: 1, 1 devices"], before="rdma link delete rxe0")


def part_deleted():
    compare("gone between list and open",
            ["!rdma link delete rxe1", "open", "list"],
            [r"(?m)^open: 1 errno 0\nopen: 0 errno \d+\n",
             r"(?m)^list: 1, 1 devices"],
            before=link("rxe1", "dummy11"), after="ip link delete dummy11")
    compare("another one has its node",
            ["!rdma link delete rxe1", "!" + link("rxe2", "dummy12"), "open",
             "list"],
            [r"(?m)^0: rxe2 uverbs1 "],
            before=link("rxe1", "dummy11"),
            after="ip link delete dummy11;" + unlink("rxe2", "dummy12"))


def part_nodes():
    node = "/dev/infiniband/uverbs0"
    numbers = os.stat(node).st_rdev
    again = (f"rm -rf {node}; mknod {node} c {os.major(numbers)} "
             f"{os.minor(numbers)}")
    compare("no node", ["open", "list"], [r"(?m)^list: 1, 0 devices"],
            before=f"rm {node}", after=again)
    for what, command in (
            ("a regular file", f"rm {node}; echo x >{node}"),
            ("a directory", f"rm {node}; mkdir {node}"),
            ("another device", f"rm {node}; mknod {node} c 1 3"),
            ("a link", f"mv {node} /dev/elsewhere; ln -s ../elsewhere {node}")):
        # The link that udev makes
        char = f"/dev/char/{os.major(numbers)}:{os.minor(numbers)}"
        sh(f"mkdir -p /dev/char; mknod /dev/good c {os.major(numbers)} "
           f"{os.minor(numbers)}; ln -sf ../good {char}")
        compare(what, ["open", "list"],
                [r"(?m)^list: 1, 1 devices", r"(?m)^open: 1"],
                before=command, after=f"{again}; rm -f /dev/elsewhere")
        sh(f"rm -f /dev/good {char}")
    compare("nobody may", ["open", "list"], [r"(?m)^list: 1, 1 devices",
                                             r"(?m)^open: 0"],
            prefix=["setpriv", "--reuid=1000", "--regid=1000",
                    "--clear-groups"],
            before=f"chmod 600 {node}", after=f"chmod 666 {node}")


def part_namespaces():
    sh("rdma system set netns exclusive")
    compare("exclusive, here", ["list"], [r"(?m)^list: 1, 1 devices"])
    compare("exclusive, elsewhere", ["list", "/dev/infiniband/uverbs0"],
            [r"(?m)^list: 1, 0 devices"], prefix=["unshare", "-n"])
    sh("rdma system set netns shared")
    compare("shared, elsewhere", ["list", "open"],
            [r"(?m)^list: 1, 1 devices"], prefix=["unshare", "-n"])


def part_setuid():
    """The loader takes no LD_LIBRARY_PATH then: each in the usual place."""
    probe = pathlib.Path("/tmp/setuid-probe")
    usual = (DEBIAN / "libibverbs.so.1").resolve()
    log = pathlib.Path("/tmp/log")
    shutil.copy(PROBE, probe)
    probe.chmod(0o4755)
    caller = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"]
    outputs = []
    for name in LIBRARIES:
        if name == "ours":
            ours = (BUILD / "lib" / "libibverbs.so.1").resolve()
            sh(f"mount --bind {ours} {usual}")
        log.unlink(missing_ok=True)
        outputs.append(run(probe, ["state", "list", "log"], {
            "SYSFS_PATH": "/tmp", "RDMAV_DRIVERS": "/tmp/evil",
            "VERBS_LOG_LEVEL": "4", "VERBS_LOG_FILE": str(log)},
            caller, DEBIAN))
        # Debian's writes where the caller says.
        check(f"{name}: a log", log.exists() == (name != "ours"))
    sh(f"umount {usual}")
    # Ours may have another place for the names of plug-ins, so may list none.
    for output in outputs:
        check(f"the caller's variables:\n{output}", "sysfs /sys," in output
              and "evil" not in output and "status 0" in output)


if __name__ == "__main__":
    sys.exit(run_part(globals(), words=2))
