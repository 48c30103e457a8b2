# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK compiles for a build? One of its train, as a runtime image has no javac of its own."""

from dataclasses import replace
from pathlib import Path

from jdkmatrix.config.jdks import BuildEntry, DebianSource, JdksFile
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.supplier import Supplier


def compiler_for(build: Build, supplier: Supplier, jdks: JdksFile) -> Build:
    """A JDK of the build's train that has a compiler. Raises MachineError."""
    if build.facts.has_javac:
        return build
    reasons = []
    for entry in jdks.builds:
        if entry.version.train == build.train and _has_javac(entry):
            outcome = supplier.compiler(entry)
            if isinstance(outcome, Build):
                return outcome
            reasons.append(str(outcome))
    reason = "; ".join(reasons) or "jdks.yaml needs a full JDK of it"
    raise MachineError(f"no javac of train {build.train}: {reason}")


def compilable(build: Build, supplier: Supplier, jdks: JdksFile) -> Build | Unavailable:
    """The build, with options to compile a user's suite if it is a runtime image; or why not.

    Suites are compiled against its own class library: internals change within a train, and a test
    compiled for another update ends in a NoSuchMethodError.
    """
    if build.facts.has_javac:
        return build
    try:
        compiler = compiler_for(build, supplier, jdks)
    except MachineError as error:
        return Unavailable(build.entry_id, (("compiler", str(error)),))
    options = (library_option(build), *TOOL_SHORT_LIVED)  # the compiler is not under test
    javac_options = (f"-javacoption:{option}" for option in options)
    return replace(build, compile_options=(f"-compilejdk:{compiler.home}", *javac_options))


def library_option(build: Build) -> str:
    """javac's option to compile against the class library of exactly that build."""
    if build.train == 8:
        return f"-Xbootclasspath:{':'.join(map(str, library_jars(build)))}"
    return f"--system={build.home}"


def library_jars(build: Build) -> tuple[Path, ...]:
    """The jars with the class library of a JDK 8, in the order of its boot class path."""
    jre = build.home / build.facts.java_home / "lib"
    return tuple(jre / name for name in ("rt.jar", "jsse.jar", "jce.jar") if (jre / name).is_file())


def _has_javac(entry: BuildEntry) -> bool:
    return any(
        isinstance(source, DebianSource) and any("-jdk-" in name for name in source.packages)
        for source in entry.sources
    )
