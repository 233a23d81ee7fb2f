#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""ibv_doctor on a machine that lacks something: usage: doctor.py PART

healthy     nothing is wrong; options; which device
node        no node, one of another device, one without a device
permission  somebody else's node
cgroups     the device group forbids the node; the RDMA group is at its limit
plugins     none, one that does not load, no configuration, ours and Debian's
port        its interface is down
limits      little memory may be locked
netns       the device is in another network namespace; there is none left
stock       a kernel without export and import
no_module   a kernel without any RDMA module loaded

Each state gives the one problem that it is, with a line that puts it right, as
a table of at most 80 columns and as JSON that says the same.
"""

import contextlib
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

BUILD = pathlib.Path(os.environ["VM_BUILD"])
DOCTOR = BUILD / "bin" / "ibv_doctor"
OURS = BUILD / "lib" / "librxe"
DEBIAN = pathlib.Path("/usr/lib/x86_64-linux-gnu/libibverbs/librxe")
CONFIG_DIR = pathlib.Path(os.environ["IBV_CONFIG_DIR"])
NODE = pathlib.Path("/dev/infiniband/uverbs0")
NOBODY = 65534

failures = []


def check(good, what):
    if not good:
        failures.append(what)


def sh(*words):
    subprocess.run(words, check=True)


def nobody(memlock=None):
    """What a process does before it is the doctor: drop all it may do."""
    def drop():
        if memlock:
            resource.setrlimit(resource.RLIMIT_MEMLOCK, (memlock, memlock))
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    return drop


def run(*args, plugin=OURS, before=None, first=()):
    env = dict(os.environ, LC_ALL="C.UTF-8")
    for name in ("RDMAV_DRIVERS", "IBV_DRIVERS"):
        env.pop(name, None)
    if plugin:
        env["RDMAV_DRIVERS"] = str(plugin)
    return subprocess.run([*first, str(DOCTOR), *args], env=env, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          preexec_fn=before, check=False)


def parse_table(text):
    """[state, device, check, text, fix] of each row, as JSON has them."""
    rows = []
    device = None
    for line in text.splitlines():
        check(len(line) <= 80, f"{len(line)} columns: {line}")
        if line == "This machine":
            device = None
        elif line.startswith("Device "):
            device = line[len("Device "):]
        elif re.match(r"(ok|note|PROBLEM) ", line):
            state, name = line[:9].strip().lower(), line[9:22].strip()
            rows.append([state, device, name, line[22:], None])
        elif line.startswith(" " * 19 + "-> "):
            rows[-1][4] = line[22:]
        elif line.startswith(" " * 22):
            place = 3 if rows[-1][4] is None else 4
            rows[-1][place] += " " + line[22:]
        else:
            check(not line or re.fullmatch(r"(\d+|No) problems? found", line),
                  f"in the table: {line}")
    return rows


def diagnose(*args, **kwargs):
    """The findings, after looking at table, JSON and exit status."""
    table = run(*args, **kwargs)
    made = run("-j", *args, **kwargs)
    for result in (table, made):
        check(not result.stderr, f"on stderr: {result.stderr}")
    try:
        report = json.loads(made.stdout)
    except json.JSONDecodeError as error:
        check(False, f"{error}: {made.stdout}")
        return []
    found = report["findings"]
    rows = [[f["state"], f["device"], f["check"], f["text"], f["fix"]]
            for f in found]
    check(parse_table(table.stdout) == rows,
          f"table and JSON differ:\n{table.stdout}\n{made.stdout}")
    problems = [f for f in found if f["state"] == "problem"]
    check(report["problems"] == len(problems), f"{report['problems']} problems")
    status = 1 if problems else 0
    for result in (table, made):
        check(result.returncode == status,
              f"exit status {result.returncode}, not {status}")
    for problem in problems:
        check(problem["fix"], f"no fix for: {problem['text']}")
    return found


def expect(found, *problems):
    """The problems are these and no other: (check, text, fix) as patterns."""
    have = [f for f in found if f["state"] == "problem"]
    for name, text, fix in problems:
        for finding in have:
            if (finding["check"] == name and re.search(text, finding["text"])
                    and re.search(fix, finding["fix"] or "")):
                have.remove(finding)
                break
        else:
            check(False, f"no problem {name}: {text} -> {fix} in {found}")
    check(not have, f"problems too many: {have}")


def has(found, state, name, text):
    check(any(f["state"] == state and f["check"] == name
              and re.search(text, f["text"]) for f in found),
          f"no {state} {name}: {text} in {found}")


@contextlib.contextmanager
def config_dir(*names):
    """The configuration directory, with files for the plug-ins named."""
    # The next folder that is there: itself, or others' would be hidden.
    parent = CONFIG_DIR
    while not parent.is_dir():
        parent = parent.parent
    sh("mount", "-t", "tmpfs", "tmpfs", str(parent))
    try:
        CONFIG_DIR.mkdir(parents=True, exist_ok=True)
        for name in names:
            base = pathlib.Path(name).name
            (CONFIG_DIR / f"{base}.driver").write_text(
                f"# a comment\ndriver {name}\n")
        yield
    finally:
        sh("umount", str(parent))


@contextlib.contextmanager
def mounted(kind, options, target):
    sh("mount", "-t", kind, *options, kind, target)
    try:
        yield pathlib.Path(target)
    finally:
        sh("umount", target)


def healthy():
    for args in ((), ("-s",), ("-d", "rxe0"), ("--ib-dev=rxe0", "--share")):
        found = diagnose(*args)
        expect(found)
        has(found, "ok", "kernel", "^Linux 6")
        has(found, "ok", "ib_uverbs", "loaded, ABI 6")
        has(found, "ok", "library", f"^{BUILD}/lib/libibverbs")
        has(found, "ok", "plug-in", f"^rxe, {OURS}-rdmav34.so$")
        has(found, "ok", "node", f"{NODE} can be opened")
        has(found, "ok", "port", r"1: ACTIVE, Ethernet, 2 GIDs: .*"
            r"\[1\] ::ffff:10\.9\.0\.1 \(RoCE v2\)")
        has(found, "ok", "sharing", "can export and import")
        has(found, "ok", "memory lock", "no limit|does not bind")
        has(found, "ok", "fork", "safe: the kernel copies")
    found = diagnose(plugin=DEBIAN)
    expect(found)
    has(found, "ok", "plug-in", f"^rxe, {DEBIAN}-rdmav34.so$")
    expect(diagnose("-d", "rxe7"),
           ("devices", "no RDMA device rxe7", "rdma dev show"))
    # Nobody in particular may look, too.
    NODE.chmod(0o666)
    expect(diagnose(before=nobody(resource.RLIM_INFINITY)))

    usage = run("-h")
    check(usage.returncode == 0 and "--ib-dev" in usage.stdout, "help")
    for args in (("-x",), ("more",), ("-d",), ("--json=1",)):
        bad = run(*args)
        check(bad.returncode == 2 and not bad.stdout
              and "Usage:" in bad.stderr, f"{args}: {bad}")
    with open("/dev/full", "w", encoding="utf-8") as full:
        bad = subprocess.run([DOCTOR], stdout=full, text=True,
                             stderr=subprocess.PIPE, check=False)
    check(bad.returncode == 2 and "No space" in bad.stderr, f"full: {bad}")


def node():
    number = NODE.stat().st_rdev
    mode = NODE.stat().st_mode
    NODE.unlink()
    fix = r"--device=/dev/infiniband/uverbs0|mknod -m 666 \S+uverbs0 c 231 192"
    found = diagnose()
    expect(found, ("node", f"no node {NODE}", fix))
    has(found, "ok", "plug-in", f"^rxe, {OURS}-rdmav34.so \\(not in use")
    for wrong in (os.makedev(1, 3), os.makedev(231, 193)):
        os.mknod(NODE, mode, wrong)
        found = diagnose()
        has(found, "problem", "node", "not this device's node, which is 231")
        NODE.unlink()
    os.mknod(NODE, mode, number)
    expect(diagnose())


def permission():
    NODE.chmod(0o600)
    found = diagnose(before=nobody(resource.RLIM_INFINITY))
    expect(found, ("node", "no permission .*mode 0600, user 0.*65534",
                   f"chmod 666 {NODE}"))
    has(found, "ok", "plug-in", "^rxe, ")
    has(found, "ok", "port", "1: ACTIVE")
    NODE.chmod(0o666)


def cgroups():
    with mounted("cgroup2", (), "/sys/fs/cgroup") as root:
        (root / "cgroup.subtree_control").write_text("+rdma")
        for limit, problem in (("hca_handle=0", "allows 0 hca_handle"),
                               ("hca_object=0", "allows 0 hca_object"),
                               ("hca_object=9", None)):
            group = root / "outer" / "inner"
            group.mkdir(parents=True)
            (root / "outer" / "rdma.max").write_text(f"rxe0 {limit}")

            def enter(group=group):
                (group / "cgroup.procs").write_text(str(os.getpid()))

            found = diagnose(before=enter)
            name = limit.split("=", maxsplit=1)[0]
            if problem:
                expect(found, ("cgroup", f"{root}/outer/rdma.max {problem}",
                               f"echo 'rxe0 {name}=max' >{root}/outer/rdma"))
            else:
                expect(found)
                has(found, "note", "cgroup", "0 of 9 hca_object")
            # Linux 6.1 keeps a group's limit in the device's list, and when
            # the group has gone before the device it finds freed memory there.
            (root / "outer" / "rdma.max").write_text(
                "rxe0 hca_handle=max hca_object=max")
            group.rmdir()
            group.parent.rmdir()
        has(diagnose(), "ok", "cgroup", "no limit")
        (root / "cgroup.subtree_control").write_text("-rdma")

    folder = pathlib.Path("/tmp/devices")
    folder.mkdir()
    with mounted("cgroup", ("-o", "devices"), str(folder)) as root:
        group = root / "no-rdma"
        group.mkdir()
        (group / "devices.deny").write_text("c 231:* rwm")

        def enter_devices():
            (group / "cgroup.procs").write_text(str(os.getpid()))

        expect(diagnose(before=enter_devices),
               ("node", "device control group.*forbids",
                "DeviceAllow=char-infiniband_verbs"))
        group.rmdir()


def plugins():
    # No directory for the configuration, and no variable
    dir_missing = ("plug-ins", f"no directory {CONFIG_DIR}",
                   f"mkdir -p {CONFIG_DIR}")
    none = ("plug-in", "none named rxe is configured",
            r"RDMAV_DRIVERS=|echo 'driver rxe'")
    if not CONFIG_DIR.exists():
        expect(diagnose(plugin=None), dir_missing, none)
        has(diagnose(), "note", "plug-ins", f"no directory {CONFIG_DIR}")
    with config_dir():
        found = diagnose(plugin=None)
        expect(found, none)
        has(found, "note", "plug-ins", "none is configured")
    with config_dir(OURS):
        found = diagnose(plugin=None)
        expect(found)
        has(found, "ok", "plug-ins", f"1 configured in {CONFIG_DIR}; all")
        NODE.chmod(0o666)
        file = CONFIG_DIR / f"{OURS.name}.driver"
        file.chmod(0)
        expect(diagnose(plugin=None, before=nobody(resource.RLIM_INFINITY)),
               ("plug-ins", f"{file} cannot be read: Permission denied",
                f"chmod a.r {file}"), none)
    with config_dir("siwx", "/no/where/librxe"):
        found = diagnose(plugin=None)
        expect(found, ("plug-ins", f"siwx \\(of {CONFIG_DIR}/siwx.driver\\) "
                       "cannot be loaded: .*No such file", "siwx.driver"),
               ("plug-ins", "/no/where/librxe .* cannot be loaded", "librxe"),
               ("plug-in", "rxe cannot be loaded: /no/where/", "install"))

    broken = pathlib.Path("/tmp/librxe")
    pathlib.Path(f"{broken}-rdmav34.so").write_text("not ELF\n" * 1000)
    expect(diagnose(plugin=broken),
           ("plug-ins", "/tmp/librxe .of RDMAV_DRIVERS. cannot be loaded: .*"
            "invalid ELF", "RDMAV_DRIVERS"),
           ("plug-in", "rxe cannot be loaded: .*invalid ELF", "install"))
    found = diagnose(plugin=f"{broken}:{OURS}")
    expect(found, ("plug-ins", "/tmp/librxe", "RDMAV_DRIVERS"))
    has(found, "ok", "plug-in", f"^rxe, {OURS}-rdmav34.so$")


def port():
    sh("ip", "link", "set", "dummy0", "down")
    expect(diagnose(), ("port", "1: DOWN, Ethernet", "ip link set dummy0 up"))
    sh("ip", "link", "set", "dummy0", "up")
    sh("ip", "addr", "flush", "dev", "dummy0")
    found = diagnose()
    if any("no GID" in f["text"] for f in found):
        expect(found, ("port", "no GID", "ip addr add .* dev dummy0"))
    else:
        has(found, "ok", "port", "1 GID: ")
    sh("ip", "addr", "add", "10.9.0.1/24", "dev", "dummy0")


def limits():
    NODE.chmod(0o666)
    expect(diagnose(before=nobody(65536)),
           ("memory lock", "may lock 64 KiB", "ulimit -l unlimited"))
    # So little that the library warns: its warning is not on stderr here.
    expect(diagnose(before=nobody(4096)),
           ("memory lock", "may lock 4 KiB", "LimitMEMLOCK=infinity"))
    found = diagnose(before=nobody(1 << 30))
    expect(found)
    has(found, "note", "memory lock", "may lock 1048576 KiB")
    # Root is not bound by it.
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))
    has(diagnose(), "ok", "memory lock", "does not bind")


def netns():
    sh("rdma", "system", "set", "netns", "exclusive")
    found = diagnose(first=("unshare", "-n"))
    expect(found, ("node", "another network namespace",
                   "rdma dev set rxe0 netns"))
    # With the namespace's own view of sysfs
    script = 'mount -t sysfs sysfs /sys && exec "$@"'
    expect(diagnose(first=("unshare", "-n", "-m", "sh", "-c", script, "sh")),
           ("devices", "no RDMA device in this network namespace",
            "rdma system set netns shared"))
    sh("rdma", "system", "set", "netns", "shared")
    sh("rdma", "link", "del", "rxe0")
    expect(diagnose(), ("devices", "no RDMA hardware",
                        r"rdma link add rxe0 type rxe netdev \w+"))


def stock():
    found = diagnose()
    expect(found)
    has(found, "note", "sharing", "cannot export and import")
    expect(diagnose("-s"), ("sharing", "EOPNOTSUPP", "ib-uverbs-export-dkms"))


def no_module():
    expect(diagnose(),
           ("ib_uverbs", "is not loaded", "modprobe ib_uverbs"),
           ("devices", "no RDMA device", "modprobe rdma_rxe && rdma link add"))


def main():
    parts = {part.__name__: part for part in (
        healthy, node, permission, cgroups, plugins, port, limits, netns,
        stock, no_module)}
    parts[sys.argv[1]]()
    for text in failures:
        print(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
