#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""A device that the user may not open, on Debian's library and on ours.

udev sets a node's permissions and then makes the link in /dev/char, so that a
node that cannot be opened is worth waiting for only while there is no link.
Debian's waits for 5 s all the same.
"""

import ctypes
import errno
import os
import pathlib
import subprocess
import sys
import time

BUILD = pathlib.Path(os.environ["VM_BUILD"])
DEBIAN = pathlib.Path("/usr/lib/x86_64-linux-gnu")
LIBRARIES = {"Debian's": DEBIAN, "ours": BUILD / "lib"}
NODE = "/dev/infiniband/uverbs0"
NOBODY = 65534


def open_it(lib):
    """The child: prints errno (0 is good) and how many seconds it took."""
    lib.ibv_get_device_list.restype = ctypes.POINTER(ctypes.c_void_p)
    lib.ibv_open_device.restype = ctypes.c_void_p
    lib.ibv_open_device.argtypes = [ctypes.c_void_p]
    devices = lib.ibv_get_device_list(None)
    assert devices and devices[0], "no device"
    begin = time.monotonic()
    context = lib.ibv_open_device(devices[0])
    err = ctypes.get_errno()
    print(0 if context else err, time.monotonic() - begin)


def start(library):
    return subprocess.Popen(
        [sys.executable, __file__, "open"], stdout=subprocess.PIPE, text=True,
        user=NOBODY, group=NOBODY, extra_groups=[],
        env={**os.environ, "LD_LIBRARY_PATH": str(library),
             "RDMAV_DRIVERS": str(DEBIAN / "libibverbs" / "librxe")})


def result(child):
    out = child.communicate()[0].split()
    assert child.returncode == 0 and len(out) == 2, out
    return int(out[0]), float(out[1])


def main():
    failures = []
    rdev = os.stat(NODE).st_rdev
    link = pathlib.Path(f"/dev/char/{os.major(rdev)}:{os.minor(rdev)}")
    mode = os.stat(NODE).st_mode & 0o777
    link.parent.mkdir(exist_ok=True)
    link.unlink(missing_ok=True)
    os.chmod(NODE, 0o600)

    link.symlink_to(NODE)
    took = {}
    for who, library in LIBRARIES.items():
        err, took[who] = result(start(library))
        if err != errno.EACCES:
            failures.append(f"{who}: errno {err}, not EACCES")
    # However slow the machine is
    if took["ours"] > took["Debian's"] / 2:
        failures.append(f"a finished node that one may not open: {took}")
    link.unlink()

    for who, library in LIBRARIES.items():
        child = start(library)
        time.sleep(3)
        os.chmod(NODE, 0o666)
        link.symlink_to(NODE)
        err, _ = result(child)
        if err:
            failures.append(f"{who}: udev came late: errno {err}")
        link.unlink()
        os.chmod(NODE, 0o600)

    os.chmod(NODE, mode)
    print("\n".join(failures), end="\n" if failures else "")
    return bool(failures)


if __name__ == "__main__":
    if sys.argv[1:] == ["open"]:
        open_it(ctypes.CDLL("libibverbs.so.1", use_errno=True))
    else:
        sys.exit(main())
