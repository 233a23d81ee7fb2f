# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Import against registration: sizes of the region, numbers of processes."""

import json
import subprocess

from measure.row import Row
from measure.sides import BenchError, Worker

MIB = 1 << 20
# A registration of more than that is measured in few rounds.
LARGE = 64 * MIB
# More processes than that do not register for themselves: see README.md.
MOST_REGISTERED = 16


def text(size):
    """4 KiB, 16 MiB, 1 GiB"""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size //= 1024
    return f"{size} {unit}"


def import_rows(side, bin_dir, size, rounds):
    """Regions of all sizes at once, so that each round looks at all."""
    sizes = size.regions
    worker = Worker(side, bin_dir / "bench_import")
    for length in sizes:
        worker.ask("region", length)
    times = 16
    imports = {length: [] for length in sizes}
    registrations = {length: [] for length in sizes}
    queries = []
    for number in range(rounds):
        order = list(enumerate(sizes))
        if number % 2:
            order.reverse()
        queries.append(worker.ask("query", times) / times)
        for index, length in order:
            if length <= LARGE or number < 3:
                registrations[length].append(worker.ask("register", index))
            imports[length].append(worker.ask("import", index, times) / times)
    worker.end()

    rows = []
    for length in sizes:
        rows.append(Row("import", text(length), "ns", "import", "registration",
                        list(zip(imports[length], registrations[length]))))
    for length in sizes:
        rows.append(Row("import", text(length), "ns", "import",
                        "a bare query ioctl",
                        list(zip(imports[length], queries)),
                        3 if length == sizes[-1] else None))
    small = min(sizes, key=lambda length: abs(length - MIB))
    rows.append(Row("import", text(sizes[-1]), "ns", "import",
                    f"import of {text(small)}",
                    list(zip(imports[sizes[-1]], imports[small])), 1.1))
    return rows


def kernel_mrs():
    """Memory regions that the kernel has"""
    done = subprocess.run(["rdma", "-j", "resource", "show"], check=True,
                          stdout=subprocess.PIPE)
    return sum(device.get("mr", 0) for device in json.loads(done.stdout))


def _set_up(side, bin_dir, how, count, length):
    """(nanoseconds, pinned bytes, MRs) for so many processes"""
    before = kernel_mrs()
    worker = Worker(side, bin_dir / "bench_processes", how, count, length)
    took, pinned = worker.line().split()
    mrs = kernel_mrs() - before
    worker.end()
    if mrs <= 0:
        raise BenchError(f"{count} processes {how}: {mrs} MRs")
    return int(took), int(pinned) * 1024, mrs


def process_rows(side, bin_dir, size, rounds):
    """N processes over one region: each registers, or all import."""
    length = size.shared
    imported = {count: [] for count in size.processes}
    registered = {count: [] for count in size.processes
                  if count <= MOST_REGISTERED}
    for number in range(rounds):
        for count in size.processes:
            imported[count].append(
                _set_up(side, bin_dir, "imported", str(count), str(length)))
            if count in registered and (count < 8 or number == 0):
                registered[count].append(
                    _set_up(side, bin_dir, "registered", str(count),
                            str(length)))
    measures = ["ns until all are set up", "bytes pinned", "MRs in the kernel"]
    rows = []
    for index, measure in enumerate(measures):
        for count in registered:
            rows.append(Row(
                "processes", f"{count} × {text(length)}", measure, "imported",
                "registered", [(a[index], b[index]) for a, b in
                               zip(imported[count], registered[count])]))
        for count in size.processes[1:]:
            last = count == size.processes[-1]
            # Pages and MRs do not grow at all; the last process must import,
            # too, and be given a processor for that.
            goal = (1.5 if index == 0 else 1) if last else None
            rows.append(Row(
                "processes", f"{count} × {text(length)}", measure, "imported",
                "imported by 1", [(a[index], b[index]) for a, b in
                                  zip(imported[count], imported[1])], goal))
    return rows
