#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
The public headers compile in C and C++ without a warning: each alone, all of
them in both orders, and among the other RDMA headers of the system, whichever
comes first.  Names, too, that users get by them: <infiniband/verbs.h> brings
the system headers that Debian's brings.
"""

import os
import re
import shutil

import abi

HEADERS = ["share.h"] + abi.HEADERS
# Headers of others that programs include next to verbs.h; the first ones are
# the kernel's, which share names with the library's.
KERNEL = [
    "rdma/ib_user_ioctl_verbs.h",
    "rdma/ib_user_ioctl_cmds.h",
    "rdma/ib_user_verbs.h",
    "rdma/ib_user_sa.h",
    "rdma/rdma_user_ioctl.h",
]
OTHERS = [
    "rdma/rdma_cma.h",
    "rdma/rdma_verbs.h",
    "rdma/rsocket.h",
    "rdma/rdma_cma_abi.h",
    "infiniband/mlx5dv.h",
    "infiniband/mlx4dv.h",
    "infiniband/efadv.h",
    "infiniband/manadv.h",
    "infiniband/umad.h",
    "infiniband/ib.h",
]
# What C and C++ sources may rely on after verbs.h alone
USES = """
union ibv_gid gid;
enum uverbs_default_objects object = UVERBS_OBJECT_PD;
enum rdma_driver_id driver = RDMA_DRIVER_MANA;
__be32 imm;
pthread_mutex_t mutex;
struct timespec stamp;
size_t offset = offsetof(struct ibv_qp_ex, wr_id);
uint64_t number = UINT64_MAX;
ssize_t length = -1;
int use(void);
int use(void)
{
	memset(&gid, 0, sizeof(gid));
	errno = EOPNOTSUPP;
	return errno;
}
"""


def compilers(names):
    """Those of the names that are there, one name for each"""
    found = {}
    for name in names:
        path = shutil.which(name)
        if path:
            found.setdefault(os.path.realpath(path), name)
    return list(found.values())


def language_runs():
    """(compiler, source suffix, options): strict and GNU, gcc and clang"""
    for compiler in compilers([abi.CC, "gcc", "clang"]):
        yield compiler, "c", ["-std=c11"]
        yield compiler, "c", ["-std=c11", "-D_GNU_SOURCE"]
        yield compiler, "c", ["-std=gnu11"]
    # C++ compilers define _GNU_SOURCE themselves.
    for compiler in compilers([abi.CXX, "g++", "clang++"]):
        yield compiler, "cc", ["-std=c++17"]
        yield compiler, "cc", ["-std=gnu++20"]


def system_has(header):
    return os.path.exists(os.path.join("/usr/include", header))


def includes(headers):
    return "".join(f"#include <{h}>\n" for h in headers)


def compile_all(workdir, label, sources, options):
    """Compile {name: text} with every compiler, all files in one run."""
    for compiler, suffix, std in language_runs():
        paths = []
        for name, text in sources.items():
            path = os.path.join(workdir, f"{name}.{suffix}")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            paths.append(path)
        try:
            abi.run(
                [compiler, "-I", abi.OURS]
                + std
                + abi.WARN
                + options
                + ["-fsyntax-only"]
                + paths
            )
        except abi.Failed as e:
            raise abi.Failed(f"{label}: {e}") from None


def own_sources():
    every = [f"infiniband/{h}" for h in HEADERS if h not in abi.OBSOLETE]
    sources = {
        "alone_" + re.sub(r"\W", "_", h): includes([h, h]) + "extern int x;\n"
        for h in every
    }
    sources["forwards"] = includes(every) + USES
    sources["backwards"] = includes(reversed(every)) + USES
    sources["verbs"] = includes(["infiniband/verbs.h"]) + USES
    sources["share"] = includes(["infiniband/share.h"]) + USES
    # One definition, whoever comes first
    for k in KERNEL:
        name = re.sub(r"\W", "_", k)
        sources["before_" + name] = includes([k] + every) + USES
        sources["after_" + name] = includes(every + [k]) + USES
    return sources


def other_sources():
    others = [h for h in OTHERS if system_has(h)]
    every = [f"infiniband/{h}" for h in HEADERS if h not in abi.OBSOLETE]
    return {
        "others_before": includes(others + every) + USES,
        "others_after": includes(every + others) + USES,
        "others_mixed": includes(
            [h for pair in zip(others, every) for h in pair] + KERNEL
        ),
    }


def obsolete_sources():
    return {
        re.sub(r"\W", "_", h): includes([f"infiniband/{h}"] * 2)
        + "extern int x;\n"
        for h in abi.OBSOLETE
    }


def system_headers(include, workdir):
    """The system's headers that come with verbs.h, by name below a root"""
    source = os.path.join(workdir, "deps.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(includes(["infiniband/verbs.h"]))
    deps = abi.run(
        [abi.CC, "-std=gnu11", "-M"] + abi.include_flags(include) + [source]
    )
    files = re.findall(r"/usr/\S+\.h", deps)
    return {f for f in files if "/infiniband/" not in f}


def test(workdir):
    compile_all(workdir, "own headers", own_sources(), ["-pedantic"])
    # mlx5dv.h includes an intrinsics header that wants SSSE3, and Debian's
    # headers are not written for -pedantic.
    abi.debian_include()
    flags = ["-mssse3"] if os.uname().machine == "x86_64" else []
    compile_all(workdir, "with others' headers", other_sources(), flags)
    # Debian's warn as well; their warning is no more pedantic than ours.
    compile_all(workdir, "obsolete headers", obsolete_sources(), ["-Wno-cpp"])
    lost = system_headers(abi.debian_include(), workdir) - system_headers(
        abi.OURS, workdir
    )
    if lost:
        raise abi.Failed(
            "verbs.h does not bring these, as Debian's does: "
            + ", ".join(sorted(lost))
        )


abi.main(test)
