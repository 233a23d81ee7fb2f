#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Inputs as text, which is how the tree keeps them, and as files for libFuzzer.

usage: inputs.py unpack DIR PATH...   each input of the paths into a file of DIR
       inputs.py pack FILE.hex DIR [BYTES]
                                      and back: lines, the shortest inputs first,
                                      as many as go into a file of that size

See main.c for the format.
"""
import hashlib
import pathlib
import sys


def inputs(path):
    """All of a file or directory, which may be missing"""
    if path.is_dir():
        for inside in sorted(path.iterdir()):
            yield from inputs(inside)
    elif path.suffix == '.hex':
        for line in path.read_text().splitlines():
            if line and not line.startswith('#'):
                yield bytes.fromhex(line.split()[0] if line.split() else '')
    elif path.exists():
        yield path.read_bytes()


def main():
    command, first, *rest = sys.argv[1:]
    if command == 'unpack':
        for path in rest:
            for data in inputs(pathlib.Path(path)):
                name = hashlib.sha1(data).hexdigest()
                pathlib.Path(first, name).write_bytes(data)
    elif command == 'pack':
        found = sorted(inputs(pathlib.Path(rest[0])), key=lambda d: (len(d), d))
        left = int(rest[1]) if len(rest) > 1 else float('inf')
        with open(first, 'w') as out:
            for line in (data.hex() + '\n' for data in found if data):
                left -= len(line)
                if left < 0:
                    break
                out.write(line)
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main()
