# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""The libraries and plug-ins that are compared, and programs on them."""

import os
import pathlib
import subprocess

DEBIAN = pathlib.Path("/usr/lib/x86_64-linux-gnu")


class BenchError(Exception):
    """A program did not do what it is there for."""


class Side:
    """A library and a plug-in."""

    def __init__(self, name, build):
        ours = pathlib.Path(build) / "lib"
        self.name = name
        self.env = dict(os.environ)
        library, plugin = {
            "debian": (DEBIAN, DEBIAN / "libibverbs"),
            "mixed": (ours, DEBIAN / "libibverbs"),
            "ours": (ours, ours),
        }[name]
        self.files = [(library / "libibverbs.so.1").resolve(),
                      (plugin / "librxe-rdmav34.so").resolve()]
        self.env["LD_LIBRARY_PATH"] = str(library)
        if name == "debian":
            self.env.pop("RDMAV_DRIVERS", None)
        else:
            self.env["RDMAV_DRIVERS"] = str(plugin / "librxe")

    def output(self, *command):
        """What a command says on this side, its warnings aside."""
        done = subprocess.run(command, env=self.env, text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode:
            raise BenchError(f"{self.name}: {' '.join(map(str, command))} "
                             f"ended with {done.returncode}\n{done.stdout}"
                             f"{done.stderr}")
        return done.stdout

    def check(self, words):
        """That a program runs on the files of this side."""
        used = [pathlib.Path(word).resolve() for word in words]
        if used != self.files:
            raise BenchError(f"{self.name} ran on {used}")


class Worker:
    """A program that answers each line with the nanoseconds that it took."""

    def __init__(self, side, *command):
        self.what = f"{side.name}: {' '.join(map(str, command))}"
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(
            command, env=side.env, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def line(self):
        """Its next line."""
        line = self.process.stdout.readline()
        if not line:
            raise BenchError(f"{self.what} ended with {self.process.wait()}")
        return line

    def ask(self, *words):
        """Nanoseconds"""
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        return int(self.line())

    def end(self):
        """Let it go, and see that it ends well."""
        self.process.stdin.close()
        if self.process.wait():
            raise BenchError(f"{self.what} ended with "
                             f"{self.process.returncode}")
        self.process.stdout.close()
