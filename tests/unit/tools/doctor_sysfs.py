#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""ibv_doctor with a sysfs of made-up devices: states of ports, absurd files.

usage: doctor_sysfs.py IBV_DOCTOR
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

DOCTOR = sys.argv[1]
NAME = "nosuch_0"
ZERO_GID = "0000:0000:0000:0000:0000:0000:0000:0000"
IB_GID = "fe80:0000:0000:0000:0002:c903:0000:0001"
IPV4_GID = "0000:0000:0000:0000:0000:ffff:0a09:0001"

failures = []


def check(good, what):
    if not good:
        failures.append(what)


def write(root, path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


def make_port(root, number="1", state="4: ACTIVE\n", link="Ethernet\n",
              lid="0x0\n", gids=(ZERO_GID,), netdev=None, gid_type=None):
    port = pathlib.Path("class/infiniband") / NAME / "ports" / number
    for name, text in (("state", state), ("link_layer", link), ("lid", lid)):
        if text is not None:
            write(root, port / name, text)
    for index, gid in enumerate(gids):
        write(root, port / "gids" / str(index), f"{gid}\n")
        if netdev:
            write(root, port / "gid_attrs/ndevs" / str(index), f"{netdev}\n")
        if gid_type:
            write(root, port / "gid_attrs/types" / str(index), f"{gid_type}\n")


def diagnose(root):
    env = dict(os.environ, SYSFS_PATH=str(root))
    done = subprocess.run([DOCTOR, "-j", "-d", NAME], env=env,
                          capture_output=True, check=False)
    check(done.returncode in (0, 1) and not done.stderr, f"{done}")
    try:
        return json.loads(done.stdout.decode("utf-8"))["findings"]
    except ValueError as error:
        check(False, f"{error}: {done.stdout}")
        return []


def port_is(wanted, **port):
    """A device with one such port has this finding: (state, text, fix)."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        make_port(root, **port)
        have = [(f["state"], f["text"], f["fix"]) for f in diagnose(root)
                if f["check"] == "port"]
        check(have == [wanted], f"{have} instead of {wanted}")


def ports():
    ib = {"link": "InfiniBand\n", "gids": (IB_GID, ZERO_GID)}
    port_is(("ok", "1: ACTIVE, InfiniBand, LID 26, GID [0] fe80::2:c903:0:1",
             None), lid="0x1a\n", **ib)
    port_is(("problem", "1: ACTIVE, InfiniBand, but it has no LID",
             "see what the subnet manager says of this port"), **ib)
    opensm = "run a subnet manager in this fabric: systemctl start opensm"
    for state in ("2: INIT", "3: ARMED"):
        port_is(("problem", f"1: {state[3:]}, InfiniBand", opensm),
                state=state + "\n", **ib)
    port_is(("problem", "1: DOWN, InfiniBand", "see whether the cable is in, "
             "and the port enabled at both ends: ibstat"),
            state="1: DOWN\n", **ib)
    port_is(("problem", "1: DOWN, Ethernet",
             "ip link set eth7 up; if it is up, see to its cable"),
            state="1: DOWN\n", gids=(IPV4_GID,), netdev="eth7")
    port_is(("problem", "1: DOWN, Ethernet", "set its network interface up: "
             "rdma link show; ip link set INTERFACE up"), state="1: DOWN\n")
    port_is(("problem", "1: ACTIVE, Ethernet, but it has no GID", "give its "
             "network interface an address: ip addr add ADDRESS/LENGTH dev "
             "INTERFACE"))
    port_is(("ok", "1: ACTIVE, Ethernet, 4 GIDs: [1] ::ffff:10.9.0.1 "
             "(RoCE v2), [2] ::ffff:10.9.0.1 (RoCE v2)", None),
            gids=(ZERO_GID, *[IPV4_GID] * 4), gid_type="RoCE v2",
            netdev="eth7")


def absurd():
    unread = ("note", "1: its state cannot be read", None)
    port_is(unread, state=None)
    port_is(unread, link=None)
    port_is(unread, state="x" * 5000)
    port_is(unread, link="x" * 31 + "\n")
    port_is(("problem", "1: \u0001\ufffd\", Ethernet", "set its network "
             "interface up: rdma link show; ip link set INTERFACE up"),
            state=b"1: \x01\xff\"\n")
    no_gid = ("problem", "1: ACTIVE, Ethernet, but it has no GID", "give its "
              "network interface an address: ip addr add ADDRESS/LENGTH dev "
              "INTERFACE")
    port_is(no_gid, gids=("not a GID", "", "1" * 60, ":" * 39, "1.2.3.4"))
    port_is(no_gid, lid="zz\n")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for number in ("1", "255", "1000", "x", "-1", "1 "):
            make_port(root, number=number, gids=(IPV4_GID,))
        check(sum(f["check"] == "port" for f in diagnose(root)) == 2, "ports")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "class/infiniband" / NAME).mkdir(parents=True)
        check(any(f["text"].startswith("nothing in ") for f in diagnose(root)),
              "no ports at all")


def node():
    verbs = pathlib.Path("class/infiniband_verbs")

    def finding(root):
        return next(f for f in diagnose(root) if f["check"] == "node")

    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        make_port(root)
        found = finding(root)
        check(found["state"] == "problem" and found["fix"] ==
              "modprobe ib_uverbs" and "not loaded" in found["text"],
              f"no uverbs: {found}")
        write(root, verbs / "abi_version", "6\n")
        write(root, verbs / "uverbs977/ibdev", NAME + "\n")
        for number in ("231:977\n", "", "x:y\n", "231\n",
                       "99999999999999:1\n"):
            write(root, verbs / "uverbs977/dev", number)
            found = finding(root)
            check(found["text"] == "there is no node /dev/infiniband/uverbs977",
                  f"{number!r}: {found}")
        write(root, verbs / "uverbs977/ibdev", "x" * 5000)
        check(finding(root)["text"] == "the kernel has no uverbs device for it",
              "an absurd name")


def nothing():
    with tempfile.TemporaryDirectory() as folder:
        found = diagnose(pathlib.Path(folder))
        check(any(f["check"] == "devices" and f["state"] == "problem" and
                  NAME in f["text"] for f in found), f"no device: {found}")


def main():
    for part in (ports, absurd, node, nothing):
        part()
    for text in failures:
        print(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
