# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the code of two class files the same, whatever compiler and debug options made them?

The output of `javap -p -c -constants` is compared, without what does not matter: indices into the
constant pool (and with them `ldc` or `ldc_w`), offsets of instructions, and the source file. An
`invokedynamic` names only the number of a bootstrap method, which its entry in the table replaces:
that has the method that a reference or lambda means, or the text of a concatenation.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

_CLASS = re.compile(r"^[^ \n].*\{\n(?:.*\n)*?\}$", re.MULTILINE)
_POOL = re.compile(r"^(?P<before> +\d+: \w+ +)#\d+(?P<more>(?:, +\d+)?) *")
_POOL_OF_BOOTSTRAP = re.compile(r"^ *#\d+ ", re.MULTILINE)
_INSTRUCTION = re.compile(r"^ +(?P<at>\d+): (?P<name>[a-z]\w*)(?P<rest>.*)$")
_DYNAMIC = re.compile(r"(?P<kind>\b(?:Invoke)?Dynamic) #(?P<number>\d+):")
_CLASS_FILE = re.compile(r"^Classfile .*$", re.MULTILINE)
_BOOTSTRAPS = re.compile(r"^BootstrapMethods:\n(?P<table>(?: .*\n?)*)", re.MULTILINE)
_BOOTSTRAP = re.compile(r"^  \d+: ", re.MULTILINE)
_BRANCH = re.compile(r"^(if\w*|goto|jsr)$")
_CASE = re.compile(r"^ +(?P<key>-?\d+|default): (?P<target>\d+)$")
_CONSTANT = re.compile(r"^  (?P<field>[^(=\n]*\b(?P<name>[\w$]+)) = (?P<value>.*);$", re.MULTILINE)
_EXCEPTION = re.compile(r"^ +(?P<start>\d+) +(?P<end>\d+) +(?P<target>\d+) +(?P<type>\S.*)$")


def classes_in(javap: str) -> list[str]:
    """javap's output on several classes, split into one text for each."""
    return _CLASS.findall(javap)


def bootstraps_in(javap_verbose: str) -> list[tuple[str, ...]]:
    """The bootstrap methods of each class in the output of `javap -v`, by their numbers."""
    tables = (_BOOTSTRAPS.search(text) for text in _CLASS_FILE.split(javap_verbose)[1:])
    return [
        tuple(_one_line(text) for text in _BOOTSTRAP.split(table["table"])[1:]) if table else ()
        for table in tables
    ]


def names_bootstraps(javap: str) -> bool:
    """Whether a class's code names bootstrap methods by numbers, which only `javap -v` explains."""
    return _DYNAMIC.search(javap) is not None


def plain_code(javap: str, bootstraps: Sequence[str] = ()) -> str:
    """The part of javap's output on a class that matters."""

    def bootstrap(match: re.Match[str]) -> str:
        return f"{match['kind']} {bootstraps[int(match['number'])]}:"

    lines = javap.splitlines()
    if bootstraps:
        lines = [_DYNAMIC.sub(bootstrap, line) for line in lines]
    lines = [_POOL.sub(r"\g<before>\g<more> ", line) for line in lines]
    methods: list[list[str]] = [[]]
    for line in lines:
        methods[-1].append(line)
        if not line:  # a blank line ends each member
            methods.append([])
    return "\n".join(line for method in methods for line in _plain_method(method))


def without_constants(code: str) -> str:
    """Code without the values of constant fields."""
    return _CONSTANT.sub(r"  \g<field>;", code)


def other_constants(candidate: str, baseline: str) -> tuple[str, ...]:
    """The baseline's constant fields that have another value in the candidate, or none; without
    private ones, which no other file uses.
    """
    constants = {field["field"]: field["value"] for field in _CONSTANT.finditer(candidate)}
    return tuple(
        field["name"]
        for field in _CONSTANT.finditer(baseline)
        if constants.get(field["field"]) != field["value"]
        and not field["field"].startswith("private ")
    )


def _one_line(text: str) -> str:
    return " ".join(_POOL_OF_BOOTSTRAP.sub("", text).splitlines())


def _plain_method(lines: list[str]) -> Iterator[str]:
    matches = (_INSTRUCTION.match(line) for line in lines)
    offsets = [match["at"] for match in matches if match]
    number = {offset: f"@{n}" for n, offset in enumerate(offsets)}
    for line in lines:
        yield _plain_line(line, number)


def _plain_line(line: str, number: Mapping[str, str]) -> str:
    if match := _INSTRUCTION.match(line):
        name = match["name"].removesuffix("_w")
        rest = match["rest"].lstrip()
        if _BRANCH.match(name):
            rest = number.get(rest, rest)
        return f"{number[match['at']]} {name} {rest}"
    if match := _CASE.match(line):
        return f"{match['key']}: {number.get(match['target'], 'end')}"
    if match := _EXCEPTION.match(line):
        places = (number.get(match[name], "end") for name in ("start", "end", "target"))
        return f"{' '.join(places)} {match['type']}"
    return line
