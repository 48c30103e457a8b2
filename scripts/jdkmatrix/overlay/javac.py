# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a few source files of a JDK compiled for a build, and is the result the build's code?"""

import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.overlay.target import library_jars
from jdkmatrix.supply.build import Build

_TIMEOUT_S = 120
_CONSTANT = re.compile(r"#\d+")


class CompileError(Exception):
    """The sources do not compile; the text is the compiler's first error."""


def compile_sources(compiler: Build, build: Build, sources: Path, classes: Path) -> None:
    """Compile what lies under `sources` against the class library of `build`.

    Both folders are laid out as an overlay is: below modules from 9 on. Raises CompileError.
    """
    if build.train == 8:
        library = ":".join(map(str, library_jars(build)))
        options = ["-bootclasspath", library, "-XDignore.symbol.file", "-source", "8"]
        _javac(compiler, [*options, "-target", "8"], sources, classes)
        return
    for module in sorted(path for path in sources.iterdir() if path.is_dir()):
        options = ["--system", str(build.home), "--patch-module", f"{module.name}={module}"]
        if module.name == "java.base":  # as the JDK's own build does; it can't use indy itself
            options.append("-XDstringConcat=inline")
        _javac(compiler, options, module, classes / module.name)


def differing_class(
    javap_home: Path, ours: Path, theirs: Path, names: Iterable[Path]
) -> Path | None:
    """The first of these class files whose code is not the same in both folders."""
    for name in names:
        if not (theirs / name).is_file():
            return name
        if _code(javap_home, ours / name) != _code(javap_home, theirs / name):
            return name
    return None


def _javac(compiler: Build, options: Sequence[str], sources: Path, classes: Path) -> None:
    classes.mkdir(parents=True, exist_ok=True)
    files = sorted(str(path) for path in sources.rglob("*.java"))
    command = [str(compiler.home / "bin" / "javac"), "-J-XX:TieredStopAtLevel=1", "-proc:none"]
    command += ["-nowarn", "-g", "-encoding", "UTF-8", *options, "-d", str(classes), *files]
    ended = _run(command)
    if ended.returncode != 0:
        lines = ended.stderr.splitlines() or ["no message"]
        first = next((line for line in lines if "error:" in line), lines[0])
        raise CompileError(first.replace(f"{sources}/", ""))


def _code(javap_home: Path, file: Path) -> str:
    """The members and instructions of a class; not line numbers, nor where constants lie."""
    ended = _run(
        [str(javap_home / "bin" / "javap"), "-J-XX:TieredStopAtLevel=1", "-p", "-c", str(file)]
    )
    if ended.returncode != 0:
        raise MachineError(f"javap {file.name}: {ended.stderr.strip().splitlines()[:1]}")
    return _CONSTANT.sub("#", ended.stdout)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise MachineError(f"{Path(command[0]).name}: not done after {_TIMEOUT_S} s") from None
    except OSError as error:
        raise MachineError(f"{command[0]}: {error.strerror}") from None
