# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which classes does a JDK have in a package, and in which module?"""

import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import JavaTool, run_java
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.compiler import library_jars

_TIMEOUT_S = 120


def modules_of(build: Build) -> frozenset[str]:
    """The modules of a build of 9 or later. Raises MachineError."""
    command = [str(build.home / "bin" / "java"), "--list-modules"]
    output = run_java(command, f"modules of {build.id}", _TIMEOUT_S)
    return frozenset(line.partition("@")[0] for line in output.splitlines())


def copy_packages(
    build: Build, packages: Iterable[str], target: Path, tool: JavaTool
) -> dict[str, str]:
    """Copy the classes of these packages; return the module of each package that the build has.

    `target` is laid out as an overlay: below modules from 9 on. On 8 the module is "".
    Raises MachineError.
    """
    names = sorted(set(packages))
    if build.train == 8:
        return {name: "" for name in names if _copy_from_jars(build, name, target)}
    arguments = [str(build.home), str(target), *names]
    output = tool.run("package-classes", arguments, f"classes of {build.id}", _TIMEOUT_S)
    pairs = (line.partition(" ") for line in output.splitlines())
    return {package: module for package, _, module in pairs}


def _other_jars(build: Build) -> list[Path]:
    """The jars of a JDK 8 beside its library: `sunjce_provider.jar`, `charsets.jar`. Debian links
    one of a package that is not installed.
    """
    jre = build.home / build.facts.java_home / "lib"
    library = library_jars(build)
    jars = (jar for jar in (*jre.glob("*.jar"), *jre.glob("ext/*.jar")) if jar.is_file())
    return sorted(jar for jar in jars if jar not in library)


def _copy_from_jars(build: Build, package: str, target: Path) -> bool:
    folder = package.replace(".", "/") + "/"
    has_class = False
    # The boot class path last: its class is the one in force.
    for jar in (*_other_jars(build), *library_jars(build)):
        try:
            with zipfile.ZipFile(jar) as archive:
                names = [name for name in archive.namelist() if _is_class_in(name, folder)]
                archive.extractall(target, names)
        except (zipfile.BadZipFile, zlib.error) as error:
            raise MachineError(f"{jar}: damaged: {error}") from None
        has_class = has_class or bool(names)
    return has_class


def _is_class_in(name: str, folder: str) -> bool:
    """Whether it is a class of the package in `folder` itself, not of one below."""
    return name.startswith(folder) and name.endswith(".class") and "/" not in name[len(folder) :]
