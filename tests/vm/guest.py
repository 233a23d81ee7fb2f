# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Boots a guest with Debian's kernel, runs one job in it, judges the outcome.

The guest is QEMU in plain emulation: no KVM, no root, no host module. Its root
is the host's, read-only, so a job is any program that runs on the host.
"""

import ctypes
import dataclasses
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import time

import kernel_log

HERE = pathlib.Path(__file__).resolve().parent

# Said by the guest when it is out of time; behind it the kernel tells, asked by
# the guest itself, what it hangs on.
ALARM = "vm: still running"

# The modules every RDMA test wants; ib_uverbs itself is chosen by the caller.
RDMA_MODULES = ["crc32_generic", "dummy", "rdma_rxe", "rdma_ucm"]


class SetupError(Exception):
    """The guest cannot even be started: something is missing on the host."""


@dataclasses.dataclass
class Job:
    """What to run in the guest, and in which guest.

    vm        folder made by fetch and build-module
    command   words of the command line
    work      folder of this job on the host, made anew for each run: the only
              place that the job can write to and that outlives it
    uverbs    "ours", "stock", "none", or a path to an ib_uverbs.ko
    rxe       how many rxe devices: rxe0 on dummy0 with 10.9.0.1, and so on
    modules   names of more modules, or paths of .ko files, loaded in order
    keep      folders to be seen in the guest even beneath /tmp and its like
    env       environment of the command, beside PATH, HOME and VM_*
    """

    vm: pathlib.Path
    command: list
    work: pathlib.Path
    uverbs: str = "ours"
    rxe: int = 1
    modules: list = dataclasses.field(default_factory=list)
    keep: list = dataclasses.field(default_factory=list)
    env: dict = dataclasses.field(default_factory=dict)
    smp: int = 1
    memory: int = 1024
    append: str = "slub_debug=FZPU"
    timeout: float = 120
    kernel: pathlib.Path = None


@dataclasses.dataclass
class Outcome:
    """What became of a job. It passed only if `problems` and `complaints` are
    empty and `status` is 0; `status` is None when its end was not seen.

    complaints  what the guest's kernel complained of
    problems    everything else that speaks against the run
    """

    status: int
    output: str
    problems: list
    complaints: list
    log: pathlib.Path
    seconds: float


def _read(path):
    try:
        return path.read_text(errors="replace")
    except OSError:
        return None


def _uverbs_path(job):
    if job.uverbs == "ours":
        path = job.vm / "module" / "ib_uverbs.ko"
    else:
        path = pathlib.Path(job.uverbs).resolve()
    if not path.is_file():
        raise SetupError(f"no {path}: run build-module first")
    return path


def _start_script(job, kernel, release):
    """The shell script that the guest's init runs in the host's root."""
    q = shlex.quote
    probe = f"modprobe -C /dev/null -d {q(str(kernel))} -S {q(release)}"
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    lines = [
        "# Made by tests/vm/guest.py",
        f"PATH={path} HOME=/tmp LC_ALL=C.UTF-8",
        f"VM_WORK={q(str(job.work))} VM_RELEASE={q(release)}",
        f"VM_UVERBS={q(job.uverbs)}",
        "export PATH HOME LC_ALL VM_WORK VM_RELEASE VM_UVERBS",
        'fail() { echo "vm: $*"; echo "$*" >"$VM_WORK/setup-error"; exit 1; }',
        # RDMA programs pin what they register
        "ulimit -l unlimited",
        # Addresses usable at once: no wait for duplicate address detection
        "echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad",
    ]

    def load(name):
        if "/" in str(name):
            lines.append(f"insmod {q(str(name))} || fail 'cannot load {name}'")
        else:
            lines.append(f"{probe} {q(name)} || fail 'cannot load {name}'")

    modules = list(RDMA_MODULES if job.rxe or job.uverbs != "none" else [])
    if job.uverbs == "none":
        modules = [m for m in modules if m not in ("rdma_ucm", "rdma_rxe")]
        if job.rxe:
            raise SetupError("rxe devices need an ib_uverbs")
    elif job.uverbs == "stock":
        modules.insert(0, "ib_uverbs")
    else:
        # What it depends on, as the stock one does, and then it alone: the
        # modules that need it find it loaded.
        lines.append(
            f"for ko in $({probe} --show-depends ib_uverbs | "
            "sed -n 's/^insmod \\([^ ]*\\).*/\\1/p' | "
            "grep -v '/ib_uverbs[.]ko'); do\n"
            '\tinsmod "$ko" || fail "cannot load $ko"\ndone'
        )
        load(_uverbs_path(job))
    for name in modules + list(job.modules):
        load(name)
    for i in range(job.rxe):
        lines.append(
            # A fixed address, so that GUIDs and GIDs are the same each time
            f"ip link add dummy{i} address 02:00:0a:09:{i:02x}:01 "
            f"type dummy && "
            f"ip addr add 10.9.{i}.1/24 dev dummy{i} && "
            f"ip link set dummy{i} up && "
            f"rdma link add rxe{i} type rxe netdev dummy{i} || "
            f"fail 'cannot make rxe{i}'"
        )
    for name, value in job.env.items():
        lines.append(f"export {name}={q(value)}")
    lines.append('cd "$VM_WORK" || fail "no work folder"')
    # The one proof that setup was passed
    lines.append('echo ready >"$VM_WORK/ready"')
    lines.append("exec " + " ".join(q(str(word)) for word in job.command))
    return "\n".join(lines) + "\n"


def _qemu_command(job, kernel, release):
    for option in (job.work, *job.keep):
        if any(c in str(option) for c in ", :"):
            raise SetupError(f"no comma, colon or space in {option}, please")
    keep = ":".join(str(k) for k in job.keep)
    # no_timer_check: on a busy host the emulated timer may be late for the
    # kernel's check of it at boot, which is a panic.
    # numdummies: for a module, by modprobe, as well as in a kernel that has it
    # built in; dummy0 is made by the start script.
    append = (
        f"console=ttyS0 panic=-1 oops=panic loglevel=6 log_buf_len=4M "
        f"no_timer_check random.trust_cpu=on mitigations=off dummy.numdummies=0 "
        f"{job.append} "
        f"vm.job={job.work} vm.keep={keep} "
        f"vm.alarm={int(time.time() + job.timeout) - 5}"
    )
    image = kernel / "boot" / "vmlinux"
    if not image.is_file():
        image = kernel / "boot" / f"vmlinuz-{release}"
    share = "security_model=none,multidevs=remap"
    return [
        "qemu-system-x86_64",
        "-nodefaults", "-no-user-config", "-nographic", "-no-reboot",
        "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max",
        "-smp", str(job.smp), "-m", str(job.memory),
        "-kernel", str(image),
        "-initrd", str(kernel / "initramfs"),
        "-append", append,
        "-serial", f"file:{job.work}/console",
        "-virtfs", f"local,path=/,mount_tag=root,readonly=on,{share}",
        "-virtfs", f"local,path={job.work},mount_tag=job,{share}",
    ]


def _die_with_parent():
    """In QEMU's process: go when the parent goes, even by SIGKILL."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def _stop(process):
    if process.poll() is None:
        process.kill()
    process.wait()


def _wait(process, seconds):
    """True when QEMU ended by itself. It is stopped in any case, also when
    this process is told to end."""
    def told(signum, _frame):
        raise SystemExit(128 + signum)

    old = {s: signal.signal(s, told) for s in (signal.SIGTERM, signal.SIGHUP)}
    try:
        process.wait(timeout=seconds)
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        _stop(process)
        for s, handler in old.items():
            signal.signal(s, handler)


def _judge(job, ended, qemu_status, qemu_text):
    """The job's status, and all that speaks against the run beside it."""
    problems = []
    work = job.work
    console = _read(work / "console") or ""
    dmesg = _read(work / "dmesg")
    status_text = _read(work / "status")
    status = None

    console, _, hangs = console.partition(ALARM)
    if hangs:
        ended = False
    if not ended:
        problems.append(f"timed out after {job.timeout:g} s")
    elif qemu_status != 0:
        problems.append(f"QEMU ended with {qemu_status}")
    setup = _read(work / "setup-error")
    if setup is not None:
        problems.append(f"the guest could not be set up: {setup.strip()}")
    elif _read(work / "ready") is None:
        problems.append("the command was never started")

    if status_text is None:
        problems.append("the command's exit status never arrived")
    else:
        try:
            status = int(status_text)
        except ValueError:
            problems.append(f"not an exit status: {status_text!r}")
    end = _read(work / "end")
    if status_text is not None and end != status_text:
        problems.append("the guest did not end in good order")

    complaints = kernel_log.complaints(console)
    if dmesg is not None:
        # dmesg has lines that the console's log level leaves out
        complaints = max(
            complaints, kernel_log.complaints(dmesg.partition(ALARM)[0]),
            key=len)
    if end is not None:
        if dmesg is None or "vm: start" not in dmesg:
            problems.append("the guest's kernel log is missing or cut short")
        complaints += kernel_log.taint_complaints(
            (_read(work / "taint") or "missing").strip())
        before, after = _read(work / "lockdep.before"), _read(work / "lockdep")
        if before is not None and (
                after is None or not after.split()[-1:] == ["1"]):
            complaints.append("lockdep turned itself off")
        leaks = _read(work / "kmemleak")
        if leaks:
            complaints += ["kmemleak:"] + leaks.splitlines()
    if (not ended or status is None) and not complaints:
        problems += ["end of the console:"] + console.splitlines()[-30:]
        problems += [ALARM + hangs.splitlines()[0]] if hangs else []
        problems += hangs.splitlines()[1:100]
    # Its warnings alone say nothing against a guest that did all it should.
    if problems and qemu_text.strip():
        problems += ["QEMU said:"] + qemu_text.strip().splitlines()
    return status, problems, complaints


def explain(outcome):
    """Lines that tell what speaks against an outcome; none where nothing."""
    lines = list(outcome.problems)
    if outcome.complaints:
        lines += ["the guest's kernel complained:"] + outcome.complaints
    if lines:
        lines.append(f"FAILED; the whole log is {outcome.log}")
    return [f"vm: {line}" for line in lines]


def run(job):
    """Boot, run, judge. Raises SetupError when there is nothing to boot."""
    kernel = (job.kernel or job.vm / "kernel").resolve()
    release = _read(kernel / "release")
    if release is None or not (kernel / "initramfs").is_file():
        raise SetupError(f"no kernel in {kernel}: run fetch first")
    release = release.strip()
    if not shutil.which("qemu-system-x86_64"):
        raise SetupError("no qemu-system-x86_64: see ./build.sh deps")
    job.work = pathlib.Path(os.path.abspath(job.work))
    job.keep = [pathlib.Path(os.path.abspath(k)) for k in job.keep]
    job.keep += [HERE.parents[1], kernel]
    if job.work.exists():
        shutil.rmtree(job.work)
    job.work.mkdir(parents=True)
    start = _start_script(job, kernel, release)
    (job.work / "start").write_text(start)

    began = time.monotonic()
    with open(job.work / "qemu", "wb") as said:
        process = subprocess.Popen(
            _qemu_command(job, kernel, release), stdin=subprocess.DEVNULL,
            stdout=said, stderr=subprocess.STDOUT,
            preexec_fn=_die_with_parent)
        ended = _wait(process, job.timeout)
    seconds = time.monotonic() - began
    status, problems, complaints = _judge(
        job, ended, process.returncode, _read(job.work / "qemu") or "")
    return Outcome(
        status=status,
        output=_read(job.work / "output") or "",
        problems=problems,
        complaints=complaints,
        log=job.work / "console",
        seconds=seconds,
    )
