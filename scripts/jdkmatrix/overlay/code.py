# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the code of two class files the same, whatever compiler and debug options made them?

Compared is what `javap -p -c` says, without what does not matter: where constants lie in their
pool (and with that `ldc` or `ldc_w`), at which offset an instruction is, and the source file.
"""

import re
from collections.abc import Iterator, Mapping

_CLASS = re.compile(r"^[^ \n].*\{\n(?:.*\n)*?\}$", re.MULTILINE)
_POOL = re.compile(r"#\d+ *")
_INSTRUCTION = re.compile(r"^ +(?P<at>\d+): (?P<name>[a-z]\w*)(?P<rest>.*)$")
_BRANCH = re.compile(r"^(if\w*|goto|jsr)$")
_CASE = re.compile(r"^ +(?P<key>-?\d+|default): (?P<target>\d+)$")
_EXCEPTION = re.compile(r"^ +(?P<start>\d+) +(?P<end>\d+) +(?P<target>\d+) +(?P<type>\S.*)$")


def classes_in(javap: str) -> list[str]:
    """javap's output on several classes, cut into one text each."""
    return _CLASS.findall(javap)


def plain_code(javap: str) -> str:
    """What matters of a class in javap's output."""
    lines = [_POOL.sub("", line) for line in javap.splitlines()]
    lines = [line.rstrip() for line in lines]
    methods: list[list[str]] = [[]]
    for line in lines:
        methods[-1].append(line)
        if not line:  # a blank line ends each member
            methods.append([])
    return "\n".join(line for method in methods for line in _plain_method(method))


def _plain_method(lines: list[str]) -> Iterator[str]:
    found = (_INSTRUCTION.match(line) for line in lines)
    offsets = [match["at"] for match in found if match]
    number = {offset: f"@{n}" for n, offset in enumerate(offsets)}
    for line in lines:
        yield _plain_line(line, number)


def _plain_line(line: str, number: Mapping[str, str]) -> str:
    if match := _INSTRUCTION.match(line):
        name = match["name"].removesuffix("_w")
        rest = match["rest"].strip()
        if _BRANCH.match(name):
            rest = number.get(rest, rest)
        return f"{number[match['at']]} {name} {rest}".rstrip()
    if match := _CASE.match(line):
        return f"{match['key']}: {number.get(match['target'], 'end')}"
    if match := _EXCEPTION.match(line):
        places = (number.get(match[name], "end") for name in ("start", "end", "target"))
        return f"{' '.join(places)} {match['type']}"
    return line
