# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a few source files of a JDK compiled for a build, and is the result the build's code?"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import MachineError, translate_os_errors
from jdkmatrix.machine.files import content_of
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED, run_java
from jdkmatrix.machine.processes import run_jvm
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.compiler import library_option

_TIMEOUT_S = 120
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


class CompileError(Exception):
    """The sources do not compile; the text is the compiler's first error."""


def compile_sources(compiler: Build, build: Build, sources: Path, classes: Path) -> None:
    """Compile what lies under `sources` against the class library of `build`.

    Both folders are laid out as an overlay is: below modules from 9 on. Raises CompileError.
    """
    if build.train == 8:
        options = [library_option(build), "-XDignore.symbol.file", "-source", "8"]
        _javac(compiler, [*options, "-target", "8"], sources, classes)
        return
    for module in sorted(path for path in sources.iterdir() if path.is_dir()):
        options = [library_option(build), "--patch-module", f"{module.name}={module}"]
        if module.name == "java.base":  # as the JDK's own build does; it can't use indy itself
            options.append("-XDstringConcat=inline")
        _javac(compiler, options, module, classes / module.name)


@dataclass(frozen=True)
class CodeDifference:
    """How the code of a class differs: `constants` have another value; `alone` if that is all."""

    constants: tuple[str, ...] = ()
    alone: bool = False


def differing(
    javap_home: Path, candidate: Path, baseline: Path, names: Sequence[Path]
) -> dict[Path, CodeDifference]:
    """Those of `names` whose code differs between the two folders, or is only in `candidate`."""
    common = [name for name in names if (baseline / name).is_file()]
    unequal = [name for name in common if not _same_bytes(candidate / name, baseline / name)]
    codes = _codes(
        javap_home, [folder / name for folder in (candidate, baseline) for name in unequal]
    )
    pairs = dict(zip(unequal, zip(codes, codes[len(unequal) :], strict=False), strict=True))
    differences = {name: CodeDifference() for name in names if name not in common}
    differences |= {
        name: _difference(name, *pair) for name, pair in pairs.items() if pair[0] != pair[1]
    }
    return {name: differences[name] for name in names if name in differences}


def _same_bytes(first: Path, second: Path) -> bool:
    return content_of(first) == content_of(second)


def _difference(name: Path, candidate: str, baseline: str) -> CodeDifference:
    constants = tuple(f"{name.stem}.{field}" for field in other_constants(candidate, baseline))
    return CodeDifference(constants, without_constants(candidate) == without_constants(baseline))


def _javac(compiler: Build, options: Sequence[str], sources: Path, classes: Path) -> None:
    classes.mkdir(parents=True, exist_ok=True)
    files = sorted(str(path) for path in sources.rglob("*.java"))
    command = [str(compiler.home / "bin" / "javac"), *TOOL_SHORT_LIVED, "-proc:none"]
    command += ["-nowarn", "-g", "-encoding", "UTF-8", *options, "-d", str(classes), *files]
    with translate_os_errors(MachineError, command[0]):
        process = run_jvm(command, timeout_s=_TIMEOUT_S)
    if process.is_late:
        raise MachineError(f"javac: not done after {_TIMEOUT_S} s")
    if process.code != 0:
        lines = process.errors.splitlines() or ["no message"]
        first = next((line for line in lines if "error:" in line), lines[0])
        raise CompileError(first.replace(f"{sources}/", ""))


def _codes(javap_home: Path, files: Sequence[Path]) -> list[str]:
    """The code of each class file."""
    if not files:
        return []
    texts = classes_in(_javap(javap_home, ["-p", "-c", "-constants"], files))
    if not any(names_bootstraps(text) for text in texts):
        return [plain_code(text) for text in texts]
    bootstraps = bootstraps_in(_javap(javap_home, ["-p", "-v"], files))
    return [plain_code(text, table) for text, table in zip(texts, bootstraps, strict=True)]


def _javap(javap_home: Path, options: Sequence[str], files: Sequence[Path]) -> str:
    """The output of one javap on all these class files."""
    javap = str(javap_home / "bin" / "javap")
    return run_java([javap, *TOOL_SHORT_LIVED, *options, *map(str, files)], "javap", _TIMEOUT_S)


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
