# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""The command line options that say what guest a job gets."""

import pathlib

import guest


def add(parser):
    """Add them to an argparse parser."""
    add_one = parser.add_argument
    add_one("--vm", required=True, type=pathlib.Path, metavar="DIR",
            help="folder made by fetch and build-module")
    add_one("--work", type=pathlib.Path, metavar="DIR",
            help="the job's folder, made anew: console log, output, and\n"
            "what is written into $VM_WORK (default: VM/run/NAME)")
    add_one("--uverbs", default="ours", metavar="WHICH",
            help="ours, stock, none, or a path to an ib_uverbs.ko")
    add_one("--rxe", type=int, metavar="N",
            help="rxe devices rxe0.. on dummy0.. (default 1, or 0 with\n"
            "--uverbs none); rxeN has 10.9.N.1, as GID index 1")
    add_one("--module", action="append", default=[], metavar="NAME",
            help="one more module, by name or by path")
    add_one("--keep", action="append", default=[], metavar="DIR",
            type=pathlib.Path,
            help="folder to be seen in the guest even beneath /tmp, /var/tmp\n"
            "or /run, which are empty there")
    add_one("--env", action="append", default=[], metavar="NAME=VALUE")
    add_one("--smp", type=int, default=1, metavar="N")
    add_one("--memory", type=int, default=guest.Job.memory, metavar="MIB")
    add_one("--append", default=guest.Job.append, metavar="WORDS",
            help="kernel command line (default: %(default)s)")
    add_one("--timeout", type=float, default=guest.Job.timeout,
            metavar="SECONDS")
    add_one("--kernel", type=pathlib.Path, metavar="DIR",
            help="another kernel, in a folder shaped like VM/kernel")
    add_one("--verbose", action="store_true",
            help="tell how long it took and where the log is")


def job(parser, args, name, command):
    """The guest.Job that parsed options and a command stand for."""
    env = {}
    for setting in args.env:
        key, equals, value = setting.partition("=")
        if not equals or not key.isidentifier():
            parser.error(f"--env {setting}: not NAME=VALUE")
        env[key] = value
    vm = args.vm.resolve()
    if args.rxe is None:
        args.rxe = 0 if args.uverbs == "none" else 1
    keep = args.keep + [vm]
    if "/" in command[0]:
        keep.append(pathlib.Path(command[0]).parent)
    return guest.Job(
        vm=vm, command=command, work=args.work or vm / "run" / name,
        uverbs=args.uverbs, rxe=args.rxe, modules=args.module, keep=keep,
        env=env, smp=args.smp, memory=args.memory, append=args.append,
        timeout=args.timeout, kernel=args.kernel)
