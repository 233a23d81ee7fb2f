# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""What in a kernel's log or state is a complaint, and so fails a test."""

import re

# A line that matches starts a complaint. Wide on purpose: a false alarm is
# looked at once, a missed one never.
_COMPLAINT = re.compile(
    r"""
      \bWARNING:
    | \bBUG\b
    | \bOops\b
    | [Kk]ernel\ panic
    | \[\ cut\ here\ \]
    | Call\ Trace:
    | refcount_t:
    | \b(KASAN|KCSAN|KMSAN|KFENCE|UBSAN|ODEBUG|DEBUG_LOCKS_WARN_ON)\b
    | \bINFO:\ (task|rcu|trying|possible|lockdep)
    | \brcu: .*\b(stall|detected)
    | detected\ stalls? | self-detected\ stall | [Ss]oft\ lockup | LOCKUP
    | possible\ (recursive|circular|irq|deadlock)
    | suspicious\ RCU | inconsistent\ lock\ state | bad\ unlock\ balance
    | lock\ held | held\ lock | still\ has\ locks\ held
    | invalid\ context | while\ atomic
    | list_(add|del)\ corruption | \bcorruption\b
    | Poison\ overwritten | [Rr]edzone | Padding\ overwritten
    | Objects\ remaining | unreferenced\ object
    | general\ protection\ fault | double\ fault | invalid\ opcode
    | divide\ error | stack\ guard | stack-protector
    | unable\ to\ handle | null-ptr-deref | use-after-free
    | unregister_netdevice:\ waiting
    | page\ allocation\ failure | \boom-kill | Out\ of\ memory
    | \bUnable\ to\ mount | not\ syncing
    """,
    re.VERBOSE,
)

# Said by a healthy debug kernel at boot. Whole lines: no report may hide behind
# the same words.
_HARMLESS = re.compile(
    r"""
    ^(<\d>)? (\[\ *\d+\.\d+\]\ )?
    (
      ODEBUG:\ selftest\ passed
    | rcu:\ \tRCU\ callback\ double-/use-after-free\ debug\ is\ enabled\.
    )$
    """,
    re.VERBOSE,
)

# Bits of /proc/sys/kernel/tainted that tell of trouble in the kernel, not of
# what was loaded into it.
_TAINTS = {
    1: "a module was forced in",
    3: "a module was forced out",
    4: "machine check",
    5: "bad page",
    7: "oops",
    9: "warning",
    14: "soft lockup",
}

# How much of the log behind a complaint is shown with it
_CONTEXT = 30


def complaints(text):
    """Lines of a kernel log that complain, each with the lines behind it."""
    lines = text.replace("\r", "").splitlines()
    found = []
    shown = -1
    for i, line in enumerate(lines):
        if not _COMPLAINT.search(line) or _HARMLESS.search(line):
            continue
        end = min(i + _CONTEXT, len(lines))
        for j in range(max(i, shown + 1), end):
            found.append(lines[j])
        shown = max(shown, end - 1)
    return found


def taint_complaints(value):
    """What the number in /proc/sys/kernel/tainted says of trouble."""
    try:
        bits = int(value)
    except ValueError:
        return [f"kernel taint is not a number: {value!r}"]
    return [
        f"kernel is tainted ({bits}): {what}"
        for bit, what in _TAINTS.items()
        if bits >> bit & 1
    ]
