#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""The report of ibv_doctor with texts that may be anything.

usage: doctor_formats.py PROGRAM
"""

import json
import random
import subprocess
import sys

PROGRAM = sys.argv[1]
WIDTH = 80
HOSTILE = [
    b"plain", b'"', b"\\", b'\\"', b"\n", b"\t", b"\x01\x1f\x7f", b"\x1b[2J",
    b"</script>", b"'", b"{}[],:", "Gr\u00fc\u00dfe".encode(),
    "\u20ac \U0001f600".encode(), b"\xff", b"\xc3", b"\xe2\x82",
    b"\xf0\x9f\x98", b"a\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b"\xf8\x88\x80\x80\x80", b"\xe0\x80\x80", b"\xc2\x9b31m", b"\\u0041",
    b"%s%n", b" ", b"  two  spaces  ",
]

failures = []


def check(good, what):
    if not good:
        failures.append(what)


def run(form, words):
    done = subprocess.run([PROGRAM, form, *words], capture_output=True,
                          check=False)
    check(done.returncode == 0 and not done.stderr, f"{form}: {done}")
    return done.stdout


def wanted(word):
    """What JSON says of these bytes: invalid ones are one U+FFFD each."""
    text = ""
    while word:
        for length in (1, 2, 3, 4):
            try:
                text += word[:length].decode("utf-8")
            except UnicodeDecodeError:
                continue
            word = word[length:]
            break
        else:
            text += "\ufffd"
            word = word[1:]
    return text


def check_json(words):
    out = run("json", words)
    try:
        report = json.loads(out.decode("utf-8"))
    except ValueError as error:
        check(False, f"{error}: {out} for {words}")
        return
    check(report["problems"] == len(words), f"{report['problems']} problems")
    check(report["findings"][:2] == [
        {"state": "ok", "device": None, "check": "kernel", "text": "fine",
         "fix": None},
        {"state": "note", "device": None, "check": "fork", "text": "a note",
         "fix": None}], "findings about the machine")
    check(len(report["findings"]) == len(words) + 2, "number of findings")
    for word, finding in zip(words, report["findings"][2:]):
        text = wanted(word)
        check(finding == {"state": "problem", "device": text, "check": "port",
                          "text": text, "fix": text}, f"{word}: {finding}")


def check_table(words):
    out = run("table", words)
    try:
        text = out.decode("utf-8")
    except UnicodeDecodeError as error:
        check(False, f"{error}: {out}")
        return
    for line in text.splitlines():
        check(all(" " <= c <= "~" for c in line), f"in the table: {line!r}")
        check(len(line) <= WIDTH or " " not in line[22:].strip(),
              f"{len(line)} columns: {line}")
    last = text.splitlines()[-1]
    check(last == {0: "No problems found", 1: "1 problem found"}.get(
        len(words), f"{len(words)} problems found"), last)


def check_wrapping():
    """All words come, in their order, and lines are as full as they can be."""
    rand = random.Random(44)
    for _ in range(20):
        words = ["x" * rand.randint(1, 30) for _ in range(rand.randint(1, 60))]
        lines = run("table", [" ".join(words).encode()]).decode().splitlines()
        start = next(i for i, line in enumerate(lines)
                     if line.startswith("PROBLEM"))
        arrow = next(i for i, line in enumerate(lines) if "->" in line)
        shown = [line[22:] for line in lines[start:arrow]]
        check(" ".join(shown).split(" ") == words, f"words: {shown}")
        fix = [line[22:] for line in lines[arrow:-2]]
        check(fix == shown, f"text and fix are broken alike: {fix}")
        for line, after in zip(lines[start:arrow], shown[1:]):
            check(len(line) + 1 + len(after.split(" ")[0]) > WIDTH - 1,
                  f"a line broken too soon: {line}")


def main():
    check_json([])
    check_table([])
    check_json(HOSTILE)
    check_table(HOSTILE)
    rand = random.Random(6)
    noise = [bytes(rand.choice([*range(1, 256)]) for _ in range(40))
             for _ in range(200)]
    check_json(noise)
    check_table(noise)
    check_table([b"word"])
    check_wrapping()
    for text in failures:
        print(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
