#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""ibv_shares with lists of the kernel's format, and with others.

usage: shares.py IBV_SHARES
"""

import json
import random
import re
import subprocess
import sys

SHARES = sys.argv[1]
HEADER = (b"# device\ttype\tid\taliases\thandle\tfile\tpid\tcomm\tmaker\t"
          b"bytes\n")
GIB = 1 << 30
GOOD = HEADER + b"".join(b"%b\n" % b"\t".join(line) for line in (
    (b"mlx5_0", b"pd", b"4", b"2", b"0", b"11", b"812", b"server", b"812",
     b"0"),
    (b"mlx5_0", b"pd", b"4", b"2", b"4294967295", b"12", b"0", b"-", b"812",
     b"0"),
    (b"mlx5_0", b"mr", b"4", b"1", b"1", b"11", b"812",
     b'a\\011b\\012c\\134d"\\377', b"0", b"%d" % GIB),
    (b"rxe0", b"pd", b"4", b"0", b"-", b"0", b"0", b"-", b"0", b"0"),
    # A later kernel's
    (b"rxe0", b"mr", b"5", b"1", b"7", b"1", b"2147483647", b"x", b"0",
     b"18446744073709551615", b"more", b"and more"),
))
OBJECTS = [
    {"device": "mlx5_0", "type": "pd", "id": 4,
     "maker": {"pid": 812, "comm": None},
     "aliases": [{"handle": 0, "file": 11, "pid": 812, "comm": "server"},
                 {"handle": 4294967295, "file": 12, "pid": None,
                  "comm": None}]},
    {"device": "mlx5_0", "type": "mr", "id": 4, "bytes": GIB,
     "maker": {"pid": None, "comm": None},
     "aliases": [{"handle": 1, "file": 11, "pid": 812,
                  "comm": 'a\tb\nc\\d"\ufffd'}]},
    {"device": "rxe0", "type": "pd", "id": 4,
     "maker": {"pid": None, "comm": None}, "aliases": []},
    {"device": "rxe0", "type": "mr", "id": 5, "bytes": (1 << 64) - 1,
     "maker": {"pid": None, "comm": None},
     "aliases": [{"handle": 7, "file": 1, "pid": 2147483647, "comm": "x"}]},
]
TABLE = """\
DEVICE  TYPE  ID                 BYTES  MAKER      HANDLE  FILE         PID  COMMAND
mlx5_0  pd     4                          812           0    11         812  server
                                               4294967295    12        gone  -
mlx5_0  mr     4            1073741824   gone           1    11         812  a?b?c\\d"?
rxe0    pd     4                         gone           -     -           -  (no alias)
rxe0    mr     5  18446744073709551615   gone           7     1  2147483647  x
"""
LINE = b"rxe0\tmr\t3\t1\t1\t7\t5\tcomm\t6\t4096"
# Of one column the value is replaced by one that it cannot have.
BAD_VALUES = {
    0: [b"", b"x" * 64],
    1: [b"", b"y" * 16],
    2: [b"", b"-", b"-1", b"+1", b" 1", b"1 ", b"0x1", b"4294967296",
        b"99999999999999999999999", b"1e3", b"\xc2\xb2"],
    3: [b"", b"x"],
    4: [b"", b"--", b"-1", b"4294967296"],
    5: [b"", b"-", b"4294967296"],
    6: [b"", b"2147483648", b"-1"],
    7: [b"\\", b"\\01", b"\\000", b"\\400", b"\\08x", b"\\xff", b"z" * 64,
        b"\\101" * 64],
    8: [b"", b"2147483648"],
    9: [b"", b"18446744073709551616", b"-5", b"nan"],
}

failures = []


def check(good, what):
    if not good:
        failures.append(what)


def run(data, *args):
    return subprocess.run([SHARES, "-f", "-", *args], input=data,
                          capture_output=True, check=False)


def objects(data, *args, left_out=0):
    """What the JSON says, with as many lines left out as told."""
    done = run(data, "-j", *args)
    check(done.returncode == (1 if left_out else 0),
          f"exit status {done.returncode} for {data[-300:]}")
    told = re.search(rb"left out (\d+) line", done.stderr)
    check((int(told.group(1)) if told else 0) == left_out,
          f"{done.stderr} instead of {left_out} for {data[-300:]}")
    try:
        return json.loads(done.stdout.decode("utf-8"))["objects"]
    except ValueError as error:
        check(False, f"{error}: {done.stdout}")
        return []


def good_lists():
    check(objects(GOOD) == OBJECTS, "objects")
    check(objects(GOOD, "-d", "rxe0") == OBJECTS[2:], "objects of a device")
    # Process 1 runs everywhere, but a copy may be of another machine.
    check(objects(HEADER + b"d\tpd\t1\t0\t-\t0\t0\t-\t1\t0\n")[0]["maker"]
          == {"pid": 1, "comm": None}, "the maker's name in a copy")
    check(objects(GOOD, "--ib-dev=rxe1") == [], "objects of no device")
    check(objects(HEADER) == [], "no objects")
    check(objects(b"#\n#\n") == [], "comments alone")
    done = run(GOOD)
    check(done.returncode == 0 and not done.stderr
          and done.stdout.decode("utf-8") == TABLE,
          f"table:\n{done.stdout.decode('utf-8', 'replace')}{TABLE}")
    # The same number on another device, and of another type
    check(len(objects(GOOD)) == 4, "objects are told apart")
    many = HEADER + b"".join(b"d\tpd\t%d\t4\t%d\t1\t2\tc\t3\t0\n" % (i // 4, i)
                             for i in range(20000))
    check(len(objects(many)) == 5000, "many objects")
    # Objects without a number, of three, no, no and two aliases
    lines = [b"d\tmr\t0\t%d\t%b\t1\t2\tc\t3\t0\n" % (n, h) for n, h in (
        (3, b"1"), (3, b"2"), (3, b"3"), (0, b"-"), (0, b"-"), (2, b"1"),
        (2, b"2"))]
    check([[a["handle"] for a in item["aliases"]]
           for item in objects(HEADER + b"".join(lines))]
          == [[1, 2, 3], [], [], [1, 2]], "objects without a number")


def bad_lines():
    fields = LINE.split(b"\t")
    data = HEADER
    count = 0
    for column, values in BAD_VALUES.items():
        for value in values:
            line = b"\t".join(fields[:column] + [value] + fields[column + 1:])
            check(objects(HEADER + line + b"\n", left_out=1) == [],
                  f"column {column}: {value}")
            data += line + b"\n"
            count += 1
    for line in (b"", b"\t" * 20, b"\t".join(fields[:9]), b"rxe0", b"\0",
                 LINE + b"\0", b"x" * 5000, LINE.replace(b"\t", b" ")):
        data += line + b"\n"
        count += 1
    # Good ones between them are shown, and one without an end is not.
    data += LINE + b"\n" + LINE
    found = objects(data, left_out=count + 1)
    check(len(found) == 1 and found[0]["bytes"] == 4096, f"the good: {found}")
    done = run(data)
    check(b"the first is line 2\n" in done.stderr, f"{done.stderr}")


def no_lists():
    for data in (b"", b"\n", b"rxe0\n", LINE + b"\n", b"#", b"#" * 5000,
                 b"\x7fELF\0\0\0"):
        for args in ((), ("-j",)):
            done = run(data, *args)
            check(done.returncode == 1 and not done.stdout
                  and b"no list of shared objects" in done.stderr,
                  f"{data[:20]}: {done}")
    # Files without an end: from the first line on, and later
    for data in (b"", HEADER):
        command = f"cat - /dev/zero | timeout 30 {SHARES} -f -"
        done = subprocess.run(["sh", "-c", command], input=data,
                              capture_output=True, check=False)
        check(done.returncode == 1 and not done.stdout, f"no end: {done}")
    for path, word in (("/no/where", b"No such file"), ("/", b"directory")):
        done = subprocess.run([SHARES, "-f", path], capture_output=True,
                              check=False)
        check(done.returncode == 1 and word in done.stderr and not done.stdout,
              f"{path}: {done}")


def noise():
    """Whatever comes: an end, valid JSON, a table without control characters."""
    rand = random.Random(1)
    letters = b"\t\t\t\t\n\n\\\"0123456789-azXe\x00\x1b\xff\xc3\xa4# "
    for _ in range(25):
        data = bytearray(GOOD * 3)
        for _ in range(rand.randint(1, 60)):
            data[rand.randrange(len(HEADER), len(data))] = rand.choice(letters)
        done = run(bytes(data), "-j")
        check(done.returncode in (0, 1), f"{done.returncode}: {bytes(data)}")
        try:
            json.loads(done.stdout.decode("utf-8"))
        except ValueError as error:
            check(False, f"{error}: {bytes(data)}")
        done = run(bytes(data))
        check(done.returncode in (0, 1), f"{done.returncode}: {bytes(data)}")
        text = done.stdout.decode("utf-8", "replace")
        check(all(" " <= c <= "~" for c in text.replace("\n", "")),
              f"control characters: {text!r}")


def options():
    done = run(HEADER, "-h")
    check(done.returncode == 0 and b"Usage:" in done.stdout, f"{done}")
    for args in (("-x",), ("more",), ("-d",), ("--json=1",)):
        done = run(HEADER, *args)
        check(done.returncode == 2 and b"Usage:" in done.stderr
              and not done.stdout, f"{args}: {done}")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([SHARES, "-f", "-"], input=GOOD, stdout=full,
                              stderr=subprocess.PIPE, check=False)
    check(done.returncode == 1 and b"No space" in done.stderr, f"{done}")


def main():
    for part in (good_lists, bad_lines, no_lists, noise, options):
        part()
    for text in failures:
        print(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
