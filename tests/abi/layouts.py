#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
Public structs, enums and constants: a program made from the tables prints
sizes, places and values.  It is compiled against this tree's headers and
against Debian's; both must print what the tables say.  That members have the
tables' types is asserted at compile time.
"""

import os
import re

import abi

PROLOGUE = """\
#include <stdio.h>
#include <infiniband/verbs.h>
#include <infiniband/sa.h>
#include <infiniband/tm_types.h>
#include <infiniband/opcode.h>

#define SIZE(type) \\
	printf("size\\t" #type "\\t%zu\\t%zu\\n", sizeof(type), _Alignof(type))
#define PLACE(type, member)                                                 \\
	printf("place\\t" #type "\\t" #member "\\t%zu\\t%zu\\n",               \\
	       offsetof(type, member), sizeof(((type *)0)->member))
#define TYPE(type, member, ...)                                             \\
	_Static_assert(__builtin_types_compatible_p(                        \\
			       __typeof__(((type *)0)->member),             \\
			       __typeof__(__VA_ARGS__)),                    \\
		       "type of " #member " in " #type)
#define KIND(x)                                                             \\
	_Generic((x), int: "int", unsigned int: "unsigned int",             \\
		 long: "long", unsigned long: "unsigned long",              \\
		 unsigned long long: "unsigned long long",                  \\
		 void *: "pointer", default: "other")
#define VALUE(name) \\
	printf("value\\t" #name "\\t%lld\\t%s\\n", (long long)(name), KIND(name))
#define ENUM(type) \\
	printf("enum\\t" #type "\\t%s\\n", KIND((type)0))
#define CONSTANT(name) \\
	printf("constant\\t" #name "\\t%#llx\\t%s\\n", \\
	       (unsigned long long)(name), KIND(name))
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define ALIAS(name, target)                                                 \\
	printf("alias\\t%s\\t%s\\n", #name,                                  \\
	       strcmp(TEXT(name), TEXT(target)) ? TEXT(name) : #target)

int main(void)
{
"""


def is_type_name(text):
    return "(unnamed)" not in text


def make_program(path):
    """Write the program; the lines that it must print, but for kinds."""
    expect = []
    body = []
    for row in abi.table("public-structs.tsv"):
        t, member = row["struct"], row["member"]
        if member == "(total)":
            align = re.search(r"alignment (\d+)", row["note"]).group(1)
            body.append(f"SIZE({t});")
            expect.append(f"size\t{t}\t{row['size']}\t{align}")
            continue
        body.append(f"PLACE({t}, {member});")
        expect.append(
            f"place\t{t}\t{member}\t{row['offset']}\t{row['size']}"
        )
        if is_type_name(row["type"]):
            body.append(f"TYPE({t}, {member}, {row['type']});")
    seen = set()
    for row in abi.table("public-enums.tsv"):
        if "unnamed" not in row["enum"] and row["enum"] not in seen:
            seen.add(row["enum"])
            body.append(f"ENUM({row['enum']});")
            expect.append(f"enum\t{row['enum']}")
        body.append(f"VALUE({row['name']});")
        expect.append(f"value\t{row['name']}\t{row['value']}")
    for row in abi.table("public-api.tsv"):
        if row["kind"] == "macro-constant":
            value = int(re.search(r"0x[0-9a-f]+", row["note"]).group(0), 16)
            body.append(f"CONSTANT({row['name']});")
            expect.append(f"constant\t{row['name']}\t{value:#x}")
        elif row["kind"] == "macro-alias":
            if row["header"] == "infiniband/sa-kern-abi.h":
                continue
            target = row["note"].split()[-1]
            body.append(f"ALIAS({row['name']}, {target});")
            expect.append(f"alias\t{row['name']}\t{target}")
    with open(path, "w", encoding="utf-8") as f:
        f.write(PROLOGUE + "\n".join(body) + "\nreturn 0;\n}\n")
    if len(expect) < 1400:
        raise abi.Failed(f"only {len(expect)} facts: a table is cut short")
    return expect


def without_kind(line):
    fields = line.split("\t")
    keep = {"value": 3, "constant": 3, "enum": 2}
    return "\t".join(fields[: keep.get(fields[0], len(fields))])


def test(workdir):
    source = os.path.join(workdir, "layouts.c")
    expect = make_program(source)
    said = {}
    for name, include in (
        ("this tree", abi.OURS),
        ("Debian", abi.debian_include()),
    ):
        program = os.path.join(workdir, "layouts")
        abi.compile_from(
            include, source, ["-std=gnu11", "-o", program], workdir
        )
        said[name] = abi.run([program]).splitlines()
    problem = abi.difference(
        "this tree", said["this tree"], "Debian", said["Debian"]
    )
    if problem:
        raise abi.Failed("headers differ:\n" + problem)
    facts = [without_kind(line) for line in said["this tree"]]
    problem = abi.difference("headers", facts, "tables", expect)
    if problem:
        raise abi.Failed("headers are not as the tables say:\n" + problem)


abi.main(test)
